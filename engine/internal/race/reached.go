package race

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/flow"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// reachedBehind reports whether x is a callback of the object of r that has run once when r's
// run gets hold of the object: the call that gives it away gives only what has come through a
// state of its automaton (a fragment manager's findFragmentById), and each way to that state
// leads through x. In a lifecycle callback of the host no state counts that needs a state of
// the host, nor where the object is taken back. Callbacks that may run in the middle of others
// learn nothing: a manager moves
// its fragments one by one.
func (f *finder) reachedBehind(x hb.ActionID, r visit) bool {
	o := r.objs.One()
	a := &f.s.Actions[x]
	if o == 0 || r.static || r.base == 0 || a.Arm == nil || a.Arm.Life == nil || a.Arm.Receiver != o || !f.g.Separate(r.x) || f.s.Actions[x].Queue != f.s.Actions[r.x].Queue {
		return false
	}
	states, given := f.given(r)
	return given && !slices.ContainsFunc(states, func(state string) bool {
		return !leadsThrough(a.Arm.Life, a.Arm.LifeCall, f.stateFor(r, a.Arm.Life, state))
	})
}

// given lists the states through which the object of a visit has come, by the calls that give
// it to the run on every way.
func (f *finder) given(r visit) (states []string, ok bool) {
	ok = f.givenAt(r.x, flow.Place{Func: r.f, At: r.v, Value: r.base}, 0, func(state string) { states = append(states, state) })
	return states, ok && len(states) > 0
}

// givenAt is given of a value at a place; calls counts the methods of the app's that return it.
func (f *finder) givenAt(y hb.ActionID, p flow.Place, calls int, state func(string)) bool {
	return calls <= flow.MaxHops && f.facts.Ways.EveryWayIn(y, p, func(p flow.Place) flow.Answer {
		b := f.r.Body(p.Func)
		v := flow.Origin(b, p.Value)
		switch b.Op[v] {
		case ir.OpParam:
			return flow.Callers
		case ir.OpPhi:
			if f.mergesGiven(y, p, b.ArgsOf(v), calls, state) {
				return flow.Yes
			}
		case ir.OpInvoke:
			if f.givesReached(ir.MethodID(b.Aux[v]), state) || f.returnsGiven(y, p.Func, v, calls, state) {
				return flow.Yes
			}
		}
		return flow.No
	})
}

// givesReached: the models of a method tell a state of what it returns.
func (f *finder) givesReached(m ir.MethodID, state func(string)) bool {
	for _, model := range f.r.ModelsOf(m) {
		for _, e := range model.Effects {
			if e.Kind == platform.Reached && e.Place.Base == platform.Ret && len(e.Place.Slots) == 0 {
				state(e.What)
				return true
			}
		}
	}
	return false
}

// returnsGiven: whatever a call runs returns null or what such a call gives.
func (f *finder) returnsGiven(y hb.ActionID, fn pointsto.FuncID, call ir.Value, calls int, state func(string)) bool {
	if f.r.Open(fn, call) {
		return false
	}
	some := false
	for _, c := range f.r.Calls[fn] {
		if c.Site != call {
			continue
		}
		b := f.r.Body(c.Callee)
		if b == nil {
			return false
		}
		for v := ir.Value(1); int(v) < b.Len(); v++ {
			if b.Op[v] != ir.OpReturn || b.NArgs(v) == 0 {
				continue
			}
			if !f.mergesGiven(y, flow.Place{Func: c.Callee, At: v}, b.ArgsOf(v), calls, state) {
				return false
			}
			some = true
		}
	}
	return some
}

// mergesGiven: each of some values is null or what such a call gives.
func (f *finder) mergesGiven(y hb.ActionID, p flow.Place, values []ir.Value, calls int, state func(string)) bool {
	b := f.r.Body(p.Func)
	for _, v := range values {
		if n, known := pointsto.Constant(b, flow.Origin(b, v)); known && n == 0 {
			continue
		}
		if !f.givenAt(y, flow.Place{Func: p.Func, At: p.At, Value: v}, calls+1, state) {
			return false
		}
	}
	return true
}

// stateFor is a state as a visit may rely on it, -1 for none.
func (f *finder) stateFor(r visit, l *platform.Lifecycle, state string) int {
	k := l.State(state)
	arm := f.s.Actions[r.x].Arm
	ofHost := arm != nil && arm.Life != nil && !arm.Life.IsEvent(arm.LifeCall) && f.s.PT.Object(arm.Receiver).Kind == pointsto.Component
	takenBack := f.takenBack(r.objs.One())
	if k < 0 || !ofHost && !takenBack {
		return k
	}
	for i, passing := range l.Passing {
		for _, w := range l.Within {
			if w.State != passing || !takenBack && f.hostThere(r, arm, w.Hosts) {
				continue
			}
			if i == 0 {
				return -1
			}
			return l.Passing[i-1]
		}
	}
	return k
}

// takenBack: o is taken back somewhere and kept for later, other than where a birth hands it over: the next
// instance of the host is given one that has been created, and no more.
func (f *finder) takenBack(o pointsto.Obj) bool {
	places, taken := map[hb.Site]bool{}, false
	f.eachEffect(o, platform.Drive, func(_ *pointsto.EffectSite, at hb.At) { places[at.Site] = true })
	f.eachEffect(o, platform.Finish, func(e *pointsto.EffectSite, at hb.At) {
		kept := !e.Effect.Kept.Zero() && !f.r.Eval(e.Scope, e.Effect.Kept).Empty()
		taken = taken || kept && (!places[at.Site] || !f.g.IsBirth(at.Action) && !f.g.FirstOfInstance(at.Action))
	})
	return taken
}

// hostThere: when a lifecycle callback of the host gets to a visit, the host has come to one of
// some states: before the callback, or by what it hands on to its superclass.
func (f *finder) hostThere(r visit, arm *pointsto.Arm, states []string) bool {
	from, to := true, true
	for _, t := range arm.Life.Transitions {
		if slices.Contains(t.Calls, arm.LifeCall) {
			from = from && slices.Contains(states, arm.Life.States[t.From])
			to = to && slices.Contains(states, arm.Life.States[t.To])
		}
	}
	return from || to && f.behindSuper(r, arm.Name)
}

// behindSuper: whenever a run gets to a visit, it has called the method of a name of a superclass
// that is not the app's.
func (f *finder) behindSuper(r visit, name string) bool {
	found := false
	f.s.Actions[r.x].Reach.All(func(id int) bool {
		fn := pointsto.FuncID(id)
		b := f.r.Body(fn)
		if b == nil || f.p.Selectors[f.p.Methods[b.Method].Sel].Name != name {
			return true
		}
		for v := ir.Value(1); int(v) < b.Len() && !found; v++ {
			if b.Op[v] == ir.OpInvoke && b.Sub[v] == ir.Super {
				m := &f.p.Methods[b.Aux[v]]
				found = f.p.Selectors[m.Sel].Name == name && f.p.Classes[m.Class].Origin != ir.App && f.s.Dominates(r.x, actions.SiteOf(fn, v), r.site())
			}
		}
		return !found
	})
	return found
}

// leadsThrough reports whether an object comes to a state only after a callback: without the
// transitions that call it there is no way.
func leadsThrough(l *platform.Lifecycle, call, state int) bool {
	if state < 0 || l.IsEvent(call) {
		return false
	}
	reached := make([]bool, len(l.States))
	reached[0] = true
	for grew := true; grew; {
		grew = false
		for _, t := range l.Transitions {
			if reached[t.From] && !reached[t.To] && !slices.ContainsFunc(t.Calls, func(c int) bool { return c == call }) {
				reached[t.To], grew = true, true
			}
		}
	}
	return !reached[state]
}
