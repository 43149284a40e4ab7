package hb

// lineage climbs a tree in logarithmic time: each node has its parent and one
// ancestor far above it (Myers, An applicative random-access stack, 1983).
type lineage struct {
	parent, jump []node
	depth        []int32 // grows downwards along parents
}

// newLineage takes the nodes with parents before children. The root is its own
// parent.
func newLineage(parent []node, depth []int32, order []node) *lineage {
	l := &lineage{parent: parent, depth: depth, jump: make([]node, len(parent))}
	rank := make([]int32, len(parent)) // distance from the root
	for _, n := range order {
		p := parent[n]
		if n == p {
			l.jump[n] = n
			continue
		}
		rank[n] = rank[p] + 1
		l.jump[n] = p
		if far := l.jump[p]; rank[p]-rank[far] == rank[far]-rank[l.jump[far]] {
			l.jump[n] = l.jump[far]
		}
	}
	return l
}

// highest is the highest node at or above n that lies deeper than depth d. n
// lies deeper.
func (l *lineage) highest(n node, d int32) node {
	for l.depth[l.parent[n]] > d {
		if l.depth[l.jump[n]] > d {
			n = l.jump[n]
		} else {
			n = l.parent[n]
		}
	}
	return n
}

// common is the nearest common dominator.
func (t *tree) common(a, b node) node {
	if t.dom(a, b) {
		return a
	}
	if t.dom(b, a) {
		return b
	}
	for !t.dom(t.doms.parent[a], b) {
		if far := t.doms.jump[a]; !t.dom(far, b) {
			a = far
		} else {
			a = t.doms.parent[a]
		}
	}
	return t.doms.parent[a]
}

// toward is the node right below w on the way down to n; w dominates n and is
// another node.
func (t *tree) toward(w, n node) node { return t.doms.highest(n, t.depth[w]) }

// single: two runs of n that share the run of w are one run; w dominates n.
func (t *tree) single(n, w node) bool {
	return t.dom(w, n) && t.depth[t.onceUpTo[n]] <= t.depth[w]
}

// again is the highest node below w, on the way down to n, that can run again
// while the run of w stays; process if there is none.
func (t *tree) again(w, n node) node {
	x := t.repeating[n]
	if t.depth[x] <= t.depth[w] {
		return process
	}
	return t.repeats.highest(x, t.depth[w])
}

// shares: an order of a and b holds for all their runs that share only the run
// of w, not just for those that share their nearest common dominator.
func (t *tree) shares(a, b, w node) bool { return t.single(t.common(a, b), w) }

// climb prepares the questions about ancestors. down lists dominators before
// what they dominate.
func (t *tree) climb(down []node) {
	t.doms = newLineage(t.idom, t.depth, down)
	t.onceUpTo = make([]node, t.n)
	t.repeating = make([]node, t.n)
	above := make([]node, t.n)
	for _, n := range down {
		up := t.idom[n]
		switch {
		case n == process:
			continue
		case t.once[n]:
			t.onceUpTo[n], t.repeating[n] = t.onceUpTo[up], t.repeating[up]
		default:
			t.onceUpTo[n], t.repeating[n] = n, n
		}
		above[n] = t.repeating[up]
	}
	t.repeats = newLineage(above, t.depth, down)
}
