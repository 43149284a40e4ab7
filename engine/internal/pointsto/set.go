package pointsto

import "math/bits"

// Obj is the number of an abstract object. Its upper bits name a block of 64
// numbers that all belong to objects of one type, so that a type filter looks
// at a block once. 0 is no object.
type Obj uint32

const blockShift = 6

func (o Obj) block() uint32 { return uint32(o) >> blockShift }

// word holds the members of one block.
type word struct {
	block uint32
	bits  uint64
}

// Set is a sparse set of objects: its words, sorted by block, none empty.
// The zero Set is empty. Sets share words freely, so a word slice is never
// changed in place once another Set may hold it.
type Set struct{ words []word }

// Empty reports whether s has no member.
func (s Set) Empty() bool { return len(s.words) == 0 }

// Len is the number of members.
func (s Set) Len() int {
	n := 0
	for _, w := range s.words {
		n += bits.OnesCount64(w.bits)
	}
	return n
}

// Has reports whether o is a member.
func (s Set) Has(o Obj) bool {
	lo, hi := 0, len(s.words)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if s.words[mid].block < o.block() {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo < len(s.words) && s.words[lo].block == o.block() && s.words[lo].bits>>(o&63)&1 == 1
}

// All yields the members in rising order.
func (s Set) All(yield func(Obj) bool) {
	for _, w := range s.words {
		for b := w.bits; b != 0; b &= b - 1 {
			if !yield(Obj(w.block<<blockShift | uint32(bits.TrailingZeros64(b)))) {
				return
			}
		}
	}
}

// Slice lists the members in rising order.
func (s Set) Slice() []Obj {
	out := make([]Obj, 0, s.Len())
	s.All(func(o Obj) bool { out = append(out, o); return true })
	return out
}

// One returns the only member, or 0 if there are none or several.
func (s Set) One() Obj {
	if len(s.words) != 1 || bits.OnesCount64(s.words[0].bits) != 1 {
		return 0
	}
	return Obj(s.words[0].block<<blockShift | uint32(bits.TrailingZeros64(s.words[0].bits)))
}

// Intersects reports whether s and t share a member.
func (s Set) Intersects(t Set) bool {
	i, j := 0, 0
	for i < len(s.words) && j < len(t.words) {
		switch a, b := s.words[i], t.words[j]; {
		case a.block < b.block:
			i++
		case a.block > b.block:
			j++
		case a.bits&b.bits != 0:
			return true
		default:
			i++
			j++
		}
	}
	return false
}

// Of is the set of one object.
func setOf(o Obj) Set { return Set{[]word{{o.block(), 1 << (o & 63)}}} }

// union returns s with the members of d, and those members of d that s lacked.
// Neither s nor d is changed.
func (s Set) union(d Set) (sum, fresh Set) {
	if len(d.words) == 0 {
		return s, Set{}
	}
	if len(s.words) == 0 {
		return d, d
	}
	n, i, j := 0, 0, 0 // words of d that bring something
	for j < len(d.words) {
		for i < len(s.words) && s.words[i].block < d.words[j].block {
			i++
		}
		if i == len(s.words) || s.words[i].block != d.words[j].block || d.words[j].bits&^s.words[i].bits != 0 {
			n++
		}
		j++
	}
	if n == 0 {
		return s, Set{}
	}
	newWords := make([]word, 0, n)
	out := make([]word, 0, len(s.words)+n)
	i, j = 0, 0
	for i < len(s.words) || j < len(d.words) {
		switch {
		case j == len(d.words) || i < len(s.words) && s.words[i].block < d.words[j].block:
			out = append(out, s.words[i])
			i++
		case i == len(s.words) || s.words[i].block > d.words[j].block:
			out = append(out, d.words[j])
			newWords = append(newWords, d.words[j])
			j++
		default:
			if f := d.words[j].bits &^ s.words[i].bits; f != 0 {
				newWords = append(newWords, word{d.words[j].block, f})
			}
			out = append(out, word{s.words[i].block, s.words[i].bits | d.words[j].bits})
			i++
			j++
		}
	}
	return Set{out}, Set{newWords}
}

// filter keeps the words whose block passes.
func (s Set) filter(pass func(block uint32) bool) Set {
	for i, w := range s.words {
		if pass(w.block) {
			continue
		}
		kept := make([]word, i, len(s.words))
		copy(kept, s.words[:i])
		for _, w := range s.words[i+1:] {
			if pass(w.block) {
				kept = append(kept, w)
			}
		}
		return Set{kept}
	}
	return s
}

// SetOf is the set of one object.
func SetOf(o Obj) Set { return setOf(o) }

// Or is the union of s and t.
func (s Set) Or(t Set) Set {
	sum, _ := s.union(t)
	return sum
}

// And is the intersection of s and t.
func (s Set) And(t Set) Set {
	switch {
	case s.within(t):
		return s
	case t.within(s):
		return t
	}
	var out []word
	i, j := 0, 0
	for i < len(s.words) && j < len(t.words) {
		switch a, b := s.words[i], t.words[j]; {
		case a.block < b.block:
			i++
		case a.block > b.block:
			j++
		default:
			if both := a.bits & b.bits; both != 0 {
				out = append(out, word{a.block, both})
			}
			i++
			j++
		}
	}
	return Set{out}
}

// within reports whether every member of s is one of t.
func (s Set) within(t Set) bool {
	j := 0
	for _, w := range s.words {
		for j < len(t.words) && t.words[j].block < w.block {
			j++
		}
		if j == len(t.words) || t.words[j].block != w.block || w.bits&^t.words[j].bits != 0 {
			return false
		}
	}
	return true
}
