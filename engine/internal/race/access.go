package race

import (
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/flow"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// access is a load or store of a location by a function.
type access struct {
	n       int // number, in program order
	f       pointsto.FuncID
	in      pointsto.FuncID // f, or the platform's own function that performs it
	v       ir.Value
	key     pointsto.FieldKey
	static  bool
	objs    pointsto.Set // of the instance; empty for static fields
	base    ir.Value     // the instance, 0 if it is not a value of f
	stored  ir.Value     // of a store, 0 otherwise
	effect  *platform.Effect
	write   bool
	null    bool // a store that may store null, a removal or a release
	live    bool // a store that may store something else
	content bool // of an array, container or resource
	derefs  []flow.Deref
	wide    bool         // every object of the location is touched (a resource's or container's state)
	updates bool         // a store whose value comes from the same location
	fact    *flow.Access // the access as the facts see it
}

func (a *access) site() hb.Site { return actions.SiteOf(a.in, a.v) }

// use reports whether the value that is read is dereferenced.
func (a *access) use() bool { return len(a.derefs) > 0 }

// collector gathers the accesses of all functions that some action reaches.
type collector struct {
	s      *actions.Set
	r      *pointsto.Result
	p      *ir.Program
	null   *flow.Nulls
	derefs *flow.Derefs
	codes  flow.Codes
	out    []*access
}

func collect(s *actions.Set) []*access {
	c := &collector{s: s, r: s.PT, p: s.PT.Prog}
	c.null, c.derefs, c.codes = flow.NewNulls(s), flow.NewDerefs(s), flow.Codes{}
	effects := map[pointsto.FuncID][]*pointsto.EffectSite{}
	for i := range c.r.Sites {
		e := &c.r.Sites[i]
		effects[e.Func] = append(effects[e.Func], e)
	}
	for f := pointsto.FuncID(1); int(f) < len(c.r.Funcs); f++ {
		if b := c.r.Body(f); b != nil && s.ByFunc[f] != nil {
			c.function(f, b)
		}
		for _, e := range effects[f] {
			if s.ByFunc[e.In] != nil {
				c.effect(e)
			}
		}
	}
	for i, a := range c.out {
		a.n = i
		a.fact = &flow.Access{
			N: i, Func: a.f, In: a.in, At: a.v, Key: a.key, Static: a.static, Objs: a.objs, Base: a.base,
			Model: a.effect != nil, Write: a.write, Null: a.null, Live: a.live, Derefs: a.derefs,
		}
	}
	return c.out
}

func (c *collector) function(f pointsto.FuncID, b *ir.Body) {
	for v := ir.Value(1); int(v) < b.Len(); v++ {
		a := &access{f: f, in: f, v: v}
		switch b.Op[v] {
		case ir.OpGetField, ir.OpPutField:
			if c.skipField(ir.FieldID(b.Aux[v])) || c.constructing(f, b, b.Arg(v, 0), v) {
				continue
			}
			a.key = c.r.FieldKeyOf(ir.FieldID(b.Aux[v]))
			a.base = b.Arg(v, 0)
			a.objs = c.r.PointsTo(f, a.base)
		case ir.OpGetStatic, ir.OpPutStatic:
			if c.skipField(ir.FieldID(b.Aux[v])) || c.initialising(f, ir.FieldID(b.Aux[v])) {
				continue
			}
			a.key, a.static = c.r.FieldKeyOf(ir.FieldID(b.Aux[v])), true
		case ir.OpArrayGet, ir.OpArrayPut:
			a.key, a.content = pointsto.Content, true
			a.base = b.Arg(v, 0)
			a.objs = c.r.PointsTo(f, a.base)
		default:
			continue
		}
		c.classify(a, b)
	}
}

// classify says what an access does to its location and keeps it if the
// location can be shared at all.
func (c *collector) classify(a *access, b *ir.Body) {
	if !a.static && a.objs.Empty() {
		return
	}
	switch b.Op[a.v] {
	case ir.OpPutField, ir.OpPutStatic, ir.OpArrayPut:
		a.write = true
		a.stored = b.Arg(a.v, b.NArgs(a.v)-1)
		if t := b.Type[a.stored]; t != 0 && c.p.Types[t].Kind.Reference() {
			n := c.null.Of(0, a.f, a.stored)
			a.null, a.live = n.Null, n.Other
		} else {
			a.live = true
		}
		a.updates = c.derives(b, a, a.stored, 0)
		if a.key == pointsto.Content {
			a.null = false // one element of many: not a free of the array
		}
	default:
		if t := b.Type[a.v]; t != 0 && c.p.Types[t].Kind.Reference() {
			a.derefs = c.derefs.Of(a.f, a.v)
		}
	}
	c.out = append(c.out, a)
}

// skipField: fields that cannot be written after their object is published, and
// those of the platform that no model knows.
func (c *collector) skipField(ref ir.FieldID) bool {
	f := c.p.ResolveField(ref)
	if f == 0 {
		return true
	}
	d := &c.p.Fields[f]
	if d.Flags&ir.AccFinal != 0 {
		return true
	}
	o := c.p.Classes[d.Class].Origin
	return o == ir.Platform || o == ir.Missing
}

// constructing: a constructor's own stores, and loads, on the object that it
// makes come before anyone else sees it (creation).
func (c *collector) constructing(f pointsto.FuncID, b *ir.Body, base, v ir.Value) bool {
	m := c.r.Funcs[f].Method
	return c.p.Methods[m].Flags&ir.AccConstructor != 0 && b.Op[base] == ir.OpParam && b.Aux[base] == 0 && !c.startedBefore(f, b, v)
}

// startedBefore: a constructor has posted or started something before v: its
// object may be seen half made.
func (c *collector) startedBefore(f pointsto.FuncID, b *ir.Body, v ir.Value) bool {
	for _, a := range c.r.Arms {
		if a.Effect == nil || a.Effect.Kind != platform.Start && a.Effect.Kind != platform.Post || a.Func == 0 {
			continue
		}
		up := c.s.Upward(a.In)
		if !up.Has(int(f)) {
			continue
		}
		if a.In == f && a.Site > 0 && b.Flow().Reaches(a.Site, v) {
			return true
		}
		for _, call := range c.r.Calls[f] {
			if up.Has(int(call.Callee)) && call.Site > 0 && b.Flow().Reaches(call.Site, v) {
				return true
			}
		}
	}
	return false
}

// initialising: a static initialiser's stores to its own class.
func (c *collector) initialising(f pointsto.FuncID, ref ir.FieldID) bool {
	m := &c.p.Methods[c.r.Funcs[f].Method]
	field := c.p.ResolveField(ref)
	return c.p.Selectors[m.Sel].Name == "<clinit>" && field != 0 && c.p.Fields[field].Class == m.Class
}

// effect turns an effect of a model on a slot into an access.
func (c *collector) effect(e *pointsto.EffectSite) {
	switch e.Effect.Kind {
	case platform.Read, platform.Use, platform.Write, platform.Free:
		c.slot(e, e.Effect.Place, e.Effect.Kind)
	case platform.Load:
		c.slot(e, e.Effect.From, platform.Read)
	case platform.Store:
		c.slot(e, e.Effect.To, platform.Write)
	}
}

func (c *collector) slot(e *pointsto.EffectSite, p platform.Place, k platform.EffectKind) {
	if len(p.Slots) == 0 {
		return
	}
	slot := p.Slots[len(p.Slots)-1]
	a := &access{f: e.Func, in: e.In, v: e.Site, effect: e.Effect, content: true, wide: true, key: c.r.Slot(slot)}
	if p.Base == platform.Static && len(p.Slots) == 1 {
		a.static, a.key = true, c.r.Slot(p.Class+"#"+slot)
	} else {
		holder := p
		holder.Slots = p.Slots[:len(p.Slots)-1]
		a.objs = c.holders(e, holder)
		if len(holder.Slots) == 0 {
			a.base = c.baseValue(e.Scope, p)
		}
		if a.objs.Empty() {
			return
		}
	}
	switch k {
	case platform.Write:
		a.write, a.live = true, true
	case platform.Free:
		a.write, a.null = true, true
	case platform.Use:
		a.derefs = []flow.Deref{{Func: e.Func, At: e.Site}}
	case platform.Read:
		if b := c.r.Body(e.Func); a.key == pointsto.Content && b != nil && e.Site > 0 && e.In == e.Func && b.Type[e.Site] != 0 && c.p.Types[b.Type[e.Site]].Kind.Reference() {
			a.derefs = c.derefs.Of(e.Func, e.Site)
		}
	}
	c.out = append(c.out, a)
}

// holders lists the objects whose slot an effect touches: not those whose class
// has a model of its own, nor those that the platform is still making when it
// calls the function back.
func (c *collector) holders(e *pointsto.EffectSite, holder platform.Place) pointsto.Set {
	all := c.r.Eval(e.Scope, holder)
	var out pointsto.Set
	all.All(func(o pointsto.Obj) bool {
		if (holder.Base != platform.This || len(holder.Slots) > 0 || c.r.Applies(e, o)) && !c.making(e.Func, o) {
			out = out.Or(pointsto.SetOf(o))
		}
		return true
	})
	return out
}

// making: function f runs inside the platform's call that makes o.
func (c *collector) making(f pointsto.FuncID, o pointsto.Obj) bool {
	info := c.r.Object(o)
	if info.Kind != pointsto.Made && info.Kind != pointsto.Opaque || info.Site <= 0 || info.Func == f {
		return false
	}
	up := c.s.Upward(f)
	for _, call := range c.r.Calls[info.Func] {
		if call.Site == info.Site && up.Has(int(call.Callee)) {
			return true
		}
	}
	return false
}

// baseValue is the value of the call's function that a place begins at.
func (c *collector) baseValue(s pointsto.Scope, p platform.Place) ir.Value {
	b := c.r.Body(s.Func)
	if b == nil || s.Site <= 0 {
		return 0
	}
	switch p.Base {
	case platform.This:
		if b.Sub[s.Site] != ir.Static && b.NArgs(s.Site) > 0 {
			return b.Arg(s.Site, 0)
		}
	case platform.Arg:
		return c.r.Arg(s, p.Index)
	case platform.Ret:
		return s.Site
	}
	return 0
}

// derives: a value is computed from the location that a stores to.
func (c *collector) derives(b *ir.Body, a *access, v ir.Value, depth int) bool {
	const maxDepth = 4 // of an expression such as (x + 1) % n
	if depth > maxDepth {
		return false
	}
	switch b.Op[v] {
	case ir.OpBinary, ir.OpUnary:
		for _, x := range b.ArgsOf(v) {
			if c.derives(b, a, x, depth+1) {
				return true
			}
		}
	case ir.OpGetField:
		return !a.static && c.r.FieldKeyOf(ir.FieldID(b.Aux[v])) == a.key && c.codes.Of(b).MustAlias(c.p, b.Arg(v, 0), a.base)
	case ir.OpGetStatic:
		return a.static && c.r.FieldKeyOf(ir.FieldID(b.Aux[v])) == a.key
	}
	return false
}
