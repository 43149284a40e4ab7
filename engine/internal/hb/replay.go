package hb

import (
	"errors"
	"fmt"
	"slices"
)

// Run is one run of a schedule with what brought it about.
type Run struct {
	Action    ActionID
	Cause     int         // the run that posts, starts or registers it, or -1: the platform calls it
	Point     PointID     // of the cause, by which it does
	Component ComponentID // in an instance of which the chain of the run ends, 0 for none
	Instance  int         // which: 1 for the first that the schedule makes; 0 for none
	Rest      int         // the run of which this is what was left, or -1
}

// Replay tells how a schedule can come about: what causes each run, and in which
// instance of its component. The schedule names an action once for each run, and again
// where a run goes on behind others. An error names the first run that has no cause before it,
// no instance that has been made and is in a state to be called, or that contradicts an order
// of the graph with what stands before it.
//
// A schedule names the callbacks of the components that its search has composed. Of others those are put
// in that lead to a named one, and what makes them.
//
// Where there are several ways, the first that works is taken: the latest cause, the newest instance,
// a run that is left, a new instance. Runs that the schedule does not name may come in between.
func (s *Searcher) Replay(schedule []ActionID) ([]Run, error) {
	p := &replay{Searcher: s, schedule: s.startFirst(schedule), fuel: maxReplay, walked: map[node]*stateful{}}
	if p.from(0) {
		return p.told(), nil
	}
	if p.fuel <= 0 {
		return nil, errReplay
	}
	return nil, p.failure
}

// startFirst is a schedule with what comes before a run in every process moved ahead of it, with what
// comes before that in its instance: an attempt lets the owner of a location be made first, and then what
// the process starts with.
func (s *Searcher) startFirst(schedule []ActionID) []ActionID {
	out := make([]ActionID, 0, len(schedule))
	for _, b := range schedule {
		at := slices.IndexFunc(out, func(a ActionID) bool { return a != b && s.g.Before(b, a, OtherInstance) })
		if at < 0 || slices.Contains(out, b) {
			out = append(out, b)
			continue
		}
		var first, rest []ActionID
		for _, a := range out[at:] {
			if s.g.Before(a, b, SameInstance) {
				first = append(first, a)
			} else {
				rest = append(rest, a)
			}
		}
		out = slices.Concat(out[:at], first, []ActionID{b}, rest)
	}
	return out
}

// maxReplay bounds the ways to explain a run that one replay looks at.
const maxReplay = 20_000

var errReplay = errors.New("the replay reached its limit")

// replay explains a schedule run by run, and goes back where that leads nowhere.
type replay struct {
	*Searcher
	schedule  []ActionID
	runs      []replayed // by place in the schedule
	instances []instance
	walked    map[node]*stateful
	put       []node // before which others were put in
	fuel      int
	deepest   int
	failure   error
}

// replayed is a run that has been explained.
type replayed struct {
	Run
	node
	on  int // the instance that its chain ends in, or -1
	end int // the place at which it ends
	arm *target
}

// instance of a component that a schedule makes.
type instance struct {
	comp   node
	number int
	cause  int // the run that makes it, or -1
	states row // that its automaton may be in
	last   int32
}

// from explains the schedule from place i on.
func (p *replay) from(i int) bool {
	if i == len(p.schedule) {
		return true
	}
	n := p.c.action(p.schedule[i])
	if n == process {
		p.fail(i, "it is no action")
		return false
	}
	p.fail(i, "nothing before it causes it")
	return p.armed(i, n) || p.called(i, n) || p.resumed(i, n) || p.led(i, n)
}

// fail notes why place i could not be explained, if no later one was reached.
func (p *replay) fail(i int, format string, about ...any) {
	if p.failure == nil || i >= p.deepest {
		p.deepest = i
		p.failure = fmt.Errorf("run %d, %s: %s", i+1, p.c.name(p.c.action(p.schedule[i])), fmt.Sprintf(format, about...))
	}
}

// armed explains place i by an earlier run, the latest first.
func (p *replay) armed(i int, n node) bool {
	for j := i - 1; j >= 0; j-- {
		if p.runs[j].Rest >= 0 {
			continue
		}
		for _, ca := range p.c.causes[n] {
			if ca.point == 0 || ca.from != p.runs[j].node || p.used(j, ca.point) {
				continue
			}
			r := replayed{Run: Run{Action: p.schedule[i], Cause: j, Point: ca.point, Rest: -1}, node: n, on: p.runs[j].on, end: i}
			r.arm = p.newTarget(ca.point, ca.from, n)
			if p.place(i, r, p.instanceIn(j, p.c.component(p.c.act(n).Component))) {
				return true
			}
		}
	}
	return false
}

// used: what run j does once at a point has been taken as the cause of another run.
func (p *replay) used(j int, id PointID) bool {
	pt := &p.c.m.Points[id]
	if pt.Kind == Register || pt.Repeat || pt.Loop {
		return false
	}
	return slices.ContainsFunc(p.runs, func(r replayed) bool { return r.Cause == j && r.Point == id && r.Rest < 0 })
}

// called explains place i by the platform: in the newest instance, in an older one, or in
// a new one.
func (p *replay) called(i int, n node) bool {
	if !p.rooted(n) {
		return false
	}
	r := replayed{Run: Run{Action: p.schedule[i], Cause: -1, Rest: -1}, node: n, on: -1, end: i}
	comp := process
	for _, ca := range p.c.causes[n] {
		if ca.point == 0 {
			comp = ca.from
		}
	}
	if comp == process {
		return p.place(i, r, -1)
	}
	for k := len(p.instances) - 1; k >= 0; k-- {
		if p.instances[k].comp == comp {
			r.on = k
			if p.place(i, r, k) || p.walkedOn(i, k, n) {
				return true
			}
		}
	}
	return p.made(i, r, comp)
}

// made explains place i by a new instance.
func (p *replay) made(i int, r replayed, comp node) bool {
	number := 1
	for _, x := range p.instances {
		if x.comp == comp {
			number++
		}
	}
	if number > 2 || number > 1 && p.c.m.Components[comp].Single {
		return false
	}
	try := func(cause int) bool {
		p.instances = append(p.instances, instance{comp: comp, number: number, cause: cause, states: p.automatonOf(comp).start(), last: -1})
		r.on = len(p.instances) - 1
		if p.place(i, r, r.on) {
			return true
		}
		known := len(p.instances) - 1
		again := number == 1 && p.firstOf(i, known, r.node)
		if !again {
			p.instances = p.instances[:known]
		}
		return again
	}
	for _, ca := range p.c.causes[comp] {
		if ca.point == 0 {
			return try(-1)
		}
	}
	for j := i - 1; j >= 0; j-- {
		if p.runs[j].Rest < 0 && slices.ContainsFunc(p.c.causes[comp], func(ca cause) bool { return ca.from == p.runs[j].node }) && try(j) {
			return true
		}
	}
	return false
}

// firstOf explains place i by what a new instance calls first. The instance is made again by that.
func (p *replay) firstOf(i, k int, n node) bool {
	x := p.instances[k]
	before := p.automatonOf(x.comp).before(p.playFor(x.comp), x.states, n, p.positions(n))
	if len(before) == 0 {
		return false
	}
	p.instances = p.instances[:k]
	if p.insert(i, before, n) {
		return true
	}
	p.instances = append(p.instances, x)
	return false
}

// walkedOn explains place i by an instance that has to go further before it can call n.
func (p *replay) walkedOn(i int, k int, n node) bool {
	x := &p.instances[k]
	before := p.automatonOf(x.comp).before(p.playFor(x.comp), x.states, n, p.positions(n))
	return len(before) > 0 && p.insert(i, before, n)
}

// led explains place i by what is nearest to cause it, which the schedule does not name.
func (p *replay) led(i int, n node) bool {
	by := p.ways.by[n]
	if p.rooted(n) {
		by = process
		if comp := p.c.component(p.c.act(n).Component); comp != process && p.ways.cost[comp] < far {
			by = p.ways.by[comp]
		}
	}
	return by != process && p.insert(i, []node{by}, n)
}

// insert explains the schedule from place i on with other runs before it, which n needs. Callbacks of
// transitions among them that the schedule names later are taken as come already, or else as
// come again.
func (p *replay) insert(i int, before []node, n node) bool {
	if len(p.put) >= maxPut || slices.Contains(p.put, n) {
		return false
	}
	old := p.schedule
	var put []ActionID
	for _, a := range before {
		put = append(put, p.c.id(a))
	}
	p.put = append(p.put, n)
	rest := slices.Clone(old[i:])
	for _, a := range put {
		if k := slices.Index(rest[1:max(1, len(rest)-1)], a); k >= 0 && p.c.m.Actions[a].Kind == KindLifecycle {
			rest = slices.Delete(rest, k+1, k+2)
		}
	}
	p.schedule = slices.Concat(old[:i], put, rest)
	ok := p.from(i)
	if !ok && len(rest) < len(old)-i {
		p.schedule = slices.Concat(old[:i], put, old[i:])
		ok = p.from(i)
	}
	if !ok {
		p.schedule, p.put = old, p.put[:len(p.put)-1]
	}
	return ok
}

// maxPut bounds the runs before which others are put in.
const maxPut = 6

// resumed explains place i as what is left of an earlier run.
func (p *replay) resumed(i int, n node) bool {
	for j := i - 2; j >= 0; j-- {
		r := &p.runs[j]
		if r.node != n || r.Rest >= 0 || r.end != j {
			continue
		}
		if err := p.overlaps(j); err != "" {
			p.fail(i, "%s", err)
			continue
		}
		r.end = i
		p.runs = append(p.runs, replayed{Run: Run{Action: r.Action, Cause: -1, Rest: j}, node: n, on: r.on, end: i})
		if p.from(i + 1) {
			return true
		}
		p.runs = p.runs[:i]
		p.runs[j].end = j
	}
	return false
}

// overlaps: why run j cannot go on behind all that has come after it.
func (p *replay) overlaps(j int) string {
	for k := j + 1; k < len(p.runs); k++ {
		if p.runs[k].Rest >= 0 {
			continue
		}
		for rel := SameCause; rel <= OtherInstance; rel++ {
			if !p.related(j, k, rel) {
				continue
			}
			a, b := p.runs[j].Action, p.runs[k].Action
			if p.g.SameLooper(a, b, rel) || p.g.Before(a, b, rel) {
				return "it has ended before " + p.c.name(p.runs[k].node)
			}
		}
	}
	return ""
}

// place adds run r, whose callback belongs to instance k, or to none, and goes on if no order
// speaks against it.
func (p *replay) place(i int, r replayed, k int) bool {
	if p.fuel--; p.fuel <= 0 {
		return false
	}
	var old instance
	if k >= 0 {
		old = p.instances[k]
		states, ok := p.automatonOf(old.comp).call(old, r.node)
		if !ok {
			p.fail(i, "its instance is not made, or in no state to call it")
			return false
		}
		p.instances[k].states, p.instances[k].last = states, p.c.act(r.node).Callback
	}
	p.runs = append(p.runs, r)
	if err := p.contradicts(i); err != "" {
		p.fail(i, "%s", err)
	} else if p.from(i + 1) {
		return true
	}
	p.runs = p.runs[:i]
	if k >= 0 {
		p.instances[k] = old
	}
	return false
}

// contradicts: why run i cannot come behind the runs before it.
func (p *replay) contradicts(i int) string {
	for j := range p.runs[:i] {
		if p.runs[j].Rest >= 0 {
			continue
		}
		for rel := SameCause; rel <= OtherInstance; rel++ {
			if p.related(i, j, rel) && p.g.Before(p.runs[i].Action, p.runs[j].Action, rel) {
				return "it comes before " + p.c.name(p.runs[j].node)
			}
		}
		if p.overtaken(i, j) {
			return "it stands in the queue before " + p.c.name(p.runs[j].node)
		}
		if p.runs[i].arm != nil && j > p.runs[i].Cause && p.related(i, j, SameInstance) {
			if drops, _ := p.undone(p.runs[j].node, p.runs[i].arm); drops && !p.runs[i].arm.many {
				return "it is cancelled by " + p.c.name(p.runs[j].node)
			}
		}
	}
	return ""
}

// overtaken: run i was armed before run j, and by its queue comes before it.
func (p *replay) overtaken(i, j int) bool {
	a, b := &p.runs[i], &p.runs[j]
	if !p.once(a) || !p.once(b) || !p.related(i, j, SameInstance) {
		return false
	}
	if p.runs[a.Cause].end != a.Cause || p.runs[b.Cause].end != b.Cause {
		return false // it may have been armed behind others
	}
	first := a.Cause < b.Cause
	if a.Cause == b.Cause {
		first = a.Point != b.Point && p.c.inOrder(a.arm.from, p.c.m.Points[a.Point].Site, p.c.m.Points[b.Point].Site)
	}
	ahead, _ := p.holdsUp(a.arm, b.arm)
	return first && ahead
}

// once: the run is the one that one execution of its point arms.
func (p *replay) once(r *replayed) bool {
	return r.arm != nil && !r.arm.many && r.arm.flags&isMany == 0
}

// related: the two runs share what the relation promises.
func (p *replay) related(i, j int, rel Relation) bool {
	w := p.g.sharedRun(p.runs[i].node, p.runs[j].node, rel)
	return w == process || p.nearest(i, w) == p.nearest(j, w)
}

// alone is more than any place in a schedule.
const alone = 1 << 20

// nearest is the run of w on the chain of run i, or, below zero, the instance; what is not on
// it is a thing of its own.
func (p *replay) nearest(i int, w node) int {
	for at := i; ; {
		r := &p.runs[at]
		switch {
		case r.node == w:
			return at
		case r.Cause >= 0:
			at = r.Cause
			continue
		case r.on < 0:
			return alone + i
		case p.instances[r.on].comp == w:
			return -1 - r.on
		case p.instances[r.on].cause < 0:
			return alone + i
		}
		at = p.instances[r.on].cause
	}
}

// instanceIn is the instance of a component on the chain of run j, -1 if none is.
func (p *replay) instanceIn(j int, comp node) int {
	if comp == process {
		return -1
	}
	if k := p.nearest(j, comp); k < 0 {
		return -1 - k
	}
	return -1
}

// told is the runs as they are given out.
func (p *replay) told() []Run {
	out := make([]Run, len(p.runs))
	for i, r := range p.runs {
		if r.on >= 0 {
			x := &p.instances[r.on]
			r.Component, r.Instance = ComponentID(x.comp), x.number
		}
		out[i] = r.Run
	}
	return out
}
