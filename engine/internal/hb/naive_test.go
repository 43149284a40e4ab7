package hb

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// naive finds the orders one by one from a list of those still to look at. The
// rules for a pair are those of the closure; what is tried when, and how orders
// compose, is not.
type naive struct {
	*closure
	members map[int32][]node
	against int // orders dropped against one that stands
	listed  int // orders found before all pairs were tried
}

func newNaive(t *tree) *naive {
	n := &naive{closure: newClosure(t), members: map[int32][]node{}}
	n.journal = &journal{index: [2]map[[2]node]int32{{}, {}}}
	for x := node(n.comps + 1); int(x) < n.n; x++ {
		n.members[n.cycle[x]] = append(n.members[n.cycle[x]], x)
	}
	return n
}

func (n *naive) close() {
	n.seed()
	for p := node(n.comps + 1); int(p) < n.n; p++ {
		n.review(p, p)
	}
	for done := 0; ; {
		for ; done < len(n.journal.facts); done++ {
			f := n.journal.facts[done]
			n.transit(f)
			n.apply(f)
		}
		if n.listed == 0 {
			n.listed = done
		}
		for a := node(n.comps + 1); int(a) < n.n; a++ {
			n.review(a, a)
			for b := node(n.comps + 1); int(b) < n.n; b++ {
				n.cover(a, b)
				if n.before(ends, a, b) {
					n.joinedBefore(a, b)
				}
			}
		}
		if done == len(n.journal.facts) {
			return
		}
	}
}

func (n *naive) find(f fact) {
	if f.from != f.to && !n.before(f.kind, f.from, f.to) && n.before(starts, f.to, f.from) {
		n.against++
	}
	n.add(f)
}

// transit composes f with what is known. The first part decides the kind: what
// comes before the start of a middle run comes before all that follows it.
func (n *naive) transit(f fact) {
	x, y := f.from, f.to
	for z := node(0); int(z) < n.n; z++ {
		if n.before(starts, y, z) && !n.before(f.kind, x, z) && n.middle(x, y, z) {
			n.find(fact{from: x, to: z, via: y, kind: f.kind, rule: ruleTransitive})
		}
	}
	for k := ends; ; k-- {
		for u := node(0); int(u) < n.n; u++ {
			if n.before(k, u, x) && !n.before(k, u, y) && n.middle(u, x, y) {
				n.find(fact{from: u, to: y, via: x, kind: k, rule: ruleTransitive})
			}
		}
		if k == starts {
			return
		}
	}
}

// apply looks for what f makes true by the other rules.
func (n *naive) apply(f fact) {
	x, y := f.from, f.to
	if f.kind == starts && n.oneAtATime(x, y, n.common(x, y)) {
		n.find(fact{from: x, to: y, kind: ends, rule: ruleLooper})
	}
	n.review(x, y)
	for _, s := range n.posted[x] {
		if p := &n.m.Points[s]; p.Front {
			for _, id := range p.Targets {
				n.coverCycle(n.action(id), y)
			}
		}
	}
	if len(n.entered(y)) > 1 {
		n.coverCycle(x, y)
	}
	if f.kind == ends {
		n.joinedBefore(x, y)
	}
}

// coverCycle tries a before b and before all that causes b in a cycle.
func (n *naive) coverCycle(a, b node) {
	if a == process || b == process {
		return
	}
	for _, m := range n.entered(b) {
		n.cover(a, m)
	}
}

// review tries the rules that need p before q for the posters of their runs.
func (n *naive) review(p, q node) {
	for _, t := range n.posted[q] {
		for _, id := range n.m.Points[t].Targets {
			if b := n.action(id); b != process {
				for _, member := range n.entered(b) {
					n.cover(p, member)
					n.coverPosted(p, member)
				}
			}
		}
	}
	for _, u := range n.cancels[q] {
		for _, id := range n.m.Points[u].Targets {
			if a := n.action(id); n.undone(a, q, u) {
				n.find(fact{from: a, to: q, p: u, q: firstPoint(n.causes[a]), kind: ends, rule: ruleCancel})
			}
		}
	}
	for _, j := range n.joins[q] {
		for _, id := range n.m.Points[j].Targets {
			n.reviewJoin(n.action(id), q)
		}
	}
}

func (n *naive) coverPosted(p, b node) {
	for _, s := range n.posted[p] {
		if n.m.Points[s].Kind == Register {
			continue
		}
		for _, id := range n.m.Points[s].Targets {
			if a := n.action(id); a != process {
				n.cover(a, b)
			}
		}
	}
}

func (n *naive) cover(a, b node) {
	if a == b || n.before(ends, a, b) || n.dom(b, a) {
		return
	}
	if f, ok := n.covers(a, b); ok {
		f.from, f.to = a, b
		n.find(f)
	}
}

func (n *naive) entered(b node) []node { return n.members[n.cycle[b]] }

// reviewJoin tries what a join gives to the posts behind it.
func (n *naive) reviewJoin(a, q node) {
	if a == process {
		return
	}
	for _, t := range n.posted[q] {
		for _, id := range n.m.Points[t].Targets {
			if b := n.action(id); b != process {
				for _, member := range n.entered(b) {
					n.cover(a, member)
					n.coverPosted(a, member)
				}
			}
		}
	}
	n.succ[ends][q].each(func(z node) { n.joinedBefore(q, z) })
}

func (n *naive) joinedBefore(q, z node) {
	for _, j := range n.joins[q] {
		p := &n.m.Points[j]
		if !p.Must {
			continue
		}
		for _, id := range p.Targets {
			a := n.action(id)
			if a != process && a != z && !n.before(ends, a, z) && n.joins1(a, q, j, n.common(a, q)) && n.middle(a, q, z) {
				n.find(fact{from: a, to: z, via: q, p: j, kind: ends, rule: ruleJoined})
			}
		}
	}
}

var naiveModels = flag.Int("naive", 1500, "random models that TestNaive closes twice")

// TestNaive compares the closure with the naive one on random models. Where
// orders contradict each other, since two actions never both run, which of them
// stands depends on what is found first; those models are counted only.
func TestNaive(t *testing.T) {
	same, orders, late, contradicted := 0, 0, 0, 0
	for seed := range uint64(*naiveModels) {
		rng := rand.New(rand.NewPCG(seed, 3))
		w, _ := randomModel(rng)
		switch {
		case seed%20 == 0:
			w = grove(rng)
		case seed%2 == 1:
			w = tangle(rng)
		}
		g := Build(&w.Model)
		n := newNaive(newTree(&w.Model))
		differ := differences(t, fmt.Sprint("seed ", seed), w, g, n)
		orders += g.Edges()
		late += len(n.journal.facts) - n.listed
		if differ > 0 {
			contradicted++
		} else {
			same++
		}
		if t.Failed() {
			dump(t, w, g)
			t.FailNow()
		}
	}
	t.Logf("%d models and %d orders alike, %d found only when all pairs were tried, %d of models with a contradiction differ", same, orders, late, contradicted)
}

// differences closes n and counts the orders that only one of the two has. It
// is an error if nothing is contradicted.
func differences(t *testing.T, model string, w *world, g *Graph, n *naive) (differ int) {
	t.Helper()
	n.close()
	for a := node(n.comps + 1); int(a) < n.n; a++ {
		for b := node(n.comps + 1); int(b) < n.n; b++ {
			for k := starts; k <= ends; k++ {
				if g.c.before(k, a, b) == n.before(k, a, b) {
					continue
				}
				if differ++; n.against == 0 {
					t.Errorf("%s: %s before %s by kind %d: %v, naive %v", model, n.name(a), n.name(b), k, g.c.before(k, a, b), n.before(k, a, b))
				}
			}
		}
	}
	return differ
}

// TestTransitivity composes random orders over random trees of causes, of which
// random ones surely run, in bulk and one by one.
func TestTransitivity(t *testing.T) {
	found := 0
	for seed := range uint64(4000) {
		rng := rand.New(rand.NewPCG(seed, 13))
		w := tangle(rng)
		if seed%10 == 0 {
			w = grove(rng)
		}
		tree := newTree(&w.Model)
		c, n := newClosure(tree), newNaive(tree)
		rank := make([]int, c.n) // causes first, so that nothing is contradicted
		for _, x := range c.down {
			rank[x] = rank[c.idom[x]] + 1 + rng.IntN(5)
		}
		c.sure, n.sure = newMatrix(c.n), newMatrix(c.n)
		pick := func() node { return node(c.comps + 1 + rng.IntN(c.n-c.comps-1)) }
		for range c.n * (1 + rng.IntN(6)) {
			a, b := pick(), pick()
			c.sure[a].set(b)
			n.sure[a].set(b)
			if a, b = pick(), pick(); rank[a] < rank[b] {
				f := fact{from: a, to: b, kind: kind(rng.IntN(2)), rule: ruleQueue}
				c.add(f)
				n.add(f)
			}
		}
		all := newRow(c.n)
		for i := range all {
			all[i] = ^uint64(0)
		}
		for c.grown[rows].set(0); !c.grown[rows].empty(); {
			c.grown[rows], c.grown[columns] = newRow(c.n), newRow(c.n)
			for x := node(c.comps + 1); int(x) < c.n; x++ {
				c.passDown(x)
				c.passUp(x, all)
			}
		}
		given := len(n.journal.facts)
		for done := 0; done < len(n.journal.facts); done++ {
			n.transit(n.journal.facts[done])
		}
		found += len(n.journal.facts) - given
		for a := range c.succ[starts] {
			for k := starts; k <= ends; k++ {
				if !slices.Equal(c.succ[k][a], n.succ[k][a]) {
					t.Fatalf("seed %d: what is after %d by kind %d: %x, naive %x", seed, a, k, c.succ[k][a], n.succ[k][a])
				}
			}
		}
	}
	t.Logf("%d orders composed", found)
}

// tangle is a model with several components and more of everything that
// randomModel is thrifty with: causes, cycles, fronts, joins, cancellations.
func tangle(rng *rand.Rand) *world {
	w := newWorld()
	w.Components[w.activity].Automaton = randomAutomaton(rng)
	second := w.AddComponent(Component{Name: "Second", Automaton: randomAutomaton(rng), Owned: rng.IntN(3) == 0, Single: rng.IntN(3) == 0})
	w.AddComponent(Component{Name: "Third", Owned: rng.IntN(2) == 0})
	for i := range rng.IntN(3) {
		w.AddQueue(Queue{Kind: QueueKind(rng.IntN(5)), Scope: Scope(rng.IntN(4)), Component: ComponentID(1 + rng.IntN(2)),
			Owner: ActionID(1 + rng.IntN(8)), NoFIFO: i == 0 && rng.IntN(3) == 0, Lasting: rng.IntN(2) == 0})
	}
	n := 4 + rng.IntN(14)
	for i := range n {
		a := Action{Name: fmt.Sprint("x", i+1), Kind: ActionKind(rng.IntN(7)), Queue: w.main, Callback: -1, Component: ComponentID(1 + rng.IntN(len(w.Components)-1)), Repeats: rng.IntN(2) == 0}
		if rng.IntN(3) > 0 {
			a.Kind = KindMessage
		}
		if rng.IntN(3) == 0 {
			a.Queue = QueueID(1 + rng.IntN(len(w.Queues)-1))
		}
		if (a.Kind == KindLifecycle || a.Kind == KindGUI) && a.Component <= second {
			a.Callback = int32(rng.IntN(8))
		}
		w.AddAction(a)
	}
	for range n + rng.IntN(2*n) {
		a, target := ActionID(1+rng.IntN(n)), ActionID(1+rng.IntN(n))
		if rng.IntN(3) > 0 && target < a {
			a, target = target, a
		}
		p := Point{Action: a, Site: w.site(a), Targets: []ActionID{target}, Must: rng.IntN(3) > 0, Loop: rng.IntN(6) == 0,
			Kind: []PointKind{Post, Post, Post, Post, Start, Register, Unregister, Cancel, Join, StartComponent}[rng.IntN(10)]}
		p.All, p.Every, p.Final, p.Once = rng.IntN(2) == 0, rng.IntN(2) == 0, rng.IntN(4) == 0, rng.IntN(2) == 0
		if rng.IntN(6) == 0 {
			p.Targets = append(p.Targets, ActionID(1+rng.IntN(n)))
		}
		if p.Kind == Post {
			p.Delay = Delay{rng.IntN(8) > 0, int64(rng.IntN(6) / 4)}
			p.Front, p.Repeat, p.AtEnd = rng.IntN(6) == 0, rng.IntN(10) == 0, rng.IntN(4) == 0
		}
		w.AddPoint(p)
	}
	return w
}

// grove is a model of more than one word of actions, most of which are posted
// once and surely, so that many orders compose in many ways.
func grove(rng *rand.Rand) *world {
	w := newWorld()
	w.Components[w.activity].Automaton = randomAutomaton(rng)
	serial := w.AddQueue(Queue{Name: "serial", Kind: QueueSerial, Scope: Scope(1 + rng.IntN(3)), Component: w.activity, Owner: 1, Lasting: true})
	roots := 1 + rng.IntN(4)
	for i := range roots {
		if cb := int32(rng.IntN(8)); cb < cbClick {
			w.life(fmt.Sprint("life", i), cb)
		} else {
			w.click(fmt.Sprint("click", i))
		}
	}
	n := roots + 20 + rng.IntN(80)
	odd := 3 + rng.IntN(40) // one in so many is out of the ordinary
	for i := roots + 1; i <= n; i++ {
		a := w.message(fmt.Sprint("m", i))
		if rng.IntN(4) == 0 {
			w.Actions[a].Queue = serial
		}
		for again := true; again; again = rng.IntN(odd) == 0 {
			from := ActionID(max(1, i-1-rng.IntN(1+rng.IntN(10))))
			p := w.do(from, Post, a)
			pt := &w.Points[p]
			switch rng.IntN(odd) {
			case 0:
				pt.Must = false
			case 1:
				pt.Loop = true
			case 2:
				pt.AtEnd = true
			case 3:
				pt.Delay.MS = 5
			case 4:
				pt.Front = true
			case 5:
				w.do(from, Join, a)
			case 6:
				w.do(a, Post, from)
			case 7:
				w.do(ActionID(1+rng.IntN(i)), Cancel, a, every)
			}
		}
	}
	return w
}

// TestAncestors compares the questions about dominators with steps up the tree,
// and the exits with a search of the cause graph.
func TestAncestors(t *testing.T) {
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 4))
		w := tangle(rng)
		c := Build(&w.Model).c
		for a := node(0); int(a) < c.n; a++ {
			for b := node(0); int(b) < c.n; b++ {
				up := a
				for !c.dom(up, b) {
					up = c.idom[up]
				}
				if c.common(a, b) != up {
					t.Fatalf("seed %d: common of %d and %d: %d, want %d", seed, a, b, c.common(a, b), up)
				}
				again, once, toward := process, true, process
				for n := a; c.dom(b, a) && n != b; n = c.idom[n] {
					toward = n
					if !c.once[n] {
						again, once = n, false
					}
				}
				if !c.dom(b, a) {
					continue
				}
				if c.single(a, b) != once || c.again(b, a) != again || a != b && c.toward(b, a) != toward {
					t.Fatalf("seed %d: from %d up to %d", seed, a, b)
				}
				if a != b && c.isAction(b) {
					got, want := slices.Sorted(slices.Values(c.exits(b, a))), searchExits(c, b, a)
					if !slices.Equal(got, want) {
						t.Fatalf("seed %d: exits of %d to %d: %v, want %v", seed, b, a, got, want)
					}
				}
			}
		}
	}
}

func searchExits(c *closure, p, q node) (found []PointID) {
	seen := newRow(c.n)
	seen.set(q)
	for visit := []node{q}; len(visit) > 0; {
		n := visit[len(visit)-1]
		visit = visit[:len(visit)-1]
		for _, ca := range c.causes[n] {
			if ca.from == p {
				found = append(found, ca.point)
			} else if !seen.has(ca.from) {
				seen.set(ca.from)
				visit = append(visit, ca.from)
			}
		}
	}
	slices.Sort(found)
	return found
}

// TestCauseOrder compares the tables with the definition, asked pair by pair.
func TestCauseOrder(t *testing.T) {
	kept, led := 0, 0
	for seed := range uint64(1500) {
		rng := rand.New(rand.NewPCG(seed, 6))
		w, _ := randomModel(rng)
		switch {
		case seed%20 == 0:
			w = grove(rng)
		case seed%2 == 1:
			w = tangle(rng)
		}
		g := Build(&w.Model)
		c := g.c
		for x := node(c.comps + 1); int(x) < c.n; x++ {
			for y := node(c.comps + 1); int(y) < c.n; y++ {
				within := c.home[x] == c.home[y] && (&stepwise{c, c.home[x], map[[2]node]bool{}}).holds(x, y)
				across := (&stepwise{c, process, map[[2]node]bool{}}).holds(x, y)
				if got := g.InCauseOrder(c.id(x), c.id(y)); got != within {
					dump(t, w, g)
					t.Fatalf("seed %d: %s and %s in cause order: %v, want %v", seed, c.name(x), c.name(y), got, within)
				}
				if got := g.InCauseOrderAcross(c.id(x), c.id(y)); got != across {
					dump(t, w, g)
					t.Fatalf("seed %d: %s and %s in cause order across instances: %v, want %v", seed, c.name(x), c.name(y), got, across)
				}
				if within || across {
					kept++
				}
				if x != y && c.firstOfMany(x) {
					if want := searchLeads(c, x, y); want != c.leads(x, y) {
						t.Fatalf("seed %d: %s leads to %s: %v", seed, c.name(x), c.name(y), !want)
					} else if want {
						led++
					}
				}
			}
		}
	}
	t.Logf("%d pairs in cause order, %d led to", kept, led)
}

// stepwise asks about runs that share the run of w. known holds the pairs that
// were decided; those under way count as not in order.
type stepwise struct {
	*closure
	w     node
	known map[[2]node]bool
}

func (c *stepwise) holds(a, b node) bool {
	if a > b {
		a, b = b, a
	}
	key := [2]node{a, b}
	if known, ok := c.known[key]; ok {
		return known
	}
	c.known[key] = false
	c.known[key] = c.decide(a, b)
	return c.known[key]
}

func (c *stepwise) decide(a, b node) bool {
	w := c.w
	if !c.dom(w, a) || !c.dom(w, b) {
		return false
	}
	if a == b && c.single(a, w) || (c.before(ends, a, b) || c.before(ends, b, a)) && c.shares(a, b, w) {
		return true
	}
	if !c.oneAtATime(a, b, w) {
		return false
	}
	if c.delivered(a) && c.delivered(b) && (a == b || c.platformOnly(a) && c.platformOnly(b)) {
		return true
	}
	if w != process && (c.ranBeforeNext(a, b) || c.ranBeforeNext(b, a)) {
		return true
	}
	for _, p := range c.causes[a] {
		for _, q := range c.causes[b] {
			if !c.posts(p, q) {
				return false
			}
		}
	}
	return !c.queue(a).NoFIFO
}

func (c *stepwise) posts(p, q cause) bool {
	if p.point == 0 || q.point == 0 || p.from == process || q.from == process {
		return false
	}
	s, t := &c.m.Points[p.point], &c.m.Points[q.point]
	if s.Kind != Post || t.Kind != Post || s.Front || t.Front || s.Repeat || t.Repeat ||
		!s.Delay.Known || !t.Delay.Known || s.Delay.MS != t.Delay.MS {
		return false
	}
	return c.holds(p.from, q.from)
}

func searchLeads(c *closure, x, y node) bool {
	seen := newRow(c.n)
	for visit := []node{y}; len(visit) > 0; {
		n := visit[len(visit)-1]
		visit = visit[:len(visit)-1]
		for _, ca := range c.causes[n] {
			if ca.from == x {
				return true
			}
			if !seen.has(ca.from) {
				seen.set(ca.from)
				visit = append(visit, ca.from)
			}
		}
	}
	return false
}

// TestQueriesTogether asks from several goroutines; the race detector watches.
func TestQueriesTogether(t *testing.T) {
	w := bigWorld(2, 3)
	g := w.build(t)
	answers := make(chan int)
	for range 4 {
		go func() {
			n := 0
			for a := ActionID(1); int(a) < len(w.Actions); a++ {
				for b := ActionID(1); int(b) < len(w.Actions); b++ {
					for _, yes := range []bool{g.Before(a, b, SameCause), g.PointBefore(At{a, 15}, At{b, 15}, SameCause), g.Overlap(a, b, SameInstance),
						g.InCauseOrder(a, b), g.InCauseOrderAcross(a, b), g.FirstBefore(a, b), g.MayFollow(a, b), len(g.Explain(a, b, SameCause)) > 0} {
						if yes {
							n++
						}
					}
				}
			}
			answers <- n
		}()
	}
	first := <-answers
	for range 3 {
		if n := <-answers; n != first || n == 0 {
			t.Errorf("%d answers are yes, to another %d", n, first)
		}
	}
}
