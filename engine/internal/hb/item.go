package hb

// itemKind says what an item of a scene stands for.
type itemKind uint8

const (
	itemValue itemKind = iota // the location holds what the goal reads
	itemArmed                 // runs to come of one target of one post, start or registration
	itemStart                 // a run to come at the start of the process, before all else
	itemBegun                 // runs that have posted and are still to access
	itemMade                  // a component that may be created
	itemOpen                  // a final cancellation that has not run
)

// item is a thing that states of a search hold or not. Of value, made and open
// there is one; the others stand in a line, in the order in which they were
// armed. A search keeps the order and the number of the exact ones only; of the
// others it notes that there may be any number.
type item struct {
	kind   itemKind
	act    int32 // that runs
	point  PointID
	poster int32
	flags  mark
	many   bool // runs any number of times
	exact  bool // in every search
	fifo   bool // its runs come in the order in which they were armed
	// The rows are nil at first, see lined.
	// ahead: items whose runs come later if they stand behind a sure one of
	// this item; behind: those that come later even if they stand before it.
	ahead, behind row
	// passes: if one of these runs while this item stands before it, this item
	// has no run to come: it would have been first.
	passes row
}

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
	sc.items = append(sc.items, e)
	return int32(len(sc.items) - 1)
}

// inLine: the item stands in the line, if it is kept in order.
func (e *item) inLine() bool {
	return e.kind == itemStart || e.kind == itemArmed || e.kind == itemBegun
}

func (sc *scene) armedItem(id PointID, poster, act int32) item {
	p := &sc.c.m.Points[id]
	e := item{kind: itemArmed, act: act, point: id, poster: poster}
	if p.Must && len(p.Targets) == 1 && !p.Repeat && p.Kind != Register {
		e.flags |= isSure
	}
	if p.Loop || p.Repeat {
		e.flags |= isMany
	}
	e.many = p.Kind == Register
	a := sc.cast[act]
	e.fifo = p.Kind == Post && p.Delay.Known && !p.Front && !p.Repeat && !sc.c.queue(a).NoFIFO && sc.serial.has(a, a) &&
		(!p.Loop || sc.oneRun(poster))
	return e
}

// oneRun: no two runs of an action overlap.
func (sc *scene) oneRun(i int32) bool {
	n := sc.cast[i]
	return sc.serial.has(n, n) || sc.c.single(n, sc.c.home[n])
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
		ahead, behind := sc.holdsUp(e, f)
		if ahead {
			e.ahead.set(node(l))
		}
		if behind {
			e.behind.set(node(l))
		}
		if ahead && sc.armedFirst(e, f, int(k) == l) {
			e.passes.set(node(l))
		}
	}
	return e
}

// holdsUp: a run of f waits for a sure run of e that was armed before it, or
// after it.
func (sc *scene) holdsUp(e, f *item) (ahead, behind bool) {
	c := sc.c
	earlier, later := &c.m.Points[e.point], &c.m.Points[f.point]
	act := sc.cast[e.act]
	if earlier.Kind != Post || later.Kind != Post || !sc.serial.has(act, sc.cast[f.act]) || c.queue(act).NoFIFO {
		return false, false
	}
	if earlier.Front { // overtakes all but what is at the front later
		// Posted later from elsewhere, it may come too late.
		return !later.Front, e.act != f.act && sc.serial.has(sc.cast[e.poster], act)
	}
	return !later.Front && earlier.Delay.Known && later.Delay.Known && earlier.Delay.MS <= later.Delay.MS, false
}

// armedFirst: if e stands before f, each run of e was armed before that of f.
// The posts of two actions that overlap may alternate, and so may those of one
// loop.
func (sc *scene) armedFirst(e, f *item, same bool) bool {
	if !e.fifo {
		return false
	}
	if e.poster != f.poster {
		return sc.serial.has(sc.cast[e.poster], sc.cast[f.poster])
	}
	n := sc.cast[e.poster]
	return same || sc.oneRun(e.poster) && sc.c.inOrder(n, sc.c.m.Points[e.point].Site, sc.c.m.Points[f.point].Site)
}
