package comment

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/eventraces/eventraces/engine/report"
)

// Everything in a run is data of a stranger. It gets into a page through one of
// these functions only, each of which makes it inert where it stands:
//
//	code     a name: a code span, in which Markdown means nothing
//	prose    a sentence: its plain words as they are, all others as code
//	tag      text inside an HTML element of ours
//	label    text inside a picture
//	segment  a part of a URL's path
//
// Escaping by backslashes would not do: GitHub looks for mentions and issues in
// the text that Markdown has made.

// Where texts are cut, in characters.
const (
	longestName  = 160
	longestProse = 1200
	longestLabel = 90 // of a picture
	longestWord  = 44 // of a label
)

// code is s as a code span. It holds no pipe, so that it may stand in a table.
func code(s string) string {
	s = strings.ReplaceAll(shorten(report.Clean(s), longestName), "|", `\u007c`)
	if s == "" {
		return "`?`"
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// word parts a word of a sentence from the punctuation around it.
var word = regexp.MustCompile(`^([("']*)(.*?)([,.;:!?)"']*)$`)

// plainWord is a word in which nothing has a meaning for Markdown or GitHub. A
// hump, as in onCreate, makes it a name; what could be a commit is none.
var (
	plainWord = regexp.MustCompile(`^([A-Za-z]+('[a-z]+)?|[a-z]+(-[a-z]+)+|[0-9]{1,6})$`)
	hump      = regexp.MustCompile(`[a-z][A-Z]|^[0-9a-f]{7,}$`)
)

// prose is a sentence that may hold names. It is one line and never empty.
func prose(s string) string {
	words := strings.Split(shortenEnd(report.Clean(s), longestProse), " ")
	for i, w := range words {
		parts := word.FindStringSubmatch(w)
		for parts != nil && strings.HasPrefix(parts[3], ")") && strings.Count(parts[2], "(") > strings.Count(parts[2], ")") {
			parts[2], parts[3] = parts[2]+")", parts[3][1:]
		}
		switch {
		case w == "":
		case parts == nil || parts[2] == "":
			words[i] = code(w)
		case !plainWord.MatchString(parts[2]) || hump.MatchString(parts[2]) || parts[3] != "" && parts[2][0] <= '9':
			words[i] = parts[1] + code(parts[2]) + parts[3]
		}
	}
	if text := strings.Join(words, " "); strings.TrimSpace(text) != "" {
		return strings.TrimSpace(text)
	}
	return code("")
}

// tag is s for the inside of an HTML element, which no Markdown reaches.
func tag(s string) string {
	return encode(shorten(report.Clean(s), longestName), "&#%d;", " .-")
}

// label is s for a line of a picture: what is not a letter, a digit or a space is
// a code that Mermaid turns into a character. Some of its versions look for
// Markdown, icons (fa:fa-x) and formulas ($$x$$) after that, so a joiner, which
// has no width, stands at the begin and behind each such character, and look-alikes
// stand for backticks, asterisks and tildes.
func label(s string) string {
	words := strings.Split(report.Clean(s), " ")
	for i, w := range words {
		words[i] = shorten(w, longestWord)
	}
	text := strings.TrimSpace(strings.Join(words, " "))
	if text == "" {
		text = "?"
	}
	text = lookalikes.Replace(shorten(text, longestLabel))
	if text[0] < 'A' {
		text = joiner + text
	}
	return strings.ReplaceAll(encode(text, "#%d;", " "), ";", ";#8288;")
}

const joiner = "\u2060"

var lookalikes = strings.NewReplacer("`", "'", "*", "\u2217", "~", "\u223c")

// segment is a part of the path of a URL.
func segment(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; alphanumeric(rune(c)) || strings.IndexByte("-_.~", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// encode writes what is not a letter or digit of ASCII, nor in others, by its
// number.
func encode(s, form, others string) string {
	var b strings.Builder
	for _, r := range s {
		if alphanumeric(r) || strings.ContainsRune(others, r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, form, r)
		}
	}
	return b.String()
}

func alphanumeric(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// shorten cuts the middle out of a name: its ends tell most.
func shorten(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	r := []rune(s)
	tail := (n - 3) / 2
	return string(r[:n-3-tail]) + "..." + string(r[len(r)-tail:])
}

// shortenEnd keeps the beginning of a text.
func shortenEnd(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n]) + " ..."
}
