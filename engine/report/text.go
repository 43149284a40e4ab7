package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/eventraces/eventraces/engine/finding"
)

// TextOptions choose what text shows and how.
type TextOptions struct {
	MinPriority finding.Priority // the lowest that is shown
	Known       bool             // also show what the baseline has accepted
	Color       bool
}

// width is where prose is wrapped; names are never broken.
const width = 100

// Text writes one block for each finding that is new, or worse than accepted,
// the strongest first; then what else a reader must know, and one line of totals.
// A block says what fails, where, how each side comes to run, why nothing orders
// them, how to fix it and how to accept it.
func Text(w io.Writer, run *finding.Run, o TextOptions) error {
	t := textWriter{Writer: bufio.NewWriter(w), run: run, color: o.Color}
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
	t.notes()
	t.compared()
	t.totals(o.MinPriority, hidden)
	return t.Flush()
}

type textWriter struct {
	*bufio.Writer
	run   *finding.Run
	color bool
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
	t.labelled("Priority", factsText(r))
	if len(r.Limited) > 0 {
		t.labelled("Limited", strings.Join(r.Limited, "; "))
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

// accept says how to accept a race: what to type, or what to write into the
// source. Both are to be copied, so they are not wrapped.
func (t *textWriter) accept(r *finding.Race) {
	file, inputs := "eventraces-baseline.txt", "BUILD_OUTPUT"
	if b := t.run.Baseline; b != nil && len(b.Files) > 0 {
		file = argument(b.Files[0], "BASELINE")
	}
	if in := t.run.Inputs; len(in) == 1 {
		inputs = argument(in[0].Name, inputs)
	}
	t.printf("%seventraces baseline --out %s --accept %s --because 'REASON' %s\n", t.paint(dim, "  Accept:     "), file, r.ID, inputs)
	if p := r.Sides[0].Access.Position; p.File != "" && p.Line > 0 {
		t.printf("              or, on the line above %s%s:\n              // eventraces:ignore %s because REASON\n", spotOf(p), t.needsSources(), r.Rule)
	} else {
		t.printf("              or, on %s:\n              @IgnoreEventRace(rule = %q, because = \"REASON\")\n", name(p.Method.Short()), string(r.Rule))
	}
}

// needsSources reminds of the flag without which comments are not read.
func (t *textWriter) needsSources() string {
	if t.run.App.Sources {
		return ""
	}
	return ", read with --source-root"
}

// argument is a file name for a command line, or a word in its place if a shell
// or the program could take it for something else.
func argument(file, otherwise string) string {
	for _, r := range file {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-+=@%,/", r) {
			return otherwise
		}
	}
	if file == "" || file[0] == '-' || len(file) > longest {
		return otherwise
	}
	return file
}

// side tells where an access is and how it came to run: the event chain, then
// the calls.
func (t *textWriter) side(s *finding.Side, of finding.Content) {
	a := &s.Access
	at := "(no source line)"
	if a.File != "" {
		at = place(a.Position)
	}
	t.printf("  %-6s %s  %sin %s, on %s\n", a.Kind, t.paint(bold, at), doing(a.Kind, of), methodOf(s, a.Method), threadText(a.Thread))
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
		t.printf("       %s %s in %s\n", t.paint(dim, "also"), spotOf(p), name(p.Method.Short()))
	}
}

// threadText gives a thread its article: "the main looper", "a background thread".
func threadText(s string) string {
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

// doing says what a free does.
func doing(k finding.Kind, of finding.Content) string {
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

// numbered is one line of a chain, wrapped.
func (t *textWriter) numbered(n int, text string) {
	label := fmt.Sprintf("    %d. ", n)
	for i, line := range wrap(text, width-len(label)) {
		if i > 0 {
			label = strings.Repeat(" ", len(label))
		}
		t.printf("%s%s\n", label, line)
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

// methodOf names a method of a side. That of the callback, which may be one of an
// anonymous class, has the name that the chain gives it.
func methodOf(s *finding.Side, m finding.Method) string {
	if len(s.Calls) > 0 && m.String() == s.Calls[0].Method.String() {
		return name(s.Access.Entry.Short())
	}
	return name(m.Short())
}

// calls are the frames before the access itself.
func calls(s *finding.Side) []string {
	var lines []string
	for i := 0; i+1 < len(s.Calls); i++ {
		line := fmt.Sprintf("%s calls %s at %s", methodOf(s, s.Calls[i].Method), methodOf(s, s.Calls[i+1].Method), spotOf(s.Calls[i].Position))
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
	t.printf("  Also, on the same field:\n")
	for i := range f.Races[1:] {
		if i == othersShown && len(f.Races)-1 > othersShown+1 {
			t.printf("    and %d more, see --json\n", len(f.Races)-1-i)
			return
		}
		r := &f.Races[i+1]
		t.printf("    %-6s  %s / %s  %s\n", r.Priority, accessLine(&r.Sides[0].Access), accessLine(&r.Sides[1].Access), t.paint(dim, r.ID))
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

// labelled writes a label and wrapped prose beside it.
func (t *textWriter) labelled(label, text string) {
	const indent = 14
	first := fmt.Sprintf("  %-*s", indent-2, label+":")
	lines := wrap(clean(text), width-indent)
	for i, line := range lines {
		if i == 0 {
			t.printf("%s%s\n", t.paint(dim, first), line)
		} else {
			t.printf("%*s%s\n", indent, "", line)
		}
	}
}

func (t *textWriter) prose(indent, text string) {
	for _, line := range wrap(clean(text), width-len(indent)) {
		t.printf("%s%s\n", indent, line)
	}
}

// wrap breaks text at spaces into lines of at most n columns; longer words stay
// whole.
func wrap(text string, n int) []string {
	var lines []string
	var line strings.Builder
	columns := 0
	for _, word := range strings.Fields(text) {
		w := utf8.RuneCountInString(word)
		if columns > 0 && columns+1+w > n {
			lines = append(lines, line.String())
			line.Reset()
			columns = 0
		}
		if columns > 0 {
			line.WriteByte(' ')
			columns++
		}
		line.WriteString(word)
		columns += w
	}
	if columns > 0 || len(lines) == 0 {
		lines = append(lines, line.String())
	}
	return lines
}

func fieldText(f finding.Field) string {
	switch f.Content {
	case finding.Array:
		return f.String() + " (its elements)"
	case finding.Container:
		return f.String() + " (its content)"
	case finding.Resource:
		return f.String() + " (its state)"
	case finding.Kept:
		return f.String() + " (kept by the platform)"
	default:
		return f.String()
	}
}

// factsText is the priority with the facts behind it, what speaks against it
// last.
func factsText(r *finding.Race) string {
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

// notesShown bounds the notes of one kind that are listed.
const notesShown = 5

func (t *textWriter) notes() {
	count := map[finding.NoteKind]int{}
	for _, n := range t.run.Notes {
		count[n.Kind]++
	}
	shown := map[finding.NoteKind]int{}
	for _, n := range t.run.Notes {
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
		if t.run.Limited() {
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
	text := clean(n.Text)
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
	switch n := openByPriority(t.run); {
	case c.New > 0:
		t.printf("%s: %d high, %d medium, %d low", t.paint(bold, plural(c.New, kind+"finding")), n[finding.High], n[finding.Medium], n[finding.Low])
	case t.run.Limited():
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
	t.printf(" (%s, %s, %s)", plural(c.Methods, "method"), plural(c.Actions, "action"), plural(c.Candidates, "candidate pair"))
	if hidden > 0 {
		t.printf("; %d below %s not shown, see --min-priority", hidden, shown)
	}
	if t.run.Limited() && c.New > 0 {
		t.printf("; part of the app was not fully analysed, see the notes")
	}
	t.printf("\n")
}

func openByPriority(run *finding.Run) map[finding.Priority]int {
	n := map[finding.Priority]int{}
	for i := range run.Findings {
		if f := &run.Findings[i]; f.Standing() == finding.Open {
			n[f.Priority]++
		}
	}
	return n
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
