package pointsto

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
)

// Arm is one way in which a callback comes to run: a post, start or
// registration of an effect on one receiver, a lifecycle callback of a
// component, or the general rule. The actions package makes actions of arms.
type Arm struct {
	Scope
	Effect   *platform.Effect    // nil for lifecycles and the general rule
	Life     *platform.Lifecycle // of lifecycle callbacks
	LifeCall int                 // index in Life.Callbacks; Instantiate for the constructor
	Host     node                // of driven objects
	General  bool                // by the general rule: not named by any model
	Unknown  bool                // by the general rule, registered with a dependency: thread unknown
	Receiver Obj                 // 0 for the platform's own actions
	Method   ir.MethodID         // the callback; 0 for the platform's own actions
	Name     string              // of the platform's own action, or of the selector
	Entries  []FuncID            // what a run executes, in order
}

// Instantiate is the LifeCall of the run of an object's constructor.
const Instantiate = -1

type armKey struct {
	f, in  FuncID
	v      ir.Value
	effect *platform.Effect
	life   *platform.Lifecycle
	call   int
	recv   Obj
	m      ir.MethodID
}

// arm records an arm, once, and reports whether it is new.
func (g *solver) arm(a Arm) (*Arm, bool) {
	if a.Method != 0 {
		a.Method = g.names.developer(a.Method)
	}
	key := armKey{a.Func, a.In, a.Site, a.Effect, a.Life, a.LifeCall, a.Receiver, a.Method}
	if old, ok := g.armKey[key]; ok {
		return old, false
	}
	n := &a
	g.armKey[key] = n
	g.arms = append(g.arms, n)
	return n, true
}

// own functions of the platform have no method: they only perform effects.
func (g *solver) synthetic() FuncID {
	g.funcs = append(g.funcs, Func{})
	g.callees = append(g.callees, nil)
	return FuncID(len(g.funcs) - 1)
}

// callback handles the effects that run something: at once or later.
func (g *solver) callback(s Scope, e *platform.Effect) {
	if e.Callback.Name == "" {
		g.ownAction(s, e)
		return
	}
	if e.Kind == platform.Register && g.isNull(s, e.Callback.Target) {
		g.nulls = append(g.nulls, EffectSite{s, e})
		return
	}
	g.attach(g.place(s, e.Callback.Target), &caller{s, e})
}

// isNull: the place is an argument that is the constant null.
func (g *solver) isNull(s Scope, p platform.Place) bool {
	if p.Base != platform.Arg || len(p.Slots) > 0 {
		return false
	}
	v := g.arg(s, p.Index)
	return v != 0 && g.funcs[s.Func].shape.body.Op[v] == ir.OpConstNull
}

// ownAction is an action of the platform itself, such as the layout of a list.
func (g *solver) ownAction(s Scope, e *platform.Effect) {
	in := g.synthetic()
	if e.Kind == platform.Call {
		g.call(Call{Caller: s.In, Site: s.Site, Callee: in, Self: -1})
	} else if a, fresh := g.arm(Arm{Scope: s, Effect: e, Name: e.Name}); fresh {
		a.Entries = []FuncID{in}
	}
	s.In = in
	g.perform(s, e.Do)
	g.perform(s, e.Then)
}

// caller runs a callback on each object that its target may be.
type caller struct {
	Scope
	e *platform.Effect
}

func (c *caller) grew(g *solver, fresh Set) {
	fresh.All(func(o Obj) bool { c.object(g, o); return true })
}

func (c *caller) object(g *solver, o Obj) {
	if c.e.Kind == platform.Call && g.modelledCall(c.Scope, c.e, o) {
		return
	}
	for _, sel := range g.meant(o, &c.e.Callback) {
		if t, ok := g.target(o, sel); ok {
			g.run(c.Scope, c.e, o, sel, t)
		}
	}
}

// modelledCall performs a call that a model makes of a method that is itself
// modelled, such as ListView.setAdapter by ListActivity.setListAdapter. It
// reports whether the method is the platform's.
func (g *solver) modelledCall(s Scope, e *platform.Effect, o Obj) bool {
	class := g.objects.info(o).Class
	if class == 0 || e.Callback.All {
		return false
	}
	for _, sel := range g.meant(o, &e.Callback) {
		if _, ok := g.target(o, sel); ok {
			return false // the app's own
		}
	}
	models := g.names.modelsNamed(g.prog.Classes[class].Name, e.Callback.Name, len(e.Callback.Args))
	key := modelCall{e, s.In, o}
	if len(models) == 0 || g.made[key] {
		return len(models) > 0
	}
	g.made[key] = true
	in := s
	in.this = g.holding(o)
	in.args = make([]node, len(e.Callback.Args))
	for i, a := range e.Callback.Args {
		in.args[i] = g.place(s, a)
	}
	for _, x := range models {
		g.perform(in, x.Effects)
	}
	return true
}

type modelCall struct {
	effect *platform.Effect
	in     FuncID
	o      Obj
}

// meant lists the selectors of a callback on an object.
func (g *solver) meant(o Obj, cb *platform.Callback) []ir.SelectorID {
	info := g.objects.info(o)
	switch {
	case info.Kind == LambdaObj:
		return []ir.SelectorID{g.lambdaOf(info).Sel}
	case info.Class == 0:
		return nil
	case cb.All:
		of := ir.ClassID(0)
		if cb.Type != "" {
			if of = g.prog.Lookup(cb.Type); of == 0 {
				return nil
			}
		}
		return g.names.overriding(info.Class, of)
	}
	return g.names.overridden(info.Class, g.names.selectors(cb))
}

// run makes a callback run on object o, at once or by an arm.
func (g *solver) run(s Scope, e *platform.Effect, o Obj, sel ir.SelectorID, t target) {
	var a *Arm
	if e.Kind != platform.Call {
		fresh := false
		a, fresh = g.arm(Arm{Scope: s, Effect: e, Receiver: o, Method: t.method, Name: g.prog.Selectors[sel].Name})
		if !fresh {
			return
		}
	}
	callee := g.entered(t.method, o)
	if callee == 0 {
		return
	}
	if e.Kind == platform.Call {
		c := Call{Caller: s.In, Site: s.Site, Callee: callee, Maybe: !e.Sure, Often: !e.Sure && often(&e.Callback), Self: self(&e.Callback)}
		fresh := g.call(c)
		g.modelCalls[c] = append(g.modelCalls[c], EffectSite{s, e})
		if !fresh {
			return
		}
	}
	if e.Inline {
		g.call(Call{Caller: s.In, Site: s.Site, Callee: callee, Inline: true, Self: self(&e.Callback)})
	}
	g.bindReceiver(callee, t, o)
	g.bindArgs(s, &e.Callback, callee, t, sel)
	for _, p := range e.Callback.Result {
		g.assign(s, p, g.returned(callee))
	}
	if a != nil {
		a.Entries = append(a.Entries, callee)
	}
	if len(e.Then) > 0 {
		g.then(s, e.Then, &e.Callback, a, callee)
	}
}

// then performs effects after the callback, in a function of their own.
func (g *solver) then(s Scope, es []platform.Effect, cb *platform.Callback, a *Arm, callee FuncID) {
	in := g.synthetic()
	if a != nil {
		a.Entries = append(a.Entries, in)
	} else {
		g.call(Call{Caller: s.In, Site: s.Site, Callee: in, Maybe: true, Often: often(cb), Self: -1})
	}
	s.In, s.result = in, g.returned(callee)
	g.perform(s, es)
}

// self is the argument of the modelled call on which a callback runs, see Call.Self.
func self(cb *platform.Callback) int8 {
	switch t := cb.Target; {
	case len(t.Slots) > 0:
	case t.Base == platform.This:
		return 1
	case t.Base == platform.Arg && t.Index < 100:
		return int8(t.Index + 2)
	}
	return -1
}

// often reports whether a callback at once may come several times: for each
// object of a container, or on each object that a slot holds.
func often(cb *platform.Callback) bool {
	each := func(p platform.Place) bool { return slices.Contains(p.Slots, "[]") }
	return len(cb.Target.Slots) > 0 || slices.ContainsFunc(cb.Args, each)
}

// bindArgs passes what the model says the callback's parameters receive.
func (g *solver) bindArgs(s Scope, cb *platform.Callback, callee FuncID, t target, sel ir.SelectorID) {
	for i, typ := range g.prog.Selectors[sel].Params {
		dst := g.param(callee, t.shift(1)+i)
		if dst == 0 {
			continue
		}
		switch {
		case cb.AnyArgs:
			if c := g.thisClass(s); c != 0 && typ != ir.TypeObject && g.prog.Types[typ].Class != 0 && g.prog.SubclassOf(c, g.prog.Types[typ].Class) {
				g.copy(dst, s.this, typ)
				continue
			}
			g.unknownParam(dst, callee, i, typ)
		case i < len(cb.Args) && cb.Args[i].Base != platform.Unknown:
			g.copy(dst, g.place(s, cb.Args[i]), filterOf(typ))
			if cb.Args[i].Base == platform.It { // what another component gives may be out of sight
				g.unknownParam(dst, callee, i, typ)
			}
		default:
			g.unknownParam(dst, callee, i, typ)
		}
	}
}

// filterOf is the filter for values passed to a variable of type t.
func filterOf(t ir.TypeID) ir.TypeID {
	if t == ir.TypeObject {
		return 0
	}
	return t
}

// thisClass is the static class of the receiver of the scope's call.
func (g *solver) thisClass(s Scope) ir.ClassID {
	if s.this == 0 || s.Site == 0 {
		return 0
	}
	b := g.funcs[s.Func].shape.body
	return g.prog.Types[b.Type[b.Arg(s.Site, 0)]].Class
}

// unknownParam gives a parameter that the platform fills some object of its
// type, unless it is an app type: then it holds what the app itself made.
func (g *solver) unknownParam(dst node, callee FuncID, i int, t ir.TypeID) {
	if c := g.prog.Types[t].Class; c != 0 && g.prog.Classes[c].Origin != ir.App {
		g.opaque(dst, callee, ir.Value(-1-i), t, "")
	}
}

// passed applies the general rule to one argument of a call to a method that
// has neither model nor code that we analyse.
func (g *solver) passed(p at, n node, m ir.MethodID, t ir.TypeID) {
	c := g.prog.Types[t].Class
	if c == 0 || c == ir.ClassObject || g.prog.Classes[c].Origin == ir.App || g.prog.Types[t].Kind != ir.Ref {
		return
	}
	g.attach(n, &passed{p, m, c})
}

// passed watches an argument of such a call; class is its declared class.
type passed struct {
	at
	m     ir.MethodID
	class ir.ClassID
}

func (p *passed) grew(g *solver, fresh Set) {
	fresh.All(func(o Obj) bool { p.object(g, o); return true })
}

func (p *passed) object(g *solver, o Obj) {
	info := g.objects.info(o)
	s := g.scope(p.f, p.v)
	if info.Kind == LambdaObj {
		sel := g.lambdaOf(info).Sel
		if t, ok := g.target(o, sel); ok {
			g.runGeneral(s, p, o, sel, t)
		}
		return
	}
	if info.Class == 0 || g.prog.Classes[info.Class].Origin != ir.App || g.names.lifecycleOf(info.Class) != nil && !g.names.adopted(info.Class, p.class) {
		return
	}
	for _, sel := range g.names.overriding(info.Class, p.class) {
		if t, ok := g.target(o, sel); ok {
			g.runGeneral(s, p, o, sel, t)
		}
	}
}

// runGeneral: a method calls back at once if the models say so of its package, or of
// that of the parameter's type (comparators, iterables); else one of the framework
// later, on the main looper, and one of a dependency later, on an unknown thread.
func (g *solver) runGeneral(s Scope, p *passed, o Obj, sel ir.SelectorID, t target) {
	owner := &g.prog.Classes[g.prog.Methods[p.m].Class]
	atOnce := owner.Origin == ir.Platform && g.Models.CallsAtOnce(owner.Name) || g.Models.CalledAtOnce(g.prog.Classes[p.class].Name)
	var a *Arm
	if !atOnce {
		fresh := false
		a, fresh = g.arm(Arm{Scope: s, General: true, Unknown: owner.Origin == ir.Dependency, Receiver: o, Method: t.method, Name: g.prog.Selectors[sel].Name})
		if !fresh {
			return
		}
	}
	callee := g.entered(t.method, o)
	if callee == 0 || a == nil && !g.call(Call{Caller: s.In, Site: s.Site, Callee: callee, Maybe: true, Often: true, Self: -1}) {
		return
	}
	if a != nil {
		a.Entries = append(a.Entries, callee)
	}
	g.bindReceiver(callee, t, o)
	for i, typ := range g.prog.Selectors[sel].Params {
		if dst := g.param(callee, t.shift(1)+i); dst != 0 {
			if s.this != 0 {
				g.copy(dst, s.this, filterOf(typ))
			}
			g.unknownParam(dst, callee, i, typ)
		}
	}
}
