package race

import (
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/flow"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Once a component has asked for its own end, some of its callbacks do not begin any more
// (platform.Finished). What is queued, and further input, still comes.

// endsOwner reports whether the run of a change asks, before it or on every way behind it, for the
// end of the very component that it changes.
func (f *finder) endsOwner(s visit) bool {
	o := s.objs.One()
	if s.base == 0 || o == 0 || f.r.Object(o).Kind != pointsto.Component {
		return false
	}
	return f.facts.Ways.EveryWayIn(s.x, flow.Place{Func: s.f, At: s.v, Value: s.base}, func(p flow.Place) flow.Answer {
		if f.asksFor(s.x, p, o) {
			return flow.Yes
		}
		return flow.Callers
	})
}

// asksFor: whenever a run of x comes to a place of the app's code, it asks for the end of the value there.
func (f *finder) asksFor(x hb.ActionID, p flow.Place, o pointsto.Obj) bool {
	b := f.r.Body(p.Func)
	var sites []hb.Site
	for _, at := range f.ends[p.Func] {
		if on := b.Arg(at, 0); !f.facts.Codes.Of(b).MustAlias(f.p, on, p.Value) || f.r.PointsTo(p.Func, on).One() != o {
			continue
		}
		if b.Flow().Dominates(at, p.At) {
			return true
		}
		sites = append(sites, actions.SiteOf(p.Func, at))
	}
	return len(sites) > 0 && f.s.AlwaysAfter(x, actions.SiteOf(p.Func, p.At), sites)
}

// endSites lists by function the calls that ask for the end of what they are on.
func endSites(r *pointsto.Result) map[pointsto.FuncID][]ir.Value {
	out := map[pointsto.FuncID][]ir.Value{}
	for i := range r.Sites {
		e := &r.Sites[i]
		if e.Effect.Kind != platform.Finish || e.Effect.What == platform.Relaunch || e.Effect.Place.Base != platform.This || len(e.Effect.Place.Slots) > 0 || e.In != e.Func {
			continue
		}
		if b := r.Body(e.Func); b != nil && e.Site > 0 && b.Op[e.Site] == ir.OpInvoke && b.Sub[e.Site] != ir.Static {
			out[e.Func] = append(out[e.Func], e.Site)
		}
	}
	return out
}

// notOnceFinished: the callback x does not begin any more once a run of y has asked for the end of
// its object.
func (f *finder) notOnceFinished(x, y hb.ActionID) bool {
	arm := f.s.Actions[x].Arm
	return arm != nil && arm.Life != nil && arm.Life.Finishes(arm.Name, f.s.Actions[y].Kind == hb.KindGUI)
}
