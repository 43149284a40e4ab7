package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
	"github.com/eventraces/eventraces/internal/fetch"
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

// With the cut, every value of the app's code may be what it may be without,
// and the same actions run, whatever part of the code is the app's: here, more
// of it than the manifest says.
func TestLibraryCutKeepsValues(t *testing.T) {
	for _, c := range []struct {
		app      string
		packages []string
	}{
		{"settings-8.0.10", []string{"com.google.android.gms"}},
		{"settings-8.0.10", []string{"androidx"}},
		{"settings-5.14.15", []string{"androidx.fragment", "androidx.activity"}},
		{"stfservice", []string{"android.support"}},
		{"uiautomator2-server-10.6.6", []string{"androidx.test"}},
	} {
		t.Run(c.app+"/"+c.packages[0], func(t *testing.T) {
			app, ok := realapps.ByName(c.app)
			if !ok {
				t.Fatal("no such app")
			}
			path := app.Fetch(t)
			whole, cut := cutValues(t, path, c.packages, true), cutValues(t, path, c.packages, false)
			if len(whole) < 1000 {
				t.Errorf("only %d values to compare", len(whole))
			}
			for v := range whole {
				if !cut[v] {
					t.Errorf("lost by the cut, or changed: %.300s", v)
				}
			}
			for v := range cut {
				if !whole[v] {
					t.Errorf("made by the cut, or changed: %.300s", v)
				}
			}
		})
	}
}

// cutValues lists what each value of the app's code may be, and the actions.
func cutValues(t *testing.T, path string, packages []string, uncut bool) map[string]bool {
	t.Helper()
	r := &run{Options: Options{Inputs: []string{path}, AppPackages: packages}, uncut: uncut}
	for _, stage := range []func(context.Context) error{r.read, r.lift, r.solve, r.act} {
		if err := stage(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	out := map[string]bool{}
	for i := range r.acts.Actions[1:] {
		a := &r.acts.Actions[1+i]
		out[fmt.Sprintf("action %d: %s, %v, %d causes", a.ID, r.acts.Name(a.ID), a.Once, len(a.Causes))] = true
	}
	for f := range r.solved.Funcs {
		b := r.solved.Body(pointsto.FuncID(f))
		fn := &r.solved.Funcs[f]
		if b == nil || r.prog.Classes[r.prog.Methods[fn.Method].Class].Origin != ir.App {
			continue
		}
		name := r.prog.MethodString(fn.Method)
		if fn.Ctx != 0 {
			name += " on " + r.solved.ObjectString(pointsto.Obj(fn.Ctx))
		}
		for v := ir.Value(1); int(v) < b.Len(); v++ {
			var objs []string
			r.solved.PointsTo(pointsto.FuncID(f), v).All(func(o pointsto.Obj) bool {
				objs = append(objs, r.solved.ObjectString(o))
				return true
			})
			slices.Sort(objs)
			out[fmt.Sprintf("%s v%d: %s", name, v, strings.Join(objs, ", "))] = true
		}
	}
	return out
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
				fetch.Required(b, path, err)
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
