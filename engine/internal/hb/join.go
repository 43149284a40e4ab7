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

// reviewJoin tries what a join gives to the posts behind it.
func (c *closure) reviewJoin(a node, j PointID, q node) {
	if a == process {
		return
	}
	for _, t := range c.posted[q] {
		for _, id := range c.m.Points[t].Targets {
			b := c.action(id)
			if b == process {
				continue
			}
			for _, member := range c.entered(b) {
				c.cover(a, member)
				c.coverPosted(a, member)
			}
		}
	}
	c.succ[ends][q].each(func(z node) { c.joinedBefore(q, z) })
}

// joinedBefore: q joins a on every path and ends before z, so a ended before z.
func (c *closure) joinedBefore(q, z node) {
	for _, j := range c.joins[q] {
		p := &c.m.Points[j]
		if !p.Must {
			continue
		}
		for _, id := range p.Targets {
			a := c.action(id)
			if a == process || a == z || c.before(ends, a, z) || !c.joins1(a, q, j, c.common(a, q)) {
				continue
			}
			if c.middle(a, q, z) {
				c.add(fact{from: a, to: z, via: q, p: j, kind: ends, rule: ruleJoined})
			}
		}
	}
}
