package race

import (
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// takenOut: before the free, action x removes an object from a collection, and
// the use runs in a method of that object or of what it calls: a listener of
// the app's own, properly removed.
func (f *finder) takenOut(w, r *access, x, y hb.ActionID) bool {
	if x == y {
		return false
	}
	for _, e := range f.removals() {
		if by := f.s.ByFunc[e.In]; by == nil || !by.Has(int(x)) || !f.s.Dominates(x, actions.SiteOf(e.In, e.Site), w.site()) {
			continue
		}
		b := f.r.Body(e.Func)
		if b == nil || e.Site <= 0 || b.Op[e.Site] != ir.OpInvoke || b.NArgs(e.Site) < 2 {
			continue
		}
		if o := f.refine.of(x, e.Func, b.Arg(e.Site, b.NArgs(e.Site)-1)).One(); o != 0 && f.worksOn(y, r, o) {
			return true
		}
	}
	return false
}

// removals lists the effects that remove from a collection.
func (f *finder) removals() []*pointsto.EffectSite {
	if f.removed == nil {
		f.removed = []*pointsto.EffectSite{}
		for i := range f.r.Sites {
			e := &f.r.Sites[i]
			if slots := e.Effect.Place.Slots; e.Effect.Kind == platform.Free && len(slots) > 0 && slots[len(slots)-1] == "[]" {
				f.removed = append(f.removed, e)
			}
		}
	}
	return f.removed
}

// worksOn: on the way to the access, action y runs a method of object o.
func (f *finder) worksOn(y hb.ActionID, r *access, o pointsto.Obj) bool {
	found := false
	up := f.s.Upward(r.f)
	f.s.Actions[y].Reach.All(func(k int) bool {
		fn := pointsto.FuncID(k)
		if up.Has(k) && f.r.Body(fn) != nil && f.p.Methods[f.r.Funcs[fn].Method].Flags&ir.AccStatic == 0 {
			found = f.r.PointsTo(fn, 1).One() == o
		}
		return !found
	})
	return found
}
