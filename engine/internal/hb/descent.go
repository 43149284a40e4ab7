package hb

// descent is the graph of posts, starts and registrations over actions.
type descent struct {
	made  [][]PointID // by action: the points that make it run
	stem  []ActionID  // by action: the one that starts each run by a single post or start, 0 if none
	below []row       // by action: the actions that it leads to, itself included
}

func newDescent(m *Model) descent {
	d := descent{made: make([][]PointID, len(m.Actions)), stem: make([]ActionID, len(m.Actions))}
	leads := make([][]node, len(m.Actions))
	for i := 1; i < len(m.Points); i++ {
		p := &m.Points[i]
		if p.Kind != Post && p.Kind != Start && p.Kind != Register || !m.isAction(p.Action) {
			continue
		}
		for _, a := range p.Targets {
			if m.isAction(a) {
				d.made[a] = append(d.made[a], PointID(i))
				leads[p.Action] = append(leads[p.Action], node(a))
			}
		}
	}
	for a := range d.stem {
		d.stem[a] = stemOf(m, d.made[a])
	}
	d.below = closeOver(leads)
	return d
}

func (m *Model) isAction(a ActionID) bool { return a > 0 && int(a) < len(m.Actions) }

func stemOf(m *Model, made []PointID) ActionID {
	if len(made) != 1 {
		return 0
	}
	p := &m.Points[made[0]]
	if p.Kind == Register || p.Repeat || p.Loop {
		return 0
	}
	return p.Action
}

// closeOver gives the nodes that each node leads to, itself included. Nodes that
// lead to each other share one row, which is joined once from those below.
func closeOver(leads [][]node) []row {
	part, parts := components(leads)
	members := make([][]node, parts+1)
	for n := range leads {
		members[part[n]] = append(members[part[n]], node(n))
	}
	below := make([]row, len(leads))
	for i := 1; i <= parts; i++ { // what a part leads to comes before it
		r := newRow(len(leads))
		joined := map[int32]bool{int32(i): true}
		for _, n := range members[i] {
			below[n] = r
			r.set(n)
			for _, to := range leads[n] {
				if !joined[part[to]] {
					joined[part[to]] = true
					r.or(below[to])
				}
			}
		}
	}
	return below
}

// Descends reports whether some chain of posts, starts and registrations leads
// from a to b, or the two are the same.
func (g *Graph) Descends(a, b ActionID) bool { return g.o.below[a].has(node(b)) }

// StemsFrom reports whether each run of a is, or stems by a chain of single posts
// and starts from, a run of an action that passes: another one for each run.
func (g *Graph) StemsFrom(a ActionID, pass func(ActionID) bool) bool {
	for steps := 0; a != 0 && steps < len(g.o.stem); steps++ { // a chain of more steps is a cycle
		if pass(a) {
			return true
		}
		a = g.o.stem[a]
	}
	return false
}

// EveryCause reports whether something makes b run, and all that does so passes:
// the action that posts, starts or registers it, and the site where it does.
func (g *Graph) EveryCause(b ActionID, pass func(At) bool) bool {
	for _, id := range g.o.made[b] {
		if p := &g.m.Points[id]; !pass(At{p.Action, p.Site}) {
			return false
		}
	}
	return len(g.o.made[b]) > 0
}
