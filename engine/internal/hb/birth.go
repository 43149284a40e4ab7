package hb

// IsBirth reports whether a is the construction of an object that the platform
// makes: it comes before all else of that object.
func (g *Graph) IsBirth(a ActionID) bool { return g.m.Actions[a].Birth }

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
