package engine

import (
	"context"
	"encoding/json"
	"runtime"
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
	"github.com/eventraces/eventraces/internal/realapps"
)

// Cutting library code gives the same races as not cutting it.
func TestLibraryCut(t *testing.T) {
	for _, name := range []string{"apidemos-5.0.0", "settings-8.0.10", "stfservice"} {
		t.Run(name, func(t *testing.T) {
			app, ok := realapps.ByName(name)
			if !ok {
				t.Fatal("no such app")
			}
			path := app.Fetch(t)
			whole := cutFindings(t, path, true)
			cut := cutFindings(t, path, false)
			if cut.summaries == 0 || whole.summaries != 0 {
				t.Errorf("%d methods of dependencies are summaries with the cut, %d without", cut.summaries, whole.summaries)
			}
			if len(whole.findings) == 0 {
				t.Error("nothing to compare")
			}
			for text := range whole.findings {
				if !cut.findings[text] {
					t.Errorf("lost by the cut, or changed: %s", cutHead(text))
				}
			}
			for text := range cut.findings {
				if !whole.findings[text] {
					t.Errorf("made by the cut, or changed: %s", cutHead(text))
				}
			}
			if cut.notes != whole.notes {
				t.Errorf("notifications differ: %s with the cut, %s without", cut.notes, whole.notes)
			}
		})
	}
}

// cutRun is what a run found, as JSON.
type cutRun struct {
	findings  map[string]bool
	notes     string
	summaries int
}

func cutFindings(t *testing.T, path string, uncut bool) cutRun {
	t.Helper()
	r := &run{Options: Options{Inputs: []string{path}, ToolVersion: "test"}, uncut: uncut}
	for _, stage := range []func(context.Context) error{r.read, r.lift, r.solve, r.act, r.order, r.races} {
		if err := stage(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	res, err := r.result()
	if err != nil {
		t.Fatal(err)
	}
	out := cutRun{findings: map[string]bool{}, notes: cutJSON(t, res.Run.Notes), summaries: cutSummaries(r)}
	for _, f := range res.Run.Findings {
		for _, x := range f.Races {
			out.findings[cutJSON(t, x)] = true
		}
		f.Races = nil
		out.findings[cutJSON(t, f)] = true
	}
	return out
}

func cutJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// cutHead names a race or finding.
func cutHead(text string) string {
	var x struct {
		ID       string
		Rule     finding.RuleID
		Field    finding.Field
		Priority json.RawMessage
	}
	if err := json.Unmarshal([]byte(text), &x); err != nil {
		return err.Error()
	}
	return string(x.Rule) + " " + string(x.Priority) + " " + x.Field.Class + "." + x.Field.Name + " " + x.ID
}

func cutSummaries(r *run) int {
	n := 0
	for f := range r.solved.Funcs {
		if r.solved.Summary(pointsto.FuncID(f)) {
			n++
		}
	}
	return n
}

// BenchmarkLibraryCut measures the stage that the cut is part of, with and
// without it.
func BenchmarkLibraryCut(b *testing.B) {
	for _, app := range realapps.All {
		for _, mode := range []struct {
			name  string
			uncut bool
		}{{"cut", false}, {"whole", true}} {
			b.Run(app.Name+"/"+mode.name, func(b *testing.B) {
				path, err := app.Path(b.Context())
				if err != nil {
					b.Skip(err)
				}
				r := &run{Options: Options{Inputs: []string{path}}, uncut: mode.uncut}
				if err := r.read(b.Context()); err != nil {
					b.Fatal(err)
				}
				bundle, dexes := r.bundle, r.bundle.Dex
				for b.Loop() {
					b.StopTimer()
					r.bundle, r.bundle.Dex = bundle, dexes // so that no body is lifted, no call resolved yet
					if err := r.lift(b.Context()); err != nil {
						b.Fatal(err)
					}
					runtime.GC()
					b.StartTimer()
					if err := r.solve(b.Context()); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(cutSummaries(r)), "summaries")
				b.ReportMetric(float64(cutAnalysed(r)), "analysed")
			})
		}
	}
}

// cutAnalysed counts the functions of dependencies that are analysed in full.
func cutAnalysed(r *run) int {
	n := 0
	for f := range r.solved.Funcs {
		if m := r.solved.Funcs[f].Method; m != 0 && r.prog.Classes[r.prog.Methods[m].Class].Origin == ir.Dependency {
			n++
		}
	}
	return n - cutSummaries(r)
}
