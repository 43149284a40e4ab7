package hb

// far is more steps than any schedule has.
const far = 1 << 20

// steps are lower bounds of the steps to the goal from what can lead there by
// itself: until the location has the value that the goal reads, until the use, and
// until the use behind the value. Each run has one cause, so that the ways to the
// value and to the use are common up to some step and then have none in common.
type steps struct{ value, use, both int32 }

var never = steps{far, far, far}

func (a steps) or(b steps) steps {
	return steps{min(a.value, b.value), min(a.use, b.use), min(a.both, b.both)}
}

// before are the steps from before a step behind which a leads on. values, uses:
// the step itself may give the location the value, or use it.
func (a steps) before(values, uses bool) steps {
	b := steps{value: a.value + 1, use: a.use + 1, both: a.goal() + 1}
	if values {
		b.value, b.both = 1, min(b.both, a.use+1)
	}
	if uses {
		b.use = 1
	}
	if values && uses {
		b.both = 1
	}
	return steps{min(far, b.value), min(far, b.use), min(far, b.both)}
}

// goal is the number of steps until the use behind the value. One way leads to
// both, or one to each.
func (a steps) goal() int32 { return min(far, a.both, a.value+a.use) }

// distances are the steps from what there is in a state. They are those of a game
// without drops, queues and loopers.
type distances struct {
	runs   []steps    // by action: from before its run
	begun  []steps    // by action: from before the access of its run
	items  []steps    // by item
	at     [2][]steps // by play and state of its automaton or midway
	unmade [2]steps   // by play: while it is not made
	roots  steps      // actions that come at any time
	better bool
}

func (d *distances) lower(to *steps, by steps) {
	if by = to.or(by); by != *to {
		*to, d.better = by, true
	}
}

// lookAhead finds the distances of a scene.
func (sc *scene) lookAhead() {
	d := &sc.dist
	d.runs, d.begun, d.items, d.roots = nevers(len(sc.cast)), nevers(len(sc.cast)), nevers(len(sc.items)), never
	for p, play := range sc.plays {
		d.at[p], d.unmade[p] = nevers(len(play.auto.States)+len(play.mids)), never
	}
	for d.better = true; d.better; {
		d.better = false
		for n := range sc.roles {
			sc.lookAtRun(int32(n))
		}
		for k := range sc.items {
			if e := &sc.items[k]; e.kind == itemArmed || e.kind == itemStart {
				d.lower(&d.items[k], d.runs[e.act])
			}
		}
		for _, n := range sc.roots {
			r := &sc.roles[n]
			if r.when == nil {
				d.lower(&d.roots, d.runs[n])
				continue
			}
			r.when.each(func(at node) { d.lower(&d.at[r.play][at], d.runs[n]) })
			if r.when.has(node(sc.plays[r.play].auto.Init)) {
				d.lower(&d.unmade[r.play], d.runs[n])
			}
		}
		for p := range sc.plays {
			sc.lookAtPlay(p)
		}
	}
}

func nevers(n int) []steps {
	s := make([]steps, n)
	for i := range s {
		s[i] = never
	}
	return s
}

func (sc *scene) lookAtRun(n int32) {
	d, r := &sc.dist, &sc.roles[n]
	early, late := d.armed(r)
	values, uses := sc.sets(n), n == sc.use && !sc.sets(n)
	if n == sc.use && sc.sets(n) { // it uses before it sets
		use := late
		if !r.split {
			use = use.or(early)
		}
		d.lower(&d.begun[n], use.before(false, true))
	}
	if r.split {
		d.lower(&d.begun[n], late.before(values, uses))
		d.lower(&d.items[r.begun], d.begun[n])
		d.lower(&d.runs[n], early.or(d.begun[n]).before(false, false))
	} else {
		d.lower(&d.begun[n], early.or(late).before(values, uses))
		d.lower(&d.runs[n], d.begun[n])
	}
}

// sets: a run of n may give the location the value that the goal reads.
func (sc *scene) sets(n int32) bool {
	switch sc.goal {
	case goalNull:
		return n == sc.free && (sc.q.FreeAtEnd || sc.apart)
	case goalLive:
		return sc.roles[n].writes
	}
	return false
}

// armed are the steps from what a run of r arms, before its access and behind it.
func (d *distances) armed(r *role) (early, late steps) {
	early, late = never, never
	for _, a := range r.arms {
		if a.late {
			late = late.or(d.items[a.item])
		} else {
			early = early.or(d.items[a.item])
		}
	}
	for _, e := range r.made {
		early = early.or(d.items[e])
	}
	return early, late
}

func (sc *scene) lookAtPlay(p int) {
	d, play := &sc.dist, sc.plays[p]
	for k := range play.mids {
		d.lower(&d.at[p][len(play.auto.States)+k], sc.called(p, play.mids[k]))
	}
	for tr, t := range play.auto.Transitions {
		if play.auto.valid(t.From) && play.auto.valid(t.To) {
			d.lower(&d.at[p][t.From], sc.called(p, midway{tr, 0}))
		}
	}
	if e := sc.needs[p]; e >= 0 {
		d.lower(&d.items[e], d.at[p][play.auto.Init])
	}
}

// called are the steps from a point inside a transition, see callback.
func (sc *scene) called(p int, at midway) steps {
	d, play, calls := &sc.dist, sc.plays[p], sc.calls[p][at.tr]
	for at.k < len(calls) && len(calls[at.k]) == 0 {
		at.k++
	}
	next := d.at[p][play.auto.Transitions[at.tr].To]
	if at.k == len(calls) {
		return next.before(false, false)
	}
	if at.k+1 < len(calls) {
		next = d.at[p][int(play.first[at.tr])+at.k+1]
	}
	values, uses := false, false
	for j, n := range calls[at.k] {
		r := &sc.roles[n]
		early, late := d.armed(r)
		next = next.or(early)
		if r.split && j == 0 {
			next = next.or(d.begun[n])
			continue
		}
		next = next.or(late)
		values, uses = values || sc.sets(n), uses || n == sc.use
	}
	if len(calls[at.k]) == 1 && values && uses { // it uses before it sets
		return next.before(true, false).or(next.before(false, true))
	}
	return next.before(values, uses)
}

// ahead is a lower bound of the steps from s to the goal, far if it cannot be
// reached. From one state to the next it falls by no more than one.
func (m *search) ahead(s *state) int32 {
	d := &m.dist
	least := d.roots
	for _, el := range s.line {
		least = least.or(d.items[el.item()])
	}
	s.holds.each(func(k node) { least = least.or(d.items[k]) })
	for p, play := range m.plays {
		if at := s.at[p]; at == play.auto.Init && !m.made(s, p) {
			least = least.or(d.unmade[p])
		} else {
			least = least.or(d.at[p][at])
		}
	}
	if s.holds.has(0) {
		return least.use
	}
	return least.goal()
}
