package engine

import (
	"cmp"
	"fmt"
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
	on      ignoreTarget
	class   string         // the declaring class; of onType the class itself
	field   string         // of onField
	method  finding.Method // of onMethod
	rule    finding.RuleID
	because string
}

// where names what the annotation stands on.
func (g *ignore) where() string {
	switch g.on {
	case onField:
		return g.class + "." + g.field
	case onMethod:
		return g.method.String()
	default:
		return g.class
	}
}

// readIgnores gives the annotations of the app's own classes that can accept
// something, and says what is wrong with the others.
func readIgnores(p *ir.Program) ([]ignore, []finding.Notification) {
	r := ignoreReader{p: p}
	if p.Lookup(ignoreClass) == 0 && p.Lookup(ignoresClass) == 0 {
		return nil, nil // no dex file names them
	}
	for c := range p.Classes {
		if p.Classes[c].Origin != ir.App {
			continue
		}
		list, err := p.Annotated(ir.ClassID(c))
		if err != nil {
			r.notes = append(r.notes, finding.Notification{Kind: finding.NoteInfo, Where: p.Classes[c].Name,
				Text: "annotations cannot be read: " + err.Error()})
		}
		for _, a := range list {
			r.read(a)
		}
	}
	slices.SortStableFunc(r.found, func(a, b ignore) int {
		return cmp.Or(cmp.Compare(a.on, b.on), cmp.Compare(a.where(), b.where()), cmp.Compare(a.rule, b.rule), cmp.Compare(a.because, b.because))
	})
	// Compilers repeat the annotations of a method on its bridges.
	r.found = slices.CompactFunc(r.found, func(a, b ignore) bool {
		return a.on == b.on && a.where() == b.where() && a.rule == b.rule
	})
	return r.found, r.notes
}

type ignoreReader struct {
	p     *ir.Program
	found []ignore
	notes []finding.Notification
}

// note says why an annotation accepts nothing.
func (r *ignoreReader) note(text, where string) {
	r.notes = append(r.notes, finding.Notification{Kind: finding.NoteUnusedIgnore, Text: text, Where: where})
}

func (r *ignoreReader) read(a ir.Annotated) {
	base := ignore{on: onType, class: r.p.Classes[a.Class].Name}
	switch {
	case a.Field != 0:
		base.on, base.field = onField, r.p.Fields[a.Field].Name
	case a.Method != 0:
		base.on, base.method = onMethod, methodNamed(r.p, a.Method)
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
		r.note("IgnoreEventRaces holds no list of annotations", base.where())
	}
	for _, v := range value.Elems() {
		if one := v.Annotation(); one != nil && dotted(typeName(f, one)) == ignoreClass {
			r.one(base, f, one)
		} else {
			r.note("IgnoreEventRaces holds something else than IgnoreEventRace", base.where())
		}
	}
}

func (r *ignoreReader) one(g ignore, f *dex.File, a *dex.Annotation) {
	rule, ruleOK := text(f, a, "rule")
	because, becauseOK := text(f, a, "because")
	g.rule, g.because = finding.RuleID(rule), because
	_, known := finding.RuleByID(g.rule)
	switch {
	case !ruleOK || !becauseOK:
		r.note("IgnoreEventRace has no text for rule or because, so it accepts nothing", g.where())
	case !known:
		r.note(fmt.Sprintf("IgnoreEventRace: there is no rule %s; the rules are %s", quoted(rule), finding.RuleNames()), g.where())
	case because == "":
		r.note(fmt.Sprintf("IgnoreEventRace(%s) gives no reason, so it accepts nothing", rule), g.where())
	default:
		r.found = append(r.found, g)
	}
}

// quoted is hostile text in a message: in quotes, and not longer than a rule
// could be.
func quoted(s string) string {
	const most = 60
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return fmt.Sprintf("%q", s)
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

// text is an element that is a string, on one line.
func text(f *dex.File, a *dex.Annotation, name string) (string, bool) {
	v, ok := element(f, a, name)
	if !ok || v.Kind != dex.ValueString {
		return "", false
	}
	return strings.Join(strings.Fields(strings.ToValidUTF8(f.Strings[v.Index()], "?")), " "), true
}

func methodNamed(p *ir.Program, m ir.MethodID) finding.Method {
	sel := &p.Selectors[p.Methods[m].Sel]
	out := finding.Method{Class: p.Classes[p.Methods[m].Class].Name, Name: sel.Name, Params: []string{}}
	for _, t := range sel.Params {
		out.Params = append(out.Params, p.TypeString(t))
	}
	return out
}

// applyIgnores marks the races that an annotation accepts, unless they are
// marked already, and names the annotations that accept none. All races of the
// run must be there, for an annotation is used by any of them.
func applyIgnores(p *ir.Program, ignores []ignore, races []finding.Race) []finding.Notification {
	if len(ignores) == 0 {
		return nil
	}
	m := ignoreMatcher{p: p, ignores: ignores, by: map[ignoreKey][]int{}, around: map[string][]finding.Method{}}
	for i := range ignores {
		k := ignores[i].key()
		m.by[k] = append(m.by[k], i)
	}
	used := make([]bool, len(ignores))
	for i := range races {
		matching := m.matching(&races[i])
		for _, j := range matching {
			used[j] = true
		}
		if len(matching) > 0 && races[i].Suppressed == nil {
			g := &ignores[slices.Min(matching)] // the most exact
			races[i].Suppressed = &finding.Suppression{By: "annotation", Because: g.because, Where: g.where()}
		}
	}
	var notes []finding.Notification
	for j, u := range used {
		if g := &ignores[j]; !u {
			notes = append(notes, finding.Notification{Kind: finding.NoteUnusedIgnore, Where: g.where(),
				Text: fmt.Sprintf("IgnoreEventRace(%s) matches no race; remove it", g.rule)})
		}
	}
	return notes
}

// ignoreMatcher finds the annotations that accept a race.
type ignoreMatcher struct {
	p       *ir.Program
	ignores []ignore
	by      map[ignoreKey][]int
	around  map[string][]finding.Method // by the name of a class: what stands around it, from the inside
}

// ignoreKey is what annotations are found by; of methods, overloads share it.
type ignoreKey struct {
	rule          finding.RuleID
	on            ignoreTarget
	class, member string
}

func (g *ignore) key() ignoreKey {
	return ignoreKey{g.rule, g.on, g.class, g.field + g.method.Name} // one of the two is empty
}

func (m *ignoreMatcher) matching(r *finding.Race) []int {
	found := slices.Concat(
		m.by[ignoreKey{r.Rule, onField, r.Field.Binary(), r.Field.Name}],
		m.by[ignoreKey{r.Rule, onType, r.Field.Binary(), ""}])
	for i := range r.Sides {
		in := r.Sides[i].Access.Method
		found = append(found, m.standing(r.Rule, in)...)
		for _, in := range m.outside(in.Class) {
			found = append(found, m.standing(r.Rule, in)...)
		}
	}
	return found
}

// standing are the annotations of a method and of its class.
func (m *ignoreMatcher) standing(rule finding.RuleID, in finding.Method) []int {
	found := slices.Clone(m.by[ignoreKey{rule, onType, in.Class, ""}])
	for _, i := range m.by[ignoreKey{rule, onMethod, in.Class, in.Name}] {
		// Where only the name is left of a method that a lambda stands in, the
		// name must do.
		if slices.Equal(m.ignores[i].method.Params, in.Params) || len(in.Params) == 0 && !m.declares(in) {
			found = append(found, i)
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
