package input

import (
	"fmt"
	"strings"
)

// Error is why a build output cannot be analysed: one line that names the
// file, the entry inside it, the offset where that means something, and the
// reason together with what would be right.
type Error struct {
	File   string
	Entry  string // empty: the file itself
	Offset int64  // byte offset in the entry; negative: does not apply
	Reason string
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(oneLine(e.File))
	if e.Entry != "" {
		b.WriteString("!" + oneLine(e.Entry))
	}
	if e.Offset >= 0 {
		fmt.Fprintf(&b, ": offset %#x", e.Offset)
	}
	b.WriteString(": " + e.Reason)
	return b.String()
}

// oneLine keeps hostile names from breaking an error into several lines.
func oneLine(s string) string {
	const max = 200
	if len(s) > max {
		s = s[:max] + "..."
	}
	for _, r := range s {
		if r < ' ' || r == 0x7f || r == '\uFFFD' {
			q := fmt.Sprintf("%q", s)
			return q[1 : len(q)-1]
		}
	}
	return s
}
