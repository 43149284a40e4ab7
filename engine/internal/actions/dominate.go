package actions

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// entered asks whether v of an ordering's function has been executed whenever an
// action enters f.
type entered struct {
	act hb.ActionID
	f   pointsto.FuncID
	v   ir.Value
}

// Dominates: whenever q executes, p has executed earlier in that run.
func (s *Set) Dominates(act hb.ActionID, p, q hb.Site) bool {
	pf, pv := splitSite(p)
	qf, qv := splitSite(q)
	o := s.ordering(pf)
	o.mu.Lock()
	defer o.mu.Unlock()
	d := domination{o: o, cover: o.coverOf(pv), a: &s.Actions[act], v: pv}
	return d.within(qf, qv) || d.entered(entered{act, qf, pv})
}

// domination asks whether one site has been executed whenever another is. The lock
// of its ordering is held.
type domination struct {
	o     *ordering
	cover *cover
	a     *Action
	v     ir.Value
}

// within: p has been executed since f was entered, whenever v of f is about to be.
func (d *domination) within(f pointsto.FuncID, v ir.Value) bool {
	b := d.o.s.PT.Body(f)
	if b == nil {
		return false
	}
	if f == d.o.f && d.v != v && b.Flow().Dominates(d.v, v) {
		return true
	}
	return slices.ContainsFunc(d.cover.certain(d.o.s, f), func(x ir.Value) bool { return x != v && b.Flow().Dominates(x, v) })
}

// entered: p has been executed whenever f is entered.
func (d *domination) entered(key entered) bool {
	after, ok := d.o.after[key]
	if !ok {
		if len(d.o.after) >= afterKept {
			clear(d.o.after)
		}
		after = d.everyWayIn(key.f)
		d.o.after[key] = after
	}
	return after
}

// everyWayIn: each way from an entry of the action to f passes p. A way around a
// cycle adds nothing: the other ways decide.
func (d *domination) everyWayIn(f pointsto.FuncID) bool {
	s := d.o.s
	seen := s.marks.Get().(*marks)
	defer s.marks.Put(seen)
	seen.begin(len(s.PT.Funcs))
	seen.add(f)
	for work := []pointsto.FuncID{f}; len(work) > 0; {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		way := false
		for i, e := range d.a.Entries {
			if e == f {
				if !d.earlier(i) {
					return false
				}
				way = true
			}
		}
		for _, c := range s.callers[f] {
			if !d.a.Reach.Has(int(c.Caller)) {
				continue
			}
			way = true
			if !seen.has(c.Caller) && !d.calledBack(c) && !d.within(c.Caller, c.Site) {
				seen.add(c.Caller)
				work = append(work, c.Caller)
			}
		}
		if !way {
			return false
		}
	}
	return true
}

// calledBack: p is what the modelled call does before it calls back.
func (d *domination) calledBack(c pointsto.Call) bool {
	if c.Caller != d.o.f || c.Site != d.v {
		return false
	}
	_, after := d.o.s.effectsAround(c.Caller, c.Site)
	return !after
}

// earlier: one of the entries before entry i always executes p.
func (d *domination) earlier(i int) bool {
	return slices.ContainsFunc(d.a.Entries[:i], func(e pointsto.FuncID) bool { return d.cover.holds(d.o.s, e) })
}

// marks is a set of functions that is emptied at once.
type marks struct {
	at  []uint32
	now uint32
}

func (m *marks) begin(n int) {
	if len(m.at) < n {
		m.at, m.now = make([]uint32, n), 0
	}
	m.now++
	if m.now == 0 {
		clear(m.at)
		m.now = 1
	}
}

func (m *marks) add(f pointsto.FuncID)      { m.at[f] = m.now }
func (m *marks) has(f pointsto.FuncID) bool { return m.at[f] == m.now }
