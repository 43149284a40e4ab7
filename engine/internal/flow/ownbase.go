package flow

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// OwnBase reports whether a value is, in every run of an action, the object that the run is
// called back on, or one that is reached from it through fields that always hold the same, or
// only what is made for them, or one that the run makes. Then it belongs to the instance of
// the run: two such values of one instance that may be one object only are one. What comes out
// of a static field, a result, or an argument of the platform may be another instance's.
func (x *Facts) OwnBase(act hb.ActionID, p Place) bool {
	key := ownKey{act, p}
	got, known := x.ownBases[key]
	if !known {
		got = x.ownBase(act, p, 0)
		x.ownBases[key] = got
	}
	return got
}

type ownKey struct {
	act hb.ActionID
	Place
}

func (x *Facts) ownBase(act hb.ActionID, p Place, hops int) bool {
	r := x.Ways.r
	return x.Ways.EveryWayIn(act, p, func(p Place) Answer {
		b := r.Body(p.Func)
		v := Origin(b, p.Value)
		switch b.Op[v] {
		case ir.OpParam:
			return x.ownParam(act, p.Func, b, int(b.Aux[v]), hops)
		case ir.OpNew:
			return Yes
		case ir.OpGetField:
			if hops < MaxHops && x.lasting(ir.FieldID(b.Aux[v])) && x.ownBase(act, Place{p.Func, v, b.Arg(v, 0)}, hops+1) {
				return Yes
			}
		}
		return No
	})
}

// ownParam: of an entry the receiver is the run's own, and so is what a lambda has captured of
// the runs that make it; of other functions the callers say.
func (x *Facts) ownParam(act hb.ActionID, f pointsto.FuncID, b *ir.Body, i, hops int) Answer {
	if !x.Ways.Entry(act, f) {
		return Callers
	}
	for range x.Ways.Calls(act, f) {
		return No // it is called as well
	}
	s := x.Ways.s
	arm := s.Actions[act].Arm
	if arm == nil || arm.Receiver == 0 {
		return No
	}
	info := x.Ways.r.Object(arm.Receiver)
	if info.Kind != pointsto.LambdaObj {
		if i == 0 && x.Ways.r.Prog.Methods[b.Method].Flags&ir.AccStatic == 0 {
			return Yes
		}
		return No
	}
	maker := x.Ways.r.Body(info.Func)
	if maker == nil || info.Site <= 0 || i >= maker.NArgs(info.Site) || hops >= MaxHops || s.ByFunc[info.Func] == nil {
		return No
	}
	own := Yes
	s.ByFunc[info.Func].All(func(by int) bool {
		if !x.ownBase(hb.ActionID(by), Place{info.Func, info.Site, maker.Arg(info.Site, i)}, hops+1) {
			own = No
		}
		return own == Yes
	})
	return own
}

// lasting reports whether a field is final, or only constructors store into it, into their own
// object, or only new objects and null are stored into it.
func (x *Facts) lasting(ref ir.FieldID) bool {
	r := x.Ways.r
	f := r.Prog.ResolveField(ref)
	if f == 0 {
		return false
	}
	if r.Prog.Fields[f].Flags&ir.AccFinal != 0 {
		return true
	}
	made, set := true, true
	for _, at := range x.Fresh.puts(r.FieldKeyOf(ref)) {
		b := r.Body(at.f)
		stored, base := Origin(b, b.Arg(at.v, 1)), Origin(b, b.Arg(at.v, 0))
		made = made && slices.Contains([]ir.Op{ir.OpNew, ir.OpConstNull}, b.Op[stored])
		set = set && r.Prog.Methods[b.Method].Flags&ir.AccConstructor != 0 && b.Op[base] == ir.OpParam && b.Aux[base] == 0
	}
	return made || set
}
