package input

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
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
	b.WriteString(printable(e.File))
	if e.Entry != "" {
		b.WriteString("!" + oneLine(e.Entry))
	}
	if e.Offset >= 0 {
		fmt.Fprintf(&b, ": offset %#x", e.Offset)
	}
	b.WriteString(": " + e.Reason)
	return b.String()
}

// oneLine is a name from the input, cut and quoted, so that a hostile one
// cannot break an error into several lines or fill the screen.
func oneLine(s string) string {
	const most = 100
	if len(s) <= most {
		return printable(s)
	}
	cut := most
	for !utf8.RuneStart(s[cut]) && cut > most-utf8.UTFMax {
		cut--
	}
	return printable(s[:cut]) + "..."
}

// printable escapes what does not print, as in a Go string.
func printable(s string) string {
	for _, r := range s {
		if !unicode.IsPrint(r) || r == utf8.RuneError {
			q := fmt.Sprintf("%+q", s)
			return q[1 : len(q)-1]
		}
	}
	return s
}
