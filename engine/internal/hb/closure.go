package hb

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"
)

// kind of an order: both end at the start of the second run.
type kind uint8

const (
	starts kind = iota // the first run has started
	ends               // the first run has ended
)

// closure grows the orders to their fixed point.
type closure struct {
	*tree
	intra Intra
	// succ[k][a] holds b if a is before b by kind k; ends implies starts.
	succ, pred [2]matrix
	ran        matrix // ran[a]: actions that have started if a has
	sure       matrix // sure[a]: actions that ran or will run if a ran
	below      matrix // below[a]: what a dominates, and a
	posted     [][]PointID
	cancels    [][]PointID
	joins      [][]PointID
	byTarget   map[node][]PointID // Join points by target
	serials    []*serial          // by queue
	origin     []node             // the only action that causes it, if all its causes are plain posts
	latest     []int64            // the longest delay of a plain post that causes it
	overtaken  []bool             // what is posted at the front may come before it

	steady steady
	led    []row // see lead

	grown   [2]row     // by side: nodes whose row or column has grown in this round
	counts  [2][]int32 // by side: orders of each node
	journal *journal   // nil unless someone asks why

	asked row // actions with one entry that cover has looked at

	order []node // scratch, as what follows

	todo, done, whole, begun, someWhole, someBegun, through row
}

// Sides of a node: its row holds what is after it, its column what is before.
const (
	rows = iota
	columns
)

func newClosure(t *tree) *closure {
	c := &closure{tree: t, intra: t.m.Intra, byTarget: map[node][]PointID{}}
	for k := range c.succ {
		c.succ[k], c.pred[k] = newMatrix(t.n), newMatrix(t.n)
		c.grown[k], c.counts[k] = newRow(t.n), make([]int32, t.n)
	}
	for _, r := range []*row{&c.todo, &c.done, &c.whole, &c.begun, &c.someWhole, &c.someBegun, &c.through, &c.asked} {
		*r = newRow(t.n)
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
	c.below = newMatrix(t.n)
	for i := len(t.down) - 1; i >= 0; i-- {
		n := t.down[i]
		c.below[n].set(n)
		if n != process {
			c.below[t.idom[n]].or(c.below[n])
		}
	}
	c.guarantee()
	c.group()
	return c
}

func (c *closure) before(k kind, a, b node) bool { return c.succ[k][a].has(b) }

// run finds all orders: what rests on no other, then columns (what is before an
// action) along the causes and rows (what is after it) against them, as long as
// something that they are made from has grown.
func (c *closure) run() {
	c.seed()
	all := newRow(c.n)
	for i := range all {
		all[i] = ^uint64(0)
	}
	last := [2]row{all, all}
	for {
		for _, z := range c.down {
			if c.isAction(z) && c.stale(z, last[columns]) {
				c.column(z)
			}
		}
		for i := len(c.down) - 1; i >= 0; i-- {
			if x := c.down[i]; c.isAction(x) {
				c.passUp(x, last[rows])
			}
		}
		c.cancelled()
		c.joined()
		if c.grown[rows].empty() {
			return
		}
		last = c.grown
		c.grown = [2]row{newRow(c.n), newRow(c.n)}
	}
}

// finish makes what queries read and drops what only finds orders.
func (c *closure) finish() {
	c.pred[starts] = nil
	c.keepCauseOrder()
	c.lead()
	c.pred, c.below, c.serials = [2]matrix{}, nil, nil
	c.origin, c.latest, c.overtaken = nil, nil, nil
	c.todo, c.done, c.whole, c.begun, c.someWhole, c.someBegun, c.through, c.asked = nil, nil, nil, nil, nil, nil, nil, nil
}

// stale: something that the column of z is made from has grown, in the last
// round or in this one.
func (c *closure) stale(z node, last row) bool {
	now := c.grown[columns]
	fresh := func(n node) bool { return last.has(n) || now.has(n) }
	if fresh(z) || c.overtaken[z] {
		return true
	}
	for i, w := range c.pred[starts][z] {
		if w&c.sure[z][i]&(last[i]|now[i]) != 0 {
			return true
		}
	}
	for _, e := range c.entries[z] {
		if fresh(e.from) || fresh(e.to) {
			return true
		}
	}
	return false
}

// column finds what is before z.
func (c *closure) column(z node) {
	c.passDown(z)
	c.serialize(z)
	if c.cover(z) {
		c.passDown(z)
		c.serialize(z)
	}
}

// add records one order. An order against one that stands means that the two
// never both run; the first one found stays, so that the relation is strict.
func (c *closure) add(f fact) {
	if f.from != f.to && !c.succ[f.kind][f.from].has(f.to) && !c.succ[starts][f.to].has(f.from) {
		c.put(f.from, f.to, f)
	}
}

func (c *closure) put(x, z node, f fact) {
	if c.journal != nil {
		c.journal.note(c.reason(x, z, f))
	}
	if !c.succ[starts][x].has(z) {
		c.counts[rows][x]++
		c.counts[columns][z]++
	}
	for k := starts; k <= f.kind; k++ {
		c.succ[k][x].set(z)
		c.pred[k][z].set(x)
	}
	c.grown[rows].set(x)
	c.grown[columns].set(z)
}

// precede adds the orders of those in from, but not in but, before z; see add.
func (c *closure) precede(z node, from, but row, f fact) (grew bool) {
	have, against := c.pred[f.kind][z], c.succ[starts][z]
	for i, w := range from {
		if w &^= have[i] | against[i]; w != 0 && but != nil {
			w &^= but[i]
		}
		for ; w != 0; w &= w - 1 {
			if x := node(i<<6 + bits.TrailingZeros64(w)); x != z {
				c.put(x, z, f)
				grew = true
			}
		}
	}
	return grew
}

// follow adds the orders of x before those in to, but not in but; see add.
func (c *closure) follow(x node, to, but row, f fact) (grew bool) {
	have, against := c.succ[f.kind][x], c.pred[starts][x]
	for i, w := range to {
		if w &^= have[i] | against[i]; w != 0 && but != nil {
			w &^= but[i]
		}
		for ; w != 0; w &= w - 1 {
			if z := node(i<<6 + bits.TrailingZeros64(w)); x != z {
				c.put(x, z, f)
				grew = true
			}
		}
	}
	return grew
}

// passDown: x < y and y < z give x < z if z's run is sure to have a run of y
// that is related to both. All x are taken at once. It shares with z's run what
// y and z can share, so x < y must hold for runs that share no more than that:
// it does, unless x and y have in common what z has not and what can run again
// meanwhile; those x lie below one node.
//
// A y before another such middle m is passed over: its row is in the row of m,
// if m passes on all it has and y and z share no more than y and m do.
func (c *closure) passDown(z node) {
	todo, done := c.todo, c.done
	clear(done)
	for {
		for i, w := range c.pred[starts][z] {
			todo[i] = w & c.sure[z][i] &^ done[i]
		}
		if todo.empty() {
			return
		}
		for y := range c.mostFirst(todo, columns) {
			done.set(y)
			w := c.common(y, z)
			var but row
			if again := c.again(w, y); again != process {
				but = c.below[again]
			}
			f := fact{via: y, rule: ruleTransitive, kind: ends}
			c.precede(z, c.pred[ends][y], but, f)
			f.kind = starts
			c.precede(z, c.pred[starts][y], but, f)
			if but == nil && w != z {
				c.passed(todo, done, c.sure[y], c.pred[starts][y], c.below[c.toward(w, z)])
			}
		}
	}
}

// passUp is passDown from the other side: x's run is sure to have a run of y.
func (c *closure) passUp(x node, last row) {
	fresh := last.has(x) || c.grown[rows].has(x)
	for i, w := range c.succ[starts][x] {
		fresh = fresh || w&c.sure[x][i]&(last[i]|c.grown[rows][i]) != 0
	}
	if !fresh {
		return
	}
	todo, done := c.todo, c.done
	for k := ends; ; k-- {
		clear(done)
		for {
			for i, w := range c.succ[k][x] {
				todo[i] = w & c.sure[x][i] &^ done[i]
			}
			if k == starts {
				todo.andNot(c.succ[ends][x])
			}
			if todo.empty() {
				break
			}
			for y := range c.mostFirst(todo, rows) {
				done.set(y)
				w := c.common(x, y)
				var but row
				if again := c.again(w, y); again != process {
					but = c.below[again]
				}
				c.follow(x, c.succ[starts][y], but, fact{via: y, rule: ruleTransitive, kind: k})
				if but == nil && w != x {
					c.passed(todo, done, c.sure[y], c.succ[starts][y], c.below[c.toward(w, x)])
				}
			}
		}
		if k == starts {
			return
		}
	}
}

// passed takes what is in both a and b, but not in but, off the middles to do.
func (c *closure) passed(todo, done, a, b, but row) {
	for i := range todo {
		w := a[i] & b[i] &^ but[i]
		todo[i] &^= w
		done[i] |= w
	}
}

// mostFirst visits the members by their number of orders, taking each off; those
// taken off meanwhile are not visited. The first alone often leaves few others.
func (c *closure) mostFirst(r row, side int) iter.Seq[node] {
	count := c.counts[side]
	return func(yield func(node) bool) {
		first := process
		r.each(func(n node) {
			if first == process || count[n] > count[first] {
				first = n
			}
		})
		r.unset(first)
		if !yield(first) {
			return
		}
		c.order = c.order[:0]
		r.each(func(n node) { c.order = append(c.order, n) })
		slices.SortFunc(c.order, func(a, b node) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) })
		for _, n := range c.order {
			if r.has(n) {
				r.unset(n)
				if !yield(n) {
					return
				}
			}
		}
	}
}

// serialize: what has started before z and runs one at a time with it has also
// ended before z.
func (c *closure) serialize(z node) {
	s := c.serialOf(z)
	if s == nil || !c.dom(s.owner, z) {
		return
	}
	for i, w := range c.pred[starts][z] {
		for w &= s.all[i] & c.below[s.owner][i] &^ c.pred[ends][z][i]; w != 0; w &= w - 1 {
			c.put(node(i<<6+bits.TrailingZeros64(w)), z, fact{kind: ends, rule: ruleLooper})
		}
	}
}

// guarantee fills sure: the greatest fixed point over causes, as dominators,
// started from what each automaton forces; then posts that must execute.
func (c *closure) guarantee() {
	n := c.n
	c.sure = newMatrix(n)
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
