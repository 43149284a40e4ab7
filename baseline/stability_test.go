package baseline_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/baseline"
	"github.com/eventraces/eventraces/engine"
	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/internal/realapps"
)

const examples = "../examples"

var apps = []string{"batchloader", "guardedtimer", "newsreader", "receiverdb", "trackrecorder"}

func analyse(t testing.TB, file string) *engine.Result {
	t.Helper()
	res, err := engine.Check(context.Background(), engine.Options{ToolVersion: "test", Inputs: []string{file}})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// acceptedBy is a baseline with all races of a build.
func acceptedBy(t testing.TB, res *engine.Result) *baseline.File {
	t.Helper()
	none := &baseline.File{Name: "b.txt", Missing: true}
	mustCompare(t, baseline.Compare(res.Run, []*baseline.File{none}, res.Names))
	next, _, err := baseline.Update(none, res.Run, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	f, err := baseline.Parse("b.txt", next.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// differences compares a build with a baseline: what is not as accepted, and how
// many races have kept their id and how many were matched by name.
func differences(t testing.TB, f *baseline.File, res *engine.Result) (diffs []string, kept, moved int) {
	t.Helper()
	mustCompare(t, baseline.Compare(res.Run, []*baseline.File{f}, res.Names))
	if err := res.Run.Check(); err != nil {
		t.Fatal(err)
	}
	res.Run.EachRace(func(r *finding.Race) {
		if r.State != finding.Unchanged {
			diffs = append(diffs, fmt.Sprintf("%s: %s %s %s (%s / %s)", r.State, r.Priority, r.Rule, r.Field, r.Sides[0].Access.Entry, r.Sides[1].Access.Entry))
			return
		}
		was, _ := finding.SplitID(r.Accepted.ID)
		if is, _ := finding.SplitID(r.ID); is == was {
			kept++
		} else {
			moved++
		}
	})
	for _, a := range res.Run.Baseline.Gone {
		diffs = append(diffs, fmt.Sprintf("gone: %s %s (%s / %s)", a.Rule, a.Field, a.Callbacks[0], a.Callbacks[1]))
	}
	slices.Sort(diffs)
	return diffs, kept, moved
}

// Edits that change nothing about a race make none new, and none gone. After most
// of them it has its id still; where its names are others, it is matched.
func TestEditsMakeNothingNew(t *testing.T) {
	edits := []struct {
		name  string
		moves bool // ids may change; the races are matched by name
	}{
		{"insert-lines", false}, {"one-line", false}, {"spread", false}, {"rename-locals", false}, {"reorder-members", false},
		{"add-lambda", true}, {"rename-classes", true}, {"rename-methods", true}, {"rename-package", true},
	}
	races, matched := 0, 0
	for _, app := range apps {
		original := analyse(t, filepath.Join(examples, app, app+".apk"))
		f := acceptedBy(t, original)
		if len(f.Lines) == 0 {
			t.Errorf("%s has no races to accept", app)
		}
		variants := map[string]string{"dx": filepath.Join(examples, app, app+"-dx.apk")}
		moves := map[string]bool{}
		for _, e := range edits {
			variants[e.name], moves[e.name] = filepath.Join(examples, "edits", app, e.name+".apk"), e.moves
		}
		built, err := filepath.Glob(filepath.Join(examples, "edits", app, "*.apk"))
		if err != nil || len(built) != len(edits) {
			t.Errorf("%s: %d edited builds, want %d", app, len(built), len(edits))
		}
		for name, file := range variants {
			diffs, kept, moved := differences(t, f, analyse(t, file))
			races, matched = races+kept+moved, matched+moved
			if len(diffs) > 0 {
				t.Errorf("%s after %s:\n%s", app, name, strings.Join(diffs, "\n"))
			}
			if moved > 0 && !moves[name] {
				t.Errorf("%s after %s: %d ids have changed", app, name, moved)
			}
			if kept > 0 && strings.HasPrefix(name, "rename-") && name != "rename-locals" && name != "rename-methods" {
				t.Errorf("%s after %s: %d ids are the same, so nothing was renamed", app, name, kept)
			}
		}
	}
	t.Logf("%d races after edits, %d of them matched by name", races, matched)
	if matched == 0 {
		t.Error("no race was matched by name")
	}
}

// Taking a protection away makes an accepted race worse, or brings a new one.
func TestProtectionsRemoved(t *testing.T) {
	dir := filepath.Join(examples, "edits", "worse")
	f := acceptedBy(t, analyse(t, filepath.Join(dir, "before.apk")))
	after := analyse(t, filepath.Join(dir, "after.apk"))
	differences(t, f, after)
	got := map[string]finding.State{}
	after.Run.EachRace(func(r *finding.Race) {
		if r.Rule == finding.UseAfterFree && r.Priority == finding.High {
			class := r.Field.Class[strings.LastIndexByte(r.Field.Class, '.')+1:]
			got[class] = r.State
			if r.State == finding.Worse && r.Accepted.Priority != finding.Medium {
				t.Errorf("%s was accepted as %s", class, r.Accepted.Priority)
			}
		}
	})
	want := map[string]finding.State{
		"Joined": finding.Worse, "TakenOut": finding.Worse,
		"FlagGuard": finding.New, "EarlyReturn": finding.New, "NullTest": finding.New, "Removed": finding.New, "Unregistered": finding.New, "Cancelled": finding.New,
	}
	for class, state := range want {
		if got[class] != state {
			t.Errorf("%s without its protection is %q, want %s", class, got[class], state)
		}
	}
	// The other way round, the protections put back: nothing is new.
	f = acceptedBy(t, analyse(t, filepath.Join(dir, "after.apk")))
	before := analyse(t, filepath.Join(dir, "before.apk"))
	differences(t, f, before)
	accepted := 0
	before.Run.EachRace(func(r *finding.Race) {
		if r.Rule != finding.UseAfterFree {
			return
		}
		if accepted++; r.State != finding.Unchanged {
			t.Errorf("with its protection %s is %s", r.Field, r.State)
		}
	})
	if accepted != 2 {
		t.Errorf("with their protections %d uses after a free are left, want 2", accepted)
	}
}

func published(t *testing.T, name string) string {
	t.Helper()
	app, ok := realapps.ByName(name)
	if !ok {
		t.Fatalf("no app %s", name)
	}
	return app.Fetch(t)
}

// A published app from one version to the next, built by another compiler: what
// did not change in the code gives nothing new.
func TestNextVersionOfARealApp(t *testing.T) {
	f := acceptedBy(t, analyse(t, published(t, "apidemos-4.1.1")))
	diffs, kept, moved := differences(t, f, analyse(t, published(t, "apidemos-5.0.0")))
	if len(diffs) > 0 {
		t.Errorf("%d differences:\n%s", len(diffs), strings.Join(diffs, "\n"))
	}
	if kept < 500 || moved != 0 {
		t.Errorf("%d races kept their ids, %d were matched by name", kept, moved)
	}
}

// Races that are easily taken for one another, on one line, of one field, in
// overloads, in classes alike, are told apart: with any one of them not accepted,
// that one is new and no other.
func TestRacesAlikeAreToldApart(t *testing.T) {
	for _, build := range []string{"collisions.apk", "collisions-dx.apk"} {
		res := analyse(t, filepath.Join("../engine/testdata/fixtures/collisions", build))
		f := acceptedBy(t, res)
		all := f.Lines
		high := 0
		for i, line := range all {
			if line.Priority == finding.High {
				high++
			}
			f.Lines = slices.Concat(all[:i], all[i+1:])
			mustCompare(t, baseline.Compare(res.Run, []*baseline.File{f}, res.Names))
			var open []string
			res.Run.EachRace(func(r *finding.Race) {
				if r.Standing() == finding.Open {
					open = append(open, r.ID)
				}
			})
			base, _ := finding.SplitID(line.ID)
			if len(open) != 1 || !strings.HasPrefix(open[0], base) {
				t.Errorf("%s without %s (%s): new are %v", build, line.ID, line.Field, open)
			}
		}
		if high != 13 {
			t.Errorf("%s: %d high races, want 13", build, high)
		}
	}
}

func mustCompare(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
