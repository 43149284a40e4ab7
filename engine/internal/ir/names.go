package ir

import (
	"strings"
)

// tables find ids by what they stand for. They are filled by Build only.
type tables struct {
	types     map[string]TypeID // by descriptor
	protos    map[string]int32  // by descriptor
	strings   map[string]StringID
	selectors map[selectorKey]SelectorID
	fields    map[fieldKey]FieldID
	methods   map[methodKey]MethodID
	named     map[string][]SelectorID
}

type selectorKey struct {
	name  StringID
	proto int32
}

type fieldKey struct {
	class ClassID
	name  StringID
	typ   TypeID
}

type methodKey struct {
	class ClassID
	sel   SelectorID
}

// Lookup finds a class by its dotted binary name, or gives 0. Array classes are
// found by names such as int[].
func (p *Program) Lookup(name string) ClassID {
	return p.Types[p.TypeNamed(name)].Class
}

// TypeNamed finds a type by its name in source form, such as int,
// java.lang.String or byte[][], or gives 0.
func (p *Program) TypeNamed(name string) TypeID {
	var buf [128]byte
	return p.tables.types[string(appendDescriptor(buf[:0], name))]
}

// appendDescriptor appends the dex descriptor of a type named in source form.
func appendDescriptor(b []byte, name string) []byte {
	for strings.HasSuffix(name, "[]") {
		b = append(b, '[')
		name = name[:len(name)-2]
	}
	for t := TypeVoid; t <= TypeDouble; t++ {
		if name == primitiveNames[t] {
			return append(b, builtinTypes[t]...)
		}
	}
	b = append(b, 'L')
	for i := range len(name) {
		c := name[i]
		if c == '.' {
			c = '/'
		}
		b = append(b, c)
	}
	return append(b, ';')
}

var primitiveNames = [...]string{
	TypeVoid: "void", TypeBoolean: "boolean", TypeByte: "byte", TypeShort: "short", TypeChar: "char",
	TypeInt: "int", TypeLong: "long", TypeFloat: "float", TypeDouble: "double", TypeNull: "null", TypeUnknown: "unknown",
}

// nameOf turns a descriptor into source form.
func nameOf(desc string) string {
	dims := strings.LastIndexByte(desc, '[') + 1
	base := desc[dims:]
	if len(base) > 1 && base[0] == 'L' {
		base = strings.ReplaceAll(base[1:len(base)-1], "/", ".")
	} else {
		for t := TypeVoid; t <= TypeDouble; t++ {
			if builtinTypes[t] == base {
				base = primitiveNames[t]
				break
			}
		}
	}
	return base + strings.Repeat("[]", dims)
}

// Selector finds a selector by name and by parameter and return types in source
// form. It gives 0 if no dex file names it.
func (p *Program) Selector(name string, params []string, ret string) SelectorID {
	var buf [256]byte
	b := append(buf[:0], '(')
	for _, t := range params {
		b = appendDescriptor(b, t)
	}
	b = appendDescriptor(append(b, ')'), ret)
	proto, ok := p.tables.protos[string(b)]
	if !ok {
		return 0
	}
	return p.tables.selectors[selectorKey{p.tables.strings[name], proto}]
}

// SelectorsNamed are all selectors of a name, ascending. The caller must not
// change them.
func (p *Program) SelectorsNamed(name string) []SelectorID { return p.tables.named[name] }

// DeclaredMethod is the method that the class itself declares, or 0.
func (p *Program) DeclaredMethod(c ClassID, sel SelectorID) MethodID {
	if m := p.tables.methods[methodKey{c, sel}]; p.Methods[m].Declared {
		return m
	}
	return 0
}

// DeclaredField is the field of that name which the class itself declares, or
// 0. If there are several, as only bytecode can have, it is the first.
func (p *Program) DeclaredField(c ClassID, name string) FieldID {
	for _, f := range p.Classes[c].Fields {
		if p.Fields[f].Name == name {
			return f
		}
	}
	return 0
}

// TypeString is the name of a type in source form.
func (p *Program) TypeString(t TypeID) string {
	switch typ := &p.Types[t]; {
	case t == 0:
		return "none"
	case t <= TypeUnknown:
		return primitiveNames[t]
	default:
		return p.Classes[typ.Class].Name
	}
}

// MethodString is such as com.example.Main.run(int,java.lang.String).
func (p *Program) MethodString(m MethodID) string {
	if m == 0 {
		return "none"
	}
	return p.Classes[p.Methods[m].Class].Name + "." + p.SelectorString(p.Methods[m].Sel)
}

// SelectorString is such as run(int,java.lang.String).
func (p *Program) SelectorString(s SelectorID) string {
	if s == 0 {
		return "none"
	}
	return p.Selectors[s].Name + p.paramString(p.Selectors[s].Params)
}

func (p *Program) paramString(params []TypeID) string {
	var b strings.Builder
	b.WriteByte('(')
	for i, t := range params {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(p.TypeString(t))
	}
	b.WriteByte(')')
	return b.String()
}

// FieldString is such as com.example.Main.count.
func (p *Program) FieldString(f FieldID) string {
	if f == 0 {
		return "none"
	}
	return p.Classes[p.Fields[f].Class].Name + "." + p.Fields[f].Name
}

// Prototype gives the parameters and the result of a constant method type.
func (p *Program) Prototype(aux int32) (params []TypeID, ret TypeID) {
	return p.protos[aux].params, p.protos[aux].ret
}

// Static reports whether the method that a reference means has no receiver.
func (p *Program) Static(m MethodID) bool {
	return p.Methods[p.ResolveMethod(m)].Flags&AccStatic != 0
}
