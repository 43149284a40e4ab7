package race

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/flow"
	"github.com/eventraces/eventraces/engine/internal/hb"
)

// Some callbacks of one object go round: once the last of a round has run, the first comes before all others
// (platform.Renewal). What it always sets anew, what the last has cleared is not missing behind it.

// renewed reports whether the callback that begins the next round behind the free always writes the location
// before the use, another callback of the round.
func (f *finder) renewed(use, free visit) bool {
	on := f.onOwn(use.x, use.access)
	if on.Root != flow.Receiver || on != f.onOwn(free.x, free.access) {
		return false
	}
	return slices.ContainsFunc(f.s.Renewing(free.x), func(begin hb.ActionID) bool {
		return begin != use.x && slices.ContainsFunc(f.byKey[use.key], func(a *access) bool {
			return a.write && a.live && !a.null && f.s.ByFunc[a.in].Has(int(begin)) && f.s.Always(begin, a.site()) && f.onOwn(begin, a) == on
		})
	})
}

// sameSource: both are callbacks of one object, handed over by one call.
func (f *finder) sameSource(x, y hb.ActionID) bool {
	return f.s.Model.Actions[x].Source != 0 && f.s.Model.Actions[x].Source == f.s.Model.Actions[y].Source
}

// onOwn names the instance of an access in the callback itself by the way from the object that the run is on;
// Receiver and nothing else stands for that object, however far from the callback it is passed.
func (f *finder) onOwn(x hb.ActionID, a *access) flow.Base {
	if f.onSelf(x, a) {
		return flow.Base{Root: flow.Receiver}
	}
	if a.base == 0 || !f.facts.Ways.Entry(x, a.f) {
		return flow.Base{}
	}
	b := f.facts.Codes.Of(f.r.Body(a.f)).BaseOf(f.p, a.base)
	if !b.Final() {
		return flow.Base{}
	}
	return b
}
