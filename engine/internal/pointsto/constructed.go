package pointsto

import (
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
)

// Constructed is the constant that the constructor called on a new object puts
// into one of its final fields: one that the constructor names, or that it is
// passed. ok is false if that is not plain, or if somebody may read the field before
// it has its number.
func Constructed(p *ir.Program, models *platform.Models, b *ir.Body, object ir.Value, f ir.FieldID) (n int64, ok bool) {
	for v := ir.Value(1); int(v) < b.Len(); v++ {
		if b.Op[v] != ir.OpInvoke || b.NArgs(v) == 0 || b.Arg(v, 0) != object {
			continue
		}
		m := p.ResolveMethod(ir.MethodID(b.Aux[v]))
		if m == 0 || p.Selectors[p.Methods[m].Sel].Name != "<init>" || !p.Methods[m].HasCode {
			continue
		}
		body, err := p.Lift(m)
		if err != nil {
			return 0, false
		}
		k := constructors{p, models}
		return k.stored(body, f, b, v)
	}
	return 0, false
}

// constructors reads constructors.
type constructors struct {
	p      *ir.Program
	models *platform.Models
}

// stored is the constant that the one put of f in a constructor stores, where
// call is its call in the caller.
func (k constructors) stored(b *ir.Body, f ir.FieldID, caller *ir.Body, call ir.Value) (n int64, ok bool) {
	for v := ir.Value(1); int(v) < b.Len(); v++ {
		if b.Op[v] != ir.OpPutField || k.p.ResolveField(ir.FieldID(b.Aux[v])) != f {
			continue
		}
		if on := b.Arg(v, 0); ok || b.Op[on] != ir.OpParam || b.Aux[on] != 0 || k.seenBefore(b, on, v, f) {
			return 0, false
		}
		x := b.Arg(v, 1)
		if b.Op[x] == ir.OpParam && int(b.Aux[x]) < caller.NArgs(call) {
			n, ok = Constant(caller, caller.Arg(call, int(b.Aux[x])))
		} else {
			n, ok = Constant(b, x)
		}
		if !ok {
			return 0, false
		}
	}
	return n, ok
}

// seenBefore reports whether a constructor may hand on its object, or read the field,
// before it puts the number there. put is the instruction that puts it, 0 for a
// constructor of a superclass, which does not.
func (k constructors) seenBefore(b *ir.Body, object, put ir.Value, f ir.FieldID) bool {
	end := ir.Value(b.Len())
	if put != 0 && b.BlockOf(put) == 0 {
		end = put
	}
	for v := object + 1; v < end; v++ {
		for i, a := range b.ArgsOf(v) {
			if a == object && !k.keeps(b, v, i, f) {
				return true
			}
		}
	}
	return false
}

// keeps reports whether v does not hand on its argument i, the object of a constructor,
// to where the field f of that is read.
func (k constructors) keeps(b *ir.Body, v ir.Value, i int, f ir.FieldID) bool {
	switch b.Op[v] {
	case ir.OpPutField:
		return i == 0
	case ir.OpGetField:
		return k.p.ResolveField(ir.FieldID(b.Aux[v])) != f
	case ir.OpInvoke:
		ref := ir.MethodID(b.Aux[v])
		if i > 0 || k.p.Selectors[k.p.Methods[ref].Sel].Name != "<init>" {
			return false
		}
		m := k.p.ResolveMethod(ref)
		if m == 0 {
			m = ref
		}
		if !k.p.Methods[m].HasCode { // others may call what classes override
			return k.models.PlainConstructors(k.p.Classes[k.p.Methods[m].Class].Name)
		}
		super, err := k.p.Lift(m)
		return err == nil && super.Len() > 1 && super.Op[1] == ir.OpParam && !k.seenBefore(super, 1, 0, f)
	}
	return false
}
