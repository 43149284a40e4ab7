package flow

import (
	"math/rand/v2"
	"testing"
)

// TestTable compares the table on random graphs with a plain search: the answer of a node is
// the set of marks, as bits, of all that it reaches. Whatever is asked first, the answers are
// the same, and the table computes an answer that is final once.
func TestTable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 1 + r.IntN(12)
		next := make([][]int, n)
		for i := range next {
			for range r.IntN(4) {
				next[i] = append(next[i], r.IntN(n))
			}
		}
		want := make([]uint64, n)
		for i := range want {
			seen := map[int]bool{}
			for work := []int{i}; len(work) > 0; {
				k := work[0]
				work = work[1:]
				if !seen[k] {
					seen[k] = true
					want[i] |= 1 << k
					work = append(work, next[k]...)
				}
			}
		}
		table := newTable[int](func(old, now uint64) (uint64, bool) { return old | now, now&^old != 0 })
		table.compute = func(k int) uint64 {
			if _, done := table.done[k]; done {
				t.Fatal("asked again")
			}
			sum := uint64(1) << k
			for _, m := range next[k] {
				sum |= table.of(m)
			}
			return sum
		}
		for _, i := range r.Perm(n) {
			if got := table.of(i); got != want[i] {
				t.Fatalf("node %d of %v: %b, want %b", i, next, got, want[i])
			}
		}
		if len(table.open) != 0 || len(table.stack) != 0 || len(table.kept) != 0 || len(table.asking) != 0 {
			t.Fatal("something is left open")
		}
	}
}
