package naming

import (
	"slices"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Within says where code that an action runs stands, seen from the action.
type Within struct {
	Callback bool           // in the action's own callback; Method is not set
	Lambda   bool           // in a lambda that stands in Method, not in Method itself
	Method   finding.Method // the method of the source
}

// Within says where the code of method m stands, which action x runs.
func (n *Names) Within(x hb.ActionID, m ir.MethodID) Within {
	if n.nest.isBody(m) {
		n.nest.home(m) // finds what relays to it
		if arm := n.set.Actions[x].Arm; arm != nil && (arm.Method == m || n.relaysTo(arm.Method, m)) {
			return Within{Callback: true}
		}
		return Within{Lambda: true, Method: n.Written(m)}
	}
	own := n.Method(m)
	if own.Class = n.nest.classOf(m); own.Short() == n.Callback(x).Short() {
		return Within{Callback: true}
	}
	return Within{Method: own}
}

// WithinAt says where an instruction stands, which action x runs: Within, but
// code that was inlined stands in the method that it was inlined from.
func (n *Names) WithinAt(x hb.ActionID, f pointsto.FuncID, v ir.Value) Within {
	m := n.pts.Funcs[f].Method
	if m == 0 {
		return Within{Callback: true}
	}
	frame := n.inlined(f, v)
	if frame == nil {
		return n.Within(x, m)
	}
	_, lambda := ir.LambdaHome(frame.Name)
	switch arm := n.set.Actions[x].Arm; {
	case !lambda && frame.Name != n.nest.name(m): // else of a class that may be merged of several
		return Within{Method: n.WrittenAt(f, v)}
	case arm != nil && arm.Method == m:
		return Within{Callback: true}
	}
	return n.Within(x, m)
}

// relaysTo reports whether a compiler made method m to call the body of a lambda.
func (n *Names) relaysTo(m, body ir.MethodID) bool {
	if m == 0 || !n.Forwards(m) {
		return false
	}
	return slices.ContainsFunc(n.nest.bodies[body], func(w unnamed) bool { return w.class == n.prog.Methods[m].Class })
}
