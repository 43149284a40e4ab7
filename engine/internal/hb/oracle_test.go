package hb

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomModel makes a small world: an activity with some lifecycle callbacks
// and clicks, sometimes a second component, and posted actions on queues of
// every kind.
func randomModel(rng *rand.Rand) (*world, *sim) {
	w := newWorld()
	w.Components[w.activity].Automaton = randomAutomaton(rng)
	pick := func(n int) bool { return rng.IntN(n) == 0 }
	if pick(4) {
		w.AddAction(Action{Name: "app", Kind: KindProcess, Queue: w.main, Callback: -1})
	}
	for cb := cbCreate; cb <= cbDestroy; cb++ {
		if pick(3) {
			w.life(fmt.Sprint("life", cb), cb)
		}
	}
	for i := range 1 + rng.IntN(2) {
		w.click(fmt.Sprint("click", i))
	}
	if pick(4) {
		owned := w.AddComponent(Component{Name: "Owned", Automaton: randomAutomaton(rng), Owned: true})
		w.AddAction(Action{Name: "o.onCreate", Kind: KindLifecycle, Queue: w.main, Component: owned, Callback: cbCreate})
		w.AddAction(Action{Name: "o.onClick", Kind: KindGUI, Queue: w.main, Component: owned, Callback: cbClick})
	}
	roots := len(w.Actions) - 1
	if pick(4) {
		w.AddAction(Action{Name: "receive", Kind: KindSystem, Queue: w.main, Component: w.activity, Callback: -1})
	}
	for i := range 1 + rng.IntN(5) {
		q := w.main
		if pick(2) {
			q = w.AddQueue(Queue{
				Name: fmt.Sprint("q", i), Kind: QueueKind(rng.IntN(5)), Scope: Scope(rng.IntN(4)),
				NoFIFO: pick(6), Owner: ActionID(1 + rng.IntN(roots)),
			})
			if pick(3) {
				w.Queues[q].Kind, w.Queues[q].Scope = QueueSerial, ScopeProcess
			}
			if pick(2) {
				w.Queues[q].Component = w.activity
			}
		} else if len(w.Queues) > 2 && pick(2) {
			q = QueueID(2 + rng.IntN(len(w.Queues)-2))
		}
		w.on(q, KindMessage, fmt.Sprint("m", i))
	}
	s := &sim{m: &w.Model, prog: w.prog, sites: map[ActionID][]Site{}, maxInst: 2}
	for a := 1; a < len(w.Actions); a++ {
		randomPoints(rng, w, ActionID(a), roots)
		for x := Site(5); x <= w.next[ActionID(a)]+5; x += 5 {
			s.sites[ActionID(a)] = append(s.sites[ActionID(a)], x)
		}
		trimEnd(w, s, ActionID(a))
	}
	return w, s
}

// trimEnd drops the sites behind a point that is the last of its action.
func trimEnd(w *world, s *sim, a ActionID) {
	for _, p := range w.Points {
		if p.Action == a && p.AtEnd {
			s.sites[a] = slices.DeleteFunc(s.sites[a], func(x Site) bool { return x > p.Site })
		}
	}
}

func randomAutomaton(rng *rand.Rand) *Automaton {
	a := activityAutomaton()
	switch rng.IntN(3) {
	case 0: // created, active, destroyed
		a.Transitions = []Transition{
			{From: 0, To: 3, Callbacks: []int32{cbCreate, cbStart, cbResume}},
			{From: 3, To: 6, Callbacks: []int32{cbPause, cbStop, cbDestroy}},
		}
	case 1: // pauses only
		a.Transitions = []Transition{
			{From: 0, To: 3, Callbacks: []int32{cbCreate, cbResume}},
			{From: 3, To: 4, Callbacks: []int32{cbPause}},
			{From: 4, To: 3, Callbacks: []int32{cbResume}},
			{From: 4, To: 6, Callbacks: []int32{cbDestroy}},
		}
	}
	a.Events[0].States = [][]int32{{3}, {3, 4}, {1, 2, 3, 4, 5, 6}}[rng.IntN(3)]
	return a
}

func randomPoints(rng *rand.Rand, w *world, a ActionID, roots int) {
	n := rng.IntN(4)
	for i := range n {
		p := Point{Action: a, Site: w.site(a), Kind: Post, Must: true, Delay: Now}
		if rng.IntN(5) == 0 {
			p.Must = false
			w.prog.optional[At{a, p.Site}] = true
		}
		if !randomKind(rng, w, &p, roots) {
			continue
		}
		p.AtEnd = i == n-1 && rng.IntN(2) == 0 && p.Kind == Post && p.Must
		w.AddPoint(p)
	}
	if n >= 2 && rng.IntN(5) == 0 {
		from := Site(10 * (1 + rng.IntN(n-1)))
		loop := [2]Site{from, from + 10*Site(rng.IntN(2))}
		w.prog.loops[a] = [][2]Site{loop}
		for k := range w.Points {
			if p := &w.Points[k]; p.Action == a && loop[0] <= p.Site && p.Site <= loop[1] {
				p.Loop, p.AtEnd = true, false
			}
		}
	}
}

func targeted(w *world, a ActionID) bool {
	return slices.ContainsFunc(w.Points, func(p Point) bool { return slices.Contains(p.Targets, a) })
}

func randomKind(rng *rand.Rand, w *world, p *Point, roots int) bool {
	posted := func() ActionID { return ActionID(roots + 1 + rng.IntN(len(w.Actions)-1-roots)) }
	target := posted()
	for w.Actions[target].Kind != KindMessage {
		target = posted()
	}
	if rng.IntN(8) > 0 { // mostly trees: what nobody posts yet, by something before it
		target = 0
		for i := max(int(p.Action), roots) + 1; i < len(w.Actions); i++ {
			if w.Actions[i].Kind == KindMessage && !targeted(w, ActionID(i)) {
				target = ActionID(i)
				break
			}
		}
	}
	if target == 0 {
		target = posted()
		if p.Kind = Cancel; rng.IntN(3) > 0 || w.Actions[target].Kind != KindMessage {
			return false
		}
	}
	p.Targets = []ActionID{target}
	if p.Kind == Cancel {
		p.Delay = Delay{}
		p.Every = rng.IntN(2) == 0
		p.Final = rng.IntN(3) == 0
		if rng.IntN(3) == 0 {
			p.Kind, p.Every, p.Final = Join, false, false
		}
		return true
	}
	switch rng.IntN(20) {
	case 0:
		p.Delay = Delay{}
	case 1, 2, 3:
		p.Delay.MS = int64(rng.IntN(3))
	case 4:
		p.Front = true
	case 5:
		p.Kind, p.Delay = Cancel, Delay{}
		p.Every = rng.IntN(2) == 0
	case 6:
		p.Kind, p.Delay = Join, Delay{}
	case 7:
		p.Repeat = true
	case 8:
		p.Targets = append(p.Targets, posted())
		if w.Actions[p.Targets[1]].Kind != KindMessage {
			p.Targets = p.Targets[:1]
		}
	case 9:
		p.Kind, p.Delay = StartComponent, Delay{}
		p.Targets[0] = 0
	case 10, 11:
		p.Kind, p.Delay = Register, Delay{}
		p.Targets[0] = 0
		if rng.IntN(3) == 0 {
			p.Kind = Unregister
			p.Every = rng.IntN(2) == 0
		}
		p.Once = rng.IntN(3) == 0
	}
	if p.Targets[0] == 0 {
		for i := 1; i < len(w.Actions); i++ {
			name := w.Actions[i].Name
			if p.Kind == StartComponent && name == "o.onCreate" || p.Kind != StartComponent && name == "receive" {
				p.Targets[0] = ActionID(i)
			}
		}
		if p.Targets[0] == 0 {
			p.Kind, p.Delay, p.Every, p.Once = Post, Now, false, false
			p.Targets[0] = target
		}
	}
	return true
}

// plain answers the relations by removing nodes from the cause graph.
type plain struct {
	t    *tree
	doms [][]node
}

func newPlain(t *tree) *plain {
	p := &plain{t: t, doms: make([][]node, t.n)}
	succ := t.succ()
	for x := node(0); int(x) < t.n; x++ {
		seen := newRow(t.n)
		visit := []node{process}
		seen.set(process)
		if x == process {
			visit = nil
		}
		for len(visit) > 0 {
			n := visit[len(visit)-1]
			visit = visit[:len(visit)-1]
			for _, s := range succ[n] {
				if s != x && !seen.has(s) {
					seen.set(s)
					visit = append(visit, s)
				}
			}
		}
		for n := range p.doms {
			if !seen.has(node(n)) || node(n) == x || x == process {
				p.doms[n] = append(p.doms[n], x)
			}
		}
	}
	return p
}

// common is the deepest common dominator: the one with most dominators.
func (p *plain) common(a, b node) node {
	best := process
	for _, x := range p.doms[a] {
		if slices.Contains(p.doms[b], x) && len(p.doms[x]) > len(p.doms[best]) {
			best = x
		}
	}
	return best
}

func (p *plain) home(a node) node {
	best := process
	for _, x := range p.doms[a] {
		if !p.t.isAction(x) && len(p.doms[x]) > len(p.doms[best]) {
			best = x
		}
	}
	return best
}

// nearest finds the run (or instance) of x on r's chain.
func (p *plain) nearest(r *simRun, x node) any {
	for _, c := range r.chain() {
		switch c := c.(type) {
		case *simRun:
			if p.t.action(c.act) == x {
				return c
			}
		case *simInst:
			if p.t.component(c.comp) == x {
				return c
			}
		}
	}
	return nil
}

func (p *plain) related(a, b *simRun, rel Relation) bool {
	x, y := p.t.action(a.act), p.t.action(b.act)
	w := process
	switch rel {
	case SameCause:
		w = p.common(x, y)
	case SameInstance:
		if p.home(x) == p.home(y) {
			w = p.home(x)
		}
	}
	return w == process || p.nearest(a, w) == p.nearest(b, w)
}

// claims compares every answer of g with one execution.
func claims(g *Graph, p *plain, s *sim, o *outcomes) error {
	var runs []*simRun
	for _, r := range s.runs {
		if r.start > 0 {
			runs = append(runs, r)
		}
	}
	for _, a := range runs {
		for _, b := range runs {
			if a == b {
				continue
			}
			for rel := SameCause; rel <= OtherInstance; rel++ {
				if !p.related(a, b, rel) {
					continue
				}
				if err := claimPair(g, s, a, b, rel); err != nil {
					return err
				}
			}
			if err := claimFirst(g, p, runs, a.act, b); err != nil {
				return err
			}
			if err := o.claimCauses(g, p, a, b); err != nil {
				return err
			}
		}
	}
	return nil
}

func claimPair(g *Graph, s *sim, a, b *simRun, rel Relation) error {
	before := a.end > 0 && a.end < b.start
	after := b.end > 0 && b.end < a.start
	name := func(r *simRun) string { return s.m.Actions[r.act].Name }
	if g.Before(a.act, b.act, rel) && !before {
		return fmt.Errorf("%s before %s [%v] fails", name(a), name(b), rel)
	}
	if (g.SameLooper(a.act, b.act, rel) || !g.Overlap(a.act, b.act, rel)) && !before && !after {
		return fmt.Errorf("%s and %s [%v] overlap", name(a), name(b), rel)
	}
	for _, x := range s.sites[a.act] {
		for _, y := range s.sites[b.act] {
			if len(a.at[x]) == 0 || len(b.at[y]) == 0 || a.act == b.act && rel == SameCause {
				continue
			}
			if last := a.at[x][len(a.at[x])-1]; last > b.at[y][0] && g.PointBefore(At{a.act, x}, At{b.act, y}, rel) {
				return fmt.Errorf("%s@%d before %s@%d [%v] fails", name(a), x, name(b), y, rel)
			}
		}
	}
	return nil
}

// claimFirst: if the graph says so, a run of a has ended before b's run.
func claimFirst(g *Graph, p *plain, runs []*simRun, a ActionID, b *simRun) error {
	if !g.FirstBefore(a, b.act) {
		return nil
	}
	for _, r := range runs {
		if r.act == a && r.end > 0 && r.end < b.start && (p.related(r, b, SameInstance) || p.home(p.t.action(a)) != p.home(p.t.action(b.act))) {
			return nil
		}
	}
	return fmt.Errorf("no %s before %s", g.m.Actions[a].Name, g.m.Actions[b.act].Name)
}

// claimCauses: where the graph says so, the order of two runs of different
// causes follows from the order in which their causes came about at the place
// where their chains part. Chains alike in every step keep that order; for
// others it is enough that the outcome is always the same.
func (o *outcomes) claimCauses(g *Graph, p *plain, a, b *simRun) error {
	if !(g.InCauseOrder(a.act, b.act) && p.related(a, b, SameInstance)) && !g.InCauseOrderAcross(a.act, b.act) {
		return nil
	}
	if p.related(a, b, SameCause) && a.act != b.act {
		return nil
	}
	ta, tb, sa, sb := parting(g, a, b)
	if ta == 0 || tb == 0 || ta >= tb {
		return nil
	}
	before := a.end > 0 && a.end < b.start
	if !before && (b.end == 0 || b.end > a.start) {
		return fmt.Errorf("%s and %s overlap, but are in cause order", g.m.Actions[a.act].Name, g.m.Actions[b.act].Name)
	}
	key := sa + " | " + sb
	if old, ok := o.seen[key]; (ok && old != before) || sa == sb && !before {
		return fmt.Errorf("%s and %s do not follow the order of their causes (%s)",
			g.m.Actions[a.act].Name, g.m.Actions[b.act].Name, key)
	}
	o.seen[key] = before
	return nil
}

// outcomes of one model: whether the run of the earlier cause came first.
type outcomes struct{ seen map[string]bool }

// parting returns when the causes of a and b came about at the place where
// their chains part, and the shapes of the chains from there.
func parting(g *Graph, a, b *simRun) (int, int, string, string) {
	ca, cb := deliveredChain(g, a), deliveredChain(g, b)
	slices.Reverse(ca)
	slices.Reverse(cb)
	for i := 0; i < len(ca) && i < len(cb); i++ {
		if ca[i] == cb[i] {
			continue
		}
		x, okx := ca[i].(*simRun)
		y, oky := cb[i].(*simRun)
		if !okx || !oky {
			return 0, 0, "", ""
		}
		return x.begun(g), y.begun(g), shape(ca[i:]), shape(cb[i:])
	}
	return 0, 0, "", ""
}

func shape(chain []any) (s string) {
	for _, x := range chain {
		if r, ok := x.(*simRun); ok {
			s += fmt.Sprintf("%d by %d, ", r.act, r.point)
		}
	}
	return s
}

// deliveredChain is the chain up to the nearest run that the platform delivered.
func deliveredChain(g *Graph, r *simRun) []any {
	c := r.chain()
	for i, x := range c {
		if y, ok := x.(*simRun); ok && (y.registered(g) || y.parent == nil) {
			return c[:i+1]
		}
	}
	return c
}

func (r *simRun) registered(g *Graph) bool {
	return r.point != 0 && g.m.Points[r.point].Kind == Register
}

func (r *simRun) begun(g *Graph) int {
	if r.parent == nil || r.registered(g) {
		return r.start
	}
	return r.posted
}

var (
	oracleModels = flag.Int("models", 120, "random models that TestOracle executes")
	oracleRuns   = flag.Int("runs", 30, "executions of each")
	oracleSeed   = flag.Int("seed", 0, "first model")
)

// TestOracle executes random models and checks every answer against what
// happened. It logs how many orders of each rule were put to the test, and how
// many pairs came in one order throughout without being ordered.
func TestOracle(t *testing.T) {
	seen := tally{}
	for k := range *oracleModels {
		seed := uint64(k + *oracleSeed)
		w, s := randomModel(rand.New(rand.NewPCG(seed, 1)))
		g := w.build(t)
		p := newPlain(g.c.tree)
		met, o := meetings{}, &outcomes{map[string]bool{}}
		for i := range *oracleRuns {
			s := sim{m: s.m, prog: s.prog, sites: s.sites, tree: g.c.tree, plain: p, maxInst: 2,
				rng: rand.New(rand.NewPCG(seed, uint64(i)))}
			s.run(150)
			if err := claims(g, p, &s, o); err != nil {
				dump(t, w, g)
				t.Fatalf("seed %d execution %d: %v", seed, i, err)
			}
			met.note(p, &s)
		}
		seen.count(g, met)
		machineClaims(t, w, g, s, seed, seen)
	}
	for _, r := range sortedKeys(seen) {
		t.Logf("%6d %s", seen[r], r)
	}
}

// meetings counts for pairs of actions of one cause how often the first one's
// run ended before the other began, and how often not.
type meetings map[[2]ActionID][2]int

func (m meetings) note(p *plain, s *sim) {
	for _, a := range s.runs {
		for _, b := range s.runs {
			if a.start > 0 && b.start > 0 && a.act != b.act && p.related(a, b, SameCause) {
				n := m[[2]ActionID{a.act, b.act}]
				if a.end > 0 && a.end < b.start {
					n[0]++
				} else {
					n[1]++
				}
				m[[2]ActionID{a.act, b.act}] = n
			}
		}
	}
}

type tally map[string]int

func (t tally) count(g *Graph, met meetings) {
	for pair, n := range met {
		if g.Before(pair[0], pair[1], SameCause) {
			f, _ := g.fact(ends, g.c.action(pair[0]), g.c.action(pair[1]))
			t["tested: "+f.rule.String()]++
			if len(g.Explain(pair[0], pair[1], SameCause)) == 0 {
				t["without explanation"]++
			}
		} else if n[0] > 20 && n[1] == 0 {
			t["always in order, but not ordered"]++
		}
	}
}

func dump(t *testing.T, w *world, g *Graph) {
	for i := 1; i < len(w.Queues); i++ {
		t.Logf("queue %d %+v", i, w.Queues[i])
	}
	for i := 1; i < len(w.Actions); i++ {
		t.Logf("action %d %+v loops %v", i, w.Actions[i], w.prog.loops[ActionID(i)])
	}
	for i := 1; i < len(w.Points); i++ {
		t.Logf("point %d %+v", i, w.Points[i])
	}
	for i := 1; i < len(w.Components); i++ {
		t.Logf("component %d %+v", i, w.Components[i].Automaton)
	}
	for _, f := range g.reasons().facts {
		t.Logf("%s < %s: %v kind %d via %s p %d q %d", g.c.name(f.from), g.c.name(f.to), f.rule, f.kind, g.c.name(f.via), f.p, f.q)
	}
}
