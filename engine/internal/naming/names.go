// Package naming names code and locations as the developer wrote them. It is
// computed from the program (instructions, line numbers, the nesting that the
// bytecode records, a shrinker's mapping where there is one), from the
// points-to result (which objects a field or a lambda holds) and from the set of
// actions (which code an action begins with).
//
// Stable, whatever compiler built the app and in whatever order the members
// stand: names of classes, methods and fields; a lambda, an anonymous or a local
// class is known by the member that it stands in, by what it implements and by
// its number among its equals there (finding.Nested); what it captures, by its
// type and its number among the captures of that type. Not stable: a new equal
// before it in the same member changes the number; code that a shrinker inlined
// without a mapping is named by where it stands now; what no place of the app
// makes keeps the compiler's name.
//
// Cost: linear in the classes at New, then the code of a source file is read
// once, when something in it is named first. Names are kept, so that Names is not
// for several goroutines at a time: each forks its own. A name does not depend on
// what was named before it (TestHistory).
package naming

import (
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Names names the code, the actions and the fields of one app.
type Names struct {
	set       *actions.Set
	pts       *pointsto.Result
	prog      *ir.Program
	nest      *nesting
	callbacks map[hb.ActionID]finding.Callback // the names given so far
	actions   map[hb.ActionID]string           // likewise
	holders   map[pointsto.Obj]holders         // the app's fields that hold an object
	captures  map[pointsto.Obj][]capture       // the lambdas without a class that hold an object
	captors   map[capture]finding.Field        // the names given so far
	positions map[place]finding.Position       // likewise
}

// place is an instruction of a function.
type place struct {
	f pointsto.FuncID
	v ir.Value
}

// New prepares the names of an app.
func New(s *actions.Set) *Names {
	n := &Names{
		set: s, pts: s.PT, prog: s.PT.Prog, nest: newNesting(s.PT.Prog, s.PT.Models),
		callbacks: map[hb.ActionID]finding.Callback{}, actions: map[hb.ActionID]string{}, captors: map[capture]finding.Field{},
		positions: map[place]finding.Position{},
	}
	n.indexHolders()
	n.indexCaptures()
	return n
}

// Fork gives the same names to another goroutine. What New has found is shared, what
// is remembered is not.
func (n *Names) Fork() *Names {
	out := *n
	out.nest = n.nest.fork()
	out.callbacks, out.captors = map[hb.ActionID]finding.Callback{}, map[capture]finding.Field{}
	out.actions, out.positions = map[hb.ActionID]string{}, map[place]finding.Position{}
	return &out
}

// Method is the method as the source has it, under the binary name of its class.
// The body of a lambda keeps the name that the compiler gave it.
func (n *Names) Method(m ir.MethodID) finding.Method { return n.nest.written(m) }

// Written is the method of the source that holds the code of m: for the body of
// a lambda, the method in which the lambda stands.
func (n *Names) Written(m ir.MethodID) finding.Method {
	if !n.nest.isBody(m) {
		return n.Method(m)
	}
	return n.writtenHome(n.nest.home(m).home)
}

func (n *Names) writtenHome(h home) finding.Method {
	out := n.nest.method(h)
	out.Class = strings.TrimSuffix(n.nest.className(h), companion)
	return out
}

// WrittenAt is the method of the source that holds an instruction: the one that
// Written gives, or the one that was inlined there.
func (n *Names) WrittenAt(f pointsto.FuncID, v ir.Value) finding.Method {
	m := n.pts.Funcs[f].Method
	frame := n.inlined(f, v)
	if frame == nil {
		return n.Written(m)
	}
	if own := n.nest.surviving(frame); own != 0 {
		return n.Written(own)
	}
	if in, ok := ir.LambdaHome(frame.Name); ok {
		return n.writtenHome(n.nest.lambdaIn(m, frame, in, 0).home)
	}
	return undesugared(finding.Method{Class: frame.Class, Name: frame.Name, Params: frame.Params})
}

// inlined is the method that was inlined where an instruction stands, nil if none
// was.
func (n *Names) inlined(f pointsto.FuncID, v ir.Value) *ir.Frame {
	b := n.pts.Body(f)
	if b == nil || v <= 0 || int(v) >= b.Len() {
		return nil
	}
	return n.prog.Frame(b, v)
}

// Position is the place of an instruction in the source.
func (n *Names) Position(f pointsto.FuncID, v ir.Value) finding.Position {
	p, known := n.positions[place{f, v}]
	if !known {
		p = n.findPosition(f, v)
		n.positions[place{f, v}] = p
	}
	return p
}

// findPosition finds the place that Position keeps.
func (n *Names) findPosition(f pointsto.FuncID, v ir.Value) finding.Position {
	m := n.pts.Funcs[f].Method
	if m == 0 {
		return finding.Position{}
	}
	c := &n.prog.Classes[n.prog.Methods[m].Class]
	p := finding.Position{Method: n.WrittenAt(f, v), File: finding.SourcePath(c.Name, c.Source)}
	if frame := n.inlined(f, v); frame != nil {
		p.File = finding.SourcePath(frame.Class, frame.File)
	}
	if b := n.pts.Body(f); b != nil && v > 0 && int(v) < b.Len() {
		p.Line = b.Line(v)
	}
	return p
}

// Outermost is the name of the top-level class whose source holds the code of a
// method.
func (n *Names) Outermost(m ir.MethodID) string { return n.nest.family(m) }

// Forwards reports whether the compiler made the method, and all it does is to
// call what the developer wrote.
func (n *Names) Forwards(m ir.MethodID) bool {
	d := &n.prog.Methods[m]
	if lambdaClass(n.prog.Classes[d.Class].Name) {
		return true
	}
	return d.Flags&ir.AccSynthetic != 0 && (!n.nest.isBody(m) || strings.HasPrefix(n.nest.name(m), "$"))
}
