package race

import (
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// nullness says whether a value may be a null that some code wrote down, and
// whether it may be anything else.
type nullness struct{ null, other bool }

type nullKey struct {
	act hb.ActionID // 0: whatever action runs it
	f   pointsto.FuncID
	v   ir.Value
}

// nullFlow finds nulls that reach a store through variables, parameters and
// returns. A null that comes out of the heap is not followed: it
// is the free that put it there.
type nullFlow struct {
	s    *actions.Set
	r    *pointsto.Result
	memo map[nullKey]nullness
}

// of gives the nullness of a value in the runs of an action.
func (n *nullFlow) of(act hb.ActionID, f pointsto.FuncID, v ir.Value) nullness {
	key := nullKey{act, f, v}
	if got, ok := n.memo[key]; ok {
		return got
	}
	n.memo[key] = nullness{} // cycles add nothing
	got := n.compute(act, f, v)
	n.memo[key] = got
	return got
}

func (n *nullFlow) compute(act hb.ActionID, f pointsto.FuncID, v ir.Value) nullness {
	b := n.r.Body(f)
	switch b.Op[v] {
	case ir.OpConstNull:
		return nullness{null: true}
	case ir.OpPhi:
		var sum nullness
		for _, a := range b.ArgsOf(v) {
			sum = sum.or(n.of(act, f, a))
		}
		return sum
	case ir.OpCheckCast:
		return n.of(act, f, b.Arg(v, 0))
	case ir.OpParam:
		return n.param(act, f, int(b.Aux[v]))
	case ir.OpInvoke:
		return n.returned(act, f, v)
	}
	return nullness{other: true}
}

func (a nullness) or(b nullness) nullness { return nullness{a.null || b.null, a.other || b.other} }

// param joins what the callers pass.
func (n *nullFlow) param(act hb.ActionID, f pointsto.FuncID, i int) nullness {
	sum := nullness{}
	for _, c := range n.s.Callers(f) {
		if act != 0 && !n.s.Actions[act].Reach.Has(int(c.Caller)) {
			continue
		}
		b := n.r.Body(c.Caller)
		if b == nil || c.Site <= 0 || b.Op[c.Site] != ir.OpInvoke || i >= b.NArgs(c.Site) || !n.plain(f, b, c.Site) {
			sum.other = true
			continue
		}
		sum = sum.or(n.of(act, c.Caller, b.Arg(c.Site, i)))
	}
	if !sum.null {
		sum.other = true
	}
	return sum
}

// plain: the call passes its arguments in order: callee and call have as many.
func (n *nullFlow) plain(f pointsto.FuncID, b *ir.Body, site ir.Value) bool {
	callee := n.r.Body(f)
	params := 0
	for v := ir.Value(1); int(v) < callee.Len() && callee.Op[v] == ir.OpParam; v++ {
		params++
	}
	return params == b.NArgs(site)
}

// returned joins what the callees return.
func (n *nullFlow) returned(act hb.ActionID, f pointsto.FuncID, v ir.Value) nullness {
	sum := nullness{}
	for _, c := range n.r.Calls[f] {
		if c.Site != v {
			continue
		}
		b := n.r.Body(c.Callee)
		if b == nil {
			continue
		}
		for k := range b.Blocks {
			last := b.Blocks[k].End - 1
			if b.Op[last] == ir.OpReturn && b.NArgs(last) == 1 {
				sum = sum.or(n.result(act, f, v, c.Callee, b, int32(k), b.Arg(last, 0)))
			}
		}
	}
	if !sum.null {
		sum.other = true
	}
	return sum
}

// result is the nullness of value r that block k of a callee returns. A null
// that is returned because an argument was null is as null as the argument.
func (n *nullFlow) result(act hb.ActionID, f pointsto.FuncID, call ir.Value, callee pointsto.FuncID, b *ir.Body, k int32, r ir.Value) nullness {
	switch b.Op[r] {
	case ir.OpPhi:
		if b.BlockOf(r) != k {
			break
		}
		var sum nullness
		for i, a := range b.ArgsOf(r) {
			sum = sum.or(n.result(act, f, call, callee, b, b.Preds(k)[i], a))
		}
		return sum
	case ir.OpConstNull:
		if arg := nullArgument(n.r.Body(f), call, b, k); arg != 0 {
			return n.of(act, f, arg)
		}
	}
	return n.of(act, callee, r)
}

// nullArgument is the argument of a call that is null whenever block k of the
// callee is executed, 0 if none is known to be.
func nullArgument(caller *ir.Body, call ir.Value, b *ir.Body, k int32) ir.Value {
	for t := range b.Blocks {
		end := b.Blocks[t].End - 1
		if b.Op[end] != ir.OpIf {
			continue
		}
		x, sub, ok := nullTest(b, end)
		if !ok || b.Op[x] != ir.OpParam || b.Type[x] <= ir.TypeDouble || int(b.Aux[x]) >= caller.NArgs(call) {
			continue
		}
		s := b.Succs(int32(t))
		if sub == ir.EQ && edgeDominates(b, int32(t), s[0], k) || sub == ir.NE && edgeDominates(b, int32(t), s[1], k) {
			return caller.Arg(call, int(b.Aux[x]))
		}
	}
	return 0
}
