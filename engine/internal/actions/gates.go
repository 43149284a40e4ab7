package actions

import (
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// gatePoints adds the waits at latches and semaphores, and what opens them.
// Only a wait without a condition counts: others may return by themselves.
func (s *Set) gatePoints() {
	gates := map[pointsto.Obj]hb.GateID{}
	for i := range s.PT.Sites {
		e := &s.PT.Sites[i]
		if e.Effect.Kind != platform.Await || e.Effect.When != "" {
			continue
		}
		o := s.PT.Eval(e.Scope, e.Effect.Place).One()
		if o == 0 || !s.startsClosed(o) {
			continue
		}
		if gates[o] == 0 {
			gates[o] = s.Model.AddGate(s.gate(o))
		}
		s.executed(e, hb.Point{Kind: hb.Await, Gates: []hb.GateID{gates[o]}})
	}
	for i := range s.PT.Sites {
		e := &s.PT.Sites[i]
		if e.Effect.Kind != platform.Signal {
			continue
		}
		p := hb.Point{Kind: hb.Signal}
		s.PT.Eval(e.Scope, e.Effect.Place).All(func(o pointsto.Obj) bool {
			if gates[o] != 0 {
				p.Gates = append(p.Gates, gates[o])
			}
			return true
		})
		if len(p.Gates) > 0 {
			s.executed(e, p)
		}
	}
}

func (s *Set) gate(o pointsto.Obj) hb.Gate {
	g := hb.Gate{Name: s.className(o), Closed: true}
	if w := s.OwnerOf(o); w.Unique {
		g.Scope, g.Component, g.Owner = w.Scope, w.Component, w.Action
	}
	return g
}

// startsClosed: the object is constructed with a number that makes the first
// wait block, so that a return from it proves a signal.
func (s *Set) startsClosed(o pointsto.Obj) bool {
	info := s.PT.Object(o)
	b := s.PT.Body(info.Func)
	if info.Kind != pointsto.Allocated || b == nil || info.Class == 0 {
		return false
	}
	blocked := s.PT.Models.Blocked(s.PT.Prog.Classes[info.Class].Name)
	if blocked == nil {
		return false
	}
	for v := ir.Value(1); int(v) < b.Len(); v++ {
		if b.Op[v] == ir.OpInvoke && b.Sub[v] == ir.Direct && b.NArgs(v) > blocked.Arg+1 && b.Arg(v, 0) == info.Site {
			n, known := pointsto.Constant(b, b.Arg(v, blocked.Arg+1))
			return known && blocked.Holds(n)
		}
	}
	return false
}
