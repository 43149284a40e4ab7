package pointsto

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
)

// Objects are also made, and messages sent, where we do not see it: by reflection,
// from files, by the framework, and by code that only native code calls. Here is what
// tells that this may be so.

// sealed reports whether the objects of the class that declares f are made by
// constructors that code calls, or else by what names the class. A compiler's own
// field is in a class that nobody else knows. The class of another field must at least
// belong to an object around it, or have captured something: then it is no use to read
// its objects from a file, or to have the framework make them.
func sealed(p *ir.Program, models *platform.Models, f ir.FieldID) bool {
	if p.Fields[f].Flags&ir.AccSynthetic != 0 {
		return true
	}
	c := p.Fields[f].Class
	for _, name := range models.Serialized {
		if k := p.Lookup(name); k != 0 && p.SubclassOf(c, k) {
			return false
		}
	}
	for _, other := range p.Classes[c].Fields {
		if flags := p.Fields[other].Flags; flags&ir.AccStatic == 0 && flags&ir.AccSynthetic != 0 {
			return true
		}
	}
	return false
}

// nameClasses notes the classes that code names, in a class literal or a string: it
// may make their objects, and write their fields, by reflection.
func (g *solver) nameClasses(b *ir.Body) {
	for v := ir.Value(1); int(v) < b.Len(); v++ {
		switch b.Op[v] {
		case ir.OpConstClass:
			g.name(g.prog.Types[b.Aux[v]].Class)
		case ir.OpConstString:
			g.name(g.prog.Lookup(g.prog.Strings[b.Aux[v]]))
		}
	}
}

// name notes that objects of a class may be made out of sight: its methods run as a
// whole.
func (g *solver) name(c ir.ClassID) {
	if c == 0 || g.named[c] {
		return
	}
	g.named[c] = true
	for _, f := range g.partial {
		if g.prog.Methods[g.funcs[f].Method].Class == c {
			g.reachAll(f)
		}
	}
}

// unseen is what the methods of packages do, whether anything runs them or not.
type unseen struct {
	packages map[string]bool // that have been read
	makers   map[ir.ClassID][]ir.MethodID
	senders  map[string][]ir.MethodID // by package: of messages
}

// read looks at all methods of a package.
func (g *solver) read(pkg string) {
	u := &g.unseen
	if u.packages[pkg] {
		return
	}
	if u.packages == nil {
		*u = unseen{map[string]bool{}, map[ir.ClassID][]ir.MethodID{}, map[string][]ir.MethodID{}}
	}
	u.packages[pkg] = true
	for m := range g.prog.Methods {
		d := &g.prog.Methods[m]
		if !d.HasCode || packageOf(g.prog.Classes[d.Class].Name) != pkg {
			continue
		}
		b, err := g.prog.Lift(ir.MethodID(m))
		if err != nil {
			continue
		}
		for v := ir.Value(1); int(v) < b.Len(); v++ {
			switch {
			case b.Op[v] == ir.OpNew:
				c := g.prog.Types[b.Aux[v]].Class
				u.makers[c] = append(u.makers[c], ir.MethodID(m))
			case b.Op[v] == ir.OpInvoke && g.sends(ir.MethodID(b.Aux[v])):
				u.senders[pkg] = append(u.senders[pkg], ir.MethodID(m))
			}
		}
	}
}

// sends reports whether the method that a call names gives a message to a handler.
func (g *solver) sends(ref ir.MethodID) bool {
	m := &g.prog.Methods[ref]
	name := g.prog.Selectors[m.Sel].Name
	for _, class := range g.Models.Senders {
		if !g.Models.Sends(class, name) {
			continue
		}
		if k := g.prog.Lookup(class); k != 0 && g.prog.SubclassOf(m.Class, k) {
			return true
		}
	}
	return false
}

// runs reports whether anything runs all of the methods.
func (g *solver) runs(methods []ir.MethodID) bool {
	reached := map[ir.MethodID]bool{}
	for f := range g.funcs {
		reached[g.funcs[f].Method] = true
	}
	for _, m := range methods {
		if !reached[m] {
			return false
		}
	}
	return true
}

// reachUnseen generates the constraints of methods whose receiver is also made by
// code that nothing seems to run, and reports whether there were any. What compilers
// number is left out: such code would not have run the code of the object's class
// before it was merged either.
func (g *solver) reachUnseen() bool {
	found := false
	for _, f := range g.partial {
		c := g.prog.Methods[g.funcs[f].Method].Class
		if g.named[c] || g.numbered(f) {
			continue
		}
		g.read(packageOf(g.prog.Classes[c].Name))
		if !g.runs(g.unseen.makers[c]) {
			g.name(c)
			found = true
		}
	}
	return found
}

// numbered reports whether a function tests only what a compiler has put into its
// receiver.
func (g *solver) numbered(f FuncID) bool {
	b := g.funcs[f].shape.body
	for v := ir.Value(1); int(v) < b.Len(); v++ {
		if isOwn(g.prog, b, v) && g.prog.Fields[g.prog.ResolveField(ir.FieldID(b.Aux[v]))].Flags&ir.AccSynthetic == 0 {
			return false
		}
	}
	return true
}

// Unseen reads code that nothing seems to run, package by package, as it is asked. It
// is for one goroutine.
type Unseen struct {
	r    *Result
	g    *solver // for what it reads
	heap []HeapEdge
}

// Unseen starts to read such code.
func (r *Result) Unseen() *Unseen {
	g := &solver{Config: &Config{Prog: r.Prog, Models: r.Models}, prog: r.Prog, funcs: r.Funcs, names: r.names}
	return &Unseen{r, g, r.Heap()}
}

// Sends: code in the package of a method, or of a class with a field that holds one of
// the handlers, sends messages, and nothing seems to run it; native code may.
func (u *Unseen) Sends(m ir.MethodID, handlers Set) bool {
	r := u.r
	packages := []string{packageOf(r.Prog.Classes[r.Prog.Methods[m].Class].Name)}
	for _, e := range u.heap {
		if e.Key > 0 && e.To.Intersects(handlers) {
			packages = append(packages, packageOf(r.Prog.Classes[r.Prog.Fields[e.Key].Class].Name))
		}
	}
	return slices.ContainsFunc(packages, func(pkg string) bool {
		u.g.read(pkg)
		return !u.g.runs(u.g.unseen.senders[pkg])
	})
}

// HandedOut is what the app passes to code out of sight, messages to handlers apart,
// with the handlers of messages and messengers and the content of arrays: such code
// may send messages to it.
func (r *Result) HandedOut() Set {
	var out Set
	for f := range r.Funcs {
		b := r.Body(FuncID(f))
		if b == nil {
			continue
		}
		for v := ir.Value(1); int(v) < b.Len(); v++ {
			if b.Op[v] != ir.OpInvoke || !r.outOfSight(FuncID(f), v) {
				continue
			}
			args := b.ArgsOf(v)
			if b.Sub[v] != ir.Static {
				args = args[1:]
			}
			for _, a := range args {
				out, _ = out.union(r.PointsTo(FuncID(f), a))
			}
		}
	}
	keys := []FieldKey{Content}
	_, targets := r.Models.MessageSlots()
	for _, slot := range targets {
		keys = append(keys, r.Slot(slot))
	}
	for grew := true; grew; {
		grew = false
		out.All(func(o Obj) bool {
			for _, key := range keys {
				next, more := out.union(r.Held(o, key))
				out, grew = next, grew || !more.Empty()
			}
			return true
		})
	}
	return out
}

// outOfSight reports whether a call may run code that is not analysed. A call of which
// the models say all that it does, as of those that make and send messages, does not.
func (r *Result) outOfSight(f FuncID, v ir.Value) bool {
	ref := ir.MethodID(r.Body(f).Aux[v])
	m := r.Prog.ResolveMethod(ref)
	if m == 0 {
		m = ref
	}
	d := &r.Prog.Methods[m]
	switch r.Prog.Classes[d.Class].Origin {
	case ir.Platform, ir.Missing:
		return !r.Models.Complete(r.Prog.Classes[d.Class].Name)
	}
	const accNative = 0x100
	if d.Flags&accNative != 0 || r.Open(f, v) {
		return true
	}
	callees := 0
	for _, c := range r.Calls[f] {
		if c.Site == v {
			callees++
			if r.Summary(c.Callee) {
				return true
			}
		}
	}
	return callees == 0
}
