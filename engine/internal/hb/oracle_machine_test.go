package hb

import (
	"math/rand/v2"
	"testing"
)

// machineClaims asks the machine a random question and executes the model with
// one instance of each component: what an execution reaches, the machine must.
func machineClaims(t *testing.T, w *world, g *Graph, base *sim, seed uint64, seen tally) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 7))
	q, sites := randomQuestion(rng, w, base)
	if q.Use == 0 {
		return
	}
	v := g.Search(q)
	switch {
	case v.Coarse:
		seen["machine: coarse"]++
	case q.Free == 0 && !v.InitAtUse || q.Free != 0 && !v.NullAtUse:
		seen["machine: refuted"]++
	default:
		seen["machine: schedule found"]++
	}
	p := newPlain(g.c.tree)
	for i := range *oracleRuns * 2 {
		s := sim{m: base.m, prog: base.prog, sites: base.sites, tree: g.c.tree, plain: p, maxInst: 1,
			rng: rand.New(rand.NewPCG(seed, uint64(1000+i)))}
		at, null, live, first := valueDefault, false, false, false
		if q.InitLive {
			at = valueLive
		}
		s.access = func(r *simRun, x Site) {
			if sites[r.act] != x {
				return
			}
			switch r.act {
			case q.Use:
				null = null || at == valueFreed
				live = live || at == valueLive
				first = first || at == valueDefault
			case q.Free:
				at = valueFreed
			default:
				at = valueLive
			}
		}
		s.run(150)
		missed := null && !v.NullAtUse || live && !v.LiveAtUse
		if q.Free == 0 { // then the search ends at the first use of the default
			missed = first && !v.InitAtUse
		}
		if null || q.Free == 0 && first {
			seen["machine: executions that failed"]++
		}
		if missed {
			dump(t, w, g)
			for _, r := range s.runs {
				t.Logf("run %s %d..%d", w.Actions[r.act].Name, r.start, r.end)
			}
			t.Fatalf("seed %d execution %d: null %v live %v default %v, but the machine says %+v to %+v sites %v", seed, i, null, live, first, v, q, sites)
		}
	}
}

// randomQuestion gives distinct actions one access each, outside of loops.
func randomQuestion(rng *rand.Rand, w *world, s *sim) (Question, map[ActionID]Site) {
	sites := map[ActionID]Site{}
	pick := func() ActionID {
		a := ActionID(1 + rng.IntN(len(w.Actions)-1))
		xs := s.sites[a]
		x := xs[rng.IntN(len(xs))]
		if _, loop := w.prog.inLoop(a, x); loop || sites[a] != 0 || w.prog.optional[At{a, x}] {
			return 0
		}
		sites[a] = x
		return a
	}
	q := Question{InitLive: rng.IntN(2) == 0, FreeAtEnd: true, FreeMust: rng.IntN(2) == 0, Sited: rng.IntN(2) == 0}
	q.Free, q.Use = pick(), pick()
	if q.Free == 0 || q.Use == 0 {
		return Question{}, nil
	}
	if rng.IntN(4) == 0 {
		delete(sites, q.Free)
		q.Free, q.InitLive = 0, false
	}
	q.FreeAt, q.UseAt = sites[q.Free], sites[q.Use]
	for range rng.IntN(3) {
		if a := pick(); a != 0 {
			q.Writers = append(q.Writers, Writer{a, true})
		}
	}
	return q, sites
}
