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
		case made(b, x), b.Op[x] == ir.OpInvoke && h.ownResult(act, p.Func, x, depth), b.Op[x] == ir.OpGetField && h.ownField(act, p.Func, x, depth, h.owned):
			return Yes
		}
		return No
	})
}

// OnReceiver reports whether the instance of an access by act is the very object that the run is
// on: its receiver, also by way of an object that the run makes and gives it to, as a task that
// knows the activity whose callback starts it.
func (h *Fresh) OnReceiver(act hb.ActionID, a *Access) bool {
	return a.Base != 0 && a.At > 0 && h.r.Body(a.Func) != nil && h.receiver(act, Place{a.Func, a.At, a.Base}, 0)
}

// receiver is OnReceiver of a value at a place.
func (h *Fresh) receiver(act hb.ActionID, p Place, depth int) bool {
	if depth > MaxHops {
		return false
	}
	return h.ways.EveryWayIn(act, p, func(p Place) Answer {
		b := h.r.Body(p.Func)
		x := Origin(b, p.Value)
		switch {
		case b.Op[x] == ir.OpParam && b.Aux[x] == 0 && h.ways.Entry(act, p.Func):
			return Yes
		case b.Op[x] == ir.OpParam:
			return Callers
		case b.Op[x] == ir.OpGetField && h.ownField(act, p.Func, x, depth, h.receiver):
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

// ownField: a load from an object of the run's own gives what the run has put there, of which
// what is asked holds. What a constructor puts into its object, no other run does.
func (h *Fresh) ownField(act hb.ActionID, f pointsto.FuncID, load ir.Value, depth int, holds func(hb.ActionID, Place, int) bool) bool {
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
		if !h.constructing(at) {
			h.s.ByFunc[at.f].All(func(id int) bool { only = hb.ActionID(id) == act; return only })
		} else if !h.s.ByFunc[at.f].Has(int(act)) {
			continue
		}
		if !only || !holds(act, Place{at.f, at.v, body.Arg(at.v, body.NArgs(at.v)-1)}, depth+1) {
			return false
		}
		found = true
	}
	return found
}

// constructing: a store of a constructor into its own object.
func (h *Fresh) constructing(at position) bool {
	b, m := h.r.Body(at.f), h.r.Funcs[at.f].Method
	x := Origin(b, b.Arg(at.v, 0))
	return m != 0 && h.r.Prog.Selectors[h.r.Prog.Methods[m].Sel].Name == "<init>" && b.Op[x] == ir.OpParam && b.Aux[x] == 0
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
