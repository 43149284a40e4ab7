package race

import (
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// waits holds the waits and signals of latches and semaphores (an
// order only for what every possible waker implies).
type waits struct {
	s       *actions.Set
	r       *pointsto.Result
	awaits  []*pointsto.EffectSite
	signals []*pointsto.EffectSite
}

func newWaits(s *actions.Set) *waits {
	w := &waits{s: s, r: s.PT}
	for i := range s.PT.Sites {
		switch e := &s.PT.Sites[i]; {
		case e.Effect.Kind == platform.Await && e.Effect.When == "":
			w.awaits = append(w.awaits, e)
		case e.Effect.Kind == platform.Signal:
			w.signals = append(w.signals, e)
		}
	}
	return w
}

// awaited: access a of x precedes access b of y, because y has waited for a
// signal that only x gives, after a.
func (w *waits) awaited(a, b *access, x, y hb.ActionID, once func(hb.ActionID) bool) bool {
	if x == y || len(w.awaits) == 0 {
		return false
	}
	for _, e := range w.awaits {
		if by := w.s.ByFunc[e.In]; by == nil || !by.Has(int(y)) || !w.s.Dominates(y, actions.SiteOf(e.In, e.Site), b.site()) {
			continue
		}
		o := w.r.Eval(e.Scope, e.Effect.Place).One()
		if o != 0 && w.s.OwnerOf(o).Unique && w.startsClosed(o) && once(x) && w.wokenBy(o, a, x) {
			return true
		}
	}
	return false
}

// wokenBy: every signal of o is given by x alone, and after access a.
func (w *waits) wokenBy(o pointsto.Obj, a *access, x hb.ActionID) bool {
	some := false
	for _, e := range w.signals {
		if !w.r.Eval(e.Scope, e.Effect.Place).Has(o) || w.s.ByFunc[e.In] == nil {
			continue
		}
		site := actions.SiteOf(e.In, e.Site)
		only := true
		w.s.ByFunc[e.In].All(func(id int) bool { only = only && hb.ActionID(id) == x; return only })
		if !only || w.s.MayPrecede(x, site, a.site()) {
			return false
		}
		some = true
	}
	return some
}

// startsClosed: the object is constructed with a number that makes the first
// wait block, so that a return from it proves a signal.
func (w *waits) startsClosed(o pointsto.Obj) bool {
	info := w.r.Object(o)
	b := w.r.Body(info.Func)
	if info.Kind != pointsto.Allocated || b == nil || info.Class == 0 {
		return false
	}
	blocked := w.r.Models.Blocked(w.r.Prog.Classes[info.Class].Name)
	if blocked == nil {
		return false
	}
	for v := ir.Value(1); int(v) < b.Len(); v++ {
		if b.Op[v] == ir.OpInvoke && b.Sub[v] == ir.Direct && b.NArgs(v) > blocked.Arg+1 && b.Arg(v, 0) == info.Site {
			n, known := pointsto.Constant(b, b.Arg(v, blocked.Arg+1))
			return known && blocked.Holds(n)
		}
	}
	return false
}
