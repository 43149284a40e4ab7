package race

import (
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// codes tells which parts of a message handler a message with a known code
// does not execute: it folds the handler's tests of Message.what (SIERRA
// section 5, on-demand constant propagation).
type codes struct {
	s    *actions.Set
	what pointsto.FieldKey
	live map[codeKey][]bool // blocks
}

type codeKey struct {
	f    pointsto.FuncID
	code int64
}

func newCodes(s *actions.Set) *codes {
	return &codes{s: s, what: s.PT.Slot("what"), live: map[codeKey][]bool{}}
}

// excluded: no run of the action comes to the access, because of its code.
func (c *codes) excluded(act hb.ActionID, a *access) bool {
	x := &c.s.Actions[act]
	if !x.Code.Known {
		return false
	}
	for _, e := range x.Entries {
		b := c.s.PT.Body(e)
		if b == nil {
			if e == a.in {
				return false
			}
			continue
		}
		live := c.blocks(e, b, x.Code.Number)
		if e == a.in && live[b.BlockOf(a.v)] {
			return false
		}
		up := c.s.Upward(a.in)
		for _, call := range c.s.PT.Calls[e] {
			if up.Has(int(call.Callee)) && live[b.BlockOf(call.Site)] {
				return false
			}
		}
	}
	return true
}

// blocks says which blocks of a handler a message with this code may reach.
func (c *codes) blocks(f pointsto.FuncID, b *ir.Body, code int64) []bool {
	key := codeKey{f, code}
	if l, ok := c.live[key]; ok {
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
		work = append(work, c.next(b, k, code)...)
	}
	c.live[key] = live
	return live
}

// next lists the successors of a block that the code allows.
func (c *codes) next(b *ir.Body, k int32, code int64) []int32 {
	succs := b.Succs(k)
	end := b.Blocks[k].End - 1
	switch b.Op[end] {
	case ir.OpSwitch:
		if !c.isCode(b, b.Arg(end, 0)) {
			return succs
		}
		for i, n := range b.Cases(end) {
			if n == code {
				return succs[i : i+1]
			}
		}
		return succs[len(b.Cases(end)):]
	case ir.OpIf:
		if n, ok := c.compared(b, end); ok && (b.Sub[end] == ir.EQ || b.Sub[end] == ir.NE) {
			if (n == code) == (b.Sub[end] == ir.EQ) {
				return succs[:1]
			}
			return succs[1:2]
		}
	}
	return succs
}

// compared is the constant that a test compares the message's code with.
func (c *codes) compared(b *ir.Body, t ir.Value) (int64, bool) {
	if b.NArgs(t) == 1 {
		return 0, c.isCode(b, b.Arg(t, 0))
	}
	x, y := b.Arg(t, 0), b.Arg(t, 1)
	if c.isCode(b, y) {
		x, y = y, x
	}
	if !c.isCode(b, x) {
		return 0, false
	}
	return pointsto.Constant(b, y)
}

// isCode: the value is a parameter's Message.what.
func (c *codes) isCode(b *ir.Body, v ir.Value) bool {
	return b.Op[v] == ir.OpGetField && b.Op[b.Arg(v, 0)] == ir.OpParam && c.s.PT.FieldKeyOf(ir.FieldID(b.Aux[v])) == c.what
}
