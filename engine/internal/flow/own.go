package flow

import (
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Own reports whether the instance of an access by act is one that the run has made itself,
// whoever else knows it by now: it comes from an allocation in the run by parameters,
// results, and fields of objects that are the run's own and into which nothing else is put.
func (h *Fresh) Own(act hb.ActionID, a *Access) bool {
	if a.Base == 0 || a.At <= 0 || h.r.Body(a.Func) == nil {
		return false
	}
	key := freshKey{act, a.Func, a.Base, a.At}
	got, ok := h.own[key]
	if !ok {
		got = h.owned(act, Place{a.Func, a.At, a.Base}, 0)
		h.own[key] = got
	}
	return got
}

// owned is Own of a value at a place. depth counts fields and results on the way.
func (h *Fresh) owned(act hb.ActionID, p Place, depth int) bool {
	if depth > MaxHops {
		return false
	}
	return h.ways.EveryWayIn(act, p, func(p Place) Answer {
		b := h.r.Body(p.Func)
		x := Origin(b, p.Value)
		switch {
		case b.Op[x] == ir.OpParam:
			return Callers
		case made(b, x), b.Op[x] == ir.OpInvoke && h.ownResult(act, p.Func, x, depth), b.Op[x] == ir.OpGetField && h.ownField(act, p.Func, x, depth):
			return Yes
		}
		return No
	})
}

// ownResult: each function that a call may run returns an object of the run's own.
func (h *Fresh) ownResult(act hb.ActionID, f pointsto.FuncID, call ir.Value, depth int) bool {
	if h.r.Open(f, call) {
		return false
	}
	found := false
	for _, c := range h.r.Calls[f] {
		if c.Site != call {
			continue
		}
		b := h.r.Body(c.Callee)
		if b == nil {
			return false
		}
		for v := ir.Value(1); int(v) < b.Len(); v++ {
			if b.Op[v] != ir.OpReturn || b.NArgs(v) == 0 {
				continue
			}
			x := Origin(b, b.Arg(v, 0))
			switch {
			case made(b, x):
			case b.Op[x] == ir.OpInvoke && depth < MaxHops && h.ownResult(act, c.Callee, x, depth+1):
			case b.Op[x] == ir.OpParam && h.ownArg(act, f, call, int(b.Aux[x]), Params(b), depth):
			default:
				return false
			}
			found = true
		}
	}
	return found
}

// ownArg: what a call passes for parameter i, of n, is an object of the run's own.
func (h *Fresh) ownArg(act hb.ActionID, f pointsto.FuncID, call ir.Value, i, n, depth int) bool {
	b := h.r.Body(f)
	return b.NArgs(call) == n && i < n && h.owned(act, Place{f, call, b.Arg(call, i)}, depth+1)
}

// ownField: a load from an object of the run's own gives what the run has put there, which
// is its own as well.
func (h *Fresh) ownField(act hb.ActionID, f pointsto.FuncID, load ir.Value, depth int) bool {
	b := h.r.Body(f)
	holder := b.Arg(load, 0)
	if !h.owned(act, Place{f, load, holder}, depth+1) {
		return false
	}
	objs, found := h.r.PointsTo(f, holder), false
	for _, at := range h.puts(h.r.FieldKeyOf(ir.FieldID(b.Aux[load]))) {
		body := h.r.Body(at.f)
		if !h.r.PointsTo(at.f, body.Arg(at.v, 0)).Intersects(objs) || h.s.ByFunc[at.f] == nil {
			continue
		}
		only := true
		h.s.ByFunc[at.f].All(func(id int) bool { only = hb.ActionID(id) == act; return only })
		if !only || !h.owned(act, Place{at.f, at.v, body.Arg(at.v, body.NArgs(at.v)-1)}, depth+1) {
			return false
		}
		found = true
	}
	return found
}

// Stores lists the stores into a field, those of constructors included.
func (h *Fresh) Stores(key pointsto.FieldKey) []Place {
	var out []Place
	for _, at := range h.puts(key) {
		out = append(out, Place{Func: at.f, At: at.v})
	}
	return out
}

// puts lists the stores into a field, those of constructors included.
func (h *Fresh) puts(key pointsto.FieldKey) []position {
	if h.stores == nil {
		h.stores = map[pointsto.FieldKey][]position{}
		for f := pointsto.FuncID(1); int(f) < len(h.r.Funcs); f++ {
			b := h.r.Body(f)
			if b == nil {
				continue
			}
			for v := ir.Value(1); int(v) < b.Len(); v++ {
				if b.Op[v] == ir.OpPutField {
					k := h.r.FieldKeyOf(ir.FieldID(b.Aux[v]))
					h.stores[k] = append(h.stores[k], position{f, v})
				}
			}
		}
	}
	return h.stores[key]
}
