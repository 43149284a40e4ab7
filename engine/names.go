package engine

import (
	"slices"
	"strings"
	"sync"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/ir"
)

// Names are the names that the analysed classes have: what a baseline asks to
// tell a race that was renamed from a new one.
type Names struct {
	prog  *ir.Program
	files func() map[string]bool
}

func newNames(p *ir.Program) *Names {
	return &Names{p, sync.OnceValue(func() map[string]bool {
		files := map[string]bool{}
		for i := range p.Classes {
			if c := &p.Classes[i]; c.Origin == ir.App && c.Defined {
				files[finding.SourcePath(c.Name, c.Source)] = true
			}
		}
		return files
	})}
}

// class is a class of the app or its dependencies, or nil.
func (n *Names) class(name string) *ir.Class {
	c := &n.prog.Classes[n.prog.Lookup(name)]
	if !c.Defined || c.Origin == ir.Platform {
		return nil
	}
	return c
}

// HasClass: the app or a dependency defines the class.
func (n *Names) HasClass(name string) bool { return n.class(name) != nil }

// HasMethod: the class declares a method with this name and these parameters,
// such as onCreate(android.os.Bundle).
func (n *Names) HasMethod(class, signature string) bool {
	c := n.class(class)
	return c != nil && slices.ContainsFunc(c.Methods, func(m ir.MethodID) bool {
		return n.prog.MethodString(m) == class+"."+signature
	})
}

// HasField: the class declares a field with this name.
func (n *Names) HasField(class, name string) bool {
	c := n.class(class)
	return c != nil && slices.ContainsFunc(c.Fields, func(f ir.FieldID) bool { return n.prog.Fields[f].Name == name })
}

// Inherits: a class or interface that is not the app's own, from which the class
// descends, declares the method: others call it by this name.
func (n *Names) Inherits(class, signature string) bool {
	p := n.prog
	seen := map[ir.ClassID]bool{}
	for work := []ir.ClassID{p.Lookup(class)}; len(work) > 0; {
		c := work[len(work)-1]
		work = work[:len(work)-1]
		if c == 0 || seen[c] {
			continue
		}
		seen[c] = true
		k := &p.Classes[c]
		if k.Origin != ir.App && slices.ContainsFunc(k.Methods, func(m ir.MethodID) bool { return p.MethodString(m) == k.Name+"."+signature }) {
			return true
		}
		work = append(append(work, k.Super), k.Interfaces...)
	}
	return false
}

// HasFile: a class of the app comes from this file, named by the path of its
// package and its own name, such as com/example/Main.java.
func (n *Names) HasFile(file string) bool { return n.files()[strings.TrimPrefix(file, "/")] }
