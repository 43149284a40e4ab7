package actions

import (
	"bytes"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/engine/internal/pointsto"
	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
	"github.com/eventraces/eventraces/internal/goldentest"
)

func buildApp(t testing.TB, path string) *Set {
	t.Helper()
	s := Build(pointstotest.Solve(t, pointstotest.Open(t, path)))
	if err := s.Check(); err != nil {
		t.Errorf("%s: %v", filepath.Base(path), err)
	}
	return s
}

func text(t *testing.T, s *Set) string {
	t.Helper()
	var out bytes.Buffer
	if err := s.Print(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// fromOutside are the apps' classes with actions that only code out of sight makes run.
var fromOutside = regexp.MustCompile(`^com\.example\.handlers\.(Outside|player\.Player)\b`)

// TestApps builds the actions of every example and fixture, and looks at what
// Check does not.
func TestApps(t *testing.T) {
	apps, posting := pointstotest.Apps(t), 0
	defer func() {
		if posting < len(apps)-2 { // one, by two dexers, has callbacks of its activity alone
			t.Errorf("%d of %d apps post or register", posting, len(apps))
		}
	}()
	for _, path := range apps {
		s := buildApp(t, path)
		if len(s.Actions) < 4 || len(s.Components) < 2 {
			t.Errorf("%s: %d actions, %d components", filepath.Base(path), len(s.Actions)-1, len(s.Components)-1)
		}
		if len(s.Model.Points) > 1 {
			posting++
		}
		for id := 1; id < len(s.Actions); id++ {
			a := &s.Actions[id]
			if a.Arm != nil && a.Arm.Life == nil && len(a.Entries) > 0 && len(a.Causes) == 0 && !fromOutside.MatchString(s.Name(a.ID)) {
				t.Errorf("%s: nothing makes %s run", filepath.Base(path), s.Name(a.ID))
			}
			a.Reach.All(func(f int) bool {
				if !s.ByFunc[f].Has(id) {
					t.Errorf("%s: %s reaches %s, which does not know it", filepath.Base(path), s.Name(a.ID), s.PT.MethodName(pointsto.FuncID(f)))
				}
				return true
			})
		}
	}
}

// TestShrunkBuilds: pointsto finds no code for an object of a merged class that
// only its other objects run, so there is nothing to take out that such code
// would make run.
func TestShrunkBuilds(t *testing.T) {
	for _, path := range pointstotest.Shrunk(t) {
		s := buildApp(t, path)
		for id := 2; id < len(s.Actions); id++ {
			a := &s.Actions[id]
			inline := a.Arm.Effect != nil && a.Arm.Effect.Inline
			if a.Arm.Life == nil && !inline && len(a.Causes) == 0 {
				t.Errorf("%s: nothing makes %s run", filepath.Base(path), s.Name(a.ID))
			}
		}
	}
}

func TestGoldenActions(t *testing.T) {
	for _, app := range []string{"receiverdb", "newsreader"} {
		got := text(t, buildApp(t, pointstotest.App(t, app+".apk")))
		path := filepath.Join("testdata", "golden", app+".actions.txt")
		goldentest.Compare(t, path, got)
	}
}

// TestDeterminism compares runs with one and with four workers.
func TestDeterminism(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, app := range []string{"handlers.apk", "executors-dx.apk"} {
		first := ""
		for _, workers := range []int{1, 4, 4} {
			runtime.GOMAXPROCS(workers)
			got := text(t, buildApp(t, pointstotest.App(t, app)))
			if first == "" {
				first = got
			}
			if diff := cmp.Diff(first, got); diff != "" {
				t.Errorf("%s with %d workers (-first +this):\n%s", app, workers, diff)
			}
		}
	}
}
