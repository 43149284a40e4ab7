package hb

// IsBirth reports whether a is the construction of an object that the platform
// makes: it comes before all else of that object.
func (g *Graph) IsBirth(a ActionID) bool { return g.m.Actions[a].Birth }

// Separate reports whether a never runs in the middle of another run of its looper, but for
// one that hands it on.
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

// FirstOfAll reports whether every instance of a's component that leaves its first states, those that are
// left in the run in which they are entered, has run a: a fragment's onCreateView.
func (g *Graph) FirstOfAll(a ActionID) bool {
	c := g.c.component(g.m.Actions[a].Component)
	return c != process && g.c.walk[c] != nil && g.m.Actions[a].Callback >= 0 && g.c.walk[c].passes(g.m.Actions[a].Callback)
}

// AfterBirth reports whether b comes after a whenever it works on the instance of
// a's component for which a runs. The platform makes a component and calls its first
// callback in one run of the main looper; whatever works on the instance in another
// run of that looper comes later (ActivityThread.performLaunchActivity and
// handleCreateService). What may run in the middle of that run does not count.
func (g *Graph) AfterBirth(a, b ActionID) bool {
	x, y := &g.m.Actions[a], &g.m.Actions[b]
	return a != b && (y.Separate || g.foreign(a, b)) && x.Queue == y.Queue && g.m.Queues[x.Queue].Main && (x.Birth || g.FirstOfInstance(a))
}

// foreign reports whether b belongs to components that do not live in a's, and nothing in
// a makes it run. What the platform calls in the middle of a birth is of the new component: its
// fragments, its views, its listeners. Where a callback of another one is called back at once,
// as that of a preference that is set, it has no way yet to an instance that nobody knows.
func (g *Graph) foreign(a, b ActionID) bool {
	home, from := g.m.Actions[a].Component, g.c.action(a)
	if home == 0 {
		return false
	}
	seen := newRow(g.c.n)
	work := []node{g.c.action(b)}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if seen.has(n) || n == process {
			continue
		}
		seen.set(n)
		if of := g.m.Actions[g.c.id(n)].Component; of != 0 {
			if n == from || g.livesIn(of, home) {
				return false
			}
			continue
		}
		for _, ca := range g.c.causes[n] {
			work = append(work, ca.from)
		}
	}
	return true
}

// livesIn: c is a component, or in it: its fragment, its view, its dialog.
func (g *Graph) livesIn(c, home ComponentID) bool {
	for ; c != 0; c = g.m.Components[c].Host {
		if c == home {
			return true
		}
	}
	return false
}

// InAnotherRun reports whether b, of one looper with a, never runs in the middle of a
// run of a.
func (g *Graph) InAnotherRun(a, b ActionID) bool {
	x, y := &g.m.Actions[a], &g.m.Actions[b]
	q := &g.m.Queues[x.Queue]
	return y.Separate && (x.Method == 0 || x.Method != y.Method) && x.Queue == y.Queue && q.Kind == QueueLooper && q.Scope == ScopeProcess
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
