package actions

import (
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// A message with a known code does not execute all of its handler, nor does an
// object with a constant in a final field all of its methods: tests of
// Message.what, and of such fields of the receiver, are folded (SIERRA section 5,
// on-demand constant propagation). The second is also how R8 tells the lambdas
// apart that it has merged into one class.

// known is what of an action's tests is known.
type known struct {
	code Code
	recv pointsto.Obj
}

func knownOf(a *Action) known {
	k := known{code: a.Code}
	if a.Arm != nil {
		k.recv = a.Arm.Receiver
	}
	return k
}

type codeKey struct {
	f pointsto.FuncID
	known
}

// Executes reports whether a run of the action may execute instruction v of
// function f, which the action reaches.
func (s *Set) Executes(act hb.ActionID, f pointsto.FuncID, v ir.Value) bool {
	a := &s.Actions[act]
	b := s.PT.Body(f)
	if !s.coded[f] || b == nil || v <= 0 {
		return true
	}
	for _, e := range a.Entries {
		if e == f {
			return s.blocks(f, b, knownOf(a))[b.BlockOf(v)]
		}
	}
	return true
}

// executing restricts a set of actions to those that may execute v of f.
func (s *Set) executing(as Bits, f pointsto.FuncID, v ir.Value) Bits {
	if !s.coded[f] {
		return as
	}
	out := append(Bits(nil), as...)
	as.All(func(id int) bool {
		if !s.Executes(hb.ActionID(id), f, v) {
			out[id>>6] &^= 1 << (id & 63)
		}
		return true
	})
	return out
}

// blocks says which blocks of an entry a run may reach of which k is known.
func (s *Set) blocks(f pointsto.FuncID, b *ir.Body, k known) []bool {
	key := codeKey{f, k}
	if l, ok := s.lives[key]; ok {
		return l
	}
	live := make([]bool, len(b.Blocks))
	for work := []int32{0}; len(work) > 0; {
		block := work[len(work)-1]
		work = work[:len(work)-1]
		if live[block] {
			continue
		}
		live[block] = true
		work = append(work, s.next(b, block, k)...)
	}
	s.lives[key] = live
	return live
}

// next lists the successors of a block that what is known allows.
func (s *Set) next(b *ir.Body, block int32, k known) []int32 {
	succs := b.Succs(block)
	end := b.Blocks[block].End - 1
	switch b.Op[end] {
	case ir.OpSwitch:
		code, ok := s.value(b, b.Arg(end, 0), k)
		if !ok {
			return succs
		}
		for i, n := range b.Cases(end) {
			if n == code {
				return succs[i : i+1]
			}
		}
		return succs[len(b.Cases(end)):]
	case ir.OpIf:
		if equal, ok := s.compared(b, end, k); ok && (b.Sub[end] == ir.EQ || b.Sub[end] == ir.NE) {
			if equal == (b.Sub[end] == ir.EQ) {
				return succs[:1]
			}
			return succs[1:2]
		}
	}
	return succs
}

// compared says whether the sides of a test are equal, if both are known.
func (s *Set) compared(b *ir.Body, t ir.Value, k known) (equal, ok bool) {
	x, ok := s.value(b, b.Arg(t, 0), k)
	if b.NArgs(t) == 1 || !ok {
		return x == 0, ok
	}
	y, ok := s.value(b, b.Arg(t, 1), k)
	return x == y, ok
}

// value is a constant, the message's code, or what a final field of the receiver
// holds.
func (s *Set) value(b *ir.Body, v ir.Value, k known) (int64, bool) {
	switch {
	case k.code.Known && s.isCode(b, v):
		return k.code.Number, true
	case k.recv != 0 && s.isOwn(b, v):
		return s.held(k.recv, s.PT.Prog.ResolveField(ir.FieldID(b.Aux[v])))
	}
	return pointsto.Constant(b, v)
}

// isCode: the value is a parameter's Message.what.
func (s *Set) isCode(b *ir.Body, v ir.Value) bool {
	return b.Op[v] == ir.OpGetField && b.Op[b.Arg(v, 0)] == ir.OpParam && s.PT.FieldKeyOf(ir.FieldID(b.Aux[v])) == s.PT.Slot("what")
}

// isOwn: the value is a final field of the receiver with a number in it; R8 9 keeps
// its own in a byte.
func (s *Set) isOwn(b *ir.Body, v ir.Value) bool {
	p := s.PT.Prog
	if b.Op[v] != ir.OpGetField || p.Methods[b.Method].Flags&ir.AccStatic != 0 {
		return false
	}
	on, f := b.Arg(v, 0), p.ResolveField(ir.FieldID(b.Aux[v]))
	return b.Op[on] == ir.OpParam && b.Aux[on] == 0 && f != 0 && p.Fields[f].Flags&ir.AccFinal != 0 && p.Fields[f].Type >= ir.TypeByte && p.Fields[f].Type <= ir.TypeInt
}

// folds: a test of the entry is of a final field of its receiver.
func (s *Set) folds(f pointsto.FuncID) bool {
	b := s.PT.Body(f)
	if b == nil {
		return false
	}
	for i := range b.Blocks {
		end := b.Blocks[i].End - 1
		if b.Op[end] != ir.OpSwitch && b.Op[end] != ir.OpIf {
			continue
		}
		for j := range b.NArgs(end) {
			if s.isOwn(b, b.Arg(end, j)) {
				return true
			}
		}
	}
	return false
}

type heldKey struct {
	o pointsto.Obj
	f ir.FieldID
}

type heldValue struct {
	n  int64
	ok bool
}

// held is the constant that the construction of an object puts into a final
// field.
func (s *Set) held(o pointsto.Obj, f ir.FieldID) (int64, bool) {
	h, ok := s.holds[heldKey{o, f}]
	if !ok {
		info := s.PT.Object(o)
		if b := s.PT.Body(info.Func); info.Kind == pointsto.Allocated && info.Func != 0 && b != nil {
			h.n, h.ok = pointsto.Constructed(s.PT.Prog, b, info.Site, f)
		}
		s.holds[heldKey{o, f}] = h
	}
	return h.n, h.ok
}
