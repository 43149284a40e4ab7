package ir

import "fmt"

// Check verifies what a body promises: blocks and edges fit together, every use
// is dominated by its definition (an argument of a phi at the end of the
// predecessor, and for a handler before the predecessor's last instruction),
// types are set and fit their uses, and every id exists.
func (b *Body) Check(p *Program) error {
	c := &checker{b: b, p: p}
	for _, step := range []func() error{c.shape, c.blocks, c.edges, c.reached, c.instructions, c.lines} {
		if err := step(); err != nil {
			return fmt.Errorf("body of %s: %w", p.MethodString(b.Method), err)
		}
	}
	return nil
}

type checker struct {
	b    *Body
	p    *Program
	flow *Flow
}

func (c *checker) shape() error {
	b, n := c.b, len(c.b.Op)
	if n < 2 || len(b.Sub) != n || len(b.Type) != n || len(b.Aux) != n || len(b.ArgAt) != n+1 {
		return fmt.Errorf("arrays of %d, %d, %d, %d and %d", n, len(b.Sub), len(b.Type), len(b.Aux), len(b.ArgAt))
	}
	for v := range n {
		if b.ArgAt[v] > b.ArgAt[v+1] {
			return fmt.Errorf("arguments of v%d end before they start", v)
		}
	}
	if b.ArgAt[0] != 0 || int(b.ArgAt[n]) != len(b.Args) {
		return fmt.Errorf("%d arguments, but %d belong to instructions", len(b.Args), b.ArgAt[n])
	}
	for i, a := range b.Args {
		if a <= 0 || int(a) >= n {
			return fmt.Errorf("argument %d is v%d of %d", i, a, n)
		}
	}
	return nil
}

func (c *checker) blocks() error {
	b, next := c.b, Value(1)
	if len(b.Blocks) == 0 {
		return fmt.Errorf("no blocks")
	}
	for k := range b.Blocks {
		block := &b.Blocks[k]
		if block.Start != next || block.End <= block.Start || int(block.End) > b.Len() {
			return fmt.Errorf("b%d is [%d, %d) where v%d is next", k, block.Start, block.End, next)
		}
		next = block.End
		if err := c.ends(int32(k)); err != nil {
			return err
		}
	}
	if int(next) != b.Len() {
		return fmt.Errorf("blocks end at v%d of %d", next, b.Len())
	}
	return nil
}

// ends checks how a block ends and that it does so only at its end.
func (c *checker) ends(k int32) error {
	b, block := c.b, &c.b.Blocks[k]
	for v := block.Start; v < block.End-1; v++ {
		if b.Op[v].Ends() {
			return fmt.Errorf("%s in the middle of b%d", b.Op[v], k)
		}
	}
	last := block.End - 1
	ok := false
	switch b.Op[last] {
	case OpGoto:
		ok = block.Normal == 1
	case OpIf:
		ok = block.Normal == 2
	case OpSwitch:
		ok = block.Normal >= 1
	case OpReturn, OpThrow:
		ok = block.Normal == 0
	default:
		ok = block.Normal == 1 && block.NSucc > 1
	}
	if !ok || block.NSucc < block.Normal || block.NSucc > block.Normal && !b.Throws(last) {
		return fmt.Errorf("b%d ends with %s and has %d successors, %d of them normal", k, b.Op[last], block.NSucc, block.Normal)
	}
	return nil
}

// edges checks that successors and predecessors are the same edges.
func (c *checker) edges() error {
	b := c.b
	next := make([]int32, len(b.Blocks))
	for k := range b.Blocks {
		block := &b.Blocks[k]
		if block.Succ < 0 || block.Pred < 0 || int(block.Succ+block.NSucc) > len(b.Edges) || int(block.Pred+block.NPred) > len(b.Edges) {
			return fmt.Errorf("b%d has edges outside the table of %d", k, len(b.Edges))
		}
	}
	for k := range b.Blocks {
		for i, s := range b.Succs(int32(k)) {
			if s < 0 || int(s) >= len(b.Blocks) {
				return fmt.Errorf("b%d goes to b%d of %d", k, s, len(b.Blocks))
			}
			t := &b.Blocks[s]
			if next[s] >= t.NPred || b.Edges[t.Pred+next[s]] != int32(k) {
				return fmt.Errorf("the edge from b%d to b%d is not among the predecessors", k, s)
			}
			next[s]++
			if t.Handler != (int32(i) >= b.Blocks[k].Normal) {
				return fmt.Errorf("the edge from b%d to b%d should be one to a handler, or should not", k, s)
			}
		}
	}
	for k := range b.Blocks {
		if next[k] != b.Blocks[k].NPred {
			return fmt.Errorf("b%d has %d predecessors, but %d edges lead to it", k, b.Blocks[k].NPred, next[k])
		}
	}
	if b.Blocks[0].NPred != 0 {
		return fmt.Errorf("the entry has predecessors")
	}
	return nil
}

// reached checks that every block can be reached, without which there are no
// dominators, and that the order is one in which dominators come first.
func (c *checker) reached() error {
	b := c.b
	seen := make([]bool, len(b.Blocks))
	seen[0] = true
	for work := []int32{0}; len(work) > 0; {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range b.Succs(k) {
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	for k := range seen {
		if !seen[k] {
			return fmt.Errorf("b%d cannot be reached", k)
		}
		forward := k == 0
		for _, p := range b.Preds(int32(k)) {
			forward = forward || p < int32(k)
		}
		if !forward {
			return fmt.Errorf("b%d stands before all its predecessors", k)
		}
	}
	c.flow = b.Flow()
	return nil
}

func (c *checker) instructions() error {
	b := c.b
	for k := range b.Blocks {
		block := &b.Blocks[k]
		phis, caught := true, false
		for v := block.Start; v < block.End; v++ {
			op := b.Op[v]
			switch {
			case op == OpPhi && !phis, op == OpParam && k != 0, op == OpCatch && (!block.Handler || caught || !phis):
				return fmt.Errorf("v%d: %s does not stand where it may", v, op)
			case op == OpCatch:
				caught = true
			}
			phis = phis && op == OpPhi
			if block.Handler && !phis && !caught {
				return fmt.Errorf("b%d is a handler and does not begin with catch", k)
			}
			if err := c.instruction(v, int32(k)); err != nil {
				return fmt.Errorf("v%d = %s: %w", v, op, err)
			}
		}
	}
	return nil
}

func (c *checker) instruction(v Value, k int32) error {
	b := c.b
	op, typ := b.Op[v], b.Type[v]
	if op == OpNone || op >= opCount {
		return fmt.Errorf("unknown operation")
	}
	call := op == OpInvoke || op == OpInvokeCustom
	if typ < 0 || int(typ) >= len(c.p.Types) || typ == TypeVoid || (typ != 0) != op.HasResult() && !call {
		return fmt.Errorf("type %d", typ)
	}
	if err := c.aux(v); err != nil {
		return err
	}
	for i, a := range b.ArgsOf(v) {
		if b.Type[a] == 0 {
			return fmt.Errorf("argument v%d has no value", a)
		}
		if err := c.dominated(v, k, i, a); err != nil {
			return err
		}
	}
	return c.classes(v)
}

// dominated checks that the i-th argument of v is defined whenever v is
// executed.
func (c *checker) dominated(v Value, k int32, i int, a Value) error {
	b, ok := c.b, false
	if b.Op[v] == OpPhi {
		preds := b.Preds(k)
		if b.NArgs(v) != len(preds) {
			return fmt.Errorf("%d arguments for %d predecessors", b.NArgs(v), len(preds))
		}
		last := b.Blocks[preds[i]].End - 1
		ok = a == last && !b.Blocks[k].Handler || c.flow.Dominates(a, last)
	} else {
		ok = c.flow.Dominates(a, v)
	}
	if !ok {
		return fmt.Errorf("argument v%d is not defined on every path", a)
	}
	return nil
}

func (c *checker) lines() error {
	last := Value(0)
	for i, l := range c.b.Lines {
		if l.First <= last || int(l.First) >= c.b.Len() {
			return fmt.Errorf("line entry %d starts at v%d after v%d", i, l.First, last)
		}
		last = l.First
	}
	return nil
}
