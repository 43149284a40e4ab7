package flow

import (
	"encoding/binary"
	"slices"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Feasible says whether a run comes to an instruction at all: not if every way to it passes
// a test of an argument that the call answers with a constant, as setListener(null) does
// where the listener is told only if there is one. Arguments are the call's own, so that this
// holds on any thread.
type Feasible struct {
	s     *actions.Set
	r     *pointsto.Result
	ways  *Ways
	codes Codes
	known map[entered]bool
	tests map[position][]Condition // by the first instruction of a block
}

// entered is a function in runs of an action that is called with arguments that meet some
// conditions, which are written as bytes.
type entered struct {
	act        hb.ActionID
	f          pointsto.FuncID
	conditions string
}

func newFeasible(w *Ways, codes Codes) *Feasible {
	return &Feasible{s: w.s, r: w.r, ways: w, codes: codes, known: map[entered]bool{}, tests: map[position][]Condition{}}
}

// At reports whether a run of an action may come to an instruction of a function.
func (x *Feasible) At(act hb.ActionID, f pointsto.FuncID, v ir.Value) bool {
	b := x.r.Body(f)
	if b == nil || v <= 0 {
		return true
	}
	asked := x.asked(f, b, v)
	if got, known := x.known[key(act, f, asked)]; known {
		return got
	}
	seen := map[entered]bool{}
	if x.up(act, f, asked, seen) {
		return true
	}
	for k := range seen { // and so all that only these lead to
		x.known[k] = false
	}
	return false
}

// asked lists the tests of arguments that hold whenever an instruction is executed.
func (x *Feasible) asked(f pointsto.FuncID, b *ir.Body, v ir.Value) []Condition {
	block := b.BlockOf(v)
	at := position{f, b.Blocks[block].Start}
	out, known := x.tests[at]
	if !known {
		for _, c := range x.codes.Of(b).Required(block) {
			if c.Value = Origin(b, c.Value); b.Op[c.Value] == ir.OpParam && !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
		x.tests[at] = out
	}
	return out
}

func key(act hb.ActionID, f pointsto.FuncID, conditions []Condition) entered {
	var b []byte
	for _, c := range conditions {
		b = binary.AppendVarint(binary.AppendVarint(b, int64(c.Value)), c.Number)
		if c.Is {
			b = append(b, 1)
		}
		b = append(b, 0)
	}
	return entered{act, f, string(b)}
}

// maxPassed bounds the conditions on the arguments of one call. Of more none is looked at.
const maxPassed = 8

// up reports whether a run comes to a function with arguments that meet some conditions: by a
// way from an entry on which no call passes a constant that does not. It goes up all ways, each
// once.
func (x *Feasible) up(act hb.ActionID, f pointsto.FuncID, conditions []Condition, seen map[entered]bool) bool {
	if len(conditions) > maxPassed {
		conditions = nil
	}
	at := key(act, f, conditions)
	if got, known := x.known[at]; known || seen[at] {
		return got
	}
	seen[at] = true
	got, some := x.ways.Entry(act, f), false
	for way := range x.ways.Calls(act, f) {
		if got {
			break
		}
		some = true
		if way.Body == nil || way.Site <= 0 {
			got = x.up(act, way.Caller, nil, seen)
			continue
		}
		if !x.s.Executes(act, way.Caller, way.Site) {
			continue
		}
		if next, ok := x.passed(way, x.r.Body(f), conditions); ok {
			got = x.up(act, way.Caller, next, seen)
		}
	}
	if got = got || !some; got { // how it is called is not known
		x.known[at] = true
	}
	return got
}

// passed is what a call asks of the caller's own arguments for what it passes to meet some
// conditions; not ok if that cannot be.
func (x *Feasible) passed(way *Way, callee *ir.Body, conditions []Condition) (next []Condition, ok bool) {
	next = slices.Clone(x.asked(way.Caller, way.Body, way.Site))
	if !way.Plain || way.Maybe || way.Inline { // a callback gets what the platform passes
		return next, true
	}
	for _, c := range conditions {
		v := Origin(way.Body, way.Arg(int(callee.Aux[c.Value])))
		n, known := constantOf(x.r.Prog, way.Body, v)
		switch {
		case known && (n == c.Number) != c.Is, c.Zero() && made(way.Body, v):
			return nil, false
		case way.Body.Op[v] == ir.OpParam:
			if c.Value = v; !slices.Contains(next, c) {
				next = append(next, c)
			}
		}
	}
	return next, true
}
