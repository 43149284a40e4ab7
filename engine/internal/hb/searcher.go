package hb

import (
	"encoding/binary"
	"slices"
)

// Searcher looks for schedules in one graph. It keeps what questions have in
// common: which actions run one at a time, what can cause what, the callbacks of
// each component, and the answers themselves. It is not safe for concurrent use;
// each goroutine has its own.
//
// Most questions are answered by an attempt: one schedule along the nearest causes,
// played run by run (see aim). What no attempt reaches is searched for.
//
// A search goes through the runs of at most two component instances and of what
// they cause, those first that may be nearest to the goal (A*, see ahead). Its
// schedule has the fewest steps; of several it is the one that breadth first would
// find first. It over-approximates the schedules: guards are not looked at,
// callbacks whose component is not composed come at any time, and an access off
// the other's looper may stand on either side of the posts of its own run. It
// respects the automata, one-at-a-time execution, queue order, cancellation and
// the graph's orders within an instance.
//
// Each goal is looked for on its own, first without the order of queues: what is
// armed may then run any number of times. A state holds a set of that, and at one
// point of the automata a set that is part of another shows nothing new; so there
// are at each point no more states than chainWidth and the armed things, whatever
// the app. What such a search does not reach cannot happen. What it reaches is
// replayed with all in order. If it cannot be, the items that are to blame are
// kept in order and in number from then on, and the search is made anew: most
// questions need none, few need more than ten. Of what is kept the line has two
// runs of each poster, which is enough for the runs that become the free and the
// use. Beyond maxStates the last schedule that was found stands, and the verdict
// says that it is coarse.
//
// Cost: an attempt plays some ten runs of some hundred nanoseconds each; a search of a
// real app looks at some ten to some hundred states of a few microseconds each; equal
// questions are answered once.
type Searcher struct {
	c        *closure
	g        *Graph
	serial   pairs // the two run one at a time within an instance
	ordered  pairs // the graph orders the first before the second in every instance
	causedBy map[node]row
	plays    map[node]*play
	answers  map[string]Verdict
	targets  map[PointID]row
	armsOf   [][]*target // by action, see arms
	ways     ways
	ends     [2]node // see Ending
	untried  bool    // by tests: goals are searched for without attempts
	starts   []node  // run at the start of the process, before all else
	dense    []int32 // scratch: node to its number in a scene
}

// maxCoarse bounds the states of a search without the order of queues. Where it is
// reached nothing is refuted, and the verdict is coarse, without a schedule.
const maxCoarse = 400

// maxStates bounds the states of a search that keeps items in order.
const maxStates = 1000

// Searcher returns a new searcher in g.
func (g *Graph) Searcher() *Searcher {
	s := &Searcher{g: g, c: g.c, causedBy: map[node]row{}, plays: map[node]*play{}, answers: map[string]Verdict{}, targets: map[PointID]row{}}
	s.serial = newPairs(g.c.n, func(a, b node) bool { return s.c.oneAtATime(a, b, s.instance(a, b)) })
	s.ordered = newPairs(g.c.n, func(a, b node) bool { return s.c.before(ends, a, b) && s.c.shares(a, b, s.instance(a, b)) })
	s.dense, s.armsOf = make([]int32, g.c.n), make([][]*target, g.c.n)
	s.ways = s.newWays()
	for n := node(g.c.comps + 1); int(n) < g.c.n; n++ {
		if s.atStart(n) && s.rooted(n) {
			s.starts = append(s.starts, n)
		}
	}
	return s
}

// Ending is a searcher in the same graph, but that a run of by first takes back all that is armed of
// target, as if the app called there what ends it.
func (s *Searcher) Ending(by, target ActionID) *Searcher {
	e := *s
	e.ends, e.answers = [2]node{s.c.action(by), s.c.action(target)}, map[string]Verdict{}
	return &e
}

func (s *Searcher) instance(a, b node) node { return s.g.sharedRun(a, b, SameInstance) }

// Search answers one question; see Searcher.
func (g *Graph) Search(q Question) Verdict { return g.Searcher().Search(q) }

// Search looks for schedules of one component instance (or of two components)
// in which Use reads the null of Free, and in which it reads a live value.
func (s *Searcher) Search(q Question) Verdict {
	free, use := s.c.action(q.Free), s.c.action(q.Use)
	if use == process || q.Free != 0 && free == process {
		return Verdict{NullAtUse: true, LiveAtUse: true, InitAtUse: true, Coarse: true} // nothing is known of it
	}
	if q.Guard != nil { // no two are alike
		return s.answer(&q)
	}
	key := s.key(&q)
	v, ok := s.answers[key]
	if !ok {
		v = s.answer(&q)
		s.answers[key] = v
	}
	return v
}

func (s *Searcher) answer(q *Question) (v Verdict) {
	if q.Free == 0 {
		v.InitAtUse, v.InitSchedule, v.Coarse = s.look(q, goalInit, &v)
		v.Unusual = v.InitAtUse && v.States > 0
		return v
	}
	v.NullAtUse, v.NullSchedule, v.Coarse = s.look(q, goalNull, &v)
	v.Unusual = v.NullAtUse && v.States > 0
	if v.Coarse && v.NullSchedule == nil { // so would be that
		v.LiveAtUse, v.LiveCoarse = true, true
		return v
	}
	if !q.NoLive && (v.NullAtUse || !q.NullOnly) {
		v.LiveAtUse, v.LiveSchedule, v.LiveCoarse = s.look(q, goalLive, &v)
	}
	return v
}

// distant: all ways to n are too long to tell.
func (s *Searcher) distant(n node) bool { return s.ways.cost[n] > maxRuns && s.ways.cost[n] < far }

// look tries the nearest ways to one goal, and then searches for it.
func (s *Searcher) look(q *Question, l goal, v *Verdict) (found bool, schedule []ActionID, coarse bool) {
	if !s.untried {
		if s.distant(s.c.action(q.Use)) || l == goalNull && s.distant(s.c.action(q.Free)) {
			return true, nil, true
		}
		if ran, found, long := s.attempt(q, l); found || long {
			return true, ran, !found
		}
	}
	sc := s.scene(q, l)
	exact, all := newRow(len(sc.items)), newRow(len(sc.items))
	for k := range sc.items {
		all.set(node(k))
		if sc.items[k].exact {
			exact.set(node(k))
		}
	}
	var last *search // with fewer items in order
	for {
		m := newSearch(sc, slices.Clone(exact))
		limit := maxStates
		if last == nil {
			limit = maxCoarse
		}
		found, full := m.run(limit)
		v.States += len(m.seen.recs)
		if full {
			if last == nil {
				return true, nil, true // not refuted
			}
			return true, last.actions(), true
		}
		if !found {
			return false, nil, false
		}
		last = m
		replay := newSearch(sc, all)
		replay.script, replay.steps = m.schedule, m.steps
		if found, _ := replay.run(0); found {
			return true, m.actions(), false
		}
		v.States += len(replay.seen.recs)
		if exact.count() == len(sc.items) { // sets were joined
			return true, m.actions(), true
		}
		replay.blame(exact)
	}
}

// key is equal for questions with equal answers. Sites count only by which posts
// of their own actions come behind the access.
func (s *Searcher) key(q *Question) string {
	b := binary.AppendVarint(nil, int64(q.Free))
	b = binary.AppendVarint(b, int64(q.Use))
	for i, f := range []bool{q.InitLive, q.FreeAtEnd, q.FreeMust, q.UseFirst, q.NullOnly, q.NoLive} {
		if f {
			b = append(b, byte(i))
		}
	}
	b = append(binary.AppendVarint(b, int64(q.Owner)), 0xff)
	for _, w := range q.Writers {
		b = binary.AppendVarint(b, int64(w.Action)<<1|int64(bit(w.Must)))
	}
	b = append(b, 0xff)
	for _, a := range []ActionID{q.Free, q.Use} {
		if n := s.c.action(a); n != process && q.Sited {
			writes := s.writes(q, n)
			for _, id := range s.c.posted[n] {
				b = append(b, byte(bit(!writes && s.sitedFirst(q, n, s.c.m.Points[id].Site))))
			}
		}
	}
	return string(b)
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// accessFirst: the accesses of n are known to precede site x in each run.
func (s *Searcher) accessFirst(q *Question, n node, x Site) bool {
	return s.sitedFirst(q, n, x) && !s.writes(q, n)
}

// sitedFirst: the free and the use, where they are of n, precede site x in each run.
func (s *Searcher) sitedFirst(q *Question, n node, x Site) bool {
	free, use := s.c.action(q.Free), s.c.action(q.Use)
	return q.Sited && (n == free || n == use) &&
		(n != free || s.c.inOrder(n, q.FreeAt, x)) && (n != use || s.c.inOrder(n, q.UseAt, x))
}

// writes: n is a writer.
func (s *Searcher) writes(q *Question, n node) bool {
	return slices.ContainsFunc(q.Writers, func(w Writer) bool { return s.c.action(w.Action) == n })
}

// late: point id of a run of n comes behind its access.
func (s *Searcher) late(q *Question, n node, id PointID) bool {
	p := &s.c.m.Points[id]
	return p.AtEnd || s.accessFirst(q, n, p.Site)
}

// rooted: the platform, or something unknown, runs n by itself.
func (s *Searcher) rooted(n node) bool {
	return slices.ContainsFunc(s.c.causes[n], func(ca cause) bool { return ca.point == 0 })
}

// atStart: n runs once, at the start of the process, if the platform runs it.
func (s *Searcher) atStart(n node) bool { return s.c.act(n).Kind == KindProcess && s.c.once[n] }

// onlyInTransitions: play p knows n, and as no event, which may come by itself though a
// transition delivers it too.
func (s *Searcher) onlyInTransitions(p *play, n node) bool {
	known := s.c.walk[p.comp].at[s.c.act(n).Callback]
	return len(known) > 0 && !slices.ContainsFunc(known, func(at position) bool { return at.tr < 0 })
}

// awaited: what the last run of the lifecycle callback n armed runs before its next.
func (s *Searcher) awaited(n node, e *target) bool {
	p := &s.c.m.Points[e.point]
	return e.from == n && p.Kind == Post && p.Delay == Now && !p.Front && s.serial.has(n, e.to)
}

// above are the nodes that can cause n, and n.
func (s *Searcher) above(n node) row {
	if r, ok := s.causedBy[n]; ok {
		return r
	}
	r := newRow(s.c.n)
	r.set(n)
	visit := []node{n}
	for len(visit) > 0 {
		x := visit[len(visit)-1]
		visit = visit[:len(visit)-1]
		for _, ca := range s.c.causes[x] {
			if ca.from != process && !r.has(ca.from) {
				r.set(ca.from)
				visit = append(visit, ca.from)
			}
		}
	}
	s.causedBy[n] = r
	return r
}

// targetsOf are the targets of point id.
func (s *Searcher) targetsOf(id PointID) row {
	r, ok := s.targets[id]
	if !ok {
		r = newRow(s.c.n)
		for _, t := range s.c.m.Points[id].Targets {
			if a := s.c.action(t); a != process {
				r.set(a)
			}
		}
		s.targets[id] = r
	}
	return r
}

// pairs remembers the answers to a question about two nodes.
type pairs struct {
	ask        func(a, b node) bool
	known, yes []row
	n          int
}

func newPairs(n int, ask func(a, b node) bool) pairs {
	return pairs{ask: ask, known: make([]row, n), yes: make([]row, n), n: n}
}

func (p *pairs) has(a, b node) bool {
	if p.known[a] == nil {
		p.known[a], p.yes[a] = newRow(p.n), newRow(p.n)
	}
	if !p.known[a].has(b) {
		p.known[a].set(b)
		if p.ask(a, b) {
			p.yes[a].set(b)
		}
	}
	return p.yes[a].has(b)
}

// play is a component's automaton as searches walk it.
type play struct {
	comp  node
	auto  *Automaton
	calls map[int32][]node // actions of each callback
	mids  []midway         // states inside transitions, numbered on from the automaton's
	steps [][]edge         // from each state
	level []int32          // steps to each state from the start; far if none lead there
	first []int32          // number of a transition's midway 0
	all   []node           // the actions of all transitions
	seen  row              // scratch of toward, as are the legs
	legs  []leg
}

// midway is a point inside a transition: its callback k is next.
type midway struct{ tr, k int }

// playOf is the automaton that n belongs to, nil for none.
func (s *Searcher) playOf(n node) *play {
	return s.playFor(s.c.home[n])
}

// playFor is the automaton of a component, nil for none.
func (s *Searcher) playFor(comp node) *play {
	if comp == process || s.c.walk[comp] == nil {
		return nil
	}
	if p, ok := s.plays[comp]; ok {
		return p
	}
	p := &play{comp: comp, auto: s.c.m.Components[comp].Automaton, calls: s.c.byCallback(comp)}
	if !p.auto.valid(p.auto.Init) {
		p = nil
	} else {
		for tr, t := range p.auto.Transitions {
			p.first = append(p.first, int32(len(p.auto.States)+len(p.mids)))
			for k, cb := range t.Callbacks {
				p.mids = append(p.mids, midway{tr, k})
				p.all = append(p.all, p.calls[cb]...)
			}
		}
		p.walkable()
	}
	s.plays[comp] = p
	return p
}

// midway reports the point inside a transition that state at is, if it is one.
func (p *play) midway(at int32) (midway, bool) {
	if i := int(at) - len(p.auto.States); i >= 0 {
		return p.mids[i], true
	}
	return midway{}, false
}
