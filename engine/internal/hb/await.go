package hb

// awaiting holds the waits at gates and the signals that open them: an order
// only for what every possible waker implies.
type awaiting struct {
	waits [][]PointID // by action: waits at one closed gate
	opens []opening   // by gate
	gated []bool      // by action: it waits at a gate or opens one
}

// opening is what opens a gate: the sites of one action.
type opening struct {
	by    ActionID // 0: nothing does, or several actions do
	sites []Site
}

func newAwaiting(m *Model) awaiting {
	w := awaiting{waits: make([][]PointID, len(m.Actions)), opens: make([]opening, len(m.Gates)), gated: make([]bool, len(m.Actions))}
	several := make([]bool, len(m.Gates))
	for i := 1; i < len(m.Points); i++ {
		p := &m.Points[i]
		switch {
		case !m.isAction(p.Action):
		case p.Kind == Await:
			w.gated[p.Action] = true
			if len(p.Gates) == 1 && m.Gates[p.Gates[0]].Closed {
				w.waits[p.Action] = append(w.waits[p.Action], PointID(i))
			}
		case p.Kind == Signal:
			w.gated[p.Action] = true
			for _, id := range p.Gates {
				o := &w.opens[id]
				several[id] = several[id] || o.by != 0 && o.by != p.Action
				o.by = p.Action
				o.sites = append(o.sites, p.Site)
			}
		}
	}
	for id, more := range several {
		if more {
			w.opens[id] = opening{}
		}
	}
	return w
}

// awaited finds a wait in b's run, executed whenever b is, that returns only
// after a: the gate was closed, and every signal of it comes from the one run of
// a's action, not before a (java.util.concurrent, "Memory Consistency
// Properties": countDown before await, release before acquire). Runs share the
// run of w.
func (g *Graph) awaited(a, b At, w node) PointID {
	if g.m.Intra == nil || a.Action == b.Action {
		return 0
	}
	for _, id := range g.o.waits[b.Action] {
		p := &g.m.Points[id]
		open := &g.o.opens[p.Gates[0]]
		if open.by == a.Action && g.oneGate(&g.m.Gates[p.Gates[0]], a.Action, w) && g.opensAfter(a, open.sites) &&
			g.m.Intra.Dominates(b.Action, p.Site, b.Site) {
			return id
		}
	}
	return 0
}

// oneGate reports whether the runs that share the run of w have one object of
// the gate among them, which one run of a opens and no other.
func (g *Graph) oneGate(gate *Gate, a ActionID, w node) bool {
	owner := process
	switch gate.Scope {
	case ScopeProcess:
	case ScopeInstance:
		owner = g.c.component(gate.Component)
	case ScopeRun:
		owner = g.c.action(gate.Owner)
	default:
		return false
	}
	if gate.Scope != ScopeProcess && owner == process {
		return false
	}
	return g.c.dom(owner, w) && g.c.single(g.c.action(a), owner)
}

// opensAfter reports whether no signal at the sites may come before a.
func (g *Graph) opensAfter(a At, sites []Site) bool {
	for _, x := range sites {
		if g.m.Intra.MayPrecede(a.Action, x, a.Site) {
			return false
		}
	}
	return true
}
