package growtest_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine"
	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/growtest"
)

// want is what an app of a shape must hold.
type want struct {
	size         int
	clicks, jobs int // callbacks of the user, and what is posted or runs on a thread, in the racing kind
	fields       int // that race in the racing kind
	perField     int // pairs of callbacks of such a field that race, at least
	without      int // clicks that the silent kind lacks
}

var wants = map[string]want{
	"components": {size: 3, clicks: 12, fields: 6, perField: 3},
	"fields":     {size: 5, clicks: 20, fields: 5, perField: 10},
	"accesses":   {size: 4, clicks: 20, fields: 100, perField: 4},
	"actions":    {size: 30, clicks: 30, fields: 10, perField: 29},
	"depth":      {size: 3, clicks: 10, jobs: 30, fields: 10, perField: 9},
	"interfaces": {size: 6, clicks: 2, fields: 6, perField: 1},
	"flows":      {size: 6, clicks: 2, fields: 7, perField: 1}, // and the field that links the objects
	"shared":     {size: 40, clicks: 4, fields: 40, perField: 16},
	"listeners":  {size: 10, clicks: 10, fields: 1, perField: 25},
	"chain":      {size: 9, clicks: 2, jobs: 9, fields: 1, perField: 9, without: 2},
	"thrice":     {size: 5, clicks: 2, jobs: 5, fields: 1, perField: 5, without: 1},
	"clique":     {size: 5, clicks: 2, jobs: 5, fields: 1, perField: 5, without: 1},
	"sites":      {size: 5, clicks: 2, jobs: 5, fields: 1, perField: 5, without: 1},
	"later":      {size: 12, clicks: 2, jobs: 12, fields: 1, perField: 12, without: 1},
	"threads":    {size: 5, clicks: 2, jobs: 5, fields: 1, perField: 5},
}

// The callbacks of the app that a dump of the actions names.
var callback = regexp.MustCompile(`(?m)^a\d+ com\.example\.grow\.((Click|Job)\d+)\.(?:onClick|run)\(`)

// check analyses an app and dumps its actions.
func check(t *testing.T, apk []byte) (*finding.Run, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "app.apk")
	if err := os.WriteFile(file, apk, 0o644); err != nil {
		t.Fatal(err)
	}
	var dump bytes.Buffer
	result, err := engine.Check(t.Context(), engine.Options{Inputs: []string{file}, Dump: engine.DumpActions, DumpTo: &dump, ToolVersion: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return result.Run, dump.String()
}

// checkCallbacks wants all callbacks that the shape speaks of, each once or more
// often.
func checkCallbacks(t *testing.T, dump string, clicks, jobs int) {
	t.Helper()
	found := map[string]map[string]bool{"Click": {}, "Job": {}}
	for _, m := range callback.FindAllStringSubmatch(dump, -1) {
		found[m[2]][m[1]] = true
	}
	if len(found["Click"]) != clicks || len(found["Job"]) != jobs {
		t.Errorf("%d callbacks of clicks and %d of jobs are actions, want %d and %d", len(found["Click"]), len(found["Job"]), clicks, jobs)
	}
}

// racing counts, for each field, the pairs of callbacks that race for it.
func racing(run *finding.Run) map[string]int {
	fields := map[string]int{}
	for _, f := range run.Findings {
		fields[f.Races[0].Field.String()] += len(f.Races)
	}
	return fields
}

func TestShapes(t *testing.T) {
	if len(growtest.Shapes) != len(wants) {
		t.Fatalf("%d shapes, %d of them known here", len(growtest.Shapes), len(wants))
	}
	for _, s := range growtest.Shapes {
		w := wants[s.Name]
		t.Run(s.Name+"/racing", func(t *testing.T) {
			run, dump := check(t, s.APK(w.size, true))
			checkCallbacks(t, dump, w.clicks, w.jobs)
			for _, n := range run.Notes {
				t.Errorf("note: %s %s", n.Text, n.Where)
			}
			fields := racing(run)
			if len(fields) != w.fields {
				t.Errorf("%d fields race, want %d: %v", len(fields), w.fields, slices.Sorted(maps.Keys(fields)))
			}
			for field, pairs := range fields {
				if pairs < w.perField {
					t.Errorf("%d pairs of callbacks race for %s, want %d", pairs, field, w.perField)
				}
			}
		})
		t.Run(s.Name+"/silent", func(t *testing.T) {
			run, dump := check(t, s.APK(w.size, false))
			checkCallbacks(t, dump, w.clicks-w.without, w.jobs)
			for _, n := range run.Notes {
				t.Errorf("note: %s %s", n.Text, n.Where)
			}
			if fields := racing(run); len(fields) > 0 {
				t.Errorf("these fields race: %v", fields)
			}
		})
	}
}

// A general app has the callbacks and the accesses that its parameters say.
func TestGeneral(t *testing.T) {
	p := growtest.Params{Components: 2, Fields: 6, Accesses: 4, Actions: 10, Depth: 2}
	run, dump := check(t, growtest.General(p, true))
	checkCallbacks(t, dump, 10, 20)
	fields := racing(run)
	if len(fields) != 6 {
		t.Errorf("%d fields race, want 6: %v", len(fields), fields)
	}
	for field, pairs := range fields {
		if pairs != 4 {
			t.Errorf("%d pairs of callbacks race for %s, want 4", pairs, field)
		}
	}
	run, dump = check(t, growtest.General(p, false))
	checkCallbacks(t, dump, 10, 20)
	if fields := racing(run); len(fields) > 0 {
		t.Errorf("these fields race: %v", fields)
	}
}

// The methods of an app grow with its size, and the same parameters give the
// same bytes.
func TestSizesScale(t *testing.T) {
	for _, s := range growtest.Shapes {
		small, large := s.APK(12, true), s.APK(48, true)
		if !bytes.Equal(small, s.APK(12, true)) {
			t.Errorf("%s: the app is another one the second time", s.Name)
		}
		if len(large) <= len(small) {
			t.Errorf("%s: %d bytes at size 48, %d at size 12", s.Name, len(large), len(small))
		}
	}
	if _, ok := growtest.ByName("no such shape"); ok {
		t.Error("a shape that does not exist is found")
	}
	names := []string{}
	for _, s := range growtest.Shapes {
		names = append(names, s.Name)
	}
	slices.Sort(names)
	if n := len(slices.Compact(names)); n != len(growtest.Shapes) {
		t.Errorf("%d names for %d shapes: %s", n, len(growtest.Shapes), strings.Join(names, " "))
	}
}
