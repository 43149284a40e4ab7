package tell

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// endings is what is known of the end of what asks for an action.
type endings struct {
	call  string                 // that ends it: Handler.removeMessages(1); "" if no model tells one
	of    ir.ClassID             // whose method that is
	by    *platform.Effect       // of that call; nil if it is the same method with null
	sites []*pointsto.EffectSite // that may end it
}

// ending names the call that ends what has posted or registered action x, as
// code of fn writes it: Handler.removeMessages(1). It is "" if no model tells one.
func (t *Teller) ending(x hb.ActionID, fn pointsto.FuncID) string {
	e := t.endingsOf(x)
	if e.call != "" && t.names.Inherits(fn, e.of) {
		return e.call[strings.IndexByte(e.call, '.')+1:]
	}
	return e.call
}

func (t *Teller) endingsOf(x hb.ActionID) endings {
	e, ok := t.endings[x]
	if !ok {
		if e.call, e.of, e.by = t.endingCall(x); e.call != "" {
			e.sites = t.ends(x)
		}
		t.endings[x] = e
	}
	return e
}

func (t *Teller) endingCall(x hb.ActionID) (call string, of ir.ClassID, by *platform.Effect) {
	arm := t.set.Actions[x].Arm
	if !t.asked(x) {
		return "", 0, nil
	}
	ref := t.invoked(arm.Func, arm.Site)
	method := t.pts.Models.Arming(arm.Effect)
	if ref == 0 || method == nil {
		return "", 0, nil
	}
	on := t.prog.Classes[t.prog.Methods[ref].Class].Name
	ends := t.pts.Models.Endings(t.pts.Supers, method, on, arm.Effect)
	if len(ends) == 0 {
		return "", 0, nil
	}
	e := ends[0]
	if e.Effect != nil && len(e.Effect.On) > 0 && t.set.Actions[x].Queue == t.set.Main() {
		return "", 0, nil // the main looper goes on
	}
	of = t.prog.Lookup(e.Method.Class)
	class := e.Method.Class[strings.LastIndexByte(e.Method.Class, '.')+1:]
	if own, _, ok := strings.Cut(t.names.Call(arm.Func, arm.Site), "."); ok && e.Near {
		of, class = t.prog.Methods[t.names.Callee(arm.Func, arm.Site)].Class, own
	}
	name := class + "." + e.Method.Name
	switch {
	case e.Effect == nil:
		name += "(null)"
	case !e.Effect.Code.Zero() && t.set.Actions[x].Code.Known && len(e.Method.Params) == 1:
		name = fmt.Sprintf("%s(%d)", name, t.set.Actions[x].Code.Number)
	}
	return name, of, e.Effect
}

// asked: the app has asked for the action by a call that a model describes.
func (t *Teller) asked(x hb.ActionID) bool {
	a := &t.set.Actions[x]
	return a.Arm != nil && a.Arm.Life == nil && a.Arm.Effect != nil && a.Kind != hb.KindGUI && t.invoked(a.Arm.Func, a.Arm.Site) != 0
}

// invoked is the method that a call names, 0 if the instruction is no call.
func (t *Teller) invoked(fn pointsto.FuncID, v ir.Value) ir.MethodID {
	b := t.pts.Body(fn)
	if b == nil || v <= 0 || int(v) >= b.Len() || b.Op[v] != ir.OpInvoke {
		return 0
	}
	return ir.MethodID(b.Aux[v])
}

// ends lists the places that may end what has posted or registered action x.
func (t *Teller) ends(x hb.ActionID) []*pointsto.EffectSite {
	var out []*pointsto.EffectSite
	for _, e := range t.ended {
		if t.set.ByFunc[e.In] != nil && t.mayEnd(e, x) {
			out = append(out, e)
		}
	}
	for i := range t.pts.Nulls {
		e := &t.pts.Nulls[i]
		if t.set.ByFunc[e.In] != nil && t.mayReplace(e, x) {
			out = append(out, e)
		}
	}
	return out
}

func (t *Teller) mayEnd(e *pointsto.EffectSite, x hb.ActionID) bool {
	arm := t.set.Actions[x].Arm
	c, by := e.Effect, arm.Effect
	if (c.Kind == platform.Unregister) != (by.Kind == platform.Register) {
		return false
	}
	named := false
	for _, place := range [][2]platform.Place{{c.Handle, by.Handle}, {c.Via, by.Via}} {
		if place[0].Zero() {
			continue
		}
		if place[1].Zero() || !t.pts.Eval(e.Scope, place[0]).Intersects(t.pts.Eval(arm.Scope, place[1])) {
			return false
		}
		named = true
	}
	if !c.Code.Zero() {
		n, known := t.pts.Number(e.Scope, c.Code)
		if code := t.set.Actions[x].Code; known && code.Known && n != code.Number {
			return false
		}
	}
	return named
}

// mayReplace: a call puts null into the slot that the registration lives in.
func (t *Teller) mayReplace(e *pointsto.EffectSite, x hb.ActionID) bool {
	arm := t.set.Actions[x].Arm
	in, by := e.Effect.In, arm.Effect.In
	if in.Zero() || by.Zero() || len(in.Slots) == 0 || len(by.Slots) == 0 || in.Slots[len(in.Slots)-1] != by.Slots[len(by.Slots)-1] {
		return false
	}
	in.Slots, by.Slots = in.Slots[:len(in.Slots)-1], by.Slots[:len(by.Slots)-1]
	return t.pts.Eval(e.Scope, in).Intersects(t.pts.Eval(arm.Scope, by))
}

// armedLater: what asks for runs of y may do so after x, or is x itself: ending
// them in x is not enough, or too much.
func (t *Teller) armedLater(x, y hb.ActionID) bool {
	arm := t.set.Actions[y].Arm
	for _, c := range t.set.Actions[y].Causes {
		p := &t.set.Model.Points[c]
		if by := t.set.Actions[p.Action].Arm; arm.In != arm.Func && by != nil && by.In == by.Func && p.Action != y {
			// What a task posts when done: an ended task posts no more.
			if t.armedLater(x, p.Action) {
				return true
			}
			continue
		}
		z := &t.set.Actions[p.Action]
		switch {
		case p.Action == y:
		case p.Action == x, !t.graph.SameLooper(p.Action, x, hb.SameInstance):
			return true
		case z.Kind == hb.KindLifecycle || z.Kind == hb.KindProcess:
		case t.graph.Before(p.Action, x, hb.SameInstance):
		case t.set.Actions[x].Kind == hb.KindLifecycle && z.Component != 0 && z.Component == t.set.Actions[x].Component && z.Callback >= 0:
			if t.graph.MayFollow(x, p.Action) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// endBefore says how to end action y in the run of a side, before that does
// what the text says. It is "" if no call would do.
func (t *Teller) endBefore(first side, y hb.ActionID, does string) string {
	x := first.Action
	if does += " (" + first.whole() + ")"; t.pts.Funcs[first.Func].Method == 0 {
		does = "returns" // the platform does it afterwards
	}
	name := t.ending(y, first.Func)
	if name == "" || x == y || t.armedLater(x, y) {
		return ""
	}
	a, b := t.set.Actions[x].Arm, t.set.Actions[y].Arm
	if a != nil && a.Func == b.Func && a.Site == b.Site && a.Effect != nil && a.Effect.Kind == platform.Register {
		return "" // one registration for both
	}
	in, what := first.name, "what"
	call, _ := t.call(y)
	if !t.oneOfEach(y) {
		what = "all that"
	}
	ends := t.endingsOf(y).sites
	for _, e := range ends {
		if !t.set.ByFunc[e.In].Has(int(x)) {
			continue
		}
		at := actions.SiteOf(e.In, e.Site)
		own := fmt.Sprintf("%s (%s)", t.names.Called(e.Func, e.Site), t.spot(e))
		switch {
		case !t.oneOfEach(y):
			return fmt.Sprintf("Let %s end all that %s has begun, not only the last, before it %s.", own, call, does)
		case t.set.Always(x, at) || t.set.Dominates(x, at, first.Site()) || t.set.AlwaysAfter(x, first.Site(), []hb.Site{at}):
			return "" // called, and yet it does not end what it should
		}
		return fmt.Sprintf("Call %s on every path through %s, not only on some, to end what %s has begun.", own, in, call)
	}
	if class, ok := strings.CutSuffix(in, "."+t.names.Callback(x).Name); ok && len(ends) == 0 && a != nil && a.Life != nil && a.Method == 0 {
		return fmt.Sprintf("Override %s in %s and call %s there, to end %s %s has begun%s.", t.names.Callback(x).Name, class, name, what, call, t.misses(x, y, name))
	}
	if len(ends) == 0 {
		return fmt.Sprintf("Call %s in %s before it %s, to end %s %s has begun%s.", name, in, does, what, call, t.misses(x, y, name))
	}
	e := ends[0]
	other := t.names.Written(t.pts.Funcs[e.Func].Method).Short()
	if b.Effect.Kind == platform.Register {
		undo := "the callback that undoes " + in
		if name := undoneBy(a); name != "" {
			undo = strings.TrimSuffix(in, a.Name) + name
		}
		return fmt.Sprintf("Move %s (%s) from %s to %s, before it %s, and %s into %s.", t.names.Called(e.Func, e.Site), t.spot(e), other, in, does, call, undo)
	}
	return fmt.Sprintf("Call %s in %s too, before it %s, to end %s %s has begun: today only %s does (%s).", name, in, does, what, call, other, t.spot(e))
}

// misses adds why the calls of this name that action x makes already do not end
// what asks for y, and that the object by which that is ended must be kept.
func (t *Teller) misses(x, y hb.ActionID, name string) string {
	arm, keep := t.set.Actions[y].Arm, ""
	if by := t.endingsOf(y).by; by != nil && !by.Handle.Zero() && t.madeInPlace(arm.Func, arm.Site, arm.Effect.Handle) {
		keep = t.handleKind(arm.Func, arm.Site, arm.Effect.Handle)
	}
	method, _, _ := strings.Cut(name[strings.LastIndexByte(name, '.')+1:], "(")
	best, told := miss{}, ""
	for _, e := range t.ended {
		m := t.invoked(e.Func, e.Site)
		if !t.set.ByFunc[e.In].Has(int(x)) || m == 0 || t.prog.Selectors[t.prog.Methods[m].Sel].Name != method {
			continue
		}
		class, _, ok := strings.Cut(t.names.Called(e.Func, e.Site), ".")
		if own, _, named := strings.Cut(name, "."); ok && named && class != own {
			continue // a method of this name elsewhere
		}
		if why := t.missOf(e, y); best.rank == 0 || why.rank < best.rank {
			best, told = why, t.spot(e)
		}
	}
	switch {
	case best.rank > 0 && keep != "":
		return fmt.Sprintf(": %s %s, so keep the %s of %s in a field", told, best.text, keep, t.names.Position(arm.Func, arm.Site).Spot())
	case best.rank > 0:
		return fmt.Sprintf(": %s %s", told, best.text)
	case keep != "":
		return "; keep the " + keep + " in a field for that"
	}
	return ""
}

// miss says why a call does not end what it might, the lower its rank the
// nearer it comes to that.
type miss struct {
	rank int
	text string
}

func (t *Teller) missOf(e *pointsto.EffectSite, y hb.ActionID) miss {
	arm := t.set.Actions[y].Arm
	same := func(a, b platform.Place) bool {
		return a.Zero() || !b.Zero() && t.pts.Eval(e.Scope, a).Intersects(t.pts.Eval(arm.Scope, b))
	}
	via, handle := same(e.Effect.Via, arm.Effect.Via), same(e.Effect.Handle, arm.Effect.Handle)
	switch {
	case via && handle:
		return miss{1, "names another code"}
	case handle && !e.Effect.Handle.Zero():
		return miss{2, "is called on another " + t.handleKind(e.Func, e.Site, platform.Place{Base: platform.This})}
	}
	rank := 4
	if t.madeInPlace(e.Func, e.Site, e.Effect.Handle) {
		rank = 3 // it never was anybody else's
	}
	return miss{rank, "ends another " + t.handleKind(e.Func, e.Site, e.Effect.Handle)}
}

// handleKind is the type of what a call is passed or called on, for sentences:
// Runnable.
func (t *Teller) handleKind(fn pointsto.FuncID, site ir.Value, of platform.Place) string {
	params := t.prog.Selectors[t.prog.Methods[t.invoked(fn, site)].Sel].Params
	if of.Base == platform.Arg && of.Index < len(params) {
		kind := t.prog.TypeString(params[of.Index])
		return kind[strings.LastIndexAny(kind, ".$")+1:]
	}
	if class, _, ok := strings.Cut(t.names.Called(fn, site), "."); ok {
		return class
	}
	return "object"
}

// madeInPlace: what a place of a call holds is made for the call, and no field
// or array keeps it.
func (t *Teller) madeInPlace(fn pointsto.FuncID, site ir.Value, of platform.Place) bool {
	b, m := t.pts.Body(fn), t.invoked(fn, site)
	if m == 0 || len(of.Slots) > 0 {
		return false
	}
	i := 0
	switch {
	case of.Base == platform.Arg && b.Sub[site] == ir.Static:
		i = of.Index
	case of.Base == platform.Arg:
		i = of.Index + 1
	case of.Base != platform.This || b.Sub[site] == ir.Static:
		return false
	}
	if i >= b.NArgs(site) {
		return false
	}
	v := b.Arg(site, i)
	for b.Op[v] == ir.OpCheckCast {
		v = b.Arg(v, 0)
	}
	if b.Op[v] != ir.OpNew && b.Op[v] != ir.OpNewLambda {
		return false
	}
	for u := ir.Value(1); int(u) < b.Len(); u++ {
		switch b.Op[u] {
		case ir.OpPutField, ir.OpPutStatic, ir.OpArrayPut:
			if b.Arg(u, b.NArgs(u)-1) == v {
				return false
			}
		case ir.OpReturn:
			if b.NArgs(u) > 0 && b.Arg(u, 0) == v {
				return false
			}
		}
	}
	return true
}

// oneOfEach: the object that stands for what asks for action x is one for each
// component instance, so that one call ends it.
func (t *Teller) oneOfEach(x hb.ActionID) bool {
	arm := t.set.Actions[x].Arm
	for _, place := range []platform.Place{arm.Effect.Handle, arm.Effect.Via} {
		if place.Zero() {
			continue
		}
		o := t.pts.Eval(arm.Scope, place).One()
		if o != 0 {
			if w := t.set.OwnerOf(o); w.Unique && (w.Scope == hb.ScopeInstance || w.Scope == hb.ScopeProcess) {
				return true
			}
		}
		if !arm.Effect.Code.Zero() {
			continue // known by its code
		}
		return false
	}
	return true
}

func (t *Teller) spot(e *pointsto.EffectSite) string { return t.names.Position(e.Func, e.Site).Spot() }

// lastCallback is the first callback of the life that x is of after which y, its
// input or another callback of it, cannot come any more. It is "" if there is
// none or x is that.
func (t *Teller) lastCallback(x, y hb.ActionID) string {
	arm, other := t.set.Actions[x].Arm, t.set.Actions[y].Arm
	if arm == nil || arm.Life == nil || t.set.Actions[x].Kind != hb.KindLifecycle || arm.LifeCall < 0 || other == nil {
		return ""
	}
	if other.Life != arm.Life && t.set.Actions[y].Kind != hb.KindGUI {
		return ""
	}
	for _, t := range arm.Life.Transitions {
		for _, c := range t.Calls {
			if states := arm.Life.ReachedBy(c); len(states) == 0 || slices.Contains(states, t.From) || comesIn(arm.Life, states, other) {
				continue
			}
			if c == arm.LifeCall {
				return ""
			}
			return arm.Life.Callbacks[c].Callback.Name
		}
	}
	return ""
}

// undoneBy is the callback that brings a lifecycle back to where callback a was
// called: the first that comes on the way there again, or, where there is no way
// back, the first of all. It is "" if that is not one for sure.
func undoneBy(a *pointsto.Arm) string {
	if a == nil || a.Life == nil || a.LifeCall < 0 {
		return ""
	}
	l := a.Life
	name := func(c int) string { return l.Callbacks[c].Callback.Name }
	is := func(c int) bool { return name(c) == name(a.LifeCall) }
	launch := map[string]bool{} // what a new object is called with
	var first []string
	for _, t := range l.Transitions {
		for i, c := range t.Calls {
			if t.From == 0 {
				launch[name(c)] = true
			}
			if t.From == 0 && i == 0 && !slices.Contains(first, name(c)) {
				first = append(first, name(c))
			}
		}
	}
	direct, around, last := "", "", true
	for _, t := range l.Transitions {
		if !slices.ContainsFunc(t.Calls, is) || t.From == 0 {
			continue
		}
		for _, u := range l.Transitions {
			if u.From != t.To || len(u.Calls) == 0 {
				continue
			}
			last = false
			c := u.Calls[0]
			if i := slices.IndexFunc(u.Calls, func(c int) bool { return launch[name(c)] }); i >= 0 {
				c = u.Calls[i]
			}
			switch {
			case u.To == t.From && direct == "":
				direct = name(c)
			case around == "" && slices.Contains(l.ReachedBy(c), t.From) && !slices.ContainsFunc(u.Calls, is):
				around = name(c)
			}
		}
	}
	switch {
	case direct != "":
		return direct
	case around != "":
		return around
	case last && len(first) == 1:
		return first[0]
	}
	return ""
}

// comesIn: the action can run in one of the states of a life: as its callback,
// or as its input.
func comesIn(l *platform.Lifecycle, states []int, a *pointsto.Arm) bool {
	if a.Life != l || a.LifeCall < 0 || a.LifeCall >= len(l.Callbacks) {
		return slices.ContainsFunc(states, func(st int) bool { return slices.Contains(l.GUI, st) })
	}
	return slices.ContainsFunc(l.Transitions, func(t platform.Transition) bool {
		return slices.Contains(states, t.From) && slices.Contains(t.Calls, a.LifeCall)
	}) || slices.ContainsFunc(l.Events, func(e platform.Event) bool {
		return e.Call == a.LifeCall && slices.ContainsFunc(e.In, func(st int) bool { return slices.Contains(states, st) })
	})
}
