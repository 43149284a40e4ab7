package comment

import (
	"fmt"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/report"
)

// How much of a finding is told.
type detail int

const (
	pictured detail = iota // everything
	told                   // everything but the pictures
	brief                  // what fails and where
)

// block tells one finding: what fails first, then where, the picture, the fix;
// the rest folded.
func (p *Page) block(a *App, f *finding.Finding, d detail) string {
	return p.title(f) + "\n\n" + p.body(a, f, d)
}

// folded is block behind one line that says which finding it is.
func (p *Page) folded(a *App, f *finding.Finding, d detail) string {
	r := f.First()
	summary := fmt.Sprintf("%s: <code>%s</code>%s", tag(string(f.Rule)), tag(f.Field.Short()), report.Inside(f.Field.Content))
	if at := r.Sides[0].Access.Position; at.File != "" {
		summary += fmt.Sprintf(" at <code>%s</code>", tag(at.Spot()))
	}
	return fold(summary+p.standing(f), "\n"+p.body(a, f, d))
}

func (p *Page) body(a *App, f *finding.Finding, d detail) string {
	r := f.First()
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", prose(r.Wrong))
	b.WriteString(worse(r))
	b.WriteString(failsWhen(r))
	fmt.Fprintf(&b, "\n- %s\n- %s\n", p.side(r, 0), p.side(r, 1))
	if d == brief {
		return b.String()
	}
	fmt.Fprintf(&b, "\n**Fix:** %s\n", prose(r.Fix))
	steps := ""
	if d == pictured {
		b.WriteString(chains(r))
		steps = failing(r)
	}
	b.WriteString(fold("Step by step, and why nothing orders the two", steps+p.order(r)+others(f)))
	b.WriteString(fold("It does no harm? How to accept it", p.accept(a, r)))
	return b.String()
}

// title names the rule and the field.
func (p *Page) title(f *finding.Finding) string {
	return fmt.Sprintf("**%s: %s%s%s**", ruleLink(f.Rule), prose(f.Field.Short()), report.Inside(f.Field.Content), p.standing(f))
}

// standing is what is not plain from the heading of the page.
func (p *Page) standing(f *finding.Finding) string {
	var words []string
	if p.Min != finding.High {
		words = append(words, f.Priority.String())
	}
	if f.First().State == finding.Worse {
		words = append(words, "worse than accepted")
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}

// worse tells what was accepted.
func worse(r *finding.Race) string {
	if r.State != finding.Worse || r.Accepted == nil {
		return ""
	}
	text := fmt.Sprintf("\n**Worse:** the baseline accepts it as %s, now it is %s.", r.Accepted.Priority, r.Priority)
	if r.Accepted.Reason != "" {
		text += " The reason was: " + prose(r.Accepted.Reason)
	}
	return text + "\n"
}

// failsWhen names the steps that lead to the failure, with the numbers that the
// pictures give them.
func failsWhen(r *finding.Race) string {
	if r.Schedule == nil {
		return ""
	}
	text := r.Schedule.Short()
	if text == "" {
		return ""
	}
	steps := strings.Split(text, ", ")
	all := len(steps) == len(numbered(r.Schedule))
	for i, s := range steps {
		if steps[i] = prose(s); all {
			steps[i] += fmt.Sprintf(" (%d)", i+1)
		}
	}
	return "\n**Fails when:** " + strings.Join(steps, ", ") + "\n"
}

// side says what one access does, where, and on which thread.
func (p *Page) side(r *finding.Race, i int) string {
	s := &r.Sides[i]
	at := ""
	if s.Access.File != "" {
		at = " at " + p.place(s.Access.Position)
	}
	return fmt.Sprintf("**%s**%s in %s, on %s", prose(does(r, i)), at,
		prose(report.MethodOf(s, s.Access.Method)), prose(report.ThreadText(s.Access.Thread)))
}

// does says what an access does, in a word or a few.
func does(r *finding.Race, i int) string {
	k := r.Sides[i].Access.Kind
	if k == finding.Free {
		return strings.TrimSpace(report.Doing(k, r.Field.Content))
	}
	return string(k)
}

// order tells why nothing orders the two, how each comes to run, and what the
// priority rests on.
func (p *Page) order(r *finding.Race) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n", prose(r.Order))
	if r.Brief {
		b.WriteString("\nMany races like this one are on the field; the steps to each side were kept for the first of them only.\n")
	}
	for i := range r.Sides {
		b.WriteString(p.chain(r, i))
	}
	fmt.Fprintf(&b, "\n**Priority:** %s\n", prose(report.FactsText(r)))
	if len(r.Limited) > 0 {
		fmt.Fprintf(&b, "\n**Limited:** %s\n", prose(strings.Join(r.Limited, "; ")))
	}
	return b.String()
}

// linksShown bounds the events and the calls of a chain that are listed.
const linksShown = 8

// chain lists how one access comes to run.
func (p *Page) chain(r *finding.Race, i int) string {
	s := &r.Sides[i]
	var lines []string
	for _, e := range s.Events {
		line := prose(e.What)
		if e.Site != nil {
			line += " at " + p.place(*e.Site)
		}
		if e.Callback != nil {
			line += ": " + prose(e.Callback.Short())
		}
		lines = append(lines, line)
	}
	for j := 0; j+1 < len(s.Calls); j++ {
		lines = append(lines, fmt.Sprintf("%s calls %s at %s", prose(report.MethodOf(s, s.Calls[j].Method)),
			prose(report.MethodOf(s, s.Calls[j+1].Method)), p.place(s.Calls[j].Position)))
	}
	if len(lines) == 0 {
		return ""
	}
	if n := len(lines); n > linksShown+1 {
		lines = append(lines[:linksShown/2:linksShown/2],
			append([]string{fmt.Sprintf("(%d steps between are not shown)", n-linksShown)}, lines[n-linksShown/2:]...)...)
	}
	text := fmt.Sprintf("\nSteps to %s (**%s**):\n", code(s.Access.Spot()), prose(does(r, i)))
	for n, line := range lines {
		text += fmt.Sprintf("%d. %s\n", n+1, line)
	}
	return text
}

// longestCommand is where a command names too many files to be copied.
const longestCommand = 1000

// accept says how to accept a race.
func (p *Page) accept(a *App, r *finding.Race) string {
	words, line := report.InSource(r)
	at := "on " + prose(r.Sides[0].Access.Method.Short())
	if line {
		at = "on the line above " + p.place(r.Sides[0].Access.Position)
	}
	counts := ""
	if p.Base != "" {
		counts = ", which counts once it is on " + code(p.Base)
	}
	command := a.Accept.Command(r.ID)
	if len(command) > longestCommand {
		command = report.Acceptance{}.Command(r.ID)
	}
	return fmt.Sprintf("\nIn the source, %s:\n\n%s\nOr in the baseline%s:\n\n%s", at, fenced("java", words), counts, fenced("sh", command))
}

// fenced is a block that text cannot leave.
func fenced(lang, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fmt.Sprintf("%s%s\n%s\n%s\n", fence, lang, text, fence)
}

// othersShown bounds the further races of a finding that are listed.
const othersShown = 5

// others lists the weaker races of a finding in a line each.
func others(f *finding.Finding) string {
	if len(f.Races) == 1 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\nAlso on this field, each a race of its own:\n\n")
	for i := range f.Races[1:] {
		if i == othersShown && len(f.Races) > othersShown+2 {
			fmt.Fprintf(&b, "- and %d more\n", len(f.Races)-1-i)
			break
		}
		r := &f.Races[i+1]
		fmt.Fprintf(&b, "- %s: %s at %s, %s at %s (%s)\n", r.Priority,
			prose(does(r, 0)), code(r.Sides[0].Access.Spot()), prose(does(r, 1)), code(r.Sides[1].Access.Spot()), code(r.ID))
	}
	return b.String()
}

// fold hides text behind one line; summary is HTML.
func fold(summary, text string) string {
	return fmt.Sprintf("\n<details>\n<summary>%s</summary>\n%s\n</details>\n", summary, text)
}
