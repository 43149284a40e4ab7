package action

import (
	"context"
	"fmt"
	"os"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/report"
)

const (
	mostFiles    = 100
	mostApps     = 20
	mostFindings = 256 << 20 // bytes, of all files
)

// readFindings reads what earlier jobs have saved. In a workflow_run the files may
// be a stranger's: they are read within limits, must have the form of a run, and
// say nothing that is believed about the repository, the pull request or the
// commit. Runs of one category become one.
func (a *run) readFindings(ctx context.Context) error {
	if n := len(a.in.findings); n > mostFiles {
		return fmt.Errorf("input findings: matches %d files, more than %d", n, mostFiles)
	}
	var order []string
	groups := map[string][]*finding.Run{}
	size := int64(0)
	for _, name := range a.in.findings {
		info, err := os.Stat(name)
		if err != nil {
			return fmt.Errorf("input findings: %s: %w", name, report.Reason(err))
		}
		if size += info.Size(); size > mostFindings {
			return fmt.Errorf("input findings: the files have more than %d MiB", mostFindings>>20)
		}
		r, err := readRun(name)
		if err != nil {
			return fmt.Errorf("input findings: %s: %w", name, err)
		}
		category := report.Category(r)
		if groups[category] == nil {
			if len(order) == mostApps {
				return fmt.Errorf("input findings: the files are of more than %d categories", mostApps)
			}
			order = append(order, category)
		}
		groups[category] = append(groups[category], r)
	}
	for _, category := range order {
		run := finding.Merge(groups[category])
		x := &app{Run: run, told: run}
		if err := x.Check(); err != nil {
			return fmt.Errorf("input findings: the runs of %s do not fit together: %w", category, err)
		}
		var err error
		x.commit, err = a.commitOf(ctx, x.Revision)
		if err := a.excuse(ctx, "The pull request of the findings is not known", err); err != nil {
			return err
		}
		a.apps = append(a.apps, x)
		a.Info("%s: findings %d, files %d", category, len(x.Findings), len(groups[category]))
	}
	return nil
}

func readRun(name string) (*finding.Run, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, report.Reason(err)
	}
	defer f.Close()
	return report.ReadJSON(f)
}
