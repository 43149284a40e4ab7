package hb

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// orderModel makes a small world for the rules of order.go: an activity, mostly
// with a fragment that lives in it, threads and messages, gates that some wait at
// and others open, listeners of one registration, periodic tasks and chains.
func orderModel(rng *rand.Rand) (*world, *sim) {
	w := newWorld()
	w.Queues[w.main].Main = true
	w.Components[w.activity].Automaton = randomAutomaton(rng)
	w.Components[w.activity].Single = rng.IntN(4) == 0
	pick := func(n int) bool { return rng.IntN(n) == 0 }
	if pick(2) {
		w.AddAction(Action{Name: "app", Kind: KindProcess, Queue: w.main, Callback: -1})
	}
	for cb := cbCreate; cb <= cbDestroy; cb++ {
		if pick(2) || cb == cbCreate || cb == cbDestroy {
			w.life(fmt.Sprint("life", cb), cb)
		}
	}
	w.click("click")
	if !pick(3) {
		fragment(rng, w)
	}
	if pick(2) {
		listener(rng, w)
	}
	roots := len(w.Actions) - 1
	for i := range 2 + rng.IntN(4) {
		if pick(4) {
			w.message(fmt.Sprint("m", i))
		} else if pick(3) {
			w.on(w.AddQueue(Queue{Name: "q", Kind: QueueKind(rng.IntN(5)), Scope: ScopeProcess}), KindTask, fmt.Sprint("t", i))
		} else {
			w.thread(fmt.Sprint("th", i))
		}
	}
	for i := roots + 1; i < len(w.Actions); i++ {
		armed(rng, w, ActionID(i))
	}
	for range 2 + rng.IntN(2) {
		gate(rng, w, roots)
	}
	s := &sim{m: &w.Model, prog: w.prog, sites: map[ActionID][]Site{}, maxInst: 2}
	for a := 1; a < len(w.Actions); a++ {
		for x := Site(5); x <= w.next[ActionID(a)]+5; x += 5 {
			s.sites[ActionID(a)] = append(s.sites[ActionID(a)], x)
		}
		trimEnd(w, s, ActionID(a))
	}
	return w, s
}

// fragment adds a component that lives in the activity.
func fragment(rng *rand.Rand, w *world) {
	live := []int32{2, 3, 4, 5}
	if rng.IntN(2) == 0 {
		live = []int32{3}
	}
	c := w.AddComponent(Component{Name: "Fragment", Host: w.activity, Automaton: &Automaton{
		States: []string{"new", "viewed", "resumed", "gone"},
		Transitions: []Transition{
			{From: 0, To: 1, Callbacks: []int32{0}},
			{From: 1, To: 2, Callbacks: []int32{1}},
			{From: 2, To: 1, Callbacks: []int32{2}},
			{From: 1, To: 3, Callbacks: []int32{3}},
			{From: 3, To: 1, Callbacks: []int32{0}},
		},
		Events: []Event{{Callback: 4, States: []int32{2}}},
	}, Needs: [][]int32{nil, live, live, nil}})
	for cb := range int32(4) {
		if rng.IntN(2) == 0 {
			w.AddAction(Action{Name: fmt.Sprint("f.life", cb), Kind: KindLifecycle, Queue: w.main, Component: c, Callback: cb})
		}
	}
	w.AddAction(Action{Name: "f.click", Kind: KindGUI, Queue: w.main, Component: c, Callback: 4})
}

// listener adds two callbacks of one registration, on a queue of any kind.
func listener(rng *rand.Rand, w *world) {
	q := w.AddQueue(Queue{Name: "l", Kind: QueueKind(1 + rng.IntN(4)), Scope: Scope(rng.IntN(2))})
	src := w.AddSource(Source{Name: "listener"})
	for i := range 2 {
		w.AddAction(Action{Name: fmt.Sprint("on", i), Kind: KindSystem, Queue: q, Callback: -1, Source: src})
	}
}

// armed lets something before action a post or start it, perhaps again and again.
func armed(rng *rand.Rand, w *world, a ActionID) {
	p := Point{Kind: Post, Delay: Now, Targets: []ActionID{a}, Must: true, Action: ActionID(1 + rng.IntN(int(a)-1))}
	if rng.IntN(2) == 0 {
		p.Action = ActionID(1 + rng.IntN(2)) // Application.onCreate or onCreate
	}
	if w.Actions[a].Kind == KindThread {
		p.Kind, p.Delay = Start, Delay{}
	}
	p.Site = w.site(p.Action)
	p.Repeat = p.Kind == Post && rng.IntN(4) == 0
	w.AddPoint(p)
	if p.Kind == Start && rng.IntN(3) == 0 {
		w.do(p.Action, Join, a)
	}
	if p.Kind == Post && !p.Repeat && rng.IntN(3) == 0 {
		p.Action, p.Site, p.AtEnd = a, w.site(a), rng.IntN(2) == 0
		w.AddPoint(p)
	}
}

// gate adds a gate with waits and signals.
func gate(rng *rand.Rand, w *world, roots int) {
	scopes := []Scope{ScopeUnknown, ScopeRun, ScopeProcess, ScopeInstance, ScopeInstance, ScopeInstance}
	g := w.AddGate(Gate{
		Name: "gate", Closed: rng.IntN(6) > 0, Scope: scopes[rng.IntN(len(scopes))],
		Component: w.activity, Owner: ActionID(1 + rng.IntN(roots)),
	})
	add := func(k PointKind, a ActionID) {
		if slices.ContainsFunc(w.Points, func(p Point) bool { return p.Action == a && p.AtEnd }) {
			return
		}
		p := Point{Kind: k, Action: a, Site: w.site(a), Gates: []GateID{g}, Must: true}
		if rng.IntN(6) == 0 {
			p.Must = false
			w.prog.optional[At{a, p.Site}] = true
		}
		w.AddPoint(p)
	}
	later := func() ActionID { return ActionID(roots + 1 + rng.IntN(len(w.Actions)-1-roots)) }
	by := later()
	add(Signal, by)
	if rng.IntN(4) == 0 {
		add(Signal, by)
	}
	if rng.IntN(3) == 0 {
		add(Signal, later())
	}
	for range 1 + rng.IntN(2) {
		a := later() // what waits on the main looper stops all else
		if rng.IntN(3) == 0 {
			a = ActionID(1 + rng.IntN(len(w.Actions)-1))
		}
		if a != by {
			add(Await, a)
		}
	}
}

// TestOrderOracle executes random models with gates, hosts, sources and series
// and checks every answer of Order and InOrder against what happened.
func TestOrderOracle(t *testing.T) {
	tested := map[Reason]int{}
	for k := range *oracleModels {
		seed := uint64(k + *oracleSeed)
		w, s := orderModel(rand.New(rand.NewPCG(seed, 2)))
		g := w.build(t)
		p := newPlain(g.c.tree)
		for i := range *oracleRuns {
			s := sim{m: s.m, prog: s.prog, sites: s.sites, tree: g.c.tree, plain: p, maxInst: 2,
				rng: rand.New(rand.NewPCG(seed, uint64(i))), rest: &simOrders{open: map[gateKey]bool{}}}
			s.run(150)
			if err := orderClaims(g, p, &s, tested); err != nil {
				dump(t, w, g)
				t.Fatalf("seed %d execution %d: %v", seed, i, err)
			}
		}
	}
	for r := ByRuns; r <= ByCauses; r++ {
		t.Logf("%6d %s", tested[r], r)
		if tested[r] == 0 && r != BySites { // those are within one run
			t.Errorf("no order was tested that holds because of: %s", r)
		}
	}
}

func orderClaims(g *Graph, p *plain, s *sim, tested map[Reason]int) error {
	for _, a := range s.runs {
		for _, b := range s.runs {
			if a.start == 0 || b.start == 0 || a == b {
				continue
			}
			for rel := SameCause; rel <= OtherInstance; rel++ {
				if !p.related(a, b, rel) && rel != SameInstance {
					continue
				}
				if err := claimSites(g, p, s, a, b, rel, tested); err != nil {
					return err
				}
				if err := claimRuns(g, p, a, b, rel, tested); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// claimSites checks the order of all sites of two runs. Because of a host's
// states only the runs of an instance and its host are ordered.
func claimSites(g *Graph, p *plain, s *sim, a, b *simRun, rel Relation, tested map[Reason]int) error {
	if a.act == b.act && rel == SameCause {
		return nil
	}
	for _, x := range s.sites[a.act] {
		for _, y := range s.sites[b.act] {
			if len(a.at[x]) == 0 || len(b.at[y]) == 0 {
				continue
			}
			o := g.Order(At{a.act, x}, At{b.act, y}, rel)
			if back := g.Order(At{b.act, y}, At{a.act, x}, rel); (o.Way == Before) != (back.Way == After) && o.Way != Unordered {
				return fmt.Errorf("%s and %s are ordered otherwise when asked the other way round", g.m.Actions[a.act].Name, g.m.Actions[b.act].Name)
			}
			if o.Way != Before {
				continue
			}
			if o.Reason == ByHost {
				if i := a.instance(g.m.Actions[a.act].Component); i == nil || i.host == nil || i.host != b.instance(g.m.Actions[b.act].Component) {
					continue
				}
			} else if !p.related(a, b, rel) {
				continue
			}
			tested[o.Reason]++
			if last := a.at[x][len(a.at[x])-1]; last > b.at[y][0] {
				return fmt.Errorf("%s@%d before %s@%d [%v] fails: %s", g.m.Actions[a.act].Name, x, g.m.Actions[b.act].Name, y, rel, o.Reason)
			}
			if o.Reason != ByRuns && len(g.Reasons(At{a.act, x}, At{b.act, y}, rel)) == 0 {
				return fmt.Errorf("%s before %s is not explained", g.m.Actions[a.act].Name, g.m.Actions[b.act].Name)
			}
		}
	}
	return nil
}

// claimRuns checks that runs which are in the order of their causes do not
// overlap. That they follow the order of their posts is TestOracle's matter.
func claimRuns(g *Graph, p *plain, a, b *simRun, rel Relation, tested map[Reason]int) error {
	if !p.related(a, b, rel) || a.act == b.act && rel == SameCause {
		return nil
	}
	r := g.InOrder(a.act, b.act, rel)
	if r == NoReason {
		return nil
	}
	tested[r]++
	if !(a.end > 0 && a.end < b.start) && !(b.end > 0 && b.end < a.start) {
		return fmt.Errorf("%s and %s [%v] overlap: %s", g.m.Actions[a.act].Name, g.m.Actions[b.act].Name, rel, r)
	}
	return nil
}
