package pointsto

import "github.com/eventraces/eventraces/engine/internal/ir"

// FieldKey names what an object holds: a positive key is the FieldID of a
// declared field, a negative one a slot of the platform models. Fields of
// platform classes are slots of the same name.
type FieldKey int32

// Content is the key of an array's or container's content.
const Content FieldKey = -1

type fieldAt struct {
	obj Obj
	key FieldKey
}

// slotTable numbers slot names, and static slots by "Class#slot".
type slotTable struct {
	names []string // by -key
	keys  map[string]FieldKey
}

func (t *slotTable) init() {
	t.names = []string{"", "[]"}
	t.keys = map[string]FieldKey{"[]": Content}
}

func (t *slotTable) key(name string) FieldKey {
	k, ok := t.keys[name]
	if !ok {
		k = -FieldKey(len(t.names))
		t.names = append(t.names, name)
		t.keys[name] = k
	}
	return k
}

// FieldOf gives the key of the field that an instruction names, 0 if the field
// is declared nowhere.
func (g *solver) fieldOf(ref ir.FieldID) FieldKey {
	f := g.prog.ResolveField(ref)
	if f == 0 {
		f = ref // unresolved: as named
	}
	decl := &g.prog.Fields[f]
	switch g.prog.Classes[decl.Class].Origin {
	case ir.Platform, ir.Missing:
		if decl.Flags&ir.AccStatic != 0 {
			return g.slots.key(g.prog.Classes[decl.Class].Name + "#" + decl.Name)
		}
		return g.slots.key(decl.Name)
	}
	return FieldKey(f)
}

// field is the variable of field key of object o.
func (g *solver) field(o Obj, key FieldKey) node {
	at := fieldAt{o, key}
	n, ok := g.fields[at]
	if !ok {
		n = g.alloc(1)
		g.fields[at] = n
		g.own(o, key, n)
	}
	return n
}

// static is the variable of a static field or static slot.
func (g *solver) static(key FieldKey) node {
	n, ok := g.statics[key]
	if !ok {
		n = g.alloc(1)
		g.statics[key] = n
	}
	return n
}

// load makes dst include field key of whatever base points to.
type load struct {
	key FieldKey
	dst node
}

func (l load) grew(g *solver, fresh Set) {
	fresh.All(func(o Obj) bool { g.copy(l.dst, g.field(o, l.key), 0); return true })
}

// store makes field key of whatever base points to include src.
type store struct {
	key FieldKey
	src node
}

func (s store) grew(g *solver, fresh Set) {
	fresh.All(func(o Obj) bool { g.copy(g.field(o, s.key), s.src, 0); return true })
}
