package race

import (
	"strings"

	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// accessorSize bounds the instructions of a method that the compiler makes to
// reach a private field; x++ through one takes about ten.
const accessorSize = 24

// accessor: f is a method that the compiler made for access to a private field.
// Its accesses are those of the methods that the developer wrote: its callers.
func (c *collector) accessor(f pointsto.FuncID, b *ir.Body) bool {
	m := &c.p.Methods[c.r.Funcs[f].Method]
	if m.Flags&ir.AccSynthetic == 0 || m.Flags&ir.AccStatic == 0 || b.Len() > accessorSize ||
		!strings.HasPrefix(c.p.Selectors[m.Sel].Name, "access$") {
		return false
	}
	field := false
	for v := ir.Value(1); int(v) < b.Len(); v++ {
		switch b.Op[v] {
		case ir.OpGetField, ir.OpPutField, ir.OpGetStatic, ir.OpPutStatic:
			field = true
		case ir.OpInvoke: // access to a private method
			return false
		}
	}
	return field
}

// throughAccessor makes each access of an accessor one of each of its callers.
func (c *collector) throughAccessor(f pointsto.FuncID, b *ir.Body) {
	before := len(c.out)
	c.function(f, b)
	own := append([]*access(nil), c.out[before:]...)
	c.out = c.out[:before]
	for _, call := range c.s.Callers(f) {
		caller := c.r.Body(call.Caller)
		if caller == nil || c.s.ByFunc[call.Caller] == nil || call.Site <= 0 || caller.Op[call.Site] != ir.OpInvoke {
			continue
		}
		for _, a := range own {
			c.lift(a, b, call.Caller, caller, call.Site)
		}
	}
}

// lift states access a of an accessor as one of its caller's call.
func (c *collector) lift(a *access, b *ir.Body, f pointsto.FuncID, caller *ir.Body, site ir.Value) {
	l := *a
	l.f, l.in, l.v = f, f, site
	l.base, l.stored, l.derefs = outside(b, caller, site, a.base), outside(b, caller, site, a.stored), nil
	if l.base != 0 {
		l.objs = c.r.PointsTo(f, l.base)
	}
	if !l.static && l.objs.Empty() {
		return
	}
	if l.write && l.stored != 0 {
		if t := caller.Type[l.stored]; t != 0 && c.p.Types[t].Kind.Reference() {
			n := c.null.of(0, f, l.stored)
			l.null, l.live = n.null, n.other
		}
	}
	if !l.write && caller.Type[site] != 0 && c.p.Types[caller.Type[site]].Kind.Reference() {
		l.derefs = c.derefs.of(f, site)
	}
	c.out = append(c.out, &l)
}

// outside is the caller's value for a parameter of the callee, 0 for any other
// value of the callee.
func outside(b, caller *ir.Body, site, v ir.Value) ir.Value {
	if v == 0 || b.Op[v] != ir.OpParam || int(b.Aux[v]) >= caller.NArgs(site) {
		return 0
	}
	return caller.Arg(site, int(b.Aux[v]))
}
