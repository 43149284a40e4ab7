package flow

import (
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// branches finds in which valuations each edge of a test may be taken.
func (p *changing) branches() {
	for k := range p.b.Blocks {
		from := int32(k)
		last := p.b.Blocks[k].End - 1
		for _, to := range p.b.Succs(from)[:p.b.Blocks[k].Normal] {
			only := p.all()
			switch {
			case !p.s.Executes(p.act, p.f, p.b.Blocks[to].Start):
				only = 0 // the code of its message keeps the action from it
			case p.b.Op[last] == ir.OpIf:
				for _, c := range conditions(p.r.Prog, p.b, from, to) {
					only &= p.may(c.Value, c, last, 0)
				}
			case p.b.Op[last] == ir.OpSwitch:
				only = p.cases(from, to)
			}
			if only != p.all() {
				p.edges[[2]int32{from, to}] = only
			}
		}
	}
}

// conditions is what Proves says of an edge, constants of enums included.
func conditions(prog *ir.Program, b *ir.Body, from, to int32) []Condition {
	if all := Proves(b, from, to); len(all) > 0 {
		return all
	}
	test := b.Blocks[from].End - 1
	sides := b.Succs(from)
	if b.Op[test] != ir.OpIf || b.NArgs(test) != 2 || sides[0] == sides[1] || b.Sub[test] != ir.EQ && b.Sub[test] != ir.NE {
		return nil
	}
	for i := range 2 {
		if n, ok := constantOf(prog, b, Origin(b, b.Arg(test, i))); ok {
			c := Condition{Value: b.Arg(test, 1-i), Number: n, Is: (b.Sub[test] == ir.EQ) == (to == sides[0])}
			return implied(b, c)
		}
	}
	return nil
}

// cases are the valuations in which a switch may take an edge.
func (p *changing) cases(from, to int32) hb.Valuations {
	test := p.b.Blocks[from].End - 1
	value, keys, sides := p.b.Arg(test, 0), p.b.Cases(test), p.b.Succs(from)
	var only hb.Valuations
	other := p.all()
	for i, n := range keys {
		if i < len(sides) && sides[i] == to {
			only |= p.may(value, Condition{Value: value, Number: n, Is: true}, test, 0)
		}
		other &= p.may(value, Condition{Value: value, Number: n}, test, 0)
	}
	if len(keys) < len(sides) && sides[len(keys)] == to { // the default
		only |= other
	}
	return only
}

// maxAsked bounds the calls and merges through which a tested value is followed.
const maxAsked = 3

// may are the valuations at an instruction in which a value may meet a condition.
func (p *changing) may(v ir.Value, c Condition, at ir.Value, depth int) hb.Valuations {
	v = Origin(p.b, v)
	if n, ok := p.constant(v); ok {
		if (n == c.Number) == c.Is {
			return p.all()
		}
		return 0
	}
	switch p.b.Op[v] {
	case ir.OpGetField:
		if i := p.loads(p.f, p.b, v); i >= 0 && p.current(i, v, at) {
			return p.meeting(i, c)
		}
	case ir.OpInvoke:
		if depth < maxAsked {
			return p.answers(v, c, at, depth+1)
		}
	case ir.OpBinary:
		if n, ok := pointsto.Constant(p.b, p.b.Arg(v, 1)); ok && n == 1 && p.b.Sub[v] == ir.Xor && p.boolean(p.b.Arg(v, 0)) && c.Number == 0 { // !flag
			c.Is = !c.Is
			return p.may(p.b.Arg(v, 0), c, at, depth)
		}
	}
	return p.all()
}

func (p *changing) boolean(v ir.Value) bool { return p.b.Type[v] == ir.TypeBoolean }

// loads is the watched location that a value is loaded from, or -1.
func (p *changing) loads(f pointsto.FuncID, b *ir.Body, v ir.Value) int {
	key := p.r.FieldKeyOf(ir.FieldID(b.Aux[v]))
	for i := range p.watched {
		if w := &p.watched[i]; w.Key == key && p.r.PointsTo(f, b.Arg(v, 0)).One() == w.Object && p.x.OwnBase(p.act, Place{Func: f, At: v, Value: b.Arg(v, 0)}) {
			return i
		}
	}
	return -1
}

// meeting are the valuations in which location i may meet a condition.
func (p *changing) meeting(i int, c Condition) hb.Valuations {
	w := &p.watched[i]
	out := p.all()
	switch known := w.value(c.Number); {
	case i == 0 && c.Number == 0 && c.Is: // any null meets it
	case i == 0 && c.Number == 0:
		out = p.having(0, 2)
	case i == 0:
	case known == len(w.Values): // one of the other values
		if c.Is {
			out = p.having(i, 1<<known)
		}
	case c.Is:
		out = p.having(i, 1<<known)
	default:
		out = p.having(i, w.any()&^(1<<known))
	}
	return out
}

// answers are the valuations at an instruction in which the result of a call before it may
// meet a condition: those that the callee may return with.
func (p *changing) answers(call ir.Value, c Condition, at ir.Value, depth int) hb.Valuations {
	if p.r.Open(p.f, call) {
		return p.all()
	}
	var out hb.Valuations
	some := false
	for _, to := range p.r.Calls[p.f] {
		if to.Site != call {
			continue
		}
		some = true
		b := p.r.Body(to.Callee)
		if b == nil || to.Maybe || to.Inline || to.Often || !p.within.Has(int(to.Callee)) || p.inside[to.Callee] {
			return p.all()
		}
		out |= p.returned(to.Callee, b, c, depth)
	}
	if !some {
		return p.all()
	}
	for i := range p.watched {
		if out != p.all() && !p.current(i, call, at) {
			return p.all()
		}
	}
	return out
}

// returned are the valuations in which a function may return a value that meets a condition.
func (p *changing) returned(f pointsto.FuncID, b *ir.Body, c Condition, depth int) hb.Valuations {
	key := answered{f, c.Number, c.Is, depth}
	if got, known := p.answer[key]; known {
		return got
	}
	q := &changing{Changes: p.Changes, f: f, b: b, events: map[ir.Value]*event{}, edges: map[[2]int32]hb.Valuations{}}
	p.inside[f] = true
	q.collect()
	q.branches()
	p.inside[f] = false
	q.solved = Solve[relation](b, q)
	var out hb.Valuations
	for k := range b.Blocks {
		last := b.Blocks[k].End - 1
		if b.Op[last] == ir.OpReturn && b.NArgs(last) == 1 {
			out |= q.returnedAt(last, c, depth)
		}
	}
	p.answer[key] = out
	return out
}

// answered is a question about the result of a function.
type answered struct {
	f      pointsto.FuncID
	number int64
	is     bool
	depth  int
}

// returnedAt is returned by one instruction; a merge that it returns is looked at by the
// edges into it.
func (q *changing) returnedAt(last ir.Value, c Condition, depth int) hb.Valuations {
	v := Origin(q.b, q.b.Arg(last, 0))
	block := q.b.BlockOf(last)
	if q.b.Op[v] != ir.OpPhi || q.b.BlockOf(v) != block {
		return q.solved.Before(last).image() & q.may(v, c, last, depth)
	}
	for at := range q.events {
		if q.b.BlockOf(at) == block {
			return q.solved.Before(last).image()
		}
	}
	var out hb.Valuations
	for i, a := range q.b.ArgsOf(v) {
		from := q.b.Preds(block)[i]
		out |= q.solved.After(from, block).image() & q.may(a, c, q.b.Blocks[from].End-1, depth)
	}
	return out
}

// image are the valuations that there may be.
func (r relation) image() hb.Valuations {
	var out hb.Valuations
	for _, now := range r {
		out |= now
	}
	return out
}
