package hb

import "slices"

// attempt plays one schedule of a question run by run, with all that is armed in
// its order and number, by the rules of the search. It looks at no other schedule:
// where it reaches the goal the search would, where it does not nothing is known.
// See aim for how it chooses what runs.
type attempt struct {
	*Searcher
	q         *Question
	goal      goal
	free, use node // free: process for none
	plays     []*play
	involved  row              // what can come before the goal
	changes   map[node]*Change // see Guard
	valued    Valuations       // that the locations of a guard may have now
	writers   row              // write a live value
	musts     row              // of these, whose every run does
	sides     []node           // that access the location
	apart     bool             // see scene
	owner     int              // the play of the location's owner, if it is of neither side, or -1

	at    [2]int32 // by play
	made  [2]bool  // by play
	reads bool     // the location has the value that the goal reads
	line  []waiting
	begun []begun
	over  []node // with a final cancellation that has run
	ran   []node
	found bool
	fuel  int // see spend
}

// waiting is an element of the line, see elem.
type waiting struct {
	*target
	marks mark
}

// begun are runs that have posted and are still to access.
type begun struct {
	act  node
	many bool
}

// newAttempt sets the stage for one goal, as scene does.
func (s *Searcher) newAttempt(q *Question, l goal) *attempt {
	c := s.c
	t := &attempt{Searcher: s, q: q, goal: l, use: c.action(q.Use), involved: newRow(c.n), writers: newRow(c.n), musts: newRow(c.n)}
	t.sides = []node{t.use}
	if q.Free != 0 {
		t.free = c.action(q.Free)
		t.sides = []node{t.free, t.use}
		t.apart = !s.serial.has(t.free, t.free) || !s.serial.has(t.free, t.use)
	}
	for _, n := range t.sides {
		if p := s.playOf(n); p != nil && !slices.Contains(t.plays, p) {
			t.plays = append(t.plays, p)
		}
		t.involved.or(s.above(n))
	}
	t.changes = s.changes(q.Guard)
	for n := range t.changes {
		t.involved.or(s.above(n))
	}
	t.owner = -1
	if p := s.playFor(c.component(q.Owner)); p != nil && len(t.plays) < len(t.at) && !slices.Contains(t.plays, p) {
		t.owner = len(t.plays)
		t.plays = append(t.plays, p)
	}
	for _, w := range q.Writers {
		if n := c.action(w.Action); n != process {
			t.writers.set(n)
			if w.Must {
				t.musts.set(n)
			}
			t.sides = append(t.sides, n)
			if w.Must || l == goalLive {
				t.involved.or(s.above(n))
			}
		}
	}
	return t
}

// start goes back to the start of the process and runs what runs there.
func (t *attempt) start() bool {
	t.line, t.begun, t.over, t.ran = t.line[:0], t.begun[:0], t.over[:0], t.ran[:0]
	if t.q.Guard != nil {
		t.valued = t.q.Guard.Start
	}
	t.found, t.reads, t.fuel = false, t.goal == goalInit && !t.q.InitLive || t.goal == goalLive && t.q.InitLive, maxFuel
	for i, p := range t.plays {
		t.at[i], t.made[i] = p.auto.Init, t.c.causes[p.comp][0].point == 0
	}
	first := slices.Clone(t.starting())
	for len(first) > 0 {
		n := first[0]
		first = slices.DeleteFunc(first[1:], func(x node) bool { return t.ordered.has(x, n) })
		if !t.run(n) {
			return false
		}
	}
	return true
}

// starting are the actions that run at the start of the process, before all else.
func (t *attempt) starting() []node {
	var first []node
	for _, n := range t.starts {
		if p := t.playIn(n); t.involved.has(n) && (p < 0 || !t.onlyInTransitions(t.plays[p], n)) {
			first = append(first, n)
		}
	}
	return first
}

// playIn is the play whose automaton may say when n comes, or -1.
func (t *attempt) playIn(n node) int {
	comp := t.c.component(t.c.act(n).Component)
	return slices.IndexFunc(t.plays, func(p *play) bool { return p.comp == comp })
}

// mayCome: the automaton of n's component, if it is one of the plays, allows n now.
func (t *attempt) mayCome(n node) bool {
	p := t.playIn(n)
	return p < 0 || t.allows(p, n, t.at[p])
}

// allows: n may come in a state of play p, outside of transitions. What the
// automaton does not know comes at any time after the start.
func (t *attempt) allows(p int, n node, at int32) bool {
	known := t.positions(n)
	if len(known) == 0 {
		return at != t.plays[p].auto.Init
	}
	return slices.ContainsFunc(known, func(x position) bool { return x.tr < 0 && int32(x.from) == at })
}

// positions are where the automaton of n's component has n.
func (s *Searcher) positions(n node) []position {
	a := s.c.act(n)
	if comp := s.c.component(a.Component); a.Callback >= 0 && comp != process && s.c.walk[comp] != nil {
		return s.c.walk[comp].at[a.Callback]
	}
	return nil
}

// run runs n; a split action only posts now. It reports whether it may go on.
func (t *attempt) run(n node) bool { return t.runAll([]node{n}) }

// runAll runs the actions of one step. Only the first can be split.
func (t *attempt) runAll(acts []node) bool {
	if !t.spend() {
		return false
	}
	for i, n := range acts {
		t.end(n)
		t.ran = append(t.ran, n)
		splits := i == 0 && t.split(n)
		if !splits {
			t.effect(n)
		}
		t.arm(n, true, !splits)
		if splits {
			t.begin(n)
		}
	}
	return true
}

// spend pays for a step: more where much waits. It reports whether there was enough.
func (t *attempt) spend() bool {
	t.fuel -= 1 + len(t.line)/16
	return t.fuel >= 0
}

// split: the posts of n and its access are two steps.
func (t *attempt) split(n node) bool {
	return t.involved.has(n) && len(t.c.posted[n]) > 0 && slices.Contains(t.sides, n) &&
		slices.ContainsFunc(t.sides, func(a node) bool { return !t.serial.has(n, a) })
}

// end removes what is over when n runs.
func (t *attempt) end(n node) {
	kept := t.line[:0]
	for _, e := range t.line {
		drops, shakes := t.undone(n, e.target)
		if drops {
			continue
		}
		if shakes {
			e.marks &^= isSure
		}
		kept = append(kept, e)
	}
	t.line = kept
	if slices.ContainsFunc(t.c.cancels[n], func(u PointID) bool { return t.c.m.Points[u].Final }) {
		t.over = append(t.over, n)
	}
}

// begin notes a run whose access is to come.
func (t *attempt) begin(n node) {
	if i := slices.IndexFunc(t.begun, func(b begun) bool { return b.act == n }); i >= 0 {
		t.begun[i].many = true
		return
	}
	t.begun = append(t.begun, begun{act: n})
}

// access is the second step of begun run i.
func (t *attempt) access(i int) bool {
	if !t.spend() {
		return false
	}
	n := t.begun[i].act
	t.begun = slices.Delete(t.begun, i, i+1)
	if t.ran[len(t.ran)-1] != n {
		t.ran = append(t.ran, n)
	}
	t.effect(n)
	t.arm(n, false, true)
	return true
}

// effect is what the accesses of n do to the value, see search.effect.
func (t *attempt) effect(n node) {
	if t.q.Guard != nil {
		c := t.changes[n]
		t.found = t.found || n == t.use && c != nil && c.Uses&t.valued != 0
		if !t.found {
			t.valued = t.q.Guard.after(c, t.valued)
		}
		return
	}
	if n == t.use && (n != t.free || t.q.UseFirst) && t.reads {
		t.found = true
	}
	if t.found {
		return
	}
	must, writes := t.musts.has(n), t.writers.has(n)
	switch t.goal {
	case goalNull:
		switch {
		case n == t.free && (t.q.FreeAtEnd || t.apart):
			t.reads = true
		case must:
			t.reads = false
		}
	case goalLive:
		switch {
		case writes:
			t.reads = true
		case n == t.free && t.q.FreeAtEnd && t.q.FreeMust:
			t.reads = false
		}
	case goalInit:
		t.reads = t.reads && !must
	}
}

// arm executes the posts, starts and registrations of a run, see search.arm. Of a
// third run whose posts would have to be kept in order none are made.
func (t *attempt) arm(n node, early, late bool) {
	if early {
		for p, play := range t.plays {
			t.made[p] = t.made[p] || slices.ContainsFunc(t.c.causes[play.comp], func(ca cause) bool { return ca.from == n })
		}
	}
	again, kept := false, [2]bool{}
	for _, e := range t.line {
		if e.from == n {
			again = true
			kept[bit(e.marks&isSecond != 0)] = kept[bit(e.marks&isSecond != 0)] || e.fifo
		}
	}
	for _, e := range t.arms(n) {
		if !t.involved.has(e.to) {
			continue
		}
		if behind := t.late(t.q, n, e.point); behind && !late || !behind && !early {
			continue
		}
		if slices.ContainsFunc(t.over, func(x node) bool { return t.ordered.has(e.to, x) }) {
			continue
		}
		switch {
		case !e.fifo && again:
			t.armAgain(e)
		case !e.fifo:
			t.line = append(t.line, waiting{e, e.flags})
		case !kept[0] || !kept[1]:
			t.line = append(t.line, waiting{e, e.flags | mark(bit(kept[0]))*isSecond})
		}
	}
}

// armAgain puts another run into the line, in no known order. Of more than two the
// second stands for all.
func (t *attempt) armAgain(e *target) {
	count := 0
	for j := range t.line {
		if t.line[j].target != e {
			continue
		}
		if count++; e.many {
			return
		}
		if count == 2 {
			t.line[j].marks = t.line[j].marks&^isSure | isMany
			return
		}
	}
	t.line = append(t.line, waiting{e, e.flags})
}

// take takes element k from the line, which is about to run.
func (t *attempt) take(k int) {
	e := t.line[k]
	rest := slices.Clone(t.line[k+1:])
	kept := t.line[:0]
	for _, x := range t.line[:k] { // it would have run before if it existed
		if ahead, _ := t.holdsUp(x.target, e.target); x.marks&isSure == 0 && ahead && t.armedFirst(x.target, e.target) {
			continue
		}
		kept = append(kept, x)
	}
	switch {
	case e.many:
		kept = append(kept, e)
	case e.marks&isMany != 0: // what remains may be none
		e.marks &^= isSure
		kept = append(kept, e)
	}
	t.line = append(kept, rest...)
}

// heldBy is an element of the line that is sure to run before element k, or -1.
func (t *attempt) heldBy(k int) int {
	for j, x := range t.line {
		if x.marks&isSure == 0 || j == k {
			continue
		}
		if ahead, behind := t.holdsUp(x.target, t.line[k].target); j < k && ahead || j > k && behind {
			return j
		}
	}
	return -1
}
