package race

import (
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

// of is how widely an object is shared between two actions: ScopeRun,
// ScopeInstance or ScopeProcess.
func (h *sharing) of(o pointsto.Obj, x, y hb.ActionID) hb.Scope {
	in := h.wide
	if c := h.s.Actions[x].Component; c != 0 && c == h.s.Actions[y].Component {
		in = h.within
	}
	if w, ok := in[o]; ok {
		return w
	}
	return h.native(o)
}

// shared reports whether runs of a and b can get at one concrete object of o:
// of an object that lives in one run, both must descend from a run that
// allocates it.
func (h *sharing) shared(o pointsto.Obj, a, b hb.ActionID) bool {
	if a == b && h.oneThread(o, a) {
		return false
	}
	if h.of(o, a, b) != hb.ScopeRun {
		return true
	}
	info := h.s.PT.Object(o)
	if info.Func == 0 || h.s.ByFunc[info.Func] == nil {
		return true
	}
	found := false
	h.s.ByFunc[info.Func].All(func(p int) bool {
		found = h.g.Descends(hb.ActionID(p), a) && h.g.Descends(hb.ActionID(p), b)
		return !found
	})
	return found
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
