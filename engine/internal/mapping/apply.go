package mapping

import (
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/ir"
)

// Apply gives the tables of all dex files of a build the names of the source, and
// tells what else the mapping says of their code.
func (m *Mapping) Apply(files []*dex.File) *ir.Sources {
	a := &applier{
		m: m, defs: map[string]*def{}, fields: map[member]string{}, methods: map[member]string{},
		sources: &ir.Sources{Methods: map[*dex.File]map[uint32]*ir.Source{}, Fields: map[*dex.File]map[uint32]*ir.Written{}}, frames: map[frameIn]ir.FrameID{},
	}
	for _, f := range files {
		a.collect(f)
	}
	for _, f := range files {
		a.define(f)
	}
	edits := make([]*edit, len(files))
	for i, f := range files {
		edits[i] = a.read(f)
	}
	for i, f := range files {
		edits[i].write(f)
	}
	return a.sources
}

// applier knows the classes and members of a build by their residual names, as
// descriptors.
type applier struct {
	m       *Mapping
	defs    map[string]*def
	fields  map[member]string // names of the fields that classes declare
	methods map[member]string
	sources *ir.Sources
	frames  map[frameIn]ir.FrameID
}

// def is where a class is defined and what it descends from.
type def struct {
	file   *dex.File
	class  *dex.ClassDef
	supers []string // superclass first
}

// member is a field or method by its residual names.
type member struct{ class, name, desc string }

// frameIn is a method of the source as the lines of a class name it.
type frameIn struct {
	frame *frame
	class *class
}

// collect notes the classes of a file; the first definition of each counts.
func (a *applier) collect(f *dex.File) {
	for i := range f.Classes {
		c := &f.Classes[i]
		name := f.Strings[f.Types[c.Type]]
		if a.defs[name] != nil {
			continue
		}
		d := &def{file: f, class: c}
		if c.Super != dex.NoIndex {
			d.supers = append(d.supers, f.Strings[f.Types[c.Super]])
		}
		for _, t := range c.Interfaces {
			d.supers = append(d.supers, f.Strings[f.Types[t]])
		}
		a.defs[name] = d
	}
}

// define names the members that the classes of a file declare, and says where
// their code comes from.
func (a *applier) define(f *dex.File) {
	sources, moved := map[uint32]*ir.Source{}, map[uint32]*ir.Written{}
	a.sources.Methods[f], a.sources.Fields[f] = sources, moved
	for i := range f.Classes {
		c := &f.Classes[i]
		desc := f.Strings[f.Types[c.Type]]
		if a.defs[desc].class != c {
			continue
		}
		k := a.m.class(desc)
		if k == nil {
			k = &class{}
		}
		residual, taken := fieldsOf(k)
		for _, list := range [][]dex.EncodedField{c.StaticFields, c.InstanceFields} {
			for _, d := range list {
				id := &f.Fields[d.Field]
				name, typ := f.Strings[id.Name], f.Strings[f.Types[id.Type]]
				written := name
				if same := residual[name]; len(same) > 0 {
					x := a.m.pickField(same, typ)
					if written = x.frame.name; !alone(x, taken) {
						written += "$" + name
					}
					if a.m.named(x.frame.class) {
						moved[d.Field] = &ir.Written{Class: x.frame.class, Name: x.frame.name}
					}
				}
				a.fields[member{desc, name, typ}] = written
			}
		}
		of, home := a.m.companion(desc)
		if of != nil {
			k = of
		}
		own := a.plan(k)
		methods := slices.Concat(c.Direct, c.Virtual)
		for _, d := range methods {
			own.declare(residualOf(f, d.Method, home))
		}
		for _, d := range inOrder(methods, func(d dex.EncodedMethod) bool { return own.moved(residualOf(f, d.Method, home)) }) {
			name := f.Strings[f.Methods[d.Method].Name]
			proto, _ := f.ProtoName(uint32(f.Methods[d.Method].Proto))
			base, as := residualOf(f, d.Method, home)
			written, source := own.method(base, as)
			if source != nil && of != nil {
				source.Written = nil
			}
			a.methods[member{desc, name, proto}] = strings.TrimSuffix(name, base) + written
			if source != nil {
				sources[d.Method] = source
			}
		}
	}
}

// inOrder puts those that last holds for behind the others.
func inOrder(methods []dex.EncodedMethod, last func(dex.EncodedMethod) bool) []dex.EncodedMethod {
	var front, back []dex.EncodedMethod
	for _, d := range methods {
		if last(d) {
			back = append(back, d)
		} else {
			front = append(front, d)
		}
	}
	return append(front, back...)
}

// residualOf is the residual name and prototype of a method as the mapping has
// them: in the companion of an interface, D8 has given its methods a prefix and their
// receiver, of type home, as the first parameter.
func residualOf(f *dex.File, method uint32, home string) (name, proto string) {
	id := &f.Methods[method]
	name = f.Strings[id.Name]
	proto, _ = f.ProtoName(uint32(id.Proto))
	if home == "" {
		return name, proto
	}
	for _, prefix := range []string{"$default$", "$private$"} {
		if base, ok := strings.CutPrefix(name, prefix); ok {
			return base, strings.Replace(proto, "("+home, "(", 1)
		}
	}
	return name, proto
}

// companion is the interface, with its residual descriptor, whose methods with code
// D8 has put into a class, after a shrinker that knows nothing of it; nil for other
// classes.
func (m *Mapping) companion(desc string) (of *class, home string) {
	if m.class(desc) != nil {
		return nil, ""
	}
	if base, ok := strings.CutSuffix(desc, "$-CC;"); ok {
		home = base + ";"
		return m.class(home), home
	}
	return nil, ""
}

// class is the class of a residual descriptor, nil if the mapping does not name it.
func (m *Mapping) class(desc string) *class {
	if desc[0] != 'L' {
		return nil
	}
	return m.classes[strings.ReplaceAll(desc[1:len(desc)-1], "/", ".")]
}

// fieldsOf are the fields of a class by their residual names, and by those of the
// source.
func fieldsOf(k *class) (residual, written map[string][]*field) {
	residual, written = map[string][]*field{}, map[string][]*field{}
	for i := range k.fields {
		x := &k.fields[i]
		residual[x.residual] = append(residual[x.residual], x)
		written[x.frame.name] = append(written[x.frame.name], x)
	}
	return residual, written
}

// pickField finds a field by its residual descriptor; if none fits, the first
// will do.
func (m *Mapping) pickField(list []*field, desc string) *field {
	for _, x := range list {
		if x.signature == desc || x.signature == "" && m.descriptor(x.frame.result) == desc {
			return x
		}
	}
	return list[0]
}

// alone: no other field of the class goes before x in having its name. A field of a
// class that was merged into this one may share it with one of this class.
func alone(x *field, written map[string][]*field) bool {
	for _, y := range written[x.frame.name] {
		if y != x && y.residual != x.residual && (x.frame.class != "" || y.frame.class == "") {
			return false
		}
	}
	return true
}

// named: a class of the source with a name, in which a member stood before the
// shrinker merged it into another. Lambdas and anonymous and local classes are known
// by where they stand.
func (m *Mapping) named(class string) bool {
	if _, ok := m.residual[class]; !ok || class == "" {
		return false
	}
	for i := 0; i+1 < len(class); i++ {
		if next := class[i+1]; class[i] == '$' && (next == '$' || next >= '0' && next <= '9') {
			return false
		}
	}
	return true
}

// descriptor is the residual descriptor of a type of the source.
func (m *Mapping) descriptor(name string) string {
	dims := 0
	for strings.HasSuffix(name, "[]") {
		name, dims = name[:len(name)-2], dims+1
	}
	base, ok := primitives[name]
	if !ok {
		if residual, ok := m.residual[name]; ok {
			name = residual
		}
		base = "L" + strings.ReplaceAll(name, ".", "/") + ";"
	}
	return strings.Repeat("[", dims) + base
}

var primitives = map[string]string{
	"void": "V", "boolean": "Z", "byte": "B", "short": "S", "char": "C", "int": "I", "long": "J", "float": "F", "double": "D",
}

// prototype is the residual descriptor of a method as the source has it.
func (m *Mapping) prototype(f *frame) string {
	var b strings.Builder
	b.WriteByte('(')
	for _, p := range params(f) {
		b.WriteString(m.descriptor(p))
	}
	return b.String() + ")" + m.descriptor(f.result)
}

func params(f *frame) []string {
	if f.params == "" {
		return []string{}
	}
	return strings.Split(f.params, ",")
}

// resolve finds the name of a member that a reference names: where the class or,
// above it, the nearest supertype declares it. References to classes that are not
// in the build keep their names.
func (a *applier) resolve(names map[member]string, ref member) string {
	seen := map[string]bool{}
	var find func(class string) (string, bool)
	find = func(class string) (string, bool) {
		if name, ok := names[member{class, ref.name, ref.desc}]; ok {
			return name, true
		}
		d := a.defs[class]
		if d == nil || seen[class] {
			return "", false
		}
		seen[class] = true
		for _, s := range d.supers {
			if name, ok := find(s); ok {
				return name, true
			}
		}
		return "", false
	}
	if name, ok := names[ref]; ok {
		return name
	}
	if name, ok := find(ref.class); ok {
		return name
	}
	return ref.name
}

// edit is what changes in the tables of a file.
type edit struct {
	strings []string // the old ones and those that are new
	added   map[string]uint32
	types   []uint32
	fields  []uint32 // names
	methods []uint32
	sites   []uint32
	sources []uint32 // of classes
}

func (e *edit) text(old uint32, s string) uint32 {
	if e.strings[old] == s {
		return old
	}
	at, ok := e.added[s]
	if !ok {
		at = uint32(len(e.strings))
		e.strings = append(e.strings, s)
		e.added[s] = at
	}
	return at
}

// read finds the new names for a file and changes nothing yet: others are read by
// the old ones.
func (a *applier) read(f *dex.File) *edit {
	e := &edit{strings: slices.Clip(f.Strings), added: map[string]uint32{}}
	for _, s := range f.Types {
		e.types = append(e.types, e.text(s, a.m.typeName(f.Strings[s])))
	}
	for _, x := range f.Fields {
		ref := member{f.Strings[f.Types[x.Class]], f.Strings[x.Name], f.Strings[f.Types[x.Type]]}
		e.fields = append(e.fields, e.text(x.Name, a.resolve(a.fields, ref)))
	}
	protos := make([]string, len(f.Protos))
	for i := range protos {
		protos[i], _ = f.ProtoName(uint32(i))
	}
	for _, x := range f.Methods {
		ref := member{f.Strings[f.Types[x.Class]], f.Strings[x.Name], protos[x.Proto]}
		e.methods = append(e.methods, e.text(x.Name, a.resolve(a.methods, ref)))
	}
	for i := range f.CallSites {
		x := &f.CallSites[i]
		name := x.Name
		if x.Err == nil && len(x.Args) > 0 && x.Args[0].Kind == dex.ValueMethodType { // of a lambda: the method of an interface
			ref := member{f.Strings[f.Types[f.Protos[x.Proto].Return]], f.Strings[x.Name], protos[x.Args[0].Index()]}
			name = e.text(name, a.resolve(a.methods, ref))
		}
		e.sites = append(e.sites, name)
	}
	for i := range f.Classes {
		c := &f.Classes[i]
		source := c.SourceFile
		if k := a.m.class(f.Strings[f.Types[c.Type]]); k != nil && k.file != "" {
			source = e.text(0, k.file)
		}
		e.sources = append(e.sources, source)
	}
	return e
}

func (e *edit) write(f *dex.File) {
	f.Strings, f.Types = e.strings, e.types
	for i := range f.Fields {
		f.Fields[i].Name = e.fields[i]
	}
	for i := range f.Methods {
		f.Methods[i].Name = e.methods[i]
	}
	for i := range f.CallSites {
		f.CallSites[i].Name = e.sites[i]
	}
	for i := range f.Classes {
		f.Classes[i].SourceFile = e.sources[i]
	}
}

// typeName is the descriptor of a type in the source.
func (m *Mapping) typeName(desc string) string {
	dims := strings.LastIndexByte(desc, '[') + 1
	if desc[dims] != 'L' {
		return desc
	}
	name := m.ClassName(strings.ReplaceAll(desc[dims+1:len(desc)-1], "/", "."))
	return desc[:dims] + "L" + strings.ReplaceAll(name, ".", "/") + ";"
}

// ClassName is the name in the source of a class of the build, both dotted. What
// D8 has made after the shrinker, such as a.b$$Lambda0, is named by what it was made
// for.
func (m *Mapping) ClassName(residual string) string {
	if k := m.classes[residual]; k != nil {
		return k.name
	}
	for _, mark := range []string{"$$", "$-CC"} {
		if i := strings.Index(residual, mark); i > 0 && m.classes[residual[:i]] != nil {
			if name := m.classes[residual[:i]].name + residual[i:]; m.residual[name] == "" {
				return name
			}
		}
	}
	return residual
}
