package pointsto

import "github.com/eventraces/eventraces/engine/internal/ir"

// Constructed is the constant that the constructor called on a new object puts
// into one of its final fields: one that the constructor names, or that it is
// passed. ok is false if that is not plain.
func Constructed(p *ir.Program, b *ir.Body, object ir.Value, f ir.FieldID) (n int64, ok bool) {
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
		return stored(p, body, f, b, v)
	}
	return 0, false
}

// stored is the constant that the one put of f in a constructor stores, where
// call is its call in the caller.
func stored(p *ir.Program, b *ir.Body, f ir.FieldID, caller *ir.Body, call ir.Value) (n int64, ok bool) {
	for v := ir.Value(1); int(v) < b.Len(); v++ {
		if b.Op[v] != ir.OpPutField || p.ResolveField(ir.FieldID(b.Aux[v])) != f {
			continue
		}
		if on := b.Arg(v, 0); ok || b.Op[on] != ir.OpParam || b.Aux[on] != 0 {
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
