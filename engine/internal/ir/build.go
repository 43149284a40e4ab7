package ir

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/dex"
)

// Build makes the program of some dex files. The first definition of a class
// wins; a class that no file defines is asked of the platform (which may be
// nil), and so are its supertypes; what is then still undefined stays Missing
// with java.lang.Object as super. origin tells app from dependency for classes
// with code; nil means all is App. roots name further platform classes to have,
// such as those that models make objects of.
//
// The program is usable whatever the errors: they tell of classes and call sites
// that had to be left out.
func Build(dexes []*dex.File, platform PlatformSource, origin func(className string) Origin, roots ...string) (*Program, []error) {
	b := newBuilder(dexes, platform, origin)
	for _, f := range dexes {
		b.intern(f)
	}
	b.p.defs = make([]defRef, len(b.p.Classes))
	for _, u := range b.p.units {
		b.define(u)
	}
	for _, name := range roots {
		b.typeOf(string(appendDescriptor(nil, name)))
	}
	b.pull()
	b.finish()
	b.p.protos = b.protos
	return b.p, append(b.errs, b.p.close()...)
}

// unit is a dex file with the ids of everything in its tables.
type unit struct {
	number  int32 // index in Program.units
	file    *dex.File
	strings []StringID
	types   []TypeID
	protos  []int32
	fields  []FieldID
	methods []MethodID
	handles []int32 // index into Handles
	sites   []int32 // index into Lambdas if positive, -index into CallSites if negative
}

// codeRef is where the code of a method is.
type codeRef struct {
	unit int32
	off  uint32 // 0 if there is none
}

// defRef is where a class is defined.
type defRef struct {
	unit  int32 // 1 + index in units
	class int32 // index in Classes of the file
}

type builder struct {
	p        *Program
	platform PlatformSource
	origin   func(string) Origin
	protos   []proto
	errs     []error
}

type proto struct {
	params []TypeID
	ret    TypeID
}

func newBuilder(dexes []*dex.File, platform PlatformSource, origin func(string) Origin) *builder {
	if origin == nil {
		origin = func(string) Origin { return App }
	}
	var strings, types, protos, fields, methods int
	for _, f := range dexes {
		strings += len(f.Strings)
		types += len(f.Types)
		protos += len(f.Protos)
		fields += len(f.Fields)
		methods += len(f.Methods)
	}
	p := &Program{
		Strings:   make([]string, 1, strings+1),
		Types:     make([]Type, 1, types+64),
		Classes:   make([]Class, 1, types+64),
		Fields:    make([]Field, 1, fields+1),
		Methods:   make([]Method, 1, methods+1),
		Selectors: make([]Selector, 1, methods/2+1),
		Lambdas:   make([]Lambda, 1),
		CallSites: make([]CallSite, 1),
		Handles:   make([]Handle, 1),
		code:      make([]codeRef, 1, methods+1),
		tables: tables{
			types:     make(map[string]TypeID, types+64),
			protos:    make(map[string]int32, protos),
			strings:   make(map[string]StringID, strings),
			selectors: make(map[selectorKey]SelectorID, methods/2),
			fields:    make(map[fieldKey]FieldID, fields),
			methods:   make(map[methodKey]MethodID, methods),
		},
	}
	b := &builder{p: p, platform: platform, origin: origin, protos: make([]proto, 1, protos+1)}
	for t := TypeVoid; int(t) < len(builtinTypes); t++ {
		b.typeOf(builtinTypes[t])
	}
	return b
}

func (b *builder) stringOf(s string) StringID {
	id, ok := b.p.tables.strings[s]
	if !ok {
		id = StringID(len(b.p.Strings))
		b.p.Strings = append(b.p.Strings, s)
		b.p.tables.strings[s] = id
	}
	return id
}

// typeOf interns a well-formed descriptor.
func (b *builder) typeOf(desc string) TypeID {
	if id, ok := b.p.tables.types[desc]; ok {
		return id
	}
	typ := Type{Desc: desc}
	id := TypeID(len(b.p.Types))
	switch {
	case id <= TypeUnknown:
		typ.Kind = Kind(id)
	case desc[0] == '[':
		typ.Kind, typ.Elem = Array, b.typeOf(desc[1:])
		id = TypeID(len(b.p.Types)) // the element may be new
	default:
		typ.Kind = Ref
	}
	if typ.Kind >= Ref {
		typ.Class = ClassID(len(b.p.Classes))
		b.p.Classes = append(b.p.Classes, Class{Type: id, Name: nameOf(desc)})
	}
	b.p.Types = append(b.p.Types, typ)
	b.p.tables.types[desc] = id
	return id
}

// classOf interns a class named in source form.
func (b *builder) classOf(name string) ClassID {
	var buf [128]byte
	desc := appendDescriptor(buf[:0], name)
	if id, ok := b.p.tables.types[string(desc)]; ok {
		return b.p.Types[id].Class
	}
	return b.p.Types[b.typeOf(string(desc))].Class
}

func (b *builder) selectorOf(name StringID, proto int32) SelectorID {
	key := selectorKey{name, proto}
	id, ok := b.p.tables.selectors[key]
	if !ok {
		id = SelectorID(len(b.p.Selectors))
		t := &b.protos[proto]
		b.p.Selectors = append(b.p.Selectors, Selector{Name: b.p.Strings[name], Params: t.params, Return: t.ret})
		b.p.tables.selectors[key] = id
	}
	return id
}

func (b *builder) fieldOf(class ClassID, name StringID, typ TypeID) FieldID {
	key := fieldKey{class, name, typ}
	id, ok := b.p.tables.fields[key]
	if !ok {
		id = FieldID(len(b.p.Fields))
		b.p.Fields = append(b.p.Fields, Field{Class: class, Name: b.p.Strings[name], Type: typ})
		b.p.tables.fields[key] = id
	}
	return id
}

func (b *builder) methodOf(class ClassID, sel SelectorID) MethodID {
	key := methodKey{class, sel}
	id, ok := b.p.tables.methods[key]
	if !ok {
		id = MethodID(len(b.p.Methods))
		b.p.Methods = append(b.p.Methods, Method{Class: class, Sel: sel})
		b.p.code = append(b.p.code, codeRef{})
		b.p.tables.methods[key] = id
	}
	return id
}

// pull defines every class that is named but not defined from the platform,
// supertypes included: they are named by being pulled.
func (b *builder) pull() {
	for c := ClassID(1); int(c) < len(b.p.Classes); c++ {
		k := &b.p.Classes[c]
		if k.Defined {
			continue
		}
		if b.p.Types[k.Type].Kind == Array {
			b.array(c)
			continue
		}
		if b.platform != nil {
			if decl, ok := b.platform.Class(k.Name); ok && decl != nil {
				b.declare(c, decl)
				continue
			}
		}
		if c != ClassObject {
			k.Super = ClassObject
		}
	}
}

// array gives the class of an array type its supertypes.
func (b *builder) array(c ClassID) {
	cloneable, serializable := b.classOf("java.lang.Cloneable"), b.classOf("java.io.Serializable")
	k := &b.p.Classes[c]
	k.Super, k.Interfaces = ClassObject, []ClassID{cloneable, serializable}
	k.Defined, k.Flags = true, AccPublic|AccFinal
	elem := b.p.Types[b.p.Types[k.Type].Elem]
	for elem.Kind == Array {
		elem = b.p.Types[elem.Elem]
	}
	k.Origin = Platform
	if elem.Kind == Ref && b.p.Classes[elem.Class].Defined {
		k.Origin = b.p.Classes[elem.Class].Origin
	}
}

// declare defines a platform class. Of its members those are interned that some
// dex file can name or override.
func (b *builder) declare(c ClassID, decl *ClassDecl) {
	super, interfaces := ClassID(0), make([]ClassID, 0, len(decl.Interfaces))
	if c != ClassObject {
		super = ClassObject
		if decl.Super != "" {
			super = b.classOf(decl.Super)
		}
		for _, name := range decl.Interfaces {
			interfaces = append(interfaces, b.classOf(name))
		}
	}
	p := b.p
	var fields []FieldID
	for i := range decl.Fields {
		d := &decl.Fields[i]
		name, typ := p.tables.strings[d.Name], p.tables.types[d.Desc]
		if name != 0 && typ != 0 {
			f := b.fieldOf(c, name, typ)
			p.Fields[f].Declared, p.Fields[f].Flags = true, d.Flags
			fields = append(fields, f)
		}
	}
	var methods []MethodID
	for i := range decl.Methods {
		d := &decl.Methods[i]
		sel := p.tables.selectors[selectorKey{p.tables.strings[d.Name], p.tables.protos[d.Desc]}]
		if sel != 0 {
			m := b.methodOf(c, sel)
			p.Methods[m].Declared, p.Methods[m].Flags = true, d.Flags
			methods = append(methods, m)
		}
	}
	k := &p.Classes[c]
	k.Super, k.Interfaces, k.Fields, k.Methods = super, interfaces, fields, methods
	k.Flags, k.Source, k.Origin, k.Defined = decl.Flags, decl.Source, Platform, true
}

// finish puts the members of each class in order and fills what is looked up
// later.
func (b *builder) finish() {
	p := b.p
	for c := range p.Classes {
		methods := p.Classes[c].Methods
		slices.SortFunc(methods, func(x, y MethodID) int { return int(p.Methods[x].Sel) - int(p.Methods[y].Sel) })
		p.Classes[c].Methods = slices.Compact(methods)
	}
	p.tables.named = make(map[string][]SelectorID)
	for s := 1; s < len(p.Selectors); s++ {
		name := p.Selectors[s].Name
		p.tables.named[name] = append(p.tables.named[name], SelectorID(s))
	}
	p.resolved = resolved{fields: make([]int32, len(p.Fields)), methods: make([]int32, len(p.Methods))}
}
