package race

import (
	"cmp"
	"context"
	"slices"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/naming"
	"github.com/eventraces/eventraces/engine/internal/tell"
)

// finish writes the kept pairs as races, in an order that does not depend on
// how compilers order classes and methods.
func (c *crew) finish(ctx context.Context, best map[pairKey]*told) ([]finding.Race, []Schedule, error) {
	pairs := make([]*named, 0, len(best))
	for k, p := range best {
		n := &named{told: p, key: k}
		for i, a := range p.access {
			n.in[i] = c.r.MethodName(a.f)
		}
		pairs = append(pairs, n)
	}
	slices.SortFunc(pairs, compareNamed)
	if err := c.inPieces(ctx, len(pairs), func(f *finder, i int) { f.playOut(pairs[i].told) }); err != nil {
		return nil, nil, err
	}
	number := map[tellKey]int{}
	for _, n := range pairs {
		key := tellKey{n.rule, n.field, n.priority}
		number[key]++
		n.brief = n.priority < finding.High && number[key] > toldInFull[n.priority]
	}
	out, schedules := make([]finding.Race, len(pairs)), make([]Schedule, len(pairs))
	err := c.inPieces(ctx, len(pairs), func(f *finder, i int) {
		out[i] = f.teller.Race(f.decided(pairs[i].told, pairs[i].brief), pairs[i].brief)
		schedules[i].Runs = pairs[i].runs
		schedules[i].First, schedules[i].Last = pairs[i].inTime()
	})
	if len(out) == 0 {
		out = nil
	}
	return out, schedules, err
}

// inPieces does n pieces of work, neighbours by one finder.
func (c *crew) inPieces(ctx context.Context, n int, do func(f *finder, i int)) error {
	return c.run(ctx, (n+toldTogether-1)/toldTogether, len(c.finders), func(f *finder, piece int) {
		for i := piece * toldTogether; i < min(n, (piece+1)*toldTogether); i++ {
			do(f, i)
		}
	})
}

// toldTogether is how many races a finder tells at a time: neighbours share their
// callbacks, so their chains.
const toldTogether = 256

// named is a kept pair with what it is sorted by.
type named struct {
	*told
	key   pairKey
	in    [2]string
	brief bool // see toldInFull
}

func compareNamed(a, b *named) int {
	if n := cmp.Or(slices.Compare(a.key.entry[:], b.key.entry[:]), slices.Compare(a.key.kind[:], b.key.kind[:])); n != 0 {
		return n
	}
	if n := slices.Compare(a.in[:], b.in[:]); n != 0 {
		return n
	}
	x, y := a.access, b.access
	return cmp.Or(
		cmp.Compare(x[0].v, y[0].v), cmp.Compare(x[1].v, y[1].v),
		cmp.Compare(x[0].n, y[0].n), cmp.Compare(x[1].n, y[1].n),
		cmp.Compare(a.action[0], b.action[0]), cmp.Compare(a.action[1], b.action[1]), cmp.Compare(a.rule, b.rule))
}

// toldInFull bounds the races of one rule, field and priority below high that
// are told with all chains; the rest are brief. Where hundreds of callbacks meet
// on one field, nobody reads more, and each costs kilobytes.
var toldInFull = [...]int{finding.Low: 2, finding.Medium: 24}

type tellKey struct {
	rule     finding.RuleID
	field    finding.Field
	priority finding.Priority
}

// decided is the pair as it is told: values alone.
func (f *finder) decided(p *told, brief bool) *tell.Pair {
	if ran := p.schedule.with(p.action); len(ran) > 0 && p.runs == nil && !brief {
		p.runs, _ = f.searcher.Replay(ran) // what cannot be replayed is not told
	}
	out := &tell.Pair{
		Rule: p.rule, Field: p.field, Priority: p.priority, Facts: p.facts, Crash: p.crash,
		Schedule: p.runs, Limited: p.limited, Looper: p.looper, Volatile: f.volatile(p.access[0]), Stands: p.stands,
	}
	for i := range p.access {
		out.Sides[i] = f.decidedSide(p, i)
		out.Sides[i].Entry = p.entry[i]
	}
	out.Locked = len(f.facts.Locks.Common(p.access[0].fact, p.access[1].fact)) > 0
	if p.rule == finding.UseAfterFree {
		out.SetOnce = f.setOnce(p.access[1])
		out.EndMends = !brief && f.endMends(p)
	}
	return out
}

func (f *finder) decidedSide(p *told, i int) tell.Side {
	a, x := p.access[i], p.action[i]
	out := tell.Side{
		Place: tell.Place{Func: a.f, Value: a.v}, In: a.in, Action: x, Kind: p.kind[i],
		Key: a.key, Objs: a.objs, Updates: a.updates, Writes: f.writes(x, a),
	}
	for _, d := range a.derefs {
		out.Derefs = append(out.Derefs, tell.Place{Func: d.Func, Value: d.At})
	}
	if arm := f.s.Actions[x].Arm; arm != nil && arm.Receiver != 0 {
		out.Own = f.facts.Values.Objects(x, a.fact).Has(arm.Receiver)
	}
	return out
}

// writes reports whether action x writes the location of an access, there or
// elsewhere.
func (f *finder) writes(x hb.ActionID, a *access) bool {
	return a.write || slices.ContainsFunc(f.byKey[a.key], func(w *access) bool {
		return w.write && f.s.ByFunc[w.in].Has(int(x)) && f.overlap(w, a)
	})
}

// setOnce reports whether all that sets the location of an access runs once for
// each instance, constructors included.
func (f *finder) setOnce(a *access) bool {
	for _, w := range f.byKey[a.key] {
		if !w.write || !w.live || !f.overlap(w, a) {
			continue
		}
		often := false
		f.s.ByFunc[w.in].All(func(id int) bool {
			often = f.s.Actions[id].Once == actions.Often && !f.g.IsBirth(hb.ActionID(id))
			return !often
		})
		if often {
			return false
		}
	}
	return true
}

// location is what names the location of an access.
func (a *access) location() naming.Location {
	return naming.Location{Key: a.key, Objs: a.objs, Func: a.f, Base: a.base}
}
