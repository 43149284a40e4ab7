package race

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// freshness tells accesses to an object that the accessing run has just made
// and not shown to anybody yet (fresh or confined objects).
type freshness struct {
	r      *pointsto.Result
	d      *derefs
	memo   map[freshKey]bool
	escape map[escapeKey]bool
}

type freshKey struct {
	f       pointsto.FuncID
	base, v ir.Value
}

// apart: the two accesses cannot be of one concrete object of o, or the one
// comes before anybody else can have it: a side works on an object that its own
// run has made and not yet given away.
func (h *freshness) apart(s *actions.Set, o pointsto.Obj, a, b *access, x, y hb.ActionID) bool {
	if h.r.Object(o).Kind != pointsto.Allocated && h.r.Object(o).Kind != pointsto.Made {
		return false
	}
	return h.local(a) && h.local(b) || h.private(s, x, a.f, a.base, a.v, 0) || h.private(s, y, b.f, b.base, b.v, 0)
}

// local: the instance is made by the function itself, in this run.
func (h *freshness) local(a *access) bool {
	b := h.r.Body(a.f)
	return b != nil && a.base != 0 && made(b, origin(b, a.base))
}

// origin follows a value through casts.
func origin(b *ir.Body, v ir.Value) ir.Value {
	for b.Op[v] == ir.OpCheckCast {
		v = b.Arg(v, 0)
	}
	return v
}

func made(b *ir.Body, v ir.Value) bool {
	switch b.Op[v] {
	case ir.OpNew, ir.OpNewArray, ir.OpFilledArray:
		return true
	}
	return false
}

// freshDepth bounds the callers that a new object is followed through.
const freshDepth = 3

// private: when v of f is executed by act, the object base has been made in the
// same run and not been stored or passed on: in f itself, or by every caller
// that hands it to f.
func (h *freshness) private(s *actions.Set, act hb.ActionID, f pointsto.FuncID, base, v ir.Value, depth int) bool {
	b := h.r.Body(f)
	if b == nil || base == 0 || v <= 0 {
		return false
	}
	x := origin(b, base)
	param := b.Op[x] == ir.OpParam
	if !param && !made(b, x) {
		return false
	}
	key := freshKey{f, x, v}
	unshown, ok := h.memo[key]
	if !ok {
		unshown = !h.shown(f, b, x, v, map[ir.Value]bool{}, 0)
		h.memo[key] = unshown
	}
	if !unshown || !param {
		return unshown
	}
	a := &s.Actions[act]
	if depth == freshDepth || slices.Contains(a.Entries, f) {
		return false
	}
	any := false
	for _, c := range s.Callers(f) {
		if !a.Reach.Has(int(c.Caller)) {
			continue
		}
		cb := h.r.Body(c.Caller)
		i := int(b.Aux[x])
		if cb == nil || c.Site <= 0 || cb.Op[c.Site] != ir.OpInvoke || cb.NArgs(c.Site) != params(b) || i >= cb.NArgs(c.Site) ||
			!h.private(s, act, c.Caller, cb.Arg(c.Site, i), c.Site, depth+1) {
			return false
		}
		any = true
	}
	return any
}

// shown: some use of value v may have given it away before at is executed; at 0
// asks for the whole function.
func (h *freshness) shown(f pointsto.FuncID, b *ir.Body, v, at ir.Value, seen map[ir.Value]bool, depth int) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	for _, u := range h.d.usesOf(b)[v] {
		switch b.Op[u] {
		case ir.OpCheckCast, ir.OpPhi:
			if h.shown(f, b, u, at, seen, depth) {
				return true
			}
			continue
		case ir.OpPutField, ir.OpArrayPut:
			if b.Arg(u, b.NArgs(u)-1) != v {
				continue // a store into it
			}
		case ir.OpInvoke:
			if !h.keeps(f, b, u, v, depth) {
				continue
			}
		case ir.OpReturn:
			if at != 0 {
				continue // nothing comes after it
			}
		case ir.OpPutStatic, ir.OpFilledArray, ir.OpNewLambda, ir.OpThrow:
		default:
			continue // reads and tests
		}
		if at == 0 || b.Flow().Reaches(u, at) {
			return true
		}
	}
	return false
}

// keeps: a call may keep a value that it gets: a platform's method if it is no
// receiver, a method with code if that code stores it or passes it on.
func (h *freshness) keeps(f pointsto.FuncID, b *ir.Body, u, v ir.Value, depth int) bool {
	callees := 0
	for _, c := range h.r.Calls[f] {
		if c.Site != u {
			continue
		}
		callees++
		cb := h.r.Body(c.Callee)
		if cb == nil || params(cb) != b.NArgs(u) || depth == freshDepth {
			return true
		}
		for i, a := range b.ArgsOf(u) {
			if a == v && h.escapes(c.Callee, cb, i, depth+1) {
				return true
			}
		}
	}
	if callees > 0 {
		return false
	}
	for i, a := range b.ArgsOf(u) {
		if a == v && (i > 0 || b.Sub[u] == ir.Static) {
			return true
		}
	}
	return false
}

type escapeKey struct {
	f pointsto.FuncID
	i int
}

// escapes: a function may keep its i-th parameter.
func (h *freshness) escapes(f pointsto.FuncID, b *ir.Body, i, depth int) bool {
	key := escapeKey{f, i}
	if e, ok := h.escape[key]; ok {
		return e
	}
	h.escape[key] = true // recursion: not proved
	e := h.shown(f, b, ir.Value(i+1), 0, map[ir.Value]bool{}, depth)
	h.escape[key] = e
	return e
}
