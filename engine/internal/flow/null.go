package flow

import (
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Nullness says whether a value may be a null that some code wrote down, and
// whether it may be anything else.
type Nullness struct{ Null, Other bool }

// Nulls finds nulls that reach a value through variables, parameters and
// returns. A null that comes out of the heap is not followed: it
// is the free that put it there.
type Nulls struct {
	ways  *Ways
	codes Codes
	r     *pointsto.Result
	table *table[nullKey, Nullness]
}

type nullKey struct {
	act hb.ActionID // 0: whatever action runs it
	f   pointsto.FuncID
	v   ir.Value
}

// NewNulls makes a Nulls of its own, for questions that come before Facts.
func NewNulls(s *actions.Set) *Nulls {
	return newNulls(&Ways{s: s, r: s.PT}, Codes{})
}

func newNulls(w *Ways, codes Codes) *Nulls {
	n := &Nulls{ways: w, codes: codes, r: w.r}
	n.table = newTable[nullKey](func(old, now Nullness) (Nullness, bool) {
		sum := old.or(now)
		return sum, sum != old
	})
	n.table.compute = n.compute
	return n
}

// Of gives the nullness of a value in the runs of an action; action 0 stands for all.
func (n *Nulls) Of(act hb.ActionID, f pointsto.FuncID, v ir.Value) Nullness {
	got := n.table.of(nullKey{act, f, v})
	if got == (Nullness{}) {
		return Nullness{Other: true} // only a cycle that no value enters
	}
	return got
}

func (n *Nulls) compute(k nullKey) Nullness {
	b := n.r.Body(k.f)
	switch b.Op[k.v] {
	case ir.OpConstNull:
		return Nullness{Null: true}
	case ir.OpPhi:
		var sum Nullness
		for _, a := range b.ArgsOf(k.v) {
			sum = sum.or(n.table.of(nullKey{k.act, k.f, a}))
		}
		return sum
	case ir.OpCheckCast:
		return n.table.of(nullKey{k.act, k.f, b.Arg(k.v, 0)})
	case ir.OpParam:
		return n.param(k, int(b.Aux[k.v]))
	case ir.OpInvoke:
		return n.returned(k)
	}
	return Nullness{Other: true}
}

func (a Nullness) or(b Nullness) Nullness { return Nullness{a.Null || b.Null, a.Other || b.Other} }

// param joins what the callers pass.
func (n *Nulls) param(k nullKey, i int) Nullness {
	sum, some := Nullness{}, false
	for way := range n.ways.Calls(k.act, k.f) {
		some = true
		passed, known := way.Passed(i)
		if !known {
			sum.Other = true
			continue
		}
		sum = sum.or(n.table.of(nullKey{k.act, way.Caller, passed}))
	}
	if !some {
		sum.Other = true
	}
	return sum
}

// returned joins what the callees return.
func (n *Nulls) returned(k nullKey) Nullness {
	sum, some := Nullness{}, false
	for _, c := range n.r.Calls[k.f] {
		if c.Site != k.v {
			continue
		}
		b := n.r.Body(c.Callee)
		if b == nil {
			continue
		}
		for block := range b.Blocks {
			last := b.Blocks[block].End - 1
			if b.Op[last] == ir.OpReturn && b.NArgs(last) == 1 {
				some = true
				sum = sum.or(n.result(k, c.Callee, b, int32(block), b.Arg(last, 0)))
			}
		}
	}
	if !some {
		sum.Other = true
	}
	return sum
}

// result is the nullness of value r that a block of a callee returns to the call k.
// A null that is returned because an argument was null is as null as the argument.
func (n *Nulls) result(k nullKey, callee pointsto.FuncID, b *ir.Body, block int32, r ir.Value) Nullness {
	switch b.Op[r] {
	case ir.OpPhi:
		if b.BlockOf(r) != block {
			break
		}
		var sum Nullness
		for i, a := range b.ArgsOf(r) {
			sum = sum.or(n.result(k, callee, b, b.Preds(block)[i], a))
		}
		return sum
	case ir.OpConstNull:
		if arg := n.nullArgument(k, b, block); arg != 0 {
			return n.table.of(nullKey{k.act, k.f, arg})
		}
	}
	return n.table.of(nullKey{k.act, callee, r})
}

// nullArgument is the argument of call k that is null, or not of the class that is asked
// for, whenever a block of the callee is executed; 0 if none is known to be.
func (n *Nulls) nullArgument(k nullKey, b *ir.Body, block int32) ir.Value {
	caller := n.r.Body(k.f)
	for _, c := range n.codes.Of(b).Required(block) {
		x := c.Value
		switch {
		case c.Zero() && b.Op[x] == ir.OpInstanceOf: // as null as what it refuses
			x = Origin(b, b.Arg(x, 0))
		case !c.Zero():
			continue
		}
		if b.Op[x] == ir.OpParam && b.Type[x] > ir.TypeDouble && int(b.Aux[x]) < caller.NArgs(k.v) {
			return caller.Arg(k.v, int(b.Aux[x]))
		}
	}
	return 0
}
