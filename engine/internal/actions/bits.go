package actions

import "math/bits"

// Bits is a set of small numbers.
type Bits []uint64

func newBits(n int) Bits { return make(Bits, (n+63)/64) }

// Has reports whether i is a member.
func (b Bits) Has(i int) bool { return i>>6 < len(b) && b[i>>6]>>(i&63)&1 == 1 }

func (b Bits) set(i int) { b[i>>6] |= 1 << (i & 63) }

// or adds the members of c and reports whether b grew.
func (b Bits) or(c Bits) bool {
	grew := false
	for i, w := range c {
		if w&^b[i] != 0 {
			b[i] |= w
			grew = true
		}
	}
	return grew
}

// and is the set of the members of both.
func (b Bits) and(c Bits) Bits {
	out := make(Bits, len(b))
	for i := range min(len(b), len(c)) {
		out[i] = b[i] & c[i]
	}
	return out
}

// All yields the members in rising order.
func (b Bits) All(yield func(int) bool) {
	for i, w := range b {
		for ; w != 0; w &= w - 1 {
			if !yield(i<<6 + bits.TrailingZeros64(w)) {
				return
			}
		}
	}
}

// Count is the number of members.
func (b Bits) Count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// Intersects reports whether b and c share a member.
func (b Bits) Intersects(c Bits) bool {
	for i := range min(len(b), len(c)) {
		if b[i]&c[i] != 0 {
			return true
		}
	}
	return false
}

// sparse is a set of small numbers of which few are members: its words that are not
// zero, in rising order.
type sparse []sparseWord

type sparseWord struct {
	at   int32
	bits uint64
}

// add adds a number that is no smaller than those that b has.
func (b *sparse) add(i int) {
	at := int32(i >> 6)
	if n := len(*b); n == 0 || (*b)[n-1].at != at {
		*b = append(*b, sparseWord{at: at})
	}
	(*b)[len(*b)-1].bits |= 1 << (i & 63)
}

// intersects reports whether b and c share a member.
func (b sparse) intersects(c Bits) bool {
	for _, w := range b {
		if int(w.at) < len(c) && c[w.at]&w.bits != 0 {
			return true
		}
	}
	return false
}
