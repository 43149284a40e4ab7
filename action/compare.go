package action

import (
	"context"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/eventraces/eventraces/action/internal/event"
	"github.com/eventraces/eventraces/baseline"
	"github.com/eventraces/eventraces/engine"
	"github.com/eventraces/eventraces/engine/finding"
)

// compare gives each race its state. In a pull request the baseline of the base
// branch must accept it too, so that a change cannot hide its race; what only the
// change accepts is listed.
func (a *run) compare(ctx context.Context, result *engine.Result) error {
	own, err := baseline.Read(filepath.FromSlash(a.in.baseline))
	if err != nil {
		return err
	}
	files := []*baseline.File{own}
	if a.plan.Baseline == event.OfBase {
		base, err := a.baseBaseline(ctx)
		if err != nil {
			return err
		}
		files = append(files, base)
	}
	return baseline.Compare(result.Run, files, result.Names)
}

// baseBaseline is the baseline of the base branch as it is now; if the branch is
// gone, as it was when the event happened. A merge group stands on the groups
// before it, so there the commit below it counts first.
func (a *run) baseBaseline(ctx context.Context) (*baseline.File, error) {
	branch, commit := a.event.BaseBranch()
	label := path.Base(a.in.baseline) + " of " + branch
	refs := []string{"refs/heads/" + branch, commit}
	if a.event.Group != nil {
		slices.Reverse(refs)
	}
	for _, ref := range refs {
		if ref == "" {
			continue
		}
		text, ok, err := a.client.File(ctx, a.in.baseline, ref)
		if err != nil {
			return nil, err
		}
		if ok {
			f, err := baseline.Parse(label, text)
			if f != nil {
				f.Label = label
			}
			return f, err
		}
	}
	a.Info("%s has no baseline %s: every race counts as new", branch, a.in.baseline)
	return &baseline.File{Name: label, Label: label, Missing: true}, nil
}

// checkedOut is the commit in the workspace; without git or a checkout, the one
// that the event names.
func (a *run) checkedOut(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	// The folder may belong to another user, as it does in containers.
	out, err := exec.CommandContext(ctx, "git", "-c", "safe.directory=*", "rev-parse", "HEAD").Output()
	if sha := strings.TrimSpace(string(out)); err == nil && finding.IsRevision(sha) {
		return sha
	}
	return a.event.Commit
}
