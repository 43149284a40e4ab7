package platform

import (
	"fmt"
	"sort"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

// checker holds what the checks of one set of models need.
type checker struct {
	m        *Models
	ix       *Index
	declared map[string]bool // slot names of any class
	errs     []error
}

// Check verifies that every place follows slots that exist, that modelled
// methods and callbacks exist where the index knows the class, and that
// automata are sound.
func (m *Models) Check(ix *Index) []error {
	c := &checker{m: m, ix: ix, declared: map[string]bool{}}
	for _, cm := range m.Classes {
		for _, s := range append(append([]Slot(nil), cm.Slots...), cm.Statics...) {
			c.declared[s.Name] = true
		}
	}
	for _, name := range m.Names() {
		cm := m.Classes[name]
		for _, x := range cm.Methods {
			c.method(x)
		}
		c.order(cm)
		c.separate(cm)
		c.traits(cm)
	}
	for _, l := range m.Lifecycles {
		c.lifecycle(l)
	}
	c.mainLooper()
	sort.SliceStable(c.errs, func(i, j int) bool { return c.errs[i].Error() < c.errs[j].Error() })
	return c.errs
}

func (c *checker) errorf(pos Pos, format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf("%s:%d: %s", pos.File, pos.Line, fmt.Sprintf(format, args...)))
}

// Unchecked lists the modelled classes that the index does not know, such as
// those of AndroidX: their methods cannot be checked here.
func (m *Models) Unchecked(ix *Index) []string {
	var out []string
	for _, n := range m.Names() {
		if !ix.Has(n) {
			out = append(out, n)
		}
	}
	return out
}

// operands is what places in an effect can refer to.
type operands struct {
	class  string
	params []string
	open   bool
	ret    string // "" unknown, "void"
	result string
}

func (c *checker) method(x *Method) {
	s := operands{class: x.Class, params: x.Params, open: x.Open}
	if d := c.known(x.Class); d != nil {
		found := c.find(x.Class, x.Name, func(params []string) bool { return x.Accepts(params) })
		if found == nil {
			c.errorf(x.Pos, "%s has no method %s(%s)", x.Class, x.Name, strings.Join(x.Params, ", "))
			return
		}
		_, s.ret = javaTypes(found.Desc)
	}
	if x.Name == "<init>" {
		s.ret = "void"
	}
	c.effects(x.Effects, s)
}

func (c *checker) effects(effects []Effect, s operands) {
	for i := range effects {
		e := &effects[i]
		for _, p := range e.places() {
			c.place(*p, e.Pos, s)
		}
		if e.Callback.Name != "" {
			c.callback(&e.Callback, e.Pos, s)
		}
		c.effects(e.Do, s)
		then := s
		then.result = "?"
		c.effects(e.Then, then)
	}
}

// places gives every place that an effect names.
func (e *Effect) places() []*Place {
	out := []*Place{
		&e.From, &e.To, &e.Place, &e.Key, &e.Via, &e.Handle, &e.Code, &e.Token, &e.In, &e.Kept, &e.Lost, &e.Owner, &e.Workers, &e.Host,
		&e.Callback.Target,
	}
	for i := range e.On {
		out = append(out, &e.On[i])
	}
	for i := range e.Callback.Args {
		out = append(out, &e.Callback.Args[i])
	}
	for i := range e.Callback.Result {
		out = append(out, &e.Callback.Result[i])
	}
	return out
}

// place checks that the base is among the operands, and every slot among those of its
// class. It gives the class of the value, "" if it is not known.
func (c *checker) place(p Place, pos Pos, s operands) string {
	cls, slots := "", p.Slots
	switch p.Base {
	case This:
		cls = s.class
	case Arg:
		if p.Index >= len(s.params) && !s.open {
			c.errorf(pos, "%s: the method has %d parameters", p, len(s.params))
			return ""
		}
		if p.Index < len(s.params) {
			cls = s.params[p.Index]
		}
	case Ret:
		if s.ret == "void" {
			c.errorf(pos, "%s: the method returns nothing", p)
			return ""
		}
		cls = s.ret
	case Result:
		if s.result == "" {
			c.errorf(pos, "%s: only in then", p)
		}
	case Static:
		sl := (*Slot)(nil)
		if cm := c.m.Classes[p.Class]; cm != nil {
			sl = cm.Static(slots[0])
		}
		if sl == nil {
			c.errorf(pos, "%s: %s has no static slot %s", p, p.Class, slots[0])
			return ""
		}
		cls, slots = sl.Class, slots[1:]
	case New:
		cls = p.Class
	}
	for _, name := range slots {
		cls = c.slot(p, cls, name, pos)
	}
	return cls
}

func (c *checker) slot(p Place, cls, name string, pos Pos) string {
	if elem, ok := strings.CutSuffix(cls, "[]"); ok && name == "[]" {
		return elem
	}
	if cls != "" {
		if s, _ := c.m.FindSlot(c.ix.Supers, cls, name); s != nil {
			return s.Class
		}
		if c.complete(cls) && cls != "java.lang.Object" {
			c.errorf(pos, "%s: %s has no slot %s", p, cls, name)
			return ""
		}
	}
	if !c.declared[name] && name != "[]" {
		c.errorf(pos, "%s: no class has a slot %s", p, name)
	}
	return ""
}

// complete reports whether the index knows the class and all supertypes.
func (c *checker) complete(class string) bool {
	seen := map[string]bool{}
	var walk func(string) bool
	walk = func(n string) bool {
		if seen[n] {
			return true
		}
		seen[n] = true
		if !c.ix.Has(n) {
			return false
		}
		for _, s := range c.ix.Supers(n) {
			if !walk(s) {
				return false
			}
		}
		return true
	}
	return walk(class)
}

func (c *checker) known(class string) *ir.ClassDecl {
	d, ok := c.ix.Class(class)
	if !ok {
		return nil
	}
	return d
}

// callback checks that the target's class has such a method.
func (c *checker) callback(cb *Callback, pos Pos, s operands) {
	cls := c.place(cb.Target, pos, s)
	if cb.All || cls == "" || cls == "java.lang.Object" || !c.complete(cls) {
		return
	}
	found := c.find(cls, cb.Name, func(params []string) bool {
		if cb.AnyArgs {
			return true
		}
		if len(params) != len(cb.Args) {
			return false
		}
		for i := range cb.Params {
			if params[i] != cb.Params[i] {
				return false
			}
		}
		return true
	})
	if found == nil && !c.below(cls, cb.Name) {
		c.errorf(pos, "callback: %s has no method %s with %d such parameters", cls, cb.Name, len(cb.Args))
	}
}

// find looks for a method in a class and, but for constructors, above it.
func (c *checker) find(class, name string, accept func(params []string) bool) *ir.MethodDecl {
	seen := map[string]bool{class: true}
	for queue := []string{class}; len(queue) > 0; queue = queue[1:] {
		d := c.known(queue[0])
		if d == nil {
			continue
		}
		for i := range d.Methods {
			m := &d.Methods[i]
			if m.Name != name {
				continue
			}
			if params, _ := javaTypes(m.Desc); accept(params) {
				return m
			}
		}
		if name == "<init>" {
			return nil
		}
		for _, s := range c.ix.Supers(queue[0]) {
			if !seen[s] {
				seen[s] = true
				queue = append(queue, s)
			}
		}
	}
	return nil
}

var primitiveNames = map[byte]string{
	'V': "void", 'Z': "boolean", 'B': "byte", 'S': "short", 'C': "char", 'I': "int", 'J': "long", 'F': "float", 'D': "double",
}

// javaTypes turns a prototype into names as model files write them.
func javaTypes(desc string) (params []string, ret string) {
	parts, err := splitProto(desc)
	if err != nil {
		return nil, ""
	}
	for _, p := range parts {
		base := strings.TrimLeft(p, "[")
		name := dotted(base)
		if base[0] != 'L' {
			name = primitiveNames[base[0]]
		}
		params = append(params, name+strings.Repeat("[]", len(p)-len(base)))
	}
	return params[:len(params)-1], params[len(params)-1]
}

// below reports whether a modelled subclass has a method of this name: the
// target may be one at run time.
func (c *checker) below(class, name string) bool {
	for _, n := range c.m.Names() {
		if n == class || !c.subclass(n, class) {
			continue
		}
		if c.find(n, name, func([]string) bool { return true }) != nil {
			return true
		}
	}
	return false
}

func (c *checker) subclass(sub, super string) bool {
	seen := map[string]bool{sub: true}
	for queue := []string{sub}; len(queue) > 0; queue = queue[1:] {
		if queue[0] == super {
			return true
		}
		for _, s := range c.ix.Supers(queue[0]) {
			if !seen[s] {
				seen[s] = true
				queue = append(queue, s)
			}
		}
	}
	return false
}

// listenerTypes fills in, for callbacks "place.*", the declared type of the
// place, whose methods are meant.
func (m *Models) listenerTypes(ix *Index) {
	c := &checker{m: m, ix: ix, declared: map[string]bool{}}
	var fill func([]Effect, operands)
	fill = func(effects []Effect, s operands) {
		for i := range effects {
			e := &effects[i]
			if cb := &e.Callback; cb.All && cb.Type == "" && cb.Target.Base != Result {
				cb.Type = c.place(cb.Target, e.Pos, s)
			}
			fill(e.Do, s)
			fill(e.Then, s)
		}
	}
	for _, cm := range m.Classes {
		for _, x := range cm.Methods {
			fill(x.Effects, operands{class: x.Class, params: x.Params, open: x.Open, ret: "?"})
		}
	}
}
