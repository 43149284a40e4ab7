package dex

import (
	"fmt"
	"strings"
)

// NoIndex stands for an absent index: a class without superclass or source
// file.
const NoIndex = 0xffffffff

// File is one logical dex file. It is read-only after Parse, and all its
// methods are safe for concurrent use.
type File struct {
	Name    string
	Version int // 35 to 41

	Strings       []string // decoded; "" where the string itself is malformed
	Types         []uint32 // string index of each descriptor
	Protos        []Proto
	Fields        []FieldID
	Methods       []MethodID
	Classes       []ClassDef // in file order, without the broken ones
	CallSites     []CallSite
	MethodHandles []MethodHandle
	Broken        []ClassError

	data      []byte   // all bytes of the container: every offset counts from its start
	stringOff uint32   // where string_ids starts, for the text of errors
	badString []uint32 // indices of malformed strings, ascending
}

// Proto is the shape of a method: type indices of result and parameters.
type Proto struct {
	Shorty uint32
	Return uint16
	Params []uint16
}

// FieldID names a field: class and type are type indices, name is a string
// index.
type FieldID struct {
	Class, Type uint16
	Name        uint32
}

// MethodID names a method: class is a type index, name is a string index.
type MethodID struct {
	Class, Proto uint16
	Name         uint32
}

// ClassDef is one class definition.
type ClassDef struct {
	Type           uint32
	Access         uint32
	Super          uint32 // type index or NoIndex
	Interfaces     []uint16
	SourceFile     uint32 // string index or NoIndex
	StaticFields   []EncodedField
	InstanceFields []EncodedField
	Direct         []EncodedMethod // static, private, constructors
	Virtual        []EncodedMethod
	StaticValues   []Value // of the first static fields; the others start as zero
	AnnotationsOff uint32  // for File.Annotations; 0 means none
}

// EncodedField is a field that a class defines.
type EncodedField struct {
	Field  uint32
	Access uint32
}

// EncodedMethod is a method that a class defines.
type EncodedMethod struct {
	Method uint32
	Access uint32
	Code   uint32 // for File.Code; 0 means abstract or native
}

// ClassError is a class definition that could not be read.
type ClassError struct {
	Index int    // in the file's class_defs; -1 for a type whose name is malformed
	Name  string // descriptor, "" if not even that is readable
	Err   error
}

func (e ClassError) Error() string {
	if e.Name == "" {
		return e.Err.Error()
	}
	return e.Err.Error() + " in class " + e.Name
}

func (e ClassError) Unwrap() error { return e.Err }

// HandleKind is what a method handle does with its field or method.
type HandleKind uint16

const (
	HandleStaticPut HandleKind = iota
	HandleStaticGet
	HandleInstancePut
	HandleInstanceGet
	HandleInvokeStatic
	HandleInvokeInstance
	HandleInvokeConstructor
	HandleInvokeDirect
	HandleInvokeInterface
)

// IsField reports whether the handle names a field and not a method.
func (k HandleKind) IsField() bool { return k <= HandleInstanceGet }

// MethodHandle is a direct handle; Index is a field or method index.
type MethodHandle struct {
	Kind  HandleKind
	Index uint32
}

// CallSite is what an invoke-custom links to. If Err is set, nothing else is.
type CallSite struct {
	Handle uint32 // index in MethodHandles of the bootstrap method
	Name   uint32 // string index
	Proto  uint32
	Args   []Value // constants passed to the bootstrap method after its first three
	Err    error
}

// Access flags of classes, fields and methods.
const (
	AccPublic       = 0x1
	AccPrivate      = 0x2
	AccProtected    = 0x4
	AccStatic       = 0x8
	AccFinal        = 0x10
	AccSynchronized = 0x20
	AccVolatile     = 0x40
	AccBridge       = 0x40
	AccTransient    = 0x80
	AccVarargs      = 0x80
	AccNative       = 0x100
	AccInterface    = 0x200
	AccAbstract     = 0x400
	AccStrict       = 0x800
	AccSynthetic    = 0x1000
	AccAnnotation   = 0x2000
	AccEnum         = 0x4000
	AccConstructor  = 0x10000
	AccDeclaredSync = 0x20000
)

func (f *File) indexError(what string, i uint32, n int) error {
	return fmt.Errorf("%s: %s index %d is outside the table of %d", f.Name, what, i, n)
}

// String gives the decoded string at index i.
func (f *File) String(i uint32) (string, error) {
	if uint64(i) >= uint64(len(f.Strings)) {
		return "", f.indexError("string", i, len(f.Strings))
	}
	if s := f.Strings[i]; s != "" || !f.isBadString(i) {
		return s, nil
	}
	return "", f.stringError(i)
}

// TypeName gives the descriptor of type i, such as "Ljava/lang/String;".
func (f *File) TypeName(i uint32) (string, error) {
	if uint64(i) >= uint64(len(f.Types)) {
		return "", f.indexError("type", i, len(f.Types))
	}
	return f.String(f.Types[i])
}

// Proto gives the prototype at index i.
func (f *File) Proto(i uint32) (Proto, error) {
	if uint64(i) >= uint64(len(f.Protos)) {
		return Proto{}, f.indexError("prototype", i, len(f.Protos))
	}
	return f.Protos[i], nil
}

// ProtoName gives the descriptor of prototype i, such as "(ILjava/lang/String;)V".
func (f *File) ProtoName(i uint32) (string, error) {
	p, err := f.Proto(i)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteByte('(')
	for _, t := range p.Params {
		b.WriteString(f.Strings[f.Types[t]])
	}
	b.WriteByte(')')
	b.WriteString(f.Strings[f.Types[p.Return]])
	return b.String(), nil
}

// Field gives the field identifier at index i.
func (f *File) Field(i uint32) (FieldID, error) {
	if uint64(i) >= uint64(len(f.Fields)) {
		return FieldID{}, f.indexError("field", i, len(f.Fields))
	}
	return f.Fields[i], nil
}

// FieldName gives field i as text, such as "La/B;->count:I".
func (f *File) FieldName(i uint32) (string, error) {
	id, err := f.Field(i)
	if err != nil {
		return "", err
	}
	name, err := f.String(id.Name)
	if err != nil {
		return "", err
	}
	return f.Strings[f.Types[id.Class]] + "->" + name + ":" + f.Strings[f.Types[id.Type]], nil
}

// Method gives the method identifier at index i.
func (f *File) Method(i uint32) (MethodID, error) {
	if uint64(i) >= uint64(len(f.Methods)) {
		return MethodID{}, f.indexError("method", i, len(f.Methods))
	}
	return f.Methods[i], nil
}

// MethodName gives method i as text, such as "La/B;->run(I)V".
func (f *File) MethodName(i uint32) (string, error) {
	id, err := f.Method(i)
	if err != nil {
		return "", err
	}
	name, err := f.String(id.Name)
	if err != nil {
		return "", err
	}
	proto, err := f.ProtoName(uint32(id.Proto))
	if err != nil {
		return "", err
	}
	return f.Strings[f.Types[id.Class]] + "->" + name + proto, nil
}

// CallSite gives the call site at index i.
func (f *File) CallSite(i uint32) (*CallSite, error) {
	if uint64(i) >= uint64(len(f.CallSites)) {
		return nil, f.indexError("call site", i, len(f.CallSites))
	}
	return &f.CallSites[i], f.CallSites[i].Err
}

// MethodHandle gives the method handle at index i.
func (f *File) MethodHandle(i uint32) (MethodHandle, error) {
	if uint64(i) >= uint64(len(f.MethodHandles)) {
		return MethodHandle{}, f.indexError("method handle", i, len(f.MethodHandles))
	}
	return f.MethodHandles[i], nil
}
