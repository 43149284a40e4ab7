package pointsto

import (
	"fmt"
	"strings"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

// SortAfter makes the solver look for cycles each time n edges were added.
func SortAfter(c *Config, n int) { c.sortAfter = n }

// Merged counts the variables that the solver merged into others.
func Merged(r *Result) int { return r.size.merged }

// Size is the number of variables and of edges between them.
func Size(r *Result) (variables, edges int) { return r.size.variables, r.size.edges }

// Variables counts the reference-typed values of a function.
func Variables(r *Result, f FuncID) int { return r.Funcs[f].shape.n }

// StableName names an object without numbers that depend on the order in which
// objects were met.
func StableName(r *Result, o Obj) string {
	i := r.Object(o)
	label := i.Label
	if slot, holder, ok := strings.Cut(label, " of "); ok && i.Kind == Made {
		var h Obj
		if _, err := fmt.Sscan(holder, &h); err == nil {
			label = slot + " of " + StableName(r, h)
		}
	}
	return fmt.Sprintf("%d %s %d %q @ %s", i.Kind, r.Prog.Types[i.Type].Desc, i.Site, label, StableFunc(r, i.Func))
}

// StableFunc names a function likewise.
func StableFunc(r *Result, f FuncID) string {
	fn := &r.Funcs[f]
	if fn.Method == 0 {
		return "platform"
	}
	name := r.Prog.MethodString(fn.Method)
	if fn.Ctx != 0 {
		name += " on (" + StableName(r, Obj(fn.Ctx)) + ")"
	}
	return name
}

// Solution is everything that a result says about values, fields and calls, as
// sorted lines that do not depend on numbering.
func Solution(r *Result) []string {
	var out []string
	add := func(what string, s Set) {
		s.All(func(o Obj) bool { out = append(out, what+" -> "+StableName(r, o)); return true })
	}
	for f := 1; f < len(r.Funcs); f++ {
		id := FuncID(f)
		for _, c := range r.Calls[f] {
			out = append(out, fmt.Sprintf("call %s:%d %s %v %v %v", StableFunc(r, id), c.Site, StableFunc(r, c.Callee), c.Inline, c.Maybe, c.Often))
		}
		b := r.Body(id)
		if b == nil {
			continue
		}
		name := StableFunc(r, id)
		out = append(out, "function "+name)
		for v := 1; v < b.Len(); v++ {
			add(fmt.Sprintf("%s v%d", name, v), r.PointsTo(id, ir.Value(v)))
		}
		add(name+" returns", r.Returned(id))
	}
	for _, e := range r.Heap() {
		from := "static"
		if e.From != 0 {
			from = StableName(r, e.From)
		}
		add(from+" . "+r.KeyName(e.Key), e.To)
	}
	for _, a := range r.Arms {
		arm := fmt.Sprintf("arm %s %s:%d call %d", a.Name, StableFunc(r, a.Func), a.Site, a.LifeCall)
		if a.Receiver != 0 {
			arm += " on " + StableName(r, a.Receiver)
		}
		for _, e := range a.Entries {
			out = append(out, arm+" runs "+StableFunc(r, e))
		}
		add(arm+" lives in", r.Host(a))
	}
	return out
}
