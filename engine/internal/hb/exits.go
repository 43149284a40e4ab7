package hb

import "slices"

// exits lists the points of p that start the last part of chains to q; p
// dominates q and is another node. All chains pass the node right below p in
// the dominator tree, so its exits are those of q.
func (c *closure) exits(p, q node) []PointID { return c.exitsOf[c.toward(p, q)] }

// leaveBy finds for each node the exits of its dominator. Nodes below one
// dominator that lead to each other share theirs: each has what its dominator
// does to it, and the exits of those below the same dominator from whose
// subtrees it is caused.
func (t *tree) leaveBy() {
	beside := make([][]node, t.n)
	for n := node(1); int(n) < t.n; n++ {
		if d := t.idom[n]; t.isAction(d) {
			for _, ca := range t.causes[n] {
				if ca.from != d {
					beside[n] = append(beside[n], t.toward(d, ca.from))
				}
			}
		}
	}
	part, parts := components(beside)
	members := make([][]node, parts+1)
	for n := range part {
		members[part[n]] = append(members[part[n]], node(n))
	}
	t.exitsOf = make([][]PointID, t.n)
	numbers := make([][]int32, parts+1) // exits of each part by number
	var points []PointID
	for i := 1; i <= parts; i++ { // what leads to a part comes before it
		var own []int32
		from := map[int32]bool{}
		for _, n := range members[i] {
			if !t.isAction(t.idom[n]) {
				continue
			}
			for _, ca := range t.causes[n] {
				if ca.from == t.idom[n] {
					own = append(own, int32(len(points)))
					points = append(points, ca.point)
				}
			}
			for _, s := range beside[n] {
				if p := part[s]; p != int32(i) && !from[p] {
					from[p] = true
					own = append(own, numbers[p]...)
				}
			}
		}
		slices.Sort(own)
		numbers[i] = slices.Compact(own)
		exits := make([]PointID, len(numbers[i]))
		for k, number := range numbers[i] {
			exits[k] = points[number]
		}
		for _, n := range members[i] {
			t.exitsOf[n] = exits
		}
	}
}

// components finds the strongly connected parts of a graph (Tarjan), numbered
// from 1 so that a part comes after those that its nodes point to.
func components(to [][]node) (part []int32, parts int) {
	part = make([]int32, len(to))
	low := make([]int32, len(to))
	num := make([]int32, len(to))
	var stack []node
	type frame struct {
		n    node
		next int
	}
	count := int32(0)
	for start := range to {
		if num[start] != 0 {
			continue
		}
		frames := []frame{{node(start), 0}}
		for len(frames) > 0 {
			f := &frames[len(frames)-1]
			n := f.n
			if num[n] == 0 {
				count++
				num[n], low[n] = count, count
				stack = append(stack, n)
			}
			if f.next < len(to[n]) {
				s := to[n][f.next]
				f.next++
				if num[s] == 0 {
					frames = append(frames, frame{s, 0})
				} else if part[s] == 0 {
					low[n] = min(low[n], num[s])
				}
				continue
			}
			if low[n] == num[n] {
				parts++
				for {
					x := stack[len(stack)-1]
					stack = stack[:len(stack)-1]
					part[x] = int32(parts)
					if x == n {
						break
					}
				}
			}
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				up := frames[len(frames)-1].n
				low[up] = min(low[up], low[n])
			}
		}
	}
	return part, parts
}
