package platform

import (
	"cmp"
	"slices"
)

// Ending is a call that ends what another call has posted or registered.
type Ending struct {
	Method *Method
	Effect *Effect // its unregister or cancel; nil: the same method with null for what it was passed
	Near   bool    // called on an object of the class that the other was called on
}

// Arming finds the modelled method that an effect belongs to, nil if it is that
// of a lifecycle.
func (m *Models) Arming(e *Effect) *Method {
	for _, n := range m.Names() {
		for _, x := range m.Classes[n].Methods {
			if holds(x.Effects, e) {
				return x
			}
		}
	}
	return nil
}

func holds(effects []Effect, e *Effect) bool {
	for i := range effects {
		if &effects[i] == e || holds(effects[i].Do, e) || holds(effects[i].Then, e) {
			return true
		}
	}
	return false
}

// Endings lists the calls that end what effect e of method by has posted or
// registered when called on an object of class on, the closest fit first: those
// that name it by the same handle or code on the same object, then those of the
// handle itself, then those that end more than it.
func (m *Models) Endings(h Hierarchy, by *Method, on string, e *Effect) []Ending {
	f := fitting{m: m, h: h, by: by, on: on, e: e}
	type ranked struct {
		Ending
		rank int
	}
	var all []ranked
	if e.Kind == Register && e.In.Base == This && len(e.In.Slots) == 1 && len(by.Params) == 1 {
		all = append(all, ranked{Ending{by, nil, true}, 0})
	}
	for _, n := range m.Names() {
		for _, x := range m.Classes[n].Methods {
			for i := range x.Effects {
				u := &x.Effects[i]
				if rank, near, ok := f.fits(x, u); ok {
					all = append(all, ranked{Ending{x, u, near}, rank})
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(len(a.Method.Params), len(b.Method.Params)))
	})
	out := make([]Ending, len(all))
	for i, r := range all {
		out[i] = r.Ending
	}
	return out
}

// fitting compares effects that end something with one that begins it.
type fitting struct {
	m  *Models
	h  Hierarchy
	by *Method
	on string
	e  *Effect
}

// fits says whether effect u of method x ends what the effect began, how close
// it fits (0 is best), and whether it is called on the same kind of object.
func (f *fitting) fits(x *Method, u *Effect) (rank int, near, ok bool) {
	if f.e.Kind == Register && u.Kind != Unregister || f.e.Kind != Register && u.Kind != Cancel || u.When != "" {
		return 0, false, false
	}
	near = f.is(f.on, x.Class)
	reached := near
	named := false
	if !u.Handle.Zero() {
		switch {
		case len(u.Handle.Slots) > 0 || f.e.Handle.Zero():
			return 0, false, false
		case u.Handle.Base == This:
			if !f.is(f.at(f.e.Handle), x.Class) {
				return 0, false, false
			}
			reached, rank = true, 1
		case u.Handle.Base == Arg && u.Handle.Index < len(x.Params):
			if !f.is(f.at(f.e.Handle), x.Params[u.Handle.Index]) {
				return 0, false, false
			}
		default:
			return 0, false, false
		}
		named = true
	}
	if !u.Via.Zero() {
		if u.Via.Base != This || len(u.Via.Slots) > 0 || f.e.Via.Zero() || !f.is(f.at(f.e.Via), x.Class) {
			return 0, false, false
		}
		reached = true
	}
	if !u.Code.Zero() {
		if f.e.Code.Zero() {
			return 0, false, false
		}
		named = true
	}
	if len(u.On) > 0 {
		if f.e.Kind == Start || u.On[0].Base != This || len(u.On[0].Slots) > 0 || len(f.e.On) == 0 || !f.is(f.at(f.e.On[0]), x.Class) {
			return 0, false, false
		}
		reached = true
		rank += 2
	}
	if !u.Token.Zero() {
		rank++
	}
	if !named {
		rank += 4 // ends all, not only this one
	}
	if slices.ContainsFunc(x.Effects, func(e Effect) bool { return e.Kind == Free }) {
		rank += 8 // does away with the object
	}
	return rank, near, reached
}

// is reports whether a class is the other one or a subtype of it.
func (f *fitting) is(sub, super string) bool {
	seen := map[string]bool{sub: true}
	for work := []string{sub}; len(work) > 0; work = work[1:] {
		if work[0] == super {
			return super != ""
		}
		for _, s := range f.h(work[0]) {
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return false
}

// at is the class of what the arming call has at a place, "" if that is not
// known.
func (f *fitting) at(p Place) string {
	class := ""
	switch p.Base {
	case This:
		class = f.on
	case Arg:
		if p.Index < len(f.by.Params) {
			class = f.by.Params[p.Index]
		}
	case New:
		class = p.Class
	case Ret, It:
		for _, e := range f.by.Effects {
			// What is made or passed in, or the variable that ret copies: never round.
			if e.Kind == Copy && e.To.Base == p.Base && len(e.To.Slots) == 0 && e.From.Base != Ret && e.From.Base != p.Base {
				class = f.at(e.From)
				break
			}
		}
	}
	for _, s := range p.Slots {
		slot, _ := f.m.FindSlot(f.h, class, s)
		if slot == nil {
			return ""
		}
		class = slot.Class
	}
	return class
}

// Tests finds the method of a class, or of a supertype, that tells whether a slot
// is live. Not: it tells that the slot is no longer live.
func (m *Models) Tests(h Hierarchy, class, slot string) (test *Method, not bool) {
	f := fitting{h: h}
	for _, n := range m.Names() {
		for _, x := range m.Classes[n].Methods {
			for i := range x.Effects {
				e := &x.Effects[i]
				if e.Kind == Test && e.From.Base == This && len(e.From.Slots) == 1 && e.From.Slots[0] == slot && f.is(class, n) {
					return x, e.Not
				}
			}
		}
	}
	return nil, false
}
