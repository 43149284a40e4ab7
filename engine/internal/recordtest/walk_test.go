package recordtest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/platform"
)

const folder = "../../testdata/recorded"

// recordings reads all recordings, by file name.
func recordings(t *testing.T) map[string]*Recording {
	t.Helper()
	files, err := filepath.Glob(folder + "/recordings/*.txt")
	if err != nil || len(files) < 70 {
		t.Fatalf("%d recordings, %v", len(files), err)
	}
	all := map[string]*Recording{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		if all[name], err = Parse(string(text)); err != nil {
			t.Errorf("%s: %v", name, err)
			delete(all, name)
		}
	}
	return all
}

// differences reads the lines of one kind of differences.txt: what is known to
// differ, with its reason.
func differences(t *testing.T, kind string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(folder + "/differences.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		what, reason, ok := strings.Cut(line, " because ")
		if !ok || strings.TrimSpace(reason) == "" {
			t.Errorf("differences.txt:%d: no reason", i+1)
		}
		if rest, ok := strings.CutPrefix(what, kind+" "); ok {
			if known[rest] {
				t.Errorf("differences.txt:%d: said twice", i+1)
			}
			known[rest] = true
		}
	}
	return known
}

// compare reports what was found and is not known, and the reverse.
func compare(t *testing.T, found map[string]string, known map[string]bool) {
	t.Helper()
	for _, what := range sorted(found) {
		if !known[what] {
			t.Errorf("%s (%s)", what, found[what])
		}
	}
	for _, what := range sorted(known) {
		if found[what] == "" {
			t.Errorf("differences.txt: %s: is allowed, or was not recorded", what)
		}
	}
}

func sorted[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// frame is what the recordings are compared with.
type frame struct {
	ix     *platform.Index
	models map[int]*platform.Models // by target SDK
	logged map[string]map[string]bool
}

func newFrame(t *testing.T, all map[string]*Recording) *frame {
	t.Helper()
	m, err := platform.LoadModels(nil)
	if err != nil {
		t.Fatal(err)
	}
	f := &frame{models: map[int]*platform.Models{}, logged: map[string]map[string]bool{}}
	if f.ix, err = platform.LoadIndex(); err != nil {
		t.Fatal(err)
	}
	for _, name := range sorted(all) {
		rec := all[name]
		if f.models[rec.Target] == nil {
			f.models[rec.Target] = m.ForSDK(21, rec.Target)
		}
		for _, r := range rec.Runs {
			if r.Class != "" {
				key := strings.Join(rec.Types[r.Class], " ")
				if f.logged[key] == nil {
					f.logged[key] = map[string]bool{}
				}
				f.logged[key][r.String()] = true
			}
		}
	}
	return f
}

// supers gives the supertypes of a recorded class, or of one of the platform.
func (f *frame) supers(rec *Recording) platform.Hierarchy {
	return func(class string) []string {
		if s := rec.Types[class]; s != nil {
			return s
		}
		return f.ix.Supers(class)
	}
}

// life is the automaton of an instance, nil if it has none.
func (f *frame) life(rec *Recording, i Instance) *platform.Lifecycle {
	return f.models[rec.Target].Lifecycle(f.supers(rec), i.Class)
}

// logs reports which callbacks a class logs: those that any class of the same
// supertypes has ever logged, since they share their code.
func (f *frame) logs(rec *Recording, i Instance) func(platform.Callback) bool {
	logged := f.logged[strings.Join(rec.Types[i.Class], " ")]
	return func(c platform.Callback) bool {
		for text := range logged {
			name, params, _ := strings.Cut(strings.TrimSuffix(text, ")"), "(")
			var types []string
			if params != "" {
				types = strings.Split(params, ",")
			}
			if Matches(c, name, types) {
				return true
			}
		}
		return false
	}
}

// byInstance parts the runs, in the order in which they begin.
func byInstance(rec *Recording) (order []Instance, runs map[Instance][]*Run) {
	runs = map[Instance][]*Run{}
	for _, r := range rec.Runs {
		if r.Class == "" {
			continue
		}
		if runs[r.Instance] == nil {
			order = append(order, r.Instance)
		}
		runs[r.Instance] = append(runs[r.Instance], r)
	}
	return order, runs
}

// TestWalks: what the framework called of each object with a lifecycle is a walk of its automaton.
func TestWalks(t *testing.T) {
	all := recordings(t)
	f := newFrame(t, all)
	found := map[string]string{}
	walked := map[string]bool{}
	for _, name := range sorted(all) {
		rec := all[name]
		order, runs := byInstance(rec)
		for _, i := range order {
			life := f.life(rec, i)
			if life == nil {
				continue
			}
			walked[life.Base] = true
			_, misfits := Walk(life, runs[i], f.logs(rec, i))
			for _, m := range misfits {
				found[life.Base+": "+m.String()] = name
			}
		}
	}
	compare(t, found, differences(t, "walk"))
	t.Log(sorted(walked))
}

// TestSwapped: two callbacks in the wrong order do not pass.
func TestSwapped(t *testing.T) {
	all := recordings(t)
	f := newFrame(t, all)
	for _, c := range []struct{ file, first, second string }{
		{"activity_launchHomeBack", "onPause()", "onStop()"},
		{"activity_launchHomeBack", "onStart()", "onPostCreate(Bundle)"},
		{"activity_launchHomeBack", "onStop()", "onSaveInstanceState(Bundle)"},
		{"activity_launchHomeBackOld", "onSaveInstanceState(Bundle)", "onStop()"},
		{"fragment_backStack", "onStop()", "onDestroyView()"},
		{"xfragment_rotated", "onViewCreated(View,Bundle)", "onActivityCreated(Bundle)"},
		{"service_bound", "onCreate()", "onBind(Intent)"},
		{"loader_rotated", "onStopLoading()", "onReset()"},
	} {
		rec := all[c.file]
		_, runs := byInstance(rec)
		count := func() (n int) {
			for _, i := range sortedInstances(runs) {
				if life := f.life(rec, i); life != nil {
					_, misfits := Walk(life, runs[i], f.logs(rec, i))
					n += len(misfits)
				}
			}
			return n
		}
		before := count()
		swapped := false
		for _, i := range sortedInstances(runs) {
			rs := runs[i]
			for k := 1; k < len(rs) && !swapped; k++ {
				if rs[k-1].String() == c.first && rs[k].String() == c.second {
					rs[k-1], rs[k] = rs[k], rs[k-1]
					swapped = true
				}
			}
		}
		if after := count(); !swapped || after <= before {
			t.Errorf("%s: %s before %s: swapped %t, %d misfits, then %d", c.file, c.second, c.first, swapped, before, after)
		}
	}
}

func sortedInstances(runs map[Instance][]*Run) []Instance {
	var out []Instance
	for i := range runs {
		out = append(out, i)
	}
	slices.SortFunc(out, func(a, b Instance) int { return strings.Compare(a.String(), b.String()) })
	return out
}
