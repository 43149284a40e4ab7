package hb

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
)

// row is a set of nodes.
type row []uint64

func newRow(n int) row { return make(row, (n+63)/64) }

func (r row) has(n node) bool { return r[n>>6]>>(uint(n)&63)&1 != 0 }
func (r row) set(n node)      { r[n>>6] |= 1 << (uint(n) & 63) }
func (r row) unset(n node)    { r[n>>6] &^= 1 << (uint(n) & 63) }

func (r row) andNot(s row) {
	for i, w := range s {
		r[i] &^= w
	}
}

func (r row) and(s row) {
	for i, w := range s {
		r[i] &= w
	}
}

func (r row) empty() bool {
	for _, w := range r {
		if w != 0 {
			return false
		}
	}
	return true
}

// each calls f for the members in increasing order. f may change r; members
// added in a word that is being visited are not seen.
func (r row) each(f func(node)) {
	for i, w := range r {
		for w != 0 {
			f(node(i<<6 + bits.TrailingZeros64(w)))
			w &= w - 1
		}
	}
}

func (r row) count() int {
	c := 0
	for _, w := range r {
		c += bits.OnesCount64(w)
	}
	return c
}

// or adds s to r and says whether r grew.
func (r row) or(s row) bool {
	grew := false
	for i, w := range s {
		if w&^r[i] != 0 {
			r[i] |= w
			grew = true
		}
	}
	return grew
}

// matrix is a square of bits; rows are cut from one allocation.
type matrix []row

func newMatrix(n int) matrix {
	w := (n + 63) / 64
	all := make(row, n*w)
	m := make(matrix, n)
	for i := range m {
		m[i] = all[i*w : (i+1)*w : (i+1)*w]
	}
	return m
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	return slices.Sorted(maps.Keys(m))
}
