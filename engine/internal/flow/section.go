package flow

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// A critical section of a lock begins where it is taken and not held already, and ends where it
// is given back: what is known inside of one holds to its end, whatever other threads do that
// take the lock.

// yield finds the functions that lead to a call that gives back a lock which the function
// itself has not taken, or takes it again at once, as wait does: there a section ends even if a
// caller has begun it.
func (l *Locks) yield() {
	for f := pointsto.FuncID(1); int(f) < len(l.r.Funcs); f++ {
		for v := range l.calls[f] {
			for _, o := range l.yielded(f, v) {
				l.waits[o] = joinBits(l.waits[o], l.s.Upward(f))
			}
		}
	}
}

// yielded lists the locks that a call gives back though its function has not taken them,
// or gives back and takes again.
func (l *Locks) yielded(f pointsto.FuncID, v ir.Value) []Lock {
	b := l.r.Body(f)
	if b == nil || v <= 0 || l.s.ByFunc[f] == nil {
		return nil
	}
	own := l.own(f, v)
	var out []Lock
	all := l.changes(f, b, v)
	for _, c := range all {
		back := slices.ContainsFunc(all, func(d change) bool { return d.taken && d.lock.Alone() == c.lock.Alone() })
		if !c.taken && (back || !own.has(c.lock)) {
			out = append(out, c.lock.Alone())
		}
	}
	return out
}

// cuts reports whether instruction v of f may end a critical section of a lock, or begin
// one: what is known before it is not known inside of the section.
func (l *Locks) cuts(o Lock, f pointsto.FuncID, b *ir.Body, v ir.Value) bool {
	for _, c := range l.changes(f, b, v) {
		if c.lock.Alone() == o && (!c.taken || !l.at(f, v).has(o)) {
			return true
		}
	}
	return false
}

// begins reports whether a section of a lock begins with function f, a synchronized method
// that not every caller calls inside of one.
func (l *Locks) begins(o Lock, f pointsto.FuncID) bool {
	return l.start[f].has(o) && !l.entry[f].has(o)
}

// ends lists where critical sections of a lock end: where it is given back, if no caller
// still holds it, and at the returns of the methods that begin one.
func (l *Locks) ends(o Lock) []hb.Site {
	var out []hb.Site
	for f := pointsto.FuncID(1); int(f) < len(l.r.Funcs); f++ {
		b := l.r.Body(f)
		if b == nil || l.local[f] == nil && !l.begins(o, f) {
			continue
		}
		for v := ir.Value(1); int(v) < b.Len(); v++ {
			switch {
			case b.Op[v] == ir.OpReturn && l.begins(o, f), slices.Contains(l.yielded(f, v), o):
				out = append(out, actions.SiteOf(f, v))
			case !l.entry[f].has(o) && slices.ContainsFunc(l.changes(f, b, v), func(c change) bool { return !c.taken && c.lock.Alone() == o }):
				out = append(out, actions.SiteOf(f, v))
			}
		}
	}
	return out
}

func joinBits(a, b actions.Bits) actions.Bits {
	out := make(actions.Bits, max(len(a), len(b)))
	copy(out, a)
	for i, w := range b {
		out[i] |= w
	}
	return out
}
