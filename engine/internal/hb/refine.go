package hb

// blame adds to exact the items whose order or number keeps the search from
// following its script: those that would have to run next where it got furthest,
// and those that hold them up. It adds at least one.
func (m *search) blame(exact row) {
	furthest := int32(0)
	for i := range m.seen.recs {
		furthest = max(furthest, m.seen.recs[i].step)
	}
	before := exact.count()
	s := &state{}
	for i := range m.seen.recs {
		if m.seen.recs[i].step == furthest && int(furthest) < len(m.script) {
			m.seen.load(int32(i), s)
			m.blameFor(s, m.script[furthest], exact)
		}
	}
	if exact.count() == before {
		m.blameRelated(exact)
	}
	if exact.count() == before {
		for k := range m.items {
			exact.set(node(k))
		}
	}
}

// blameFor finds what keeps n from running in s.
func (m *search) blameFor(s *state, n int32, exact row) {
	stands := false
	for k, el := range s.line {
		e := &m.items[el.item()]
		switch {
		case e.kind == itemBegun:
			if m.serial.has(m.cast[n], m.cast[e.act]) {
				exact.set(el.item())
			}
		case m.acting(n).held.has(el.item()):
			exact.set(el.item())
		case e.kind == itemArmed && e.act == n:
			stands = true
			for j := range s.line {
				if m.holdsBack(s, j, k) {
					exact.set(el.item())
					exact.set(s.line[j].item())
				}
			}
		}
	}
	if stands {
		return
	}
	for k := range m.items {
		if e := &m.items[k]; e.kind == itemArmed && e.act == n {
			exact.set(node(k))
		}
	}
}

// blameRelated adds what stands in one queue with what is kept in order already,
// and the begun runs.
func (m *search) blameRelated(exact row) {
	related := newRow(len(m.items))
	for k := range m.items {
		e := &m.items[k]
		if e.kind == itemBegun {
			related.set(node(k))
		}
		for l := range m.items {
			if exact.has(node(l)) && (m.lined(node(k)).ahead.has(node(l)) || m.lined(node(l)).ahead.has(node(k))) {
				related.set(node(k))
			}
		}
	}
	exact.or(related)
}
