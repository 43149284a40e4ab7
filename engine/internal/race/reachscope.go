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
	wide map[pointsto.Obj]hb.Scope
	// within is the same as seen from inside one component: that something which
	// a static field holds knows a component, as a listener or as a context in
	// some cache, does not share the component, nor what its fields hold.
	within map[pointsto.Obj]hb.Scope
	below  map[hb.ActionID]actions.Bits // actions that descend from an action, itself included
}

func newSharing(s *actions.Set) *sharing {
	h := &sharing{s: s, below: map[hb.ActionID]actions.Bits{}}
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

// descends is the set of actions caused by action p, p included.
func (h *sharing) descends(p hb.ActionID) actions.Bits {
	if b, ok := h.below[p]; ok {
		return b
	}
	b := make(actions.Bits, (len(h.s.Actions)+63)/64)
	b[p>>6] |= 1 << (p & 63)
	for changed := true; changed; {
		changed = false
		for id := 2; id < len(h.s.Actions); id++ {
			if b.Has(id) {
				continue
			}
			for _, c := range h.s.Actions[id].Causes {
				if b.Has(int(h.s.Model.Points[c].Action)) {
					b[id>>6] |= 1 << (id & 63)
					changed = true
					break
				}
			}
		}
	}
	h.below[p] = b
	return b
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
		d := h.descends(hb.ActionID(p))
		found = d.Has(int(a)) && d.Has(int(b))
		return !found
	})
	return found
}

// oneThread: each run of an action stems from a run of thread object o, by a
// chain of single posts and starts. A thread object is started once, so no two
// runs stem from the same one.
func (h *sharing) oneThread(o pointsto.Obj, a hb.ActionID) bool {
	for range chainDepth {
		arm := h.s.Actions[a].Arm
		if arm == nil || arm.Effect == nil {
			return false
		}
		if arm.Receiver == o && arm.Effect.Kind == platform.Start {
			return true
		}
		causes := h.s.Actions[a].Causes
		if len(causes) != 1 {
			return false
		}
		p := &h.s.Model.Points[causes[0]]
		if p.Kind != hb.Post && p.Kind != hb.Start || p.Repeat || p.Loop {
			return false
		}
		a = p.Action
	}
	return false
}

// chainDepth bounds the chain of causes that is followed to a thread.
const chainDepth = 8
