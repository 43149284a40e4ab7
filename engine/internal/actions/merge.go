package actions

import (
	"encoding/binary"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Each site that posts a callback makes an action of it, and each action that
// executes a site is a cause. So callbacks that post one another by statements of
// their own have as many causes as the third power of their number: n of them, each
// with n sites, each executed by n actions.
//
// Beyond a limit the actions of one callback on one receiver are therefore one
// action, which has all their causes. Only those are merged that agree in all but
// the site: the method that posts, the message code, and the objects at each place
// of the effect, so whatever asks for these may ask the first arm for all.
//
// A limit speaks of the sites of one callback, or of callbacks that post one
// another, so what else an app has does not change what is merged. The cost is
// precision: what is after one of the sites only is no longer after it, and names
// tell the first site.
const (
	// More sites than these make one action, for one callback on one receiver.
	sitesApart = 32
	// Callbacks that post one another have more actions than this, and more than so
	// many for each callback, before all of them are merged.
	actionsApart = 4096
	copiesApart  = 2
	// A site that makes more callbacks than these run is, in each action that
	// executes it, one point, of which one target runs: it is not known which.
	targetsApart = 64
)

// arms yields the arms of an action.
func (a *Action) arms(yield func(*pointsto.Arm) bool) {
	if a.Arm == nil || !yield(a.Arm) {
		return
	}
	for _, arm := range a.More {
		if !yield(arm) {
			return
		}
	}
}

// callback is a method that the platform calls on an object.
type callback struct {
	m    ir.MethodID
	recv pointsto.Obj
}

// alike is what actions must have in common to be merged, but for the objects at
// the places of their effects.
type alike struct {
	callback
	entry   pointsto.FuncID
	effect  *platform.Effect
	unknown bool
	code    Code
}

// mergeable: the action has one arm, which runs one function, and nothing asks for
// its call but by places. What a call may run at once, or posts behind a callback,
// stays apart.
func (a *Action) mergeable() bool {
	return a.Arm != nil && a.Arm.Life == nil && a.Arm.In == a.Arm.Func && a.Arm.Receiver != 0 && a.Arm.Method != 0 &&
		len(a.Entries) == 1 && !a.joint && (a.Arm.Effect == nil || !a.Arm.Effect.Inline)
}

// merge makes one action of those of a callback that are alike, where they are too
// many.
func (s *Set) merge() {
	groups, order := map[alike][]hb.ActionID{}, []alike(nil)
	for id := 2; id < len(s.Actions); id++ {
		a := &s.Actions[id]
		if !a.mergeable() {
			continue
		}
		k := alike{callback{a.Arm.Method, a.Arm.Receiver}, a.Entries[0], a.Arm.Effect, a.Arm.Unknown, a.Code}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], hb.ActionID(id))
	}
	crowded := s.crowded(groups)
	into := map[hb.ActionID]hb.ActionID{}
	for _, k := range order {
		if ids := groups[k]; len(ids) > sitesApart || len(ids) > 1 && crowded(ids[0]) {
			s.mergeAlike(ids, crowded(ids[0]), into)
		}
	}
	if len(into) > 0 {
		s.renumber(into)
	}
}

// mergeAlike notes into which action each of those goes whose places hold the same
// objects as those of earlier ones.
func (s *Set) mergeAlike(ids []hb.ActionID, crowded bool, into map[hb.ActionID]hb.ActionID) {
	same, order := map[string][]hb.ActionID{}, []string(nil)
	for _, id := range ids {
		k := s.atPlaces(s.Actions[id].Arm)
		if same[k] == nil {
			order = append(order, k)
		}
		same[k] = append(same[k], id)
	}
	for _, k := range order {
		if ids := same[k]; len(ids) > sitesApart || crowded {
			for _, id := range ids[1:] {
				into[id] = ids[0]
			}
		}
	}
}

// atPlaces encodes the objects at each place of an arm's effect.
func (s *Set) atPlaces(arm *pointsto.Arm) string {
	if arm.Effect == nil {
		return ""
	}
	e := arm.Effect
	var key []byte
	for _, p := range append([]platform.Place{e.Via, e.Handle, e.Token, e.Owner, e.In, holderOf(e.In)}, e.On...) {
		if !p.Zero() {
			s.PT.Eval(arm.Scope, p).All(func(o pointsto.Obj) bool {
				key = binary.AppendUvarint(key, uint64(o))
				return true
			})
		}
		key = append(key, 0) // no object is 0
	}
	return string(key)
}

// renumber takes out the actions that have gone into others.
func (s *Set) renumber(into map[hb.ActionID]hb.ActionID) {
	at := make([]hb.ActionID, len(s.Actions))
	kept := s.Actions[:1]
	for id := 1; id < len(s.Actions); id++ {
		a := s.Actions[id]
		if first, gone := into[a.ID]; gone {
			k := &kept[at[first]]
			k.More = append(k.More, a.Arm)
			continue
		}
		at[id] = hb.ActionID(len(kept))
		a.ID = at[id]
		kept = append(kept, a)
	}
	clear(s.Actions[len(kept):])
	s.Actions = kept
}

// crowded tells of which actions the callbacks post one another in too many ways.
// Callbacks belong together if one reaches a site that posts the other.
func (s *Set) crowded(groups map[alike][]hb.ActionID) func(hb.ActionID) bool {
	n := 0
	for _, ids := range groups {
		n += len(ids)
	}
	if n <= actionsApart {
		return func(hb.ActionID) bool { return false }
	}
	together := newUnion(len(s.PT.Funcs))
	seen := newBits(len(s.PT.Funcs))
	for _, ids := range groups {
		for _, id := range ids {
			a := &s.Actions[id]
			together.join(a.Arm.In, a.Entries[0])
			s.joinCallers(together, seen, a.Arm.In)
		}
	}
	actions, callbacks := map[pointsto.FuncID]int{}, map[pointsto.FuncID]map[callback]bool{}
	for k, ids := range groups {
		root := together.find(k.entry)
		actions[root] += len(ids)
		if callbacks[root] == nil {
			callbacks[root] = map[callback]bool{}
		}
		callbacks[root][k.callback] = true
	}
	return func(id hb.ActionID) bool {
		root := together.find(s.Actions[id].Entries[0])
		return actions[root] > actionsApart && actions[root] > copiesApart*len(callbacks[root])
	}
}

// joinCallers puts a function together with those from which it is called. It does
// not ask upward, which remembers: what is called inline is not settled yet.
func (s *Set) joinCallers(together union, seen Bits, f pointsto.FuncID) {
	for work := []pointsto.FuncID{f}; len(work) > 0; {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		if seen.Has(int(f)) {
			continue
		}
		seen.set(int(f))
		for _, c := range s.callers[f] {
			together.join(f, c.Caller)
			work = append(work, c.Caller)
		}
	}
}

// union is a partition of functions.
type union []pointsto.FuncID

func newUnion(n int) union {
	u := make(union, n)
	for i := range u {
		u[i] = pointsto.FuncID(i)
	}
	return u
}

func (u union) find(f pointsto.FuncID) pointsto.FuncID {
	for u[f] != f {
		u[f] = u[u[f]]
		f = u[f]
	}
	return f
}

func (u union) join(f, g pointsto.FuncID) {
	if a, b := u.find(f), u.find(g); a != b {
		u[max(a, b)] = min(a, b)
	}
}
