package race

import (
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// initialised: a constructor or static initialiser of the declaring class, or
// of a subclass, writes the field non-null.
func (f *finder) initialised(k pointsto.FieldKey) bool {
	if f.inits == nil {
		f.inits = map[pointsto.FieldKey]bool{}
		c := &collector{s: f.s, r: f.r, p: f.p}
		for fn := pointsto.FuncID(1); int(fn) < len(f.r.Funcs); fn++ {
			b := f.r.Body(fn)
			m := f.r.Funcs[fn].Method
			if b == nil || f.p.Methods[m].Flags&ir.AccConstructor == 0 {
				continue
			}
			for v := ir.Value(1); int(v) < b.Len(); v++ {
				if b.Op[v] == ir.OpPutField && !c.startedBefore(fn, b, v) || b.Op[v] == ir.OpPutStatic {
					if n := f.facts.Nulls.Of(0, fn, b.Arg(v, b.NArgs(v)-1)); n.Other {
						f.inits[f.r.FieldKeyOf(ir.FieldID(b.Aux[v]))] = true
					}
				}
			}
		}
	}
	return f.inits[k]
}
