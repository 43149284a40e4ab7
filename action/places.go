package action

import (
	"context"

	"github.com/eventraces/eventraces/action/internal/github"
	"github.com/eventraces/eventraces/action/internal/patch"
	"github.com/eventraces/eventraces/engine/finding"
)

// places gives the line at the head of the pull request of a place that was
// analysed. What was built is mostly GitHub's test merge, and its lines are others
// where the base branch has changed a file since. Nil: they are the same. Findings
// that do not say which commit was built have no lines.
func (a *run) places(ctx context.Context) func(finding.Position) (int, bool) {
	built := ""
	for _, x := range a.apps {
		if x.commit.SHA == "" {
			return nowhere
		}
		if x.commit.Head == "" {
			return nil
		}
		if x.commit.Ref == "" || built != "" && built != x.commit.SHA {
			return nowhere
		}
		built = x.commit.SHA
	}
	head := a.apps[0].commit.Head
	if built == head {
		return nil
	}
	since, err := a.sinceHead(ctx, head, built)
	if err != nil {
		a.Info("links have no lines, as the test merge could not be compared with the head: %v", err)
		return nowhere
	}
	differs := map[string]patch.Hunks{}
	unknown := map[string]bool{}
	for _, f := range since.Files {
		hunks, err := patch.Parse(f.Patch)
		if err != nil || f.New || f.Patch == "" && f.Lines > 0 {
			unknown[f.Path] = true
			continue
		}
		differs[f.Path] = hunks
	}
	return func(p finding.Position) (int, bool) {
		hunks, listed := differs[p.File]
		switch {
		case unknown[p.File], !listed && !since.All:
			return 0, false
		case !listed:
			return p.Line, true
		}
		return hunks.Old(p.Line)
	}
}

func nowhere(finding.Position) (int, bool) { return 0, false }

// hunks are those of the files that a pull request changes.
func hunks(files []github.ChangedFile) map[string]patch.Hunks {
	out := map[string]patch.Hunks{}
	for _, f := range files {
		if h, err := patch.Parse(f.Patch); err == nil {
			out[f.Path] = h
		}
	}
	return out
}
