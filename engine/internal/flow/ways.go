package flow

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Ways says how runs of an action come to a function.
type Ways struct {
	s       *actions.Set
	r       *pointsto.Result
	calls   [][]int32       // by function: the numbers of the places that call it, nil until asked
	numbers map[Place]int32 // of places that call something
	marks   []*marked       // without places: free for walks
}

// callsOf is the numbers of the places that call a function.
func (w *Ways) callsOf(f pointsto.FuncID) []int32 {
	if w.calls == nil {
		w.calls, w.numbers = make([][]int32, len(w.r.Funcs)), map[Place]int32{}
	}
	out := w.calls[f]
	if out != nil {
		return out
	}
	out = []int32{}
	for _, c := range w.s.Callers(f) {
		p := Place{Func: c.Caller, At: c.Site}
		n, known := w.numbers[p]
		if !known {
			n = int32(len(w.numbers))
			w.numbers[p] = n
		}
		out = append(out, n)
	}
	w.calls[f] = out
	return out
}

// Way is a call that leads to a function.
type Way struct {
	pointsto.Call
	Body  *ir.Body // of the caller; nil if it is the platform's own
	Plain bool     // the call passes its arguments in order, one for each parameter
}

// Arg is what a plain call passes for parameter i.
func (w *Way) Arg(i int) ir.Value { return w.Body.Arg(w.Site, i) }

// Passed is what a call passes for parameter i: all of them if it is plain, the receiver if a
// model says which of its arguments that is.
func (w *Way) Passed(i int) (ir.Value, bool) {
	if w.Plain {
		return w.Arg(i), true
	}
	if i != 0 || w.Self <= 0 || w.Body == nil || w.Site <= 0 || w.Body.Op[w.Site] != ir.OpInvoke {
		return 0, false
	}
	k := int(w.Self) - 1
	if w.Body.Sub[w.Site] == ir.Static {
		k--
	}
	if k < 0 || k >= w.Body.NArgs(w.Site) {
		return 0, false
	}
	return w.Body.Arg(w.Site, k), true
}

// Calls yields the calls of f within runs of an action, in a fixed order; action 0
// stands for all actions.
func (w *Ways) Calls(act hb.ActionID, f pointsto.FuncID) func(yield func(*Way) bool) {
	return func(yield func(*Way) bool) {
		params := -1
		for _, c := range w.s.Callers(f) {
			if act != 0 && !w.s.Actions[act].Reach.Has(int(c.Caller)) {
				continue
			}
			way := &Way{Call: c, Body: w.r.Body(c.Caller)}
			if way.Body != nil && c.Site > 0 && way.Body.Op[c.Site] == ir.OpInvoke {
				if params < 0 && w.r.Body(f) != nil {
					params = Params(w.r.Body(f))
				}
				way.Plain = c.Self == 0 && way.Body.NArgs(c.Site) == params
			}
			if !yield(way) {
				return
			}
		}
	}
}

// Entry reports whether runs of an action begin with a function.
func (w *Ways) Entry(act hb.ActionID, f pointsto.FuncID) bool {
	return slices.Contains(w.s.Actions[act].Entries, f)
}

// Place is an instruction that is about to be executed, and perhaps a value of its
// function that is asked about.
type Place struct {
	Func  pointsto.FuncID
	At    ir.Value
	Value ir.Value // 0 if no value is asked about
}

// Answer is what a place says to a question.
type Answer uint8

const (
	No      Answer = iota // there is a way on which it does not hold
	Yes                   // it holds on all ways through the place
	Callers               // it holds if it holds at every call of the place's function
)

// EveryWayIn reports whether something holds on every way in which a run of an action
// comes to a place. ask says whether it holds there, or that the callers decide: then
// it must hold wherever the action calls the function, of the argument that is passed
// for the value. It does not hold if the function is an entry of the action, nobody
// calls it, the platform does, or the value is no parameter. A caller that is only
// reached by recursion decides nothing, since the first way in is another one. There is
// no bound: each place is asked once.
func (w *Ways) EveryWayIn(act hb.ActionID, p Place, ask func(Place) Answer) bool {
	return w.every(act, p, ask, places{})
}

// EveryCall is what EveryWayIn says of any place of a function that leaves the answer to
// the callers, if no value is asked about.
func (w *Ways) EveryCall(act hb.ActionID, f pointsto.FuncID, ask func(Place) Answer) bool {
	if w.r.Body(f) == nil {
		return false
	}
	seen := &marked{}
	if n := len(w.marks) - 1; n >= 0 {
		seen, w.marks = w.marks[n], w.marks[:n]
	}
	all := w.callsTo(act, f, ask, seen)
	for _, n := range seen.list {
		seen.marks[n] = false
	}
	seen.list = seen.list[:0]
	w.marks = append(w.marks, seen)
	return all
}

// marked is the places that were asked.
type marked struct {
	marks []bool // by their numbers
	list  []int32
}

// add adds a place, and reports whether it is new.
func (s *marked) add(n int32) bool {
	if int(n) >= len(s.marks) {
		s.marks = append(s.marks, make([]bool, int(n)+1-len(s.marks)+len(s.marks)/2)...)
	}
	if s.marks[n] {
		return false
	}
	s.marks[n] = true
	s.list = append(s.list, n)
	return true
}

// callsTo is EveryCall, but for what was asked before.
func (w *Ways) callsTo(act hb.ActionID, f pointsto.FuncID, ask func(Place) Answer, seen *marked) bool {
	if w.Entry(act, f) {
		return false
	}
	some := false
	numbers := w.callsOf(f)
	for i, c := range w.s.Callers(f) {
		if act != 0 && !w.s.Actions[act].Reach.Has(int(c.Caller)) {
			continue
		}
		some = true
		if !seen.add(numbers[i]) {
			continue
		}
		if w.r.Body(c.Caller) == nil {
			return false
		}
		switch ask(Place{Func: c.Caller, At: c.Site}) {
		case No:
			return false
		case Callers:
			if !w.callsTo(act, c.Caller, ask, seen) {
				return false
			}
		}
	}
	return some
}

// AtCalls is a question about calls alone, whatever the action, with what has been found
// out about it: it holds of a function in runs of an action if on every way to the function
// it holds of some call.
type AtCalls struct {
	ways  *Ways
	holds func(Place) bool
	known map[actFunc]bool
}

// actFunc is a function in runs of an action.
type actFunc struct {
	act hb.ActionID
	f   pointsto.FuncID
}

// AtCalls makes a question.
func (w *Ways) AtCalls(holds func(Place) bool) *AtCalls {
	return &AtCalls{w, holds, map[actFunc]bool{}}
}

// Of is what EveryCall says of a function where the question holds.
func (q *AtCalls) Of(act hb.ActionID, f pointsto.FuncID) bool {
	got, known := q.known[actFunc{act, f}]
	if known {
		return got
	}
	seen := map[pointsto.FuncID]bool{}
	if !q.up(act, f, seen) {
		return false
	}
	for g := range seen { // no way to any of them is left
		q.known[actFunc{act, g}] = true
	}
	return true
}

// up is Of, but for functions seen before, of which the first way in decides. What it denies
// is sure: there is a way from an entry.
func (q *AtCalls) up(act hb.ActionID, f pointsto.FuncID, seen map[pointsto.FuncID]bool) bool {
	if got, known := q.known[actFunc{act, f}]; known {
		return got
	}
	if seen[f] {
		return true
	}
	seen[f] = true
	if !q.callers(act, f, seen) {
		q.known[actFunc{act, f}] = false
		return false
	}
	return true
}

func (q *AtCalls) callers(act hb.ActionID, f pointsto.FuncID, seen map[pointsto.FuncID]bool) bool {
	w := q.ways
	if w.r.Body(f) == nil || w.Entry(act, f) {
		return false
	}
	some := false
	for _, c := range w.s.Callers(f) {
		if act != 0 && !w.s.Actions[act].Reach.Has(int(c.Caller)) {
			continue
		}
		if w.r.Body(c.Caller) == nil || !q.holds(Place{Func: c.Caller, At: c.Site}) && !q.up(act, c.Caller, seen) {
			return false
		}
		some = true
	}
	return some
}

func (w *Ways) every(act hb.ActionID, p Place, ask func(Place) Answer, seen places) bool {
	if seen[p] {
		return true
	}
	seen[p] = true
	b := w.r.Body(p.Func)
	if b == nil {
		return false
	}
	switch ask(p) {
	case Yes:
		return true
	case No:
		return false
	}
	return w.callers(act, p, ask, seen)
}

// callers is what the callers say that a place leaves the answer to.
func (w *Ways) callers(act hb.ActionID, p Place, ask func(Place) Answer, seen places) bool {
	b := w.r.Body(p.Func)
	param := ir.Value(0)
	if p.Value != 0 {
		if param = Origin(b, p.Value); b.Op[param] != ir.OpParam {
			return false
		}
	}
	if w.Entry(act, p.Func) {
		return false
	}
	some := false
	for way := range w.Calls(act, p.Func) {
		next := Place{Func: way.Caller, At: way.Site}
		if param != 0 {
			passed, known := way.Passed(int(b.Aux[param]))
			if !known {
				return false
			}
			next.Value = passed
		}
		if !w.every(act, next, ask, seen) {
			return false
		}
		some = true
	}
	return some
}

// places is places that were asked.
type places map[Place]bool
