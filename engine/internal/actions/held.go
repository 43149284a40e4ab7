package actions

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// A message that is sent with a known code may hold further numbers, such as arg1. Each of them
// is one of the constants that are stored into the message, or 0, which it holds before: branches
// for other numbers are not executed.

// slots is the numbers that a message may hold, by slot.
type slots map[pointsto.FieldKey][]int64

// hold notes what the message of an action may hold, where its entries test that.
func (s *Set) hold(a *Action) {
	if a.Arm == nil || a.Arm.Effect == nil || !a.Code.Known || a.joint || len(a.More) > 0 || len(a.Arm.Effect.Code.Slots) == 0 {
		return
	}
	place := a.Arm.Effect.Code
	place.Slots = place.Slots[:len(place.Slots)-1]
	messages := s.PT.Eval(a.Arm.Scope, place)
	held := slots{}
	for _, e := range a.Entries {
		b := s.PT.Body(e)
		if b == nil {
			continue
		}
		for k := range b.Blocks {
			if key, ok := s.testsSlot(b, int32(k)); ok && held[key] == nil {
				if ns, ok := s.numbersIn(messages, key); ok {
					held[key] = ns
				}
			}
		}
	}
	if len(held) > 0 {
		a.held = int32(len(s.held))
		s.held = append(s.held, held)
	}
}

// numbersIn lists what a slot of messages may hold: constants that the app stores, and 0.
func (s *Set) numbersIn(messages pointsto.Set, key pointsto.FieldKey) ([]int64, bool) {
	out, ok := []int64{0}, !messages.Empty()
	messages.All(func(o pointsto.Obj) bool {
		kind := s.PT.Object(o).Kind
		ns, known := s.PT.Numbers(o, key)
		ok = known && (kind == pointsto.Allocated || kind == pointsto.Made)
		for _, n := range ns {
			out = appendNew(out, n)
		}
		return ok
	})
	return out, ok
}

// testsSlot is the slot of a parameter that a block compares with numbers at its end.
func (s *Set) testsSlot(b *ir.Body, block int32) (pointsto.FieldKey, bool) {
	v, ok := tested(b, block)
	if !ok || b.Op[v] != ir.OpGetField || b.Op[b.Arg(v, 0)] != ir.OpParam {
		return 0, false
	}
	key := s.PT.FieldKeyOf(ir.FieldID(b.Aux[v]))
	return key, key < 0
}

// withHeld takes those blocks out of a set of live ones that no number which a message holds
// leads to.
func (s *Set) withHeld(b *ir.Body, held slots, live []bool) {
	reached := make([]bool, len(b.Blocks))
	for work := []int32{0}; len(work) > 0; {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		if reached[k] || !live[k] {
			continue
		}
		reached[k] = true
		var numbers []int64
		if key, ok := s.testsSlot(b, k); ok {
			numbers = held[key]
		}
		for i, to := range b.Succs(k) {
			if numbers == nil || i >= int(b.Blocks[k].Normal) || slices.ContainsFunc(numbers, func(n int64) bool { return leaves(b, k, i, n) }) {
				work = append(work, to)
			}
		}
	}
	copy(live, reached)
}
