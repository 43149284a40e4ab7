package race

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/flow"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// leading asks whether something is done whenever a run gets to an access, by all that
// leads there. A run comes after one of its causes, after the making of each object in
// whose methods it is on its way, and after a store into each place by which it gets at
// the object of the access: what holds of all causes, of all births, or of all stores,
// holds of it (a least fixed point, so that two births that would prove each other prove
// nothing).
//
// Assumed: all stores into a place of the app's are known, and what one run stores is
// what another one loads (sequential consistency).
type leading struct {
	f       *finder
	to      visit
	own     hb.ComponentID // whose instance the location is of, or the access; 0 if not known
	known   map[hb.At]bool // answers of before; false while one is looked for
	done    func(at hb.At) bool
	inRun   func(by hb.At, y hb.ActionID) bool // in the run that gets to by, of which y is not in the middle
	byCause func(by hb.At) bool                // ahead of a cause of the access's run
}

func (f *finder) leading(to visit) *leading {
	l := &leading{f: f, to: to, own: f.s.Actions[to.x].Component, known: map[hb.At]bool{}}
	if c := f.s.ComponentOf(to.objs.One()); c != 0 {
		l.own = c
	}
	return l
}

// before: it is done when a run gets to a site.
func (l *leading) before(at hb.At) bool {
	if known, ok := l.known[at]; ok {
		return known
	}
	l.known[at] = false
	l.known[at] = l.done(at) || l.causes(at.Action) || l.births(at)
	return l.known[at]
}

// causes: it is done whenever something makes y run. Beyond the location's own component
// a cause says nothing of this instance of it: another one may have come since.
func (l *leading) causes(y hb.ActionID) bool {
	return l.f.g.EveryCause(y, func(by hb.At) bool {
		return y == l.to.x && l.byCause(by) || l.ofInstance(by.Action) && l.before(by)
	})
}

// ofInstance: runs of an action that lead to the access, and the access, are of one instance.
func (l *leading) ofInstance(x hb.ActionID) bool {
	return l.to.static || x == l.to.x || l.own != 0 && l.f.s.Actions[x].Component == l.own
}

// births: on every way to the site the run is in a method of an object that is made when
// it is done.
func (l *leading) births(at hb.At) bool {
	fn, v := actions.PlaceOf(at.Site)
	from := flow.Place{Func: fn, At: v}
	return l.f.facts.Ways.EveryWayIn(at.Action, from, func(p flow.Place) flow.Answer {
		if l.made(l.f.this(p.Func), at.Action) || p != from && l.made(l.called(p), at.Action) {
			return flow.Yes
		}
		return flow.Callers
	})
}

// called is what the call at a place is on: a lambda too, whose body does not run on it.
func (l *leading) called(p flow.Place) pointsto.Set {
	b := l.f.r.Body(p.Func)
	if p.At <= 0 || b.Op[p.At] != ir.OpInvoke || b.Sub[p.At] == ir.Static || b.NArgs(p.At) == 0 {
		return pointsto.Set{}
	}
	return l.f.r.PointsTo(p.Func, b.Arg(p.At, 0))
}

// made: all of some objects are made when it is done, or in a run that does it and that y
// is not in the middle of. What is done to the location's object is done after that is made.
func (l *leading) made(objs pointsto.Set, y hb.ActionID) bool {
	every := !objs.Empty()
	objs.All(func(o pointsto.Obj) bool {
		births := l.f.s.Births(o)
		every = len(births) > 0 && !slices.ContainsFunc(births, func(by hb.At) bool {
			return by.Action == y || !l.inRun(by, y) && (l.to.objs.Has(o) || !l.before(by))
		})
		return every
	})
	return every
}

// places: on every way to the access the object is reached through a place into which it is
// put when it is done.
func (l *leading) places() bool {
	return l.to.base != 0 && l.reached(flow.Place{Func: l.to.f, At: l.to.v, Value: l.to.base}, l.to.objs, 0)
}

// maxPlaces bounds the fields on the way to an object (see flow.MaxHops).
const maxPlaces = 4

// reached: the value at a place, one of objs, is got by such a way.
func (l *leading) reached(p flow.Place, objs pointsto.Set, hops int) bool {
	return l.f.facts.Ways.EveryWayIn(l.to.x, p, func(p flow.Place) flow.Answer {
		b := l.f.r.Body(p.Func)
		v := flow.Origin(b, p.Value)
		switch b.Op[v] {
		case ir.OpParam:
			if l.made(l.f.r.PointsTo(p.Func, v).And(objs), l.to.x) {
				return flow.Yes
			}
			return flow.Callers
		case ir.OpGetField:
			holder := b.Arg(v, 0)
			if hops < maxPlaces && (l.stored(b, v, objs) || l.reached(flow.Place{Func: p.Func, At: p.At, Value: holder}, l.f.r.PointsTo(p.Func, holder), hops+1)) {
				return flow.Yes
			}
		case ir.OpGetStatic:
			if l.stored(b, v, objs) {
				return flow.Yes
			}
		}
		return flow.No
	})
}

// stored: whatever stores one of objs into the field that v loads does so when it is
// done. Constructors' stores into their own object are not among the accesses, so a field
// that one sets counts for nothing.
func (l *leading) stored(b *ir.Body, v ir.Value, objs pointsto.Set) bool {
	key := l.f.r.FieldKeyOf(ir.FieldID(b.Aux[v]))
	if key <= 0 || l.f.initialised(key) {
		return false
	}
	found := false
	for _, a := range l.f.byKey[key] {
		if !a.write || !a.live || a.stored == 0 || !l.f.r.PointsTo(a.f, a.stored).Intersects(objs) {
			continue
		}
		every := true
		l.f.s.ByFunc[a.in].All(func(id int) bool {
			x := hb.ActionID(id)
			if !l.f.facts.Values.Of(x, a.f, a.stored).Intersects(objs) {
				return true // in this action it stores something else
			}
			found = true
			by := hb.At{Action: x, Site: a.site()}
			every = id != 1 && x != l.to.x && (l.inRun(by, l.to.x) || l.before(by))
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
