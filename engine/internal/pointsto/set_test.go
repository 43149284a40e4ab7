package pointsto

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// model is the plain set that a Set is compared with.
type model map[Obj]bool

func (m model) sorted() []Obj { return slices.Sorted(maps.Keys(m)) }

// randomSet makes members in few blocks, so that two sets often share some.
func randomSet(r *rand.Rand) (Set, model) {
	s, m := Set{}, model{}
	for range r.IntN(40) {
		o := Obj(1 + r.IntN(5)*r.IntN(300))
		s = s.Or(SetOf(o))
		m[o] = true
	}
	return s, m
}

// wellFormed checks the order of the words and that none is empty.
func wellFormed(t *testing.T, s Set) {
	t.Helper()
	for i, w := range s.words {
		if w.bits == 0 || i > 0 && s.words[i-1].block >= w.block {
			t.Fatalf("word %d of %v is empty or out of order", i, s.words)
		}
	}
}

func equal(t *testing.T, what string, s Set, m model) {
	t.Helper()
	wellFormed(t, s)
	if got, want := s.Slice(), m.sorted(); !slices.Equal(got, want) {
		t.Fatalf("%s is %v, want %v", what, got, want)
	}
}

func TestSetLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		a, ma := randomSet(r)
		b, mb := randomSet(r)
		or, and, fresh := maps.Clone(ma), model{}, model{}
		for o := range mb {
			or[o] = true
			if ma[o] {
				and[o] = true
			} else {
				fresh[o] = true
			}
		}
		sum, news := a.union(b)
		equal(t, "union", sum, or)
		equal(t, "what is new", news, fresh)
		equal(t, "Or", a.Or(b), or)
		equal(t, "And", a.And(b), and)
		equal(t, "a, unchanged", a, ma)
		equal(t, "b, unchanged", b, mb)
		if a.Intersects(b) != (len(and) > 0) || b.Intersects(a) != a.Intersects(b) {
			t.Fatalf("%v and %v: Intersects is wrong", a.Slice(), b.Slice())
		}
		third := func(block uint32) bool { return block%3 != 0 }
		kept := model{}
		for o := range ma {
			if third(o.block()) {
				kept[o] = true
			}
		}
		equal(t, "filter", a.filter(third), kept)
		equal(t, "a, unchanged by filter", a, ma)
	}
}

func TestSetMembers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		s, m := randomSet(r)
		if s.Len() != len(m) || s.Empty() != (len(m) == 0) {
			t.Fatalf("%v has %d members", s.Slice(), s.Len())
		}
		for o := Obj(0); o < 1300; o++ {
			if s.Has(o) != m[o] {
				t.Fatalf("Has(%d) of %v is %v", o, s.Slice(), s.Has(o))
			}
		}
		one := Obj(0)
		if len(m) == 1 {
			one = s.Slice()[0]
		}
		if s.One() != one {
			t.Fatalf("One of %v is %d", s.Slice(), s.One())
		}
		n := 0
		s.All(func(Obj) bool { n++; return n < 3 })
		if n != min(3, len(m)) {
			t.Fatalf("All went on to %d members after it was told to stop", n)
		}
	}
}
