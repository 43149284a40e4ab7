package hb

// Way is how two sites are ordered.
type Way uint8

const (
	Unordered Way = iota
	Before
	After
)

func (w Way) String() string { return [...]string{"unordered", "before", "after"}[w] }

// Reason names the rule that orders two sites, or two runs of different causes.
type Reason uint8

const (
	NoReason Reason = iota
	ByRuns          // the one run has ended before the other starts: see Explain
	BySites         // within one run
	ByCause         // ahead of what makes the other run
	ByJoin          // the other has waited for the end of the run
	ByAwait         // the other has waited for a signal that follows
	ByHost          // needs a state of its host that is over
	ByEvents        // both are events of the main looper
	BySource        // callbacks of one object
	BySeries        // one periodic task, or runs that each post the next
	ByCauses        // in the order of their causes
)

var reasonNames = [...]string{
	NoReason: "nothing",
	ByRuns:   "run before run",
	BySites:  "order inside a run",
	ByCause:  "cause before run",
	ByJoin:   "joined",
	ByAwait:  "awaited",
	ByHost:   "the host's state is over",
	ByEvents: "events in the order in which they happen",
	BySource: "one object's callbacks, one after the other",
	BySeries: "one series of runs",
	ByCauses: "in the order of their causes",
}

func (r Reason) String() string { return reasonNames[r] }

// Ordering is the answer to Order, with its reason.
type Ordering struct {
	Way    Way
	Reason Reason
}

// orders holds what the rules outside the closure need: plain tables, made once.
type orders struct {
	descent
	delivery
	periodic
	awaiting
	hosting
	expecting
	process []ProcessID
	calls   [][]int32 // by component, see callbacksOf
}

func newOrders(t *tree) *orders {
	d := newDescent(t.m)
	return &orders{
		descent: d, delivery: newDelivery(t.m), periodic: newPeriodic(t.m, d.made), awaiting: newAwaiting(t.m),
		hosting: newHosting(t), expecting: newExpecting(t, d.made), process: processesOf(t.m), calls: callbacksOf(t),
	}
}

// Order tells how the executions of site a and those of site b are ordered in
// all runs related by rel, and by which rule: those of a come before all of b,
// after all of b, or neither is known. It is the one question for an order of
// sites; Unordered asks it for all relations of runs that share an object.
func (g *Graph) Order(a, b At, rel Relation) Ordering {
	if r := g.precedes(a, b, rel); r != NoReason {
		return Ordering{Before, r}
	}
	if r := g.precedes(b, a, rel); r != NoReason {
		return Ordering{After, r}
	}
	return Ordering{}
}

// Precedes reports whether Order is Before. It costs half.
func (g *Graph) Precedes(a, b At, rel Relation) bool { return g.precedes(a, b, rel) != NoReason }

// AlwaysBefore reports whether a precedes b by every relation up to widest, but
// for a run with itself.
func (g *Graph) AlwaysBefore(a, b At, widest Relation) bool {
	for rel := SameCause; rel <= widest; rel++ {
		if !(a.Action == b.Action && rel == SameCause) && !g.Precedes(a, b, rel) {
			return false
		}
	}
	return true
}

// precedes is the rule by which every execution of a comes before every one of b.
// The cheap rules come first.
func (g *Graph) precedes(a, b At, rel Relation) Reason {
	x, y := g.c.action(a.Action), g.c.action(b.Action)
	if x == process || y == process {
		return NoReason
	}
	w := g.sharedRun(x, y, rel)
	if r := g.pointBefore(x, y, a.Site, b.Site, w); r != NoReason {
		return r
	}
	switch {
	case rel == OtherInstance:
	case g.hostedBefore(a.Action, b.Action):
		return ByHost
	case g.awaited(a, b, w) != 0:
		return ByAwait
	}
	return NoReason
}

// Unordered reports whether some runs of a's and b's actions, related by widest
// or less, come in either order although their causes do not: neither order
// holds for the sites, and no rule keeps the runs in the order of their causes.
func (g *Graph) Unordered(a, b At, widest Relation) bool {
	for rel := SameCause; rel <= widest; rel++ {
		if a.Action == b.Action && rel == SameCause {
			continue // one run
		}
		if g.InOrder(a.Action, b.Action, rel) == NoReason && g.Order(a, b, rel).Way == Unordered {
			return true
		}
	}
	return false
}

// InOrder is the rule by which two runs of a and b (or of one action) that are
// related by rel, but not of the same cause, come one after the other in the
// order of their causes.
func (g *Graph) InOrder(a, b ActionID, rel Relation) Reason {
	x, y := g.c.action(a), g.c.action(b)
	switch {
	case x == process || y == process:
		return NoReason
	case g.o.events(a, b):
		return ByEvents
	case g.o.oneSource(g.m, a, b):
		return BySource
	case a == b && rel != SameCause && g.inSeries(a, g.sharedRun(x, x, rel)):
		return BySeries
	case rel == SameInstance && g.InCauseOrder(a, b), rel == OtherInstance && g.InCauseOrderAcross(a, b):
		return ByCauses
	}
	return NoReason
}

// OneLooper reports whether no two different runs of a and b, related by widest
// or less, overlap, since they run on one looper or serial executor.
func (g *Graph) OneLooper(a, b ActionID, widest Relation) bool {
	for rel := SameCause; rel <= widest; rel++ {
		if !(a == b && rel == SameCause && widest > SameCause) && !g.SameLooper(a, b, rel) {
			return false
		}
	}
	return true
}

// Widest is the widest relation of runs that share one object of the scope.
func (s Scope) Widest() Relation {
	switch s {
	case ScopeProcess:
		return OtherInstance
	case ScopeInstance:
		return SameInstance
	}
	return SameCause
}

// Reasons lists the steps of an answer of Order, nil if the sites are unordered.
// From is what comes before To in each step.
func (g *Graph) Reasons(a, b At, rel Relation) []Step {
	order := g.Order(a, b, rel)
	switch order.Way {
	case Unordered:
		return nil
	case After:
		a, b = b, a
	}
	if order.Reason == ByRuns {
		return g.Explain(a.Action, b.Action, rel)
	}
	s := Step{Rule: order.Reason.String(), From: a.Action, To: b.Action}
	x, y := g.c.action(a.Action), g.c.action(b.Action)
	w := g.sharedRun(x, y, rel)
	switch order.Reason {
	case ByAwait:
		s.Point = g.awaited(a, b, w)
	case ByJoin:
		s.Point = g.c.joinedAt(x, y, b.Site, w)
	}
	return []Step{s}
}
