package engine

import (
	"regexp"
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
	local func() map[string][]ir.ClassID
}

func newNames(p *ir.Program) *Names {
	return &Names{
		prog: p,
		files: sync.OnceValue(func() map[string]bool {
			files := map[string]bool{}
			for i := range p.Classes {
				if c := &p.Classes[i]; c.Origin == ir.App && c.Defined {
					files[finding.SourcePath(c.Name, c.Source)] = true
				}
			}
			return files
		}),
		local: sync.OnceValue(func() map[string][]ir.ClassID {
			local := map[string][]ir.ClassID{}
			for i := range p.Classes {
				if c := &p.Classes[i]; c.Origin != ir.Platform && c.Defined {
					if name := localName(p, c); name != "" {
						local[name] = append(local[name], ir.ClassID(i))
					}
				}
			}
			return local
		}),
	}
}

// numbered finds the last number of the compiler in the name of a class.
var numbered = regexp.MustCompile(`^(.*\$[0-9]+)([^$]*)(\$.*)?$`)

// localName is what finding.Unnest tells of a named class in a method: Task of
// Main$1Task, and of Main$2$Deep the type that Main$2 implements with $Deep. It is
// "" for other classes.
func localName(p *ir.Program, c *ir.Class) string {
	part := numbered.FindStringSubmatch(c.Name)
	switch {
	case part == nil || part[2] == "" && part[3] == "":
		return ""
	case part[2] != "":
		return part[2] + part[3]
	}
	around := &p.Classes[p.Lookup(part[1])]
	if len(around.Interfaces) > 0 {
		return p.Classes[around.Interfaces[0]].Name + part[3]
	}
	return p.Classes[around.Super].Name + part[3]
}

// classes are those of the app or its dependencies that have a name; of local
// classes several may.
func (n *Names) classes(name string) []ir.ClassID {
	id := n.prog.Lookup(name)
	if c := &n.prog.Classes[id]; !c.Defined || c.Origin == ir.Platform {
		return n.local()[name]
	}
	return []ir.ClassID{id}
}

// HasClass: the app or a dependency defines the class.
func (n *Names) HasClass(name string) bool { return len(n.classes(name)) > 0 }

// HasMethod: the class declares a method with this name and these parameters,
// such as onCreate(android.os.Bundle). D8 moves static methods of interfaces to
// a class beside them.
func (n *Names) HasMethod(class, signature string) bool {
	return slices.ContainsFunc(slices.Concat(n.classes(class), n.classes(class+"$-CC")), func(c ir.ClassID) bool {
		return slices.ContainsFunc(n.prog.Classes[c].Methods, func(m ir.MethodID) bool {
			return written(n.prog, m) == signature
		})
	})
}

// written is such as run(int), by what the source calls it.
func written(p *ir.Program, m ir.MethodID) string {
	if w := p.Written(m); w != nil {
		return w.Name + "(" + strings.Join(w.Params, ",") + ")"
	}
	return p.SelectorString(p.Methods[m].Sel)
}

// HasField: the class declares a field with this name.
func (n *Names) HasField(class, name string) bool {
	return slices.ContainsFunc(n.classes(class), func(c ir.ClassID) bool {
		return slices.ContainsFunc(n.prog.Classes[c].Fields, func(f ir.FieldID) bool { return n.prog.Fields[f].Name == name })
	})
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
		if k.Origin != ir.App && slices.ContainsFunc(k.Methods, func(m ir.MethodID) bool { return written(p, m) == signature }) {
			return true
		}
		work = append(append(work, k.Super), k.Interfaces...)
	}
	return false
}

// HasFile: a class of the app comes from this file, named by the path of its
// package and its own name, such as com/example/Main.java.
func (n *Names) HasFile(file string) bool { return n.files()[strings.TrimPrefix(file, "/")] }
