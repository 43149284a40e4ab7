package race

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// locks says which locks are surely held at an instruction: abstract objects
// that stand for one lock in whatever the two sides share.
type locks struct {
	s     *actions.Set
	r     *pointsto.Result
	local map[pointsto.FuncID]map[ir.Value]lockSet // at each instruction that matters
	entry map[pointsto.FuncID]lockSet
	busy  map[pointsto.FuncID]bool
	calls map[pointsto.FuncID]map[ir.Value][]*pointsto.EffectSite
}

// sharedLock marks a lock that is held together with other readers.
const sharedLock = pointsto.Obj(1 << 30)

// lockSet is a sorted list of lock objects. nil with top set means all locks:
// the neutral element of the meet.
type lockSet struct {
	objs []pointsto.Obj
	top  bool
}

func (a lockSet) meet(b lockSet) lockSet {
	switch {
	case a.top:
		return b
	case b.top:
		return a
	}
	var out []pointsto.Obj
	for _, o := range a.objs {
		if slices.Contains(b.objs, o) {
			out = append(out, o)
		}
	}
	return lockSet{objs: out}
}

func (a lockSet) with(o pointsto.Obj) lockSet {
	if o == 0 || slices.Contains(a.objs, o) {
		return a
	}
	out := append(slices.Clone(a.objs), o)
	slices.Sort(out)
	return lockSet{objs: out}
}

func (a lockSet) without(o pointsto.Obj) lockSet {
	return lockSet{objs: slices.DeleteFunc(slices.Clone(a.objs), func(x pointsto.Obj) bool { return x == o })}
}

func (a lockSet) equal(b lockSet) bool { return a.top == b.top && slices.Equal(a.objs, b.objs) }

func newLocks(s *actions.Set) *locks {
	l := &locks{
		s: s, r: s.PT, local: map[pointsto.FuncID]map[ir.Value]lockSet{}, entry: map[pointsto.FuncID]lockSet{},
		busy: map[pointsto.FuncID]bool{}, calls: map[pointsto.FuncID]map[ir.Value][]*pointsto.EffectSite{},
	}
	for i := range l.r.Sites {
		e := &l.r.Sites[i]
		if e.Effect.Kind != platform.Acquire && e.Effect.Kind != platform.Release {
			continue
		}
		m := l.calls[e.Func]
		if m == nil {
			m = map[ir.Value][]*pointsto.EffectSite{}
			l.calls[e.Func] = m
		}
		m[e.Site] = append(m[e.Site], e)
	}
	return l
}

// lockObject is the one object that a lock value surely is, 0 if unknown.
func (l *locks) lockObject(s pointsto.Set) pointsto.Obj {
	o := s.One()
	if o == 0 || !l.s.OwnerOf(o).Unique {
		return 0
	}
	return o
}

// held lists the locks held at v of f on every way there.
func (l *locks) held(f pointsto.FuncID, v ir.Value) []pointsto.Obj {
	b := l.r.Body(f)
	if b == nil {
		return nil
	}
	at := l.local[f]
	if at == nil {
		at = l.flow(f, b)
		l.local[f] = at
	}
	e := l.onEntry(f)
	out := slices.Clone(at[v].objs)
	for _, o := range e.objs {
		if !slices.Contains(out, o) {
			out = append(out, o)
		}
	}
	slices.Sort(out)
	return out
}

// onEntry lists the locks that every caller holds.
func (l *locks) onEntry(f pointsto.FuncID) lockSet {
	if e, ok := l.entry[f]; ok {
		return e
	}
	if l.busy[f] {
		return lockSet{top: true} // a way around a cycle: the other ways decide
	}
	l.busy[f] = true
	e := lockSet{top: true}
	for id := 1; id < len(l.s.Actions); id++ {
		for _, x := range l.s.Actions[id].Entries {
			if x == f {
				e = lockSet{}
			}
		}
	}
	for _, c := range l.s.Callers(f) {
		if e.top || len(e.objs) > 0 {
			e = e.meet(lockSet{objs: l.held(c.Caller, c.Site)})
		}
	}
	delete(l.busy, f)
	if e.top {
		e = lockSet{}
	}
	l.entry[f] = e
	return e
}

// flow computes the locks held at each instruction of a function by its own
// monitor instructions and lock calls.
func (l *locks) flow(f pointsto.FuncID, b *ir.Body) map[ir.Value]lockSet {
	out := map[ir.Value]lockSet{}
	start := lockSet{}
	if m := l.r.Prog.Methods[l.r.Funcs[f].Method]; m.Flags&ir.AccSynchronized != 0 && m.Flags&ir.AccStatic == 0 {
		start = start.with(l.lockObject(l.r.PointsTo(f, 1)))
	}
	if !l.locking(f, b) {
		if len(start.objs) > 0 {
			for v := range b.Len() {
				out[ir.Value(v)] = start
			}
		}
		return out
	}
	in := make([]lockSet, len(b.Blocks))
	for k := range in {
		in[k] = lockSet{top: true}
	}
	in[0] = start
	for changed := true; changed; {
		changed = false
		for k := range b.Blocks {
			state := in[k]
			if state.top {
				continue
			}
			before := state // what a handler sees: the state before the last instruction
			for v := b.Blocks[k].Start; v < b.Blocks[k].End; v++ {
				out[v] = state
				before = state
				state = l.step(f, b, v, state)
			}
			for i, s := range b.Succs(int32(k)) {
				next := state
				if i >= int(b.Blocks[k].Normal) {
					next = before.meet(state)
				}
				if m := in[s].meet(next); !m.equal(in[s]) {
					in[s], changed = m, true
				}
			}
		}
	}
	return out
}

// locking reports whether a function takes locks itself.
func (l *locks) locking(f pointsto.FuncID, b *ir.Body) bool {
	if len(l.calls[f]) > 0 {
		return true
	}
	return slices.Contains(b.Op, ir.OpMonitorEnter)
}

func (l *locks) step(f pointsto.FuncID, b *ir.Body, v ir.Value, state lockSet) lockSet {
	switch b.Op[v] {
	case ir.OpMonitorEnter:
		return state.with(l.monitor(f, b, v))
	case ir.OpMonitorExit:
		return state.without(l.monitor(f, b, v))
	case ir.OpInvoke:
		for _, e := range l.calls[f][v] {
			o := l.lockObject(l.r.Eval(e.Scope, e.Effect.Place))
			switch {
			case o == 0:
			case e.Effect.Kind == platform.Release:
				state = state.without(o).without(o | sharedLock)
			case e.Effect.When != "": // taken only if the call says so
			case e.Effect.Shared:
				state = state.with(o | sharedLock)
			default:
				state = state.with(o)
			}
		}
	}
	return state
}

// monitor is the object that a monitor instruction locks. A class constant is
// no object of the heap: its type stands in, as a number no object has.
func (l *locks) monitor(f pointsto.FuncID, b *ir.Body, v ir.Value) pointsto.Obj {
	x := b.Arg(v, 0)
	if b.Op[x] == ir.OpConstClass {
		return pointsto.Obj(1<<31 | uint32(b.Aux[x]))
	}
	return l.lockObject(l.r.PointsTo(f, x))
}

// common reports whether two accesses are inside one lock. The lock must be
// shared whenever the location is: it belongs to the process, or to the same
// owner as the location.
func (l *locks) common(a, b *access) bool {
	ha := l.held(a.f, a.v)
	if len(ha) == 0 {
		return false
	}
	for _, o := range l.held(b.f, b.v) {
		for _, p := range ha {
			if o&^sharedLock == p&^sharedLock && (o == p && o&sharedLock == 0 || o != p) && l.covers(o&^sharedLock, a, b) {
				return true
			}
		}
	}
	return false
}

func (l *locks) covers(o pointsto.Obj, a, b *access) bool {
	if o>>31 == 1 {
		return true
	}
	w := l.s.OwnerOf(o)
	if w.Scope == hb.ScopeProcess {
		return true
	}
	return !a.static && !b.static
}
