package finding

import (
	"fmt"
	"strings"
)

// loader makes a run of its saved form. Lists are made once and shared by all
// that name them.
type loader struct {
	broken
	*savedTables
	positions []Position
	events    []Event
	frames    []Frame
	chains    [][]Event
	calls     [][]Frame
	further   [][]Position
	steps     []Step
	texts     []string
}

// load fills the run; the error names the first index that leads nowhere.
func (s *savedRun) load(r *Run) error {
	l := loader{savedTables: &s.Tables}
	l.texts = each(s.Tables.Texts, func(list *[]index) string {
		return strings.Join(listOf(&l.broken, "phrases", l.Phrases, *list), "")
	})
	l.positions = each(s.Tables.Positions, l.position)
	l.events = each(s.Tables.Events, l.event)
	l.frames = each(s.Tables.Frames, l.frame)
	l.chains = each(s.Tables.Chains, func(list *[]index) []Event { return listOf(&l.broken, "events", l.events, *list) })
	l.calls = each(s.Tables.Calls, func(list *[]index) []Frame { return listOf(&l.broken, "frames", l.frames, *list) })
	l.further = each(s.Tables.Further, func(list *[]index) []Position { return listOf(&l.broken, "positions", l.positions, *list) })
	l.steps = each(s.Tables.Steps, l.step)
	*r = Run{
		Schema: s.Schema, Tool: s.Tool, App: s.App, Inputs: s.Inputs, Counts: s.Counts,
		Findings: each(s.Findings, l.finding),
		Notes:    s.Notes, Baseline: s.Baseline, Category: s.Category, Revision: s.Revision,
	}
	return l.err
}

func listOf[R any](b *broken, name string, rows []R, list []index) []R {
	return each(list, func(i *index) R { return row(b, name, rows, *i) })
}

func (l *loader) method(i index) Method { return row(&l.broken, "methods", l.Methods, i) }

func (l *loader) at(i index) Position { return row(&l.broken, "positions", l.positions, i) }

func (l *loader) text(i index) string { return row(&l.broken, "texts", l.texts, i) }

// place is the position that an index names; nil if it names none.
func (l *loader) place(i index) *Position {
	if i == 0 {
		return nil
	}
	p := l.at(i)
	return &p
}

func (l *loader) position(p *savedPosition) Position {
	return Position{Method: l.method(p.Method), File: p.File, Line: p.Line, Found: p.Found}
}

func (l *loader) event(e *savedEvent) Event {
	out := Event{What: e.What, Cause: e.Cause, Thread: e.Thread, Site: l.place(e.Site)}
	if e.Callback != 0 {
		m := l.method(e.Callback)
		out.Callback = &m
	}
	return out
}

func (l *loader) frame(f *savedFrame) Frame { return Frame{Position: l.at(f.At), Note: f.Note} }

func (l *loader) step(x *savedStep) Step {
	action := row(&l.broken, "actions", l.Actions, x.Action)
	out := Step{
		Action: action.Name, Thread: action.Thread, Run: x.Run, Cause: x.Cause, Instance: x.Instance, Once: x.Once,
		What: x.What, Until: l.place(x.Until),
		Branches: each(x.Branches, func(b *savedBranch) Branch { return Branch{At: l.at(b.At), Takes: b.Takes} }),
	}
	if action.Entry != 0 {
		c := Callback(l.method(action.Entry))
		out.Callback = &c
	}
	return out
}

func (l *loader) side(i index) Side {
	s := row(&l.broken, "sides", l.Sides, i)
	action := row(&l.broken, "actions", l.Actions, s.Action)
	return Side{
		Access: Access{
			Position: l.at(s.At), Kind: s.Kind, Action: action.Name,
			Entry: Callback(l.method(action.Entry)), Thread: action.Thread,
		},
		Events:  maybe(&l.broken, "chains", l.chains, s.Chain),
		Calls:   maybe(&l.broken, "calls", l.calls, s.Calls),
		Further: maybe(&l.broken, "further", l.further, s.Further),
	}
}

func (l *loader) finding(f *savedFinding) Finding {
	out := Finding{Rule: f.Rule, Field: row(&l.broken, "fields", l.Fields, f.Field), Priority: f.Priority}
	out.Races = each(f.Races, func(r *savedRace) Race { return l.race(&out, r) })
	return out
}

func (l *loader) race(f *Finding, r *savedRace) Race {
	out := Race{
		ID: r.ID, Rule: f.Rule, Field: f.Field, Order: l.text(r.Order), Wrong: l.text(r.Wrong), Fix: l.text(r.Fix),
		Priority: r.Priority, Facts: listOf(&l.broken, "facts", l.Facts, r.Facts), Pairs: r.Pairs,
		Brief: r.Brief, State: r.State, Limited: listOf(&l.broken, "texts", l.texts, r.Limited),
	}
	if r.Rule != "" {
		out.Rule = r.Rule
	}
	if r.Field != 0 {
		out.Field = row(&l.broken, "fields", l.Fields, r.Field)
	}
	if len(r.Sides) != len(out.Sides) && l.err == nil {
		l.err = fmt.Errorf("a race has %d sides", len(r.Sides))
	}
	for i := range min(len(r.Sides), len(out.Sides)) {
		out.Sides[i] = l.side(r.Sides[i])
	}
	if r.Schedule != nil {
		out.Schedule = &Schedule{Outcome: r.Schedule.Outcome, Steps: listOf(&l.broken, "steps", l.steps, r.Schedule.Steps)}
	}
	if a := r.Accepted; a != nil {
		out.Accepted = &Accepted{
			Rule: a.Rule, Field: l.text(a.Field), Callbacks: [2]string{l.text(a.Callbacks[0]), l.text(a.Callbacks[1])},
			Priority: a.Priority, ID: a.ID, Reason: a.Reason,
		}
	}
	if r.Suppressed != 0 {
		s := row(&l.broken, "suppressions", l.Suppressions, r.Suppressed)
		out.Suppressed = &s
	}
	return out
}
