package pointsto

import (
	"strconv"

	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
)

// Scope says where an effect happens and what the names in its places mean.
type Scope struct {
	Func   FuncID   // function whose call, or lifecycle, has the effect
	Site   ir.Value // the call; 0 for the effects of a lifecycle
	In     FuncID   // function that performs it: Func, or the platform's own
	this   node
	result node   // of the callback, inside a then
	args   []node // what the arguments are, if the call is made by another model
}

// EffectSite is one effect as it occurs in the program.
type EffectSite struct {
	Scope
	Effect *platform.Effect
}

func (g *solver) scope(f FuncID, v ir.Value) Scope {
	s := Scope{Func: f, Site: v, In: f}
	b := g.funcs[f].shape.body
	if b.Sub[v] != ir.Static && b.NArgs(v) > 0 {
		s.this = g.value(f, b.Arg(v, 0))
	}
	return s
}

// arg gives the value that argument i of the scope's call is, 0 if none.
func (g *solver) arg(s Scope, i int) ir.Value { return s.arg(g.funcs, i) }

func (s Scope) arg(funcs []Func, i int) ir.Value {
	if s.Site == 0 || funcs[s.Func].shape == nil {
		return 0
	}
	b := funcs[s.Func].shape.body
	if b.Sub[s.Site] != ir.Static {
		i++
	}
	if i >= b.NArgs(s.Site) {
		return 0
	}
	return b.Arg(s.Site, i)
}

// place is a variable that holds what a place of scope s may hold; 0 if it
// holds no object.
func (g *solver) place(s Scope, p platform.Place) node {
	n, slots := g.base(s, p)
	for _, slot := range slots {
		if n == 0 {
			return 0
		}
		dst := g.alloc(1)
		g.attach(n, load{g.slots.key(slot), dst})
		n = dst
	}
	return n
}

// base is the variable at which a place begins, and the slots to follow.
func (g *solver) base(s Scope, p platform.Place) (node, []string) {
	switch p.Base {
	case platform.It:
		return g.it(s), p.Slots
	case platform.Static:
		return g.staticPlace(p.Class, p.Slots[0]), p.Slots[1:]
	case platform.New, platform.Main, platform.Current:
		return g.holding(g.objects.of(fixed(g.prog, g.Models, s, p))), p.Slots
	}
	return s.base(g.funcs, p), p.Slots
}

// base is the variable at which a place begins that is a value of the scope.
func (s Scope) base(funcs []Func, p platform.Place) node {
	switch p.Base {
	case platform.This:
		return s.this
	case platform.Arg:
		switch {
		case s.args == nil:
			return funcs[s.Func].value(s.arg(funcs, p.Index))
		case p.Index < len(s.args):
			return s.args[p.Index]
		}
	case platform.Ret:
		if s.Site != 0 && s.args == nil {
			return funcs[s.Func].value(s.Site)
		}
	case platform.Result:
		return s.result
	}
	return 0
}

// fixed is the object that a place is by itself.
func fixed(p *ir.Program, models *platform.Models, s Scope, at platform.Place) Object {
	switch at.Base {
	case platform.Main:
		return Object{Kind: Static, Type: typeOf(p, models.MainLooper), Label: "main looper"}
	case platform.Current:
		return Object{Kind: CurrentLooper, Type: typeOf(p, models.MainLooper), Func: s.In}
	}
	return Object{Kind: Made, Type: typeOf(p, at.Class), Func: s.Func, Site: s.Site, Label: at.Class}
}

// it is the variable of a modelled call for objects that it makes.
func (g *solver) it(s Scope) node {
	key := at{s.Func, s.Site}
	n, ok := g.its[key]
	if !ok {
		n = g.alloc(1)
		g.its[key] = n
	}
	return n
}

func (g *solver) mainLooper() Obj {
	return g.objects.of(fixed(g.prog, g.Models, Scope{}, platform.Place{Base: platform.Main}))
}

// holding is a fresh variable that holds one object.
func (g *solver) holding(o Obj) node {
	n := g.alloc(1)
	g.add(n, setOf(o))
	return n
}

// typeOf is the type of a class named by a model; of one that the program does
// not know, java.lang.Object stands in.
func (g *solver) typeOf(class string) ir.TypeID { return typeOf(g.prog, class) }

func typeOf(p *ir.Program, class string) ir.TypeID {
	if c := p.Lookup(class); c != 0 {
		return p.Classes[c].Type
	}
	return ir.TypeObject
}

// staticPlace is the variable of a static slot of a model.
func (g *solver) staticPlace(class, slot string) node {
	key := g.slots.key(class + "#" + slot)
	_, known := g.statics[key]
	n := g.static(key)
	if !known {
		g.staticSlot(n, key, 0)
	}
	return n
}

// staticSlot fills a static slot with the object that lives there, if the
// models say so, else with some object of the field's type t.
func (g *solver) staticSlot(n node, key FieldKey, t ir.TypeID) {
	name := g.slots.names[-key]
	class, slot := splitStatic(name)
	if c := g.Models.Class(class); c != nil {
		if s := c.Static(slot); s != nil {
			if s.Kind == platform.OwnSlot {
				o := g.objects.of(Object{Kind: Static, Type: g.typeOf(s.Class), Label: name})
				g.madeQueue(o, s)
				g.add(n, setOf(o))
			}
			return
		}
	}
	if t != 0 && t != ir.TypeString && g.prog.Types[t].Kind == ir.Ref {
		g.add(n, setOf(g.objects.of(Object{Kind: Static, Type: t, Label: name})))
	}
}

func splitStatic(name string) (class, slot string) {
	for i := range len(name) {
		if name[i] == '#' {
			return name[:i], name[i+1:]
		}
	}
	return name, ""
}

// own puts into a slot the object that is made and lives with its holder, or that holder.
func (g *solver) own(o Obj, key FieldKey, n node) {
	if key >= Content {
		return
	}
	info := g.objects.info(o)
	if info.Class == 0 {
		return
	}
	slot, _ := g.Models.FindSlot(g.names.supers, g.prog.Classes[info.Class].Name, g.slots.names[-key])
	switch {
	case slot == nil:
	case slot.Kind == platform.HolderSlot:
		if info.Holder != 0 && (slot.Class == "" || subtype(g.prog, g.objects.info(info.Holder).Type, g.typeOf(slot.Class))) {
			g.add(n, setOf(info.Holder))
		}
	case slot.Kind == platform.OwnSlot:
		made := g.objects.of(Object{
			Kind: Made, Type: g.typeOf(slot.Class), Func: info.Func, Site: info.Site,
			Label: slot.Name + " of " + strconv.Itoa(int(o)), Holder: o,
		})
		g.madeQueue(made, slot)
		g.add(n, setOf(made))
	}
}

// assign makes a place include what src holds.
func (g *solver) assign(s Scope, p platform.Place, src node) {
	if src == 0 {
		return
	}
	if p.Base == platform.Static && len(p.Slots) == 1 {
		g.copy(g.staticPlace(p.Class, p.Slots[0]), src, 0)
		return
	}
	n, slots := g.base(s, p)
	if len(slots) == 0 {
		switch p.Base {
		case platform.Ret:
			g.copy(n, src, g.retType(s))
		case platform.It:
			g.copy(n, src, 0)
		}
		return
	}
	for _, slot := range slots[:len(slots)-1] {
		dst := g.alloc(1)
		g.attach(n, load{g.slots.key(slot), dst})
		n = dst
	}
	g.attach(n, store{g.slots.key(slots[len(slots)-1]), src})
}

// retType is the declared type of what the scope's call returns; Object lets
// all pass.
func (g *solver) retType(s Scope) ir.TypeID {
	t := g.funcs[s.Func].shape.body.Type[s.Site]
	if t == ir.TypeObject {
		return 0
	}
	return t
}

// effects applies the effects of a modelled call.
func (g *solver) effects(f FuncID, v ir.Value, es []platform.Effect) {
	g.perform(g.scope(f, v), es)
}

func (g *solver) perform(s Scope, es []platform.Effect) {
	for i := range es {
		g.effect(s, &es[i])
	}
}

func (g *solver) effect(s Scope, e *platform.Effect) {
	switch e.Kind {
	case platform.Copy, platform.Load, platform.Store:
		g.flow(s, e)
		if e.Kind == platform.Copy {
			return
		}
	case platform.Call, platform.Post, platform.Start, platform.Register:
		for _, on := range e.On { // the queue in a slot is made when it is read; a thread's looper by who asks for it
			if len(on.Slots) > 0 && e.Kind != platform.Start {
				g.place(s, on)
			}
		}
		g.callback(s, e)
		return
	case platform.Drive:
		host := g.place(s, e.Host)
		g.attach(g.place(s, e.Place), &driver{s, host})
	case platform.Inflate:
		g.inflate(s, e)
	case platform.Find:
		g.findView(s, e)
	case platform.Create:
		g.create(s, e)
	case platform.StartComponent:
		g.bound = append(g.bound, EffectSite{s, e})
	case platform.Queue:
		g.attach(g.place(s, e.Place), queueKind{e.Queue, g.serialWorkers(s, e)})
	}
	g.sites = append(g.sites, EffectSite{s, e})
}

// flow is a value flow. What ends in a slot is recorded: numbers for message
// codes, classes for the components of intents. A number that comes from
// another slot is not followed.
func (g *solver) flow(s Scope, e *platform.Effect) {
	src := g.place(s, e.From)
	g.assign(s, e.To, src)
	if len(e.To.Slots) == 0 || e.To.Base == platform.Static {
		return
	}
	to := g.slotAt(s, e.To)
	if c := g.classConstant(s, e.From); c != 0 {
		g.classes = append(g.classes, classFlow{to: to, class: c})
		return
	}
	if src != 0 && len(e.From.Slots) > 0 && e.From.Base != platform.Static {
		g.classes = append(g.classes, classFlow{to: to, from: g.slotAt(s, e.From)})
	}
	st := ValueStore{base: to.base, Key: to.key}
	if src == 0 {
		st.Number, st.Known = s.number(g.funcs, e.From)
	}
	g.values = append(g.values, st)
}

// slotOf is a slot of the objects of a variable.
type slotOf struct {
	base node
	key  FieldKey
}

// slotAt is the slot that a place ends in.
func (g *solver) slotAt(s Scope, p platform.Place) slotOf {
	key := g.slots.key(p.Slots[len(p.Slots)-1])
	p.Slots = p.Slots[:len(p.Slots)-1]
	return slotOf{g.place(s, p), key}
}

// number gives the constant that a place holds, if it can be told locally.
func (s Scope) number(funcs []Func, p platform.Place) (int64, bool) {
	switch {
	case p.Base == platform.Null:
		return 0, true
	case p.Base == platform.Const:
		if p.Text == "true" || p.Text == "false" {
			return int64(len("false") - len(p.Text)), true
		}
		n, err := strconv.ParseInt(p.Text, 0, 64)
		return n, err == nil
	case p.Base == platform.Arg && len(p.Slots) == 0 && s.args == nil:
		if v := s.arg(funcs, p.Index); v != 0 {
			return Constant(funcs[s.Func].shape.body, v)
		}
	}
	return 0, false
}

// queueKind notes the kind of queue that the objects of a variable are.
type queueKind struct {
	kind   platform.QueueKind
	serial bool
}

func (q queueKind) grew(g *solver, fresh Set) {
	k := q.kind
	switch {
	case q.serial:
		k = platform.Serial
	case k == platform.NoQueue: // several workers, or an unknown number
		k = platform.Parallel
	}
	fresh.All(func(o Obj) bool { g.isQueue(o, k); return true })
}

func (g *solver) serialWorkers(s Scope, e *platform.Effect) bool {
	n, known := s.number(g.funcs, e.Workers)
	return !e.Workers.Zero() && known && n == 1
}

// madeQueue notes the kind of queue that the object of a slot is.
func (g *solver) madeQueue(o Obj, s *platform.Slot) {
	if s.Queue != platform.NoQueue {
		g.isQueue(o, s.Queue)
	}
}

// isQueue notes the kind of queue that an object is; of one that is made a
// queue in two ways nothing is known about its order.
func (g *solver) isQueue(o Obj, k platform.QueueKind) {
	if old, ok := g.kinds[o]; ok && old != k {
		k = platform.Parallel
	}
	g.kinds[o] = k
}
