package race

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
)

// TestClassesAgainstPlain compares classes of accesses with the plain enumeration of
// all pairs of accesses and actions, on every fixture and example.
func TestClassesAgainstPlain(t *testing.T) {
	for _, path := range pointstotest.Apps(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			r, err := pointsto.Solve(t.Context(), pointstotest.Open(t, path))
			if err != nil {
				t.Fatal(err)
			}
			s := actions.Build(r)
			g := hb.Build(s.Model)
			fast, slow := results(t, s, g, false), results(t, s, g, true)
			if d := cmp.Diff(slow, fast); d != "" {
				t.Errorf("classes (+) differ from all pairs (-):\n%s", d)
			}
		})
	}
}

func results(t *testing.T, s *actions.Set, g *hb.Graph, plainly bool) *Result {
	t.Helper()
	out, err := find(t.Context(), s, g, nil, plainly)
	if err != nil {
		t.Fatal(err)
	}
	if err := out.Check(); err != nil {
		t.Fatal(err)
	}
	return out
}
