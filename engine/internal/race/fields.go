package race

import (
	"cmp"
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/flow"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// fieldOf names the location of a pair: the field, or for content the field
// that holds the array, container or resource. The zero Field means that no
// field of the app is concerned.
func (f *finder) fieldOf(p *pair) finding.Field {
	a, b := p.access[0], p.access[1]
	if a.key > 0 {
		return f.declared(a.key)
	}
	if own := f.componentSlot(a, b); own.Class != "" {
		return own
	}
	content := f.contentOf(a, b)
	var captured []pointsto.FieldKey
	for _, x := range []*access{a, b} {
		if k := f.loadedFrom(x); k > 0 && f.appField(k) {
			if f.compilers(k) {
				captured = append(captured, k)
				continue
			}
			out := f.declared(k)
			out.Content = content
			return out
		}
	}
	for _, k := range f.holdersOf(a, b) {
		if f.compilers(k) {
			captured = append(captured, k)
			continue
		}
		out := f.declared(k)
		out.Content = content
		return out
	}
	if own := f.objectSlot(a, b); own.Class != "" {
		return own
	}
	out := f.capturedBy(a, b, captured)
	if out.Class != "" {
		out.Content = content
	}
	return out
}

// componentSlot names a slot of a component, such as an activity's window token,
// by the component.
func (f *finder) componentSlot(a, b *access) finding.Field {
	both := a.objs.And(b.objs)
	if o := both.One(); o != 0 && a.key < 0 && a.key != pointsto.Content && f.r.Object(o).Kind == pointsto.Component {
		return finding.Field{Class: f.p.Classes[f.r.Object(o).Class].Name, Name: f.r.KeyName(a.key), Content: finding.Kept}
	}
	return finding.Field{}
}

// objectSlot names a slot of an object of the app, such as a fragment's host, by
// its class.
func (f *finder) objectSlot(a, b *access) finding.Field {
	o := a.objs.And(b.objs).One()
	if o == 0 || a.key >= 0 || a.key == pointsto.Content {
		return finding.Field{}
	}
	c := f.r.Object(o).Class
	if c == 0 || f.p.Classes[c].Origin != ir.App {
		return finding.Field{}
	}
	return finding.Field{Class: f.naming().class(c), Name: f.r.KeyName(a.key), Content: finding.Kept}
}

// compilers: the compiler has made the field, for a captured variable or for the
// object around.
func (f *finder) compilers(k pointsto.FieldKey) bool {
	return f.naming().isCapture(ir.FieldID(k)) || strings.HasPrefix(f.p.Fields[k].Name, "this$")
}

func (f *finder) declared(k pointsto.FieldKey) finding.Field {
	d := &f.p.Fields[k]
	out := finding.Field{Class: f.naming().class(d.Class), Name: f.naming().fieldName(ir.FieldID(k)), Static: d.Flags&ir.AccStatic != 0}
	if w := f.p.WrittenField(ir.FieldID(k)); w != nil {
		out.Class, out.Name = w.Class, w.Name
		return out
	}
	if binary := f.naming().binary(out.Class, d.Class); binary != out.Class {
		out.Declared = binary
	}
	return out
}

// contentOf says what sort of content a slot is.
func (f *finder) contentOf(a, b *access) finding.Content {
	if a.key != pointsto.Content {
		return finding.Resource
	}
	array := false
	a.objs.All(func(o pointsto.Obj) bool {
		if b.objs.Has(o) && f.p.Types[f.r.Object(o).Type].Kind == ir.Array {
			array = true
		}
		return !array
	})
	if array {
		return finding.Array
	}
	return finding.Container
}

// loadedFrom is the field that an access' instance was loaded from, 0 if it was
// not loaded in the same function.
func (f *finder) loadedFrom(a *access) pointsto.FieldKey {
	b := f.r.Body(a.f)
	if b == nil || a.base == 0 {
		return 0
	}
	v := a.base
	for b.Op[v] == ir.OpCheckCast {
		v = b.Arg(v, 0)
	}
	if b.Op[v] == ir.OpGetField || b.Op[v] == ir.OpGetStatic {
		return f.r.FieldKeyOf(ir.FieldID(b.Aux[v]))
	}
	return f.loads[flow.Deref{Func: a.f, At: v}] // through an accessor
}

// holdersOf lists the app's fields that may hold an object of both accesses.
func (f *finder) holdersOf(a, b *access) []pointsto.FieldKey {
	var out []pointsto.FieldKey
	a.objs.All(func(o pointsto.Obj) bool {
		if b.objs.Has(o) {
			for _, k := range f.holders[o] {
				if !slices.Contains(out, k) {
					out = append(out, k)
				}
			}
		}
		return true
	})
	slices.SortFunc(out, func(x, y pointsto.FieldKey) int { // not as compilers order classes
		return cmp.Or(cmp.Compare(f.p.Fields[x].Name, f.p.Fields[y].Name), cmp.Compare(f.r.KeyName(x), f.r.KeyName(y)), cmp.Compare(x, y))
	})
	return out
}

// initialised: a constructor or static initialiser of the declaring class, or
// of a subclass, writes the field non-null.
func (f *finder) initialised(k pointsto.FieldKey) bool {
	if f.inits == nil {
		f.inits = map[pointsto.FieldKey]bool{}
		c := &collector{s: f.s, r: f.r, p: f.p}
		for fn := pointsto.FuncID(1); int(fn) < len(f.r.Funcs); fn++ {
			b := f.r.Body(fn)
			m := f.r.Funcs[fn].Method
			if b == nil || f.p.Methods[m].Flags&ir.AccConstructor == 0 {
				continue
			}
			for v := ir.Value(1); int(v) < b.Len(); v++ {
				if b.Op[v] == ir.OpPutField && !c.startedBefore(fn, b, v) || b.Op[v] == ir.OpPutStatic {
					if n := f.facts.Nulls.Of(0, fn, b.Arg(v, b.NArgs(v)-1)); n.Other {
						f.inits[f.r.FieldKeyOf(ir.FieldID(b.Aux[v]))] = true
					}
				}
			}
		}
	}
	return f.inits[k]
}
