package race

import (
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// bornFirst reports whether one side changes a component in the run that makes it, and the
// other comes later: see hb.Graph.AfterBirth.
func (f *finder) bornFirst(m meeting) bool {
	s, t := m.first()
	return s.x != t.x && (f.birthBefore(s, t) || f.birthBefore(t, s))
}

// birthBefore: the change s belongs to the birth of the component that it changes, and t gets
// at that later only.
func (f *finder) birthBefore(s, t visit) bool {
	return f.inBirth(s) && t.objs.One() == s.objs.One() && f.g.AfterBirth(s.x, t.x)
}

// inBirthRun: the run is the birth of a component.
func (f *finder) inBirthRun(s visit) bool {
	return s.objs.One() != 0 && f.ofComponent(s, s.x) && f.ownBirth(s.x, s.objs.One())
}

// inBirth: a change of the very component whose birth the run is.
func (f *finder) inBirth(s visit) bool {
	return s.write && f.ofComponent(s, s.x) && f.ownBirth(s.x, s.objs.One()) && f.onSelf(s.x, s.access)
}

// ownFirst reports whether the run of one side makes the object that both touch, and the other
// gets at it only after the access: by what the run has made, started or stored behind it, or in
// another run of its looper.
func (f *finder) ownFirst(s, t visit) bool {
	if s.x == t.x || s.static || t.base == 0 || !f.ownMade(s) {
		return false
	}
	l := f.leading(t)
	l.done = func(at hb.At) bool {
		if at.Action == s.x {
			return at.Site != s.site() && !f.s.MayPrecede(s.x, at.Site, s.site())
		}
		return l.ofInstance(at.Action) && f.g.Precedes(s.at(), at, hb.SameInstance)
	}
	l.inRun = func(by hb.At, y hb.ActionID) bool { return by.Action == s.x && f.g.InAnotherRun(s.x, y) }
	l.byCause = l.done
	return l.places() || f.ownBirth(s.x, s.objs.One()) && l.births(t.at())
}

// ownMade: what the run touches belongs to what it makes itself, or to the object whose birth it is.
func (f *finder) ownMade(s visit) bool {
	return s.objs.One() != 0 && f.ownBirth(s.x, s.objs.One()) && f.onSelf(s.x, s.access) || f.facts.Fresh.Own(s.x, s.fact)
}

// onSelf reports whether the instance of an access by x is the very object that the run is on,
// not another one of its class.
func (f *finder) onSelf(x hb.ActionID, a *access) bool {
	if a.base == 0 || f.s.Actions[x].Arm == nil || f.s.Actions[x].Arm.Receiver == 0 {
		return false
	}
	return f.facts.Fresh.OnReceiver(x, a.fact)
}

// ofTheRun: what a run of x writes is the object that it is on, or one that it has made.
func (f *finder) ofTheRun(x hb.ActionID, a *access) bool {
	return a.static || f.onSelf(x, a) || f.facts.Fresh.Own(x, a.fact)
}

// ownBirth: x is the construction or the first callback of o, which runs once.
func (f *finder) ownBirth(x hb.ActionID, o pointsto.Obj) bool {
	a := &f.s.Actions[x]
	return a.Arm != nil && a.Arm.Life != nil && a.Arm.Receiver == o && (f.g.IsBirth(x) || f.g.FirstOfInstance(x))
}

// ofComponent: what a side touches belongs to the component whose callback x is, and which the
// platform makes.
func (f *finder) ofComponent(s visit, x hb.ActionID) bool {
	if s.static || s.objs.One() == 0 {
		return false
	}
	a := &f.s.Actions[x]
	return a.Arm != nil && a.Arm.Life != nil && a.Arm.Receiver == s.objs.One() && f.s.PT.Object(s.objs.One()).Kind == pointsto.Component
}
