package naming

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
)

// TestHistory asks for all names in several orders: a name does not depend on what was
// named before.
func TestHistory(t *testing.T) {
	for _, path := range slices.Concat(pointstotest.Apps(t), pointstotest.Shrunk(t)) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			r, err := pointsto.Solve(t.Context(), pointstotest.Open(t, path))
			if err != nil {
				t.Fatal(err)
			}
			s := actions.Build(r)
			asked := questions(s)
			forward := New(s)
			want := make([]string, len(asked))
			for i, ask := range asked {
				want[i] = ask(forward)
			}
			order := rand.New(rand.NewPCG(1, 2)).Perm(len(asked))
			for name, order := range map[string][]int{"backwards": backwards(len(asked)), "mixed": order} {
				n := New(s)
				for _, i := range order {
					if got := asked[i](n); got != want[i] {
						t.Errorf("%s: %s, not %s", name, got, want[i])
					}
				}
			}
		})
	}
}

func backwards(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = n - 1 - i
	}
	return out
}

// questions are for the names of all actions, methods and fields of the app.
func questions(s *actions.Set) []func(n *Names) string {
	var out []func(n *Names) string
	for x := 1; x < len(s.Actions); x++ {
		out = append(out, func(n *Names) string { return n.Action(hb.ActionID(x)) })
	}
	prog := s.PT.Prog
	for f := 1; f < len(prog.Fields); f++ {
		if c := prog.Fields[f].Class; prog.Classes[c].Defined && prog.Classes[c].Origin != ir.Platform {
			out = append(out, func(n *Names) string {
				field := n.Field(Location{Key: pointsto.FieldKey(f)}, Location{Key: pointsto.FieldKey(f)})
				return field.String() + " " + field.Declared
			})
		}
	}
	for f := 1; f < len(s.PT.Funcs); f++ {
		if m := s.PT.Funcs[f].Method; m != 0 {
			out = append(out, func(n *Names) string { return n.Written(m).String() })
		}
	}
	return out
}
