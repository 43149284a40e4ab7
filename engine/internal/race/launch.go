package race

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// A host is launched in one message, and what its birth hands to the framework to live in it goes through its own
// first callbacks in that message (Activity.performStart and FragmentActivity.onStart execute what is pending): a
// fragment that onCreate makes and adds has its view when the next run of the main looper begins, whatever that
// run has to do with it. A host that ends itself at once never starts.

// madeAndLaunched reports whether x, a callback of the object o, has run when y gets at o: the birth of o's host
// makes o and hands it over, and y is no part of the launch.
func (f *finder) madeAndLaunched(x hb.ActionID, o pointsto.Obj, y hb.ActionID) bool {
	arm := f.s.Actions[x].Arm
	if arm == nil || arm.Life == nil || arm.Receiver != o || !f.g.FirstOfAll(x) || !f.s.OwnerOf(o).Unique {
		return false
	}
	births := f.s.Births(o)
	return len(births) > 0 && !slices.ContainsFunc(births, func(by hb.At) bool {
		host := f.s.Model.Components[f.s.Actions[x].Component].Host
		return f.s.Actions[by.Action].Component != host || !f.bearsHost(by.Action) || !f.behindLaunch(by.Action, y) || !f.handedOver(o, by)
	})
}

// bearsHost: a is in the birth of a component that does not ask for its own end then.
func (f *finder) bearsHost(a hb.ActionID) bool {
	arm := f.s.Actions[a].Arm
	return arm != nil && arm.Receiver != 0 && f.s.PT.Object(arm.Receiver).Kind == pointsto.Component && f.ownBirth(a, arm.Receiver) &&
		!f.endsInBirth(arm.Receiver)
}

// endsInBirth: the component asks for its own end somewhere in its birth.
func (f *finder) endsInBirth(o pointsto.Obj) bool {
	for fn, sites := range f.ends {
		on := func(at ir.Value) bool { return f.r.PointsTo(fn, f.r.Body(fn).Arg(at, 0)).Has(o) }
		if !slices.ContainsFunc(sites, on) || f.s.ByFunc[fn] == nil {
			continue
		}
		ends := false
		f.s.ByFunc[fn].All(func(id int) bool {
			ends = id != 1 && f.ownBirth(hb.ActionID(id), o)
			return !ends
		})
		if ends {
			return true
		}
	}
	return false
}

// behindLaunch: y never runs in the message that launches the component of a, one of its first callbacks.
func (f *finder) behindLaunch(a, y hb.ActionID) bool {
	if arm := f.s.Actions[y].Arm; arm != nil && arm.Life != nil && f.s.Actions[a].Component == f.s.Actions[y].Component {
		return f.s.Settled(y)
	}
	return f.g.InAnotherRun(a, y)
}

// handedOver: whenever the birth of the host comes to by, it hands o to the framework, and nobody takes it back: what
// has been taken back may be kept for later, so that the next instance of the host finds one without its view.
func (f *finder) handedOver(o pointsto.Obj, by hb.At) bool {
	host := f.s.Actions[by.Action].Arm.Receiver
	handed, places := false, map[hb.Site]bool{}
	f.eachEffect(o, platform.Drive, func(_ *pointsto.EffectSite, at hb.At) {
		if f.ownBirth(at.Action, host) {
			places[at.Site] = true
			handed = handed || f.sureAt(at, by)
		}
	})
	f.eachEffect(o, platform.Finish, func(_ *pointsto.EffectSite, at hb.At) {
		handed = handed && places[at.Site] && f.ownBirth(at.Action, host)
	})
	return handed
}

// eachEffect visits where an action has an effect of a kind on o.
func (f *finder) eachEffect(o pointsto.Obj, kind platform.EffectKind, visit func(e *pointsto.EffectSite, at hb.At)) {
	for i := range f.r.Sites {
		e := &f.r.Sites[i]
		if e.Effect.Kind != kind || f.s.ByFunc[e.In] == nil || !f.r.Eval(e.Scope, e.Effect.Place).Has(o) {
			continue
		}
		f.s.ByFunc[e.In].All(func(id int) bool {
			if x := hb.ActionID(id); id != 1 && f.s.Executes(x, e.In, e.Site) {
				visit(e, hb.At{Action: x, Site: actions.SiteOf(e.In, e.Site)})
			}
			return true
		})
	}
}

// sureAt: whenever the birth of a component comes to by, it comes to at, before or behind it.
func (f *finder) sureAt(at, by hb.At) bool {
	return f.s.Always(at.Action, at.Site) || at.Action == by.Action &&
		(f.s.Dominates(at.Action, at.Site, by.Site) || f.s.AlwaysAfter(at.Action, by.Site, []hb.Site{at.Site}))
}
