package actions

import (
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// A call in code that several actions share goes, in each of them, only to the methods of the
// objects that this action hands there: execute() of a base class runs the run() of the operation
// that the action has made, not that of every operation. What calls pass for such parameters is
// followed forward from the entries, for all actions at once: each object is a set of the actions
// that may pass it (action sensitivity; SIERRA section 3.3).
//
// Over-approximates: what is loaded from a field or returned by a call is whatever the points-to
// sets say.

// handed is what actions pass for one parameter on which a function calls methods.
type handed struct {
	index   int32
	objects map[pointsto.Obj]Bits
	any     Bits // whatever the points-to set holds, perhaps
	open    bool // there are too many: all are any
}

// maxHanded bounds the objects of one argument that are told apart: with more, it may be anything.
const maxHanded = 1024

// findHanded finds the parameters on which some function calls methods of several classes, or
// which it hands on to one that does.
func (s *Set) findHanded() {
	s.handed = make([][]handed, len(s.PT.Funcs))
	var found []param
	known := map[param]bool{}
	ask := func(p param) {
		if !known[p] {
			known[p] = true
			found = append(found, p)
		}
	}
	for f := pointsto.FuncID(1); int(f) < len(s.PT.Funcs); f++ {
		b := s.PT.Body(f)
		for i, c := range s.calls[f] {
			if c.Inline || c.Site <= 0 || i == 0 || s.calls[f][i-1].Site != c.Site {
				continue
			}
			if r := receiver(b, c); r != 0 && b.Op[r] == ir.OpParam {
				ask(param{f, b.Aux[r]})
			}
		}
	}
	for i := 0; i < len(found); i++ {
		p := found[i]
		s.handed[p.f] = append(s.handed[p.f], handed{index: p.index, objects: map[pointsto.Obj]Bits{}, any: newBits(len(s.Actions))})
		for _, c := range s.callers[p.f] {
			if b, arg := s.argument(c, int(p.index)); b != nil {
				if arg = uncast(b, arg); b.Op[arg] == ir.OpParam {
					ask(param{c.Caller, b.Aux[arg]})
				}
			}
		}
	}
}

// receiver is what the site's own call is on, 0 if that is not for the object to decide.
func receiver(b *ir.Body, c pointsto.Call) ir.Value {
	if b == nil || c.Self != 0 || c.Site <= 0 || b.Op[c.Site] != ir.OpInvoke || b.NArgs(c.Site) == 0 ||
		b.Sub[c.Site] != ir.Virtual && b.Sub[c.Site] != ir.Interface {
		return 0
	}
	return uncast(b, b.Arg(c.Site, 0))
}

// handedAs is what is passed for a value that is such a parameter of f, nil if it is none.
func (s *Set) handedAs(f pointsto.FuncID, b *ir.Body, v ir.Value) *handed {
	if b.Op[v] != ir.OpParam {
		return nil
	}
	for i := range s.handed[f] {
		if s.handed[f][i].index == b.Aux[v] {
			return &s.handed[f][i]
		}
	}
	return nil
}

// dispatched restricts the actions that come to a call to those whose receiver may be one that
// the callee runs on.
func (s *Set) dispatched(as Bits, c pointsto.Call) Bits {
	b := s.PT.Body(c.Caller)
	r := receiver(b, c)
	if r == 0 {
		return as
	}
	h := s.handedAs(c.Caller, b, r)
	if h == nil || s.PT.Prog.Methods[b.Aux[c.Site]].Sel != s.PT.Prog.Methods[s.PT.Funcs[c.Callee].Method].Sel { // a lambda's body runs on what it has captured
		return as
	}
	on := s.thisOf(c.Callee)
	if on.Empty() {
		return as
	}
	may := append(Bits(nil), h.any...)
	for o, by := range h.objects {
		if on.Has(o) {
			may.or(by)
		}
	}
	return as.and(may)
}

// thisOf is what a function may run on, empty if it is static or has no body.
func (s *Set) thisOf(f pointsto.FuncID) pointsto.Set {
	b := s.PT.Body(f)
	if b == nil || b.Len() < 2 || b.Op[1] != ir.OpParam || b.Aux[1] != 0 || s.PT.Prog.Methods[b.Method].Flags&ir.AccStatic != 0 {
		return pointsto.Set{}
	}
	return s.PT.PointsTo(f, 1)
}

// hand notes what a call by actions passes, and reports whether any of it is new.
func (s *Set) hand(c pointsto.Call, as Bits) bool {
	grown := false
	for i := range s.handed[c.Callee] {
		to := &s.handed[c.Callee][i]
		b, arg := s.argument(c, int(to.index))
		if b == nil {
			grown = to.any.or(as) || grown
			continue
		}
		arg = uncast(b, arg)
		all := s.paramSet(c.Callee, to.index)
		if from := s.handedAs(c.Caller, b, arg); from != nil {
			grown = to.any.or(from.any.and(as)) || grown
			for o, by := range from.objects {
				if all.Has(o) {
					grown = to.add(o, by.and(as)) || grown
				}
			}
			continue
		}
		passed := s.PT.PointsTo(c.Caller, arg).And(all)
		if passed.Len() > maxHanded {
			grown = to.any.or(as) || grown
			continue
		}
		passed.All(func(o pointsto.Obj) bool {
			grown = to.add(o, as) || grown
			return true
		})
	}
	return grown
}

// paramSet is what a parameter may be.
func (s *Set) paramSet(f pointsto.FuncID, index int32) pointsto.Set {
	b := s.PT.Body(f)
	for v := ir.Value(1); int(v) < b.Len() && b.Op[v] == ir.OpParam; v++ {
		if b.Aux[v] == index {
			return s.PT.PointsTo(f, v)
		}
	}
	return pointsto.Set{}
}

// add notes actions that pass an object, and reports whether any is new.
func (h *handed) add(o pointsto.Obj, as Bits) bool {
	if as.Count() == 0 {
		return false
	}
	if h.open {
		return h.any.or(as)
	}
	if by, known := h.objects[o]; known {
		return by.or(as)
	}
	h.objects[o] = append(Bits(nil), as...)
	if h.open = len(h.objects) > maxHanded; h.open {
		for _, by := range h.objects {
			h.any.or(by)
		}
		h.objects = nil
	}
	return true
}

// enterOn notes actions that execute a function on an object, 0 if that is not known, and reports
// whether any is new.
func (s *Set) enterOn(f pointsto.FuncID, as Bits, o pointsto.Obj) bool {
	grown := false
	for i := range s.handed[f] {
		h := &s.handed[f][i]
		if h.index == 0 && o != 0 && s.thisOf(f).Has(o) {
			grown = h.add(o, as) || grown
			continue
		}
		grown = h.any.or(as) || grown
	}
	return grown
}

// entryOn is what the entries of an action run on, 0 if that is not known.
func (s *Set) entryOn(id int) pointsto.Obj {
	a := &s.Actions[id]
	if a.Arm == nil || a.Arm.Receiver == 0 || len(a.More) > 0 || len(a.Entries) != 1 || s.PT.Object(a.Arm.Receiver).Kind == pointsto.LambdaObj {
		return 0
	}
	return a.Arm.Receiver
}
