package pointsto

import (
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
)

// harness makes the components of the manifest run (SIERRA section 3.2).
func (g *solver) harness() {
	for _, r := range g.Roots {
		l := g.names.lifecycleOf(r.Class)
		if l == nil {
			continue
		}
		o := g.objects.of(Object{Kind: Component, Type: g.prog.Classes[r.Class].Type})
		g.initClass(r.Class)
		if c := g.Models.Class(l.Base); l.Single() && c != nil && c.Static("instance") != nil {
			g.add(g.staticPlace(l.Base, "instance"), setOf(o)) // the one that getters of the platform give
		}
		g.instantiate(o, l)
		g.live(o, l, 0)
	}
}

// instantiate runs the constructors by which the platform makes an object of the
// lifecycle.
func (g *solver) instantiate(o Obj, l *platform.Lifecycle) {
	c := g.objects.info(o).Class
	for _, m := range g.prog.Classes[c].Methods {
		s := &g.prog.Selectors[g.prog.Methods[m].Sel]
		if s.Name != "<init>" || !g.prog.Methods[m].HasCode || !l.MadeBy(g.names.params(g.prog.Methods[m].Sel)) {
			continue
		}
		a, fresh := g.arm(Arm{Life: l, LifeCall: Instantiate, Receiver: o, Method: m, Name: "<init>"})
		if !fresh {
			continue
		}
		if f := g.entry(a, m); f != 0 {
			for i, t := range s.Params {
				if dst := g.param(f, i+1); dst != 0 {
					g.unknownParam(dst, f, i, t)
				}
			}
		}
	}
}

// entry makes method m, on the arm's receiver, one of what the arm runs.
func (g *solver) entry(a *Arm, m ir.MethodID) FuncID {
	f := g.entered(m, a.Receiver)
	if f != 0 {
		a.Entries = append(a.Entries, f)
		g.add(g.param(f, 0), setOf(a.Receiver))
	}
	return f
}

// live makes the lifecycle callbacks of an object run; host is the component
// or object that it lives in.
func (g *solver) live(o Obj, l *platform.Lifecycle, host node) {
	hosts, known := g.driven[o]
	if !known {
		hosts = g.alloc(1)
		g.driven[o] = hosts
	}
	g.copy(hosts, host, 0)
	if known {
		return
	}
	host = hosts
	for i := range l.Callbacks {
		c := &l.Callbacks[i]
		n := len(g.arms)
		for _, sel := range g.names.overridden(g.objects.info(o).Class, g.names.selectors(&c.Callback)) {
			if t, ok := g.target(o, sel); ok {
				g.liveCallback(o, l, i, host, sel, t)
			}
		}
		if len(g.arms) == n && len(c.Then) > 0 { // the app does not override it: still its then happens
			if a, fresh := g.arm(Arm{Life: l, LifeCall: i, Host: host, Receiver: o, Name: c.Callback.Name}); fresh {
				in := g.synthetic()
				a.Entries = []FuncID{in}
				g.perform(Scope{Func: in, In: in, this: g.holding(o)}, c.Then)
			}
		}
	}
	g.others(o, l, host)
}

func (g *solver) liveCallback(o Obj, l *platform.Lifecycle, i int, host node, sel ir.SelectorID, t target) {
	c := &l.Callbacks[i]
	a, fresh := g.arm(Arm{Life: l, LifeCall: i, Host: host, Receiver: o, Method: t.method, Name: g.prog.Selectors[sel].Name})
	if !fresh {
		return
	}
	f := g.entry(a, t.method)
	if f == 0 {
		return
	}
	s := Scope{Func: f, In: f, this: g.holding(o)}
	g.bindArgs(s, &c.Callback, f, t, sel)
	for _, p := range c.Callback.Result {
		g.assign(s, p, g.returned(f))
	}
	if len(c.Then) > 0 {
		g.then(s, c.Then, &c.Callback, a, f)
	}
}

// others makes overrides that no transition or event names run, where the
// lifecycle says so.
func (g *solver) others(o Obj, l *platform.Lifecycle, host node) {
	named := map[string]bool{}
	for i := range l.Callbacks {
		named[l.Callbacks[i].Callback.Name] = true
	}
	class := g.objects.info(o).Class
	// What an interface of the app's class declares runs by a registration only.
	above := class
	for above != 0 && g.prog.Classes[above].Origin == ir.App {
		above = g.prog.Classes[above].Super
	}
	for k, other := range l.Others {
		for _, sel := range g.names.overriding(class, above) {
			name := g.prog.Selectors[sel].Name
			if named[name] || len(name) < len(other.Prefix) || name[:len(other.Prefix)] != other.Prefix {
				continue
			}
			t, ok := g.target(o, sel)
			if !ok {
				continue
			}
			a, fresh := g.arm(Arm{Life: l, LifeCall: len(l.Callbacks) + k, Host: host, Receiver: o, Method: t.method, Name: name})
			if !fresh {
				continue
			}
			if f := g.entry(a, t.method); f != 0 {
				for i, typ := range g.prog.Selectors[sel].Params {
					if dst := g.param(f, i+1); dst != 0 {
						g.unknownParam(dst, f, i, typ)
					}
				}
			}
		}
	}
}

// allocated makes the lifecycle of an object run if its kind lives from its
// allocation on, such as a view.
func (g *solver) allocated(o Obj, c ir.ClassID) {
	if c == 0 || g.prog.Classes[c].Origin != ir.App {
		return
	}
	if l := g.names.lifecycleOf(c); l != nil && l.Source == platform.Allocated {
		g.live(o, l, 0)
	}
}

// driver makes the lifecycle of each object of a Drive effect run.
type driver struct {
	Scope
	host node
}

func (d *driver) grew(g *solver, fresh Set) {
	fresh.All(func(o Obj) bool {
		c := g.objects.info(o).Class
		if c == 0 || g.prog.Classes[c].Origin != ir.App {
			return true
		}
		if l := g.names.lifecycleOf(c); l != nil && l.Source != platform.FromManifest {
			g.live(o, l, d.host)
		}
		return true
	})
}

// onClick is the effect of an android:onClick attribute.
var onClick = platform.Effect{Kind: platform.Register, On: []platform.Place{{Base: platform.Main}}, Cause: platform.ByGUI}

// inflate makes the objects of a layout or menu (SIERRA section 3.3, inflated
// view context).
func (g *solver) inflate(s Scope, e *platform.Effect) {
	id, known := s.number(g.funcs, e.From)
	if !known || g.Layout == nil {
		return
	}
	host := g.place(s, e.Host)
	for i, in := range g.Layout.Inflated(uint32(id)) {
		o := g.view(uint32(id), i, in)
		if !e.To.Zero() {
			g.assign(s, e.To, g.holding(o))
		}
		if in.OnClick != "" {
			g.attach(host, &clickable{s, in.OnClick, o})
		}
		c := g.objects.info(o).Class
		if c == 0 || g.prog.Classes[c].Origin != ir.App {
			continue
		}
		if l := g.names.lifecycleOf(c); l != nil && l.Source != platform.FromManifest {
			g.initClass(c)
			g.instantiate(o, l)
			g.live(o, l, host)
		}
	}
}

// view is the one object of an inflated view: one per id, or per place in the
// layout if it has none.
func (g *solver) view(layout uint32, i int, in Inflated) Obj {
	label := in.Name
	site := ir.Value(0)
	if in.ID == 0 {
		site = ir.Value(layout)<<8 | ir.Value(i)
	}
	return g.objects.of(Object{Kind: View, Type: g.typeOf(in.Class), Site: site, Label: label})
}

// clickable registers the method that an android:onClick names on each host.
type clickable struct {
	Scope
	method string
	view   Obj
}

func (c *clickable) grew(g *solver, fresh Set) {
	fresh.All(func(o Obj) bool {
		for _, sel := range g.names.byName[c.method] {
			if len(g.prog.Selectors[sel].Params) != 1 {
				continue
			}
			t, ok := g.target(o, sel)
			if !ok {
				continue
			}
			s := c.Scope
			s.this = g.holding(c.view)
			if a, fresh := g.arm(Arm{Scope: s, Effect: &onClick, Receiver: o, Method: t.method, Name: c.method}); fresh {
				if f := g.entry(a, t.method); f != 0 {
					g.copy(g.param(f, 1), s.this, 0)
				}
			}
		}
		return true
	})
}

// findView gives the inflated object with a constant id; of an unknown id, some
// object of the declared type.
func (g *solver) findView(s Scope, e *platform.Effect) {
	id, known := s.number(g.funcs, e.From)
	if known && g.Layout != nil {
		if name, class := g.Layout.View(uint32(id)); class != "" {
			g.assign(s, e.To, g.holding(g.view(0, 0, Inflated{Class: class, ID: uint32(id), Name: name})))
			return
		}
	}
	if s.Site != 0 {
		g.opaque(g.value(s.Func, s.Site), s.Func, s.Site, g.funcs[s.Func].shape.body.Type[s.Site], "")
	}
}

// create makes an object of a class named by a constant.
func (g *solver) create(s Scope, e *platform.Effect) {
	if e.From.Base != platform.Arg || len(e.From.Slots) > 0 {
		return
	}
	v := g.arg(s, e.From.Index)
	if v == 0 || g.funcs[s.Func].shape.body.Op[v] != ir.OpConstClass {
		return
	}
	t := ir.TypeID(g.funcs[s.Func].shape.body.Aux[v])
	if c := g.prog.Types[t].Class; c != 0 {
		o := g.objects.of(Object{Kind: Made, Type: t, Func: s.Func, Site: s.Site, Label: "created"})
		g.assign(s, e.To, g.holding(o))
		g.initClass(c)
		g.allocated(o, c)
		for _, m := range g.prog.Classes[c].Methods {
			if sel := &g.prog.Selectors[g.prog.Methods[m].Sel]; sel.Name == "<init>" && len(sel.Params) == 0 {
				if f := g.entered(m, o); g.call(Call{Caller: s.In, Site: s.Site, Callee: f}) {
					g.add(g.param(f, 0), setOf(o))
				}
			}
		}
	}
}
