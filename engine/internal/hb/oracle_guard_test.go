package hb

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// A flagged program is what a run does to the raced location and two flags: statements,
// each under a test of the flags, some of which may be skipped. A valuation has a bit for the
// location, which fails while it is 0, and one for each flag.
type flagged []statement

type statement struct {
	test, want uint8 // the bits that are tested, and what they have to be
	maybe      bool  // another test, of which nothing is known
	set, to    uint8 // the bits that are stored, and what
	uses       bool
}

const (
	flaggedSize = 8
	locationBit = 1
)

// run interprets the program from one valuation: what it may leave, and whether it uses the
// location while it fails.
func (p flagged) run(v uint8) (after Valuations, fails bool) {
	if len(p) == 0 {
		return 1 << v, false
	}
	s := p[0]
	if v&s.test != s.want {
		return p[1:].run(v)
	}
	if s.maybe {
		after, fails = p[1:].run(v)
	}
	fails = fails || s.uses && v&locationBit == 0
	next, later := p[1:].run(v&^s.set | s.to)
	return after | next, fails || later
}

func (p flagged) change() *Change {
	c := &Change{After: make([]Valuations, flaggedSize)}
	for v := range uint8(flaggedSize) {
		after, fails := p.run(v)
		c.After[v] = after
		if fails {
			c.Uses |= 1 << v
		}
	}
	return c
}

// randomGuard makes the free, the use and some other actions flagged programs.
func randomGuard(rng *rand.Rand, w *world, q *Question) *Guard {
	g := &Guard{Start: 1 << locationBit, Size: flaggedSize, Failing: 0b01010101, Changes: map[ActionID]*Change{}}
	if q.Free == 0 {
		g.Start = 1
	}
	random := func() statement {
		set, test := uint8(2)<<rng.IntN(2), uint8(2)<<rng.IntN(2)
		s := statement{set: set, maybe: rng.IntN(4) == 0}
		if rng.IntN(2) == 0 {
			s.to = set
		}
		if rng.IntN(3) == 0 {
			s.test, s.want = test, test&uint8(rng.IntN(8))
		}
		return s
	}
	for a := ActionID(1); int(a) < len(w.Actions); a++ {
		var p flagged
		if rng.IntN(2) == 0 {
			p = append(p, random())
		}
		switch {
		case a == q.Use:
			s := random()
			s.set, s.to, s.uses, s.test = 0, 0, true, uint8(2)<<rng.IntN(2)
			s.want = s.test & uint8(rng.IntN(8))
			p = append(p, s)
		case a == q.Free:
			s := random()
			s.set, s.to = locationBit, 0
			p = append(p, s)
		case rng.IntN(4) == 0:
			s := random()
			s.set, s.to = locationBit, locationBit
			p = append(p, s)
		}
		if rng.IntN(2) == 0 {
			p = append(p, random())
		}
		if len(p) > 0 {
			g.Changes[a] = p.change()
		}
	}
	return g
}

// TestGuardAgainstPlain compares the search that carries sets of valuations, and its
// attempts, with the plain machine, which has one valuation in a state. They differ as
// TestSearchAgainstPlain says.
func TestGuardAgainstPlain(t *testing.T) {
	seen := tally{}
	for seed := range uint64(*oracleModels / 2) {
		rng := rand.New(rand.NewPCG(seed, 17))
		w, base := randomModel(rng)
		g := Build(&w.Model)
		for range 4 {
			q, _ := randomQuestion(rng, w, base)
			if q.Use == 0 || q.Free == q.Use {
				continue
			}
			q.NoLive = true
			q.Guard = randomGuard(rng, w, &q)
			s := g.Searcher()
			s.untried = seed%2 == 0
			v := s.Search(q)
			plain, limited := g.plainSearch(q)
			got, ran := v.NullAtUse || v.InitAtUse, append(v.NullSchedule, v.InitSchedule...)
			want, shortest := plain.NullAtUse || plain.InitAtUse, append(plain.NullSchedule, plain.InitSchedule...)
			free := q
			free.Guard = nil
			switch bare := g.Search(free); {
			case v.Coarse:
				seen["coarse"]++
			case got && !want && limited:
				seen["the plain machine gave up"]++
			case got && !want && thrice(ran), !got && want && (thrice(shortest) || unsure(w)):
				seen["only with a third run, or by overtaking"]++
			case got != want:
				dump(t, w, g)
				t.Fatalf("seed %d: found is %v by %v, want %v by %v; question %+v", seed, got, names(g, ran), want, names(g, shortest), q)
			case got:
				seen["found"]++
			case bare.NullAtUse || bare.InitAtUse:
				seen["refuted by the guard"]++
			default:
				seen["refuted without"]++
			}
		}
	}
	for _, r := range sortedKeys(seen) {
		t.Logf("%6d %s", seen[r], r)
	}
	if seen["found"] == 0 || seen["refuted by the guard"] == 0 {
		t.Error("the guards show too little")
	}
}

// guarded is effect with a guard: what one valuation becomes.
func (m *plainMachine) guarded(i int32, v value, n node, ran []node) []value {
	c := m.q.Guard.Changes[m.c.id(n)]
	if c == nil {
		return []value{v}
	}
	if n == m.use && c.Uses>>v&1 != 0 {
		switch {
		case m.q.Free == 0 && !m.verdict.InitAtUse:
			m.verdict.InitAtUse, m.verdict.InitSchedule = true, m.schedule(i, ran)
		case m.q.Free != 0 && !m.verdict.NullAtUse:
			m.verdict.NullAtUse, m.verdict.NullSchedule = true, m.schedule(i, ran)
		}
	}
	var out []value
	for rest := c.After[v]; rest != 0; rest &= rest - 1 {
		out = append(out, value(bits.TrailingZeros64(uint64(rest))))
	}
	return out
}
