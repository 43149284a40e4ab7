package hb



// kind of an order: both end at the start of the second run.
type kind uint8

const (
	starts kind = iota // the first run has started
	ends               // the first run has ended
)

// fact is one order with the reason it was found first. Its premises are
// earlier facts, so explanations end.
type fact struct {
	from, to node
	via      node    // transitivity: the middle; other rules: an action of the premise
	p, q     PointID // the points the rule looked at
	kind     kind
	rule     rule
}

// closure grows the facts to their fixed point.
type closure struct {
	*tree
	intra Intra
	facts []fact
	done  int
	// succ[k][a] holds b if a is before b by kind k; ends implies starts.
	succ, pred [2]matrix
	ran        matrix // ran[a]: actions that have started if a has
	sure       matrix // sure[a]: actions that ran or will run if a ran
	sureOf     matrix // its transpose
	posted     [][]PointID
	cancels    [][]PointID
	joins      [][]PointID
	byTarget   map[node][]PointID // Join points by target
	members    map[int32][]node   // actions of each part of the cause graph
}

func newClosure(t *tree) *closure {
	c := &closure{tree: t, intra: t.m.Intra, byTarget: map[node][]PointID{}}
	for k := range c.succ {
		c.succ[k], c.pred[k] = newMatrix(t.n), newMatrix(t.n)
	}
	c.posted = make([][]PointID, t.n)
	c.cancels = make([][]PointID, t.n)
	c.joins = make([][]PointID, t.n)
	for i := 1; i < len(t.m.Points); i++ {
		p := &t.m.Points[i]
		n := t.action(p.Action)
		if n == process {
			continue
		}
		switch p.Kind {
		case Post, Start, Register:
			c.posted[n] = append(c.posted[n], PointID(i))
		case Cancel, Unregister:
			c.cancels[n] = append(c.cancels[n], PointID(i))
		case Join:
			if len(p.Targets) == 1 || p.All {
				c.joins[n] = append(c.joins[n], PointID(i))
				for _, id := range p.Targets {
					c.byTarget[t.action(id)] = append(c.byTarget[t.action(id)], PointID(i))
				}
			}
		}
	}
	c.guarantee()
	return c
}

func (c *closure) before(k kind, a, b node) bool { return c.succ[k][a].has(b) }

// add records a fact. A fact against one that stands means that the two never
// both run; the first one found stays, so that the order is strict.
func (c *closure) add(f fact) {
	if f.from == f.to || c.succ[f.kind][f.from].has(f.to) || c.succ[starts][f.to].has(f.from) {
		return
	}
	for k := starts; k <= f.kind; k++ {
		c.succ[k][f.from].set(f.to)
		c.pred[k][f.to].set(f.from)
	}
	c.facts = append(c.facts, f)
}

func (c *closure) run() {
	c.seed()
	for ; c.done < len(c.facts); c.done++ {
		f := c.facts[c.done]
		c.transit(f)
		c.apply(f)
	}
}

// transit composes f with what is known. The first part decides the kind: what
// comes before the start of a middle run comes before all that follows it.
func (c *closure) transit(f fact) {
	x, y := f.from, f.to
	next := c.succ[starts][y]
	surely := c.sure[x].has(y)
	mask := c.sureOf[y]
	for i, w := range next {
		if !surely {
			w &= mask[i]
		}
		rest := w &^ c.succ[f.kind][x][i]
		row{rest}.each(func(b node) {
			z := node(i<<6) + b
			if c.middle(x, y, z) {
				c.add(fact{from: x, to: z, via: y, kind: f.kind, rule: ruleTransitive})
			}
		})
	}
	surely = c.sure[y].has(x)
	mask = c.sureOf[x]
	for k := ends; ; k-- {
		for i, w := range c.pred[k][x] {
			if !surely {
				w &= mask[i]
			}
			rest := w &^ c.pred[k][y][i]
			row{rest}.each(func(b node) {
				u := node(i<<6) + b
				if c.middle(u, x, y) {
					c.add(fact{from: u, to: y, via: x, kind: k, rule: ruleTransitive})
				}
			})
		}
		if k == starts {
			break
		}
	}
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

// guarantee fills sure: the greatest fixed point over causes, as dominators,
// started from what each automaton forces; then posts that must execute.
func (c *closure) guarantee() {
	n := c.n
	c.sure, c.sureOf = newMatrix(n), newMatrix(n)
	base := c.forced()
	for i := range c.sure {
		for j := range c.sure[i] {
			c.sure[i][j] = ^uint64(0)
		}
	}
	clear(c.sure[process])
	c.sure[process].set(process)
	order, _ := c.postorder()
	next := newRow(n)
	for changed := true; changed; {
		changed = false
		for i := len(order) - 2; i >= 0; i-- {
			x := order[i]
			for j := range next {
				next[j] = ^uint64(0)
				for _, ca := range c.causes[x] {
					next[j] &= c.sure[ca.from][j]
				}
			}
			if base[x] != nil {
				next.or(base[x])
			}
			next.set(x)
			for j := range next {
				if next[j] != c.sure[x][j] {
					c.sure[x][j] = next[j]
					changed = true
				}
			}
		}
	}
	c.ran = newMatrix(n)
	for x := range c.sure {
		copy(c.ran[x], c.sure[x])
	}
	c.expectPosts()
	for x := range c.sure {
		c.sure[x].each(func(y node) { c.sureOf[y].set(node(x)) })
	}
}

// forced lists for each automaton callback the lifecycle actions that every
// walk to it has run.
func (c *closure) forced() []row {
	base := make([]row, c.n)
	for comp := node(1); int(comp) <= c.comps; comp++ {
		w := c.walk[comp]
		if w == nil {
			continue
		}
		by := c.byCallback(comp)
		for x, as := range by {
			if len(as) != 1 || c.act(as[0]).Kind != KindLifecycle {
				continue
			}
			for y := range w.after(x) {
				for _, b := range by[y] {
					if base[b] == nil {
						base[b] = newRow(c.n)
					}
					base[b].set(as[0])
				}
			}
		}
	}
	return base
}

// byCallback groups the actions of a component by callback.
func (c *closure) byCallback(comp node) map[int32][]node {
	by := map[int32][]node{}
	for n := node(c.comps + 1); int(n) < c.n; n++ {
		if a := c.act(n); c.component(a.Component) == comp && a.Callback >= 0 {
			by[a.Callback] = append(by[a.Callback], n)
		}
	}
	return by
}

// expectPosts adds what a guaranteed run is sure to post: on a lasting queue or
// a fresh thread, with nothing that could cancel it.
func (c *closure) expectPosts() {
	canceled := newRow(c.n)
	for _, ps := range c.cancels {
		for _, p := range ps {
			for _, id := range c.m.Points[p].Targets {
				canceled.set(c.action(id))
			}
		}
	}
	expect := make([][]node, c.n)
	for x, ps := range c.posted {
		for _, id := range ps {
			p := &c.m.Points[id]
			if !p.Must || len(p.Targets) != 1 || p.Kind == Register {
				continue
			}
			y := c.action(p.Targets[0])
			if q := c.queue(y); !canceled.has(y) && (q.Lasting || q.Kind == QueueThread) {
				expect[x] = append(expect[x], y)
			}
		}
	}
	for x := range c.sure {
		r := c.sure[x]
		old := append(row(nil), r...)
		old.each(func(d node) {
			for _, y := range expect[d] {
				r.set(y)
			}
		})
	}
}

var noQueue Queue

func (c *closure) queue(n node) *Queue {
	if n == process || !c.isAction(n) {
		return &noQueue
	}
	if q := c.act(n).Queue; q > 0 && int(q) < len(c.m.Queues) {
		return &c.m.Queues[q]
	}
	return &noQueue
}
