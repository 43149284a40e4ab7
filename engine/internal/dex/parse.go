package dex

import (
	"encoding/binary"
	"fmt"
	"strconv"
)

const (
	headerSize    = 0x70
	headerSizeV41 = 0x78

	mapTypeCallSites     = 7
	mapTypeMethodHandles = 8

	// A class_data item or an identifier names its type and prototype in 16
	// bits, and so do instructions.
	maxIndex16 = 1 << 16
)

// budget is what a container may still cost. Well-formed files use every byte
// of a table, string or list about once, so a small multiple of the size is
// generous, and a hostile file that refers to the same bytes again and again
// runs out instead of growing.
type budget struct{ left int }

func (b *budget) spend(n int) bool {
	b.left -= n
	return b.left >= 0
}

// budgets are the budgets of one container.
type budgets struct {
	tables budget // bytes of identifier tables
	text   budget // bytes of string data
	lists  budget // entries of interface lists
	values budget // encoded values
	code   budget // code units, methods that share a code item each counting it

	// The logical files of a container may share one table of strings.
	sharedOff table
	shared    *File
}

func newBudgets(size int) *budgets {
	return &budgets{
		tables: budget{2 * size},
		text:   budget{8 * size},
		lists:  budget{16 * size},
		values: budget{size / 2},
		code:   budget{4 * size},
	}
}

// table is one array of fixed-size records that the header refers to.
type table struct{ size, off uint32 }

type header struct {
	version          int
	start, end       int // of this logical file within the container
	mapOff           uint32
	strings, types   table
	protos, fields   table
	methods, classes table
}

// Parse reads all logical dex files in data: one, or in a version 041 container
// one or more. The files keep referring to data. When a logical file of a
// container is unreadable, the ones that could be read come together with the
// error.
func Parse(name string, data []byte) ([]*File, error) {
	if uint64(len(data)) > 1<<32-1 {
		return nil, &Error{name, 0, "file is larger than 4 GiB"}
	}
	h, err := readHeader(name, data, 0)
	if err != nil {
		return nil, err
	}
	if h.version < 41 {
		data = data[:h.end:h.end]
		f, err := parseFile(name, data, h, newBudgets(len(data)))
		if err != nil {
			return nil, err
		}
		return []*File{f}, nil
	}
	return parseContainer(name, data, h)
}

// parseContainer reads the logical files of a version 041 container, which
// follow each other and share the data behind them.
func parseContainer(name string, data []byte, h header) (files []*File, first error) {
	size := binary.LittleEndian.Uint32(data[0x70:])
	if uint64(size) > uint64(len(data)) || int(size) < h.end {
		return nil, &Error{name, 0x70, fmt.Sprintf("container size %d does not fit %d bytes", size, len(data))}
	}
	data = data[:size:size]
	b := newBudgets(len(data))
	for n := 1; ; n++ {
		part := name
		if n > 1 {
			part += "!classes" + strconv.Itoa(n) + ".dex"
		}
		f, err := parseFile(part, data, h, b)
		if err == nil {
			files = append(files, f)
		} else if first == nil {
			first = err
		}
		if h.end == len(data) {
			return files, first
		}
		if h, err = readHeader(name, data, h.end); err != nil {
			if first == nil {
				first = err
			}
			return files, first
		}
	}
}

func readHeader(name string, data []byte, start int) (header, error) {
	h := header{start: start}
	fail := func(off int, format string, args ...any) (header, error) {
		return header{}, &Error{name, uint32(start + off), fmt.Sprintf(format, args...)}
	}
	d := data[start:]
	if len(d) < headerSize {
		return fail(0, "%d bytes are too few for a dex header", len(d))
	}
	if string(d[:4]) != "dex\n" || d[7] != 0 {
		return fail(0, "not a dex file: magic is %q", d[:8])
	}
	version, err := strconv.ParseUint(string(d[4:7]), 10, 8)
	if err != nil || version < 35 || version > 41 {
		return fail(4, "dex version %q is not one of 035 to 041", d[4:7])
	}
	h.version = int(version)
	u32 := func(off int) uint32 { return binary.LittleEndian.Uint32(d[off:]) }
	if tag := u32(0x28); tag != 0x12345678 {
		return fail(0x28, "endian tag is 0x%x, only little-endian files are read", tag)
	}
	want := headerSize
	if version >= 41 {
		want = headerSizeV41
		if len(d) < want {
			return fail(0, "%d bytes are too few for a version 041 header", len(d))
		}
		if off := u32(0x74); uint64(off) != uint64(start) {
			return fail(0x74, "header offset is 0x%x, the header lies at 0x%x", off, start)
		}
	} else if start > 0 {
		return fail(4, "dex version %d inside a version 041 container", version)
	}
	if size := u32(0x24); uint64(size) < uint64(want) {
		return fail(0x24, "header size is %d, less than %d", size, want)
	}
	size := u32(0x20)
	if uint64(size) < uint64(want) || uint64(size) > uint64(len(d)) {
		return fail(0x20, "file size is %d, present are %d bytes", size, len(d))
	}
	h.end = start + int(size)
	h.mapOff = u32(0x34)
	for i, t := range []*table{&h.strings, &h.types, &h.protos, &h.fields, &h.methods, &h.classes} {
		*t = table{size: u32(0x38 + 8*i), off: u32(0x3c + 8*i)}
	}
	return h, nil
}

// parseFile reads the logical file with header h; data is the whole container.
func parseFile(name string, data []byte, h header, b *budgets) (*File, error) {
	f := &File{Name: name, Version: h.version, data: data}
	sections := []struct {
		what  string
		table table
		entry int
		read  func(table, *budgets) error
	}{
		{"string_ids", h.strings, 4, f.readStrings},
		{"type_ids", h.types, 4, f.readTypes},
		{"proto_ids", h.protos, 12, f.readProtos},
		{"field_ids", h.fields, 8, f.readFields},
		{"method_ids", h.methods, 8, f.readMethods},
		{"class_defs", h.classes, 32, f.readClasses},
	}
	for i, s := range sections {
		if s.entry == 32 {
			// Static values of a class may name method handles.
			if err := f.readMap(h.mapOff, b); err != nil {
				return nil, err
			}
		}
		if i == 0 && f.shareStrings(s.table, b) {
			continue
		}
		if err := f.checkTable(s.what, s.table, s.entry, &b.tables); err != nil {
			err.Off = uint32(h.start + 0x38 + 8*i)
			return nil, err
		}
		if err := s.read(s.table, b); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// shareStrings takes the strings of the previous logical file if t is the same
// table.
func (f *File) shareStrings(t table, b *budgets) bool {
	if b.shared == nil || t != b.sharedOff {
		return false
	}
	f.stringOff, f.Strings, f.badString = t.off, b.shared.Strings, b.shared.badString
	return true
}

// checkTable makes sure that all entries of t lie inside the file.
func (f *File) checkTable(what string, t table, entry int, b *budget) *Error {
	end := uint64(t.off) + uint64(t.size)*uint64(entry)
	if end > uint64(len(f.data)) && t.size > 0 {
		return &Error{f.Name, 0, fmt.Sprintf("%s: %d entries at 0x%x run past the end of the file", what, t.size, t.off)}
	}
	if !b.spend(int(t.size) * entry) {
		return &Error{f.Name, 0, what + ": tables overlap: together they are larger than the file"}
	}
	return nil
}

func (f *File) readTypes(t table, _ *budgets) error {
	if t.size > maxIndex16 {
		return &Error{f.Name, t.off, fmt.Sprintf("%d types, more than 65536", t.size)}
	}
	f.Types = make([]uint32, t.size)
	for i := range f.Types {
		off := t.off + 4*uint32(i)
		s := binary.LittleEndian.Uint32(f.data[off:])
		name, err := f.String(s)
		if err != nil {
			return &Error{f.Name, off, fmt.Sprintf("type %d has no name: %v", i, err)}
		}
		if !validDescriptor(name) {
			// The class is known by a name of ours; the others stay what they are.
			err := &Error{f.Name, off, fmt.Sprintf("type %d has malformed descriptor %.80q", i, name)}
			f.Broken = append(f.Broken, ClassError{Index: -1, Err: err})
			s = uint32(len(f.Strings))
			f.Strings = append(f.Strings, fmt.Sprintf("Lmalformed/type%d;", i))
		}
		f.Types[i] = s
	}
	return nil
}

func (f *File) readProtos(t table, _ *budgets) error {
	if t.size > maxIndex16 {
		return &Error{f.Name, t.off, fmt.Sprintf("%d prototypes, more than 65536", t.size)}
	}
	f.Protos = make([]Proto, t.size)
	for i := range f.Protos {
		off := t.off + 12*uint32(i)
		d := f.data[off : off+12]
		shorty := binary.LittleEndian.Uint32(d)
		ret := binary.LittleEndian.Uint32(d[4:])
		list := binary.LittleEndian.Uint32(d[8:])
		if uint64(shorty) >= uint64(len(f.Strings)) || uint64(ret) >= uint64(len(f.Types)) {
			return &Error{f.Name, off, fmt.Sprintf("prototype %d: shorty or return type index outside its table", i)}
		}
		// An invoke passes at most 255 registers.
		params, reason := f.typeList(list, 255)
		if reason != "" {
			return &Error{f.Name, off + 8, fmt.Sprintf("prototype %d: parameters: %s", i, reason)}
		}
		f.Protos[i] = Proto{Shorty: shorty, Return: uint16(ret), Params: params}
	}
	return nil
}

func (f *File) readFields(t table, _ *budgets) error {
	f.Fields = make([]FieldID, t.size)
	for i := range f.Fields {
		off := t.off + 8*uint32(i)
		d := f.data[off : off+8]
		id := FieldID{binary.LittleEndian.Uint16(d), binary.LittleEndian.Uint16(d[2:]), binary.LittleEndian.Uint32(d[4:])}
		if int(id.Class) >= len(f.Types) || int(id.Type) >= len(f.Types) || uint64(id.Name) >= uint64(len(f.Strings)) {
			return &Error{f.Name, off, fmt.Sprintf("field %d: class, type or name index outside its table", i)}
		}
		f.Fields[i] = id
	}
	return nil
}

func (f *File) readMethods(t table, _ *budgets) error {
	f.Methods = make([]MethodID, t.size)
	for i := range f.Methods {
		off := t.off + 8*uint32(i)
		d := f.data[off : off+8]
		id := MethodID{binary.LittleEndian.Uint16(d), binary.LittleEndian.Uint16(d[2:]), binary.LittleEndian.Uint32(d[4:])}
		if int(id.Class) >= len(f.Types) || int(id.Proto) >= len(f.Protos) || uint64(id.Name) >= uint64(len(f.Strings)) {
			return &Error{f.Name, off, fmt.Sprintf("method %d: class, prototype or name index outside its table", i)}
		}
		f.Methods[i] = id
	}
	return nil
}

// typeList reads the type_list at off, at most limit entries.
func (f *File) typeList(off uint32, limit int) (list []uint16, reason string) {
	if off == 0 {
		return nil, ""
	}
	c := cursor{data: f.data, pos: int(min(uint64(off), uint64(len(f.data))))}
	n := c.u32()
	if c.failed() || uint64(n)*2 > uint64(c.left()) {
		return nil, fmt.Sprintf("type list at 0x%x runs past the end of the file", off)
	}
	if uint64(n) > uint64(limit) {
		return nil, fmt.Sprintf("type list at 0x%x has %d entries, more than %d", off, n, limit)
	}
	list = units(c.data[c.pos : c.pos+2*int(n)])
	for _, t := range list {
		if int(t) >= len(f.Types) {
			return nil, fmt.Sprintf("type list at 0x%x: type index %d outside the table of %d", off, t, len(f.Types))
		}
	}
	return list, ""
}

// readMap finds the two tables that only the map list names.
func (f *File) readMap(off uint32, b *budgets) error {
	if off == 0 {
		return nil
	}
	c := cursor{data: f.data, pos: int(min(uint64(off), uint64(len(f.data))))}
	n := c.u32()
	if !c.failed() && uint64(n)*12 > uint64(c.left()) {
		c.failf("map list of %d entries runs past the end of the file", n)
	}
	var sites, handles table
	for i := uint32(0); i < n && !c.failed(); i++ {
		kind := c.u16()
		c.u16()
		switch t := (table{size: c.u32(), off: c.u32()}); kind {
		case mapTypeCallSites:
			sites = t
		case mapTypeMethodHandles:
			handles = t
		}
	}
	if c.failed() {
		return c.err(f.Name)
	}
	if err := f.checkTable("method_handles", handles, 8, &b.tables); err != nil {
		err.Off = off
		return err
	}
	if err := f.checkTable("call_site_ids", sites, 4, &b.tables); err != nil {
		err.Off = off
		return err
	}
	if err := f.readMethodHandles(handles); err != nil {
		return err
	}
	f.readCallSites(sites, b)
	return nil
}

func (f *File) readMethodHandles(t table) error {
	if t.size == 0 {
		return nil
	}
	f.MethodHandles = make([]MethodHandle, t.size)
	for i := range f.MethodHandles {
		off := t.off + 8*uint32(i)
		d := f.data[off : off+8]
		h := MethodHandle{HandleKind(binary.LittleEndian.Uint16(d)), uint32(binary.LittleEndian.Uint16(d[4:]))}
		n := len(f.Methods)
		if h.Kind.IsField() {
			n = len(f.Fields)
		}
		if h.Kind > HandleInvokeInterface || int(h.Index) >= n {
			return &Error{f.Name, off, fmt.Sprintf("method handle %d: kind %d, index %d outside its table", i, h.Kind, h.Index)}
		}
		f.MethodHandles[i] = h
	}
	return nil
}
