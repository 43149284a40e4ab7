package hb

import "slices"

// run1 executes n, which follows the runs in ran, and then the actions in rest,
// from state i on. A split action only posts now; its access comes as a step of
// its own. It uses up s.
func (m *search) run1(i int32, s *state, n int32, ran, rest []int32) {
	r := &m.roles[n]
	m.end(s, r)
	ran = append(ran, n)
	if r.split && len(ran) == 1 {
		m.arm(s, r, true, false)
		m.begin(s, r.begun)
	} else {
		m.effect(i, s, n, ran)
		m.arm(s, r, true, true)
	}
	if len(rest) > 0 {
		m.run1(i, s, rest[0], ran, rest[1:])
		return
	}
	m.reach(s, i, ran)
	m.release(s)
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
		m.hold(s, e)
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

// hold notes that item e may run any number of times.
func (m *search) hold(s *state, e int32) {
	if !s.holds.has(node(e)) {
		s.holds.set(node(e))
		s.line = append(s.line, elem(e)<<marks)
	}
}

// access is the second step of a split action; a schedule names the action again
// if anything came in between. It uses up s.
func (m *search) access(i int32, s *state, n int32) {
	var ran []int32
	if r := &m.seen.recs[i]; r.ran == r.ranEnd || m.ran[r.ranEnd-1] != n {
		ran = []int32{n}
	}
	m.effect(i, s, n, ran)
	m.arm(s, &m.roles[n], false, true)
	m.reach(s, i, ran)
	m.release(s)
}

// effect is what the accesses of n do to the value. The use comes first if any
// run may have it so. Where a run may leave this or that, s has what the goal
// reads, since that can do what the other can.
func (m *search) effect(i int32, s *state, n int32, ran []int32) {
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
func (m *search) arm(s *state, r *role, early, late bool) {
	for _, a := range r.arms {
		if a.late && !late || !a.late && !early {
			continue
		}
		e := &m.items[a.item]
		if slices.ContainsFunc(m.roles[e.act].until, func(open int32) bool { return !s.holds.has(node(open)) }) {
			continue
		}
		if !m.exact.has(node(a.item)) {
			m.hold(s, a.item)
		} else {
			m.armElem(s, node(a.item), e)
		}
	}
	if early {
		for _, e := range r.made {
			s.holds.set(node(e))
		}
	}
}

// armElem puts another run of item k into the line. The first and the second
// keep their places; of more the last does, if they run in that order.
func (m *search) armElem(s *state, k node, e *item) {
	count, second, last := 0, -1, -1
	for j, el := range s.line {
		if el.item() == k {
			if count++; el.has(isMore) || count == 2 && second < 0 {
				second = j
			}
			last = j
		}
	}
	if e.many && count > 0 {
		return
	}
	fresh := elem(k)<<marks | elem(e.flags)
	switch {
	case second < 0 || last < 0:
	case !e.fifo:
		s.line[second] = s.line[second]&^elem(isSure) | elem(isMany)
		return
	case second == last && !s.line[second].has(isMore):
		s.line[second] |= elem(isMore)
	case second < last:
		s.line = slices.Delete(s.line, last, last+1)
	}
	s.line = append(s.line, fresh)
}
