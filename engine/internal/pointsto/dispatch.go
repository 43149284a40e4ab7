package pointsto

import (
	"math/bits"
	"slices"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

// A call with very many callees shares them with the other such calls of the same
// method: a function of the platform's own stands between, which each of them calls
// and which may call what a receiver of any of them has. So n calls with n callees
// each cost 2n edges instead of n squared. What it gives up: receivers, arguments and
// results of these calls are one for all, and no callee is sure.

// manyCallees is how many callees a call has by itself. Real code stays well below.
const manyCallees = 256

// sharedKey is what calls share callees by: a method as named in code.
type sharedKey struct {
	class ir.ClassID
	sel   ir.SelectorID
}

// sharedCall is the function in between.
type sharedCall struct {
	f     FuncID
	sel   ir.SelectorID
	base  node // variables of the result and of the arguments
	args  int
	sites []at
	open  bool          // a receiver may have a method that is no callee
	other []ir.MethodID // modelled methods that a receiver has
}

// meetsMany reports whether receivers have too many methods of the call's name.
func (d *dispatch) meetsMany(g *solver, receivers Set) bool {
	if d.shared || len(receivers.words) <= manyCallees {
		return false
	}
	methods := map[ir.MethodID]bool{}
	for _, w := range receivers.words { // each of one type
		if len(methods) > manyCallees {
			return true
		}
		if t, ok := g.target(Obj(w.block<<blockShift|uint32(bits.TrailingZeros64(w.bits))), d.sel); ok {
			methods[t.method] = true
		}
	}
	return len(methods) > manyCallees
}

// share makes a call that has too many callees use those that it shares.
func (d *dispatch) share(g *solver) {
	b := g.funcs[d.f].shape.body
	receiver := b.Arg(d.v, 0)
	if d.modelled || g.funcs[d.f].Ctx != 0 && b.Op[receiver] == ir.OpParam && b.Aux[receiver] == 0 {
		return // of the latter each receiver has its context
	}
	key := sharedKey{g.prog.Methods[b.Aux[d.v]].Class, d.sel}
	s := g.shared[key]
	fresh := s == nil
	if fresh {
		s = &sharedCall{f: g.synthetic(), sel: d.sel, args: b.NArgs(d.v), base: g.alloc(1 + b.NArgs(d.v))}
		g.shared[key] = s
	}
	d.shared = true
	g.callees[d.f] = slices.DeleteFunc(g.callees[d.f], func(c Call) bool { return c.Site == d.v && !c.Maybe && !c.Inline })
	g.call(Call{Caller: d.f, Site: d.v, Callee: s.f})
	for i, a := range b.ArgsOf(d.v) {
		g.copy(s.arg(i), g.value(d.f, a), 0)
	}
	g.copy(g.value(d.f, d.v), s.base, 0)
	s.sites = append(s.sites, d.at)
	g.open[d.at] = g.open[d.at] || s.open
	for _, m := range s.other {
		g.modelled(d.at, g.names.modelsOf(m))
	}
	if fresh {
		g.attach(s.arg(0), s)
	}
}

// arg is the variable of argument i, the receiver being argument 0.
func (s *sharedCall) arg(i int) node { return s.base + 1 + node(i) }

func (s *sharedCall) grew(g *solver, fresh Set) {
	fresh.All(func(o Obj) bool { s.object(g, o); return true })
}

// object adds the callee that object o has.
func (s *sharedCall) object(g *solver, o Obj) {
	t, ok := g.target(o, s.sel)
	if ok && t.lambda == nil && g.prog.Classes[g.prog.Methods[t.method].Class].Origin != ir.App && len(g.names.modelsOf(t.method)) > 0 {
		ok = false
		if !slices.Contains(s.other, t.method) {
			s.other = append(s.other, t.method)
			for i := range len(s.sites) {
				g.modelled(s.sites[i], g.names.modelsOf(t.method))
			}
		}
	}
	if !ok {
		s.open = true
		for _, site := range s.sites {
			g.open[site] = true
		}
		return
	}
	callee := g.function(t.method, 0)
	g.call(Call{Caller: s.f, Callee: callee, Maybe: true})
	g.bindReceiver(callee, t, o)
	for i := 1; i < s.args; i++ {
		g.copy(g.param(callee, t.shift(i)), s.arg(i), 0)
	}
	g.copy(s.base, g.returned(callee), 0)
}
