package race

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// What a connection hands over is a component that has been bound, and started if the run that binds it has
// started it before: the system delivers both to one looper in the order in which they were asked for
// (ActiveServices.realStartServiceLocked), and the binder comes back behind them.

// servedBefore reports whether x, a callback of a component, has run on the one that y is told of, by all that
// makes y run.
func (f *finder) servedBefore(x, y hb.ActionID) bool {
	arm, c := f.s.Actions[x].Arm, f.s.Actions[x].Component
	if arm == nil || arm.Life == nil || c == 0 || len(f.starts) == 0 {
		return false
	}
	return f.g.EveryCause(y, func(by hb.At) bool {
		served, asked := false, false
		for _, e := range f.starts {
			site := actions.SiteOf(e.In, e.Site)
			switch {
			case site == by.Site && !e.Effect.To.Zero():
				served = f.onlyStarts(by.Action, site, c)
				asked = asked || f.brought(x, e.Effect.Brings)
			case slices.Contains(e.Effect.Brings, arm.Name) && f.s.Executes(by.Action, e.In, e.Site):
				asked = asked || f.s.Dominates(by.Action, site, by.Site) && f.onlyStarts(by.Action, site, c)
			}
		}
		return served && asked
	})
}

// onlyStarts: the call starts the one component and no other.
func (f *finder) onlyStarts(a hb.ActionID, site hb.Site, c hb.ComponentID) bool {
	found := false
	for i := 1; i < len(f.s.Model.Points); i++ {
		p := &f.s.Model.Points[i]
		if p.Kind != hb.StartComponent || p.Action != a || p.Site != site {
			continue
		}
		found = true
		if slices.ContainsFunc(p.Targets, func(id hb.ActionID) bool { return f.s.Actions[id].Component != c }) {
			return false
		}
	}
	return found
}

// brought: x is one of the callbacks of its object, or has run before any run of one.
func (f *finder) brought(x hb.ActionID, names []string) bool {
	if slices.Contains(names, f.s.Actions[x].Arm.Name) {
		return true
	}
	for id := 2; id < len(f.s.Actions); id++ {
		a := &f.s.Actions[id]
		if a.Arm != nil && a.Arm.Life != nil && a.Component == f.s.Actions[x].Component && slices.Contains(names, a.Arm.Name) &&
			f.g.FirstBefore(x, hb.ActionID(id)) {
			return true
		}
	}
	return false
}

// startSites lists the effects that start components.
func startSites(r *pointsto.Result) []*pointsto.EffectSite {
	var out []*pointsto.EffectSite
	for i := range r.Sites {
		if r.Sites[i].Effect.Kind == platform.StartComponent {
			out = append(out, &r.Sites[i])
		}
	}
	return out
}
