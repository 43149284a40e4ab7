package ir_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

func (f *frame) lock(v ir.Value) error {
	on := f.arg(v, 0)
	if on == nil {
		return f.null()
	}
	if f.b.Op[v] == ir.OpMonitorEnter {
		f.m.locks[on]++
	} else if f.m.locks[on]--; f.m.locks[on] < 0 {
		return errors.New("lock is given back that is not held")
	}
	return nil
}

func (f *frame) field(v ir.Value) error {
	m, b := f.m, f.b
	ref := ir.FieldID(b.Aux[v])
	id := m.p.ResolveField(ref)
	typ := m.p.Fields[ref].Type
	switch b.Op[v] {
	case ir.OpGetStatic, ir.OpPutStatic:
		if id == 0 || m.p.Classes[m.p.Fields[id].Class].Origin != ir.App {
			return f.libraryField(v)
		}
		if err := m.initialise(m.p.Fields[id].Class); err != nil {
			return err
		}
		if b.Op[v] == ir.OpPutStatic {
			m.statics[id] = fit(typ, f.arg(v, 0))
			return nil
		}
		f.vals[v] = m.statics[id]
		return nil
	}
	obj, _ := f.arg(v, 0).(*object)
	if obj == nil {
		return f.null()
	}
	if b.Op[v] == ir.OpPutField {
		obj.fields[id] = fit(typ, f.arg(v, 1))
		return nil
	}
	var there bool
	if f.vals[v], there = obj.fields[id]; !there {
		f.vals[v] = zero(m.p, typ)
	}
	return nil
}

// libraryField knows the static fields of the library that javac uses.
func (f *frame) libraryField(v ir.Value) error {
	name := f.m.p.FieldString(ir.FieldID(f.b.Aux[v]))
	box, isType := strings.CutSuffix(name, ".TYPE")
	if !isType || f.b.Op[v] != ir.OpGetStatic {
		return fmt.Errorf("field %s is not known", name)
	}
	of := map[string]ir.TypeID{"java.lang.Integer": ir.TypeInt, "java.lang.Long": ir.TypeLong}
	f.vals[v] = classValue(of[box])
	return nil
}

func (f *frame) array(v ir.Value) error {
	m, b := f.m, f.b
	switch b.Op[v] {
	case ir.OpNewArray:
		a, err := m.newArray(ir.TypeID(b.Aux[v]), f.arg(v, 0).(int32))
		f.vals[v] = a
		return err
	case ir.OpFilledArray:
		f.vals[v] = &array{ir.TypeID(b.Aux[v]), f.argList(v)}
		return nil
	}
	a, _ := f.arg(v, 0).(*array)
	if a == nil {
		return f.null()
	}
	elem := m.p.Types[a.typ].Elem
	switch b.Op[v] {
	case ir.OpArrayLength:
		f.vals[v] = int32(len(a.elems))
		return nil
	case ir.OpFillData:
		return fillArray(m.p, a, b, v)
	}
	i := f.arg(v, 1).(int32)
	if i < 0 || int(i) >= len(a.elems) {
		return m.throw("java.lang.ArrayIndexOutOfBoundsException", "")
	}
	if b.Op[v] == ir.OpArrayGet {
		f.vals[v] = a.elems[i]
		return nil
	}
	x := f.arg(v, 2)
	if m.p.Types[elem].Kind.Reference() && x != nil && !m.isType(x, elem) {
		return m.throw("java.lang.ArrayStoreException", "")
	}
	a.elems[i] = fit(elem, x)
	return nil
}

func fillArray(p *ir.Program, a *array, b *ir.Body, v ir.Value) error {
	width, data := b.FillData(v)
	elem := p.Types[a.typ].Elem
	for i := range len(data) / width {
		bits := int64(0)
		for k := range width {
			bits |= int64(data[i*width+k]) << (8 * k)
		}
		shift := 64 - 8*width
		a.elems[i] = fit(elem, number(p, elem, bits<<shift>>shift))
	}
	return nil
}

func (m *machine) newArray(t ir.TypeID, n int32) (*array, error) {
	if n < 0 {
		return nil, m.throw("java.lang.NegativeArraySizeException", "")
	}
	a := &array{typ: t, elems: make([]any, n)}
	for i := range a.elems {
		a.elems[i] = zero(m.p, m.p.Types[t].Elem)
	}
	return a, nil
}
