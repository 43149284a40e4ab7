package ir

import (
	"fmt"

	"github.com/eventraces/eventraces/engine/internal/dex"
)

// intern gives ids to everything in the tables of a dex file.
func (b *builder) intern(f *dex.File) {
	u := &unit{
		number:  int32(len(b.p.units)),
		file:    f,
		strings: make([]StringID, len(f.Strings)),
		types:   make([]TypeID, len(f.Types)),
		protos:  make([]int32, len(f.Protos)),
		fields:  make([]FieldID, len(f.Fields)),
		methods: make([]MethodID, len(f.Methods)),
		handles: make([]int32, len(f.MethodHandles)),
		sites:   make([]int32, len(f.CallSites)),
	}
	b.p.units = append(b.p.units, u)
	for i, s := range f.Strings {
		u.strings[i] = b.stringOf(s)
	}
	for i, s := range f.Types {
		u.types[i] = b.typeOf(f.Strings[s])
	}
	b.internProtos(u)
	for i, id := range f.Fields {
		class := b.owner(u, id.Class)
		u.fields[i] = b.fieldOf(class, u.strings[id.Name], u.types[id.Type])
	}
	for i, id := range f.Methods {
		class := b.owner(u, id.Class)
		u.methods[i] = b.methodOf(class, b.selectorOf(u.strings[id.Name], u.protos[id.Proto]))
	}
	b.internHandles(u)
	b.internSites(u)
}

// owner is the class of a member reference. A primitive type has no members;
// such a reference, which no compiler writes, counts as one to Object.
func (b *builder) owner(u *unit, typ uint16) ClassID {
	if c := b.p.Types[u.types[typ]].Class; c != 0 {
		return c
	}
	return ClassObject
}

func (b *builder) internProtos(u *unit) {
	var desc []byte
	for i := range u.file.Protos {
		d := &u.file.Protos[i]
		desc = append(desc[:0], '(')
		for _, t := range d.Params {
			desc = append(desc, b.p.Types[u.types[t]].Desc...)
		}
		desc = append(append(desc, ')'), b.p.Types[u.types[d.Return]].Desc...)
		id, ok := b.p.tables.protos[string(desc)]
		if !ok {
			id = int32(len(b.protos))
			params := make([]TypeID, len(d.Params))
			for j, t := range d.Params {
				params[j] = u.types[t]
			}
			b.protos = append(b.protos, proto{params, u.types[d.Return]})
			b.p.tables.protos[string(desc)] = id
		}
		u.protos[i] = id
	}
}

var handleSubs = [...]Sub{
	dex.HandleStaticPut: HandlePutStatic, dex.HandleStaticGet: HandleGetStatic,
	dex.HandleInstancePut: HandlePutField, dex.HandleInstanceGet: HandleGetField,
	dex.HandleInvokeStatic: Static, dex.HandleInvokeInstance: Virtual,
	dex.HandleInvokeConstructor: Construct, dex.HandleInvokeDirect: Direct,
	dex.HandleInvokeInterface: Interface,
}

func (b *builder) internHandles(u *unit) {
	for i, h := range u.file.MethodHandles {
		handle := Handle{}
		if int(h.Kind) < len(handleSubs) {
			handle.Kind = handleSubs[h.Kind]
		}
		if h.Kind.IsField() {
			handle.Field = u.fields[h.Index]
		} else {
			handle.Method = u.methods[h.Index]
		}
		u.handles[i] = int32(len(b.p.Handles))
		b.p.Handles = append(b.p.Handles, handle)
	}
}

func (b *builder) internSites(u *unit) {
	for i := range u.file.CallSites {
		site := &u.file.CallSites[i]
		if site.Err != nil {
			b.errs = append(b.errs, site.Err)
			continue
		}
		if l, ok := b.lambda(u, site); ok {
			u.sites[i] = int32(len(b.p.Lambdas))
			b.p.Lambdas = append(b.p.Lambdas, l)
			continue
		}
		u.sites[i] = -int32(len(b.p.CallSites))
		args := make([]Const, len(site.Args))
		for j, v := range site.Args {
			args[j] = u.constant(v)
		}
		b.p.CallSites = append(b.p.CallSites, CallSite{
			Bootstrap: b.p.Handles[u.handles[site.Handle]],
			Sel:       b.selectorOf(u.strings[site.Name], u.protos[site.Proto]),
			Args:      args,
		})
	}
}

// Flags of LambdaMetafactory.altMetafactory.
const (
	lambdaMarkers = 2
	lambdaBridges = 4
)

// lambda reads a call site of LambdaMetafactory.
func (b *builder) lambda(u *unit, site *dex.CallSite) (Lambda, bool) {
	boot := b.p.Handles[u.handles[site.Handle]]
	if boot.Method == 0 || len(site.Args) < 3 {
		return Lambda{}, false
	}
	m := &b.p.Methods[boot.Method]
	name := b.p.Selectors[m.Sel].Name
	if b.p.Classes[m.Class].Name != "java.lang.invoke.LambdaMetafactory" || name != "metafactory" && name != "altMetafactory" {
		return Lambda{}, false
	}
	sam, impl, inst := site.Args[0], site.Args[1], site.Args[2]
	if sam.Kind != dex.ValueMethodType || impl.Kind != dex.ValueMethodHandle || inst.Kind != dex.ValueMethodType {
		return Lambda{}, false
	}
	handle := b.p.Handles[u.handles[impl.Index()]]
	made := &b.protos[u.protos[site.Proto]]
	iface := b.p.Types[made.ret].Class
	if handle.Method == 0 || iface == 0 {
		return Lambda{}, false
	}
	shape := &b.protos[u.protos[inst.Index()]]
	l := Lambda{
		Interface: iface, Sel: b.selectorOf(u.strings[site.Name], u.protos[sam.Index()]),
		Impl: handle.Method, ImplKind: handle.Kind, Captured: len(made.params),
		Params: shape.params, Return: shape.ret,
	}
	if name == "altMetafactory" {
		b.extend(u, site, &l)
	}
	return l, true
}

// extend reads what altMetafactory takes more than metafactory: flags, then
// counted markers, then counted bridges.
func (b *builder) extend(u *unit, site *dex.CallSite, l *Lambda) {
	rest := site.Args[3:]
	next := func() (dex.Value, bool) {
		if len(rest) == 0 {
			return dex.Value{}, false
		}
		v := rest[0]
		rest = rest[1:]
		return v, true
	}
	flags, _ := next()
	if flags.Int()&lambdaMarkers != 0 {
		n, _ := next()
		for range min(max(n.Int(), 0), int64(len(rest))) {
			if v, _ := next(); v.Kind == dex.ValueType {
				l.Markers = append(l.Markers, b.p.Types[u.types[v.Index()]].Class)
			}
		}
	}
	if flags.Int()&lambdaBridges != 0 {
		n, _ := next()
		for range min(max(n.Int(), 0), int64(len(rest))) {
			if v, _ := next(); v.Kind == dex.ValueMethodType {
				l.Bridges = append(l.Bridges, b.selectorOf(u.strings[site.Name], u.protos[v.Index()]))
			}
		}
	}
}

func (u *unit) constant(v dex.Value) Const {
	switch v.Kind {
	case dex.ValueByte, dex.ValueShort, dex.ValueChar, dex.ValueInt, dex.ValueLong, dex.ValueBoolean:
		return Const{ConstNumber, v.Int()}
	case dex.ValueFloat, dex.ValueDouble:
		return Const{ConstNumber, int64(v.Bits())}
	case dex.ValueString:
		return Const{ConstText, int64(u.strings[v.Index()])}
	case dex.ValueType:
		return Const{ConstType, int64(u.types[v.Index()])}
	case dex.ValueNull:
		return Const{}
	}
	return Const{Kind: ConstOther}
}

// define fills in the classes that a file defines and no file before it.
func (b *builder) define(u *unit) {
	for i := range u.file.Broken {
		b.errs = append(b.errs, u.file.Broken[i])
	}
	for i := range u.file.Classes {
		def := &u.file.Classes[i]
		c := b.p.Types[u.types[def.Type]].Class
		if c == 0 || b.p.Types[u.types[def.Type]].Kind != Ref {
			b.errs = append(b.errs, fmt.Errorf("%s: class definition %d: %s is no class",
				u.file.Name, i, b.p.Types[u.types[def.Type]].Desc))
			continue
		}
		if !b.p.Classes[c].Defined {
			b.p.defs[c] = defRef{u.number + 1, int32(i)}
			b.defineClass(u, c, def)
		}
	}
}

func (b *builder) defineClass(u *unit, c ClassID, def *dex.ClassDef) {
	k := &b.p.Classes[c]
	k.Defined, k.Flags, k.Origin = true, def.Access, b.origin(k.Name)
	if def.SourceFile != dex.NoIndex {
		k.Source = u.file.Strings[def.SourceFile]
	}
	if c != ClassObject {
		k.Super = ClassObject
		if def.Super != dex.NoIndex {
			k.Super = b.super(u, def.Super)
		}
		k.Interfaces = make([]ClassID, 0, len(def.Interfaces))
		for _, t := range def.Interfaces {
			k.Interfaces = append(k.Interfaces, b.super(u, uint32(t)))
		}
	}
	k.Fields = make([]FieldID, 0, len(def.StaticFields)+len(def.InstanceFields))
	for i, f := range def.StaticFields {
		id := b.defineField(u, c, f, AccStatic)
		if id != 0 && i < len(def.StaticValues) {
			b.p.Fields[id].Const = u.constant(def.StaticValues[i])
		}
	}
	for _, f := range def.InstanceFields {
		b.defineField(u, c, f, 0)
	}
	k.Methods = make([]MethodID, 0, len(def.Direct)+len(def.Virtual))
	for _, m := range def.Direct {
		b.defineMethod(u, c, m)
	}
	for _, m := range def.Virtual {
		b.defineMethod(u, c, m)
	}
}

// super is a supertype; arrays and primitives, which cannot be one, count as
// Object.
func (b *builder) super(u *unit, typ uint32) ClassID {
	if t := &b.p.Types[u.types[typ]]; t.Kind == Ref {
		return t.Class
	}
	return ClassObject
}

func (b *builder) defineField(u *unit, c ClassID, def dex.EncodedField, static uint32) FieldID {
	id := u.fields[def.Field]
	f := &b.p.Fields[id]
	if f.Class != c || f.Declared {
		return 0
	}
	f.Declared, f.Flags = true, def.Access&^AccStatic|static
	b.p.Classes[c].Fields = append(b.p.Classes[c].Fields, id)
	return id
}

func (b *builder) defineMethod(u *unit, c ClassID, def dex.EncodedMethod) {
	id := u.methods[def.Method]
	m := &b.p.Methods[id]
	if m.Class != c || m.Declared {
		return
	}
	m.Declared, m.Flags, m.HasCode = true, def.Access, def.Code != 0
	b.p.code[id] = codeRef{u.number, def.Code}
	b.p.Classes[c].Methods = append(b.p.Classes[c].Methods, id)
}
