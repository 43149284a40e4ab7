package hb

import "slices"

// node is a vertex of the cause graph: 0 is the process, then come the
// component instances, then the actions.
type node int32

const process node = 0

// cause is one way for a run to come about. point is 0 if the platform decides.
type cause struct {
	from  node
	point PointID
}

// entry is a cause that enters a cycle of the cause graph (or a node outside
// of cycles) at node to. Every chain to a member passes exactly one entry.
type entry struct {
	cause
	to node
}

// tree is the cause graph and its dominator tree.
type tree struct {
	m      *Model
	n      int // nodes
	comps  int
	causes [][]cause
	idom   []node
	down   []node // dominators before what they dominate, causes before effects but for cycles
	depth  []int32
	in     []int32 // preorder interval in the dominator tree
	out    []int32
	once   []bool // at most one run for each run of the dominator above
	home   []node // nearest component above, or process
	cycle  []int32
	// entries of the node's cycle; the node's own causes if it is in none.
	entries [][]entry
	walk    []*walks // by component

	doms      *lineage
	onceUpTo  []node   // single up to here, see single
	repeating []node   // nearest node at or above that is not once, or process
	repeats   *lineage // of these
	exitsOf   [][]PointID
}

func (t *tree) action(a ActionID) node {
	if a <= 0 || int(a) >= len(t.m.Actions) {
		return process
	}
	return node(t.comps) + node(a)
}

func (t *tree) component(c ComponentID) node {
	if c <= 0 || int(c) > t.comps {
		return process
	}
	return node(c)
}

func (t *tree) isAction(n node) bool { return int(n) > t.comps }

func (t *tree) id(n node) ActionID {
	if !t.isAction(n) {
		return 0
	}
	return ActionID(int(n) - t.comps)
}

func (t *tree) act(n node) *Action { return &t.m.Actions[t.id(n)] }

// dom: a dominates b, or is b.
func (t *tree) dom(a, b node) bool { return t.in[a] <= t.in[b] && t.out[b] <= t.out[a] }

// newTree builds the cause graph. An action of an automaton whose chains may
// come from elsewhere is taken as started by the platform alone, which forgets
// its registrations but keeps the automaton's orders true.
func newTree(m *Model) *tree {
	t := &tree{m: m, comps: max(len(m.Components)-1, 0)}
	t.n = 1 + t.comps + max(len(m.Actions)-1, 0)
	t.causes = make([][]cause, t.n)
	t.walk = make([]*walks, t.comps+1)
	for c := 1; c <= t.comps; c++ {
		if a := m.Components[c].Automaton; a != nil {
			t.walk[c] = newWalks(a)
		}
	}
	t.collect()
	for {
		t.reach()
		t.dominators()
		if !t.repair() {
			break
		}
	}
	t.cycles()
	t.counts()
	t.climb(t.down)
	t.leaveBy()
	return t
}

func (t *tree) collect() {
	m := t.m
	posts := make([][]cause, t.n)
	regs := make([][]cause, t.n)
	for i := 1; i < len(m.Points); i++ {
		p := &m.Points[i]
		from := t.action(p.Action)
		if from == process {
			continue
		}
		c := cause{from, PointID(i)}
		for _, id := range p.Targets {
			to := t.action(id)
			if to == process {
				continue
			}
			owner := t.component(m.Actions[id].Component)
			switch {
			case p.Kind == Post || p.Kind == Start:
				posts[to] = append(posts[to], c)
			case p.Kind == StartComponent || p.Kind == Register && m.Actions[id].Kind == KindLifecycle:
				if owner != process && m.Components[owner].Owned && !hasCause(t.causes[owner], c) {
					t.causes[owner] = append(t.causes[owner], c)
				}
			case p.Kind == Register:
				regs[to] = append(regs[to], c)
			}
		}
	}
	for c := node(1); int(c) <= t.comps; c++ {
		if len(t.causes[c]) == 0 {
			t.causes[c] = []cause{{process, 0}}
		}
	}
	for n := node(t.comps + 1); int(n) < t.n; n++ {
		t.causes[n] = t.actionCauses(n, posts[n], regs[n])
	}
}

func (t *tree) actionCauses(n node, posts, regs []cause) []cause {
	a := t.act(n)
	platform := cause{t.component(a.Component), 0}
	switch a.Kind {
	case KindLifecycle:
		return append(posts, platform) // its registrations create the component
	case KindProcess:
		return append(append(posts, regs...), platform)
	case KindGUI, KindSystem:
		if len(regs) == 0 {
			return append(posts, platform)
		}
	}
	if all := append(posts, regs...); len(all) > 0 {
		return all
	}
	return []cause{{process, 0}} // nobody is known to post it: anyone may
}

func hasCause(cs []cause, c cause) bool {
	for _, d := range cs {
		if c == d {
			return true
		}
	}
	return false
}

// succ lists for each node the nodes it causes.
func (t *tree) succ() [][]node {
	s := make([][]node, t.n)
	for n := range t.causes {
		for _, c := range t.causes[n] {
			s[c.from] = append(s[c.from], node(n))
		}
	}
	return s
}

// reach gives every node that no chain reaches (actions that only cause each
// other) an unknown cause.
func (t *tree) reach() {
	succ := t.succ()
	seen := newRow(t.n)
	var visit []node
	mark := func(n node) {
		if !seen.has(n) {
			seen.set(n)
			visit = append(visit, n)
		}
	}
	drain := func() {
		for len(visit) > 0 {
			n := visit[len(visit)-1]
			visit = visit[:len(visit)-1]
			for _, s := range succ[n] {
				mark(s)
			}
		}
	}
	mark(process)
	drain()
	for n := node(1); int(n) < t.n; n++ {
		if !seen.has(n) {
			t.causes[n] = append(t.causes[n], cause{process, 0})
			mark(n)
			drain()
		}
	}
}

// dominators: Cooper, Harvey and Kennedy's iteration.
func (t *tree) dominators() {
	order, num := t.postorder()
	t.idom = make([]node, t.n)
	for i := range t.idom {
		t.idom[i] = -1
	}
	t.idom[process] = process
	meet := func(a, b node) node {
		for a != b {
			for num[a] < num[b] {
				a = t.idom[a]
			}
			for num[b] < num[a] {
				b = t.idom[b]
			}
		}
		return a
	}
	for changed := true; changed; {
		changed = false
		for i := len(order) - 2; i >= 0; i-- {
			n := order[i]
			d := node(-1)
			for _, c := range t.causes[n] {
				if t.idom[c.from] < 0 {
					continue
				}
				if d < 0 {
					d = c.from
				} else {
					d = meet(d, c.from)
				}
			}
			if d != t.idom[n] {
				t.idom[n] = d
				changed = true
			}
		}
	}
	t.intervals(order)
}

func (t *tree) postorder() (order []node, num []int32) {
	succ := t.succ()
	num = make([]int32, t.n)
	seen := newRow(t.n)
	type frame struct {
		n    node
		next int
	}
	stack := []frame{{process, 0}}
	seen.set(process)
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		if f.next < len(succ[f.n]) {
			f.next++
			s := succ[f.n][len(succ[f.n])-f.next] // backwards, so that what is posted first has the higher number
			if !seen.has(s) {
				seen.set(s)
				stack = append(stack, frame{s, 0})
			}
			continue
		}
		num[f.n] = int32(len(order))
		order = append(order, f.n)
		stack = stack[:len(stack)-1]
	}
	return order, num
}

// intervals numbers the dominator tree. order is a postorder of the cause
// graph, so that reversed it visits a dominator before what it dominates.
func (t *tree) intervals(order []node) {
	t.down = slices.Clone(order)
	slices.Reverse(t.down)
	t.depth = make([]int32, t.n)
	t.in = make([]int32, t.n)
	t.out = make([]int32, t.n)
	size := make([]int32, t.n)
	for _, n := range order {
		size[n]++
		if n != process {
			size[t.idom[n]] += size[n]
		}
	}
	next := make([]int32, t.n)
	for i := len(order) - 1; i >= 0; i-- {
		n := order[i]
		if n != process {
			d := t.idom[n]
			t.depth[n] = t.depth[d] + 1
			t.in[n] = next[d]
			next[d] += size[n]
		}
		t.out[n] = t.in[n] + size[n]
		next[n] = t.in[n] + 1
	}
}

// repair finds an automaton callback that its component does not dominate.
func (t *tree) repair() bool {
	changed := false
	for n := node(t.comps + 1); int(n) < t.n; n++ {
		a := t.act(n)
		c := t.component(a.Component)
		if c == process || a.Callback < 0 || t.walk[c] == nil || t.dom(c, n) {
			continue
		}
		t.causes[n] = []cause{{c, 0}}
		changed = true
	}
	return changed
}

// counts finds what runs at most once for each run of its dominator, and the
// component instance each action belongs to.
func (t *tree) counts() {
	t.once = make([]bool, t.n)
	t.home = make([]node, t.n)
	for n := node(1); int(n) < t.n; n++ {
		if !t.isAction(n) {
			t.once[n] = t.m.Components[n].Single
		} else {
			t.once[n] = t.runsOnce(n)
		}
	}
	for _, n := range t.down {
		if n != process && !t.isAction(n) {
			t.home[n] = n
		} else {
			t.home[n] = t.home[t.idom[n]]
		}
	}
}

func (t *tree) runsOnce(n node) bool {
	if len(t.causes[n]) != 1 {
		return false
	}
	a, c := t.act(n), t.causes[n][0]
	if c.point != 0 {
		p := &t.m.Points[c.point]
		return (p.Kind == Post || p.Kind == Start) && !p.Loop && !p.Repeat && countTarget(p, t.id(n)) == 1
	}
	if a.Kind != KindLifecycle && a.Kind != KindProcess {
		return false
	}
	if c.from != process && a.Callback >= 0 {
		if w := t.walk[c.from]; w != nil {
			return !w.repeats(a.Callback)
		}
	}
	return !a.Repeats
}

func countTarget(p *Point, a ActionID) int {
	n := 0
	for _, x := range p.Targets {
		if x == a {
			n++
		}
	}
	return n
}

// cycles finds the strongly connected parts of the cause graph and the causes
// that enter each.
func (t *tree) cycles() {
	from := make([][]node, t.n)
	for n, cs := range t.causes {
		for _, ca := range cs {
			from[n] = append(from[n], ca.from)
		}
	}
	part, parts := components(from)
	t.cycle = part
	t.enter(parts)
}

func (t *tree) enter(parts int) {
	into := make([][]entry, parts+1)
	for n := range t.causes {
		for _, c := range t.causes[n] {
			if part := t.cycle[n]; t.cycle[c.from] != part {
				into[part] = append(into[part], entry{c, node(n)})
			}
		}
	}
	t.entries = make([][]entry, t.n)
	for n := range t.entries {
		t.entries[n] = into[t.cycle[n]]
	}
}
