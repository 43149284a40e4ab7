package hb

// processesOf says in which process each action runs: that of its component, or
// of the component in which the component's instances live (manifest attribute
// android:process). It is 0 for an action of no component or of several.
func processesOf(m *Model) []ProcessID {
	out := make([]ProcessID, len(m.Actions))
	for i := 1; i < len(m.Actions); i++ {
		c := m.Actions[i].Component
		if c <= 0 || int(c) >= len(m.Components) {
			continue
		}
		if h := m.Components[c].Host; h > 0 && int(h) < len(m.Components) {
			c = h
		}
		out[i] = m.Components[c].Process
	}
	return out
}

// OneProcess reports whether a and b may run in one process. Components with a
// process of their own share no memory with the others.
func (g *Graph) OneProcess(a, b ActionID) bool {
	p, q := g.o.process[a], g.o.process[b]
	return p == q || p == 0 || q == 0
}
