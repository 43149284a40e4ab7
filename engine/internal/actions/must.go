package actions

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// cover says what certainly executes a site of one function, home, given whether
// every run of home executes it. It is filled on demand: what is true of a function
// depends on what it calls on the way to home.
type cover struct {
	home  pointsto.FuncID
	must  map[pointsto.FuncID]bool       // every run of the function that returns executes the site
	calls map[pointsto.FuncID][]ir.Value // the function's calls that execute it
}

func newCover(home pointsto.FuncID, own bool) cover {
	return cover{home, map[pointsto.FuncID]bool{home: own}, map[pointsto.FuncID][]ir.Value{}}
}

// coverOf is the cover of a site of o's function. The lock of o is held.
func (o *ordering) coverOf(v ir.Value) *cover {
	if o.ownMust(v) {
		return &o.cover[1]
	}
	return &o.cover[0]
}

// ownMust: every run of o's function that returns executes v of it. A run that
// calls the function again may be assumed to do so there.
func (o *ordering) ownMust(v ir.Value) bool {
	own, ok := o.own[v]
	if !ok {
		b := o.s.PT.Body(o.f) // the platform's own function performs each effect
		own = b == nil || onEveryPath(b, append([]ir.Value{v}, o.cover[1].certain(o.s, o.f)...), nil)
		o.own[v] = own
	}
	return own
}

// must: every run of f that returns executes v of o's function.
func (o *ordering) must(f pointsto.FuncID, v ir.Value) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.coverOf(v).holds(o.s, f)
}

// hits lists the instructions of f that are v of o's function, or calls that
// certainly execute it.
func (o *ordering) hits(f pointsto.FuncID, v ir.Value) []ir.Value {
	o.mu.Lock()
	defer o.mu.Unlock()
	certain := o.coverOf(v).certain(o.s, f)
	if f == o.f {
		return append([]ir.Value{v}, certain...)
	}
	return certain
}

// holds: every run of f that returns executes the site. The greatest solution
// over the functions between f and home: a recursion that never ends returns
// never, so it may be assumed to do what its other ways do.
func (k *cover) holds(s *Set, f pointsto.FuncID) bool {
	if m, ok := k.must[f]; ok {
		return m
	}
	between := k.assume(s, f)
	for changed := true; changed; {
		changed = false
		for _, g := range slices.Backward(between) { // callees come after callers
			if k.must[g] && !k.live(s, g) {
				k.must[g], changed = false, true
			}
		}
	}
	return k.must[f]
}

// assume lists the functions that the answer for f depends on and is not known
// of, and notes that they hold for now; of those that do not lead home, that they
// do not.
func (k *cover) assume(s *Set, f pointsto.FuncID) []pointsto.FuncID {
	up := s.upward(k.home)
	k.must[f] = up.Has(int(f))
	if !k.must[f] {
		return nil
	}
	out := []pointsto.FuncID{f}
	for i := 0; i < len(out); i++ {
		for _, c := range s.calls[out[i]] {
			if _, known := k.must[c.Callee]; !known {
				k.must[c.Callee] = up.Has(int(c.Callee))
				if k.must[c.Callee] {
					out = append(out, c.Callee)
				}
			}
		}
	}
	return out
}

// live: with what holds for now, every path of f to a return executes the site.
func (k *cover) live(s *Set, f pointsto.FuncID) bool {
	b := s.PT.Body(f)
	if b == nil {
		return false
	}
	sites := k.certainNow(s, f)
	return len(sites) > 0 && onEveryPath(b, sites, nil)
}

// certain lists the calls of f that certainly execute the site.
func (k *cover) certain(s *Set, f pointsto.FuncID) []ir.Value {
	sites, ok := k.calls[f]
	if !ok {
		for _, c := range s.calls[f] {
			k.holds(s, c.Callee)
		}
		sites = k.certainNow(s, f)
		k.calls[f] = sites
	}
	return sites
}

// certainNow is certain with what holds for now. The call always executes one of
// its callees, and each of them executes the site.
func (k *cover) certainNow(s *Set, f pointsto.FuncID) []ir.Value {
	var out []ir.Value
	for calls := s.calls[f]; len(calls) > 0; {
		var at []pointsto.Call
		at, calls = splitCalls(calls)
		if !slices.ContainsFunc(at, func(c pointsto.Call) bool { return c.Maybe || c.Inline || !k.must[c.Callee] }) && !s.PT.Open(f, at[0].Site) {
			out = append(out, at[0].Site)
		}
	}
	return out
}

// must: every run of f that returns executes v of pf.
func (s *Set) must(f, pf pointsto.FuncID, v ir.Value) bool { return s.ordering(pf).must(f, v) }

// mustLive is must for a run that takes only some of f's edges.
func (s *Set) mustLive(f, pf pointsto.FuncID, v ir.Value, succs func(k int32) []int32) bool {
	sites := s.ordering(pf).hits(f, v)
	return len(sites) > 0 && onEveryPath(s.PT.Body(f), sites, succs)
}

// onEveryPath: each path from the entry to a return passes one of the sites.
// succs gives the edges that count; nil means all.
func onEveryPath(b *ir.Body, sites []ir.Value, succs func(k int32) []int32) bool {
	if succs == nil {
		succs = b.Succs
	}
	blocked := make([]bool, len(b.Blocks))
	for _, v := range sites {
		blocked[b.BlockOf(v)] = true
	}
	seen := make([]bool, len(b.Blocks))
	work := []int32{0}
	for len(work) > 0 {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[k] || blocked[k] {
			continue
		}
		seen[k] = true
		if b.Op[b.Blocks[k].End-1] == ir.OpReturn {
			return false
		}
		work = append(work, succs(k)...)
	}
	return true
}
