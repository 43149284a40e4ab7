package hb

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestReplay replays what the search finds in random models: it can come about, but where the search
// lets one post run several of its targets, or does not compose a component. With two neighbours exchanged much of it cannot.
func TestReplay(t *testing.T) {
	seen := tally{}
	for seed := range uint64(*oracleModels) * 10 {
		rng := rand.New(rand.NewPCG(seed, 3))
		w, base := randomModel(rng)
		g := Build(&w.Model)
		s := g.Searcher()
		s.untried = seed%2 == 0
		for range 4 {
			q, _ := randomQuestion(rng, w, base)
			if q.Use == 0 {
				continue
			}
			v := s.Search(q)
			for _, ran := range [][]ActionID{v.NullSchedule, v.InitSchedule, v.LiveSchedule} {
				if len(ran) == 0 {
					continue
				}
				runs, err := s.Replay(ran)
				switch {
				case err != nil && loose(w, g, q, ran):
					seen["not replayed, as the search is loose there"]++
					continue
				case err != nil:
					dump(t, w, g)
					t.Fatalf("seed %d: %v cannot be: %v; question %+v", seed, names(g, ran), err, q)
				}
				seen["replayed"]++
				if err := g.Contradiction(runs); err != nil {
					dump(t, w, g)
					t.Fatalf("seed %d: %v is replayed, but %v", seed, names(g, ran), err)
				}
				if i := rng.IntN(len(ran)); i > 0 && ran[i] != ran[i-1] {
					exchanged := slices.Clone(ran)
					exchanged[i], exchanged[i-1] = ran[i-1], ran[i]
					runs, err := s.Replay(exchanged)
					if err != nil {
						seen["exchanged: refused"]++
					} else if err := g.Contradiction(runs); err != nil {
						t.Fatalf("seed %d: %v is replayed, but %v", seed, names(g, exchanged), err)
					} else {
						seen["exchanged: replayed"]++
					}
				}
			}
		}
	}
	for _, r := range sortedKeys(seen) {
		t.Logf("%6d %s", seen[r], r)
	}
	if seen["replayed"] < 100*seen["not replayed, as the search is loose there"] || seen["exchanged: refused"] < 50 {
		t.Error("too little is replayed, or too much")
	}
}

// loose: the model has what the search does not tell apart: posts of one of several targets,
// components that only some runs make, and components that it does not compose.
func loose(w *world, g *Graph, q Question, ran []ActionID) bool {
	return slices.ContainsFunc(w.Points[1:], func(p Point) bool { return len(p.Targets) > 1 }) ||
		slices.ContainsFunc(w.Components[1:], func(c Component) bool { return c.Owned }) ||
		slices.ContainsFunc(ran, func(a ActionID) bool {
			comp := g.c.component(w.Actions[a].Component)
			return comp != process && comp != g.c.home[g.c.action(q.Use)] && comp != g.c.home[g.c.action(q.Free)]
		})
}

// TestEnding: what a run ends first no longer comes behind it, but what is posted later does.
func TestEnding(t *testing.T) {
	w := newWorld()
	create, destroy := w.life("onCreate", cbCreate), w.life("onDestroy", cbDestroy)
	m, th, late := w.message("m"), w.thread("t"), w.message("late")
	w.do(create, Post, m)
	w.do(create, Start, th)
	w.do(th, Post, late)
	s := Build(&w.Model).Searcher()
	for _, c := range []struct {
		use        ActionID
		plain, end bool
	}{{m, true, false}, {late, true, true}} {
		q := Question{Free: destroy, Use: c.use, FreeAtEnd: true, InitLive: true, NoLive: true}
		if got := s.Search(q).NullAtUse; got != c.plain {
			t.Errorf("%s behind onDestroy: %v, want %v", w.Actions[c.use].Name, got, c.plain)
		}
		if got := s.Ending(destroy, c.use).Search(q).NullAtUse; got != c.end {
			t.Errorf("%s behind onDestroy, which ends it: %v, want %v", w.Actions[c.use].Name, got, c.end)
		}
	}
}
