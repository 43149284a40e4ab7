package dex

import (
	"encoding/binary"
	"fmt"
)

// classReader reads all class definitions of a file into shared backing arrays.
type classReader struct {
	f       *File
	b       *budgets
	fields  []EncodedField
	methods []EncodedMethod
	defined []bool // by type
}

func (f *File) readClasses(t table, b *budgets) error {
	// Most identifiers are of members of the platform, so this is an upper
	// bound for well-formed files, and append grows for others.
	r := classReader{
		f: f, b: b,
		fields:  make([]EncodedField, 0, len(f.Fields)),
		methods: make([]EncodedMethod, 0, len(f.Methods)),
		defined: make([]bool, len(f.Types)),
	}
	f.Classes = make([]ClassDef, 0, t.size)
	for i := 0; i < int(t.size); i++ {
		off := t.off + 32*uint32(i)
		fields, methods := len(r.fields), len(r.methods)
		c, err := r.class(off)
		if err == nil {
			f.Classes = append(f.Classes, c)
			continue
		}
		r.fields, r.methods = r.fields[:fields], r.methods[:methods]
		name, _ := f.TypeName(binary.LittleEndian.Uint32(f.data[off:]))
		f.Broken = append(f.Broken, ClassError{Index: i, Name: name, Err: err})
	}
	return nil
}

// class reads the class_def at off.
func (r *classReader) class(off uint32) (ClassDef, error) {
	f := r.f
	fail := func(at uint32, format string, args ...any) (ClassDef, error) {
		return ClassDef{}, &Error{f.Name, off + at, fmt.Sprintf(format, args...)}
	}
	d := f.data[off : off+32]
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(d[i:]) }
	c := ClassDef{
		Type: word(0), Access: word(4), Super: word(8), SourceFile: word(16), AnnotationsOff: word(20),
	}
	name, err := f.TypeName(c.Type)
	if err != nil || name[0] != 'L' {
		return fail(0, "class_def: type index %d is not a class", c.Type)
	}
	if r.defined[c.Type] {
		return fail(0, "class_def: %s is defined twice", name)
	}
	r.defined[c.Type] = true
	if c.Super != NoIndex && uint64(c.Super) >= uint64(len(f.Types)) {
		return fail(8, "class_def: superclass index %d outside the table of %d types", c.Super, len(f.Types))
	}
	if c.SourceFile != NoIndex && uint64(c.SourceFile) >= uint64(len(f.Strings)) {
		return fail(16, "class_def: source file index %d outside the table of %d strings", c.SourceFile, len(f.Strings))
	}
	if uint64(c.AnnotationsOff) >= uint64(len(f.data)) {
		return fail(20, "class_def: annotations at 0x%x lie outside the file", c.AnnotationsOff)
	}
	var reason string
	if c.Interfaces, reason = f.typeList(word(12), maxIndex16); reason != "" {
		return fail(12, "class_def: interfaces: %s", reason)
	}
	if !r.b.lists.spend(len(c.Interfaces)) {
		return fail(12, "class_def: interface lists overlap: together they are larger than the file")
	}
	if err := r.classData(&c, word(24)); err != nil {
		return ClassDef{}, err
	}
	if err := r.staticValues(&c, word(28)); err != nil {
		return ClassDef{}, err
	}
	return c, nil
}

// classData reads the class_data_item at off. Members must belong to the class
// and ascend, as the platform requires too; so no list is longer than the
// identifiers that the class has.
func (r *classReader) classData(c *ClassDef, off uint32) error {
	if off == 0 {
		return nil
	}
	cur := cursor{data: r.f.data, pos: int(min(uint64(off), uint64(len(r.f.data))))}
	statics, instances := cur.uleb(), cur.uleb()
	direct, virtual := cur.uleb(), cur.uleb()
	c.StaticFields = r.encodedFields(&cur, c.Type, statics)
	c.InstanceFields = r.encodedFields(&cur, c.Type, instances)
	c.Direct = r.encodedMethods(&cur, c.Type, direct)
	c.Virtual = r.encodedMethods(&cur, c.Type, virtual)
	return cur.err(r.f.Name)
}

func (r *classReader) encodedFields(c *cursor, class, n uint32) []EncodedField {
	if uint64(n)*2 > uint64(c.left()) {
		c.failf("class data: %d fields are more than fit the rest of the file", n)
	}
	start, index := len(r.fields), uint32(0)
	for i := uint32(0); i < n && !c.failed(); i++ {
		diff := c.uleb()
		if diff == 0 && i > 0 {
			c.fail("class data: fields do not ascend")
		}
		index += diff
		access := c.uleb()
		if uint64(index) >= uint64(len(r.f.Fields)) || index < diff {
			c.failf("class data: field index %d outside the table of %d", index, len(r.f.Fields))
		} else if uint32(r.f.Fields[index].Class) != class {
			c.failf("class data: field %d belongs to another class", index)
		}
		r.fields = append(r.fields, EncodedField{index, access})
	}
	if c.failed() || n == 0 {
		return nil
	}
	return r.fields[start:len(r.fields):len(r.fields)]
}

func (r *classReader) encodedMethods(c *cursor, class, n uint32) []EncodedMethod {
	if uint64(n)*3 > uint64(c.left()) {
		c.failf("class data: %d methods are more than fit the rest of the file", n)
	}
	start, index := len(r.methods), uint32(0)
	for i := uint32(0); i < n && !c.failed(); i++ {
		diff := c.uleb()
		if diff == 0 && i > 0 {
			c.fail("class data: methods do not ascend")
		}
		index += diff
		access, code := c.uleb(), c.uleb()
		if uint64(index) >= uint64(len(r.f.Methods)) || index < diff {
			c.failf("class data: method index %d outside the table of %d", index, len(r.f.Methods))
		} else if uint32(r.f.Methods[index].Class) != class {
			c.failf("class data: method %d belongs to another class", index)
		}
		if !r.b.code.spend(int(r.f.codeUnits(code))) {
			c.fail("class data: code items overlap: together they are larger than the file")
		}
		r.methods = append(r.methods, EncodedMethod{index, access, code})
	}
	if c.failed() || n == 0 {
		return nil
	}
	return r.methods[start:len(r.methods):len(r.methods)]
}

// staticValues reads the encoded_array_item at off.
func (r *classReader) staticValues(c *ClassDef, off uint32) error {
	if off == 0 {
		return nil
	}
	v := valueReader{f: r.f, b: &r.b.values, cursor: cursor{
		data: r.f.data, pos: int(min(uint64(off), uint64(len(r.f.data))))}}
	c.StaticValues = v.array(0)
	if len(c.StaticValues) > len(c.StaticFields) && !v.failed() {
		v.pos = int(off)
		v.failf("%d static values for %d static fields", len(c.StaticValues), len(c.StaticFields))
	}
	return v.err(r.f.Name)
}
