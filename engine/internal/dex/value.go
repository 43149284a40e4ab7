package dex

import (
	"encoding/binary"
	"math"
)

// ValueKind is the type of an encoded value.
type ValueKind uint8

const (
	ValueByte         ValueKind = 0x00
	ValueShort        ValueKind = 0x02
	ValueChar         ValueKind = 0x03
	ValueInt          ValueKind = 0x04
	ValueLong         ValueKind = 0x06
	ValueFloat        ValueKind = 0x10
	ValueDouble       ValueKind = 0x11
	ValueMethodType   ValueKind = 0x15 // prototype index
	ValueMethodHandle ValueKind = 0x16
	ValueString       ValueKind = 0x17
	ValueType         ValueKind = 0x18
	ValueField        ValueKind = 0x19
	ValueMethod       ValueKind = 0x1a
	ValueEnum         ValueKind = 0x1b // field index of the enum constant
	ValueArray        ValueKind = 0x1c
	ValueAnnotation   ValueKind = 0x1d
	ValueNull         ValueKind = 0x1e
	ValueBoolean      ValueKind = 0x1f
)

// maxValueDepth bounds the nesting of arrays and annotations in a value.
// Compilers nest no deeper than the source does.
const maxValueDepth = 32

// Value is a constant: of a static field, of an annotation, of a call site.
type Value struct {
	Kind ValueKind
	bits uint64
	sub  *composite
}

type composite struct {
	elems []Value
	ann   Annotation
}

// Int gives a byte, short, char, int, long or boolean.
func (v Value) Int() int64 { return int64(v.bits) }

// Float gives a float or double.
func (v Value) Float() float64 {
	if v.Kind == ValueFloat {
		return float64(math.Float32frombits(uint32(v.bits)))
	}
	return math.Float64frombits(v.bits)
}

// Bits gives the plain bits: those of a float in the low half.
func (v Value) Bits() uint64 { return v.bits }

// Index gives the index of a string, type, field, enum constant, method,
// prototype or method handle.
func (v Value) Index() uint32 { return uint32(v.bits) }

// Elems gives the elements of an array; they must not be changed.
func (v Value) Elems() []Value {
	if v.Kind != ValueArray || v.sub == nil {
		return nil
	}
	return v.sub.elems
}

// Annotation gives a nested annotation, or nil.
func (v Value) Annotation() *Annotation {
	if v.Kind != ValueAnnotation || v.sub == nil {
		return nil
	}
	return &v.sub.ann
}

// valueReader reads encoded values; b pays for each.
type valueReader struct {
	cursor
	f *File
	b *budget
}

// array reads an encoded_array.
func (r *valueReader) array(depth int) []Value {
	n := r.uleb()
	if uint64(n) > uint64(r.left()) {
		r.failf("array of %d values is larger than the rest of the file", n)
	}
	if !r.failed() && !r.b.spend(int(n)) {
		r.fail("encoded values overlap: together they are larger than the file")
	}
	if r.failed() || n == 0 {
		return nil
	}
	out := make([]Value, 0, n)
	for range n {
		v := r.value(depth)
		if r.failed() {
			break
		}
		out = append(out, v)
	}
	return out
}

// annotation reads an encoded_annotation.
func (r *valueReader) annotation(depth int) Annotation {
	a := Annotation{Type: r.uleb()}
	if !r.failed() && uint64(a.Type) >= uint64(len(r.f.Types)) {
		r.failf("annotation: type index %d outside the table of %d", a.Type, len(r.f.Types))
	}
	n := r.uleb()
	if uint64(n)*2 > uint64(r.left()) {
		r.failf("annotation of %d elements is larger than the rest of the file", n)
	}
	// An element is twice the size of a value.
	if !r.failed() && !r.b.spend(1+2*int(n)) {
		r.fail("annotations overlap: together they are larger than the file")
	}
	if r.failed() || n == 0 {
		return a
	}
	a.Elements = make([]Element, 0, n)
	for range n {
		e := Element{Name: r.uleb()}
		if !r.failed() && uint64(e.Name) >= uint64(len(r.f.Strings)) {
			r.failf("annotation: element name index %d outside the table of %d", e.Name, len(r.f.Strings))
		}
		e.Value = r.value(depth)
		if r.failed() {
			break
		}
		a.Elements = append(a.Elements, e)
	}
	return a
}

func (r *valueReader) value(depth int) Value {
	head := r.u8()
	v := Value{Kind: ValueKind(head & 0x1f)}
	arg := int(head >> 5)
	switch v.Kind {
	case ValueByte, ValueShort, ValueInt, ValueLong:
		v.bits = r.signed(arg, intWidth(v.Kind))
	case ValueChar:
		v.bits = r.unsigned(arg, 2)
	case ValueFloat:
		v.bits = r.unsigned(arg, 4) << (8 * uint(3-min(arg, 3)))
	case ValueDouble:
		v.bits = r.unsigned(arg, 8) << (8 * uint(7-arg))
	case ValueMethodType, ValueMethodHandle, ValueString, ValueType, ValueField, ValueMethod, ValueEnum:
		v.bits = r.unsigned(arg, 4)
		r.checkIndex(v.Kind, v.bits)
	case ValueNull:
	case ValueBoolean:
		v.bits = uint64(arg & 1)
	case ValueArray, ValueAnnotation:
		if depth >= maxValueDepth {
			r.failf("values are nested deeper than %d", maxValueDepth)
			return Value{}
		}
		v.sub = r.composite(v.Kind, depth+1)
	default:
		r.failf("unknown kind 0x%x of encoded value", uint8(v.Kind))
	}
	return v
}

// composite reads what follows the head of an array or annotation; nil stands
// for the empty array.
func (r *valueReader) composite(k ValueKind, depth int) *composite {
	if k == ValueArray && r.pos < len(r.data) && r.data[r.pos] == 0 {
		r.pos++
		return nil
	}
	// It takes as much memory as three values.
	if !r.failed() && !r.b.spend(3) {
		r.fail("encoded values overlap: together they are larger than the file")
	}
	if k == ValueArray {
		return &composite{elems: r.array(depth)}
	}
	return &composite{ann: r.annotation(depth)}
}

func intWidth(k ValueKind) int {
	switch k {
	case ValueByte:
		return 1
	case ValueShort:
		return 2
	case ValueInt:
		return 4
	}
	return 8
}

// unsigned reads arg+1 bytes, at most limit.
func (r *valueReader) unsigned(arg, limit int) uint64 {
	if arg >= limit {
		r.failf("encoded value has %d bytes, more than %d", arg+1, limit)
		return 0
	}
	if r.left() < arg+1 {
		r.fail("encoded value runs past the end of the file")
	}
	if r.failed() {
		return 0
	}
	var b [8]byte
	copy(b[:], r.data[r.pos:r.pos+arg+1])
	r.pos += arg + 1
	return binary.LittleEndian.Uint64(b[:])
}

func (r *valueReader) signed(arg, limit int) uint64 {
	v := r.unsigned(arg, limit)
	shift := uint(64 - 8*(arg+1))
	return uint64(int64(v<<shift) >> shift)
}

func (r *valueReader) checkIndex(k ValueKind, i uint64) {
	n := 0
	switch k {
	case ValueMethodType:
		n = len(r.f.Protos)
	case ValueMethodHandle:
		n = len(r.f.MethodHandles)
	case ValueString:
		n = len(r.f.Strings)
	case ValueType:
		n = len(r.f.Types)
	case ValueField, ValueEnum:
		n = len(r.f.Fields)
	case ValueMethod:
		n = len(r.f.Methods)
	}
	if i >= uint64(n) {
		r.failf("encoded value of kind 0x%x: index %d outside the table of %d", uint8(k), i, n)
	}
}

// readCallSites decodes call_site_ids; one that is malformed says so itself.
func (f *File) readCallSites(t table, b *budgets) {
	if t.size == 0 {
		return
	}
	f.CallSites = make([]CallSite, t.size)
	for i := range f.CallSites {
		off := binary.LittleEndian.Uint32(f.data[t.off+4*uint32(i):])
		f.CallSites[i] = f.readCallSite(off, &b.values)
	}
}

func (f *File) readCallSite(off uint32, b *budget) CallSite {
	r := valueReader{f: f, b: b, cursor: cursor{data: f.data, pos: int(min(uint64(off), uint64(len(f.data))))}}
	v := r.array(0)
	if !r.failed() && (len(v) < 3 || v[0].Kind != ValueMethodHandle || v[1].Kind != ValueString || v[2].Kind != ValueMethodType) {
		r.pos = int(off)
		r.fail("call site does not start with method handle, name and method type")
	}
	if r.failed() {
		return CallSite{Err: r.err(f.Name)}
	}
	return CallSite{Handle: v[0].Index(), Name: v[1].Index(), Proto: v[2].Index(), Args: v[3:]}
}
