package ir_test

import (
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

// find gives the first instruction of an operation.
func find(t *testing.T, b *ir.Body, op ir.Op) ir.Value {
	t.Helper()
	for v := ir.Value(1); int(v) < b.Len(); v++ {
		if b.Op[v] == op {
			return v
		}
	}
	t.Fatalf("no %s", op)
	return 0
}

// TestCheckFindsFaults damages a good body in one place at a time.
func TestCheckFindsFaults(t *testing.T) {
	p := buildFile(t, "testdata/golden/d8.dex")
	lift := func(name string) *ir.Body {
		b, err := p.Lift(methodNamed(t, p, "golden.Sample."+name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	const handled, average, choose = "handled(java.lang.String)", "average(float[],double)", "choose(int)"
	for _, c := range []struct {
		method, want string
		damage       func(b *ir.Body)
	}{
		{handled, "arrays of", func(b *ir.Body) { b.Aux = b.Aux[1:] }},
		{handled, "end before they start", func(b *ir.Body) { b.ArgAt[4] = 1 << 30 }},
		{handled, "belong to instructions", func(b *ir.Body) { b.Args = b.Args[1:] }},
		{handled, "argument 0 is v0", func(b *ir.Body) { b.Args[0] = 0 }},
		{handled, "no blocks", func(b *ir.Body) { b.Blocks = nil }},
		{handled, "is next", func(b *ir.Body) { b.Blocks[1].Start++ }},
		{handled, "blocks end at", func(b *ir.Body) { b.Blocks = b.Blocks[:1] }},
		{average, "in the middle of", func(b *ir.Body) { b.Op[b.Blocks[0].Start+3] = ir.OpGoto }},
		{average, "ends with", func(b *ir.Body) { b.Op[b.Blocks[0].End-1] = ir.OpReturn }},
		{handled, "ends with const", func(b *ir.Body) { b.Op[b.Blocks[0].End-1] = ir.OpConst }},
		{average, "goes to b99", func(b *ir.Body) { b.Edges[b.Blocks[1].Succ] = 99 }},
		{average, "not among the predecessors", func(b *ir.Body) { b.Edges[b.Blocks[1].Succ] = 2 }},
		{average, "predecessors, but", func(b *ir.Body) { b.Blocks[1].NPred++ }},
		{handled, "should be one to a handler", func(b *ir.Body) { b.Blocks[3].Handler = false }},
		{average, "outside the table", func(b *ir.Body) { b.Blocks[1].Succ = 1000 }},
		{average, "does not stand where it may", func(b *ir.Body) { b.Op[b.Blocks[2].End-2] = ir.OpPhi }},
		{average, "does not stand where it may", func(b *ir.Body) { b.Op[find(t, b, ir.OpPhi)] = ir.OpParam }},
		{handled, "does not begin with catch", func(b *ir.Body) { b.Op[find(t, b, ir.OpCatch)] = ir.OpConstNull }},
		{average, "unknown operation", func(b *ir.Body) { b.Op[4] = 200 }},
		{average, "type 0", func(b *ir.Body) { b.Type[find(t, b, ir.OpArrayLength)] = 0 }},
		{average, "type 5", func(b *ir.Body) { b.Type[find(t, b, ir.OpGoto)] = ir.TypeChar }},
		{handled, "of", func(b *ir.Body) { b.Aux[find(t, b, ir.OpInvoke)] = 1 << 20 }},
		{handled, "has no value", func(b *ir.Body) { b.Args[b.ArgAt[find(t, b, ir.OpThrow)]] = find(t, b, ir.OpPutStatic) }},
		{average, "not defined on every path", func(b *ir.Body) { b.Args[b.ArgAt[find(t, b, ir.OpIf)]] = find(t, b, ir.OpPhi) + 9 }},
		{handled, "not defined on every path", func(b *ir.Body) {
			// The handler must not see the result of the call that throws.
			phi := find(t, b, ir.OpPhi)
			b.Args[b.ArgAt[phi]] = find(t, b, ir.OpInvoke)
		}},
		{average, "is an int, not a float", func(b *ir.Body) { b.Type[find(t, b, ir.OpConst)] = ir.TypeInt }},
		{average, "is a reference, not an int", func(b *ir.Body) { b.Args[b.ArgAt[find(t, b, ir.OpArrayGet)]+1] = 2 }},
		{choose, "constants at", func(b *ir.Body) { b.Consts = b.Consts[:1] }},
		{average, "line entry", func(b *ir.Body) { b.Lines[1].First = 1 }},
	} {
		b := lift(c.method)
		if err := b.Check(p); err != nil {
			t.Fatal(err)
		}
		b = lift(c.method)
		c.damage(b)
		if err := b.Check(p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("damage to %s gives %v, want %q", c.method, err, c.want)
		}
	}
}
