package hb

// InCauseOrder: two runs of a and b (or of one action) in one component
// instance that are not of the same cause are always in the order of their
// causes, whichever comes first: each step from the platform's callbacks is a
// post with one known delay to one first-in-first-out queue. The platform's own
// callbacks are in the order of their causes by definition: the cause of a
// registered callback is here its delivery, so two different ones are never in
// order, nor one and what registers it. What passes a thread, a pool, an unknown queue or an unknown delay is not, nor are chains of
// different length: a long one can be overtaken by a short one.
func (g *Graph) InCauseOrder(a, b ActionID) bool {
	x, y := g.c.action(a), g.c.action(b)
	if x == process || y == process {
		return false
	}
	if g.c.home[x] != g.c.home[y] {
		return false
	}
	s := steadiness{g.c, g.c.home[x], map[[2]node]bool{}}
	return s.holds(x, y)
}

// InCauseOrderAcross is InCauseOrder for any two runs in the process, so also
// for those of two instances.
func (g *Graph) InCauseOrderAcross(a, b ActionID) bool {
	x, y := g.c.action(a), g.c.action(b)
	if x == process || y == process {
		return false
	}
	s := steadiness{g.c, process, map[[2]node]bool{}}
	return s.holds(x, y)
}

// steadiness asks about runs that share the run of w. known holds the pairs
// that were decided; those under way count as not in order, since chains through
// a cycle have many lengths.
type steadiness struct {
	*closure
	w     node
	known map[[2]node]bool
}

// maxPairs bounds the pairs of causes looked at for one answer.
const maxPairs = 4096

func (c *steadiness) holds(a, b node) bool {
	if a > b {
		a, b = b, a
	}
	key := [2]node{a, b}
	if known, ok := c.known[key]; ok || len(c.known) >= maxPairs {
		return known
	}
	c.known[key] = false
	c.known[key] = c.decide(a, b)
	return c.known[key]
}

func (c *steadiness) decide(a, b node) bool {
	w := c.w
	if !c.dom(w, a) || !c.dom(w, b) {
		return false
	}
	if a == b && c.single(a, w) || c.fixed(a, b, w) {
		return true
	}
	if !c.oneAtATime(a, b, w) {
		return false
	}
	if c.delivered(a) && c.delivered(b) && (a == b || c.platformOnly(a) && c.platformOnly(b)) {
		return true
	}
	if w != process && (c.ranBeforeNext(a, b) || c.ranBeforeNext(b, a)) {
		return true
	}
	for _, p := range c.causes[a] {
		for _, q := range c.causes[b] {
			if !c.posts(p, q) {
				return false
			}
		}
	}
	return !c.queue(a).NoFIFO
}

// fixed: all runs of the instance come in one order.
func (c *closure) fixed(a, b, w node) bool {
	return c.before(ends, a, b) && c.shares(a, b, w) || c.before(ends, b, a) && c.shares(a, b, w)
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

func (c *steadiness) posts(p, q cause) bool {
	if p.point == 0 || q.point == 0 || p.from == process || q.from == process {
		return false
	}
	s, t := &c.m.Points[p.point], &c.m.Points[q.point]
	if s.Kind != Post || t.Kind != Post || s.Front || t.Front || s.Repeat || t.Repeat ||
		!s.Delay.Known || !t.Delay.Known || s.Delay.MS != t.Delay.MS {
		return false
	}
	return c.holds(p.from, q.from)
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
