package pointsto

import (
	"slices"
	"strconv"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
)

// nameTable joins the program's numbers to the names in the platform models.
type nameTable struct {
	prog      *ir.Program
	models    *platform.Models
	byMethod  map[ir.MethodID][]*platform.Method
	byName    map[string][]ir.SelectorID
	callbacks map[callbackKey][]ir.SelectorID
	overrides map[overrideKey][]ir.SelectorID
	lifecycle map[ir.ClassID]*platform.Lifecycle
	merged    map[*platform.Lifecycle]*platform.Lifecycle
	typeNames map[ir.TypeID]string
	frozen    bool                           // no table grows any more: what is in none is computed anew
	writers   map[ir.SelectorID][]ir.ClassID // app classes and lambda interfaces, by what they implement in code
}

type callbackKey struct {
	name, params string
}

type overrideKey struct{ class, of ir.ClassID }

func newNameTable(p *ir.Program, m *platform.Models) *nameTable {
	t := &nameTable{
		prog: p, models: m,
		byMethod: map[ir.MethodID][]*platform.Method{}, byName: map[string][]ir.SelectorID{},
		callbacks: map[callbackKey][]ir.SelectorID{}, overrides: map[overrideKey][]ir.SelectorID{},
		lifecycle: map[ir.ClassID]*platform.Lifecycle{}, typeNames: map[ir.TypeID]string{}, merged: map[*platform.Lifecycle]*platform.Lifecycle{},
	}
	for s := 1; s < len(p.Selectors); s++ {
		n := p.Selectors[s].Name
		t.byName[n] = append(t.byName[n], ir.SelectorID(s))
	}
	return t
}

// typeName is the dotted name of a type, arrays with [].
func (t *nameTable) typeName(id ir.TypeID) string {
	name, ok := t.typeNames[id]
	if ok {
		return name
	}
	ty := t.prog.Types[id]
	switch {
	case ty.Kind == ir.Array:
		name = t.typeName(ty.Elem) + "[]"
	case ty.Class != 0:
		name = t.prog.Classes[ty.Class].Name
	default:
		name = map[ir.Kind]string{ir.Void: "void", ir.Boolean: "boolean", ir.Byte: "byte", ir.Short: "short",
			ir.Char: "char", ir.Int: "int", ir.Long: "long", ir.Float: "float", ir.Double: "double"}[ty.Kind]
	}
	if !t.frozen {
		t.typeNames[id] = name
	}
	return name
}

func (t *nameTable) params(s ir.SelectorID) []string {
	sel := &t.prog.Selectors[s]
	out := make([]string, len(sel.Params))
	for i, p := range sel.Params {
		out[i] = t.typeName(p)
	}
	return out
}

// supers gives the names of the direct supertypes of a class.
func (t *nameTable) supers(name string) []string {
	id := t.prog.Lookup(name)
	if id == 0 {
		return nil
	}
	c := &t.prog.Classes[id]
	var out []string
	if c.Super != 0 {
		out = append(out, t.prog.Classes[c.Super].Name)
	}
	for _, i := range c.Interfaces {
		out = append(out, t.prog.Classes[i].Name)
	}
	return out
}

// modelsOf finds the models of the method that an invoke names.
func (t *nameTable) modelsOf(ref ir.MethodID) []*platform.Method {
	got, ok := t.byMethod[ref]
	if ok {
		return got
	}
	m := &t.prog.Methods[ref]
	class := t.prog.Classes[m.Class].Name
	if name := t.prog.Selectors[m.Sel].Name; name == "<init>" || m.Flags&ir.AccStatic != 0 {
		if d := t.prog.ResolveMethod(ref); d != 0 {
			class = t.prog.Classes[t.prog.Methods[d].Class].Name
		}
	}
	got = t.models.For(t.supers, class, t.prog.Selectors[m.Sel].Name, t.params(m.Sel))
	if !t.frozen {
		t.byMethod[ref] = got
	}
	return got
}

// modelsFor finds the models of a method by the class of its receiver.
func (t *nameTable) modelsFor(c ir.ClassID, sel ir.SelectorID) []*platform.Method {
	return t.models.For(t.supers, t.prog.Classes[c].Name, t.prog.Selectors[sel].Name, t.params(sel))
}

// lifecycleOf is the automaton of a class, nil if it has none.
func (t *nameTable) lifecycleOf(c ir.ClassID) *platform.Lifecycle {
	l, ok := t.lifecycle[c]
	if !ok {
		if l = t.models.Lifecycle(t.supers, t.prog.Classes[c].Name); l != nil {
			l = t.mergedOf(l)
		}
		if !t.frozen {
			t.lifecycle[c] = l
		}
	}
	return l
}

// mergedOf is the lifecycle with equal callbacks merged, one for each lifecycle.
func (t *nameTable) mergedOf(l *platform.Lifecycle) *platform.Lifecycle {
	m := t.merged[l]
	if m == nil {
		m = merged(l)
		if !t.frozen {
			t.merged[l] = m
		}
	}
	return m
}

// selectors lists the selectors that a callback of a model may mean.
func (t *nameTable) selectors(cb *platform.Callback) []ir.SelectorID {
	key := callbackKey{cb.Name, strings.Join(cb.Params, ",")}
	if cb.Params == nil {
		key.params = "*"
		if !cb.AnyArgs {
			key.params = strconv.Itoa(len(cb.Args))
		}
	}
	got, ok := t.callbacks[key]
	if ok {
		return got
	}
	for _, s := range t.byName[cb.Name] {
		switch {
		case cb.Params != nil && strings.Join(t.params(s), ",") != key.params:
		case cb.Params == nil && !cb.AnyArgs && len(t.prog.Selectors[s].Params) != len(cb.Args):
		default:
			got = append(got, s)
		}
	}
	t.callbacks[key] = got
	return got
}

// overriding lists the selectors that class c implements in code although a
// platform or dependency type of it declares them: the supertypes of `of`, or
// all of c's if that is 0. Methods of java.lang.Object do not count.
func (t *nameTable) overriding(c, of ir.ClassID) []ir.SelectorID {
	key := overrideKey{c, of}
	got, ok := t.overrides[key]
	if ok {
		return got
	}
	own := t.written(c)
	seen := map[ir.SelectorID]bool{}
	visited := map[ir.ClassID]bool{}
	var visit func(k ir.ClassID)
	visit = func(k ir.ClassID) {
		if k == 0 || k == ir.ClassObject || visited[k] {
			return
		}
		visited[k] = true
		kc := &t.prog.Classes[k]
		if kc.Origin != ir.App && (of == 0 || t.prog.SubclassOf(of, k)) {
			for _, s := range own {
				if m := t.prog.DeclaredMethod(k, s); m != 0 && !seen[s] && t.overridable(m) {
					seen[s] = true
					if d := t.prog.Dispatch(c, s); d != 0 && t.prog.Methods[d].HasCode && t.prog.Classes[t.prog.Methods[d].Class].Origin == ir.App {
						got = append(got, s)
					}
				}
			}
		}
		visit(kc.Super)
		for _, i := range kc.Interfaces {
			visit(i)
		}
	}
	visit(c)
	t.overrides[key] = got
	return got
}

// written lists the selectors that the app's classes from c upwards have code
// for, sorted: few, where a class of the framework declares hundreds.
func (t *nameTable) written(c ir.ClassID) []ir.SelectorID {
	var out []ir.SelectorID
	add := func(k ir.ClassID) {
		if t.prog.Classes[k].Origin != ir.App {
			return
		}
		for _, m := range t.prog.Classes[k].Methods {
			if t.prog.Methods[m].HasCode {
				out = append(out, t.prog.Methods[m].Sel)
			}
		}
	}
	for k := c; k != 0; k = t.prog.Classes[k].Super {
		add(k)
	}
	for _, i := range t.prog.Interfaces(c) {
		add(i)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// overridable reports whether a method is one that a subclass can override and
// that java.lang.Object does not declare.
func (t *nameTable) overridable(m ir.MethodID) bool {
	d := &t.prog.Methods[m]
	if d.Flags&(ir.AccStatic|ir.AccPrivate|ir.AccFinal) != 0 || strings.HasPrefix(t.prog.Selectors[d.Sel].Name, "<") {
		return false
	}
	return t.prog.Dispatch(ir.ClassObject, d.Sel) == 0
}

// overridden keeps the selectors that a platform or dependency supertype of c
// declares: of a method and its bridge, the one that the framework calls. If
// none is declared in sight, all stay.
func (t *nameTable) overridden(c ir.ClassID, sels []ir.SelectorID) []ir.SelectorID {
	if len(sels) < 2 {
		return sels
	}
	var out []ir.SelectorID
	for _, s := range sels {
		if t.declaredAbove(c, s, map[ir.ClassID]bool{}) {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return sels
	}
	return out
}

func (t *nameTable) declaredAbove(c ir.ClassID, s ir.SelectorID, seen map[ir.ClassID]bool) bool {
	if c == 0 || seen[c] {
		return false
	}
	seen[c] = true
	k := &t.prog.Classes[c]
	if k.Origin != ir.App && t.prog.DeclaredMethod(c, s) != 0 {
		return true
	}
	if t.declaredAbove(k.Super, s, seen) {
		return true
	}
	for _, i := range k.Interfaces {
		if t.declaredAbove(i, s, seen) {
			return true
		}
	}
	return false
}

// developer is the method that the developer wrote for a bridge that the
// compiler made: the one of its class with the same name that it forwards to.
// ProGuard clears the flag of bridges and leaves that of what compilers make.
func (t *nameTable) developer(m ir.MethodID) ir.MethodID {
	d := &t.prog.Methods[m]
	if d.Flags&ir.AccSynthetic == 0 {
		return m
	}
	sel := &t.prog.Selectors[d.Sel]
	var found ir.MethodID
	for _, o := range t.prog.Classes[d.Class].Methods {
		other := &t.prog.Methods[o]
		os := &t.prog.Selectors[other.Sel]
		if o != m && os.Name == sel.Name && len(os.Params) == len(sel.Params) && other.Flags&ir.AccSynthetic == 0 {
			if found != 0 {
				return m
			}
			found = o
		}
	}
	if found == 0 {
		return m
	}
	return found
}

// modelsNamed finds the models of a method by name and number of parameters, in
// the class or the nearest superclass that has one.
func (t *nameTable) modelsNamed(class, name string, params int) []*platform.Method {
	for depth := 0; class != "" && depth < maxSupers; depth++ {
		if c := t.models.Class(class); c != nil {
			var out []*platform.Method
			for _, m := range c.Methods {
				if m.Name == name && len(m.Params) == params {
					out = append(out, m)
				}
			}
			if len(out) > 0 {
				return out
			}
		}
		supers := t.supers(class)
		if len(supers) == 0 {
			break
		}
		class = supers[0]
	}
	return nil
}

// maxSupers bounds a chain of superclasses; the hierarchy has no cycles.
const maxSupers = 64

// adopted: an app class implements an interface of its own accord: neither its
// nearest superclass from outside the app does so, nor is it a class.
func (t *nameTable) adopted(c, of ir.ClassID) bool {
	if t.prog.Classes[of].Flags&ir.AccInterface == 0 {
		return false
	}
	for c != 0 && t.prog.Classes[c].Origin == ir.App {
		c = t.prog.Classes[c].Super
	}
	return c == 0 || !t.prog.SubclassOf(c, of)
}

// inApp: a class or lambda of the app implements the method of class c in code.
func (t *nameTable) inApp(sel ir.SelectorID, c ir.ClassID) bool {
	if t.writers == nil {
		t.writers = map[ir.SelectorID][]ir.ClassID{}
		for k := range t.prog.Classes {
			if t.prog.Classes[k].Origin != ir.App {
				continue
			}
			for _, m := range t.prog.Classes[k].Methods {
				if t.prog.Methods[m].HasCode && t.prog.Methods[m].Flags&ir.AccStatic == 0 {
					t.writers[t.prog.Methods[m].Sel] = append(t.writers[t.prog.Methods[m].Sel], ir.ClassID(k))
				}
			}
		}
		for i := range t.prog.Lambdas {
			l := &t.prog.Lambdas[i]
			t.writers[l.Sel] = append(t.writers[l.Sel], l.Interface)
		}
	}
	return slices.ContainsFunc(t.writers[sel], func(k ir.ClassID) bool { return t.prog.SubclassOf(k, c) })
}
