package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Where texts are cut; the rest says nothing to a person.
const (
	longest     = 300  // a name, and a word of a text
	longestText = 4000 // a text
)

// Clean makes text that may hold names of the app harmless to read: control
// characters, line separators and marks that turn or hide text are written as
// escapes, and overlong words and texts are cut. What the log of a GitHub job
// takes for a command (:: at the start of a line after any spaces, ##[ anywhere)
// is broken.
func Clean(s string) string {
	if !plain(s) {
		var b strings.Builder
		for _, r := range s {
			if harmless(r) {
				b.WriteRune(r)
			} else {
				fmt.Fprintf(&b, "\\u%04x", r)
			}
			if b.Len() > 2*longestText {
				break
			}
		}
		s = b.String()
	}
	if strings.Contains(s, "::") || strings.Contains(s, "##[") {
		s = commands.Replace(s)
	}
	if len(s) <= longest {
		return s
	}
	words := strings.Split(cut(s, longestText), " ")
	for i := range words {
		words[i] = cut(words[i], longest)
	}
	return strings.Join(words, " ")
}

var commands = strings.NewReplacer("::", `:\u003a`, "##[", `#\u0023[`)

func cleanAll(in []string) []string {
	out := make([]string, len(in))
	for i, s := range in {
		out[i] = Clean(s)
	}
	return out
}

func plain(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if !harmless(r) {
			return false
		}
	}
	return true
}

func harmless(r rune) bool {
	return r != utf8.RuneError && unicode.IsPrint(r)
}

// name is Clean for one name: it is also cut as a whole.
func name(s string) string { return cut(Clean(s), longest) }

// cut keeps n bytes at most, whole characters, and says so.
func cut(s string, n int) string {
	if len(s) <= n || strings.HasSuffix(s, "...") && len(s) <= n+3 {
		return s
	}
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "..."
}
