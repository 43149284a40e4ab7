package hb

// FirstBefore: whenever b runs, a run of a of the same component instance (or
// the process's, or of the instance that b's own comes from) has ended before,
// though a may run again later. This tells the first onStart, which precedes
// every click, from later ones.
func (g *Graph) FirstBefore(a, b ActionID) bool {
	c := g.c
	x, y := c.action(a), c.action(b)
	if x == process || y == process || x == y || !c.ran[y].has(x) || !c.dom(c.home[x], y) {
		return false
	}
	if c.act(x).Kind != KindLifecycle || c.queue(x).Kind != QueueLooper || !c.platformOnly(x) {
		return c.before(ends, x, y) && c.shares(x, y, c.common(c.home[x], c.home[y]))
	}
	return c.oneAtATime(x, y, c.home[x]) || !c.leads(x, y)
}

// leads: a chain of causes leads from x to y.
func (c *closure) leads(x, y node) bool {
	seen := newRow(c.n)
	visit := []node{y}
	for len(visit) > 0 {
		n := visit[len(visit)-1]
		visit = visit[:len(visit)-1]
		for _, ca := range c.causes[n] {
			if ca.from == x {
				return true
			}
			if !seen.has(ca.from) {
				seen.set(ca.from)
				visit = append(visit, ca.from)
			}
		}
	}
	return false
}

// MayFollow: a and b are callbacks of one automaton, and some walk has b after
// a.
func (g *Graph) MayFollow(a, b ActionID) bool {
	x, y := g.c.action(a), g.c.action(b)
	if x == process || y == process {
		return false
	}
	p, q := g.c.act(x), g.c.act(y)
	comp := g.c.component(p.Component)
	return comp != process && p.Component == q.Component && p.Callback >= 0 && q.Callback >= 0 &&
		g.c.walk[comp] != nil && g.c.walk[comp].may(p.Callback, q.Callback)
}
