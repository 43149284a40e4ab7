package naming

import (
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// R8 merges lambdas and anonymous classes of one shape into one class, whose
// objects hold a number in a field of this name; each method switches over it.
const mergedField = "$r8$classId"

// merged is one more than the number with which code makes an object of a class
// that R8 has merged; 0 for another class, or if the number is not plain.
func (n *nesting) merged(b *ir.Body, v ir.Value, c ir.ClassID) int64 {
	for _, f := range n.prog.Classes[c].Fields {
		if n.prog.Fields[f].Name == mergedField {
			if id, ok := pointsto.Constructed(n.prog, n.models, b, v, f); ok {
				return id + 1
			}
		}
	}
	return 0
}

// mergedIn is merged for the object that the class itself keeps in a static
// field: that of a lambda that captures nothing.
func (n *nesting) mergedIn(f ir.FieldID) int64 {
	c := n.prog.Fields[f].Class
	for _, m := range n.prog.Classes[c].Methods {
		if n.name(m) != "<clinit>" || !n.prog.Methods[m].HasCode {
			continue
		}
		b, err := n.prog.Lift(m)
		if err != nil {
			return 0
		}
		for v := ir.Value(1); int(v) < b.Len(); v++ {
			if b.Op[v] != ir.OpPutStatic || b.Op[b.Arg(v, 0)] != ir.OpNew {
				continue
			}
			if n.prog.ResolveField(ir.FieldID(b.Aux[v])) == f {
				return n.merged(b, b.Arg(v, 0), c)
			}
		}
	}
	return 0
}

// madeByItself is the stable class name of an object that its own class makes:
// one of several that R8 has merged, where the code that takes it stands.
func (n *nesting) madeByItself(w unnamed) string {
	if w.merged == 0 {
		return ""
	}
	n.scanOf(w.class)
	s, ok := n.first[w]
	if !ok {
		return ""
	}
	return n.nested(homeOf{w, n.standsAt(w, s).home})
}
