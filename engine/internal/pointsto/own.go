package pointsto

import (
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
)

// A method that tests a number in a final field of its receiver runs only a part
// of itself on a receiver that is known to hold a constant there. Shrinkers merge
// classes this way: each object runs the code of the class that it was of. What
// no receiver runs has no constraints, or an object that makes another one of the
// merged class would seem to make itself.
//
// That holds only if no receiver is made out of sight: by reflection, from a file, by
// the framework or by code that nothing seems to run. In doubt everything has
// constraints; see sealed.

// isOwn: the value is a final field of the method's receiver with a number in it;
// R8 9 keeps its own in a byte.
func isOwn(p *ir.Program, b *ir.Body, v ir.Value) bool {
	if b.Op[v] != ir.OpGetField || p.Methods[b.Method].Flags&ir.AccStatic != 0 {
		return false
	}
	on, f := b.Arg(v, 0), p.ResolveField(ir.FieldID(b.Aux[v]))
	return b.Op[on] == ir.OpParam && b.Aux[on] == 0 && f != 0 && p.Fields[f].Flags&ir.AccFinal != 0 && p.Fields[f].Type >= ir.TypeByte && p.Fields[f].Type <= ir.TypeInt
}

// testsOwn: a test of the method is of a final field of its receiver, all of whose
// objects we may know.
func (g *solver) testsOwn(b *ir.Body) bool {
	for i := range b.Blocks {
		end := b.Blocks[i].End - 1
		if b.Op[end] != ir.OpSwitch && b.Op[end] != ir.OpIf {
			continue
		}
		for j := range b.NArgs(end) {
			if v := b.Arg(end, j); isOwn(g.prog, b, v) && sealed(g.prog, g.Models, g.prog.ResolveField(ir.FieldID(b.Aux[v]))) {
				return true
			}
		}
	}
	return false
}

type heldKey struct {
	o Obj
	f ir.FieldID
}

type heldNumber struct {
	n  int64
	ok bool
}

// ownNumber is what a final field of receiver o holds, where v reads it, if that is
// known.
func (g *solver) ownNumber(o Obj, b *ir.Body, v ir.Value) (int64, bool) {
	f := ownField(g.prog, g.Models, b, v, g.named)
	if f == 0 {
		return 0, false
	}
	key := heldKey{o, f}
	h, ok := g.numbers[key]
	if !ok {
		h = madeWith(g.prog, g.Models, g.funcs, g.objects.info(o), f)
		g.numbers[key] = h
	}
	return h.n, h.ok
}

// ownField is the field that v reads if it is the method's own, and no object of its
// class may be made out of sight; 0 otherwise.
func ownField(p *ir.Program, models *platform.Models, b *ir.Body, v ir.Value, named map[ir.ClassID]bool) ir.FieldID {
	if !isOwn(p, b, v) {
		return 0
	}
	f := p.ResolveField(ir.FieldID(b.Aux[v]))
	if !sealed(p, models, f) || named[p.Fields[f].Class] {
		return 0
	}
	return f
}

// madeWith is the number that an object is made with in a final field.
func madeWith(p *ir.Program, models *platform.Models, funcs []Func, o *Object, f ir.FieldID) (h heldNumber) {
	if o.Kind == Allocated && o.Func != 0 && funcs[o.Func].shape != nil {
		h.n, h.ok = Constructed(p, models, funcs[o.Func].shape.body, o.Site, f)
	}
	return h
}

// LiveBlocks says which blocks of a method a run may reach, where number tells
// the values that are known.
func LiveBlocks(b *ir.Body, number func(v ir.Value) (int64, bool)) []bool {
	live := make([]bool, len(b.Blocks))
	for work := []int32{0}; len(work) > 0; {
		block := work[len(work)-1]
		work = work[:len(work)-1]
		if !live[block] {
			live[block] = true
			work = append(work, LiveSuccs(b, block, number)...)
		}
	}
	return live
}

// LiveSuccs lists the successors of a block that the known values allow.
func LiveSuccs(b *ir.Body, block int32, number func(v ir.Value) (int64, bool)) []int32 {
	succs := b.Succs(block)
	end := b.Blocks[block].End - 1
	switch b.Op[end] {
	case ir.OpSwitch:
		x, ok := number(b.Arg(end, 0))
		if !ok {
			return succs
		}
		for i, n := range b.Cases(end) {
			if n == x {
				return succs[i : i+1]
			}
		}
		return succs[len(b.Cases(end)):]
	case ir.OpIf:
		if equal, ok := compared(b, end, number); ok && (b.Sub[end] == ir.EQ || b.Sub[end] == ir.NE) {
			if equal == (b.Sub[end] == ir.EQ) {
				return succs[:1]
			}
			return succs[1:2]
		}
	}
	return succs
}

// compared says whether the sides of a test are equal, if both are known.
func compared(b *ir.Body, t ir.Value, number func(v ir.Value) (int64, bool)) (equal, ok bool) {
	x, ok := number(b.Arg(t, 0))
	if b.NArgs(t) == 1 || !ok {
		return x == 0, ok
	}
	y, ok := number(b.Arg(t, 1))
	return x == y, ok
}

// receivers watches the receiver of a method that tests its own numbers: each
// object adds the blocks that it runs.
type receivers struct{ f FuncID }

func (r receivers) grew(g *solver, fresh Set) {
	b := g.funcs[r.f].shape.body
	fresh.All(func(o Obj) bool {
		g.reachBlocks(r.f, LiveBlocks(b, func(v ir.Value) (int64, bool) {
			if n, ok := g.ownNumber(o, b, v); ok {
				return n, true
			}
			return Constant(b, v)
		}))
		return true
	})
}

// reachBlocks generates the constraints of those blocks that have none yet.
func (g *solver) reachBlocks(f FuncID, blocks []bool) {
	b, live := g.funcs[f].shape.body, g.ran[f]
	for i, is := range blocks {
		if is && !live[i] {
			live[i] = true
			for v := b.Blocks[i].Start; v < b.Blocks[i].End; v++ {
				g.instruction(f, v)
			}
		}
	}
}

// reachUnreceived generates the constraints of methods whose receiver nothing is
// known of, and reports whether there were any.
func (g *solver) reachUnreceived() bool {
	reached := false
	for _, f := range g.partial {
		if !g.ran[f][0] {
			g.reachAll(f)
			reached = true
		}
	}
	return reached
}

// reachAll generates all constraints that a method does not have yet.
func (g *solver) reachAll(f FuncID) {
	all := make([]bool, len(g.ran[f]))
	for i := range all {
		all[i] = true
	}
	g.reachBlocks(f, all)
}

// TestsOwn: which part of itself a function runs depends on numbers in final
// fields of its receiver.
func (r *Result) TestsOwn(f FuncID) bool { return r.ran[f] != nil }

// Own is the number that v of a method on receiver o always is, if it reads a
// final field of o that holds one.
func (r *Result) Own(o Obj, b *ir.Body, v ir.Value) (int64, bool) {
	f := ownField(r.Prog, r.Models, b, v, r.named)
	if f == 0 {
		return 0, false
	}
	h, ok := r.numbers[heldKey{o, f}]
	if !ok {
		h = madeWith(r.Prog, r.Models, r.Funcs, r.Object(o), f)
	}
	return h.n, h.ok
}

// Live: some receiver runs instruction v of function f.
func (r *Result) Live(f FuncID, v ir.Value) bool {
	live := r.ran[f]
	return live == nil || live[r.Body(f).BlockOf(v)]
}
