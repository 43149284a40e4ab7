package pointsto

import (
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
)

// at is a place in the program under a context.
type at struct {
	f FuncID
	v ir.Value
}

// invoke generates the constraints of a call: of the model if the platform's
// files know the method, of the callees if it has code, of the general rule
// otherwise.
func (g *solver) invoke(f FuncID, v ir.Value) {
	b := g.funcs[f].shape.body
	ref := ir.MethodID(b.Aux[v])
	decl := g.prog.ResolveMethod(ref)
	named := ref
	if decl != 0 {
		named = decl
	}
	if b.Sub[v] == ir.Static {
		g.initClass(g.prog.Methods[named].Class)
	}
	origin := g.prog.Classes[g.prog.Methods[named].Class].Origin
	if origin != ir.App {
		if models := g.names.modelsOf(ref); len(models) > 0 {
			d := &dispatch{at: at{f, v}, sel: g.prog.Methods[ref].Sel, modelled: true}
			virtual := b.Sub[v] == ir.Virtual || b.Sub[v] == ir.Interface
			if virtual && g.names.inApp(d.sel, g.prog.Methods[ref].Class) {
				d.held = models
				g.held = append(g.held, d)
			} else {
				g.modelled(d.at, models)
			}
			g.fluent(f, v, ref)
			if virtual {
				g.attach(g.value(f, b.Arg(v, 0)), d)
			}
			return
		}
	}
	switch b.Sub[v] {
	case ir.Static, ir.Direct, ir.Super:
		g.fixed(f, v, named, origin)
	case ir.Virtual, ir.Interface:
		if origin == ir.Platform || origin == ir.Missing {
			g.general(f, v, named)
		}
		g.attach(g.value(f, b.Arg(v, 0)), &dispatch{at: at{f, v}, sel: g.prog.Methods[ref].Sel})
	default: // polymorphic: reflection by method handles
		g.general(f, v, named)
	}
}

// fixed is a call with one possible callee.
func (g *solver) fixed(f FuncID, v ir.Value, m ir.MethodID, origin ir.Origin) {
	if origin == ir.Platform || origin == ir.Missing || !g.prog.Methods[m].HasCode {
		g.general(f, v, m)
		return
	}
	b := g.funcs[f].shape.body
	ctx := g.calleeCtx(f, v, m)
	if ctx == 0 && g.byReceiver(f, v, m) {
		g.attach(g.value(f, b.Arg(v, 0)), &fixedCall{at{f, v}, m})
		return
	}
	callee := g.function(m, ctx)
	if g.call(Call{Caller: f, Site: v, Callee: callee}) {
		g.pass(f, v, callee, 0)
	}
}

// pass hands on the arguments of a call, from the first one on, and its result.
func (g *solver) pass(f FuncID, v ir.Value, callee FuncID, first int) {
	b := g.funcs[f].shape.body
	for i := first; i < b.NArgs(v); i++ {
		g.copy(g.param(callee, i), g.value(f, b.Arg(v, i)), 0)
	}
	g.copy(g.value(f, v), g.returned(callee), 0)
}

// byReceiver reports whether a call of a fixed method has a callee for each object that
// it is on: of a method that components inherit, and of the constructor of an object
// that is made under a context, which keeps what that context hands to it.
func (g *solver) byReceiver(f FuncID, v ir.Value, m ir.MethodID) bool {
	b := g.funcs[f].shape.body
	if b.Sub[v] == ir.Static || b.NArgs(v) == 0 {
		return false
	}
	return g.inherited(m) || g.funcs[f].Ctx != 0 && b.Op[b.Arg(v, 0)] == ir.OpNew && g.prog.Classes[g.prog.Methods[m].Class].Origin == ir.App
}

// fixedCall is a call of one method, told the objects that it is on.
type fixedCall struct {
	at
	m ir.MethodID
}

func (c *fixedCall) grew(g *solver, fresh Set) {
	fresh.All(func(o Obj) bool {
		callee := g.function(c.m, g.receiverCtx(o))
		if g.call(Call{Caller: c.f, Site: c.v, Callee: callee}) {
			g.pass(c.f, c.v, callee, 1)
		}
		g.add(g.param(callee, 0), setOf(o))
		return true
	})
}

// calleeCtx is the context of a callee: the caller's for a call on the caller's
// own receiver, none for any other call.
func (g *solver) calleeCtx(f FuncID, v ir.Value, m ir.MethodID) CtxID {
	fn := &g.funcs[f]
	if fn.Ctx == 0 || g.prog.Classes[g.prog.Methods[m].Class].Origin != ir.App {
		return 0
	}
	b := fn.shape.body
	if b.Sub[v] == ir.Static || b.NArgs(v) == 0 {
		return 0
	}
	if !isReceiver(b, b.Arg(v, 0)) {
		return 0
	}
	return fn.Ctx
}

// dispatch is a virtual call, told the objects that the receiver may be. Of a
// modelled method only the app's overrides are called. Where the app has some,
// the models are held back until a receiver has none of them.
type dispatch struct {
	at
	sel      ir.SelectorID
	modelled bool
	held     []*platform.Method
	callees  int
	shared   bool // its callees are those of a sharedCall
}

func (d *dispatch) grew(g *solver, fresh Set) {
	if d.meetsMany(g, fresh) {
		d.share(g)
	}
	fresh.All(func(o Obj) bool {
		if d.shared {
			return false
		}
		if !d.object(g, o) {
			if d.modelled {
				d.release(g)
			} else {
				g.open[d.at] = true
			}
		}
		return true
	})
}

// release applies the models that were held back.
func (d *dispatch) release(g *solver) {
	models := d.held
	d.held = nil
	g.modelled(d.at, models)
}

// releaseHeld applies the models of calls whose receiver nothing is known of, and
// reports whether there were any.
func (g *solver) releaseHeld() bool {
	released, rest := false, g.held[:0]
	for _, d := range g.held {
		switch {
		case d.held == nil:
		case g.pts[g.find(g.value(d.f, g.funcs[d.f].shape.body.Arg(d.v, 0)))].Empty():
			d.release(g)
			released = true
		default:
			rest = append(rest, d)
		}
	}
	g.held = rest
	return released
}

// modelled applies the effects of models to a call.
func (g *solver) modelled(p at, models []*platform.Method) {
	for _, m := range models {
		g.effects(p.f, p.v, m.Effects)
	}
}

// object adds the callee that object o has, and reports whether it has one.
func (d *dispatch) object(g *solver, o Obj) bool {
	t, ok := g.target(o, d.sel)
	if !ok {
		return false
	}
	if t.lambda == nil {
		origin := g.prog.Classes[g.prog.Methods[t.method].Class].Origin
		if origin != ir.App && (d.modelled || len(g.names.modelsOf(t.method)) > 0) {
			if !d.modelled {
				g.modelledOverride(d, t.method)
			}
			return false
		}
	}
	b := g.funcs[d.f].shape.body
	ctx := g.calleeCtx(d.f, d.v, t.method)
	switch {
	case ctx != 0:
	case t.lambda != nil:
		ctx = g.lambdaCtx(t.method, t.lambda)
	default:
		ctx = g.calledCtx(t.method, o)
	}
	callee := g.function(t.method, ctx)
	if callee == 0 {
		return false
	}
	if g.call(Call{Caller: d.f, Site: d.v, Callee: callee, Maybe: d.modelled}) {
		if d.callees++; d.callees > manyCallees {
			d.share(g)
		}
	}
	g.bindReceiver(callee, t, o)
	for i, a := range b.ArgsOf(d.v)[1:] {
		g.copy(g.param(callee, t.shift(1)+i), g.value(d.f, a), 0)
	}
	g.copy(g.value(d.f, d.v), g.returned(callee), 0)
	return true
}

// modelledOverride applies the model of a method that a receiver's class has
// although the class that the call names has none.
func (g *solver) modelledOverride(d *dispatch, m ir.MethodID) {
	g.modelled(d.at, g.names.modelsOf(m))
}

// target is what a selector means on an object: a method, of a lambda the
// method that it forwards to.
type target struct {
	method ir.MethodID
	lambda *Object
	count  int // captured values of a lambda
}

// shift is the parameter of the method that receives argument i, the receiver
// being argument 0.
func (t target) shift(i int) int {
	if t.lambda != nil {
		return t.count + i - 1
	}
	return i
}

func (g *solver) target(o Obj, sel ir.SelectorID) (target, bool) {
	info := g.objects.info(o)
	if info.Kind == LambdaObj {
		l := g.lambdaOf(info)
		if sel != l.Sel && g.prog.Selectors[sel].Name != g.prog.Selectors[l.Sel].Name {
			m := g.prog.Dispatch(info.Class, sel) // a default method of the interface
			return target{method: m}, m != 0 && g.prog.Methods[m].HasCode
		}
		m := g.prog.ResolveMethod(l.Impl)
		return target{m, info, l.Captured}, m != 0 && g.prog.Methods[m].HasCode
	}
	if info.Class == 0 {
		return target{}, false
	}
	m := g.prog.Dispatch(info.Class, sel)
	return target{method: m}, m != 0 && g.prog.Methods[m].HasCode
}

func (g *solver) lambdaOf(o *Object) *ir.Lambda {
	return &g.prog.Lambdas[g.funcs[o.Func].shape.body.Aux[o.Site]]
}

// bindReceiver passes the receiver, or a lambda's captured values.
func (g *solver) bindReceiver(callee FuncID, t target, o Obj) {
	if t.lambda == nil {
		g.add(g.param(callee, 0), setOf(o))
		return
	}
	for i, c := range g.funcs[t.lambda.Func].shape.body.ArgsOf(t.lambda.Site) {
		g.copy(g.param(callee, i), g.value(t.lambda.Func, c), 0)
	}
}

// general is the rule for methods without model and code: their arguments may
// end in the result, an app object passed to them may be called
// back, and a result is some object of the declared type.
func (g *solver) general(f FuncID, v ir.Value, m ir.MethodID) {
	b := g.funcs[f].shape.body
	sel := &g.prog.Selectors[g.prog.Methods[m].Sel]
	args := b.ArgsOf(v)
	static := b.Sub[v] == ir.Static
	if dst := g.value(f, v); dst != 0 {
		for _, a := range args {
			if g.flowsOut(b.Type[a], sel.Return) {
				g.copy(dst, g.value(f, a), sel.Return)
			}
		}
		g.opaque(dst, f, v, sel.Return, "")
	}
	for i, a := range args {
		n := g.value(f, a)
		if n == 0 || !static && i == 0 {
			continue
		}
		p := i
		if !static {
			p--
		}
		g.passed(at{f, v}, n, m, sel.Params[p])
	}
}

// flowsOut reports whether an argument of static type a may be a result of
// type r: one is a subtype of the other, and the result is not just any object.
func (g *solver) flowsOut(a, r ir.TypeID) bool {
	if r == ir.TypeObject || a == ir.TypeObject {
		return r == a
	}
	return subtype(g.prog, a, r) || subtype(g.prog, r, a)
}

// opaque adds to n some object of a type.
func (g *solver) opaque(n node, f FuncID, v ir.Value, t ir.TypeID, label string) {
	if n == 0 || t == ir.TypeObject || g.stateless(t) {
		return
	}
	g.add(n, setOf(g.objects.of(Object{Kind: Opaque, Type: t, Func: f, Site: v, Label: label})))
}

// stateless: strings, boxes and the like carry nothing that anybody races on.
func (g *solver) stateless(t ir.TypeID) bool {
	ty := &g.prog.Types[t]
	if t == ir.TypeString || ty.Kind == ir.Array && ty.Class == 0 {
		return true
	}
	return ty.Class != 0 && g.Models.Stateless(g.prog.Classes[ty.Class].Name)
}

// fluent lets builders and the like return their receiver.
func (g *solver) fluent(f FuncID, v ir.Value, ref ir.MethodID) {
	dst := g.value(f, v)
	if dst == 0 {
		return
	}
	m := &g.prog.Methods[ref]
	c := g.Models.Class(g.prog.Classes[m.Class].Name)
	ret := g.prog.Types[g.prog.Selectors[m.Sel].Return].Class
	b := g.funcs[f].shape.body
	if c != nil && c.Fluent && ret != 0 && g.prog.SubclassOf(m.Class, ret) && b.NArgs(v) > 0 && b.Sub[v] != ir.Static {
		g.copy(dst, g.value(f, b.Arg(v, 0)), 0)
	}
}

// initClass makes the static initialiser of a class, and of its supers, run in
// the process's class initialisation, which precedes everything else.
func (g *solver) initClass(c ir.ClassID) {
	for ; c != 0 && !g.inits[c]; c = g.prog.Classes[c].Super {
		g.inits[c] = true
		if o := g.prog.Classes[c].Origin; o == ir.Platform || o == ir.Missing {
			continue
		}
		for _, m := range g.prog.Classes[c].Methods {
			if g.prog.Selectors[g.prog.Methods[m].Sel].Name == "<clinit>" && g.prog.Methods[m].HasCode && !g.cut.cuts(m) {
				g.initFn = append(g.initFn, g.function(m, 0))
			}
		}
	}
}
