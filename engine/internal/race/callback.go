package race

import (
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// naming is made when the first name is asked for.
func (f *finder) naming() *naming {
	if f.names == nil {
		f.names = newNaming(f.p, f.r.Models)
	}
	return f.names
}

// callback names the entry of an action so that the name survives edits: a
// lambda or anonymous class is named by where it stands, what it implements and
// its number among its equals there.
func (f *finder) callback(x hb.ActionID) finding.Callback {
	n := f.naming()
	c, ok := n.callbacks[x]
	if !ok {
		c = f.nameCallback(x)
		n.callbacks[x] = c
	}
	return c
}

func (f *finder) nameCallback(x hb.ActionID) finding.Callback {
	arm := f.s.Actions[x].Arm
	switch {
	case arm == nil:
		return finding.Callback{Class: "process", Name: "class initialisation", Params: []string{}}
	case arm.Method == 0:
		return f.ownCallback(x, arm)
	}
	m := f.naming().forwarded(arm.Method)
	c := finding.Callback(f.method(m))
	class := ""
	if arm.Receiver != 0 {
		o := f.r.Object(arm.Receiver)
		if o.Kind == pointsto.LambdaObj || o.Class == f.p.Methods[m].Class {
			class = f.naming().object(f.r, arm.Receiver)
		}
		if o.Kind == pointsto.LambdaObj { // known by what it implements
			sel := &f.p.Selectors[f.p.Lambdas[f.r.Body(o.Func).Aux[o.Site]].Sel]
			c.Name, c.Params = sel.Name, []string{}
			for _, t := range sel.Params {
				c.Params = append(c.Params, f.p.TypeString(t))
			}
		}
	}
	if class == "" {
		class = f.naming().classOf(m)
	}
	c.Class = class
	return c
}

// ownCallback is an action of the platform itself: it is known by the class
// whose code asked for it, or by the component whose lifecycle it is of.
func (f *finder) ownCallback(x hb.ActionID, arm *pointsto.Arm) finding.Callback {
	class := "platform"
	if c := f.s.Actions[x].Component; c != 0 && arm.Life != nil {
		class = f.naming().class(f.s.Components[c].Class)
	}
	if f.r.Body(arm.Func) != nil {
		h := f.naming().standsIn(madeAt{in: f.r.Funcs[arm.Func].Method, frame: f.inlined(arm.Func, arm.Site)}, 0).home
		if class = h.gone; class == "" {
			class = f.naming().class(h.class)
		}
	}
	return finding.Callback{Class: class, Name: arm.Name, Params: []string{}}
}

// actionName names an action as Access.Action: its callback and what made it
// run, where.
func (f *finder) actionName(x hb.ActionID) string {
	name := f.callback(x).String()
	arm := f.s.Actions[x].Arm
	if arm == nil || arm.Life != nil {
		return name
	}
	if call := f.callName(arm.Func, arm.Site); call != "" {
		name += " by " + call + " in " + f.writtenAt(arm.Func, arm.Site).String()
	}
	return name
}

// callName is the method that an instruction calls, in short.
func (f *finder) callName(fn pointsto.FuncID, v ir.Value) string {
	b := f.r.Body(fn)
	if b == nil || v <= 0 || int(v) >= b.Len() || b.Op[v] != ir.OpInvoke {
		return ""
	}
	id := f.naming().resolve(ir.MethodID(b.Aux[v]))
	m := &f.p.Methods[id]
	class := strings.TrimSuffix(f.p.Classes[m.Class].Name, companion)
	class = class[strings.LastIndexByte(class, '.')+1:]
	name := f.p.Selectors[m.Sel].Name
	if w := f.p.Written(id); w != nil {
		name = w.Name
	}
	if name != "<init>" {
		return class + "." + name
	}
	return "new " + class
}

// called is a call as people write it: callName, but without the class if the
// method is inherited from the platform by the class that calls it, or by one
// around that.
func (f *finder) called(fn pointsto.FuncID, v ir.Value) string {
	name := f.callName(fn, v)
	m := f.invoked(fn, v)
	if m == 0 || strings.HasPrefix(name, "new ") {
		return name
	}
	if f.inherits(fn, f.p.Methods[f.naming().resolve(m)].Class) {
		return name[strings.LastIndexByte(name, '.')+1:]
	}
	return name
}

// inherits: code of fn can call the methods of a platform class by their names,
// as its class, or one around that, extends it.
func (f *finder) inherits(fn pointsto.FuncID, class ir.ClassID) bool {
	m := f.r.Funcs[fn].Method
	if m == 0 || f.p.Classes[class].Origin != ir.Platform {
		return false
	}
	caller := f.p.Classes[f.p.Methods[m].Class].Name
	return slices.ContainsFunc(f.naming().families[outermost(caller)], func(c ir.ClassID) bool {
		around := f.p.Classes[c].Name
		return (around == caller || strings.HasPrefix(caller, around+"$")) && f.p.SubclassOf(c, class)
	})
}

// written is the method of the source that holds the code of m: for the body of
// a lambda, the method in which the lambda stands.
func (f *finder) written(m ir.MethodID) finding.Method {
	n := f.naming()
	if !n.isBody(m) {
		return f.method(m)
	}
	return f.writtenHome(n.home(m).home)
}

func (f *finder) writtenHome(h home) finding.Method {
	out := f.naming().method(h)
	out.Class = strings.TrimSuffix(f.naming().className(h), companion)
	return out
}
