package dextest

import (
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"hash/adler32"
)

// Items of the map list, in the numbering of the format.
const (
	itemHeader        = 0x0000
	itemStringIDs     = 0x0001
	itemTypeIDs       = 0x0002
	itemProtoIDs      = 0x0003
	itemFieldIDs      = 0x0004
	itemMethodIDs     = 0x0005
	itemClassDefs     = 0x0006
	itemCallSites     = 0x0007
	itemMethodHandles = 0x0008
	itemMap           = 0x1000
	itemTypeList      = 0x1001
	itemSetRefList    = 0x1002
	itemSet           = 0x1003
	itemClassData     = 0x2000
	itemCode          = 0x2001
	itemStringData    = 0x2002
	itemDebugInfo     = 0x2003
	itemAnnotation    = 0x2004
	itemArray         = 0x2005
	itemDirectory     = 0x2006
)

// Bytes writes the file.
func (d *Dex) Bytes() []byte { return Container(d) }

// Container writes several version 041 files into one container: first the
// header and identifiers of each, then the data of all. Of another version it
// takes one file only.
func Container(files ...*Dex) []byte {
	writers := make([]*writer, len(files))
	size := 0
	for i, d := range files {
		if d.Version < 35 || d.Version > 41 || (d.Version < 41 && len(files) > 1) {
			panic(fmt.Sprintf("dextest: version %d", d.Version))
		}
		w := &writer{d: d, pool: newPool(), start: size}
		w.pool.addAll(d)
		w.pool.sort()
		w.classes = d.ordered()
		size = w.layout(size)
		writers[i] = w
	}
	out := make([]byte, size)
	for _, w := range writers {
		w.out = out
		w.write()
		out = w.out
	}
	for i, w := range writers {
		end := len(out)
		if i+1 < len(writers) {
			end = writers[i+1].start
		}
		w.out = out
		w.header(end)
	}
	return out
}

// section is one fixed-size table: count entries at off.
type section struct {
	kind, count, entry, off int
}

// item is an entry of the map list.
type item struct{ kind, count, off int }

type writer struct {
	d       *Dex
	pool    *pool
	classes []*Class
	start   int
	out     []byte // of the whole container
	dataOff int
	mapOff  int

	sections  [8]section // in file order
	items     []item     // of the data section
	typeLists map[string]int
}

// ordered gives the classes so that a superclass or interface of the file comes
// before those that name it.
func (d *Dex) ordered() []*Class {
	byName := map[string]*Class{}
	for _, c := range d.classes {
		byName[c.desc] = c
	}
	var out []*Class
	done := map[*Class]bool{}
	var visit func(c *Class)
	visit = func(c *Class) {
		if c == nil || done[c] {
			return
		}
		done[c] = true
		visit(byName[c.super])
		for _, i := range c.interfaces {
			visit(byName[i])
		}
		out = append(out, c)
	}
	for _, c := range d.classes {
		visit(c)
	}
	return out
}

// layout places header and tables from start on and gives their end.
func (w *writer) layout(start int) int {
	p := w.pool
	end := start + w.headerSize()
	for i, s := range []section{
		{itemStringIDs, len(p.stringList), 4, 0},
		{itemTypeIDs, len(p.typeList), 4, 0},
		{itemProtoIDs, len(p.protoList), 12, 0},
		{itemFieldIDs, len(p.fieldList), 8, 0},
		{itemMethodIDs, len(p.methodList), 8, 0},
		{itemClassDefs, len(w.classes), 32, 0},
		{itemCallSites, len(p.siteList), 4, 0},
		{itemMethodHandles, len(p.handleList), 8, 0},
	} {
		s.off = end
		w.sections[i] = s
		end += s.count * s.entry
	}
	return end
}

func (w *writer) headerSize() int {
	if w.d.Version >= 41 {
		return 0x78
	}
	return 0x70
}

// write fills the tables and appends the data.
func (w *writer) write() {
	w.align(4)
	w.dataOff = len(w.out)
	w.typeLists = map[string]int{}
	w.ids()
	w.classDefs()
	for i, s := range w.pool.stringList {
		w.data(itemStringData, 1)
		w.put32(w.sections[0].off+4*i, len(w.out))
		w.uleb(uint32(len(utf16Units(s))))
		w.out = append(appendMUTF8(w.out, s), 0)
	}
	w.mapList()
}

func (w *writer) ids() {
	p := w.pool
	for i, t := range p.typeList {
		w.put32(w.sections[1].off+4*i, int(p.strings[t]))
	}
	for i, proto := range p.protoList {
		at := w.sections[2].off + 12*i
		params, ret := splitProto(proto)
		w.put32(at, int(p.strings[shorty(params, ret)]))
		w.put32(at+4, int(p.types[ret]))
		w.put32(at+8, w.typeListAt(params))
	}
	for i, f := range p.fieldList {
		w.member(w.sections[3].off+8*i, p.types[f.Class], p.types[f.Type], p.strings[f.Name])
	}
	for i, m := range p.methodList {
		w.member(w.sections[4].off+8*i, p.types[m.Class], p.protos[m.Proto], p.strings[m.Name])
	}
	for i, h := range p.handleList {
		at := w.sections[7].off + 8*i
		w.put16(at, int(h.Kind))
		w.put16(at+4, int(p.index(h.target())))
	}
}

func (w *writer) member(at int, class, kind, name uint32) {
	w.put16(at, int(class))
	w.put16(at+2, int(kind))
	w.put32(at+4, int(name))
}

// typeListAt writes a type_list once and gives its place, 0 if empty.
func (w *writer) typeListAt(list []string) int {
	if len(list) == 0 {
		return 0
	}
	key := fmt.Sprint(list)
	if off, known := w.typeLists[key]; known {
		return off
	}
	w.data(itemTypeList, 4)
	off := len(w.out)
	w.typeLists[key] = off
	w.u32(len(list))
	for _, t := range list {
		w.u16(int(w.pool.types[t]))
	}
	return off
}

// header is written last, when everything else has its place.
func (w *writer) header(end int) {
	at := w.start
	copy(w.out[at:], fmt.Sprintf("dex\n%03d\x00", w.d.Version))
	w.put32(at+0x20, end-at)
	w.put32(at+0x24, w.headerSize())
	w.put32(at+0x28, 0x12345678)
	w.put32(at+0x34, w.mapOff)
	for i, s := range w.sections[:6] {
		if s.count > 0 {
			w.put32(at+0x38+8*i, s.count)
			w.put32(at+0x3c+8*i, s.off)
		}
	}
	if w.d.Version >= 41 {
		w.put32(at+0x70, len(w.out))
		w.put32(at+0x74, at)
	} else {
		w.put32(at+0x68, len(w.out)-w.dataOff)
		w.put32(at+0x6c, w.dataOff)
	}
	sum := sha1.Sum(w.out[at+0x20 : end])
	copy(w.out[at+0xc:], sum[:])
	w.put32(at+8, int(adler32.Checksum(w.out[at+0xc:end])))
}

// Seal renews checksum and signature of a file of one header after its bytes
// have been changed.
func Seal(data []byte) []byte {
	sum := sha1.Sum(data[0x20:])
	copy(data[0xc:], sum[:])
	binary.LittleEndian.PutUint32(data[8:], adler32.Checksum(data[0xc:]))
	return data
}

// mapList writes the map of the whole file; runs of equal items are one entry.
func (w *writer) mapList() {
	w.align(4)
	w.mapOff = len(w.out)
	all := []item{{itemHeader, 1, w.start}}
	for _, s := range w.sections {
		if s.count > 0 {
			all = append(all, item{s.kind, s.count, s.off})
		}
	}
	all = append(all, w.items...)
	all = append(all, item{itemMap, 1, w.mapOff})
	w.u32(len(all))
	for _, i := range all {
		w.u16(i.kind)
		w.u16(0)
		w.u32(i.count)
		w.u32(i.off)
	}
}

// data starts an item of the data section.
func (w *writer) data(kind, align int) {
	w.align(align)
	if n := len(w.items); n > 0 && w.items[n-1].kind == kind {
		w.items[n-1].count++
		return
	}
	for _, i := range w.items {
		if i.kind == kind {
			panic(fmt.Sprintf("dextest: items of kind 0x%x are not contiguous", kind))
		}
	}
	w.items = append(w.items, item{kind, 1, len(w.out)})
}

func (w *writer) align(n int) {
	for len(w.out)%n != 0 {
		w.out = append(w.out, 0)
	}
}

func (w *writer) u8(v int)  { w.out = append(w.out, byte(v)) }
func (w *writer) u16(v int) { w.out = binary.LittleEndian.AppendUint16(w.out, uint16(v)) }
func (w *writer) u32(v int) { w.out = binary.LittleEndian.AppendUint32(w.out, uint32(v)) }

func (w *writer) put16(at, v int) { binary.LittleEndian.PutUint16(w.out[at:], uint16(v)) }
func (w *writer) put32(at, v int) { binary.LittleEndian.PutUint32(w.out[at:], uint32(v)) }

func (w *writer) uleb(v uint32) { w.out = binary.AppendUvarint(w.out, uint64(v)) }

func (w *writer) sleb(v int32) {
	for {
		b := byte(v & 0x7f)
		v >>= 7
		if (v == 0 && b&0x40 == 0) || (v == -1 && b&0x40 != 0) {
			w.out = append(w.out, b)
			return
		}
		w.out = append(w.out, b|0x80)
	}
}

// appendMUTF8 encodes s: zero as two bytes, supplementary characters as two
// surrogates of three bytes each.
func appendMUTF8(out []byte, s string) []byte {
	for _, u := range utf16Units(s) {
		switch {
		case u != 0 && u < 0x80:
			out = append(out, byte(u))
		case u < 0x800:
			out = append(out, 0xc0|byte(u>>6), 0x80|byte(u&0x3f))
		default:
			out = append(out, 0xe0|byte(u>>12), 0x80|byte(u>>6&0x3f), 0x80|byte(u&0x3f))
		}
	}
	return out
}
