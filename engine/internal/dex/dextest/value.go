package dextest

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/eventraces/eventraces/engine/internal/dex"
)

// array writes an encoded_array.
func (w *writer) array(list []any) {
	w.uleb(uint32(len(list)))
	for _, v := range list {
		w.value(v)
	}
}

// value writes an encoded_value in as few bytes as its kind allows.
func (w *writer) value(v any) {
	switch v := v.(type) {
	case nil:
		w.u8(int(dex.ValueNull))
	case bool:
		arg := 0
		if v {
			arg = 1
		}
		w.u8(arg<<5 | int(dex.ValueBoolean))
	case int8:
		w.signed(dex.ValueByte, int64(v))
	case int16:
		w.signed(dex.ValueShort, int64(v))
	case Char:
		w.unsigned(dex.ValueChar, uint64(v))
	case int:
		w.signed(dex.ValueInt, int64(int32(v)))
	case int32:
		w.signed(dex.ValueInt, int64(v))
	case int64:
		w.signed(dex.ValueLong, v)
	case float32:
		w.fraction(dex.ValueFloat, uint64(math.Float32bits(v)), 4)
	case float64:
		w.fraction(dex.ValueDouble, math.Float64bits(v), 8)
	case []any:
		w.u8(int(dex.ValueArray))
		w.array(v)
	case Annotation:
		w.u8(int(dex.ValueAnnotation))
		w.annotation(v)
	default:
		w.unsigned(valueKind(v), uint64(w.pool.index(v)))
	}
}

func valueKind(v any) dex.ValueKind {
	switch v.(type) {
	case string, Str:
		return dex.ValueString
	case Type:
		return dex.ValueType
	case Proto:
		return dex.ValueMethodType
	case Handle:
		return dex.ValueMethodHandle
	case Field:
		return dex.ValueField
	case Enum:
		return dex.ValueEnum
	case Method:
		return dex.ValueMethod
	}
	panic(fmt.Sprintf("dextest: no encoded value of type %T", v))
}

func (w *writer) signed(k dex.ValueKind, v int64) {
	n := 1
	for v>>(8*n-1) != 0 && v>>(8*n-1) != -1 {
		n++
	}
	w.bytes(k, uint64(v), n)
}

func (w *writer) unsigned(k dex.ValueKind, v uint64) {
	n := 1
	for v>>(8*n) != 0 {
		n++
	}
	w.bytes(k, v, n)
}

// fraction leaves out low zero bytes.
func (w *writer) fraction(k dex.ValueKind, v uint64, size int) {
	for size > 1 && v&0xff == 0 {
		v >>= 8
		size--
	}
	w.bytes(k, v, size)
}

func (w *writer) bytes(k dex.ValueKind, v uint64, n int) {
	w.u8((n-1)<<5 | int(k))
	for range n {
		w.u8(int(v & 0xff))
		v >>= 8
	}
}

// annotation writes an encoded_annotation.
func (w *writer) annotation(a Annotation) {
	w.uleb(w.pool.types[a.Type])
	elements := slices.Clone(a.Elements)
	slices.SortFunc(elements, func(a, b Element) int {
		return cmp.Compare(w.pool.strings[a.Name], w.pool.strings[b.Name])
	})
	w.uleb(uint32(len(elements)))
	for _, e := range elements {
		w.uleb(w.pool.strings[e.Name])
		w.value(e.Value)
	}
}

// annotationSet is one list of annotations on its way through the sections.
type annotationSet struct {
	list  []Annotation
	items []int
	off   int
}

// member is an annotated field or method.
type member struct {
	index uint32
	set   *annotationSet
}

// paramSets are the annotations of the parameters of a method.
type paramSets struct {
	index uint32
	sets  []*annotationSet
	off   int
}

// directory holds what an annotations_directory_item will say.
type directory struct {
	class   *annotationSet
	fields  []member
	methods []member
	params  []*paramSets
}

// annotations writes items, sets, lists of sets and directories, and gives the
// place of each class's directory, 0 if it has none.
func (w *writer) annotations() []int {
	var sets []*annotationSet
	newSet := func(list []Annotation) *annotationSet {
		if len(list) == 0 {
			return nil
		}
		list = slices.Clone(list)
		slices.SortStableFunc(list, func(a, b Annotation) int {
			return cmp.Compare(w.pool.types[a.Type], w.pool.types[b.Type])
		})
		s := &annotationSet{list: list}
		sets = append(sets, s)
		return s
	}
	directories := make([]directory, len(w.classes))
	for i, c := range w.classes {
		directories[i] = w.directory(c, newSet)
	}
	w.annotationSets(sets)
	for i := range directories {
		w.setRefLists(directories[i].params)
	}
	offsets := make([]int, len(directories))
	for i := range directories {
		offsets[i] = w.writeDirectory(&directories[i])
	}
	return offsets
}

func (w *writer) directory(c *Class, newSet func([]Annotation) *annotationSet) directory {
	d := directory{class: newSet(c.annotations)}
	for _, f := range c.fields {
		if s := newSet(f.annotations); s != nil {
			d.fields = append(d.fields, member{w.pool.fields[f.id], s})
		}
	}
	for _, m := range c.methods {
		index := w.pool.methods[m.id]
		if s := newSet(m.annotations); s != nil {
			d.methods = append(d.methods, member{index, s})
		}
		if len(m.paramAnns) == 0 {
			continue
		}
		p := &paramSets{index: index}
		for _, list := range m.paramAnns {
			p.sets = append(p.sets, newSet(list))
		}
		d.params = append(d.params, p)
	}
	byIndex := func(a, b member) int { return cmp.Compare(a.index, b.index) }
	slices.SortFunc(d.fields, byIndex)
	slices.SortFunc(d.methods, byIndex)
	slices.SortFunc(d.params, func(a, b *paramSets) int { return cmp.Compare(a.index, b.index) })
	return d
}

func (w *writer) annotationSets(sets []*annotationSet) {
	for _, s := range sets {
		for _, a := range s.list {
			w.data(itemAnnotation, 1)
			s.items = append(s.items, len(w.out))
			w.u8(int(a.Visibility))
			w.annotation(a)
		}
	}
	for _, s := range sets {
		w.data(itemSet, 4)
		s.off = len(w.out)
		w.u32(len(s.items))
		for _, off := range s.items {
			w.u32(off)
		}
	}
}

func (s *annotationSet) place() int {
	if s == nil {
		return 0
	}
	return s.off
}

func (w *writer) setRefLists(params []*paramSets) {
	for _, p := range params {
		w.data(itemSetRefList, 4)
		p.off = len(w.out)
		w.u32(len(p.sets))
		for _, s := range p.sets {
			w.u32(s.place())
		}
	}
}

func (w *writer) writeDirectory(d *directory) int {
	if d.class == nil && len(d.fields)+len(d.methods)+len(d.params) == 0 {
		return 0
	}
	w.data(itemDirectory, 4)
	off := len(w.out)
	w.u32(d.class.place())
	w.u32(len(d.fields))
	w.u32(len(d.methods))
	w.u32(len(d.params))
	for _, list := range [][]member{d.fields, d.methods} {
		for _, m := range list {
			w.u32(int(m.index))
			w.u32(m.set.place())
		}
	}
	for _, p := range d.params {
		w.u32(int(p.index))
		w.u32(p.off)
	}
	return off
}
