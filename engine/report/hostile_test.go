package report

import (
	"bytes"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/finding/findingtest"
)

func TestHostileTextsAreHarmless(t *testing.T) {
	schema := compileSchema(t)
	for what, text := range findingtest.HostileTexts {
		harmlessOutputs(t, schema, what, findingtest.Spoil(text, func(field string) bool { return text != " " || !slices.Contains(findingtest.NotBlank, field) }))
	}
	harmlessOutputs(t, schema, "very long", findingtest.Spoil(strings.Repeat("A", 100_000), func(field string) bool { return field == "Method.Name" }))
	// One by one, so that no field hides behind another.
	fields := map[string]bool{}
	findingtest.TextFields(reflect.TypeFor[finding.Run](), "", fields)
	visited := map[string]bool{}
	findingtest.EachText(reflect.ValueOf(findingtest.Everything()), "", func(field string, _ reflect.Value) { visited[field] = true })
	for field := range fields {
		if !visited[field] {
			t.Errorf("%s is in no test", field)
		}
		text := "::error::\x1b[1m\u202e ##[x] [x](http://y) [z](1)\r\n::b::\xff/../" + strings.Repeat("y", 500)
		harmlessOutputs(t, schema, field, findingtest.Spoil(text, func(f string) bool { return f == field }))
	}
}

func harmlessOutputs(t *testing.T, schema *jsonschema.Schema, what string, run *finding.Run) {
	t.Helper()
	if err := run.Check(); err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	saved := render(t, JSON, run)
	back, err := ReadJSON(bytes.NewReader(saved))
	if err != nil {
		t.Errorf("%s: read back: %v", what, err)
		return
	}
	for _, o := range outputs {
		where := what + " in " + o.end
		got := render(t, o.render, run)
		if o.end != ".new.sarif" && !bytes.Equal(got, render(t, o.render, back)) {
			t.Errorf("%s: the run read back differs", where)
		}
		harmlessText(t, where, string(got))
		if !strings.HasSuffix(o.end, ".sarif") {
			continue
		}
		fits(t, schema, where, got)
		if o.end != ".sarif" {
			if err := preflight(got); err != nil {
				t.Errorf("%s: %v", where, err)
			}
		}
		log := parseSARIF(t, got)
		if id := log.Runs[0].AutomationDetails.ID; !strings.HasSuffix(id, "/") || strings.Count(id, "/") != 2 {
			t.Errorf("%s: automation id %q", where, id)
		}
		for i := range *log.Runs[0].Results {
			r := &(*log.Runs[0].Results)[i]
			checkResult(t, where, log, r)
			want := 2
			if r.BaselineState == "absent" {
				want = 0
			}
			if n := len(anyLink.FindAllString(unescaped(r.Message.Text), -1)); n != want {
				t.Errorf("%s: %d links in %.500s", where, n, r.Message.Text)
			}
		}
	}
}

var (
	anyLink   = regexp.MustCompile(`\[[^\[\]]*\]\([^)]*\)`)
	ownColors = strings.NewReplacer(bold, "", red, "", yellow, "", cyan, "", dim, "", reset, "")
)

// unescaped drops what is escaped in a SARIF message.
func unescaped(s string) string { return strings.NewReplacer(`\\`, "", `\[`, "", `\]`, "").Replace(s) }

// harmlessText: nothing that a terminal or the log of a job acts on.
func harmlessText(t *testing.T, where, text string) {
	t.Helper()
	for i, r := range ownColors.Replace(text) {
		if r != '\n' && !harmless(r) {
			t.Errorf("%s: byte %d is %q", where, i, r)
			return
		}
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") && !strings.HasSuffix(where, ".json") {
			t.Errorf("%s: a line is a command of a job: %.200s", where, line)
		}
	}
}

func TestCleanIsStable(t *testing.T) {
	for what, text := range findingtest.HostileTexts {
		for _, f := range []func(string) string{Clean, name} {
			once := f(text)
			if twice := f(once); twice != once {
				t.Errorf("%s: %.50q becomes %.50q", what, once, twice)
			}
		}
		if n := len(name(text)); n > longest+3 {
			t.Errorf("%s: a name has %d bytes", what, n)
		}
		for word := range strings.FieldsSeq(Clean(text)) {
			if len(word) > longest+3 {
				t.Errorf("%s: a word has %d bytes", what, len(word))
			}
		}
	}
}

func TestWordsForCommands(t *testing.T) {
	for word, want := range map[string]string{
		"app.apk": "app.apk", "build/app-debug_1.2+x.apk": "build/app-debug_1.2+x.apk", "": "''", "--model": "--model", "a b": "'a b'", "a;b": "'a;b'",
		"$(x)": "'$(x)'", "a\nb": "...", "it's": `'it'\''s'`, `a\b`: `'a\b'`, "~": "'~'", "a\u202eb": "...", "a::b": "...", "M\u00fcll.apk": "M\u00fcll.apk",
		strings.Repeat("a", 1000): "...",
	} {
		if got := argument(word); got != want {
			t.Errorf("%q is given as %q", word, got)
		}
	}
}
