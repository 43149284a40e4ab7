package action_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/eventraces/eventraces/action"
	"github.com/eventraces/eventraces/action/internal/githubtest"
	"github.com/eventraces/eventraces/engine"
	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/report"
	"github.com/eventraces/eventraces/engine/source"
)

// The commits of the events in testdata.
var (
	head  = strings.Repeat("1", 40)
	base  = strings.Repeat("b", 40)
	merge = strings.Repeat("3", 40)
)

const (
	repository = "octo/podcasts"
	token      = "ghs_aSecretThatNobodyMustSee0123456789ab"
	sourceFile = "src/com/example/trackrecorder/TrackActivity.java"
	useLine    = 21
	freeLine   = 44
	raceID     = "eccaff683dade110"
	accepted   = "# eventraces-baseline v1, ids eventRace/v1\n"
)

// The diff of the pull request adds the line that frees.
var changed = githubtest.File{Path: sourceFile, Patch: "@@ -42,4 +42,5 @@ public class TrackActivity\n     @Override\n     protected void onDestroy() {\n+        providerUtils = null;\n         super.onDestroy();\n     }"}

// world is a repository on GitHub, its checkout, and the runner of a job.
type world struct {
	t    *testing.T
	gh   *githubtest.Server
	repo *githubtest.Repo
	pr   *githubtest.PullRequest
	env  map[string]string

	edit  func(*finding.Run) // what the analysis finds, if not the example's race
	slept time.Duration
}

// newWorld is a pull request in its own repository whose token has the documented
// permissions, on whose base a baseline accepts nothing.
func newWorld(t *testing.T) *world {
	t.Helper()
	return worldOf(t, pullOf(repository))
}

// forkWorld is the same with a pull request from a fork.
func forkWorld(t *testing.T) *world {
	t.Helper()
	return worldOf(t, pullOf("mallory/podcasts"))
}

func worldOf(t *testing.T, pr githubtest.PR) *world {
	t.Helper()
	w := &world{t: t, gh: githubtest.New(t)}
	w.gh.Token(token, githubtest.Actions(githubtest.Documented))
	w.repo = w.gh.Repo(repository)
	w.repo.Public()
	w.repo.Branch("main", base)
	w.repo.File("main", "eventraces-baseline.txt", accepted)
	w.repo.Commit(merge)
	if pr.Head.Repo != repository {
		w.gh.Repo(pr.Head.Repo).Public()
	}
	w.pr = w.repo.PullRequest(pr)
	w.repo.Compare(head, merge)
	w.checkout()
	runner := t.TempDir()
	w.env = map[string]string{
		"GITHUB_API_URL": w.gh.URL(), "GITHUB_GRAPHQL_URL": w.gh.GraphQLURL(), "GITHUB_SERVER_URL": "https://github.com",
		"GITHUB_REPOSITORY": repository, "GITHUB_RUN_ID": "30433642", "GITHUB_ACTOR": "mona", "RUNNER_TEMP": runner,
		"GITHUB_OUTPUT": filepath.Join(runner, "output"), "GITHUB_ENV": filepath.Join(runner, "env"), "GITHUB_STEP_SUMMARY": filepath.Join(runner, "summary"),
		"INPUT_TOKEN": token, "INPUT_BUILD_OUTPUTS": "build/**/*.apk", "INPUT_SOURCE_ROOTS": "src",
	}
	w.on("pull_request")
	return w
}

// checkout makes a workspace and goes there.
func (w *world) checkout() {
	w.t.Helper()
	dir := w.t.TempDir()
	example := filepath.Join(here, "..", "examples", "trackrecorder")
	for from, to := range map[string]string{"src": "src", "trackrecorder.apk": "build/apk/debug/app-debug.apk"} {
		target := filepath.Join(dir, to)
		var err error
		if from == "src" {
			err = os.CopyFS(target, os.DirFS(filepath.Join(example, from)))
		} else {
			err = os.MkdirAll(filepath.Dir(target), 0o755)
			if err == nil {
				err = os.WriteFile(target, read(w.t, filepath.Join(example, from)), 0o644)
			}
		}
		if err != nil {
			w.t.Fatal(err)
		}
	}
	w.t.Chdir(dir)
	w.write("eventraces-baseline.txt", accepted)
}

func (w *world) write(name, text string) {
	w.t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// events are the payloads in testdata with the variables that the runner sets.
var events = map[string]struct{ name, ref, sha, actor string }{
	"pull_request":            {"pull_request", "refs/pull/7/merge", merge, "mona"},
	"pull_request_fork":       {"pull_request", "refs/pull/7/merge", merge, "mallory"},
	"pull_request_fork_gone":  {"pull_request", "refs/pull/7/merge", merge, "mallory"},
	"pull_request_dependabot": {"pull_request", "refs/pull/7/merge", merge, "dependabot[bot]"},
	"pull_request_target":     {"pull_request_target", "refs/heads/main", base, "mallory"},
	"push":                    {"push", "refs/heads/main", base, "mona"},
	"merge_group":             {"merge_group", "refs/heads/gh-readonly-queue/main/pr-7-" + base, merge, "mona"},
	"schedule":                {"schedule", "refs/heads/main", base, "mona"},
	"workflow_dispatch":       {"workflow_dispatch", "refs/heads/main", base, "mona"},
	"release":                 {"release", "refs/tags/v2.4", base, "mona"},
	"workflow_run_fork":       {"workflow_run", "refs/heads/main", base, "mallory"},
	"workflow_run_push":       {"workflow_run", "refs/heads/main", base, "mona"},
}

var here, _ = os.Getwd()

// on sets what starts the workflow.
func (w *world) on(event string) {
	w.t.Helper()
	e, ok := events[event]
	if !ok {
		w.t.Fatalf("no event %s", event)
	}
	w.env["GITHUB_EVENT_NAME"], w.env["GITHUB_REF"], w.env["GITHUB_SHA"], w.env["GITHUB_ACTOR"] = e.name, e.ref, e.sha, e.actor
	w.env["GITHUB_EVENT_PATH"] = filepath.Join(here, "testdata", "events", event+".json")
}

// readOnly gives the run the token that forks get.
func (w *world) readOnly() { w.gh.Token(token, githubtest.Actions(githubtest.ReadOnly)) }

// outcome is what a step leaves.
type outcome struct {
	t       *testing.T
	code    int
	log     string
	outputs map[string]string
	env     map[string]string
	summary string
}

// analysed is the example's run; making it takes a while.
var analysed = sync.OnceValues(func() (*engine.Result, error) {
	apk := filepath.Join(here, "..", "examples", "trackrecorder", "trackrecorder.apk")
	return engine.Check(context.Background(), engine.Options{Inputs: []string{apk}, ToolVersion: "1.0.0"})
})

func (w *world) prepare(args []string, b action.Build) (*action.Check, error) {
	c := &action.Check{Min: finding.High, Accept: report.Acceptance{Out: b.Baseline, Args: append([]string{"--source-root", "src"}, b.Outputs...)}}
	for _, arg := range args {
		switch arg {
		case "--min-priority=low":
			c.Min = finding.Low
		case "--strict":
			c.Strict = true
		default:
			w.t.Fatalf("the test knows no argument %s", arg)
		}
	}
	c.Analyse = func(context.Context) (*engine.Result, error) {
		result, err := analysed()
		if err != nil {
			return nil, err
		}
		run := clone(w.t, result.Run)
		cwd, err := os.Getwd()
		if err != nil {
			return nil, err
		}
		tree, err := source.Open(b.SourceRoots, cwd)
		if err != nil {
			return nil, err
		}
		tree.Resolve(run)
		if w.edit != nil {
			w.edit(run)
		}
		return &engine.Result{Run: run, Names: result.Names}, nil
	}
	return c, nil
}

func clone(t *testing.T, run *finding.Run) *finding.Run {
	t.Helper()
	text, err := json.Marshal(run)
	if err != nil {
		t.Fatal(err)
	}
	var out finding.Run
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return &out
}

// run is one step of the job.
func (w *world) run() outcome {
	w.t.Helper()
	for _, file := range []string{"GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_STEP_SUMMARY"} {
		os.Remove(w.env[file])
	}
	var log bytes.Buffer
	code := action.Run(w.t.Context(), action.Options{
		Getenv: func(key string) string { return w.env[key] }, Stdout: &log, Version: "1.0.0", Prepare: w.prepare,
		Sleep: func(_ context.Context, d time.Duration) error { w.slept += d; return nil },
	})
	o := outcome{t: w.t, code: code, log: log.String()}
	o.outputs = w.fileCommands("GITHUB_OUTPUT")
	o.env = w.fileCommands("GITHUB_ENV")
	if data, err := os.ReadFile(w.env["GITHUB_STEP_SUMMARY"]); err == nil {
		o.summary = string(data)
	}
	w.noSecret(o)
	return o
}

// noSecret: the token is in nothing that the step leaves, but for the command
// that hides it.
func (w *world) noSecret(o outcome) {
	w.t.Helper()
	texts := map[string]string{"log": strings.Replace(o.log, "::add-mask::"+token, "", 1), "summary": o.summary}
	for k, v := range o.outputs {
		texts["output "+k] = v
		if strings.HasSuffix(k, "-file") && v != "" {
			texts[k] = string(read(w.t, v))
		}
	}
	for _, c := range w.pr.Comments() {
		texts["comment"] += c.Body
	}
	for what, text := range texts {
		if strings.Contains(text, token) {
			w.t.Errorf("the %s holds the token", what)
		}
	}
}

// fileCommands reads what the step set, as the runner does.
func (w *world) fileCommands(variable string) map[string]string {
	w.t.Helper()
	out := map[string]string{}
	data, err := os.ReadFile(w.env[variable])
	if err != nil {
		return out
	}
	lines := strings.Split(string(data), "\n")
	for i := 0; i < len(lines)-1; i++ {
		name, delimiter, ok := strings.Cut(lines[i], "<<")
		if !ok {
			w.t.Fatalf("%s holds %q, which is no command", variable, lines[i])
		}
		var value []string
		for i++; i < len(lines) && lines[i] != delimiter; i++ {
			value = append(value, lines[i])
		}
		out[name] = strings.Join(value, "\n")
	}
	return out
}

// want checks the verdict.
func (o outcome) want(code int, status string) {
	o.t.Helper()
	if o.code != code || o.outputs["status"] != status {
		o.t.Errorf("exit code %d and status %q, want %d and %q; the log:\n%s", o.code, o.outputs["status"], code, status, o.log)
	}
}

// annotations are the commands of the log that GitHub shows, as level: message.
func (o outcome) annotations() []string {
	var out []string
	for line := range strings.Lines(o.log) {
		for _, level := range []string{"error", "warning", "notice"} {
			if rest, ok := strings.CutPrefix(line, "::"+level); ok {
				properties, message, _ := strings.Cut(rest, "::")
				out = append(out, strings.TrimSpace(level+strings.ReplaceAll(" "+strings.TrimSpace(properties), "title=", "")+": "+message))
			}
		}
	}
	return out
}

func (o outcome) wantAnnotations(want ...string) {
	o.t.Helper()
	got := o.annotations()
	if len(got) != len(want) {
		o.t.Errorf("%d annotations, want %d:\n%s", len(got), len(want), strings.Join(got, "\n"))
		return
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			o.t.Errorf("annotation %d is\n%s\nwant in it\n%s", i, got[i], want[i])
		}
	}
}

// comment is the text of the only comment in the pull request.
func (w *world) comment() string {
	w.t.Helper()
	comments := w.pr.Comments()
	if len(comments) != 1 {
		w.t.Fatalf("the pull request has %d comments, want 1", len(comments))
	}
	return comments[0].Body
}

func (w *world) noComment() {
	w.t.Helper()
	if n := len(w.pr.Comments()); n > 0 {
		w.t.Errorf("the pull request has %d comments:\n%s", n, w.pr.Comments()[0].Body)
	}
	if n := len(w.pr.Threads()); n > 0 {
		w.t.Errorf("the pull request has %d threads", n)
	}
}

func contains(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("the %s lacks %q:\n%s", what, part, text)
		}
	}
}

func lacks(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			t.Errorf("the %s has %q:\n%s", what, part, text)
		}
	}
}

// fixed: the analysis finds nothing.
func fixed(run *finding.Run) { run.Arrange(nil) }

// copies gives the run n races like its own, each on a field of its own.
func copies(n int) func(*finding.Run) {
	return func(run *finding.Run) {
		races := []finding.Race{}
		for i := range n {
			r := run.Findings[0].Races[0]
			r.Field.Name = cmp.Or(strings.Repeat("x", i), r.Field.Name)
			races = append(races, r)
		}
		run.Arrange(races)
	}
}

func pullOf(headRepo string) githubtest.PR {
	return githubtest.PR{
		Number: 7, Author: "mallory", Head: githubtest.Ref{Repo: headRepo, Ref: "playback", SHA: head}, Base: githubtest.Ref{Ref: "main", SHA: base},
		MergeSHA: merge, Files: []githubtest.File{changed},
	}
}
