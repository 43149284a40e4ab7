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

// EarlierRun: whenever y runs, a run of x may be expected to have ended, as first
// says of other runs: by protocol, because it was posted first, or because that
// holds for all that makes y run.
func (s *Set) EarlierRun(x, y hb.ActionID, first func(x, y hb.ActionID) bool) bool {
	return s.earlierRun(x, y, first, map[hb.ActionID]bool{})
}

func (s *Set) earlierRun(x, y hb.ActionID, first func(x, y hb.ActionID) bool, seen map[hb.ActionID]bool) bool {
	if seen[y] {
		return true // only a way around a cycle: the other causes decide
	}
	seen[y] = true
	if s.Protocol(x, y) || s.postedFirst(x, y, first) {
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

// postedFirst: x and y are messages of one looper, no cancel names x, and
// x was posted, at no longer delay, by what has ended when y is first posted.
func (s *Set) postedFirst(x, y hb.ActionID, first func(x, y hb.ActionID) bool) bool {
	if !s.oneQueue(x, y) || s.dropped(x) || s.onlySelf(y) {
		return false
	}
	for _, c := range s.Actions[x].Causes {
		p := &s.Model.Points[c]
		if p.Kind == hb.Post && p.Delay.Known && p.Action != x && s.heads(p, x, y, first) {
			return true
		}
	}
	return false
}

// heads: the post p of x comes before every post of y by others than y.
func (s *Set) heads(p *hb.Point, x, y hb.ActionID, first func(x, y hb.ActionID) bool) bool {
	for _, c := range s.Actions[y].Causes {
		q := &s.Model.Points[c]
		switch {
		case q.Action == y || q.Action == x:
		case q.Kind != hb.Post || q.Front || !q.Delay.Known || q.Delay.MS < p.Delay.MS:
			return false
		case q.Action == p.Action && s.Dominates(p.Action, p.Site, q.Site):
		case q.Action == p.Action || p.Action == y || !first(p.Action, q.Action):
			return false
		}
	}
	return true
}

// oneQueue: the actions run on one looper, the process's or that of their
// component's instance.
func (s *Set) oneQueue(x, y hb.ActionID) bool {
	a, b := &s.Actions[x], &s.Actions[y]
	q := s.Queues[a.Queue]
	if a.Queue != b.Queue || q.Kind != hb.QueueLooper || q.Object == 0 {
		return false
	}
	w := s.OwnerOf(q.Object)
	return w.Unique && (w.Scope == hb.ScopeProcess || w.Scope == hb.ScopeInstance && w.Component != 0 && a.Component == w.Component && b.Component == w.Component)
}

// dropped: some cancel is known to remove pending posts of the action.
func (s *Set) dropped(x hb.ActionID) bool { return s.cancels.Has(int(x)) }

// onlySelf: nothing but its own runs makes an action run.
func (s *Set) onlySelf(y hb.ActionID) bool { return !s.caused.Has(int(y)) }

// causation notes which actions others make run, and whose posts are cancelled.
func (s *Set) causation() {
	s.cancels, s.caused = newBits(len(s.Actions)), newBits(len(s.Actions))
	for i := range s.Model.Points {
		if p := &s.Model.Points[i]; p.Kind == hb.Cancel {
			for _, x := range p.Targets {
				s.cancels.set(int(x))
			}
		}
	}
	for y := 1; y < len(s.Actions); y++ {
		for _, c := range s.Actions[y].Causes {
			if s.Model.Points[c].Action != hb.ActionID(y) {
				s.caused.set(y)
			}
		}
	}
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
