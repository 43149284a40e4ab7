package race

import (
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// caught names the method that catches the exception which a use ends in, ""
// if it may get out of the action.
func (f *finder) caught(p *pair) string {
	if p.rule != finding.UseAfterFree && p.rule != finding.UseBeforeInit {
		return ""
	}
	crash := ir.ClassID(0)
	name := "java.lang.NullPointerException"
	if p.crash != "" {
		name, _, _ = strings.Cut(strings.Fields(p.crash)[0], ":")
	}
	if crash = f.p.Lookup(name); crash == 0 {
		return ""
	}
	use := p.access[0]
	where := ""
	for _, d := range use.derefs {
		by := f.catches(p.action[0], d.f, d.v, crash, 0)
		if by == "" {
			return ""
		}
		where = by
	}
	return where
}

// catches names the method that catches an exception thrown at v of fn: fn, or
// every caller.
func (f *finder) catches(act hb.ActionID, fn pointsto.FuncID, v ir.Value, crash ir.ClassID, depth int) string {
	b := f.r.Body(fn)
	if b == nil || depth > guardDepth {
		return ""
	}
	if f.handled(b, v, crash) {
		return f.names.Method(f.r.Funcs[fn].Method).Short()
	}
	for _, e := range f.s.Actions[act].Entries {
		if e == fn {
			return ""
		}
	}
	where := ""
	for _, c := range f.s.Callers(fn) {
		if !f.s.Actions[act].Reach.Has(int(c.Caller)) {
			continue
		}
		by := f.catches(act, c.Caller, c.Site, crash, depth+1)
		if by == "" {
			return ""
		}
		where = by
	}
	return where
}

// handled: a handler of the instruction catches the exception and does not
// throw it on.
func (f *finder) handled(b *ir.Body, v ir.Value, crash ir.ClassID) bool {
	k := b.BlockOf(v)
	if b.Blocks[k].End-1 != v {
		return false
	}
	for _, h := range b.Handlers(k) {
		for c := b.Blocks[h].Start; c < b.Blocks[h].End; c++ {
			if b.Op[c] != ir.OpCatch {
				continue
			}
			t := ir.TypeID(b.Aux[c])
			if t != 0 && (f.p.Types[t].Class == 0 || !f.p.SubclassOf(crash, f.p.Types[t].Class)) {
				break
			}
			return !f.rethrown(b, c)
		}
	}
	return false
}

// rethrown: the caught exception goes on, as after a finally.
func (f *finder) rethrown(b *ir.Body, c ir.Value) bool {
	for _, u := range f.guards.d.usesOf(b)[c] {
		switch b.Op[u] {
		case ir.OpThrow:
			return true
		case ir.OpInvoke: // wrapped into another one, perhaps
			if b.Sub[u] == ir.Direct && b.Arg(u, 0) != c {
				return true
			}
		case ir.OpPhi, ir.OpCheckCast:
			if f.rethrown(b, u) {
				return true
			}
		}
	}
	return false
}
