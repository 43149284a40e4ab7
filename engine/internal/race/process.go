package race

import "github.com/eventraces/eventraces/engine/internal/hb"

// oneProcess: the two actions can run in one process. Components with an
// android:process of their own share no memory with the others.
func (f *finder) oneProcess(x, y hb.ActionID) bool {
	p, q := f.processOf(x), f.processOf(y)
	return p == q || p == everyProcess || q == everyProcess
}

// everyProcess stands for actions of every process, or of several.
const everyProcess = "*"

// processOf is the process in which an action runs: that of the component that
// it belongs to, or that of the component in which its component lives.
func (f *finder) processOf(x hb.ActionID) string {
	c := f.s.Actions[x].Component
	if c == 0 {
		return everyProcess
	}
	if h := f.s.HostOf(c); h != 0 {
		c = h
	}
	return f.r.Process(f.s.Components[c].Class)
}
