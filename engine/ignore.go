package engine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/ir"
)

// The annotations by which the app's sources accept races. Compilers put
// several of one place into the second. Their retention is CLASS: dx keeps them,
// D8 and R8 do not.
const (
	ignoreClass  = "io.github.eventraces.annotations.IgnoreEventRace"
	ignoresClass = "io.github.eventraces.annotations.IgnoreEventRaces"
)

// ignoreTarget is what kind of declaration an annotation stands on; the more
// exact comes first.
type ignoreTarget uint8

const (
	onField ignoreTarget = iota
	onMethod
	onType
)

// ignore is one IgnoreEventRace of the app.
type ignore struct {
	finding.Ignore
	on     ignoreTarget
	class  string         // the declaring class; of onType the class itself
	field  string         // of onField
	method finding.Method // of onMethod
}

// readIgnores gives the annotations of the app's own classes, the most exact
// first, and notes what cannot be read.
func readIgnores(p *ir.Program) ([]*ignore, []finding.Notification) {
	if p.Lookup(ignoreClass) == 0 && p.Lookup(ignoresClass) == 0 {
		return nil, nil // no dex file names them
	}
	r := ignoreReader{p: p}
	var notes []finding.Notification
	for c := range p.Classes {
		if p.Classes[c].Origin != ir.App {
			continue
		}
		list, err := p.Annotated(ir.ClassID(c))
		if err != nil {
			notes = append(notes, finding.Notification{Kind: finding.NoteInfo, Where: p.Classes[c].Name,
				Text: "annotations cannot be read: " + err.Error()})
		}
		for _, a := range list {
			r.read(a)
		}
	}
	slices.SortStableFunc(r.found, func(a, b *ignore) int {
		return cmp.Or(cmp.Compare(a.on, b.on), cmp.Compare(a.Where, b.Where), slices.Compare(a.Rules, b.Rules), cmp.Compare(a.Because, b.Because))
	})
	return r.found, notes
}

type ignoreReader struct {
	p     *ir.Program
	found []*ignore
}

func (r *ignoreReader) read(a ir.Annotated) {
	base := ignore{on: onType, class: r.p.Classes[a.Class].Name}
	base.By, base.Where = "annotation", base.class
	switch {
	case a.Field != 0:
		base.on, base.field = onField, r.p.Fields[a.Field].Name
		base.Where += "." + base.field
	case a.Method != 0:
		if r.p.Methods[a.Method].Flags&ir.AccBridge != 0 {
			return // compilers repeat there what the method has
		}
		base.on, base.method = onMethod, methodNamed(r.p, a.Method)
		base.Where = base.method.String()
	}
	for i := range a.List {
		switch dotted(typeName(a.File, &a.List[i])) {
		case ignoreClass:
			r.one(base, a.File, &a.List[i])
		case ignoresClass:
			r.several(base, a.File, &a.List[i])
		}
	}
}

// several reads what a compiler made of repeated annotations.
func (r *ignoreReader) several(base ignore, f *dex.File, a *dex.Annotation) {
	value, _ := element(f, a, "value")
	if value.Kind != dex.ValueArray {
		r.malformed(base, "holds no list of annotations")
	}
	for _, v := range value.Elems() {
		if one := v.Annotation(); one != nil && dotted(typeName(f, one)) == ignoreClass {
			r.one(base, f, one)
		} else {
			r.malformed(base, "holds something else than IgnoreEventRace")
		}
	}
}

func (r *ignoreReader) malformed(g ignore, problem string) {
	g.Problem = problem
	r.found = append(r.found, &g)
}

func (r *ignoreReader) one(g ignore, f *dex.File, a *dex.Annotation) {
	if rule := text(f, a, "rule"); rule != "" {
		g.Rules = []finding.RuleID{finding.RuleID(rule)}
	}
	g.Because = text(f, a, "because")
	g.Check(finding.AnnotationForm)
	r.found = append(r.found, &g)
}

func typeName(f *dex.File, a *dex.Annotation) string {
	name, err := f.TypeName(a.Type)
	if err != nil {
		return ""
	}
	return name
}

func element(f *dex.File, a *dex.Annotation, name string) (dex.Value, bool) {
	for _, e := range a.Elements {
		if f.Strings[e.Name] == name {
			return e.Value, true
		}
	}
	return dex.Value{}, false
}

// text is an element that is a string, on one line; "" if it is none.
func text(f *dex.File, a *dex.Annotation, name string) string {
	v, ok := element(f, a, name)
	if !ok || v.Kind != dex.ValueString {
		return ""
	}
	return strings.Join(strings.Fields(strings.ToValidUTF8(f.Strings[v.Index()], "?")), " ")
}

func methodNamed(p *ir.Program, m ir.MethodID) finding.Method {
	sel := &p.Selectors[p.Methods[m].Sel]
	out := finding.Method{Class: p.Classes[p.Methods[m].Class].Name, Name: sel.Name, Params: []string{}}
	for _, t := range sel.Params {
		out.Params = append(out.Params, p.TypeString(t))
	}
	return out
}

// applyIgnores marks the races of a run that annotations accept.
func applyIgnores(p *ir.Program, ignores []*ignore, run *finding.Run) {
	if len(ignores) == 0 {
		return
	}
	m := ignoreMatcher{p: p, by: map[ignoreKey][]*ignore{}, around: map[string][]finding.Method{}}
	list := make([]*finding.Ignore, len(ignores))
	for i, g := range ignores {
		list[i] = &g.Ignore
		// One of field and method is empty.
		k := ignoreKey{g.on, g.class, g.field + g.method.Name}
		m.by[k] = append(m.by[k], g)
	}
	run.Ignore(list, m.covering)
}

// ignoreMatcher finds the annotations that cover a race.
type ignoreMatcher struct {
	p      *ir.Program
	by     map[ignoreKey][]*ignore
	around map[string][]finding.Method // by the name of a class: what stands around it, from the inside
}

// ignoreKey is what annotations are found by; of methods, overloads share it.
type ignoreKey struct {
	on            ignoreTarget
	class, member string
}

func (m *ignoreMatcher) covering(r *finding.Race) []*finding.Ignore {
	class := r.Field.Binary()
	found := slices.Concat(m.by[ignoreKey{onField, class, r.Field.Name}], m.by[ignoreKey{onType, class, ""}])
	for i := range r.Sides {
		in := r.Sides[i].Access.Method
		found = append(found, m.standing(in)...)
		for _, in := range m.outside(in.Class) {
			found = append(found, m.standing(in)...)
		}
	}
	out := make([]*finding.Ignore, len(found))
	for i, g := range found {
		out[i] = &g.Ignore
	}
	return out
}

// standing are the annotations of a method and of its class.
func (m *ignoreMatcher) standing(in finding.Method) []*ignore {
	found := slices.Clone(m.by[ignoreKey{onType, in.Class, ""}])
	for _, g := range m.by[ignoreKey{onMethod, in.Class, in.Name}] {
		// Where only the name is left of a method that a lambda stands in, the
		// name must do.
		if slices.Equal(g.method.Params, in.Params) || len(in.Params) == 0 && !m.declares(in) {
			found = append(found, g)
		}
	}
	return found
}

func (m *ignoreMatcher) declares(in finding.Method) bool {
	c := m.p.Lookup(in.Class)
	return slices.ContainsFunc(m.p.Classes[c].Methods, func(id ir.MethodID) bool {
		sel := &m.p.Selectors[m.p.Methods[id].Sel]
		return sel.Name == in.Name && len(sel.Params) == len(in.Params)
	})
}

// mostNested bounds how deep classes are nested; it also ends cycles in hostile
// code.
const mostNested = 50

// outside gives what stands around a class, from the inside: methods, and for
// member classes a method without a name.
func (m *ignoreMatcher) outside(class string) []finding.Method {
	if list, ok := m.around[class]; ok {
		return list
	}
	var list []finding.Method
	for c := m.p.Lookup(class); c != 0 && len(list) < mostNested; {
		outer, in := m.p.Nesting(c)
		if in != 0 {
			at := methodNamed(m.p, in)
			if home, ok := ir.LambdaHome(at.Name); ok {
				at.Name, at.Params = home, nil
			}
			list = append(list, at)
			c = m.p.Methods[in].Class
			continue
		}
		if outer == 0 {
			outer = m.byName(c)
		}
		if outer != 0 {
			list = append(list, finding.Method{Class: m.p.Classes[outer].Name})
		}
		c = outer
	}
	m.around[class] = list
	return list
}

// byName finds the class around one whose nesting the file does not tell, as of
// classes that compilers make: com.example.Main$Inner$$Lambda0 is in Main$Inner.
func (m *ignoreMatcher) byName(c ir.ClassID) ir.ClassID {
	name := m.p.Classes[c].Name
	for i := strings.LastIndexByte(name, '$'); i > 0; i = strings.LastIndexByte(name[:i], '$') {
		if outer := m.p.Lookup(name[:i]); outer != 0 && m.p.Classes[outer].Origin == ir.App {
			return outer
		}
	}
	return 0
}
