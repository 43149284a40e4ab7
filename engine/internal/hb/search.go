package hb

import "slices"

// search is one search of a scene.
type search struct {
	*scene
	exact    row
	seen     *table
	open     agenda
	kept     [2]row // items that states hold, while the value is not what the goal reads, and when it is
	useful   [2]row // actions that can lead to the goal, in the same cases
	undo     row    // actions that take back what is kept in order
	adds     []additions
	ran      []int32 // actions that led to the records
	script   []int32 // if any, the runs that the search follows
	steps    int32   // that the script took; then of the schedule
	last     int32   // state before the goal
	limit    int
	full     bool
	found    bool
	schedule []int32
	spare    []*state
}

// newSearch keeps the runs of the items in exact in order and counts them.
func newSearch(sc *scene, exact row) *search {
	seen := newTable(sc)
	return &search{scene: sc, exact: exact, seen: seen, open: agenda{t: seen}}
}

// lead finds the actions that can lead to the goal: by what they cause, or by what
// they take back of what is kept in order. A shortest schedule runs no others by
// choice.
func (m *search) lead() {
	m.adds, m.undo = make([]additions, len(m.cast)), newRow(len(m.cast))
	for held := range m.useful {
		m.useful[held], m.kept[held] = slices.Clone(m.causes[held]), newRow(len(m.items))
	}
	for n := range m.roles {
		undoes := m.script != nil // which says what runs
		if !undoes {
			m.exact.each(func(k node) {
				if !undoes && m.items[k].kind == itemArmed {
					drops, shakes := m.undone(int32(n), k)
					undoes = drops || shakes
				}
			})
		}
		if undoes {
			m.undo.set(node(n))
		}
	}
	for held := range m.useful {
		m.useful[held].or(m.undo)
		for k := range m.items {
			if e := &m.items[k]; !e.inLine() || m.useful[held].has(node(e.act)) && !m.exact.has(node(k)) {
				m.kept[held].set(node(k))
			}
		}
	}
}

// additions are what a run, or the access of a split run, can add to what a state
// holds. inOrder: it changes what is kept in order.
type additions struct {
	run, access               row
	runInOrder, accessInOrder bool
}

func (m *search) additions(n int32) *additions {
	a := &m.adds[n]
	if a.run != nil {
		return a
	}
	r := &m.roles[n]
	*a = additions{run: newRow(len(m.items)), access: newRow(len(m.items))}
	add := func(k int32, run, access bool) {
		if m.exact.has(node(k)) {
			a.runInOrder, a.accessInOrder = a.runInOrder || run, a.accessInOrder || access
			return
		}
		if run {
			a.run.set(node(k))
		}
		if access {
			a.access.set(node(k))
		}
	}
	for _, x := range r.arms {
		add(x.item, !r.split || !x.late, r.split && x.late)
	}
	for _, e := range r.made {
		add(e, true, false)
	}
	if r.split {
		add(r.begun, true, false)
	}
	a.runInOrder = a.runInOrder || m.undo.has(node(n))
	return a
}

// idle: a run of n, or its access, leaves no more than there is, and does not reach the goal.
func (m *search) idle(s *state, n int32, access bool) bool {
	if m.script != nil {
		return !access && !m.follows(s, []int32{n})
	}
	r, a := &m.roles[n], m.additions(n)
	row, inOrder := a.run, a.runInOrder
	if access {
		row, inOrder = a.access, a.accessInOrder
	}
	if inOrder || (access || !r.split) && (s.holds.has(0) && n == m.use || !s.holds.has(0) && m.sets(n)) {
		return false
	}
	if m.q.Guard != nil && (access || !r.split) && !m.quiet(s, n) {
		return false
	}
	kept := m.kept[bit(s.holds.has(0))]
	for i, w := range row {
		if w&kept[i]&^s.holds[i] != 0 {
			return false
		}
	}
	return true
}

// run searches until the goal is reached, or there is nothing left to look at, or
// (full) there are more states than limit, if that is not 0.
func (m *search) run(limit int) (found, full bool) {
	m.limit = limit
	m.lead()
	first := &state{holds: slices.Clone(m.holds)}
	for i, p := range m.plays {
		first.at[i] = p.auto.Init
	}
	if m.goal == goalInit && !m.q.InitLive || m.goal == goalLive && m.q.InitLive {
		first.holds.set(0)
	}
	if m.q.Guard != nil {
		m.setValuations(first, m.q.Guard.Start)
	}
	for _, e := range m.starts {
		first.line = append(first.line, elem(e)<<marks)
	}
	m.reach(first, -1, nil)
	s := &state{}
	for !m.full && !m.found {
		i, ok := m.open.next()
		if !ok {
			break
		}
		m.seen.load(i, s)
		m.step(i, s)
	}
	return m.found, m.full
}

// reach records a state with the runs that led to it.
func (m *search) reach(s *state, from int32, ran []int32) {
	if m.script != nil {
		if !m.follows(s, ran) {
			return
		}
		s.step += int32(len(ran))
	}
	s.holds.and(m.kept[bit(s.holds.has(0))])
	depth, ahead := int32(0), int32(0)
	if from >= 0 {
		depth = m.seen.recs[from].depth + 1
	}
	if m.script == nil {
		if ahead = m.ahead(s); ahead >= far {
			return
		}
	}
	id, fresh := m.seen.add(s, from, depth)
	if !fresh {
		return
	}
	r := &m.seen.recs[id]
	r.from, r.ran, r.ranEnd = from, int32(len(m.ran)), int32(len(m.ran)+len(ran))
	m.ran = append(m.ran, ran...)
	m.open.add(id, depth+ahead)
	m.full = m.limit > 0 && len(m.seen.recs) >= m.limit
}

// leads: n can lead from s to the goal.
func (m *search) leads(s *state, n int32) bool {
	return m.useful[bit(s.holds.has(0))].has(node(n))
}

// follows: ran is what the script has next.
func (m *search) follows(s *state, ran []int32) bool {
	rest := m.script[s.step:]
	return len(ran) <= len(rest) && slices.Equal(ran, rest[:len(ran)])
}

// reached notes that the goal is reached by the runs of ran, from state i on.
func (m *search) reached(i int32, s *state, ran []int32) {
	if m.script != nil && !(m.follows(s, ran) && int(s.step)+len(ran) == len(m.script) && m.seen.recs[i].depth == m.steps) {
		return
	}
	m.found, m.steps, m.last = true, m.seen.recs[i].depth, i
	parts := [][]int32{ran}
	for ; i >= 0; i = m.seen.recs[i].from {
		r := &m.seen.recs[i]
		parts = append(parts, m.ran[r.ran:r.ranEnd])
	}
	for _, part := range slices.Backward(parts) {
		for _, n := range part {
			m.schedule = append(m.schedule, n)
		}
	}
}

// actions are the runs of the schedule.
func (m *search) actions() []ActionID {
	var ids []ActionID
	for _, n := range m.schedule {
		ids = append(ids, m.c.id(m.cast[n]))
	}
	return ids
}

// copyOf is a copy of s, to be given back by release.
func (m *search) copyOf(s *state) *state {
	t := &state{}
	if n := len(m.spare); n > 0 {
		t, m.spare = m.spare[n-1], m.spare[:n-1]
	}
	s.copyTo(t)
	return t
}

func (m *search) release(s *state) { m.spare = append(m.spare, s) }

// step makes every move of state i, which is s.
func (m *search) step(i int32, s *state) {
	for k, e := range s.line {
		if x := &m.items[e.item()]; x.kind == itemStart {
			next := m.copyOf(s)
			next.line = slices.Delete(next.line, k, k+1)
			m.run1(i, next, x.act, nil, nil)
			return
		}
	}
	s.holds.each(func(k node) { m.runHeld(i, s, k) })
	for k := range s.line {
		m.runElem(i, s, k)
	}
	for p := range m.plays {
		m.walkOn(i, s, p)
	}
	for _, n := range m.roots {
		if r := &m.roles[n]; m.leads(s, n) && r.mayCome(s) && !m.idle(s, n, false) && m.freeToRun(s, n, -1) {
			m.run1(i, m.copyOf(s), n, nil, nil)
		}
	}
}

// mayCome: the automaton of the action's play allows it now.
func (r *role) mayCome(s *state) bool { return r.when == nil || r.when.has(node(s.at[r.play])) }

// walkOn takes the next callback of play p, or a new transition.
func (m *search) walkOn(i int32, s *state, p int) {
	play := m.plays[p]
	at := s.at[p]
	if mid, ok := play.midway(at); ok {
		m.callback(i, s, p, mid)
		return
	}
	if at == play.auto.Init && !m.made(s, p) {
		return
	}
	for tr := range play.auto.Transitions {
		if t := &play.auto.Transitions[tr]; t.From == at && play.auto.valid(t.To) {
			m.callback(i, s, p, midway{tr, 0})
		}
	}
}

// made: an owned component waits for the action that makes it.
func (m *search) made(s *state, p int) bool {
	return m.needs[p] < 0 || s.holds.has(node(m.needs[p]))
}

// callback runs the actions of the next callback that has any.
func (m *search) callback(i int32, s *state, p int, at midway) {
	play := m.plays[p]
	t := &play.auto.Transitions[at.tr]
	calls := m.calls[p][at.tr]
	for at.k < len(calls) && len(calls[at.k]) == 0 {
		at.k++
	}
	next := m.copyOf(s)
	next.at[p] = t.To
	if at.k == len(calls) {
		m.reach(next, i, nil)
		m.release(next)
		return
	}
	acts := calls[at.k]
	for _, n := range acts {
		if !m.freeToRun(s, n, p) || m.heldUp(s, n) {
			m.release(next)
			return
		}
	}
	if at.k+1 < len(calls) {
		next.at[p] = play.first[at.tr] + int32(at.k) + 1
	}
	m.run1(i, next, acts[0], nil, acts[1:])
}

// freeToRun: nothing that has begun, and no transition of another component than
// that of play p, occupies n's looper.
func (m *search) freeToRun(s *state, n int32, p int) bool {
	for _, e := range s.line {
		if x := &m.items[e.item()]; x.kind == itemBegun && m.serial.has(m.cast[n], m.cast[x.act]) {
			return false
		}
	}
	for j, play := range m.plays {
		if mid, ok := play.midway(s.at[j]); ok && j != p && m.busy[j][mid.tr].has(node(n)) {
			return false
		}
	}
	return true
}

// heldUp: what the last run of the lifecycle callback n posted without delay
// runs before n runs again.
func (m *search) heldUp(s *state, n int32) bool {
	return len(s.line) > 0 && slices.ContainsFunc(s.line, func(e elem) bool { return e.has(isSure) && m.acting(n).held.has(e.item()) })
}

// runHeld runs an item that is not kept in order. It stays: there may be more.
func (m *search) runHeld(i int32, s *state, k node) {
	e := &m.items[k]
	switch e.kind {
	case itemBegun:
		if !m.idle(s, e.act, true) {
			m.access(i, m.copyOf(s), e.act)
		}
	case itemArmed:
		if r := &m.roles[e.act]; !m.idle(s, e.act, false) && m.freeToRun(s, e.act, -1) && (!r.mapped || r.mayCome(s)) {
			m.run1(i, m.copyOf(s), e.act, nil, nil)
		}
	}
}

// runElem runs element k of the line, if its queue lets it.
func (m *search) runElem(i int32, s *state, k int) {
	el := s.line[k]
	e := &m.items[el.item()]
	if e.kind == itemBegun {
		if el.has(isMany) {
			m.access(i, m.copyOf(s), e.act)
		}
		next := m.copyOf(s)
		next.line = slices.Delete(next.line, k, k+1)
		m.access(i, next, e.act)
		return
	}
	if r := &m.roles[e.act]; !m.freeToRun(s, e.act, -1) || m.queued(s, k) || r.mapped && !r.mayCome(s) {
		return
	}
	next := m.copyOf(s)
	switch {
	case e.many:
	case el.has(isMany): // what remains may be none
		next.line[k] &^= elem(isSure)
	default:
		next.line = slices.Delete(next.line, k, k+1)
	}
	m.passOver(next, s, k)
	m.run1(i, next, e.act, nil, nil)
}

// queued: something that is sure to run first stands in the line.
func (m *search) queued(s *state, k int) bool {
	for j := range s.line {
		if m.holdsBack(s, j, k) {
			return true
		}
	}
	return false
}

// holdsBack: element j of the line is sure to run before element k.
func (m *search) holdsBack(s *state, j, k int) bool {
	if !s.line[j].has(isSure) {
		return false
	}
	e, f := m.lined(s.line[j].item()), s.line[k].item()
	return j < k && e.ahead.has(f) || j > k && e.behind.has(f)
}

// passOver takes from next what would have run before element k of s if it
// existed.
func (m *search) passOver(next, s *state, k int) {
	f := s.line[k].item()
	j := 0 // in next
	for _, el := range s.line[:k] {
		if !el.has(isSure) && m.lined(el.item()).passes.has(f) {
			next.line = slices.Delete(next.line, j, j+1)
			continue
		}
		j++
	}
}
