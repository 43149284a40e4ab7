package pointsto

import "github.com/eventraces/eventraces/engine/internal/ir"

// cutLook looks through one method for a reason to analyse it, and collects
// where else one may be.
type cutLook struct {
	c  *libraryCut
	p  *ir.Program
	b  *ir.Body
	to []cutNode
}

func (l *cutLook) instructions() (reason bool) {
	for v := ir.Value(1); int(v) < l.b.Len(); v++ {
		if l.instruction(v) {
			return true
		}
	}
	return false
}

func (l *cutLook) instruction(v ir.Value) (reason bool) {
	b := l.b
	switch b.Op[v] {
	case ir.OpInvoke:
		return l.invoke(v)
	case ir.OpInvokeCustom:
		return true
	case ir.OpNew:
		k := l.p.Types[b.Aux[v]].Class
		return l.p.Classes[k].Origin == ir.App || l.initialises(k)
	case ir.OpNewLambda:
		return l.lambda(v)
	case ir.OpGetField:
		return l.field(ir.FieldID(b.Aux[v]))
	case ir.OpPutField:
		return l.field(ir.FieldID(b.Aux[v])) || l.matters(b.Arg(v, 1))
	case ir.OpGetStatic:
		return l.field(ir.FieldID(b.Aux[v])) || l.initialises(l.p.Fields[b.Aux[v]].Class)
	case ir.OpPutStatic:
		return l.field(ir.FieldID(b.Aux[v])) || l.initialises(l.p.Fields[b.Aux[v]].Class) || l.matters(b.Arg(v, 0))
	case ir.OpArrayGet, ir.OpArrayPut:
		op := b.Op[b.Arg(v, 0)]
		return op != ir.OpNewArray && op != ir.OpFilledArray // nobody else sees an array of its own
	case ir.OpReturn:
		return b.NArgs(v) == 1 && !l.passes(b.Arg(v, 0), 0) && l.matters(b.Arg(v, 0))
	}
	return false
}

// lambda: one that calls the app, or holds a value that matters.
func (l *cutLook) lambda(v ir.Value) (reason bool) {
	m := l.p.ResolveMethod(l.p.Lambdas[l.b.Aux[v]].Impl)
	if m != 0 && l.p.Classes[l.p.Methods[m].Class].Origin == ir.App {
		return true
	}
	for _, a := range l.b.ArgsOf(v) {
		if l.matters(a) {
			return true
		}
	}
	return false
}

// field: a field that code of the app, or a model, can name.
func (l *cutLook) field(ref ir.FieldID) (reason bool) {
	f := l.p.ResolveField(ref)
	if f == 0 {
		return false
	}
	d := &l.p.Fields[f]
	switch l.p.Classes[d.Class].Origin {
	case ir.Dependency:
		return l.c.named(f)
	case ir.Platform, ir.Missing:
		return d.Flags&ir.AccFinal == 0 || d.Flags&ir.AccStatic != 0 && l.c.known[d.Class]
	}
	return true
}

// initialises: the static initialiser of a class runs, and those of its supers.
func (l *cutLook) initialises(k ir.ClassID) (reason bool) {
	for ; k != 0 && l.p.Classes[k].Origin != ir.Platform; k = l.p.Classes[k].Super {
		if l.p.Classes[k].Origin == ir.App {
			return true
		}
		for _, m := range l.p.Classes[k].Methods {
			if l.p.Methods[m].HasCode && l.p.Selectors[l.p.Methods[m].Sel].Name == "<clinit>" {
				l.to = append(l.to, cutNode(m))
			}
		}
	}
	return false
}

// passes: v is what the method was passed, or null, whatever way it takes.
func (l *cutLook) passes(v ir.Value, depth int) bool {
	const maxDepth = 4 // of merges in merges
	switch l.b.Op[v] {
	case ir.OpParam, ir.OpConstNull, ir.OpConstString, ir.OpConstClass:
		return true
	case ir.OpCheckCast:
		return l.passes(l.b.Arg(v, 0), depth)
	case ir.OpPhi:
		for _, a := range l.b.ArgsOf(v) {
			if depth == maxDepth || !l.passes(a, depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

// matters: v may be an object that an access or a callback can be about.
func (l *cutLook) matters(v ir.Value) bool {
	switch l.b.Op[v] {
	case ir.OpConstNull, ir.OpConstString, ir.OpConstClass:
		return false
	}
	return l.typeMatters(l.b.Type[v])
}

func (l *cutLook) typeMatters(t ir.TypeID) bool {
	ty := &l.p.Types[t]
	switch {
	case t == 0 || !ty.Kind.Reference() || ty.Kind == ir.Null:
		return false
	case ty.Kind == ir.Array || ty.Class == 0 || ty.Class == ir.ClassObject:
		return true
	case l.c.g.stateless(t):
		return l.c.app(ty.Class)
	}
	n := -cutNode(ty.Class)
	switch l.c.nodes[n] {
	case analysed:
		return true
	case summary:
		return false
	}
	l.to = append(l.to, n)
	return false
}

// invoke looks at a call as the constraints of calls do.
func (l *cutLook) invoke(v ir.Value) (reason bool) {
	b := l.b
	ref := ir.MethodID(b.Aux[v])
	if len(l.c.g.names.modelsOf(ref)) > 0 {
		return true
	}
	m := ref
	if d := l.p.ResolveMethod(ref); d != 0 {
		m = d
	}
	d := &l.p.Methods[m]
	origin := l.p.Classes[d.Class].Origin
	switch {
	case origin == ir.App:
		return true
	case origin != ir.Dependency || !d.HasCode && b.Sub[v] != ir.Virtual && b.Sub[v] != ir.Interface:
		if l.calledBack(v, m) {
			return true
		}
	}
	switch b.Sub[v] {
	case ir.Static, ir.Direct, ir.Super:
		if b.Sub[v] == ir.Static && l.initialises(d.Class) {
			return true
		}
		if d.HasCode {
			l.to = append(l.to, cutNode(m))
		}
	case ir.Virtual, ir.Interface:
		r := l.c.called(l.p.Methods[ref].Class, d.Sel)
		l.to = append(l.to, r.to...)
		return r.reason
	}
	return false
}

// calledBack: the general rule may find an app object, or a lambda, among the
// arguments.
func (l *cutLook) calledBack(v ir.Value, m ir.MethodID) bool {
	for _, t := range l.p.Selectors[l.p.Methods[m].Sel].Params {
		ty := &l.p.Types[t]
		if ty.Kind != ir.Ref || ty.Class == 0 || ty.Class == ir.ClassObject {
			continue
		}
		if l.c.app(ty.Class) {
			return true
		}
		for _, k := range l.c.lambdasOf(ty.Class) {
			if l.c.lambdaMethods(k, &l.to) {
				return true
			}
		}
	}
	return false
}
