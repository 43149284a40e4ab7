package race

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/flow"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
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

// writtenEarlier: the use's own run, some action that is ordered before it, or whatever
// leads to it may write the field non-null first.
func (f *finder) writtenEarlier(r visit) bool {
	w := writing{f: f, r: r, own: f.s.Actions[r.x].Component, known: map[hb.At]bool{}}
	if c := f.s.ComponentOf(r.objs.One()); c != 0 {
		w.own = c
	}
	return w.before(r.at()) || w.beforePlaces()
}

// writing looks for writes of the location of a use that come before it.
type writing struct {
	f     *finder
	r     visit
	own   hb.ComponentID // whose instance the location is of, or the use; 0 if not known
	known map[hb.At]bool // answers of before; false while one is looked for
}

// before: when a run gets to a site, some run may have written the location. A run
// comes after one of its causes, and after the making of each object in whose methods it
// is on its way to the site: what holds of all causes, or of all births, holds of it (a
// least fixed point).
func (w *writing) before(at hb.At) bool {
	if known, ok := w.known[at]; ok {
		return known
	}
	w.known[at] = false
	w.known[at] = w.directly(at) || w.f.g.EveryCause(at.Action, w.beforeCause) || w.beforeBirths(at)
	return w.known[at]
}

// beforeCause: before of what makes another action run. Beyond the location's own
// component a cause says nothing of this instance of it: another one may have come since.
func (w *writing) beforeCause(by hb.At) bool {
	if w.ofInstance(by.Action) {
		return w.before(by)
	}
	return w.any(func(a *access, x hb.ActionID) bool { return x == by.Action && w.f.s.MayPrecede(x, a.site(), by.Site) })
}

// earlier: a run of x has ended before y runs, or before it first runs in the instance.
func (w *writing) earlier(x, y hb.ActionID) bool {
	if y == w.r.x {
		return w.f.g.Earlier(x, y)
	}
	return w.ofInstance(y) && w.f.g.FirstBefore(x, y)
}

// ofInstance: runs of an action that lead to the use, and the use, are of one instance.
func (w *writing) ofInstance(x hb.ActionID) bool {
	return w.r.static || x == w.r.x || w.own != 0 && w.f.s.Actions[x].Component == w.own
}

// beforeBirths: on every way to the site the run is in a method of an object that is made
// when the location is written already.
func (w *writing) beforeBirths(at hb.At) bool {
	fn, v := actions.PlaceOf(at.Site)
	return w.f.facts.Ways.EveryWayIn(at.Action, flow.Place{Func: fn, At: v}, func(p flow.Place) flow.Answer {
		if w.afterBirths(w.f.this(p.Func), at.Action) {
			return flow.Yes
		}
		return flow.Callers
	})
}

// afterBirths: all of some objects are made when the location is written, or in a run
// that writes it and that y is not in the middle of.
func (w *writing) afterBirths(objs pointsto.Set, y hb.ActionID) bool {
	every := !objs.Empty() && !objs.Intersects(w.r.objs) // nothing is written of what is not made
	objs.All(func(o pointsto.Obj) bool {
		births := w.f.s.Births(o)
		every = len(births) > 0 && !slices.ContainsFunc(births, func(by hb.At) bool { return !w.precedes(by, y) })
		return every
	})
	return every
}

// precedes: when a run of y that comes after another one's site goes on, the location is
// written.
func (w *writing) precedes(by hb.At, y hb.ActionID) bool {
	return by.Action != y && (w.inTheRunOf(by, y) || w.before(by))
}

// beforePlaces: on every way to the use the object is reached through a place into which
// it is put when the location is written.
func (w *writing) beforePlaces() bool {
	if w.r.base == 0 {
		return false
	}
	return w.reached(flow.Place{Func: w.r.f, At: w.r.v, Value: w.r.base}, w.r.objs, 0)
}

// maxPlaces bounds the fields on the way to an object (see flow.MaxHops).
const maxPlaces = 4

// reached: the value at a place, one of objs, is got by such a way.
func (w *writing) reached(p flow.Place, objs pointsto.Set, hops int) bool {
	return w.f.facts.Ways.EveryWayIn(w.r.x, p, func(p flow.Place) flow.Answer {
		b := w.f.r.Body(p.Func)
		v := flow.Origin(b, p.Value)
		switch b.Op[v] {
		case ir.OpParam:
			if w.afterBirths(w.f.r.PointsTo(p.Func, v).And(objs), w.r.x) {
				return flow.Yes
			}
			return flow.Callers
		case ir.OpGetField:
			if hops < maxPlaces && (w.afterStores(b, v, objs) || w.reached(flow.Place{Func: p.Func, At: p.At, Value: b.Arg(v, 0)}, w.f.r.PointsTo(p.Func, b.Arg(v, 0)), hops+1)) {
				return flow.Yes
			}
		case ir.OpGetStatic:
			if w.afterStores(b, v, objs) {
				return flow.Yes
			}
		}
		return flow.No
	})
}

// afterStores: whatever stores one of objs into the field that v loads does so when the
// location is written. All stores are known: those of constructors into their own
// object are not asked for, so a field that one sets counts for nothing.
func (w *writing) afterStores(b *ir.Body, v ir.Value, objs pointsto.Set) bool {
	key := w.f.r.FieldKeyOf(ir.FieldID(b.Aux[v]))
	if key <= 0 || w.f.initialised(key) {
		return false
	}
	found := false
	for _, a := range w.f.byKey[key] {
		if !a.write || !a.live || a.stored == 0 || !w.f.r.PointsTo(a.f, a.stored).Intersects(objs) {
			continue
		}
		every := true
		w.f.s.ByFunc[a.in].All(func(id int) bool {
			if !w.f.facts.Values.Of(hb.ActionID(id), a.f, a.stored).Intersects(objs) {
				return true // in this action it stores something else
			}
			found = true
			every = id != 1 && w.precedes(hb.At{Action: hb.ActionID(id), Site: a.site()}, w.r.x)
			return every
		})
		if !every {
			return false
		}
	}
	return found
}

// this is what a function may run on; empty for static ones.
func (f *finder) this(fn pointsto.FuncID) pointsto.Set {
	b, m := f.r.Body(fn), f.r.Funcs[fn].Method
	if b == nil || m == 0 || f.p.Methods[m].Flags&ir.AccStatic != 0 {
		return pointsto.Set{}
	}
	for v := ir.Value(1); int(v) < b.Len() && b.Op[v] == ir.OpParam; v++ {
		if b.Aux[v] == 0 {
			return f.r.PointsTo(fn, v)
		}
	}
	return pointsto.Set{}
}

// directly: the run itself has, or an action that is ordered before it.
func (w *writing) directly(at hb.At) bool {
	return w.any(func(a *access, x hb.ActionID) bool {
		if x == at.Action {
			return w.f.s.MayPrecede(x, a.site(), at.Site)
		}
		return w.f.g.Precedes(hb.At{Action: x, Site: a.site()}, at, hb.SameCause) || w.earlier(x, at.Action) ||
			w.f.ofComponent(w.r, x) && w.f.g.AfterBirth(x, at.Action)
	})
}

// inTheRunOf: every run of by's action that comes to its site, where it makes or stores what
// y gets at, writes the location, and y is another run of its looper.
func (w *writing) inTheRunOf(by hb.At, y hb.ActionID) bool {
	return w.f.g.InAnotherRun(by.Action, y) && w.any(func(a *access, x hb.ActionID) bool {
		return x == by.Action && (w.f.s.Always(x, a.site()) || w.f.s.Dominates(x, a.site(), by.Site))
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
