package flow

import (
	"github.com/eventraces/eventraces/engine/internal/ir"
)

// MaxHops is the number of fields that a Base follows.
const MaxHops = 4

// Root says where the object that a base begins with comes from.
type Root uint8

const (
	NoRoot     Root = iota
	Receiver        // of the function
	Argument        // Index: its number, the receiver counted
	StaticRoot      // Index: the field
	Allocation      // Index: the instruction of this run that makes it
	Local           // Index: any other value of the function
)

// Base names an object inside a run of a function: where it comes from and the fields
// that lead to it from there. Bases are compared with ==.
type Base struct {
	Root  Root
	Index int32
	Hops  [MaxHops]ir.FieldID // resolved, from the root on; 0 unused
	// Load is the last load on the way that may give another object the next time it is
	// executed, since its field is not final; 0 if there is none.
	Load ir.Value
}

// Path is the base without the moment: the same names for what may be another object
// later.
func (b Base) Path() Base {
	b.Load = 0
	return b
}

// Final reports whether the base names the same object all through the run.
func (b Base) Final() bool { return b.Load == 0 }

// BaseOf names the object that v is. The program says which fields are final.
func (c *Code) BaseOf(p *ir.Program, v ir.Value) Base {
	if c.bases == nil {
		c.bases = make([]Base, c.b.Len())
	}
	if c.bases[v].Root == NoRoot {
		c.bases[v] = c.base(p, v)
	}
	return c.bases[v]
}

func (c *Code) base(p *ir.Program, v ir.Value) Base {
	b := c.b
	switch b.Op[v] {
	case ir.OpCheckCast:
		return c.BaseOf(p, b.Arg(v, 0))
	case ir.OpParam:
		if b.Aux[v] == 0 && p.Methods[b.Method].Flags&ir.AccStatic == 0 {
			return Base{Root: Receiver}
		}
		return Base{Root: Argument, Index: b.Aux[v]}
	case ir.OpNew, ir.OpNewArray, ir.OpFilledArray:
		return Base{Root: Allocation, Index: int32(v)}
	case ir.OpGetStatic:
		if f := p.ResolveField(ir.FieldID(b.Aux[v])); f != 0 {
			return varying(p, Base{Root: StaticRoot, Index: int32(f)}, f, v)
		}
	case ir.OpGetField:
		base := c.BaseOf(p, b.Arg(v, 0))
		f := p.ResolveField(ir.FieldID(b.Aux[v]))
		for i := range base.Hops {
			if base.Hops[i] == 0 && f != 0 {
				base.Hops[i] = f
				return varying(p, base, f, v)
			}
		}
	}
	return Base{Root: Local, Index: int32(v)}
}

// varying notes a load that may give another object the next time.
func varying(p *ir.Program, base Base, f ir.FieldID, load ir.Value) Base {
	if p.Fields[f].Flags&ir.AccFinal == 0 {
		base.Load = load
	}
	return base
}

// MustAlias reports whether two values of one run of the body are one object: the same value,
// or values with one base. 0, which is no value, is the same as itself.
func (c *Code) MustAlias(p *ir.Program, x, y ir.Value) bool {
	if x == y {
		return true
	}
	return x != 0 && y != 0 && c.BaseOf(p, x) == c.BaseOf(p, y)
}
