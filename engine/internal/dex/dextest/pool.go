package dextest

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// pool collects what a file refers to, and gives the indices once it is sorted.
type pool struct {
	strings map[string]uint32
	types   map[string]uint32
	protos  map[string]uint32
	fields  map[Field]uint32
	methods map[Method]uint32
	handles map[Handle]uint32
	sites   map[*CallSite]uint32

	stringList []string
	typeList   []string
	protoList  []string
	fieldList  []Field
	methodList []Method
	handleList []Handle
	siteList   []*CallSite
}

func newPool() *pool {
	return &pool{
		strings: map[string]uint32{}, types: map[string]uint32{}, protos: map[string]uint32{},
		fields: map[Field]uint32{}, methods: map[Method]uint32{}, handles: map[Handle]uint32{},
		sites: map[*CallSite]uint32{},
	}
}

func (p *pool) addString(s string) { p.strings[s] = 0 }

func (p *pool) addType(desc string) {
	p.addString(desc)
	p.types[desc] = 0
}

func (p *pool) addProto(proto string) {
	params, ret := splitProto(proto)
	p.addString(shorty(params, ret))
	for _, t := range params {
		p.addType(t)
	}
	p.addType(ret)
	p.protos[proto] = 0
}

func (p *pool) addField(f Field) {
	p.addType(f.Class)
	p.addType(f.Type)
	p.addString(f.Name)
	p.fields[f] = 0
}

func (p *pool) addMethod(m Method) {
	p.addType(m.Class)
	p.addProto(m.Proto)
	p.addString(m.Name)
	p.methods[m] = 0
}

// add collects a reference or a value.
func (p *pool) add(v any) {
	switch v := v.(type) {
	case Str:
		p.addString(string(v))
	case string:
		p.addString(v)
	case Jumbo:
		p.addString(string(v))
	case Type:
		p.addType(string(v))
	case Proto:
		p.addProto(string(v))
	case Field:
		p.addField(v)
	case Enum:
		p.addField(Field(v))
	case Method:
		p.addMethod(v)
	case Handle:
		if _, known := p.handles[v]; !known {
			p.handles[v] = uint32(len(p.handleList))
			p.handleList = append(p.handleList, v)
		}
		p.add(v.target())
	case *CallSite:
		p.addSite(v)
	case Annotation:
		p.addAnnotation(v)
	case []any:
		for _, e := range v {
			p.add(e)
		}
	}
}

func (p *pool) addSite(s *CallSite) {
	if _, known := p.sites[s]; known {
		return
	}
	p.sites[s] = uint32(len(p.siteList))
	p.siteList = append(p.siteList, s)
	p.add(s.values())
}

func (p *pool) addAnnotation(a Annotation) {
	p.addType(a.Type)
	for _, e := range a.Elements {
		p.addString(e.Name)
		p.add(e.Value)
	}
}

// values gives the site's encoded array.
func (s *CallSite) values() []any {
	return append([]any{s.Bootstrap, s.Name, Proto(s.Proto)}, s.Args...)
}

// target gives the field or method that the handle names.
func (h Handle) target() any {
	if h.Kind.IsField() {
		return Field{h.Class, h.Name, h.Desc}
	}
	return Method{h.Class, h.Name, h.Desc}
}

func (p *pool) addAll(d *Dex) {
	for _, s := range d.strings {
		p.addString(s)
	}
	for _, name := range sortedKeys(d.handles) {
		p.add(d.handles[name])
	}
	for _, name := range sortedKeys(d.sites) {
		p.addSite(d.sites[name])
	}
	for _, c := range d.classes {
		p.addClass(c)
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (p *pool) addClass(c *Class) {
	p.addType(c.desc)
	if c.super != "" {
		p.addType(c.super)
	}
	for _, i := range c.interfaces {
		p.addType(i)
	}
	if c.source != "" {
		p.addString(c.source)
	}
	p.addAnnotations(c.annotations)
	for _, f := range c.fields {
		p.addField(f.id)
		p.add(f.value)
		p.addAnnotations(f.annotations)
	}
	for _, m := range c.methods {
		p.addCode(m)
	}
}

func (p *pool) addAnnotations(list []Annotation) {
	for _, a := range list {
		p.addAnnotation(a)
	}
}

func (p *pool) addCode(m *Code) {
	p.addMethod(m.id)
	for _, u := range m.units {
		p.add(u)
	}
	for _, t := range m.tries {
		for _, h := range t.handlers {
			if h.Type != "" {
				p.addType(h.Type)
			}
		}
	}
	for _, name := range m.params {
		if name != "" {
			p.addString(name)
		}
	}
	p.addAnnotations(m.annotations)
	for _, list := range m.paramAnns {
		p.addAnnotations(list)
	}
}

// sort brings every table into the order that the format demands.
func (p *pool) sort() {
	p.stringList = order(p.strings, compareUTF16)
	p.typeList = order(p.types, func(a, b string) int { return cmp.Compare(p.strings[a], p.strings[b]) })
	p.protoList = order(p.protos, p.compareProtos)
	p.fieldList = order(p.fields, func(a, b Field) int {
		return cmp.Or(cmp.Compare(p.types[a.Class], p.types[b.Class]),
			cmp.Compare(p.strings[a.Name], p.strings[b.Name]), cmp.Compare(p.types[a.Type], p.types[b.Type]))
	})
	p.methodList = order(p.methods, func(a, b Method) int {
		return cmp.Or(cmp.Compare(p.types[a.Class], p.types[b.Class]),
			cmp.Compare(p.strings[a.Name], p.strings[b.Name]), cmp.Compare(p.protos[a.Proto], p.protos[b.Proto]))
	})
	if len(p.typeList) > 1<<16 || len(p.fieldList) > 1<<16 || len(p.methodList) > 1<<16 {
		panic("dextest: too many identifiers for one dex file")
	}
}

// order sorts the keys of m and stores their positions as its values.
func order[K comparable](m map[K]uint32, compare func(a, b K) int) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, compare)
	for i, k := range keys {
		m[k] = uint32(i)
	}
	return keys
}

func compareUTF16(a, b string) int {
	return slices.Compare(utf16Units(a), utf16Units(b))
}

// utf16Units gives the code units of s. A lone surrogate is given in Go as its
// three bytes, which ranging over s would not keep.
func utf16Units(s string) []uint16 {
	var out []uint16
	for i := 0; i < len(s); {
		if s[i] == 0xed && i+2 < len(s) && s[i+1] >= 0xa0 {
			out = append(out, 0xd000|uint16(s[i+1]&0x3f)<<6|uint16(s[i+2]&0x3f))
			i += 3
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		out = utf16.AppendRune(out, r)
		i += n
	}
	return out
}

func (p *pool) compareProtos(a, b string) int {
	pa, ra := splitProto(a)
	pb, rb := splitProto(b)
	if c := cmp.Compare(p.types[ra], p.types[rb]); c != 0 {
		return c
	}
	return slices.CompareFunc(pa, pb, func(x, y string) int { return cmp.Compare(p.types[x], p.types[y]) })
}

func shorty(params []string, ret string) string {
	letter := func(desc string) byte {
		if desc[0] == '[' {
			return 'L'
		}
		return desc[0]
	}
	s := []byte{letter(ret)}
	for _, t := range params {
		s = append(s, letter(t))
	}
	return string(s)
}

// index gives the index of a reference, which must have been added.
func (p *pool) index(v any) uint32 {
	switch v := v.(type) {
	case Str:
		return p.strings[string(v)]
	case string:
		return p.strings[v]
	case Jumbo:
		return p.strings[string(v)]
	case Type:
		return p.types[string(v)]
	case Proto:
		return p.protos[string(v)]
	case Field:
		return p.fields[v]
	case Enum:
		return p.fields[Field(v)]
	case Method:
		return p.methods[v]
	case Handle:
		return p.handles[v]
	case *CallSite:
		return p.sites[v]
	}
	panic(fmt.Sprintf("dextest: %T is not a reference", v))
}
