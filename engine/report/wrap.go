package report

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// width is where prose is wrapped; names are never broken.
const width = 100

// numbered is one line of a chain, wrapped.
func (t *textWriter) numbered(n int, text string) {
	label := fmt.Sprintf("    %d. ", n)
	for i, line := range wrap(text, width-len(label)) {
		if i > 0 {
			label = strings.Repeat(" ", len(label))
		}
		t.printf("%s%s\n", label, line)
	}
}

// labelled writes a label and wrapped prose beside it.
func (t *textWriter) labelled(label, text string) {
	const indent = 14
	first := fmt.Sprintf("  %-*s", indent-2, label+":")
	lines := wrap(Clean(text), width-indent)
	for i, line := range lines {
		if i == 0 {
			t.printf("%s%s\n", t.paint(dim, first), line)
		} else {
			t.printf("%*s%s\n", indent, "", line)
		}
	}
}

func (t *textWriter) prose(indent, text string) {
	for _, line := range wrap(Clean(text), width-len(indent)) {
		t.printf("%s%s\n", indent, line)
	}
}

// wrap breaks text at spaces into lines of at most n columns; longer words stay
// whole.
func wrap(text string, n int) []string {
	var lines []string
	var line strings.Builder
	columns := 0
	for _, word := range strings.Fields(text) {
		w := utf8.RuneCountInString(word)
		if columns > 0 && columns+1+w > n {
			lines = append(lines, line.String())
			line.Reset()
			columns = 0
		}
		if columns > 0 {
			line.WriteByte(' ')
			columns++
		}
		line.WriteString(word)
		columns += w
	}
	if columns > 0 || len(lines) == 0 {
		lines = append(lines, line.String())
	}
	return lines
}
