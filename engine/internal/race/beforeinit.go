package race

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/flow"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/platform"
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

// writtenEarlier: the use's own run, some action that is ordered before it, or whatever
// leads to it may write the field non-null first.
func (f *finder) writtenEarlier(r visit) bool {
	key := visitKey{r.n, r.x}
	found, known := f.written[key]
	if !known {
		found = f.findEarlierWrite(r)
		f.written[key] = found
	}
	return found
}

func (f *finder) findEarlierWrite(r visit) bool {
	w := writing{f, r}
	l := f.leading(r)
	l.done = func(at hb.At) bool { return w.before(at, l) || w.proved(at) }
	l.inRun = w.inTheRunOf
	l.byCause = func(by hb.At) bool { return w.byCause(by) || w.proved(by) }
	return l.before(r.at()) || l.places() || w.launched()
}

// writing looks for non-null writes of the location of a use.
type writing struct {
	f *finder
	r visit
}

// before: the run that gets to a site may have written the location, or an action that
// is ordered before it.
func (w *writing) before(at hb.At, l *leading) bool {
	return w.any(func(a *access, x hb.ActionID) bool {
		switch {
		case at.Action != w.r.x && !w.f.ofTheRun(x, a):
			return false
		case x == at.Action:
			return w.f.s.MayPrecede(x, a.site(), at.Site)
		case w.r.objs.One() != 0 && w.f.s.Actions[x].Arm != nil && w.f.s.Actions[x].Arm.Receiver == w.r.objs.One() && w.f.onSelf(x, a) &&
			w.f.s.Always(x, a.site()) && w.f.servedBefore(x, at.Action):
			return true
		case w.f.g.Precedes(hb.At{Action: x, Site: a.site()}, at, hb.SameCause):
			return true
		case at.Action == w.r.x: // which works on the instance; what leads to it need not
			return w.f.earlier(x, at.Action) || w.f.reachedBehind(x, w.r) && w.f.onSelf(x, a) || w.f.ofComponent(w.r, x) && w.f.onSelf(x, a) && w.f.g.AfterBirth(x, at.Action)
		}
		return l.ofInstance(at.Action) && w.f.g.FirstBefore(x, at.Action)
	})
}

// inTheRunOf: every run of by's action that comes to its site, where it makes or stores what
// y gets at, writes the location, and y is another run of its looper.
func (w *writing) inTheRunOf(by hb.At, y hb.ActionID) bool {
	return w.f.g.InAnotherRun(by.Action, y) && w.any(func(a *access, x hb.ActionID) bool {
		return x == by.Action && w.f.ofTheRun(x, a) && (w.f.s.Always(x, a.site()) || w.f.s.Dominates(x, a.site(), by.Site))
	})
}

// launched: the object has been made and launched together with its host, and writes the location in its
// first callbacks.
func (w *writing) launched() bool {
	o := w.r.objs.One()
	return o != 0 && w.any(func(a *access, x hb.ActionID) bool {
		return w.f.madeAndLaunched(x, o, w.r.x) && w.f.onSelf(x, a) && w.f.s.Always(x, a.site())
	})
}

// byCause: the run that makes another one run may have written the location before.
func (w *writing) byCause(by hb.At) bool {
	return w.any(func(a *access, x hb.ActionID) bool { return x == by.Action && w.f.s.MayPrecede(x, a.site(), by.Site) })
}

// proved: the run that gets to a site, which is not that of the use, has used the location
// itself before, on every way, and nobody catches what a null would have thrown. Whether that use
// may find the default is a question of its own.
func (w *writing) proved(at hb.At) bool {
	x := at.Action
	return x != w.r.x && !w.r.content && slices.ContainsFunc(w.f.byKey[w.r.key], func(a *access) bool {
		return !a.write && a.use() && w.f.overlap(a, w.r.access) && w.f.s.ByFunc[a.in].Has(int(x)) && w.f.facts.Guards.OneObject(a.fact, w.r.fact) &&
			slices.ContainsFunc(a.derefs, func(d flow.Deref) bool {
				return w.f.s.Dominates(x, actions.SiteOf(d.Func, d.At), at.Site) && w.f.facts.Catches.By(x, d.Func, d.At, platform.NullFailure) == 0
			})
	})
}

// any asks about each non-null write of the location by an action.
func (w *writing) any(ask func(a *access, x hb.ActionID) bool) bool {
	for _, a := range w.f.byKey[w.r.key] {
		if !a.write || !a.live || !w.f.overlap(a, w.r.access) {
			continue
		}
		found := false
		w.f.s.ByFunc[a.in].All(func(id int) bool {
			found = id == 1 || ask(a, hb.ActionID(id))
			return !found
		})
		if found {
			return true
		}
	}
	return false
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
