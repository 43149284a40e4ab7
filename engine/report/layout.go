package report

import (
	"bufio"
	"encoding/json"
	"io"
)

// encode writes v laid out as style says, with <, > and & as they are: these
// outputs are not put into HTML, and <init> should stay readable. What is not
// harmless to read is escaped, since they may be shown on a terminal.
func encode(w io.Writer, v any, s style) error {
	out := bufio.NewWriterSize(w, 1<<16)
	e := json.NewEncoder(layoutWriter{out, s})
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	return out.Flush()
}

// style is how JSON is laid out.
type style struct {
	nulls bool // members that are null are written
	// An item of a list is written on one line if its lists and objects are nested
	// no deeper than this: a table has a line for each row. At 0 every value has its
	// own line.
	row   int
	lists bool // a list of scalars is written on one line
}

// layoutWriter lays out what a JSON encoder writes, which is a value at a time.
type layoutWriter struct {
	out *bufio.Writer
	style
}

func (w layoutWriter) Write(p []byte) (int, error) {
	l := layout{w: w.out, src: escaped(p), style: w.style}
	l.value(0)
	return len(p), w.out.WriteByte('\n')
}

// layout writes compact JSON with line breaks and indentation. It works on bytes,
// so that members keep their order and a large report costs no second copy. Its
// input must be valid and compact, as encoding/json writes it.
type layout struct {
	w    *bufio.Writer
	src  []byte
	pos  int
	flat bool // inside what is written on one line
	style
}

// value copies the value at pos and steps over it.
func (l *layout) value(depth int) {
	switch open := l.src[l.pos]; open {
	case '{', '[':
		if !l.flat && open == '[' && l.lists && l.height(1) <= 1 {
			l.flat = true
			l.list(depth, false)
			l.flat = false
			return
		}
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
				l.value(depth + 1)
			} else {
				l.item(depth + 1)
			}
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

// item copies an item of a list, on one line if it is no deeper than a row.
func (l *layout) item(depth int) {
	if l.flat || l.height(l.row) > l.row {
		l.value(depth)
		return
	}
	l.flat = true
	l.value(depth)
	l.flat = false
}

// height is how deep lists and objects are nested in the value at pos: 0 for a
// scalar. It looks no further once that is more than most.
func (l *layout) height(most int) int {
	start := l.pos
	defer func() { l.pos = start }()
	open, height := 0, 0
	for {
		switch l.src[l.pos] {
		case '{', '[':
			open++
			l.pos++
			if height = max(height, open); height > most {
				return height
			}
		case '}', ']':
			open--
			l.pos++
		case ',', ':':
			l.pos++
		default:
			l.scalar()
		}
		if open <= 0 {
			return height
		}
	}
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
	if l.flat {
		return
	}
	l.w.WriteByte('\n')
	for ; depth > len(indent)/2; depth -= len(indent) / 2 {
		l.w.WriteString(indent)
	}
	l.w.WriteString(indent[:2*depth])
}

const indent = "                                "
