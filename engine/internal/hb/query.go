package hb

// Relation says which pairs of runs an order speaks of.
type Relation uint8

const (
	// SameCause: the runs share the run of their nearest common dominator in
	// the cause graph: the run this post started, the tasks of one click. If
	// one action dominates the other, its run is the cause of the other's. If
	// nothing nearer than the component instance (or the process) is common to
	// all their chains, these are any two runs of that instance (process).
	SameCause Relation = iota
	// SameInstance: any two runs within one component instance: different
	// clicks, a pause and a later resume. If the actions belong to different
	// components, or to none, any two runs of the process.
	SameInstance
	// OtherInstance: any two runs of the process, so in particular those of two
	// instances.
	OtherInstance
)

func (r Relation) String() string {
	return [...]string{"same cause", "same instance", "other instance"}[r]
}

// At is a site of an action.
type At struct {
	Action ActionID
	Site   Site
}

// Graph answers order queries. It is read-only and safe for concurrent use.
type Graph struct {
	m     *Model
	c     *closure
	o     *orders
	x     explainer
	alike []int32 // see Alike
}

// Build computes the graph of m, which must not change afterwards. Points and
// queues that do not exist are ignored; see Model.Check.
func Build(m *Model) *Graph {
	c := newClosure(newTree(m))
	c.run()
	g := &Graph{m: m, c: c}
	g.alike = g.findAlike()
	c.finish()
	g.o = newOrders(c.tree)
	return g
}

// sharedRun is the node whose run any two runs related by rel are known to
// share: the deepest that the relation promises.
func (g *Graph) sharedRun(a, b node, rel Relation) node {
	c := g.c
	switch rel {
	case SameCause:
		return c.common(a, b)
	case SameInstance:
		if c.home[a] == c.home[b] {
			return c.home[a]
		}
	}
	return process
}

// Before: in every execution every run of a has ended before any run of b
// starts, for runs related by rel.
func (g *Graph) Before(a, b ActionID, rel Relation) bool {
	x, y := g.c.action(a), g.c.action(b)
	if x == process || y == process || x == y || !g.c.before(ends, x, y) {
		return false
	}
	return g.c.shares(x, y, g.sharedRun(x, y, rel))
}

// PointBefore: every execution of site a precedes every execution of site b,
// for runs related by rel. For a.Action == b.Action the relation SameCause
// means one run. A site that is a post itself counts as before what it posts.
func (g *Graph) PointBefore(a, b At, rel Relation) bool {
	x, y := g.c.action(a.Action), g.c.action(b.Action)
	return x != process && y != process && g.pointBefore(x, y, a.Site, b.Site, g.sharedRun(x, y, rel)) != NoReason
}

// pointBefore is the rule by which site p of x comes before site q of y in runs
// that share the run of w.
func (g *Graph) pointBefore(x, y node, p, q Site, w node) Reason {
	c := g.c
	switch {
	case x == y:
		if c.single(x, w) && c.inOrder(x, p, q) {
			return BySites
		}
	case c.before(ends, x, y) && c.shares(x, y, w):
		return ByRuns
	case c.dom(x, y) && c.single(x, w) && c.leadsTo(x, p, y):
		return ByCause
	case c.joinedAt(x, y, q, w) != 0, c.endsByJoin(x, y, q, w):
		return ByJoin
	}
	return NoReason
}

// leadsTo is beforeExits for an access, which may lie at the post itself: its
// operands are read before it posts.
func (c *closure) leadsTo(p node, x Site, q node) bool {
	if c.beforeExits(p, x, q) {
		return true
	}
	exits := c.exits(p, q)
	return c.intra != nil && len(exits) == 1 && exits[0] != 0 && c.m.Points[exits[0]].Site == x &&
		!c.intra.MayPrecede(c.id(p), x, x)
}

// endsByJoin: a ended before the start of something that b has joined.
func (c *closure) endsByJoin(a, b node, y Site, w node) bool {
	for _, j := range c.joins[b] {
		for _, id := range c.m.Points[j].Targets {
			t := c.action(id)
			if t != process && c.before(ends, a, t) && c.shares(a, t, w) &&
				(c.sure[b].has(t) || c.sure[a].has(t)) && c.dom(b, t) && c.joinedAt(t, b, y, w) != 0 {
				return true
			}
		}
	}
	return false
}

// SameLooper: related runs of a and b run on one looper or serial executor, so
// one of them runs whole before the other.
func (g *Graph) SameLooper(a, b ActionID, rel Relation) bool {
	x, y := g.c.action(a), g.c.action(b)
	return x != process && y != process && g.c.oneAtATime(x, y, g.sharedRun(x, y, rel))
}

// Overlap: related runs of a and b may execute at the same time: they are on
// different or unknown threads and nothing orders them.
func (g *Graph) Overlap(a, b ActionID, rel Relation) bool {
	x, y := g.c.action(a), g.c.action(b)
	if x == process || y == process {
		return true
	}
	if x == y && g.c.single(x, g.sharedRun(x, y, rel)) {
		return false
	}
	return !g.SameLooper(a, b, rel) && !g.Before(a, b, rel) && !g.Before(b, a, rel)
}

// Edges counts the orders found between actions of one cause.
func (g *Graph) Edges() int {
	n := 0
	for _, r := range g.c.succ[ends] {
		n += r.count()
	}
	return n
}

// Sited reports whether an order of a and b may depend on where in them the
// accesses lie: one causes the other, or one waits for an end or at a gate, or
// opens one.
func (g *Graph) Sited(a, b ActionID) bool {
	x, y := g.c.action(a), g.c.action(b)
	if x == process || y == process {
		return false
	}
	return g.c.dom(x, y) || g.c.dom(y, x) || len(g.c.joins[x]) > 0 || len(g.c.joins[y]) > 0 ||
		g.o.gated[a] || g.o.gated[b]
}
