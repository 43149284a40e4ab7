package hb

// queueOrder: on one queue, what is posted first, with a delay that is not
// larger, runs first (SIERRA rules 4 to 6, CAFA queue rule 1). Every post that
// can have caused a must precede the post of e. It returns one of a's posts.
func (c *closure) queueOrder(a node, e entry, w node) PointID {
	t := &c.m.Points[e.point]
	loose := c.queue(a).NoFIFO // then only a smaller delay comes first
	if t.Front || !t.Delay.Known || c.dom(a, e.to) {
		return 0
	}
	for _, ca := range c.causes[a] {
		if ca.point == 0 {
			return 0
		}
		s := &c.m.Points[ca.point]
		if s.Kind != Post || s.Front || s.Repeat || !s.Delay.Known || s.Delay.MS > t.Delay.MS || loose && s.Delay.MS == t.Delay.MS ||
			!c.pointOrder(ca.point, e.point, w) {
			return 0
		}
	}
	return firstPoint(c.causes[a])
}

func firstPoint(cs []cause) PointID {
	if len(cs) == 0 {
		return 0
	}
	return cs[0].point
}

// frontOrder: a is posted at the front before e's run starts (CAFA queue rules
// 2 to 4). A second post at the front overtakes, so then the first one to run
// must have been posted last.
func (c *closure) frontOrder(a node, e entry, w node) PointID {
	t := &c.m.Points[e.point]
	if c.queue(a).Kind != QueueLooper || c.dom(a, e.to) {
		return 0
	}
	for _, ca := range c.causes[a] {
		if ca.point == 0 {
			return 0
		}
		s := &c.m.Points[ca.point]
		if s.Kind != Post || !s.Front || s.Repeat || !c.dom(w, ca.from) {
			return 0
		}
		if t.Front {
			if !c.pointOrder(e.point, ca.point, w) || !c.beforeRun(ca, e.to, w) {
				return 0
			}
		} else if !c.pointOrder(ca.point, e.point, w) && !c.beforeRun(ca, e.to, w) {
			return 0
		}
	}
	return firstPoint(c.causes[a])
}

// beforeRun: the point of ca executes before a run of x starts.
func (c *closure) beforeRun(ca cause, x, w node) bool {
	p := ca.from
	if c.before(ends, p, x) && c.shares(p, x, w) {
		return true
	}
	return p != x && c.dom(p, x) && c.single(p, w) && c.beforeExits(p, c.m.Points[ca.point].Site, x)
}

// pointOrder: for runs that share the run of w, every execution of s precedes
// every execution of t.
func (c *closure) pointOrder(s, t PointID, w node) bool {
	ps, pt := &c.m.Points[s], &c.m.Points[t]
	p, q := c.action(ps.Action), c.action(pt.Action)
	if s == t || !c.dom(w, p) || !c.dom(w, q) {
		return false
	}
	if p == q {
		return c.single(p, w) && c.inOrder(p, ps.Site, pt.Site)
	}
	if c.before(ends, p, q) && c.shares(p, q, w) {
		return true
	}
	if c.dom(p, q) {
		return c.single(p, w) && c.beforeExits(p, ps.Site, q)
	}
	return c.joinedAt(p, q, pt.Site, w) != 0
}

// inOrder: within one run of act, x comes before y and never after it.
func (c *closure) inOrder(act node, x, y Site) bool {
	if c.intra == nil || x == y {
		return false
	}
	a := c.id(act)
	return c.intra.MayPrecede(a, x, y) && !c.intra.MayPrecede(a, y, x)
}

// beforeExits: site x of a run of p comes before the points through which that
// run leads to runs of q, which p dominates. Exits on other paths than x do not
// matter, but one must follow x.
func (c *closure) beforeExits(p node, x Site, q node) bool {
	if c.intra == nil {
		return false
	}
	a, some := c.id(p), false
	for _, e := range c.exits(p, q) {
		site := c.m.Points[e].Site
		if e == 0 || c.intra.MayPrecede(a, site, x) || site == x {
			return false
		}
		some = some || c.intra.MayPrecede(a, x, site)
	}
	return some
}

// cancelled tries the rule of cancellations for all of them.
func (c *closure) cancelled() {
	for q, us := range c.cancels {
		for _, u := range us {
			for _, id := range c.m.Points[u].Targets {
				if a := c.action(id); c.undone(a, node(q), u) {
					c.add(fact{from: a, to: node(q), p: u, q: firstPoint(c.causes[a]), kind: ends, rule: ruleCancel})
				}
			}
		}
	}
}

// undone: what was caused before an Unregister or Cancel point that always
// executes, on the looper of the action itself, does not run after it: so its
// runs come before the canceller or not at all.
func (c *closure) undone(a, q node, u PointID) bool {
	p := &c.m.Points[u]
	if a == process || a == q || !p.Must || len(p.Targets) != 1 && !p.All || c.before(ends, a, q) {
		return false
	}
	w := c.common(a, q)
	if c.dom(a, q) || c.dom(q, a) || !c.oneAtATime(a, q, w) {
		return false
	}
	for _, ca := range c.causes[a] {
		if ca.from == a && c.m.Points[ca.point].Kind == Post && p.Kind == Cancel && p.Every && c.home[a] == c.home[q] {
			continue // a run before the cancellation posts again before it
		}
		if ca.point == 0 || !c.stops(p, a, ca, w) || !p.Final && !c.pointOrder(ca.point, u, w) {
			return false
		}
	}
	return true
}

// stops: p undoes every execution of a's cause. If it means one object only,
// those armed otherwise stay.
func (c *closure) stops(p *Point, a node, ca cause, w node) bool {
	only := len(c.causes[a]) == 1
	s := &c.m.Points[ca.point]
	if p.Kind == Cancel && s.Kind != Post || p.Kind == Unregister && s.Kind != Register {
		return false
	}
	return p.Every && c.home[a] == c.home[c.action(p.Action)] || s.Kind == Register && s.Once || only && !s.Loop && c.single(ca.from, w)
}
