package hb

import (
	"math/bits"
	"slices"
)

// plainMachine searches the runs of at most two component instances and of what
// they cause. It over-approximates the schedules: guards are not looked at,
// callbacks whose component is not composed come at any time, and an access off
// the other's looper may stand on either side of the posts of its own run. It
// respects the automata, one-at-a-time execution, queue order, cancellation
// and the graph's orders within an instance.
type plainMachine struct {
	g        *Graph
	c        *closure
	q        Question
	free     node
	use      node
	writes   map[node]bool // value: must
	comps    []node        // composed, at most two
	calls    []map[int32][]node
	mids     [][]plainMidway
	involved row
	roots    []node // involved platform callbacks outside of transitions
	split    row    // begins and accesses in two steps
	closers  []node // actions after which some others never run again
	states   []plainState
	from     []int32
	ran      [][]node
	seen     map[string]int32
	limit    int  // of states
	full     bool // it was reached
	verdict  Verdict
	limited  bool
}

// plainMidway is a point inside a transition: its callback k is next.
type plainMidway struct{ tr, k int }

// plainState of the plainMachine. A component is at a plainState of its automaton, or beyond
// them at a plainMidway.
type plainState struct {
	comp    [2]int32
	at      value
	closed  uint8 // closers that have run
	pending []pending
}

// pending is an armed run, a registration, or a run that has begun. The order
// of the list is the order in which they were armed.
type pending struct {
	act   node
	point PointID
	flags uint8
}

const (
	plainSure  uint8 = 1 << iota // must run (or is cancelled), so it holds up what is queued behind
	plainMany                    // may stand for several
	isBegun                      // its posts are done, its access is still to come
	isRegister                   // runs any number of times
	isFirst                      // process start: runs before all else
)

// Search looks for schedules of one component instance (or of two components)
// in which Use reads the null of Free, and in which it reads a live value.
func (g *Graph) plainSearch(q Question) (Verdict, bool) {
	m := &plainMachine{g: g, c: g.c, q: q, free: g.c.action(q.Free), use: g.c.action(q.Use), seen: map[string]int32{}}
	if q.Free == 0 {
		m.free = m.use
	}
	if m.free == process || m.use == process {
		return Verdict{}, true
	}
	m.limit = 5000
	m.prepare()
	first := plainState{at: valueDefault}
	if q.InitLive {
		first.at = valueLive
	}
	if q.Guard != nil {
		first.at = value(bits.TrailingZeros64(uint64(q.Guard.Start)))
	}
	for i, comp := range m.comps {
		first.comp[i] = m.c.m.Components[comp].Automaton.Init
	}
	m.processStart(&first)
	m.reach(first, -1, nil)
	for i := 0; i < len(m.states) && !m.full && !(m.verdict.NullAtUse && m.verdict.LiveAtUse || q.Free == 0 && m.verdict.InitAtUse); i++ {
		m.step(int32(i))
	}
	m.verdict.States = len(m.states)
	return m.verdict, m.limited
}

func (m *plainMachine) prepare() {
	c := m.c
	m.writes = map[node]bool{}
	for _, w := range m.q.Writers {
		if n := c.action(w.Action); n != process {
			m.writes[n] = m.writes[n] || w.Must
		}
	}
	m.composeOf(m.free)
	m.composeOf(m.use)
	m.involve()
	m.closing()
	m.split = newRow(c.n)
	m.involved.each(func(n node) {
		if !c.isAction(n) {
			return
		}
		if m.accesses(n) && len(c.posted[n]) > 0 && !m.alone(n) {
			m.split.set(n)
		}
		if m.isRoot(n) && !m.onlyInTransitions(n) {
			m.roots = append(m.roots, n)
		}
	})
}

// closing finds the actions with a final cancellation; more than the plainState has
// room for are not respected.
func (m *plainMachine) closing() {
	for n, us := range m.c.cancels {
		for _, u := range us {
			if p := &m.c.m.Points[u]; p.Final && len(m.closers) < 8 && !slices.Contains(m.closers, node(n)) {
				m.closers = append(m.closers, node(n))
			}
		}
	}
}

// close notes that n has run, if it is a closer.
func (m *plainMachine) close(s *plainState, n node) {
	if i := slices.Index(m.closers, n); i >= 0 {
		s.closed |= 1 << i
	}
}

// over: a closer has run that comes after all runs of a.
func (m *plainMachine) over(s *plainState, a node) bool {
	for i, y := range m.closers {
		if s.closed>>i&1 != 0 && m.comesBefore(a, y) {
			return true
		}
	}
	return false
}

// comesBefore: the graph orders a before y in every instance.
func (m *plainMachine) comesBefore(a, y node) bool {
	return m.c.before(ends, a, y) && m.c.shares(a, y, m.g.sharedRun(a, y, SameInstance))
}

// processStart arms the involved process roots and takes them off the roots.
func (m *plainMachine) processStart(s *plainState) {
	m.roots = slices.DeleteFunc(m.roots, func(n node) bool {
		if m.c.act(n).Kind != KindProcess || !m.c.once[n] {
			return false
		}
		s.pending = append(s.pending, pending{act: n, flags: isFirst})
		return true
	})
}

func (m *plainMachine) accesses(n node) bool {
	_, writes := m.writes[n]
	return n == m.free || n == m.use || writes
}

// together: n runs on one looper with the free and the use.
func (m *plainMachine) together(n node) bool {
	return m.oneAtATime(n, m.free) && m.oneAtATime(n, m.use)
}

// alone: no other access can come while n runs.
func (m *plainMachine) alone(n node) bool {
	for w := range m.writes {
		if !m.oneAtATime(n, w) {
			return false
		}
	}
	return m.together(n)
}

func (m *plainMachine) oneAtATime(a, b node) bool {
	return m.c.oneAtATime(a, b, m.g.sharedRun(a, b, SameInstance))
}

func (m *plainMachine) composeOf(n node) {
	comp := m.c.home[n]
	if comp == process || m.c.walk[comp] == nil || slices.Contains(m.comps, comp) ||
		!m.c.m.Components[comp].Automaton.valid(m.c.m.Components[comp].Automaton.Init) {
		return
	}
	var mids []plainMidway
	for tr, t := range m.c.m.Components[comp].Automaton.Transitions {
		for k := range t.Callbacks {
			mids = append(mids, plainMidway{tr, k})
		}
	}
	m.comps = append(m.comps, comp)
	m.calls = append(m.calls, m.c.byCallback(comp))
	m.mids = append(m.mids, mids)
}

// involve collects the accesses' actions and all that can cause them.
func (m *plainMachine) involve() {
	m.involved = newRow(m.c.n)
	var visit []node
	add := func(n node) {
		if n != process && !m.involved.has(n) {
			m.involved.set(n)
			visit = append(visit, n)
		}
	}
	add(m.free)
	add(m.use)
	for n := node(0); int(n) < m.c.n; n++ {
		if _, ok := m.writes[n]; ok {
			add(n)
		}
		if m.q.Guard != nil && m.c.isAction(n) && m.q.Guard.Changes[m.c.id(n)] != nil {
			add(n)
		}
	}
	for len(visit) > 0 {
		n := visit[len(visit)-1]
		visit = visit[:len(visit)-1]
		for _, ca := range m.c.causes[n] {
			add(ca.from)
		}
	}
}

// isRoot: the platform, or something unknown, runs n by itself.
func (m *plainMachine) isRoot(n node) bool {
	for _, ca := range m.c.causes[n] {
		if ca.point == 0 {
			return true
		}
	}
	return false
}

// composed is the index of the component whose automaton knows n, or -1.
func (m *plainMachine) composed(n node) int {
	a := m.c.act(n)
	i := slices.Index(m.comps, m.c.component(a.Component))
	if i < 0 || len(m.c.walk[m.comps[i]].at[a.Callback]) == 0 || a.Callback < 0 {
		return -1
	}
	return i
}

func (m *plainMachine) onlyInTransitions(n node) bool {
	i := m.composed(n)
	if i < 0 {
		return false
	}
	at := m.c.walk[m.comps[i]].at[m.c.act(n).Callback]
	for _, p := range at {
		if p.tr < 0 {
			return false
		}
	}
	return len(at) > 0
}

// enabled: n's automaton, if composed, allows its event in s.
func (m *plainMachine) enabled(s *plainState, n node) bool {
	i := m.composed(n)
	if i < 0 {
		comp := slices.Index(m.comps, m.c.component(m.c.act(n).Component))
		return comp < 0 || s.comp[comp] != m.automaton(comp).Init
	}
	for _, p := range m.c.walk[m.comps[i]].at[m.c.act(n).Callback] {
		if p.tr < 0 && s.comp[i] == int32(p.from) {
			return true
		}
	}
	return false
}

func (m *plainMachine) automaton(i int) *Automaton { return m.c.m.Components[m.comps[i]].Automaton }
