package race

import (
	"bufio"
	"fmt"
	"io"
)

// Print writes the candidates that no filter removed, a line each, sorted.
func (r *Result) Print(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%d candidates, %d filtered\n", r.Candidates, r.Filtered)
	for _, l := range r.lines {
		fmt.Fprintln(out, l)
	}
	return out.Flush()
}
