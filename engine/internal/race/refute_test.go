package race

import (
	"slices"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
	"github.com/eventraces/eventraces/engine/internal/race/racetest"
)

// TestFiltersAgreeWithRefutation: what the filters of a use and a free on one looper remove, the
// search that follows the location through all runs finds no schedule for; pair by pair.
func TestFiltersAgreeWithRefutation(t *testing.T) {
	count := map[string]int{}
	look := func(name string, f *finder) {
		for _, key := range f.contested() {
			sides := f.sides(f.byKey[key])
			for _, s := range sides {
				for _, w := range sides {
					if s.use() && w.write && f.stores(w.x, w.access).Null && plainField(s.access) && plainField(w.access) {
						agree(t, f, name, s, w, count)
					}
				}
			}
		}
	}
	for seed := range uint64(40) {
		a := racetest.New(seed, "a", 0)
		s, g := stages(t, pointstotest.Dex(t, a.Components, a.Fill))
		if len(s.Actions) > mostActions {
			continue
		}
		look("random", newFinder(newStage(s, g, false)))
	}
	for name, p := range map[string]program{
		"tested":       {"first": "test; use", "second": "free", "create": "live"},
		"untested":     {"first": "use", "second": "free", "create": "live"},
		"allocated":    {"first": "live; use", "second": "free", "create": "live"},
		"put back":     {"first": "use", "second": "free; live", "create": "live"},
		"on one way":   {"first": "test count; test; :end; use", "second": "free", "create": "live"},
		"freed behind": {"first": "test; free; use", "second": "free", "create": "live"},
	} {
		s, g := stages(t, pointstotest.Dex(t, []string{"app.Main", "app.Other"}, p.fill))
		look(name, newFinder(newStage(s, g, false)))
	}
	t.Log(count)
	if count["filtered, refuted"] == 0 || count["kept, found"] == 0 {
		t.Error("the apps show too little")
	}
}

// agree compares the filters with the search for one use and one free.
func agree(t *testing.T, f *finder, name string, s, w visit, count map[string]int) {
	t.Helper()
	if s.x == w.x || !f.g.OneLooper(w.x, s.x, hb.ScopeInstance.Widest()) {
		return
	}
	g := f.guardFor(s, w, false)
	if g == nil {
		return
	}
	g.watched = g.watched[:1]
	q := &candidate{a: s, b: w, looper: true}
	filtered := slices.ContainsFunc(useFilters, func(row filter) bool {
		return row.name != frameworkQuery.name && row.when(f, q) && row.drop(f, q)
	})
	how, runs := f.decide(g, s, w, false)
	switch {
	case filtered && how == witnessed:
		t.Errorf("%s: %s %s and %s %s are filtered, but %v fails", name, f.s.Name(s.x), f.r.KeyName(s.key), f.s.Name(w.x), f.r.MethodName(w.f), runs)
	case filtered && how == refuted:
		count["filtered, refuted"]++
	case filtered:
		count["filtered, not decided"]++
	case how == refuted:
		count["kept, refuted"]++
	case how == witnessed:
		count["kept, found"]++
	default:
		count["kept, not decided"]++
	}
}
