// Package workflows checks action.yml, our own workflows and those that docs give
// to users. It has tests only.
package workflows

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/rhysd/actionlint"
)

const root = "../.."

// file is a workflow.
type file struct {
	name string // from the root
	text []byte
}

func workflows(t *testing.T) []file {
	t.Helper()
	var all []file
	for _, folder := range []string{".github/workflows", "docs/workflows"} {
		names, err := filepath.Glob(filepath.Join(root, folder, "*.yml"))
		if err != nil || len(names) < 3 {
			t.Fatalf("%s holds %q: %v", folder, names, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, file{folder + "/" + filepath.Base(name), text})
		}
	}
	return all
}

var pinned = regexp.MustCompile(`(uses: +[\w./-]+)@[0-9a-f]{40} # (v\d+)\S*`)

// lint says what actionlint finds. Its table of what actions take goes by major
// versions, so that stands for the commit while it looks.
func lint(t *testing.T, f file) []string {
	t.Helper()
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{WorkingDir: root})
	if err != nil {
		t.Fatal(err)
	}
	project, err := actionlint.NewProject(root)
	if err != nil {
		t.Fatal(err)
	}
	found, err := linter.Lint(f.name, pinned.ReplaceAll(f.text, []byte("$1@$2")), project)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range found {
		out = append(out, e.Error())
	}
	return out
}

func TestActionlint(t *testing.T) {
	for _, f := range workflows(t) {
		for _, e := range lint(t, f) {
			t.Error(e)
		}
	}
}

const sound = `on: push
permissions: {}
jobs:
  one:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/cache@5a3ec84eff668545956fd18022155c47e93e2684 # v4.2.3
        with:
          path: a
          key: b
      - id: races
        uses: ./
        with:
          build-outputs: app.apk
      - run: echo "$STATUS"
        env:
          STATUS: ${{ steps.races.outputs.status }}
`

// spoilt are mistakes that actionlint must see.
var spoilt = []struct{ old, new, want string }{
	{"build-outputs", "build-output", `input "build-output" is not defined in action "eventraces"`},
	{"outputs.status", "outputs.state", `property "state" is not defined`},
	{"key: b", "keys: b", `input "keys" is not defined in action "actions/cache@v4"`},
	{"ubuntu-24.04", "ubuntu-12.04", `label "ubuntu-12.04" is unknown`},
	{"permissions: {}", "permissions: {security-event: write}", `unknown permission scope "security-event"`},
	{`echo "$STATUS"`, `echo "${{ github.event.pull_request.title }}"`, "potentially untrusted"},
}

func TestActionlintSees(t *testing.T) {
	if got := lint(t, file{"sound.yml", []byte(sound)}); len(got) != 0 {
		t.Fatalf("a sound workflow: %q", got)
	}
	for _, c := range spoilt {
		text := strings.Replace(sound, c.old, c.new, 1)
		if got := strings.Join(lint(t, file{"spoilt.yml", []byte(text)}), "\n"); !strings.Contains(got, c.want) {
			t.Errorf("%s instead of %s: %q, want %s", c.new, c.old, got, c.want)
		}
	}
}

// ours is how users name the Action.
var ours = regexp.MustCompile(`^eventraces/eventraces@v\d+$`)

// misuse says where a workflow gives the Action an input, or reads an output, that
// action.yml does not have. As actionlint looks no remote action up, it looks at
// the workflow as one of this repository.
func misuse(t *testing.T, f file) []string {
	t.Helper()
	text := regexp.MustCompile(`uses: eventraces/eventraces@v\d+`).ReplaceAll(f.text, []byte("uses: ./"))
	return lint(t, file{f.name, text})
}

func TestDocumentedWorkflowsFitTheAction(t *testing.T) {
	n := 0
	for _, f := range workflows(t) {
		if !strings.HasPrefix(f.name, "docs/") {
			continue
		}
		w, errs := actionlint.Parse(f.text)
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		for _, job := range w.Jobs {
			for _, step := range job.Steps {
				if a, ok := step.Exec.(*actionlint.ExecAction); ok && ours.MatchString(a.Uses.Value) {
					n++
				}
			}
		}
		for _, e := range misuse(t, f) {
			t.Error(e)
		}
	}
	if n < 5 {
		t.Errorf("the Action is used %d times", n)
	}
	remote := strings.Replace(sound, "uses: ./", "uses: eventraces/eventraces@v1", 1)
	for _, c := range spoilt[:2] {
		text := strings.Replace(remote, c.old, c.new, 1)
		if got := strings.Join(misuse(t, file{"spoilt.yml", []byte(text)}), "\n"); !strings.Contains(got, c.want) {
			t.Errorf("%s instead of %s: %q, want %s", c.new, c.old, got, c.want)
		}
	}
}

var uses = regexp.MustCompile(`(?m)^\s*(?:- )?uses: *(\S+)(.*)$`)
var commit = regexp.MustCompile(`^([\w.-]+/[\w.-]+)(?:/[\w./-]+)?@([0-9a-f]{40})$`)

// loose says which actions of others are named by what can change, and which
// version has two commits.
func loose(files []file) []string {
	var out []string
	commits := map[string]string{} // by repository and version
	for _, f := range files {
		for _, m := range uses.FindAllSubmatch(f.text, -1) {
			name, note := string(m[1]), string(bytes.TrimSpace(m[2]))
			if name == "./" || ours.MatchString(name) {
				continue
			}
			parts := commit.FindStringSubmatch(name)
			version, ok := strings.CutPrefix(note, "# v")
			if parts == nil || !ok || strings.Count(version, ".") != 2 {
				out = append(out, f.name+": "+name+" "+note+" is not pinned as OWNER/NAME@COMMIT # vX.Y.Z")
				continue
			}
			key := parts[1] + " v" + version
			if known, ok := commits[key]; ok && known != parts[2] {
				out = append(out, f.name+": "+key+" is "+parts[2]+" here and "+known+" elsewhere")
			}
			commits[key] = parts[2]
		}
	}
	return out
}

func action(t *testing.T) file {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	return file{"action.yml", text}
}

func TestActionsOfOthersArePinned(t *testing.T) {
	all := append(workflows(t), action(t))
	for _, e := range loose(all) {
		t.Error(e)
	}
	for old, new := range map[string]string{
		"5a3ec84eff668545956fd18022155c47e93e2684 # v4.2.3": "v4",
		"5a3ec84eff668545956fd18022155c47e93e2684":          "0000000000000000000000000000000000000000",
		" # v4.2.3": "",
	} {
		text := strings.Replace(sound, old, new, 1)
		if got := loose(append(all, file{"spoilt.yml", []byte(text)})); len(got) != 1 {
			t.Errorf("%q instead of %q: %q", new, old, got)
		}
	}
}

// strangers says where a workflow whose token can write, though what started it is
// a stranger's, takes code: workflow_run must check nothing out.
func strangers(text []byte) string {
	var w struct {
		On   any
		Jobs map[string]struct {
			Steps []struct{ Uses, Run string }
		}
	}
	if err := yaml.Unmarshal(text, &w); err != nil {
		return err.Error()
	}
	on, _ := w.On.(map[string]any)
	if on["pull_request_target"] != nil {
		return "it runs on pull_request_target"
	}
	if on["workflow_run"] == nil {
		return ""
	}
	for _, job := range w.Jobs {
		for _, s := range job.Steps {
			if strings.HasPrefix(s.Uses, "actions/checkout") || s.Uses == "./" || s.Run != "" {
				return "it runs on workflow_run and takes code: " + s.Uses + s.Run
			}
		}
	}
	return ""
}

func TestNoCodeOfStrangersRuns(t *testing.T) {
	seen := false
	for _, f := range workflows(t) {
		seen = seen || bytes.Contains(f.text, []byte("workflow_run:"))
		if why := strangers(f.text); why != "" {
			t.Errorf("%s: %s", f.name, why)
		}
		if !bytes.Contains(f.text, []byte("\npermissions:")) {
			t.Errorf("%s: the token has all permissions", f.name)
		}
	}
	if !seen {
		t.Error("no workflow runs on workflow_run")
	}
	for _, step := range []string{"{uses: actions/checkout@v4}", "{run: make}", "{uses: ./}"} {
		text := "on: {workflow_run: {workflows: [a]}}\njobs: {a: {steps: [" + step + "]}}\n"
		if strangers([]byte(text)) == "" {
			t.Errorf("%s is taken", step)
		}
	}
}
