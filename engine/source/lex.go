package source

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind of a token.
type kind uint8

const (
	word    kind = iota // an identifier, keyword or number; without the marks around a Kotlin name
	mark                // one character of punctuation
	text                // a string, by its content as written
	comment             // with its marks
)

// token is one token of Java or Kotlin. last is the line it ends on.
type token struct {
	kind       kind
	quoted     bool // of a word: `in` is no keyword
	escapes    bool // of a text: a backslash means something
	template   bool // of a text: it is not constant
	line, last int32
	text       string
}

// lexer cuts Java or Kotlin into tokens. It never fails: what is not closed ends
// with its line, or with the file if it may hold line ends.
type lexer struct {
	src    string
	kotlin bool
	pos    int
	line   int32
	out    []token
	open   []str // strings that the position is in: of each but the last, in a template
}

// str is a string that has been begun.
type str struct {
	at       int // its token
	start    int
	quote    string
	template string // what begins a template
	inside   bool   // a template of it has been begun
	depth    int    // of braces in that template
}

func lex(src string, kotlin bool) []token {
	l := &lexer{src: src, kotlin: kotlin, line: 1}
	if l.has("\ufeff") {
		l.skip(len("\ufeff"))
	}
	if l.has("#!") {
		l.take(comment, lineEnd(l.src[l.pos:]))
	}
	for l.pos < len(l.src) {
		if s := l.top(); s != nil && !s.inside {
			l.str(s)
		} else {
			l.code(s)
		}
	}
	for s := l.top(); s != nil; s = l.top() {
		l.close(s, l.pos, 0)
	}
	return l.out
}

func (l *lexer) top() *str {
	if len(l.open) == 0 {
		return nil
	}
	return &l.open[len(l.open)-1]
}

func (l *lexer) has(prefix string) bool { return strings.HasPrefix(l.src[l.pos:], prefix) }

// skip steps over n bytes and counts lines.
func (l *lexer) skip(n int) {
	n = min(n, len(l.src)-l.pos)
	l.line += int32(strings.Count(l.src[l.pos:l.pos+n], "\n"))
	l.pos += n
}

// take makes a token of the next n bytes.
func (l *lexer) take(k kind, n int) {
	start, line := l.pos, l.line
	l.skip(n)
	l.out = append(l.out, token{kind: k, text: l.src[start:l.pos], line: line, last: l.line})
}

// code reads one token; in is the string whose template it stands in, or nil.
func (l *lexer) code(in *str) {
	c := l.src[l.pos]
	switch {
	case l.has("//"):
		l.take(comment, lineEnd(l.src[l.pos:]))
	case l.has("/*"):
		l.take(comment, l.blockEnd())
	case c == '"':
		l.begin()
	case c == '\'':
		l.skip(charEnd(l.src[l.pos:]))
	case c == '{' && in != nil:
		in.depth++
		l.take(mark, 1)
	case c == '}' && in != nil && in.depth == 0:
		in.inside = false
		l.skip(1)
	case c == '}' && in != nil:
		in.depth--
		l.take(mark, 1)
	case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
		l.skip(1)
	case c == '`' && l.kotlin:
		l.quotedName()
	default:
		l.name()
	}
}

func (l *lexer) quotedName() {
	rest := l.src[l.pos+1:]
	n := strings.IndexAny(rest, "`\n")
	if n < 0 || rest[n] == '\n' {
		l.take(mark, 1)
		return
	}
	l.out = append(l.out, token{kind: word, quoted: true, text: rest[:n], line: l.line, last: l.line})
	l.pos += n + 2
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

// mostDollars bounds how many of them a Kotlin string can ask for before a
// template.
const mostDollars = 8

// begin begins a string. Tokens of its templates come after it.
func (l *lexer) begin() {
	s := str{at: len(l.out), quote: `"`, template: "${"}
	if l.has(`"""`) {
		s.quote = `"""`
	}
	if l.kotlin { // $$"..." has templates $${...}
		before := l.src[max(0, l.pos-mostDollars):l.pos]
		n := len(before) - len(strings.TrimRight(before, "$"))
		s.template = strings.Repeat("$", max(n, 1)) + "{"
	}
	l.out = append(l.out, token{kind: text, line: l.line, escapes: s.quote == `"` || !l.kotlin})
	l.skip(len(s.quote))
	s.start = l.pos
	l.open = append(l.open, s)
}

// str reads a string up to its end or to a template.
func (l *lexer) str(s *str) {
	t := &l.out[s.at]
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		switch {
		case c == '\n' && s.quote == `"`:
			l.close(s, l.pos, 0)
			return
		case c == '\\' && t.escapes && !l.has("\\\n"):
			l.skip(2)
		case l.has(s.quote):
			n := len(s.quote)
			for l.kotlin && n > 1 && l.pos+n < len(l.src) && l.src[l.pos+n] == '"' {
				n++ // the last three of a row end it
			}
			l.close(s, l.pos+n-len(s.quote), n)
			return
		case c == '$' && l.kotlin && l.has(s.template):
			l.skip(len(s.template))
			t.template, s.inside, s.depth = true, true, 0
			return
		default:
			if c == '$' && l.kotlin && nameBegins(l.src[l.pos+1:]) {
				t.template = true
			}
			l.skip(1)
		}
	}
}

// close ends the string with its content up to end and n bytes to step over.
func (l *lexer) close(s *str, end, n int) {
	t := &l.out[s.at]
	t.text = l.src[s.start:end]
	l.skip(n)
	t.last = l.line
	l.open = l.open[:len(l.open)-1]
}

func nameBegins(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r == '_' || r == '`' || unicode.IsLetter(r) && r != utf8.RuneError
}

func lineEnd(s string) int {
	before, _, _ := strings.Cut(s, "\n")
	return len(before)
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

// longestChar is the most bytes of a character literal, as '\uuu0041'.
const longestChar = 16

// charEnd is the length of a character literal, or 1.
func charEnd(s string) int {
	for i := 1; i < min(len(s), longestChar) && s[i] != '\n'; i++ {
		switch s[i] {
		case '\\':
			i++
		case '\'':
			return i + 1
		}
	}
	return 1
}

// constant is the value of a string that holds no template. Unicode escapes
// elsewhere than in strings are not read.
func (t *token) constant() string {
	if !t.escapes || !strings.Contains(t.text, `\`) {
		return t.text
	}
	var b strings.Builder
	for s := t.text; s != ""; {
		plain, _, _ := strings.Cut(s, `\`)
		b.WriteString(plain)
		r, n := escape(s[len(plain):])
		b.WriteString(r)
		s = s[len(plain)+n:]
	}
	return b.String()
}

// escape gives what the escape that s begins with stands for, and its length.
func escape(s string) (string, int) {
	if len(s) < 2 {
		return s, len(s)
	}
	switch s[1] {
	case 'n', 't', 'r', 'f', 'b', 's':
		return " ", 2
	case '\n':
		return "", 2
	case 'u':
		hex := strings.TrimLeft(s[1:], "u")
		at := len(s) - len(hex)
		r := rune(0)
		for i := range 4 {
			d := -1
			if i < len(hex) {
				d = strings.IndexByte("0123456789abcdef", hex[i]|0x20)
			}
			if d < 0 {
				return s[:at], at
			}
			r = r<<4 | rune(d)
		}
		return string(r), at + 4
	default:
		_, n := utf8.DecodeRuneInString(s[1:])
		return s[1 : 1+n], 1 + n
	}
}
