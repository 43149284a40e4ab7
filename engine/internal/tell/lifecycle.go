package tell

import (
	"cmp"
	"slices"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// lastCallback is the first callback of the life that x is of after which y, its
// input or another callback of it, cannot come any more. It is "" if there is
// none or x is that.
func (t *Teller) lastCallback(x, y hb.ActionID) string {
	arm, other := t.set.Actions[x].Arm, t.set.Actions[y].Arm
	if arm == nil || arm.Life == nil || t.set.Actions[x].Kind != hb.KindLifecycle || arm.LifeCall < 0 || other == nil {
		return ""
	}
	if other.Life != arm.Life && t.set.Actions[y].Kind != hb.KindGUI {
		return ""
	}
	for _, tr := range arm.Life.Transitions {
		for _, c := range tr.Calls {
			states := arm.Life.ReachedBy(c)
			if len(states) == 0 || slices.Contains(states, tr.From) || comesIn(arm.Life, states, other) {
				continue
			}
			if c == arm.LifeCall {
				return ""
			}
			return arm.Life.Callbacks[c].Callback.Name
		}
	}
	return ""
}

// undoneBy is the callback that brings a lifecycle back to where callback a was
// called: the first that comes on the way there again, or, where there is no way
// back, the first of all. It is "" if that is not one for sure.
func undoneBy(a *pointsto.Arm) string {
	if a == nil || a.Life == nil || a.LifeCall < 0 {
		return ""
	}
	life := a.Life
	name := func(call int) string { return life.Callbacks[call].Callback.Name }
	is := func(call int) bool { return name(call) == name(a.LifeCall) }
	first, launch := launched(life)
	direct, around, last := "", "", true
	for _, to := range life.Transitions {
		if !slices.ContainsFunc(to.Calls, is) || to.From == 0 {
			continue
		}
		for _, back := range life.Transitions {
			if back.From != to.To || len(back.Calls) == 0 {
				continue
			}
			last = false
			call := back.Calls[0]
			if i := slices.IndexFunc(back.Calls, func(c int) bool { return launch[name(c)] }); i >= 0 {
				call = back.Calls[i]
			}
			switch {
			case back.To == to.From && direct == "":
				direct = name(call)
			case around == "" && slices.Contains(life.ReachedBy(call), to.From) && !slices.ContainsFunc(back.Calls, is):
				around = name(call)
			}
		}
	}
	switch {
	case direct != "" || around != "":
		return cmp.Or(direct, around)
	case last && len(first) == 1:
		return first[0]
	}
	return ""
}

// launched names the callbacks that a new object is called with: those that may
// come first, in the order of the transitions, and all of them.
func launched(life *platform.Lifecycle) (first []string, all map[string]bool) {
	all = map[string]bool{}
	for _, tr := range life.Transitions {
		if tr.From != 0 {
			continue
		}
		for i, c := range tr.Calls {
			name := life.Callbacks[c].Callback.Name
			all[name] = true
			if i == 0 && !slices.Contains(first, name) {
				first = append(first, name)
			}
		}
	}
	return first, all
}

// comesIn reports whether an action can run in one of the states of a life: as its
// callback, or as its input.
func comesIn(l *platform.Lifecycle, states []int, a *pointsto.Arm) bool {
	if a.Life != l || a.LifeCall < 0 || a.LifeCall >= len(l.Callbacks) {
		return slices.ContainsFunc(states, func(st int) bool { return slices.Contains(l.GUI, st) })
	}
	return slices.ContainsFunc(l.Transitions, func(t platform.Transition) bool {
		return slices.Contains(states, t.From) && slices.Contains(t.Calls, a.LifeCall)
	}) || slices.ContainsFunc(l.Events, func(e platform.Event) bool {
		return e.Call == a.LifeCall && slices.ContainsFunc(e.In, func(st int) bool { return slices.Contains(states, st) })
	})
}
