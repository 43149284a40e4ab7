package race

import (
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// refiner gives what a value may be in the runs of one action (SIERRA section
// 3.3, action sensitivity, on demand): it follows the value back to the
// receiver of the action, through fields, casts and the calls of that action
// alone. What it cannot follow is what pass 1 says for all actions.
type refiner struct {
	s    *actions.Set
	r    *pointsto.Result
	memo map[refineKey]pointsto.Set
}

type refineKey struct {
	act hb.ActionID
	f   pointsto.FuncID
	v   ir.Value
}

// refineDepth bounds the steps back; beyond it pass 1 answers.
const refineDepth = 12

// of is what v of f may be in runs of act.
func (r *refiner) of(act hb.ActionID, f pointsto.FuncID, v ir.Value) pointsto.Set {
	key := refineKey{act, f, v}
	if s, ok := r.memo[key]; ok {
		return s
	}
	s := r.follow(act, f, v, 0)
	r.memo[key] = s
	return s
}

func (r *refiner) follow(act hb.ActionID, f pointsto.FuncID, v ir.Value, depth int) pointsto.Set {
	all := r.r.PointsTo(f, v)
	b := r.r.Body(f)
	if b == nil || depth == refineDepth || all.Len() < 2 {
		return all
	}
	switch b.Op[v] {
	case ir.OpCheckCast:
		return r.follow(act, f, b.Arg(v, 0), depth+1).And(all)
	case ir.OpGetField:
		key := r.r.FieldKeyOf(ir.FieldID(b.Aux[v]))
		var sum pointsto.Set
		r.follow(act, f, b.Arg(v, 0), depth+1).All(func(o pointsto.Obj) bool {
			sum = sum.Or(r.r.Held(o, key))
			return true
		})
		return sum.And(all)
	case ir.OpParam:
		return r.param(act, f, b, v, depth).And(all)
	}
	return all
}

// param joins what the calls within the action pass; the receiver of an entry
// is the action's.
func (r *refiner) param(act hb.ActionID, f pointsto.FuncID, b *ir.Body, v ir.Value, depth int) pointsto.Set {
	a := &r.s.Actions[act]
	all := r.r.PointsTo(f, v)
	var sum pointsto.Set
	for _, e := range a.Entries {
		if e != f {
			continue
		}
		if a.Arm == nil || a.Arm.Receiver == 0 || b.Aux[v] != 0 || r.r.Object(a.Arm.Receiver).Kind == pointsto.LambdaObj {
			return all
		}
		sum = sum.Or(pointsto.SetOf(a.Arm.Receiver))
	}
	for _, c := range r.s.Callers(f) {
		if !a.Reach.Has(int(c.Caller)) || !r.s.Executes(act, c.Caller, c.Site) {
			continue
		}
		cb := r.r.Body(c.Caller)
		i := int(b.Aux[v])
		if cb == nil || c.Site <= 0 || cb.Op[c.Site] != ir.OpInvoke {
			return all // called by the platform
		}
		if cb.NArgs(c.Site) == params(b) {
			sum = sum.Or(r.follow(act, c.Caller, cb.Arg(c.Site, i), depth+1))
			continue
		}
		got := r.passedBy(act, c, cb, all, depth)
		if got.Empty() {
			return all
		}
		sum = sum.Or(got)
	}
	return sum
}

// passedBy is what a call that a model describes may pass to a parameter that
// holds all: whatever of it the call's own arguments may be.
func (r *refiner) passedBy(act hb.ActionID, c pointsto.Call, cb *ir.Body, all pointsto.Set, depth int) pointsto.Set {
	var sum pointsto.Set
	for _, a := range cb.ArgsOf(c.Site) {
		sum = sum.Or(r.follow(act, c.Caller, a, depth+1).And(all))
	}
	return sum
}

// params is the number of parameters of a body.
func params(b *ir.Body) int {
	n := 0
	for v := ir.Value(1); int(v) < b.Len() && b.Op[v] == ir.OpParam; v++ {
		n++
	}
	return n
}

// objects is what the instance of an access may be in the runs of an action.
func (r *refiner) objects(act hb.ActionID, a *access) pointsto.Set {
	if a.base == 0 {
		return a.objs
	}
	return r.of(act, a.f, a.base).And(a.objs)
}
