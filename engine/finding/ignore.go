package finding

import (
	"fmt"
	"slices"
	"strings"
)

// How suppressions are written, for messages.
const (
	CommentForm    = "// eventraces:ignore RULE because REASON"
	AnnotationForm = `@IgnoreEventRace(rule = "RULE", because = "REASON")`
)

// Ignore is a suppression as it stands in a source or in bytecode.
type Ignore struct {
	By      string // as in Suppression, like the next two
	Because string
	Where   string
	Rules   []RuleID
	Problem string // why it does not count: what follows "it"; "" if it does
	Silent  bool   // nothing is told of it: it may be for another app

	at     int      // in its list
	unused []RuleID // of the rules
}

// Check sets the problem of a suppression that has no reason, no rule or an
// unknown one, unless a problem is known already. form is how to write it.
func (g *Ignore) Check(form string) {
	if g.Problem != "" {
		return
	}
	for _, rule := range g.Rules {
		if _, err := ParseRule(string(rule)); err != nil {
			g.Problem = "names the " + err.Error()
			return
		}
	}
	switch {
	case len(g.Rules) == 0:
		g.Problem = "names no rule: write " + form
	case g.Because == "":
		g.Problem = "gives no reason: write " + form
	}
}

// Ignore marks the races that suppressions accept, unless they are marked
// already, and notes the suppressions that do not count or accept nothing.
// covering gives those that cover a race, whatever their rules and order: of
// several the first of the list marks it, and all are in use.
func (r *Run) Ignore(list []*Ignore, covering func(*Race) []*Ignore) {
	for i, g := range list {
		g.at, g.unused = i, slices.Clone(g.Rules)
	}
	r.EachRace(func(x *Race) {
		var first *Ignore
		for _, g := range covering(x) {
			if g.Problem != "" || !slices.Contains(g.Rules, x.Rule) {
				continue
			}
			g.unused = slices.DeleteFunc(g.unused, func(rule RuleID) bool { return rule == x.Rule })
			if first == nil || g.at < first.at {
				first = g
			}
		}
		if first != nil && x.Suppressed == nil {
			x.Suppressed = &Suppression{By: first.By, Because: first.Because, Where: first.Where}
		}
	})
	for _, g := range list {
		if text := g.note(); text != "" && !g.Silent {
			r.Notes = append(r.Notes, Notification{Kind: NoteUnusedIgnore, Text: text, Where: g.Where})
		}
	}
	r.Regroup()
}

// note says what is wrong with the suppression after all races were seen; "" if
// nothing is.
func (g *Ignore) note() string {
	if g.Problem != "" {
		return "the suppression does not count: it " + g.Problem
	}
	if len(g.unused) == 0 {
		return ""
	}
	var names []string
	for _, rule := range g.unused {
		if !slices.Contains(names, string(rule)) {
			names = append(names, string(rule))
		}
	}
	return fmt.Sprintf("the suppression of %s covers no race; remove it", strings.Join(names, ", "))
}
