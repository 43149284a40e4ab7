package flow

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Lock is an object that surely is one lock in whatever the two sides share, a class
// (as a number that no object has), or either of them held together with other readers.
type Lock uint32

const (
	sharedLock Lock = 1 << 30
	classLock  Lock = 1 << 31
)

// Alone is the lock without how it is held.
func (l Lock) Alone() Lock { return l &^ sharedLock }

// Locks says which locks are surely held at an instruction. It is complete when made,
// but asks the actions who owns a lock.
type Locks struct {
	s     *actions.Set
	r     *pointsto.Result
	local map[pointsto.FuncID]*Solution[lockSet] // of functions that take locks
	start map[pointsto.FuncID]lockSet            // of synchronized methods
	entry []lockSet                              // that every caller holds, by FuncID
	calls map[pointsto.FuncID]map[ir.Value][]*pointsto.EffectSite
	waits map[Lock]actions.Bits // functions that lead to a wait that gives the lock back
}

// lockSet is a sorted list of locks. top means all locks: the neutral element of the
// meet.
type lockSet struct {
	locks []Lock
	top   bool
}

func (a lockSet) meet(b lockSet) lockSet {
	switch {
	case a.top:
		return b
	case b.top:
		return a
	}
	var out []Lock
	for _, o := range a.locks {
		if slices.Contains(b.locks, o) {
			out = append(out, o)
		}
	}
	return lockSet{locks: out}
}

func (a lockSet) with(o Lock) lockSet {
	if o == 0 || a.top || slices.Contains(a.locks, o) {
		return a
	}
	out := append(slices.Clone(a.locks), o)
	slices.Sort(out)
	return lockSet{locks: out}
}

func (a lockSet) without(o Lock) lockSet {
	if !slices.Contains(a.locks, o) {
		return a
	}
	return lockSet{locks: slices.DeleteFunc(slices.Clone(a.locks), func(x Lock) bool { return x == o })}
}

// and is the union.
func (a lockSet) and(b lockSet) lockSet {
	if a.top || b.top {
		return lockSet{top: true}
	}
	for _, o := range b.locks {
		a = a.with(o)
	}
	return a
}

func (a lockSet) equal(b lockSet) bool { return a.top == b.top && slices.Equal(a.locks, b.locks) }

// has reports whether the lock is held, alone or together with other readers.
func (a lockSet) has(o Lock) bool {
	return slices.Contains(a.locks, o.Alone()) || slices.Contains(a.locks, o.Alone()|sharedLock)
}

// NewLocks finds the locks held in all functions.
func NewLocks(s *actions.Set) *Locks {
	l := &Locks{
		s: s, r: s.PT, local: map[pointsto.FuncID]*Solution[lockSet]{}, start: map[pointsto.FuncID]lockSet{},
		entry: make([]lockSet, len(s.PT.Funcs)), calls: map[pointsto.FuncID]map[ir.Value][]*pointsto.EffectSite{},
		waits: map[Lock]actions.Bits{},
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
	for f := pointsto.FuncID(1); int(f) < len(l.r.Funcs); f++ {
		if b := l.r.Body(f); b != nil && s.ByFunc[f] != nil {
			l.function(f, b)
		}
	}
	l.enter()
	l.yield()
	return l
}

// function solves the locks of one function.
func (l *Locks) function(f pointsto.FuncID, b *ir.Body) {
	start := lockSet{}
	if m := l.r.Prog.Methods[l.r.Funcs[f].Method]; m.Flags&ir.AccSynchronized != 0 && m.Flags&ir.AccStatic == 0 {
		start = start.with(l.lockOf(l.r.PointsTo(f, 1)))
	}
	if len(start.locks) > 0 {
		l.start[f] = start
	}
	if len(l.calls[f]) > 0 || slices.Contains(b.Op, ir.OpMonitorEnter) {
		l.local[f] = Solve(b, &locking{l: l, f: f, b: b, start: start})
	}
}

// locking is the problem of the locks that a function takes itself.
type locking struct {
	l     *Locks
	f     pointsto.FuncID
	b     *ir.Body
	start lockSet
}

func (p *locking) Entry() lockSet                     { return p.start }
func (p *locking) Top() lockSet                       { return lockSet{top: true} }
func (p *locking) Join(a, b lockSet) lockSet          { return a.meet(b) }
func (p *locking) Equal(a, b lockSet) bool            { return a.equal(b) }
func (p *locking) Edge(_, _ int32, s lockSet) lockSet { return s }
func (p *locking) Step(v ir.Value, s lockSet) lockSet {
	if s.top {
		return s
	}
	for _, c := range p.l.changes(p.f, p.b, v) {
		switch {
		case !c.taken:
			s = s.without(c.lock.Alone()).without(c.lock.Alone() | sharedLock)
		case c.sure:
			s = s.with(c.lock)
		}
	}
	return s
}

// change is what an instruction does to a lock.
type change struct {
	lock  Lock
	taken bool // or given back
	sure  bool // not only if the call says so
}

// changes lists what an instruction does to locks, in order.
func (l *Locks) changes(f pointsto.FuncID, b *ir.Body, v ir.Value) []change {
	switch b.Op[v] {
	case ir.OpMonitorEnter, ir.OpMonitorExit:
		if o := l.monitor(f, b, v); o != 0 {
			return []change{{lock: o, taken: b.Op[v] == ir.OpMonitorEnter, sure: true}}
		}
	case ir.OpInvoke:
		var out []change
		for _, e := range l.calls[f][v] {
			o := l.lockOf(l.r.Eval(e.Scope, e.Effect.Place))
			if o == 0 {
				continue
			}
			if e.Effect.Shared && e.Effect.Kind == platform.Acquire {
				o |= sharedLock
			}
			out = append(out, change{lock: o, taken: e.Effect.Kind == platform.Acquire, sure: e.Effect.When == ""})
		}
		return out
	}
	return nil
}

// lockOf is the one lock that a value surely is, 0 if unknown.
func (l *Locks) lockOf(s pointsto.Set) Lock {
	o := s.One()
	if o == 0 || !l.s.OwnerOf(o).Unique {
		return 0
	}
	return Lock(o)
}

// monitor is the lock of a monitor instruction. A class constant is
// no object of the heap: its type stands in, as a number no object has.
func (l *Locks) monitor(f pointsto.FuncID, b *ir.Body, v ir.Value) Lock {
	x := b.Arg(v, 0)
	if b.Op[x] == ir.OpConstClass {
		return classLock | Lock(b.Aux[x])
	}
	return l.lockOf(l.r.PointsTo(f, x))
}

// enter finds the locks that every caller of a function holds: the greatest solution, so
// that a recursive call takes nothing away.
func (l *Locks) enter() {
	if len(l.local) == 0 && len(l.start) == 0 {
		return
	}
	for f := range l.entry {
		l.entry[f] = lockSet{top: true}
	}
	for id := 1; id < len(l.s.Actions); id++ {
		for _, f := range l.s.Actions[id].Entries {
			l.entry[f] = lockSet{}
		}
	}
	work := make([]pointsto.FuncID, 0, len(l.entry))
	queued := make([]bool, len(l.entry))
	for f := range l.entry {
		work, queued[f] = append(work, pointsto.FuncID(f)), true
	}
	for len(work) > 0 {
		f := work[0]
		work, queued[f] = work[1:], false
		if now := l.met(f); !now.equal(l.entry[f]) {
			l.entry[f] = now
			for _, c := range l.r.Calls[f] {
				if !queued[c.Callee] {
					work, queued[c.Callee] = append(work, c.Callee), true
				}
			}
		}
	}
	for f := range l.entry {
		if l.entry[f].top { // nothing calls it
			l.entry[f] = lockSet{}
		}
	}
}

// met is what all callers of f hold as far as it is known.
func (l *Locks) met(f pointsto.FuncID) lockSet {
	now := l.entry[f]
	for _, c := range l.s.Callers(f) {
		if !now.top && len(now.locks) == 0 {
			break
		}
		now = now.meet(l.at(c.Caller, c.Site))
	}
	return now
}

// at is the set of locks held when v of f is about to be executed.
func (l *Locks) at(f pointsto.FuncID, v ir.Value) lockSet {
	return l.own(f, v).and(l.entry[f])
}

// own is the set of those that f itself has taken.
func (l *Locks) own(f pointsto.FuncID, v ir.Value) lockSet {
	if s := l.local[f]; s != nil && v > 0 {
		if at := s.Before(v); !at.top {
			return at
		}
		return lockSet{}
	}
	return l.start[f]
}

// Held lists the locks held at an access, sorted.
func (l *Locks) Held(a *Access) []Lock { return l.at(a.Func, a.At).locks }

// Common lists the locks that two accesses are both inside of, at least one of them not
// as one of several readers. A lock must be shared whenever the location is: it
// belongs to the process, or to the same owner as the location.
func (l *Locks) Common(a, b *Access) []Lock {
	ha := l.at(a.Func, a.At)
	if len(ha.locks) == 0 {
		return nil
	}
	var out []Lock
	for _, o := range l.at(b.Func, b.At).locks {
		for _, p := range ha.locks {
			alone := o == p && o&sharedLock == 0 || o != p
			if o.Alone() == p.Alone() && alone && l.covers(o.Alone(), a, b) && !slices.Contains(out, o.Alone()) {
				out = append(out, o.Alone())
			}
		}
	}
	return out
}

func (l *Locks) covers(o Lock, a, b *Access) bool {
	if o&classLock != 0 || l.s.OwnerOf(pointsto.Obj(o)).Scope == hb.ScopeProcess {
		return true
	}
	return !a.Static && !b.Static
}
