package hb

import "slices"

// simOrders is what the platform promises beyond queues and automata: gates that
// open, hosts whose states their guests need, sources that call back one after
// the other, and periodic tasks whose runs do not overlap. A nil one promises
// nothing.
type simOrders struct {
	open map[gateKey]bool
}

type gateKey struct {
	gate  GateID
	owner any
}

// gate is the object that run r means by a gate.
func (o *simOrders) gate(s *sim, r *simRun, id GateID) gateKey {
	g := &s.m.Gates[id]
	var owner any
	switch g.Scope {
	case ScopeProcess:
	case ScopeInstance:
		owner = r.instance(g.Component)
	case ScopeRun:
		owner = r.ancestor(g.Owner)
	default:
		owner = s.rng.IntN(2)
	}
	if owner == (*simInst)(nil) || owner == (*simRun)(nil) {
		owner = s.rng.IntN(2)
	}
	return gateKey{id, owner}
}

// shut reports whether r must wait at point p.
func (o *simOrders) shut(s *sim, r *simRun, p PointID) bool {
	if o == nil {
		return false
	}
	for _, id := range s.m.Points[p].Gates {
		if !s.m.Gates[id].Closed || o.open[o.gate(s, r, id)] {
			return false
		}
	}
	return true
}

// pass executes a wait, which has come to its end, or a signal.
func (o *simOrders) pass(s *sim, r *simRun, p *Point) {
	if o != nil && p.Kind == Signal {
		o.open[o.gate(s, r, p.Gates[s.rng.IntN(len(p.Gates))])] = true
	}
}

// lodge gives a new instance its host, and reports whether there is one.
func (o *simOrders) lodge(s *sim, i *simInst) bool {
	host := s.m.Components[i.comp].Host
	if o == nil || host == 0 {
		return true
	}
	var hosts []*simInst
	for _, h := range s.insts {
		if h.comp == host {
			hosts = append(hosts, h)
		}
	}
	if len(hosts) == 0 {
		return false
	}
	i.host = hosts[s.rng.IntN(len(hosts))]
	return true
}

// allows reports whether an instance may go to a state: its host is in a state
// that this needs, and its guests are in states that do without the old one.
func (o *simOrders) allows(s *sim, i *simInst, to int32) bool {
	if o == nil {
		return true
	}
	met := func(guest *simInst, state, of int32) bool {
		needs := s.m.Components[guest.comp].Needs
		return int(state) >= len(needs) || needs[state] == nil || slices.Contains(needs[state], of)
	}
	if i.host != nil && !met(i, to, i.host.sent) {
		return false
	}
	for _, g := range s.insts {
		if g.host == i && !met(g, g.sent, to) {
			return false
		}
	}
	return true
}

// busy reports whether the source of r is in another callback.
func (o *simOrders) busy(s *sim, r *simRun) bool {
	a := &s.m.Actions[r.act]
	if q := s.m.Queues[a.Queue]; o == nil || a.Source == 0 || q.Kind != QueueLooper && q.Kind != QueueSerial {
		return false
	}
	return slices.ContainsFunc(s.runs, func(x *simRun) bool {
		b := &s.m.Actions[x.act]
		return x != r && x.start > 0 && x.end == 0 && b.Source == a.Source && b.Queue == a.Queue
	})
}
