package pointsto

import (
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

// libraryCut decides which dependency methods are analysed and which are
// summaries. A method is analysed if by class hierarchy it can
// reach
//
//   - code of the app, or a platform method that takes an object of the app
//     whose methods it may call;
//   - a call that a model knows, which covers threads, queues and containers;
//   - the content of an array, or a field that code of the app can name;
//   - a store or a return of a value that matters: of a type that may be one of
//     the app's, that a model knows, or that has a method to be analysed.
//
// Any other only computes: its result may be what its arguments are, or come
// from what is loaded or made on the way to it, and that is its summary: the
// constraints of a backward slice of what it returns.
//
// Methods and types are decided when they are first asked for, by a search that
// ends at the first reason to analyse; what does not find one is a summary with
// all that it reaches. The answer is reachability and so the same in any order.
// Bodies that were read for it are kept for the constraints.
type libraryCut struct {
	g        *solver
	nodes    map[cutNode]int32 // known: its number in the search that goes on, or analysed or summary
	bodies   map[ir.MethodID]*ir.Body
	heads    []ir.MethodID // by selector: a method with code
	next     []ir.MethodID // by method: another with the same selector
	lambdas  map[ir.ClassID][]*ir.Lambda
	known    map[ir.ClassID]bool // named by a model
	packages map[string]bool     // of the app
	apps     map[ir.ClassID]bool // has a subclass in the app
	calls    map[cutCall]cutReach
}

// cutNode is a method, or minus a class: the objects of it and its subclasses.
type cutNode int32

const (
	analysed int32 = -1
	summary  int32 = -2
)

type cutCall struct {
	class ir.ClassID
	sel   ir.SelectorID
}

// cutReach is what a call reaches by class hierarchy.
type cutReach struct {
	reason bool
	to     []cutNode
}

func newLibraryCut(g *solver) *libraryCut {
	p := g.prog
	c := &libraryCut{
		g: g, nodes: map[cutNode]int32{}, bodies: map[ir.MethodID]*ir.Body{},
		heads: make([]ir.MethodID, len(p.Selectors)), next: make([]ir.MethodID, len(p.Methods)),
		lambdas: map[ir.ClassID][]*ir.Lambda{}, known: map[ir.ClassID]bool{}, packages: map[string]bool{},
		apps: map[ir.ClassID]bool{}, calls: map[cutCall]cutReach{},
	}
	for m := len(p.Methods) - 1; m > 0; m-- {
		if d := &p.Methods[m]; d.HasCode && d.Flags&ir.AccStatic == 0 {
			c.next[m], c.heads[d.Sel] = c.heads[d.Sel], ir.MethodID(m)
		}
	}
	for i := 1; i < len(p.Lambdas); i++ {
		l := &p.Lambdas[i]
		for _, k := range append([]ir.ClassID{l.Interface}, l.Markers...) {
			c.lambdas[k] = append(c.lambdas[k], l)
		}
	}
	for _, name := range g.Models.Mentioned() {
		if k := p.Lookup(name); k != 0 && k != ir.ClassObject {
			c.known[k] = true
		}
	}
	for i := range p.Classes {
		if p.Classes[i].Origin == ir.App {
			c.packages[packageOf(p.Classes[i].Name)] = true
		}
	}
	return c
}

func packageOf(class string) string { return class[:strings.LastIndexByte(class, '.')+1] }

// cuts reports whether a method is a summary. A nil cut cuts nothing.
func (c *libraryCut) cuts(m ir.MethodID) bool {
	if c == nil {
		return false
	}
	d := &c.g.prog.Methods[m]
	if !d.HasCode || c.g.prog.Classes[d.Class].Origin != ir.Dependency {
		return false
	}
	n := cutNode(m)
	if c.nodes[n] == 0 {
		c.search(n)
	}
	return c.nodes[n] == summary
}

// body lifts a method, once.
func (c *libraryCut) body(m ir.MethodID) (*ir.Body, error) {
	b, ok := c.bodies[m]
	if ok {
		return b, nil
	}
	b, err := c.g.prog.Lift(m)
	if err == nil {
		c.bodies[m] = b
	}
	return b, err
}

// cutFrame is a node on the path of a search.
type cutFrame struct {
	n       cutNode
	low     int32 // lowest number on the path that it is known to reach
	to      []cutNode
	visited int
}

// search decides a node, and others on the way, by depth-first search (Tarjan).
// Once a reason to analyse is found, every node that is open reaches it.
func (c *libraryCut) search(root cutNode) {
	var path []cutFrame
	var open []cutNode
	found := func() {
		for _, n := range open {
			c.nodes[n] = analysed
		}
	}
	enter := func(n cutNode) bool {
		open = append(open, n)
		number := int32(len(open))
		c.nodes[n] = number
		reason, to := c.look(n)
		if !reason {
			path = append(path, cutFrame{n: n, low: number, to: to})
		}
		return !reason
	}
	if !enter(root) {
		found()
		return
	}
	for len(path) > 0 {
		f := &path[len(path)-1]
		if f.visited < len(f.to) {
			n := f.to[f.visited]
			f.visited++
			switch s := c.nodes[n]; {
			case s == analysed, s == 0 && !enter(n):
				found()
				return
			case s > 0:
				f.low = min(f.low, s)
			}
			continue
		}
		if number := c.nodes[f.n]; f.low == number { // a component is complete
			for _, n := range open[number-1:] {
				c.nodes[n] = summary
			}
			open = open[:number-1]
		}
		low := f.low
		path = path[:len(path)-1]
		if len(path) > 0 {
			up := &path[len(path)-1]
			up.low = min(up.low, low)
		}
	}
}

// look gives what a node is by itself, and where it leads.
func (c *libraryCut) look(n cutNode) (reason bool, to []cutNode) {
	if n < 0 {
		return c.objectsOf(ir.ClassID(-n))
	}
	b, err := c.body(ir.MethodID(n))
	if err != nil {
		return true, nil // so that the error is met and told
	}
	l := cutLook{c: c, p: c.g.prog, b: b}
	return l.instructions(), l.to
}

// objectsOf: an object of the class, or of one below it, matters if the app or
// a model knows a type of it, if code of the app can name a field of it, or if
// one of its methods is analysed.
func (c *libraryCut) objectsOf(class ir.ClassID) (reason bool, to []cutNode) {
	p := c.g.prog
	seen := map[ir.ClassID]bool{0: true, ir.ClassObject: true}
	var visit func(k ir.ClassID) bool
	visit = func(k ir.ClassID) bool {
		if seen[k] {
			return false
		}
		seen[k] = true
		d := &p.Classes[k]
		if d.Origin == ir.App || c.known[k] || c.lambdaMethods(k, &to) || c.members(d, &to) || visit(d.Super) {
			return true
		}
		for _, i := range d.Interfaces {
			if visit(i) {
				return true
			}
		}
		return false
	}
	for _, k := range p.Subclasses(class) {
		if visit(k) {
			return true, nil
		}
	}
	return false, to
}

func (c *libraryCut) members(d *ir.Class, to *[]cutNode) (reason bool) {
	if d.Origin != ir.Dependency {
		return false
	}
	p := c.g.prog
	for _, f := range d.Fields {
		if p.Fields[f].Flags&ir.AccStatic == 0 && c.named(f) {
			return true
		}
	}
	for _, m := range d.Methods {
		if x := &p.Methods[m]; x.HasCode && x.Flags&(ir.AccStatic|ir.AccConstructor) == 0 {
			*to = append(*to, cutNode(m))
		}
	}
	return false
}

// lambdaMethods adds what the lambdas of an interface call.
func (c *libraryCut) lambdaMethods(k ir.ClassID, to *[]cutNode) (reason bool) {
	for _, l := range c.lambdas[k] {
		m := c.g.prog.ResolveMethod(l.Impl)
		if m == 0 {
			continue
		}
		switch c.g.prog.Classes[c.g.prog.Methods[m].Class].Origin {
		case ir.App:
			return true
		case ir.Dependency:
			if c.g.prog.Methods[m].HasCode {
				*to = append(*to, cutNode(m))
			}
		default:
			return true // a method reference to the platform, which a model may know
		}
	}
	return false
}

// named: code of the app can name a field of a dependency, and write it.
func (c *libraryCut) named(f ir.FieldID) bool {
	p := c.g.prog
	d := &p.Fields[f]
	switch {
	case d.Flags&(ir.AccFinal|ir.AccPrivate) != 0:
		return false
	case d.Flags&ir.AccPublic != 0 || c.packages[packageOf(p.Classes[d.Class].Name)]:
		return true
	case d.Flags&ir.AccProtected == 0:
		return false
	}
	return c.app(d.Class)
}

// app: a class has a subclass, or a lambda of it calls a method, in the app.
func (c *libraryCut) app(k ir.ClassID) bool {
	is, ok := c.apps[k]
	if !ok {
		p := c.g.prog
		is = slices.ContainsFunc(p.Subclasses(k), func(s ir.ClassID) bool {
			return p.Classes[s].Origin == ir.App || slices.ContainsFunc(c.lambdas[s], func(l *ir.Lambda) bool {
				m := p.ResolveMethod(l.Impl)
				return m != 0 && p.Classes[p.Methods[m].Class].Origin == ir.App
			})
		})
		c.apps[k] = is
	}
	return is
}

// lambdasOf lists the interfaces below a class that have lambdas.
func (c *libraryCut) lambdasOf(k ir.ClassID) []ir.ClassID {
	if len(c.lambdas) == 0 {
		return nil
	}
	var out []ir.ClassID
	for _, s := range c.g.prog.Subclasses(k) {
		if len(c.lambdas[s]) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// called gives what a virtual call reaches.
func (c *libraryCut) called(class ir.ClassID, sel ir.SelectorID) cutReach {
	key := cutCall{class, sel}
	r, ok := c.calls[key]
	if !ok {
		r.reason = c.targets(class, sel, &r.to)
		c.calls[key] = r
	}
	return r
}

func (c *libraryCut) targets(class ir.ClassID, sel ir.SelectorID, to *[]cutNode) (reason bool) {
	p := c.g.prog
	for m := c.heads[sel]; m != 0; m = c.next[m] {
		k := p.Methods[m].Class
		if !c.meets(k, class) {
			continue
		}
		if p.Classes[k].Origin == ir.App || len(c.g.names.modelsOf(m)) > 0 {
			return true
		}
		*to = append(*to, cutNode(m))
	}
	for _, k := range c.lambdasOf(class) {
		for _, l := range c.lambdas[k] {
			if l.Sel == sel || p.Selectors[l.Sel].Name == p.Selectors[sel].Name {
				if c.lambdaMethods(k, to) {
					return true
				}
				break
			}
		}
	}
	return false
}

// meets: an object can be of both classes.
func (c *libraryCut) meets(a, b ir.ClassID) bool {
	p := c.g.prog
	if p.SubclassOf(a, b) || p.SubclassOf(b, a) {
		return true
	}
	if (p.Classes[a].Flags|p.Classes[b].Flags)&ir.AccInterface == 0 {
		return false
	}
	for _, k := range p.Subclasses(a) {
		if p.SubclassOf(k, b) {
			return true
		}
	}
	return false
}
