package flow

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Deref is an instruction that fails if a value is null.
type Deref struct {
	Func pointsto.FuncID
	At   ir.Value
}

// Derefs finds where a loaded value is dereferenced without having been tested:
// in the function that loads it, in a caller that it is returned to, or in a
// callee that it is passed to.
type Derefs struct {
	ways  *Ways
	codes Codes
	r     *pointsto.Result
	table *table[position, []Deref]
}

// NewDerefs makes a Derefs of its own, for questions that come before Facts.
func NewDerefs(s *actions.Set) *Derefs {
	d := &Derefs{ways: &Ways{s: s, r: s.PT}, codes: Codes{}, r: s.PT}
	d.table = newTable[position](func(old, now []Deref) ([]Deref, bool) { return now, len(now) > len(old) })
	d.table.compute = d.compute
	return d
}

// Of lists the untested dereferences of value v, nearest first, each once.
func (d *Derefs) Of(f pointsto.FuncID, v ir.Value) []Deref { return d.table.of(position{f, v}) }

func (d *Derefs) compute(p position) []Deref {
	b := d.r.Body(p.f)
	w := derefWalk{d: d, f: p.f, b: b, code: d.codes.Of(b), seen: map[ir.Value]bool{}, known: map[Deref]bool{}}
	w.value(p.v, p.v)
	return w.out
}

// derefWalk follows a value through the casts and merges of one function.
type derefWalk struct {
	d     *Derefs
	f     pointsto.FuncID
	b     *ir.Body
	code  *Code
	seen  map[ir.Value]bool
	known map[Deref]bool
	out   []Deref
}

func (w *derefWalk) add(all ...Deref) {
	for _, x := range all {
		if !w.known[x] {
			w.known[x] = true
			w.out = append(w.out, x)
		}
	}
}

func (w *derefWalk) value(root, v ir.Value) {
	if w.seen[v] {
		return
	}
	w.seen[v] = true
	for _, u := range w.code.Uses(v) {
		if w.code.Tested(root, u) || v != root && w.code.Tested(v, u) {
			continue
		}
		switch w.b.Op[u] {
		case ir.OpCheckCast:
			w.value(root, u)
		case ir.OpPhi:
			w.merge(root, v, u)
		case ir.OpReturn:
			w.returned()
		case ir.OpInvoke:
			w.call(v, u)
		default:
			if fails(w.b, u, v) {
				w.add(Deref{w.f, u})
			}
		}
	}
}

// merge follows a value into a phi, unless it was tested on the way there.
func (w *derefWalk) merge(root, v, phi ir.Value) {
	block := w.b.BlockOf(phi)
	for i, a := range w.b.ArgsOf(phi) {
		if a != v {
			continue
		}
		from := w.b.Preds(block)[i]
		end := w.b.Blocks[from].End - 1
		if !w.code.Tested(root, end) && !w.code.Tested(v, end) && !w.code.TestedOn(v, from, block) {
			w.value(root, phi)
			return
		}
	}
}

// fails reports whether u fails if v is null, calls apart.
func fails(b *ir.Body, u, v ir.Value) bool {
	switch b.Op[u] {
	case ir.OpGetField, ir.OpPutField, ir.OpArrayGet, ir.OpArrayPut, ir.OpArrayLength, ir.OpFillData,
		ir.OpMonitorEnter, ir.OpThrow:
		return b.Arg(u, 0) == v
	}
	return false
}

// call: the receiver of a call is dereferenced; an argument is if the callee,
// or the model of the method, requires it.
func (w *derefWalk) call(v, u ir.Value) {
	args := w.b.ArgsOf(u)
	if w.b.Sub[u] != ir.Static && args[0] == v {
		w.add(Deref{w.f, u})
		return
	}
	for i, a := range args {
		if a == v {
			w.argument(u, i)
		}
	}
}

func (w *derefWalk) argument(u ir.Value, i int) {
	for _, c := range w.d.r.Calls[w.f] {
		callee := w.d.r.Body(c.Callee)
		if c.Site != u || callee == nil || i+1 >= callee.Len() || callee.Op[i+1] != ir.OpParam {
			continue
		}
		if inner := w.d.Of(c.Callee, ir.Value(i+1)); len(inner) > 0 {
			w.add(inner[0])
			return
		}
	}
	index := i
	if w.b.Sub[u] != ir.Static {
		index--
	}
	for _, m := range w.d.r.ModelsOf(ir.MethodID(w.b.Aux[u])) {
		if slices.ContainsFunc(m.Effects, func(e platform.Effect) bool {
			return e.Kind == platform.Deref && e.Place.Base == platform.Arg && e.Place.Index == index && len(e.Place.Slots) == 0
		}) {
			w.add(Deref{w.f, u})
			return
		}
	}
}

// returned follows the value to the callers that it is returned to.
func (w *derefWalk) returned() {
	for way := range w.d.ways.Calls(0, w.f) {
		b := way.Body
		if b == nil || way.Site <= 0 || b.Type[way.Site] == 0 || b.Op[way.Site] != ir.OpInvoke {
			continue
		}
		w.add(w.d.Of(way.Caller, way.Site)...)
	}
}
