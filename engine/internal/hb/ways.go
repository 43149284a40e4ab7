package hb

import "slices"

// ways are the nearest ways from the start of the process to each action, by
// causes and automata alone: those of a game without queues, loopers and
// cancellations, in which each component has one instance.
type ways struct {
	cost []int32 // steps, the run itself counted; far if there is none
	by   []node  // the action that causes it on the way; process: the platform does
}

// newWays finds the ways, nearest first.
func (s *Searcher) newWays() ways {
	c := s.c
	w := ways{cost: make([]int32, c.n), by: make([]node, c.n)}
	for n := range w.cost {
		w.cost[n] = far
	}
	var next [][]node // by cost
	lower := func(n node, cost int32, by node) {
		if cost >= w.cost[n] {
			return
		}
		w.cost[n], w.by[n] = cost, by
		for int(cost) >= len(next) {
			next = append(next, nil)
		}
		next[cost] = append(next[cost], n)
	}
	makes := make([][]node, c.n)    // components that an action creates
	platform := make([][]node, c.n) // actions of a component that the platform runs
	for n := node(1); int(n) < c.n; n++ {
		if !c.isAction(n) {
			if c.causes[n][0].point == 0 {
				lower(n, 0, process)
			}
			for _, ca := range c.causes[n] {
				makes[ca.from] = append(makes[ca.from], n)
			}
		} else if s.rooted(n) {
			comp := c.component(c.act(n).Component)
			platform[comp] = append(platform[comp], n)
		}
	}
	for _, n := range platform[process] {
		lower(n, 1, process)
	}
	for cost := int32(0); int(cost) < len(next); cost++ {
		for k := 0; k < len(next[cost]); k++ {
			n := next[cost][k]
			if w.cost[n] < cost {
				continue
			}
			if !c.isAction(n) {
				for _, a := range platform[n] {
					lower(a, cost+s.within(n, a), process)
				}
				continue
			}
			for _, e := range s.arms(n) {
				lower(e.to, cost+1, n)
			}
			for _, comp := range makes[n] {
				lower(comp, cost+1, n)
			}
		}
	}
	return w
}

// within are the steps from the start of a component to the first run of n that
// the platform decides.
func (s *Searcher) within(comp, n node) int32 {
	p := s.playFor(comp)
	if p == nil {
		return 1
	}
	known := s.positions(n)
	if len(known) == 0 {
		return 2 // at any time after the first step
	}
	least := int32(far)
	for _, x := range known {
		if x.tr < 0 {
			least = min(least, p.level[x.from]+1)
		}
	}
	for at, steps := range p.steps {
		for _, e := range steps {
			if slices.Contains(e.acts, n) {
				least = min(least, p.level[at]+1)
			}
		}
	}
	return least
}

// edge is a step of a play: the actions of one callback, or none.
type edge struct {
	acts []node
	to   int32
}

// walkable fills in the usual steps of a play and how far its states are from the start.
func (p *play) walkable() {
	states := len(p.auto.States) + len(p.mids)
	p.steps, p.level = make([][]edge, states), make([]int32, states)
	for tr, t := range p.auto.Transitions {
		if p.auto.valid(t.From) && p.auto.valid(t.To) && !t.Rare {
			p.steps[t.From] = append(p.steps[t.From], p.edge(midway{tr, 0}))
		}
	}
	for k, mid := range p.mids {
		p.steps[len(p.auto.States)+k] = []edge{p.edge(mid)}
	}
	for at := range p.level {
		p.level[at] = far
	}
	p.level[p.auto.Init] = 0
	for queue := []int32{p.auto.Init}; len(queue) > 0; queue = queue[1:] {
		for _, e := range p.steps[queue[0]] {
			if p.level[e.to] == far {
				p.level[e.to] = p.level[queue[0]] + 1
				queue = append(queue, e.to)
			}
		}
	}
}

// edge is the next callback that has actions.
func (p *play) edge(at midway) edge {
	t := &p.auto.Transitions[at.tr]
	for at.k < len(t.Callbacks) && len(p.calls[t.Callbacks[at.k]]) == 0 {
		at.k++
	}
	switch {
	case at.k == len(t.Callbacks):
		return edge{to: t.To}
	case at.k+1 == len(t.Callbacks):
		return edge{p.calls[t.Callbacks[at.k]], t.To}
	}
	return edge{p.calls[t.Callbacks[at.k]], p.first[at.tr] + int32(at.k) + 1}
}

// passing: instances usually leave the state, or what follows inside of a transition to it, in
// the run in which they enter it.
func (p *play) passing(at int32) bool { return slices.Contains(p.auto.Passing, at) }

// toward is the first step of the shortest walk from a state whose last step is as wanted, and
// whether that is the last one; nil if there is no such walk.
func (p *play) toward(at int32, wanted func(*edge) bool) (first *edge, last bool) {
	if p.seen == nil {
		p.seen = newRow(len(p.steps))
	}
	clear(p.seen)
	p.legs = append(p.legs[:0], leg{to: at})
	for i := 0; i < len(p.legs); i++ {
		from := p.legs[i]
		for k := range p.steps[from.to] {
			e := &p.steps[from.to][k]
			first := from.first
			if first == nil {
				first = e
			}
			if wanted(e) {
				return first, i == 0
			}
			if !p.seen.has(node(e.to)) {
				p.seen.set(node(e.to))
				p.legs = append(p.legs, leg{e.to, first})
			}
		}
	}
	return nil, false
}

// shortest is that walk, nil if there is none.
func (p *play) shortest(at int32, wanted func(*edge) bool) (walk []edge) {
	for {
		first, last := p.toward(at, wanted)
		if first == nil {
			return nil
		}
		if walk = append(walk, *first); last {
			return walk
		}
		at = first.to
	}
}

// leg is a state on a walk and the first step of the walk.
type leg struct {
	to    int32
	first *edge
}
