package race

import (
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// deref is an instruction that fails if a value is null.
type deref struct {
	f pointsto.FuncID
	v ir.Value
}

// derefs finds where a loaded value is dereferenced without having been tested:
// in the function that loads it, in a caller that it is returned to, or in a
// callee that it is passed to.
type derefs struct {
	s    *actions.Set
	r    *pointsto.Result
	uses map[*ir.Body][][]ir.Value
	memo map[derefKey][]deref
}

type derefKey struct {
	f pointsto.FuncID
	v ir.Value
}

func newDerefs(s *actions.Set) *derefs {
	return &derefs{s: s, r: s.PT, uses: map[*ir.Body][][]ir.Value{}, memo: map[derefKey][]deref{}}
}

// usesOf lists, for each value of a body, the instructions that it is an
// argument of.
func (d *derefs) usesOf(b *ir.Body) [][]ir.Value {
	u, ok := d.uses[b]
	if !ok {
		u = make([][]ir.Value, b.Len())
		for v := ir.Value(1); int(v) < b.Len(); v++ {
			for _, a := range b.ArgsOf(v) {
				u[a] = append(u[a], v)
			}
		}
		d.uses[b] = u
	}
	return u
}

// of lists the untested dereferences of value v, nearest first.
func (d *derefs) of(f pointsto.FuncID, v ir.Value) []deref {
	key := derefKey{f, v}
	if got, ok := d.memo[key]; ok {
		return got
	}
	d.memo[key] = nil // cycles add nothing
	w := derefWalk{d: d, f: f, b: d.r.Body(f), seen: map[ir.Value]bool{}}
	w.value(v, v)
	d.memo[key] = w.out
	return w.out
}

// derefWalk follows a value through the casts and merges of one function.
type derefWalk struct {
	d    *derefs
	f    pointsto.FuncID
	b    *ir.Body
	seen map[ir.Value]bool
	out  []deref
}

func (w *derefWalk) value(root, v ir.Value) {
	if w.seen[v] {
		return
	}
	w.seen[v] = true
	for _, u := range w.d.usesOf(w.b)[v] {
		if w.tested(root, u) || v != root && w.tested(v, u) {
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
				w.out = append(w.out, deref{w.f, u})
			}
		}
	}
}

// merge follows a value into a phi, unless it was tested on the way there.
func (w *derefWalk) merge(root, v, phi ir.Value) {
	k := w.b.BlockOf(phi)
	for i, a := range w.b.ArgsOf(phi) {
		if a != v {
			continue
		}
		end := w.b.Blocks[w.b.Preds(k)[i]].End - 1
		if !w.tested(root, end) && !w.tested(v, end) && !w.testedEdge(v, end, k) {
			w.value(root, phi)
			return
		}
	}
}

// testedEdge: the edge from the block that ends with a test of v to block k is
// the one taken if v is not null.
func (w *derefWalk) testedEdge(v, end ir.Value, k int32) bool {
	if w.b.Op[end] != ir.OpIf || w.b.NArgs(end) != 1 || w.b.Arg(end, 0) != v {
		return false
	}
	s := w.b.Succs(w.b.BlockOf(end))
	return w.b.Sub[end] == ir.NE && s[0] == k && s[1] != k || w.b.Sub[end] == ir.EQ && s[1] == k && s[0] != k
}

// tested: whenever u is executed, the value v has been found not null.
func (w *derefWalk) tested(v, u ir.Value) bool {
	for _, t := range w.d.usesOf(w.b)[v] {
		switch w.b.Op[t] {
		case ir.OpIf:
			if nonNullSide(w.b, t, u) {
				return true
			}
		case ir.OpInstanceOf:
			for _, x := range w.d.usesOf(w.b)[t] {
				if w.b.Op[x] == ir.OpIf && w.b.NArgs(x) == 1 && trueSide(w.b, x, u) {
					return true
				}
			}
		case ir.OpCheckCast: // the cast value may be what is tested
			if t != u {
				for _, x := range w.d.usesOf(w.b)[t] {
					if w.b.Op[x] == ir.OpIf && nonNullSide(w.b, x, u) {
						return true
					}
				}
			}
		}
	}
	return false
}

// nonNullSide: u is executed only after test t, an OpIf of one value against
// null, has found the value not null.
func nonNullSide(b *ir.Body, t, u ir.Value) bool {
	if b.NArgs(t) != 1 {
		return b.NArgs(t) == 2 && (b.Op[b.Arg(t, 0)] == ir.OpConstNull || b.Op[b.Arg(t, 1)] == ir.OpConstNull) && trueSide(b, t, u)
	}
	return trueSide(b, t, u)
}

// trueSide: u is executed only on the side of test t on which the value is not
// zero or null (NE taken, EQ not taken).
func trueSide(b *ir.Body, t, u ir.Value) bool {
	k := b.BlockOf(t)
	s := b.Succs(k)
	if len(s) < 2 || s[0] == s[1] {
		return false
	}
	switch b.Sub[t] {
	case ir.NE:
		return edgeDominates(b, k, s[0], b.BlockOf(u))
	case ir.EQ:
		return edgeDominates(b, k, s[1], b.BlockOf(u))
	}
	return false
}

// edgeDominates: every path to block passes the edge from -> to.
func edgeDominates(b *ir.Body, from, to, block int32) bool {
	if !b.Flow().BlockDominates(to, block) {
		return false
	}
	for _, p := range b.Preds(to) {
		if p != from && !b.Flow().BlockDominates(to, p) { // another way in
			return false
		}
	}
	return true
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
		w.out = append(w.out, deref{w.f, u})
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
		if inner := w.d.of(c.Callee, ir.Value(i+1)); len(inner) > 0 {
			w.out = append(w.out, inner[0])
			return
		}
	}
	ref := ir.MethodID(w.b.Aux[u])
	for _, m := range w.d.r.ModelsOf(ref) {
		for _, e := range m.Effects {
			p := i
			if w.b.Sub[u] != ir.Static {
				p--
			}
			if e.Kind == platform.Deref && e.Place.Base == platform.Arg && e.Place.Index == p && len(e.Place.Slots) == 0 {
				w.out = append(w.out, deref{w.f, u})
				return
			}
		}
	}
}

// returned follows the value to the callers that it is returned to.
func (w *derefWalk) returned() {
	for _, c := range w.d.s.Callers(w.f) {
		b := w.d.r.Body(c.Caller)
		if b == nil || c.Site <= 0 || b.Type[c.Site] == 0 || b.Op[c.Site] != ir.OpInvoke {
			continue
		}
		w.out = append(w.out, w.d.of(c.Caller, c.Site)...)
	}
}
