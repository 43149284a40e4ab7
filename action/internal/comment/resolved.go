package comment

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/report"
)

// named are comments that no reader sees: what the page names, for Resolved.
func (p *Page) named() string {
	var list []name
	for i := range p.Apps {
		for _, f := range p.news(&p.Apps[i]) {
			if n := (name{f.Rule, f.Field.Short()}); !slices.Contains(list, n) {
				list = append(list, n)
			}
		}
	}
	return hiddenNames(list)
}

// name is what a comment remembers of a finding.
type name struct {
	rule  finding.RuleID
	field string
}

func hiddenNames(list []name) string {
	var b strings.Builder
	for _, n := range list[:min(len(list), findingsShown)] {
		fmt.Fprintf(&b, "<!-- eventraces:named %s %s -->\n", hidden(remembered(string(n.rule))), hidden(remembered(n.field)))
	}
	return b.String()
}

func remembered(s string) string { return shorten(report.Clean(s), longestLabel) }

var (
	namedForm    = regexp.MustCompile(`<!-- eventraces:named ([A-Za-z0-9_.~%]+) ([A-Za-z0-9_.~%]+) -->`)
	resolvedForm = regexp.MustCompile(`<!-- eventraces:resolved ([0-9a-f]+) -->`)
)

// covered are comments that no reader sees: which apps the page is about, for
// Silent.
func (p *Page) covered() string {
	var b strings.Builder
	for _, category := range p.categories() {
		fmt.Fprintf(&b, "<!-- eventraces:app %s -->\n", hidden(remembered(category)))
	}
	return b.String()
}

// appsRemembered bounds the apps that a comment remembers.
const appsRemembered = 100

func (p *Page) categories() []string {
	var list []string
	for i := range p.Apps {
		list = append(list, report.Category(p.Apps[i].Run))
	}
	for _, category := range p.Unheard {
		if !slices.Contains(list, category) {
			list = append(list, category)
		}
	}
	return list[:min(len(list), appsRemembered)]
}

var appForm = regexp.MustCompile(`<!-- eventraces:app ([A-Za-z0-9_.~%]+) -->`)

// Silent are the categories of apps that a comment is about and that this page has
// nothing of: a job may have failed, and what it would have found is not gone.
func (p *Page) Silent(before string) []string {
	var silent []string
	here := p.categories()
	for i := range here {
		here[i] = remembered(here[i])
	}
	for _, m := range appForm.FindAllStringSubmatch(before, appsRemembered) {
		category, err := url.PathUnescape(m[1])
		if err == nil && !slices.Contains(here, category) && !slices.Contains(silent, category) {
			silent = append(silent, category)
		}
	}
	return silent
}

// unheard warns of apps of which nothing came.
func (p *Page) unheard() string {
	if len(p.Unheard) == 0 {
		return ""
	}
	names := make([]string, len(p.Unheard))
	for i, category := range p.Unheard {
		names[i] = code(strings.TrimSuffix(strings.TrimPrefix(category, finding.ToolName+"/"), "/"))
	}
	return "\n> [!WARNING]\n> No findings came of " + strings.Join(names, ", ") + ". What was told of it before may still hold.\n"
}

// Resolved is what the comment of a pull request becomes when there is no news;
// before is its text until now. The commit at which it was resolved stays if
// before was resolved already.
func (p *Page) Resolved(before string) string {
	var list []name
	for _, m := range namedForm.FindAllStringSubmatch(before, findingsShown) {
		rule, err := url.PathUnescape(m[1])
		field, err2 := url.PathUnescape(m[2])
		if err == nil && err2 == nil {
			list = append(list, name{finding.RuleID(rule), field})
		}
	}
	at := *p
	if m := resolvedForm.FindStringSubmatch(before); m != nil && finding.IsRevision(m[1]) {
		at.Head = m[1]
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s%s", StickyMarker(p.Key), p.covered(), hiddenNames(list))
	if p.Partial() {
		fmt.Fprintf(&b, "### %s\n%s", p.counted(0), p.unheard())
		if len(p.Unheard) == 0 {
			fmt.Fprintf(&b, "\n> [!WARNING]\n> %s\n", p.partialNote())
		}
	} else {
		if finding.IsRevision(at.Head) {
			fmt.Fprintf(&b, "<!-- eventraces:resolved %s -->\n", at.Head)
		}
		fmt.Fprintf(&b, "### Resolved: %s\n\nNothing is left since %s.\n", lower(p.counted(0)), at.commit())
	}
	if len(list) > 0 {
		b.WriteString("\nThis comment was about:\n\n")
		for _, n := range list {
			fmt.Fprintf(&b, "- %s %s\n", ruleLink(n.rule), code(n.field))
		}
	}
	pieces := []piece{fixed(b.String())}
	for i := range p.Apps {
		pieces = append(pieces, lasting(p.after(&p.Apps[i])))
	}
	text, _ := fit(pieces, longestComment-longestFooter, characters)
	return text + p.footer()
}

func lower(s string) string { return strings.ToLower(s[:1]) + s[1:] }

func (p *Page) partialNote() string {
	return "Part of the app was not fully analysed: a race could be missing. " + outside("See the notes of the run", p.Details) + "."
}
