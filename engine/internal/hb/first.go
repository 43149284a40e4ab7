package hb

import "slices"

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
	if !c.firstOfMany(x) {
		return c.before(ends, x, y) && c.shares(x, y, c.common(c.home[x], c.home[y]))
	}
	return c.oneAtATime(x, y, c.home[x]) || !c.leads(x, y)
}

// leads: a chain of causes leads from x, a lifecycle callback, to y.
func (c *closure) leads(x, y node) bool { return c.led[x].has(y) }

// lead finds what each lifecycle callback leads to. Cycles count as one.
func (c *closure) lead() {
	parts := int(slices.Max(c.cycle))
	members := make([][]node, parts+1)
	next := make([][]int32, parts+1)
	for n, cs := range c.causes {
		to := c.cycle[n]
		members[to] = append(members[to], node(n))
		for _, ca := range cs {
			if from := c.cycle[ca.from]; from != to {
				next[from] = append(next[from], to)
			}
		}
	}
	for i := range next {
		slices.Sort(next[i])
		next[i] = slices.Compact(next[i])
	}
	c.led = make([]row, c.n)
	for x := node(c.comps + 1); int(x) < c.n; x++ {
		if !c.firstOfMany(x) {
			continue
		}
		r := newRow(c.n)
		visit := slices.Clone(next[c.cycle[x]])
		if own := members[c.cycle[x]]; len(own) > 1 {
			visit = append(visit, c.cycle[x])
		}
		for len(visit) > 0 {
			part := visit[len(visit)-1]
			visit = visit[:len(visit)-1]
			if r.has(members[part][0]) {
				continue
			}
			for _, n := range members[part] {
				r.set(n)
			}
			visit = append(visit, next[part]...)
		}
		c.led[x] = r
	}
}

// firstOfMany: x is a callback whose first run is told from later ones.
func (c *closure) firstOfMany(x node) bool {
	return c.act(x).Kind == KindLifecycle && c.queue(x).Kind == QueueLooper && c.platformOnly(x)
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
