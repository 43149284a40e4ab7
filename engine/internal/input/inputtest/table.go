package inputtest

import (
	"slices"
	"strings"
)

// Encoding is how a type chunk stores its entries.
type Encoding uint8

const (
	Dense    Encoding = iota // 32-bit offsets
	Sparse                   // pairs of entry number and offset
	Offset16                 // 16-bit offsets
	Compact                  // dense, with 8-byte entries
)

// Table is a resource table under construction. The zero value writes package
// id 0x7f.
type Table struct {
	Package  string // name, "test.app" if empty
	ID       uint8
	UTF8     bool
	Encoding Encoding

	types []resType
}

type resType struct {
	name    string
	entries []string
	configs []config
}

// config holds the values of one type in one configuration; nil: no value.
type config struct {
	land   bool
	values []any
}

// Add gives resource "type/name" a value (string, int, bool, Ref, or Bag) in
// the default configuration and is its id.
func (t *Table) Add(name string, value any) uint32 { return t.add(name, false, value) }

// AddLand gives resource "type/name" a value in landscape.
func (t *Table) AddLand(name string, value any) uint32 { return t.add(name, true, value) }

// Bag is the value of a style, array or plural; it is written empty.
type Bag struct{}

func (t *Table) add(name string, land bool, value any) uint32 {
	kind, entry, ok := strings.Cut(name, "/")
	if !ok {
		panic("inputtest: a resource is named type/name, not " + name)
	}
	ti := slices.IndexFunc(t.types, func(x resType) bool { return x.name == kind })
	if ti < 0 {
		ti = len(t.types)
		t.types = append(t.types, resType{name: kind, configs: []config{{}, {land: true}}})
	}
	rt := &t.types[ti]
	ei := slices.Index(rt.entries, entry)
	if ei < 0 {
		ei = len(rt.entries)
		rt.entries = append(rt.entries, entry)
		for i := range rt.configs {
			rt.configs[i].values = append(rt.configs[i].values, nil)
		}
	}
	c := &rt.configs[0]
	if land {
		c = &rt.configs[1]
	}
	c.values[ei] = value
	return uint32(t.id())<<24 | uint32(ti+1)<<16 | uint32(ei)
}

func (t *Table) id() uint8 {
	if t.ID == 0 {
		return 0x7f
	}
	return t.ID
}

// Bytes is resources.arsc.
func (t *Table) Bytes() []byte {
	values := &stringPool{UTF8: t.UTF8}
	kinds, keys := &stringPool{UTF8: t.UTF8}, &stringPool{UTF8: t.UTF8}
	var chunks []byte
	for i, rt := range t.types {
		kinds.ref(rt.name)
		spec := append([]byte{byte(i + 1), 0, 0, 0}, u32s(uint32(len(rt.entries)))...)
		chunks = append(chunks, chunk(0x0202, 16, append(spec, make([]byte, 4*len(rt.entries))...))...)
		for _, c := range rt.configs {
			if slices.ContainsFunc(c.values, func(v any) bool { return v != nil }) {
				chunks = append(chunks, t.typeChunk(i, rt, c, values, keys)...)
			}
		}
	}
	name := t.Package
	if name == "" {
		name = "test.app"
	}
	const header = 288
	kb, yb := kinds.bytes(), keys.bytes()
	head := u32s(uint32(t.id()))
	for i := range 128 {
		c := uint16(0)
		if i < len(name) {
			c = uint16(name[i])
		}
		head = append(head, u16s(c)...)
	}
	head = append(head, u32s(header, 0, uint32(header+len(kb)), 0, 0)...)
	pkg := chunk(0x0200, header, slices.Concat(head, kb, yb, chunks))
	return chunk(0x0002, 12, slices.Concat(u32s(1), values.bytes(), pkg))
}

func (t *Table) typeChunk(i int, rt resType, c config, values, keys *stringPool) []byte {
	const configSize = 28
	const header = 20 + configSize
	var index, entries []byte
	flags, count := byte(0), uint32(0)
	for e, v := range c.values {
		off := uint32(len(entries))
		switch {
		case t.Encoding == Sparse:
			flags = 0x01
			if v == nil {
				continue
			}
			index = append(index, u16s(uint16(e), uint16(off/4))...)
		case t.Encoding == Offset16:
			flags = 0x02
			o := uint16(off / 4)
			if v == nil {
				o = 0xffff
			}
			index = append(index, u16s(o)...)
		case v == nil:
			index = append(index, u32s(none)...)
		default:
			index = append(index, u32s(off)...)
		}
		count++
		if v != nil {
			entries = append(entries, t.entry(v, keys.ref(rt.entries[e]), values)...)
		}
	}
	for len(index)%4 != 0 {
		index = append(index, 0xff)
	}
	conf := make([]byte, configSize)
	conf[0] = configSize
	if c.land {
		conf[12] = 2
	}
	head := append([]byte{byte(i + 1), flags, 0, 0}, u32s(count, uint32(header+len(index)))...)
	return chunk(0x0201, header, slices.Concat(head, conf, index, entries))
}

func (t *Table) entry(v any, key uint32, values *stringPool) []byte {
	if _, ok := v.(Bag); ok {
		return slices.Concat(u16s(16, 0x0001), u32s(key, 0, 0))
	}
	kind, data := typed(v, values)
	if t.Encoding == Compact {
		return slices.Concat(u16s(uint16(key), 0x0008|uint16(kind)<<8), u32s(data))
	}
	return slices.Concat(u16s(8, 0), u32s(key), u16s(8, uint16(kind)<<8), u32s(data))
}
