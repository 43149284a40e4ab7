package race

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
	"github.com/eventraces/eventraces/engine/internal/race/racetest"
)

// randomApps is how many random apps a run of the tests looks at.
const randomApps = 400

// stages is what the race stage of an app begins with.
func stages(t testing.TB, c *pointsto.Config) (*actions.Set, *hb.Graph) {
	t.Helper()
	r, err := pointsto.Solve(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	s := actions.Build(r)
	return s, hb.Build(s.Model)
}

// lines writes a result out: counts, notes and races, a line each, all that they say.
func lines(t testing.TB, r *Result) []string {
	t.Helper()
	out := []string{fmt.Sprintf("%d candidates, %d filtered", r.Candidates, r.Filtered)}
	for _, name := range slices.Sorted(maps.Keys(r.Removed)) {
		out = append(out, fmt.Sprintf("%d by %s", r.Removed[name], name))
	}
	for i := range r.Races {
		out = append(out, line(t, steady(r.Races[i])))
	}
	for i := range r.Notes {
		out = append(out, line(t, &r.Notes[i]))
	}
	return out
}

// steady is a race with the steps of its schedule sorted: of two schedules of alike
// callbacks that are equally short, the search takes the one whose actions come first in
// the program.
func steady(r finding.Race) finding.Race {
	if r.Schedule == nil {
		return r
	}
	s := *r.Schedule
	s.Steps = slices.Clone(s.Steps)
	for i := range s.Steps {
		s.Steps[i].Cause = 0
	}
	slices.SortFunc(s.Steps, func(a, b finding.Step) int { return cmp.Or(cmp.Compare(a.Action, b.Action), a.Run-b.Run) })
	r.Schedule = &s
	return r
}

func line(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// differ shows the first lines that one result has and the other lacks.
func differ(t testing.TB, want, got []string) string {
	t.Helper()
	var out strings.Builder
	only := func(sign string, these, others []string) {
		there := map[string]int{}
		for _, l := range others {
			there[l]++
		}
		shown := 0
		for _, l := range these {
			if there[l]--; there[l] < 0 && shown < 4 {
				shown++
				fmt.Fprintln(&out, sign, l)
			}
		}
	}
	only("-", want, got)
	only("+", got, want)
	if out.Len() == 0 && !slices.Equal(want, got) {
		return "another order"
	}
	return out.String()
}

// TestRandomAgainstPlain compares classes of accesses with the plain enumeration on random
// apps. Where a location has so many races that alike callbacks are shown as one, the
// two are not the same; so large ones are left out.
func TestRandomAgainstPlain(t *testing.T) {
	count := map[string]int{}
	for seed := range uint64(randomApps) {
		if !againstPlain(t, seed, count) {
			count["left out"]++
		}
		if t.Failed() {
			break
		}
	}
	t.Log(count)
	if count["left out"] > randomApps/4 {
		t.Errorf("%d of %d apps are left out", count["left out"], randomApps)
	}
}

// mostActions is how many actions a random app may have.
const mostActions = 40

// againstPlain looks at the app of one seed, and reports whether it is not too large.
func againstPlain(t *testing.T, seed uint64, count map[string]int) bool {
	t.Helper()
	a := racetest.New(seed, "a", 0)
	s, g := stages(t, pointstotest.Dex(t, a.Components, a.Fill))
	if len(s.Actions) > mostActions {
		return false
	}
	fast := results(t, s, g, false)
	want, got := lines(t, results(t, s, g, true)), lines(t, fast)
	if d := differ(t, want, got); d != "" {
		t.Errorf("seed %d: classes (+) differ from all pairs (-):\n%s", seed, d)
	}
	count["races"] += len(fast.Races)
	for name, n := range fast.Removed {
		count[name] += n
	}
	return true
}

// FuzzRandomAgainstPlain looks at the apps of other seeds.
func FuzzRandomAgainstPlain(f *testing.F) {
	f.Add(uint64(randomApps))
	f.Fuzz(func(t *testing.T, seed uint64) { againstPlain(t, seed, map[string]int{}) })
}
