package action

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/eventraces/eventraces/action/internal/github"
	"github.com/eventraces/eventraces/action/internal/workflow"
	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/report"
)

// uploadedVariable lists the categories that steps of this job have uploaded: a
// second upload of one would replace the first.
const uploadedVariable = "EVENTRACES_UPLOADED"

// uploads: the event and the inputs allow it.
func (a *run) uploads() bool { return a.plan.Upload && a.in.upload != uploadOff }

// publish hands the findings to code scanning; GitHub processes them while the
// run goes on (see await).
func (a *run) publish(ctx context.Context) error {
	if !a.uploads() {
		return nil
	}
	before := strings.Fields(a.Getenv(uploadedVariable))
	for _, x := range a.apps {
		category := report.Category(x.Run)
		if slices.Contains(before, category) {
			a.refused = true
			a.Annotate(workflow.Annotation{
				Level: workflow.Error, Title: "eventraces: code scanning",
				Message: fmt.Sprintf("input category: another step of this job has uploaded the category %s, which this upload would replace; give each app its own", category),
			})
			continue
		}
		if x.commit.Ref == "" {
			a.noCommit(x, category)
			continue
		}
		id, err := a.client.Upload(ctx, github.Upload{SARIF: x.sarif, Category: category, Ref: x.commit.Ref, Commit: x.commit.SHA, Tool: finding.ToolName})
		if err != nil {
			if err := a.notUploaded(ctx, err); err != nil {
				return err
			}
			continue
		}
		x.upload = id
		if placeless(x.Run) {
			a.once(workflow.Annotation{
				Level: workflow.Warning, Title: "eventraces: code scanning",
				Message: "Code scanning shows none of the findings: neither their source files nor the manifest were found below the input source-roots. Are the sources checked out?",
			})
		}
		before = append(before, category)
		a.Info("uploaded to code scanning as %s for %s at %s", category, x.commit.Ref, x.commit.SHA)
	}
	return a.Variable(uploadedVariable, strings.Join(before, " "))
}

// placeless: no finding has a file of the repository to stand in, so an upload
// leaves out all of them.
func placeless(run *finding.Run) bool {
	return len(run.Findings) > 0 && run.App.Sources && run.App.Manifest == "" &&
		!slices.ContainsFunc(run.Findings, func(f finding.Finding) bool { return f.First().Sides[0].Access.Found })
}

// noCommit says that what was built is no commit that an upload could be for. That
// a pull request has moved on is nothing to warn of; nor is the end of a queue.
func (a *run) noCommit(x *app, category string) {
	text := fmt.Sprintf("%s is not uploaded: what was built (%s) is no commit of a branch or pull request that this run is about", category, cmp.Or(x.Revision, "of no commit that is known"))
	if source := a.event.Source; source != nil && a.pull == nil && !source.OfBranch(a.event.Repo) {
		a.Info("%s", text)
		return
	}
	a.Annotate(workflow.Annotation{Level: workflow.Warning, Title: "eventraces: code scanning", Message: text + ". Was another commit checked out?"})
}

// notUploaded says once why code scanning gets nothing. Only what GitHub finds
// wrong in the file fails the step.
func (a *run) notUploaded(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	level, text := workflow.Warning, "The findings were not uploaded: "+err.Error()
	switch {
	case github.Is(err, github.NotEnabled):
		level = workflow.Notice
		text = "Code scanning is not enabled for this repository, so the findings are in the comment and the summary only. Set upload: off to silence this notice."
	case github.Is(err, github.Forbidden):
		text += hint(err, "security-events: write")
	case github.Is(err, github.NotFound):
		text += ". The branch or pull request may be gone."
	case github.Is(err, github.Invalid, github.TooLarge):
		level, a.refused = workflow.Error, true
		text = "Code scanning refuses the findings: " + err.Error()
	}
	a.once(workflow.Annotation{Level: level, Title: "eventraces: code scanning", Message: text})
	return nil
}

// once annotates what may come up several times.
func (a *run) once(x workflow.Annotation) {
	if !a.told[x.Message] {
		a.told[x.Message] = true
		a.Annotate(x)
	}
}

// hint says which permission may lack, where GitHub's words do not tell of
// something else.
func hint(err error, permission string) string {
	text := github.Said(err)
	if strings.Contains(text, "locked") || strings.Contains(text, "archived") || strings.Contains(text, "read-only") {
		return ""
	}
	return ". Does the job have the permission " + permission + "?"
}

// pauses before each question how far GitHub is: it takes two or three seconds at
// least.
var pauses = []time.Duration{2 * time.Second, 3 * time.Second, 5 * time.Second, 10 * time.Second, 20 * time.Second, 30 * time.Second}

// await waits until GitHub has processed the uploads, or long enough.
func (a *run) await(ctx context.Context) error {
	var uploaded []*app
	var ids []string
	for _, x := range a.apps {
		if x.upload != "" {
			uploaded, ids = append(uploaded, x), append(ids, x.upload)
		}
	}
	known, failed := a.client.Wait(ctx, ids, pauses...)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for i, x := range uploaded {
		switch p := known[i]; {
		case failed[i] != nil:
			a.once(workflow.Annotation{Level: workflow.Warning, Title: "eventraces: code scanning", Message: "It is not known whether the upload was processed: " + failed[i].Error()})
			continue
		case len(p.Errors) > 0:
			a.refused = true
			a.Annotate(workflow.Annotation{
				Level: workflow.Error, Title: "eventraces: code scanning",
				Message: "Code scanning could not process the findings: " + strings.Join(p.Errors, "; "),
			})
			continue
		case !p.Done:
			a.Info("code scanning is still processing the findings; it will go on by itself")
		}
		x.shown = true
	}
	return nil
}
