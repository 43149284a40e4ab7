package race

import (
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// bornFirst reports whether one side changes a component in the run that makes it, and the
// other comes later by its birth: see hb.Graph.AfterBirth and BornAfter.
func (f *finder) bornFirst(m meeting) bool {
	s, t := m.first()
	return s.x != t.x && (f.birthBefore(s, t) || f.birthBefore(t, s))
}

// birthBefore: the change s belongs to the birth of the one object that it changes, and t
// gets at that object later only.
func (f *finder) birthBefore(s, t visit) bool {
	if !s.write || s.static {
		return false
	}
	o := s.objs.One()
	if o == 0 || t.objs.One() != o || !f.ownBirth(s.x, o) {
		return false
	}
	if f.ofComponent(t, s.x) && f.g.AfterBirth(s.x, t.x) {
		return true
	}
	return f.share.of(o, s.x, t.x) != hb.ScopeProcess && f.g.BornAfter(s.at(), t.x)
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
