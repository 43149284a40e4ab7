package hb

// hosting holds what the states of a host say about the callbacks of what lives
// in it (Fragment: "lifecycle is directly affected by the host activity's
// lifecycle"; a dialog ends with its activity). over[a] tells, by callback of the
// host's automaton, whether a never runs once that callback has begun; it is nil
// if a belongs to no hosted component, or needs no state of its host.
type hosting struct {
	host []ComponentID
	over [][]bool
}

func newHosting(t *tree) hosting {
	m := t.m
	h := hosting{host: make([]ComponentID, len(m.Actions)), over: make([][]bool, len(m.Actions))}
	type guest struct {
		component ComponentID
		callback  int32
	}
	known := map[guest][]bool{}
	for i := 1; i < len(m.Actions); i++ {
		a := &m.Actions[i]
		c := t.component(a.Component)
		if c == process || a.Callback < 0 {
			continue
		}
		host := t.component(m.Components[c].Host)
		if host == process || t.walk[c] == nil || t.walk[host] == nil {
			continue
		}
		key := guest{a.Component, a.Callback}
		over, ok := known[key]
		if !ok {
			over = t.walk[c].overWith(t.walk[host], a.Callback, m.Components[c].Needs)
			known[key] = over
		}
		h.host[i], h.over[i] = m.Components[c].Host, over
	}
	return h
}

// overWith tells for each callback of the host whether callback x of the guest
// never runs once it has begun: each state in, or to, which x runs needs host
// states that are not reached from there.
func (w *walks) overWith(host *walks, x int32, needs [][]int32) []bool {
	needed := newRow(len(host.a.States))
	for _, p := range w.at[x] {
		if int(p.to) >= len(needs) || needs[p.to] == nil {
			return nil
		}
		for _, s := range needs[p.to] {
			needed.set(node(s))
		}
	}
	if len(w.at[x]) == 0 {
		return nil
	}
	var over []bool
	for _, y := range sortedKeys(host.at) {
		if y < 0 {
			continue
		}
		for int(y) >= len(over) {
			over = append(over, false)
		}
		over[y] = true
		for _, p := range host.at[y] {
			over[y] = over[y] && !host.reach[p.to].meets(needed)
		}
	}
	return over
}

// hostedBefore reports whether a belongs to an instance that lives in an instance
// of b's component, and needs states of its host that are never reached again
// once b has begun: a fragment's clicks come before its activity's onDestroy.
// Both run on the main looper, so a has ended then.
func (g *Graph) hostedBefore(a, b ActionID) bool {
	over := g.o.over[a]
	if over == nil {
		return false
	}
	y := &g.m.Actions[b]
	return y.Component == g.o.host[a] && y.Callback >= 0 && int(y.Callback) < len(over) && over[y.Callback] && g.o.events(a, b)
}

// meets reports whether r and s share a member.
func (r row) meets(s row) bool {
	for i, w := range s {
		if r[i]&w != 0 {
			return true
		}
	}
	return false
}
