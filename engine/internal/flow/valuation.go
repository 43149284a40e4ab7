package flow

import (
	"math/bits"
	"slices"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Watched is a field of one object whose value is followed through runs.
type Watched struct {
	Key    pointsto.FieldKey
	Object pointsto.Obj
	// Values are the constants that tests tell apart; whatever else the field may hold is
	// one more value. Of the raced location the only one is the null that fails; a null
	// that somebody else has left is something else.
	Values []int64
}

// choices is how many values of a location are told apart.
func (w *Watched) choices() int { return len(w.Values) + 1 }

// value is the number of a constant among the values.
func (w *Watched) value(n int64) int {
	if i := slices.Index(w.Values, n); i >= 0 {
		return i
	}
	return len(w.Values)
}

// choice is a set of values of one location, by their numbers.
type choice uint16

func (w *Watched) any() choice { return 1<<w.choices() - 1 }

// space is the valuations of some locations: the numbers of their values, as digits.
type space struct {
	watched []Watched
	stride  []int
	size    int
	digit   [][]hb.Valuations // by location and value: the valuations that have it
}

// fits reports whether the valuations of some locations can be told apart.
func fits(watched []Watched) bool {
	size := 1
	for i := range watched {
		size *= watched[i].choices()
	}
	return size <= hb.MaxValuations
}

func newSpace(watched []Watched) *space {
	sp := &space{watched: watched, size: 1}
	for i := range watched {
		sp.stride = append(sp.stride, sp.size)
		sp.size *= watched[i].choices()
	}
	for i := range watched {
		digits := make([]hb.Valuations, watched[i].choices())
		for v := range sp.size {
			digits[v/sp.stride[i]%watched[i].choices()] |= 1 << v
		}
		sp.digit = append(sp.digit, digits)
	}
	return sp
}

// all are all valuations.
func (sp *space) all() hb.Valuations {
	if sp.size == hb.MaxValuations {
		return ^hb.Valuations(0)
	}
	return 1<<sp.size - 1
}

// having are the valuations in which a location has one of some values.
func (sp *space) having(i int, of choice) hb.Valuations {
	var out hb.Valuations
	for d, has := range sp.digit[i] {
		if of>>d&1 != 0 {
			out |= has
		}
	}
	return out
}

// put are the valuations after one of some values has been stored into a location.
func (sp *space) put(v hb.Valuations, i int, of choice) hb.Valuations {
	var rest, out hb.Valuations
	for d, has := range sp.digit[i] {
		rest |= (v & has) >> (d * sp.stride[i])
	}
	for d := range sp.digit[i] {
		if of>>d&1 != 0 {
			out |= rest << (d * sp.stride[i])
		}
	}
	return out
}

// relation says by the valuation in which something begins which there may be now.
type relation [hb.MaxValuations]hb.Valuations

// identity is the relation at the beginning.
func (sp *space) identity() relation {
	var r relation
	for v := range sp.size {
		r[v] = 1 << v
	}
	return r
}

func (r relation) or(s relation) relation {
	for v := range r {
		r[v] |= s[v]
	}
	return r
}

// then is what there may be after s has followed.
func (r relation) then(s *relation) relation {
	var out relation
	for v, now := range r {
		for rest := now; rest != 0; rest &= rest - 1 {
			out[v] |= s[bits.TrailingZeros64(uint64(rest))]
		}
	}
	return out
}

// kept leaves only some valuations.
func (r relation) kept(only hb.Valuations) relation {
	for v := range r {
		r[v] &= only
	}
	return r
}

// from are the valuations in which something begins that may lead to some.
func (r *relation) from(to hb.Valuations) hb.Valuations {
	var out hb.Valuations
	for v, now := range r {
		if now&to != 0 {
			out |= 1 << v
		}
	}
	return out
}

// often is any number of times.
func (r relation) often() relation {
	for {
		next := r.or(r.then(&r))
		if next == r {
			return r
		}
		r = next
	}
}
