package comment

import (
	"strings"
	"unicode/utf8"
)

// What GitHub takes, less a margin.
const (
	longestComment = 65_000    // of 65,536 characters, in UTF-16 as well as in Unicode
	longestSummary = 900 << 10 // bytes, of 1 MiB
	longestFooter  = 4000      // what comes after the pieces that have to fit
)

// piece is a part of a page in forms that get shorter; the last may be empty.
type piece struct {
	forms []string
	level int // which form is taken
	about int // how many findings the page lacks if the piece is empty
}

func (p *piece) text() string { return p.forms[p.level] }

func fixed(text string) piece { return piece{forms: []string{text}} }

// lasting text goes after everything but the fixed.
func lasting(text string) piece { return piece{forms: []string{text, text, text, text, ""}} }

// fit takes the fullest forms with which the pieces are not longer than most:
// from the end, all pieces first lose what their second form lacks, then what
// the third lacks, and so on. It returns the text and how many findings are
// missing.
func fit(pieces []piece, most int, length func(string) int) (text string, missing int) {
	total := 0
	deepest := 0
	for i := range pieces {
		total += length(pieces[i].text())
		deepest = max(deepest, len(pieces[i].forms)-1)
	}
	for level := 1; level <= deepest && total > most; level++ {
		for i := len(pieces) - 1; i >= 0 && total > most; i-- {
			p := &pieces[i]
			if p.level+1 < len(p.forms) && p.level < level {
				total -= length(p.text())
				p.level++
				total += length(p.text())
			}
		}
	}
	var b strings.Builder
	for i := range pieces {
		b.WriteString(pieces[i].text())
		if pieces[i].text() == "" {
			missing += pieces[i].about
		}
	}
	return b.String(), missing
}

// characters is the length of a comment as GitHub may count it: in UTF-16, which
// is never less than in Unicode.
func characters(s string) int {
	n := 0
	for _, r := range s {
		if n++; r > 0xffff {
			n++
		}
	}
	return max(n, utf8.RuneCountInString(s))
}

func bytesOf(s string) int { return len(s) }
