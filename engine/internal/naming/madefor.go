package naming

import (
	"strings"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

// place is the instruction v of method m as a place that makes an object.
func (n *nesting) place(m ir.MethodID, b *ir.Body, v ir.Value) madeAt {
	return madeAt{m, v, b.Line(v), n.madeFor(m, b, v), n.prog.Frame(b, v)}
}

// steps bounds how far an object is followed to the field it is made for.
const steps = 4

// madeFor is the field whose initial value v is, or is made with: the compiler
// copies the initialisers of fields into the constructors one after the other,
// so that only the field says which of them v stands in. Followed are calls that
// take v and whose result, or new object, is stored in turn:
//
//	adapter = new Adapter(new Listener() {...})
//
// It is 0 if v is made for no field of the class, or not by initialising code.
func (n *nesting) madeFor(m ir.MethodID, b *ir.Body, v ir.Value) ir.FieldID {
	name, class := n.name(m), n.prog.Methods[m].Class
	if f := n.prog.Frame(b, v); f != nil {
		name, class = f.Name, n.prog.Lookup(f.Class)
	}
	if !strings.HasPrefix(name, "<") {
		return 0
	}
	far := map[ir.Value]int{v: 0} // what holds v, after how many steps
	for u := v + 1; int(u) < b.Len(); u++ {
		d, ok := nearest(b, u, far)
		if !ok {
			continue
		}
		holder := u
		switch b.Op[u] {
		case ir.OpPutField, ir.OpPutStatic:
			value := b.Arg(u, b.NArgs(u)-1)
			_, held := far[value]
			if f := n.prog.ResolveField(ir.FieldID(b.Aux[u])); held && n.prog.Fields[f].Class == class {
				return f
			}
			continue
		case ir.OpPhi, ir.OpCheckCast: // the object itself
		case ir.OpNewLambda, ir.OpFilledArray:
			d++
		case ir.OpArrayPut:
			holder, d = b.Arg(u, 0), d+1
		case ir.OpInvoke:
			d++
			if b.Sub[u] == ir.Direct && n.name(ir.MethodID(b.Aux[u])) == "<init>" {
				if holder = b.Arg(u, 0); b.Op[holder] != ir.OpNew {
					continue // super(...) or this(...)
				}
			}
		default:
			continue
		}
		if _, known := far[holder]; !known && d <= steps {
			far[holder] = d
		}
	}
	return 0
}

// nearest is the least distance of the arguments of u that hold the object.
func nearest(b *ir.Body, u ir.Value, far map[ir.Value]int) (d int, ok bool) {
	for _, a := range b.ArgsOf(u) {
		if x, held := far[a]; held && (!ok || x < d) {
			d, ok = x, true
		}
	}
	return d, ok
}

// identity is what has no name in the one form that it has for all compilers:
// some make a class of each method reference, others one object for all equal
// ones, and each constructor has its copy of an initialiser.
func (n *nesting) identity(w unnamed) unnamed {
	if w.class == 0 || w.merged != 0 || !lambdaClass(n.prog.Classes[w.class].Name) {
		return w
	}
	same, ok := n.same[w.class]
	if !ok {
		if same = w; len(n.prog.Classes[w.class].Interfaces) > 0 {
			if t := n.forwards(w.class); t != 0 {
				same = unnamed{impl: t, iface: n.implements(w)}
			}
		}
		n.same[w.class] = same
	}
	return same
}

// forwards is the method that the class of a lambda only calls; 0 if the class
// does more.
func (n *nesting) forwards(c ir.ClassID) ir.MethodID {
	only := ir.MethodID(0)
	for _, m := range n.prog.Classes[c].Methods {
		if d := &n.prog.Methods[m]; !d.HasCode || d.Flags&ir.AccStatic != 0 || strings.HasPrefix(n.name(m), "<") {
			continue
		}
		t := n.onlyCall(m)
		if t == 0 || only != 0 {
			return 0
		}
		only = t
	}
	if only != 0 && n.prog.Methods[only].Flags&ir.AccSynthetic != 0 && strings.HasPrefix(n.name(only), "$") {
		if t := n.onlyCall(only); t != 0 { // a relay to what is private
			return t
		}
	}
	return only
}

// onlyCall is the one method that m calls, if m does nothing but hand on values.
func (n *nesting) onlyCall(m ir.MethodID) ir.MethodID {
	b, err := n.prog.Lift(m)
	if err != nil {
		return 0
	}
	only := ir.MethodID(0)
	for v := ir.Value(1); int(v) < b.Len(); v++ {
		switch b.Op[v] {
		case ir.OpParam, ir.OpGetField, ir.OpCheckCast, ir.OpNew, ir.OpReturn:
		case ir.OpInvoke:
			if only != 0 {
				return 0
			}
			only = n.resolve(ir.MethodID(b.Aux[v]))
		default:
			return 0
		}
	}
	return only
}
