// Package action is the GitHub Action: it runs the engine on the build outputs of
// a workflow, compares with the baseline of the base branch, and tells what is new
// where people look: code scanning, one comment in the pull request, a few on its
// lines, annotations, the summary of the job, and the exit code.
//
// Run reads like a table of contents. What may be done is decided by the event
// (package event) before anything is asked of GitHub. The verdict never depends
// on what could be delivered, with one exception: a file that code scanning
// refuses fails the step, since to send it again would not help. Outages, limits
// and missing rights are told in one line each.
package action

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/eventraces/eventraces/action/internal/comment"
	"github.com/eventraces/eventraces/action/internal/event"
	"github.com/eventraces/eventraces/action/internal/github"
	"github.com/eventraces/eventraces/action/internal/workflow"
	"github.com/eventraces/eventraces/engine"
	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/report"
)

// Options are what a run of the Action is given.
type Options struct {
	Getenv  func(string) string
	Stdout  io.Writer // the log of the step
	Version string
	Prepare Prepare
	Sleep   func(context.Context, time.Duration) error // nil: really
}

// Prepare reads the arguments of the input args, and makes a check of a build from
// them.
type Prepare func(args []string, b Build) (*Check, error)

// Build is what is analysed.
type Build struct {
	Outputs     []string // files; none if nothing is analysed
	Mapping     string   // file, "" for none
	SourceRoots []string
	Baseline    string // as the input names it
}

// Check is an analysis that can begin.
type Check struct {
	Min     finding.Priority // the lowest that fails
	Strict  bool
	Accept  report.Acceptance
	Analyse func(context.Context) (*engine.Result, error)
}

// Exit codes, as those of check.
const (
	exitClean   = 0
	exitRaces   = 1
	exitFailed  = 2
	exitLimited = 3
)

// statuses by exit code.
var statuses = []string{"clean", "races", "failed", "limited"}

// run is one run of the Action.
type run struct {
	Options
	*workflow.Runner
	in     *inputs
	event  *event.Event
	plan   event.Plan
	client *github.Client
	check  *Check
	folder string // of the files that the run leaves

	apps       []*app
	pull       *change
	pullKnown  bool // it was looked for
	pullUnsure bool // and GitHub gave no answer
	compared   map[string]github.Comparison
	talk       *github.Conversation // what stood in the pull request
	page       *comment.Page
	commented  bool
	told       map[string]bool // what is said once
	refused    bool            // GitHub refuses a file of ours
}

// app is what is told of one app: a category of code scanning.
type app struct {
	*finding.Run
	told   *finding.Run // the same with the lines that people look at; see moved
	sarif  []byte       // what code scanning gets
	commit commit
	upload string // its id; "" if there is none
	shown  bool   // code scanning shows its alerts, or will
}

// Run does the work and returns the exit code of the step; every error has been
// told when it returns.
func Run(ctx context.Context, o Options) int {
	a := &run{Options: o, Runner: workflow.New(o.Getenv, o.Stdout), told: map[string]bool{}, compared: map[string]github.Comparison{}}
	err := a.Output(outputStatus, statuses[exitFailed]) // in case that we do not get to the end
	code := exitFailed
	if err == nil {
		code, err = a.run(ctx)
	}
	if err != nil {
		code = exitFailed
		if errors.Is(err, context.Canceled) {
			err = errors.New("interrupted")
		}
		a.Annotate(workflow.Annotation{Level: workflow.Error, Title: "eventraces", Message: err.Error()})
		if err := a.Summary(comment.NoVerdict(err.Error())); err != nil {
			a.Info("%v", err)
		}
	}
	a.Flush()
	if err := a.Output(outputStatus, statuses[code]); err != nil {
		a.Info("%v", err)
		code = exitFailed
	}
	return code
}

func (a *run) run(ctx context.Context) (int, error) {
	if err := a.begin(); err != nil {
		return 0, err
	}
	for _, do := range []func(context.Context) error{
		a.find,     // races: of a build, or of earlier jobs
		a.save,     // them as files
		a.publish,  // to code scanning
		a.tell,     // in the summary, and in the pull request
		a.await,    // code scanning
		a.review,   // on the lines of the pull request
		a.annotate, // what is shown nowhere else
		a.outputs,
	} {
		if err := do(ctx); err != nil {
			return 0, err
		}
	}
	return a.verdict(), nil
}

// begin reads what the run is given, before anything takes time.
func (a *run) begin() error {
	var err error
	if a.event, err = event.Read(a.Getenv); err != nil {
		return err
	}
	if a.in, err = readInputs(a.Runner); err != nil {
		return err
	}
	a.Mask(a.in.token)
	if a.plan, err = a.event.Plan(a.in.publishes()); err != nil {
		return err
	}
	if a.plan.Refuse != "" {
		return errors.New(a.plan.Refuse)
	}
	if a.plan.Why != "" {
		a.Info("%s", a.plan.Why)
	}
	a.check, err = a.Prepare(a.in.args, Build{a.in.builds, a.in.mapping, a.in.sourceRoots, a.in.baseline})
	if err != nil {
		return err
	}
	a.client, err = github.New(github.Config{
		API: cmp.Or(a.Getenv("GITHUB_API_URL"), "https://api.github.com"), GraphQL: cmp.Or(a.Getenv("GITHUB_GRAPHQL_URL"), "https://api.github.com/graphql"), Repo: a.event.Repo,
		Token: a.in.token, Agent: "eventraces/" + a.Version, Log: a.Info, Sleep: a.Sleep,
	})
	if err != nil {
		return err
	}
	if a.in.token == "" {
		return errors.New("input token: is empty; leave it out to use the token of the workflow")
	}
	a.folder, err = os.MkdirTemp(a.Getenv("RUNNER_TEMP"), "eventraces-")
	if err != nil {
		return fmt.Errorf("RUNNER_TEMP: %w", report.Reason(err))
	}
	return nil
}

// find fills apps.
func (a *run) find(ctx context.Context) error {
	if a.in.publishes() {
		return a.readFindings(ctx)
	}
	result, err := a.check.Analyse(ctx)
	if err != nil {
		return err
	}
	result.Run.Category, result.Run.Revision = a.in.category, a.checkedOut(ctx)
	if err := a.compare(ctx, result); err != nil {
		return err
	}
	x := &app{Run: result.Run, told: result.Run}
	x.commit, err = a.commitOf(ctx, result.Run.Revision)
	a.apps = []*app{x}
	if err != nil {
		return err
	}
	return a.Text("Races", func(w io.Writer) error {
		return report.Text(w, result.Run, report.TextOptions{MinPriority: a.check.Min, Known: a.in.failOn == finding.FailOnAll, Acceptance: a.check.Accept})
	})
}

// save writes the findings and the SARIF file. Of several apps there are several
// files, of which outputs name the first.
func (a *run) save(context.Context) error {
	findings, sarif := "", ""
	for i, x := range a.apps {
		if err := a.render(x); err != nil {
			return err
		}
		end := ""
		if i > 0 {
			end = fmt.Sprintf("-%d", i+1)
		}
		var files [2]string
		for k, f := range []struct {
			name   string
			render func(io.Writer) error
		}{
			{"findings" + end + ".json", func(w io.Writer) error { return report.JSON(w, x.Run) }},
			{"eventraces" + end + ".sarif", func(w io.Writer) error { _, err := w.Write(x.sarif); return err }},
		} {
			files[k] = filepath.Join(a.folder, f.name)
			if err := (report.Output{Name: files[k]}).Write(f.render); err != nil {
				return err
			}
		}
		if i == 0 {
			findings, sarif = files[0], files[1]
		}
	}
	return errors.Join(a.Output(outputFindings, findings), a.Output(outputSARIF, sarif))
}

// render makes the profile that code scanning takes.
func (a *run) render(x *app) error {
	upload := report.UploadAll
	if a.in.upload == uploadNew {
		upload = report.UploadNew
	}
	var b bytes.Buffer
	leftOut, err := report.GitHubSARIF(&b, x.Run, upload)
	if err != nil {
		return err
	}
	x.sarif = b.Bytes()
	if !a.uploads() {
		return nil
	}
	for _, n := range leftOut {
		a.Info("%s (%d)", n.Text, max(n.Count, 1))
	}
	return nil
}

// verdict is the exit code.
func (a *run) verdict() int {
	limited := false
	for _, x := range a.apps {
		if x.Fails(a.in.failOn, a.check.Min) {
			return exitRaces
		}
		limited = limited || x.Limited()
	}
	switch {
	case a.refused:
		return exitFailed
	case a.check.Strict && limited:
		return exitLimited
	}
	return exitClean
}
