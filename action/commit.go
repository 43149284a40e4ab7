package action

import (
	"context"
	"fmt"
	"strings"

	"github.com/eventraces/eventraces/action/internal/event"
	"github.com/eventraces/eventraces/action/internal/github"
	"github.com/eventraces/eventraces/action/internal/workflow"
)

// commit is what was built, as GitHub knows it: what an upload and links are
// about.
type commit struct {
	SHA  string
	Ref  string // full name, for an upload; "" if the commit belongs to none that we know of
	Head string // of the pull request; "" if there is none
}

// commitOf finds the ref that a built commit belongs to. In a pull request it is
// the head or GitHub's test merge of it; anything else is not believed.
func (a *run) commitOf(ctx context.Context, sha string) (commit, error) {
	if sha == "" { // of runs that differ in it, or of a tool that does not know it
		return commit{}, nil
	}
	c, err := a.changeBuilt(ctx, sha)
	if err != nil {
		return commit{}, err
	}
	if c == nil {
		if source := a.event.Source; source != nil && sha == source.Head && source.OfBranch(a.event.Repo) {
			return commit{SHA: sha, Ref: "refs/heads/" + source.Branch}, nil
		}
		if sha == a.event.Commit && a.event.Source == nil {
			return commit{SHA: sha, Ref: a.event.Ref}, nil
		}
		return commit{SHA: sha}, nil
	}
	out := commit{SHA: sha, Head: c.Head}
	if sha == c.Head {
		out.Ref = fmt.Sprintf("refs/pull/%d/head", c.Number)
		return out, nil
	}
	// A run at the end of a pull request is on the branch that it was merged into.
	merge := sha == c.merge || a.event.Change != nil && sha == a.event.Commit && strings.HasPrefix(a.event.Ref, "refs/pull/")
	if !merge && a.event.Source != nil {
		// GitHub makes the test merge anew when the base moves; an older one comes
		// after the head too.
		d, err := a.sinceHead(ctx, c.Head, sha)
		if err != nil && !github.Is(err, github.NotFound, github.Invalid) {
			return out, err
		}
		merge = d.Descends
	}
	if merge {
		out.Ref = fmt.Sprintf("refs/pull/%d/merge", c.Number)
	}
	return out, nil
}

// sinceHead is how what was built differs from the head of the pull request; it is
// asked for once.
func (a *run) sinceHead(ctx context.Context, head, built string) (github.Comparison, error) {
	key := head + built
	if d, ok := a.compared[key]; ok {
		return d, nil
	}
	d, err := a.client.Compare(ctx, head, built)
	if err == nil {
		a.compared[key] = d
	}
	return d, err
}

// change is the pull request that the run is about; nil if there is none.
type change struct {
	event.Change
	merge string // GitHub's test merge, where it was asked for
	open  bool
}

// change finds the pull request: the event names it, or, in a run that was started
// by another's end, GitHub is asked for the one whose head that other was on.
func (a *run) change(ctx context.Context) (*change, error) { return a.changeBuilt(ctx, "") }

// changeBuilt is change; of several pull requests with one head, to branches of
// their own, it is the one whose test merge was built.
func (a *run) changeBuilt(ctx context.Context, built string) (*change, error) {
	if a.pull != nil || a.pullKnown {
		return a.pull, nil
	}
	a.pullKnown = true
	switch source := a.event.Source; {
	case a.event.Change != nil:
		a.pull = &change{Change: *a.event.Change, open: true}
	case source != nil && source.Event == "pull_request":
		pulls, err := a.client.PullsFrom(ctx, source.Owner, source.Branch)
		if err != nil {
			a.pullUnsure = true
			return nil, err
		}
		for _, p := range pulls {
			if p.Head == source.Head && p.HeadRepo == source.Repo && (a.pull == nil || p.Merge == built) {
				a.pull = &change{Change: event.Change{Number: p.Number, Head: p.Head, HeadRepo: p.HeadRepo, Base: p.Base}, merge: p.Merge, open: p.Open}
			}
		}
	}
	return a.pull, nil
}

// current says whether the pull request still has the head that the run is of:
// what an older run has to say is of no use to anyone.
func (a *run) current(ctx context.Context, c *change) (bool, error) {
	p, err := a.client.Pull(ctx, c.Number)
	if err != nil {
		return false, err
	}
	c.open = p.Open
	if p.Head != c.Head {
		a.Info("pull request %d has a newer head, %s; its own run will tell of it", c.Number, p.Head)
		return false, nil
	}
	if p.Base != c.Base {
		a.once(workflow.Annotation{
			Level: workflow.Warning, Title: "eventraces: pull request",
			Message: fmt.Sprintf("The pull request goes to %s now; this run has compared it with %s. The next push compares it with %s.", p.Base, c.Base, p.Base),
		})
	}
	return true, nil
}
