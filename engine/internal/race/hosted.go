package race

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/platform"
)

// hostedBefore: x is a callback of an object that runs only while its host is
// in certain states, and y a callback of the host after which the host is never
// in those states again: a fragment's clicks come before its activity's
// onDestroy.
func (f *finder) hostedBefore(x, y hb.ActionID) bool {
	a, b := &f.s.Actions[x], &f.s.Actions[y]
	if a.Component == 0 || b.Component == 0 || b.Arm == nil || b.Arm.Life == nil || b.Arm.LifeCall < 0 ||
		f.s.HostOf(a.Component) != b.Component || !f.delivered(x) {
		return false
	}
	life := f.s.Components[a.Component].Life
	states := runStates(life, a)
	if len(states) == 0 {
		return false
	}
	for _, st := range states {
		if !f.endsWith(life, st, b) {
			return false
		}
	}
	return true
}

// runStates lists the states of its lifecycle in, or to, which a callback runs.
func runStates(l *platform.Lifecycle, a *actions.Action) []int {
	if a.Arm.Life == nil {
		if a.Kind == hb.KindGUI {
			return l.GUI
		}
		return nil
	}
	var out []int
	for _, t := range l.Transitions {
		if slices.Contains(t.Calls, a.Arm.LifeCall) {
			out = append(out, t.To)
		}
	}
	for _, e := range l.Events {
		if e.Call == a.Arm.LifeCall {
			out = append(out, e.In...)
		}
	}
	return out
}

// endsWith: the host states that a state needs are never reached again once the
// host's callback has begun.
func (f *finder) endsWith(l *platform.Lifecycle, state int, host *actions.Action) bool {
	for i := range l.Within {
		w := &l.Within[i]
		if w.State != state || !slices.Contains(f.lineage(host.Component), w.Host) {
			continue
		}
		for _, st := range host.Arm.Life.ReachedBy(host.Arm.LifeCall) {
			if slices.Contains(w.Hosts, host.Arm.Life.States[st]) {
				return false
			}
		}
		return true
	}
	return false
}

// lineage names a component's class and its superclasses.
func (f *finder) lineage(c hb.ComponentID) []string {
	var out []string
	for k := f.s.Components[c].Class; k != 0; k = f.p.Classes[k].Super {
		out = append(out, f.p.Classes[k].Name)
	}
	return out
}

// firstOfView: x and y are callbacks of one view, or another object that lives
// from its allocation on, and y runs in states that only follow x.
func (f *finder) firstOfView(x, y hb.ActionID) bool {
	a, b := &f.s.Actions[x], &f.s.Actions[y]
	if a.Arm.Life == nil || a.Arm.Life != b.Arm.Life || a.Arm.Life.Source != platform.Allocated || a.Arm.Receiver != b.Arm.Receiver || a.Arm.LifeCall < 0 {
		return false
	}
	after := a.Arm.Life.ReachedBy(a.Arm.LifeCall)
	states := runStates(a.Arm.Life, b)
	for _, st := range states {
		if !slices.Contains(after, st) {
			return false
		}
	}
	return len(states) > 0
}
