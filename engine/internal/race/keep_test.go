package race

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
)

// TestFoldedAgainstPlain compares classes with all pairs where nearly every field has more
// races than are told callback by callback.
func TestFoldedAgainstPlain(t *testing.T) {
	old := idsPerField
	defer func() { idsPerField = old }()
	folded, fewer := 0, 0
	for _, path := range pointstotest.Apps(t) {
		r, err := pointsto.Solve(t.Context(), pointstotest.Open(t, path))
		if err != nil {
			t.Fatal(err)
		}
		s := actions.Build(r)
		g := hb.Build(s.Model)
		idsPerField = old
		each := results(t, s, g, false)
		for i := range idsPerField {
			idsPerField[i] = 1
		}
		fast, slow := results(t, s, g, false), results(t, s, g, true)
		if d := cmp.Diff(slow, fast); d != "" {
			t.Errorf("%s: classes (+) differ from all pairs (-):\n%s", filepath.Base(path), d)
		}
		if len(fast.Races) > len(each.Races) {
			t.Errorf("%s: %d races told together, %d each", filepath.Base(path), len(fast.Races), len(each.Races))
		}
		if len(fast.Races) < len(each.Races) {
			fewer++
		}
		for i := range fast.Races {
			x := &fast.Races[i]
			if x.Pairs > 0 {
				folded++
			}
			for n := range x.Sides {
				if name := x.Sides[n].Access.Entry.Class; strings.HasSuffix(name, "*") != (x.Pairs > 0) {
					t.Errorf("%s: a race of %d pairs has callback class %s", filepath.Base(path), x.Pairs, name)
				}
			}
		}
	}
	if folded == 0 || fewer == 0 {
		t.Errorf("%d races stand for pairs, %d apps have fewer races", folded, fewer)
	}
}
