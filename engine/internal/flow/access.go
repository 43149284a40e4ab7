package flow

import (
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Access is a load or store of a location by a function.
type Access struct {
	N      int             // number, in program order
	Func   pointsto.FuncID // whose code it stands in
	In     pointsto.FuncID // Func, or the platform's own function that performs it
	At     ir.Value        // the instruction
	Key    pointsto.FieldKey
	Static bool
	Objs   pointsto.Set // of the instance; empty for static fields
	Base   ir.Value     // the instance, 0 if it is no value of Func
	Model  bool         // an effect of a model, no instruction of the app
	Write  bool
	Null   bool    // a store that may store null, a removal or a release
	Live   bool    // a store that may store something else
	Derefs []Deref // where the value that is loaded is dereferenced
}

// Site is the position of the access in an action.
func (a *Access) Site() hb.Site { return actions.SiteOf(a.In, a.At) }

// Accesses finds accesses by location and position. It is complete when made and
// safe for concurrent use.
type Accesses struct {
	byKey map[pointsto.FieldKey]*located
	loads map[position]*Access // by the instruction that loads
}

// located are the accesses of one field or slot, in program order.
type located struct {
	all    []*Access
	byFunc map[pointsto.FuncID][]*Access
	writes []*Access
	frees  []*Access
}

// position is an instruction of a function.
type position struct {
	f pointsto.FuncID
	v ir.Value
}

// NewAccesses indexes all accesses, which stand in program order.
func NewAccesses(all []*Access) *Accesses {
	x := &Accesses{byKey: map[pointsto.FieldKey]*located{}, loads: map[position]*Access{}}
	for _, a := range all {
		l := x.byKey[a.Key]
		if l == nil {
			l = &located{byFunc: map[pointsto.FuncID][]*Access{}}
			x.byKey[a.Key] = l
		}
		l.all = append(l.all, a)
		l.byFunc[a.Func] = append(l.byFunc[a.Func], a)
		if a.Write {
			l.writes = append(l.writes, a)
		}
		if a.Null {
			l.frees = append(l.frees, a)
		}
		if !a.Write && !a.Model {
			x.loads[position{a.Func, a.At}] = a
		}
	}
	return x
}

// of gives the accesses of a field or slot.
func (x *Accesses) of(key pointsto.FieldKey) *located {
	if l := x.byKey[key]; l != nil {
		return l
	}
	return &located{}
}

// overlap reports whether two accesses may touch one location of their field.
func overlap(a, b *Access) bool {
	return a.Static && b.Static || a.Objs.Intersects(b.Objs)
}
