package hb

// joinedAt finds a join in a run of q, before site x whenever x executes, that
// waits for the end of a's run.
func (c *closure) joinedAt(a, q node, x Site, w node) PointID {
	if c.intra == nil {
		return 0
	}
	for _, j := range c.byTarget[a] {
		p := &c.m.Points[j]
		if c.action(p.Action) == q && c.intra.Dominates(p.Action, p.Site, x) && c.joins1(a, q, j, w) {
			return j
		}
	}
	return 0
}

// joins1: join j in q waits for the run of a that is related through w. That
// needs one run of a only, started before: joining what was not yet started
// waits for nothing.
func (c *closure) joins1(a, q node, j PointID, w node) bool {
	at := c.common(a, q)
	if len(c.causes[a]) != 1 || !c.single(a, at) || !c.dom(w, q) || !c.single(at, w) {
		return false
	}
	ca := c.causes[a][0]
	return ca.point != 0 && c.pointOrder(ca.point, j, at)
}

// joined: q joins a on every path and ends before z, so a ended before z.
func (c *closure) joined() {
	for q, js := range c.joins {
		if !c.isAction(node(q)) {
			continue
		}
		for _, j := range js {
			p := &c.m.Points[j]
			if !p.Must {
				continue
			}
			for _, id := range p.Targets {
				if a := c.action(id); a != process {
					c.joinedBy(a, node(q), j)
				}
			}
		}
	}
}

func (c *closure) joinedBy(a, q node, j PointID) {
	if !c.joins1(a, q, j, c.common(a, q)) {
		return
	}
	c.succ[ends][q].each(func(z node) {
		if a != z && !c.before(ends, a, z) && c.middle(a, q, z) {
			c.add(fact{from: a, to: z, via: q, p: j, kind: ends, rule: ruleJoined})
		}
	})
}

// middle: x < y and y < z give x < z, because some run of y exists that is
// related to both. It shares with its guarantor what the two can share; the
// other order must hold for runs that share no more than that.
func (c *closure) middle(x, y, z node) bool {
	if x == z {
		return false
	}
	w, left, right := c.common(x, z), c.common(x, y), c.common(y, z)
	return c.sure[z].has(y) && c.reaches(left, w, right) ||
		c.sure[x].has(y) && c.reaches(right, w, left)
}

// reaches: an order with common dominator deep applies to runs that are known
// to share only u and v. Of three pairwise common dominators the two upper
// ones are equal, so it does unless deep is strictly below both; then its runs
// must be single.
func (c *closure) reaches(deep, u, v node) bool {
	if c.dom(deep, u) || c.dom(deep, v) {
		return true
	}
	low := u
	if c.depth[v] > c.depth[u] {
		low = v
	}
	return c.single(deep, low)
}
