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
			misfits = append(misfits, Misfit{r, where(r, fitting)})
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

func where(r *Run, fitting []*Run) string {
	for up := r.In; up != nil; up = up.In {
		if up.Instance == r.Instance {
			return "inside " + up.String()
		}
	}
	if len(fitting) == 0 {
		return "at first"
	}
	return "after " + fitting[len(fitting)-1].String()
}

// take gives the places behind a run, and whether the automaton allows it there. A callback of a transition that
// runs inside another callback moves the automaton, but is not allowed: the automaton says that the outer one has
// ended before.
func (w *walker) take(from []place, r *Run) (out []place, allowed bool) {
	within := outer(r)
	passed := w.passed(within)
	for i, p := range from {
		if p.tr >= 0 {
			if calls := w.life.Transitions[p.tr].Calls; matches(w.life, calls[p.k], r) {
				out = append(out, place{p.state, p.tr, p.k + 1, i, calls[p.k]})
			}
		}
		if p.tr >= 0 && len(passed) == 0 {
			continue
		}
		states := []int{p.state}
		if len(passed) > 0 {
			states = passed
		}
		in := func(s int) bool { return slices.Contains(states, s) }
		for _, e := range w.life.Events {
			if slices.ContainsFunc(e.In, in) && matches(w.life, e.Call, r) {
				out, allowed = append(out, place{p.state, p.tr, p.k, i, e.Call}), true
			}
		}
		for k, o := range w.life.Others {
			if slices.ContainsFunc(o.In, in) && strings.HasPrefix(r.Name, o.Prefix) && !w.named(r) {
				out, allowed = append(out, place{p.state, p.tr, p.k, i, len(w.life.Callbacks) + k}), true
			}
		}
	}
	return w.settle(out), allowed || len(out) > 0 && within == nil
}

// passed lists the states before the transitions that a run is a callback of: an event inside it must be allowed in
// one of them, or else the automaton says that the run has ended before.
func (w *walker) passed(r *Run) []int {
	var out []int
	for ; r != nil; r = outer(r) {
		for _, t := range w.life.Transitions {
			for _, c := range t.Calls {
				if matches(w.life, c, r) && !slices.Contains(out, t.From) {
					out = append(out, t.From)
				}
			}
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

func (w *walker) named(r *Run) bool {
	for i := range w.life.Callbacks {
		if w.life.Callbacks[i].Callback.Name == r.Name {
			return true
		}
	}
	return false
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
