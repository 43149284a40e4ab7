package actions

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// modelling holds what is shared between parts of the neutral model while it is
// built: an automaton for each lifecycle, a source for each object or
// registration.
type modelling struct {
	automata map[*platform.Lifecycle]*hb.Automaton
	sources  map[sourceKey]hb.SourceID
	process  map[string]hb.ProcessID
	methods  map[string]int32
}

// method numbers the names of components' callbacks.
func (b *modelling) method(name string) int32 {
	if b.methods[name] == 0 {
		b.methods[name] = int32(len(b.methods) + 1)
	}
	return b.methods[name]
}

func newModelling() *modelling {
	return &modelling{
		automata: map[*platform.Lifecycle]*hb.Automaton{}, sources: map[sourceKey]hb.SourceID{}, process: map[string]hb.ProcessID{}, methods: map[string]int32{},
	}
}

// sourceKey tells apart the objects whose callbacks the platform delivers one
// after the other: those with a lifecycle, and for others each call that
// registers them.
type sourceKey struct {
	receiver pointsto.Obj
	life     *platform.Lifecycle
	f        pointsto.FuncID
	site     hb.Site
}

// automaton is the automaton of a lifecycle. State 0 is "unborn".
func (b *modelling) automaton(l *platform.Lifecycle) *hb.Automaton {
	if a := b.automata[l]; a != nil {
		return a
	}
	a := &hb.Automaton{States: append([]string{"unborn"}, l.States...), Passing: shifted(l.Passing)}
	for _, t := range l.Transitions {
		h := hb.Transition{From: int32(t.From + 1), To: int32(t.To + 1), User: t.By == platform.ByGUI, Rare: t.Rare}
		for _, k := range t.Calls {
			h.Callbacks = append(h.Callbacks, int32(k+1))
		}
		a.Transitions = append(a.Transitions, h)
	}
	a.Transitions = append(a.Transitions, hb.Transition{From: 0, To: 1, Callbacks: []int32{0}})
	for _, e := range l.Events {
		a.Events = append(a.Events, hb.Event{Callback: int32(e.Call + 1), States: shifted(e.In)})
	}
	a.Events = append(a.Events, hb.Event{Callback: guiNumber(l), States: shifted(l.GUI)})
	for k, o := range l.Others {
		a.Events = append(a.Events, hb.Event{Callback: int32(len(l.Callbacks) + k + 2), States: shifted(o.In)})
	}
	b.automata[l] = a
	return a
}

func shifted(states []int) []int32 {
	out := make([]int32, len(states))
	for i, st := range states {
		out[i] = int32(st + 1)
	}
	return out
}

// hbAction is an action of the neutral model.
func (s *Set) hbAction(b *modelling, a *Action) hb.Action {
	h := hb.Action{Name: s.Name(a.ID), Kind: a.Kind, Queue: a.Queue, Component: a.Component, Callback: a.Callback}
	if a.Arm == nil {
		return h
	}
	if a.Arm.Life != nil {
		h.Repeats = true
		h.Birth = a.Arm.LifeCall == pointsto.Instantiate
		h.SourceCall = callbackNumber(a.Arm)
		h.Method = b.method(a.Arm.Name)
	}
	h.Separate = s.separate(a)
	if len(a.More) == 0 {
		h.Source = s.source(b, a.Arm)
	}
	return h
}

// separate reports whether an action never runs in the middle of another run of its
// looper: what is posted, and what the platform brings by a message or an input event.
func (s *Set) separate(a *Action) bool {
	for arm := range a.arms {
		switch {
		case arm.General:
			return false
		case arm.Life != nil && s.PT.Object(arm.Receiver).Kind == pointsto.Component && inTransition(arm.Life, arm.LifeCall):
		case arm.Effect != nil && (arm.Effect.Kind == platform.Post || arm.Effect.Kind == platform.Start):
		case arm.Receiver == 0 || !s.PT.Models.Separate(s.supers, s.className(arm.Receiver), arm.Name):
			return false
		}
	}
	return true
}

// Renewing lists the actions that come before any other callback of a's source once a has run: those that
// begin the next round.
func (s *Set) Renewing(a hb.ActionID) []hb.ActionID {
	arm, source := s.Actions[a].Arm, s.Model.Actions[a].Source
	if arm == nil || arm.Receiver == 0 || source == 0 {
		return nil
	}
	begin := s.PT.Models.Renewed(s.supers, s.className(arm.Receiver), arm.Name)
	var out []hb.ActionID
	for id := 2; id < len(s.Actions) && begin != ""; id++ {
		if b := s.Actions[id].Arm; s.Model.Actions[id].Source == source && b != nil && b.Name == begin {
			out = append(out, hb.ActionID(id))
		}
	}
	return out
}

// Settled reports whether a callback of a component comes only once it has started.
func (s *Set) Settled(id hb.ActionID) bool {
	for arm := range s.Actions[id].arms {
		if arm.Life == nil || arm.Receiver == 0 || !s.PT.Models.Settled(s.supers, s.className(arm.Receiver), arm.Name) {
			return false
		}
	}
	return s.Actions[id].Arm != nil
}

// Births lists where an object is made, and by which actions; nil if that is not known.
func (s *Set) Births(o pointsto.Obj) []hb.At {
	if o == 0 {
		return nil
	}
	info := s.PT.Object(o)
	if info.Kind != pointsto.Allocated && info.Kind != pointsto.LambdaObj || info.Func == 0 || s.ByFunc[info.Func] == nil {
		return nil
	}
	var out []hb.At
	s.ByFunc[info.Func].All(func(id int) bool {
		if id == 1 || s.Executes(hb.ActionID(id), info.Func, info.Site) {
			out = append(out, hb.At{Action: hb.ActionID(id), Site: SiteOf(info.Func, info.Site)})
		}
		return true
	})
	return out
}

// source is the object whose callback an arm is, 0 if what delivers it is not
// known to keep its callbacks apart.
func (s *Set) source(b *modelling, arm *pointsto.Arm) hb.SourceID {
	if arm.Receiver == 0 {
		return 0
	}
	key := sourceKey{receiver: arm.Receiver, life: arm.Life}
	if arm.Life == nil {
		if !arm.General && (arm.Effect == nil || arm.Effect.Kind != platform.Register) {
			return 0
		}
		key.f, key.site = arm.Func, SiteOf(arm.Func, arm.Site)
	}
	id, ok := b.sources[key]
	if !ok {
		src := hb.Source{Name: s.className(arm.Receiver)}
		if arm.Life != nil {
			src.Automaton = b.automaton(arm.Life)
		}
		id = s.Model.AddSource(src)
		b.sources[key] = id
	}
	return id
}

// inTransition: the platform makes the call in a transition of a lifecycle, or makes the
// object by it; not as an event, which may come from within a call of the app.
func inTransition(l *platform.Lifecycle, call int) bool {
	return call == pointsto.Instantiate || slices.ContainsFunc(l.Transitions, func(t platform.Transition) bool { return has(t.Calls, call) })
}

// protocols notes which callbacks of one handed-over object have run before the
// first run of others, as the models say.
func (s *Set) protocols() {
	type call struct {
		receiver pointsto.Obj
		site     hb.Site
	}
	groups := map[call][]hb.ActionID{}
	for id := 2; id < len(s.Actions); id++ {
		if a := s.Actions[id].Arm; a.Life == nil && a.Receiver != 0 && len(s.Actions[id].More) == 0 {
			key := call{a.Receiver, SiteOf(a.Func, a.Site)}
			groups[key] = append(groups[key], hb.ActionID(id))
		}
	}
	for id := 2; id < len(s.Actions); id++ {
		a := s.Actions[id].Arm
		if a.Life != nil || a.Receiver == 0 || len(s.Actions[id].More) > 0 {
			continue
		}
		before := s.PT.Models.After(s.supers, s.className(a.Receiver), a.Name)
		if len(before) == 0 {
			continue
		}
		for _, x := range groups[call{a.Receiver, SiteOf(a.Func, a.Site)}] {
			if x != hb.ActionID(id) && slices.Contains(before, s.Actions[x].Arm.Name) {
				s.Model.Actions[id].Preceded = append(s.Model.Actions[id].Preceded, x)
			}
		}
	}
}

// processOf numbers the process in which the system runs the components of a
// class; every process is 0.
func (s *Set) processOf(b *modelling, c Component) hb.ProcessID {
	name := s.PT.Process(c.Class)
	if name == everyProcess {
		return 0
	}
	id, ok := b.process[name]
	if !ok {
		id = hb.ProcessID(len(b.process) + 1)
		b.process[name] = id
	}
	return id
}

// everyProcess is what a component is said to run in that has an instance in
// each process.
const everyProcess = "*"

// needs lists for each state of a component's automaton the states of its host's
// automaton that it needs, nil for any.
func (s *Set) needs(c Component) [][]int32 {
	host := s.hosts[c.ID]
	if host == 0 || len(c.Life.Within) == 0 {
		return nil
	}
	life, lineage := s.Components[host].Life, s.lineage(host)
	out := make([][]int32, len(c.Life.States)+1)
	for i := range c.Life.Within {
		w := &c.Life.Within[i]
		if out[w.State+1] != nil || !slices.Contains(lineage, w.Host) {
			continue
		}
		states := []int32{}
		for k, name := range life.States {
			if slices.Contains(w.Hosts, name) {
				states = append(states, int32(k+1))
			}
		}
		out[w.State+1] = states
	}
	return out
}

// lineage names a component's class and its superclasses.
func (s *Set) lineage(c hb.ComponentID) []string {
	var out []string
	for k := s.Components[c].Class; k != 0; k = s.PT.Prog.Classes[k].Super {
		out = append(out, s.PT.Prog.Classes[k].Name)
	}
	return out
}
