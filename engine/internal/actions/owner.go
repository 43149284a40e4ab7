package actions

import (
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Owner says how many objects an abstract object stands for, and for what they
// live: the process, an instance of a component, or a run.
type Owner struct {
	Scope     hb.Scope
	Component hb.ComponentID // ScopeInstance
	Action    hb.ActionID    // ScopeRun: the run of the action that allocates it
	Unique    bool           // one object for each owner
}

// assignComponents makes a component of each object with a lifecycle and says
// to whose instance each action belongs.
func (s *Set) assignComponents() {
	for id := 2; id < len(s.Actions); id++ {
		a := &s.Actions[id]
		if a.Arm.Life == nil || a.Arm.Life.Source == platform.Allocated {
			continue
		}
		a.Component = s.component(a.Arm)
		a.Callback = callbackNumber(a.Arm)
		a.Once = s.lifeOnce(a)
	}
	s.hostComponents()
	s.inheritComponents()
	s.viewComponents()
}

// component is the component of a lifecycle arm's receiver.
func (s *Set) component(arm *pointsto.Arm) hb.ComponentID {
	id, ok := s.comps[arm.Receiver]
	if !ok {
		id = hb.ComponentID(len(s.Components))
		s.comps[arm.Receiver] = id
		s.Components = append(s.Components, Component{ID: id, Object: arm.Receiver, Class: s.PT.Object(arm.Receiver).Class, Life: arm.Life})
	}
	return id
}

// ComponentOf is the component that an object is, 0 if it is none.
func (s *Set) ComponentOf(o pointsto.Obj) hb.ComponentID { return s.comps[o] }

// callbackNumber numbers the callbacks of an automaton: the constructor 0, then
// the lifecycle's callbacks, then one for all GUI callbacks, then the others.
func callbackNumber(arm *pointsto.Arm) int32 {
	n := len(arm.Life.Callbacks)
	if arm.LifeCall < n {
		return int32(arm.LifeCall + 1)
	}
	return int32(arm.LifeCall + 2)
}

func guiNumber(l *platform.Lifecycle) int32 { return int32(len(l.Callbacks) + 1) }

// lifeOnce says how often a lifecycle callback runs: once per instance if it is
// no event, and no transition with it can follow one with it.
func (s *Set) lifeOnce(a *Action) Once {
	l := a.Arm.Life
	once := OncePerInstance
	if lasting(l) {
		once = OncePerProcess
	}
	if a.Arm.LifeCall == pointsto.Instantiate {
		return once
	}
	if l.IsEvent(a.Arm.LifeCall) {
		return Often
	}
	found := false
	for _, t := range l.Transitions {
		for _, c := range t.Calls {
			if c != a.Arm.LifeCall {
				continue
			}
			if found && !s.exclusive(l, a.Arm.LifeCall) || leads(l, t.To, a.Arm.LifeCall) {
				return Often
			}
			found = true
		}
	}
	if !found {
		return Often // one of others
	}
	return once
}

// lasting: the one instance lives as long as the process. A service is one at a
// time, but may be created again.
func lasting(l *platform.Lifecycle) bool {
	return l.Instances == platform.One
}

// exclusive: no transition with the callback can follow another one with it.
func (s *Set) exclusive(l *platform.Lifecycle, call int) bool {
	for _, t := range l.Transitions {
		if has(t.Calls, call) && leads(l, t.To, call) {
			return false
		}
	}
	return true
}

func has(calls []int, c int) bool {
	for _, x := range calls {
		if x == c {
			return true
		}
	}
	return false
}

// leads: from a state, a transition with the callback can be reached.
func leads(l *platform.Lifecycle, state, call int) bool {
	seen := make([]bool, len(l.States))
	work := []int{state}
	for len(work) > 0 {
		st := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[st] {
			continue
		}
		seen[st] = true
		for _, t := range l.Transitions {
			if t.From != st {
				continue
			}
			if has(t.Calls, call) {
				return true
			}
			work = append(work, t.To)
		}
	}
	return false
}

// hostComponents notes in which component each driven object lives, if it is
// one.
func (s *Set) hostComponents() {
	for id := 2; id < len(s.Actions); id++ {
		a := &s.Actions[id]
		if a.Component == 0 || s.hosts[a.Component] != 0 {
			continue
		}
		if h := s.PT.Host(a.Arm).One(); h != 0 && s.comps[h] != 0 && s.comps[h] != a.Component {
			s.hosts[a.Component] = s.comps[h]
		}
	}
}

// inheritComponents gives posted and registered actions the component of all
// their causes, if they agree.
func (s *Set) inheritComponents() {
	const several = hb.ComponentID(-1)
	for changed := true; changed; {
		changed = false
		for id := 2; id < len(s.Actions); id++ {
			a := &s.Actions[id]
			if a.Arm.Life != nil {
				continue
			}
			c := a.Component
			for arm := range a.arms {
				s.ByFunc[arm.In].All(func(p int) bool {
					switch pc := s.Actions[p].Component; {
					case pc == 0 || p == id || c == several:
					case c == 0:
						c = pc
					case c != pc:
						c = several
					}
					return true
				})
			}
			if c != a.Component {
				a.Component, changed = c, true
			}
		}
	}
	for id := range s.Actions {
		if s.Actions[id].Component == several {
			s.Actions[id].Component = 0
		}
	}
}

// viewComponents makes the callbacks of objects that live from their allocation
// on, such as views, GUI events of the component that made them.
func (s *Set) viewComponents() {
	for id := 2; id < len(s.Actions); id++ {
		a := &s.Actions[id]
		switch {
		case a.Arm.Life != nil && a.Arm.Life.Source == platform.Allocated:
			a.Component = s.holder(a.Arm)
			if a.Arm.LifeCall == pointsto.Instantiate {
				a.Kind = hb.KindSystem // inflated while the host is being set up, or later
			}
		case s.ownedByLifecycle(a):
			a.Callback = guiNumber(s.Components[a.Component].Life)
			continue
		case a.Kind != hb.KindGUI || a.Arm.Life != nil:
			continue
		}
		if a.Component != 0 && a.Kind == hb.KindGUI {
			a.Callback = guiNumber(s.Components[a.Component].Life)
		}
	}
}

// ownedByLifecycle: the model ties the action to the lifecycle of an owner, which
// becomes its component: it runs while the owner is started, which is when the
// user's events come too.
func (s *Set) ownedByLifecycle(a *Action) bool {
	e := a.Arm.Effect
	if e == nil || e.Owner.Zero() {
		return false
	}
	if o := s.PT.Eval(a.Arm.Scope, e.Owner).One(); o != 0 && s.comps[o] != 0 {
		a.Component = s.comps[o]
		return true
	}
	return false
}

// holder is the component in whose actions an object is allocated or inflated.
func (s *Set) holder(arm *pointsto.Arm) hb.ComponentID {
	if h := s.PT.Host(arm).One(); h != 0 && s.comps[h] != 0 {
		return s.comps[h]
	}
	f := s.PT.Object(arm.Receiver).Func
	if f == 0 || s.ByFunc[f] == nil {
		return 0
	}
	var c hb.ComponentID
	one := true
	s.ByFunc[f].All(func(p int) bool {
		switch pc := s.Actions[p].Component; {
		case pc == 0:
		case c == 0:
			c = pc
		case c != pc:
			one = false
		}
		return true
	})
	if !one {
		return 0
	}
	return c
}

// OwnerOf says what an abstract object stands for.
func (s *Set) OwnerOf(o pointsto.Obj) Owner {
	if w, ok := s.owners[o]; ok {
		return w
	}
	return s.owner(o)
}

// own says what each object stands for, once the actions have their components.
func (s *Set) own() {
	s.PT.EachObject(func(o pointsto.Obj) { s.owners[o] = s.OwnerOf(o) })
}

func (s *Set) owner(o pointsto.Obj) Owner {
	info := s.PT.Object(o)
	if info.Holder != 0 { // one for each holder
		return s.OwnerOf(info.Holder)
	}
	switch info.Kind {
	case pointsto.Component:
		c := s.comps[o]
		if c != 0 && lasting(s.Components[c].Life) {
			return Owner{Scope: hb.ScopeProcess, Unique: true}
		}
		return Owner{Scope: hb.ScopeInstance, Component: c, Unique: true}
	case pointsto.Static:
		return Owner{Scope: hb.ScopeProcess, Unique: true}
	case pointsto.View:
		return Owner{Scope: hb.ScopeInstance, Unique: info.Label != ""}
	}
	if info.Func == 0 || s.ByFunc[info.Func] == nil {
		return Owner{}
	}
	w := s.allocationOwner(info.Func)
	w.Unique = w.Scope != hb.ScopeUnknown && !s.repeats(w.Action, info)
	if w.Scope != hb.ScopeRun {
		w.Action = 0
	}
	return w
}

// allocationOwner is what an allocation in f lives for.
func (s *Set) allocationOwner(f pointsto.FuncID) Owner {
	by := s.ByFunc[f]
	if by.Count() != 1 {
		return Owner{}
	}
	var a *Action
	by.All(func(id int) bool { a = &s.Actions[id]; return false })
	switch a.Once {
	case OncePerProcess:
		return Owner{Scope: hb.ScopeProcess, Action: a.ID}
	case OncePerInstance:
		return Owner{Scope: hb.ScopeInstance, Component: a.Component, Action: a.ID}
	}
	return Owner{Scope: hb.ScopeRun, Action: a.ID}
}

// repeats: one run of the action may execute the allocation more than once.
func (s *Set) repeats(act hb.ActionID, o *pointsto.Object) bool {
	if act == 0 {
		return true
	}
	if o.Site <= 0 {
		return false // made by the platform for a callback: one a run
	}
	site := SiteOf(o.Func, o.Site)
	return s.MayPrecede(act, site, site)
}
