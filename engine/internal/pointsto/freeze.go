package pointsto

import (
	"math/bits"
	"slices"

	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
)

// finish makes the tables of the result. What later stages ask for by name is in
// them: the places of all effects that were met, the fields that code names, the
// models of the methods that it calls. The solver itself is let go.
func (g *solver) finish() *Result {
	r := &Result{
		Prog: g.prog, Models: g.Models, Funcs: g.funcs, Calls: g.callees, Arms: g.arms, Sites: g.sites, Nulls: g.nulls,
		Inits: g.initFn, Broken: g.broken, objects: g.objects, roots: g.Roots,
	}
	for _, b := range g.objects.infos {
		r.Objects += len(b)
	}
	r.size = size{variables: len(g.rep), edges: g.edges}
	g.internPlaces()
	r.keys = g.fieldKeys()
	g.nameAll()

	r.sets = make([]Set, len(g.rep))
	for n := range g.rep {
		root := g.find(node(n))
		r.sets[n] = g.pts[root]
		if root != node(n) {
			r.size.merged++
		}
	}
	r.fields, r.statics, r.slots, r.its = g.fields, g.statics, g.slots, g.its
	r.modelCalls = g.modelCalls
	r.open, r.kinds, r.ran, r.numbers, r.named = g.open, g.kinds, g.ran, g.numbers, g.named
	r.classes, r.names = g.classes, g.names
	r.consts = r.constants(g.values)
	r.applies = r.receiverModels()
	r.names.frozen = true
	return r
}

// constants are the numbers that slots of objects hold.
func (r *Result) constants(values []ValueStore) map[fieldAt]*constSet {
	out := map[fieldAt]*constSet{}
	for _, st := range values {
		r.pts(st.base).All(func(o Obj) bool {
			at := fieldAt{o, st.Key}
			c := out[at]
			if c == nil {
				c = &constSet{}
				out[at] = c
			}
			c.unknown = c.unknown || !st.Known
			if st.Known && !slices.Contains(c.numbers, st.Number) {
				c.numbers = append(c.numbers, st.Number)
			}
			return true
		})
	}
	return out
}

// internPlaces makes the objects, static slots and slot names of the places that
// effects have, whether anything has asked for them or not.
func (g *solver) internPlaces() {
	g.intern(Scope{}, platform.Place{Base: platform.Main})
	for _, a := range g.arms {
		if a.Effect != nil {
			g.internEffect(a.Scope, a.Effect)
		}
		if a.Life != nil {
			for i := range a.Life.Callbacks {
				g.intern(a.Scope, a.Life.Callbacks[i].On)
			}
		}
	}
	for _, sites := range [][]EffectSite{g.sites, g.nulls} {
		for i := range sites {
			g.internEffect(sites[i].Scope, sites[i].Effect)
		}
	}
}

func (g *solver) internEffect(s Scope, e *platform.Effect) {
	for _, p := range []platform.Place{e.From, e.To, e.Place, e.Via, e.Handle, e.Code, e.Token, e.In, e.Kept, e.Lost, e.Owner, e.Workers, e.Host, e.Callback.Target} {
		g.intern(s, p)
	}
	for _, list := range [][]platform.Place{e.On, e.Callback.Args, e.Callback.Result} {
		for _, p := range list {
			g.intern(s, p)
		}
	}
}

func (g *solver) intern(s Scope, p platform.Place) {
	switch {
	case p.Base == platform.New || p.Base == platform.Main || p.Base == platform.Current:
		g.objects.of(fixed(g.prog, g.Models, s, p))
	case p.Base == platform.Static && len(p.Slots) > 0:
		g.staticPlace(p.Class, p.Slots[0])
	}
	for _, slot := range p.Slots {
		g.slots.key(slot)
	}
}

// fieldKeys are the keys of all fields that code names.
func (g *solver) fieldKeys() []FieldKey {
	keys := make([]FieldKey, len(g.prog.Fields))
	for f := 1; f < len(keys); f++ {
		keys[f] = g.fieldOf(ir.FieldID(f))
	}
	return keys
}

// nameAll finds the models of the methods that reached code calls, and the lifecycles
// of all objects' classes.
func (g *solver) nameAll() {
	for _, l := range g.Models.Lifecycles {
		g.names.mergedOf(l)
	}
	for _, k := range g.objects.blocks {
		if c := g.prog.Types[k.typ].Class; c != 0 {
			g.names.lifecycleOf(c)
		}
	}
	seen := make([]bool, len(g.prog.Methods))
	for f := range g.funcs {
		s := g.funcs[f].shape
		if s == nil || seen[s.body.Method] {
			continue
		}
		seen[s.body.Method] = true
		for v, op := range s.body.Op {
			if op == ir.OpInvoke {
				g.names.modelsOf(ir.MethodID(s.body.Aux[v]))
			}
		}
	}
}

// receiverModels finds the models of the methods that effects come from, as the
// classes of their receivers have them.
func (r *Result) receiverModels() map[appliesKey][]*platform.Method {
	out := map[appliesKey][]*platform.Method{}
	for i := range r.Sites {
		e := &r.Sites[i]
		b := r.Body(e.Func)
		if b == nil || e.Site <= 0 || b.Op[e.Site] != ir.OpInvoke || b.NArgs(e.Site) == 0 {
			continue
		}
		sel := r.Prog.Methods[b.Aux[e.Site]].Sel
		for _, w := range r.PointsTo(e.Func, b.Arg(e.Site, 0)).words {
			o := r.Object(Obj(w.block<<blockShift | uint32(bits.TrailingZeros64(w.bits))))
			key := appliesKey{o.Class, sel}
			if _, known := out[key]; o.Class != 0 && !known {
				out[key] = r.names.modelsFor(o.Class, sel)
			}
		}
	}
	return out
}
