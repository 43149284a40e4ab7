package report

import (
	"bufio"
	"encoding/json"
	"io"
)

// encode writes v indented, with <, > and & as they are: these outputs are not
// put into HTML, and <init> should stay readable. What is not harmless to read is
// escaped, since they may be shown on a terminal.
func encode(w io.Writer, v any, nulls bool) error {
	out := bufio.NewWriterSize(w, 1<<16)
	e := json.NewEncoder(layoutWriter{out, nulls})
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	return out.Flush()
}

// layoutWriter lays out what a JSON encoder writes, which is a value at a time.
type layoutWriter struct {
	out   *bufio.Writer
	nulls bool
}

func (w layoutWriter) Write(p []byte) (int, error) {
	l := layout{w: w.out, src: escaped(p), nulls: w.nulls}
	l.value(0)
	return len(p), w.out.WriteByte('\n')
}

// layout writes compact JSON with indentation and, unless nulls is set, without
// the members that are null. It works on bytes in one pass, so that members keep their order and a
// large report costs no second copy. Its input must be valid and compact, as
// encoding/json writes it.
type layout struct {
	w   *bufio.Writer
	src []byte
	pos int

	nulls bool
}

// value copies the value at pos and steps over it.
func (l *layout) value(depth int) {
	switch open := l.src[l.pos]; open {
	case '{', '[':
		l.list(depth, open == '{')
	default:
		l.w.Write(l.scalar())
	}
}

// list copies what stands in brackets. A line break comes before each item that
// is written, so nothing is owed when a null is left out.
func (l *layout) list(depth int, members bool) {
	l.w.WriteByte(l.src[l.pos])
	l.pos++
	first := true
	for l.src[l.pos] != '}' && l.src[l.pos] != ']' {
		var key []byte
		if members {
			key = l.scalar()
			l.pos++ // the colon
		}
		if members && l.src[l.pos] == 'n' && !l.nulls {
			l.scalar()
		} else {
			if !first {
				l.w.WriteByte(',')
			}
			first = false
			l.newline(depth + 1)
			if members {
				l.w.Write(key)
				l.w.WriteString(": ")
			}
			l.value(depth + 1)
		}
		if l.src[l.pos] == ',' {
			l.pos++
		}
	}
	if !first {
		l.newline(depth)
	}
	l.w.WriteByte(l.src[l.pos])
	l.pos++
}

// scalar steps over a string, number, true, false or null.
func (l *layout) scalar() []byte {
	start := l.pos
	if l.src[l.pos] == '"' {
		for l.pos++; l.src[l.pos] != '"'; l.pos++ {
			if l.src[l.pos] == '\\' {
				l.pos++
			}
		}
		l.pos++
		return l.src[start:l.pos]
	}
	for l.pos < len(l.src) {
		switch l.src[l.pos] {
		case ',', ':', ']', '}', '\n':
			return l.src[start:l.pos]
		}
		l.pos++
	}
	return l.src[start:]
}

func (l *layout) newline(depth int) {
	l.w.WriteByte('\n')
	for ; depth > len(indent)/2; depth -= len(indent) / 2 {
		l.w.WriteString(indent)
	}
	l.w.WriteString(indent[:2*depth])
}

const indent = "                                "
