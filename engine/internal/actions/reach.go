package actions

import (
	"slices"
	"sync/atomic"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// callGraph turns the call edges round, and sorts those of each function by site.
func (s *Set) callGraph() {
	n := len(s.PT.Funcs)
	s.up, s.orders = make([]atomic.Pointer[Bits], n), make([]atomic.Pointer[ordering], n)
	s.calls = make([][]pointsto.Call, n)
	bySite := func(c, d pointsto.Call) int { return int(c.Site) - int(d.Site) }
	for f, cs := range s.PT.Calls {
		s.calls[f] = cs
		if !slices.IsSortedFunc(cs, bySite) {
			s.calls[f] = slices.Clone(cs)
			slices.SortStableFunc(s.calls[f], bySite)
		}
	}
	s.callers = make([][]pointsto.Call, n)
	for _, cs := range s.PT.Calls {
		for _, c := range cs {
			if !c.Inline {
				s.callers[c.Callee] = append(s.callers[c.Callee], c)
			}
		}
	}
}

// reach computes, for each function, the actions that execute it, and for each
// action its functions.
func (s *Set) reach() {
	n := len(s.Actions)
	s.fold()
	s.findPassed()
	s.findHanded()
	s.ByFunc = make([]Bits, len(s.PT.Funcs))
	var work []pointsto.FuncID
	for id := 1; id < n; id++ {
		for _, e := range s.Actions[id].Entries {
			s.touch(e, n)
			s.ByFunc[e].set(id)
			one := newBits(n)
			one.set(id)
			s.enter(e, one)
			s.enterOn(e, one, s.entryOn(id))
			work = append(work, e)
		}
	}
	s.spread(work)
	s.collectReach()
}

func (s *Set) touch(f pointsto.FuncID, n int) {
	if s.ByFunc[f] == nil {
		s.ByFunc[f] = newBits(n)
	}
}

// spread propagates the actions of the functions in work to their callees.
func (s *Set) spread(work []pointsto.FuncID) {
	n := len(s.Actions)
	queued := make([]bool, len(s.PT.Funcs))
	for _, f := range work {
		queued[f] = true
	}
	for len(work) > 0 {
		f := work[0]
		work = work[1:]
		queued[f] = false
		s.narrow(f)
		for _, c := range s.PT.Calls[f] {
			if c.Inline {
				continue
			}
			s.touch(c.Callee, n)
			as := s.dispatched(s.executing(s.ByFunc[f], f, c.Site), c)
			grown := s.ByFunc[c.Callee].or(as)
			grown = s.pass(c, as) || grown
			if (s.hand(c, as) || grown) && !queued[c.Callee] {
				queued[c.Callee] = true
				work = append(work, c.Callee)
			}
		}
	}
}

func (s *Set) collectReach() {
	for id := 1; id < len(s.Actions); id++ {
		s.Actions[id].Reach = newBits(len(s.PT.Funcs))
	}
	for f, as := range s.ByFunc {
		as.All(func(id int) bool { s.Actions[id].Reach.set(f); return true })
	}
}

// inline settles the calls that run something at once only on its own queue,
// such as runOnUiThread: for actions on that queue the callback is part of the
// run; for others it is a post.
func (s *Set) inline() {
	var calls []inlineCall
	first := s.armedFirst()
	for _, cs := range s.PT.Calls {
		for _, c := range cs {
			if !c.Inline {
				continue
			}
			in := inlineCall{Call: c}
			if id := first[armed{c.Caller, c.Callee, c.Site}]; id != 0 {
				in.queue = s.Actions[id].Queue
			}
			calls = append(calls, in)
		}
	}
	for changed := true; changed; { // what is called inline may call inline itself
		var work []pointsto.FuncID
		for _, c := range calls {
			if s.inlined(c) {
				work = append(work, c.Callee)
			}
		}
		s.spread(work)
		changed = len(work) > 0
	}
	for _, c := range calls {
		if s.here(c) != nil {
			s.callers[c.Callee] = append(s.callers[c.Callee], c.Call)
		}
	}
	s.collectReach()
	s.dropInline()
}

// inlineCall is a call that runs something at once only on a queue.
type inlineCall struct {
	pointsto.Call
	queue hb.QueueID // 0 if unknown
}

// here lists the actions that may run the callee of an inline call at once:
// those that make the call on its queue; nil if there are none.
func (s *Set) here(c inlineCall) Bits {
	var here Bits
	if s.ByFunc[c.Caller] == nil {
		return nil
	}
	s.executing(s.ByFunc[c.Caller], c.Caller, c.Site).All(func(id int) bool {
		if s.Actions[id].Queue == c.queue {
			if here == nil {
				here = newBits(len(s.Actions))
			}
			here.set(id)
		}
		return true
	})
	return here
}

// inlined adds those actions to the callee of an inline call, and reports
// whether any of them is new.
func (s *Set) inlined(c inlineCall) bool {
	here := s.here(c)
	if here == nil {
		return false
	}
	s.touch(c.Callee, len(s.Actions))
	grown := s.enter(c.Callee, here)
	grown = s.enterOn(c.Callee, here, 0) || grown
	return s.ByFunc[c.Callee].or(here) || grown
}

// dropInline takes out the posts of inline calls whose callers all run on the
// queue: there the callback never runs by itself.
func (s *Set) dropInline() {
	for id := 2; id < len(s.Actions); id++ {
		a := &s.Actions[id]
		if a.Arm.Effect == nil || !a.Arm.Effect.Inline || s.ByFunc[a.Arm.In] == nil {
			continue
		}
		posted := false
		s.ByFunc[a.Arm.In].All(func(p int) bool {
			posted = posted || !s.atOnce(a, hb.ActionID(p))
			return !posted
		})
		if !posted {
			s.drop(a)
		}
	}
}

// drop takes out an action that never runs.
func (s *Set) drop(a *Action) {
	id := int(a.ID)
	a.Entries = nil
	a.Reach.All(func(f int) bool { s.ByFunc[f][id>>6] &^= 1 << (id & 63); return true })
	a.Reach = newBits(len(s.PT.Funcs))
}

// atOnce: action by runs the inline call that makes a run at once, for sure.
func (s *Set) atOnce(a *Action, by hb.ActionID) bool {
	return s.Actions[by].Queue == a.Queue && a.Queue != s.unknownQ
}

// armed names what a call arms.
type armed struct {
	in, callee pointsto.FuncID
	site       ir.Value
}

// armedFirst finds for each call and callee the first action that it arms.
func (s *Set) armedFirst() map[armed]hb.ActionID {
	out := map[armed]hb.ActionID{}
	for id := 2; id < len(s.Actions); id++ {
		if a := &s.Actions[id]; len(a.Entries) > 0 {
			key := armed{a.Arm.In, a.Entries[0], a.Arm.Site}
			if out[key] == 0 {
				out[key] = a.ID
			}
		}
	}
	return out
}

// upward lists the functions from which f is called, f included.
func (s *Set) upward(f pointsto.FuncID) Bits {
	if b := s.up[f].Load(); b != nil {
		return *b
	}
	b := newBits(len(s.PT.Funcs))
	b.set(int(f))
	work := []pointsto.FuncID{f}
	for len(work) > 0 {
		g := work[len(work)-1]
		work = work[:len(work)-1]
		for _, c := range s.callers[g] {
			if !b.Has(int(c.Caller)) {
				b.set(int(c.Caller))
				work = append(work, c.Caller)
			}
		}
	}
	s.up[f].CompareAndSwap(nil, &b)
	return *s.up[f].Load()
}

// Callers lists the calls of a function.
func (s *Set) Callers(f pointsto.FuncID) []pointsto.Call { return s.callers[f] }

// Upward lists the functions from which f is called, f included.
func (s *Set) Upward(f pointsto.FuncID) Bits { return s.upward(f) }

// AppMethods counts the app's methods with code, and those of them that some
// action other than class initialisation executes.
func (s *Set) AppMethods() (all, reached int) {
	p := s.PT.Prog
	for m := range p.Methods {
		if p.Methods[m].HasCode && p.Classes[p.Methods[m].Class].Origin == ir.App {
			all++
		}
	}
	for f, by := range s.ByFunc {
		m := s.PT.Funcs[f].Method
		if m != 0 && p.Classes[p.Methods[m].Class].Origin == ir.App && (by.Count() > 1 || by.Count() == 1 && !by.Has(1)) {
			reached++
		}
	}
	return all, reached
}
