package hb

import "slices"

// stateful is an automaton as replays walk it: all states at once that an instance may
// be in after the callbacks that were seen. Callbacks that no action carries come unseen.
type stateful struct {
	c      *closure
	comp   node
	auto   *Automaton
	calls  map[int32][]node
	first  []int // number of a transition's place before its first callback
	states int
}

func (p *replay) automatonOf(comp node) *stateful {
	s := p.walked[comp]
	if s != nil {
		return s
	}
	s = &stateful{c: p.c, comp: comp, calls: p.c.byCallback(comp)}
	if p.c.walk[comp] != nil && p.c.walk[comp].a.valid(p.c.walk[comp].a.Init) {
		s.auto = p.c.walk[comp].a
		s.states = len(s.auto.States)
		for _, t := range s.auto.Transitions {
			s.first = append(s.first, s.states)
			s.states += len(t.Callbacks) + 1
		}
	}
	p.walked[comp] = s
	return s
}

// start is where an instance stands that nothing has been called on.
func (s *stateful) start() row {
	if s.auto == nil {
		return nil
	}
	r := newRow(s.states)
	r.set(node(s.auto.Init))
	return r
}

// call is where an instance may stand after n was called on it; ok is false if it cannot
// be called.
func (s *stateful) call(x instance, n node) (states row, ok bool) {
	a := s.c.act(n)
	if s.auto == nil || s.c.component(a.Component) != s.comp {
		return x.states, true
	}
	if a.Callback < 0 || len(s.c.walk[s.comp].at[a.Callback]) == 0 {
		out := s.created(x.states) // it comes at any time then
		return out, out.count() > 0
	}
	if a.Callback == x.last && len(s.calls[a.Callback]) > 1 {
		return x.states, true // another action of the same callback
	}
	out := newRow(s.states)
	here := s.onwards(x.states)
	for tr, t := range s.auto.Transitions {
		for k, cb := range t.Callbacks {
			if cb == a.Callback && here.has(node(s.first[tr]+k)) {
				out.set(node(s.first[tr] + k + 1))
			}
		}
	}
	for _, at := range s.c.walk[s.comp].at[a.Callback] {
		if at.tr < 0 && here.has(at.from) {
			out.set(at.from)
		}
	}
	return out, out.count() > 0
}

// created is where the instance may stand if it has been created.
func (s *stateful) created(r row) row {
	out := s.onwards(r)
	out.drop(node(s.auto.Init))
	for tr, t := range s.auto.Transitions {
		if t.From == s.auto.Init {
			out.drop(node(s.first[tr]))
		}
	}
	return out
}

// onwards is r with all that is reached by callbacks that come unseen.
func (s *stateful) onwards(r row) row {
	out := newRow(s.states)
	var visit []int
	add := func(at int) {
		if !out.has(node(at)) {
			out.set(node(at))
			visit = append(visit, at)
		}
	}
	r.each(func(n node) { add(int(n)) })
	for len(visit) > 0 {
		at := visit[len(visit)-1]
		visit = visit[:len(visit)-1]
		for tr, t := range s.auto.Transitions {
			if !s.auto.valid(t.From) || !s.auto.valid(t.To) {
				continue
			}
			k := at - s.first[tr]
			switch {
			case at == int(t.From):
				add(s.first[tr])
			case k == len(t.Callbacks):
				add(int(t.To))
			case k >= 0 && k < len(t.Callbacks) && len(s.calls[t.Callbacks[k]]) == 0:
				add(at + 1)
			}
		}
	}
	return out
}

// before is the shortest list of actions that an instance calls until it can call n, which the
// automaton has at known; nil if n comes next, or never.
func (s *stateful) before(play *play, states row, n node, known []position) (acts []node) {
	if play == nil {
		return nil
	}
	var best []edge
	s.placesIn(play, states, func(at int32) {
		path := play.shortest(at, func(e *edge) bool {
			if slices.Contains(e.acts, n) {
				return true
			}
			if len(known) == 0 {
				return e.to != play.auto.Init
			}
			return slices.ContainsFunc(known, func(x position) bool { return x.tr < 0 && int32(x.from) == e.to })
		})
		if path != nil && (best == nil || len(path) < len(best)) {
			best = path
		}
	})
	for _, e := range best {
		for _, a := range e.acts {
			if a == n {
				return acts
			}
			acts = append(acts, a)
		}
	}
	return acts
}

// placesIn visits the states of a play that stand for states of an instance.
func (s *stateful) placesIn(play *play, states row, visit func(at int32)) {
	states.each(func(x node) {
		if int(x) < len(s.auto.States) {
			visit(int32(x))
			return
		}
		tr := len(s.first) - 1
		for s.first[tr] > int(x) {
			tr--
		}
		switch k, t := int(x)-s.first[tr], &s.auto.Transitions[tr]; k {
		case 0:
			visit(t.From)
		case len(t.Callbacks):
			visit(t.To)
		default:
			visit(play.first[tr] + int32(k))
		}
	})
}
