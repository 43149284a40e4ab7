package action_test

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/action"
)

// metadata is action.yml, in its order.
type metadata struct {
	Inputs  yaml.MapSlice
	Outputs yaml.MapSlice
	Runs    struct {
		Using string
		Steps []struct {
			ID   string
			Uses string
			Run  string
			Env  map[string]string
		}
	}
}

func readMetadata(t *testing.T) *metadata {
	t.Helper()
	text, err := os.ReadFile("../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	m := &metadata{}
	if err := yaml.Unmarshal(text, m); err != nil {
		t.Fatal(err)
	}
	return m
}

// property is a text of an input or output.
func property(t *testing.T, item yaml.MapItem, key string) string {
	t.Helper()
	properties, _ := item.Value.(map[string]any)
	text, ok := properties[key].(string)
	if !ok {
		t.Errorf("action.yml: %s has no %s that is a text: %v", item.Key, key, properties[key])
	}
	return text
}

// entry is a row of the tables in docs/action.md that begin with a name.
type entry struct{ Name, Default, Permission string }

// documented are the rows below a heading: | `name` | meaning | `default` | permission |
func documented(t *testing.T, heading string) []entry {
	t.Helper()
	page, err := os.ReadFile("../docs/action.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := bytes.Cut(page, []byte("\n## "+heading+"\n"))
	if !ok {
		t.Fatalf("docs/action.md has no section %q", heading)
	}
	section, _, _ = bytes.Cut(section, []byte("\n## "))
	var out []entry
	for line := range strings.Lines(string(section)) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		if !strings.HasPrefix(line, "| `") || len(cells) < 2 {
			continue
		}
		e := entry{Name: strings.Trim(cells[0], "` ")}
		if len(cells) == 4 {
			e.Default, e.Permission = value(cells[2]), value(cells[3])
		}
		out = append(out, e)
	}
	return out
}

// value is what a cell says in code; a cell in words says that there is none.
func value(cell string) string {
	code, ok := strings.CutPrefix(cell, "`")
	if !ok {
		return ""
	}
	return strings.TrimSuffix(code, "`")
}

var permission = regexp.MustCompile(`[a-z-]+: (read|write)`)

func TestInputsAreNamedAlike(t *testing.T) {
	m := readMetadata(t)
	var code, file []action.InputSpec
	var page []entry
	for _, spec := range action.InputSpecs {
		code = append(code, action.InputSpec{Name: spec.Name, Default: spec.Default})
	}
	for _, item := range m.Inputs {
		spec := action.InputSpec{Name: item.Key.(string), Default: property(t, item, "default")}
		file = append(file, spec)
		page = append(page, entry{spec.Name, spec.Default, permission.FindString(property(t, item, "description"))})
	}
	if diff := cmp.Diff(code, file); diff != "" {
		t.Errorf("inputs of the program and of action.yml differ (-program +action.yml):\n%s", diff)
	}
	if diff := cmp.Diff(page, documented(t, "Inputs")); diff != "" {
		t.Errorf("inputs of action.yml and of docs/action.md differ (-action.yml +docs):\n%s", diff)
	}
}

func TestOutputsAreNamedAlike(t *testing.T) {
	m := readMetadata(t)
	var file, page []string
	for _, item := range m.Outputs {
		name := item.Key.(string)
		file = append(file, name)
		property(t, item, "description")
		if got, want := property(t, item, "value"), "${{ steps.publish.outputs."+name+" }}"; got != want {
			t.Errorf("action.yml: output %s is %s, want %s", name, got, want)
		}
	}
	for _, e := range documented(t, "Outputs") {
		page = append(page, e.Name)
	}
	if !slices.Equal(action.OutputNames, file) || !slices.Equal(file, page) {
		t.Errorf("outputs differ: the program has %q, action.yml %q, docs/action.md %q", action.OutputNames, file, page)
	}
}

// The last step hands every input on, under the name that the program reads.
func TestInputsAreHandedOn(t *testing.T) {
	m := readMetadata(t)
	if m.Runs.Using != "composite" || len(m.Runs.Steps) == 0 {
		t.Fatalf("action.yml runs %+v", m.Runs)
	}
	last := m.Runs.Steps[len(m.Runs.Steps)-1]
	if last.ID != "publish" || !strings.HasSuffix(last.Run, " publish") {
		t.Errorf("the last step is %q: %s", last.ID, last.Run)
	}
	want := map[string]string{}
	for _, spec := range action.InputSpecs {
		want["INPUT_"+strings.ToUpper(strings.ReplaceAll(spec.Name, "-", "_"))] = "${{ inputs." + spec.Name + " }}"
	}
	got := map[string]string{}
	for name, value := range last.Env {
		if strings.HasPrefix(name, "INPUT_") {
			got[name] = value
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("env of the last step (-want +got):\n%s", diff)
	}
	for _, s := range m.Runs.Steps {
		if strings.Contains(s.Run, "${{") {
			t.Errorf("an expression stands in a script: %s", s.Run)
		}
	}
}
