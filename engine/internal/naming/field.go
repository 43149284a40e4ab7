package naming

import (
	"cmp"
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Location is what an access touches: a field or a slot of some objects.
type Location struct {
	Key  pointsto.FieldKey
	Objs pointsto.Set    // the instance may be one of these; empty for static fields
	Func pointsto.FuncID // the function that accesses it
	Base ir.Value        // the instance in that function, 0 if it is no value there
}

// Field names the location that two accesses of one key share: the field, or for
// content the field that holds the array, container or resource. The zero Field
// means that no field of the app is concerned.
//
// Of several fields that may hold the content, the one counts that an access has
// loaded it from, the first access before the second; then the first by name. A
// field that the developer wrote goes before one of the compiler.
func (n *Names) Field(a, b Location) finding.Field {
	if a.Key > 0 {
		return n.declared(a.Key)
	}
	if own := n.componentSlot(a, b); own.Class != "" {
		return own
	}
	content := n.contentOf(a, b)
	var captured []pointsto.FieldKey
	for _, x := range []Location{a, b} {
		if k := n.LoadedFrom(x); k > 0 && n.appField(k) {
			if n.compilers(k) {
				captured = append(captured, k)
				continue
			}
			out := n.declared(k)
			out.Content = content
			return out
		}
	}
	declared, compilers := n.holdersOf(a, b)
	if declared != 0 {
		out := n.declared(declared)
		out.Content = content
		return out
	}
	captured = append(captured, compilers...)
	if own := n.objectSlot(a, b); own.Class != "" {
		return own
	}
	out := n.capturedBy(a, b, captured)
	if out.Class != "" {
		out.Content = content
	}
	return out
}

// componentSlot names a slot of a component, such as an activity's window token,
// by the component.
func (n *Names) componentSlot(a, b Location) finding.Field {
	o := a.Objs.And(b.Objs).One()
	if o == 0 || !ownSlot(a.Key) || n.pts.Object(o).Kind != pointsto.Component {
		return finding.Field{}
	}
	class := n.prog.Classes[n.pts.Object(o).Class].Name
	return finding.Field{Class: class, Name: n.pts.KeyName(a.Key), Content: finding.Kept}
}

// objectSlot names a slot of an object of the app, such as a fragment's host, by
// its class.
func (n *Names) objectSlot(a, b Location) finding.Field {
	o := a.Objs.And(b.Objs).One()
	if o == 0 || !ownSlot(a.Key) {
		return finding.Field{}
	}
	c := n.pts.Object(o).Class
	if c == 0 || n.prog.Classes[c].Origin != ir.App {
		return finding.Field{}
	}
	return finding.Field{Class: n.nest.class(c), Name: n.pts.KeyName(a.Key), Content: finding.Kept}
}

// ownSlot reports whether a key is a slot of a model, but not the content of an
// array or container.
func ownSlot(k pointsto.FieldKey) bool { return k < 0 && k != pointsto.Content }

// compilers reports whether the compiler has made a field, for a captured variable
// or for the object around.
func (n *Names) compilers(k pointsto.FieldKey) bool {
	return n.nest.isCapture(ir.FieldID(k)) || strings.HasPrefix(n.prog.Fields[k].Name, "this$")
}

// declared is the field as its class declares it.
func (n *Names) declared(k pointsto.FieldKey) finding.Field {
	d := &n.prog.Fields[k]
	out := finding.Field{
		Class: n.nest.class(d.Class), Name: n.nest.fieldName(ir.FieldID(k)), Static: d.Flags&ir.AccStatic != 0,
	}
	if w := n.prog.WrittenField(ir.FieldID(k)); w != nil {
		out.Class, out.Name = w.Class, w.Name
		return out
	}
	if binary := n.nest.binary(out.Class, d.Class); binary != out.Class {
		out.Declared = binary
	}
	return out
}

// contentOf says what sort of content a slot is.
func (n *Names) contentOf(a, b Location) finding.Content {
	if a.Key != pointsto.Content {
		return finding.Resource
	}
	array := false
	a.Objs.All(func(o pointsto.Obj) bool {
		if b.Objs.Has(o) && n.prog.Types[n.pts.Object(o).Type].Kind == ir.Array {
			array = true
		}
		return !array
	})
	if array {
		return finding.Array
	}
	return finding.Container
}

// LoadedFrom is the field that the instance of an access was loaded from, 0 if it
// was not loaded in the same function.
func (n *Names) LoadedFrom(a Location) pointsto.FieldKey {
	b := n.pts.Body(a.Func)
	if b == nil || a.Base == 0 {
		return 0
	}
	v := a.Base
	for b.Op[v] == ir.OpCheckCast {
		v = b.Arg(v, 0)
	}
	if b.Op[v] == ir.OpGetField || b.Op[v] == ir.OpGetStatic {
		return n.pts.FieldKeyOf(ir.FieldID(b.Aux[v]))
	}
	return 0
}

// holders are the app's fields that hold an object.
type holders struct {
	declared  pointsto.FieldKey   // of those that the developer wrote, the first by name; 0 if there is none
	compilers []pointsto.FieldKey // those that the compiler has made
}

// indexHolders notes which fields of the app hold each object.
func (n *Names) indexHolders() {
	n.holders = map[pointsto.Obj]holders{}
	for _, e := range n.pts.Heap() {
		if !n.appField(e.Key) {
			continue
		}
		made := n.compilers(e.Key)
		e.To.All(func(o pointsto.Obj) bool {
			h := n.holders[o]
			switch {
			case made:
				h.compilers = append(h.compilers, e.Key)
			case h.declared == 0 || n.compareFields(e.Key, h.declared) < 0:
				h.declared = e.Key
			}
			n.holders[o] = h
			return true
		})
	}
}

// holdersOf is the first of the fields that the developer wrote and that may hold
// an object of both accesses, 0 if there is none, and those that the compiler has
// made, in order.
func (n *Names) holdersOf(a, b Location) (declared pointsto.FieldKey, compilers []pointsto.FieldKey) {
	a.Objs.All(func(o pointsto.Obj) bool {
		if !b.Objs.Has(o) {
			return true
		}
		h := n.holders[o]
		if h.declared != 0 && (declared == 0 || n.compareFields(h.declared, declared) < 0) {
			declared = h.declared
		}
		compilers = append(compilers, h.compilers...)
		return true
	})
	slices.SortFunc(compilers, n.compareFields)
	return declared, slices.Compact(compilers)
}

// compareFields orders by name, not as compilers order classes.
func (n *Names) compareFields(x, y pointsto.FieldKey) int {
	if x == y {
		return 0
	}
	return cmp.Or(
		strings.Compare(n.prog.Fields[x].Name, n.prog.Fields[y].Name),
		strings.Compare(n.pts.KeyName(x), n.pts.KeyName(y)),
		cmp.Compare(x, y))
}

// appCode reports whether a function is code of the app.
func (n *Names) appCode(fn pointsto.FuncID) bool {
	m := n.pts.Funcs[fn].Method
	return m != 0 && n.prog.Classes[n.prog.Methods[m].Class].Origin == ir.App
}

// appField reports whether a class of the app declares a field.
func (n *Names) appField(k pointsto.FieldKey) bool {
	return k > 0 && n.prog.Classes[n.prog.Fields[k].Class].Origin == ir.App
}
