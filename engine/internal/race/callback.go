package race

import (
	"cmp"
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
)

// callback names the entry of an action so that the name survives edits: a
// lambda or anonymous class is named by where it stands, what it implements and
// its number among its equals there (DESIGN 7).
func (f *finder) callback(x hb.ActionID) finding.Callback {
	a := &f.s.Actions[x]
	if a.Arm == nil {
		return finding.Callback{Class: "process", Name: "class initialisation", Params: []string{}}
	}
	if a.Arm.Method == 0 {
		class := "platform"
		if b := f.r.Body(a.Arm.Func); b != nil {
			class = f.stableName(f.p.Methods[f.r.Funcs[a.Arm.Func].Method].Class)
		}
		return finding.Callback{Class: class, Name: a.Arm.Name, Params: []string{}}
	}
	m := f.method(a.Arm.Method)
	return finding.Callback{Class: f.stableName(f.p.Methods[a.Arm.Method].Class), Name: m.Name, Params: m.Params}
}

// stableName is the name of a class in ids.
func (f *finder) stableName(c ir.ClassID) string {
	if f.names == nil {
		f.names = map[ir.ClassID]string{}
		f.nameNested()
	}
	if n, ok := f.names[c]; ok {
		return n
	}
	return f.p.Classes[c].Name
}

// nested is a class without a name of its own in the source.
type nested struct {
	class      ir.ClassID
	enclosing  ir.MethodID
	implements string
}

// nameNested numbers the anonymous classes and lambdas of each method by what
// they implement, in the order of the compiler's numbers.
func (f *finder) nameNested() {
	var all []nested
	for c := range f.p.Classes {
		k := &f.p.Classes[c]
		if k.Origin != ir.App {
			continue
		}
		if m := f.enclosing(ir.ClassID(c)); m != 0 {
			all = append(all, nested{ir.ClassID(c), m, f.implements(ir.ClassID(c))})
		}
	}
	slices.SortFunc(all, func(a, b nested) int {
		x, y := f.p.Classes[a.class].Name, f.p.Classes[b.class].Name
		return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
	})
	count := map[string]int{}
	for _, n := range all {
		m := f.method(n.enclosing)
		if strings.HasPrefix(m.Name, "lambda$") {
			m.Name = lambdaHome(m.Name)
			m.Params = []string{}
		}
		key := m.String() + n.implements
		count[key]++
		f.names[n.class] = finding.Nested(m, n.implements, count[key])
	}
}

// enclosing is the method in which an anonymous class or lambda stands, 0 for
// classes with a name.
func (f *finder) enclosing(c ir.ClassID) ir.MethodID {
	k := &f.p.Classes[c]
	tail := k.Name[strings.LastIndexByte(k.Name, '$')+1:]
	anonymous := tail != "" && strings.Trim(tail, "0123456789") == ""
	if anonymous {
		if _, m := f.p.Nesting(c); m != 0 {
			return m
		}
	}
	if k.Flags&ir.AccSynthetic == 0 && !strings.Contains(k.Name, "Lambda") {
		return 0
	}
	// A desugared lambda forwards to lambda$m$n of the class it stands in.
	for _, m := range k.Methods {
		if !f.p.Methods[m].HasCode || f.p.Methods[m].Flags&ir.AccConstructor != 0 {
			continue
		}
		b, err := f.p.Lift(m)
		if err != nil {
			continue
		}
		for v := ir.Value(1); int(v) < b.Len(); v++ {
			if b.Op[v] == ir.OpInvoke {
				t := f.p.ResolveMethod(ir.MethodID(b.Aux[v]))
				if t != 0 && strings.HasPrefix(f.p.Selectors[f.p.Methods[t].Sel].Name, "lambda$") {
					return t
				}
			}
		}
	}
	return 0
}

// lambdaHome is the method that lambda$m$0 stands in: m.
func lambdaHome(name string) string {
	name = strings.TrimPrefix(name, "lambda$")
	if i := strings.LastIndexByte(name, '$'); i >= 0 {
		name = name[:i]
	}
	return name
}

// implements is the first interface of a class, or else its superclass.
func (f *finder) implements(c ir.ClassID) string {
	k := &f.p.Classes[c]
	if len(k.Interfaces) > 0 {
		return f.p.Classes[k.Interfaces[0]].Name
	}
	if k.Super != 0 {
		return f.p.Classes[k.Super].Name
	}
	return "java.lang.Object"
}
