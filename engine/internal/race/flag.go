package race

import (
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// flagged: the use is executed only while another field has a value that the
// side that frees takes from it, such as a flag that is cleared together with
// the field. Whether that always works is for refutation to say; until then it
// lowers the priority. On different threads both must hold one lock.
func (f *finder) flagged(w, r *access, x, y hb.ActionID, looper bool) (pointsto.FieldKey, bool) {
	t := flagTest{r, y, func(flag *access, want bool) bool { return f.switched(flag, want, w, r, x, looper) }}
	return f.flaggedAt(&t, r.f, r.v, 0)
}

// onlyOnce: the access is executed only while a field has its default value,
// which the same action then takes from it for good: a second run of the
// instance does not come to it.
func (f *finder) onlyOnce(a *access, x hb.ActionID) (pointsto.FieldKey, bool) {
	t := flagTest{a, x, func(flag *access, want bool) bool { return !want && f.setForGood(flag, x) }}
	return f.flaggedAt(&t, a.f, a.v, 0)
}

// setForGood: action x sets the flag, and nothing clears it that x may follow.
func (f *finder) setForGood(flag *access, x hb.ActionID) bool {
	set := false
	for _, s := range f.byKey[flag.key] {
		if !s.write {
			continue
		}
		n, known := int64(0), false
		if s.stored != 0 {
			n, known = pointsto.Constant(f.r.Body(s.f), s.stored)
		}
		if !known || n == 0 {
			if !f.afterLast(s, x) {
				return false
			}
			continue
		}
		set = set || f.s.Actions[x].Reach.Has(int(s.in)) && f.guards.oneObject(s, flag)
	}
	return set
}

// afterLast: only lifecycle callbacks of x's component make the access, and x
// never follows them.
func (f *finder) afterLast(s *access, x hb.ActionID) bool {
	own := &f.s.Actions[x]
	last := own.Arm != nil && own.Arm.Life != nil
	f.s.ByFunc[s.in].All(func(id int) bool {
		z := &f.s.Actions[id]
		last = last && z.Arm != nil && z.Arm.Life != nil && z.Component == own.Component && z.Queue == own.Queue && !f.g.MayFollow(hb.ActionID(id), x)
		return last
	})
	return last
}

// flagTest asks whether an access by an action is executed only under a test of
// a flag that ok accepts: the load of the flag, and whether it must be set.
type flagTest struct {
	access *access
	action hb.ActionID
	ok     func(flag *access, want bool) bool
}

func (f *finder) flaggedAt(q *flagTest, fn pointsto.FuncID, v ir.Value, depth int) (pointsto.FieldKey, bool) {
	b := f.r.Body(fn)
	if b == nil || depth > guardDepth {
		return 0, false
	}
	for k := range b.Blocks {
		t := b.Blocks[k].End - 1
		if b.Op[t] != ir.OpIf || b.NArgs(t) != 1 {
			continue
		}
		flag := f.loadAt(fn, b.Arg(t, 0))
		if flag == nil || flag.key == q.access.key {
			continue
		}
		if want, ok := required(b, int32(k), b.BlockOf(v)); ok && q.ok(flag, want) {
			return flag.key, true
		}
	}
	return f.flaggedCallers(q, fn, depth)
}

// flaggedCallers: every caller tests such a flag.
func (f *finder) flaggedCallers(q *flagTest, fn pointsto.FuncID, depth int) (pointsto.FieldKey, bool) {
	for _, e := range f.s.Actions[q.action].Entries {
		if e == fn {
			return 0, false
		}
	}
	var key pointsto.FieldKey
	for _, c := range f.s.Callers(fn) {
		if !f.s.Actions[q.action].Reach.Has(int(c.Caller)) {
			continue
		}
		k, ok := f.flaggedAt(q, c.Caller, c.Site, depth+1)
		if !ok {
			return 0, false
		}
		key = k
	}
	return key, key != 0
}

// saidOtherwise: the use is executed only while a query of the framework, such
// as isAdded, gives the answer that it no longer gives once the lifecycle
// callback that frees has run.
func (f *finder) saidOtherwise(r *access, x hb.ActionID, fn pointsto.FuncID, v ir.Value) bool {
	b := f.r.Body(fn)
	arm := f.s.Actions[x].Arm
	if b == nil || arm == nil || arm.Life == nil || arm.LifeCall < 0 {
		return false
	}
	for k := range b.Blocks {
		t := b.Blocks[k].End - 1
		if b.Op[t] != ir.OpIf || b.NArgs(t) != 1 {
			continue
		}
		q := b.Arg(t, 0)
		want, ok := required(b, int32(k), b.BlockOf(v))
		if !ok || b.Op[q] != ir.OpInvoke || b.Sub[q] == ir.Static || f.r.PointsTo(fn, b.Arg(q, 0)).One() != arm.Receiver {
			continue
		}
		name := f.p.Selectors[f.p.Methods[b.Aux[q]].Sel].Name
		for i := range arm.Life.Predicates {
			if p := &arm.Life.Predicates[i]; p.Name == name && arm.Life.Answers(p, arm.LifeCall, !want) {
				return true
			}
		}
	}
	return false
}

// required: block is executed only if the value tested at the end of block k is
// not zero (true) or is zero (false).
func required(b *ir.Body, k, block int32) (nonZero, ok bool) {
	s := b.Succs(k)
	if s[0] == s[1] {
		return false, false
	}
	sub := b.Sub[b.Blocks[k].End-1]
	if sub != ir.EQ && sub != ir.NE {
		return false, false
	}
	switch {
	case edgeDominates(b, k, s[0], block):
		return sub == ir.NE, true
	case edgeDominates(b, k, s[1], block):
		return sub == ir.EQ, true
	}
	return false, false
}

// loadAt is the access that loads value v, nil if v is no load.
func (f *finder) loadAt(fn pointsto.FuncID, v ir.Value) *access {
	for _, a := range f.byKey[f.loads[derefKey{fn, v}]] {
		if a.f == fn && a.v == v && !a.write {
			return a
		}
	}
	return nil
}

// switched: the action of the other side stores a constant into the flag: a free
// with one that keeps the use from running, a first write with one that lets it
// run, which the default does not.
func (f *finder) switched(flag *access, want bool, w, r *access, x hb.ActionID, looper bool) bool {
	frees := f.stores(x, w).null
	for _, s := range f.byKey[flag.key] {
		if !s.write || s.stored == 0 || !f.s.Actions[x].Reach.Has(int(s.in)) || !f.guards.oneObject(s, flag) {
			continue
		}
		n, known := pointsto.Constant(f.r.Body(s.f), s.stored)
		if !known || !looper && !f.locks.common(s, r) {
			continue
		}
		if allows := (n != 0) == want; frees && !allows || !frees && allows && want {
			return true
		}
	}
	return false
}
