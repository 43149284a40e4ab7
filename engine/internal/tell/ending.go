package tell

import (
	"fmt"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// endings is what is known of the end of what asks for an action.
type endings struct {
	call  string                 // the call that ends it: Handler.removeMessages(1); "" if no model tells one
	of    ir.ClassID             // the class whose method that is
	by    *platform.Effect       // the effect of that call; nil if it is the same method with null
	sites []*pointsto.EffectSite // the calls of the app that may end it
}

// ending names the call that ends what has posted or registered action x, as
// code of fn writes it: Handler.removeMessages(1). It is "" if no model tells one.
func (t *Teller) ending(x hb.ActionID, fn pointsto.FuncID) string {
	e := t.endingsOf(x)
	if e.call != "" && t.names.Inherits(fn, e.of) {
		return e.call[strings.IndexByte(e.call, '.')+1:]
	}
	return e.call
}

// endingsOf is what is known of the end of action x.
func (t *Teller) endingsOf(x hb.ActionID) endings {
	e, ok := t.endings[x]
	if !ok {
		if e.call, e.of, e.by = t.endingCall(x); e.call != "" {
			e.sites = t.ends(x)
		}
		t.endings[x] = e
	}
	return e
}

// endingCall is the first call that a model tells to end what asks for action x.
func (t *Teller) endingCall(x hb.ActionID) (call string, of ir.ClassID, by *platform.Effect) {
	if !t.asked(x) {
		return "", 0, nil
	}
	action := &t.set.Actions[x]
	arm := action.Arm
	method := t.pts.Models.Arming(arm.Effect)
	if method == nil {
		return "", 0, nil
	}
	on := t.prog.Classes[t.prog.Methods[t.invoked(arm.Func, arm.Site)].Class].Name
	ends := t.pts.Models.Endings(t.pts.Supers, method, on, arm.Effect)
	if len(ends) == 0 {
		return "", 0, nil
	}
	end := ends[0]
	if end.Effect != nil && len(end.Effect.On) > 0 && action.Queue == t.set.Main() {
		return "", 0, nil // the main looper goes on
	}
	of = t.prog.Lookup(end.Method.Class)
	class := end.Method.Class[strings.LastIndexByte(end.Method.Class, '.')+1:]
	if own, _, ok := strings.Cut(t.names.Call(arm.Func, arm.Site), "."); ok && end.Near {
		of, class = t.prog.Methods[t.names.Callee(arm.Func, arm.Site)].Class, own
	}
	name := class + "." + end.Method.Name
	switch {
	case end.Effect == nil:
		name += "(null)"
	case !end.Effect.Code.Zero() && action.Code.Known && len(end.Method.Params) == 1:
		name = fmt.Sprintf("%s(%d)", name, action.Code.Number)
	}
	return name, of, end.Effect
}

// asked reports whether the app has asked for the action by a call that a model
// describes.
func (t *Teller) asked(x hb.ActionID) bool {
	arm := t.set.Actions[x].Arm
	return arm != nil && arm.Life == nil && arm.Effect != nil && t.set.Actions[x].Kind != hb.KindGUI &&
		t.invoked(arm.Func, arm.Site) != 0
}

// invoked is the method that a call names, of whatever class it names it; 0 if the
// instruction is no call.
func (t *Teller) invoked(fn pointsto.FuncID, v ir.Value) ir.MethodID {
	b := t.pts.Body(fn)
	if b == nil || v <= 0 || int(v) >= b.Len() || b.Op[v] != ir.OpInvoke {
		return 0
	}
	return ir.MethodID(b.Aux[v])
}

// ends lists the places that may end what has posted or registered action x.
func (t *Teller) ends(x hb.ActionID) []*pointsto.EffectSite {
	var out []*pointsto.EffectSite
	for _, e := range t.ended {
		if t.set.ByFunc[e.In] != nil && t.mayEnd(e, x) {
			out = append(out, e)
		}
	}
	for i := range t.pts.Nulls {
		e := &t.pts.Nulls[i]
		if t.set.ByFunc[e.In] != nil && t.mayReplace(e, x) {
			out = append(out, e)
		}
	}
	return out
}

// mayEnd reports whether an effect may end what asks for action x: it has the
// same handle, receiver and code, as far as they are known.
func (t *Teller) mayEnd(e *pointsto.EffectSite, x hb.ActionID) bool {
	arm := t.set.Actions[x].Arm
	end, begin := e.Effect, arm.Effect
	if (end.Kind == platform.Unregister) != (begin.Kind == platform.Register) {
		return false
	}
	named := false
	for _, place := range [][2]platform.Place{{end.Handle, begin.Handle}, {end.Via, begin.Via}} {
		if place[0].Zero() {
			continue
		}
		if place[1].Zero() || !t.pts.Eval(e.Scope, place[0]).Intersects(t.pts.Eval(arm.Scope, place[1])) {
			return false
		}
		named = true
	}
	if !end.Code.Zero() {
		n, known := t.pts.Number(e.Scope, end.Code)
		if code := t.set.Actions[x].Code; known && code.Known && n != code.Number {
			return false
		}
	}
	return named
}

// mayReplace reports whether a call that passes null may put it into the slot that
// the registration of action x lives in.
func (t *Teller) mayReplace(e *pointsto.EffectSite, x hb.ActionID) bool {
	arm := t.set.Actions[x].Arm
	end, begin := e.Effect.In, arm.Effect.In
	if end.Zero() || begin.Zero() || len(end.Slots) == 0 || len(begin.Slots) == 0 {
		return false
	}
	if end.Slots[len(end.Slots)-1] != begin.Slots[len(begin.Slots)-1] {
		return false
	}
	end.Slots, begin.Slots = end.Slots[:len(end.Slots)-1], begin.Slots[:len(begin.Slots)-1]
	return t.pts.Eval(e.Scope, end).Intersects(t.pts.Eval(arm.Scope, begin))
}

// armedLater reports whether what asks for runs of y may do so after x, or is x
// itself: to end them in x is then not enough, or too much.
func (t *Teller) armedLater(x, y hb.ActionID) bool {
	arm, end := t.set.Actions[y].Arm, &t.set.Actions[x]
	for _, c := range t.set.Actions[y].Causes {
		id := t.set.Model.Points[c].Action
		cause := &t.set.Actions[id]
		if by := cause.Arm; arm.In != arm.Func && by != nil && by.In == by.Func && id != y {
			// What a task posts when done: an ended task posts no more.
			if t.armedLater(x, id) {
				return true
			}
			continue
		}
		switch {
		case id == y:
		case id == x, !t.graph.SameLooper(id, x, hb.SameInstance):
			return true
		case cause.Kind == hb.KindLifecycle || cause.Kind == hb.KindProcess:
		case t.graph.Before(id, x, hb.SameInstance):
		case end.Kind == hb.KindLifecycle && cause.Component != 0 && cause.Component == end.Component && cause.Callback >= 0:
			if t.graph.MayFollow(x, id) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// oneOfEach reports whether the object that stands for what asks for action x is
// one for each component instance, so that one call ends it.
func (t *Teller) oneOfEach(x hb.ActionID) bool {
	arm := t.set.Actions[x].Arm
	for _, place := range []platform.Place{arm.Effect.Handle, arm.Effect.Via} {
		if place.Zero() {
			continue
		}
		if o := t.pts.Eval(arm.Scope, place).One(); o != 0 {
			if owner := t.set.OwnerOf(o); owner.Unique && (owner.Scope == hb.ScopeInstance || owner.Scope == hb.ScopeProcess) {
				return true
			}
		}
		if arm.Effect.Code.Zero() { // else known by its code
			return false
		}
	}
	return true
}
