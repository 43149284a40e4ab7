package dex

// Annotation visibilities.
const (
	VisibilityBuild   = 0
	VisibilityRuntime = 1
	VisibilitySystem  = 2
)

// maxAnnotationValues bounds what one class's annotations may hold. The metadata
// that Kotlin attaches to a class is some thousand values.
const maxAnnotationValues = 1 << 18

// Annotation is one annotation; Type is a type index. Nested ones have no
// visibility of their own.
type Annotation struct {
	Visibility uint8
	Type       uint32
	Elements   []Element
}

// Element is a named value of an annotation; Name is a string index.
type Element struct {
	Name  uint32
	Value Value
}

// Annotations are all annotations of a class and its members.
type Annotations struct {
	Class   []Annotation
	Fields  []MemberAnnotations // Member is a field index
	Methods []MemberAnnotations // Member is a method index
	Params  []ParamAnnotations
}

// MemberAnnotations are the annotations of one field or method.
type MemberAnnotations struct {
	Member uint32
	List   []Annotation
}

// ParamAnnotations are the annotations of the parameters of one method.
type ParamAnnotations struct {
	Method uint32
	Params [][]Annotation
}

// OfMethod gives the annotations of the method with that index.
func (a *Annotations) OfMethod(method uint32) []Annotation { return ofMember(a.Methods, method) }

// OfField gives the annotations of the field with that index.
func (a *Annotations) OfField(field uint32) []Annotation { return ofMember(a.Fields, field) }

func ofMember(members []MemberAnnotations, index uint32) []Annotation {
	for i := range members {
		if members[i].Member == index {
			return members[i].List
		}
	}
	return nil
}

// Annotations reads the annotations of c and of its members; with an error come
// those before the damage. They are read again at each call: a caller keeps what
// it needs.
func (f *File) Annotations(c *ClassDef) (Annotations, error) {
	var out Annotations
	if c.AnnotationsOff == 0 {
		return out, nil
	}
	r := f.annotationReader(c.AnnotationsOff)
	class := r.u32()
	fields, methods, params := r.u32(), r.u32(), r.u32()
	if n := uint64(fields) + uint64(methods) + uint64(params); n*8 > uint64(r.left()) {
		r.failf("annotations of %d members are larger than the rest of the file", n)
	} else if !r.failed() && !r.b.spend(2*int(n)) {
		r.fail("class has too many annotations")
	}
	if r.failed() {
		return out, r.err(f.Name)
	}
	out.Class = r.set(class)
	out.Fields = r.members(fields, len(f.Fields), "field")
	out.Methods = r.members(methods, len(f.Methods), "method")
	out.Params = r.params(params)
	return out, r.err(f.Name)
}

// ClassAnnotations reads only the annotations of c itself.
func (f *File) ClassAnnotations(c *ClassDef) ([]Annotation, error) {
	if c.AnnotationsOff == 0 {
		return nil, nil
	}
	r := f.annotationReader(c.AnnotationsOff)
	list := r.set(r.u32())
	return list, r.err(f.Name)
}

func (f *File) annotationReader(off uint32) *valueReader {
	return &valueReader{
		cursor: cursor{data: f.data, pos: int(min(uint64(off), uint64(len(f.data))))},
		f:      f,
		b:      &budget{min(len(f.data)/2, maxAnnotationValues)},
	}
}

func (r *valueReader) members(n uint32, limit int, what string) []MemberAnnotations {
	if r.failed() || n == 0 {
		return nil
	}
	out := make([]MemberAnnotations, 0, n)
	for range n {
		index, off := r.u32(), r.u32()
		if !r.failed() && uint64(index) >= uint64(limit) {
			r.failf("annotations: %s index %d outside the table of %d", what, index, limit)
		}
		list := r.set(off)
		if r.failed() {
			break
		}
		out = append(out, MemberAnnotations{index, list})
	}
	return out
}

func (r *valueReader) params(n uint32) []ParamAnnotations {
	if r.failed() || n == 0 {
		return nil
	}
	out := make([]ParamAnnotations, 0, n)
	for range n {
		method, off := r.u32(), r.u32()
		if !r.failed() && uint64(method) >= uint64(len(r.f.Methods)) {
			r.failf("annotations: method index %d outside the table of %d", method, len(r.f.Methods))
		}
		p := ParamAnnotations{Method: method}
		back := r.jump(off)
		size := r.count(4, "parameters")
		for range size {
			p.Params = append(p.Params, r.set(r.u32()))
		}
		r.back(back)
		if r.failed() {
			break
		}
		out = append(out, p)
	}
	return out
}

// set reads the annotation_set_item at off and the annotations it lists, and
// stays where it is.
func (r *valueReader) set(off uint32) []Annotation {
	if off == 0 || r.failed() {
		return nil
	}
	defer r.back(r.jump(off))
	n := r.count(4, "annotations")
	if n == 0 {
		return nil
	}
	out := make([]Annotation, 0, n)
	for range n {
		item := r.u32()
		back := r.jump(item)
		visibility := r.u8()
		a := r.annotation(0)
		a.Visibility = visibility
		r.back(back)
		if r.failed() {
			break
		}
		out = append(out, a)
	}
	return out
}

// count reads how many entries of some bytes follow, and pays for them.
func (r *valueReader) count(entry int, what string) int {
	n := r.u32()
	if uint64(n)*uint64(entry) > uint64(r.left()) {
		r.failf("set of %d %s is larger than the rest of the file", n, what)
	} else if !r.failed() && !r.b.spend(2*int(n)) {
		r.fail("class has too many annotations")
	}
	if r.failed() {
		return 0
	}
	return int(n)
}

// jump moves to off and gives the position to go back to.
func (r *valueReader) jump(off uint32) int {
	old := r.pos
	if !r.failed() {
		r.pos = int(min(uint64(off), uint64(len(r.data))))
	}
	return old
}

// back returns to pos, unless a failure is to be reported where it happened.
func (r *valueReader) back(pos int) {
	if !r.failed() {
		r.pos = pos
	}
}

// Nesting says where in the source a nested class was declared.
type Nesting struct {
	Nested          bool
	EnclosingClass  uint32 // type index or NoIndex
	EnclosingMethod uint32 // method index or NoIndex; local and anonymous classes
	Name            string // simple name; "" for anonymous classes
	Access          uint32 // as declared in the source
}

// Nesting finds the system annotations EnclosingClass, EnclosingMethod and
// InnerClass among those of a class.
func (f *File) Nesting(class []Annotation) Nesting {
	n := Nesting{EnclosingClass: NoIndex, EnclosingMethod: NoIndex}
	for i := range class {
		a := &class[i]
		switch f.Strings[f.Types[a.Type]] {
		case "Ldalvik/annotation/EnclosingClass;":
			if v, ok := f.element(a, "value"); ok && v.Kind == ValueType {
				n.EnclosingClass = v.Index()
			}
		case "Ldalvik/annotation/EnclosingMethod;":
			if v, ok := f.element(a, "value"); ok && v.Kind == ValueMethod {
				n.EnclosingMethod = v.Index()
				n.EnclosingClass = uint32(f.Methods[v.Index()].Class)
			}
		case "Ldalvik/annotation/InnerClass;":
			n.Nested = true
			if v, ok := f.element(a, "name"); ok && v.Kind == ValueString {
				n.Name = f.Strings[v.Index()]
			}
			if v, ok := f.element(a, "accessFlags"); ok && v.Kind == ValueInt {
				n.Access = uint32(v.Int())
			}
		}
	}
	return n
}

// Signature gives the generic signature among the annotations of a class, field
// or method, or "".
func (f *File) Signature(list []Annotation) string {
	s := ""
	for _, v := range f.systemValues(list, "Ldalvik/annotation/Signature;") {
		if v.Kind == ValueString {
			s += f.Strings[v.Index()]
		}
	}
	return s
}

// Throws gives the type indices of the exceptions that a method declares.
func (f *File) Throws(list []Annotation) []uint32 {
	var types []uint32
	for _, v := range f.systemValues(list, "Ldalvik/annotation/Throws;") {
		if v.Kind == ValueType {
			types = append(types, v.Index())
		}
	}
	return types
}

// systemValues gives the array that the annotation with that descriptor holds.
func (f *File) systemValues(list []Annotation, desc string) []Value {
	for i := range list {
		if f.Strings[f.Types[list[i].Type]] == desc {
			v, _ := f.element(&list[i], "value")
			return v.Elems()
		}
	}
	return nil
}

func (f *File) element(a *Annotation, name string) (Value, bool) {
	for _, e := range a.Elements {
		if f.Strings[e.Name] == name {
			return e.Value, true
		}
	}
	return Value{}, false
}
