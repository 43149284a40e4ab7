package naming

import (
	"strings"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

// Classes that have a name in the source, but whose name in the bytecode holds a
// number of the compiler: local classes (Main$1Task), and members of these and
// of anonymous classes (Main$2$Deep).

// inMethod is what follows the number in the last part of a class' name: Task of
// the local class Main$1Task, nothing for the anonymous class Main$1. ok is false
// for classes that do not stand in a method.
func inMethod(name string) (simple string, ok bool) {
	last := name[strings.LastIndexByte(name, '$')+1:]
	simple = strings.TrimLeft(last, "0123456789")
	return simple, simple != last && last != name
}

// local is the simple name of a local class; "" for anything else.
func (n *nesting) local(w unnamed) string {
	if w.class == 0 || w.merged != 0 || lambdaClass(n.prog.Classes[w.class].Name) {
		return ""
	}
	simple, _ := inMethod(n.prog.Classes[w.class].Name)
	return simple
}

// label is what Nested calls it: a local class by its name, anything else by
// what it implements.
func (n *nesting) label(w unnamed) string {
	if name := n.local(w); name != "" {
		return name
	}
	return n.prog.Classes[n.implements(w)].Name
}

// standsAt is the home of w, which is made at a place. A local class stands where
// it is declared, wherever it is made: in the method that the bytecode names, or,
// if that is lost or there is none, where it is made first.
func (n *nesting) standsAt(w unnamed, s madeAt) standing {
	at := n.placeHome(s, 0)
	if n.local(w) == "" {
		return at
	}
	_, m := n.prog.Nesting(w.class)
	if m == 0 || n.isBody(m) && !n.prog.Methods[m].HasCode { // renamed with the body of a lambda
		if first, ok := n.first[w]; ok {
			s = first
		}
		at.home = n.standsIn(s, 0).home
		return at
	}
	at.home = n.home(m).home
	return at
}

// owner is the class that class c is a member of by its name; 0 if there is none.
func (n *nesting) owner(c ir.ClassID) ir.ClassID {
	name := n.prog.Classes[c].Name
	i := strings.LastIndexByte(name, '$')
	if i < 0 || i+1 == len(name) || n.isUnnamed(c) {
		return 0
	}
	o := n.prog.Lookup(name[:i])
	if o == 0 || !n.prog.Classes[o].Defined || n.prog.Classes[o].Origin == ir.Platform {
		return 0
	}
	return o
}

// memberName is the stable name of a class that is no lambda, anonymous or local
// class itself, but may be a member of one.
func (n *nesting) memberName(c ir.ClassID) string {
	name := n.prog.Classes[c].Name
	o := n.owner(c)
	if o == 0 || n.inside(o, c) {
		return strings.TrimSuffix(name, companion)
	}
	if strings.HasSuffix(name, companion) {
		return n.class(o)
	}
	return n.class(o) + name[strings.LastIndexByte(name, '$'):]
}

// around is the class in whose code class c stands; 0 for one of the top level.
func (n *nesting) around(c ir.ClassID) ir.ClassID {
	if !n.isUnnamed(c) {
		return n.owner(c)
	}
	w := unnamed{class: c}
	n.scanOf(c)
	s, ok := n.first[w]
	if !ok {
		return 0
	}
	return n.standsAt(w, s).home.class
}
