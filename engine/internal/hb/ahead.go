package hb

// far is more steps than any schedule has.
const far = 1 << 20

// steps bounds the steps to a thing from below: all of them, and its own ones,
// which the other thing that a schedule does has no use for.
type steps struct{ all, own int32 }

var never = steps{far, far}

func (a steps) or(b steps) steps { return steps{min(a.all, b.all), min(a.own, b.own)} }

func (a steps) then(b steps) steps { return steps{min(far, a.all+b.all), min(far, a.own+b.own)} }

// distances are lower bounds of the steps to one thing, by what leads there. They
// are those of a game without drops, queues and loopers, in which any one item or
// component leads on by itself.
type distances struct {
	runs   []steps    // by action: from before its run
	begun  []steps    // by action: from before the access of a split run
	items  []steps    // by item
	at     [2][]steps // by play and state of its automaton or midway
	unmade [2]steps   // by play: while it is not made
	roots  steps      // actions that come at any time
}

// lookAhead bounds the steps to the value that the goal reads, and to the use.
func (sc *scene) lookAhead() {
	values, uses := make([]bool, len(sc.cast)), make([]bool, len(sc.cast))
	toValue, toUse := newRow(sc.c.n), sc.above(sc.cast[sc.use])
	for i, n := range sc.cast {
		uses[i] = int32(i) == sc.use
		if values[i] = sc.sets(int32(i)); values[i] {
			toValue.or(sc.above(n))
		}
	}
	sc.toValue = sc.distances(values, toUse, steps{1, 0})
	last := steps{1, 1} // the last step comes after the value is there
	if sc.calledWithUse(values) {
		last.own = 0
	}
	sc.toUse = sc.distances(uses, toValue, last)
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

// calledWithUse: one step may run the use and one of the actions in set.
func (sc *scene) calledWithUse(set []bool) bool {
	for _, calls := range sc.calls {
		for _, tr := range calls {
			for _, acts := range tr {
				use, other := false, false
				for _, n := range acts {
					use, other = use || n == sc.use, other || set[n]
				}
				if use && other {
					return true
				}
			}
		}
	}
	return false
}

// distances finds the steps to the accesses of targets. Runs of actions in shared
// and steps of automata are no own steps; last is the step with the access.
func (sc *scene) distances(targets []bool, shared row, last steps) *distances {
	d := &distances{runs: nevers(len(sc.cast)), begun: nevers(len(sc.cast)), items: nevers(len(sc.items)), roots: never}
	for p, play := range sc.plays {
		d.at[p], d.unmade[p] = nevers(len(play.auto.States)+len(play.mids)), never
	}
	for changed := true; changed; {
		changed = false
		lower := func(to *steps, by steps) {
			if by = to.or(by); by != *to {
				*to, changed = by, true
			}
		}
		for i, n := range sc.cast {
			r, one := &sc.roles[i], steps{1, int32(1 - bit(shared.has(n)))}
			early, late := d.armedBy(r)
			if targets[i] {
				end := last
				if one.own > end.own {
					end.own = one.own
				}
				lower(&d.begun[i], end)
			}
			lower(&d.begun[i], one.then(late))
			if r.split {
				lower(&d.runs[i], one.then(early.or(d.begun[i])))
				lower(&d.items[r.begun], d.begun[i])
			} else {
				lower(&d.runs[i], d.begun[i].or(one.then(early)))
			}
		}
		for k := range sc.items {
			if e := &sc.items[k]; e.kind == itemArmed || e.kind == itemStart {
				lower(&d.items[k], d.runs[e.act])
			}
		}
		for _, n := range sc.roots {
			r := &sc.roles[n]
			if r.when == nil {
				lower(&d.roots, d.runs[n])
				continue
			}
			r.when.each(func(at node) { lower(&d.at[r.play][at], d.runs[n]) })
			if r.when.has(node(sc.plays[r.play].auto.Init)) {
				lower(&d.unmade[r.play], d.runs[n])
			}
		}
		for p, play := range sc.plays {
			for k := range play.mids {
				lower(&d.at[p][len(play.auto.States)+k], sc.called(d, p, play.mids[k], targets, last))
			}
			for tr, t := range play.auto.Transitions {
				if play.auto.valid(t.To) {
					lower(&d.at[p][t.From], sc.called(d, p, midway{tr, 0}, targets, last))
				}
			}
			if e := sc.needs[p]; e >= 0 {
				lower(&d.items[e], d.at[p][play.auto.Init])
			}
		}
	}
	return d
}

func nevers(n int) []steps {
	s := make([]steps, n)
	for i := range s {
		s[i] = never
	}
	return s
}

// armedBy are the steps from what a run of r arms, before its access and behind it.
func (d *distances) armedBy(r *role) (early, late steps) {
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

// called are the steps from a point inside a transition, see callback.
func (sc *scene) called(d *distances, p int, at midway, targets []bool, last steps) steps {
	play := sc.plays[p]
	calls := sc.calls[p][at.tr]
	for at.k < len(calls) && len(calls[at.k]) == 0 {
		at.k++
	}
	one := steps{1, 0}
	next := d.at[p][play.auto.Transitions[at.tr].To]
	if at.k == len(calls) {
		return one.then(next)
	}
	if at.k+1 < len(calls) {
		next = d.at[p][int(play.first[at.tr])+at.k+1]
	}
	access := never
	for j, n := range calls[at.k] {
		r := &sc.roles[n]
		early, late := d.armedBy(r)
		next = next.or(early)
		switch {
		case r.split && j == 0:
			next = next.or(d.begun[n])
		case targets[n]:
			access = last
			fallthrough
		default:
			next = next.or(late)
		}
	}
	return access.or(one.then(next))
}

// ahead is a lower bound of the steps from s to the goal, far if it cannot be
// reached. Of two steps one after the other it is lower by no more than one.
func (m *search) ahead(s *state) int32 {
	use := m.toUse.from(m, s)
	if s.holds.has(0) || use.all >= far {
		return use.all
	}
	// Each step counts for one of the two only.
	value := m.toValue.from(m, s)
	return min(far, max(value.all+use.own, value.own+use.all))
}

// from are the steps from s.
func (d *distances) from(m *search, s *state) steps {
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
	return least
}
