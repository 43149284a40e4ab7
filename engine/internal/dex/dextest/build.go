// Package dextest writes small dex files in memory for tests: classes, fields
// and methods with code as numbers or as text, try blocks, line numbers,
// constants, annotations, call sites. What it writes is valid: identifiers are
// sorted and complete, the map lists every item, checksum and signature are
// right; versions 035 to 041, and several files in a version 041 container.
//
// It follows the dex format document. Misuse panics: a test that describes an
// impossible file is itself wrong.
package dextest

import (
	"fmt"

	"github.com/eventraces/eventraces/engine/internal/dex"
)

// Dex is a dex file under construction.
type Dex struct {
	Version int
	classes []*Class
	strings []string
	sites   map[string]*CallSite
	handles map[string]Handle
}

// New starts a dex file of version 35 to 41.
func New(version int) *Dex {
	return &Dex{Version: version, sites: map[string]*CallSite{}, handles: map[string]Handle{}}
}

// References, as they stand in code: each takes the place of one code unit.
// They are also values of static fields, annotations and call sites.
type (
	Str   string // string constant
	Type  string // descriptor
	Proto string // such as (I)V
	Field struct{ Class, Name, Type string }
	// Method names a method; Proto is such as (I)V.
	Method struct{ Class, Name, Proto string }
	// Handle is a method handle; Desc is a type for fields, else a prototype.
	Handle struct {
		Kind              dex.HandleKind
		Class, Name, Desc string
	}
	// Jumbo is a string constant that takes two code units.
	Jumbo string
	// Enum is the value of an enum constant.
	Enum Field
	// Char is a value of type char; plain Go types give the others.
	Char uint16
)

// CallSite is what an invoke-custom links to.
type CallSite struct {
	Bootstrap Handle
	Name      string
	Proto     string
	Args      []any
}

// Annotation is an annotation of a class, field or method.
type Annotation struct {
	Visibility uint8
	Type       string
	Elements   []Element
}

// Element is a named value of an annotation.
type Element struct {
	Name  string
	Value any
}

// Class is a class under construction.
type Class struct {
	dex         *Dex
	desc, super string
	access      uint32
	interfaces  []string
	source      string
	fields      []*field
	methods     []*Code
	annotations []Annotation
}

type field struct {
	id          Field
	access      uint32
	value       any
	hasValue    bool
	annotations []Annotation
}

// Code is a method under construction; without Units or Asm it has no code.
type Code struct {
	class       *Class
	id          Method
	access      uint32
	registers   int
	outs        int
	units       []any
	tries       []tryBlock
	lines       []dex.Line
	params      []string
	annotations []Annotation
	paramAnns   [][]Annotation
}

type tryBlock struct {
	start, end uint32
	handlers   []Catch
}

// Catch is a handler; Type "" catches everything.
type Catch struct {
	Type string
	Addr uint32
}

// String makes sure that the file holds s.
func (d *Dex) String(s string) { d.strings = append(d.strings, s) }

// CallSite defines a call site, which the text of Asm names as @name.
func (d *Dex) CallSite(name string, s CallSite) *CallSite {
	d.sites[name] = &s
	return &s
}

// Handle defines a method handle, which the text of Asm names as @name.
func (d *Dex) Handle(name string, h Handle) { d.handles[name] = h }

// Class adds a class; super "" means none.
func (d *Dex) Class(desc, super string, access uint32, interfaces ...string) *Class {
	c := &Class{dex: d, desc: desc, super: super, access: access, interfaces: interfaces}
	d.classes = append(d.classes, c)
	return c
}

// Source sets the source file.
func (c *Class) Source(name string) *Class {
	c.source = name
	return c
}

// Annotate adds annotations to the class.
func (c *Class) Annotate(list ...Annotation) *Class {
	c.annotations = append(c.annotations, list...)
	return c
}

// Field adds a field; a static one may be given its constant.
func (c *Class) Field(name, typ string, access uint32, value ...any) *Class {
	f := &field{id: Field{c.desc, name, typ}, access: access}
	if len(value) > 0 {
		f.value, f.hasValue = value[0], true
	}
	c.fields = append(c.fields, f)
	return c
}

// AnnotateField adds annotations to the field added last.
func (c *Class) AnnotateField(list ...Annotation) *Class {
	f := c.fields[len(c.fields)-1]
	f.annotations = append(f.annotations, list...)
	return c
}

// Method adds a method, without code as yet.
func (c *Class) Method(name, proto string, access uint32) *Code {
	m := &Code{class: c, id: Method{c.desc, name, proto}, access: access}
	if name == "<init>" || name == "<clinit>" {
		m.access |= dex.AccConstructor
	}
	c.methods = append(c.methods, m)
	return m
}

// Units gives the method code: numbers of one code unit each, and references.
func (m *Code) Units(registers, outs int, units ...any) *Code {
	m.registers, m.outs = registers, outs
	for _, u := range units {
		if n, ok := u.(int); ok {
			u = uint16(n)
		}
		m.units = append(m.units, u)
	}
	return m
}

// Try adds a try block over the code units start to end, end not included.
// Blocks must ascend without overlap.
func (m *Code) Try(start, end uint32, handlers ...Catch) *Code {
	m.tries = append(m.tries, tryBlock{start, end, handlers})
	return m
}

// Line says that the code from addr on is of that source line.
func (m *Code) Line(addr, line uint32) *Code {
	m.lines = append(m.lines, dex.Line{Addr: addr, Line: line})
	return m
}

// Params names the parameters.
func (m *Code) Params(names ...string) *Code {
	m.params = names
	return m
}

// Annotate adds annotations to the method.
func (m *Code) Annotate(list ...Annotation) *Code {
	m.annotations = append(m.annotations, list...)
	return m
}

// AnnotateParams sets the annotations of the parameters.
func (m *Code) AnnotateParams(params ...[]Annotation) *Code {
	m.paramAnns = params
	return m
}

// Parse writes the file and reads it back.
func (d *Dex) Parse(name string) (*dex.File, error) {
	files, err := dex.Parse(name, d.Bytes())
	if err != nil {
		return nil, err
	}
	if len(files[0].Broken) > 0 {
		return nil, files[0].Broken[0]
	}
	return files[0], nil
}

// direct reports whether the method goes to the direct methods of its class.
func (m *Code) direct() bool {
	return m.access&(dex.AccStatic|dex.AccPrivate|dex.AccConstructor) != 0
}

// ins counts the registers of the parameters.
func (m *Code) ins() int {
	params, _ := splitProto(m.id.Proto)
	n := 0
	if m.access&dex.AccStatic == 0 {
		n = 1
	}
	for _, p := range params {
		n += registersOf(p)
	}
	return n
}

func registersOf(desc string) int {
	if desc == "J" || desc == "D" {
		return 2
	}
	return 1
}

// splitProto takes (ILa;)V apart.
func splitProto(proto string) (params []string, ret string) {
	if len(proto) < 3 || proto[0] != '(' {
		panic(fmt.Sprintf("dextest: malformed prototype %q", proto))
	}
	for s := proto[1:]; ; {
		if s == "" {
			panic(fmt.Sprintf("dextest: malformed prototype %q", proto))
		}
		if s[0] == ')' {
			return params, s[1:]
		}
		n := descriptorLen(s)
		params = append(params, s[:n])
		s = s[n:]
	}
}

// descriptorLen gives the length of the descriptor that s starts with.
func descriptorLen(s string) int {
	n := 0
	for n < len(s) && s[n] == '[' {
		n++
	}
	if n < len(s) && s[n] == 'L' {
		for n < len(s) && s[n] != ';' {
			n++
		}
	}
	if n >= len(s) {
		panic(fmt.Sprintf("dextest: malformed descriptor %q", s))
	}
	return n + 1
}
