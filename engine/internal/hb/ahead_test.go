package hb

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAhead searches random models with the bounds of the steps ahead and without
// them, which is breadth first: the goal is reached in as many steps, and from no
// state of the schedule in fewer than the bound says.
func TestAhead(t *testing.T) {
	found, missed, fewer := 0, 0, 0
	for seed := range uint64(*oracleModels) {
		rng := rand.New(rand.NewPCG(seed, 5))
		w, base := randomModel(rng)
		s := Build(&w.Model).Searcher()
		q, _ := randomQuestion(rng, w, base)
		if q.Use == 0 {
			continue
		}
		goals := []goal{goalNull, goalLive}
		if q.Free == 0 {
			goals = []goal{goalInit}
		}
		for _, l := range goals {
			for _, inOrder := range []bool{false, true} {
				sc := s.scene(&q, l)
				exact := newRow(len(sc.items))
				for k := range sc.items {
					if inOrder && sc.items[k].inLine() || sc.items[k].exact {
						exact.set(node(k))
					}
				}
				m := newSearch(sc, exact)
				reached, full := m.run(5000)
				blind := *sc
				blind.dist = distances{items: make([]steps, len(sc.items))}
				for p, play := range sc.plays {
					blind.dist.at[p] = make([]steps, len(play.auto.States)+len(play.mids))
				}
				b := newSearch(&blind, slices.Clone(exact))
				want, limited := b.run(5000)
				if full || limited {
					continue
				}
				if reached != want || m.steps != b.steps {
					dump(t, w, s.g)
					t.Fatalf("seed %d, goal %d: %v in %d steps, breadth first %v in %d; question %+v", seed, l, reached, m.steps, want, b.steps, q)
				}
				if len(m.seen.recs) < len(b.seen.recs) {
					fewer++
				}
				if !reached {
					missed++
					continue
				}
				found++
				st := &state{}
				for i := m.last; i >= 0; i = m.seen.recs[i].from {
					m.seen.load(i, st)
					if left := m.steps + 1 - m.seen.recs[i].depth; m.ahead(st) > left {
						t.Fatalf("seed %d, goal %d: %d steps are left, not %d; question %+v", seed, l, left, m.ahead(st), q)
					}
				}
			}
		}
	}
	t.Logf("%d reached, %d not, %d with fewer states", found, missed, fewer)
	if found == 0 || missed == 0 || fewer == 0 {
		t.Error("the models show too little")
	}
}
