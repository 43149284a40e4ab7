package hb

import "slices"

// run1 executes n, which follows the runs in ran, and then the actions in rest,
// from state i on. A split action only posts now; its access comes as a step of
// its own. It uses up s.
func (m *search) run1(i int32, s *state, n int32, ran, rest []int32) {
	r := m.acting(n)
	m.end(s, r)
	ran = append(slices.Clone(ran), n)
	splits := r.split && len(ran) == 1
	if !splits {
		m.effect(i, s, n, ran)
	}
	for _, next := range m.arm(s, n, true, !splits) {
		if splits {
			m.begin(next, r.begun)
		}
		if len(rest) > 0 {
			m.run1(i, next, rest[0], ran, rest[1:])
			continue
		}
		m.reach(next, i, ran)
		m.release(next)
	}
}

// end removes what is over when a run of r comes.
func (m *search) end(s *state, r *role) {
	for j, w := range r.drops {
		s.holds[j] &^= w
	}
	kept := s.line[:0]
	for _, e := range s.line {
		if r.drops.has(e.item()) {
			continue
		}
		if r.shakes.has(e.item()) {
			e &^= elem(isSure)
		}
		kept = append(kept, e)
	}
	s.line = kept
	if r.closes >= 0 {
		s.holds.drop(node(r.closes))
	}
}

// begin notes a run whose access is to come. Several runs of one action, which
// are alike, are one item.
func (m *search) begin(s *state, e int32) {
	if !m.exact.has(node(e)) {
		s.holds.set(node(e))
		return
	}
	for k := range s.line {
		if s.line[k].item() == node(e) {
			s.line[k] |= elem(isMany)
			return
		}
	}
	s.line = append(s.line, elem(e)<<marks)
}

// access is the second step of a split action; a schedule names the action again
// if anything came in between. It uses up s.
func (m *search) access(i int32, s *state, n int32) {
	var ran []int32
	if r := &m.seen.recs[i]; r.ran == r.ranEnd || m.ran[r.ranEnd-1] != n {
		ran = []int32{n}
	}
	m.effect(i, s, n, ran)
	for _, next := range m.arm(s, n, false, true) {
		m.reach(next, i, ran)
		m.release(next)
	}
}

// effect is what the accesses of n do to the value. The use comes first if any
// run may have it so. Where a run may leave this or that, s has what the goal
// reads, since that can do what the other can.
func (m *search) effect(i int32, s *state, n int32, ran []int32) {
	if m.q.Guard != nil {
		m.guarded(i, s, n, ran)
		return
	}
	if n == m.use && (n != m.free || m.q.UseFirst) && s.holds.has(0) && !m.found {
		m.reached(i, s, ran)
	}
	r := &m.roles[n]
	frees := n == m.free
	switch m.goal {
	case goalNull:
		switch {
		// Where another thread looks, a null in between counts too.
		case frees && (m.q.FreeAtEnd || m.apart):
			s.holds.set(0)
		case r.writes && r.must:
			s.holds.drop(0)
		}
	case goalLive:
		switch {
		case r.writes:
			s.holds.set(0)
		case frees && m.q.FreeAtEnd && m.q.FreeMust:
			s.holds.drop(0)
		}
	case goalInit:
		if r.writes && r.must {
			s.holds.drop(0)
		}
	}
}

// arm executes the posts, starts and registrations of a run: those that may come
// before its access, those that may come only after it, or both.
//
// Of what one action arms in order the line keeps two runs: a schedule needs at
// most one for what becomes the free and one for what becomes the use, and a line
// without a run of the poster is what there is if the poster runs once less. At a
// third run arm therefore gives three states: one for each run that goes.
func (m *search) arm(s *state, n int32, early, late bool) []*state {
	r := &m.roles[n]
	if early {
		for _, e := range r.made {
			s.holds.set(node(e))
		}
	}
	var kept [2]bool
	for _, el := range s.line {
		if m.paired(el.item(), n) {
			kept[bit(el.has(isSecond))] = true
		}
	}
	if !kept[0] || !kept[1] {
		m.armAll(s, r, early, late, true, mark(bit(kept[0]))*isSecond)
		return []*state{s}
	}
	next := []*state{m.copyOf(s), m.copyOf(s), s}
	for k, t := range next[:2] {
		t.line = slices.DeleteFunc(t.line, func(el elem) bool { return m.paired(el.item(), n) && bit(el.has(isSecond)) == k })
		m.armAll(t, r, early, late, true, mark(k)*isSecond)
	}
	m.armAll(s, r, early, late, false, 0)
	return next
}

// paired: item k is armed by n and kept in order.
func (m *search) paired(k node, n int32) bool {
	e := &m.items[k]
	return e.fifo && e.by == n && m.exact.has(k)
}

// armAll arms what a run arms. What is kept in order gets the mark, or is left
// out.
func (m *search) armAll(s *state, r *role, early, late, paired bool, second mark) {
	for _, a := range r.arms {
		if a.late && !late || !a.late && !early {
			continue
		}
		e := &m.items[a.item]
		if slices.ContainsFunc(m.roles[e.act].until, func(open int32) bool { return !s.holds.has(node(open)) }) {
			continue
		}
		switch {
		case !m.exact.has(node(a.item)):
			s.holds.set(node(a.item))
		case !e.fifo:
			m.armElem(s, node(a.item), e)
		case paired:
			s.line = append(s.line, elem(a.item)<<marks|elem(e.flags|second))
		}
	}
}

// armElem puts another run of item k into the line, in no known order. Of more
// than two the second stands for all.
func (m *search) armElem(s *state, k node, e *item) {
	count := 0
	for j, el := range s.line {
		if el.item() != k {
			continue
		}
		if count++; e.many {
			return
		}
		if count == 2 {
			s.line[j] = el&^elem(isSure) | elem(isMany)
			return
		}
	}
	s.line = append(s.line, elem(k)<<marks|elem(e.flags))
}
