package hb

import "slices"

// expecting holds what the question for an earlier run needs.
type expecting struct {
	dropped  row      // actions of which some cancel removes pending posts
	onlySelf row      // actions that nothing but their own runs makes run
	alone    []bool   // by action: its queue is one looper for the process or the action's instance
	walkOf   []*walks // by source: the walks of its automaton, nil without one
}

func newExpecting(t *tree, made [][]PointID) expecting {
	m := t.m
	e := expecting{dropped: newRow(len(m.Actions)), onlySelf: newRow(len(m.Actions)), alone: make([]bool, len(m.Actions))}
	for i := 1; i < len(m.Points); i++ {
		if p := &m.Points[i]; p.Kind == Cancel {
			for _, a := range p.Targets {
				if m.isAction(a) {
					e.dropped.set(node(a))
				}
			}
		}
	}
	for i := range m.Actions {
		e.alone[i] = i > 0 && oneLooper(m, &m.Actions[i])
		if !slices.ContainsFunc(made[i], func(p PointID) bool { return m.Points[p].Action != ActionID(i) }) {
			e.onlySelf.set(node(i))
		}
	}
	e.walkOf = walksOf(t)
	return e
}

// oneLooper reports whether the action runs on one looper, the process's or that
// of its component's instance.
func oneLooper(m *Model, a *Action) bool {
	if a.Queue <= 0 || int(a.Queue) >= len(m.Queues) || m.Queues[a.Queue].Kind != QueueLooper {
		return false
	}
	q := &m.Queues[a.Queue]
	return q.Scope == ScopeProcess || q.Scope == ScopeInstance && q.Component != 0 && q.Component == a.Component
}

// walksOf gives each source the walks of its automaton, which many may share.
func walksOf(t *tree) []*walks {
	known := map[*Automaton]*walks{}
	for _, w := range t.walk {
		if w != nil {
			known[w.a] = w
		}
	}
	out := make([]*walks, max(len(t.m.Sources), 1))
	for i := range t.m.Sources {
		a := t.m.Sources[i].Automaton
		if a == nil {
			continue
		}
		if known[a] == nil {
			known[a] = newWalks(a)
		}
		out[i] = known[a]
	}
	return out
}

// Earlier reports whether a run of a may be expected to have ended whenever b
// runs, though a may run again later: what a writes is there when b reads it. It
// is no must order of all runs, but tells a write that comes first in the normal
// course of things from one that nothing puts before b.
func (g *Graph) Earlier(a, b ActionID) bool {
	return a != b && (g.FirstBefore(a, b) || g.earlierRun(a, b) || g.earlierInLife(a, b))
}

// earlierRun reports whether by protocol, by queue order, or by what makes b run,
// a run of a has ended before the first of b. It follows the causes of b upwards
// until each way meets such an action; a way around a cycle adds nothing.
func (g *Graph) earlierRun(a, b ActionID) bool {
	var seen row
	for work := []ActionID{b}; len(work) > 0; {
		y := work[len(work)-1]
		work = work[:len(work)-1]
		if seen != nil && seen.has(node(y)) || g.byProtocol(a, y) || g.postedFirst(a, y) {
			continue
		}
		if g.o.onlySelf.has(node(y)) {
			return false
		}
		if seen == nil {
			seen = newRow(len(g.m.Actions))
		}
		seen.set(node(y))
		for _, id := range g.o.made[y] {
			by := g.m.Points[id].Action
			if by == a {
				return false
			}
			if by != y && !g.FirstBefore(a, by) {
				work = append(work, by)
			}
		}
	}
	return true
}

// byProtocol reports whether a and b are callbacks of one source, and its
// protocol says that a has run before the first run of b (SurfaceHolder.Callback:
// surfaceCreated before surfaceChanged).
func (g *Graph) byProtocol(a, b ActionID) bool { return slices.Contains(g.m.Actions[b].Preceded, a) }

// postedFirst reports whether a and b are messages of one looper, no cancel names
// a, and a was posted, at no longer delay, by what has ended when b is first
// posted (SIERRA rules 4 to 6, for the first run of each).
func (g *Graph) postedFirst(a, b ActionID) bool {
	if g.m.Actions[a].Queue != g.m.Actions[b].Queue || !g.o.alone[a] || !g.o.alone[b] ||
		g.o.dropped.has(node(a)) || g.o.onlySelf.has(node(b)) {
		return false
	}
	for _, id := range g.o.made[a] {
		p := &g.m.Points[id]
		if p.Kind == Post && p.Delay.Known && p.Action != a && g.heads(p, a, b) {
			return true
		}
	}
	return false
}

// heads reports whether the post p of a comes before every post of b by others
// than b.
func (g *Graph) heads(p *Point, a, b ActionID) bool {
	for _, id := range g.o.made[b] {
		q := &g.m.Points[id]
		switch {
		case q.Action == b || q.Action == a:
		case q.Kind != Post || q.Front || !q.Delay.Known || q.Delay.MS < p.Delay.MS:
			return false
		case q.Action == p.Action && g.m.Intra != nil && g.m.Intra.Dominates(p.Action, p.Site, q.Site):
		case q.Action == p.Action || p.Action == b || !g.FirstBefore(p.Action, q.Action):
			return false
		}
	}
	return true
}

// earlierInLife reports whether a is a callback of a lifecycle that some walk has
// before b, both being events of the main looper: b comes in the same instance
// after a, or in states of the same object that only follow a.
func (g *Graph) earlierInLife(a, b ActionID) bool {
	w := g.o.walkOf[g.m.Actions[a].Source]
	return w != nil && g.o.events(a, b) && (g.MayFollow(a, b) || g.followsInSource(w, a, b))
}

// followsInSource reports whether b, of the same source as a, runs only where some
// walk has had a, a callback of a transition, before.
func (g *Graph) followsInSource(w *walks, a, b ActionID) bool {
	x, y := &g.m.Actions[a], &g.m.Actions[b]
	if x.Source != y.Source || x.Birth || len(w.at[y.SourceCall]) == 0 {
		return false
	}
	for _, q := range w.at[y.SourceCall] {
		if !slices.ContainsFunc(w.at[x.SourceCall], func(p position) bool { return p.tr >= 0 && w.then(p, q) }) {
			return false
		}
	}
	return true
}
