package naming

import (
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Callback names the entry of an action so that the name survives edits: a
// lambda or anonymous class is named by where it stands, what it implements and
// its number among its equals there.
func (n *Names) Callback(x hb.ActionID) finding.Callback {
	c, ok := n.callbacks[x]
	if !ok {
		c = n.nameCallback(x)
		n.callbacks[x] = c
	}
	return c
}

// nameCallback finds the name that Callback keeps.
func (n *Names) nameCallback(x hb.ActionID) finding.Callback {
	arm := n.set.Actions[x].Arm
	switch {
	case arm == nil:
		return finding.Callback{Class: "process", Name: "class initialisation", Params: []string{}}
	case arm.Method == 0:
		return n.ownCallback(x, arm)
	}
	m := n.nest.forwarded(arm.Method)
	c := finding.Callback(n.Method(m))
	class := ""
	if arm.Receiver != 0 {
		o := n.pts.Object(arm.Receiver)
		if o.Kind == pointsto.LambdaObj || o.Class == n.prog.Methods[m].Class {
			class = n.nest.object(n.pts, arm.Receiver)
		}
		if o.Kind == pointsto.LambdaObj { // known by what it implements
			sel := &n.prog.Selectors[n.prog.Lambdas[n.pts.Body(o.Func).Aux[o.Site]].Sel]
			c.Name, c.Params = sel.Name, []string{}
			for _, t := range sel.Params {
				c.Params = append(c.Params, n.prog.TypeString(t))
			}
		}
	}
	if class == "" {
		class = n.nest.classOf(m)
	}
	c.Class = class
	return c
}

// ownCallback is an action of the platform itself: it is known by the class
// whose code asked for it, or by the component whose lifecycle it is of.
func (n *Names) ownCallback(x hb.ActionID, arm *pointsto.Arm) finding.Callback {
	class := "platform"
	if c := n.set.Actions[x].Component; c != 0 && arm.Life != nil {
		class = n.nest.class(n.set.Components[c].Class)
	}
	if n.pts.Body(arm.Func) != nil {
		h := n.nest.standsIn(madeAt{in: n.pts.Funcs[arm.Func].Method, frame: n.inlined(arm.Func, arm.Site)}, 0).home
		if class = h.gone; class == "" {
			class = n.nest.class(h.class)
		}
	}
	return finding.Callback{Class: class, Name: arm.Name, Params: []string{}}
}

// Action names an action as Access.Action: its callback and what made it
// run, where.
func (n *Names) Action(x hb.ActionID) string {
	name, known := n.actions[x]
	if !known {
		name = n.nameAction(x)
		n.actions[x] = name
	}
	return name
}

// nameAction finds the name that Action keeps.
func (n *Names) nameAction(x hb.ActionID) string {
	name := n.Callback(x).String()
	arm := n.set.Actions[x].Arm
	if arm == nil || arm.Life != nil {
		return name
	}
	if call := n.Call(arm.Func, arm.Site); call != "" {
		name += " by " + call + " in " + n.WrittenAt(arm.Func, arm.Site).String()
	}
	return name
}

// Callee is the method that an instruction calls, as the program resolves it; 0 if
// the instruction is no call.
func (n *Names) Callee(fn pointsto.FuncID, v ir.Value) ir.MethodID {
	b := n.pts.Body(fn)
	if b == nil || v <= 0 || int(v) >= b.Len() || b.Op[v] != ir.OpInvoke {
		return 0
	}
	return n.nest.resolve(ir.MethodID(b.Aux[v]))
}

// Call is the method that an instruction calls, in short: Handler.post. It is ""
// if the instruction is no call.
func (n *Names) Call(fn pointsto.FuncID, v ir.Value) string {
	id := n.Callee(fn, v)
	if id == 0 {
		return ""
	}
	m := &n.prog.Methods[id]
	class := strings.TrimSuffix(n.prog.Classes[m.Class].Name, companion)
	class = class[strings.LastIndexByte(class, '.')+1:]
	name := n.prog.Selectors[m.Sel].Name
	if w := n.prog.Written(id); w != nil {
		name = w.Name
	}
	if name != "<init>" {
		return class + "." + name
	}
	return "new " + class
}

// Called is a call as people write it: as Call names it, but without the class if
// the method is inherited from the platform by the class that calls it, or by one
// around that.
func (n *Names) Called(fn pointsto.FuncID, v ir.Value) string {
	name := n.Call(fn, v)
	m := n.Callee(fn, v)
	if m == 0 || strings.HasPrefix(name, "new ") {
		return name
	}
	if n.Inherits(fn, n.prog.Methods[m].Class) {
		return name[strings.LastIndexByte(name, '.')+1:]
	}
	return name
}

// Inherits reports whether code of fn can call the methods of a platform class by
// their names, as its class, or one around that, extends it.
func (n *Names) Inherits(fn pointsto.FuncID, class ir.ClassID) bool {
	m := n.pts.Funcs[fn].Method
	if m == 0 || n.prog.Classes[class].Origin != ir.Platform {
		return false
	}
	caller := n.nest.binaryOf(m)
	return slices.ContainsFunc(n.nest.families[ir.Outermost(caller)], func(c ir.ClassID) bool {
		around := n.prog.Classes[c].Name
		return (around == caller || strings.HasPrefix(caller, around+"$")) && n.prog.SubclassOf(c, class)
	})
}
