package hb

import (
	"math/rand/v2"
	"slices"
)

// sim executes a model step by step, choosing at random among everything that
// Android could do next. It is written from the model's documentation alone:
// real queues, clocks, threads and registrations, no orders.
type sim struct {
	m     *Model
	prog  *program
	sites map[ActionID][]Site // all sites of an action, in order
	tree  *tree               // only for whether the platform alone causes an action
	plain *plain              // for whom a join waits: a run of the same cause
	rng   *rand.Rand

	now     int64 // clock of delays
	tick    int   // clock of events
	runs    []*simRun
	insts   []*simInst
	loopers []*simLooper
	free    []*simRun // threads and pool tasks that have begun
	pool    []*simMsg
	regs    []simReg
	finals  []simReg // final cancellations: by and point
	access  func(*simRun, Site)
	maxInst int
	rest    *simOrders // what else the platform promises; nil for nothing
}

type simRun struct {
	act        ActionID
	parent     *simRun
	point      PointID
	inst       *simInst // for roots, and for callbacks of an automaton
	start, end int
	todo       []Site
	at         map[Site][]int
	posted     int // tick of the post
	canceled   bool
	onEnd      func()
}

type simInst struct {
	comp         ComponentID
	parent       *simRun
	host         *simInst
	client, sent int32
	open         int
}

type simLooper struct {
	queue QueueID
	owner any
	msgs  []*simMsg
	cur   *simRun
}

type simMsg struct {
	when   int64
	run    *simRun
	todo   []func() // lifecycle message: what to start, one after the other
	repeat bool
}

type simReg struct {
	target ActionID
	by     *simRun
	point  PointID
}

func (s *sim) newRun(a ActionID, parent *simRun, p PointID, inst *simInst) *simRun {
	r := &simRun{act: a, parent: parent, point: p, inst: inst, at: map[Site][]int{}, posted: s.tick}
	for i := 0; i < len(s.sites[a]); i++ {
		x := s.sites[a][i]
		if l, ok := s.prog.inLoop(a, x); ok && l[0] == x {
			var body []Site
			for ; i < len(s.sites[a]) && s.sites[a][i] <= l[1]; i++ {
				body = append(body, s.sites[a][i])
			}
			i--
			for range 1 + s.rng.IntN(2) {
				for _, y := range body {
					r.maybe(s, y)
				}
			}
			continue
		}
		r.maybe(s, x)
	}
	s.runs = append(s.runs, r)
	return r
}

func (r *simRun) maybe(s *sim, x Site) {
	if !s.prog.optional[At{r.act, x}] || s.rng.IntN(2) == 0 {
		r.todo = append(r.todo, x)
	}
}

// chain lists r and its causes, with the component instances on the way.
func (r *simRun) chain() (out []any) {
	for r != nil {
		out = append(out, r)
		if r.parent != nil {
			r = r.parent
			continue
		}
		if r.inst == nil {
			return out
		}
		out = append(out, r.inst)
		r = r.inst.parent
	}
	return out
}

func (r *simRun) ancestor(a ActionID) *simRun {
	for _, x := range r.chain() {
		if y, ok := x.(*simRun); ok && y.act == a {
			return y
		}
	}
	return nil
}

func (r *simRun) instance(c ComponentID) *simInst {
	for _, x := range r.chain() {
		if y, ok := x.(*simInst); ok && (c == 0 || y.comp == c) {
			return y
		}
	}
	return nil
}

// looper is the queue object that r runs on, nil for none.
func (s *sim) looper(r *simRun) *simLooper {
	id := s.m.Actions[r.act].Queue
	q := &s.m.Queues[id]
	if q.Kind != QueueLooper && q.Kind != QueueSerial {
		return nil
	}
	var owner any
	switch q.Scope {
	case ScopeProcess:
	case ScopeInstance:
		owner = r.instance(q.Component)
	case ScopeRun:
		owner = r.ancestor(q.Owner)
	default:
		owner = s.rng.IntN(2)
	}
	if owner == (*simInst)(nil) || owner == (*simRun)(nil) {
		owner = s.rng.IntN(2)
	}
	for _, l := range s.loopers {
		if l.queue == id && l.owner == owner {
			return l
		}
	}
	l := &simLooper{queue: id, owner: owner}
	s.loopers = append(s.loopers, l)
	return l
}

func (l *simLooper) enqueue(m *simMsg) {
	i := 0
	for i < len(l.msgs) && l.msgs[i].when <= m.when && m.when >= 0 {
		i++
	}
	l.msgs = slices.Insert(l.msgs, i, m)
}

func (s *sim) begin(r *simRun, l *simLooper) {
	s.tick++
	r.start = s.tick
	if l != nil {
		l.cur = r
	} else {
		s.free = append(s.free, r)
	}
}

// moves lists everything that may happen next.
func (s *sim) moves() []func() {
	var out []func()
	for _, l := range s.loopers {
		switch {
		case l.cur != nil:
			if s.canStep(l.cur) {
				out = append(out, func() {
					if r := l.cur; s.stepRun(r) {
						l.cur = nil
						r.finish()
					}
				})
			}
		case s.m.Queues[l.queue].NoFIFO:
			for i, m := range l.msgs {
				if m.when <= s.now && m.when == l.msgs[0].when { // ties in any order
					out = append(out, func() { s.dispatch(l, i) })
				}
			}
		case len(l.msgs) > 0 && l.msgs[0].when <= s.now:
			out = append(out, func() { s.dispatch(l, 0) })
		}
		if len(l.msgs) > 0 {
			out = append(out, func() { s.now++ })
		}
	}
	for _, r := range s.free {
		if s.canStep(r) {
			out = append(out, func() {
				if s.stepRun(r) {
					s.free = slices.DeleteFunc(s.free, func(x *simRun) bool { return x == r })
					r.finish()
				}
			})
		}
	}
	for i := range s.pool {
		out = append(out, func() {
			m := s.pool[i]
			s.pool = slices.Delete(s.pool, i, i+1)
			s.begin(m.run, nil)
			s.again(m, nil)
		})
	}
	return append(out, s.platform()...)
}

func (r *simRun) finish() {
	if f := r.onEnd; f != nil {
		f()
	}
}

func (s *sim) dispatch(l *simLooper, i int) {
	m := l.msgs[i]
	l.msgs = slices.Delete(l.msgs, i, i+1)
	if m.todo != nil {
		m.todo[0]()
		return
	}
	s.begin(m.run, l)
	s.again(m, l)
}

func (s *sim) again(m *simMsg, l *simLooper) {
	if !m.repeat || s.rng.IntN(3) == 0 {
		return
	}
	next := &simMsg{when: s.now + 1, run: s.newRun(m.run.act, m.run.parent, m.run.point, nil), repeat: true}
	if l != nil {
		l.enqueue(next)
	} else if s.rest != nil { // a periodic task waits for its own end
		m.run.onEnd = func() { s.pool = append(s.pool, next) }
	} else {
		s.pool = append(s.pool, next)
	}
}

// canStep: r is not waiting for a join.
func (s *sim) canStep(r *simRun) bool {
	if len(r.todo) == 0 {
		return true
	}
	for _, p := range s.pointsAt(r.act, r.todo[0]) {
		if s.m.Points[p].Kind == Await && s.rest.shut(s, r, p) {
			return false
		}
		if s.m.Points[p].Kind != Join {
			continue
		}
		for _, t := range s.m.Points[p].Targets {
			for _, x := range s.runs {
				if x.act == t && x.end == 0 && !x.canceled && s.plain.related(x, r, SameCause) {
					return false
				}
			}
		}
	}
	return true
}

func (s *sim) pointsAt(a ActionID, x Site) (out []PointID) {
	for i := 1; i < len(s.m.Points); i++ {
		if p := &s.m.Points[i]; p.Action == a && p.Site == x {
			out = append(out, PointID(i))
		}
	}
	return out
}

// stepRun executes r's next site and says whether r has ended.
func (s *sim) stepRun(r *simRun) bool {
	s.tick++
	if len(r.todo) == 0 {
		r.end = s.tick
		return true
	}
	x := r.todo[0]
	r.todo = r.todo[1:]
	r.at[x] = append(r.at[x], s.tick)
	if s.access != nil {
		s.access(r, x)
	}
	last := false
	for _, p := range s.pointsAt(r.act, x) {
		if s.m.Points[p].AtEnd {
			last = true
			r.end = s.tick
			s.tick++
		}
		s.operate(r, p)
	}
	return last
}

func (s *sim) operate(r *simRun, id PointID) {
	p := &s.m.Points[id]
	if p.Kind == Await || p.Kind == Signal {
		s.rest.pass(s, r, p)
		return
	}
	target := p.Targets[s.rng.IntN(len(p.Targets))]
	switch p.Kind {
	case Post, Start:
		s.post(r, id, target)
	case Register:
		if p.Once {
			s.regs = slices.DeleteFunc(s.regs, func(g simReg) bool {
				return g.target == target && g.by.instance(0) == r.instance(0)
			})
		}
		s.regs = append(s.regs, simReg{target, r, id})
	case Unregister:
		s.unregister(r, p)
	case Cancel:
		s.cancel(r, p)
		if p.Final {
			s.finals = append(s.finals, simReg{by: r, point: id})
		}
	case StartComponent:
		c := s.m.Actions[target].Component
		if s.m.Components[c].Owned {
			s.create(c, r)
		}
	}
}

func (s *sim) create(c ComponentID, by *simRun) {
	n := 0
	for _, i := range s.insts {
		if i.comp == c {
			n++
		}
	}
	if n >= s.maxInst || n > 0 && s.m.Components[c].Single {
		return
	}
	a := s.m.Components[c].Automaton
	i := &simInst{comp: c, parent: by, client: a.Init, sent: a.Init}
	if s.rest.lodge(s, i) {
		s.insts = append(s.insts, i)
	}
}

func (s *sim) post(r *simRun, id PointID, target ActionID) {
	if len(s.runs) > 40 {
		return
	}
	p := &s.m.Points[id]
	m := &simMsg{run: s.newRun(target, r, id, nil), repeat: p.Repeat}
	switch {
	case p.Front:
		m.when = -1
	case p.Delay.Known:
		m.when = s.now + p.Delay.MS
	default:
		m.when = s.now + int64(s.rng.IntN(5))
	}
	for _, f := range s.finals {
		if u := &s.m.Points[f.point]; slices.Contains(u.Targets, target) && s.meant(m.run, f.by, u) {
			m.run.canceled = true
			return
		}
	}
	if l := s.looper(m.run); l != nil && p.Kind == Post {
		l.enqueue(m)
	} else {
		s.pool = append(s.pool, m)
	}
}

func (s *sim) unregister(r *simRun, p *Point) {
	hit := false
	s.regs = slices.DeleteFunc(s.regs, func(g simReg) bool {
		if !slices.Contains(p.Targets, g.target) || !s.meant(s.ghost(g), r, p) || hit && !p.Every {
			return false
		}
		if s.m.Actions[g.target].Queue != s.m.Actions[r.act].Queue && s.rng.IntN(2) == 0 {
			return false // its delivery was already under way
		}
		hit = true
		return true
	})
}

// ghost is the run that a registration would cause.
func (s *sim) ghost(g simReg) *simRun { return &simRun{act: g.target, parent: g.by, point: g.point} }

// meant: what run x comes from is what p, in a run r, undoes.
func (s *sim) meant(x, r *simRun, p *Point) bool {
	return s.plain.related(x, r, SameCause) || p.Every &&
		s.plain.home(s.tree.action(x.act)) == s.plain.home(s.tree.action(r.act)) && s.plain.related(x, r, SameInstance)
}

func (s *sim) cancel(r *simRun, p *Point) {
	hit := false
	drop := func(m *simMsg) bool {
		if m.run == nil || !slices.Contains(p.Targets, m.run.act) || !s.meant(m.run, r, p) || hit && !p.Every {
			return false
		}
		hit = true
		m.run.canceled = true
		return true
	}
	for _, l := range s.loopers {
		l.msgs = slices.DeleteFunc(l.msgs, drop)
	}
	s.pool = slices.DeleteFunc(s.pool, drop)
}

// platform lists what the system and the user may do.
func (s *sim) platform() []func() {
	var out []func()
	for c := 1; c < len(s.m.Components); c++ {
		if !s.m.Components[c].Owned {
			out = append(out, func() { s.create(ComponentID(c), nil) })
		}
	}
	for _, i := range s.insts {
		auto := s.m.Components[i.comp].Automaton
		for k, tr := range auto.Transitions {
			if tr.From == i.sent && i.open < 2 && s.rest.allows(s, i, tr.To) {
				out = append(out, func() { s.send(i, k) })
			}
		}
	}
	for id := 1; id < len(s.m.Actions); id++ {
		out = append(out, s.deliveries(ActionID(id))...)
	}
	return out
}

// send queues a transition: its callbacks run in one message.
func (s *sim) send(i *simInst, k int) {
	tr := s.m.Components[i.comp].Automaton.Transitions[k]
	i.sent = tr.To
	i.open++
	var acts []ActionID
	for _, cb := range tr.Callbacks {
		for id := 1; id < len(s.m.Actions); id++ {
			if a := &s.m.Actions[id]; a.Component == i.comp && a.Callback == cb {
				acts = append(acts, ActionID(id))
			}
		}
	}
	main := s.mainLooper()
	msg := &simMsg{when: s.now}
	var next func(k int)
	next = func(k int) {
		if k == len(acts) {
			i.client = tr.To
			i.open--
			return
		}
		r := s.newRun(acts[k], nil, 0, i)
		r.onEnd = func() { next(k + 1) }
		s.begin(r, main)
	}
	msg.todo = []func(){func() { next(0) }}
	main.enqueue(msg)
}

func (s *sim) mainLooper() *simLooper {
	for _, l := range s.loopers {
		if l.queue == 1 {
			return l
		}
	}
	l := &simLooper{queue: 1}
	s.loopers = append(s.loopers, l)
	return l
}

// deliveries of events and registered callbacks to idle loopers.
func (s *sim) deliveries(a ActionID) []func() {
	var out []func()
	act := &s.m.Actions[a]
	if act.Kind != KindGUI && act.Kind != KindSystem || len(s.runs) > 40 {
		for _, g := range s.regs {
			if g.target == a && act.Kind != KindLifecycle {
				out = append(out, func() { s.deliver(a, g.by, g.point, nil) })
			}
		}
		return out
	}
	registered := false
	for _, p := range s.m.Points {
		if p.Kind == Register && slices.Contains(p.Targets, a) {
			registered = true
		}
	}
	platformOnly := s.tree.platformOnlyOracle(a)
	try := func(by *simRun, p PointID, i *simInst) {
		if i != nil && act.Callback >= 0 && !s.enabled(i, act.Callback) {
			return
		}
		out = append(out, func() { s.deliver(a, by, p, i) })
	}
	if registered && !platformOnly {
		for _, g := range s.regs {
			if g.target == a {
				try(g.by, g.point, g.by.instance(act.Component))
			}
		}
		return out
	}
	if act.Component == 0 {
		try(nil, 0, nil)
	}
	for _, i := range s.insts {
		if i.comp == act.Component && i.client != s.m.Components[i.comp].Automaton.Init {
			try(nil, 0, i)
		}
	}
	return out
}

func (t *tree) platformOnlyOracle(a ActionID) bool {
	for _, c := range t.causes[t.action(a)] {
		if c.point != 0 {
			return false
		}
	}
	return true
}

func (s *sim) enabled(i *simInst, cb int32) bool {
	for _, e := range s.m.Components[i.comp].Automaton.Events {
		if e.Callback == cb && slices.Contains(e.States, i.client) {
			return true
		}
	}
	return false
}

func (s *sim) deliver(a ActionID, by *simRun, p PointID, i *simInst) {
	r := s.newRun(a, by, p, i)
	if by != nil {
		r.inst = nil
	}
	l := s.looper(r)
	if l != nil && l.cur != nil || s.rest.busy(s, r) {
		s.runs = s.runs[:len(s.runs)-1]
		return
	}
	s.begin(r, l)
}

// run executes up to the given number of steps.
func (s *sim) run(steps int) {
	s.mainLooper()
	for id := 1; id < len(s.m.Actions); id++ { // the process starts
		if s.m.Actions[id].Kind == KindProcess {
			r := s.newRun(ActionID(id), nil, 0, nil)
			s.begin(r, s.mainLooper())
			for s.mainLooper().cur != nil {
				if !s.canStep(r) {
					return
				}
				if s.stepRun(r) {
					s.mainLooper().cur = nil
				}
				// threads started here may already run
				for s.rng.IntN(3) == 0 && len(s.pool)+len(s.free) > 0 {
					s.moveFree()
				}
			}
		}
	}
	for range steps {
		ms := s.moves()
		if len(ms) == 0 {
			return
		}
		ms[s.rng.IntN(len(ms))]()
	}
}

func (s *sim) moveFree() {
	if len(s.pool) > 0 && s.rng.IntN(2) == 0 {
		m := s.pool[0]
		s.pool = s.pool[1:]
		s.begin(m.run, nil)
		return
	}
	if len(s.free) > 0 {
		r := s.free[s.rng.IntN(len(s.free))]
		if s.canStep(r) && s.stepRun(r) {
			s.free = slices.DeleteFunc(s.free, func(x *simRun) bool { return x == r })
		}
	}
}
