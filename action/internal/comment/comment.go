// Package comment turns runs into the Markdown that people read on GitHub: the
// one comment of a pull request that stays and changes, the comments on changed
// lines, the review that holds them, and the summary of a job.
//
// It is computed from runs and from what the page says of the repository, and
// from nothing else: no call, no clock. Equal pages give equal bytes. Names and
// sentences of a run are data of whoever wrote the app; see escape.go for how
// they are kept from meaning anything. Lengths are limited by leaving out, from
// the end, first pictures, then details, then whole races, and by saying so; see
// fit.
// Cost: linear in the size of the runs.
package comment

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/report"
)

// App is one analysed app of a page.
type App struct {
	Run    *finding.Run
	Alerts string            // URL of its alerts in code scanning, "" if nothing was uploaded
	Accept report.Acceptance // what to type to accept one of its races
}

// Page is everything that comment, summary and review share.
type Page struct {
	Key          string // tells this comment from others of the same repository: "" or a category
	Apps         []App
	Min          finding.Priority // the lowest that counts
	Server, Repo string           // https://github.com, owner/name
	Head         string           // commit that links point to, and whose lines positions have
	Base         string           // base branch; "" outside of pull requests
	Details      string           // URL of the workflow run
	Fork         string           // owner/name of the fork whose run has found all this, and could have been made to find anything; "" if it was ours
	Unheard      []string         // categories that the comment has told of, and of which nothing came; see Silent
}

// HasNews says whether there is something that a comment should say: a finding
// that counts and that nobody has accepted, or lines that the change adds to the
// baseline.
func (p *Page) HasNews() bool {
	for i := range p.Apps {
		if len(p.news(&p.Apps[i])) > 0 || len(pending(p.Apps[i].Run)) > 0 {
			return true
		}
	}
	return false
}

// news are the findings that count and that nobody has accepted, the strongest
// first.
func (p *Page) news(a *App) []*finding.Finding {
	var news []*finding.Finding
	for i := range a.Run.Findings {
		if f := &a.Run.Findings[i]; f.Standing() == finding.Open && f.Priority >= p.Min {
			news = append(news, f)
		}
	}
	return news
}

// pending are the lines that the change adds to the baseline.
func pending(run *finding.Run) []finding.Accepted {
	if run.Baseline == nil {
		return nil
	}
	return run.Baseline.Pending
}

// Partial says whether part of some app, or an app, was not looked at.
func (p *Page) Partial() bool {
	if len(p.Unheard) > 0 {
		return true
	}
	for i := range p.Apps {
		if p.Apps[i].Run.Partial() {
			return true
		}
	}
	return false
}

// StickyMarker begins the comment of a pull request, and no other with another
// key.
func StickyMarker(key string) string {
	if key == "" {
		return "<!-- eventraces:comment v1 -->"
	}
	return "<!-- eventraces:comment v1 key=" + hidden(key) + " -->"
}

// IsSticky says whether body is that of the comment with this key. What a person
// quotes or writes does not begin with the marker.
func IsSticky(body, key string) bool { return strings.HasPrefix(body, StickyMarker(key)) }

// InlineMarker begins a comment on a line, which is about the race with this id;
// key is that of the pull request's comment.
func InlineMarker(key, id string) string {
	if !finding.IsID(id) {
		id = "unknown"
	}
	if key != "" {
		id += " key=" + hidden(key)
	}
	return "<!-- eventrace:v1 id=" + id + " -->"
}

var inlineForm = regexp.MustCompile(`^<!-- eventrace:v1 id=([0-9a-f]{16}(?:#[0-9]+)?)(?: key=([A-Za-z0-9_.~%]+))? -->`)

// InlineID is the id of the race that a comment on a line is about, if it goes with
// the pull request's comment of this key.
func InlineID(body, key string) (string, bool) {
	m := inlineForm.FindStringSubmatch(body)
	if m == nil || !finding.IsID(m[1]) || m[2] != hidden(key) {
		return "", false
	}
	return m[1], true
}

// hidden is s for the inside of an HTML comment.
func hidden(s string) string { return strings.ReplaceAll(segment(s), "-", "%2D") }

// Inline is the comment on the line of one side of a finding.
func (p *Page) Inline(f *finding.Finding, side int) string {
	r := f.First()
	title := fmt.Sprintf("**%s event race** on %s%s, %s", capital(f.Priority.String()), prose(f.Field.Short()), report.Inside(f.Field.Content), ruleLink(f.Rule))
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n\n%s\n", InlineMarker(p.Key, r.ID), title, prose(r.Wrong))
	b.WriteString(worse(r))
	b.WriteString(failsWhen(r))
	fmt.Fprintf(&b, "\nThis side: %s.\nThe other: %s.\n", p.side(r, side), p.side(r, 1-side))
	fmt.Fprintf(&b, "\n**Fix:** %s\n", prose(r.Fix))
	b.WriteString(fold("Why nothing orders the two", p.order(r)))
	b.WriteString(fold("It does no harm? How to accept it", p.accept(p.appOf(f), r)))
	return b.String()
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// appOf is the app that has the finding, or one with the same races.
func (p *Page) appOf(f *finding.Finding) *App {
	best := &App{}
	for i := range p.Apps {
		a := &p.Apps[i]
		for j := range a.Run.Findings {
			switch other := &a.Run.Findings[j]; {
			case other == f:
				return a
			case other.First().ID == f.First().ID:
				best = a
			}
		}
	}
	return best
}

// Review is what the review says that holds n comments on lines; more findings
// are not on lines that the change touches.
func (p *Page) Review(n, more int) string {
	text := fmt.Sprintf("%s on changed lines.", p.counted(n))
	if more > 0 {
		text += fmt.Sprintf(" %d more: see the comment of eventraces in this pull request.", more)
	}
	return text + "\n"
}

// NoVerdict is the summary of a job in which nothing could be said of the app.
func NoVerdict(reason string) string {
	return "## No verdict\n\n" + prose(reason) + "\n"
}
