package comment

import (
	"fmt"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/report"
)

// rowsShown bounds the rows of a table, notesShown the notes of a run.
const (
	rowsShown  = 500
	notesShown = 20
)

// Summary is the page of a job: the findings that count as in the comment, then
// tables of all others, then what must be known of the run.
func (p *Page) Summary() string {
	pieces := []piece{fixed("## " + p.heading() + "\n")}
	shown := 0
	for i := range p.Apps {
		a := &p.Apps[i]
		pieces = append(pieces, lasting(p.before(a)+analysed(a.Run)))
		told, others := p.findings(a, &shown)
		pieces = append(pieces, told...)
		pieces = append(pieces, p.table(fmt.Sprintf("%s and above", p.Min), others)...)
		pieces = append(pieces, p.tables(a)...)
		pieces = append(pieces, lasting(p.pending(a)+gone(a.Run)+notes(a.Run)))
		if a.Alerts != "" && len(p.Apps) > 1 {
			pieces = append(pieces, lasting("\n"+outside("Alerts", a.Alerts)+"\n"))
		}
	}
	text, missing := fit(pieces, longestSummary-longestFooter, bytesOf)
	if missing > 0 {
		text += fmt.Sprintf("\n**Cut here:** %s not shown; the findings file of the run has all.\n", report.Plural(missing, "more finding"))
	}
	return text + p.footer()
}

// analysed tells how much was looked at.
func analysed(run *finding.Run) string {
	c := &run.Counts
	text := fmt.Sprintf("\nAnalysed: %s, %s, %s.", report.Plural(c.Methods, "method"), report.Plural(c.Actions, "action"), report.Plural(c.Candidates, "candidate pair"))
	n := 0
	run.EachRace(func(r *finding.Race) {
		if len(r.Limited) > 0 {
			n++
		}
	})
	if n > 0 {
		text += fmt.Sprintf(" A limit cost %s precision.", report.Plural(n, "race"))
	}
	return text + "\n"
}

// tables are what does not count, or does not any more.
func (p *Page) tables(a *App) []piece {
	var below, known, suppressed []*finding.Finding
	for i := range a.Run.Findings {
		switch f := &a.Run.Findings[i]; {
		case f.Standing() == finding.Suppressed:
			suppressed = append(suppressed, f)
		case f.Standing() == finding.Known:
			known = append(known, f)
		case f.Priority < p.Min:
			below = append(below, f)
		}
	}
	pieces := p.table("Of lower priority", below)
	pieces = append(pieces, p.table("Accepted by the baseline", known)...)
	return append(pieces, p.table("Suppressed in the source", suppressed)...)
}

// table lists findings, a row each, of which those at the end may go.
func (p *Page) table(title string, list []*finding.Finding) []piece {
	if len(list) == 0 {
		return nil
	}
	pieces := []piece{fixed(fmt.Sprintf("\n<details>\n<summary>%s: %d</summary>\n\n| priority | rule | field | where |\n| --- | --- | --- | --- |\n", title, len(list)))}
	for i, f := range list {
		if i == rowsShown {
			pieces = append(pieces, piece{forms: []string{""}, about: len(list) - i})
			break
		}
		r := f.First()
		pieces = append(pieces, piece{forms: []string{fmt.Sprintf("| %s | %s | %s%s | %s / %s |\n", f.Priority, ruleLink(f.Rule), code(f.Field.Short()), report.Inside(f.Field.Content),
			p.place(r.Sides[0].Access.Position), p.place(r.Sides[1].Access.Position)), ""}, about: 1})
	}
	return append(pieces, fixed("\n</details>\n"))
}

func gone(run *finding.Run) string {
	if run.Baseline == nil || len(run.Baseline.Gone) == 0 {
		return ""
	}
	title := "In the baseline, but gone from the app"
	if run.Partial() {
		title = "In the baseline, but not seen; part of the app was not analysed"
	}
	return fold(fmt.Sprintf("%s: %d", title, len(run.Baseline.Gone)), "\n"+acceptedLines(run.Baseline.Gone))
}

func notes(run *finding.Run) string {
	if len(run.Notes) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n")
	for i, n := range run.Notes {
		if i == notesShown {
			fmt.Fprintf(&b, "- and %d more\n", len(run.Notes)-i)
			break
		}
		fmt.Fprintf(&b, "- %s", prose(n.Text))
		if n.Count > 1 {
			fmt.Fprintf(&b, " (%d times)", n.Count)
		}
		if n.Where != "" {
			fmt.Fprintf(&b, ": %s", code(n.Where))
		}
		b.WriteString("\n")
	}
	return fold(fmt.Sprintf("Notes of the run: %d", len(run.Notes)), b.String())
}
