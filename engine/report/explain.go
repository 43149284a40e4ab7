package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
)

// ExplainRule prints what there is to say about a rule, as plain text.
func ExplainRule(w io.Writer, r finding.Rule) error {
	t := textWriter{Writer: bufio.NewWriter(w)}
	t.printf("%s: %s\n\n", r.ID, r.Title)
	for _, b := range r.Page() {
		if b.Heading != "" {
			t.printf("%s\n\n", b.Heading)
		}
		if b.Text != "" {
			t.prose("  ", b.Text)
			t.printf("\n")
		}
		for line := range strings.Lines(b.Code) {
			t.printf("%s\n", strings.TrimRight("    "+line, " \n"))
		}
		if b.Code != "" {
			t.printf("\n")
		}
	}
	t.printf("%s\n", RuleURL(r.ID))
	return t.Flush()
}

// Explain prints everything that a run knows of one of its races.
func Explain(w io.Writer, run *finding.Run, r *finding.Race, color bool) error {
	t := textWriter{Writer: bufio.NewWriter(w), run: run, color: color}
	t.race(r)
	return t.Flush()
}

// race is the block of text for one race, with what the block leaves out: the
// whole methods, the steps of the schedule, each fact, the rule.
func (t *textWriter) race(r *finding.Race) {
	t.finding(&finding.Finding{Rule: r.Rule, Field: r.Field, Priority: r.Priority, Races: []finding.Race{*r}})
	if r.Brief {
		t.prose("  ", "Many races like this one are on the field; how each side comes to run was kept for the first of them only.")
		t.printf("\n")
	}
	for i := range r.Sides {
		a := &r.Sides[i].Access
		if i > 0 {
			t.printf("\n")
		}
		t.printf("  %s\n", t.paint(bold, strings.ToUpper(string(a.Kind[:1]))+string(a.Kind[1:])))
		t.detail("in", a.Method.String())
		t.detail("callback", a.Entry.String())
		if a.Action != a.Entry.String() {
			t.detail("action", a.Action)
		}
		t.detail("thread", a.Thread)
	}
	if s := r.Schedule; s != nil {
		t.printf("\n  %s\n", t.paint(bold, "A schedule that shows it"))
		for i := range s.Steps {
			t.printf("    %d. %s\n", i+1, t.step(&s.Steps[i]))
		}
		if s.Outcome != "" {
			t.printf("    => %s\n", t.paint(red, name(s.Outcome)))
		}
	}
	t.printf("\n  %s\n", t.paint(bold, "Facts behind the priority"))
	for _, f := range r.Facts {
		limit := ""
		if f.Limit != 0 {
			limit = " (at most " + f.Limit.String() + ")"
		}
		t.printf("    %s: %s%s\n", name(string(f.Name)), name(f.Text), limit)
	}
	rule, _ := finding.RuleByID(r.Rule)
	t.printf("\n  %s\n", t.paint(bold, "Rule "+string(r.Rule)+": "+rule.Title))
	t.prose("    ", rule.Full)
	if r.Fix != rule.Fix {
		t.prose("    ", rule.Fix)
	}
}

func (t *textWriter) detail(label, text string) {
	t.printf("    %s%s\n", t.paint(dim, fmt.Sprintf("%-10s", label)), name(text))
}

// step is one step of a schedule, in the form of the events of a side.
func (t *textWriter) step(s *finding.Step) string {
	does := s.Action
	if s.Callback != nil {
		does = s.Callback.Short()
	}
	line := name(does)
	if s.What != "" {
		line = name(s.What) + " -> " + line
	}
	var where []string
	if s.Instance != "" {
		where = append(where, name(s.Instance[strings.LastIndexByte(s.Instance, '.')+1:]))
	}
	if s.Thread != "" {
		where = append(where, name(s.Thread))
	}
	if s.Run > 1 {
		where = append(where, fmt.Sprintf("run %d", s.Run))
	}
	if s.Cause > 0 {
		where = append(where, fmt.Sprintf("asked for in step %d", s.Cause))
	}
	if len(where) > 0 {
		line += t.paint(dim, " ("+strings.Join(where, ", ")+")")
	}
	if s.Until != nil {
		line += ", as far as " + spotOf(*s.Until)
	}
	for _, b := range s.Branches {
		line += fmt.Sprintf(", %s at %s", name(b.Takes), spotOf(b.At))
	}
	return line
}
