package action

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/eventraces/eventraces/action/internal/workflow"
	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/report"
)

// counts are findings by what a reader has to do with them.
type counts struct {
	New        byPriority `json:"new"`
	Unchanged  int        `json:"unchanged"`
	Suppressed int        `json:"suppressed"`
	Gone       int        `json:"gone"` // lines of the baseline
}

type byPriority struct {
	High   int `json:"high"`
	Medium int `json:"medium"`
	Low    int `json:"low"`
}

// newFinding is an element of the output new-findings.
type newFinding struct {
	ID       string           `json:"id"`
	Rule     finding.RuleID   `json:"rule"`
	Priority finding.Priority `json:"priority"`
	Field    string           `json:"field"`
	File     string           `json:"file"`
	Line     int              `json:"line"`
	Message  string           `json:"message"`
}

// mostNew bounds the output: all outputs of a job together have 1 MB.
const (
	mostNew     = 100
	longestText = 500 // characters
)

func (a *run) outputs(context.Context) error {
	var c counts
	list := []newFinding{}
	for _, x := range a.apps {
		c.Unchanged += x.Counts.Unchanged
		c.Suppressed += x.Counts.Suppressed
		if x.Baseline != nil {
			c.Gone += len(x.Baseline.Gone)
		}
		for i := range x.Findings {
			f := &x.Findings[i]
			if f.Standing() != finding.Open {
				continue
			}
			switch f.Priority {
			case finding.High:
				c.New.High++
			case finding.Medium:
				c.New.Medium++
			default:
				c.New.Low++
			}
		}
		for _, f := range a.news(x) {
			if len(list) < mostNew {
				r := f.First()
				at := r.Sides[0].Access.Position
				list = append(list, newFinding{r.ID, r.Rule, f.Priority, short(f.Field.String()), short(at.File), at.Line, short(r.Wrong)})
			}
		}
	}
	return errors.Join(a.outputJSON(outputCounts, c), a.outputJSON(outputNew, list))
}

func short(s string) string {
	if r := []rune(s); len(r) > longestText {
		return string(r[:longestText-3]) + "..."
	}
	return s
}

func (a *run) outputJSON(name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return a.Output(name, string(text))
}

// annotate shows the new findings beside their lines, where neither a comment nor
// an alert does; and says in one line why the step fails.
func (a *run) annotate(context.Context) error {
	level := workflow.Error
	if a.in.failOn == finding.FailOnNever {
		level = workflow.Warning
	}
	var hidden, seen int
	for _, x := range a.apps {
		for _, f := range a.news(x) {
			r := f.First()
			// Code scanning has no alert where there is no file for it to stand in.
			if a.commented || x.shown && r.Sides[0].Access.Found {
				seen++
				continue
			}
			hidden++
			note := workflow.Annotation{Level: level, Title: fmt.Sprintf("%s: %s", r.Rule, r.Field.Short()), Message: r.Wrong + "\n" + r.Fix}
			if at := r.Sides[0].Access.Position; at.Found && at.Line > 0 {
				note.File, note.Line = at.File, at.Line
			}
			a.Annotate(note)
		}
	}
	if seen > 0 && level == workflow.Error {
		a.Annotate(workflow.Annotation{Level: level, Title: "eventraces", Message: fmt.Sprintf("%s: see %s.", races(seen, a.check.Min), a.where())})
	}
	if a.verdict() == exitLimited {
		a.Annotate(workflow.Annotation{Level: workflow.Error, Title: "eventraces", Message: "Part of the app was not fully analysed, or a limit was hit, which fails this step, as --strict is set: see the summary of the job."})
	}
	if a.in.failOn == finding.FailOnAll && seen+hidden == 0 && a.verdict() == exitRaces {
		a.Annotate(workflow.Annotation{Level: level, Title: "eventraces", Message: "The accepted event races fail this step, as the input fail-on is all: see the summary of the job."})
	}
	return nil
}

// races counts new races of a priority, or above it.
func races(n int, min finding.Priority) string {
	switch min {
	case finding.High:
		return report.Plural(n, "new high event race")
	case finding.Medium:
		return report.Plural(n, "new medium or high event race")
	}
	return report.Plural(n, "new event race")
}

func (a *run) where() string {
	if a.commented {
		return "the comment in the pull request"
	}
	return "the alerts of code scanning, or the summary of the job, which has all"
}
