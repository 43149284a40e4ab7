package actions

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
)

// walked answers the questions of order one by one, walking the call graph anew for
// each: what the tables of ordering must agree with.
type walked struct {
	*Set
	musts map[mustKey]bool
}

// MayPrecede: some run of act executes p and later q. Both are reached from
// the entries; where their call chains part, the earlier call must be able to
// reach the later one in the control flow of that function.
func (s *walked) MayPrecede(act hb.ActionID, p, q hb.Site) bool {
	a := &s.Actions[act]
	pf, pv := splitSite(p)
	qf, qv := splitSite(q)
	up, uq := s.upward(pf), s.upward(qf)
	last := -1 // the latest entry at which q can be; p must not be after it
	for i, e := range a.Entries {
		if uq.Has(int(e)) {
			last = i
		}
	}
	for i, e := range a.Entries {
		if up.Has(int(e)) && i < last {
			return true
		}
	}
	found := false
	for i := range a.Reach {
		w := a.Reach[i] & up[i] & uq[i]
		if w == 0 {
			continue
		}
		one := Bits{w}
		one.All(func(k int) bool {
			f := pointsto.FuncID(i<<6 + k)
			found = s.parts(f, s.leadingTo(f, up, pf, pv), s.leadingTo(f, uq, qf, qv)) || s.together(f, up, uq) ||
				f == qf && s.inside(f, qv, up, false) || f == pf && s.inside(f, pv, uq, true)
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// inside: the call at site of f, which is p or q itself, runs at once what leads
// to the other, and its own effects may come first (or last).
func (s *walked) inside(f pointsto.FuncID, site ir.Value, up Bits, first bool) bool {
	for _, c := range s.PT.Calls[f] {
		if c.Site == site && up.Has(int(c.Callee)) {
			before, after := s.effectsAround(c)
			return first && before || !first && after
		}
	}
	return false
}

// effectsAround says whether the platform method that a call names may do
// something else before it makes a call of its own, and after that.
func (s *walked) effectsAround(c pointsto.Call) (before, after bool) {
	b := s.PT.Body(c.Caller)
	if b == nil || b.Op[c.Site] != ir.OpInvoke {
		return true, true
	}
	models := s.PT.ModelsOf(ir.MethodID(b.Aux[c.Site]))
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

// together: one modelled call of f runs what leads to p and then what leads to
// q, in two callbacks, or in one that it runs several times.
func (s *walked) together(f pointsto.FuncID, up, uq Bits) bool {
	for i, c := range s.PT.Calls[f] {
		if !c.Maybe || !up.Has(int(c.Callee)) {
			continue
		}
		for k, d := range s.PT.Calls[f] {
			if d.Maybe && d.Site == c.Site && uq.Has(int(d.Callee)) && (i != k || c.Often) {
				return true
			}
		}
	}
	return false
}

// leading lists the instructions of f that are the site (pf, pv) or call what
// leads to it, up being the functions that lead to pf.
func (s *walked) leadingTo(f pointsto.FuncID, up Bits, pf pointsto.FuncID, pv ir.Value) []ir.Value {
	var out []ir.Value
	if f == pf {
		out = append(out, pv)
	}
	for _, c := range s.PT.Calls[f] {
		if up.Has(int(c.Callee)) {
			out = appendNew(out, c.Site)
		}
	}
	return out
}

// parts reports whether one of ps can be executed before a different one of qs,
// or before itself around a loop.
func (s *walked) parts(f pointsto.FuncID, ps, qs []ir.Value) bool {
	b := s.PT.Body(f)
	if b == nil { // the platform's own: its effects are not told apart
		return false
	}
	flow := b.Flow()
	for _, x := range ps {
		for _, y := range qs {
			if flow.Reaches(x, y) {
				return true
			}
		}
	}
	return false
}

// Dominates: whenever q executes, p has executed earlier in that run.
func (s *walked) Dominates(act hb.ActionID, p, q hb.Site) bool {
	pf, pv := splitSite(p)
	qf, qv := splitSite(q)
	d := walkedDomination{s: s, a: &s.Actions[act], act: act, pf: pf, pv: pv, seen: map[pointsto.FuncID]bool{}}
	return d.before(qf, qv)
}

// walkedDomination asks whether one site has been executed whenever another is.
type walkedDomination struct {
	s    *walked
	a    *Action
	act  hb.ActionID
	pf   pointsto.FuncID
	pv   ir.Value
	seen map[pointsto.FuncID]bool // functions being asked about: recursion adds nothing
}

// before: p has been executed whenever v of f is about to be.
func (d *walkedDomination) before(f pointsto.FuncID, v ir.Value) bool {
	if b := d.s.PT.Body(f); b != nil {
		if d.within(f, func(x ir.Value) bool { return x != v && b.Flow().Dominates(x, v) }) {
			return true
		}
	}
	if d.seen[f] {
		return true // only a way around a cycle: the other ways decide
	}
	d.seen[f] = true
	any := false
	for i, e := range d.a.Entries {
		if e == f {
			if !d.earlier(i) {
				return false
			}
			any = true
		}
	}
	for _, c := range d.s.callers[f] {
		if !d.a.Reach.Has(int(c.Caller)) {
			continue
		}
		any = true
		if c.Caller == d.pf && c.Site == d.pv {
			if _, after := d.s.effectsAround(c); !after {
				continue // p is what the modelled call does before it calls back
			}
		}
		if !d.before(c.Caller, c.Site) {
			return false
		}
	}
	return any
}

// earlier: one of the entries before entry i always executes p.
func (d *walkedDomination) earlier(i int) bool {
	for _, e := range d.a.Entries[:i] {
		if d.s.must(e, d.pf, d.pv) {
			return true
		}
	}
	return false
}

// within: some instruction of f that passes is p or a call that always
// executes p.
func (d *walkedDomination) within(f pointsto.FuncID, pass func(ir.Value) bool) bool {
	if f == d.pf && pass(d.pv) {
		return true
	}
	up := d.s.upward(d.pf)
	for _, c := range d.s.PT.Calls[f] {
		if up.Has(int(c.Callee)) && pass(c.Site) && d.s.mustCall(f, c.Site, d.pf, d.pv) {
			return true
		}
	}
	return false
}

type mustKey struct {
	f, pf pointsto.FuncID
	pv    ir.Value
}

// must: every run of f that returns executes (pf, pv). The greatest solution
// over the functions between f and pf: a recursion that never ends returns
// never, so it may be assumed to do what its other ways do.
func (s *walked) must(f, pf pointsto.FuncID, pv ir.Value) bool {
	key := mustKey{f, pf, pv}
	if m, ok := s.musts[key]; ok {
		return m
	}
	between := s.assume(key)
	for changed := true; changed; {
		changed = false
		for i := len(between) - 1; i >= 0; i-- { // callees come after callers
			g := mustKey{between[i], pf, pv}
			if s.musts[g] && !s.mustLive(g.f, pf, pv, nil) {
				s.musts[g], changed = false, true
			}
		}
	}
	return s.musts[key]
}

// assume lists the functions that the answer for k depends on and is not known
// of, and notes that they hold for now; of those that do not lead to pf, that
// they do not.
func (s *walked) assume(k mustKey) []pointsto.FuncID {
	up := s.upward(k.pf)
	s.musts[k] = up.Has(int(k.f))
	if !s.musts[k] {
		return nil
	}
	out := []pointsto.FuncID{k.f}
	for i := 0; i < len(out); i++ {
		for _, c := range s.PT.Calls[out[i]] {
			next := mustKey{c.Callee, k.pf, k.pv}
			if _, known := s.musts[next]; !known {
				s.musts[next] = up.Has(int(c.Callee))
				if s.musts[next] {
					out = append(out, c.Callee)
				}
			}
		}
	}
	return out
}

// mustLive is must for a run that takes only some of f's edges; nil means all.
func (s *walked) mustLive(f, pf pointsto.FuncID, pv ir.Value, succs func(k int32) []int32) bool {
	b := s.PT.Body(f)
	if b == nil {
		return f == pf // the platform's own function performs each effect
	}
	var sites []ir.Value
	if f == pf {
		sites = append(sites, pv)
	}
	up := s.upward(pf)
	for _, c := range s.PT.Calls[f] {
		if up.Has(int(c.Callee)) && s.mustCall(f, c.Site, pf, pv) {
			sites = appendNew(sites, c.Site)
		}
	}
	return len(sites) > 0 && onEveryPath(b, sites, succs)
}

// mustCall: the call always executes one of its callees, and each of them
// executes (pf, pv).
func (s *walked) mustCall(f pointsto.FuncID, site ir.Value, pf pointsto.FuncID, pv ir.Value) bool {
	if s.PT.Open(f, site) {
		return false
	}
	for _, c := range s.PT.Calls[f] {
		if c.Site == site && (c.Maybe || c.Inline || !s.must(c.Callee, pf, pv)) {
			return false
		}
	}
	return true
}

// AlwaysAfter: after site p, every run of act executes one of the sites qs
// before it ends.
func (s *walked) AlwaysAfter(act hb.ActionID, p hb.Site, qs []hb.Site) bool {
	f, v := splitSite(p)
	w := walkedFollowing{s: s, a: &s.Actions[act], qs: qs, seen: map[pointsto.FuncID]bool{}}
	return w.after(f, v)
}

type walkedFollowing struct {
	s    *walked
	a    *Action
	qs   []hb.Site
	seen map[pointsto.FuncID]bool
}

// after: every path from behind v of f to the end of the run executes a site.
func (w *walkedFollowing) after(f pointsto.FuncID, v ir.Value) bool {
	b := w.s.PT.Body(f)
	if b == nil {
		return false
	}
	if !w.escapes(f, b, v) {
		return true
	}
	if w.seen[f] {
		return true
	}
	w.seen[f] = true
	any := false
	for i, e := range w.a.Entries {
		if e == f {
			if !w.later(i) {
				return false
			}
			any = true
		}
	}
	for _, c := range w.s.callers[f] {
		if !w.a.Reach.Has(int(c.Caller)) {
			continue
		}
		any = true
		if !w.after(c.Caller, c.Site) {
			return false
		}
	}
	return any
}

// later: one of the entries after entry i always executes a site.
func (w *walkedFollowing) later(i int) bool {
	for _, e := range w.a.Entries[i+1:] {
		for _, q := range w.qs {
			if f, v := splitSite(q); w.s.must(e, f, v) {
				return true
			}
		}
	}
	return false
}

// escapes: a path leads from behind v to a return without any of the sites.
func (w *walkedFollowing) escapes(f pointsto.FuncID, b *ir.Body, v ir.Value) bool {
	hits := w.sites(f)
	stop := func(from, to ir.Value) bool { // a site in [from, to)
		for _, h := range hits {
			if h >= from && h < to {
				return true
			}
		}
		return false
	}
	k := b.BlockOf(v)
	if stop(v+1, b.Blocks[k].End) {
		return false
	}
	if b.Op[b.Blocks[k].End-1] == ir.OpReturn {
		return true
	}
	seen := make([]bool, len(b.Blocks))
	for work := append([]int32(nil), b.Succs(k)...); len(work) > 0; {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[x] || stop(b.Blocks[x].Start, b.Blocks[x].End) {
			continue
		}
		seen[x] = true
		if b.Op[b.Blocks[x].End-1] == ir.OpReturn {
			return true
		}
		work = append(work, b.Succs(x)...)
	}
	return false
}

// sites lists the instructions of f that are one of the sites, or calls that
// always execute one.
func (w *walkedFollowing) sites(f pointsto.FuncID) []ir.Value {
	var out []ir.Value
	for _, q := range w.qs {
		qf, qv := splitSite(q)
		if qf == f {
			out = appendNew(out, qv)
			continue
		}
		up := w.s.upward(qf)
		for _, c := range w.s.PT.Calls[f] {
			if up.Has(int(c.Callee)) && w.s.mustCall(f, c.Site, qf, qv) {
				out = appendNew(out, c.Site)
			}
		}
	}
	return out
}

// always is Set.always.
func (s *walked) always(act hb.ActionID, site hb.Site) bool {
	f, v := splitSite(site)
	a := &s.Actions[act]
	for _, e := range a.Entries {
		if b, k := s.PT.Body(e), knownOf(a); s.coded[e] && b != nil {
			if s.mustLive(e, f, v, func(block int32) []int32 {
				return pointsto.LiveSuccs(b, block, func(v ir.Value) (int64, bool) { return s.value(b, v, k) })
			}) {
				return true
			}
		} else if s.must(e, f, v) {
			return true
		}
	}
	return false
}

// sitesOf lists sites that an action reaches: its points, and some instructions of
// its functions.
func sitesOf(s *Set, r *rand.Rand, act hb.ActionID, most int) []hb.Site {
	var points, out []hb.Site
	for i := range s.Model.Points {
		if p := &s.Model.Points[i]; p.Action == act {
			points = append(points, p.Site)
		}
	}
	s.Actions[act].Reach.All(func(f int) bool {
		if b := s.PT.Body(pointsto.FuncID(f)); b != nil {
			for v := 1; v < b.Len(); v++ {
				switch b.Op[v] {
				case ir.OpInvoke, ir.OpGetField, ir.OpPutField, ir.OpGetStatic, ir.OpPutStatic, ir.OpNew:
					out = append(out, SiteOf(pointsto.FuncID(f), ir.Value(v)))
				}
			}
		}
		return true
	})
	for _, sites := range [][]hb.Site{points, out} {
		r.Shuffle(len(sites), func(i, k int) { sites[i], sites[k] = sites[k], sites[i] })
	}
	out = append(points[:min(len(points), most/2)], out...)
	out = out[:min(len(out), most)]
	slices.Sort(out)
	return slices.Compact(out)
}

// TestOrderTables compares the order inside the runs of every app's actions with
// what walking the call graph for each question says.
func TestOrderTables(t *testing.T) {
	yes := map[string]int{}
	for _, path := range pointstotest.Apps(t) {
		s := buildApp(t, path)
		compareOrder(t, s, rand.New(rand.NewPCG(1, 9)), 12, 100, yes)
	}
	t.Log(yes)
	for _, what := range []string{"MayPrecede", "Dominates", "Always", "AlwaysAfter"} {
		if yes[what] < 1000 {
			t.Errorf("%s holds only %d times", what, yes[what])
		}
	}
}

// compareOrder asks both about pairs of at most most sites of at most acts actions.
func compareOrder(t *testing.T, s *Set, r *rand.Rand, most, acts int, yes map[string]int) {
	t.Helper()
	p := &walked{s, map[mustKey]bool{}}
	same := func(what string, got, want bool, act hb.ActionID, x, y hb.Site) {
		if got {
			yes[what]++
		}
		if got != want {
			t.Errorf("%s in %s of %s (%d) and %s (%d) is %v, not %v", what, s.Name(act), s.siteName(x), int32(x), s.siteName(y), int32(y), got, want)
		}
	}
	for n, i := range r.Perm(len(s.Actions) - 1) {
		act := hb.ActionID(i + 1)
		if n == acts || t.Failed() {
			return
		}
		sites := sitesOf(s, r, act, most)
		for _, x := range sites {
			same("Always", s.Always(act, x), p.always(act, x), act, x, x)
			for _, y := range sites {
				same("MayPrecede", s.MayPrecede(act, x, y), p.MayPrecede(act, x, y), act, x, y)
				same("Dominates", s.Dominates(act, x, y), p.Dominates(act, x, y), act, x, y)
				same("AlwaysAfter", s.AlwaysAfter(act, x, []hb.Site{y}), p.AlwaysAfter(act, x, []hb.Site{y}), act, x, y)
			}
		}
	}
}
