package comment

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/report"
)

// What one comment shows at most, so that it stays readable.
const (
	findingsShown = 20
	picturesShown = 5
	linesShown    = 10 // lines of a baseline
)

// Sticky is the comment of a pull request: how many findings, the first of them
// with its picture, the others folded, then a line for all the rest.
func (p *Page) Sticky() string {
	pieces := []piece{fixed(StickyMarker(p.Key) + "\n" + p.covered() + p.named() + "### " + p.heading() + "\n" + p.unheard())}
	shown, beyond := 0, 0
	quiet := []piece{lasting("\n#### The other apps\n\n")}
	for i := range p.Apps {
		a := &p.Apps[i]
		if len(p.Apps) > 1 && len(p.news(a)) == 0 && len(pending(a.Run)) == 0 {
			quiet = append(quiet, lasting(p.quiet(a)))
			continue
		}
		pieces = append(pieces, lasting(p.before(a)))
		told, others := p.findings(a, &shown)
		beyond += len(others)
		pieces = append(pieces, told...)
		pieces = append(pieces, lasting(p.pending(a)), lasting(p.after(a)))
	}
	if len(quiet) > 1 {
		pieces = append(pieces, quiet...)
	}
	text, missing := fit(pieces, longestComment-longestFooter, characters)
	if n := missing + beyond; n > 0 {
		text += fmt.Sprintf("\n**%s not shown here:** %s.\n", report.Plural(n, "more finding"), outside("see the run", p.Details))
	}
	return text + p.footer()
}

// findings are the findings of an app that count, in their forms, and those that
// are too many; shown counts over all apps.
func (p *Page) findings(a *App, shown *int) (told []piece, others []*finding.Finding) {
	for i, f := range p.news(a) {
		if *shown == findingsShown {
			others = append(others, f)
			continue
		}
		if i == 1 && *shown == 1 {
			told = append(told, fixed("\n#### The others\n"))
		}
		told = append(told, p.finding(a, f, *shown == 0, *shown < picturesShown))
		*shown++
	}
	return told, others
}

// finding is a finding in its forms.
func (p *Page) finding(a *App, f *finding.Finding, open, drawn bool) piece {
	show := p.folded
	if open {
		show = func(a *App, f *finding.Finding, d detail) string { return "\n" + p.block(a, f, d) }
	}
	forms := []string{show(a, f, told), show(a, f, brief), ""}
	if drawn {
		forms = append([]string{show(a, f, pictured)}, forms...)
	} else {
		forms = append([]string{forms[0]}, forms...)
	}
	return piece{forms: forms, about: 1}
}

// heading counts the findings that the page is about.
func (p *Page) heading() string {
	fresh, grown := p.states()
	return p.counted(fresh + grown)
}

// counted is a number of findings that count: 2 new high event races.
func (p *Page) counted(n int) string {
	what, worse := "event race", ""
	if p.Min == finding.High {
		what = "high " + what
	}
	switch fresh, grown := p.states(); {
	case !p.compared():
	case grown > 0 && fresh > 0:
		what = "new or worse " + what
	case grown > 0:
		worse = " worse than accepted"
	default:
		what = "new " + what
	}
	if n > 0 {
		return report.Plural(n, what) + worse
	}
	if p.Partial() {
		return "No " + what + " found in the part that could be analysed"
	}
	return "No " + what + "s"
}

// states counts the findings that count and are new, and those that were accepted
// and have become worse.
func (p *Page) states() (fresh, grown int) {
	for i := range p.Apps {
		for _, f := range p.news(&p.Apps[i]) {
			if f.First().State == finding.Worse {
				grown++
			} else {
				fresh++
			}
		}
	}
	return fresh, grown
}

// compared says whether there was a baseline to compare with.
func (p *Page) compared() bool {
	for i := range p.Apps {
		if p.Apps[i].Run.Baseline != nil {
			return true
		}
	}
	return false
}

// before is what must be known before the findings of an app.
func (p *Page) before(a *App) string {
	var b strings.Builder
	if len(p.Apps) > 1 {
		fmt.Fprintf(&b, "\n#### App %s\n", appName(a.Run))
	}
	switch {
	case a.Run.Partial():
		b.WriteString("\n> [!WARNING]\n> " + p.partialNote() + "\n")
	case slices.ContainsFunc(p.news(a), limited):
		b.WriteString("\n> [!NOTE]\n> A limit cost some of these races precision; each says which.\n")
	}
	b.WriteString(p.missing(a))
	return b.String()
}

// missing says which baseline there is none of. The last file is that of the base
// branch, in a pull request.
func (p *Page) missing(a *App) string {
	c := a.Run.Baseline
	if c == nil || len(c.Missing) == 0 {
		return ""
	}
	file := code(cmp.Or(a.Accept.Out, c.Files[0]))
	switch {
	case p.Base == "":
		return "\n> [!NOTE]\n> There is no baseline yet. Every race counts as new until there is one.\n"
	case len(c.Files) > 1 && !slices.Contains(c.Missing, c.Files[len(c.Files)-1]):
		return fmt.Sprintf("\n> [!NOTE]\n> This change has no %s, so every race counts as new; %s has one.\n", file, code(p.Base))
	}
	return fmt.Sprintf("\n> [!NOTE]\n> There is no baseline on %s yet. Every race counts as new until %s is on %s.\n",
		code(p.Base), file, code(p.Base))
}

func appName(run *finding.Run) string {
	name := code(cmp.Or(run.App.Package, "without a package"))
	if run.Category != "" {
		name += " (" + code(run.Category) + ")"
	}
	return name
}

func limited(f *finding.Finding) bool {
	return slices.ContainsFunc(f.Races, func(r finding.Race) bool { return len(r.Limited) > 0 })
}

// quiet is the line of an app without news beside others.
func (p *Page) quiet(a *App) string {
	text := "none."
	if a.Run.Partial() {
		text = "none in the part that could be analysed."
	}
	return "- " + strings.TrimSpace(appName(a.Run)+": "+text+" "+p.rest(a)) + "\n"
}

// pending lists the lines that the change adds to the baseline.
func (p *Page) pending(a *App) string {
	lines := pending(a.Run)
	if len(lines) == 0 {
		return ""
	}
	until := "in every baseline"
	if p.Base != "" {
		until = "on <code>" + tag(p.Base) + "</code>"
	}
	count := "they count once they are "
	if len(lines) == 1 {
		count = "it counts once it is "
	}
	summary := fmt.Sprintf("This change adds %s to the baseline; %s%s", report.Plural(len(lines), "line"), count, until)
	return fold(summary, "\n"+acceptedLines(lines))
}

func acceptedLines(lines []finding.Accepted) string {
	var b strings.Builder
	for i, l := range lines {
		if i == linesShown && len(lines) > linesShown+1 {
			fmt.Fprintf(&b, "- and %d more\n", len(lines)-i)
			break
		}
		fmt.Fprintf(&b, "- %s %s %s", l.Priority, ruleLink(l.Rule), code(l.Field))
		if l.Reason != "" {
			fmt.Fprintf(&b, ": %s", prose(l.Reason))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// after is rest as a paragraph.
func (p *Page) after(a *App) string {
	if text := p.rest(a); text != "" {
		return "\n" + text + "\n"
	}
	return ""
}

// rest is the line for all that does not count.
func (p *Page) rest(a *App) string {
	open := report.OpenByPriority(a.Run)
	var rest []string
	add := func(n int, what string) {
		if n > 0 {
			rest = append(rest, fmt.Sprintf("%d %s", n, what))
		}
	}
	kind := ""
	if a.Run.Baseline != nil {
		kind = "new "
	}
	for q := p.Min - 1; q >= finding.Low; q-- {
		add(open[q], kind+q.String())
	}
	add(a.Run.Counts.Unchanged, "accepted")
	add(a.Run.Counts.Suppressed, "suppressed in the source")
	if a.Run.Baseline != nil && !a.Run.Partial() {
		add(len(a.Run.Baseline.Gone), "gone from the app but still in the baseline")
	}
	text := ""
	if len(rest) > 0 {
		text = "Also: " + strings.Join(rest, ", ") + "."
	}
	if a.Alerts != "" && len(p.Apps) > 1 {
		text += " " + outside("Alerts", a.Alerts)
	}
	return strings.TrimSpace(text)
}

// footer says what the page is of.
func (p *Page) footer() string {
	text := "eventraces at " + p.commit() + ": " + outside("all results", p.Details)
	if len(p.Apps) == 1 && p.Apps[0].Alerts != "" {
		text += ", " + outside("alerts", p.Apps[0].Alerts)
	}
	if p.Fork != "" {
		text += "; found, and told, by a run of the fork " + code(p.Fork) + ", which its authors control"
	}
	return "\n<sub>" + text + "</sub>\n"
}
