package findingtest

import (
	"reflect"
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
)

// HostileTexts are what a stranger could put into any text of a run to reach the terminal, the
// log, the browser or the shell of a reader.
var HostileTexts = map[string]string{
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

// Everything is a run that uses every field of the model.
func Everything() *finding.Run {
	run := Compared()
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
	return Copy(run)
}

// Texts of the model that Check holds to a list or a form.
var checked = []string{"finding.RuleID", "finding.Kind", "finding.State", "Race.ID", "Accepted.ID", "Run.Category", "Run.Revision"}

// NotBlank are the texts of the model that Check refuses if they are blank.
var NotBlank = []string{"Tool.Name", "Tool.Version", "Notification.Text"}

// EachText visits every text in a value with the name of its field.
func EachText(v reflect.Value, field string, visit func(field string, text reflect.Value)) {
	switch v.Kind() {
	case reflect.String:
		if !slices.Contains(checked, v.Type().String()) && !slices.Contains(checked, field) {
			visit(field, v)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			EachText(v.Elem(), field, visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			EachText(v.Field(i), v.Type().Name()+"."+v.Type().Field(i).Name, visit)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			EachText(v.Index(i), field, visit)
		}
	}
}

// TextFields are the names of all fields of a type that hold texts.
func TextFields(t reflect.Type, field string, found map[string]bool) {
	switch t.Kind() {
	case reflect.String:
		if !slices.Contains(checked, t.String()) && !slices.Contains(checked, field) {
			found[field] = true
		}
	case reflect.Pointer, reflect.Slice, reflect.Array:
		TextFields(t.Elem(), field, found)
	case reflect.Struct:
		for i := range t.NumField() {
			TextFields(t.Field(i).Type, t.Name()+"."+t.Field(i).Name, found)
		}
	}
}

// Spoil puts a text into the fields that which names, in every place.
func Spoil(text string, which func(field string) bool) *finding.Run {
	run := Everything()
	EachText(reflect.ValueOf(run), "", func(field string, v reflect.Value) {
		if which(field) {
			v.SetString(text)
		}
	})
	var races []finding.Race
	run.EachRace(func(r *finding.Race) { races = append(races, *r) })
	run.Arrange(races)
	return run
}
