package actions

import (
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// losses finds the callbacks that tell of the end of a process of which they are a part
// (ServiceConnection.onServiceDisconnected: "the process hosting the service has crashed or
// been killed"). With several processes both sides must be known.
func (s *Set) losses() {
	for id := 2; id < len(s.Actions); id++ {
		a := &s.Actions[id]
		a.OwnLoss = true
		for arm := range a.arms {
			a.OwnLoss = a.OwnLoss && s.losesItself(arm)
		}
	}
}

// losesItself: all components of which an arm may tell the loss run where it runs.
func (s *Set) losesItself(arm *pointsto.Arm) bool {
	if arm.Effect == nil || arm.Effect.Lost.Zero() {
		return false
	}
	known, same := false, true
	s.PT.Classes(arm.Scope, arm.Effect.Lost, func(c ir.ClassID) {
		if s.componentOfClass(c) {
			known, same = true, same && s.runsIn(arm.Scope, s.PT.Process(c))
		}
	})
	return known && same
}

// componentOfClass: the system makes components of the class.
func (s *Set) componentOfClass(c ir.ClassID) bool {
	for _, k := range s.Components[1:] {
		if k.Class == c && s.PT.Object(k.Object).Kind == pointsto.Component {
			return true
		}
	}
	return false
}

// runsIn: all actions that come to a call are of components of one process.
func (s *Set) runsIn(at pointsto.Scope, process string) bool {
	in := true
	s.ByFunc[at.Func].All(func(id int) bool {
		c := s.Actions[hb.ActionID(id)].Component
		in = in && id != 1 && (c != 0 && s.PT.Process(s.Components[c].Class) == process || !s.manyProcesses())
		return in
	})
	return in
}

// manyProcesses: the app's components do not all run in one process.
func (s *Set) manyProcesses() bool {
	for _, k := range s.Components[1:] {
		if p := s.PT.Process(k.Class); p != everyProcess && p != s.PT.Process(s.Components[1].Class) {
			return true
		}
	}
	return false
}
