package naming

import (
	"cmp"
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// nesting finds where code without a name of its own stands in the source, so
// that it can be named by that: lambdas in any of the forms that compilers give
// them, method references, anonymous classes. What counts is where the object is
// made, which all compilers keep; their numbers do not.
//
// A family is the classes of one source file, known by the outermost of them; it
// is read when something in it is named first.
type nesting struct {
	prog      *ir.Program
	models    *platform.Models
	families  map[string][]ir.ClassID      // the classes of a family
	foreign   map[string][]ir.ClassID      // the classes of other families that hold code of a family
	scanned   map[string]bool              // the families that have been read
	read      map[ir.ClassID]bool          // the classes that have been read
	made      map[string][]maker           // all places of a family's code that make what has no name
	first     map[unnamed]madeAt           // the first place that makes it
	homes     map[ir.MethodID]standing     // memo of home
	lambdas   map[inlinedIn]standing       // memo of lambdaIn
	survivors map[*ir.Frame]ir.MethodID    // memo of surviving
	bodies    map[ir.MethodID][]unnamed    // what forwards to the body of a lambda
	relays    map[ir.MethodID]ir.MethodID  // the method that relays to the body of a lambda
	numbers   map[string]map[homeOf]int    // of a family, the number of each among its equals
	same      map[ir.ClassID]unnamed       // memo of identity
	binaries  map[string]map[string]string // of a family, the binary names of classes by their stable names
	captured  map[ir.FieldID]string        // the names of fields that hold captures
}

// unnamed is what has no name: a class, or an expression that makes an object of an
// interface of a method.
type unnamed struct {
	class  ir.ClassID  // 0 for an expression
	merged int64       // of a class that R8 has merged of several, which of them; 0 for another class
	impl   ir.MethodID // of an expression, the method
	iface  ir.ClassID  // and the interface
}

// madeAt is a place that makes an object of what has no name.
type madeAt struct {
	in    ir.MethodID
	at    ir.Value
	line  int
	field ir.FieldID // the field whose initial value the object is, or is made with; 0 if none
	frame *ir.Frame  // the method that was inlined there, nil if none was
}

// home is a member that the developer wrote: a field, if the object is made for
// it, or else a method. Constructors are one home, since the compiler copies
// initialisers into each.
type home struct {
	class  ir.ClassID  // 0 if the shrinker removed it; gone then names it
	method ir.MethodID // 0 if the program has none; name then names it
	field  ir.FieldID  // 0 for a method
	name   string      // <init> or <clinit>; of a method that was inlined everywhere, or known by its name only, that
	params string      // what is known of the types of such a method's parameters: int,java.lang.String
	gone   string      // the class name if the shrinker removed the class
}

type homeOf struct {
	what unnamed
	home home
}

// maker is a place with what it makes.
type maker struct {
	what unnamed
	madeAt
}

// standing is the home of code, with the places that lead to it from there.
type standing struct {
	home home
	path []madeAt
}

func newNesting(p *ir.Program, models *platform.Models) *nesting {
	n := (&nesting{prog: p, models: models, families: map[string][]ir.ClassID{}, foreign: foreign(p)}).fork()
	for c := 1; c < len(p.Classes); c++ {
		if k := &p.Classes[c]; k.Defined && k.Origin != ir.Platform {
			o := ir.Outermost(k.Name)
			n.families[o] = append(n.families[o], ir.ClassID(c))
		}
	}
	return n
}

// fork is a nesting of the same program that has read nothing yet.
func (n *nesting) fork() *nesting {
	return &nesting{
		prog: n.prog, models: n.models, families: n.families, foreign: n.foreign,
		scanned:   map[string]bool{},
		read:      map[ir.ClassID]bool{},
		made:      map[string][]maker{},
		first:     map[unnamed]madeAt{},
		homes:     map[ir.MethodID]standing{},
		lambdas:   map[inlinedIn]standing{},
		survivors: map[*ir.Frame]ir.MethodID{},
		bodies:    map[ir.MethodID][]unnamed{},
		relays:    map[ir.MethodID]ir.MethodID{},
		numbers:   map[string]map[homeOf]int{},
		same:      map[ir.ClassID]unnamed{},
		binaries:  map[string]map[string]string{},
		captured:  map[ir.FieldID]string{},
	}
}

// lambdaClass reports whether a compiler made the class of this name of a lambda.
func lambdaClass(name string) bool {
	return slices.ContainsFunc(lambdaNames, func(part string) bool { return strings.Contains(name, part) })
}

// lambdaNames are parts of the names that compilers give the classes of lambdas.
var lambdaNames = []string{"$$Lambda$", "$$ExternalSyntheticLambda", "LambdaImpl"}

// isUnnamed reports whether a class has no name in the source or, as a local class,
// none that others can use.
func (n *nesting) isUnnamed(c ir.ClassID) bool {
	k := &n.prog.Classes[c]
	if !k.Defined || k.Origin == ir.Platform {
		return false
	}
	if lambdaClass(k.Name) {
		return true
	}
	_, ok := inMethod(k.Name)
	return ok
}

// isBody reports whether a method holds the code of a lambda, or relays to it.
func (n *nesting) isBody(m ir.MethodID) bool {
	_, ok := ir.LambdaHome(n.name(m))
	return ok
}

// binaryOf is the name in the bytecode of the class of a method.
func (n *nesting) binaryOf(m ir.MethodID) string { return n.prog.Classes[n.prog.Methods[m].Class].Name }

// name is the name of a method in the bytecode.
func (n *nesting) name(m ir.MethodID) string { return n.prog.Selectors[n.prog.Methods[m].Sel].Name }

// scanOf scans the source file of a class.
func (n *nesting) scanOf(c ir.ClassID) { n.scan(ir.Outermost(n.prog.Classes[c].Name)) }

// scan notes what the methods of a source file make and forward to.
func (n *nesting) scan(family string) {
	if n.scanned[family] {
		return
	}
	n.scanned[family] = true
	for _, c := range slices.Concat(n.families[family], n.foreign[family]) {
		if n.read[c] {
			continue
		}
		n.read[c] = true
		for _, m := range n.prog.Classes[c].Methods {
			if !n.prog.Methods[m].HasCode {
				continue
			}
			if b, err := n.prog.Lift(m); err == nil {
				for v := ir.Value(1); int(v) < b.Len(); v++ {
					n.instruction(c, m, b, v)
				}
			}
		}
	}
	for _, c := range n.families[family] {
		w := unnamed{class: c}
		if _, ok := n.first[w]; ok || !n.isUnnamed(c) {
			continue
		}
		if _, m := n.prog.Nesting(c); m != 0 {
			n.note(w, madeAt{in: m})
		}
	}
}

// instruction notes what an instruction of method m of class c makes or calls.
func (n *nesting) instruction(c ir.ClassID, m ir.MethodID, b *ir.Body, v ir.Value) {
	switch b.Op[v] {
	case ir.OpNewLambda:
		l := &n.prog.Lambdas[b.Aux[v]]
		w := unnamed{impl: n.resolve(l.Impl), iface: l.Interface}
		n.note(w, n.place(m, b, v))
		n.bodies[w.impl] = append(n.bodies[w.impl], w)
	case ir.OpNew:
		if k := n.prog.Types[b.Aux[v]].Class; k != 0 && (k != c || n.prog.Frame(b, v) != nil) && n.isUnnamed(k) {
			n.note(unnamed{class: k, merged: n.merged(b, v, k)}, n.place(m, b, v))
		}
	case ir.OpGetStatic: // the one object of a lambda that captures nothing
		f := n.prog.ResolveField(ir.FieldID(b.Aux[v]))
		if f == 0 {
			return
		}
		if k := n.prog.Fields[f].Class; k != c && n.prog.Types[n.prog.Fields[f].Type].Class == k && n.isUnnamed(k) {
			n.note(unnamed{class: k, merged: n.mergedIn(f)}, n.place(m, b, v))
		}
	case ir.OpInvoke:
		n.invoke(c, m, b, v)
	}
}

// invoke notes a call of a lambda's body by its class, and one of the factory
// method that some compilers give such a class.
func (n *nesting) invoke(c ir.ClassID, m ir.MethodID, b *ir.Body, v ir.Value) {
	t := n.resolve(ir.MethodID(b.Aux[v]))
	k := n.prog.Methods[t].Class
	switch {
	case t == 0:
	case k != c && b.Sub[v] == ir.Static && n.isUnnamed(k) && strings.Contains(strings.ToLower(n.name(t)), "factory$"):
		n.note(unnamed{class: k}, n.place(m, b, v))
	case !n.isBody(t) || t == m:
	case n.isBody(m) && n.prog.Methods[m].Flags&ir.AccSynthetic != 0 && strings.HasPrefix(n.name(m), "$"):
		n.relays[t] = m // also in an anonymous class
	case n.isUnnamed(c):
		n.bodies[t] = append(n.bodies[t], unnamed{class: c})
	}
}

// resolve is the method that a reference is to; of a method that the program lacks,
// the reference.
func (n *nesting) resolve(m ir.MethodID) ir.MethodID {
	if r := n.prog.ResolveMethod(m); r != 0 {
		return r
	}
	return m
}

// note keeps a place that makes w: all of them, and the first one, which lies
// with the source of w if any does.
func (n *nesting) note(w unnamed, s madeAt) {
	family := n.familyOf(s)
	n.made[family] = append(n.made[family], maker{w, s})
	n.noteFirst(w, s, family)
	if w.merged != 0 { // the class itself is known by its first place
		n.noteFirst(unnamed{class: w.class}, s, family)
	}
}

// noteFirst keeps the place if it is the first that makes w.
func (n *nesting) noteFirst(w unnamed, s madeAt, family string) {
	old, ok := n.first[w]
	if ok && w.class != 0 {
		own := ir.Outermost(n.prog.Classes[w.class].Name)
		if was, is := n.familyOf(old) == own, family == own; was && !is {
			return
		} else if is && !was {
			ok = false
		}
	}
	if !ok || n.compareSites(s, old) < 0 {
		n.first[w] = s
	}
}

// family is the outermost class of the code of a method.
func (n *nesting) family(m ir.MethodID) string {
	return ir.Outermost(n.binaryOf(m))
}

// deepest bounds lambdas in lambdas; also ends cycles in hostile code.
const deepest = 20

// home is the method of the developer in which the code of m stands, with the
// places that lead to it from there.
func (n *nesting) home(m ir.MethodID) standing { return n.homeAt(m, 0) }

// homeAt is home, with the number of lambdas around that have been gone through.
func (n *nesting) homeAt(m ir.MethodID, depth int) standing {
	at, ok := n.homes[m]
	if !ok {
		at = n.findHome(m, depth)
		n.homes[m] = at
	}
	return at
}

// findHome searches what homeAt keeps.
func (n *nesting) findHome(m ir.MethodID, depth int) standing {
	c, name := n.prog.Methods[m].Class, n.name(m)
	in, isBody := ir.LambdaHome(name)
	if !isBody {
		if strings.HasPrefix(name, "<") {
			return standing{home: home{class: c, name: name}}
		}
		return standing{home: home{class: c, method: m}}
	}
	n.scan(n.family(m))
	if depth < deepest {
		for _, w := range n.bodies[m] {
			if s, ok := n.first[w]; ok {
				return n.placeHome(s, depth+1)
			}
		}
		if r := n.relays[m]; r != 0 {
			return n.homeAt(r, depth+1)
		}
	}
	return standing{home: home{class: c, name: in}}
}

// placeHome is the home of what is made at a place, which ends the path.
func (n *nesting) placeHome(s madeAt, depth int) standing {
	if s.field != 0 {
		return standing{home{class: n.prog.Fields[s.field].Class, field: s.field}, []madeAt{s}}
	}
	at := n.standsIn(s, depth)
	return standing{at.home, append(slices.Clip(at.path), s)}
}

// compareSites orders places as they stand in the source: by line, and on one
// line as in the code. Those of several constructors go by the constructors'
// parameters, since the order of members is no part of any name.
func (n *nesting) compareSites(a, b madeAt) int {
	if a.in == b.in {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.at, b.at))
	}
	members := strings.Compare(n.prog.MethodString(a.in), n.prog.MethodString(b.in))
	if n.name(a.in) == "<init>" && n.name(b.in) == "<init>" {
		return members
	}
	return cmp.Or(cmp.Compare(a.line, b.line), members)
}

// method is a home as outputs name it: a field like a method without parameters.
func (n *nesting) method(h home) finding.Method {
	out := finding.Method{Class: h.gone, Name: h.name, Params: []string{}}
	if h.gone == "" {
		out.Class = n.class(h.class)
	}
	if h.params != "" {
		out.Params = strings.Split(h.params, ",")
	}
	if h.field != 0 {
		out.Name = n.prog.Fields[h.field].Name
	}
	if h.method != 0 {
		m := n.written(h.method)
		out.Class, out.Name, out.Params = n.classOf(h.method), m.Name, m.Params
	}
	return out
}

// class is the stable name of a class.
func (n *nesting) class(c ir.ClassID) string {
	if !n.isUnnamed(c) {
		return n.memberName(c)
	}
	w := unnamed{class: c}
	n.scanOf(c)
	s, ok := n.first[w]
	if !ok {
		return n.prog.Classes[c].Name
	}
	return n.nested(homeOf{w, n.standsAt(w, s).home})
}

// binary is the name in the bytecode of the class with this stable name. Equals
// that only the bytecode tells apart have one, the least of theirs: who compares by
// the stable name finds them equal.
func (n *nesting) binary(stable string, c ir.ClassID) string {
	name := n.prog.Classes[c].Name
	if stable == name {
		return name
	}
	family := ir.Outermost(name)
	if n.binaries[family] == nil {
		n.binaries[family] = map[string]string{}
		for _, k := range n.families[family] {
			equal, named := n.class(k), n.prog.Classes[k].Name
			if least, ok := n.binaries[family][equal]; !ok || named < least {
				n.binaries[family][equal] = named
			}
		}
	}
	if least, ok := n.binaries[family][stable]; ok {
		return least
	}
	return name
}

// nested is the stable name of what stands at a home.
func (n *nesting) nested(h homeOf) string {
	if h.home.class != 0 && h.home.class == h.what.class || n.inside(h.home.class, h.what.class) {
		return n.prog.Classes[h.what.class].Name // hostile: a class that makes itself
	}
	return finding.Nested(n.method(h.home), n.label(h.what), n.number(h))
}

// inside reports whether class c stands, in the end, in what class of makes.
func (n *nesting) inside(c, of ir.ClassID) bool {
	for range deepest {
		if c = n.around(c); of == 0 || c == 0 {
			return false
		}
		if c == of {
			return true
		}
	}
	return true
}

// object is the stable class name of an object; "" if its class has a name.
// Compilers share the class of equal lambdas, so the object's own place counts.
func (n *nesting) object(r *pointsto.Result, o pointsto.Obj) string {
	info := r.Object(o)
	if info.Func == 0 || r.Body(info.Func) == nil {
		return ""
	}
	m := r.Funcs[info.Func].Method
	var w unnamed
	switch info.Kind {
	case pointsto.LambdaObj:
		l := &n.prog.Lambdas[r.Body(info.Func).Aux[info.Site]]
		w = unnamed{impl: n.resolve(l.Impl), iface: l.Interface}
	case pointsto.Allocated:
		if info.Class == 0 || !n.isUnnamed(info.Class) {
			return ""
		}
		w = unnamed{class: info.Class, merged: n.merged(r.Body(info.Func), info.Site, info.Class)}
		if n.prog.Methods[m].Class == info.Class && n.prog.Frame(r.Body(info.Func), info.Site) == nil {
			return n.madeByItself(w)
		}
	default:
		return ""
	}
	return n.nested(homeOf{w, n.standsAt(w, n.place(m, r.Body(info.Func), info.Site)).home})
}
