package race

import (
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// liveAt: on every path from the entry of f to v, the location of use (of the
// instance that base is) has been found not null or written non-null, and not
// freed since. A forward must-analysis over blocks: a test makes the location
// live on one edge, a write where it stands; a free, or a call that may free,
// ends it.
func (g *guards) liveAt(use *access, f pointsto.FuncID, base, v ir.Value) bool {
	b := g.r.Body(f)
	l := liveness{g: g, b: b, f: f, use: use, base: base, events: map[ir.Value]bool{}, loads: map[ir.Value]bool{}}
	if !l.collect() {
		return false
	}
	return l.solve(v)
}

// liveness is the state of one analysis.
type liveness struct {
	g      *guards
	b      *ir.Body
	f      pointsto.FuncID
	use    *access
	base   ir.Value
	events map[ir.Value]bool // what an instruction leaves: live or not
	loads  map[ir.Value]bool // values loaded from the location
}

// collect notes the loads, writes and frees of the location, and the calls that
// may free it. It reports whether anything can make the location live.
func (l *liveness) collect() bool {
	hope := false
	for _, a := range l.g.byKey[l.use.key] {
		switch {
		case a.f != l.f:
		case a.null && !a.live:
			l.events[a.v] = false
		case a.effect != nil || !a.static && !sameBase(l.g.r, l.b, a.base, l.base):
		case a.write:
			l.events[a.v] = true
			hope = true
		default:
			l.loads[a.v] = true
			hope = true
		}
	}
	if !hope && !l.asks() {
		return false
	}
	l.used()
	for _, c := range l.g.r.Calls[l.f] {
		if live, known := l.events[c.Site]; (!known || live && l.b.Op[c.Site] == ir.OpInvoke && !l.stores(c.Site)) && l.g.mayFree(c.Callee, l.use.key) {
			l.events[c.Site] = false
		}
	}
	return true
}

// used: a dereference of a value that has been loaded from the location would
// have failed: what comes after it finds the location not null.
func (l *liveness) used() {
	uses := l.g.d.usesOf(l.b)
	for v := range l.loads {
		for _, u := range uses[v] {
			if _, known := l.events[u]; known || l.freedAfter(v, u) {
				continue
			}
			if fails(l.b, u, v) || l.b.Op[u] == ir.OpInvoke && l.b.Sub[u] != ir.Static && l.b.Arg(u, 0) == v {
				l.events[u] = true
			}
		}
	}
}

// stores: the instruction is an access that writes the location.
func (l *liveness) stores(v ir.Value) bool {
	for _, a := range l.g.byKey[l.use.key] {
		if a.f == l.f && a.v == v && a.write {
			return true
		}
	}
	return false
}

// asks: the function tests the result of a method of the same instance.
func (l *liveness) asks() bool {
	for v, op := range l.b.Op {
		if op == ir.OpIf && l.b.NArgs(ir.Value(v)) == 1 {
			if x := l.b.Arg(ir.Value(v), 0); l.b.Op[x] == ir.OpInvoke && l.b.Sub[x] != ir.Static {
				return true
			}
		}
	}
	return false
}

// solve runs the analysis and answers for v.
func (l *liveness) solve(v ir.Value) bool {
	k := l.b.BlockOf(v)
	return l.through(l.states()[k], k, v)
}

// states gives the state at the start of each block.
func (l *liveness) states() []bool {
	in := make([]bool, len(l.b.Blocks))
	for k := 1; k < len(in); k++ {
		in[k] = true
	}
	for changed := true; changed; {
		changed = false
		for k := range l.b.Blocks {
			if k > 0 && in[k] && !l.joined(in, int32(k)) {
				in[k], changed = false, true
			}
		}
	}
	return in
}

// joined: the location is live at the end of every edge into a block.
func (l *liveness) joined(in []bool, k int32) bool {
	for _, p := range l.b.Preds(k) {
		if !l.edge(in, p, k) {
			return false
		}
	}
	return len(l.b.Preds(k)) > 0
}

func (l *liveness) edge(in []bool, p, k int32) bool {
	end := l.b.Blocks[p].End
	out := l.through(in[p], p, end)
	if l.b.Blocks[k].Handler { // the last instruction may not have been completed
		return out && l.through(in[p], p, end-1)
	}
	return out || l.tested(p, k)
}

// through is the state before stop, from the state at the start of block k.
func (l *liveness) through(state bool, k int32, stop ir.Value) bool {
	for x := l.b.Blocks[k].Start; x < stop; x++ {
		if live, ok := l.events[x]; ok {
			state = live
		}
	}
	return state
}

// tested: the edge from p to k is taken only if a value loaded from the
// location is not null, and nothing frees it between the load and the test.
func (l *liveness) tested(p, k int32) bool {
	t := l.b.Blocks[p].End - 1
	if l.b.Op[t] != ir.OpIf {
		return false
	}
	if l.asked(p, k, t) {
		return true
	}
	v, sub, ok := nullTest(l.b, t)
	if !ok || !l.loads[v] || l.freedAfter(v, t) {
		return false
	}
	s := l.b.Succs(p)
	if s[0] == s[1] {
		return false
	}
	return sub == ir.NE && s[0] == k || sub == ir.EQ && s[1] == k
}

// asked: the edge is taken only if a method of the same instance, such as
// isReady(), has said that the location is not null.
func (l *liveness) asked(p, k int32, t ir.Value) bool {
	if l.b.NArgs(t) != 1 || l.use.static {
		return false
	}
	v := l.b.Arg(t, 0)
	if l.b.Op[v] != ir.OpInvoke || l.b.Sub[v] == ir.Static || !sameBase(l.g.r, l.b, l.b.Arg(v, 0), l.base) || l.freedAfter(v, t) {
		return false
	}
	s := l.b.Succs(p)
	if s[0] == s[1] || !(l.b.Sub[t] == ir.NE && s[0] == k || l.b.Sub[t] == ir.EQ && s[1] == k) {
		return false
	}
	some := false
	for _, c := range l.g.r.Calls[l.f] {
		if c.Site != v {
			continue
		}
		if !l.g.vouches(c.Callee, l.use) {
			return false
		}
		some = true
	}
	return some
}

// vouches: function f returns a value other than 0 only if it has found the
// location of its receiver not null.
func (g *guards) vouches(f pointsto.FuncID, use *access) bool {
	b := g.r.Body(f)
	if b == nil || g.mayFree(f, use.key) {
		return false
	}
	some := false
	for k := range b.Blocks {
		last := b.Blocks[k].End - 1
		if b.Op[last] != ir.OpReturn || b.NArgs(last) != 1 {
			continue
		}
		r := b.Arg(last, 0)
		if b.Op[r] == ir.OpPhi && b.BlockOf(r) == int32(k) {
			for i, a := range b.ArgsOf(r) {
				if !g.zeroOrLive(f, b, use, a, b.Preds(int32(k))[i], int32(k)) {
					return false
				}
			}
		} else if !g.zeroOrLive(f, b, use, r, int32(k), int32(k)) {
			return false
		}
		some = true
	}
	return some
}

// zeroOrLive: a result is 0, or the location is live when block from goes on to
// block to.
func (g *guards) zeroOrLive(f pointsto.FuncID, b *ir.Body, use *access, r ir.Value, from, to int32) bool {
	if n, known := pointsto.Constant(b, r); known && n == 0 {
		return true
	}
	l := liveness{g: g, b: b, f: f, use: use, base: 1, events: map[ir.Value]bool{}, loads: map[ir.Value]bool{}}
	if !l.collect() {
		return false
	}
	in := l.states()
	end := b.Blocks[from].End
	return l.through(in[from], from, end) || from != to && l.tested(from, to)
}

// nullTest gives the value that a test compares with null, or that an
// instanceof it tests asks about, and the sense in which it is not null.
func nullTest(b *ir.Body, t ir.Value) (ir.Value, ir.Sub, bool) {
	x := b.Arg(t, 0)
	switch {
	case b.NArgs(t) == 2 && b.Op[b.Arg(t, 1)] == ir.OpConstNull:
	case b.NArgs(t) == 2 && b.Op[x] == ir.OpConstNull:
		x = b.Arg(t, 1)
	case b.NArgs(t) == 2:
		return 0, 0, false
	}
	for b.Op[x] == ir.OpCheckCast || b.Op[x] == ir.OpInstanceOf {
		x = b.Arg(x, 0)
	}
	return x, b.Sub[t], true
}

// freedAfter: a free may lie between a load and a later test of its value.
func (l *liveness) freedAfter(from, to ir.Value) bool {
	flow := l.b.Flow()
	for x, live := range l.events {
		if !live && flow.Reaches(from, x) && flow.Reaches(x, to) && !flow.Dominates(x, from) {
			return true
		}
	}
	return false
}

type freeKey struct {
	f   pointsto.FuncID
	key pointsto.FieldKey
}

// mayFree: f, or what it calls, frees a location of this field.
func (g *guards) mayFree(f pointsto.FuncID, key pointsto.FieldKey) bool {
	k := freeKey{f, key}
	if free, ok := g.frees[k]; ok {
		return free
	}
	free := false
	for _, a := range g.byKey[key] {
		if a.null && g.s.Upward(a.f).Has(int(f)) {
			free = true
			break
		}
	}
	g.frees[k] = free
	return free
}
