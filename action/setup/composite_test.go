// Package setup holds the scripts by which action.yml gets its program. Its
// tests do with action.yml what a runner does: they take its steps one by one,
// put values for expressions, and run the scripts with bash.
package setup

import (
	"bytes"
	"fmt"
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
	work   string            // where steps run
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
	r := &runner{t: t, action: filepath.Join(dir, "_actions", "the action"), work: filepath.Join(dir, "work"), values: map[string]string{}}
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
	for _, folder := range []string{r.env["RUNNER_TEMP"], r.work} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
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
	cmd.Dir = r.work
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
	r.take("steps."+s.ID+".outputs.", readFile(r.t, outputs))
	return string(log), cmd.ProcessState.ExitCode()
}

// take reads a file of outputs: NAME=VALUE, or NAME<<END and lines up to END.
func (r *runner) take(prefix, text string) {
	r.t.Helper()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := 0; i < len(lines) && text != ""; i++ {
		if name, value, ok := strings.Cut(lines[i], "="); ok && !strings.Contains(name, "<<") {
			r.values[prefix+name] = value
			continue
		}
		name, end, ok := strings.Cut(lines[i], "<<")
		n := slices.Index(lines[i+1:], end)
		if !ok || n < 0 {
			r.t.Fatalf("output %q", lines[i])
		}
		r.values[prefix+name] = strings.Join(lines[i+1:i+1+n], "\n")
		i += 1 + n
	}
}

func (r *runner) plan(name string) string { return r.values["steps.plan.outputs."+name] }

func writeFile(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
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

// copyFiles copies files and folders of from.
func copyFiles(t *testing.T, from, to string, names ...string) {
	t.Helper()
	for _, name := range names {
		source, target := filepath.Join(from, name), filepath.Join(to, name)
		info, err := os.Stat(source)
		switch {
		case err != nil:
		case info.IsDir():
			err = os.CopyFS(target, os.DirFS(source))
		default:
			writeFile(t, target, readFile(t, source))
		}
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
