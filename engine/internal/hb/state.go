package hb

import "slices"

// state of a search. A component is at a state of its automaton, or beyond them
// at a midway. A state that holds more, all else equal, can do whatever one that
// holds less can.
type state struct {
	at    [2]int32
	holds row    // items of which there is one, or any number
	line  []elem // what is to run of those that are kept in order, as it was armed
	step  int32  // of the script that the search follows
}

func (s *state) copyTo(t *state) {
	t.at, t.step = s.at, s.step
	t.holds = append(t.holds[:0], s.holds...)
	t.line = append(t.line[:0], s.line...)
}

func (r row) drop(n node) { r[n>>6] &^= 1 << (uint(n) & 63) }

// within: r has nothing that s has not.
func (r row) within(s row) bool {
	for i, w := range r {
		if w&^s[i] != 0 {
			return false
		}
	}
	return true
}

// record is a stored state. Those at one point of the automata with one line are
// a chain.
type record struct {
	at     [2]int32
	step   int32
	hash   uint32
	line   int32 // where it begins, as it is and then in normal form
	n      int32 // its length
	norm   int32 // the length of its normal form
	next   int32 // in the chain, or -1
	last   int32 // of the chain, if this is its first
	count  int32 // of the chain, if this is its first
	from   int32 // the state before, or -1
	depth  int32 // steps from the first state
	ran    int32 // where the actions that led here begin
	ranEnd int32
}

// table holds the states that were reached, in that order. It is an open hash
// table of the chains.
type table struct {
	sc    *scene
	recs  []record
	lines []elem
	holds []uint64 // of record i: words from i*width on
	width int
	slots []int32 // first of a chain plus 1, or 0
	used  int
	norm  []elem // scratch
}

// chainWidth bounds the sets that are kept apart at one point. Behind it they are
// taken as one that holds what any of them holds, which shows more but no less.
const chainWidth = 32

func newTable(sc *scene) *table {
	return &table{sc: sc, width: len(sc.holds), slots: make([]int32, 64)}
}

func (t *table) holdsOf(i int32) row {
	return t.holds[int(i)*t.width : (int(i)+1)*t.width]
}

// load fills s with state i.
func (t *table) load(i int32, s *state) {
	r := &t.recs[i]
	s.at, s.step = r.at, r.step
	s.holds = append(s.holds[:0], t.holdsOf(i)...)
	s.line = append(s.line[:0], t.lines[r.line:r.line+r.n]...)
}

// add stores s unless a state that was reached in no more steps can do the same.
func (t *table) add(s *state, from, depth int32) (int32, bool) {
	t.normalise(s.line)
	h := hashState(s, t.norm)
	slot := h & uint32(len(t.slots)-1)
	first := int32(-1)
	for t.slots[slot] != 0 {
		i := t.slots[slot] - 1
		if r := &t.recs[i]; r.hash == h && r.at == s.at && r.step == s.step && slices.Equal(t.lines[r.line+r.n:r.line+r.n+r.norm], t.norm) {
			first = i
			break
		}
		slot = (slot + 1) & uint32(len(t.slots)-1)
	}
	for i := first; i >= 0; i = t.recs[i].next {
		if !s.holds.within(t.holdsOf(i)) {
			continue
		}
		r := &t.recs[i]
		if r.depth < depth || r.depth == depth && (r.from == from || !t.earlier(from, r.from)) {
			return 0, false
		}
	}
	id := int32(len(t.recs))
	if first < 0 {
		t.slots[slot] = id + 1
		first = id
		t.used++
	} else {
		f := &t.recs[first]
		t.recs[f.last].next = id
		if f.count++; f.count > chainWidth {
			t.join(s, first, id)
		}
	}
	t.recs = append(t.recs, record{at: s.at, step: s.step, hash: h, line: int32(len(t.lines)), n: int32(len(s.line)), norm: int32(len(t.norm)), next: -1, last: id, count: 1, depth: depth})
	t.recs[first].last = id
	t.lines = append(append(t.lines, s.line...), t.norm...)
	t.holds = append(t.holds, s.holds...)
	if t.used*2 > len(t.slots) {
		t.grow()
	}
	return id, true
}

// join adds to s what the states of a chain hold before state end.
func (t *table) join(s *state, i, end int32) {
	for ; i >= 0 && i != end; i = t.recs[i].next {
		s.holds.or(t.holdsOf(i))
	}
}

func (t *table) grow() {
	old := t.slots
	t.slots = make([]int32, 2*len(old))
	for _, i := range old {
		if i == 0 {
			continue
		}
		slot := t.recs[i-1].hash & uint32(len(t.slots)-1)
		for t.slots[slot] != 0 {
			slot = (slot + 1) & uint32(len(t.slots)-1)
		}
		t.slots[slot] = i
	}
}

func hashState(s *state, line []elem) uint32 {
	h := uint64(uint32(s.at[0]))<<32 | uint64(uint32(s.at[1]))
	h = (h ^ uint64(s.step)<<16) * 0x9e3779b97f4a7c15
	for _, e := range line {
		h = (h ^ h>>29 ^ uint64(e)) * 0xbf58476d1ce4e5b9
	}
	return uint32(h >> 32)
}

// normalise gives lines the same form that differ only in the order of elements
// of which neither holds up the other (the normal form of a trace).
func (t *table) normalise(line []elem) {
	t.norm = t.norm[:0]
	for _, e := range line {
		j := len(t.norm)
		for j > 0 && !t.dependent(t.norm[j-1], e) {
			j--
		}
		for j < len(t.norm) && t.norm[j] <= e {
			j++
		}
		t.norm = slices.Insert(t.norm, j, e)
	}
}

// dependent: the order of the two in a line matters.
func (t *table) dependent(x, y elem) bool {
	a, b := x.item(), y.item()
	e, f := t.sc.lined(a), t.sc.lined(b)
	if e.kind != itemArmed || f.kind != itemArmed {
		return false
	}
	return a == b || x.has(isSure) && e.ahead.has(b) != e.behind.has(b) || y.has(isSure) && f.ahead.has(a) != f.behind.has(a) ||
		e.passes.has(b) || f.passes.has(a)
}
