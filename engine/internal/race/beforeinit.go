package race

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// initLive: the location is live from the start: an initialiser or constructor
// writes it, or it is the state of a resource.
func (f *finder) initLive(r *access) bool {
	return r.content || f.constructed(r)
}

// constructed: a constructor or static initialiser writes the field non-null.
func (f *finder) constructed(r *access) bool {
	if r.key <= 0 {
		return true
	}
	return f.initialised(r.key)
}

// madeKnownLater: x is the first callback of the component that has the field,
// and the use comes from another component, which cannot know the object before
// that callback has ended: by a binder, or by what the callback itself has told.
func (f *finder) madeKnownLater(r *access, x, y hb.ActionID) bool {
	a, b := &f.s.Actions[x], &f.s.Actions[y]
	o := f.facts.Values.Objects(y, r.fact).One()
	if a.Arm == nil || a.Arm.Life == nil || a.Arm.Receiver != o || f.s.PT.Object(o).Kind != pointsto.Component {
		return false
	}
	for id := range f.s.Actions {
		if !f.instantiates(hb.ActionID(id)) && f.g.MayFollow(hb.ActionID(id), x) {
			return false
		}
	}
	if b.Component != 0 && b.Component != a.Component {
		return true
	}
	for _, c := range b.Causes {
		if by := f.s.Actions[f.s.Model.Points[c].Action].Component; by == 0 || by == a.Component {
			return false
		}
	}
	return len(b.Causes) > 0
}

// instantiates: the action is the constructor of an object that the platform
// makes: it comes before all else of that object.
func (f *finder) instantiates(x hb.ActionID) bool {
	arm := f.s.Actions[x].Arm
	return arm != nil && arm.Life != nil && arm.LifeCall == pointsto.Instantiate
}

// writtenEarlier: some action that is ordered before the use, or the use's own
// run, may write the field non-null.
func (f *finder) writtenEarlier(r *access, y hb.ActionID, wide hb.Scope) bool {
	for _, w := range f.byKey[r.key] {
		if !w.write || !w.live || !f.overlap(w, r) {
			continue
		}
		found := false
		f.s.ByFunc[w.in].All(func(id int) bool {
			x := hb.ActionID(id)
			switch {
			case id == 1:
				found = true
			case x == y:
				found = f.s.MayPrecede(y, w.site(), r.site())
			default:
				found = f.before(w, r, x, y, hb.SameCause) || f.g.FirstBefore(x, y) || f.s.EarlierRun(x, y, f.g.FirstBefore) ||
					f.s.Actions[x].Arm.Life != nil && f.delivered(x) && f.delivered(y) && (f.g.MayFollow(x, y) || f.firstOfView(x, y))
			}
			return !found
		})
		if found {
			return true
		}
	}
	return f.writtenByCauses(r, y)
}

// writtenByCauses: whatever causes the use, by posting or registering it, may
// write the field non-null before it does so.
func (f *finder) writtenByCauses(r *access, y hb.ActionID) bool {
	causes := f.s.Actions[y].Causes
	for _, c := range causes {
		p := &f.s.Model.Points[c]
		written := slices.ContainsFunc(f.byKey[r.key], func(w *access) bool {
			return w.write && w.live && f.overlap(w, r) && f.s.ByFunc[w.in].Has(int(p.Action)) && f.s.MayPrecede(p.Action, w.site(), p.Site)
		})
		if !written {
			return false
		}
	}
	return len(causes) > 0
}
