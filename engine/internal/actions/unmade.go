package actions

import (
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// dropUnmade takes out what nothing makes run, such as what a handler posts on a
// message that nobody sends: in no order with anything, it would race with all. What
// code out of sight may cause stays: see more.
func (s *Set) dropUnmade() {
	armed := map[pointsto.FuncID][]arming{} // by the function that makes them run
	made := newBits(len(s.Actions))
	var work []hb.ActionID
	for id := 1; id < len(s.Actions); id++ {
		if a := &s.Actions[id]; a.Arm == nil || a.Arm.Life != nil {
			made.set(id)
			work = append(work, a.ID)
		} else {
			for arm := range a.arms {
				armed[arm.In] = append(armed[arm.In], arming{a.ID, arm.Site})
			}
		}
	}
	var out outside
	for len(work) > 0 {
		by := work[0]
		work = work[1:]
		all := s.more(&out, by)
		reach := s.Actions[by].Reach
		if all {
			reach = s.whole(by)
		}
		reach.All(func(f int) bool {
			for _, x := range armed[pointsto.FuncID(f)] {
				if !made.Has(int(x.id)) && (all || s.Executes(by, pointsto.FuncID(f), x.site)) {
					made.set(int(x.id))
					work = append(work, x.id)
				}
			}
			return true
		})
	}
	for id := 1; id < len(s.Actions); id++ {
		if a := &s.Actions[id]; !made.Has(id) && len(a.Entries) > 0 {
			s.drop(a)
		}
	}
}

// arming is a site that makes an action run.
type arming struct {
	id   hb.ActionID
	site ir.Value
}

// outside is what code out of sight may send messages to, once that is asked for.
type outside struct {
	set  pointsto.Set
	code *pointsto.Unseen
}

// more: the code of an action may run in another way than its actions tell. It is
// also called, with another message or on another object; or its handler has been
// handed out, so that the framework, native code or another process may send it
// messages that we do not see.
func (s *Set) more(out *outside, by hb.ActionID) bool {
	a := &s.Actions[by]
	folded := false
	for _, e := range a.Entries {
		folded = folded || s.coded[e]
		if s.coded[e] && len(s.callers[e]) > 0 {
			return true
		}
	}
	if !folded || !a.Code.Known {
		return false
	}
	handlers := s.PT.Eval(a.Arm.Scope, a.Arm.Effect.Via)
	if handlers.Empty() {
		return true
	}
	if out.code == nil {
		*out = outside{s.PT.HandedOut(), s.PT.Unseen()}
	}
	if handlers.Intersects(out.set) || out.set.Has(a.Arm.Receiver) {
		return true
	}
	for _, e := range a.Entries {
		if m := s.PT.Funcs[e].Method; m != 0 && out.code.Sends(m, handlers) {
			return true
		}
	}
	return false
}

// whole is what an action reaches if it runs all of its code.
func (s *Set) whole(by hb.ActionID) Bits {
	reach := newBits(len(s.PT.Funcs))
	work := append([]pointsto.FuncID(nil), s.Actions[by].Entries...)
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		if reach.Has(int(f)) {
			continue
		}
		reach.set(int(f))
		for _, c := range s.PT.Calls[f] {
			work = append(work, c.Callee)
		}
	}
	return reach
}
