package source

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind of a token.
type kind uint8

const (
	word    kind = iota // an identifier, keyword or number
	mark                // one character of punctuation
	text                // a string, by its content as written
	comment             // with its marks
)

// token is one token of Java or Kotlin. last is the line it ends on.
type token struct {
	kind       kind
	text       string
	line, last int
}

// lexer cuts Java or Kotlin into tokens. It never fails: what is not closed ends
// with the file.
type lexer struct {
	src    string
	kotlin bool
	pos    int
	line   int
	out    []token
}

func lex(src string, kotlin bool) []token {
	l := &lexer{src: src, kotlin: kotlin, line: 1}
	l.code(false)
	return l.out
}

func (l *lexer) has(prefix string) bool { return strings.HasPrefix(l.src[l.pos:], prefix) }

// skip steps over n bytes and counts lines.
func (l *lexer) skip(n int) {
	n = min(n, len(l.src)-l.pos)
	l.line += strings.Count(l.src[l.pos:l.pos+n], "\n")
	l.pos += n
}

// take makes a token of the next n bytes.
func (l *lexer) take(k kind, n int) {
	start, line := l.pos, l.line
	l.skip(n)
	l.out = append(l.out, token{k, l.src[start:l.pos], line, l.line})
}

// code reads tokens up to the end, or to the brace that ends a template.
func (l *lexer) code(template bool) {
	for depth := 0; l.pos < len(l.src); {
		c := l.src[l.pos]
		switch {
		case l.has("//"):
			l.take(comment, lineEnd(l.src[l.pos:]))
		case l.has("/*"):
			l.take(comment, l.blockEnd())
		case l.has(`"""`):
			l.str(`"""`, !l.kotlin)
		case c == '"':
			l.str(`"`, true)
		case c == '\'':
			l.skip(charEnd(l.src[l.pos:]))
		case c == '{':
			depth++
			l.take(mark, 1)
		case c == '}':
			if depth--; template && depth < 0 {
				return
			}
			l.take(mark, 1)
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			l.skip(1)
		case c == '`':
			l.take(word, 1+len(until(l.src[l.pos+1:], "`"))+1)
		default:
			l.name()
		}
	}
}

func (l *lexer) name() {
	rest := l.src[l.pos:]
	end := strings.IndexFunc(rest, func(r rune) bool { return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	switch {
	case end < 0:
		l.take(word, len(rest))
	case end > 0:
		l.take(word, end)
	default:
		_, n := utf8.DecodeRuneInString(rest)
		l.take(mark, n)
	}
}

// str reads a string; its templates are code of their own, whose tokens come
// after it.
func (l *lexer) str(quote string, escapes bool) {
	at := len(l.out)
	l.out = append(l.out, token{kind: text, line: l.line})
	l.skip(len(quote))
	start := l.pos
	for l.pos < len(l.src) && !l.has(quote) {
		switch {
		case escapes && l.src[l.pos] == '\\':
			l.skip(2)
		case l.kotlin && l.has("${"):
			l.skip(2)
			l.code(true)
			l.skip(1)
		case len(quote) == 1 && l.src[l.pos] == '\n':
			l.out[at].text, l.out[at].last = l.src[start:l.pos], l.line
			return // not closed
		default:
			l.skip(1)
		}
	}
	l.out[at].text = l.src[start:l.pos]
	l.skip(len(quote))
	l.out[at].last = l.line
}

func lineEnd(s string) int { return len(strings.TrimRight(until(s, "\n"), "\r")) }

// until is s up to the first end, or all of it.
func until(s, end string) string {
	before, _, _ := strings.Cut(s, end)
	return before
}

// blockEnd is the length of a block comment; in Kotlin they nest.
func (l *lexer) blockEnd() int {
	s, depth := l.src[l.pos:], 1
	for i := 2; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], "*/"):
			i++
			if depth--; depth == 0 {
				return i + 1
			}
		case l.kotlin && strings.HasPrefix(s[i:], "/*"):
			i++
			depth++
		}
	}
	return len(s)
}

// charEnd is the length of a character literal.
func charEnd(s string) int {
	for i := 1; i < len(s) && s[i] != '\n'; i++ {
		switch s[i] {
		case '\\':
			i++
		case '\'':
			return i + 1
		}
	}
	return 1
}
