package flow

import (
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Values gives what a value may be in the runs of one action (SIERRA section
// 3.3, action sensitivity, on demand): it follows the value back to the
// receiver of the action, through fields, casts and the calls of that action
// alone. What it cannot follow is what the points-to sets say for all actions.
type Values struct {
	s     *actions.Set
	r     *pointsto.Result
	ways  *Ways
	table *table[nullKey, pointsto.Set]
}

func newValues(w *Ways) *Values {
	x := &Values{s: w.s, r: w.r, ways: w}
	x.table = newTable[nullKey](func(old, now pointsto.Set) (pointsto.Set, bool) {
		sum := old.Or(now)
		return sum, sum.Len() > old.Len()
	})
	x.table.compute = x.compute
	return x
}

// Of is what v of f may be in runs of act.
func (x *Values) Of(act hb.ActionID, f pointsto.FuncID, v ir.Value) pointsto.Set {
	all := x.r.PointsTo(f, v)
	if all.Len() < 2 || x.r.Body(f) == nil {
		return all
	}
	return x.table.of(nullKey{act, f, v})
}

// Objects is what the instance of an access may be in the runs of an action.
func (x *Values) Objects(act hb.ActionID, a *Access) pointsto.Set {
	if a.Base == 0 {
		return a.Objs
	}
	return x.Of(act, a.Func, a.Base).And(a.Objs)
}

func (x *Values) compute(k nullKey) pointsto.Set {
	all := x.r.PointsTo(k.f, k.v)
	b := x.r.Body(k.f)
	switch b.Op[k.v] {
	case ir.OpCheckCast:
		return x.Of(k.act, k.f, b.Arg(k.v, 0)).And(all)
	case ir.OpGetField:
		key := x.r.FieldKeyOf(ir.FieldID(b.Aux[k.v]))
		var sum pointsto.Set
		x.Of(k.act, k.f, b.Arg(k.v, 0)).All(func(o pointsto.Obj) bool {
			sum = sum.Or(x.r.Held(o, key))
			return true
		})
		return sum.And(all)
	case ir.OpParam:
		return x.param(k, b, all).And(all)
	}
	return all
}

// param joins what the calls within the action pass; the receiver of an entry
// is the action's.
func (x *Values) param(k nullKey, b *ir.Body, all pointsto.Set) pointsto.Set {
	a := &x.s.Actions[k.act]
	var sum pointsto.Set
	if x.ways.Entry(k.act, k.f) {
		if a.Arm == nil || a.Arm.Receiver == 0 || b.Aux[k.v] != 0 || x.r.Object(a.Arm.Receiver).Kind == pointsto.LambdaObj {
			return all
		}
		sum = pointsto.SetOf(a.Arm.Receiver)
	}
	for way := range x.ways.Calls(k.act, k.f) {
		if !x.s.Executes(k.act, way.Caller, way.Site) {
			continue
		}
		passed, known := way.Passed(int(b.Aux[k.v]))
		switch {
		case known:
			sum = sum.Or(x.Of(k.act, way.Caller, passed))
		case way.Body == nil || way.Site <= 0 || way.Body.Op[way.Site] != ir.OpInvoke:
			return all // called by the platform
		default:
			passed, ok := x.passed(k.act, way, all)
			if !ok {
				return all
			}
			sum = sum.Or(passed)
		}
	}
	return sum
}

// passed is what a call that a model describes may pass to a parameter that
// holds all: whatever of it the call's own arguments may be. It is not ok if no argument
// can be of it in any action: then what is passed is something else.
func (x *Values) passed(act hb.ActionID, way *Way, all pointsto.Set) (sum pointsto.Set, ok bool) {
	for _, a := range way.Body.ArgsOf(way.Site) {
		if x.r.PointsTo(way.Caller, a).Intersects(all) {
			sum, ok = sum.Or(x.Of(act, way.Caller, a).And(all)), true
		}
	}
	return sum, ok
}
