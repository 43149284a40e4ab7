package platform

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"sort"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

// EncodeIndex writes the classes as an index; the generator calls it. Equal
// classes in any order give equal bytes.
func EncodeIndex(classes []*ir.ClassDecl) ([]byte, error) {
	sorted := append([]*ir.ClassDecl(nil), classes...)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].Name < sorted[j].Name })
	e := &indexEncoder{strings: map[string]int{}, types: map[string]int{}, protos: map[string]int{}}
	for i, c := range sorted {
		if i > 0 && sorted[i-1].Name == c.Name {
			return nil, fmt.Errorf("class %s given twice", c.Name)
		}
		if err := e.collect(c); err != nil {
			return nil, err
		}
	}
	return deflate(e.write(sorted))
}

// indexEncoder numbers names, types and prototypes, each in sorted order.
type indexEncoder struct {
	strings, types, protos map[string]int
}

func (e *indexEncoder) collect(c *ir.ClassDecl) error {
	e.strings[c.Name] = 0
	for _, s := range append([]string{c.Super}, c.Interfaces...) {
		if s != "" {
			e.strings[s] = 0
		}
	}
	for _, f := range c.Fields {
		e.strings[f.Name] = 0
		if err := e.collectType(f.Desc); err != nil {
			return fmt.Errorf("%s.%s: %v", c.Name, f.Name, err)
		}
	}
	for _, m := range c.Methods {
		e.strings[m.Name] = 0
		e.protos[m.Desc] = 0
		parts, err := splitProto(m.Desc)
		for _, t := range parts {
			if err == nil {
				err = e.collectType(t)
			}
		}
		if err != nil {
			return fmt.Errorf("%s.%s: %v", c.Name, m.Name, err)
		}
	}
	return nil
}

func (e *indexEncoder) collectType(desc string) error {
	base := strings.TrimLeft(desc, "[")
	if len(desc)-len(base) >= maxTypeArrays || base == "" || base[0] != 'L' && !strings.Contains(indexPrimitives, base) {
		return fmt.Errorf("type %q", desc)
	}
	if base[0] == 'L' {
		e.strings[dotted(base)] = 0
	}
	e.types[desc] = 0
	return nil
}

// dotted turns Ljava/lang/Object; into java.lang.Object.
func dotted(desc string) string {
	return strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(desc, "L"), ";"), "/", ".")
}

// splitProto gives the parameter types of (..).. and then the result.
func splitProto(desc string) ([]string, error) {
	var out []string
	rest, ok := strings.CutPrefix(desc, "(")
	if !ok {
		return nil, fmt.Errorf("prototype %q", desc)
	}
	for rest != "" {
		if rest[0] == ')' {
			rest = rest[1:]
			continue
		}
		n := strings.IndexFunc(rest, func(r rune) bool { return r != '[' })
		if n >= 0 && rest[n] == 'L' {
			n = strings.IndexByte(rest, ';')
		}
		if n < 0 {
			return nil, fmt.Errorf("prototype %q", desc)
		}
		out = append(out, rest[:n+1])
		rest = rest[n+1:]
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("prototype %q", desc)
	}
	return out, nil
}

// number gives each key its place in sorted order and returns the order.
func number(m map[string]int) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for i, k := range keys {
		m[k] = i
	}
	return keys
}

func (e *indexEncoder) write(classes []*ir.ClassDecl) []byte {
	var b []byte
	b = appendStrings(b, number(e.strings))
	types := number(e.types)
	b = binary.AppendUvarint(b, uint64(len(types)))
	for _, t := range types {
		base := strings.TrimLeft(t, "[")
		b = binary.AppendUvarint(b, uint64(len(t)-len(base)))
		id := strings.Index(indexPrimitives, base)
		if base[0] == 'L' {
			id = len(indexPrimitives) + e.strings[dotted(base)]
		}
		b = binary.AppendUvarint(b, uint64(id))
	}
	protos := number(e.protos)
	b = binary.AppendUvarint(b, uint64(len(protos)))
	for _, p := range protos {
		parts, _ := splitProto(p) // checked by collect
		params := parts[:len(parts)-1]
		b = binary.AppendUvarint(b, uint64(e.types[parts[len(parts)-1]]))
		b = binary.AppendUvarint(b, uint64(len(params)))
		for _, t := range params {
			b = binary.AppendUvarint(b, uint64(e.types[t]))
		}
	}
	b = binary.AppendUvarint(b, uint64(len(classes)))
	last := -1
	for _, c := range classes {
		name := e.strings[c.Name]
		b = binary.AppendUvarint(b, uint64(name-last-1))
		last = name
		body := e.class(c)
		b = binary.AppendUvarint(b, uint64(len(body)))
		b = append(b, body...)
	}
	return b
}

// appendStrings writes sorted names, each as what it shares with the one
// before and its rest.
func appendStrings(b []byte, names []string) []byte {
	total := 0
	for _, s := range names {
		total += len(s)
	}
	b = binary.AppendUvarint(b, uint64(len(names)))
	b = binary.AppendUvarint(b, uint64(total))
	prev := ""
	for _, s := range names {
		keep := 0
		for keep < len(s) && keep < len(prev) && s[keep] == prev[keep] {
			keep++
		}
		b = binary.AppendUvarint(b, uint64(keep))
		b = binary.AppendUvarint(b, uint64(len(s)-keep))
		b = append(b, s[keep:]...)
		prev = s
	}
	return b
}

func (e *indexEncoder) class(c *ir.ClassDecl) []byte {
	b := binary.AppendUvarint(nil, uint64(c.Flags))
	if c.Super == "" {
		b = append(b, 0)
	} else {
		b = append(b, 1)
		b = binary.AppendUvarint(b, uint64(e.strings[c.Super]))
	}
	b = binary.AppendUvarint(b, uint64(len(c.Interfaces)))
	for _, s := range c.Interfaces {
		b = binary.AppendUvarint(b, uint64(e.strings[s]))
	}
	b = binary.AppendUvarint(b, uint64(len(c.Fields)))
	for _, f := range c.Fields {
		b = binary.AppendUvarint(b, uint64(e.strings[f.Name]))
		b = binary.AppendUvarint(b, uint64(e.types[f.Desc]))
		b = binary.AppendUvarint(b, uint64(f.Flags))
	}
	b = binary.AppendUvarint(b, uint64(len(c.Methods)))
	for _, m := range c.Methods {
		b = binary.AppendUvarint(b, uint64(e.strings[m.Name]))
		b = binary.AppendUvarint(b, uint64(e.protos[m.Desc]))
		b = binary.AppendUvarint(b, uint64(m.Flags))
	}
	return b
}

func deflate(raw []byte) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString(indexMagic)
	if err := binary.Write(&out, binary.LittleEndian, uint32(len(raw))); err != nil {
		return nil, err
	}
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(raw); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
