package platform

import "slices"

// Source tells where the objects of a lifecycle come from.
type Source uint8

const (
	FromManifest Source = iota // a component declared in the manifest
	Driven                     // an object handed to the framework by a Drive effect, a layout or another lifecycle
	Allocated                  // any object of an app class, from its allocation on
)

// Instances tells how many objects of one class live in a process.
type Instances uint8

const (
	Many       Instances = iota
	One                  // one per process, which lives as long
	OneAtATime           // one, but another one may come when it is gone
	Each                 // a fresh one for each delivery
)

// LifeCallback is a callback of a lifecycle, on its object.
type LifeCallback struct {
	Callback Callback // Target is This
	On       Place    // queue; main if zero
	Cause    Cause
	Rare     bool
	Pending  bool     // answers what an earlier instance of the object may have asked for
	Then     []Effect // done when it has returned, also where the app does not override it
	Crash    string   // as on a registration
	Threads  Threads
	SDK      SDK
	Pos      Pos
}

// Transition runs Calls in order and moves From -> To. Optional callbacks
// have been spelled out as further transitions by the loader.
type Transition struct {
	From, To int
	Calls    []int // indices in Callbacks
	By       Cause // ByLifecycle, ByGUI (the user's or the app's doing)
	Boot     int   // > 0: runs before anything else of the process; lower first
	Rare     bool  // few instances take it
	SDK      SDK
	Pos      Pos
}

// Event is a callback that does not move the automaton; it may run again and
// again in the states In.
type Event struct {
	Call int
	In   []int // sorted
}

// Others says when overrides that no transition or event names may run.
type Others struct {
	Prefix string // method names, "on"
	In     []int
	Cause  Cause
}

// Predicate is a query of the framework whose answer follows from the state.
type Predicate struct {
	Name        string
	True, False []int // states; in any other the answer is open
}

// Finished says that a callback does not begin any more once a run of its looper has asked for the end of
// its object.
type Finished struct {
	Name  string // of the method
	Input bool   // only if the user's input made that run: what the system sends may be under way at others
}

// Within says that the states of this lifecycle need states of its host.
type Within struct {
	Host  string // base class of the host's lifecycle
	State int
	Hosts []string // names of the host's states
}

// Lifecycle is the automaton of a kind of component or driven object.
type Lifecycle struct {
	Base        string // base class
	Kind        string // activity, service, receiver, provider, application, fragment, view ...
	Source      Source
	Instances   Instances
	Made        []Constructor // how the platform makes an object; none given: without arguments
	States      []string      // States[0] is the initial one
	Callbacks   []LifeCallback
	Transitions []Transition
	Passing     []int // states that instances usually leave in the run in which they enter them
	GUI         []int // states in which GUI callbacks that belong to the object may run
	Events      []Event
	Others      []Others
	Predicates  []Predicate
	Finished    []Finished
	Within      []Within
	Pos         Pos
}

// Constructor is one by which the platform makes the object of a lifecycle.
type Constructor struct {
	Params []string // dotted type names
	Open   bool     // more parameters may follow
}

// MadeBy reports whether the platform makes objects of the lifecycle by a
// constructor with these parameters.
func (l *Lifecycle) MadeBy(params []string) bool {
	if len(l.Made) == 0 {
		return len(params) == 0
	}
	for _, c := range l.Made {
		if (&Method{Params: c.Params, Open: c.Open}).Accepts(params) {
			return true
		}
	}
	return false
}

// Single reports whether at most one object of a class lives at any time.
func (l *Lifecycle) Single() bool { return l.Instances == One || l.Instances == OneAtATime }

// State gives the index of a state, -1 if there is none of that name.
func (l *Lifecycle) State(name string) int {
	for i, s := range l.States {
		if s == name {
			return i
		}
	}
	return -1
}

// Lifecycle finds the automaton for a class: of the nearest superclass that
// has one.
func (m *Models) Lifecycle(h Hierarchy, class string) *Lifecycle {
	seen := map[string]bool{class: true}
	for level := []string{class}; len(level) > 0; {
		var next []string
		for _, c := range level {
			for _, l := range m.Lifecycles {
				if l.Base == c {
					return l
				}
			}
			for _, s := range h(c) {
				if !seen[s] {
					seen[s] = true
					next = append(next, s)
				}
			}
		}
		level = next
	}
	return nil
}

// forSDK drops what does not hold; callbacks keep their indices.
func (l *Lifecycle) forSDK(min, target int) *Lifecycle {
	out := *l
	out.Callbacks = append([]LifeCallback(nil), l.Callbacks...)
	for i := range out.Callbacks {
		out.Callbacks[i].Then = effectsFor(out.Callbacks[i].Then, min, target)
	}
	out.Transitions, out.Events = nil, nil
	for _, t := range l.Transitions {
		if t.SDK.Applies(min, target) {
			out.Transitions = append(out.Transitions, t)
		}
	}
	for _, e := range l.Events {
		if l.Callbacks[e.Call].SDK.Applies(min, target) {
			out.Events = append(out.Events, e)
		}
	}
	return &out
}

// IsEvent reports whether a callback is an event, though transitions may deliver
// it too. One that also moves the object to another state is of the lifecycle. It
// asks for a lifecycle in which each callback stands once.
func (l *Lifecycle) IsEvent(call int) bool {
	return slices.ContainsFunc(l.Events, func(e Event) bool { return e.Call == call }) &&
		l.Callbacks[call].Cause != ByLifecycle
}

// ReachedBy lists the states that a callback leads to, now or later.
func (l *Lifecycle) ReachedBy(call int) []int {
	seen := make([]bool, len(l.States))
	var work, out []int
	for _, t := range l.Transitions {
		if slices.Contains(t.Calls, call) {
			work = append(work, t.To)
		}
	}
	for len(work) > 0 {
		st := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[st] {
			continue
		}
		seen[st] = true
		out = append(out, st)
		for _, t := range l.Transitions {
			if t.From == st {
				work = append(work, t.To)
			}
		}
	}
	return out
}

// Finishes reports whether a callback does not begin any more once a run of its looper, made by the user's
// input or not, has asked for the end of its object.
func (l *Lifecycle) Finishes(name string, input bool) bool {
	return slices.ContainsFunc(l.Finished, func(e Finished) bool { return e.Name == name && (input || !e.Input) })
}

// Answers reports whether a query has this answer in every state that a
// transition with the callback leads to, and in all that follow.
func (l *Lifecycle) Answers(p *Predicate, call int, answer bool) bool {
	in := p.False
	if answer {
		in = p.True
	}
	states := l.ReachedBy(call)
	for _, st := range states {
		if !slices.Contains(in, st) {
			return false
		}
	}
	return len(states) > 0
}
