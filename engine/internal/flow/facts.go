package flow

import (
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Facts answers questions about the inside of actions. It belongs to one goroutine.
type Facts struct {
	Codes    Codes
	Ways     *Ways
	Accesses *Accesses // shared by all Facts of a set
	Locks    *Locks    // likewise
	Nulls    *Nulls
	Values   *Values
	Fresh    *Fresh
	Guards   *Guards
	Catches  *Catches
	Partings *Partings
	OwnLocks *OwnLocks
	Feasible *Feasible
	ownBases map[ownKey]bool
}

// New makes facts from what is complete.
func New(s *actions.Set, accesses *Accesses, locks *Locks) *Facts {
	codes := Codes{}
	ways := &Ways{s: s, r: s.PT}
	values, nulls := newValues(ways), newNulls(ways, codes)
	together := newTogether(s, codes, nulls)
	return &Facts{
		Codes: codes, Ways: ways, Accesses: accesses, Locks: locks,
		Nulls: nulls, Values: values, Fresh: newFresh(ways, codes),
		Guards: &Guards{
			s: s, r: s.PT, ways: ways, codes: codes, accesses: accesses, locks: locks, live: newLive(s, codes, accesses, locks, together),
			known: map[guardKey]bool{}, written: map[writtenKey][]*Access{}, ends: map[Lock][]hb.Site{},
		},
		Catches: &Catches{
			r: s.PT, ways: ways, codes: codes, supers: map[string]map[string]bool{}, calls: map[thrown]pointsto.FuncID{}, every: map[string]*AtCalls{},
		},
		Partings: newPartings(s, values), OwnLocks: newOwnLocks(ways, codes),
		ownBases: map[ownKey]bool{}, Feasible: newFeasible(ways, codes),
	}
}

// Forget forgets what has been found out about the accesses of one location, of which nobody
// asks again.
func (x *Facts) Forget() {
	x.Guards.known, x.Guards.written = map[guardKey]bool{}, map[writtenKey][]*Access{}
	x.Guards.live = newLive(x.Guards.s, x.Codes, x.Accesses, x.Locks, x.Guards.live.together)
	x.Fresh.private, x.Fresh.own = map[freshKey]bool{}, map[freshKey]bool{}
}

// LoadAt is the access that loads value v of f, nil if v is no load.
func (x *Facts) LoadAt(f pointsto.FuncID, v ir.Value) *Access {
	return x.Accesses.loads[position{f, v}]
}

// Required lists the conditions that hold whenever v of f is executed.
func (x *Facts) Required(b *ir.Body, v ir.Value) []Condition {
	return x.Codes.Of(b).Required(b.BlockOf(v))
}
