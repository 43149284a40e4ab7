package setup

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestEndToEnd does what .github/workflows/try-action.yml does on GitHub: it builds the
// checked-out Action, runs it on an example app, and checks the outputs.
func TestEndToEnd(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	r := newRunner(t, "version none\n")
	copyFiles(t, root, r.action, "go.mod", "go.sum", "baseline", "cmd", "engine", "internal")
	copyFiles(t, root, r.work, "examples/trackrecorder")
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		t.Errorf("with all outputs off, GitHub is asked: %s %s", q.Method, q.URL)
		http.NotFound(w, q)
	}))
	t.Cleanup(api.Close)
	for name, value := range map[string]string{
		"GITHUB_WORKSPACE": r.work, "GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": filepath.Join(root, "action", "testdata", "events", "push.json"),
		"GITHUB_REPOSITORY": "octo/app", "GITHUB_REF": "refs/heads/main", "GITHUB_SHA": strings.Repeat("a", 40), "GITHUB_ACTOR": "octocat",
		"GITHUB_API_URL": api.URL, "GITHUB_GRAPHQL_URL": api.URL + "/graphql", "GITHUB_RUN_ID": "1",
		"GITHUB_STEP_SUMMARY": filepath.Join(r.env["RUNNER_TEMP"], "summary"), "GITHUB_ENV": filepath.Join(r.env["RUNNER_TEMP"], "env"),
	} {
		r.env[name] = value
	}
	for name, value := range map[string]string{
		"build-outputs": "examples/trackrecorder/trackrecorder.apk", "source-roots": "examples/trackrecorder/src",
		"fail-on": "never", "upload": "off", "comment": "off", "token": "t",
	} {
		r.values["inputs."+name] = value
	}
	log, code := r.run()
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, log)
	}
	check := exec.CommandContext(t.Context(), filepath.Join(root, ".ci", "check-outputs"))
	for variable, output := range map[string]string{
		"STATUS": "status", "COUNTS": "counts", "NEW_FINDINGS": "new-findings", "SARIF_FILE": "sarif-file", "FINDINGS_FILE": "findings-file",
	} {
		check.Env = append(check.Env, variable+"="+r.values["steps.publish.outputs."+output])
	}
	check.Env = append(check.Env, "PATH="+r.env["PATH"])
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v: %s\n%s", err, out, log)
	}
}
