package hb

// agenda has the states that are still to be looked at. Those that may be nearer
// to the start and the goal together come first; of equals the one whose way from
// the start a breadth-first search would have found first.
type agenda struct {
	t      *table
	byCost [][]int32 // heaps
	least  int
}

func (a *agenda) add(i, cost int32) {
	for int(cost) >= len(a.byCost) {
		a.byCost = append(a.byCost, nil)
	}
	a.least = min(a.least, int(cost))
	h := append(a.byCost[cost], i)
	k := len(h) - 1
	for k > 0 && a.t.earlier(i, h[(k-1)/2]) {
		h[k] = h[(k-1)/2]
		k = (k - 1) / 2
	}
	h[k] = i
	a.byCost[cost] = h
}

// next takes the first state.
func (a *agenda) next() (int32, bool) {
	for a.least < len(a.byCost) && len(a.byCost[a.least]) == 0 {
		a.least++
	}
	if a.least == len(a.byCost) {
		return 0, false
	}
	h := a.byCost[a.least]
	first, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	a.byCost[a.least] = h
	k := 0
	for 2*k+1 < len(h) {
		j := 2*k + 1
		if j+1 < len(h) && a.t.earlier(h[j+1], h[j]) {
			j++
		}
		if !a.t.earlier(h[j], last) {
			break
		}
		h[k] = h[j]
		k = j
	}
	if len(h) > 0 {
		h[k] = last
	}
	return first, true
}

// earlier compares the ways to two states move by move. States that one move
// after the other leads to are numbered in this order.
func (t *table) earlier(i, j int32) bool {
	shorter := t.recs[i].depth < t.recs[j].depth
	for t.recs[i].depth > t.recs[j].depth {
		i = t.recs[i].from
	}
	for t.recs[j].depth > t.recs[i].depth {
		j = t.recs[j].from
	}
	if i == j {
		return shorter
	}
	for t.recs[i].from != t.recs[j].from {
		i, j = t.recs[i].from, t.recs[j].from
	}
	return i < j
}
