package hb

import "fmt"

// Check finds references in the model that lead nowhere.
func (m *Model) Check() error {
	for i := 1; i < len(m.Actions); i++ {
		a := &m.Actions[i]
		if a.Queue < 0 || int(a.Queue) >= max(len(m.Queues), 1) {
			return fmt.Errorf("hb: action %d (%s) names queue %d of %d", i, a.Name, a.Queue, len(m.Queues)-1)
		}
		if a.Component < 0 || int(a.Component) >= max(len(m.Components), 1) {
			return fmt.Errorf("hb: action %d (%s) names component %d of %d", i, a.Name, a.Component, len(m.Components)-1)
		}
	}
	for i := 1; i < len(m.Points); i++ {
		if err := m.checkPoint(i, &m.Points[i]); err != nil {
			return err
		}
	}
	for i := 1; i < len(m.Components); i++ {
		if a := m.Components[i].Automaton; a != nil {
			if err := a.check(); err != nil {
				return fmt.Errorf("hb: component %d (%s): %w", i, m.Components[i].Name, err)
			}
		}
	}
	return nil
}

func (m *Model) checkPoint(i int, p *Point) error {
	if p.Kind < Post || p.Kind > StartComponent {
		return fmt.Errorf("hb: point %d has kind %d", i, p.Kind)
	}
	for _, id := range append([]ActionID{p.Action}, p.Targets...) {
		if id <= 0 || int(id) >= len(m.Actions) {
			return fmt.Errorf("hb: point %d names action %d of %d", i, id, len(m.Actions)-1)
		}
	}
	return nil
}

func (a *Automaton) check() error {
	if !a.valid(a.Init) {
		return fmt.Errorf("initial state %d of %d", a.Init, len(a.States))
	}
	for i, tr := range a.Transitions {
		if !a.valid(tr.From) || !a.valid(tr.To) {
			return fmt.Errorf("transition %d goes from state %d to %d of %d", i, tr.From, tr.To, len(a.States))
		}
	}
	for i, ev := range a.Events {
		for _, s := range ev.States {
			if !a.valid(s) {
				return fmt.Errorf("event %d runs in state %d of %d", i, s, len(a.States))
			}
		}
	}
	return nil
}

// Check verifies the graph: the model's references hold, each relation is a
// strict order, what holds for more runs holds for fewer, and an action does
// not end before what causes it starts.
func (g *Graph) Check() error {
	if err := g.m.Check(); err != nil {
		return err
	}
	c := g.c
	for a := node(c.comps + 1); int(a) < c.n; a++ {
		var err error
		c.succ[starts][a].each(func(b node) {
			switch {
			case a == b || c.before(starts, b, a):
				err = fmt.Errorf("hb: %s and %s are each before the other", c.name(a), c.name(b))
			case c.dom(b, a):
				err = fmt.Errorf("hb: %s is before its cause %s", c.name(a), c.name(b))
			case c.shares(a, b, process) && !c.shares(a, b, g.sharedRun(a, b, SameInstance)),
				c.shares(a, b, g.sharedRun(a, b, SameInstance)) && !c.shares(a, b, c.common(a, b)):
				err = fmt.Errorf("hb: %s before %s holds for more runs but not for fewer", c.name(a), c.name(b))
			}
		})
		if err != nil {
			return err
		}
		d := c.idom[a]
		if a != process && !c.dom(d, a) {
			return fmt.Errorf("hb: %s is not dominated by %s", c.name(a), c.name(d))
		}
	}
	return nil
}
