package platform

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/binary"
	"fmt"
	"io"
	"sort"
	"strings"
	"sync"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

//go:embed index.bin
var embedded []byte

// indexMagic begins an index; its digit is the format's version.
const indexMagic = "ETPIX1\n"

// Limits on what an index may claim, checked against the bytes present.
const (
	maxIndexBytes = 64 << 20
	maxTypeArrays = 8
)

// Index is the platform's classes: names, supertypes, access flags, members.
// Classes are decoded when asked for. It is safe for concurrent use.
//
// The inflated form is a list of names (sorted, front-coded), of types (array
// depth and name or primitive), of prototypes (types), then the classes,
// sorted by name, each with its own length, so that one pass finds them all.
type Index struct {
	strings []string
	types   []string // descriptors
	protos  []string // descriptors
	names   []uint32 // class names as string numbers, sorted
	at      [][]byte // class bodies
}

var loadEmbedded = sync.OnceValues(func() (*Index, error) { return ReadIndex(embedded) })

// LoadIndex gives the index that comes with the program.
func LoadIndex() (*Index, error) { return loadEmbedded() }

// ReadIndex inflates and checks an index file.
func ReadIndex(data []byte) (*Index, error) {
	if !bytes.HasPrefix(data, []byte(indexMagic)) || len(data) < len(indexMagic)+4 {
		return nil, fmt.Errorf("platform index: offset 0: no index of this version")
	}
	data = data[len(indexMagic):]
	size := binary.LittleEndian.Uint32(data)
	if size > maxIndexBytes || int64(size) > 1100*int64(len(data)) {
		return nil, fmt.Errorf("platform index: offset %d: size %d does not fit %d bytes", len(indexMagic), size, len(data))
	}
	raw := make([]byte, size)
	if err := inflate(raw, data[4:]); err != nil {
		return nil, fmt.Errorf("platform index: offset %d: %v", len(indexMagic)+4, err)
	}
	ix := &Index{}
	c := &cursor{data: raw}
	ix.readStrings(c)
	ix.readTypes(c)
	ix.readProtos(c)
	ix.readClasses(c)
	if c.err != nil {
		return nil, fmt.Errorf("platform index: inflated offset %d: %v", c.off, c.err)
	}
	return ix, nil
}

// inflate fills raw, and checks that nothing follows.
func inflate(raw, data []byte) error {
	r := flate.NewReader(bytes.NewReader(data))
	if _, err := io.ReadFull(r, raw); err != nil {
		return err
	}
	if _, err := r.Read(make([]byte, 1)); err != io.EOF {
		return fmt.Errorf("more than the %d bytes promised, or cut off: %v", len(raw), err)
	}
	return nil
}

// cursor reads numbers; after an error it reads zeros.
type cursor struct {
	data []byte
	off  int
	err  error
}

func (c *cursor) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
		c.data = c.data[:min(c.off, len(c.data))]
	}
}

func (c *cursor) uint() int {
	v, n := binary.Uvarint(c.data[c.off:])
	if n <= 0 || v > maxIndexBytes {
		c.fail("bad number")
		return 0
	}
	c.off += n
	return int(v)
}

// count reads how many things follow; each takes at least one byte.
func (c *cursor) count() int {
	n := c.uint()
	if n > len(c.data)-c.off {
		c.fail("count %d, but %d bytes left", n, len(c.data)-c.off)
		return 0
	}
	return n
}

// below reads a number less than n.
func (c *cursor) below(n int, what string) int {
	v := c.uint()
	if v >= n {
		c.fail("%s %d of %d", what, v, n)
		return 0
	}
	return v
}

func (c *cursor) bytes(n int) []byte {
	if n > len(c.data)-c.off {
		c.fail("%d bytes wanted, %d left", n, len(c.data)-c.off)
		return nil
	}
	b := c.data[c.off : c.off+n]
	c.off += n
	return b
}

// readStrings reads names that share a prefix with the one before.
func (ix *Index) readStrings(c *cursor) {
	n := c.count()
	total := c.uint()
	if total > maxIndexBytes {
		c.fail("%d bytes of names", total)
		return
	}
	var all strings.Builder
	ends := make([]int, 0, n)
	var prev []byte
	for i := 0; i < n && c.err == nil; i++ {
		keep := c.uint()
		if keep > len(prev) {
			c.fail("name %d keeps %d of %d bytes", i, keep, len(prev))
			return
		}
		prev = append(prev[:keep], c.bytes(c.uint())...)
		if all.Len()+len(prev) > total {
			c.fail("names longer than the %d bytes promised", total)
			return
		}
		all.Write(prev)
		ends = append(ends, all.Len())
	}
	text, from := all.String(), 0
	ix.strings = make([]string, len(ends))
	for i, end := range ends {
		ix.strings[i] = text[from:end]
		from = end
	}
}

// indexPrimitives are the types numbered before the named ones.
const indexPrimitives = "VZBSCIJFD"

func (ix *Index) readTypes(c *cursor) {
	n := c.count()
	ix.types = make([]string, 0, n)
	for i := 0; i < n && c.err == nil; i++ {
		dims := c.below(maxTypeArrays, "array depth")
		id := c.below(len(indexPrimitives)+len(ix.strings), "type name")
		if c.err != nil {
			return
		}
		prefix := strings.Repeat("[", dims)
		if id < len(indexPrimitives) {
			ix.types = append(ix.types, prefix+indexPrimitives[id:id+1])
			continue
		}
		name := ix.strings[id-len(indexPrimitives)]
		ix.types = append(ix.types, prefix+"L"+strings.ReplaceAll(name, ".", "/")+";")
	}
}

func (ix *Index) readProtos(c *cursor) {
	n := c.count()
	total := 0
	ix.protos = make([]string, 0, n)
	for i := 0; i < n && c.err == nil; i++ {
		ret := c.below(len(ix.types), "type")
		params := c.count()
		var b strings.Builder
		b.WriteByte('(')
		for j := 0; j < params && c.err == nil; j++ {
			if t := c.below(len(ix.types), "type"); c.err == nil {
				b.WriteString(ix.types[t])
			}
		}
		if total += b.Len(); c.err != nil || total > maxIndexBytes {
			c.fail("prototypes too long")
			return
		}
		b.WriteByte(')')
		ix.protos = append(ix.protos, b.String()+ix.types[ret])
	}
}

func (ix *Index) readClasses(c *cursor) {
	n := c.count()
	ix.names = make([]uint32, 0, n)
	ix.at = make([][]byte, 0, n)
	last := -1
	for i := 0; i < n && c.err == nil; i++ {
		name := last + 1 + c.uint()
		if name >= len(ix.strings) {
			c.fail("class name %d of %d", name, len(ix.strings))
			return
		}
		last = name
		ix.names = append(ix.names, uint32(name))
		ix.at = append(ix.at, c.bytes(c.uint()))
	}
}

// find gives the number of a class, -1 if the index lacks it.
func (ix *Index) find(name string) int {
	i := sort.Search(len(ix.names), func(i int) bool { return ix.strings[ix.names[i]] >= name })
	if i < len(ix.names) && ix.strings[ix.names[i]] == name {
		return i
	}
	return -1
}

// Has reports whether the platform has a class of this dotted name.
func (ix *Index) Has(name string) bool { return ix.find(name) >= 0 }

// Len is the number of classes.
func (ix *Index) Len() int { return len(ix.names) }

// Name gives the name of class i, in order.
func (ix *Index) Name(i int) string { return ix.strings[ix.names[i]] }

// Class decodes a class; false if the index lacks it.
func (ix *Index) Class(name string) (*ir.ClassDecl, bool) {
	i := ix.find(name)
	if i < 0 {
		return nil, false
	}
	c := &cursor{data: ix.at[i]}
	d := &ir.ClassDecl{Name: name}
	ix.header(c, d)
	for n := c.count(); n > 0 && c.err == nil; n-- {
		d.Fields = append(d.Fields, ir.FieldDecl{Name: ix.str(c), Desc: pick(c, ix.types, "type"), Flags: uint32(c.uint())})
	}
	for n := c.count(); n > 0 && c.err == nil; n-- {
		d.Methods = append(d.Methods, ir.MethodDecl{Name: ix.str(c), Desc: pick(c, ix.protos, "prototype"), Flags: uint32(c.uint())})
	}
	if c.err != nil {
		return nil, false
	}
	return d, true
}

// header reads flags and supertypes.
func (ix *Index) header(c *cursor, d *ir.ClassDecl) {
	d.Flags = uint32(c.uint())
	if c.below(2, "super mark") == 1 {
		d.Super = ix.str(c)
	}
	for n := c.count(); n > 0 && c.err == nil; n-- {
		d.Interfaces = append(d.Interfaces, ix.str(c))
	}
}

func (ix *Index) str(c *cursor) string { return pick(c, ix.strings, "name") }

func pick(c *cursor, table []string, what string) string {
	i := c.below(len(table), what)
	if c.err != nil {
		return ""
	}
	return table[i]
}

// Supers is a Hierarchy over the index.
func (ix *Index) Supers(name string) []string {
	i := ix.find(name)
	if i < 0 {
		return nil
	}
	c := &cursor{data: ix.at[i]}
	d := &ir.ClassDecl{}
	ix.header(c, d)
	if d.Super == "" {
		return d.Interfaces
	}
	return append([]string{d.Super}, d.Interfaces...)
}
