package actions

import (
	"slices"
	"sync"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// The order of two sites inside a run depends on the action only through the
// functions that it reaches and the entries that it has. All else is a fact of two
// functions or of one site, asked for many actions and for many sites, so that is
// what is remembered: a question is a look into a table and a few bit tests.
//
// An ordering holds the facts of the sites of one function. Each has a lock of its
// own, so questions may be asked by several goroutines at once.
type ordering struct {
	mu    sync.Mutex
	s     *Set
	f     pointsto.FuncID
	meets map[pointsto.FuncID]*meeting // with the sites of another function, behind these
	after map[entered]bool
	cover [2]cover          // what certainly executes a site, by whether f itself does
	own   map[ir.Value]bool // every run of f that returns executes the site
}

// How many answers are kept for the sites of one function.
const (
	meetsKept = 1 << 12
	afterKept = 1 << 14
)

// ordering gives the facts of the sites of f.
func (s *Set) ordering(f pointsto.FuncID) *ordering {
	if o := s.orders[f].Load(); o != nil {
		return o
	}
	s.orders[f].CompareAndSwap(nil, &ordering{
		s: s, f: f, meets: map[pointsto.FuncID]*meeting{}, after: map[entered]bool{}, own: map[ir.Value]bool{},
		cover: [2]cover{newCover(f, false), newCover(f, true)},
	})
	return s.orders[f].Load()
}

// SiteOf encodes a position: an instruction of a function, or of the platform's
// own function that a call's effects are performed by.
func SiteOf(f pointsto.FuncID, v ir.Value) hb.Site { return hb.Site(int64(f)<<32 | int64(uint32(v))) }

// PlaceOf is the function and the instruction of a site.
func PlaceOf(x hb.Site) (pointsto.FuncID, ir.Value) { return splitSite(x) }

func splitSite(s hb.Site) (pointsto.FuncID, ir.Value) {
	return pointsto.FuncID(uint64(s) >> 32), ir.Value(uint32(s))
}

// MayPrecede: some run of act executes p and later q. Both are reached from
// the entries; where their call chains part, the earlier call must be able to
// reach the later one in the control flow of that function.
func (s *Set) MayPrecede(act hb.ActionID, p, q hb.Site) bool {
	a := &s.Actions[act]
	pf, pv := splitSite(p)
	qf, qv := splitSite(q)
	if s.enteredFirst(a, s.upward(pf), s.upward(qf)) {
		return true
	}
	m := s.ordering(pf).meeting(qf)
	return m.parts.intersects(a.Reach) ||
		m.leads && a.Reach.Has(int(pf)) && s.leadsFrom(pf, pv, m.down) ||
		m.led && a.Reach.Has(int(qf)) && s.leadsTo(qf, m.up, qv) ||
		pf == qf && a.Reach.Has(int(pf)) && s.flows(pf, pv, qv)
}

// enteredFirst: an entry that leads to p comes before one that leads to q.
func (s *Set) enteredFirst(a *Action, up, uq Bits) bool {
	first := slices.IndexFunc(a.Entries, func(e pointsto.FuncID) bool { return up.Has(int(e)) })
	if first < 0 {
		return false
	}
	return slices.ContainsFunc(a.Entries[first+1:], func(e pointsto.FuncID) bool { return uq.Has(int(e)) })
}

// leadsFrom: v of f comes before one of the calls, or is one whose platform method
// does what v stands for before it calls back.
func (s *Set) leadsFrom(f pointsto.FuncID, v ir.Value, calls []ir.Value) bool {
	for _, at := range calls {
		if s.flows(f, v, at) {
			return true
		}
	}
	if slices.Contains(calls, v) {
		before, _ := s.effectsAround(f, v)
		return before
	}
	return false
}

// leadsTo: v of f comes after one of the calls, or is one whose platform method
// does what v stands for after it has called back.
func (s *Set) leadsTo(f pointsto.FuncID, calls []ir.Value, v ir.Value) bool {
	for _, at := range calls {
		if s.flows(f, at, v) {
			return true
		}
	}
	if slices.Contains(calls, v) {
		_, after := s.effectsAround(f, v)
		return after
	}
	return false
}

// flows: y of f can be executed after x. What the platform's own functions do is
// not told apart.
func (s *Set) flows(f pointsto.FuncID, x, y ir.Value) bool {
	b := s.PT.Body(f)
	return b != nil && b.Flow().Reaches(x, y)
}

// effectsAround says whether the platform method that a call names may do
// something else before it makes a call of its own, and after that.
func (s *Set) effectsAround(f pointsto.FuncID, call ir.Value) (before, after bool) {
	b := s.PT.Body(f)
	if b == nil || b.Op[call] != ir.OpInvoke {
		return true, true
	}
	models := s.PT.ModelsOf(ir.MethodID(b.Aux[call]))
	for _, m := range models {
		called, other := false, false
		for i := range m.Effects {
			switch m.Effects[i].Kind {
			case platform.Copy:
			case platform.Call:
				called = true
				before = before || other
			default:
				other = true
				after = after || called
			}
		}
	}
	return before || len(models) == 0, after || len(models) == 0
}

// meeting is how the sites of one function, p, may come before those of another
// one, q.
type meeting struct {
	parts sparse     // functions that can first lead to p and then to q
	leads bool       // p's function leads to q's, by the calls down
	led   bool       // q's function leads to p's, by the calls up
	down  []ir.Value // of p's function
	up    []ir.Value // of q's function
}

// meeting gives, and keeps, how sites of o's function come before those of qf.
func (o *ordering) meeting(qf pointsto.FuncID) *meeting {
	o.mu.Lock()
	defer o.mu.Unlock()
	m, ok := o.meets[qf]
	if !ok {
		if len(o.meets) >= meetsKept {
			clear(o.meets)
		}
		m = o.s.meet(o.f, qf)
		o.meets[qf] = m
	}
	return m
}

func (s *Set) meet(pf, qf pointsto.FuncID) *meeting {
	up, uq := s.upward(pf), s.upward(qf)
	m := &meeting{leads: uq.Has(int(pf)), led: up.Has(int(qf))}
	for i := range up {
		w := up[i] & uq[i]
		one := Bits{w}
		one.All(func(k int) bool {
			f := pointsto.FuncID(i<<6 + k)
			if ps, qs := s.leading(f, up), s.leading(f, uq); s.anyFlows(f, ps, qs) || s.together(f, up, uq) {
				m.parts.add(int(f))
			}
			return true
		})
	}
	if m.leads {
		m.down = s.leading(pf, uq)
	}
	if m.led {
		m.up = s.leading(qf, up)
	}
	return m
}

// leading lists the calls of f that may run one of the functions.
func (s *Set) leading(f pointsto.FuncID, to Bits) []ir.Value {
	var out []ir.Value
	for _, c := range s.calls[f] {
		if to.Has(int(c.Callee)) && (len(out) == 0 || out[len(out)-1] != c.Site) {
			out = append(out, c.Site)
		}
	}
	return out
}

// anyFlows: one of ps can be executed before one of qs.
func (s *Set) anyFlows(f pointsto.FuncID, ps, qs []ir.Value) bool {
	for _, x := range ps {
		for _, y := range qs {
			if s.flows(f, x, y) {
				return true
			}
		}
	}
	return false
}

// together: one modelled call of f runs what leads to p and then what leads to
// q, in two callbacks, or in one that it runs several times.
func (s *Set) together(f pointsto.FuncID, up, uq Bits) bool {
	calls := s.calls[f]
	for len(calls) > 0 {
		var at []pointsto.Call
		at, calls = splitCalls(calls)
		if callsTogether(at, up, uq) {
			return true
		}
	}
	return false
}

// callsTogether is together for the callees of one call.
func callsTogether(at []pointsto.Call, up, uq Bits) bool {
	ps, qs, both := 0, 0, 0 // callees that lead to p, to q, and to both
	for _, c := range at {
		p, q := c.Maybe && up.Has(int(c.Callee)), c.Maybe && uq.Has(int(c.Callee))
		switch {
		case p && q && c.Often:
			return true
		case p && q:
			both++
		case p:
			ps++
		case q:
			qs++
		}
	}
	return ps+both > 0 && qs+both > 0 && ps+qs+both > 1
}

// splitCalls takes the calls of the first site off a function's calls.
func splitCalls(calls []pointsto.Call) (at, rest []pointsto.Call) {
	n := 1
	for n < len(calls) && calls[n].Site == calls[0].Site {
		n++
	}
	return calls[:n], calls[n:]
}

// callsAt lists the callees of a call.
func (s *Set) callsAt(f pointsto.FuncID, site ir.Value) []pointsto.Call {
	calls := s.calls[f]
	n, _ := slices.BinarySearchFunc(calls, site, func(c pointsto.Call, site ir.Value) int { return int(c.Site) - int(site) })
	if n == len(calls) || calls[n].Site != site {
		return nil
	}
	at, _ := splitCalls(calls[n:])
	return at
}
