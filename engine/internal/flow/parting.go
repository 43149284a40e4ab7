package flow

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Partings says what a run has parted with before a position: threads, tasks and queues that
// it has waited for, and listeners that it has taken out of a collection.
type Partings struct {
	s        *actions.Set
	r        *pointsto.Result
	values   *Values
	joins    []*pointsto.EffectSite
	removals []*pointsto.EffectSite
	joined   map[partingKey]pointsto.Set
	removed  map[partingKey]pointsto.Set
	works    map[workKey]bool
}

type partingKey struct {
	act hb.ActionID
	at  hb.Site
}

type workKey struct {
	act hb.ActionID
	f   pointsto.FuncID
	o   pointsto.Obj
}

func newPartings(s *actions.Set, values *Values) *Partings {
	p := &Partings{
		s: s, r: s.PT, values: values,
		joined: map[partingKey]pointsto.Set{}, removed: map[partingKey]pointsto.Set{}, works: map[workKey]bool{},
	}
	for i := range p.r.Sites {
		switch e := &p.r.Sites[i]; {
		case e.Effect.Kind == platform.Join:
			p.joins = append(p.joins, e)
		case e.Effect.Kind == platform.Free && removes(e.Effect.Place.Slots):
			p.removals = append(p.removals, e)
		}
	}
	return p
}

// removes reports whether a freed slot is an element of a collection.
func removes(slots []string) bool { return len(slots) > 0 && slots[len(slots)-1] == "[]" }

// Any reports whether runs of act wait for something or take something out of a collection.
func (p *Partings) Any(act hb.ActionID) bool {
	in := func(e *pointsto.EffectSite) bool {
		by := p.s.ByFunc[e.In]
		return by != nil && by.Has(int(act))
	}
	return slices.ContainsFunc(p.joins, in) || slices.ContainsFunc(p.removals, in)
}

// Joined is what a run of act has waited for whenever it comes to a position and
// the wait may lie on its way.
func (p *Partings) Joined(act hb.ActionID, at hb.Site) pointsto.Set {
	k := partingKey{act, at}
	out, ok := p.joined[k]
	if !ok {
		for _, e := range p.joins {
			site := actions.SiteOf(e.In, e.Site)
			if by := p.s.ByFunc[e.In]; by != nil && by.Has(int(act)) && p.s.MayPrecede(act, site, at) && !p.s.MayPrecede(act, at, site) {
				out = out.Or(p.r.Eval(e.Scope, e.Effect.Place))
			}
		}
		p.joined[k] = out
	}
	return out
}

// TakenOut is the set of single objects that a run of act has always removed from a collection when it
// comes to a position.
func (p *Partings) TakenOut(act hb.ActionID, at hb.Site) pointsto.Set {
	k := partingKey{act, at}
	out, ok := p.removed[k]
	if !ok {
		for _, e := range p.removals {
			if by := p.s.ByFunc[e.In]; by == nil || !by.Has(int(act)) || !p.s.Dominates(act, actions.SiteOf(e.In, e.Site), at) {
				continue
			}
			b := p.r.Body(e.Func)
			if b == nil || e.Site <= 0 || b.Op[e.Site] != ir.OpInvoke || b.NArgs(e.Site) < 2 {
				continue
			}
			if o := p.values.Of(act, e.Func, b.Arg(e.Site, b.NArgs(e.Site)-1)).One(); o != 0 {
				out = out.Or(pointsto.SetOf(o))
			}
		}
		p.removed[k] = out
	}
	return out
}

// WorksOn reports whether on its way to function f, action act runs a method of object o alone.
func (p *Partings) WorksOn(act hb.ActionID, f pointsto.FuncID, o pointsto.Obj) bool {
	k := workKey{act, f, o}
	found, ok := p.works[k]
	if !ok {
		up := p.s.Upward(f)
		p.s.Actions[act].Reach.All(func(g int) bool {
			fn := pointsto.FuncID(g)
			if up.Has(g) && p.r.Body(fn) != nil && p.r.Prog.Methods[p.r.Funcs[fn].Method].Flags&ir.AccStatic == 0 {
				found = p.r.PointsTo(fn, 1).One() == o
			}
			return !found
		})
		p.works[k] = found
	}
	return found
}
