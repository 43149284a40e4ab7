package ir

// Program is everything the dex files and the platform index say about types
// and members. It is read-only after Build and safe for concurrent use. Element
// 0 of each slice is unused.
type Program struct {
	Strings   []string
	Types     []Type
	Classes   []Class
	Fields    []Field
	Methods   []Method
	Selectors []Selector
	Lambdas   []Lambda
	CallSites []CallSite
	Handles   []Handle

	tables    tables
	hierarchy hierarchy
	resolved  resolved
	code      []codeRef // by MethodID
	units     []*unit
	protos    []proto
	defs      []defRef // by ClassID; shorter than Classes
	frames    []Frame
	sources   []*Source // by MethodID; empty unless restored
	moved     map[FieldID]*Written
}

// Type is a primitive, class, array, or one of the two special types.
type Type struct {
	Desc  string // as in dex, such as [Ljava/lang/String;
	Kind  Kind
	Class ClassID // of Ref and Array types
	Elem  TypeID  // of Array types
}

// Class is a class, an interface, or the class of an array type (which has no
// members of its own and java.lang.Object as super).
type Class struct {
	Type       TypeID
	Name       string  // com.example.Main$1, int[]
	Super      ClassID // 0 only for java.lang.Object
	Interfaces []ClassID
	Flags      uint32
	Origin     Origin
	Source     string     // SourceFile, "" if unknown
	Fields     []FieldID  // declared, in the order of the file
	Methods    []MethodID // declared, sorted by selector
	Defined    bool       // by a dex file or the platform index; arrays are
}

// Field is a field as some class declares it or as some code names it.
type Field struct {
	Class    ClassID
	Name     string
	Type     TypeID
	Flags    uint32
	Declared bool  // Class declares it
	Const    Const // value that a static field has before class initialisation
}

// ConstKind tells what the bits of a Const mean.
type ConstKind uint8

const (
	ConstNone   ConstKind = iota // no value given: zero or null
	ConstNumber                  // Bits is the number, sign-extended, or the IEEE bits
	ConstText                    // Bits is a StringID
	ConstType                    // Bits is a TypeID
	ConstOther                   // given, but of a sort that is not kept
)

// Const is the encoded initial value of a static field.
type Const struct {
	Kind ConstKind
	Bits int64
}

// Selector is what a call names besides the class: methods that override each
// other have one selector.
type Selector struct {
	Name   string
	Params []TypeID
	Return TypeID
}

// Method is a method as some class declares it or as some code names it.
type Method struct {
	Class    ClassID
	Sel      SelectorID
	Flags    uint32
	Declared bool // Class declares it
	HasCode  bool
}

// Lambda is a call site of LambdaMetafactory: the expression makes an object of
// an unnamed class that implements Interface by forwarding Sel to Impl with the
// captured values before the arguments.
type Lambda struct {
	Interface ClassID
	Sel       SelectorID
	Impl      MethodID
	ImplKind  Sub // Static, Virtual, Direct, Interface, or Construct for Class::new
	Captured  int // number of captured values
	Params    []TypeID
	Return    TypeID       // with Params, Sel's signature as instantiated
	Markers   []ClassID    // further interfaces
	Bridges   []SelectorID // further selectors, forwarded alike
}

// CallSite is an invoke-custom with any other bootstrap method.
type CallSite struct {
	Bootstrap Handle
	Sel       SelectorID // name and type of the call
	Args      []Const    // static arguments
}

// Handle is a constant method handle.
type Handle struct {
	Kind   Sub // an invocation kind, Construct, or one of the four field kinds
	Method MethodID
	Field  FieldID
}

// ClassDecl is a class header from a source other than dex.
type ClassDecl struct {
	Name, Super string // dotted; Super is "" for java.lang.Object
	Interfaces  []string
	Flags       uint32
	Source      string
	Fields      []FieldDecl
	Methods     []MethodDecl
}

// FieldDecl is a field of a ClassDecl.
type FieldDecl struct {
	Name, Desc string
	Flags      uint32
}

// MethodDecl is a method of a ClassDecl; Desc is such as (I)V.
type MethodDecl struct {
	Name, Desc string
	Flags      uint32
}

// PlatformSource knows the classes that the device brings. Names are dotted
// binary names such as android.view.View$OnClickListener.
type PlatformSource interface {
	Class(name string) (*ClassDecl, bool)
}
