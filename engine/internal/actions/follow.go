package actions

import (
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// AlwaysAfter: after site p, every run of act executes one of the sites qs
// before it ends.
func (s *Set) AlwaysAfter(act hb.ActionID, p hb.Site, qs []hb.Site) bool {
	f, v := splitSite(p)
	w := following{s: s, a: &s.Actions[act], qs: qs, seen: map[pointsto.FuncID]bool{}}
	return w.after(f, v)
}

type following struct {
	s    *Set
	a    *Action
	qs   []hb.Site
	seen map[pointsto.FuncID]bool
}

// after: every path from behind v of f to the end of the run executes a site.
func (w *following) after(f pointsto.FuncID, v ir.Value) bool {
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
func (w *following) later(i int) bool {
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
func (w *following) escapes(f pointsto.FuncID, b *ir.Body, v ir.Value) bool {
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
func (w *following) sites(f pointsto.FuncID) []ir.Value {
	var out []ir.Value
	for _, q := range w.qs {
		qf, qv := splitSite(q)
		if qf == f {
			out = appendNew(out, qv)
			continue
		}
		for _, v := range w.s.ordering(qf).hits(f, qv) {
			out = appendNew(out, v)
		}
	}
	return out
}
