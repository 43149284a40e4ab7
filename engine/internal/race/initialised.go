package race

import (
	"github.com/eventraces/eventraces/engine/internal/flow"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// initialised: a constructor or static initialiser of the declaring class, or
// of a subclass, writes the field non-null.
func (st *stage) initialised(k pointsto.FieldKey) bool { return st.inits()[k] }

// findInits finds the fields that are initialised.
func (st *stage) findInits() map[pointsto.FieldKey]bool {
	inits := map[pointsto.FieldKey]bool{}
	c := &collector{s: st.s, r: st.r, p: st.p}
	nulls := flow.NewNulls(st.s)
	for fn := pointsto.FuncID(1); int(fn) < len(st.r.Funcs); fn++ {
		b := st.r.Body(fn)
		m := st.r.Funcs[fn].Method
		if b == nil || st.p.Methods[m].Flags&ir.AccConstructor == 0 {
			continue
		}
		for v := ir.Value(1); int(v) < b.Len(); v++ {
			if b.Op[v] == ir.OpPutField && !c.startedBefore(fn, b, v) || b.Op[v] == ir.OpPutStatic {
				if n := nulls.Of(0, fn, b.Arg(v, b.NArgs(v)-1)); n.Other {
					inits[st.r.FieldKeyOf(ir.FieldID(b.Aux[v]))] = true
				}
			}
		}
	}
	return inits
}
