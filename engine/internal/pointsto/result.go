package pointsto

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
)

// Result is a solution: call graph, points-to sets and the arms from which
// actions are made. It is plain tables, made once: safe for concurrent use.
type Result struct {
	Prog    *ir.Program
	Models  *platform.Models
	Funcs   []Func   // by FuncID; 0 is unused
	Calls   [][]Call // by caller
	Arms    []*Arm   // in a fixed order
	Sites   []EffectSite
	Nulls   []EffectSite // registrations of null: they end what the slot held
	Inits   []FuncID     // static initialisers
	Broken  []error      // methods that could not be lifted
	Objects int

	sets    []Set // by variable
	objects *objects
	fields  map[fieldAt]node
	statics map[FieldKey]node
	keys    []FieldKey // by ir.FieldID
	slots   slotTable
	its     map[at]node
	open    map[at]bool
	kinds   map[Obj]platform.QueueKind
	ran     map[FuncID][]bool
	numbers map[heldKey]heldNumber
	named   map[ir.ClassID]bool
	classes []classFlow
	consts  map[fieldAt]*constSet
	applies map[appliesKey][]*platform.Method
	names   *nameTable
	roots   []ComponentRoot
	size    size

	modelCalls map[Call][]EffectSite
}

// size is how large the constraint graph was.
type size struct{ variables, merged, edges int }

type constSet struct {
	numbers []int64
	unknown bool
}

func (r *Result) pts(n node) Set { return r.sets[n] }

// Object describes an abstract object.
func (r *Result) Object(o Obj) *Object { return r.objects.info(o) }

// EachObject yields the abstract objects.
func (r *Result) EachObject(yield func(Obj)) {
	for b, infos := range r.objects.infos {
		for i := range infos {
			yield(Obj(b<<blockShift | i))
		}
	}
}

// Body is the code of a function, nil for the platform's own.
func (r *Result) Body(f FuncID) *ir.Body {
	if s := r.Funcs[f].shape; s != nil {
		return s.body
	}
	return nil
}

// Summary reports whether a function is one of a dependency that the library
// cut leaves as a summary.
func (r *Result) Summary(f FuncID) bool {
	s := r.Funcs[f].shape
	return s != nil && s.slice
}

// PointsTo is what value v of function f may be.
func (r *Result) PointsTo(f FuncID, v ir.Value) Set { return r.pts(r.Funcs[f].value(v)) }

// Open reports whether the call at v of f may execute something else than the
// callees in Calls: the receiver may have a method that is out of sight.
func (r *Result) Open(f FuncID, v ir.Value) bool { return r.open[at{f, v}] }

// MayReflect reports whether objects of a class may be filled by reflection: they may be read back
// from a file, or code names the class, which for what the platform makes is no more than to
// ask for it.
func (r *Result) MayReflect(c ir.ClassID) bool {
	for _, name := range r.Models.Serialized {
		if k := r.Prog.Lookup(name); k != 0 && r.Prog.SubclassOf(c, k) {
			return true
		}
	}
	return r.named[c] && !slices.ContainsFunc(r.roots, func(root ComponentRoot) bool { return root.Class == c })
}

// Numbers lists the constants that are stored into a slot of an object; not ok if something else
// may be, or nothing is.
func (r *Result) Numbers(o Obj, key FieldKey) ([]int64, bool) {
	c := r.consts[fieldAt{o, key}]
	if c == nil || c.unknown {
		return nil, false
	}
	return c.numbers, true
}

// ModelCalls lists the effects by which models make a call.
func (r *Result) ModelCalls(c Call) []EffectSite { return r.modelCalls[c] }

// Returned is what function f may return.
func (r *Result) Returned(f FuncID) Set { return r.pts(r.Funcs[f].returned()) }

// FieldKeyOf gives the key of the field that an instruction names.
func (r *Result) FieldKeyOf(ref ir.FieldID) FieldKey { return r.keys[ref] }

// Slot gives the key of a slot name, noKey if neither the solution nor an effect in
// it has that slot.
func (r *Result) Slot(name string) FieldKey {
	if k, ok := r.slots.keys[name]; ok {
		return k
	}
	return noKey
}

// noKey is the key of no slot: nothing holds anything there.
const noKey = FieldKey(math.MinInt32)

// Held is what field key of object o may hold.
func (r *Result) Held(o Obj, key FieldKey) Set { return r.pts(r.fields[fieldAt{o, key}]) }

// StaticHeld is what a static field or slot may hold.
func (r *Result) StaticHeld(key FieldKey) Set { return r.pts(r.statics[key]) }

// KeyName names a field key for people: "com.a.B.f", or the slot's name.
func (r *Result) KeyName(k FieldKey) string {
	switch {
	case k == noKey:
		return "?"
	case k < 0:
		return r.slots.names[-k]
	}
	f := &r.Prog.Fields[k]
	return r.Prog.Classes[f.Class].Name + "." + f.Name
}

// HeapEdge says that field Key of From may hold the objects To.
type HeapEdge struct {
	From Obj // 0 for a static field
	Key  FieldKey
	To   Set
}

// Heap lists what every field and static field may hold, sorted.
func (r *Result) Heap() []HeapEdge {
	out := make([]HeapEdge, 0, len(r.fields)+len(r.statics))
	for at, n := range r.fields {
		if s := r.pts(n); !s.Empty() {
			out = append(out, HeapEdge{at.obj, at.key, s})
		}
	}
	for k, n := range r.statics {
		if s := r.pts(n); !s.Empty() {
			out = append(out, HeapEdge{0, k, s})
		}
	}
	slices.SortFunc(out, func(a, b HeapEdge) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Key, b.Key)) })
	return out
}

// Eval is what a place of an effect may hold. Arms and effect sites are scopes.
func (r *Result) Eval(s Scope, p platform.Place) Set {
	held, slots := r.base(s, p)
	return r.follow(held, slots)
}

// base is what a place begins with, and the slots to follow.
func (r *Result) base(s Scope, p platform.Place) (Set, []string) {
	switch p.Base {
	case platform.New, platform.Main, platform.Current:
		o := fixed(r.Prog, r.Models, s, p)
		if id := r.objects.byKey[o.key()]; id != 0 {
			return setOf(id), p.Slots
		}
		return Set{}, nil
	case platform.Static:
		return r.StaticHeld(r.Slot(p.Class + "#" + p.Slots[0])), p.Slots[1:]
	case platform.It:
		return r.pts(r.its[at{s.Func, s.Site}]), p.Slots
	}
	return r.pts(s.base(r.Funcs, p)), p.Slots
}

func (r *Result) follow(s Set, slots []string) Set {
	for _, slot := range slots {
		var next Set
		key := r.Slot(slot)
		s.All(func(o Obj) bool { next, _ = next.union(r.Held(o, key)); return true })
		s = next
	}
	return s
}

// Host is what a driven object lives in.
func (r *Result) Host(a *Arm) Set { return r.pts(a.Host) }

// Number gives the constant that a place holds, if one can be told.
func (r *Result) Number(s Scope, p platform.Place) (int64, bool) {
	if n, ok := s.number(r.Funcs, p); ok || len(p.Slots) == 0 {
		return n, ok
	}
	base := p
	base.Slots = p.Slots[:len(p.Slots)-1]
	key := r.Slot(p.Slots[len(p.Slots)-1])
	var n int64
	found, ok := false, true
	r.Eval(s, base).All(func(o Obj) bool {
		c := r.consts[fieldAt{o, key}]
		switch {
		case c == nil || c.unknown || len(c.numbers) != 1, found && n != c.numbers[0]:
			ok = false
		default:
			n, found = c.numbers[0], true
		}
		return ok
	})
	return n, ok && found
}

// QueueKind tells how an object runs what it is given: as an effect made it,
// else as the model of its class says.
func (r *Result) QueueKind(o Obj) platform.QueueKind {
	if k, ok := r.kinds[o]; ok {
		return k
	}
	c := r.Object(o).Class
	if c == 0 {
		return platform.NoQueue
	}
	return r.Models.QueueOf(r.names.supers, r.Prog.Classes[c].Name)
}

// Process is the process in which the system runs a component class: "" the
// app's own, "*" every one.
func (r *Result) Process(c ir.ClassID) string {
	for _, root := range r.roots {
		if root.Class == c {
			return root.Process
		}
	}
	return ""
}

// Lifecycle is the automaton of a class, nil if it has none.
func (r *Result) Lifecycle(c ir.ClassID) *platform.Lifecycle { return r.names.lifecycleOf(c) }

// ModelsOf finds the models of the method that an invoke names.
func (r *Result) ModelsOf(ref ir.MethodID) []*platform.Method { return r.names.modelsOf(ref) }

// Supers gives the names of the direct supertypes of a class: a
// platform.Hierarchy.
func (r *Result) Supers(class string) []string { return r.names.supers(class) }

// Arg gives the value that is argument i of a scope's call, 0 if there is none.
func (r *Result) Arg(s Scope, i int) ir.Value { return s.arg(r.Funcs, i) }

// MethodName names a function: "com.a.B.m(int)", or the platform's own.
func (r *Result) MethodName(f FuncID) string {
	if m := r.Funcs[f].Method; m != 0 {
		return r.Prog.MethodString(m)
	}
	return "platform"
}

func (r *Result) siteString(f FuncID, v ir.Value) string {
	if f == 0 || int(f) >= len(r.Funcs) {
		return "platform"
	}
	line := 0
	if b := r.Body(f); b != nil && v > 0 && int(v) < b.Len() {
		line = b.Line(v)
	}
	return fmt.Sprintf("%s:%d", r.MethodName(f), line)
}

// Classes yields the classes that a place names: by a constant, as the value of a
// slot, or as the component of the intents there.
func (r *Result) Classes(s Scope, p platform.Place, yield func(ir.ClassID)) {
	if c := s.classConstant(r.Prog, r.Funcs, p); c != 0 {
		yield(c)
		return
	}
	holders, slots := r.base(s, p)
	in := classSearch{r.classes, r.pts, map[ir.ClassID]bool{}}
	for _, slot := range append(slices.Clip(slots), componentSlot) {
		in.slot(holders, r.Slot(slot), map[int]bool{})
		holders = r.follow(holders, []string{slot})
	}
	for _, c := range slices.Sorted(maps.Keys(in.found)) {
		yield(c)
	}
}

// Applies reports whether an effect of a call on its receiver holds for object
// o: not if o's own class has another model of the method, such as a map that
// locks by itself.
func (r *Result) Applies(e *EffectSite, o Obj) bool {
	b := r.Body(e.Func)
	info := r.Object(o)
	if b == nil || e.Site <= 0 || b.Op[e.Site] != ir.OpInvoke || info.Class == 0 {
		return true
	}
	m := &r.Prog.Methods[b.Aux[e.Site]]
	if m.Class == info.Class {
		return true
	}
	key := appliesKey{info.Class, m.Sel}
	models, ok := r.applies[key]
	if !ok {
		models = r.names.modelsFor(info.Class, m.Sel)
	}
	if len(models) == 0 {
		return true
	}
	for _, x := range models {
		for i := range x.Effects {
			if &x.Effects[i] == e.Effect {
				return true
			}
		}
	}
	return false
}

type appliesKey struct {
	class ir.ClassID
	sel   ir.SelectorID
}
