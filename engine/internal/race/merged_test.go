package race

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
	"github.com/eventraces/eventraces/engine/internal/race/racetest"
)

// mergedApps is how many pairs of random apps a run of the tests looks at.
const mergedApps = 40

// TestMergedApps: what another app adds to a program changes none of its races.
func TestMergedApps(t *testing.T) {
	races := 0
	for seed := range uint64(mergedApps) {
		apps := []*racetest.App{racetest.New(seed, "a", 0), racetest.New(seed+1000, "b", 1)}
		var want, components []string
		for _, a := range apps {
			s, g := stages(t, pointstotest.Dex(t, a.Components, a.Fill))
			if len(s.Actions) > mostActions {
				want = nil
				break
			}
			want = append(want, raceLines(t, results(t, s, g, false))...)
			components = append(components, a.Components...)
		}
		if want == nil {
			continue
		}
		races += len(want)
		apps = []*racetest.App{racetest.New(seed, "a", 0), racetest.New(seed+1000, "b", 1)}
		s, g := stages(t, pointstotest.Dex(t, components, func(d *dextest.Dex) {
			for _, a := range apps {
				a.Fill(d)
			}
		}))
		got := raceLines(t, results(t, s, g, false))
		slices.Sort(want)
		slices.Sort(got)
		if d := differ(t, want, got); d != "" {
			t.Errorf("seed %d: the races of both apps (+) differ from those of each (-):\n%s", seed, d)
			break
		}
	}
	if races < 10*mergedApps {
		t.Errorf("only %d races in %d pairs of apps", races, mergedApps)
	}
}

// raceLines is the races of a result, a line each.
func raceLines(t *testing.T, r *Result) []string {
	t.Helper()
	out := []string{}
	for i := range r.Races {
		out = append(out, line(t, r.Races[i]))
	}
	return out
}

// TestMergedFixtures joins fixtures and examples, each with the next; one build of each.
func TestMergedFixtures(t *testing.T) {
	apps := slices.DeleteFunc(pointstotest.Apps(t), func(path string) bool { return strings.HasSuffix(path, "-dx.apk") })
	type app struct {
		races []string
		roots int
	}
	look := func(paths ...string) app {
		c := pointstotest.Open(t, paths...)
		s, g := stages(t, c)
		return app{raceLines(t, results(t, s, g, false)), len(c.Roots)}
	}
	compared := 0
	last := look(apps[0])
	for i, path := range apps[1:] {
		next, both := look(path), look(apps[i], path)
		want := slices.Concat(last.races, next.races)
		roots := last.roots + next.roots
		last = next
		if both.roots != roots {
			continue // each has an application class, and there can be but one
		}
		compared++
		slices.Sort(want)
		slices.Sort(both.races)
		if d := differ(t, want, both.races); d != "" {
			t.Errorf("%s and %s: the races of both (+) differ from those of each (-):\n%s", filepath.Base(apps[i]), filepath.Base(path), d)
		}
	}
	if compared < 20 {
		t.Errorf("only %d pairs of apps are compared", compared)
	}
}
