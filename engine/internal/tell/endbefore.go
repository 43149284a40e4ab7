package tell

import (
	"fmt"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// endBefore says how to end action y in the run of a side, before that does
// what the text says. It is "" if no call would do.
func (t *Teller) endBefore(first side, y hb.ActionID, does string) string {
	x := first.Action
	name := t.ending(y, first.Func)
	if name == "" || x == y || t.oneRegistration(x, y) || t.armedLater(x, y) {
		return ""
	}
	if does += " (" + first.whole() + ")"; t.pts.Funcs[first.Func].Method == 0 {
		does = "returns" // the platform does it afterwards
	}
	call, _ := t.call(y)
	end := &endAdvice{first: first, y: y, name: name, call: call, does: does, what: "what"}
	if !t.oneOfEach(y) {
		end.what = "all that"
	}
	sites := t.endingsOf(y).sites
	for _, e := range sites {
		if t.set.ByFunc[e.In].Has(int(x)) {
			return t.endForSure(end, e)
		}
	}
	if len(sites) == 0 {
		return t.endAtAll(end)
	}
	return t.endHereToo(end, sites[0])
}

// endAdvice is what the texts on the end of an action have in common.
type endAdvice struct {
	first side        // in whose run the action is to end
	y     hb.ActionID // the action
	name  string      // the call that ends it: Handler.removeMessages(1)
	call  string      // the call that has asked for it, with its place
	does  string      // what the end must come before
	what  string      // what the end is for, to go before "... has begun"
}

// oneRegistration reports whether both actions are callbacks of one registration.
func (t *Teller) oneRegistration(x, y hb.ActionID) bool {
	a, b := t.set.Actions[x].Arm, t.set.Actions[y].Arm
	return a != nil && b != nil && a.Func == b.Func && a.Site == b.Site &&
		a.Effect != nil && a.Effect.Kind == platform.Register
}

// endForSure is the advice where the run already calls what ends the action, but
// not always, or not for all. It is "" if it does: the call does not end what it
// should.
func (t *Teller) endForSure(end *endAdvice, e *pointsto.EffectSite) string {
	x, at, access := end.first.Action, actions.SiteOf(e.In, e.Site), end.first.Site()
	own := fmt.Sprintf("%s (%s)", t.names.Called(e.Func, e.Site), t.spot(e))
	switch {
	case !t.oneOfEach(end.y):
		return fmt.Sprintf("Let %s end all that %s has begun, not only the last, before it %s.", own, end.call, end.does)
	case t.set.Always(x, at) || t.set.Dominates(x, at, access) || t.set.AlwaysAfter(x, access, []hb.Site{at}):
		return ""
	}
	return fmt.Sprintf("Call %s on every path through %s, not only on some, to end what %s has begun.",
		own, end.first.name, end.call)
}

// endAtAll is the advice where nothing ends the action yet.
func (t *Teller) endAtAll(end *endAdvice) string {
	x := end.first.Action
	arm, callback := t.set.Actions[x].Arm, t.names.Callback(x).Name
	misses := t.misses(x, end.y, end.name)
	if class, ok := strings.CutSuffix(end.first.name, "."+callback); ok && arm != nil && arm.Life != nil && arm.Method == 0 {
		return fmt.Sprintf("Override %s in %s and call %s there, to end %s %s has begun%s.",
			callback, class, end.name, end.what, end.call, misses)
	}
	return fmt.Sprintf("Call %s in %s before it %s, to end %s %s has begun%s.",
		end.name, end.first.name, end.does, end.what, end.call, misses)
}

// endHereToo is the advice where only e, which another callback runs, ends the
// action.
func (t *Teller) endHereToo(end *endAdvice, e *pointsto.EffectSite) string {
	in, other := end.first.name, t.names.Written(t.pts.Funcs[e.Func].Method).Short()
	if t.set.Actions[end.y].Arm.Effect.Kind == platform.Register {
		undo := "the callback that undoes " + in
		arm := t.set.Actions[end.first.Action].Arm
		if name := undoneBy(arm); name != "" {
			undo = strings.TrimSuffix(in, arm.Name) + name
		}
		return fmt.Sprintf("Move %s (%s) from %s to %s, before it %s, and %s into %s.",
			t.names.Called(e.Func, e.Site), t.spot(e), other, in, end.does, end.call, undo)
	}
	return fmt.Sprintf("Call %s in %s too, before it %s, to end %s %s has begun: today only %s does (%s).",
		end.name, in, end.does, end.what, end.call, other, t.spot(e))
}

// misses adds why the calls of this name that action x makes already do not end
// what asks for y, and that the object by which that is ended must be kept.
func (t *Teller) misses(x, y hb.ActionID, name string) string {
	arm, keep := t.set.Actions[y].Arm, ""
	if by := t.endingsOf(y).by; by != nil && !by.Handle.Zero() && t.madeInPlace(arm.Func, arm.Site, arm.Effect.Handle) {
		keep = t.handleKind(arm.Func, arm.Site, arm.Effect.Handle)
	}
	best, told := t.nearestMiss(x, y, name)
	switch {
	case best.rank > 0 && keep != "":
		asked := t.names.Position(arm.Func, arm.Site).Spot()
		return fmt.Sprintf(": %s %s, so keep the %s of %s in a field", told, best.text, keep, asked)
	case best.rank > 0:
		return fmt.Sprintf(": %s %s", told, best.text)
	case keep != "":
		return "; keep the " + keep + " in a field for that"
	}
	return ""
}

// nearestMiss is the call of this name that action x makes and that comes nearest
// to the end of y, with its place. Its rank is 0 if there is none.
func (t *Teller) nearestMiss(x, y hb.ActionID, name string) (best miss, spot string) {
	method, _, _ := strings.Cut(name[strings.LastIndexByte(name, '.')+1:], "(")
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
			best, spot = why, t.spot(e)
		}
	}
	return best, spot
}

// miss says why a call does not end what it might. The lower its rank, the nearer
// the call comes to that.
type miss struct {
	rank int
	text string
}

// missOf says why a call does not end y.
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

// madeInPlace reports whether what a place of a call holds is made for the call,
// and no field or array keeps it.
func (t *Teller) madeInPlace(fn pointsto.FuncID, site ir.Value, of platform.Place) bool {
	b := t.pts.Body(fn)
	if t.invoked(fn, site) == 0 || len(of.Slots) > 0 {
		return false
	}
	i := 0
	switch static := b.Sub[site] == ir.Static; {
	case of.Base == platform.Arg && static:
		i = of.Index
	case of.Base == platform.Arg:
		i = of.Index + 1
	case of.Base != platform.This || static:
		return false
	}
	if i >= b.NArgs(site) {
		return false
	}
	v := b.Arg(site, i)
	for b.Op[v] == ir.OpCheckCast {
		v = b.Arg(v, 0)
	}
	return (b.Op[v] == ir.OpNew || b.Op[v] == ir.OpNewLambda) && !kept(b, v)
}

// kept reports whether a body stores a value or returns it.
func kept(b *ir.Body, v ir.Value) bool {
	for u := ir.Value(1); int(u) < b.Len(); u++ {
		switch b.Op[u] {
		case ir.OpPutField, ir.OpPutStatic, ir.OpArrayPut:
			if b.Arg(u, b.NArgs(u)-1) == v {
				return true
			}
		case ir.OpReturn:
			if b.NArgs(u) > 0 && b.Arg(u, 0) == v {
				return true
			}
		}
	}
	return false
}

// spot is the place of an effect in the source: Main.java:12.
func (t *Teller) spot(e *pointsto.EffectSite) string { return t.names.Position(e.Func, e.Site).Spot() }
