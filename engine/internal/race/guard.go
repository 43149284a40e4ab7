package race

import (
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// guards answers the filters that hold if the two sides run on one looper: was
// the location tested, or written, earlier in the run of the use; is it written
// again before the run of the free ends (CAFA section 4.3).
type guards struct {
	s     *actions.Set
	r     *pointsto.Result
	byKey map[pointsto.FieldKey][]*access
	d     *derefs
	frees map[freeKey]bool
}

// depth bounds the callers that are looked through for a test.
const guardDepth = 4

// ifGuarded: on every way to the use, the location was found not null earlier
// in the run.
func (g *guards) ifGuarded(act hb.ActionID, use *access) bool {
	for _, d := range use.derefs {
		if d.f == use.f && !g.testedBefore(act, use, use.f, use.base, d.v, 0) && !g.testedBefore(act, use, use.f, use.base, use.v, 0) {
			return false
		}
		if d.f != use.f && !g.testedBefore(act, use, use.f, use.base, use.v, 0) {
			return false
		}
	}
	return len(use.derefs) > 0
}

// testedBefore: whenever v of f is about to be executed in a run of act, the
// run has found the location not null, or made it so, and nothing in between
// frees it: in f, or in every caller of f.
func (g *guards) testedBefore(act hb.ActionID, use *access, f pointsto.FuncID, base, v ir.Value, depth int) bool {
	b := g.r.Body(f)
	if b == nil {
		return false
	}
	if g.liveAt(use, f, base, v) {
		return true
	}
	if depth == guardDepth || !use.static && (base == 0 || b.Op[base] != ir.OpParam) || g.mayFree(f, use.key) {
		return false
	}
	for _, e := range g.s.Actions[act].Entries {
		if e == f {
			return false
		}
	}
	any := false
	for _, c := range g.s.Callers(f) {
		if !g.s.Actions[act].Reach.Has(int(c.Caller)) {
			continue
		}
		cb := g.r.Body(c.Caller)
		outer := ir.Value(0)
		if !use.static {
			i := int(b.Aux[base])
			if cb == nil || c.Site <= 0 || i >= cb.NArgs(c.Site) {
				return false
			}
			outer = cb.Arg(c.Site, i)
		}
		any = true
		if !g.testedBefore(act, use, c.Caller, outer, c.Site, depth+1) {
			return false
		}
	}
	return any
}

// sameBase: two values of a body are one object: the same value, or loads of
// one final field, such as the outer instance, of one object.
func sameBase(r *pointsto.Result, b *ir.Body, x, y ir.Value) bool {
	if x == y {
		return true
	}
	if x == 0 || y == 0 || b.Op[x] != b.Op[y] {
		return false
	}
	switch b.Op[x] {
	case ir.OpGetField:
		f := r.Prog.ResolveField(ir.FieldID(b.Aux[x]))
		return b.Aux[x] == b.Aux[y] && f != 0 && r.Prog.Fields[f].Flags&ir.AccFinal != 0 && sameBase(r, b, b.Arg(x, 0), b.Arg(y, 0))
	case ir.OpCheckCast:
		return b.Aux[x] == b.Aux[y] && sameBase(r, b, b.Arg(x, 0), b.Arg(y, 0))
	}
	return false
}

// allocatedBefore: whenever the use is executed in a run of act, a write in the
// same run has replaced what others left in the location, and no free lies
// between.
func (g *guards) allocatedBefore(act hb.ActionID, use *access) bool {
	for _, w := range g.byKey[use.key] {
		if !w.write || !w.live || !g.s.Actions[act].Reach.Has(int(w.in)) || !g.oneObject(w, use) {
			continue
		}
		if g.s.Dominates(act, w.site(), use.site()) && !g.freeAfter(act, w, use) {
			return true
		}
	}
	return false
}

func (g *guards) freeAfter(act hb.ActionID, w, use *access) bool {
	for _, z := range g.byKey[use.key] {
		if z != w && z.null && g.s.Actions[act].Reach.Has(int(z.in)) && g.overlaps(z, use) &&
			g.s.MayPrecede(act, w.site(), z.site()) && g.s.MayPrecede(act, z.site(), use.site()) {
			return true
		}
	}
	return false
}

func (g *guards) overlaps(a, b *access) bool {
	return a.static && b.static || a.objs.Intersects(b.objs)
}

// oneObject: both accesses are of one location for sure.
func (g *guards) oneObject(a, b *access) bool {
	if a.static || b.static {
		return a.static && b.static
	}
	o := a.objs.One()
	if o == 0 || o != b.objs.One() {
		return false
	}
	if a.f == b.f && sameBase(g.r, g.r.Body(a.f), a.base, b.base) {
		return true
	}
	return g.s.OwnerOf(o).Unique
}

// reallocated: on every path a write replaces the null after the free, before
// the run of act ends.
func (g *guards) reallocated(act hb.ActionID, free *access) bool {
	var writes []hb.Site
	for _, w := range g.byKey[free.key] {
		if w != free && w.write && w.live && g.s.Actions[act].Reach.Has(int(w.in)) && g.oneObject(w, free) {
			writes = append(writes, w.site())
		}
	}
	return len(writes) > 0 && g.s.AlwaysAfter(act, free.site(), writes)
}

// overwritten: whenever the read is executed in a run of act, the same run has
// written the location before: what others wrote is not seen.
func (g *guards) overwritten(act hb.ActionID, read *access) bool {
	for _, w := range g.byKey[read.key] {
		if w.write && w.effect == nil && g.s.Actions[act].Reach.Has(int(w.in)) && g.oneObject(w, read) && g.s.Dominates(act, w.site(), read.site()) {
			return true
		}
	}
	return false
}

// replacedAfter: after an access w of act to what a field holds, every path
// stores something else into the field before the run ends; load is where the
// run has loaded it.
func (g *guards) replacedAfter(act hb.ActionID, w, load *access) bool {
	var writes []hb.Site
	for _, z := range g.byKey[load.key] {
		if z.write && g.s.Actions[act].Reach.Has(int(z.in)) && g.oneObject(z, load) {
			writes = append(writes, z.site())
		}
	}
	return len(writes) > 0 && g.s.AlwaysAfter(act, w.site(), writes)
}
