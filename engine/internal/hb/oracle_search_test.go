package hb

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSearchAgainstPlain compares the search with the plain machine, which keeps
// all that is armed in its order, on random models. They differ in two ways only.
// Of more than two posts at a point, and of those that may not have happened, the
// plain machine forgets the order. And of three runs of a poster the search may
// leave out one that an automaton would not.
func TestSearchAgainstPlain(t *testing.T) {
	seen := tally{}
	for seed := range uint64(*oracleModels) {
		rng := rand.New(rand.NewPCG(seed, 3))
		w, base := randomModel(rng)
		g := Build(&w.Model)
		for range 4 {
			q, _ := randomQuestion(rng, w, base)
			if q.Use == 0 {
				continue
			}
			if rng.IntN(6) == 0 {
				q.Use, q.UseAt, q.UseFirst = q.Free, q.FreeAt, true
				if q.Free == 0 {
					continue
				}
			}
			s := g.Searcher()
			s.untried = seed%2 == 0
			v := s.Search(q)
			plain, limited := g.plainSearch(q)
			for _, c := range []struct {
				name             string
				asked, got, want bool
				ran, shortest    []ActionID
			}{
				{"null", q.Free != 0, v.NullAtUse, plain.NullAtUse, v.NullSchedule, plain.NullSchedule},
				{"live", q.Free != 0, v.LiveAtUse, plain.LiveAtUse, v.LiveSchedule, plain.LiveSchedule},
				{"default", q.Free == 0, v.InitAtUse, plain.InitAtUse, v.InitSchedule, plain.InitSchedule},
			} {
				switch {
				case !c.asked:
				case v.Coarse:
					seen[c.name+": coarse"]++
				case c.got && !c.want && limited:
					seen[c.name+": the plain machine gave up"]++
				case c.got && !c.want && thrice(c.ran):
					seen[c.name+": only with a third run left out"]++
				case c.got && !c.want:
					dump(t, w, g)
					t.Fatalf("seed %d: %s by %v, which the plain machine does not reach; question %+v", seed, c.name, names(g, c.ran), q)
				case !c.got && c.want && (thrice(c.shortest) || unsure(w)):
					seen[c.name+": only by overtaking"]++
				case !c.got && c.want:
					dump(t, w, g)
					t.Fatalf("seed %d: %s by %v is not found; question %+v", seed, c.name, names(g, c.shortest), q)
				case !c.got:
					seen[c.name+": neither"]++
				case slices.Equal(c.ran, c.shortest):
					seen[c.name+": both, one schedule"]++
				default:
					seen[c.name+": both, two schedules"]++
					t.Logf("seed %d %s: %v, plain %v", seed, c.name, names(g, c.ran), names(g, c.shortest))
				}
			}
		}
	}
	for _, r := range sortedKeys(seen) {
		t.Logf("%6d %s", seen[r], r)
	}
}

// TestAttempt compares the attempts with searches that keep all in order: what an
// attempt reaches they reach, and an attempt reaches most of what they do.
func TestAttempt(t *testing.T) {
	seen := tally{}
	for seed := range uint64(*oracleModels) * 10 {
		rng := rand.New(rand.NewPCG(seed, 9))
		w, base := randomModel(rng)
		s := Build(&w.Model).Searcher()
		for range 4 {
			q, _ := randomQuestion(rng, w, base)
			if q.Use == 0 {
				continue
			}
			goals := []goal{goalNull, goalLive}
			if q.Free == 0 {
				goals = []goal{goalInit}
			}
			for _, l := range goals {
				ran, got, long := s.attempt(&q, l)
				sc := s.scene(&q, l)
				all := newRow(len(sc.items))
				for k := range sc.items {
					all.set(node(k))
				}
				want, full := newSearch(sc, all).run(5000)
				switch {
				case full:
				case got && !want:
					dump(t, w, s.g)
					t.Fatalf("seed %d, goal %d: %v is no schedule; question %+v", seed, l, names(s.g, ran), q)
				case long:
					seen["too long"]++
				case got:
					seen["reached"]++
				case want:
					seen["only searched"]++
				default:
					seen["not reached"]++
				}
			}
		}
	}
	for _, r := range sortedKeys(seen) {
		t.Logf("%6d %s", seen[r], r)
	}
	if seen["reached"] < 10*seen["only searched"] || seen["not reached"] == 0 {
		t.Error("the attempts reach too little, or the models show too little")
	}
}

// thrice: some action runs three times.
func thrice(ran []ActionID) bool {
	times := map[ActionID]int{}
	for _, a := range ran {
		times[a]++
	}
	for _, n := range times {
		if n > 2 {
			return true
		}
	}
	return false
}

// unsure: the plain machine forgets that what may have been posted first has run.
func unsure(w *world) bool {
	return slices.ContainsFunc(w.Points[1:], func(p Point) bool {
		return p.Kind == Post && (!p.Must || len(p.Targets) > 1 || p.Loop) || p.Kind == Cancel
	})
}
