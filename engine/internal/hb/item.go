package hb

import "slices"

// itemKind says what an item of a scene stands for.
type itemKind uint8

const (
	itemValue     itemKind = iota // the location holds what the goal reads
	itemArmed                     // runs to come of one target of one post, start or registration
	itemStart                     // a run to come at the start of the process, before all else
	itemBegun                     // runs that have posted and are still to access
	itemMade                      // a component that may be created
	itemOpen                      // a final cancellation that has not run
	itemValuation                 // what the locations of a guard may hold
)

// item is a thing that states of a search hold or not. Of value, made and open
// there is one; the others stand in a line, in the order in which they were
// armed. A search keeps the order and the number of the exact ones only; of the
// others it notes that there may be any number.
type item struct {
	*target
	kind  itemKind
	act   int32 // that runs
	by    int32 // that arms it
	exact bool  // in every search
	// The rows are nil at first, see lined.
	// ahead: items whose runs come later if they stand behind a sure one of
	// this item; behind: those that come later even if they stand before it.
	ahead, behind row
	// passes: if one of these runs while this item stands before it, this item
	// has no run to come: it would have been first.
	passes row
}

// target is what a post, start or registration arms.
type target struct {
	point    PointID
	from, to node // the action of the point, and the target
	flags    mark
	many     bool // runs any number of times
	fifo     bool // its runs come in the order in which they were armed
}

// nothing is armed by the items of other kinds.
var nothing target

// mark says what is known of an element of the line.
type mark uint32

const (
	isSure   mark = 1 << iota // it runs, if it is not cancelled
	isMany                    // it stands for several that were armed together
	isSecond                  // it is of the other of the two runs of its poster that are kept
	marks    = 3              // bits
)

// elem is an item in a line with its marks.
type elem uint32

func (e elem) item() node      { return node(e >> marks) }
func (e elem) has(m mark) bool { return mark(e)&m != 0 }

func (sc *scene) add(e item) int32 {
	if e.target == nil {
		e.target = &nothing
	}
	sc.items = append(sc.items, e)
	return int32(len(sc.items) - 1)
}

// inLine: the item stands in the line, if it is kept in order.
func (e *item) inLine() bool {
	return e.kind == itemStart || e.kind == itemArmed || e.kind == itemBegun
}

// arms lists what a run of n arms and does not take back itself.
func (s *Searcher) arms(n node) []*target {
	if s.armsOf[n] != nil {
		return s.armsOf[n]
	}
	all := []*target{}
	for _, id := range s.c.posted[n] {
		known := len(all)
		for _, t := range s.c.m.Points[id].Targets {
			a := s.c.action(t)
			if a == process || s.takenBack(n, id, a) {
				continue
			}
			e := s.newTarget(id, n, a)
			if i := slices.IndexFunc(all[known:], func(x *target) bool { return x.to == a }); i >= 0 {
				e = all[known+i] // armed twice
			}
			all = append(all, e)
		}
	}
	s.armsOf[n] = all
	return all
}

func (s *Searcher) newTarget(id PointID, from, to node) *target {
	p := &s.c.m.Points[id]
	e := &target{point: id, from: from, to: to, many: p.Kind == Register}
	if p.Must && len(p.Targets) == 1 && !p.Repeat && p.Kind != Register {
		e.flags |= isSure
	}
	if p.Loop || p.Repeat {
		e.flags |= isMany
	}
	e.fifo = p.Kind == Post && p.Delay.Known && !p.Front && !p.Repeat && !s.c.queue(to).NoFIFO && s.serial.has(to, to) && (!p.Loop || s.oneRun(from))
	return e
}

// takenBack: a later point of the same run of n takes back what point id posts.
func (s *Searcher) takenBack(n node, id PointID, a node) bool {
	c := s.c
	return slices.ContainsFunc(c.cancels[n], func(u PointID) bool {
		pt := &c.m.Points[u]
		return s.undoes(n, u, a) && c.inOrder(n, c.m.Points[id].Site, pt.Site) && c.stops(pt, a, cause{n, id}, n)
	})
}

// undoes: point u of a run of n surely undoes what is armed of a.
func (s *Searcher) undoes(n node, u PointID, a node) bool {
	pt := &s.c.m.Points[u]
	return pt.Must && (len(pt.Targets) == 1 || pt.All) && s.serial.has(n, a) && s.targetsOf(u).has(a)
}

// undone: what is armed is over when n runs, or may be over. What the graph orders
// before n in every run of the instance and has not run by now never does.
func (s *Searcher) undone(n node, e *target) (drops, shakes bool) {
	c := s.c
	drops = s.ordered.has(e.to, n) || s.ends == [2]node{n, e.to} && n != process
	for _, u := range c.cancels[n] { // what they may undo no longer holds up others
		if s.targetsOf(u).has(e.to) {
			shakes = true
			drops = drops || s.undoes(n, u, e.to) && c.stops(&c.m.Points[u], e.to, cause{e.from, e.point}, s.instance(e.to, n))
		}
	}
	return drops, shakes
}

// oneRun: no two runs of an action overlap.
func (s *Searcher) oneRun(n node) bool {
	return s.serial.has(n, n) || s.c.single(n, s.c.home[n])
}

// lined is item k with what it holds up in the line, which few items are asked for.
func (sc *scene) lined(k node) *item {
	e := &sc.items[k]
	if e.ahead != nil {
		return e
	}
	n := len(sc.items)
	e.ahead, e.behind, e.passes = newRow(n), newRow(n), newRow(n)
	for l := range sc.items {
		f := &sc.items[l]
		if e.kind != itemArmed || f.kind != itemArmed {
			continue
		}
		ahead, behind := sc.holdsUp(e.target, f.target)
		if ahead {
			e.ahead.set(node(l))
		}
		if behind {
			e.behind.set(node(l))
		}
		if ahead && sc.armedFirst(e.target, f.target) {
			e.passes.set(node(l))
		}
	}
	return e
}

// holdsUp: a run of f waits for a sure run of e that was armed before it, or
// after it.
func (s *Searcher) holdsUp(e, f *target) (ahead, behind bool) {
	earlier, later := &s.c.m.Points[e.point], &s.c.m.Points[f.point]
	if earlier.Kind != Post || later.Kind != Post || !s.serial.has(e.to, f.to) || s.c.queue(e.to).NoFIFO {
		return false, false
	}
	if earlier.Front { // overtakes all but what is at the front later
		// Posted later from elsewhere, it may come too late.
		return !later.Front, e.to != f.to && s.serial.has(e.from, e.to)
	}
	return !later.Front && earlier.Delay.Known && later.Delay.Known && earlier.Delay.MS <= later.Delay.MS, false
}

// armedFirst: if e stands before f, each run of e was armed before that of f.
// The posts of two actions that overlap may alternate, and so may those of one
// loop.
func (s *Searcher) armedFirst(e, f *target) bool {
	if !e.fifo {
		return false
	}
	if e.from != f.from {
		return s.serial.has(e.from, f.from)
	}
	return e == f || s.oneRun(e.from) && s.c.inOrder(e.from, s.c.m.Points[e.point].Site, s.c.m.Points[f.point].Site)
}
