package race

import (
	"cmp"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/flow"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// pair is a race in the making: side 0 and side 1 with their actions.
type pair struct {
	access    [2]*access
	action    [2]hb.ActionID
	kind      [2]finding.Kind
	rule      finding.RuleID
	field     finding.Field
	fieldID   int32    // its number, see fieldOf
	sorts     [2]int32 // see sortsOf
	crash     string
	looper    bool // both sides on one looper
	rounds    bool // unordered only between runs of different causes
	facts     []finding.Fact
	priority  finding.Priority
	schedule  schedule
	limited   bool // the search for a schedule reached its limit
	witnessed bool // a schedule comes to the use in spite of the tests before it
}

// told is a race with the sides that it is told with, which are alike to those of the pair.
type told struct {
	*pair
	access [2]*access
	action [2]hb.ActionID
	entry  [2]*finding.Callback // of a side that stands for several callbacks
	stands int                  // the pairs that it stands for, 0 for itself alone
	runs   []hb.Run             // the schedule with what brings its runs about, see playOut
}

// pairKey says which pairs are shown as one: rule and field, and per side the
// kind, the callback, for what is not low the method of the access, and for what
// is high the line: compilers differ in how often code on one line loads a field.
type pairKey struct {
	rule  finding.RuleID
	field finding.Field
	kind  [2]finding.Kind
	entry [2]string
	in    [2]ir.MethodID
	line  [2]int
}

// stores says what a change leaves in the runs of an action.
func (f *finder) stores(x hb.ActionID, w *access) flow.Nullness {
	if w.effect != nil || w.stored == 0 || !w.null {
		return flow.Nullness{Null: w.null, Other: w.live}
	}
	return f.facts.Nulls.Of(x, w.f, w.stored)
}

// at is where an action makes an access.
func (s visit) at() hb.At { return at(s.access, s.x) }

func at(a *access, x hb.ActionID) hb.At { return hb.At{Action: x, Site: a.site()} }

// flagFact lowers a race whose use a flag may guard.
func (f *finder) flagFact(p *pair, w, r *access, x, y hb.ActionID) {
	if f.companions(visit{access: r, x: y}).tested && p.looper {
		p.fact(finding.FactTogether)
	} else if key, ok := f.flagged(w, r, x, y, p.looper); ok && !p.witnessed {
		p.fact(finding.FactFlagGuarded, f.r.KeyName(key))
	}
	if f.joinedBefore(w, x, y) {
		p.fact(finding.FactJoined)
	}
	if p.looper && f.takenOut(w, r, x, y) {
		p.fact(finding.FactTakenOut)
	}
}

// keyed: the model says that the element is asked for by a key, so that nothing is
// found once it has been removed.
func (f *finder) keyed(r *access) bool { return r.effect != nil && !r.effect.Key.Zero() }

// loadOf is the access that loads the container or resource whose content an
// access touches, nil if it does not come out of a field in the same function.
func (f *finder) loadOf(a *access) *access {
	b := f.r.Body(a.f)
	if !a.content || b == nil || a.base == 0 {
		return nil
	}
	return f.loadAt(a.f, flow.Origin(b, a.base))
}

// onceFact lowers a race that needs a second run of one side, which a flag may
// keep from the access.
func (f *finder) onceFact(p *pair) {
	for i, a := range p.access {
		if key, ok := f.onlyOnce(a, p.action[i]); ok {
			p.fact(finding.FactOnce, f.r.KeyName(key))
			return
		}
	}
}

func plainKind(a *access) finding.Kind {
	if a.write {
		return finding.Write
	}
	return finding.Read
}

// sameConstant: two stores of one constant leave the same state in any order.
func (f *finder) sameConstant(a, b *access) bool {
	if a.stored == 0 || b.stored == 0 {
		return false
	}
	if a.null && !a.live && b.null && !b.live {
		return true
	}
	ba, bb := f.r.Body(a.f), f.r.Body(b.f)
	m, ok := pointsto.Constant(ba, a.stored)
	n, ok2 := pointsto.Constant(bb, b.stored)
	return ok && ok2 && m == n
}

// crashOf is the crash that a model names for either access, the one that reads
// first; that of a use needs a free. What overlaps a change of a container and
// names no crash itself sees the change half made. What fails at another number of elements
// does not if the change keeps that, but may find another element.
func crashOf(a, b *access, free, looper bool) string {
	if a.write && !b.write {
		a, b = b, a
	}
	for _, x := range []*access{a, b} {
		y := a
		if x == a {
			y = b
		}
		if x.effect != nil && y.effect != nil && (y.effect.Keeps && x.effect.Sized || x.effect.Keeps && y.effect.Sized && !y.write) {
			continue
		}
		if x == b && b.effect != nil && b.effect.Threads == platform.OtherThreads && !looper && !a.write && a.key == pointsto.Content {
			if free || b.effect.Crash == "" {
				return ""
			}
			return "a read in the middle of a change"
		}
		if x.effect != nil && x.effect.Crash != "" && (free || x.effect.Kind != platform.Use) && (x.effect.Threads != platform.OtherThreads || !looper) {
			return x.effect.Crash
		}
	}
	return ""
}

func (p *pair) fact(id finding.FactID, about ...string) {
	p.facts = append(p.facts, finding.NewFact(id, p.rule, about...))
}

// cutShort: whether the race can show was not searched to the end.
func (p *pair) cutShort() {
	p.limited = true
	p.fact(finding.FactSchedule)
}

// sideLess gives the sides of a pair a fixed order, by the names of their callbacks, their
// kinds and the numbers of their accesses.
func sideLess(name string, kind finding.Kind, n int, than string, thanKind finding.Kind, thanN int) bool {
	return cmp.Or(cmp.Compare(name, than), cmp.Compare(kind, thanKind), cmp.Compare(n, thanN)) < 0
}

// strength is what decides which of the races that are the same to the reader is shown.
type strength struct {
	priority finding.Priority
	access   [2]int // their numbers
	action   [2]hb.ActionID
}

func (p *told) strength() strength {
	return strength{p.priority, [2]int{p.access[0].n, p.access[1].n}, p.action}
}

// over: ties go to what comes first in the program.
func (r strength) over(than strength) bool {
	return cmp.Or(
		cmp.Compare(r.priority, than.priority),
		cmp.Compare(than.access[0], r.access[0]), cmp.Compare(than.access[1], r.access[1]),
		cmp.Compare(than.action[0], r.action[0]), cmp.Compare(than.action[1], r.action[1])) > 0
}

// stronger: p is shown rather than q, which is the same to the reader.
func (p *told) stronger(q *told) bool { return p.strength().over(q.strength()) }

// line is the source line of an access; without line numbers, its code unit.
func (f *finder) line(a *access) int {
	b := f.r.Body(a.f)
	if b == nil || a.v <= 0 {
		return 0
	}
	if l := b.Line(a.v); l > 0 {
		return l
	}
	return -b.PC(a.v)
}
