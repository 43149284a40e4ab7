package ir

import "sync/atomic"

// Flow is what the control flow of a body says: dominators (Cooper, Harvey and
// Kennedy, A Simple, Fast Dominance Algorithm), loops, and which block reaches
// which. Reachability is computed per block on demand. Safe for concurrent use.
type Flow struct {
	b    *Body
	idom []int32
	in   []int32 // preorder interval in the dominator tree
	out  []int32
	scc  []int32 // number of the strongly connected component
	loop []bool  // the block is on a cycle
	rows []atomic.Pointer[[]uint64]
}

// NewFlow computes the flow of a body; Body.Flow keeps it.
func NewFlow(b *Body) *Flow {
	f := &Flow{b: b, rows: make([]atomic.Pointer[[]uint64], len(b.Blocks))}
	f.dominators()
	f.components()
	return f
}

// Idom is the immediate dominator of a block; that of block 0 is -1.
func (f *Flow) Idom(block int32) int32 { return f.idom[block] }

// BlockDominates reports whether every path to block b passes block a; each
// block dominates itself.
func (f *Flow) BlockDominates(a, b int32) bool { return f.in[a] <= f.in[b] && f.out[b] <= f.out[a] }

// Dominates reports whether a has been executed without an exception whenever
// b is about to be. A value does not dominate itself.
func (f *Flow) Dominates(a, b Value) bool {
	ba, bb := f.b.BlockOf(a), f.b.BlockOf(b)
	switch {
	case ba == bb:
		return a < b
	case !f.BlockDominates(ba, bb):
		return false
	}
	k := &f.b.Blocks[ba]
	if a != k.End-1 || k.NSucc == k.Normal {
		return true
	}
	return k.Normal > 0 && f.edgeDominates(ba, f.b.Edges[k.Succ], bb)
}

// edgeDominates reports whether every path to block passes the only normal edge
// from a block to succ.
func (f *Flow) edgeDominates(from, succ, block int32) bool {
	if !f.BlockDominates(succ, block) {
		return false
	}
	for _, p := range f.b.Preds(succ) {
		if p != from && !f.BlockDominates(succ, p) {
			return false
		}
	}
	return true
}

// Reaches reports whether to can be executed after from in the same run of the
// body; from reaches itself only around a loop.
func (f *Flow) Reaches(from, to Value) bool {
	a, b := f.b.BlockOf(from), f.b.BlockOf(to)
	return a == b && from < to || f.BlockReaches(a, b)
}

// BlockReaches reports whether a path of at least one edge leads from a to b.
func (f *Flow) BlockReaches(a, b int32) bool {
	if f.scc[a] == f.scc[b] {
		return f.loop[a]
	}
	row := f.rows[a].Load()
	if row == nil {
		made := f.reach(a)
		row = &made
		f.rows[a].Store(row)
	}
	return (*row)[b/64]>>(b%64)&1 != 0
}

func (f *Flow) reach(from int32) []uint64 {
	row := make([]uint64, (len(f.b.Blocks)+63)/64)
	work := []int32{from}
	for len(work) > 0 {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range f.b.Succs(k) {
			if row[s/64]>>(s%64)&1 == 0 {
				row[s/64] |= 1 << (s % 64)
				work = append(work, s)
			}
		}
	}
	return row
}

// InLoop reports whether v can be executed more than once in one run.
func (f *Flow) InLoop(v Value) bool { return f.loop[f.b.BlockOf(v)] }

// Component numbers the strongly connected components: blocks of one loop, and
// of the loops nested in it, have one number.
func (f *Flow) Component(block int32) int32 { return f.scc[block] }

// dominators relies on blocks being in reverse postorder.
func (f *Flow) dominators() {
	n := int32(len(f.b.Blocks))
	idom := make([]int32, 3*n)
	f.idom, f.in, f.out = idom[:n:n], idom[n:2*n:2*n], idom[2*n:]
	for i := range f.idom {
		f.idom[i] = -1
	}
	for changed := true; changed; {
		changed = false
		for b := int32(1); b < n; b++ {
			if d := f.meet(b); d != f.idom[b] {
				f.idom[b], changed = d, true
			}
		}
	}
	f.nest()
}

// meet is the nearest common dominator of the predecessors seen so far.
func (f *Flow) meet(b int32) int32 {
	d := int32(-1)
	for _, p := range f.b.Preds(b) {
		if p != 0 && f.idom[p] < 0 {
			continue
		}
		if d < 0 {
			d = p
			continue
		}
		for d != p {
			if d > p {
				d = f.idom[d]
			} else {
				p = f.idom[p]
			}
		}
	}
	return d
}

// nest numbers the dominator tree: a dominator has a lower index than what it
// dominates, so sizes add up from the end, and places from the start.
func (f *Flow) nest() {
	n := len(f.idom)
	size := f.out
	for b := n - 1; b > 0; b-- {
		size[b]++
		size[f.idom[b]] += size[b]
	}
	if n > 0 {
		size[0]++
	}
	next := make([]int32, n) // first free place below a block
	for b := range n {
		if b > 0 {
			f.in[b] = next[f.idom[b]]
			next[f.idom[b]] += size[b]
		}
		next[b] = f.in[b] + 1
	}
	for b := range n {
		f.out[b] = f.in[b] + size[b]
	}
}

// components is Tarjan's algorithm without recursion.
func (f *Flow) components() {
	n := int32(len(f.b.Blocks))
	f.scc, f.loop = make([]int32, n), make([]bool, n)
	t := &tarjan{f: f, index: make([]int32, n), low: make([]int32, n), next: make([]int32, n)}
	for b := range n {
		if t.index[b] == 0 {
			t.from(b)
		}
	}
}

type tarjan struct {
	f     *Flow
	index []int32 // visiting order from 1; 0 not visited
	low   []int32
	next  []int32 // next successor to look at
	open  []int32 // blocks whose component is not complete
	path  []int32
	count int32
	found int32
}

func (t *tarjan) from(root int32) {
	t.enter(root)
	for len(t.path) > 0 {
		b := t.path[len(t.path)-1]
		succs := t.f.b.Succs(b)
		if int(t.next[b]) == len(succs) {
			t.leave(b)
			continue
		}
		s := succs[t.next[b]]
		t.next[b]++
		switch {
		case t.index[s] == 0:
			t.enter(s)
		case t.low[s] >= 0 && t.index[s] < t.low[b]: // still open
			t.low[b] = t.index[s]
		}
		if s == b {
			t.f.loop[b] = true
		}
	}
}

func (t *tarjan) enter(b int32) {
	t.count++
	t.index[b], t.low[b] = t.count, t.count
	t.open, t.path = append(t.open, b), append(t.path, b)
}

func (t *tarjan) leave(b int32) {
	t.path = t.path[:len(t.path)-1]
	if len(t.path) > 0 {
		up := t.path[len(t.path)-1]
		t.low[up] = min(t.low[up], t.low[b])
	}
	if t.low[b] != t.index[b] {
		return
	}
	for {
		k := t.open[len(t.open)-1]
		t.open = t.open[:len(t.open)-1]
		t.f.scc[k] = t.found
		t.low[k] = -1 // closed
		if k == b {
			break
		}
		t.f.loop[k] = true
		t.f.loop[b] = true
	}
	t.found++
}
