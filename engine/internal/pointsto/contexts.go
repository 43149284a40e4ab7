package pointsto

import "github.com/eventraces/eventraces/engine/internal/ir"

// CtxID is the number of a calling context: that of the receiver object under
// which the method runs, 0 for methods that earned none.
type CtxID uint32

// receiverCtx is the context of a method on one object of the app: entries of
// actions, callbacks that the platform runs at once, and what these call on the
// same object earn it (action sensitivity; SIERRA section 3.3). The one object
// of a component needs no context of its own.
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
	if info.Kind != Allocated || info.Class == 0 || g.prog.Classes[info.Class].Origin != ir.App {
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
// powers of the places that make them.
func (g *solver) nested(f FuncID, class ir.ClassID) bool {
	const deepest = 2
	for depth := 0; ; depth++ {
		ctx := g.funcs[f].Ctx
		if ctx == 0 {
			return false
		}
		maker := g.objects.info(Obj(ctx))
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
	if g.funcs[o.Func].Ctx == 0 {
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

// earner: objects of a class may earn a context.
func (g *solver) earner(c ir.ClassID) bool {
	return c != 0 && g.prog.Classes[c].Origin == ir.App && g.names.lifecycleOf(c) == nil
}
