package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
)

// TextOptions choose what text shows and how.
type TextOptions struct {
	MinPriority finding.Priority // the lowest that is shown
	Known       bool             // also show what the baseline has accepted
	Color       bool
	Acceptance  Acceptance
	LeftOut     []finding.Notification // what other outputs of the run lack
}

// Text writes one block for each finding that is new, or worse than accepted,
// the strongest first; then what else a reader must know, and one line of totals.
// A block says what fails, where, how each side comes to run, why nothing orders
// them, how to fix it and how to accept it.
func Text(w io.Writer, run *finding.Run, o TextOptions) error {
	t := textWriter{Writer: bufio.NewWriter(w), run: run, color: o.Color, acceptance: o.Acceptance}
	hidden := 0
	for i := range run.Findings {
		f := &run.Findings[i]
		switch standing := f.Standing(); {
		case standing == finding.Suppressed, standing == finding.Known && !o.Known:
		case f.Priority < o.MinPriority:
			hidden++
		default:
			t.finding(f)
		}
	}
	t.notes(slices.Concat(run.Notes, o.LeftOut))
	t.compared()
	t.totals(o.MinPriority, hidden)
	return t.Flush()
}

type textWriter struct {
	*bufio.Writer
	run        *finding.Run
	color      bool
	acceptance Acceptance
}

func (t *textWriter) printf(format string, args ...any) { fmt.Fprintf(t.Writer, format, args...) }

const (
	bold   = "\x1b[1m"
	red    = "\x1b[1;31m"
	yellow = "\x1b[1;33m"
	cyan   = "\x1b[36m"
	dim    = "\x1b[2m"
	reset  = "\x1b[0m"
)

func (t *textWriter) paint(code, s string) string {
	if !t.color {
		return s
	}
	return code + s + reset
}

func priorityColor(p finding.Priority) string {
	switch p {
	case finding.High:
		return red
	case finding.Medium:
		return yellow
	default:
		return cyan
	}
}

func (t *textWriter) finding(f *finding.Finding) {
	r := f.First()
	t.printf("%s  %s  %s\n", t.paint(priorityColor(f.Priority), strings.ToUpper(f.Priority.String())),
		t.paint(bold, name(fieldText(f.Field))), string(f.Rule))
	t.prose("  ", r.Wrong)
	if r.Schedule != nil {
		if steps := r.Schedule.Short(); steps != "" {
			t.labelled("Fails when", steps)
		}
	}
	t.standing(r)
	for i := range r.Sides {
		t.printf("\n")
		t.side(&r.Sides[i], r.Field.Content)
	}
	t.printf("\n")
	t.labelled("Unordered", r.Order)
	t.labelled("Fix", r.Fix)
	t.labelled("Priority", FactsText(r))
	if len(r.Limited) > 0 {
		t.labelled("Limited", strings.Join(r.Limited, "; "))
	}
	if more := standsFor("", r); more != "" {
		t.labelled("Pairs", more)
	}
	t.labelled("Id", r.ID)
	if f.Standing() == finding.Open {
		t.accept(r)
	}
	t.others(f)
	t.printf("\n")
}

// standing tells how a race compares with the baseline, where that is not plain.
func (t *textWriter) standing(r *finding.Race) {
	switch {
	case r.State == finding.Worse:
		t.labelled("Worse", fmt.Sprintf("the baseline accepts it as %s, now it is %s%s", r.Accepted.Priority, r.Priority, because(r.Accepted.Reason)))
	case r.State == finding.Unchanged:
		t.labelled("Accepted", "by the baseline as "+r.Accepted.Priority.String()+because(r.Accepted.Reason))
	}
	if a := r.Accepted; a != nil {
		was, _ := finding.SplitID(a.ID)
		if is, _ := finding.SplitID(r.ID); is != was {
			t.labelled("Renamed", "in the baseline it has the id "+a.ID)
		}
	}
	if s := r.Suppressed; s != nil {
		t.labelled("Suppressed", fmt.Sprintf("by the %s at %s%s", s.By, s.Where, because(s.Because)))
	}
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

// side tells where an access is and how it came to run: the event chain, then
// the calls.
func (t *textWriter) side(s *finding.Side, of finding.Content) {
	a := &s.Access
	at := "(no source line)"
	if a.File != "" {
		at = place(a.Position)
	}
	t.printf("  %-6s %s  %sin %s, on %s\n", a.Kind, t.paint(bold, at), Doing(a.Kind, of), MethodOf(s, a.Method), ThreadText(a.Thread))
	step := 0
	for _, e := range s.Events {
		step++
		t.numbered(step, event(e, a.Thread))
	}
	for _, c := range calls(s) {
		step++
		t.numbered(step, c)
	}
	for _, p := range s.Further {
		t.printf("       %s %s in %s\n", t.paint(dim, "used at"), spotOf(p), name(p.Method.Short()))
	}
}

// ThreadText gives a thread its article: "the main looper", "a background thread".
func ThreadText(s string) string {
	switch {
	case strings.HasPrefix(s, "the "), strings.HasPrefix(s, "a "), strings.HasPrefix(s, "an "):
		return name(s)
	case strings.HasPrefix(s, "main"):
		return "the " + name(s)
	case strings.HasPrefix(s, "unknown"), strings.HasPrefix(s, "executor"):
		return "an " + name(s)
	default:
		return "a " + name(s)
	}
}

// Doing says what a free does.
func Doing(k finding.Kind, of finding.Content) string {
	switch {
	case k != finding.Free:
		return ""
	case of == finding.Itself:
		return "set to null "
	case of == finding.Resource:
		return "closed or released "
	case of == finding.Kept:
		return "taken away "
	default:
		return "taken out "
	}
}

// event tells what happens, and on which thread if that is not the side's.
func event(e finding.Event, thread string) string {
	var b strings.Builder
	b.WriteString(name(e.What))
	if e.Site != nil {
		fmt.Fprintf(&b, " at %s in %s", spotOf(*e.Site), name(e.Site.Method.Short()))
	}
	if e.Callback != nil {
		b.WriteString(" -> " + name(e.Callback.Short()))
		if e.Thread != "" && e.Thread != thread {
			b.WriteString(" (" + name(e.Thread) + ")")
		}
	}
	return b.String()
}

// MethodOf names a method of a side. That of the callback, which may be one of an
// anonymous class, has the name that the chain gives it.
func MethodOf(s *finding.Side, m finding.Method) string {
	if len(s.Calls) > 0 && m.String() == s.Calls[0].Method.String() {
		return name(s.Access.Entry.Short())
	}
	return name(m.Short())
}

// calls are the frames before the access itself.
func calls(s *finding.Side) []string {
	var lines []string
	for i := 0; i+1 < len(s.Calls); i++ {
		line := fmt.Sprintf("%s calls %s at %s", MethodOf(s, s.Calls[i].Method), MethodOf(s, s.Calls[i+1].Method), spotOf(s.Calls[i].Position))
		if note := s.Calls[i].Note; note != "" {
			line += " (" + name(note) + ")"
		}
		lines = append(lines, line)
	}
	return lines
}

// othersShown bounds the further races that are listed below a finding.
const othersShown = 8

// others lists the weaker races of a finding in a line each.
func (t *textWriter) others(f *finding.Finding) {
	if len(f.Races) == 1 {
		return
	}
	t.printf("  Also on this field, each a race of its own with its id:\n")
	for i := range f.Races[1:] {
		if i == othersShown && len(f.Races)-1 > othersShown+1 {
			t.printf("    and %d more, see --json\n", len(f.Races)-1-i)
			return
		}
		r := &f.Races[i+1]
		t.printf("    %-6s  %s / %s%s  %s\n", r.Priority, accessLine(&r.Sides[0].Access), accessLine(&r.Sides[1].Access),
			standsFor(", ", r), t.paint(dim, r.ID))
	}
}

// accessLine is an access in a few words: where it is and, if that is elsewhere,
// which callback gets there.
func accessLine(a *finding.Access) string {
	line := fmt.Sprintf("%s %s in %s", a.Kind, spotOf(a.Position), name(a.Method.Short()))
	if entry := a.Entry.Short(); entry != a.Method.Short() {
		line += " by " + name(entry)
	}
	return line
}

// fieldText is the field, and what of it if that is not the field itself.
func fieldText(f finding.Field) string { return f.String() + Inside(f.Content) }

// Inside says which part of what a field holds is meant.
func Inside(c finding.Content) string {
	switch c {
	case finding.Array:
		return " (its elements)"
	case finding.Container:
		return " (its content)"
	case finding.Resource:
		return " (its state)"
	case finding.Kept:
		return " (kept by the platform)"
	default:
		return ""
	}
}

// FactsText is the priority with the facts behind it, what speaks against it
// last.
func FactsText(r *finding.Race) string {
	var holds, limits []string
	for _, f := range r.Facts {
		if f.Limit == 0 {
			holds = append(holds, f.Text)
		} else {
			limits = append(limits, f.Text+" (at most "+f.Limit.String()+")")
		}
	}
	text := r.Priority.String()
	if len(limits) > 0 {
		text += ", because " + strings.Join(limits, "; ")
		if len(holds) > 0 {
			text += "; otherwise: " + strings.Join(holds, "; ")
		}
		return text
	}
	if len(holds) > 0 {
		text += ": " + strings.Join(holds, "; ")
	}
	return text
}

// place is the path and line of a position, spotOf only file name and line.
func place(p finding.Position) string  { return name(p.Place()) }
func spotOf(p finding.Position) string { return name(p.Spot()) }
