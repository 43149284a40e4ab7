package flow

import (
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Condition is what a branch proves of a value: that it is a number, or that it is
// not. null and false are the number 0.
type Condition struct {
	Value  ir.Value
	Number int64
	Is     bool
}

// Zero reports whether the condition proves the value null, false or 0.
func (c Condition) Zero() bool { return c.Is && c.Number == 0 }

// NonZero reports whether the condition proves the value not null, true or not 0.
func (c Condition) NonZero() bool { return c.Is != (c.Number == 0) }

// Proves gives the conditions that hold whenever the edge between two blocks is
// taken: that of the test at the end of the first, and what this says of the values
// that the tested one is made from. An edge proves nothing if both sides of the test
// lead to one block.
func Proves(b *ir.Body, from, to int32) []Condition {
	test := b.Blocks[from].End - 1
	if b.Op[test] != ir.OpIf {
		return nil
	}
	sides := b.Succs(from)
	if sides[0] == sides[1] || b.Sub[test] != ir.EQ && b.Sub[test] != ir.NE {
		return nil
	}
	value, number, ok := compared(b, test)
	if !ok {
		return nil
	}
	c := Condition{Value: value, Number: number, Is: (b.Sub[test] == ir.EQ) == (to == sides[0])}
	return implied(b, c)
}

// compared gives the value that a test compares with a number.
func compared(b *ir.Body, test ir.Value) (ir.Value, int64, bool) {
	x := b.Arg(test, 0)
	if b.NArgs(test) == 1 {
		return x, 0, true
	}
	y := b.Arg(test, 1)
	if n, ok := pointsto.Constant(b, y); ok {
		return x, n, true
	}
	n, ok := pointsto.Constant(b, x)
	return y, n, ok
}

// implied lists a condition and those that follow from it: a cast gives its argument,
// and what is an instance of a class is not null.
func implied(b *ir.Body, c Condition) []Condition {
	out := []Condition{c}
	for {
		switch {
		case b.Op[c.Value] == ir.OpCheckCast:
			c.Value = b.Arg(c.Value, 0)
		case b.Op[c.Value] == ir.OpInstanceOf && c.NonZero():
			c = Condition{Value: b.Arg(c.Value, 0)}
		default:
			return out
		}
		out = append(out, c)
	}
}

// Origin follows a value back through casts.
func Origin(b *ir.Body, v ir.Value) ir.Value {
	for b.Op[v] == ir.OpCheckCast {
		v = b.Arg(v, 0)
	}
	return v
}

// edgeDominates reports whether every path to block passes the edge from -> to.
func edgeDominates(b *ir.Body, from, to, block int32) bool {
	if !b.Flow().BlockDominates(to, block) {
		return false
	}
	for _, p := range b.Preds(to) {
		if p != from && !b.Flow().BlockDominates(to, p) { // another way in
			return false
		}
	}
	return true
}
