package pointsto

import (
	"fmt"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

// ObjKind says where an abstract object comes from.
type ObjKind uint8

// Kinds of abstract objects.
const (
	Allocated     ObjKind = iota // by an instruction of a function
	Component                    // the one abstract object of a component class
	Made                         // by a platform model's effect ("new C") at a call
	Opaque                       // returned or passed by code we do not see: its class is at most Type
	View                         // inflated: one object per view id
	Static                       // a platform object named by a model (main looper, ...)
	CurrentLooper                // the looper of the thread that runs Func
	LambdaObj                    // by an OpNewLambda instruction
)

// Object describes an abstract object.
type Object struct {
	Kind  ObjKind
	Type  ir.TypeID
	Class ir.ClassID // of Type, 0 for arrays
	Func  FuncID     // Allocated, Made, Opaque, LambdaObj: where; 0 otherwise
	Site  ir.Value
	Label string // Static: the model's name; View: the id's name; Made, Opaque: what the effect or call makes
	// Holder is the object that a Made one lives with, in one of its slots.
	Holder Obj
}

// blockKey tells objects apart that may not share a block.
type blockKey struct {
	typ    ir.TypeID
	opaque bool
}

// objects numbers abstract objects so that the members of a block have one
// type and one exactness, and answers type filters per block.
type objects struct {
	prog   *ir.Program
	blocks []blockKey // by block number; block 0 is unused
	infos  [][]Object // by block number
	open   map[blockKey]uint32
	byKey  map[objKey]Obj
	memo   map[filterKey]bool
}

type objKey struct {
	kind  ObjKind
	fn    FuncID
	site  ir.Value
	typ   ir.TypeID
	label string
}

func (o *Object) key() objKey { return objKey{o.Kind, o.Func, o.Site, o.Type, o.Label} }

type filterKey struct {
	blockKey
	filter ir.TypeID
}

func newObjects(p *ir.Program) *objects {
	return &objects{
		prog: p, blocks: make([]blockKey, 1), infos: make([][]Object, 1),
		open: map[blockKey]uint32{}, byKey: map[objKey]Obj{}, memo: map[filterKey]bool{},
	}
}

// of returns the number of the object o, new or known.
func (os *objects) of(o Object) Obj {
	key := o.key()
	if id, ok := os.byKey[key]; ok {
		return id
	}
	o.Class = os.prog.Types[o.Type].Class
	bk := blockKey{o.Type, o.Kind == Opaque || o.Kind == View}
	b, ok := os.open[bk]
	if !ok || len(os.infos[b]) == 1<<blockShift {
		b = uint32(len(os.blocks))
		os.blocks = append(os.blocks, bk)
		os.infos = append(os.infos, nil)
		os.open[bk] = b
	}
	id := Obj(b<<blockShift | uint32(len(os.infos[b])))
	os.infos[b] = append(os.infos[b], o)
	os.byKey[key] = id
	return id
}

func (os *objects) info(o Obj) *Object { return &os.infos[o.block()][o&63] }

// passes reports whether the objects of a block may be of type filter.
func (os *objects) passes(block uint32, filter ir.TypeID) bool {
	key := filterKey{os.blocks[block], filter}
	ok, known := os.memo[key]
	if !known {
		ok = os.mayBe(key.blockKey, filter)
		os.memo[key] = ok
	}
	return ok
}

// mayBe decides a filter: an exact object passes if its type is a subtype; an
// opaque one also if the filter may be its real type.
func (os *objects) mayBe(k blockKey, filter ir.TypeID) bool {
	if subtype(os.prog, k.typ, filter) {
		return true
	}
	if !k.opaque {
		return false
	}
	f, t := os.prog.Types[filter], os.prog.Types[k.typ]
	if f.Class == 0 || t.Class == 0 {
		return subtype(os.prog, filter, k.typ)
	}
	const accInterface, accFinal = 0x200, 0x10
	cf, ct := os.prog.Classes[f.Class], os.prog.Classes[t.Class]
	return os.prog.SubclassOf(f.Class, t.Class) || // the real class may be the filter or below it
		(cf.Flags&accInterface != 0 && ct.Flags&accFinal == 0) || ct.Flags&accInterface != 0
}

// subtype reports whether a value of type a can be held by a variable of type b.
func subtype(p *ir.Program, a, b ir.TypeID) bool {
	if a == b {
		return true
	}
	ta, tb := p.Types[a], p.Types[b]
	switch {
	case tb.Class == ir.ClassObject:
		return true
	case tb.Kind == ir.Array && ta.Kind == ir.Array:
		return subtype(p, ta.Elem, tb.Elem)
	case ta.Class != 0 && tb.Class != 0:
		// A class that is not in the program could be a subclass of anything.
		return p.SubclassOf(ta.Class, tb.Class)
	}
	return false
}

// String names the object for dumps: "new com.a.B @ com.a.C.m():12".
func (s *Result) ObjectString(o Obj) string {
	i := s.objects.info(o)
	name := s.Prog.Types[i.Type].Desc
	if i.Class != 0 {
		name = s.Prog.Classes[i.Class].Name
	}
	switch i.Kind {
	case Component:
		return "component " + name
	case View:
		return "view " + i.Label + " " + name
	case Static:
		return i.Label
	case Opaque:
		return fmt.Sprintf("some %s @ %s", name, s.siteString(i.Func, i.Site))
	}
	return fmt.Sprintf("new %s @ %s", name, s.siteString(i.Func, i.Site))
}
