package hb

import "slices"

// maxRuns bounds the runs that the nearest way to an action has: no schedule that is
// longer says anything to a reader. maxFuel bounds the steps of an attempt in the
// same way, with what waits in queues meanwhile.
const (
	maxRuns = 250
	maxFuel = 300
)

// maxNested bounds how deep what holds up others is looked for.
const maxNested = 50

// attempt reports a schedule that reaches the goal, if one of a few does, and
// whether one was given up because it grew too long: the way
// to the free and then that to the use; or first the way to what causes the use,
// or to its posts, then the free, then the rest; or, of one action, two runs side by side; for a live value the same with
// each of the nearest writers. Of those that reach it the shortest is taken.
func (s *Searcher) attempt(q *Question, l goal) (schedule []ActionID, found, long bool) {
	t := s.newAttempt(q, l)
	var best []node
	try := func(steps func() bool) {
		if long {
			return
		}
		if t.start() && t.exist() && (t.found || steps()) && t.found && (best == nil || len(t.ran) < len(best)) {
			best = slices.Clone(t.ran)
		}
		long = t.fuel < 0
	}
	sources := []node{t.free}
	switch l {
	case goalInit:
		sources = nil
		try(func() bool { return t.bring(t.use) })
	case goalLive:
		if sources = t.nearestWriters(); q.InitLive {
			try(func() bool { return t.bring(t.use) })
		}
	}
	for _, n := range sources {
		try(func() bool { return t.bring(n) && t.bring(t.use) })
		if n == t.use {
			try(func() bool { return t.twice(n) })
		} else {
			try(func() bool { return t.prepare(t.use) && t.bring(n) && t.bring(t.use) })
			if t.split(t.use) {
				try(func() bool { return t.post(t.use) && t.bring(n) && t.bring(t.use) })
			}
		}
	}
	for _, n := range best {
		schedule = append(schedule, t.c.id(n))
	}
	return schedule, best != nil, long
}

// exist makes the owner of the location come to where it usually stays.
func (t *attempt) exist() bool {
	return t.owner < 0 || t.walk(t.owner, func(e *edge) bool {
		return !t.plays[t.owner].passing(e.to) && int(e.to) < len(t.plays[t.owner].auto.States)
	}, 0)
}

// nearestWriters are the few writers to which the way is shortest.
func (t *attempt) nearestWriters() []node {
	var all []node
	for _, w := range t.q.Writers {
		if n := t.c.action(w.Action); n != process && !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	slices.SortStableFunc(all, func(a, b node) int { return int(t.ways.cost[a] - t.ways.cost[b]) })
	return all[:min(len(all), 3)]
}

// bring makes n run, to the end of its access.
func (t *attempt) bring(n node) bool {
	if !t.hasBegun(n) && !t.post(n) {
		return false
	}
	for !t.found {
		i := slices.IndexFunc(t.begun, func(b begun) bool { return b.act == n })
		if i < 0 {
			break
		}
		if !t.access(i) {
			return false
		}
	}
	return true
}

func (t *attempt) hasBegun(n node) bool {
	return slices.ContainsFunc(t.begun, func(b begun) bool { return b.act == n })
}

// post makes n run, without its access if it is split.
func (t *attempt) post(n node) bool { return t.prepare(n) && t.perform(n, 0) }

// prepare makes all run that leads to n, so that n can come next.
func (t *attempt) prepare(n node) bool {
	way, ok := t.way(n)
	if !ok {
		return false
	}
	for i, m := range slices.Backward(way) {
		next := n
		if i > 0 {
			next = way[i-1]
		}
		if t.found {
			return true
		}
		if !t.perform(m, 0) || t.hasBegun(m) && t.standing(next) < 0 && !t.bring(m) {
			return false
		}
	}
	return true
}

// way is what has to run before n, the first last: from what waits already on, or from what
// the platform runs.
func (t *attempt) way(n node) (way []node, ok bool) {
	for m := n; ; m = t.ways.by[m] {
		if t.ways.cost[m] > maxRuns || len(way) > maxRuns {
			return nil, false
		}
		if m != n {
			way = append(way, m)
		}
		if t.standing(m) >= 0 || t.ways.by[m] == process {
			return way, true
		}
	}
}

// twice makes all that leads to n run two times, each before the next, and then n; but for
// the callbacks of transitions, and what can run once only.
func (t *attempt) twice(n node) bool {
	way, ok := t.way(n)
	if !ok {
		return false
	}
	for _, m := range slices.Backward(way) {
		p := t.playIn(m)
		again := !t.c.once[m] && !(p >= 0 && t.onlyInTransitions(t.plays[p], m))
		if !t.bring(m) || again && !t.bring(m) {
			return false
		}
	}
	return t.bring(n) && t.bring(n)
}

// standing is an element of the line that is of a run of n, or -1.
func (t *attempt) standing(n node) int {
	return slices.IndexFunc(t.line, func(e waiting) bool { return e.to == n })
}

// perform makes n run next, behind what holds it up.
func (t *attempt) perform(n node, nested int) bool {
	if nested > maxNested {
		return false
	}
	for !t.found {
		if k := t.standing(n); k >= 0 {
			if done, ok := t.runWaiting(k, nested); done || !ok {
				return ok
			}
			continue
		}
		p := t.playIn(n)
		switch {
		case !t.byPlatform(n):
			return false
		case p < 0 || len(t.positions(n)) == 0 && t.mayCome(n):
			return t.makeRoom(n, -1, nested) && t.run(n)
		case t.onlyInTransitions(t.plays[p], n):
			return t.walk(p, func(e *edge) bool { return slices.Contains(e.acts, n) }, nested)
		case t.mayCome(n):
			if !t.makeRoom(n, -1, nested) {
				return false
			}
			if t.mayCome(n) {
				return t.run(n)
			}
		case !t.walk(p, func(e *edge) bool { return t.allows(p, n, e.to) }, nested):
			return false
		}
	}
	return true
}

// byPlatform: the platform runs n by itself, and not only at the start.
func (t *attempt) byPlatform(n node) bool {
	return t.rooted(n) && !t.atStart(n)
}

// runWaiting runs element k of the line, or something that has to come before it.
func (t *attempt) runWaiting(k, nested int) (done, ok bool) {
	e := t.line[k]
	if j := t.heldBy(k); j >= 0 {
		if nested > maxNested {
			return false, false
		}
		_, ok := t.runWaiting(j, nested+1)
		return false, ok
	}
	if p := t.playIn(e.to); p >= 0 && len(t.positions(e.to)) > 0 && !t.mayCome(e.to) {
		return false, t.walk(p, func(x *edge) bool { return t.allows(p, e.to, x.to) }, nested)
	}
	switch free, ok := t.clear(e.to, -1, nested); {
	case !ok:
		return false, false
	case !free:
		return false, true
	}
	t.take(k)
	return true, t.run(e.to)
}

// makeRoom makes all end that occupies n's looper.
func (t *attempt) makeRoom(n node, p, nested int) bool {
	for !t.found {
		if free, ok := t.clear(n, p, nested); free || !ok {
			return ok
		}
	}
	return true
}

// clear reports whether nothing that has begun, and no transition of another
// component than that of play p, occupies n's looper. If something does it takes
// one step to its end.
func (t *attempt) clear(n node, p, nested int) (free, ok bool) {
	for i, b := range t.begun {
		if t.serial.has(n, b.act) {
			return false, t.access(i)
		}
	}
	for j, play := range t.plays {
		if j == p {
			continue
		}
		if play.passing(t.at[j]) && !(t.playIn(n) == j && len(t.positions(n)) > 0) {
			if on := t.onwards(j, n); on != nil {
				return false, t.step(j, *on, nested+1)
			}
		}
		mid, ok := play.midway(t.at[j])
		if !ok {
			continue
		}
		for _, cb := range play.auto.Transitions[mid.tr].Callbacks {
			if slices.ContainsFunc(play.calls[cb], func(a node) bool { return t.serial.has(a, n) }) {
				return false, t.step(j, play.steps[t.at[j]][0], nested+1)
			}
		}
	}
	return true, true
}

// onwards is the next step of play j out of the states that it passes only, if the play
// is on n's looper.
func (t *attempt) onwards(j int, n node) *edge {
	play := t.plays[j]
	if !slices.ContainsFunc(play.all, func(a node) bool { return t.serial.has(a, n) }) {
		return nil
	}
	first, _ := play.toward(t.at[j], func(e *edge) bool { return !play.passing(e.to) })
	return first
}

// walk takes the shortest walk of play p whose last step is as wanted.
func (t *attempt) walk(p int, wanted func(*edge) bool, nested int) bool {
	for !t.found {
		first, last := t.plays[p].toward(t.at[p], wanted)
		if first == nil || !t.step(p, *first, nested) {
			return false
		}
		if last {
			return true
		}
	}
	return true
}

// step takes one step of play p, behind what holds it up.
func (t *attempt) step(p int, e edge, nested int) bool {
	if !t.spend() || nested > maxNested {
		return false
	}
	from := t.at[p]
	if from == t.plays[p].auto.Init && !t.made[p] && !t.make(p, nested) {
		return false
	}
	for i := 0; i < len(e.acts) && !t.found; i++ {
		if !t.makeRoom(e.acts[i], p, nested) {
			return false
		}
		if k := t.holding(e.acts[i]); k >= 0 {
			if _, ok := t.runWaiting(k, nested+1); !ok {
				return false
			}
			i = -1 // what it posts may hold them up again
		}
	}
	switch {
	case t.found:
		return true
	case t.at[p] != from:
		return false
	}
	t.at[p] = e.to
	return len(e.acts) == 0 || t.runAll(e.acts)
}

// make runs what creates the component of play p.
func (t *attempt) make(p, nested int) bool {
	best := t.ways.by[t.plays[p].comp]
	return best != process && nested < maxNested && t.prepare(best) && t.perform(best, nested+1) && t.made[p]
}

// holding is an element of the line that the last run of the lifecycle callback n
// posted without delay, which runs before n runs again, or -1.
func (t *attempt) holding(n node) int {
	if t.c.act(n).Kind != KindLifecycle {
		return -1
	}
	return slices.IndexFunc(t.line, func(e waiting) bool { return e.marks&isSure != 0 && t.awaited(n, e.target) })
}
