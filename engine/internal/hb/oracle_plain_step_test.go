package hb

import (
	"encoding/binary"
	"slices"
)

// reach records a plainState with the run that led to it.
func (m *plainMachine) reach(s plainState, from int32, ran []node) {
	key := s.key()
	if _, ok := m.seen[key]; ok {
		return
	}
	if len(m.states) >= m.limit {
		m.full, m.limited = true, true
		return
	}
	m.seen[key] = int32(len(m.states))
	m.states = append(m.states, s)
	m.from = append(m.from, from)
	m.ran = append(m.ran, ran)
}

func (s *plainState) key() string {
	b := make([]byte, 0, 16+9*len(s.pending))
	b = binary.LittleEndian.AppendUint32(b, uint32(s.comp[0]))
	b = binary.LittleEndian.AppendUint32(b, uint32(s.comp[1]))
	b = append(b, byte(s.at), s.closed)
	for _, p := range s.pending {
		b = binary.LittleEndian.AppendUint32(b, uint32(p.act))
		b = binary.LittleEndian.AppendUint32(b, uint32(p.point))
		b = append(b, p.flags)
	}
	return string(b)
}

func (s plainState) clone() plainState {
	s.pending = slices.Clone(s.pending)
	return s
}

// schedule lists the runs up to plainState i and then last.
func (m *plainMachine) schedule(i int32, last []node) []ActionID {
	parts := [][]node{last}
	for ; i >= 0; i = m.from[i] {
		parts = append(parts, m.ran[i])
	}
	var out []ActionID
	for k := len(parts) - 1; k >= 0; k-- {
		for _, n := range parts[k] {
			out = append(out, m.c.id(n))
		}
	}
	return out
}

// step makes every move of plainState i.
func (m *plainMachine) step(i int32) {
	for k, p := range m.states[i].pending {
		if p.flags&isFirst != 0 {
			next := m.states[i].clone()
			next.pending = slices.Delete(next.pending, k, k+1)
			m.run(i, next, p.act, nil)
			return
		}
	}
	for k := range m.states[i].pending {
		m.runPending(i, k)
	}
	for comp := range m.comps {
		m.walkOn(i, comp)
	}
	for _, n := range m.roots {
		s := &m.states[i]
		if m.enabled(s, n) && m.freeToRun(s, n, -1) {
			m.run(i, s.clone(), n, nil)
		}
	}
}

// walkOn takes the next callback of component comp, or a new transition.
func (m *plainMachine) walkOn(i int32, comp int) {
	s := &m.states[i]
	a := m.automaton(comp)
	at := s.comp[comp]
	if at >= int32(len(a.States)) {
		m.callback(i, comp, m.mids[comp][at-int32(len(a.States))])
		return
	}
	if at == a.Init && !m.created(s, comp) {
		return
	}
	for tr := range a.Transitions {
		if a.Transitions[tr].From == at && a.valid(a.Transitions[tr].To) {
			m.callback(i, comp, plainMidway{tr, 0})
		}
	}
}

// created: an owned component waits for the action that makes it.
func (m *plainMachine) created(s *plainState, comp int) bool {
	n := m.comps[comp]
	return m.c.causes[n][0].point == 0 ||
		slices.ContainsFunc(s.pending, func(p pending) bool { return p.act == n })
}

// callback runs the actions of the next callback that has any.
func (m *plainMachine) callback(i int32, comp int, at plainMidway) {
	a := m.automaton(comp)
	t := a.Transitions[at.tr]
	for at.k < len(t.Callbacks) && len(m.calls[comp][t.Callbacks[at.k]]) == 0 {
		at.k++
	}
	s := m.states[i].clone()
	if at.k == len(t.Callbacks) {
		s.comp[comp] = t.To
		m.reach(s, i, nil)
		return
	}
	acts := m.calls[comp][t.Callbacks[at.k]]
	for _, n := range acts {
		if !m.freeToRun(&s, n, comp) || m.heldUp(&s, n) {
			return
		}
	}
	s.comp[comp] = t.To
	if at.k+1 < len(t.Callbacks) {
		s.comp[comp] = int32(len(a.States) + slices.Index(m.mids[comp], plainMidway{at.tr, at.k + 1}))
	}
	m.run(i, s, acts[0], acts[1:])
}

// freeToRun: nothing that has begun, and no transition of another component,
// occupies n's looper.
func (m *plainMachine) freeToRun(s *plainState, n node, comp int) bool {
	for _, p := range s.pending {
		if p.flags&isBegun != 0 && m.oneAtATime(p.act, n) {
			return false
		}
	}
	for i := range m.comps {
		at := s.comp[i] - int32(len(m.automaton(i).States))
		if i == comp || at < 0 {
			continue
		}
		mid := m.mids[i][at]
		for _, cb := range m.automaton(i).Transitions[mid.tr].Callbacks {
			for _, x := range m.calls[i][cb] {
				if m.oneAtATime(x, n) {
					return false
				}
			}
		}
	}
	return true
}

// heldUp: what the last run of the lifecycle callback n posted without delay
// runs before n runs again.
func (m *plainMachine) heldUp(s *plainState, n node) bool {
	if m.c.act(n).Kind != KindLifecycle {
		return false
	}
	for _, p := range s.pending {
		if p.flags&plainSure == 0 || p.point == 0 {
			continue
		}
		pt := &m.c.m.Points[p.point]
		if pt.Kind == Post && m.c.action(pt.Action) == n && pt.Delay == Now && !pt.Front && m.oneAtATime(n, p.act) {
			return true
		}
	}
	return false
}

// runPending runs entry k of plainState i, if its queue lets it.
func (m *plainMachine) runPending(i int32, k int) {
	s := &m.states[i]
	p := s.pending[k]
	if !m.c.isAction(p.act) {
		return
	}
	if p.flags&isBegun != 0 {
		if p.flags&plainMany != 0 {
			m.access(i, s.clone(), p.act)
		}
		next := s.clone()
		next.pending = slices.Delete(next.pending, k, k+1)
		m.access(i, next, p.act)
		return
	}
	if !m.freeToRun(s, p.act, -1) || m.queued(s, k) || m.composed(p.act) >= 0 && !m.enabled(s, p.act) {
		return
	}
	if p.flags&isRegister != 0 {
		m.run(i, s.clone(), p.act, nil)
		return
	}
	if p.flags&plainMany != 0 { // what remains was posted later, not known when
		next := s.clone()
		next.pending[k].flags &^= plainSure
		m.run(i, next, p.act, nil)
	}
	next := s.clone()
	next.pending = slices.Delete(next.pending, k, k+1)
	m.run(i, next, p.act, nil)
}

// queued: something that is sure to run stands before entry k in its queue.
func (m *plainMachine) queued(s *plainState, k int) bool {
	if s.pending[k].point == 0 || m.c.m.Points[s.pending[k].point].Kind != Post {
		return false
	}
	later := &m.c.m.Points[s.pending[k].point]
	for i, p := range s.pending {
		if i == k || p.flags&plainSure == 0 || p.point == 0 || p.act == s.pending[k].act && i > k ||
			!m.oneAtATime(p.act, s.pending[k].act) || m.c.queue(p.act).NoFIFO {
			continue
		}
		earlier := &m.c.m.Points[p.point]
		if earlier.Kind != Post {
			continue
		}
		switch {
		case earlier.Front: // overtakes all but what is at the front later
			// Posted later from elsewhere, it may come too late.
			if i > k && !m.oneAtATime(m.c.action(earlier.Action), p.act) {
				continue
			}
			if !later.Front || i > k {
				return true
			}
		case i < k && !later.Front && earlier.Delay.Known && later.Delay.Known && earlier.Delay.MS <= later.Delay.MS:
			return true
		}
	}
	return false
}

// run executes n, then the actions in rest, from plainState i. A split action only
// posts now; its access comes as a step of its own.
func (m *plainMachine) run(i int32, s plainState, n node, rest []node) {
	m.forget(&s, n)
	m.cancelBy(&s, n)
	m.close(&s, n)
	if !m.split.has(n) {
		for _, v := range m.effect(i, s.at, n, []node{n}) {
			next := s.clone()
			next.at = v
			m.arm(&next, n, true, true)
			m.finish(i, next, []node{n}, rest)
		}
		return
	}
	m.arm(&s, n, true, false)
	m.begin(&s, n)
	m.finish(i, s, []node{n}, rest)
}

// begin notes a run whose access is to come. Several runs of one action, which
// are alike, are one entry.
func (m *plainMachine) begin(s *plainState, n node) {
	for k := range s.pending {
		if p := &s.pending[k]; p.act == n && p.flags&isBegun != 0 {
			p.flags |= plainMany
			return
		}
	}
	if len(s.pending) >= 24 {
		m.limited = true
		return
	}
	s.pending = append(s.pending, pending{act: n, flags: isBegun})
}

// finish goes on with rest, the other actions of one callback, or records s.
func (m *plainMachine) finish(i int32, s plainState, ran, rest []node) {
	if len(rest) == 0 {
		m.reach(s, i, ran)
		return
	}
	n := rest[0]
	m.forget(&s, n)
	m.cancelBy(&s, n)
	m.close(&s, n)
	ran = append(slices.Clone(ran), n)
	for _, v := range m.effect(i, s.at, n, ran) {
		next := s.clone()
		next.at = v
		m.arm(&next, n, true, true)
		m.finish(i, next, ran, rest[1:])
	}
}

// access is the second step of a split action; a schedule names the action
// again if anything came in between.
func (m *plainMachine) access(i int32, s plainState, n node) {
	var ran []node
	if last := m.ran[i]; len(last) == 0 || last[len(last)-1] != n {
		ran = []node{n}
	}
	for _, v := range m.effect(i, s.at, n, ran) {
		next := s.clone()
		next.at = v
		m.arm(&next, n, false, true)
		m.reach(next, i, ran)
	}
}

// effect notes what a use reads after the runs up to plainState i and those of ran,
// and returns what the location may hold then.
func (m *plainMachine) effect(i int32, v value, n node, ran []node) []value {
	if m.q.Guard != nil {
		return m.guarded(i, v, n, ran)
	}
	if n == m.use && (n != m.free || m.q.UseFirst || m.q.Free == 0) {
		switch {
		case v == valueDefault && !m.verdict.InitAtUse:
			m.verdict.InitAtUse = true
			m.verdict.InitSchedule = m.schedule(i, ran)
		case v == valueFreed && !m.verdict.NullAtUse:
			m.verdict.NullAtUse = true
			m.verdict.NullSchedule = m.schedule(i, ran)
		case v == valueLive && !m.verdict.LiveAtUse:
			m.verdict.LiveAtUse = true
			m.verdict.LiveSchedule = m.schedule(i, ran)
		}
	}
	out := []value{v}
	if must, ok := m.writes[n]; ok {
		if must {
			out = []value{valueLive}
		} else if v != valueLive {
			out = append(out, valueLive)
		}
	}
	if m.q.Free == 0 {
		return out
	}
	if _, writes := m.writes[n]; n == m.free && m.q.FreeAtEnd && m.q.FreeMust && !writes {
		return []value{valueFreed}
	}
	// Where another thread looks, a null in between counts too.
	if n == m.free && (m.q.FreeAtEnd || !m.together(n)) && !slices.Contains(out, valueFreed) {
		out = append(out, valueFreed)
	}
	return out
}

// arm executes the posts, starts and registrations of n: those that may come
// before its access, those that may come only after it, or both.
func (m *plainMachine) arm(s *plainState, n node, early, late bool) {
	for _, id := range m.c.posted[n] {
		p := &m.c.m.Points[id]
		if isLate := p.AtEnd || m.accessFirst(n, p.Site); isLate && !late || !isLate && !early {
			continue
		}
		for _, t := range p.Targets {
			a := m.c.action(t)
			if a != process && m.involved.has(a) && !m.dropped(n, id, a) && !m.over(s, a) {
				m.armOne(s, a, id, p)
			}
		}
	}
	if early {
		m.create(s, n)
	}
}

// accessFirst: n's access is known to precede site x in each run.
func (m *plainMachine) accessFirst(n node, x Site) bool {
	if !m.q.Sited || n != m.free && n != m.use {
		return false
	}
	if _, writes := m.writes[n]; writes {
		return false
	}
	return (n != m.free || m.q.Free == 0 || m.c.inOrder(n, m.q.FreeAt, x)) && (n != m.use || m.c.inOrder(n, m.q.UseAt, x))
}

// dropped: a later point of the same run takes back what p posts.
func (m *plainMachine) dropped(n node, id PointID, a node) bool {
	p := &m.c.m.Points[id]
	for _, u := range m.c.cancels[n] {
		if pt := &m.c.m.Points[u]; m.takesBack(n, pt, a) && m.c.inOrder(n, p.Site, pt.Site) &&
			m.c.stops(pt, a, cause{n, id}, n) {
			return true
		}
	}
	return false
}

func (m *plainMachine) armOne(s *plainState, a node, id PointID, p *Point) {
	var flags uint8
	if p.Must && len(p.Targets) == 1 && !p.Repeat && p.Kind != Register {
		flags |= plainSure
	}
	if p.Loop || p.Repeat {
		flags |= plainMany
	}
	if p.Kind == Register {
		flags |= isRegister
	}
	same := 0
	for k := range s.pending {
		e := &s.pending[k]
		if e.act != a || e.point != id || e.flags&isBegun != 0 {
			continue
		}
		if same++; flags&isRegister != 0 || same == 2 {
			if flags&isRegister == 0 {
				e.flags = e.flags&^plainSure | plainMany
			}
			return
		}
	}
	if len(s.pending) >= 24 {
		m.limited = true
		return
	}
	s.pending = append(s.pending, pending{a, id, flags})
}

// create marks the owned components that n makes.
func (m *plainMachine) create(s *plainState, n node) {
	for _, comp := range m.comps {
		for _, ca := range m.c.causes[comp] {
			if ca.from == n && !slices.ContainsFunc(s.pending, func(p pending) bool { return p.act == comp }) {
				s.pending = append(s.pending, pending{act: comp})
			}
		}
	}
}

// takesBack: u, in a run of n, surely undoes what is armed of a.
func (m *plainMachine) takesBack(n node, u *Point, a node) bool {
	if !u.Must || len(u.Targets) != 1 && !u.All || !m.oneAtATime(n, a) {
		return false
	}
	return slices.Contains(u.Targets, m.c.id(a))
}

// cancelBy removes what n's Unregister and Cancel points surely undo. What they
// may undo no longer holds up others.
func (m *plainMachine) cancelBy(s *plainState, n node) {
	for _, id := range m.c.cancels[n] {
		u := &m.c.m.Points[id]
		s.pending = slices.DeleteFunc(s.pending, func(p pending) bool {
			if p.point == 0 || p.flags&isBegun != 0 || !m.takesBack(n, u, p.act) {
				return false
			}
			from := m.c.action(m.c.m.Points[p.point].Action)
			return m.c.stops(u, p.act, cause{from, p.point}, m.g.sharedRun(p.act, n, SameInstance))
		})
		for k := range s.pending {
			if slices.Contains(u.Targets, m.c.id(s.pending[k].act)) {
				s.pending[k].flags &^= plainSure
			}
		}
	}
}

// forget removes what the graph orders before n in every run of the instance:
// if it has not run by now, it never does.
func (m *plainMachine) forget(s *plainState, n node) {
	s.pending = slices.DeleteFunc(s.pending, func(p pending) bool {
		return p.flags&isBegun == 0 && m.c.isAction(p.act) && m.comesBefore(p.act, n)
	})
}
