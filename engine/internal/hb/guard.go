package hb

import "math/bits"

// A few locations may keep the use from reading what the goal is about: flags that are
// tested before it. What they hold, the raced location among them, is a valuation. A
// search that is given a Guard follows through the runs which valuations there may be
// (SIERRA section 5, as predicate abstraction): the schedule reaches the goal only if one
// of them lets the run of the use come to the use while the location fails.
//
// Each state holds the set of valuations that its runs may leave, so that what a run does
// is one image of a set and no state is told apart by them that another one covers.

// Valuations is a set of valuations, which are numbered from 0.
type Valuations uint64

// MaxValuations is how many valuations a set can hold.
const MaxValuations = 64

// Guard says what runs do to the locations that a question is about.
type Guard struct {
	Start   Valuations // before the first run
	Failing Valuations // those in which the location holds what the goal reads
	Size    int        // the number of valuations
	Changes map[ActionID]*Change
}

// Change is what a run of an action does. Actions that have none leave all as it is.
type Change struct {
	After []Valuations // by valuation before the run: those that it may leave
	// Uses are the valuations before the run from which the use may read the failing value.
	Uses Valuations
}

// Leaves are the valuations that there may be after any runs in any order.
func (g *Guard) Leaves() Valuations {
	all := g.Start
	for {
		next := all
		for _, c := range g.Changes {
			next |= g.after(c, all)
		}
		if next == all {
			return all
		}
		all = next
	}
}

// after is what a run with a change may leave.
func (g *Guard) after(c *Change, before Valuations) Valuations {
	if c == nil {
		return before
	}
	var out Valuations
	for rest := before; rest != 0; rest &= rest - 1 {
		out |= c.After[bits.TrailingZeros64(uint64(rest))]
	}
	return out
}

// changes are the changes of a guard by node, nil for none.
func (s *Searcher) changes(g *Guard) map[node]*Change {
	if g == nil {
		return nil
	}
	out := map[node]*Change{}
	for a, c := range g.Changes {
		if n := s.c.action(a); n != process {
			out[n] = c
		}
	}
	return out
}

// valuations reads the items of a state that stand for valuations.
func (m *search) valuations(s *state) Valuations {
	var v Valuations
	for i := range m.q.Guard.Size {
		if s.holds.has(node(int(m.valued) + i)) {
			v |= 1 << i
		}
	}
	return v
}

// setValuations notes them, and whether the location may fail.
func (m *search) setValuations(s *state, v Valuations) {
	for i := range m.q.Guard.Size {
		k := node(int(m.valued) + i)
		s.holds.drop(k)
		if v>>i&1 != 0 {
			s.holds.set(k)
		}
	}
	s.holds.drop(0)
	if v&m.q.Guard.Failing != 0 {
		s.holds.set(0)
	}
}

// guarded is effect where a guard says what runs do.
func (m *search) guarded(i int32, s *state, n int32, ran []int32) {
	before, c := m.valuations(s), m.roles[n].change
	if n == m.use && c != nil && c.Uses&before != 0 && !m.found {
		m.reached(i, s, ran)
	}
	m.setValuations(s, m.q.Guard.after(c, before))
}

// quiet reports whether a run of n leaves no valuations but those that there may be.
func (m *search) quiet(s *state, n int32) bool {
	before, c := m.valuations(s), m.roles[n].change
	return m.q.Guard.after(c, before)&^before == 0 && !(n == m.use && c != nil && c.Uses&before != 0)
}
