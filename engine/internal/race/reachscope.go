package race

import (
	"math/bits"
	"slices"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// sharing says between which runs the concrete objects of an abstract object
// can be shared: those of one cause, of one component instance, or of the
// process. An object is as widely shared as what holds it.
type sharing struct {
	s    *actions.Set
	g    *hb.Graph
	wide map[pointsto.Obj]hb.Scope
	// within is the same as seen from inside one component: that something which
	// a static field holds knows a component, as a listener or as a context in
	// some cache, does not share the component, nor what its fields hold.
	within map[pointsto.Obj]hb.Scope
}

func newSharing(s *actions.Set, g *hb.Graph) *sharing {
	h := &sharing{s: s, g: g}
	heap := s.PT.Heap()
	h.wide = h.spread(heap, false)
	h.within = h.spread(heap, true)
	return h
}

// spread passes the width of holders on to what they hold; inside, components
// and views pass on no more than an instance.
func (h *sharing) spread(heap []pointsto.HeapEdge, inside bool) map[pointsto.Obj]hb.Scope {
	wide := map[pointsto.Obj]hb.Scope{}
	holds := map[pointsto.Obj][]pointsto.Set{}
	var work []pointsto.Obj
	raise := func(o pointsto.Obj, to hb.Scope) {
		if old, known := wide[o]; !known || wider(to, old) {
			wide[o] = to
			work = append(work, o)
		}
	}
	for _, e := range heap {
		if e.From == 0 {
			e.To.All(func(o pointsto.Obj) bool { raise(o, hb.ScopeProcess); return true })
			continue
		}
		holds[e.From] = append(holds[e.From], e.To)
		if w := h.native(e.From); w != hb.ScopeRun {
			raise(e.From, w)
		}
	}
	for len(work) > 0 {
		o := work[len(work)-1]
		work = work[:len(work)-1]
		to := wide[o]
		if inside && h.native(o) == hb.ScopeInstance {
			to = hb.ScopeInstance
		}
		for _, held := range holds[o] {
			held.All(func(x pointsto.Obj) bool {
				if n := h.native(x); inside && n == hb.ScopeInstance {
					raise(x, n)
				} else {
					raise(x, to)
				}
				return true
			})
		}
	}
	return wide
}

// native is how widely an object is shared whoever holds it.
func (h *sharing) native(o pointsto.Obj) hb.Scope {
	switch h.s.PT.Object(o).Kind {
	case pointsto.Static:
		return hb.ScopeProcess
	case pointsto.Component, pointsto.View:
		if h.s.OwnerOf(o).Scope == hb.ScopeProcess {
			return hb.ScopeProcess
		}
		if l := h.s.PT.Lifecycle(h.s.PT.Object(o).Class); l != nil && l.Instances == platform.Each {
			return hb.ScopeRun // a new one for each broadcast
		}
		return hb.ScopeInstance
	}
	if h.s.OwnerOf(o).Scope == hb.ScopeProcess {
		return hb.ScopeProcess
	}
	if h.s.ComponentOf(o) != 0 {
		return hb.ScopeInstance
	}
	return hb.ScopeRun
}

// wider reports whether a is shared more widely than b.
func wider(a, b hb.Scope) bool { return rank(a) > rank(b) }

func rank(s hb.Scope) int {
	switch s {
	case hb.ScopeProcess:
		return 2
	case hb.ScopeInstance:
		return 1
	}
	return 0
}

// of is how widely an object is shared between two actions, of one component or not:
// ScopeRun, ScopeInstance or ScopeProcess.
func (h *sharing) of(o pointsto.Obj, together bool) hb.Scope {
	in := h.wide
	if together {
		in = h.within
	}
	if w, ok := in[o]; ok {
		return w
	}
	return h.native(o)
}

// together reports whether two actions are of one component.
func (h *sharing) together(x, y hb.ActionID) bool {
	c := h.s.Actions[x].Component
	return c != 0 && c == h.s.Actions[y].Component
}

// descend reports whether runs of a and b can get at one concrete object of o, which lives in
// one run: both must descend from a run that allocates it.
func (h *sharing) descend(o pointsto.Obj, a, b hb.ActionID) bool {
	info := h.s.PT.Object(o)
	if info.Func == 0 || h.s.ByFunc[info.Func] == nil {
		return true
	}
	for i, word := range h.s.ByFunc[info.Func] {
		for ; word != 0; word &= word - 1 {
			if p := hb.ActionID(i<<6 + bits.TrailingZeros64(word)); h.g.Descends(p, a) && h.g.Descends(p, b) {
				return true
			}
		}
	}
	return false
}

// oneThread: each run of an action stems from a run of thread object o, by a
// chain of single posts and starts. A thread object is started once, so no two
// runs stem from the same one.
func (h *sharing) oneThread(o pointsto.Obj, a hb.ActionID) bool {
	return h.g.StemsFrom(a, func(x hb.ActionID) bool {
		arm := h.s.Actions[x].Arm
		return arm != nil && arm.Receiver == o && arm.Effect != nil && arm.Effect.Kind == platform.Start
	})
}

// width says between which runs a location can be shared: wide is ScopeUnknown if it cannot.
// young: an object that is shared is made by the app, so that a run may still have it for
// itself; old is the width without such objects.
type width struct {
	wide, old hb.Scope
	young     bool
}

func (w *width) add(scope hb.Scope, young bool) {
	w.wide = widest(w.wide, scope)
	if young {
		w.young = true
	} else {
		w.old = widest(w.old, scope)
	}
}

func widest(a, b hb.Scope) hb.Scope {
	if a == hb.ScopeUnknown || wider(b, a) {
		return b
	}
	return a
}

// common is the objects of two sets: the width of those that outlive a run, and those that live
// in one, first what the app does not make.
type common struct {
	width
	runs [2][]pointsto.Obj
}

// commonKey names two sets of objects at one location, and whether two actions that touch
// them are of one component.
type commonKey struct {
	a, b     int32
	together bool
}

// width says between which runs the location of two classes can be shared.
func (f *finder) width(m meeting) width {
	s, t := m.s, m.t
	if s.static {
		return width{wide: hb.ScopeProcess, old: hb.ScopeProcess}
	}
	var c *common
	if m.same {
		c = f.findCommon(s, t)
	} else {
		key := commonKey{m.a.objs, m.b.objs, f.share.together(s.x, t.x)}
		if c = f.commons[key]; c == nil {
			c = f.findCommon(s, t)
			f.commons[key] = c
		}
	}
	w := c.width
	for young, runs := range c.runs {
		if young == 0 && w.old != hb.ScopeUnknown || young == 1 && w.young {
			continue // they add nothing
		}
		if slices.ContainsFunc(runs, func(o pointsto.Obj) bool { return f.share.descend(o, s.x, t.x) }) {
			w.add(hb.ScopeRun, young == 1)
		}
	}
	return w
}

// findCommon finds what two sides have in common: what two runs of one action cannot share is
// left out.
func (f *finder) findCommon(s, t *visit) *common {
	c := &common{}
	together := f.share.together(s.x, t.x)
	s.objs.All(func(o pointsto.Obj) bool {
		if !t.objs.Has(o) || s.x == t.x && f.share.oneThread(o, s.x) {
			return true
		}
		young := f.young(o)
		if scope := f.share.of(o, together); scope != hb.ScopeRun {
			c.add(scope, young)
		} else {
			c.runs[number(young)] = append(c.runs[number(young)], o)
		}
		return true
	})
	return c
}

// young reports whether a run may make the object.
func (f *finder) young(o pointsto.Obj) bool {
	k := f.r.Object(o).Kind
	return k == pointsto.Allocated || k == pointsto.Made
}
