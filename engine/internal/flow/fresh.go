package flow

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Fresh tells accesses to an object that the accessing run has just made
// and not shown to anybody yet (fresh or confined objects).
type Fresh struct {
	s       *actions.Set
	r       *pointsto.Result
	ways    *Ways
	codes   Codes
	shows   *table[position, shows]
	private map[freshKey]bool
	own     map[freshKey]bool                   // memo of Own
	stores  map[pointsto.FieldKey][]position    // see puts
	armed   map[position][]pointsto.Obj         // whose callbacks a call makes run later
	driven  map[position][]*pointsto.EffectSite // what a call gives a lifecycle
}

// shows is where a function may give one of its values away.
type shows struct {
	at      []ir.Value // stores, calls and throws, sorted
	returns bool       // or by returning it
}

type freshKey struct {
	act  hb.ActionID
	f    pointsto.FuncID
	base ir.Value
	v    ir.Value
}

func newFresh(w *Ways, codes Codes) *Fresh {
	h := &Fresh{
		s: w.s, r: w.r, ways: w, codes: codes, private: map[freshKey]bool{}, own: map[freshKey]bool{},
		armed: map[position][]pointsto.Obj{}, driven: map[position][]*pointsto.EffectSite{},
	}
	for _, a := range h.r.Arms {
		if at := (position{a.Func, a.Site}); a.Site > 0 && a.Receiver != 0 {
			h.armed[at] = append(h.armed[at], a.Receiver)
		}
	}
	for i := range h.r.Sites {
		if e := &h.r.Sites[i]; e.Effect.Kind == platform.Drive {
			at := position{e.Func, e.Site}
			h.driven[at] = append(h.driven[at], e)
		}
	}
	h.shows = newTable[position](func(old, now shows) (shows, bool) {
		return now, len(now.at) > len(old.at) || now.returns && !old.returns
	})
	h.shows.compute = h.shown
	return h
}

// Local reports whether the instance is made by the function itself, in this run.
func (h *Fresh) Local(a *Access) bool {
	b := h.r.Body(a.Func)
	return b != nil && a.Base != 0 && made(b, Origin(b, a.Base))
}

func made(b *ir.Body, v ir.Value) bool {
	switch b.Op[v] {
	case ir.OpNew, ir.OpNewArray, ir.OpFilledArray:
		return true
	}
	return false
}

// Private reports whether, when the access is executed by act, its instance has been made in the
// same run and not been stored or passed on: in the function itself, or by every caller
// that hands it over.
func (h *Fresh) Private(act hb.ActionID, a *Access) bool {
	b := h.r.Body(a.Func)
	if a.Base == 0 || a.At <= 0 || b == nil {
		return false
	}
	if x := Origin(b, a.Base); b.Op[x] != ir.OpParam && !made(b, x) {
		return false
	}
	key := freshKey{act, a.Func, a.Base, a.At}
	got, ok := h.private[key]
	if !ok {
		got = h.ways.EveryWayIn(act, Place{a.Func, a.At, a.Base}, h.unshown)
		h.private[key] = got
	}
	return got
}

// unshown says whether the value of a place is a new object that nobody has seen.
func (h *Fresh) unshown(p Place) Answer {
	b := h.r.Body(p.Func)
	if p.Value == 0 || p.At <= 0 {
		return No
	}
	x := Origin(b, p.Value)
	param := b.Op[x] == ir.OpParam
	if !param && !made(b, x) || h.shownBefore(p.Func, b, x, p.At) {
		return No
	}
	if param {
		return Callers
	}
	return Yes
}

// shownBefore reports whether a value may have been given away when v is about to be executed.
func (h *Fresh) shownBefore(f pointsto.FuncID, b *ir.Body, x, v ir.Value) bool {
	return slices.ContainsFunc(h.shows.of(position{f, x}).at, func(u ir.Value) bool { return b.Flow().Reaches(u, v) })
}

// shown finds where a function may give a value away.
func (h *Fresh) shown(p position) shows {
	b := h.r.Body(p.f)
	code := h.codes.Of(b)
	var out shows
	seen := map[ir.Value]bool{p.v: true}
	for work := []ir.Value{p.v}; len(work) > 0; {
		v := work[0]
		work = work[1:]
		for _, u := range code.Uses(v) {
			switch b.Op[u] {
			case ir.OpCheckCast, ir.OpPhi:
				if !seen[u] {
					seen[u] = true
					work = append(work, u)
				}
				continue
			case ir.OpPutField, ir.OpArrayPut:
				if b.Arg(u, b.NArgs(u)-1) != v {
					continue // a store into it
				}
			case ir.OpInvoke:
				if !h.keeps(p.f, b, u, v) {
					continue
				}
			case ir.OpReturn:
				out.returns = true
				continue
			case ir.OpPutStatic, ir.OpFilledArray, ir.OpNewLambda, ir.OpThrow:
			default:
				continue // reads and tests
			}
			out.at = append(out.at, u)
		}
	}
	slices.Sort(out.at)
	out.at = slices.Compact(out.at)
	return out
}

// keeps reports whether a call may keep a value that it gets: a platform's method if it is no
// receiver, or if the call posts, starts, registers or drives it, so that its callbacks run on it
// later; a method with code if that code stores it or passes it on.
func (h *Fresh) keeps(f pointsto.FuncID, b *ir.Body, u, v ir.Value) bool {
	if h.calledBack(f, u, v) {
		return true
	}
	callees := 0
	for _, c := range h.r.Calls[f] {
		if c.Site != u {
			continue
		}
		callees++
		cb := h.r.Body(c.Callee)
		if cb == nil || Params(cb) != b.NArgs(u) {
			return true
		}
		for i, a := range b.ArgsOf(u) {
			if a == v && h.escapes(c.Callee, i) {
				return true
			}
		}
	}
	if callees > 0 {
		return false
	}
	for i, a := range b.ArgsOf(u) {
		if a == v && (i > 0 || b.Sub[u] == ir.Static) {
			return true
		}
	}
	return false
}

// calledBack reports whether a call makes callbacks of a value run later.
func (h *Fresh) calledBack(f pointsto.FuncID, u, v ir.Value) bool {
	objects := h.r.PointsTo(f, v)
	return slices.ContainsFunc(h.armed[position{f, u}], objects.Has) ||
		slices.ContainsFunc(h.driven[position{f, u}], func(e *pointsto.EffectSite) bool {
			return h.r.Eval(e.Scope, e.Effect.Place).Intersects(objects)
		})
}

// escapes reports whether a function may keep its i-th parameter.
func (h *Fresh) escapes(f pointsto.FuncID, i int) bool {
	s := h.shows.of(position{f, ir.Value(i + 1)})
	return s.returns || len(s.at) > 0
}
