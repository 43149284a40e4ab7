package flow

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

// Code is what the instructions of one body say by themselves.
type Code struct {
	b        *ir.Body
	uses     [][]ir.Value
	proofs   []proof               // by block
	byOrigin map[ir.Value][]proof  // of what a cast gives, and what it takes
	required map[int32][]Condition // by block
	bases    []Base                // by value; the zero Base is not asked for yet
}

// proof is a condition and the edge that proves it.
type proof struct {
	from, to int32
	Condition
}

// Codes keeps the Code of each body.
type Codes map[*ir.Body]*Code

// Of gives the code of a body.
func (c Codes) Of(b *ir.Body) *Code {
	code := c[b]
	if code == nil {
		code = &Code{b: b}
		c[b] = code
	}
	return code
}

// Uses lists the instructions that value v is an argument of.
func (c *Code) Uses(v ir.Value) []ir.Value {
	if c.uses == nil {
		c.uses = make([][]ir.Value, c.b.Len())
		for u := ir.Value(1); int(u) < c.b.Len(); u++ {
			for _, a := range c.b.ArgsOf(u) {
				c.uses[a] = append(c.uses[a], u)
			}
		}
	}
	return c.uses[v]
}

// prove lists what the edges of the body prove.
func (c *Code) prove() {
	if c.byOrigin != nil {
		return
	}
	c.byOrigin = map[ir.Value][]proof{}
	for k := range c.b.Blocks {
		from := int32(k)
		if c.b.Op[c.b.Blocks[k].End-1] != ir.OpIf {
			continue
		}
		for _, to := range c.b.Succs(from)[:2] {
			for _, condition := range Proves(c.b, from, to) {
				p := proof{from, to, condition}
				c.proofs = append(c.proofs, p)
				o := Origin(c.b, condition.Value)
				c.byOrigin[o] = append(c.byOrigin[o], p)
			}
		}
	}
}

// Required lists the conditions that hold whenever a block is executed, in the order
// of the blocks that test them.
func (c *Code) Required(block int32) []Condition {
	out, ok := c.required[block]
	if !ok {
		c.prove()
		for _, p := range c.proofs {
			if edgeDominates(c.b, p.from, p.to, block) {
				out = append(out, p.Condition)
			}
		}
		if c.required == nil {
			c.required = map[int32][]Condition{}
		}
		c.required[block] = out
	}
	return out
}

// Tested reports whether v, with or without a cast, has been found not null or not 0
// whenever instruction u is executed.
func (c *Code) Tested(v, u ir.Value) bool {
	c.prove()
	proofs := c.byOrigin[Origin(c.b, v)]
	if len(proofs) == 0 {
		return false
	}
	block := c.b.BlockOf(u)
	return slices.ContainsFunc(proofs, func(p proof) bool {
		return p.NonZero() && edgeDominates(c.b, p.from, p.to, block)
	})
}

// TestedOn reports whether the edge between two blocks is taken only if v is not null
// or not 0.
func (c *Code) TestedOn(v ir.Value, from, to int32) bool {
	c.prove()
	return slices.ContainsFunc(c.byOrigin[Origin(c.b, v)], func(p proof) bool {
		return p.NonZero() && p.from == from && p.to == to
	})
}

// Params is the number of parameters of a body.
func Params(b *ir.Body) int {
	n := 0
	for v := ir.Value(1); int(v) < b.Len() && b.Op[v] == ir.OpParam; v++ {
		n++
	}
	return n
}
