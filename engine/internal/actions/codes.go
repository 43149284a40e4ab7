package actions

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// A message with a known code does not execute all of its handler, nor does an
// object with a number in a final field all of its methods: tests of
// the message's code, and of such fields of the receiver, are folded (SIERRA section 5,
// on-demand constant propagation). Package pointsto has left out what no receiver
// runs; here each action has its own.

// known is what of an action's tests is known.
type known struct {
	code Code
	recv pointsto.Obj
	held int32 // what else the message holds: an index into held, 0 for nothing known
}

func knownOf(a *Action) known {
	k := known{code: a.Code, held: a.held}
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
	if b == nil || v <= 0 {
		return true
	}
	if !s.PT.Live(f, v) {
		return false
	}
	if !s.mayPass(act, f, b, v) {
		return false
	}
	if !s.coded[f] {
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
	if p := s.passed[f]; p != nil && v > 0 {
		as = as.and(p.live[s.PT.Body(f).BlockOf(v)])
	}
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
	if live, ok := s.lives[codeKey{f, k}]; ok {
		return live
	}
	live := pointsto.LiveBlocks(b, func(v ir.Value) (int64, bool) { return s.value(b, v, k) })
	if k.held != 0 {
		s.withHeld(b, s.held[k.held], live)
	}
	return live
}

// fold notes the entries of which a run may execute only a part, and which part.
func (s *Set) fold() {
	for id := 1; id < len(s.Actions); id++ {
		for _, e := range s.Actions[id].Entries {
			s.coded[e] = s.coded[e] || s.Actions[id].Code.Known || s.PT.TestsOwn(e)
		}
		s.hold(&s.Actions[id])
	}
	for id := 1; id < len(s.Actions); id++ {
		k := knownOf(&s.Actions[id])
		for _, e := range s.Actions[id].Entries {
			if b := s.PT.Body(e); b != nil && s.coded[e] && s.lives[codeKey{e, k}] == nil {
				s.lives[codeKey{e, k}] = s.blocks(e, b, k)
			}
		}
	}
}

// value is a constant, the message's code, or what a final field of the receiver
// holds.
func (s *Set) value(b *ir.Body, v ir.Value, k known) (int64, bool) {
	if k.code.Known && s.isCode(b, v) {
		return k.code.Number, true
	}
	if k.recv != 0 {
		if n, ok := s.PT.Own(k.recv, b, v); ok {
			return n, true
		}
	}
	return pointsto.Constant(b, v)
}

// isCode: the value is the code of a parameter that is a message.
func (s *Set) isCode(b *ir.Body, v ir.Value) bool {
	return b.Op[v] == ir.OpGetField && b.Op[b.Arg(v, 0)] == ir.OpParam && slices.Contains(s.codeSlots, s.PT.FieldKeyOf(ir.FieldID(b.Aux[v])))
}

// codeSlots are the slots in which messages hold their codes.
func codeSlots(r *pointsto.Result) []pointsto.FieldKey {
	var keys []pointsto.FieldKey
	codes, _ := r.Models.MessageSlots()
	for _, slot := range codes {
		keys = append(keys, r.Slot(slot))
	}
	return keys
}
