package event

import (
	"fmt"
	"slices"
	"strings"
)

// Plan is what a run of the Action does for an event.
type Plan struct {
	Refuse string // why nothing is done at all; "" if something is

	Baseline Baseline // whose baseline counts
	Upload   bool     // to code scanning
	Comment  bool     // in the pull request
	Why      string   // what a person should know of what is left out; "" if nothing is
}

// Baseline is whose baseline counts.
type Baseline int

const (
	Own       Baseline = iota // the one that was checked out
	OfBase                    // the base branch must accept a race too
	Published                 // findings come compared
)

// row is one line of the table of events: the first that fits decides.
type row struct {
	fits func(e *Event, publish bool) bool
	plan Plan
}

const (
	whyFork = "The token of a pull request from a fork can only read, so nothing is uploaded and no comment is written. " +
		"Save the findings-file as an artifact and publish it from a workflow_run workflow."
	whyBot = "A run that Dependabot starts gets a token that can only read, unless its workflow says otherwise: nothing is uploaded and no comment is written. " +
		"Save the findings-file as an artifact and publish it from a workflow_run workflow."
	whyQueue = "A merge queue's ref is gone when it ends: this run only decides, it uploads and comments nothing."
	whyEvent = "For this event nothing is uploaded and no comment is written."

	refuseTarget = "pull_request_target gives the code of a pull request a token that can write: run the Action on pull_request, " +
		"and publish what forks find from a workflow_run workflow"
	refuseRun = "workflow_run has a token that can write, and what it gets is a stranger's: it only publishes findings; name their files in the input findings"
)

// table is read from the top. publish: findings of other jobs are published.
var table = []row{
	{func(e *Event, _ bool) bool { return e.Name == "pull_request_target" }, Plan{Refuse: refuseTarget}},
	{func(e *Event, publish bool) bool { return e.Name == "workflow_run" && !publish }, Plan{Refuse: refuseRun}},
	{func(e *Event, _ bool) bool { return e.Name == "workflow_run" }, Plan{Baseline: Published, Upload: true, Comment: true}},
	{func(e *Event, _ bool) bool { return e.queued() }, Plan{Baseline: OfBase, Why: whyQueue}},
	{func(e *Event, _ bool) bool { return e.Name == "pull_request" && e.Fork() }, Plan{Baseline: OfBase, Why: whyFork}},
	{func(e *Event, _ bool) bool { return e.Name == "pull_request" && e.bot() }, Plan{Baseline: OfBase, Why: whyBot}},
	{func(e *Event, _ bool) bool { return e.Name == "pull_request" }, Plan{Baseline: OfBase, Upload: true, Comment: true}},
	{func(e *Event, _ bool) bool { return e.Name == "push" && e.bot() }, Plan{Why: whyBot}},
	{func(e *Event, _ bool) bool { return slices.Contains(whole, e.Name) && e.branch() }, Plan{Upload: true}},
	{func(e *Event, _ bool) bool { return e.Change != nil }, Plan{Baseline: OfBase, Why: whyEvent}}, // pull_request_review and others
	{func(*Event, bool) bool { return true }, Plan{Why: whyEvent}},
}

// whole are the events that tell the state of a branch.
var whole = []string{"push", "schedule", "workflow_dispatch", "repository_dispatch"}

// OfBranch: the run that has ended was of a branch of the repository itself, and
// of none that a merge queue has pushed.
func (s *Source) OfBranch(repo string) bool {
	return slices.Contains(whole, s.Event) && s.Repo == repo && !strings.HasPrefix(s.Branch, queuePrefix)
}

// Plan looks the event up. publish: the run publishes findings of other jobs.
func (e *Event) Plan(publish bool) (Plan, error) {
	if e.Name == "pull_request" && e.Change == nil {
		return Plan{}, fmt.Errorf("GITHUB_EVENT_PATH names no pull request, and the event is %s", e.Name)
	}
	if e.Name == "workflow_run" && e.Source == nil {
		return Plan{}, fmt.Errorf("GITHUB_EVENT_PATH names no workflow run, and the event is %s", e.Name)
	}
	for _, r := range table {
		if r.fits(e, publish) {
			p := r.plan
			if publish {
				p.Baseline = Published
			}
			return p, nil
		}
	}
	panic("event: the table has a last row that fits all")
}

// queued: the run is of a merge queue, by its event or by the ref that the queue
// has pushed.
func (e *Event) queued() bool {
	return e.Name == "merge_group" || strings.HasPrefix(e.Ref, "refs/heads/"+queuePrefix)
}

// queuePrefix begins the names of the branches that merge queues push.
const queuePrefix = "gh-readonly-queue/"

func (e *Event) bot() bool { return slices.Contains(bots, e.Actor) }

func (e *Event) branch() bool { return strings.HasPrefix(e.Ref, "refs/heads/") }

// BaseBranch is the branch whose baseline counts, and the commit of it that is
// known to exist; both are "" where there is none.
func (e *Event) BaseBranch() (branch, commit string) {
	switch {
	case e.Change != nil:
		return e.Change.Base, e.Change.BaseAt
	case e.Group != nil:
		return e.Group.Base, e.Group.BaseAt
	case e.queued():
		// gh-readonly-queue/BASE/pr-NUMBER-SHA: a push of the queue names no base commit.
		rest := strings.TrimPrefix(e.Ref, "refs/heads/"+queuePrefix)
		if slash := strings.LastIndexByte(rest, '/'); slash > 0 {
			return rest[:slash], ""
		}
	}
	return "", ""
}
