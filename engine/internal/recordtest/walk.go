package recordtest

import (
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/platform"
)

// Step is a run of an instance, with what the automaton takes it for.
type Step struct {
	*Run
	Call int // index in Callbacks of the lifecycle; len(Callbacks)+k for Others[k]; -1: the automaton does not allow it
}

// Misfit is a run that the automaton does not allow where it came.
type Misfit struct {
	*Run
	Place string // "inside X", a callback of the same instance, or "after X", or "at first"
}

func (m Misfit) String() string { return m.Run.String() + " " + m.Place }

// walker follows an instance through its automaton, keeping all places where it
// may be.
type walker struct {
	life  *platform.Lifecycle
	known func(platform.Callback) bool // whether the instance's class logs a callback: the others run unseen
	at    []place
}

// place is a state (tr < 0), or in transition tr before its call k. from is the
// index in the places before, and call what the run there was taken for.
type place struct {
	state, tr, k int
	from, call   int
}

// Walk finds a walk of the automaton for the runs of one instance, in the order in which they begin. What does not
// fit is left out and told.
func Walk(life *platform.Lifecycle, runs []*Run, known func(platform.Callback) bool) ([]Step, []Misfit) {
	w := &walker{life: life, known: known}
	layers := [][]place{w.settle([]place{{state: 0, tr: -1, from: -1}})}
	var fitting []*Run
	var misfits []Misfit
	calls := map[*Run]int{}
	for _, r := range runs {
		next, allowed := w.take(layers[len(layers)-1], r)
		if !allowed {
			misfits = append(misfits, Misfit{r, w.where(r, fitting)})
		}
		if len(next) == 0 {
			calls[r] = -1
			continue
		}
		fitting = append(fitting, r)
		layers = append(layers, next)
	}
	for i, p := len(layers)-1, 0; i > 0; i-- {
		at := layers[i][p]
		calls[fitting[i-1]] = at.call
		p = at.from
	}
	steps := make([]Step, len(runs))
	for i, r := range runs {
		steps[i] = Step{r, calls[r]}
	}
	return steps, misfits
}

func (w *walker) where(r *Run, fitting []*Run) string {
	for up := r.In; up != nil; up = up.In {
		if up.Instance == r.Instance {
			return "inside " + up.String()
		}
	}
	for _, last := range slices.Backward(fitting) {
		if len(w.transitionsOf(last)) > 0 {
			return "after " + last.String()
		}
	}
	return "at first"
}

// take gives the places behind a run, and whether the automaton allows it there. What is not allowed may still move
// the automaton: a callback of a transition that runs inside another one, of which the automaton says that it has
// ended before.
func (w *walker) take(from []place, r *Run) (out []place, allowed bool) {
	for i, p := range from {
		if p.tr >= 0 {
			if calls := w.life.Transitions[p.tr].Calls; matches(w.life, calls[p.k], r) {
				out = append(out, place{p.state, p.tr, p.k + 1, i, calls[p.k]})
				allowed = allowed || w.movesInside(r, p.tr)
			}
			if !w.midway(p) {
				continue // at rest, which is a place of its own
			}
		}
		for _, e := range w.events(r) {
			if w.fits(e.In, p, r) {
				out, allowed = append(out, place{p.state, p.tr, p.k, i, e.Call}), true
			}
		}
	}
	return w.settle(out), allowed
}

// midway reports whether callbacks that the class logs lie on both sides of a place in a transition.
func (w *walker) midway(p place) bool {
	calls := w.life.Transitions[p.tr].Calls
	logged := func(c int) bool { return w.known(w.life.Callbacks[c].Callback) }
	return slices.ContainsFunc(calls[:p.k], logged) && slices.ContainsFunc(calls[p.k:], logged)
}

// events are those of the automaton that the run may be.
func (w *walker) events(r *Run) []platform.Event {
	var out []platform.Event
	named := false
	for i := range w.life.Callbacks {
		named = named || w.life.Callbacks[i].Callback.Name == r.Name
	}
	for _, e := range w.life.Events {
		if matches(w.life, e.Call, r) {
			out = append(out, e)
		}
	}
	for k, o := range w.life.Others {
		if strings.HasPrefix(r.Name, o.Prefix) && !named {
			out = append(out, platform.Event{Call: len(w.life.Callbacks) + k, In: o.In})
		}
	}
	return out
}

// fits reports whether an event of the states may run at a place: at rest in one of its states; in the middle of a
// transition, or inside a callback of one, if it is in no order with that.
func (w *walker) fits(in []int, p place, r *Run) bool {
	inside := false
	for up := outer(r); up != nil; up = outer(up) {
		of := w.transitionsOf(up)
		if len(of) > 0 && !slices.ContainsFunc(of, func(tr int) bool { return w.unordered(in, tr) }) {
			return false
		}
		inside = inside || len(of) > 0
	}
	if p.tr >= 0 {
		return w.unordered(in, p.tr)
	}
	return inside || slices.Contains(in, p.state)
}

// unordered reports whether an event of the states may come before the callbacks of a transition, and after them.
func (w *walker) unordered(in []int, tr int) bool {
	t := &w.life.Transitions[tr]
	return slices.ContainsFunc(in, func(s int) bool { return w.reaches(s, t.From) }) &&
		slices.ContainsFunc(in, func(s int) bool { return w.reaches(t.To, s) })
}

// reaches reports whether a walk leads from one state to another.
func (w *walker) reaches(from, to int) bool {
	seen := map[int]bool{from: true}
	for work := []int{from}; len(work) > 0; work = work[1:] {
		if work[0] == to {
			return true
		}
		for _, t := range w.life.Transitions {
			if t.From == work[0] && !seen[t.To] {
				seen[t.To] = true
				work = append(work, t.To)
			}
		}
	}
	return false
}

// movesInside reports whether a callback of a transition may run where it did: outside of others of its object, or
// inside an event that is in no order with it.
func (w *walker) movesInside(r *Run, tr int) bool {
	up := outer(r)
	if up == nil {
		return true
	}
	return len(w.transitionsOf(up)) == 0 &&
		slices.ContainsFunc(w.events(up), func(e platform.Event) bool { return w.unordered(e.In, tr) })
}

// transitionsOf lists the transitions that a run may be a callback of.
func (w *walker) transitionsOf(r *Run) []int {
	var out []int
	for tr, t := range w.life.Transitions {
		if slices.ContainsFunc(t.Calls, func(c int) bool { return matches(w.life, c, r) }) {
			out = append(out, tr)
		}
	}
	return out
}

// outer is the run of the same instance that r is nested in.
func outer(r *Run) *Run {
	for up := r.In; up != nil; up = up.In {
		if up.Instance == r.Instance {
			return up
		}
	}
	return nil
}

// settle adds the places that are reached without a callback that the class logs.
func (w *walker) settle(places []place) []place {
	type key struct{ state, tr, k int }
	seen := map[key]bool{}
	var out []place
	for work := places; len(work) > 0; work = work[1:] {
		p := work[0]
		if p.tr >= 0 && p.k == len(w.life.Transitions[p.tr].Calls) {
			p.state, p.tr, p.k = w.life.Transitions[p.tr].To, -1, 0
		}
		if id := (key{p.state, p.tr, p.k}); seen[id] {
			continue
		} else {
			seen[id] = true
		}
		out = append(out, p)
		if p.tr >= 0 {
			if call := w.life.Transitions[p.tr].Calls[p.k]; !w.known(w.life.Callbacks[call].Callback) {
				p.k++
				work = append(work, p)
			}
			continue
		}
		for tr, t := range w.life.Transitions {
			if t.From == p.state {
				work = append(work, place{p.state, tr, 0, p.from, p.call})
			}
		}
	}
	return out
}

// matches reports whether a callback of the lifecycle is the one that ran.
func matches(life *platform.Lifecycle, call int, r *Run) bool {
	return Matches(life.Callbacks[call].Callback, r.Name, r.Params)
}

// Matches reports whether a callback stands for a method with parameters of
// these types, given by their simple names.
func Matches(c platform.Callback, name string, params []string) bool {
	if c.Name != name {
		return false
	}
	if c.AnyArgs {
		return true
	}
	if len(c.Args) != len(params) {
		return false
	}
	for i, t := range c.Params {
		if t != "" && t[strings.LastIndexAny(t, ".$")+1:] != params[i] {
			return false
		}
	}
	return true
}
