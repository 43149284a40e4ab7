// Package policy holds the rules of this repository that a machine can check:
// who may import whom, what every file must have, and what no file may name. It
// has tests only.
package policy

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/eventraces/eventraces/"

// source is one Go file of the repository.
type source struct {
	path   string // from the root, with slashes
	syntax *ast.File
	text   []byte
}

func (s source) dir() string { return path.Dir(s.path) }

func (s source) test() bool { return strings.HasSuffix(s.path, "_test.go") }

func eachFile(t *testing.T, visit func(name string, text []byte)) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if d.IsDir() {
			if name == ".git" || name == "bin" || strings.HasPrefix(d.Name(), "_") {
				return filepath.SkipDir
			}
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		visit(name, text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// forTests: the package supports tests, as its name says.
func (s source) forTests() bool { return strings.HasSuffix(s.dir(), "test") }

func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	eachFile(t, func(name string, text []byte) {
		if !strings.HasSuffix(name, ".go") || strings.Contains(name, "testdata/") {
			return
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, source{name, syntax, text})
	})
	if len(all) < 50 {
		t.Fatalf("only %d Go files were found", len(all))
	}
	return all
}

func imports(s source) []string {
	var paths []string
	for _, spec := range s.syntax.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			paths = append(paths, p)
		}
	}
	return paths
}

// stages are in the order in which they run; one may import those before it.
// naming, flow and tell are rooms that serve race.
var stages = []string{"input", "dex", "ir", "mapping", "platform", "pointsto", "actions", "hb", "naming", "flow", "tell", "race"}

// neutral packages import none of ours, besides themselves; so any may import
// them.
var neutral = []string{"dex", "hb"}

// apart are rooms beside one another: neither imports the other. Names do not
// depend on what flows, and what is told of a flow comes as a value.
var apart = [][2]string{{"naming", "flow"}, {"flow", "tell"}}

func areApart(a, b string) bool {
	return slices.Contains(apart, [2]string{a, b}) || slices.Contains(apart, [2]string{b, a})
}

func stageOf(p string) (string, int) {
	rest, ok := strings.CutPrefix(p, "engine/internal/")
	if !ok {
		return "", -1
	}
	stage, _, _ := strings.Cut(rest, "/")
	return stage, slices.Index(stages, stage)
}

func TestImportsGoOneWay(t *testing.T) {
	for _, s := range sources(t) {
		if s.test() {
			continue
		}
		stage, rank := stageOf(s.path)
		for _, p := range imports(s) {
			ours, ok := strings.CutPrefix(p, module)
			if !ok {
				continue
			}
			for _, room := range []string{"action", "baseline", "cmd", "scripts"} {
				if strings.HasPrefix(s.path, "engine/") && (ours == room || strings.HasPrefix(ours, room+"/")) {
					t.Errorf("%s imports %s: the engine knows nothing of its users", s.path, ours)
				}
			}
			if stage == "" {
				continue
			}
			other, otherRank := stageOf(ours)
			switch {
			case other == stage:
			case slices.Contains(neutral, stage):
				t.Errorf("%s imports %s: %s imports none of ours", s.path, ours, stage)
			case otherRank > rank && rank >= 0 && !slices.Contains(neutral, other):
				t.Errorf("%s imports %s, a later stage", s.path, ours)
			case areApart(stage, other):
				t.Errorf("%s imports %s, a room beside it", s.path, ours)
			case ours == "engine" || ours == "engine/report":
				t.Errorf("%s imports %s, which stands above the stages", s.path, ours)
			}
		}
	}
}

// oneUser are libraries that only one folder may know, so that they can be
// replaced.
var oneUser = map[string]string{
	"github.com/owenrumney/go-sarif":        "engine/report/sarif",
	"github.com/shogo82148/androidbinary":   "engine/internal/input/",
	"github.com/goccy/go-yaml":              "engine/internal/platform/",
	"github.com/spf13/cobra":                "cmd/",
	"github.com/spf13/pflag":                "cmd/",
	"golang.org/x/term":                     "cmd/",
	"github.com/rogpeppe/go-internal":       "cmd/",
	"github.com/getkin/kin-openapi":         "action/internal/fakegithub/",
	"github.com/vektah/gqlparser":           "action/internal/fakegithub/",
	"github.com/google/go-github":           "action/internal/github/",
	"github.com/sethvargo/go-githubactions": "action/internal/workflow/",
	"github.com/bmatcuk/doublestar":         "action/",
	"github.com/rhysd/actionlint":           "", // any test
	"github.com/santhosh-tekuri/jsonschema": "", // any test
	"github.com/yuin/goldmark":              "", // any test
}

// testsMay are libraries with one user, which any test may use too.
var testsMay = []string{"github.com/goccy/go-yaml"}

func TestLibrariesHaveOneUser(t *testing.T) {
	for _, s := range sources(t) {
		for _, p := range imports(s) {
			for library, user := range oneUser {
				switch {
				case !strings.HasPrefix(p, library), s.test() && slices.Contains(testsMay, library):
				case user == "" && !s.test():
					t.Errorf("%s imports %s, which only tests may", s.path, p)
				case !strings.HasPrefix(s.path, user):
					t.Errorf("%s imports %s, which only %s may", s.path, p, user)
				}
			}
			first, _, _ := strings.Cut(p, "/")
			known := strings.HasPrefix(p, "golang.org/x/") || strings.HasPrefix(p, module) || p == strings.TrimSuffix(module, "/") ||
				strings.HasPrefix(p, "github.com/google/go-cmp/cmp") && (s.test() || s.forTests())
			for library := range oneUser {
				known = known || strings.HasPrefix(p, library)
			}
			if strings.Contains(first, ".") && !known {
				t.Errorf("%s imports %s, which is not among our dependencies", s.path, p)
			}
		}
	}
}

// What is shipped must not bring the testing package along.
func TestTestingStaysInTests(t *testing.T) {
	for _, s := range sources(t) {
		if !s.test() && slices.Contains(imports(s), "testing") && !s.forTests() {
			t.Errorf("%s imports testing", s.path)
		}
	}
}

func TestPackagesAreExplained(t *testing.T) {
	explained := map[string]bool{}
	for _, s := range sources(t) {
		explained[s.dir()] = explained[s.dir()] || s.syntax.Doc != nil
	}
	for dir, ok := range explained {
		if !ok {
			t.Errorf("%s has no package comment", dir)
		}
	}
}

// maxLines is where a file has grown past one idea.
const maxLines = 700

func TestFilesAreOneIdea(t *testing.T) {
	for _, s := range sources(t) {
		if n := bytes.Count(s.text, []byte("\n")); n > maxLines && !ast.IsGenerated(s.syntax) {
			t.Errorf("%s has %d lines, more than %d", s.path, n, maxLines)
		}
		for _, part := range strings.Split(strings.TrimSuffix(s.path, ".go"), "/") {
			if slices.Contains([]string{"util", "utils", "common", "helper", "helpers", "misc"}, part) {
				t.Errorf("%s has a name that says nothing", s.path)
			}
		}
	}
}

// Tests may hold what apps hold; comments may name sections by their sign.
func TestSourcesAreASCII(t *testing.T) {
	for _, s := range sources(t) {
		text := bytes.ReplaceAll(s.text, []byte("\u00a7"), nil)
		if s.test() {
			continue
		}
		for i, line := range bytes.Split(text, []byte("\n")) {
			if slices.ContainsFunc(line, func(b byte) bool { return b > 0x7e }) {
				t.Errorf("%s:%d is not ASCII", s.path, i+1)
			}
		}
	}
}

// No file names a machine of a registry: clients know theirs.
func TestNoRegistryIsNamed(t *testing.T) {
	// In pieces, so that this file does not name them either.
	hosts := []string{"registry.npm" + "js.org", "repo1.ma" + "ven.org", "repo.ma" + "ven.apache.org", "proxy.go" + "lang.org", "sum.go" + "lang.org", "pypi" + ".org"}
	n := 0
	eachFile(t, func(name string, text []byte) {
		n++
		if strings.HasSuffix(name, ".apk") {
			return
		}
		for _, host := range hosts {
			if bytes.Contains(text, []byte(host)) {
				t.Errorf("%s names %s", name, host)
			}
		}
	})
	if n < 100 {
		t.Fatalf("only %d files were looked at", n)
	}
}
