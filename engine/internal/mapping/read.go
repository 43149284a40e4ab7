package mapping

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Mapping is a mapping file. It is read-only.
type Mapping struct {
	Name string // of the file, for errors
	ID   string // pg_map_id; "" if ProGuard wrote the file

	classes  map[string]*class // by residual name
	residual map[string]string // residual names of classes, by those of the source
	files    map[string]string // source files of classes, by those names
}

// class is what the file says about a class. Names are dotted; residual ones are
// those of the build.
type class struct {
	name, residual string
	file           string // "" if unknown
	made           bool   // by the shrinker
	fields         []field
	lines          []line
}

// frame is a method as the source has it.
type frame struct {
	class  string // "" for that of the lines around
	name   string
	result string
	params string // such as int,java.lang.String
}

// field is a line of a field.
type field struct {
	residual  string
	frame     *frame // params are empty
	signature string // residual, "" if it is as written
}

// line is a line of a method.
type line struct {
	residual  string
	frame     *frame
	signature string // residual, "" if it is as written
	minified  span
	original  span
	made      bool // by the shrinker
}

// span is a range of line numbers.
type span struct {
	first, last uint32
	form        form
}

// form is how a range is written.
type form uint8

const (
	absent form = iota
	single      // :7
	ranged      // :7:9
)

// longest bounds a line of the file; real ones have some hundred bytes.
const longest = 1 << 20

// Read reads a mapping file; name is what errors call it. An error tells the line.
func Read(r io.Reader, name string) (*Mapping, error) {
	m := &Mapping{Name: name, classes: map[string]*class{}, residual: map[string]string{}, files: map[string]string{}}
	p := parser{m: m, strings: map[string]string{}, frames: map[frame]*frame{}}
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 1<<16), longest)
	n := 1
	for ; s.Scan(); n++ {
		if err := p.line(s.Text()); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	switch err := s.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("%s:%d: the line is longer than %d bytes, which no mapping has", name, n, longest)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case len(m.classes) == 0:
		return nil, fmt.Errorf("%s: no line of it names a class; want the mapping.txt of R8 or ProGuard", name)
	}
	return m, nil
}

// parser holds the place in the file.
type parser struct {
	m       *Mapping
	class   *class
	made    *bool   // where comments of the last line go, nil if nowhere
	sign    *string // where its residual signature goes
	strings map[string]string
	frames  map[frame]*frame
}

func (p *parser) line(text string) error {
	text = strings.TrimRight(text, "\r \t")
	trimmed := strings.TrimLeft(text, " \t")
	switch {
	case trimmed == "":
		return nil
	case trimmed[0] == '#':
		p.comment(strings.TrimSpace(trimmed[1:]))
		return nil
	}
	i := strings.LastIndex(trimmed, " -> ")
	if i <= 0 {
		return fmt.Errorf("want NAME -> NAME, not %.80q", trimmed)
	}
	left, right := strings.TrimSpace(trimmed[:i]), trimmed[i+4:]
	if len(trimmed) == len(text) {
		return p.newClass(left, right)
	}
	if p.class == nil {
		return fmt.Errorf("member %.80q stands before any class", trimmed)
	}
	if right == "" || strings.ContainsAny(right, ". :()/;[") {
		return fmt.Errorf("%.80q is no name of a member", right)
	}
	return p.member(left, p.keep(right))
}

func (p *parser) newClass(name, right string) error {
	residual, ok := strings.CutSuffix(right, ":")
	if !ok || !className(name) || !className(residual) {
		return fmt.Errorf("want CLASS -> CLASS: not %.80q", name+" -> "+right)
	}
	if old := p.m.classes[residual]; old != nil {
		return fmt.Errorf("%s and %s have both become %s", old.name, name, residual)
	}
	if old, ok := p.m.residual[name]; ok {
		return fmt.Errorf("%s has become %s and %s", name, old, residual)
	}
	p.class = &class{name: p.keep(name), residual: p.keep(residual)}
	p.m.classes[p.class.residual], p.m.residual[p.class.name] = p.class, p.class.residual
	p.made, p.sign = &p.class.made, nil
	return nil
}

// className: what may stand in a descriptor between L and ;.
func className(s string) bool {
	return s != "" && !strings.ContainsAny(s, " /;[()") && s[0] != '.' && s[len(s)-1] != '.' && !strings.Contains(s, "..")
}

// member reads TYPE NAME, or FROM:TO:TYPE NAME(TYPES):FROM:TO.
func (p *parser) member(left, residual string) error {
	minified, rest, err := leading(left)
	if err != nil {
		return err
	}
	typ, name, ok := strings.Cut(rest, " ")
	open := strings.IndexByte(name, '(')
	if !ok || typ == "" || name == "" || open == 0 {
		return fmt.Errorf("want TYPE NAME or TYPE NAME(TYPES), not %.80q", left)
	}
	f := frame{name: name, result: p.keep(typ)}
	var original span
	if open > 0 {
		end := strings.LastIndexByte(name, ')')
		if end < open {
			return fmt.Errorf("%.80q has no end of its parameters", left)
		}
		if original, err = trailing(name[end+1:]); err != nil {
			return err
		}
		f.name, f.params = name[:open], name[open+1:end]
	}
	if dot := strings.LastIndexByte(f.name, '.'); dot >= 0 {
		f.class, f.name = f.name[:dot], f.name[dot+1:]
	}
	if f.name == "" || f.class != "" && !className(f.class) || !typeNames(f.result) || f.params != "" && !typeNames(f.params) {
		return fmt.Errorf("want TYPE NAME or TYPE NAME(TYPES), not %.80q", left)
	}
	if f.class == p.class.name {
		f.class = ""
	}
	c := p.class
	if open < 0 {
		c.fields = append(c.fields, field{residual: residual, frame: p.intern(f)})
		p.made, p.sign = nil, &c.fields[len(c.fields)-1].signature
		return nil
	}
	c.lines = append(c.lines, line{residual: residual, frame: p.intern(f), minified: minified, original: original})
	last := &c.lines[len(c.lines)-1]
	p.made, p.sign = &last.made, &last.signature
	return nil
}

// typeNames accepts int and int,java.lang.String[].
func typeNames(s string) bool {
	for name := range strings.SplitSeq(s, ",") {
		for strings.HasSuffix(name, "[]") {
			name = name[:len(name)-2]
		}
		if !className(name) {
			return false
		}
	}
	return true
}

// leading reads the range before a member, FROM:TO:.
func leading(s string) (span, string, error) {
	if s == "" || s[0] < '0' || s[0] > '9' {
		return span{}, s, nil
	}
	parts := strings.SplitN(s, ":", 3)
	if len(parts) != 3 {
		return span{}, "", fmt.Errorf("want FIRST:LAST: before a method, not %.80q", s)
	}
	r, err := numbers(parts[:2])
	return r, parts[2], err
}

// trailing reads the range behind a method: nothing, :LINE or :FIRST:LAST.
func trailing(s string) (span, error) {
	switch parts := strings.Split(s, ":"); {
	case s == "":
		return span{}, nil
	case parts[0] != "" || len(parts) > 3:
		return span{}, fmt.Errorf("want :LINE or :FIRST:LAST behind a method, not %.80q", s)
	default:
		return numbers(parts[1:])
	}
}

func numbers(parts []string) (span, error) {
	out := span{form: form(len(parts))}
	for i, to := range []*uint32{&out.first, &out.last}[:len(parts)] {
		n, err := strconv.ParseUint(parts[i], 10, 31)
		if err != nil {
			return span{}, fmt.Errorf("%.80q is no line number", parts[i])
		}
		*to = uint32(n)
	}
	if out.form == single {
		out.last = out.first
	}
	if out.first > out.last {
		return span{}, fmt.Errorf("lines %d to %d are no range", out.first, out.last)
	}
	return out, nil
}

// comment reads what R8 tells of the file, or of the line before.
func (p *parser) comment(text string) {
	if id, ok := strings.CutPrefix(text, "pg_map_id:"); ok {
		p.m.ID = strings.TrimSpace(id)
		return
	}
	if !strings.HasPrefix(text, "{") {
		return
	}
	var info struct{ ID, FileName, Signature string }
	if json.Unmarshal([]byte(text), &info) != nil {
		return // no damage: anybody may write comments
	}
	switch info.ID {
	case "sourceFile":
		if c := p.class; c != nil {
			c.file = p.keep(info.FileName)
			p.m.files[c.name] = c.file
		}
	case "com.android.tools.r8.synthesized":
		if p.made != nil {
			*p.made = true
		}
	case "com.android.tools.r8.residualsignature":
		if p.sign != nil {
			*p.sign = p.keep(info.Signature)
		}
	}
}

// keep gives s, once for all equal ones, without the line around it.
func (p *parser) keep(s string) string {
	if old, ok := p.strings[s]; ok {
		return old
	}
	s = strings.Clone(s)
	p.strings[s] = s
	return s
}

func (p *parser) intern(f frame) *frame {
	if old := p.frames[f]; old != nil {
		return old
	}
	kept := &frame{p.keep(f.class), p.keep(f.name), p.keep(f.result), p.keep(f.params)}
	p.frames[*kept] = kept
	return kept
}
