package actions

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Protocol: x and y are callbacks of one object, handed over by one call, and
// the models say that x has run before the first run of y (surfaceCreated
// before surfaceChanged).
func (s *Set) Protocol(x, y hb.ActionID) bool {
	p, q := s.Actions[x].Arm, s.Actions[y].Arm
	if x == y || p == nil || q == nil || p.Life != nil || q.Life != nil || p.Receiver == 0 ||
		p.Receiver != q.Receiver || p.Func != q.Func || p.Site != q.Site {
		return false
	}
	return slices.Contains(s.PT.Models.After(s.supers, s.className(p.Receiver), q.Name), p.Name)
}

// EarlierRun: whenever y runs, a run of x of the same registration, or one that
// first says has come before, has ended: by protocol, or because that holds for
// all that makes y run.
func (s *Set) EarlierRun(x, y hb.ActionID, first func(x, y hb.ActionID) bool) bool {
	return s.earlierRun(x, y, first, map[hb.ActionID]bool{})
}

func (s *Set) earlierRun(x, y hb.ActionID, first func(x, y hb.ActionID) bool, seen map[hb.ActionID]bool) bool {
	if seen[y] {
		return true // only a way around a cycle: the other causes decide
	}
	seen[y] = true
	if s.Protocol(x, y) {
		return true
	}
	causes := s.Actions[y].Causes
	for _, c := range causes {
		by := s.Model.Points[c].Action
		if by == y {
			continue
		}
		if by == x || !first(x, by) && !s.earlierRun(x, by, first, seen) {
			return false
		}
	}
	return len(causes) > 0 && !s.onlySelf(y)
}

// onlySelf: nothing but its own runs makes an action run.
func (s *Set) onlySelf(y hb.ActionID) bool {
	for _, c := range s.Actions[y].Causes {
		if s.Model.Points[c].Action != y {
			return false
		}
	}
	return true
}

// className is the class of an object, "" for arrays.
func (s *Set) className(o pointsto.Obj) string {
	return s.PT.Prog.Classes[s.PT.Object(o).Class].Name
}

// supers gives the names of the direct supertypes of a class.
func (s *Set) supers(name string) []string {
	p := s.PT.Prog
	c := &p.Classes[p.Lookup(name)]
	var out []string
	if c.Super != 0 {
		out = append(out, p.Classes[c.Super].Name)
	}
	for _, i := range c.Interfaces {
		out = append(out, p.Classes[i].Name)
	}
	return out
}
