package hb

import "math/bits"

// serial is a queue that runs one action at a time.
type serial struct {
	// owner: the queue is one object for each run of it; process if it exists once.
	owner node
	all   row
	plain row // all causes are posts of a known delay, not at the front, each for one run
	front row // all causes are posts at the front, each for one run
}

// group sorts the actions by queue and by how they are posted.
func (c *closure) group() {
	c.serials = make([]*serial, len(c.m.Queues))
	c.origin, c.latest = make([]node, c.n), make([]int64, c.n)
	for n := node(c.comps + 1); int(n) < c.n; n++ {
		c.origin[n] = process
		if !c.oneAtATime(n, n, n) {
			continue
		}
		id := c.act(n).Queue
		s := c.serials[id]
		if s == nil {
			s = &serial{all: newRow(c.n), plain: newRow(c.n), front: newRow(c.n)}
			switch q := &c.m.Queues[id]; q.Scope {
			case ScopeInstance:
				s.owner = c.component(q.Component)
			case ScopeRun:
				s.owner = c.action(q.Owner)
			}
			c.serials[id] = s
		}
		s.all.set(n)
		c.sortByPosts(n, s)
	}
	c.overtaken = make([]bool, c.n)
	for n := node(c.comps + 1); int(n) < c.n; n++ {
		for _, e := range c.entries[n] {
			if s := c.serialOf(e.to); s != nil && !s.front.empty() {
				c.overtaken[n] = true
			}
		}
	}
}

func (c *closure) sortByPosts(n node, s *serial) {
	plain, front := len(c.causes[n]) > 0, len(c.causes[n]) > 0
	for i, ca := range c.causes[n] {
		if ca.point == 0 {
			return
		}
		p := &c.m.Points[ca.point]
		posts := p.Kind == Post && !p.Repeat
		plain = plain && posts && !p.Front && p.Delay.Known
		front = front && posts && p.Front
		if i == 0 {
			c.origin[n], c.latest[n] = ca.from, p.Delay.MS
		}
		if c.origin[n] != ca.from {
			c.origin[n] = process
		}
		c.latest[n] = max(c.latest[n], p.Delay.MS)
	}
	if plain {
		s.plain.set(n)
	}
	if front {
		s.front.set(n)
	}
}

// serialOf is the queue of n if it runs one at a time, else nil.
func (c *closure) serialOf(n node) *serial {
	if !c.isAction(n) {
		return nil
	}
	if q := c.act(n).Queue; q > 0 && int(q) < len(c.serials) {
		return c.serials[q]
	}
	return nil
}

// cover finds the a such that each cause of b, in its own way, comes after a:
// then so does b. For a cycle of actions that cause each other, the causes that
// enter it count: the first run in the cycle comes after a, and so do those it
// leads to. It takes all a at once; covered says the same of one.
func (c *closure) cover(b node) (grew bool) {
	if len(c.entries[b]) == 0 {
		return false
	}
	for i := range c.whole { // a run of b causes no run before it
		w := ^(c.below[b][i] | c.succ[starts][b][i] | c.pred[ends][b][i])
		c.whole[i], c.begun[i] = w, w
	}
	for _, e := range c.entries[b] {
		c.coverBy(b, e)
		left := uint64(0)
		for i := range c.whole {
			c.whole[i] &= c.someWhole[i]
			c.begun[i] &= c.someBegun[i]
			left |= c.begun[i]
		}
		if left == 0 {
			return false
		}
	}
	if len(c.entries[b]) == 1 {
		c.asked.set(b)
	}
	for i := range c.begun {
		c.begun[i] &^= c.whole[i]
	}
	grew = c.precede(b, c.whole, nil, fact{kind: ends, rule: ruleCauses})
	return c.precede(b, c.begun, nil, fact{kind: starts, rule: ruleCauses}) || grew
}

// coverBy finds, among the candidates in begun, the a that are before the run of
// entry e, for all runs of a and b.
func (c *closure) coverBy(b node, e entry) {
	q := e.from
	w := c.common(b, q)
	// a and b share the run of a node that dominates b. If that lies below w,
	// they share more than either does with q.
	closer, again := c.belowToward(w, b), c.below.at(c.again(w, q))
	if e.point == 0 {
		// The platform starts this chain; only an order of a before the node
		// itself would help, and that one is found as such.
		clear(c.someWhole)
		if e.to != b {
			u := c.common(b, e.to)
			c.within(c.someWhole, c.pred[ends][e.to], c.belowToward(u, b), c.below.at(c.again(u, e.to)))
			c.within(c.someWhole, c.someWhole, closer, nil)
		}
		copy(c.someBegun, c.someWhole)
		return
	}
	c.within(c.through, c.pred[ends][q], closer, again)
	c.within(c.someBegun, c.pred[starts][q], closer, again)
	for i, r := range c.through {
		c.someWhole[i] = r & c.begun[i]
	}
	p := &c.m.Points[e.point]
	if c.single(q, w) {
		c.someBegun.set(q)
		if p.AtEnd && c.begun.has(q) {
			c.someWhole.set(q)
		}
	}
	c.joinedFirst(b, e)
	if s := c.serialOf(e.to); s != nil && p.Kind == Post && c.dom(s.owner, b) {
		c.postedFirst(b, e, s, closer)
	}
	for i, r := range c.someWhole {
		c.someBegun[i] |= r
	}
}

// belowToward is what lies below w, on b's side; w dominates b.
func (c *closure) belowToward(w, b node) row {
	if w == b {
		return nil
	}
	return c.below[c.toward(w, b)]
}

// at is the row of n, nil for the process.
func (m matrix) at(n node) row {
	if n == process {
		return nil
	}
	return m[n]
}

// within sets out to what is in from, but not in b or c, either of which may be nil.
func (*closure) within(out, from, b, c row) {
	copy(out, from)
	if b != nil {
		out.andNot(b)
	}
	if c != nil {
		out.andNot(c)
	}
}

// joinedFirst finds what the run of entry e has joined before its post.
func (c *closure) joinedFirst(b node, e entry) {
	for _, j := range c.joins[e.from] {
		for _, id := range c.m.Points[j].Targets {
			if a := c.action(id); a != process && c.begun.has(a) && !c.someWhole.has(a) &&
				c.joinedAt(a, e.from, c.m.Points[e.point].Site, c.common(a, b)) != 0 {
				c.someWhole.set(a)
			}
		}
	}
}

// postedFirst finds what is before the run of entry e by their common queue.
// If all that can have posted a comes before the post, through, then a is
// posted first. Else the points must tell, which only those of the run that
// posts, of the runs it descends from, and what it joins can.
func (c *closure) postedFirst(b node, e entry, s *serial, closer row) {
	t := &c.m.Points[e.point]
	loose, asked := c.queue(e.to).NoFIFO, c.asked.has(b) && len(c.joins[e.from]) == 0
	for i := range c.someWhole {
		left := c.begun[i] & c.below[s.owner][i] &^ c.someWhole[i]
		if closer != nil {
			left &^= closer[i]
		}
		for w := left & s.plain[i]; w != 0 && !t.Front && t.Delay.Known; w &= w - 1 {
			a := node(i<<6 + bits.TrailingZeros64(w))
			if d := c.latest[a]; d > t.Delay.MS || loose && d == t.Delay.MS || c.dom(a, e.to) {
				continue
			}
			o := c.origin[a]
			switch {
			case o != process && c.through.has(o):
				c.someWhole.set(a)
			case asked && o != process: // the points say what they said before
			case c.mayPrecede(a, e.from) && c.queueOrder(a, e, c.common(a, b)) != 0:
				c.someWhole.set(a)
			}
		}
		for w := left & s.front[i]; w != 0; w &= w - 1 {
			a := node(i<<6 + bits.TrailingZeros64(w))
			if !c.someWhole.has(a) && c.frontOrder(a, e, c.common(a, b)) != 0 {
				c.someWhole.set(a)
			}
		}
	}
}

// mayPrecede: a look at the causes of a does not rule out that they all precede
// points of q.
func (c *closure) mayPrecede(a, q node) bool {
	if len(c.joins[q]) > 0 {
		return true
	}
	for _, ca := range c.causes[a] {
		if !c.pred[ends][q].has(ca.from) && !c.dom(ca.from, q) {
			return false
		}
	}
	return true
}
