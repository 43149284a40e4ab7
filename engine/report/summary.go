package report

import (
	"fmt"

	"github.com/eventraces/eventraces/engine/finding"
)

// notesShown bounds the notes of one kind that are listed.
const notesShown = 5

func (t *textWriter) notes(notes []finding.Notification) {
	count := map[finding.NoteKind]int{}
	for _, n := range notes {
		count[n.Kind]++
	}
	shown := map[finding.NoteKind]int{}
	for _, n := range notes {
		switch shown[n.Kind]++; {
		case shown[n.Kind] <= notesShown:
			t.printf("%s: %s\n", t.paint(dim, "note"), noteText(n))
		case shown[n.Kind] == count[n.Kind]:
			t.printf("%s: %d more of this kind (%s), see --json\n", t.paint(dim, "note"), count[n.Kind]-notesShown, name(string(n.Kind)))
		}
	}
}

// linesShown bounds the lines of a baseline that are listed.
const linesShown = 10

// compared tells what became of the baseline.
func (t *textWriter) compared() {
	b := t.run.Baseline
	if b == nil || len(b.Files) == 0 {
		return
	}
	for _, f := range b.Missing {
		t.printf("%s: there is no baseline %s yet, so every race is new; eventraces baseline --out FILE creates one\n", t.paint(dim, "note"), name(f))
	}
	if len(b.Pending) > 0 {
		t.printf("%s: accepted by %s, but not by every baseline given, and so not accepted:\n", t.paint(dim, "note"), name(b.Files[0]))
		t.accepted(b.Pending)
	}
	if len(b.Gone) > 0 {
		what := "gone: eventraces baseline --out FILE prunes"
		if t.run.Partial() {
			what = "not seen, but part of the app was not analysed"
		}
		t.printf("%s: accepted by %s and %s:\n", t.paint(dim, "note"), name(b.Files[0]), what)
		t.accepted(b.Gone)
	}
}

func (t *textWriter) accepted(list []finding.Accepted) {
	for i, a := range list {
		if i == linesShown && len(list) > linesShown+1 {
			t.printf("  and %d more\n", len(list)-i)
			return
		}
		t.printf("  %s\n", AcceptedLine(a))
	}
}

// AcceptedLine is a line of a baseline for people.
func AcceptedLine(a finding.Accepted) string {
	line := fmt.Sprintf("%s %s %s %s (%s / %s)", a.ID, a.Priority, a.Rule, name(a.Field), name(a.Callbacks[0]), name(a.Callbacks[1]))
	if a.Reason != "" {
		line += " # " + name(a.Reason)
	}
	return line
}

func noteText(n finding.Notification) string {
	text := Clean(n.Text)
	if n.Count > 1 {
		text = fmt.Sprintf("%s (%d times)", text, n.Count)
	}
	if n.Where != "" {
		text += ": " + name(n.Where)
		if n.Count > 1 {
			text += ", ..."
		}
	}
	return text
}

// totals is the last line: the count by priority, and what the count rests on.
// "No races" is never said of an app that was only partly analysed.
func (t *textWriter) totals(shown finding.Priority, hidden int) {
	c := &t.run.Counts
	kind := ""
	if t.run.Baseline != nil {
		kind = "new "
	}
	switch n := OpenByPriority(t.run); {
	case c.New > 0:
		t.printf("%s: %d high, %d medium, %d low", t.paint(bold, Plural(c.New, kind+"finding")), n[finding.High], n[finding.Medium], n[finding.Low])
	case t.run.Partial():
		t.printf("%s", t.paint(bold, "No "+kind+"race found in the part that could be analysed"))
	default:
		t.printf("%s", t.paint(bold, "No "+kind+"races"))
	}
	if c.Unchanged > 0 {
		t.printf("; %d accepted", c.Unchanged)
	}
	if c.Suppressed > 0 {
		t.printf("; %d suppressed in the source", c.Suppressed)
	}
	t.printf(" (%s, %s, %s)", Plural(c.Methods, "method"), Plural(c.Actions, "action"), Plural(c.Candidates, "candidate pair"))
	if hidden > 0 {
		t.printf("; %d below %s not shown, see --min-priority", hidden, shown)
	}
	if t.run.Partial() && c.New > 0 {
		t.printf("; part of the app was not fully analysed, see the notes")
	}
	t.printf("\n")
}

// OpenByPriority counts the findings that are new, or worse than accepted.
func OpenByPriority(run *finding.Run) map[finding.Priority]int {
	n := map[finding.Priority]int{}
	for i := range run.Findings {
		if f := &run.Findings[i]; f.Standing() == finding.Open {
			n[f.Priority]++
		}
	}
	return n
}

// Plural is a number with what it counts, which takes an s.
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
