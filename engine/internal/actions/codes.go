package actions

import (
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// A message with a known code does not execute all of its handler: the tests of
// Message.what are folded (SIERRA section 5, on-demand constant propagation).

type codeKey struct {
	f    pointsto.FuncID
	code int64
}

// Executes reports whether a run of the action may execute instruction v of
// function f, which the action reaches.
func (s *Set) Executes(act hb.ActionID, f pointsto.FuncID, v ir.Value) bool {
	a := &s.Actions[act]
	b := s.PT.Body(f)
	if !a.Code.Known || b == nil || v <= 0 {
		return true
	}
	for _, e := range a.Entries {
		if e == f {
			return s.blocks(f, b, a.Code.Number)[b.BlockOf(v)]
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

// blocks says which blocks of a handler a message with this code may reach.
func (s *Set) blocks(f pointsto.FuncID, b *ir.Body, code int64) []bool {
	key := codeKey{f, code}
	if l, ok := s.lives[key]; ok {
		return l
	}
	live := make([]bool, len(b.Blocks))
	for work := []int32{0}; len(work) > 0; {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		if live[k] {
			continue
		}
		live[k] = true
		work = append(work, s.next(b, k, code)...)
	}
	s.lives[key] = live
	return live
}

// next lists the successors of a block that the code allows.
func (s *Set) next(b *ir.Body, k int32, code int64) []int32 {
	succs := b.Succs(k)
	end := b.Blocks[k].End - 1
	switch b.Op[end] {
	case ir.OpSwitch:
		if !s.isCode(b, b.Arg(end, 0)) {
			return succs
		}
		for i, n := range b.Cases(end) {
			if n == code {
				return succs[i : i+1]
			}
		}
		return succs[len(b.Cases(end)):]
	case ir.OpIf:
		if n, ok := s.compared(b, end); ok && (b.Sub[end] == ir.EQ || b.Sub[end] == ir.NE) {
			if (n == code) == (b.Sub[end] == ir.EQ) {
				return succs[:1]
			}
			return succs[1:2]
		}
	}
	return succs
}

// compared is the constant that a test compares the message's code with.
func (s *Set) compared(b *ir.Body, t ir.Value) (int64, bool) {
	if b.NArgs(t) == 1 {
		return 0, s.isCode(b, b.Arg(t, 0))
	}
	x, y := b.Arg(t, 0), b.Arg(t, 1)
	if s.isCode(b, y) {
		x, y = y, x
	}
	if !s.isCode(b, x) {
		return 0, false
	}
	return pointsto.Constant(b, y)
}

// isCode: the value is a parameter's Message.what.
func (s *Set) isCode(b *ir.Body, v ir.Value) bool {
	return b.Op[v] == ir.OpGetField && b.Op[b.Arg(v, 0)] == ir.OpParam && s.PT.FieldKeyOf(ir.FieldID(b.Aux[v])) == s.PT.Slot("what")
}
