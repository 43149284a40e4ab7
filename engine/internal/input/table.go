package input

import (
	"encoding/binary"
	"sort"
	"strconv"
	"strings"
)

// table is a resource table (resources.arsc): the names of all resources and
// their plain values in every configuration.
//
// It is read by our own walk. androidbinary gives neither the names of
// resources nor the variants of a file, both of which we need, and misreads
// the sparse and compact entries that aapt2 writes today; a test compares the
// two where the library can answer.
type table struct {
	size     int // bytes it was read from
	values   *pool
	packages []*tablePackage
	entries  []resource // sorted by id, then in file order
}

// resource is the value of one resource in one configuration. There can be
// one for every four bytes of the table, so it is small.
type resource struct {
	id      uint32
	key     uint32 // index into the package's keys
	data    uint32
	pkg     uint8 // index into table.packages
	kind    uint8 // data type of a plain value
	isPlain bool  // a single value, not a style, array or plural
	isDef   bool  // the configuration is the default one
}

type tablePackage struct {
	id          uint32
	types, keys *pool
}

const (
	tableHeaderSize   = 12
	packageHeaderSize = 284 // without typeIdOffset, which old tables lack
	typeHeaderSize    = 20  // up to the configuration
	minConfigSize     = 4

	flagSparse   = 0x01 // the index holds (entry, offset/4) pairs
	flagOffset16 = 0x02 // the index holds 16-bit offsets/4

	entryComplex = 0x0001
	entryCompact = 0x0008

	noEntry   = 0xffffffff
	noEntry16 = 0xffff

	typeIntBoolean = 0x12
)

// readTable checks and reads a resource table; the result refers to data. It
// takes at most eight times data while the list of entries grows.
func readTable(data []byte) (*table, error) {
	root, err := readRoot(data, chunkTable, "a resource table")
	if err != nil {
		return nil, err
	}
	if root.header < tableHeaderSize {
		return nil, bad(0, "resource table header of %d bytes, expected %d", root.header, tableHeaderSize)
	}
	t := &table{size: len(data)}
	for at := root.header; at < len(root.data); {
		c, err := readChunk(data, at, len(root.data))
		if err != nil {
			return nil, err
		}
		switch c.kind {
		case chunkPool:
			if t.values != nil {
				return nil, bad(at, "a second value string pool; a resource table has one")
			}
			t.values, err = readPool(c)
		case chunkPackage:
			err = t.readPackage(c, data)
		}
		if err != nil {
			return nil, err
		}
		at += len(c.data)
	}
	sort.SliceStable(t.entries, func(i, j int) bool { return t.entries[i].id < t.entries[j].id })
	return t, nil
}

func (t *table) readPackage(c chunk, data []byte) error {
	if c.header < packageHeaderSize {
		return bad(c.at, "package header of %d bytes, expected %d", c.header, packageHeaderSize)
	}
	if len(t.packages) > 0xff {
		return bad(c.at, "more than 256 packages")
	}
	p := &tablePackage{id: c.u32(8)}
	t.packages = append(t.packages, p)
	if p.id > 0xff {
		return bad(c.at, "package id %#x, expected at most 0xff", p.id)
	}
	end := c.at + len(c.data)
	for _, in := range []struct {
		field int
		to    **pool
	}{{268, &p.types}, {276, &p.keys}} {
		off := c.u32(in.field)
		if uint64(off) > uint64(len(c.data)) {
			return bad(c.at+in.field, "a string pool at %d lies beyond the %d bytes of the package", off, len(c.data))
		}
		sub, err := readChunk(data, c.at+int(off), end)
		if err != nil {
			return err
		}
		if *in.to, err = readPool(sub); err != nil {
			return err
		}
	}
	for at := c.at + c.header; at < end; {
		sub, err := readChunk(data, at, end)
		if err != nil {
			return err
		}
		if sub.kind == chunkType {
			if err := t.readType(p, sub); err != nil {
				return err
			}
		}
		at += len(sub.data)
	}
	return nil
}

// readType reads the entries of one resource type in one configuration.
func (t *table) readType(p *tablePackage, c chunk) error {
	if c.header < typeHeaderSize+minConfigSize {
		return bad(c.at, "type header of %d bytes, expected %d or more", c.header, typeHeaderSize+minConfigSize)
	}
	kind, flags, count, start := c.data[8], c.data[9], c.u32(12), uint64(c.u32(16))
	if kind == 0 || !p.types.has(uint32(kind)-1) {
		return bad(c.at, "type id %d; the package names %d types", kind, p.types.count)
	}
	width := 4
	if flags&flagOffset16 != 0 && flags&flagSparse == 0 {
		width = 2
	}
	if _, err := c.array(c.header, count, width, "entries"); err != nil {
		return err
	}
	if count > 0x10000 {
		return bad(c.at, "%d entries in one type, at most 65536 have an id", count)
	}
	isDef := defaultConfig(c.data[typeHeaderSize:c.header])
	for i := range int(count) {
		slot := c.header + i*width
		index, off := i, uint64(0)
		switch {
		case flags&flagSparse != 0:
			index, off = c.u16(slot), uint64(c.u16(slot+2))*4
		case width == 2:
			if c.u16(slot) == noEntry16 {
				continue
			}
			off = uint64(c.u16(slot)) * 4
		default:
			if c.u32(slot) == noEntry {
				continue
			}
			off = uint64(c.u32(slot))
		}
		r, err := readEntry(p, c, start+off)
		if err != nil {
			return err
		}
		r.id = p.id<<24 | uint32(kind)<<16 | uint32(index)
		r.pkg = uint8(len(t.packages) - 1)
		r.isDef = isDef
		// Entries may share their bytes, but not all of them.
		if len(t.entries) > t.size/4 {
			return bad(c.at, "more than %d entries in a table of %d bytes", t.size/4, t.size)
		}
		t.entries = append(t.entries, r)
	}
	return nil
}

// readEntry reads the entry at off of a type chunk. A map entry (style, array,
// plural) is kept for its name; nobody reads its values.
func readEntry(p *tablePackage, c chunk, off uint64) (resource, error) {
	size := uint64(len(c.data))
	if off+8 > size {
		return resource{}, bad(c.at, "an entry at %d lies beyond the %d bytes of the type", off, size)
	}
	at := int(off)
	var r resource
	flags := c.u16(at + 2)
	switch {
	case flags&entryCompact != 0:
		r.key, r.kind, r.data, r.isPlain = uint32(c.u16(at)), byte(flags>>8), c.u32(at+4), true
	case flags&entryComplex != 0:
		r.key = c.u32(at + 4)
	default:
		if off+16 > size {
			return resource{}, bad(c.at, "the value of an entry at %d lies beyond the %d bytes of the type", off, size)
		}
		r.key, r.kind, r.data, r.isPlain = c.u32(at+4), c.data[at+11], c.u32(at+12), true
	}
	if !p.keys.has(r.key) {
		return resource{}, bad(c.at+at, "entry name %d; the package has %d names", r.key, p.keys.count)
	}
	return r, nil
}

// defaultConfig reports whether a configuration asks for nothing.
func defaultConfig(config []byte) bool {
	size := min(uint64(binary.LittleEndian.Uint32(config)), uint64(len(config)))
	for _, b := range config[min(4, size):size] {
		if b != 0 {
			return false
		}
	}
	return true
}

// find is the range of the values of id.
func (t *table) find(id uint32) []resource {
	lo := sort.Search(len(t.entries), func(i int) bool { return t.entries[i].id >= id })
	hi := lo
	for hi < len(t.entries) && t.entries[hi].id == id {
		hi++
	}
	return t.entries[lo:hi]
}

func (t *table) typeName(r *resource) string {
	return t.packages[r.pkg].types.get(r.id>>16&0xff - 1)
}

// typesNamed tells by package and type id which types have this name.
func (t *table) typesNamed(name string) [][256]bool {
	out := make([][256]bool, len(t.packages))
	for i, p := range t.packages {
		for k := range min(p.types.count, 255) {
			out[i][k+1] = p.types.get(uint32(k)) == name
		}
	}
	return out
}

// name is "type/entry", or empty.
func (t *table) name(id uint32) string {
	rs := t.find(id)
	if len(rs) == 0 {
		return ""
	}
	return t.typeName(&rs[0]) + "/" + t.packages[rs[0].pkg].keys.get(rs[0].key)
}

// id is the resource of that name, or zero. Only the first value of an id
// names it, as in name.
func (t *table) id(name string) uint32 {
	kind, entry, ok := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(name, "@"), "+"), "/")
	if !ok {
		return 0
	}
	keys := make(map[[2]uint32]bool) // package, key
	for p, pkg := range t.packages {
		for k := range uint32(pkg.keys.count) {
			if pkg.keys.get(k) == entry {
				keys[[2]uint32{uint32(p), k}] = true
			}
		}
	}
	types := t.typesNamed(kind)
	for i := range t.entries {
		r := &t.entries[i]
		if i > 0 && t.entries[i-1].id == r.id {
			continue
		}
		if types[r.pkg][r.id>>16&0xff] && keys[[2]uint32{uint32(r.pkg), r.key}] {
			return r.id
		}
	}
	return 0
}

// resourceFile is a resource that is a file of the APK.
type resourceFile struct {
	id   uint32
	name string
	path string
}

// files are the resources of one type that are files, once for each
// configuration. An alias (a value that refers to another resource) counts as
// all files of its target. Entries may share names and paths, and share the
// strings then; more files than one for 16 bytes of table are refused.
func (t *table) files(typeName string) ([]resourceFile, error) {
	w := fileList{table: t, names: make(map[[2]uint32]string), paths: make(map[uint32]string)}
	types := t.typesNamed(typeName)
	for i := range t.entries {
		r := &t.entries[i]
		if !r.isPlain || !types[r.pkg][r.id>>16&0xff] {
			continue
		}
		key := [2]uint32{uint32(r.pkg), r.key}
		if _, ok := w.names[key]; !ok {
			w.names[key] = typeName + "/" + t.packages[r.pkg].keys.get(r.key)
		}
		if !w.add(r.id, w.names[key], r, 4) {
			return nil, bad(0, "more files or aliases of type %s than fit into a table of %d bytes", typeName, t.size)
		}
	}
	return w.out, nil
}

// fileList collects files; the maps make equal strings one string.
type fileList struct {
	*table
	out   []resourceFile
	names map[[2]uint32]string // package, key
	paths map[uint32]string
	steps int // entries looked at
}

// add adds the files that r stands for under the given id and name, and is
// false if there are more than any real table has. depth ends chains of
// aliases, which may close to a ring.
func (w *fileList) add(id uint32, name string, r *resource, depth int) bool {
	if w.steps++; w.steps > w.size || len(w.out) > w.size/16 {
		return false
	}
	switch {
	case r.kind == typeReference && depth > 0:
		targets := w.find(r.data)
		for i := range targets {
			if targets[i].isPlain && !w.add(id, name, &targets[i], depth-1) {
				return false
			}
		}
	case r.kind == typeString:
		if _, ok := w.paths[r.data]; !ok {
			w.paths[r.data] = w.values.get(r.data)
		}
		if w.paths[r.data] != "" {
			w.out = append(w.out, resourceFile{id, name, w.paths[r.data]})
		}
	}
	return true
}

// value is what a reference means in the default configuration (else in the
// first), printed as the XML decoder prints values. References are followed a
// few steps, since a hostile table may make them a cycle.
func (t *table) value(id uint32) string {
	for range 8 {
		rs := t.find(id)
		if len(rs) == 0 {
			return ""
		}
		r := rs[0]
		for _, o := range rs {
			if o.isDef {
				r = o
				break
			}
		}
		switch {
		case !r.isPlain:
			return ""
		case r.kind == typeReference:
			id = r.data
			continue
		case r.kind == typeString:
			return t.values.get(r.data)
		case r.kind == typeIntBoolean:
			if r.data != 0 {
				return "true"
			}
			return "false"
		}
		return strconv.Itoa(int(int32(r.data)))
	}
	return ""
}
