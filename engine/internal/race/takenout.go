package race

import (
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// takenOut: before the free, action x removes an object from a collection, and
// the use runs in a method of that object or of what it calls: a listener of
// the app's own, properly removed.
func (f *finder) takenOut(w, r *access, x, y hb.ActionID) bool {
	if x == y {
		return false
	}
	found := false
	f.facts.Partings.TakenOut(x, w.site()).All(func(o pointsto.Obj) bool {
		found = f.facts.Partings.WorksOn(y, r.f, o)
		return !found
	})
	return found
}

// joinedBefore: ahead of the free, action x waits for the end of a thread, task
// or queue that may be that of the use. That it is the very one is not known, or
// the order would say so.
func (f *finder) joinedBefore(w *access, x, y hb.ActionID) bool {
	arm := f.s.Actions[y].Arm
	if x == y || arm == nil || arm.Effect == nil {
		return false
	}
	joined := f.facts.Partings.Joined(x, w.site())
	if joined.Empty() {
		return false
	}
	own := f.r.Eval(arm.Scope, arm.Effect.Handle)
	for _, on := range arm.Effect.On {
		own = own.Or(f.r.Eval(arm.Scope, on))
	}
	return joined.Intersects(own)
}

// parted: before the access, its run has waited for something or taken something out of a
// collection.
func (f *finder) parted(s visit) bool {
	return !f.facts.Partings.Joined(s.x, s.site()).Empty() || !f.facts.Partings.TakenOut(s.x, s.site()).Empty()
}
