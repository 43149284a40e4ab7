package pointsto

import (
	"maps"
	"slices"

	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
)

// classFlow is a class that a modelled call puts into a slot, such as the
// component of an intent: a constant, or what is in another slot.
type classFlow struct {
	to    slotOf
	from  slotOf
	class ir.ClassID // 0: what is in from
}

// classConstant is the class that an argument names as a constant, 0 if none.
func (g *solver) classConstant(s Scope, p platform.Place) ir.ClassID {
	return s.classConstant(g.prog, g.funcs, p)
}

func (s Scope) classConstant(prog *ir.Program, funcs []Func, p platform.Place) ir.ClassID {
	if p.Base != platform.Arg || len(p.Slots) > 0 {
		return 0
	}
	v := s.arg(funcs, p.Index)
	if v == 0 {
		return 0
	}
	b := funcs[s.Func].shape.body
	if b.Op[v] != ir.OpConstClass {
		return 0
	}
	return prog.Types[b.Aux[v]].Class
}

// componentSlot is where the models keep the class that an intent names.
const componentSlot = "component"

// classesAt lists the classes that a place names, sorted: by a constant, as the
// value of a slot, or as the component of the intents there.
func (g *solver) classesAt(s Scope, p platform.Place) []ir.ClassID {
	if c := g.classConstant(s, p); c != 0 {
		return []ir.ClassID{c}
	}
	n, slots := g.base(s, p)
	holders := g.now(n)
	in := classSearch{g.classes, g.now, map[ir.ClassID]bool{}}
	for _, slot := range append(slices.Clip(slots), componentSlot) {
		key := g.slots.key(slot)
		in.slot(holders, key, map[int]bool{})
		var next Set
		holders.All(func(o Obj) bool { next = next.Or(g.now(g.fields[fieldAt{o, key}])); return true })
		holders = next
	}
	return slices.Sorted(maps.Keys(in.found))
}

// now is what a variable holds so far.
func (g *solver) now(n node) Set { return g.pts[g.find(n)] }

// classSearch looks for the classes that objects hold in slots.
type classSearch struct {
	flows []classFlow
	held  func(node) Set
	found map[ir.ClassID]bool
}

// slot adds the classes in a slot of some objects; seen are the flows that were
// followed.
func (c *classSearch) slot(holders Set, key FieldKey, seen map[int]bool) {
	for i, f := range c.flows {
		if f.to.key != key || seen[i] || !c.held(f.to.base).Intersects(holders) {
			continue
		}
		seen[i] = true
		if f.class != 0 {
			c.found[f.class] = true
		} else {
			c.slot(c.held(f.from.base), f.from.key, seen)
		}
	}
}

type boundKey struct {
	at
	class ir.ClassID
}

// bindServices lets what the onBind of a started service returns flow to who
// started it. It reports whether anything was new: it runs each time the rest
// has settled, since intents are filled as the solution grows.
func (g *solver) bindServices() bool {
	grown := false
	for _, e := range g.bound {
		if e.Effect.To.Zero() {
			continue
		}
		for _, c := range g.classesAt(e.Scope, e.Effect.Place) {
			key := boundKey{at{e.Func, e.Site}, c}
			o, ok := g.objects.byKey[objKey{kind: Component, typ: g.prog.Classes[c].Type}]
			if g.boundTo[key] || !ok {
				continue
			}
			g.boundTo[key] = true
			grown = true
			g.assign(e.Scope, e.Effect.To, g.field(o, g.slots.key("binder")))
		}
	}
	return grown
}
