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

// madeKnownLater reports whether x is the first callback of the component that
// has the field, and the use comes from elsewhere, which cannot know the object
// before that callback has ended.
func (f *finder) madeKnownLater(r *access, x, y hb.ActionID) bool {
	a := &f.s.Actions[x]
	o := f.facts.Values.Objects(y, r.fact).One()
	return a.Arm != nil && a.Arm.Life != nil && a.Arm.Receiver == o && f.s.PT.Object(o).Kind == pointsto.Component && f.g.KnownAfter(x, y)
}

// writtenEarlier: some action that is ordered before the use, or the use's own
// run, may write the field non-null.
func (f *finder) writtenEarlier(r visit) bool {
	for _, w := range f.byKey[r.key] {
		if !w.write || !w.live || !f.overlap(w, r.access) {
			continue
		}
		found := false
		f.s.ByFunc[w.in].All(func(id int) bool {
			x := hb.ActionID(id)
			switch {
			case id == 1:
				found = true
			case x == r.x:
				found = f.s.MayPrecede(x, w.site(), r.site())
			default:
				found = f.g.Precedes(at(w, x), r.at(), hb.SameCause) || f.earlier(x, r.x)
			}
			return !found
		})
		if found {
			return true
		}
	}
	return f.writtenByCauses(r)
}

// writtenByCauses: whatever causes the use, by posting or registering it, may
// write the field non-null before it does so.
func (f *finder) writtenByCauses(r visit) bool {
	return f.g.EveryCause(r.x, func(by hb.At) bool {
		return slices.ContainsFunc(f.byKey[r.key], func(w *access) bool {
			return w.write && w.live && f.overlap(w, r.access) && f.s.ByFunc[w.in].Has(int(by.Action)) && f.s.MayPrecede(by.Action, w.site(), by.Site)
		})
	})
}

// earlier is hb.Earlier, asked once.
func (f *finder) earlier(x, y hb.ActionID) bool {
	at := f.earliers.at(x, y)
	if *at == 0 {
		*at = 1
		if f.g.Earlier(x, y) {
			*at = 2
		}
	}
	return *at == 2
}
