package platform

// lifecycle checks that constructors and callbacks exist, that every state can be reached, and
// that hosts and their states exist.
func (c *checker) lifecycle(l *Lifecycle) {
	s := operands{class: l.Base, open: true}
	for _, m := range l.Made {
		by := &Method{Class: l.Base, Name: "<init>", Params: m.Params, Open: m.Open}
		if c.complete(l.Base) && c.find(l.Base, by.Name, by.Accepts) == nil {
			c.errorf(l.Pos, "made: there is no %s", by.Signature())
		}
	}
	for i := range l.Callbacks {
		lc := &l.Callbacks[i]
		c.callback(&lc.Callback, lc.Pos, s)
		for _, a := range lc.Callback.Args {
			c.place(a, lc.Pos, s)
		}
		if !lc.On.Zero() {
			c.place(lc.On, lc.Pos, s)
		}
		then := s
		then.result = "?"
		c.effects(lc.Then, then)
	}
	c.reachable(l)
	for _, w := range l.Within {
		host := c.m.byBase(w.Host)
		if host == nil {
			c.errorf(l.Pos, "within: %s has no lifecycle", w.Host)
			continue
		}
		for _, name := range w.Hosts {
			if host.State(name) < 0 {
				c.errorf(l.Pos, "within: %s has no state %s", w.Host, name)
			}
		}
	}
}

func (m *Models) byBase(base string) *Lifecycle {
	for _, l := range m.Lifecycles {
		if l.Base == base {
			return l
		}
	}
	return nil
}

func (c *checker) reachable(l *Lifecycle) {
	seen := make([]bool, len(l.States))
	seen[0] = true
	for changed := true; changed; {
		changed = false
		for _, t := range l.Transitions {
			if seen[t.From] && !seen[t.To] {
				seen[t.To], changed = true, true
			}
		}
	}
	for i, ok := range seen {
		if !ok {
			c.errorf(l.Pos, "lifecycle %s: state %s cannot be reached", l.Base, l.States[i])
		}
	}
}
