package naming

import (
	"cmp"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/ir"
)

// Before Android 7 interfaces have no code: D8 moves that of interface Ticker to
// static methods of a class Ticker$-CC, under the prefixes below where it needs
// the object, and gives each class that implements Ticker a method that calls the
// default one. Names tell the methods of the source.
const companion = "$-CC"

var moved = []string{"$default$", "$private$"}

// written is the method as the source has it, with the binary name of its class.
func (n *nesting) written(m ir.MethodID) finding.Method {
	sel := &n.prog.Selectors[n.prog.Methods[m].Sel]
	out := finding.Method{Class: n.binaryOf(m), Name: sel.Name, Params: make([]string, len(sel.Params))}
	for i, t := range sel.Params {
		out.Params[i] = n.prog.TypeString(t)
	}
	if w := n.prog.Written(m); w != nil {
		out = finding.Method{Class: cmp.Or(w.Class, out.Class), Name: w.Name, Params: w.Params}
	}
	return undesugared(out)
}

// undesugared undoes what D8 makes of methods of interfaces.
func undesugared(out finding.Method) finding.Method {
	if owner, ok := strings.CutSuffix(out.Class, companion); ok {
		out.Class = owner
		for _, prefix := range moved {
			if name, ok := strings.CutPrefix(out.Name, prefix); ok && len(out.Params) > 0 {
				out.Name, out.Params = name, out.Params[1:]
			}
		}
	}
	return out
}

// forwarded is the default method that m, which D8 has put into a class that
// implements the interface, only calls; m itself if it is no such method.
func (n *nesting) forwarded(m ir.MethodID) ir.MethodID {
	if d := &n.prog.Methods[m]; !d.HasCode || d.Flags&ir.AccStatic != 0 {
		return m
	}
	b, err := n.prog.Lift(m)
	if err != nil {
		return m
	}
	for v := ir.Value(1); int(v) < b.Len(); v++ {
		if b.Line(v) != 0 { // X.super.m() in the source
			return m
		}
	}
	called := n.onlyCall(m)
	if called == 0 || !strings.HasSuffix(n.binaryOf(called), companion) || n.name(called) != moved[0]+n.name(m) {
		return m
	}
	return called
}
