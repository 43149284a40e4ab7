package hb

import "slices"

// scene is what one search plays in: the actions that can run in it and all that
// can be armed, numbered densely, with what they do to each other as bit rows.
type scene struct {
	*Searcher
	q      *Question
	goal   goal
	coarse bool
	free   int32 // -1: none
	use    int32
	plays  []*play // of the components of free and use
	cast   []node  // by number
	roles  []role
	items  []item
	holds  row           // items that hold from the start
	starts []int32       // items of what runs at the start of the process
	roots  []int32       // run by the platform, outside of transitions
	calls  [][][][]int32 // by play, transition and callback: the actions to run
	busy   [][]row       // by play and transition: what cannot run during it
	needs  []int32       // by play: the item without which it is not created, or -1
	causes [2]row        // what can lead to the goal, while the value is not what it reads, and when it is
	dist   distances
	apart  bool  // the use or another run of the free may come while the free runs
	valued int32 // the item of valuation 0, if there is a guard
}

// role is an action of a scene.
type role struct {
	writes bool // a live value
	must   bool // in every run
	split  bool // its posts and its access are two steps
	mapped bool // its play's automaton says when it may come
	play   int32
	when   row      // states of the play in which it may come; nil for all
	arms   []arming // in the order of its points
	made   []int32  // items of the components that it makes
	closes int32    // item that holds until it has run, if it cancels for good
	until  []int32  // items that must hold for it to be armed
	begun  int32    // item of its begun runs, if split
	drops  row      // items that are over when it runs; nil: see acting
	shakes row      // items that may be over when it runs
	held   row      // items whose sure runs come before its next run
	change *Change  // see Guard; nil for none
}

// arming of an item by a run. late: behind the access of a split run.
type arming struct {
	item int32
	late bool
}

// scene sets the stage for one goal.
func (s *Searcher) scene(q *Question, l goal) *scene {
	c := s.c
	sc := &scene{Searcher: s, q: q, goal: l, free: -1}
	sides := []node{c.action(q.Use)}
	if q.Free != 0 {
		sides = []node{c.action(q.Free), c.action(q.Use)}
	}
	involved := newRow(c.n)
	for _, n := range sides {
		if p := s.playOf(n); p != nil && !slices.Contains(sc.plays, p) {
			sc.plays = append(sc.plays, p)
		}
		involved.or(s.above(n))
	}
	writers := map[node]bool{}
	for _, w := range q.Writers {
		if n := c.action(w.Action); n != process {
			writers[n] = writers[n] || w.Must
			if w.Must || l == goalLive { // else it changes nothing that the goal reads
				involved.or(s.above(n))
			}
		}
	}
	changes := s.changes(q.Guard)
	for n := range changes {
		involved.or(s.above(n))
	}
	all := slices.Clone(involved)
	for _, p := range sc.plays {
		for _, n := range p.all {
			all.set(n)
		}
	}
	all.each(func(n node) {
		if c.isAction(n) {
			s.dense[n] = int32(len(sc.cast))
			sc.cast = append(sc.cast, n)
		}
	})
	sc.use = s.dense[c.action(q.Use)]
	if q.Free != 0 {
		sc.free = s.dense[sides[0]]
		sc.apart = !s.serial.has(sides[0], sides[0]) || !s.serial.has(sides[0], sides[1])
	}
	sc.add(item{kind: itemValue, act: -1})
	if q.Guard != nil {
		sc.valued = int32(len(sc.items))
		for range q.Guard.Size {
			sc.add(item{kind: itemValuation, act: -1})
		}
	}
	sc.actors(sides, writers, involved)
	for n, c := range changes {
		sc.roles[s.dense[n]].change = c
	}
	sc.points(involved)
	sc.closing()
	sc.open()
	sc.occupy()
	sc.lead(sides, writers)
	sc.lookAhead()
	return sc
}

// actors fills in what is known of each action by itself.
func (sc *scene) actors(sides []node, writers map[node]bool, involved row) {
	c := sc.c
	accesses := slices.Clone(sides)
	for _, w := range sc.q.Writers {
		if n := c.action(w.Action); n != process {
			accesses = append(accesses, n)
		}
	}
	sc.roles = make([]role, len(sc.cast))
	for i, n := range sc.cast {
		r := &sc.roles[i]
		r.closes, r.begun = -1, -1
		r.must, r.writes = writers[n], slices.Contains(accesses[len(sides):], n)
		sc.place(r, n)
		if !involved.has(n) {
			continue
		}
		// Else no other access can come while it runs.
		overlapped := slices.ContainsFunc(accesses, func(a node) bool { return !sc.serial.has(n, a) })
		if overlapped && len(c.posted[n]) > 0 && slices.Contains(accesses, n) {
			r.split, r.begun = true, sc.add(item{kind: itemBegun, act: int32(i), exact: slices.Contains(sides, n)})
		}
		switch {
		case !sc.rooted(n) || r.mapped && sc.onlyInTransitions(sc.plays[r.play], n):
		case sc.atStart(n):
			sc.starts = append(sc.starts, sc.add(item{kind: itemStart, act: int32(i), exact: true}))
		default:
			sc.roots = append(sc.roots, int32(i))
		}
	}
}

// place finds the states in which n may come. What its component's automaton
// does not know comes at any time after the start.
func (sc *scene) place(r *role, n node) {
	a := sc.c.act(n)
	r.play = int32(slices.IndexFunc(sc.plays, func(p *play) bool { return p.comp == sc.c.component(a.Component) }))
	if r.play < 0 {
		return
	}
	p := sc.plays[r.play]
	at := sc.c.walk[p.comp].at[a.Callback]
	r.mapped = len(at) > 0 && a.Callback >= 0
	r.when = newRow(len(p.auto.States) + len(p.mids))
	if r.mapped {
		for _, x := range at {
			if x.tr < 0 {
				r.when.set(x.from)
			}
		}
		return
	}
	for st := range node(len(p.auto.States) + len(p.mids)) {
		if int32(st) != p.auto.Init {
			r.when.set(st)
		}
	}
}

// points adds an item for each post, start and registration of an involved
// action, and for each owned component of a play.
func (sc *scene) points(involved row) {
	c := sc.c
	known := map[*target]int32{}
	for i, n := range sc.cast {
		r := &sc.roles[i]
		for _, e := range sc.arms(n) {
			if !involved.has(e.to) {
				continue
			}
			k, ok := known[e]
			if !ok {
				k = sc.add(item{target: e, kind: itemArmed, act: sc.dense[e.to], by: int32(i)})
				known[e] = k
			}
			r.arms = append(r.arms, arming{k, sc.late(sc.q, n, e.point)})
		}
	}
	for k, p := range sc.plays {
		sc.needs = append(sc.needs, -1)
		if c.causes[p.comp][0].point == 0 {
			continue
		}
		e := sc.add(item{kind: itemMade, act: -1})
		sc.needs[k] = e
		for i, n := range sc.cast {
			if slices.ContainsFunc(c.causes[p.comp], func(ca cause) bool { return ca.from == n }) {
				sc.roles[i].made = append(sc.roles[i].made, e)
			}
		}
	}
}

// closing finds the actions with a final cancellation, after which some others
// never run again.
func (sc *scene) closing() {
	c := sc.c
	for i, n := range sc.cast {
		if !slices.ContainsFunc(c.cancels[n], func(u PointID) bool { return c.m.Points[u].Final }) {
			continue
		}
		for j := range sc.roles {
			if r := &sc.roles[j]; sc.ordered.has(sc.cast[j], n) {
				if sc.roles[i].closes < 0 {
					sc.roles[i].closes = sc.add(item{kind: itemOpen, act: -1})
				}
				r.until = append(r.until, sc.roles[i].closes)
			}
		}
	}
}

// open notes what holds from the start.
func (sc *scene) open() {
	sc.holds = newRow(len(sc.items))
	for e := range sc.items {
		if sc.items[e].kind == itemOpen {
			sc.holds.set(node(e))
		}
	}
}

// acting is the role of n with what a run of it does to what is armed. Most of a
// cast never runs in a search, so that this is found when one runs.
func (sc *scene) acting(n int32) *role {
	r := &sc.roles[n]
	if r.drops != nil {
		return r
	}
	r.drops, r.shakes, r.held = newRow(len(sc.items)), newRow(len(sc.items)), newRow(len(sc.items))
	life := sc.c.act(sc.cast[n]).Kind == KindLifecycle
	for k := range sc.items {
		drops, shakes := sc.undone(n, node(k))
		if drops {
			r.drops.set(node(k))
		}
		if shakes {
			r.shakes.set(node(k))
		}
		if e := &sc.items[k]; life && e.kind == itemArmed && sc.awaited(sc.cast[n], e.target) {
			r.held.set(node(k))
		}
	}
	return r
}

// undone: item k is over when n runs, or may be over.
func (sc *scene) undone(n int32, k node) (drops, shakes bool) {
	e := &sc.items[k]
	if e.kind != itemArmed && e.kind != itemStart {
		return false, false
	}
	if e.kind == itemStart {
		return sc.ordered.has(sc.cast[e.act], sc.cast[n]), false
	}
	return sc.Searcher.undone(sc.cast[n], e.target)
}

// occupy finds what runs in each transition, and what cannot in the middle of it.
func (sc *scene) occupy() {
	for _, p := range sc.plays {
		busy, calls := make([]row, len(p.auto.Transitions)), make([][][]int32, len(p.auto.Transitions))
		for tr := range busy {
			busy[tr] = newRow(len(sc.cast))
			for _, cb := range p.auto.Transitions[tr].Callbacks {
				var acts []int32
				for _, n := range p.calls[cb] {
					acts = append(acts, sc.dense[n])
					for j, x := range sc.cast {
						if sc.serial.has(n, x) {
							busy[tr].set(node(j))
						}
					}
				}
				calls[tr] = append(calls[tr], acts)
			}
		}
		sc.busy, sc.calls = append(sc.busy, busy), append(sc.calls, calls)
	}
}

// lead finds the actions that can lead to the goal by what they cause.
func (sc *scene) lead(sides []node, writers map[node]bool) {
	toUse := slices.Clone(sc.above(sides[len(sides)-1]))
	toValue := slices.Clone(toUse)
	if sc.goal == goalNull {
		toValue.or(sc.above(sides[0]))
	}
	if sc.goal == goalLive {
		for w := range writers {
			toValue.or(sc.above(w))
		}
	}
	for i, n := range sc.cast {
		if sc.roles[i].change != nil { // it may set what the use is tested for
			toUse.or(sc.above(n))
			toValue.or(sc.above(n))
		}
	}
	sc.causes = [2]row{newRow(len(sc.cast)), newRow(len(sc.cast))}
	for i, n := range sc.cast {
		for k, to := range []row{toValue, toUse} {
			if to.has(n) {
				sc.causes[k].set(node(i))
			}
		}
	}
}
