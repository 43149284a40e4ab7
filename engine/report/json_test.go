package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/finding/findingtest"
)

func TestJSONReadsBackTheSame(t *testing.T) {
	for _, s := range findingtest.All {
		run := s.Run()
		back, err := ReadJSON(bytes.NewReader(render(t, JSON, run)))
		if err != nil {
			t.Errorf("%s: %v", s.Name, err)
			continue
		}
		for _, o := range outputs {
			first, second := render(t, o.render, run), render(t, o.render, back)
			if !bytes.Equal(first, second) {
				t.Errorf("%s%s: the second write differs:\n%s", s.Name, o.end, cmp.Diff(string(first), string(second)))
			}
		}
	}
}

// runOne has the JSON form that version 1 gave a run: without tables.
type runOne finding.Run

func versionOne(run *finding.Run) *runOne {
	old := runOne(*run)
	old.Schema = 1
	return &old
}

// A run that version 1 has saved gives the outputs that it gave.
func TestReadJSONReadsVersionOne(t *testing.T) {
	for _, s := range findingtest.All {
		old, err := json.Marshal(versionOne(s.Run()))
		if err != nil {
			t.Fatal(err)
		}
		back, err := ReadJSON(bytes.NewReader(old))
		if err != nil {
			t.Errorf("%s: %v", s.Name, err)
			continue
		}
		for _, o := range outputs {
			if want, got := render(t, o.render, s.Run()), render(t, o.render, back); !bytes.Equal(want, got) {
				t.Errorf("%s%s differs:\n%s", s.Name, o.end, cmp.Diff(string(want), string(got)))
			}
		}
	}
}

// savedRace is the first race of a saved run.
func savedRace(run object) object {
	return run["findings"].([]any)[0].(object)["races"].([]any)[0].(object)
}

// savedRow is a row of a table of a saved run.
func savedRow(run object, table string, i int) object {
	return run["tables"].(object)[table].([]any)[i].(object)
}

// The first side, its position, and a step of the schedule are the first rows of
// their tables.
func savedSide(run object) object        { return savedRow(run, "sides", 0) }
func savedPlace(run object) object       { return savedRow(run, "positions", 0) }
func savedStep(run object, i int) object { return savedRow(run, "steps", i) }

func TestReadJSONRefuses(t *testing.T) {
	good := render(t, JSON, findingtest.Everything())
	if _, err := ReadJSON(bytes.NewReader(good)); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		want  string
		spoil func(object)
	}{
		"schema version":       {"schema version 3", func(r object) { r["schemaVersion"] = 3 }},
		"no schema version":    {"schema version 0", func(r object) { delete(r, "schemaVersion") }},
		"huge number":          {"schemaVersion at byte", func(r object) { r["schemaVersion"] = json.Number("1e999") }},
		"long number":          {"counts.new at byte", func(r object) { r["counts"].(object)["new"] = json.Number(strings.Repeat("9", 5000)) }},
		"wrong type":           {"findings at byte", func(r object) { r["findings"] = "x" }},
		"no tool":              {"no tool", func(r object) { delete(r, "tool") }},
		"counts":               {"counts", func(r object) { r["counts"].(object)["high"] = -4 }},
		"no counts":            {"counts", func(r object) { delete(r, "counts") }},
		"no races":             {"no races", func(r object) { r["findings"].([]any)[0].(object)["races"] = nil }},
		"unknown rule":         {"unknown rule", func(r object) { savedRace(r)["rule"] = "x"; r["findings"].([]any)[0].(object)["rule"] = "x" }},
		"rule of another":      {"is of rule", func(r object) { savedRace(r)["rule"] = "stale-read" }},
		"id":                   {"id is not the hash", func(r object) { savedRace(r)["id"] = "0123456789abcdef" }},
		"id with a number":     {"id is not the hash", func(r object) { savedRace(r)["id"] = strings.TrimSuffix(savedRace(r)["id"].(string), "#2") + "#+2" }},
		"id with lines":        {"is of rule", func(r object) { savedRace(r)["id"] = "a\n::error::b"; savedRace(r)["rule"] = "x" }},
		"priority":             {"priority \"urgent\"", func(r object) { savedRace(r)["priority"] = "urgent" }},
		"priority as a number": {"priority at byte", func(r object) { savedRace(r)["priority"] = 3 }},
		"priority of none":     {"priority", func(r object) { delete(savedRace(r), "priority") }},
		"brief with chains":    {"told in brief", func(r object) { savedRace(r)["brief"] = true }},
		"no chains":            {"no event chain", func(r object) { savedSide(r)["chain"] = nil }},
		"one side":             {"1 sides", func(r object) { savedRace(r)["sides"] = []any{0} }},
		"no such side":         {`table "sides" has no row 999`, func(r object) { savedRace(r)["sides"] = []any{0, 999} }},
		"no number of a row":   {"no number of a row", func(r object) { savedRace(r)["order"] = "\x1b[31m" }},
		"no tables":            {`table "fields" has no row 0: it has 0`, func(r object) { delete(r, "tables") }},
		"kind":                 {"id is not the hash", func(r object) { savedSide(r)["kind"] = "" }},
		"negative line":        {"line -1", func(r object) { savedPlace(r)["line"] = -1 }},
		"huge line":            {"line 9223372036854775807", func(r object) { savedPlace(r)["line"] = json.Number("9223372036854775807") }},
		"cause beyond":         {"caused by step 2", func(r object) { savedStep(r, 1)["cause"] = 2 }},
		"negative cause":       {"caused by step -1", func(r object) { savedStep(r, 0)["cause"] = -1 }},
		"worse than nothing":   {"by no line", func(r object) { savedRace(r)["state"] = "worse" }},
		"state":                {"unknown state", func(r object) { savedRace(r)["state"] = "old" }},
		"gone of no rule":      {"unknown rule", func(r object) { delete(r["baseline"].(object)["gone"].([]any)[0].(object), "rule") }},
		"gone of no id":        {"not the form", func(r object) { r["baseline"].(object)["gone"].([]any)[0].(object)["id"] = "\x1b[31m" }},
		"pending of no level":  {"no priority", func(r object) { delete(r["baseline"].(object)["pending"].([]any)[0].(object), "priority") }},
		"no baseline files":    {"names no file", func(r object) { r["baseline"].(object)["files"] = nil }},
		"nested":               {"no JSON at byte", func(r object) { r["x"] = json.RawMessage(strings.Repeat("[", 20000) + strings.Repeat("]", 20000)) }},
	} {
		var run object
		if err := json.Unmarshal(good, &run); err != nil {
			t.Fatal(err)
		}
		c.spoil(run)
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		if err := e.Encode(run); err != nil && name != "nested" {
			t.Fatal(err)
		}
		if name == "nested" {
			fmt.Fprintf(&b, `{"x":%s}`, run["x"])
		}
		refused(t, name, b.String(), c.want)
	}
	for text, want := range map[string]string{
		"":                          "it is empty",
		" \n":                       "it is empty",
		"null":                      "schema version 0",
		"[]":                        "all of it at byte 1 has the wrong type (array)",
		`"x"`:                       "has the wrong type (string)",
		"{}{}":                      "more follows",
		string(good) + string(good): "more follows",
		string(good) + "}":          "more follows",
		"<xml>":                     "no JSON at byte 1",
		"\xef\xbb\xbf{}":            "no JSON at byte 1",
	} {
		refused(t, fmt.Sprintf("%.20q", text), text, want)
	}
	for n := 1; n < len(good)-1; n += 97 {
		refused(t, fmt.Sprintf("the first %d bytes", n), string(good[:n]), "it is cut short")
	}
}

func refused(t *testing.T, what, text, want string) {
	t.Helper()
	_, err := ReadJSON(strings.NewReader(text))
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: error %v, want one with %q", what, err, want)
		return
	}
	if len(err.Error()) > 400 {
		t.Errorf("%s: the error has %d bytes", what, len(err.Error()))
	}
	for _, r := range err.Error() {
		if !harmless(r) {
			t.Errorf("%s: the error has %q", what, r)
		}
	}
}

// small are runs short enough to be fuzzed.
func small() []*finding.Run {
	one := findingtest.NewRun(nil, findingtest.UseAfterFree())
	accepted := findingtest.Copy(one)
	accepted.EachRace(func(r *finding.Race) {
		a := finding.AcceptedOf(r)
		a.Priority = finding.Low
		r.State, r.Accepted, r.Schedule = finding.Worse, &a, nil
	})
	accepted.Baseline = &finding.Comparison{Files: []string{"b.txt"}}
	accepted.Regroup()
	brief := findingtest.Brief()
	brief.Findings = brief.Findings[1:]
	brief.Regroup()
	return []*finding.Run{findingtest.PartialEmpty(), one, accepted, brief}
}

// What ReadJSON takes, every output can show, harmlessly; and a second reading
// gives the same.
func FuzzReadJSON(f *testing.F) {
	for _, run := range small() {
		b, err := json.Marshal(run)
		if err != nil {
			f.Fatal(err)
		}
		if _, err := ReadJSON(bytes.NewReader(b)); err != nil {
			f.Fatal(err)
		}
		f.Add(b)
		old, err := json.Marshal(versionOne(run))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(old)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		run, err := ReadJSON(bytes.NewReader(data))
		if err != nil {
			if text := err.Error(); strings.ContainsFunc(text, func(r rune) bool { return !harmless(r) }) || len(text) > 400 {
				t.Errorf("error %q", text)
			}
			return
		}
		back, err := ReadJSON(bytes.NewReader(render(t, JSON, run)))
		if err != nil {
			t.Fatalf("read back: %v", err)
		}
		for _, o := range outputs {
			got := render(t, o.render, run)
			if !bytes.Equal(got, render(t, o.render, back)) {
				t.Errorf("%s of the run read back differs", o.end)
			}
			harmlessText(t, o.end, string(got))
		}
		run.EachRace(func(r *finding.Race) {
			if err := Explain(io.Discard, run, r, true); err != nil {
				t.Error(err)
			}
		})
	})
}
