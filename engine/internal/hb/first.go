package hb

// FirstBefore: whenever b runs, a run of a of the same component instance, or
// the process's, has begun before: a causes b, or is a callback that every walk
// of the automaton to b, or to what causes b, passes.
func (g *Graph) FirstBefore(a, b ActionID) bool {
	x, y := g.c.action(a), g.c.action(b)
	if x == process || y == process || x == y {
		return false
	}
	return g.c.firstBefore(x, y, map[node]bool{})
}

func (c *closure) firstBefore(x, y node, open map[node]bool) bool {
	if x == y || c.dom(x, y) {
		return true
	}
	if open[y] {
		return true // a way around a cycle: the other causes decide
	}
	open[y] = true
	if c.passes(x, y) {
		return true
	}
	for _, ca := range c.causes[y] {
		if !c.isAction(ca.from) || !c.firstBefore(x, ca.from, open) {
			return false
		}
	}
	return len(c.causes[y]) > 0
}

// passes: x and y are callbacks of one automaton, and y comes only after x.
func (c *closure) passes(x, y node) bool {
	p, q := c.act(x), c.act(y)
	if p.Component == 0 || p.Component != q.Component || p.Callback < 0 || q.Callback < 0 {
		return false
	}
	return c.walk[p.Component].after(p.Callback)[q.Callback]
}

// MayFollow: a and b are callbacks of one automaton, and some walk has b after
// a.
func (g *Graph) MayFollow(a, b ActionID) bool {
	x, y := g.c.action(a), g.c.action(b)
	if x == process || y == process {
		return false
	}
	p, q := g.c.act(x), g.c.act(y)
	return p.Component != 0 && p.Component == q.Component && p.Callback >= 0 && q.Callback >= 0 &&
		g.c.walk[p.Component].may(p.Callback, q.Callback)
}
