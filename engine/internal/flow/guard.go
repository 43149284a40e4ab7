package flow

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Guards answers what holds if nothing comes in between, as on one looper or inside of
// one critical section: was the location tested, or written, earlier in the run of the
// use; is it written again before the run of the free ends (CAFA section 4.3).
type Guards struct {
	s        *actions.Set
	r        *pointsto.Result
	ways     *Ways
	codes    Codes
	accesses *Accesses
	locks    *Locks
	live     *Live
	known    map[guardKey]bool
	written  map[writtenKey][]*Access
	ends     map[Lock][]hb.Site
}

// guardKey is a question about an access in the runs of an action.
type guardKey struct {
	what  guard
	act   hb.ActionID
	n     int // the access
	other int // a second access, -1 if there is none
	lock  Lock
}

// guard is what may keep two sides apart.
type guard uint8

const (
	testedBefore guard = iota
	testedTogether
	testedSurely
	ownLocks
	allocatedBefore
	allocatedAfter
	overwritten
	replacedAfter
)

type writtenKey struct {
	act hb.ActionID
	key pointsto.FieldKey
}

// once answers a question, once.
func (g *Guards) once(k guardKey, answer func() bool) bool {
	got, ok := g.known[k]
	if !ok {
		got = answer()
		g.known[k] = got
	}
	return got
}

// Tested reports whether on every way to the use the location was found not null earlier
// in the run, or written so, and nothing in between frees it; with a lock, inside of
// one critical section of it that holds test and use.
func (g *Guards) Tested(act hb.ActionID, use *Access, lock Lock) bool {
	return g.once(guardKey{testedBefore, act, use.N, -1, lock}, func() bool { return g.testedBy(act, use, lock, trust{}) })
}

// TestedTogether reports whether the use is Tested on one looper if tests of fields count that
// are written together with the location, and whether that is sure.
func (g *Guards) TestedTogether(act hb.ActionID, use *Access) (tested, sure bool) {
	queue := g.live.together.looper(act)
	if queue == 0 {
		return false, false
	}
	tested = g.once(guardKey{testedTogether, act, use.N, -1, 0}, func() bool { return g.testedBy(act, use, 0, trust{queue, true}) })
	return tested, tested && g.once(guardKey{testedSurely, act, use.N, -1, 0}, func() bool { return g.testedBy(act, use, 0, trust{queue, false}) })
}

func (g *Guards) testedBy(act hb.ActionID, use *Access, lock Lock, by trust) bool {
	for _, d := range use.Derefs {
		if !(d.Func == use.Func && g.testedAt(act, use, d.At, lock, by)) && !g.testedAt(act, use, use.At, lock, by) && !g.testedAtCall(act, use, d, lock, by) {
			return false
		}
	}
	return len(use.Derefs) > 0
}

// testedAt: whenever v, in the function of the use, is about to be executed in a run of
// act, the location is live: in the function, or in every caller.
func (g *Guards) testedAt(act hb.ActionID, use *Access, v ir.Value, lock Lock, by trust) bool {
	from := Place{Func: use.Func, At: v}
	if !use.Static {
		from.Value = use.Base
	}
	return g.testedFrom(act, use, from, lock, by)
}

// testedAtCall: the function that dereferences the value gets it from a call of the getter
// that loads it, and the location is live whenever that very call is about to be executed.
func (g *Guards) testedAtCall(act hb.ActionID, use *Access, d Deref, lock Lock, by trust) bool {
	b := g.r.Body(d.Func)
	if b == nil || d.Func == use.Func || b.NArgs(d.At) == 0 {
		return false
	}
	call := Origin(b, b.Arg(d.At, 0))
	if b.Op[call] != ir.OpInvoke {
		return false
	}
	from := Place{Func: d.Func, At: call}
	if !use.Static {
		getter := g.r.Body(use.Func)
		if this := Origin(getter, use.Base); getter.Op[this] != ir.OpParam || getter.Aux[this] != 0 || b.NArgs(call) == 0 || b.Sub[call] == ir.Static {
			return false
		}
		from.Value = b.Arg(call, 0)
	}
	some := false
	for _, c := range g.r.Calls[d.Func] {
		if c.Site == call {
			if c.Callee != use.Func {
				return false
			}
			some = true
		}
	}
	return some && g.testedFrom(act, use, from, lock, by)
}

// testedFrom: whenever a place is reached in a run of act, the location, of the instance that
// is its value, is live.
func (g *Guards) testedFrom(act hb.ActionID, use *Access, from Place, lock Lock, by trust) bool {
	return g.ways.EveryWayIn(act, from, func(p Place) Answer {
		loc := g.live.locate(use, p.Func, p.Value, lock, by)
		switch {
		case g.live.before(loc, p.At, false):
			return Yes
		case !use.Static && p.Value == 0, g.live.mayFree(p.Func, use.Key) && !g.live.before(loc, p.At, true):
			return No // or freed between the call and the place
		case lock != 0 && (g.locks.begins(lock, p.Func) || !g.live.before(loc, p.At, true)):
			return No // the section begins here
		}
		return Callers
	})
}

// writes lists the writes of a field in the runs of an action.
func (g *Guards) writes(act hb.ActionID, key pointsto.FieldKey) []*Access {
	k := writtenKey{act, key}
	out, ok := g.written[k]
	if !ok {
		for _, a := range g.accesses.of(key).writes {
			if g.s.Actions[act].Reach.Has(int(a.In)) {
				out = append(out, a)
			}
		}
		g.written[k] = out
	}
	return out
}

// Allocated reports whether a write in the run of the use has always replaced what others
// left in the location, and no free lies between; with a lock, inside of one critical
// section of it that holds write and use.
func (g *Guards) Allocated(act hb.ActionID, use *Access, lock Lock) bool {
	return g.once(guardKey{allocatedBefore, act, use.N, -1, lock}, func() bool {
		return slices.ContainsFunc(g.writes(act, use.Key), func(w *Access) bool {
			return w.Live && g.OneObject(w, use) && g.s.Dominates(act, w.Site(), use.Site()) &&
				!g.freedBetween(act, w, use) && (lock == 0 || g.oneSection(act, w, use, lock))
		})
	})
}

// freedBetween reports whether the location may be freed between a write and the use.
func (g *Guards) freedBetween(act hb.ActionID, w, use *Access) bool {
	return slices.ContainsFunc(g.writes(act, use.Key), func(z *Access) bool {
		return z != w && z.Null && overlap(z, use) && g.between(act, w.Site(), z.Site(), use.Site())
	})
}

// between reports whether site z may come between two others in a run.
func (g *Guards) between(act hb.ActionID, from, z, to hb.Site) bool {
	return g.s.MayPrecede(act, from, z) && g.s.MayPrecede(act, z, to)
}

// oneSection reports whether an access before the use lies in the same critical section of a
// lock that the use is inside of.
func (g *Guards) oneSection(act hb.ActionID, before, use *Access, lock Lock) bool {
	if !g.locks.at(before.Func, before.At).has(lock) {
		return false
	}
	ends, ok := g.ends[lock]
	if !ok {
		ends = g.locks.ends(lock)
		g.ends[lock] = ends
	}
	return !slices.ContainsFunc(ends, func(z hb.Site) bool { return g.between(act, before.Site(), z, use.Site()) })
}

// Reallocated reports whether on every path a write replaces the null after the free, before
// the run of act ends.
func (g *Guards) Reallocated(act hb.ActionID, free *Access) bool {
	return g.once(guardKey{allocatedAfter, act, free.N, -1, 0}, func() bool {
		return g.alwaysAfter(act, free, func(w *Access) bool { return w != free && w.Live && g.OneObject(w, free) }, free.Key)
	})
}

// Overwritten reports whether whenever the read is executed in a run of act, the same run has
// written the location before: what others wrote is not seen.
func (g *Guards) Overwritten(act hb.ActionID, read *Access) bool {
	return g.once(guardKey{overwritten, act, read.N, -1, 0}, func() bool {
		return slices.ContainsFunc(g.writes(act, read.Key), func(w *Access) bool {
			return !w.Model && g.OneObject(w, read) && g.s.Dominates(act, w.Site(), read.Site())
		})
	})
}

// ReplacedAfter reports whether after an access w of act to what a field holds, every path
// stores something else into the field before the run ends; load is where the
// run has loaded it.
func (g *Guards) ReplacedAfter(act hb.ActionID, w, load *Access) bool {
	return g.once(guardKey{replacedAfter, act, w.N, load.N, 0}, func() bool {
		return g.alwaysAfter(act, w, func(z *Access) bool { return g.OneObject(z, load) }, load.Key)
	})
}

// alwaysAfter reports whether one of the writes of a field that pass always follows an access.
func (g *Guards) alwaysAfter(act hb.ActionID, a *Access, pass func(w *Access) bool, key pointsto.FieldKey) bool {
	var sites []hb.Site
	for _, w := range g.writes(act, key) {
		if pass(w) {
			sites = append(sites, w.Site())
		}
	}
	return len(sites) > 0 && g.s.AlwaysAfter(act, a.Site(), sites)
}

// OneObject reports whether both accesses are of one location for sure.
func (g *Guards) OneObject(a, b *Access) bool {
	if a.Static || b.Static {
		return a.Static && b.Static
	}
	o := a.Objs.One()
	if o == 0 || o != b.Objs.One() {
		return false
	}
	if a.Func == b.Func && g.mustAlias(a, b) {
		return true
	}
	return g.s.OwnerOf(o).Unique
}

// OneInAllRuns is OneObject for accesses of two runs: that both name the object alike in one
// function does not make it one.
func (g *Guards) OneInAllRuns(a, b *Access) bool {
	if a.Static || b.Static {
		return a.Static && b.Static
	}
	o := a.Objs.One()
	return o != 0 && o == b.Objs.One() && g.s.OwnerOf(o).Unique
}

func (g *Guards) mustAlias(a, b *Access) bool {
	if a.Base == b.Base {
		return true
	}
	body := g.r.Body(a.Func)
	return body != nil && g.codes.Of(body).MustAlias(g.r.Prog, a.Base, b.Base)
}
