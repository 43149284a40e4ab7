package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longest is where a name is cut; the rest says nothing to a person.
const longest = 300

// clean makes text that may hold names of the app harmless to read: control
// characters, line separators and marks that turn or hide text are written as
// escapes, and overlong runs are cut.
func clean(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if harmless(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "\\u%04x", r)
		}
	}
	return b.String()
}

func cleanAll(in []string) []string {
	out := make([]string, len(in))
	for i, s := range in {
		out[i] = clean(s)
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

// name is clean for one name: it is also cut.
func name(s string) string {
	s = clean(s)
	if len(s) <= longest {
		return s
	}
	end := longest
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "..."
}
