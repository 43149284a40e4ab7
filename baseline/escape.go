package baseline

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escape makes a name one word of a line: spaces, characters that cannot be seen
// and the backslash become \uXXXX or \UXXXXXXXX. Names come from the app and
// could hold anything.
func escape(s string) string {
	if s == "" {
		return `\u0000` // a word must not be empty
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r > 0xffff && !unicode.IsGraphic(r):
			fmt.Fprintf(&b, `\U%08x`, r)
		case r == '\\' || r == utf8.RuneError || r == '\u0085' || unicode.IsSpace(r) || !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unescape takes back what escape did; what is no escape stays as it is.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	if s == `\u0000` {
		return ""
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if r, n := escaped(s[i:]); n > 0 {
			b.WriteRune(r)
			i += n - 1
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// escaped decodes the escape that s begins with; n is its length, or 0.
func escaped(s string) (r rune, n int) {
	switch {
	case strings.HasPrefix(s, `\u`):
		n = 6
	case strings.HasPrefix(s, `\U`):
		n = 10
	default:
		return 0, 0
	}
	if len(s) < n {
		return 0, 0
	}
	v, err := strconv.ParseUint(s[2:n], 16, 32)
	if err != nil || v > unicode.MaxRune {
		return 0, 0
	}
	return rune(v), n
}

// oneLine makes a reason fit behind its mark.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
}
