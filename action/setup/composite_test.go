// Package setup holds the scripts by which action.yml gets its program. Its
// tests do with action.yml what a runner does: they take its steps one by one,
// put values for expressions, and run the scripts with bash.
package setup

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/eventraces/eventraces/internal/fetch"
)

// step is one step of action.yml.
type step struct {
	ID    string
	If    string
	Uses  string
	Shell string
	Run   string
	With  map[string]string
	Env   map[string]string
}

// runner is one job on one machine.
type runner struct {
	t      *testing.T
	action string            // the folder of the Action
	env    map[string]string // what the runner sets
	values map[string]string // of expressions: github.action_ref, inputs.upload, steps.plan.outputs.folder
	cached string            // the folder that a cache holds, "" if none does
	asked  []string          // what other actions were called with
}

// newRunner has a copy of the Action, with the given release.txt ("" leaves it),
// in a folder with spaces.
func newRunner(t *testing.T, release string) *runner {
	t.Helper()
	curl, err := exec.LookPath("curl")
	fetch.Required(t, curl, err)
	// Nothing can be reached but what a test serves.
	wall := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	t.Cleanup(wall.Close)
	dir := filepath.Join(t.TempDir(), "a runner")
	r := &runner{t: t, action: filepath.Join(dir, "_actions", "the action"), values: map[string]string{}}
	copyFiles(t, filepath.Join("..", ".."), r.action, "action.yml", "action")
	if release != "" {
		writeFile(t, filepath.Join(r.action, "action", "release.txt"), release)
	}
	r.env = map[string]string{
		"PATH": os.Getenv("PATH"), "HOME": os.Getenv("HOME"),
		"RUNNER_OS": "Linux", "RUNNER_ARCH": "X64",
		"RUNNER_TEMP": filepath.Join(dir, "_temp"), "RUNNER_TOOL_CACHE": filepath.Join(dir, "tool cache"),
		"GITHUB_ACTION_PATH": r.action, "GITHUB_EVENT_NAME": "push", "GITHUB_SERVER_URL": "https://github.com",
		"https_proxy": wall.URL,
	}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOSUMDB"} {
		if v, err := exec.Command("go", "env", name).Output(); err == nil {
			r.env[name] = strings.TrimSpace(string(v))
		}
	}
	if err := os.MkdirAll(r.env["RUNNER_TEMP"], 0o755); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *runner) steps() []step {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.action, "action.yml"))
	if err != nil {
		r.t.Fatal(err)
	}
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct{ Steps []step }
	}
	if err := yaml.Unmarshal(text, &action); err != nil {
		r.t.Fatal(err)
	}
	for name, input := range action.Inputs {
		if _, ok := r.values["inputs."+name]; !ok {
			r.values["inputs."+name] = input.Default
		}
	}
	return action.Runs.Steps
}

var expression = regexp.MustCompile(`\$\{\{ *(.*?) *\}\}`)

// fill puts values for expressions; what has none is empty, as on a runner.
func (r *runner) fill(text string) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		return r.values[expression.FindStringSubmatch(e)[1]]
	})
}

// holds evaluates the conditions that action.yml uses: comparisons joined by &&.
func (r *runner) holds(condition string) bool {
	r.t.Helper()
	if condition == "" {
		return true
	}
	for term := range strings.SplitSeq(expression.FindStringSubmatch(condition)[1], " && ") {
		words := strings.SplitN(term, " ", 3)
		if len(words) != 3 || words[1] != "==" && words[1] != "!=" {
			r.t.Fatalf("condition %q is not understood", condition)
		}
		if (r.values[words[0]] == strings.Trim(words[2], "'")) != (words[1] == "==") {
			return false
		}
	}
	return true
}

// run does the steps and gives the log and the exit code.
func (r *runner) run() (string, int) {
	r.t.Helper()
	var log strings.Builder
	for _, s := range r.steps() {
		if !r.holds(s.If) {
			continue
		}
		if s.Uses != "" {
			r.call(s)
			continue
		}
		text, code := r.script(s)
		log.WriteString(text)
		if code != 0 {
			return log.String(), code
		}
	}
	return log.String(), 0
}

// call is what another action would do.
func (r *runner) call(s step) {
	r.t.Helper()
	name, _, _ := strings.Cut(s.Uses, "@")
	asked := name
	for _, key := range slices.Sorted(maps.Keys(s.With)) {
		asked += " " + key + "=" + r.fill(s.With[key])
	}
	r.asked = append(r.asked, asked)
	folder := r.fill(s.With["path"])
	switch name {
	case "actions/cache/restore":
		if r.cached != "" {
			copyFiles(r.t, r.cached, folder, ".")
			r.values["steps."+s.ID+".outputs.cache-hit"] = "true"
		}
	case "actions/cache/save":
		if r.fill(s.With["key"]) == "" || folder == "" {
			r.t.Errorf("saved without key or path: %s", asked)
		}
		r.cached = r.t.TempDir()
		copyFiles(r.t, folder, r.cached, ".")
	}
}

func (r *runner) script(s step) (string, int) {
	r.t.Helper()
	if s.Shell != "bash" {
		r.t.Fatalf("shell %q", s.Shell)
	}
	if strings.Contains(s.Run, "${{") {
		r.t.Fatalf("an expression stands in a script: %s", s.Run)
	}
	dir := r.t.TempDir()
	script, outputs := filepath.Join(dir, "script.sh"), filepath.Join(dir, "outputs")
	writeFile(r.t, script, s.Run)
	writeFile(r.t, outputs, "")
	cmd := exec.CommandContext(r.t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", script)
	cmd.Dir = dir
	for name, value := range r.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.Env = append(cmd.Env, "GITHUB_OUTPUT="+outputs)
	for name, value := range s.Env {
		cmd.Env = append(cmd.Env, name+"="+r.fill(value))
	}
	log, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		r.t.Fatal(err)
	}
	for line := range strings.Lines(readFile(r.t, outputs)) {
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if !ok {
			r.t.Fatalf("output %q", line)
		}
		r.values["steps."+s.ID+".outputs."+name] = value
	}
	return string(log), cmd.ProcessState.ExitCode()
}

func (r *runner) plan(name string) string { return r.values["steps.plan.outputs."+name] }

func writeFile(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// copyFiles copies files and folders of from, without tests and what they read.
func copyFiles(t *testing.T, from, to string, names ...string) {
	t.Helper()
	if err := os.MkdirAll(to, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		err := filepath.WalkDir(filepath.Join(from, name), func(file string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			rest, err := filepath.Rel(from, file)
			if err != nil {
				return err
			}
			target := filepath.Join(to, rest)
			switch {
			case d.IsDir() && d.Name() == "testdata":
				return filepath.SkipDir
			case d.IsDir():
				return os.MkdirAll(target, 0o755)
			case strings.HasSuffix(file, "_test.go"):
				return nil
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			return os.WriteFile(target, text, info.Mode().Perm())
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// program is a stand-in for a published program: it tells its version, and as
// publish what it was given.
func program(version string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `#!/bin/sh
case $1 in
version) echo 'eventraces %s' ;;
publish) env -0 | tr '\n' '~' | tr '\0' '\n' | grep ^INPUT_ | LC_ALL=C sort; echo status=races >>"$GITHUB_OUTPUT"; exit 1 ;;
*) exit 64 ;;
esac
`, version)
	return b.Bytes()
}
