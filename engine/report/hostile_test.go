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

// What a stranger could put into any text of a run to reach the terminal, the
// log, the browser or the shell of a reader.
var hostile = map[string]string{
	"markup":      `<script>alert(1)</script></details>-->&amp;|a|`,
	"links":       `[x](http://y) ![i](http://z) \[x](1) [a](2)](3) [` + "`",
	"mentions":    "@user #123 GH-1 https://example.com",
	"escapes":     "\x1b[31mred\x1b]8;;http://x\x1b\\\x07\x08\x7f",
	"controls":    "a\x00b\rc\nd\te\vf\fg",
	"C1":          "\u0085\u009b31m\u0090",
	"directions":  "\u202ecba\u2066x\u2069\u200f\u061c",
	"zero width":  "a\u200bb\u200c\u200d\ufeff\u2060\u00ad",
	"separators":  "a\u2028b\u2029c",
	"commands":    "::error::x\n::add-mask::y\r\n  ::set-output name=a::b",
	"command":     "::error file=a::x",
	"spaces":      "  ::error::x",
	"old command": "x ##[add-mask]y ##[error]z",
	"percent":     "%0A::error::%0D%25",
	"colons":      ":::::::: ##[##[##[[",
	"long":        strings.Repeat("A", 10_000),
	"long words":  strings.Repeat("ab :: ", 2_000),
	"long wide":   strings.Repeat("\u4e16\u754c", 1_000),
	"long bad":    strings.Repeat("\xff", 5_000),
	"no UTF-8":    "a\xff\xfeb\xc3",
	"surrogates":  "\xed\xa0\x80\xed\xb0\x80 \\ud800",
	"up":          "../../../../etc/passwd",
	"nowhere":     "..",
	"root":        "/",
	"dot":         ".",
	"drive":       `C:\Windows\x.java`,
	"scheme":      "file:///etc/passwd",
	"host":        "//example.com/a?b#c",
	"shell":       "$(reboot) `reboot`; 'a' \"b\" && c | d > e",
	"flag":        "--out=/etc/passwd",
	"space":       " ",
	"quotes":      `a"b\"c\\d'`,
	"beyond":      "\U0001F600 \U000E0041\U0010FFFF",
}

// everything is a run that uses every field of the model.
func everything() *finding.Run {
	run := findingtest.Compared()
	run.App = finding.App{Package: "p", MinSDK: 1, TargetSDK: 2, Manifest: "m.xml", Renamed: true}
	run.Notes = []finding.Notification{{Kind: finding.NoteBudget, Text: "x", Count: 2, Where: "y"}, {Kind: finding.NoteInfo, Text: "x"}}
	run.Baseline.Missing = []string{"x"}
	run.Baseline.Pending = run.Baseline.Gone
	run.EachRace(func(r *finding.Race) {
		if r.Field.Name == "count" {
			r.Suppressed = &finding.Suppression{By: "comment", Because: "x", Where: "y"}
		}
		if r.Schedule != nil {
			r.Schedule.Steps[0].Until = &r.Sides[0].Access.Position
			r.Limited = []string{"x"}
		}
	})
	run.Regroup()
	return findingtest.Copy(run)
}

// Texts of the model that Check holds to a list or a form.
var checked = []string{"finding.RuleID", "finding.Kind", "finding.State", "Race.ID", "Accepted.ID", "Run.Category", "Run.Revision"}

// Texts of the model that Check refuses if they are blank.
var notBlank = []string{"Tool.Name", "Tool.Version", "Notification.Text"}

// eachText visits every text in a value with the name of its field.
func eachText(v reflect.Value, field string, visit func(field string, text reflect.Value)) {
	switch v.Kind() {
	case reflect.String:
		if !slices.Contains(checked, v.Type().String()) && !slices.Contains(checked, field) {
			visit(field, v)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			eachText(v.Elem(), field, visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			eachText(v.Field(i), v.Type().Name()+"."+v.Type().Field(i).Name, visit)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			eachText(v.Index(i), field, visit)
		}
	}
}

// textFields are the names of all fields of a type that hold texts.
func textFields(t reflect.Type, field string, found map[string]bool) {
	switch t.Kind() {
	case reflect.String:
		if !slices.Contains(checked, t.String()) && !slices.Contains(checked, field) {
			found[field] = true
		}
	case reflect.Pointer, reflect.Slice, reflect.Array:
		textFields(t.Elem(), field, found)
	case reflect.Struct:
		for i := range t.NumField() {
			textFields(t.Field(i).Type, t.Name()+"."+t.Field(i).Name, found)
		}
	}
}

// spoil puts a text into the fields that which names, in every place.
func spoil(text string, which func(field string) bool) *finding.Run {
	run := everything()
	eachText(reflect.ValueOf(run), "", func(field string, v reflect.Value) {
		if which(field) {
			v.SetString(text)
		}
	})
	var races []finding.Race
	run.EachRace(func(r *finding.Race) { races = append(races, *r) })
	run.Arrange(races)
	return run
}

func TestHostileTextsAreHarmless(t *testing.T) {
	schema := compileSchema(t)
	for what, text := range hostile {
		harmlessOutputs(t, schema, what, spoil(text, func(field string) bool { return text != " " || !slices.Contains(notBlank, field) }))
	}
	harmlessOutputs(t, schema, "very long", spoil(strings.Repeat("A", 100_000), func(field string) bool { return field == "Method.Name" }))
	// One by one, so that no field hides behind another.
	fields := map[string]bool{}
	textFields(reflect.TypeFor[finding.Run](), "", fields)
	visited := map[string]bool{}
	eachText(reflect.ValueOf(everything()), "", func(field string, _ reflect.Value) { visited[field] = true })
	for field := range fields {
		if !visited[field] {
			t.Errorf("%s is in no test", field)
		}
		text := "::error::\x1b[1m\u202e ##[x] [x](http://y) [z](1)\r\n::b::\xff/../" + strings.Repeat("y", 500)
		harmlessOutputs(t, schema, field, spoil(text, func(f string) bool { return f == field }))
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
	for what, text := range hostile {
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
