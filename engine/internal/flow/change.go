package flow

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Changes says what the runs of actions do to a few locations, and from which of their
// values a run comes to the use of the first one (SIERRA section 5): the guards and effects
// of an action, as a relation between the valuations before and after it.
//
// It is path-sensitive in what branches say of the locations, and in nothing else: other
// tests may go either way. Callees are summarised once for each action. Over-approximates:
// each valuation that a run may leave is there, so that what no valuation allows cannot happen.
type Changes struct {
	*space
	OwnNulls bool // a null that the run of the use leaves itself fails, too
	Vague    bool // some recursion was taken for anything
	x        *Facts
	s        *actions.Set
	r        *pointsto.Result
	free     *Access // the store of the null that fails; nil if that is the default
	use      *Access
	stores   map[pointsto.FuncID][]ir.Value // into the locations
	reading  map[pointsto.FuncID]bool       // loads of the locations
	within   actions.Bits                   // functions that lead to these, or to the use
	// Of the action that is looked at:
	act    hb.ActionID
	uses   bool          // it makes the use
	fails  hb.Valuations // in which the use counts
	amidst *relation     // what may come in the middle of the run; nil for nothing
	frees  bool          // and the free
	known  map[pointsto.FuncID]*summary
	answer map[answered]hb.Valuations
	inside map[pointsto.FuncID]bool // being summarised
}

// summary is what a call of a function does.
type summary struct {
	after relation
	inner relation // what there may be at some point inside of it
	outs  relation // what there may be where it calls what is not followed
	uses  hb.Valuations
}

// Pair is a use and the free, each in the runs of one action. Without a free the value that
// fails is the default.
type Pair struct {
	Use, Free     *Access
	UseIn, FreeIn hb.ActionID
}

// Changes follows some locations, the first of which is that of the pair.
func (x *Facts) Changes(watched []Watched, p Pair) *Changes {
	c := &Changes{
		space: newSpace(watched), x: x, s: x.Ways.s, r: x.Ways.r, free: p.Free, use: p.Use,
		stores: map[pointsto.FuncID][]ir.Value{}, reading: map[pointsto.FuncID]bool{},
	}
	mark := func(f pointsto.FuncID) { c.within = joinBits(c.within, c.s.Upward(f)) }
	for i := range watched {
		for _, at := range x.Fresh.puts(watched[i].Key) {
			if c.r.PointsTo(at.f, c.r.Body(at.f).Arg(at.v, 0)).Has(watched[i].Object) {
				c.stores[at.f] = append(c.stores[at.f], at.v)
				mark(at.f)
			}
		}
		for _, a := range x.Accesses.of(watched[i].Key).all {
			if !a.Write && a.Objs.Has(watched[i].Object) {
				c.reading[a.Func] = true
				mark(a.Func)
			}
		}
	}
	mark(p.Use.Func)
	return c
}

// Fitting reports whether some locations have few enough valuations.
func Fitting(watched []Watched) bool { return fits(watched) }

// Size is the number of valuations.
func (c *Changes) Size() int { return c.size }

// Failing are the valuations in which the raced location fails.
func (c *Changes) Failing() hb.Valuations { return c.digit[0][0] }

// Start is what there is before the first run: all locations have their default, which of
// the raced one is the null that fails only without a free.
func (c *Changes) Start() hb.Valuations {
	start := c.all()
	for i := range c.watched {
		d := c.watched[i].value(0)
		if i == 0 && c.free != nil {
			d = 1
		}
		start &= c.digit[i][d]
	}
	return start
}

// Amidst says what may come in the middle of runs: wherever they call what is not followed.
func (c *Changes) Amidst(others []*hb.Change) {
	c.amidst = nil
	if len(others) == 0 {
		return
	}
	r := c.identity()
	for _, o := range others {
		for v, after := range o.After {
			r[v] |= after
		}
	}
	r = r.often()
	c.amidst = &r
}

// Of is what the runs of an action do. nested: the use may come in the middle of them.
func (c *Changes) Of(act hb.ActionID, p Pair, nested bool) *hb.Change {
	c.fails = c.Failing()
	return c.change(act, p, nested)
}

// Reaching is what the runs of the use do, where the use counts whatever the location holds.
func (c *Changes) Reaching(p Pair) *hb.Change {
	c.fails, c.amidst = c.all(), nil
	return c.change(p.UseIn, p, false)
}

func (c *Changes) change(act hb.ActionID, p Pair, nested bool) *hb.Change {
	c.act, c.uses, c.frees = act, act == p.UseIn, p.Free != nil && act == p.FreeIn
	c.known, c.answer, c.inside = map[pointsto.FuncID]*summary{}, map[answered]hb.Valuations{}, map[pointsto.FuncID]bool{}
	all := c.entries()
	if nested && !c.uses {
		all.after = all.after.or(all.outs)
	}
	return &hb.Change{After: slices.Clone(all.after[:c.size]), Uses: all.uses}
}

// entries is what the entries of the action do; of several, any, in any order.
func (c *Changes) entries() summary {
	a := &c.s.Actions[c.act]
	many := len(a.Entries) > 1
	sum := summary{after: c.identity(), inner: c.identity()}
	for _, f := range a.Entries {
		one := c.of(f)
		if many {
			one.after = one.after.or(c.identity())
		}
		sum.uses |= sum.after.from(one.uses)
		sum.inner = sum.inner.or(sum.after.then(&one.inner))
		sum.outs = sum.outs.or(sum.after.then(&one.outs))
		sum.after = sum.after.then(&one.after)
	}
	if many {
		sum.after = sum.after.often()
		sum.inner = sum.inner.or(sum.after.then(&sum.inner))
		sum.outs = sum.outs.or(sum.after.then(&sum.outs))
		sum.uses = sum.after.from(sum.uses)
	}
	return sum
}

// of summarises a function. What a recursion does is anything.
func (c *Changes) of(f pointsto.FuncID) summary {
	if !c.within.Has(int(f)) {
		return summary{after: c.identity(), inner: c.identity()}
	}
	if s := c.known[f]; s != nil {
		return *s
	}
	if c.inside[f] {
		c.Vague = true
		var any relation
		for v := range c.size {
			any[v] = c.all()
		}
		s := summary{after: any, inner: any, outs: any}
		if c.uses {
			s.uses = c.all()
		}
		return s
	}
	c.inside[f] = true
	var s summary
	if b := c.r.Body(f); b != nil {
		s = c.body(f, b)
	} else {
		s = c.platform(f)
	}
	c.inside[f] = false
	c.known[f] = &s
	return s
}

// platform summarises a function of the platform's own: it calls what it calls in any order.
func (c *Changes) platform(f pointsto.FuncID) summary {
	s := summary{after: c.identity(), inner: c.identity()}
	for _, call := range c.r.Calls[f] {
		one := c.of(call.Callee)
		s.after = s.after.or(one.after)
		s.inner = s.inner.or(one.inner)
		s.outs = s.outs.or(one.outs)
		s.uses |= one.uses
	}
	s.after = s.after.often()
	s.inner, s.outs = s.after.then(&s.inner), s.after.then(&s.outs)
	s.uses = s.after.from(s.uses)
	return s
}

// body summarises a function with code.
func (c *Changes) body(f pointsto.FuncID, b *ir.Body) summary {
	p := &changing{Changes: c, f: f, b: b, events: map[ir.Value]*event{}, edges: map[[2]int32]hb.Valuations{}}
	p.collect()
	p.dereferenced()
	p.branches()
	p.solved = Solve[relation](b, p)
	s := summary{inner: c.identity()}
	for k := range b.Blocks {
		last := b.Blocks[k].End - 1
		if b.Op[last] == ir.OpReturn { // what nobody catches ends the process; who catches looks at inner
			s.after = s.after.or(p.solved.Before(last))
		}
	}
	for v, e := range p.events {
		before := p.solved.Before(v)
		s.inner = s.inner.or(before).or(p.Step(v, before)).or(before.then(&e.inner))
		s.outs = s.outs.or(before.then(&e.outs))
		s.uses |= before.from(e.uses)
	}
	for v := ir.Value(1); int(v) < b.Len(); v++ {
		if p.callsOut(v) {
			s.outs = s.outs.or(p.solved.Before(v))
		}
	}
	for _, v := range p.useAt() {
		before := p.solved.Before(v)
		s.uses |= before.from(c.fails)
	}
	return s
}

// useAt lists where the run of the use fails if the location does: where the value is
// dereferenced, if the location is still the same there, else where it is loaded.
func (p *changing) useAt() []ir.Value {
	if !p.uses || p.use.Func != p.f {
		return nil
	}
	var out []ir.Value
	for _, d := range p.use.Derefs {
		v := p.use.At
		if d.Func == p.f && p.current(0, p.use.At, d.At) {
			v = d.At
		}
		out = append(out, v)
	}
	return out
}

// event is what an instruction does to the locations.
type event struct {
	does  func(relation) relation
	inner relation // of what it calls
	outs  relation // likewise
	uses  hb.Valuations
	wide  bool            // it may change any of them
	open  bool            // of a call: it may be of something that is not followed
	of    map[int]bool    // or these
	calls []pointsto.Call // of functions that matter
}

// changing is the problem which valuations there may be in a function.
type changing struct {
	*Changes
	f      pointsto.FuncID
	b      *ir.Body
	events map[ir.Value]*event
	edges  map[[2]int32]hb.Valuations // those in which an edge is taken, if not all
	solved *Solution[relation]
}

func (p *changing) Entry() relation             { return p.identity() }
func (p *changing) Top() relation               { return relation{} }
func (p *changing) Join(a, b relation) relation { return a.or(b) }
func (p *changing) Equal(a, b relation) bool    { return a == b }
func (p *changing) Edge(from, to int32, r relation) relation {
	if only, ok := p.edges[[2]int32{from, to}]; ok {
		return r.kept(only)
	}
	return r
}

func (p *changing) Step(v ir.Value, r relation) relation {
	e := p.events[v]
	if e == nil {
		return r
	}
	return e.does(r)
}

// collect finds what the instructions of the function do.
func (p *changing) collect() {
	for _, v := range p.stores[p.f] {
		if !p.s.Executes(p.act, p.f, v) {
			continue
		}
		for i := range p.watched {
			w := &p.watched[i]
			if p.r.FieldKeyOf(ir.FieldID(p.b.Aux[v])) != w.Key {
				continue
			}
			of, keeps := p.stored(i, v)
			if p.r.PointsTo(p.f, p.b.Arg(v, 0)).One() != w.Object {
				keeps = true
			}
			p.events[v] = &event{of: map[int]bool{i: true}, does: func(r relation) relation {
				out := r
				for k := range out {
					if out[k] = p.put(r[k], i, of); keeps {
						out[k] |= r[k]
					}
				}
				return out
			}}
		}
	}
	sites := map[ir.Value][]pointsto.Call{}
	for _, c := range p.r.Calls[p.f] {
		if c.Site > 0 && p.s.Executes(p.act, p.f, c.Site) {
			sites[c.Site] = append(sites[c.Site], c)
		}
	}
	for v, calls := range sites {
		if slices.ContainsFunc(calls, func(c pointsto.Call) bool { return p.within.Has(int(c.Callee)) }) {
			p.events[v] = p.call(v, calls)
		}
	}
	if p.amidst == nil {
		return
	}
	for v := ir.Value(1); int(v) < p.b.Len(); v++ {
		if p.callsOut(v) && p.events[v] == nil {
			p.events[v] = &event{inner: *p.amidst, wide: true, open: true, does: func(r relation) relation { return r.then(p.amidst) }}
		}
	}
}

// dereferenced: where a value that is loaded from a location is dereferenced, and the location is
// still the same, a null would have failed: what comes behind finds it not null.
func (p *changing) dereferenced() {
	for v := ir.Value(1); int(v) < p.b.Len(); v++ {
		if p.b.Op[v] != ir.OpGetField {
			continue
		}
		i := p.loads(p.f, p.b, v)
		if i < 0 {
			continue
		}
		only := p.meeting(i, Condition{})
		for _, u := range p.x.Codes.Of(p.b).Uses(v) {
			receiver := p.b.Op[u] == ir.OpInvoke && p.b.Sub[u] != ir.Static && p.b.Arg(u, 0) == v
			if !receiver && !fails(p.b, u, v) || !p.current(i, v, u) {
				continue
			}
			next := event{open: p.callsOut(u), inner: relation{}}
			does := func(r relation) relation { return r }
			if old := p.events[u]; old != nil {
				next, does = *old, old.does
			}
			next.does = func(r relation) relation { return does(r.kept(only)) }
			p.events[u] = &next
		}
	}
}

// callsOut reports whether an instruction calls something that is not followed.
func (p *changing) callsOut(v ir.Value) bool {
	return (p.b.Op[v] == ir.OpInvoke || p.b.Op[v] == ir.OpInvokeCustom) && (p.events[v] == nil || p.events[v].open)
}

// stored is what a store leaves in location i; keeps: it may as well leave what there is.
func (p *changing) stored(i int, v ir.Value) (of choice, keeps bool) {
	x := p.b.Arg(v, p.b.NArgs(v)-1)
	if i > 0 {
		return p.constants(i, x, 0), false
	}
	n := p.x.Nulls.Of(p.act, p.f, x)
	if n.Other {
		of |= 2
	}
	if n.Null {
		switch {
		case p.frees && p.free.Func == p.f && p.free.At == v, p.uses && p.OwnNulls && p.free != nil:
			of |= 1
		case (p.uses || p.frees) && n.Other: // whatever it leaves, it is not what fails
		default:
			keeps = true // a null that does not count leaves one that does
		}
	}
	return of, keeps
}

// maxMerges bounds the merges in merges of constants.
const maxMerges = 4

// constants are the values that location i may have after x is stored into it.
func (p *changing) constants(i int, x ir.Value, depth int) choice {
	w := &p.watched[i]
	x = Origin(p.b, x)
	if n, ok := p.constant(x); ok {
		return 1 << w.value(n)
	}
	if p.b.Op[x] == ir.OpPhi && depth < maxMerges {
		var out choice
		for _, a := range p.b.ArgsOf(x) {
			out |= p.constants(i, a, depth+1)
		}
		return out
	}
	switch p.b.Op[x] {
	case ir.OpNew, ir.OpNewArray, ir.OpNewLambda:
		return 1 << len(w.Values)
	}
	return w.any()
}

// constant is the number of a constant, or of a constant of an enum.
func (p *changing) constant(x ir.Value) (int64, bool) { return constantOf(p.r.Prog, p.b, x) }

// enumBase is beyond all numbers that a field may be compared with.
const enumBase = 1 << 40

func constantOf(prog *ir.Program, b *ir.Body, x ir.Value) (int64, bool) {
	if n, ok := pointsto.Constant(b, x); ok {
		return n, true
	}
	if b.Op[x] == ir.OpGetStatic {
		if f := prog.ResolveField(ir.FieldID(b.Aux[x])); f != 0 && prog.Fields[f].Flags&ir.AccEnum != 0 && prog.Fields[f].Flags&ir.AccFinal != 0 {
			return enumBase + int64(f), true
		}
	}
	return 0, false
}

// call is what a call does that may change the locations.
func (p *changing) call(v ir.Value, calls []pointsto.Call) *event {
	e := &event{calls: calls, wide: true, inner: p.identity()}
	var after relation
	for _, c := range calls {
		one := p.of(c.Callee)
		if c.Often {
			one.after = one.after.often()
			one.inner, one.outs = one.after.then(&one.inner), one.after.then(&one.outs)
			one.uses = one.after.from(one.uses)
		}
		if c.Maybe || c.Inline || c.Often {
			one.after = one.after.or(p.identity())
		}
		after = after.or(one.after)
		e.inner, e.outs = e.inner.or(one.inner), e.outs.or(one.outs)
		e.uses |= one.uses
		e.open = e.open || c.Maybe || c.Inline || c.Often || !p.within.Has(int(c.Callee))
	}
	if e.open = e.open || p.r.Open(p.f, v); e.open {
		after = after.or(p.identity())
	}
	if e.open && p.amidst != nil {
		after = p.amidst.then(&after).then(p.amidst)
	}
	if len(p.b.Handlers(p.b.BlockOf(v))) > 0 { // what it throws may come from inside of it
		after = after.or(e.inner)
	}
	e.wide = after != p.identity()
	e.does = func(r relation) relation { return r.then(&after) }
	return e
}

// changes reports whether an event may change location i.
func (e *event) changes(i int) bool { return e.wide || e.of[i] }

// current reports whether what v has loaded from location i is still there whenever u,
// which v reaches, is about to be executed.
func (p *changing) current(i int, v, u ir.Value) bool {
	for at, e := range p.events {
		if e.changes(i) && p.b.Flow().Reaches(v, at) && p.reachesPast(at, u, v) {
			return false
		}
	}
	return true
}

// reachesPast reports whether to can be executed after from without past in between.
func (p *changing) reachesPast(from, to, past ir.Value) bool {
	b := p.b
	start := b.BlockOf(from)
	if b.BlockOf(to) == start && from < to && !(b.BlockOf(past) == start && from < past && past < to) {
		return true
	}
	if b.BlockOf(past) == start && from < past {
		return false
	}
	seen, work := map[int32]bool{}, []int32{start}
	for len(work) > 0 {
		k := work[0]
		work = work[1:]
		for _, next := range b.Succs(k) {
			switch {
			case seen[next]:
				continue
			case next == b.BlockOf(past):
				if next == b.BlockOf(to) && to < past {
					return true
				}
				continue
			case next == b.BlockOf(to):
				return true
			}
			seen[next] = true
			work = append(work, next)
		}
	}
	return false
}
