package finding

import (
	"fmt"
	"strings"
)

// saver puts what the races of a run share into tables.
type saver struct {
	fields       set[Field]
	methods      table[string, Method]
	positions    set[savedPosition]
	actions      set[savedAction]
	sides        set[savedSide]
	events       set[savedEvent]
	chains       lists
	frames       set[savedFrame]
	calls        lists
	further      lists
	steps        table[string, savedStep]
	facts        set[Fact]
	phrases      set[string]
	texts        lists
	known        map[string]index // texts
	suppressions set[Suppression]
}

func (s *saver) tables() savedTables {
	return savedTables{
		Fields: orEmpty(s.fields.rows), Methods: orEmpty(s.methods.rows), Positions: orEmpty(s.positions.rows),
		Actions: orEmpty(s.actions.rows), Sides: orEmpty(s.sides.rows), Events: orEmpty(s.events.rows),
		Chains: orEmpty(s.chains.rows), Frames: orEmpty(s.frames.rows), Calls: orEmpty(s.calls.rows),
		Further: orEmpty(s.further.rows), Steps: orEmpty(s.steps.rows), Facts: orEmpty(s.facts.rows),
		Phrases: orEmpty(s.phrases.rows), Texts: orEmpty(s.texts.rows), Suppressions: orEmpty(s.suppressions.rows),
	}
}

func orEmpty[R any](rows []R) []R {
	if rows == nil {
		return []R{}
	}
	return rows
}

func (s *saver) finding(f *Finding) savedFinding {
	return savedFinding{
		Rule: f.Rule, Field: s.fields.put(f.Field), Priority: f.Priority,
		Races: each(f.Races, func(r *Race) savedRace { return s.race(f, r) }),
	}
}

func (s *saver) race(f *Finding, r *Race) savedRace {
	out := savedRace{
		ID: r.ID, Sides: each(r.Sides[:], s.side),
		Order: s.text(&r.Order), Wrong: s.text(&r.Wrong), Fix: s.text(&r.Fix),
		Priority: r.Priority, Facts: each(r.Facts, func(x *Fact) index { return s.facts.put(*x) }),
		Pairs: r.Pairs, Brief: r.Brief, State: r.State, Limited: each(r.Limited, s.text),
	}
	if r.Rule != f.Rule {
		out.Rule = r.Rule
	}
	if r.Field != f.Field {
		out.Field = s.fields.put(r.Field)
	}
	if r.Schedule != nil {
		out.Schedule = &savedSchedule{Outcome: r.Schedule.Outcome, Steps: each(r.Schedule.Steps, s.step)}
	}
	if a := r.Accepted; a != nil {
		out.Accepted = &savedAccepted{
			Rule: a.Rule, Field: s.text(&a.Field), Callbacks: [2]index(each(a.Callbacks[:], s.text)),
			Priority: a.Priority, ID: a.ID, Reason: a.Reason,
		}
	}
	if r.Suppressed != nil {
		out.Suppressed = s.suppressions.put(*r.Suppressed)
	}
	return out
}

// text cuts a text behind brackets and semicolons. Each pair of accesses has texts
// of its own, but what is said of one side, or of the location, comes again.
func (s *saver) text(t *string) index {
	if i, ok := s.known[*t]; ok {
		return i
	}
	list := []index{}
	for rest := *t; rest != ""; {
		end := strings.IndexAny(rest, ");") + 1
		if end == 0 {
			end = len(rest)
		}
		list = append(list, s.phrases.put(rest[:end]))
		rest = rest[end:]
	}
	if s.known == nil {
		s.known = map[string]index{}
	}
	s.known[*t] = s.texts.put(list)
	return s.known[*t]
}

func (s *saver) method(m *Method) index {
	return s.methods.put(fmt.Sprintf("%q %q %t %q", m.Class, m.Name, m.Params == nil, m.Params), *m)
}

func (s *saver) callback(c *Callback) index {
	return s.method(&Method{Class: c.Class, Name: c.Name, Params: c.Params})
}

func (s *saver) position(p *Position) index {
	return s.positions.put(savedPosition{Method: s.method(&p.Method), File: p.File, Line: p.Line, Found: p.Found})
}

func (s *saver) side(x *Side) index {
	a := &x.Access
	return s.sides.put(savedSide{
		At: s.position(&a.Position), Kind: a.Kind,
		Action:  s.actions.put(savedAction{Name: a.Action, Entry: s.callback(&a.Entry), Thread: a.Thread}),
		Chain:   s.chains.put(each(x.Events, s.event)),
		Calls:   s.calls.put(each(x.Calls, s.frame)),
		Further: s.further.put(each(x.Further, s.position)),
	})
}

func (s *saver) event(e *Event) index {
	out := savedEvent{What: e.What, Cause: e.Cause, Thread: e.Thread}
	if e.Callback != nil {
		out.Callback = s.method(e.Callback)
	}
	if e.Site != nil {
		out.Site = s.position(e.Site)
	}
	return s.events.put(out)
}

func (s *saver) frame(f *Frame) index {
	return s.frames.put(savedFrame{At: s.position(&f.Position), Note: f.Note})
}

func (s *saver) step(x *Step) index {
	action := savedAction{Name: x.Action, Thread: x.Thread}
	if x.Callback != nil {
		action.Entry = s.callback(x.Callback)
	}
	out := savedStep{
		Action: s.actions.put(action), Run: x.Run, Cause: x.Cause, Instance: x.Instance, Once: x.Once, What: x.What,
		Branches: each(x.Branches, func(b *Branch) savedBranch { return savedBranch{At: s.position(&b.At), Takes: b.Takes} }),
	}
	if x.Until != nil {
		out.Until = s.position(x.Until)
	}
	return s.steps.put(fmt.Sprintf("%#v", out), out)
}
