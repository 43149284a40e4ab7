package flow

import (
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Catches finds what catches an exception inside an action.
type Catches struct {
	r      *pointsto.Result
	ways   *Ways
	codes  Codes
	supers map[string]map[string]bool // names of the supertypes, itself included
	calls  map[thrown]pointsto.FuncID // memo of outside
	every  map[string]*AtCalls        // by class: it is caught on every way
}

// thrown is an exception that gets out of a function in runs of an action.
type thrown struct {
	act   hb.ActionID
	f     pointsto.FuncID
	class string
}

// By is the function that catches an exception of a class thrown at v of f in runs of an
// action, whatever the way there; 0 if it may get out of the action. The class need not be in the
// program.
func (c *Catches) By(act hb.ActionID, f pointsto.FuncID, v ir.Value, class string) pointsto.FuncID {
	b := c.r.Body(f)
	if b == nil {
		return 0
	}
	if c.handled(b, v, class) {
		return f
	}
	return c.outside(thrown{act, f, class})
}

// outside is the function that catches what gets out of another one, 0 if it may get out
// of the action.
func (c *Catches) outside(e thrown) pointsto.FuncID {
	where, known := c.calls[e]
	if known {
		return where
	}
	every := c.every[e.class]
	if every == nil {
		every = c.ways.AtCalls(func(p Place) bool { return c.handled(c.r.Body(p.Func), p.At, e.class) })
		c.every[e.class] = every
	}
	if every.Of(e.act, e.f) {
		c.ways.EveryCall(e.act, e.f, func(p Place) Answer {
			if !every.holds(p) {
				return Callers
			}
			where = p.Func
			return Yes
		})
	}
	c.calls[e] = where
	return where
}

// handled reports whether a handler of the instruction catches the exception and does not
// throw it on.
func (c *Catches) handled(b *ir.Body, v ir.Value, class string) bool {
	k := b.BlockOf(v)
	if b.Blocks[k].End-1 != v {
		return false
	}
	for _, h := range b.Handlers(k) {
		for x := b.Blocks[h].Start; x < b.Blocks[h].End; x++ {
			if b.Op[x] != ir.OpCatch {
				continue
			}
			if t := ir.TypeID(b.Aux[x]); t != 0 && !c.is(class, c.r.Prog.Classes[c.r.Prog.Types[t].Class].Name) {
				break
			}
			return !c.rethrown(b, x)
		}
	}
	return false
}

// is reports whether a class is another one or below it, by their names.
func (c *Catches) is(class, super string) bool {
	above := c.supers[class]
	if above == nil {
		above = map[string]bool{class: true}
		for work := []string{class}; len(work) > 0; {
			next := c.r.Supers(work[0])
			work = work[1:]
			for _, s := range next {
				if !above[s] {
					above[s] = true
					work = append(work, s)
				}
			}
		}
		c.supers[class] = above
	}
	return above[super]
}

// rethrown reports whether the caught exception goes on, as after a finally.
func (c *Catches) rethrown(b *ir.Body, caught ir.Value) bool {
	seen := map[ir.Value]bool{caught: true}
	for work := []ir.Value{caught}; len(work) > 0; {
		x := work[0]
		work = work[1:]
		for _, u := range c.codes.Of(b).Uses(x) {
			switch b.Op[u] {
			case ir.OpThrow:
				return true
			case ir.OpInvoke: // wrapped into another one, perhaps
				if b.Sub[u] == ir.Direct && b.Arg(u, 0) != x {
					return true
				}
			case ir.OpPhi, ir.OpCheckCast:
				if !seen[u] {
					seen[u] = true
					work = append(work, u)
				}
			}
		}
	}
	return false
}
