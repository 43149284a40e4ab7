package race

import (
	"github.com/eventraces/eventraces/engine/internal/flow"
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
	return f.flagOf(&t)
}

// onlyOnce: the access is executed only while a field has its default value,
// which the same action then takes from it for good: a second run of the
// instance does not come to it.
func (f *finder) onlyOnce(a *access, x hb.ActionID) (pointsto.FieldKey, bool) {
	t := flagTest{a, x, func(flag *access, want bool) bool { return !want && f.setForGood(flag, x) }}
	return f.flagOf(&t)
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
		set = set || f.s.Actions[x].Reach.Has(int(s.in)) && f.facts.Guards.OneObject(s.fact, flag.fact)
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

// flagOf is the flag of a test that holds on every way to the access.
func (f *finder) flagOf(q *flagTest) (pointsto.FieldKey, bool) {
	at := flow.Place{Func: q.access.f, At: q.access.v}
	if f.r.Body(at.Func) == nil {
		return 0, false
	}
	if key, ok := f.flagIn(q, at); ok {
		return key, true
	}
	if !f.outside.Of(q.action, at.Func) { // there is a way without any test
		return 0, false
	}
	var key pointsto.FieldKey
	all := f.facts.Ways.EveryCall(q.action, at.Func, func(p flow.Place) flow.Answer {
		flag, ok := f.flagIn(q, p)
		switch {
		case ok:
			key = flag
			return flow.Yes
		case !f.outside.Of(q.action, p.Func):
			return flow.No
		}
		return flow.Callers
	})
	return key, all
}

// flagIn is the flag of a test that holds at a place of its function.
func (f *finder) flagIn(q *flagTest, p flow.Place) (pointsto.FieldKey, bool) {
	for _, c := range f.facts.Required(f.r.Body(p.Func), p.At) {
		if c.Number != 0 {
			continue
		}
		if flag := f.loadAt(p.Func, c.Value); flag != nil && flag.key != q.access.key && q.ok(flag, c.NonZero()) {
			return flag.key, true
		}
	}
	return 0, false
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
	for _, c := range f.facts.Required(b, v) {
		q := c.Value
		if c.Number != 0 || b.Op[q] != ir.OpInvoke || b.Sub[q] == ir.Static || f.r.PointsTo(fn, b.Arg(q, 0)).One() != arm.Receiver {
			continue
		}
		name := f.p.Selectors[f.p.Methods[b.Aux[q]].Sel].Name
		for i := range arm.Life.Predicates {
			if p := &arm.Life.Predicates[i]; p.Name == name && arm.Life.Answers(p, arm.LifeCall, c.Zero()) {
				return true
			}
		}
	}
	return false
}

// loadAt is the access that loads value v, nil if v is no load.
func (f *finder) loadAt(fn pointsto.FuncID, v ir.Value) *access {
	if a := f.facts.LoadAt(fn, v); a != nil {
		return f.all[a.N]
	}
	return nil
}

// switched: the action of the other side stores a constant into the flag: a free
// with one that keeps the use from running, a first write with one that lets it
// run, which the default does not.
func (f *finder) switched(flag *access, want bool, w, r *access, x hb.ActionID, looper bool) bool {
	frees := f.stores(x, w).Null
	for _, s := range f.byKey[flag.key] {
		if !s.write || s.stored == 0 || !f.s.Actions[x].Reach.Has(int(s.in)) || !f.facts.Guards.OneObject(s.fact, flag.fact) {
			continue
		}
		n, known := pointsto.Constant(f.r.Body(s.f), s.stored)
		if !known || !looper && len(f.facts.Locks.Common(s.fact, r.fact)) == 0 {
			continue
		}
		if allows := (n != 0) == want; frees && !allows || !frees && allows && want {
			return true
		}
	}
	return false
}
