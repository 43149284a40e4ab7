package race

import (
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// freshness tells accesses to an object that the accessing run has just made
// and not shown to anybody yet (DESIGN 4.5, fresh or confined objects).
type freshness struct {
	r    *pointsto.Result
	d    *derefs
	memo map[freshKey]bool
}

type freshKey struct {
	f       pointsto.FuncID
	base, v ir.Value
}

// apart: the two accesses cannot be of one concrete object of o, or the one
// comes before anybody else can have it: a side works on an object that its own
// run has made and not yet given away.
func (h *freshness) apart(o pointsto.Obj, a, b *access, x, y hb.ActionID) bool {
	if h.r.Object(o).Kind != pointsto.Allocated && h.r.Object(o).Kind != pointsto.Made {
		return false
	}
	return h.local(a) && h.local(b) || h.unshown(a) || h.unshown(b)
}

// made follows a value through casts to the instruction that makes it, 0 if it
// comes from elsewhere.
func (h *freshness) made(a *access) ir.Value {
	b := h.r.Body(a.f)
	if b == nil || a.base == 0 {
		return 0
	}
	v := a.base
	for b.Op[v] == ir.OpCheckCast {
		v = b.Arg(v, 0)
	}
	switch b.Op[v] {
	case ir.OpNew, ir.OpNewArray, ir.OpFilledArray:
		return v
	}
	return 0
}

// local: the instance is made by the function itself, in this run.
func (h *freshness) local(a *access) bool { return h.made(a) != 0 }

// unshown: the instance is made by the function itself and has not been stored
// or passed on when the access is executed.
func (h *freshness) unshown(a *access) bool {
	v := h.made(a)
	if v == 0 {
		return false
	}
	key := freshKey{a.f, v, a.v}
	got, ok := h.memo[key]
	if !ok {
		got = !h.shown(h.r.Body(a.f), v, a.v, map[ir.Value]bool{})
		h.memo[key] = got
	}
	return got
}

// shown: some use of value v may have given it away before at is executed.
func (h *freshness) shown(b *ir.Body, v, at ir.Value, seen map[ir.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	for _, u := range h.d.usesOf(b)[v] {
		switch b.Op[u] {
		case ir.OpCheckCast, ir.OpPhi:
			if h.shown(b, u, at, seen) {
				return true
			}
			continue
		case ir.OpPutField, ir.OpArrayPut:
			if b.Arg(u, b.NArgs(u)-1) != v {
				continue // a store into it
			}
		case ir.OpInvoke:
			if !h.keeps(b, u, v) {
				continue
			}
		case ir.OpPutStatic, ir.OpFilledArray, ir.OpNewLambda, ir.OpReturn, ir.OpThrow:
		default:
			continue // reads and tests
		}
		if b.Flow().Reaches(u, at) {
			return true
		}
	}
	return false
}

// keeps: a call may keep a value that it gets: any but a constructor on the
// value itself and the platform's methods on their receiver.
func (h *freshness) keeps(b *ir.Body, u, v ir.Value) bool {
	for i, a := range b.ArgsOf(u) {
		if a != v {
			continue
		}
		if i > 0 || b.Sub[u] == ir.Static {
			return true
		}
		m := &h.r.Prog.Methods[b.Aux[u]]
		if d := h.r.Prog.ResolveMethod(ir.MethodID(b.Aux[u])); d != 0 {
			m = &h.r.Prog.Methods[d]
		}
		origin := h.r.Prog.Classes[m.Class].Origin
		if m.Flags&ir.AccConstructor == 0 && origin != ir.Platform && origin != ir.Missing {
			return true
		}
	}
	return false
}
