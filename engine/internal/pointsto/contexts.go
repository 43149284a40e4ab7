package pointsto

import "github.com/eventraces/eventraces/engine/internal/ir"

// CtxID is the number of a calling context: that of the receiver object under
// which the method runs, 0 for methods that earned none.
type CtxID uint32

// entered is the function that runs when the platform calls method m on object o.
// Entries of actions and callbacks at once have a context for each object of the app
// (action sensitivity; SIERRA section 3.3). What runs on an object that the platform
// makes itself, of which there is one, has one only where other components inherit it.
func (g *solver) entered(m ir.MethodID, o Obj) FuncID {
	return g.function(m, g.entryCtx(m, o))
}

func (g *solver) entryCtx(m ir.MethodID, o Obj) CtxID {
	switch info := g.objects.info(o); info.Kind {
	case Allocated:
		return g.receiverCtx(o)
	case LambdaObj:
		return g.lambdaCtx(m, info)
	}
	return g.inheritedCtx(m, o)
}

// inheritedCtx is the context of a method that several components inherit on one of
// them, whoever calls it: what it makes, such as listeners, belongs to that one.
func (g *solver) inheritedCtx(m ir.MethodID, o Obj) CtxID {
	if g.inherited(m) {
		return g.receiverCtx(o)
	}
	return 0
}

// calledCtx is the context of a method that code calls on some object: of a closure that
// is made under a context too, for what it has captured may be of that context alone.
func (g *solver) calledCtx(m ir.MethodID, o Obj) CtxID {
	if info := g.objects.info(o); info.Kind == Allocated && g.funcs[info.Func].Ctx != 0 && g.closure(info.Class) {
		return g.receiverCtx(o)
	}
	return g.inheritedCtx(m, o)
}

// closure reports whether objects of a class have captured something: the object that
// makes them, or its variables.
func (g *solver) closure(c ir.ClassID) bool {
	known, ok := g.closures[c]
	if !ok {
		for _, f := range g.prog.Classes[c].Fields {
			flags := g.prog.Fields[f].Flags
			known = known || flags&ir.AccStatic == 0 && flags&ir.AccSynthetic != 0
		}
		g.closures[c] = known
	}
	return known
}

// lambdaCtx is the context of a lambda's body: that of the method that makes the
// lambda, if both are on one object.
func (g *solver) lambdaCtx(m ir.MethodID, lambda *Object) CtxID {
	maker := &g.funcs[lambda.Func]
	if maker.Ctx == 0 || g.prog.Methods[m].Flags&ir.AccStatic != 0 || g.prog.ResolveMethod(g.lambdaOf(lambda).Impl) != m {
		return 0
	}
	b := maker.shape.body
	if b.NArgs(lambda.Site) == 0 || !isReceiver(b, b.Arg(lambda.Site, 0)) {
		return 0
	}
	return maker.Ctx
}

// isReceiver reports whether v is what the method runs on.
func isReceiver(b *ir.Body, v ir.Value) bool {
	return b.Op[v] == ir.OpParam && b.Aux[v] == 0
}

// receiverCtx is the context of a method on one object of the app.
func (g *solver) receiverCtx(o Obj) CtxID {
	ctx, ok := g.contexts[o]
	if !ok {
		ctx = g.earned(o)
		g.contexts[o] = ctx
	}
	return ctx
}

func (g *solver) earned(o Obj) CtxID {
	info := g.objects.info(o)
	if info.Class == 0 || g.prog.Classes[info.Class].Origin != ir.App {
		return 0
	}
	switch info.Kind {
	case Allocated:
	case Component, Made, View:
		if g.names.lifecycleOf(info.Class) == nil {
			return 0
		}
	default:
		return 0
	}
	if g.crowded[info.Class] || g.crowds(info) || g.nested(info.Func, info.Class) {
		return 0
	}
	return CtxID(o)
}

// nested bounds the contexts: an object made under the context of an object
// that was itself made under a context earns none, or chains of objects that
// make each other would never end. Nor does an object that one of its own class
// makes, if each runs all branches of their methods: their number would grow by
// powers of the places that make them. Components of the manifest are one a class.
func (g *solver) nested(f FuncID, class ir.ClassID) bool {
	const deepest = 2
	for depth := 0; ; depth++ {
		ctx := g.funcs[f].Ctx
		if ctx == 0 {
			return false
		}
		maker := g.objects.info(Obj(ctx))
		if maker.Kind == Component {
			return false
		}
		if depth == deepest || maker.Class == class && !g.folds(class) {
			return true
		}
		f = maker.Func
	}
}

// folds says whether an object of the class runs its own branches only, by a number
// of its own.
func (g *solver) folds(class ir.ClassID) bool {
	for _, f := range g.prog.Classes[class].Fields {
		const own = ir.AccStatic | ir.AccFinal
		if g.prog.Fields[f].Flags&own == ir.AccFinal && sealed(g.prog, g.Models, f) {
			return true
		}
	}
	return false
}

// makerGroup is classes of the app, none with a lifecycle, that make one another,
// directly or through others of them.
type makerGroup struct {
	classes []ir.ClassID
	places  int // where their methods make one of them
	nested  int // objects of them made under a context
	makes   int // objects that these make, if each earns one, themselves included
}

// Objects that a group may make under nested contexts: a number, and so many more for
// each place. Real code stays well below.
const (
	nestedAtAll    = 256
	nestedPerPlace = 2
)

// crowds: the object, made under a context, is one too many of those that its group of
// classes makes so. Where each of many classes makes several others, a class has as
// many contexts as there are ways to it, a power of the places in each. Then no class
// of the group has any. Solve starts anew without, so what has contexts depends neither
// on the order in which objects are found nor on what else the app has.
func (g *solver) crowds(o *Object) bool {
	if ctx := g.funcs[o.Func].Ctx; ctx == 0 || g.objects.info(Obj(ctx)).Kind == Component {
		return false
	}
	g.nestedOf[o.Class]++
	g.nestedAll++
	if g.nestedAll <= nestedAtAll {
		return false // no group has made so many
	}
	if g.makers == nil {
		g.groupMakers()
	} else if k := g.makers[o.Class]; k != nil {
		k.count(1, g.weight(o.Class))
	}
	k := g.makers[o.Class]
	if k == nil || k.nested <= nestedAtAll || k.makes <= nestedAtAll+nestedPerPlace*k.places {
		return false
	}
	for _, c := range k.classes {
		g.crowded[c] = true
	}
	g.again = true
	return true
}

// count adds n objects, each of which may make so many.
func (k *makerGroup) count(n, weight int) {
	k.nested += n
	k.makes += n * weight
}

// weight is how many objects one of a class may make, itself included.
func (g *solver) weight(c ir.ClassID) int {
	if g.folds(c) {
		return 1
	}
	return 1 + g.makes[c]
}

// groupMakers finds the groups, and how many objects of each there are.
func (g *solver) groupMakers() {
	g.makers, g.makes = map[ir.ClassID]*makerGroup{}, map[ir.ClassID]int{}
	for m := range g.prog.Methods {
		d := &g.prog.Methods[m]
		if !d.HasCode || d.Flags&ir.AccStatic != 0 || !g.earner(d.Class) || g.prog.Selectors[d.Sel].Name == "<init>" {
			continue
		}
		b, err := g.prog.Lift(ir.MethodID(m))
		if err != nil {
			continue
		}
		for v := ir.Value(1); int(v) < b.Len(); v++ {
			if b.Op[v] != ir.OpNew {
				continue
			}
			if c := g.prog.Types[b.Aux[v]].Class; g.earner(c) {
				k := g.join(d.Class, c)
				k.places++
				g.makes[d.Class]++
				for _, heir := range g.prog.Subclasses(d.Class) { // it runs the method too
					g.join(heir, c)
					g.makes[heir]++
				}
			}
		}
	}
	for c, n := range g.nestedOf {
		if k := g.makers[c]; k != nil {
			k.count(n, g.weight(c))
		}
	}
}

// join puts two classes into one group.
func (g *solver) join(a, b ir.ClassID) *makerGroup {
	ka, kb := g.groupOf(a), g.groupOf(b)
	if ka == kb {
		return ka
	}
	if len(ka.classes) < len(kb.classes) {
		ka, kb = kb, ka
	}
	for _, c := range kb.classes {
		g.makers[c] = ka
	}
	ka.classes = append(ka.classes, kb.classes...)
	ka.places += kb.places
	return ka
}

func (g *solver) groupOf(c ir.ClassID) *makerGroup {
	k := g.makers[c]
	if k == nil {
		k = &makerGroup{classes: []ir.ClassID{c}}
		g.makers[c] = k
	}
	return k
}

// manyHeirs is how many classes may inherit methods that have a context for each.
const manyHeirs = 8

// inherited reports whether several classes of components, but not very many, inherit
// a method of the app.
func (g *solver) inherited(m ir.MethodID) bool {
	d := &g.prog.Methods[m]
	if d.Flags&ir.AccStatic != 0 {
		return false
	}
	known, ok := g.bases[d.Class]
	if !ok {
		known = g.prog.Classes[d.Class].Origin == ir.App && g.names.lifecycleOf(d.Class) != nil && g.heirs(d.Class)
		g.bases[d.Class] = known
	}
	return known
}

// heirs reports whether a class is what several classes are, of which there are objects,
// itself included, but not very many.
func (g *solver) heirs(c ir.ClassID) bool {
	n := 0
	for _, heir := range g.prog.Subclasses(c) {
		const accAbstract = 0x400
		if g.prog.Classes[heir].Flags&accAbstract == 0 {
			n++
		}
	}
	return n > 1 && n <= manyHeirs
}

// earner: objects of a class may earn a context.
func (g *solver) earner(c ir.ClassID) bool {
	return c != 0 && g.prog.Classes[c].Origin == ir.App && g.names.lifecycleOf(c) == nil
}
