package hb

// InCauseOrder: two runs of a and b (or of one action) in one component
// instance that are not of the same cause are always in the order of their
// causes, whichever comes first: each step from the platform's callbacks is a
// post with one known delay to one first-in-first-out queue. The platform's own
// callbacks are in the order of their causes by definition: the cause of a
// registered callback is here its delivery, so two different ones are never in
// order, nor one and what registers it. What passes a thread, a pool, an unknown queue
// or an unknown delay is not, nor are chains of different length: a long one can be overtaken by a short one.
func (g *Graph) InCauseOrder(a, b ActionID) bool {
	x, y := g.c.action(a), g.c.action(b)
	if x == process || y == process || g.c.home[x] != g.c.home[y] {
		return false
	}
	if g.c.home[x] == process {
		return g.c.steady.across[x].has(y)
	}
	return g.c.steady.within[x].has(g.c.steady.place[y])
}

// InCauseOrderAcross is InCauseOrder for any two runs in the process, so also
// for those of two instances.
func (g *Graph) InCauseOrderAcross(a, b ActionID) bool {
	x, y := g.c.action(a), g.c.action(b)
	return x != process && y != process && g.c.steady.across[x].has(y)
}

// steady holds who is in the order of their causes with whom: across the
// process, and within an instance of the component that is the home of both,
// whose actions are numbered by place.
type steady struct {
	across, within []row
	place          []node
}

func (c *closure) keepCauseOrder() {
	c.steady.within = make([]row, c.n)
	c.steady.place = make([]node, c.n)
	homes := make([][]node, c.n)
	for _, n := range c.down {
		if c.isAction(n) {
			c.steady.place[n] = node(len(homes[c.home[n]]))
			homes[c.home[n]] = append(homes[c.home[n]], n)
		}
	}
	s := newSteadiness(c)
	for comp := node(1); int(comp) <= c.comps; comp++ {
		if len(homes[comp]) == 0 {
			continue
		}
		s.find(comp)
		for _, a := range homes[comp] {
			r := newRow(len(homes[comp]))
			for _, b := range homes[comp] {
				if s.rows[a].has(b) {
					r.set(c.steady.place[b])
				}
			}
			c.steady.within[a] = r
		}
	}
	s.find(process)
	c.steady.across = s.rows
}

// steadiness finds the pairs whose runs, if they share the run of w, come in the
// order of their causes: the least fixed point, since chains through a cycle
// have many lengths.
type steadiness struct {
	*closure
	delivers  row      // by the platform, whatever causes it
	platform  row      // and nothing else causes it
	even      row      // all posts that cause it have one delay
	rows      []row    // of the actions below w
	nextRun   []node   // see ranBeforeNext
	runsNext  [][]node // its inverse
	shared    row      // scratch
	old, late row      // actions whose row has grown in the last round, in this one
}

func newSteadiness(c *closure) *steadiness {
	s := &steadiness{closure: c, rows: make([]row, c.n), nextRun: make([]node, c.n), runsNext: make([][]node, c.n)}
	for _, r := range []*row{&s.delivers, &s.platform, &s.even, &s.shared, &s.old, &s.late} {
		*r = newRow(c.n)
	}
	for n := node(c.comps + 1); int(n) < c.n; n++ {
		if c.delivered(n) {
			s.delivers.set(n)
			if c.platformOnly(n) {
				s.platform.set(n)
			}
		}
		if q := c.serialOf(n); q != nil && !c.queue(n).NoFIFO && q.plain.has(n) && c.sameDelay(n) {
			s.even.set(n)
		}
		if x := c.causes[n][0].from; c.isAction(x) && c.ranBeforeNext(x, n) {
			s.nextRun[n] = x
			s.runsNext[x] = append(s.runsNext[x], n)
		}
	}
	return s
}

func (c *closure) sameDelay(n node) bool {
	for _, ca := range c.causes[n] {
		if c.m.Points[ca.point].Delay.MS != c.latest[n] {
			return false
		}
	}
	return true
}

// find fills the rows of the actions below w, causes first. A row is looked at
// again when that of a cause has grown, which only cycles do.
func (s *steadiness) find(w node) {
	var members []node
	for _, n := range s.down {
		if s.isAction(n) && s.dom(w, n) {
			members = append(members, n)
			s.rows[n] = s.start(n, w)
		}
	}
	clear(s.old)
	for first := true; first || !s.old.empty(); first = false {
		clear(s.late)
		for i, a := range members {
			if s.even.has(a) && (first || s.causedBy(a, s.old) || s.causedBy(a, s.late)) {
				s.extend(a, members[i:], w)
			}
		}
		s.old, s.late = s.late, s.old
	}
}

func (s *steadiness) causedBy(a node, r row) bool {
	for _, ca := range s.causes[a] {
		if r.has(ca.from) {
			return true
		}
	}
	return false
}

// start is the row of a without what follows from the rows of its causes.
func (s *steadiness) start(a, w node) row {
	r := newRow(s.n)
	if s.single(a, w) {
		r.set(a)
	}
	again := s.below.at(s.again(w, a))
	for i := range r { // all runs of the instance come in one order
		one := (s.succ[ends][a][i] | s.pred[ends][a][i]) & s.below[w][i]
		if again != nil {
			one &^= again[i]
		}
		r[i] |= one
	}
	q := s.serialOf(a)
	if q == nil || !s.dom(q.owner, w) {
		return r
	}
	if s.delivers.has(a) {
		r.set(a)
	}
	for i := range r {
		if s.platform.has(a) {
			r[i] |= q.all[i] & s.platform[i] & s.below[w][i]
		}
	}
	if w != process {
		if b := s.nextRun[a]; b != process && q.all.has(b) && s.dom(w, b) {
			r.set(b)
		}
		for _, b := range s.runsNext[a] {
			if q.all.has(b) {
				r.set(b)
			}
		}
	}
	return r
}

// extend adds those of members to the row of a that are posted to the queue of
// a with the delay of a, by what is in cause order with all that posts a.
func (s *steadiness) extend(a node, members []node, w node) {
	q := s.serialOf(a)
	if !s.dom(q.owner, w) {
		return
	}
	copy(s.shared, s.rows[s.causes[a][0].from])
	for _, ca := range s.causes[a][1:] {
		s.shared.and(s.rows[ca.from])
	}
	for _, b := range members {
		if s.even.has(b) && s.latest[a] == s.latest[b] && q.all.has(b) && !s.rows[a].has(b) && s.causedOnlyBy(b, s.shared) {
			s.rows[a].set(b)
			s.rows[b].set(a)
			s.late.set(a)
			s.late.set(b)
		}
	}
}

func (s *steadiness) causedOnlyBy(b node, r row) bool {
	for _, ca := range s.causes[b] {
		if !r.has(ca.from) {
			return false
		}
	}
	return true
}

// delivered: the platform runs it, so its cause is its delivery.
func (c *closure) delivered(n node) bool {
	switch c.act(n).Kind {
	case KindLifecycle, KindGUI, KindSystem, KindProcess:
		for _, ca := range c.causes[n] {
			if ca.point != 0 && c.m.Points[ca.point].Kind != Register {
				return false
			}
		}
		return true
	}
	return false
}

// ranBeforeNext: c is posted by the lifecycle callback x alone, to x's looper,
// without delay. The system sends a lifecycle callback only after the last but
// one has ended, so c has run before x runs again.
func (c *closure) ranBeforeNext(x, n node) bool {
	if c.act(x).Kind != KindLifecycle || !c.platformOnly(x) || c.queue(n).NoFIFO || c.queue(n).Kind != QueueLooper {
		return false
	}
	for _, ca := range c.causes[n] {
		if ca.from != x || ca.point == 0 {
			return false
		}
		p := &c.m.Points[ca.point]
		if p.Kind != Post || p.Front || p.Repeat || p.Delay != Now {
			return false
		}
	}
	return true
}
