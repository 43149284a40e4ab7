package flow

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// OwnLocks says which monitors an access is inside of that are the location's own: found from
// the object that is accessed alone, so that two accesses of one object with one of them are
// inside of the same. That is the object itself; what a final field of it holds; and the owner
// of a container, if a final field of the owner holds the container, which the owner's
// constructor has made and stored nowhere else. How many objects there are does not matter.
//
// The monitor counts if the function, or every caller within the action, holds it by a name that
// is one object with the access's (see Base); a field that is assigned again between the two
// loads is another name.
type OwnLocks struct {
	ways  *Ways
	r     *pointsto.Result
	codes Codes
	held  map[pointsto.FuncID]*Solution[names]
	known map[guardKey][]LockWay
	owned map[ir.FieldID]bool
}

// LockWay is how a lock is found from an object: back through fields that hold it, and on through
// the fields of what that is.
type LockWay struct {
	Back, On [MaxHops]ir.FieldID
}

// names is the objects whose monitors are held, as the function names them; top stands for all.
type names struct {
	bases []Base
	top   bool
}

func newOwnLocks(w *Ways, codes Codes) *OwnLocks {
	return &OwnLocks{
		ways: w, r: w.r, codes: codes, held: map[pointsto.FuncID]*Solution[names]{}, known: map[guardKey][]LockWay{}, owned: map[ir.FieldID]bool{},
	}
}

// Of lists how the own locks that are held at an access of an action are found.
func (x *OwnLocks) Of(act hb.ActionID, a *Access) []LockWay {
	if a.Static || a.Base == 0 || a.In != a.Func || a.At <= 0 || x.r.Body(a.Func) == nil {
		return nil
	}
	k := guardKey{ownLocks, act, a.N, -1, 0}
	out, ok := x.known[k]
	if !ok {
		out = x.find(act, a)
		x.known[k] = out
	}
	return out
}

func (x *OwnLocks) find(act hb.ActionID, a *Access) []LockWay {
	b := x.r.Body(a.Func)
	base := x.codes.Of(b).BaseOf(x.r.Prog, a.Base)
	out := slices.Clone(x.at(a.Func, a.At, base))
	if base.Load != 0 || base.Root != Receiver && base.Root != Argument {
		return out
	}
	from := Place{Func: a.Func, At: a.At, Value: 1} // the receiver
	if base.Root == Argument {
		from.Value = ir.Value(base.Index) + 1
	}
	if b.Op[from.Value] != ir.OpParam {
		return out
	}
	var more []LockWay
	x.ways.EveryWayIn(act, from, func(p Place) Answer { // all that may be held
		for _, w := range x.at(p.Func, p.At, x.from(p, base)) {
			if !slices.Contains(out, w) && !slices.Contains(more, w) {
				more = append(more, w)
			}
		}
		return Callers
	})
	for _, w := range more {
		if x.ways.EveryWayIn(act, from, func(p Place) Answer {
			if slices.Contains(x.at(p.Func, p.At, x.from(p, base)), w) {
				return Yes
			}
			return Callers
		}) {
			out = append(out, w)
		}
	}
	return out
}

// from names at a place what a base names in the function that the place leads to.
func (x *OwnLocks) from(p Place, base Base) Base {
	at := x.codes.Of(x.r.Body(p.Func)).BaseOf(x.r.Prog, p.Value)
	n := hops(at)
	for _, f := range base.Hops[:hops(base)] {
		if n == MaxHops {
			return Base{}
		}
		at.Hops[n] = f
		n++
	}
	return at
}

// hops counts the fields of a base.
func hops(b Base) int {
	n := slices.Index(b.Hops[:], 0)
	if n < 0 {
		return MaxHops
	}
	return n
}

// at lists how the monitors that f itself holds when v is about to be executed are found from
// an object that it names.
func (x *OwnLocks) at(f pointsto.FuncID, v ir.Value, object Base) []LockWay {
	s := x.locks(f)
	if s == nil || object.Root == NoRoot {
		return nil
	}
	var out []LockWay
	for _, lock := range s.Before(v).bases {
		if w, ok := x.way(object, lock); ok && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// way says how a lock is found from an object, if it can be.
func (x *OwnLocks) way(object, lock Base) (w LockWay, ok bool) {
	if object.Root != lock.Root || object.Index != lock.Index || object.Load != lock.Load {
		return w, false
	}
	common := 0
	for common < MaxHops && object.Hops[common] == lock.Hops[common] && object.Hops[common] != 0 {
		common++
	}
	for i, f := range object.Hops[common:hops(object)] {
		if !x.ofOwner(f) {
			return w, false
		}
		w.Back[i] = f
	}
	for i, f := range lock.Hops[common:hops(lock)] {
		if x.r.Prog.Fields[f].Flags&ir.AccFinal == 0 {
			return w, false
		}
		w.On[i] = f
	}
	return w, true
}

// ofOwner reports whether a final field holds an object that only its owner has: each
// constructor that stores into it has made the object and stores it nowhere else.
func (x *OwnLocks) ofOwner(f ir.FieldID) bool {
	owned, known := x.owned[f]
	if known {
		return owned
	}
	if d := &x.r.Prog.Fields[f]; d.Flags&ir.AccFinal != 0 && d.Flags&ir.AccStatic == 0 {
		some, all := false, true
		for g := pointsto.FuncID(1); int(g) < len(x.r.Funcs) && all; g++ {
			b := x.r.Body(g)
			if b == nil || !slices.Contains(b.Op, ir.OpPutField) {
				continue
			}
			for v := ir.Value(1); int(v) < b.Len(); v++ {
				if b.Op[v] == ir.OpPutField && x.r.Prog.ResolveField(ir.FieldID(b.Aux[v])) == f {
					some, all = true, all && x.madeFor(b, v)
				}
			}
		}
		owned = some && all
	}
	x.owned[f] = owned
	return owned
}

// madeFor reports whether a constructor stores into its object what it has made for it alone.
func (x *OwnLocks) madeFor(b *ir.Body, store ir.Value) bool {
	this, made := b.Arg(store, 0), b.Arg(store, 1)
	if b.Op[this] != ir.OpParam || b.Aux[this] != 0 || b.Op[made] != ir.OpNew || !x.constructor(b.Method) {
		return false
	}
	return !slices.ContainsFunc(x.codes.Of(b).Uses(made), func(u ir.Value) bool {
		init := b.Op[u] == ir.OpInvoke && b.Arg(u, 0) == made && x.constructor(ir.MethodID(b.Aux[u])) && !slices.Contains(b.ArgsOf(u)[1:], made)
		return u != store && !init
	})
}

func (x *OwnLocks) constructor(m ir.MethodID) bool {
	return x.r.Prog.Selectors[x.r.Prog.Methods[m].Sel].Name == "<init>"
}

// locks solves the monitors that a function holds itself, nil if it takes none.
func (x *OwnLocks) locks(f pointsto.FuncID) *Solution[names] {
	s, known := x.held[f]
	if !known {
		b := x.r.Body(f)
		p := &holding{x: x, b: b, code: x.codes.Of(b)}
		m := &x.r.Prog.Methods[x.r.Funcs[f].Method]
		if m.Flags&ir.AccSynchronized != 0 && m.Flags&ir.AccStatic == 0 {
			p.start = []Base{{Root: Receiver}}
		}
		if p.start != nil || slices.Contains(b.Op, ir.OpMonitorEnter) {
			s = Solve(b, p)
		}
		x.held[f] = s
	}
	return s
}

// holding is the problem of the monitors that a function holds.
type holding struct {
	x     *OwnLocks
	b     *ir.Body
	code  *Code
	start []Base
}

func (p *holding) Entry() names                   { return names{bases: p.start} }
func (p *holding) Top() names                     { return names{top: true} }
func (p *holding) Edge(_, _ int32, s names) names { return s }

func (p *holding) Equal(s, t names) bool {
	return s.top == t.top && len(s.bases) == len(t.bases) && !slices.ContainsFunc(s.bases, func(b Base) bool { return !slices.Contains(t.bases, b) })
}

func (p *holding) Join(s, t names) names {
	switch {
	case s.top:
		return t
	case t.top:
		return s
	}
	return names{bases: slices.DeleteFunc(slices.Clone(s.bases), func(b Base) bool { return !slices.Contains(t.bases, b) })}
}

func (p *holding) Step(v ir.Value, s names) names {
	if s.top {
		return s
	}
	drop := func(which func(Base) bool) {
		if slices.ContainsFunc(s.bases, which) {
			s.bases = slices.DeleteFunc(slices.Clone(s.bases), which)
		}
	}
	drop(func(b Base) bool { // it names another object from now on
		return b.Load == v || (b.Root == Local || b.Root == Allocation) && ir.Value(b.Index) == v
	})
	switch p.b.Op[v] {
	case ir.OpMonitorEnter:
		if lock := p.code.BaseOf(p.x.r.Prog, p.b.Arg(v, 0)); !slices.Contains(s.bases, lock) {
			s.bases = append(slices.Clone(s.bases), lock)
		}
	case ir.OpMonitorExit:
		lock := p.code.BaseOf(p.x.r.Prog, p.b.Arg(v, 0))
		if !slices.Contains(s.bases, lock) { // whatever it is, it is no longer held
			return names{}
		}
		drop(func(b Base) bool { return b == lock })
	}
	return s
}
