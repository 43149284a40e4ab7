package platform

import (
	"maps"
	"slices"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

// traits checks that the constants, constructors and methods that traits name
// exist where the index knows the class.
func (c *checker) traits(cm *ClassModel) {
	d := c.known(cm.Name)
	if d == nil {
		return
	}
	if b := cm.Blocked; b != nil {
		if c.find(cm.Name, "<init>", func(params []string) bool { return len(params) > b.Arg }) == nil {
			c.errorf(b.Pos, "blocked: no constructor of %s has an argument arg%d", cm.Name, b.Arg)
		}
	}
	for _, constant := range slices.Sorted(maps.Keys(cm.Units)) {
		if !slices.ContainsFunc(d.Fields, func(f ir.FieldDecl) bool { return f.Name == constant }) {
			c.errorf(cm.Pos, "units: %s has no constant %s", cm.Name, constant)
		}
	}
	for _, name := range cm.Sends {
		if !slices.ContainsFunc(d.Methods, func(m ir.MethodDecl) bool { return namedBy(name, m.Name) }) {
			c.errorf(cm.Pos, "sends: %s has no method %s", cm.Name, name)
		}
	}
}

// mainLooper checks that the class of the main looper is one of loopers.
func (c *checker) mainLooper() {
	if cm := c.m.Classes[c.m.MainLooper]; cm != nil && c.m.QueueOf(c.ix.Supers, cm.Name) != Looper {
		c.errorf(cm.Pos, "main: objects of %s are no loopers", cm.Name)
	}
}
