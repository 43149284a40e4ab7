package race

import (
	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/flow"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// pair is a race in the making: side 0 and side 1 with their actions.
type pair struct {
	access   [2]*access
	action   [2]hb.ActionID
	kind     [2]finding.Kind
	rule     finding.RuleID
	field    finding.Field
	crash    string
	looper   bool // both sides on one looper
	rounds   bool // unordered only between runs of different causes
	facts    []finding.Fact
	priority finding.Priority
	schedule []hb.ActionID
	limited  bool // the search for a schedule reached its limit
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

// before: every execution of a by x precedes every one of b by y.
func (f *finder) before(a, b *access, x, y hb.ActionID, rel hb.Relation) bool {
	if x != y && f.g.Before(x, y, rel) {
		return true
	}
	if f.g.PointBefore(hb.At{Action: x, Site: a.site()}, hb.At{Action: y, Site: b.site()}, rel) {
		return true
	}
	return rel != hb.OtherInstance && (f.waits.awaited(a, b, x, y, f.once) || f.hostedBefore(x, y))
}

// relations lists the relations between the runs that share the location.
func relations(wide hb.Scope) []hb.Relation {
	switch wide {
	case hb.ScopeProcess:
		return []hb.Relation{hb.SameCause, hb.SameInstance, hb.OtherInstance}
	case hb.ScopeInstance:
		return []hb.Relation{hb.SameCause, hb.SameInstance}
	}
	return []hb.Relation{hb.SameCause}
}

// unordered: one run of each side can come in either order although their
// causes do not; ok is false if some order always holds.
func (f *finder) unordered(a, b *access, x, y hb.ActionID, wide hb.Scope) bool {
	if f.delivered(x) && f.delivered(y) || f.oneSource(x, y) {
		return false // the user's and the system's events come in the order they come
	}
	for _, rel := range relations(wide) {
		if x == y && rel == hb.SameCause {
			continue // one run
		}
		if x == y && f.chained(x) || rel == hb.SameInstance && f.g.InCauseOrder(x, y) || rel == hb.OtherInstance && f.g.InCauseOrderAcross(x, y) {
			continue
		}
		if !f.before(a, b, x, y, rel) && !f.before(b, a, y, x, rel) {
			return true
		}
	}
	return false
}

// delivered: the runs of an action are lifecycle and GUI events, which the
// platform delivers on the main looper in the order in which they happen.
func (f *finder) delivered(x hb.ActionID) bool {
	k := f.s.Actions[x].Kind
	return (k == hb.KindLifecycle || k == hb.KindGUI || k == hb.KindProcess) && f.s.Actions[x].Queue == f.s.Main()
}

// chained: the runs of an action never compete: each is posted by the one before
// it, the first by something that runs once; or all are of one periodic task.
func (f *finder) chained(x hb.ActionID) bool {
	if causes := f.s.Actions[x].Causes; len(causes) == 1 {
		if p := &f.s.Model.Points[causes[0]]; p.Kind == hb.Post && p.Repeat && !p.Loop && p.Action != x && f.once(p.Action) {
			return true // a periodic task
		}
	}
	own, first := 0, 0
	for _, c := range f.s.Actions[x].Causes {
		p := &f.s.Model.Points[c]
		switch {
		case p.Kind != hb.Post || p.Repeat || p.Loop:
			return false
		case p.Action == x:
			own++
		case f.once(p.Action):
			first++
		default:
			return false
		}
	}
	return own == 1 && first == 1
}

// once: an action runs at most once for each component instance: a callback of
// its lifecycle, or what only such a callback posts once.
func (f *finder) once(x hb.ActionID) bool {
	a := &f.s.Actions[x]
	if a.Once != actions.Often {
		return true
	}
	if a.Arm == nil || a.Arm.Life != nil || len(a.Causes) != 1 {
		return false
	}
	p := &f.s.Model.Points[a.Causes[0]]
	return (p.Kind == hb.Post || p.Kind == hb.Start) && !p.Repeat && !p.Loop && p.Action != x && f.s.Actions[p.Action].Once != actions.Often
}

// oneSource: both are callbacks of one object that the platform delivers one
// after the other on one looper: of its lifecycle, or of one registration.
func (f *finder) oneSource(x, y hb.ActionID) bool {
	a, b := &f.s.Actions[x], &f.s.Actions[y]
	if a.Arm == nil || b.Arm == nil || a.Arm.Receiver == 0 || a.Arm.Receiver != b.Arm.Receiver || a.Queue != b.Queue ||
		f.s.Queues[a.Queue].Kind != hb.QueueLooper && f.s.Queues[a.Queue].Kind != hb.QueueSerial {
		return false
	}
	if a.Arm.Life != nil || b.Arm.Life != nil {
		return a.Arm.Life == b.Arm.Life
	}
	return registered(a.Arm) && registered(b.Arm) && a.Arm.Func == b.Arm.Func && a.Arm.Site == b.Arm.Site
}

func registered(a *pointsto.Arm) bool {
	return a.General || a.Effect != nil && a.Effect.Kind == platform.Register
}

// oneLooper: related runs of the two actions never overlap.
func (f *finder) oneLooper(x, y hb.ActionID, wide hb.Scope) bool {
	for _, rel := range relations(wide) {
		if x == y && rel == hb.SameCause {
			continue
		}
		if !f.g.SameLooper(x, y, rel) {
			return false
		}
	}
	return x != y || wide != hb.ScopeRun || f.g.SameLooper(x, y, hb.SameCause)
}

// flagFact lowers a race whose use a flag may guard.
func (f *finder) flagFact(p *pair, w, r *access, x, y hb.ActionID) {
	if key, ok := f.flagged(w, r, x, y, p.looper); ok {
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
// names no crash itself sees the change half made.
func crashOf(a, b *access, free, looper bool) string {
	if a.write && !b.write {
		a, b = b, a
	}
	for _, x := range []*access{a, b} {
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

// sideLess gives the sides of a pair a fixed order.
func (f *finder) sideLess(p *pair, i, j int) bool {
	a, b := f.entryOf(p.action[i]), f.entryOf(p.action[j])
	if a != b {
		return a < b
	}
	if p.kind[i] != p.kind[j] {
		return p.kind[i] < p.kind[j]
	}
	return p.access[i].n < p.access[j].n
}

// stronger: p is shown rather than q, which is the same to the reader. Ties go
// to what comes first in the program.
func (p *pair) stronger(q *pair) bool {
	switch {
	case p.priority != q.priority:
		return p.priority > q.priority
	case p.access[0].n != q.access[0].n:
		return p.access[0].n < q.access[0].n
	case p.access[1].n != q.access[1].n:
		return p.access[1].n < q.access[1].n
	case p.action[0] != q.action[0]:
		return p.action[0] < q.action[0]
	}
	return p.action[1] < q.action[1]
}

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
