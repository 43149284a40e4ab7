package hb

import "slices"

// IsBirth reports whether a is the construction of an object that the platform
// makes: it comes before all else of that object.
func (g *Graph) IsBirth(a ActionID) bool { return g.m.Actions[a].Birth }

// Separate reports whether a never runs in the middle of another run of its looper.
func (g *Graph) Separate(a ActionID) bool { return g.m.Actions[a].Separate }

// FirstOfInstance reports whether no other callback of a's component can come
// before a in an instance, but for its construction.
func (g *Graph) FirstOfInstance(a ActionID) bool {
	c := g.c.component(g.m.Actions[a].Component)
	if c == process || g.c.walk[c] == nil || g.m.Actions[a].Callback < 0 {
		return false
	}
	for _, x := range g.o.calls[c] {
		if g.c.walk[c].may(x, g.m.Actions[a].Callback) {
			return false
		}
	}
	return true
}

// KnownAfter reports whether runs of b cannot know an instance of a's component
// before a has ended: a is the first callback of the instance, and b comes from
// another component, either by itself, or by what asks for its runs. Such runs
// get at the instance by a binder, or by what its callbacks have told. This
// orders what b does to that instance, not all that b does.
func (g *Graph) KnownAfter(a, b ActionID) bool {
	if !g.FirstOfInstance(a) {
		return false
	}
	x, y := &g.m.Actions[a], &g.m.Actions[b]
	if y.Component != 0 && y.Component != x.Component {
		return true
	}
	for _, id := range g.o.made[b] {
		if by := g.m.Actions[g.m.Points[id].Action].Component; by == 0 || by == x.Component {
			return false
		}
	}
	return len(g.o.made[b]) > 0
}

// AfterBirth reports whether b comes after a whenever it works on the instance of
// a's component for which a runs. The platform makes a component and calls its first
// callback in one run of the main looper; whatever works on the instance in another
// run of that looper comes later (ActivityThread.performLaunchActivity and
// handleCreateService). What may run in the middle of another run does not count.
func (g *Graph) AfterBirth(a, b ActionID) bool {
	x, y := &g.m.Actions[a], &g.m.Actions[b]
	return a != b && y.Separate && x.Queue == y.Queue && g.m.Queues[x.Queue].Main && (x.Birth || g.FirstOfInstance(a))
}

// BornAfter reports whether the object that b runs on is made, in every way that is
// known, by a run that follows a's: in the same run of a, b being another run of its
// looper or the site of a lying before, or in runs that the graph orders after a in
// an instance. A run of b that gets at an instance by that object alone comes after a.
func (g *Graph) BornAfter(a At, b ActionID) bool {
	seen := newRow(len(g.m.Actions))
	seen.set(node(a.Action))
	return g.bornAfter(a, b, seen)
}

func (g *Graph) bornAfter(a At, b ActionID, seen row) bool {
	seen.set(node(b))
	born := g.m.Actions[b].Born
	for _, by := range born {
		if !g.birthAfter(a, b, by) && (seen.has(node(by.Action)) || !g.bornAfter(a, by.Action, seen)) {
			return false
		}
	}
	return len(born) > 0
}

// birthAfter: the birth of b's object at by comes after a.
func (g *Graph) birthAfter(a At, b ActionID, by At) bool {
	if by.Action != a.Action {
		return g.Precedes(a, by, SameInstance) || g.AfterBirth(a.Action, by.Action)
	}
	if g.InAnotherRun(a.Action, b) {
		return true
	}
	return g.m.Intra != nil && !g.m.Intra.MayPrecede(a.Action, by.Site, a.Site) && by.Site != a.Site
}

// EveryBirth reports whether ask holds for each site at which the object that b runs
// on may be made; false if none is known.
func (g *Graph) EveryBirth(b ActionID, ask func(At) bool) bool {
	born := g.m.Actions[b].Born
	return len(born) > 0 && !slices.ContainsFunc(born, func(by At) bool { return !ask(by) })
}

// InAnotherRun reports whether b, of one looper with a, never runs in the middle of a
// run of a.
func (g *Graph) InAnotherRun(a, b ActionID) bool {
	x, y := &g.m.Actions[a], &g.m.Actions[b]
	q := &g.m.Queues[x.Queue]
	return y.Separate && x.Queue == y.Queue && q.Kind == QueueLooper && q.Scope == ScopeProcess
}

// callbacksOf lists for each component the callbacks that some action carries,
// without constructions.
func callbacksOf(t *tree) [][]int32 {
	calls := make([][]int32, t.comps+1)
	seen := map[[2]int32]bool{}
	for i := 1; i < len(t.m.Actions); i++ {
		a := &t.m.Actions[i]
		key := [2]int32{int32(a.Component), a.Callback}
		if c := t.component(a.Component); c != process && a.Callback >= 0 && !a.Birth && !seen[key] {
			seen[key] = true
			calls[c] = append(calls[c], a.Callback)
		}
	}
	return calls
}
