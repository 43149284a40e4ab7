package pointsto

import (
	"fmt"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/platform"
)

// merged gives a lifecycle in which each callback stands once, whatever number
// of transitions and events name it: it is one action.
func merged(l *platform.Lifecycle) *platform.Lifecycle {
	out := *l
	out.Callbacks = nil
	index := map[string]int{}
	to := make([]int, len(l.Callbacks))
	for i, c := range l.Callbacks {
		key := fmt.Sprint(c.Callback.Name, " ", len(c.Callback.Args), c.Callback.AnyArgs, strings.Join(c.Callback.Params, ","), c.On)
		k, ok := index[key]
		if !ok {
			k = len(out.Callbacks)
			index[key] = k
			out.Callbacks = append(out.Callbacks, c)
		}
		to[i] = k
		m := &out.Callbacks[k]
		m.Rare = m.Rare && c.Rare
		if len(m.Then) == 0 {
			m.Then = c.Then
		}
		if m.Crash == "" {
			m.Crash, m.Threads = c.Crash, c.Threads
		}
	}
	out.Transitions = make([]platform.Transition, len(l.Transitions))
	for i, t := range l.Transitions {
		calls := make([]int, len(t.Calls))
		for k, c := range t.Calls {
			calls[k] = to[c]
		}
		t.Calls = calls
		out.Transitions[i] = t
	}
	out.Events = make([]platform.Event, len(l.Events))
	for i, e := range l.Events {
		e.Call = to[e.Call]
		out.Events[i] = e
	}
	return &out
}
