package flow

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Together finds fields that are always written together: of one object, the tested one
// is null or the other one is not, but for the moment between two stores. So it is if
//
//   - both are private fields of a class that nobody fills by reflection, and no static beside a
//     field of an instance;
//   - every function that stores into one of them, with the callees that do left to themselves,
//     leaves them so at each return if it has found them so;
//   - while they differ nothing is called that asks the tested one or stores into either, and no
//     exception is thrown that anybody catches: then the process is over;
//   - all of these functions run on one looper of the process, so that no other run sees them
//     differ.
//
// What the platform is called for while they differ may call back; then it is not sure.
type Together struct {
	s      *actions.Set
	r      *pointsto.Result
	codes  Codes
	nulls  *Nulls
	stores map[pointsto.FieldKey][]position // of private fields, those of constructors too
	loads  map[pointsto.FieldKey][]position
	known  map[twoFields]*accord
	shield map[pointsto.FuncID]bool
}

// twoFields is a field that is tested and one that is used then.
type twoFields struct{ tested, other pointsto.FieldKey }

// accord is what is known of two fields.
type accord struct {
	found bool
	sure  bool       // nothing of the platform is called while they differ
	queue hb.QueueID // on which all stores are
	in    map[pointsto.FuncID]*Solution[balance]
}

// trust is how much a test of a field that is written together with the location counts: only
// in runs of one looper.
type trust struct {
	queue hb.QueueID // 0: not at all
	all   bool       // also what is not sure
}

func newTogether(s *actions.Set, codes Codes, nulls *Nulls) *Together {
	return &Together{s: s, r: s.PT, codes: codes, nulls: nulls, known: map[twoFields]*accord{}, shield: map[pointsto.FuncID]bool{}}
}

// looper is the one looper of the process on which runs of an action are, 0 if there is none.
func (x *Together) looper(act hb.ActionID) hb.QueueID {
	q := x.s.Actions[act].Queue
	if at := &x.s.Queues[q]; at.Kind != hb.QueueLooper || !at.Lasting {
		return 0
	}
	return q
}

// proves reports whether on a looper what load v of function f finds not null proves a location
// of the same object, as f names it, not null.
func (x *Together) proves(f pointsto.FuncID, v ir.Value, loc location) bool {
	b := x.r.Body(f)
	tested, base, ok := x.loaded(b, v)
	if !ok || tested == loc.key || (base == 0) != loc.static {
		return false
	}
	if base != 0 && x.codes.Of(b).BaseOf(x.r.Prog, base) != loc.base {
		return false
	}
	a := x.of(twoFields{tested, loc.key})
	if !a.found || a.queue != loc.trust.queue || !a.sure && !loc.trust.all {
		return false
	}
	in := a.in[f]
	return in == nil || in.Before(v).agree
}

// loaded is the field that an instruction loads, and of what; base 0 is that of a static one.
func (x *Together) loaded(b *ir.Body, v ir.Value) (key pointsto.FieldKey, base ir.Value, ok bool) {
	switch b.Op[v] {
	case ir.OpGetField:
		return x.r.FieldKeyOf(ir.FieldID(b.Aux[v])), b.Arg(v, 0), true
	case ir.OpGetStatic:
		return x.r.FieldKeyOf(ir.FieldID(b.Aux[v])), 0, true
	}
	return 0, 0, false
}

// index lists the stores and loads of private fields by all that runs.
func (x *Together) index() {
	x.stores, x.loads = map[pointsto.FieldKey][]position{}, map[pointsto.FieldKey][]position{}
	for f := pointsto.FuncID(1); int(f) < len(x.r.Funcs); f++ {
		b := x.r.Body(f)
		if b == nil || x.s.ByFunc[f] == nil {
			continue
		}
		for v := ir.Value(1); int(v) < b.Len(); v++ {
			to := x.stores
			switch b.Op[v] {
			case ir.OpGetField, ir.OpGetStatic:
				to = x.loads
			case ir.OpPutField, ir.OpPutStatic:
			default:
				continue
			}
			if d := x.r.Prog.ResolveField(ir.FieldID(b.Aux[v])); d != 0 && x.r.Prog.Fields[d].Flags&ir.AccPrivate != 0 {
				key := x.r.FieldKeyOf(ir.FieldID(b.Aux[v]))
				to[key] = append(to[key], position{f, v})
			}
		}
	}
}

// of is what is known of two fields, found once.
func (x *Together) of(fs twoFields) *accord {
	a := x.known[fs]
	if a == nil {
		if x.stores == nil {
			x.index()
		}
		a = &accord{}
		if fs.tested > 0 && fs.other > 0 && x.alike(fs) {
			a = x.find(fs)
		}
		x.known[fs] = a
	}
	return a
}

// alike reports whether both fields are private references of a class, which code alone sets.
func (x *Together) alike(fs twoFields) bool {
	p, q := &x.r.Prog.Fields[fs.tested], &x.r.Prog.Fields[fs.other]
	const same = ir.AccStatic
	return p.Class == q.Class && !x.r.MayReflect(p.Class) && p.Flags&same == q.Flags&same && p.Flags&q.Flags&ir.AccPrivate != 0 &&
		x.r.Prog.Types[p.Type].Kind.Reference() && x.r.Prog.Types[q.Type].Kind.Reference()
}

func (x *Together) find(fs twoFields) *accord {
	a := &accord{sure: true, in: map[pointsto.FuncID]*Solution[balance]{}}
	var writers []pointsto.FuncID
	for _, key := range []pointsto.FieldKey{fs.tested, fs.other} {
		for _, at := range x.stores[key] {
			if !slices.Contains(writers, at.f) {
				writers = append(writers, at.f)
			}
		}
	}
	if len(x.stores[fs.tested]) == 0 || len(x.stores[fs.other]) == 0 || !x.onOneLooper(a, writers) {
		return a
	}
	w := &writing{x: x, fs: fs, a: a}
	for _, f := range writers {
		w.writes = joinBits(w.writes, x.s.Upward(f))
	}
	for _, at := range x.loads[fs.tested] {
		if x.asks(at) {
			w.asks = joinBits(w.asks, x.s.Upward(at.f))
		}
	}
	for _, f := range writers {
		if !w.balanced(f) {
			return a
		}
	}
	a.found = true
	return a
}

// onOneLooper notes the looper on which all runs of functions are, if there is one.
func (x *Together) onOneLooper(a *accord, fs []pointsto.FuncID) bool {
	for _, f := range fs {
		one := true
		x.s.ByFunc[f].All(func(id int) bool {
			if id == 1 { // class initialisation is over before the class is used
				return true
			}
			q := x.looper(hb.ActionID(id))
			one = q != 0 && (a.queue == 0 || a.queue == q)
			a.queue = q
			return one
		})
		if !one {
			return false
		}
	}
	return a.queue != 0
}

// asks reports whether what is loaded may be tested.
func (x *Together) asks(at position) bool {
	b := x.r.Body(at.f)
	return slices.ContainsFunc(x.codes.Of(b).Uses(at.v), func(u ir.Value) bool {
		return b.Op[u] == ir.OpIf || b.Op[u] == ir.OpCheckCast || b.Op[u] == ir.OpInstanceOf
	})
}

// shielded reports whether something may catch what a function throws.
func (x *Together) shielded(f pointsto.FuncID) bool {
	caught, known := x.shield[f]
	if !known {
		x.shield[f] = false // recursion adds no caller
		for _, c := range x.s.Callers(f) {
			if b := x.r.Body(c.Caller); b == nil || c.Site > 0 && len(b.Handlers(b.BlockOf(c.Site))) > 0 || x.shielded(c.Caller) {
				caught = true
				break
			}
		}
		x.shield[f] = caught
	}
	return caught
}

// balance is what is known of the two fields of one object at an instruction.
type balance struct {
	top   bool // of no way there
	agree bool // the tested one is null, or the other one is not
	live  bool // the other one is not null
	null  bool // the tested one is null
}

// writing looks at the functions that store into two fields.
type writing struct {
	x            *Together
	fs           twoFields
	a            *accord
	writes, asks actions.Bits // functions that lead to a store, or to a test
}

// balancing is the problem of one function that stores into the fields.
type balancing struct {
	w     *writing
	f     pointsto.FuncID
	b     *ir.Body
	code  *Code
	base  Base // of all its stores
	calls map[ir.Value]called
	start balance
}

// called is what a call may lead to.
type called struct{ writes, asks, outside bool }

// balanced reports whether a function leaves the fields so that they agree, if it has found
// them so, and nobody can tell in the meantime.
func (w *writing) balanced(f pointsto.FuncID) bool {
	x := w.x
	b := x.r.Body(f)
	m := &x.r.Prog.Methods[x.r.Funcs[f].Method]
	p := &balancing{w: w, f: f, b: b, code: x.codes.Of(b), calls: map[ir.Value]called{}, start: balance{agree: true}}
	first := true
	for v := ir.Value(1); int(v) < b.Len(); v++ {
		if key, base, ok := p.store(v); ok && (key == w.fs.tested || key == w.fs.other) {
			at := Base{Root: StaticRoot}
			if base != 0 {
				at = p.code.BaseOf(x.r.Prog, base)
			}
			if !first && at != p.base {
				return false // of two objects, perhaps
			}
			p.base, first = at, false
		}
	}
	p.start.null = m.Flags&ir.AccConstructor != 0 && p.base.Root == Receiver && p.base.Hops[0] == 0
	for _, c := range x.r.Calls[f] {
		to := p.calls[c.Site]
		to.writes = to.writes || w.writes.Has(int(c.Callee))
		to.asks = to.asks || w.asks.Has(int(c.Callee))
		to.outside = to.outside || x.r.Body(c.Callee) == nil
		p.calls[c.Site] = to
	}
	at := Solve(b, p)
	w.a.in[f] = at
	for k := range b.Blocks {
		s := at.start[k]
		for v := b.Blocks[k].Start; v < b.Blocks[k].End; v++ {
			if !s.top && !s.agree && !p.unseen(int32(k), v) {
				return false
			}
			s = p.Step(v, s)
		}
	}
	return true
}

// store is the field that an instruction stores into, and of what.
func (p *balancing) store(v ir.Value) (key pointsto.FieldKey, base ir.Value, ok bool) {
	switch p.b.Op[v] {
	case ir.OpPutField:
		return p.w.x.r.FieldKeyOf(ir.FieldID(p.b.Aux[v])), p.b.Arg(v, 0), true
	case ir.OpPutStatic:
		return p.w.x.r.FieldKeyOf(ir.FieldID(p.b.Aux[v])), 0, true
	}
	return 0, 0, false
}

// unseen reports whether nobody can tell by an instruction that the fields differ before it.
func (p *balancing) unseen(k int32, v ir.Value) bool {
	switch p.b.Op[v] {
	case ir.OpReturn:
		return false
	case ir.OpParam, ir.OpConst, ir.OpConstNull, ir.OpConstString, ir.OpPhi, ir.OpPutStatic, ir.OpGetStatic, ir.OpGoto, ir.OpIf, ir.OpSwitch:
		return !p.renews(v)
	case ir.OpPutField, ir.OpGetField:
		if p.b.Op[p.b.Arg(v, 0)] == ir.OpParam && p.b.Aux[p.b.Arg(v, 0)] == 0 && p.w.x.r.Prog.Methods[p.b.Method].Flags&ir.AccStatic == 0 {
			return !p.renews(v) // of the receiver, which is not null
		}
	case ir.OpInvoke, ir.OpInvokeCustom:
		c, some := p.calls[v]
		if c.writes || c.asks {
			return false
		}
		p.w.a.sure = p.w.a.sure && some && !c.outside && !p.w.x.r.Open(p.f, v)
	}
	return !p.renews(v) && !(p.b.Blocks[k].End-1 == v && len(p.b.Handlers(k)) > 0) && !p.w.x.shielded(p.f)
}

// renews reports whether an instruction makes the base name another object.
func (p *balancing) renews(v ir.Value) bool {
	return p.base.Load == v && v != 0 || (p.base.Root == Local || p.base.Root == Allocation) && ir.Value(p.base.Index) == v
}

func (p *balancing) Entry() balance                     { return p.start }
func (p *balancing) Top() balance                       { return balance{top: true} }
func (p *balancing) Equal(s, t balance) bool            { return s == t }
func (p *balancing) Edge(_, _ int32, s balance) balance { return s }

func (p *balancing) Join(s, t balance) balance {
	switch {
	case s.top:
		return t
	case t.top:
		return s
	}
	return balance{agree: s.agree && t.agree, live: s.live && t.live, null: s.null && t.null}
}

func (p *balancing) Step(v ir.Value, s balance) balance {
	if s.top {
		return s
	}
	if p.renews(v) {
		return balance{agree: true}
	}
	key, _, ok := p.store(v)
	if !ok {
		if p.calls[v].writes {
			s.live, s.null = false, false
		}
		return s
	}
	n := p.w.x.nulls.Of(0, p.f, p.b.Arg(v, p.b.NArgs(v)-1))
	switch key {
	case p.w.fs.tested:
		s.null = n.Null && !n.Other
		s.agree = s.null || s.live
	case p.w.fs.other:
		s.live = !n.Null
		s.agree = s.null || s.live
	}
	return s
}
