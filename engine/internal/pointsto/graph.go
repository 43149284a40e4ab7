package pointsto

import (
	"cmp"
	"slices"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

// node is the number of a constraint variable: a reference-typed value of a
// function, a field of an object, a static field, or a function's result.
// 0 is no variable.
type node uint32

// edge is an inclusion: what the target may point to includes what the source
// may, restricted to subtypes of filter if that is set.
type edge struct {
	to     node
	filter ir.TypeID
}

// graph holds the inclusion constraints and solves them by difference
// propagation: a round visits the variables with news in topological order of
// the copy edges, after merging the variables of each cycle.
//
// Complex constraints (load, store, call, ...) are watchers of a variable:
// they are told each new object of it once.
type graph struct {
	objects *objects
	rep     []node // union-find over merged variables
	pts     []Set
	delta   []Set // members not yet passed on; a subset of pts
	out     [][]edge
	has     map[node]map[edge]struct{} // the edges of variables with many of them
	watch   [][]watcher
	rank    []uint32 // topological order as of the last sort
	dirty   []node   // variables with a delta, in the order they got it
	queued  []bool
	added   int // edges since the last sort
	edges   int
}

// watcher is told of new members of the variable that it watches.
type watcher interface {
	grew(g *solver, fresh Set)
}

func newGraph(o *objects) *graph {
	g := &graph{objects: o, has: map[node]map[edge]struct{}{}}
	g.alloc(1) // 0 stays unused
	return g
}

// alloc makes n new variables and returns the first.
func (g *graph) alloc(n int) node {
	first := node(len(g.rep))
	for i := range n {
		g.rep = append(g.rep, first+node(i))
	}
	g.pts = append(g.pts, make([]Set, n)...)
	g.delta = append(g.delta, make([]Set, n)...)
	g.out = append(g.out, make([][]edge, n)...)
	g.watch = append(g.watch, make([][]watcher, n)...)
	g.rank = append(g.rank, make([]uint32, n)...)
	g.queued = append(g.queued, make([]bool, n)...)
	return first
}

func (g *graph) find(n node) node {
	for g.rep[n] != n {
		g.rep[n] = g.rep[g.rep[n]]
		n = g.rep[n]
	}
	return n
}

// add includes the objects of s in n.
func (g *graph) add(n node, s Set) {
	if n == 0 || s.Empty() {
		return
	}
	n = g.find(n)
	sum, fresh := g.pts[n].union(s)
	if fresh.Empty() {
		return
	}
	g.pts[n] = sum
	g.delta[n], _ = g.delta[n].union(fresh)
	if !g.queued[n] {
		g.queued[n] = true
		g.dirty = append(g.dirty, n)
	}
}

// copy makes dst include src, restricted to subtypes of filter if not 0.
func (g *graph) copy(dst, src node, filter ir.TypeID) {
	if dst == 0 || src == 0 {
		return
	}
	dst, src = g.find(dst), g.find(src)
	if dst == src {
		return
	}
	e := edge{dst, filter}
	if !g.newEdge(src, e) {
		return
	}
	g.out[src] = append(g.out[src], e)
	g.edges++
	g.added++
	g.add(dst, g.restrict(g.pts[src], filter))
}

// newEdge reports whether a variable does not have a copy edge yet. Of one with many
// the edges are kept in a table too.
func (g *graph) newEdge(src node, e edge) bool {
	const many = 32
	if len(g.out[src]) < many {
		return !slices.Contains(g.out[src], e)
	}
	has := g.has[src]
	if has == nil {
		has = make(map[edge]struct{}, 2*many)
		for _, old := range g.out[src] {
			has[old] = struct{}{}
		}
		g.has[src] = has
	}
	if _, ok := has[e]; ok {
		return false
	}
	has[e] = struct{}{}
	return true
}

func (g *graph) restrict(s Set, filter ir.TypeID) Set {
	if filter == 0 {
		return s
	}
	return s.filter(func(block uint32) bool { return g.objects.passes(block, filter) })
}

// attach makes w a watcher of n and tells it the members there are.
func (g *solver) attach(n node, w watcher) {
	if n == 0 {
		return
	}
	n = g.find(n)
	g.watch[n] = append(g.watch[n], w)
	if seen := g.pts[n]; !seen.Empty() {
		w.grew(g, seen)
	}
}

// round visits every variable that has news, in topological order.
func (g *solver) round() {
	if g.due() {
		g.sort()
	}
	batch := g.dirty
	g.dirty = nil
	slices.SortFunc(batch, func(a, b node) int {
		return cmp.Or(cmp.Compare(g.rank[a], g.rank[b]), cmp.Compare(a, b))
	})
	for _, n := range batch {
		g.visit(n)
	}
}

// due reports whether enough edges are new to look for cycles again.
func (g *solver) due() bool {
	const usual = 2000
	return g.added > cmp.Or(g.sortAfter, usual) && (g.added*4 > g.edges || g.sortAfter != 0)
}

// visit passes the news of n on. News that reach a variable later in the same
// round are passed on with it.
func (g *solver) visit(n node) {
	g.queued[n] = false
	if g.rep[n] != n {
		return // merged: its news went to the representative
	}
	d := g.delta[n]
	if d.Empty() {
		return
	}
	g.delta[n] = Set{}
	for _, e := range g.out[n] {
		g.add(e.to, g.restrict(d, e.filter))
	}
	for i := 0; i < len(g.watch[n]); i++ { // watchers may attach more
		g.watch[n][i].grew(g, d)
	}
}

// sort merges the variables of each cycle of unfiltered copies (Tarjan) and
// ranks the rest in topological order.
func (g *solver) sort() {
	g.added = 0
	t := tarjan{g: g, index: make([]uint32, len(g.rep)), low: make([]uint32, len(g.rep))}
	for n := range g.rep {
		if g.rep[n] == node(n) && t.index[n] == 0 {
			t.run(node(n))
		}
	}
	for _, c := range t.cycles {
		g.merge(c)
	}
	// Components come out successors first: the last one found ranks first.
	for i, c := range t.order {
		g.rank[g.find(c)] = uint32(len(t.order) - i)
	}
}

// merge unites the variables of one cycle into the lowest-numbered one.
func (g *solver) merge(cycle []node) {
	slices.Sort(cycle)
	r := cycle[0]
	var pts Set
	for _, n := range cycle {
		pts, _ = pts.union(g.pts[n])
	}
	// What one of them has and another lacks is news of one on the way between
	// them: to pass on all their news once more is enough.
	delta := Set{}
	for _, n := range cycle {
		delta, _ = delta.union(g.delta[n])
		if n != r {
			g.rep[n] = r
			g.out[r] = append(g.out[r], g.out[n]...)
			g.watch[r] = append(g.watch[r], g.watch[n]...)
			g.out[n], g.watch[n], g.pts[n], g.delta[n] = nil, nil, Set{}, Set{}
			delete(g.has, n)
		}
	}
	g.pts[r], g.delta[r] = pts, delta
	g.out[r] = g.tidy(r, g.out[r])
	delete(g.has, r)
	if !delta.Empty() && !g.queued[r] {
		g.queued[r] = true
		g.dirty = append(g.dirty, r)
	}
}

// tidy drops self loops and doubles.
func (g *graph) tidy(n node, es []edge) []edge {
	for i := range es {
		es[i].to = g.find(es[i].to)
	}
	slices.SortFunc(es, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.filter, b.filter))
	})
	es = slices.Compact(es)
	return slices.DeleteFunc(es, func(e edge) bool { return e.to == n })
}

// tarjan finds the strongly connected components of the unfiltered copy edges
// without recursion.
type tarjan struct {
	g          *solver
	index, low []uint32
	next       uint32
	stack      []node
	frames     []tarjanFrame
	order      []node // one variable a component, successors first
	cycles     [][]node
}

type tarjanFrame struct {
	n    node
	edge int
}

// done marks a variable whose component is complete.
const done = ^uint32(0)

func (t *tarjan) push(n node) {
	t.next++
	t.index[n], t.low[n] = t.next, t.next
	t.stack = append(t.stack, n)
	t.frames = append(t.frames, tarjanFrame{n: n})
}

func (t *tarjan) run(root node) {
	t.push(root)
	for len(t.frames) > 0 {
		f := &t.frames[len(t.frames)-1]
		if out := t.g.out[f.n]; f.edge < len(out) {
			e := out[f.edge]
			f.edge++
			to := t.g.find(e.to)
			switch {
			case e.filter != 0:
			case t.index[to] == 0:
				t.push(to)
			case t.index[to] != done:
				t.low[f.n] = min(t.low[f.n], t.index[to])
			}
			continue
		}
		n := f.n
		t.frames = t.frames[:len(t.frames)-1]
		if len(t.frames) > 0 {
			p := t.frames[len(t.frames)-1].n
			t.low[p] = min(t.low[p], t.low[n])
		}
		if t.low[n] == t.index[n] {
			t.component(n)
		}
	}
}

func (t *tarjan) component(n node) {
	i := len(t.stack) - 1
	for t.stack[i] != n {
		i--
	}
	members := t.stack[i:]
	t.stack = t.stack[:i]
	for _, m := range members {
		t.index[m] = done
	}
	t.order = append(t.order, n)
	if len(members) > 1 {
		t.cycles = append(t.cycles, slices.Clone(members))
	}
}
