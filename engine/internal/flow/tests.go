package flow

import (
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Test is a load whose value a branch compares with a number.
type Test struct {
	Func   pointsto.FuncID
	Load   ir.Value
	Number int64
}

// TestsBefore lists the loads of instances' fields that are tested on every way through a
// function to one of its instructions, the loads of methods whose answers are tested
// included.
func (x *Facts) TestsBefore(f pointsto.FuncID, v ir.Value) []Test {
	b := x.Ways.r.Body(f)
	if b == nil || v <= 0 {
		return nil
	}
	var out []Test
	block := b.BlockOf(v)
	for k := range b.Blocks {
		from, last := int32(k), b.Blocks[k].End-1
		if b.Op[last] != ir.OpIf && b.Op[last] != ir.OpSwitch {
			continue
		}
		for _, to := range b.Succs(from)[:b.Blocks[k].Normal] {
			if !edgeDominates(b, from, to, block) {
				continue
			}
			if b.Op[last] == ir.OpSwitch {
				for _, n := range b.Cases(last) {
					out = x.loadsOf(f, b, b.Arg(last, 0), n, out)
				}
				continue
			}
			for _, c := range conditions(x.Ways.r.Prog, b, from, to) {
				out = x.loadsOf(f, b, c.Value, c.Number, out)
			}
		}
	}
	return out
}

// loadsOf adds the loads that give a value, itself or as the answer of a call.
func (x *Facts) loadsOf(f pointsto.FuncID, b *ir.Body, v ir.Value, n int64, out []Test) []Test {
	v = Origin(b, v)
	if b.Op[v] == ir.OpBinary && b.Sub[v] == ir.Xor {
		v = Origin(b, b.Arg(v, 0))
	}
	switch b.Op[v] {
	case ir.OpGetField:
		return append(out, Test{f, v, n})
	case ir.OpInvoke:
		for _, c := range x.Ways.r.Calls[f] {
			callee := x.Ways.r.Body(c.Callee)
			if c.Site != v || callee == nil {
				continue
			}
			for u := ir.Value(1); int(u) < callee.Len(); u++ {
				if callee.Op[u] == ir.OpGetField {
					out = append(out, Test{c.Callee, u, n})
				}
			}
		}
	}
	return out
}
