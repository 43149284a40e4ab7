package pointsto_test

import (
	"bytes"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/pointsto"
	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
	"github.com/eventraces/eventraces/internal/goldentest"
)

func TestGoldenCallGraph(t *testing.T) {
	for _, app := range []string{"receiverdb", "newsreader"} {
		var out bytes.Buffer
		if err := pointstotest.Solve(t, pointstotest.Open(t, pointstotest.App(t, app+".apk"))).Print(&out); err != nil {
			t.Fatal(err)
		}
		goldentest.Compare(t, filepath.Join("testdata", "golden", app+".callgraph.txt"), out.String())
	}
}

// solution is the sorted solution of an app.
func solution(t *testing.T, r *pointsto.Result) []string {
	t.Helper()
	s := pointsto.Solution(r)
	slices.Sort(s)
	return s
}

func differ(t *testing.T, what string, want, got []string) {
	t.Helper()
	if slices.Equal(want, got) {
		return
	}
	n := 0
	report := func(sign string, a, b []string) {
		for _, l := range a {
			if _, ok := slices.BinarySearch(b, l); !ok && n < 10 {
				n++
				t.Errorf("%s: %s %s", what, sign, l)
			}
		}
	}
	report("-", want, got)
	report("+", got, want)
	if n == 0 {
		t.Errorf("%s: lines stand several times", what)
	}
}

// TestMerging solves every app three ways: merging cycles whenever an edge was
// added, as usual, and never. The solution is the same. The random programs of
// TestOracle have more cycles than the apps.
func TestMerging(t *testing.T) {
	for _, app := range pointstotest.Apps(t) {
		plain := pointstotest.Open(t, app)
		pointsto.SortAfter(plain, 1<<30)
		want := solution(t, pointstotest.Solve(t, plain))
		if len(want) < 50 {
			t.Errorf("%s: a solution of %d lines", app, len(want))
		}
		for _, n := range []int{1, 0} {
			c := *plain
			pointsto.SortAfter(&c, n)
			r := pointstotest.Solve(t, &c)
			differ(t, filepath.Base(app), want, solution(t, r))
		}
	}
}

// TestDeterminism compares the whole dump, numbering included, of runs with one
// and with four workers.
func TestDeterminism(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, app := range []string{"newsreader.apk", "views.apk", "executors-dx.apk"} {
		var first string
		for _, workers := range []int{1, 4, 4} {
			runtime.GOMAXPROCS(workers)
			r := pointstotest.Solve(t, pointstotest.Open(t, pointstotest.App(t, app)))
			var out bytes.Buffer
			if err := r.Print(&out); err != nil {
				t.Fatal(err)
			}
			got := out.String() + strings.Join(pointsto.Solution(r), "\n")
			if first == "" {
				first = got
			}
			if got != first {
				t.Errorf("%s: the dump of a run with %d workers differs", app, workers)
			}
		}
	}
}
