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

// place is a position as people name it, File.java:21, and a link to it if it is
// in a file of the repository.
func (p *Page) place(at finding.Position) string {
	if at.File == "" {
		return "(no source line)"
	}
	target := p.blob(at.File)
	switch {
	case !at.Found || target == "":
		return code(at.Spot())
	case at.Line == 0:
		return link(at.Spot(), target)
	}
	return link(at.Spot(), fmt.Sprintf("%s#L%d", target, at.Line))
}

// blob is the URL of a file at the head, "" if there can be none.
func (p *Page) blob(file string) string {
	if !finding.IsRevision(p.Head) {
		return ""
	}
	segments := strings.Split(file, "/")
	for i, s := range segments {
		if s == "" || s == "." || s == ".." {
			return ""
		}
		segments[i] = segment(s)
	}
	return p.url("blob", segment(p.Head), strings.Join(segments, "/"))
}

func (p *Page) url(parts ...string) string {
	owner, name, _ := strings.Cut(p.Repo, "/")
	return strings.Join(append([]string{strings.TrimRight(p.Server, "/"), segment(owner), segment(name)}, parts...), "/")
}

// commit is a link to the head.
func (p *Page) commit() string {
	if !finding.IsRevision(p.Head) {
		return code(p.Head)
	}
	return fmt.Sprintf("[%s](%s)", code(p.Head[:7]), p.url("commit", segment(p.Head)))
}

// plainFile is a file, or a file and a line, in which nothing has a meaning.
var plainFile = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]*\.[A-Za-z]+(:[0-9]+)?$`)

func link(text, target string) string {
	if !plainFile.MatchString(text) || len(text) > longestName {
		text = code(text)
	}
	return fmt.Sprintf("[%s](%s)", text, target)
}

// outside is a link to a URL that the caller of this package knows, or text if
// it is none.
func outside(text, target string) string {
	u, err := url.Parse(target)
	if err != nil || u.Host == "" || !slices.Contains([]string{"https", "http"}, u.Scheme) || strings.ContainsAny(target, " ()<>[]\"\\`|\n\r") {
		return text
	}
	return fmt.Sprintf("[%s](%s)", text, target)
}

// ruleLink is a rule with a link to its page.
func ruleLink(id finding.RuleID) string {
	if _, ok := finding.RuleByID(id); !ok {
		return code(string(id))
	}
	return fmt.Sprintf("[%s](%s)", id, report.RuleURL(id))
}
