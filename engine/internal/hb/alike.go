package hb

import (
	"fmt"
	"slices"
)

// Alike numbers the actions that no query tells apart from one another: for two
// actions of one number, what holds of the first and a third action holds of the
// second and that one, at every relation. 0 is an action like no other. Sites
// are left out: where their registrations lie among the other sites of the actions
// that make them is for the caller to compare.
//
// Only leaves are compared: roots and registered callbacks that post, cancel, join
// and wait for nothing. To exchange two of them that have equal attributes, equal
// causes and equal orders changes nothing in the model.
//
// Cost: the rows of each leaf are compared with those of the first of its kind.
func (g *Graph) Alike() []int32 { return g.alike }

// findAlike makes the table of Alike.
func (g *Graph) findAlike() []int32 {
	out := make([]int32, len(g.m.Actions))
	busy, named := g.busy()
	sourced := make([]int, len(g.m.Sources)) // actions of each source
	for i := range g.m.Actions {
		if of := g.m.Actions[i].Source; of > 0 {
			sourced[of]++
		}
	}
	first := map[string][]ActionID{} // by what the model says, one for each kind by its orders
	count := map[ActionID]int{}
	of := make([]ActionID, len(g.m.Actions))
	for id := ActionID(1); int(id) < len(g.m.Actions); id++ {
		key, ok := g.leafKey(id, busy, named, sourced)
		if !ok {
			continue
		}
		i := slices.IndexFunc(first[key], func(x ActionID) bool { return g.equalOrders(x, id) })
		if i < 0 {
			i = len(first[key])
			first[key] = append(first[key], id)
		}
		of[id] = first[key][i]
		count[of[id]]++
	}
	next := int32(0)
	number := map[ActionID]int32{}
	for id := range out {
		x := of[id]
		if count[x] < 2 {
			continue
		}
		if number[x] == 0 {
			next++
			number[x] = next
		}
		out[id] = number[x]
	}
	return out
}

// busy says which actions have points or take part in a protocol, and lists for
// each action the points that end or await it.
func (g *Graph) busy() (busy []bool, named [][]PointID) {
	busy, named = make([]bool, len(g.m.Actions)), make([][]PointID, len(g.m.Actions))
	for i := 1; i < len(g.m.Points); i++ {
		p := &g.m.Points[i]
		if g.m.isAction(p.Action) {
			busy[p.Action] = true
		}
		if p.Kind == Post || p.Kind == Start || p.Kind == Register {
			continue
		}
		for _, a := range p.Targets {
			if g.m.isAction(a) {
				named[a] = append(named[a], PointID(i))
			}
		}
	}
	for i := range g.m.Actions {
		for _, a := range g.m.Actions[i].Preceded {
			busy[i], busy[a] = true, true
		}
	}
	return busy, named
}

// leafKey is what the model says of a leaf: its attributes, its causes, and what
// ends it. ok is false if it is none.
func (g *Graph) leafKey(id ActionID, busy []bool, named [][]PointID, sourced []int) (key string, ok bool) {
	a := g.m.Actions[id]
	n := g.c.action(id)
	if busy[id] || n == process {
		return "", false
	}
	if a.Source > 0 && sourced[a.Source] == 1 {
		a.Source, a.SourceCall = 0, 0
	}
	a.Name = ""
	b := fmt.Appendf(nil, "%+v", a)
	for _, ca := range g.c.causes[n] {
		b = fmt.Appendf(b, " from %d", ca.from)
		if ca.point == 0 {
			continue
		}
		p := g.m.Points[ca.point]
		if p.Kind != Register || len(p.Targets) != 1 {
			return "", false
		}
		for _, u := range named[id] { // which may lie before or after it
			if q := &g.m.Points[u]; q.Action == p.Action && g.c.intra != nil {
				b = fmt.Appendf(b, " %t %t", g.c.intra.MayPrecede(p.Action, p.Site, q.Site), g.c.intra.MayPrecede(p.Action, q.Site, p.Site))
			}
		}
		p.Targets, p.Site = nil, 0
		b = fmt.Appendf(b, " by %+v", p)
	}
	for _, u := range named[id] {
		p := g.m.Points[u]
		if len(p.Targets) > 1 {
			b = fmt.Appendf(b, " ended by point %d", u)
			continue
		}
		p.Targets, p.Site = nil, 0
		b = fmt.Appendf(b, " ended by %+v", p)
	}
	return string(b), true
}

// equalOrders reports whether the closure says the same of two actions.
func (g *Graph) equalOrders(a, b ActionID) bool {
	x, y := g.c.action(a), g.c.action(b)
	for k := range g.c.succ {
		if !slices.Equal(g.c.succ[k][x], g.c.succ[k][y]) || !slices.Equal(g.c.pred[k][x], g.c.pred[k][y]) {
			return false
		}
	}
	return g.c.once[x] == g.c.once[y] && g.c.home[x] == g.c.home[y] && g.c.idom[x] == g.c.idom[y]
}
