package comment

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
)

// named are comments that no reader sees: what the page names, for Resolved.
func (p *Page) named() string {
	var list []name
	for i := range p.Apps {
		for _, f := range p.news(&p.Apps[i]) {
			list = append(list, name{f.Rule, f.Field.Short()})
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
	for i, n := range list {
		if i == findingsShown {
			break
		}
		fmt.Fprintf(&b, "<!-- eventraces:named %s %s -->\n", n.rule, hidden(shorten(n.field, longestName)))
	}
	return b.String()
}

var (
	namedForm    = regexp.MustCompile(`<!-- eventraces:named ([a-z-]+) ([A-Za-z0-9_.~%]+) -->`)
	resolvedForm = regexp.MustCompile(`<!-- eventraces:resolved ([0-9a-f]+) -->`)
)

// Resolved is what the comment of a pull request becomes when there is no news;
// before is its text until now. The commit at which it was resolved stays if
// before was resolved already.
func (p *Page) Resolved(before string) string {
	var list []name
	for _, m := range namedForm.FindAllStringSubmatch(before, findingsShown) {
		rule, err := finding.ParseRule(m[1])
		field, err2 := url.PathUnescape(m[2])
		if err == nil && err2 == nil {
			list = append(list, name{rule, field})
		}
	}
	at := *p
	if m := resolvedForm.FindStringSubmatch(before); m != nil && finding.IsRevision(m[1]) {
		at.Head = m[1]
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s", StickyMarker(p.Key), hiddenNames(list))
	if p.partial() {
		fmt.Fprintf(&b, "### %s\n", p.counted(0))
		fmt.Fprintf(&b, "\n> [!WARNING]\n> %s\n", p.partialNote())
	} else {
		if finding.IsRevision(at.Head) {
			fmt.Fprintf(&b, "<!-- eventraces:resolved %s -->\n", at.Head)
		}
		fmt.Fprintf(&b, "### Resolved: %s\n\nSince %s.\n", strings.ToLower(p.counted(0)), at.commit())
	}
	if len(list) > 0 {
		b.WriteString("\nThis comment was about:\n\n")
		for _, n := range list {
			fmt.Fprintf(&b, "- %s %s\n", ruleLink(n.rule), code(n.field))
		}
	}
	for i := range p.Apps {
		b.WriteString(p.after(&p.Apps[i]))
	}
	return b.String() + p.footer()
}

func (p *Page) partialNote() string {
	return "Part of the app was not fully analysed: a race could be missing. " + outside("See the notes of the run", p.Details) + "."
}
