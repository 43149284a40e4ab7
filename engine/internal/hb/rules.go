package hb

// rule names the reason of an order.
type rule uint8

const (
	ruleTransitive rule = iota + 1
	ruleInvocation
	ruleAtEnd
	ruleLooper
	ruleAutomaton
	ruleProcess
	ruleQueue
	ruleFront
	ruleJoin
	ruleCauses
	ruleCancel
	ruleJoined
)

var ruleNames = [...]string{
	ruleTransitive: "transitivity",
	ruleInvocation: "cause before run",
	ruleAtEnd:      "posted as its last step",
	ruleLooper:     "one looper runs one action at a time",
	ruleAutomaton:  "lifecycle",
	ruleProcess:    "process start",
	ruleQueue:      "first posted, first run",
	ruleFront:      "posted at the front",
	ruleJoin:       "joined before the post",
	ruleCauses:     "every cause is later",
	ruleCancel:     "runs only before its cancellation",
	ruleJoined:     "joined",
}

func (r rule) String() string { return ruleNames[r] }

// seed finds the orders that rest on no other order.
func (c *closure) seed() {
	c.invocation()
	c.lifecycle()
	c.processStart()
}

// invocation: a run starts after the start of the run it descends from (SIERRA
// rule 1, CAFA's send rule; for register, CAFA's listener rule). The rest of
// the chain follows by transitivity.
func (c *closure) invocation() {
	for b := node(c.comps + 1); int(b) < c.n; b++ {
		a := c.idom[b]
		for a != process && !c.isAction(a) {
			a = c.idom[a]
		}
		if a == process {
			continue
		}
		var p PointID
		for _, ca := range c.causes[b] {
			if ca.from == a {
				p = ca.point
			}
		}
		c.add(fact{from: a, to: b, p: p, kind: starts, rule: ruleInvocation})
	}
}

// lifecycle: no walk of the automaton runs the first after the second (SIERRA
// rules 2 and 3: dominance of callbacks, GUI callbacks lie between the
// transitions of the states they need).
func (c *closure) lifecycle() {
	for comp := node(1); int(comp) <= c.comps; comp++ {
		w := c.walk[comp]
		if w == nil {
			continue
		}
		groups := c.alike(w, comp)
		for _, x := range groups {
			for _, y := range groups {
				if !w.precedes(x.callback, y.callback) {
					continue
				}
				for _, a := range x.actions {
					for _, b := range y.actions {
						c.deliver(a, b)
					}
				}
			}
		}
	}
}

// group is the actions whose callbacks sit at the same positions.
type group struct {
	callback int32
	actions  []node
}

func (c *closure) alike(w *walks, comp node) []group {
	var groups []group
	seen := map[string]int{}
	by := c.byCallback(comp)
	for _, cb := range sortedKeys(by) {
		key := w.key(cb)
		i, ok := seen[key]
		if !ok {
			i = len(groups)
			seen[key] = i
			groups = append(groups, group{callback: cb})
		}
		groups[i].actions = append(groups[i].actions, by[cb]...)
	}
	return groups
}

// deliver adds an order that the automaton keeps between a and b. A transition
// callback on a looper has returned before the next state is reached; what
// else runs off b's looper may still be running, or not have begun, when the
// platform has moved on.
func (c *closure) deliver(a, b node) {
	if k := c.act(a).Kind; c.oneAtATime(a, b, c.common(a, b)) || (k == KindLifecycle || k == KindProcess) && c.queue(a).Kind == QueueLooper {
		c.add(fact{from: a, to: b, kind: ends, rule: ruleAutomaton})
	}
}

// processStart: Application.onCreate and the providers' onCreate run before
// every platform callback on their looper. A binder thread may call a provider
// earlier, so other queues get only what follows from their own lifecycle.
func (c *closure) processStart() {
	for p := node(c.comps + 1); int(p) < c.n; p++ {
		if c.act(p).Kind != KindProcess || !c.once[p] {
			continue
		}
		for b := node(c.comps + 1); int(b) < c.n; b++ {
			switch c.act(b).Kind {
			case KindLifecycle, KindGUI, KindSystem:
				if c.platformOnly(b) && c.oneAtATime(p, b, process) {
					c.add(fact{from: p, to: b, kind: ends, rule: ruleProcess})
				}
			}
		}
	}
}

func (c *closure) platformOnly(n node) bool {
	for _, ca := range c.causes[n] {
		if ca.point != 0 {
			return false
		}
	}
	return true
}

// covers gives the reason for what cover finds of one a: each cause of b, in
// its own way, comes after a.
func (c *closure) covers(a, b node) (fact, bool) {
	k := ends
	first := fact{}
	for i, e := range c.entries[b] {
		f, ok := c.covered(a, b, e)
		if !ok {
			return fact{}, false
		}
		k = min(k, f.kind)
		if i == 0 {
			first = f
		}
	}
	if len(c.entries[b]) > 1 {
		first.rule, first.via = ruleCauses, 0
	}
	first.kind = k
	return first, len(c.entries[b]) > 0
}

// covered: related runs of a and of b, whose chain passes entry e, have a
// before e's run.
func (c *closure) covered(a, b node, e entry) (fact, bool) {
	w, q := c.common(a, b), e.from
	if !c.dom(w, q) {
		return fact{}, false
	}
	if e.point == 0 {
		// The platform starts this chain; only an order of a before the node
		// itself would help, and that one is found as such.
		if e.to != b && c.before(ends, a, e.to) && c.shares(a, e.to, w) {
			return fact{kind: ends, via: e.to}, true
		}
		return fact{}, false
	}
	p := &c.m.Points[e.point]
	if q == a && c.single(a, w) && p.AtEnd {
		return fact{kind: ends, rule: ruleAtEnd, p: e.point}, true
	}
	if c.before(ends, a, q) && c.shares(a, q, w) {
		return fact{kind: ends, rule: ruleTransitive, via: q, p: e.point}, true
	}
	if j := c.joinedAt(a, q, p.Site, w); j != 0 {
		return fact{kind: ends, rule: ruleJoin, p: j, q: e.point, via: q}, true
	}
	if p.Kind == Post && c.isAction(e.to) && c.oneAtATime(a, e.to, w) {
		if s := c.queueOrder(a, e, w); s != 0 {
			return fact{kind: ends, rule: ruleQueue, p: s, q: e.point}, true
		}
		if s := c.frontOrder(a, e, w); s != 0 {
			return fact{kind: ends, rule: ruleFront, p: s, q: e.point}, true
		}
	}
	if q == a && c.single(a, w) || c.before(starts, a, q) && c.shares(a, q, w) {
		return fact{kind: starts, rule: ruleInvocation, p: e.point}, true
	}
	return fact{}, false
}

// oneAtATime: runs of a and b that share the run of w execute on one looper or
// serial executor, so they do not overlap (CAFA's atomicity).
func (c *closure) oneAtATime(a, b, w node) bool {
	qa := c.queue(a)
	if qa != c.queue(b) || qa.Kind != QueueLooper && qa.Kind != QueueSerial {
		return false
	}
	switch qa.Scope {
	case ScopeProcess:
		return true
	case ScopeInstance:
		owner := c.component(qa.Component)
		return owner != process && c.dom(owner, w)
	case ScopeRun:
		owner := c.action(qa.Owner)
		return owner != process && c.dom(owner, w)
	}
	return false
}
