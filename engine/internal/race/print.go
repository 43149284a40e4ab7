package race

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/eventraces/eventraces/engine/finding"
)

// Print writes how many pairs share a location, how many of them nothing orders, how many candidates each filter removed, then the pairs that none
// did, a line each, sorted.
func (r *Result) Print(w io.Writer) error {
	lines := make([]string, 0, len(r.Races))
	for i := range r.Races {
		lines = append(lines, r.line(&r.Races[i]))
	}
	slices.Sort(lines)
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%d pairs, %d candidates, %d filtered\n", r.Pairs, r.Candidates, r.Filtered)
	for _, name := range slices.Sorted(maps.Keys(r.Removed)) {
		fmt.Fprintf(out, "  %d by %s\n", r.Removed[name], name)
	}
	slices.Sort(r.Refuted)
	for _, l := range slices.Compact(r.Refuted) {
		fmt.Fprintf(out, "  %s\n", l)
	}
	for _, l := range slices.Compact(lines) {
		fmt.Fprintln(out, l)
	}
	return out.Flush()
}

func (r *Result) line(x *finding.Race) string {
	side := func(s *finding.Side) string {
		return fmt.Sprintf("%s %s:%d by %s", s.Access.Kind, s.Access.Method, s.Access.Line, s.Access.Action)
	}
	return fmt.Sprintf("%s %s %s: %s | %s", x.Priority, x.Rule, x.Field, side(&x.Sides[0]), side(&x.Sides[1]))
}
