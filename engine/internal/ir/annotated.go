package ir

import "github.com/eventraces/eventraces/engine/internal/dex"

// Annotated is a class, or one of its members, with its annotations as the dex
// file has them: File knows what their indices mean.
type Annotated struct {
	Class  ClassID
	Field  FieldID  // 0 unless it is a field
	Method MethodID // 0 unless it is a method
	File   *dex.File
	List   []dex.Annotation
}

// Annotated gives the annotations of a class, then those of its fields and
// methods in the order of the file; with an error come those before the damage.
// It reads the file again at each call.
func (p *Program) Annotated(c ClassID) ([]Annotated, error) {
	u, def := p.definition(c)
	if def == nil {
		return nil, nil
	}
	all, err := u.file.Annotations(def)
	var out []Annotated
	add := func(f FieldID, m MethodID, list []dex.Annotation) {
		if len(list) > 0 {
			out = append(out, Annotated{Class: c, Field: f, Method: m, File: u.file, List: list})
		}
	}
	add(0, 0, all.Class)
	for _, a := range all.Fields {
		if f := u.fields[a.Member]; p.Fields[f].Class == c {
			add(f, 0, a.List)
		}
	}
	for _, a := range all.Methods {
		if m := u.methods[a.Member]; p.Methods[m].Class == c {
			add(0, m, a.List)
		}
	}
	return out, err
}
