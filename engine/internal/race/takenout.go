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
		if o := f.facts.Values.Of(x, e.Func, b.Arg(e.Site, b.NArgs(e.Site)-1)).One(); o != 0 && f.worksOn(y, r, o) {
			return true
		}
	}
	return false
}

// joinedBefore: ahead of the free, action x waits for the end of a thread, task
// or queue that may be that of the use. That it is the very one is not known, or
// the order would say so.
func (f *finder) joinedBefore(w *access, x, y hb.ActionID) bool {
	arm := f.s.Actions[y].Arm
	if x == y || arm == nil || arm.Effect == nil {
		return false
	}
	own := f.r.Eval(arm.Scope, arm.Effect.Handle)
	for _, on := range arm.Effect.On {
		own = own.Or(f.r.Eval(arm.Scope, on))
	}
	for _, e := range f.joins() {
		if by := f.s.ByFunc[e.In]; by == nil || !by.Has(int(x)) || !f.r.Eval(e.Scope, e.Effect.Place).Intersects(own) {
			continue
		}
		at := actions.SiteOf(e.In, e.Site)
		if f.s.MayPrecede(x, at, w.site()) && !f.s.MayPrecede(x, w.site(), at) {
			return true
		}
	}
	return false
}

// removals lists the effects that remove from a collection.
func (f *finder) removals() []*pointsto.EffectSite {
	return f.sites(&f.removed, func(e *platform.Effect) bool {
		slots := e.Place.Slots
		return e.Kind == platform.Free && len(slots) > 0 && slots[len(slots)-1] == "[]"
	})
}

// joins lists the effects that wait for the end of something.
func (f *finder) joins() []*pointsto.EffectSite {
	return f.sites(&f.joined, func(e *platform.Effect) bool { return e.Kind == platform.Join })
}

// sites lists the effects that pass, once.
func (f *finder) sites(kept *[]*pointsto.EffectSite, pass func(*platform.Effect) bool) []*pointsto.EffectSite {
	if *kept == nil {
		*kept = []*pointsto.EffectSite{}
		for i := range f.r.Sites {
			if e := &f.r.Sites[i]; pass(e.Effect) {
				*kept = append(*kept, e)
			}
		}
	}
	return *kept
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
