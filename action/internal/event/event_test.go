package event

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var sha = strings.Repeat("1", 40)

func env(t *testing.T, name, ref, actor, file string) func(string) string {
	t.Helper()
	vars := map[string]string{
		"GITHUB_EVENT_NAME": name, "GITHUB_EVENT_PATH": file, "GITHUB_REPOSITORY": "octo/podcasts",
		"GITHUB_REF": ref, "GITHUB_SHA": sha, "GITHUB_ACTOR": actor,
	}
	return func(key string) string { return vars[key] }
}

// The table of events, row by row, with the payloads that GitHub sends.
func TestPlans(t *testing.T) {
	const pull = "refs/pull/7/merge"
	for _, c := range []struct {
		file, name, ref, actor string
		publish                bool
		want                   string
	}{
		{"push", "push", "refs/heads/main", "mona", false, "own baseline, upload"},
		{"push", "push", "refs/heads/dependabot/gradle/x", "dependabot[bot]", false, "own baseline: " + whyBot},
		{"push", "push", "refs/tags/v1", "mona", false, "own baseline: " + whyEvent},
		{"push", "push", "refs/heads/gh-readonly-queue/release/2.0/pr-7-" + sha, "mona", false, "baseline of release/2.0: " + whyQueue},
		{"push", "push", "refs/heads/main", "mona", true, "published baseline, upload"},
		{"pull_request", "pull_request", pull, "mona", false, "baseline of main, upload, comment"},
		{"pull_request", "pull_request", pull, "mona", true, "published baseline, upload, comment"},
		{"pull_request_fork", "pull_request", pull, "mallory", false, "baseline of main: " + whyFork},
		{"pull_request_fork_gone", "pull_request", pull, "mallory", false, "baseline of main: " + whyFork},
		{"pull_request_dependabot", "pull_request", pull, "dependabot[bot]", false, "baseline of main: " + whyBot},
		{"pull_request_dependabot", "pull_request", pull, "mona", false, "baseline of main, upload, comment"},
		{"pull_request_target", "pull_request_target", "refs/heads/main", "mallory", false, "refused: " + refuseTarget},
		{"pull_request_target", "pull_request_target", "refs/heads/main", "mallory", true, "refused: " + refuseTarget},
		{"workflow_run_fork", "workflow_run", "refs/heads/main", "mallory", false, "refused: " + refuseRun},
		{"workflow_run_fork", "workflow_run", "refs/heads/main", "mallory", true, "published baseline, upload, comment"},
		{"workflow_run_push", "workflow_run", "refs/heads/main", "mona", true, "published baseline, upload, comment"},
		{"merge_group", "merge_group", "refs/heads/gh-readonly-queue/main/pr-7-" + sha, "mona", false, "baseline of main: " + whyQueue},
		{"schedule", "schedule", "refs/heads/main", "mona", false, "own baseline, upload"},
		{"workflow_dispatch", "workflow_dispatch", "refs/heads/topic", "mona", false, "own baseline, upload"},
		{"release", "release", "refs/tags/v2.4", "mona", false, "own baseline: " + whyEvent},
	} {
		e, err := Read(env(t, c.name, c.ref, c.actor, "../../testdata/events/"+c.file+".json"))
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		p, err := e.Plan(c.publish)
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
		}
		if got := describe(e, p); got != c.want {
			t.Errorf("%s on %s by %s, publish %v:\ngot  %s\nwant %s", c.file, c.ref, c.actor, c.publish, got, c.want)
		}
	}
}

func describe(e *Event, p Plan) string {
	if p.Refuse != "" {
		return "refused: " + p.Refuse
	}
	text := map[Baseline]string{Own: "own baseline", Published: "published baseline"}[p.Baseline]
	if p.Baseline == OfBase {
		branch, _ := e.BaseBranch()
		text = "baseline of " + branch
	}
	if p.Upload {
		text += ", upload"
	}
	if p.Comment {
		text += ", comment"
	}
	if p.Why != "" {
		text += ": " + p.Why
	}
	return text
}

func TestBadEvents(t *testing.T) {
	dir := t.TempDir()
	for i, c := range []struct{ name, payload, want string }{
		{"", "{}", "GITHUB_EVENT_NAME is not set: publish runs in a workflow of GitHub Actions; elsewhere, use check"},
		{"push", "[]", "is not the JSON of an event"},
		{"push", "", "is not the JSON of an event"},
		{"pull_request", "{}", "GITHUB_EVENT_PATH names no pull request, and the event is pull_request"},
		{"pull_request", `{"pull_request":{}}`, "the pull request of the event has no number, head or base"},
		{"pull_request", `{"pull_request":{"number":1,"head":{"sha":"` + sha + `"},"base":{"ref":"main","sha":"$(x)"}}}`, "the pull request of the event has no number, head or base"},
		{"merge_group", `{"merge_group":{"base_sha":"x"}}`, "the merge group of the event has no base"},
		{"workflow_run", `{"workflow_run":{"head_sha":""}}`, "the workflow run of the event has no head commit"},
		{"workflow_run", `{}`, "GITHUB_EVENT_PATH names no workflow run, and the event is workflow_run"},
	} {
		file := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(file, []byte(c.payload), 0o644); err != nil {
			t.Fatal(err)
		}
		e, err := Read(env(t, c.name, "refs/heads/main", "mona", file))
		if err == nil {
			_, err = e.Plan(true)
		}
		if err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %s", c.name, c.payload, err, c.want)
		}
	}
	if _, err := Read(env(t, "push", "refs/heads/main", "mona", filepath.Join(dir, "none"))); err == nil || !strings.HasSuffix(err.Error(), "none: cannot be read") {
		t.Errorf("no payload: %v", err)
	}
	bad := func(key string) string {
		return map[string]string{"GITHUB_EVENT_NAME": "push", "GITHUB_REPOSITORY": "a/b/c"}[key]
	}
	if _, err := Read(bad); err == nil || err.Error() != `GITHUB_REPOSITORY is "a/b/c", want owner/name` {
		t.Errorf("a bad repository: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("../../testdata/events/*.json")
	if err != nil || len(files) < 10 {
		f.Fatalf("%d payloads: %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add("pull_request", data)
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		file := filepath.Join(t.TempDir(), "event.json")
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
		vars := map[string]string{"GITHUB_EVENT_NAME": name, "GITHUB_EVENT_PATH": file, "GITHUB_REPOSITORY": "a/b", "GITHUB_SHA": sha}
		e, err := Read(func(key string) string { return vars[key] })
		if err != nil {
			return
		}
		if p, err := e.Plan(false); err == nil && p.Comment && e.Change == nil {
			t.Errorf("a comment without a pull request: %+v", e)
		}
	})
}
