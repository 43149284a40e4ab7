package pointsto

import (
	"github.com/eventraces/eventraces/engine/internal/ir"
)

// shape is what the solver keeps of a method's body: which values are
// references and, among those, which share a variable.
type shape struct {
	body  *ir.Body
	slice bool    // of a summary: only what may end in the result has a variable
	local []int32 // by value: index of its variable within the function, -1 for none
	n     int     // variables, the function's result included
	// testsOwn: which part of itself it runs depends on numbers of its receiver.
	testsOwn bool
}

// result is the index of the variable for what the method returns.
const result = 0

func newShape(p *ir.Program, b *ir.Body) *shape {
	s := &shape{body: b, local: make([]int32, b.Len()), n: 1}
	for v := range s.local {
		s.local[v] = -1
		t := b.Type[v]
		if t == 0 || !p.Types[t].Kind.Reference() || p.Types[t].Kind == ir.Null {
			continue
		}
		switch b.Op[v] {
		case ir.OpConstNull, ir.OpConstString, ir.OpConstClass, ir.OpConstHandle:
			continue // no object that an access or a callback could be about
		}
		s.local[v] = int32(s.n)
		s.n++
	}
	return s
}

// newSlice is the shape of a summary: the values from which what the method
// returns is computed, stores apart.
func newSlice(p *ir.Program, b *ir.Body) *shape {
	all := newShape(p, b)
	s := &shape{body: b, slice: true, local: make([]int32, b.Len()), n: 1}
	for v := range s.local {
		s.local[v] = -1
	}
	var work []ir.Value
	want := func(v ir.Value) {
		if all.local[v] >= 0 && s.local[v] < 0 {
			s.local[v] = int32(s.n)
			s.n++
			work = append(work, v)
		}
	}
	for k := range b.Blocks {
		if last := b.Blocks[k].End - 1; b.Op[last] == ir.OpReturn && b.NArgs(last) == 1 {
			want(b.Arg(last, 0))
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, a := range b.ArgsOf(v) {
			want(a)
		}
	}
	return s
}

// wants reports whether an instruction has constraints: of a summary, those of
// its slice and calls, whose callees may pass on a null or need an argument.
func (s *shape) wants(v ir.Value) bool {
	return !s.slice || s.local[v] >= 0 || s.body.Op[v] == ir.OpReturn || s.body.Op[v] == ir.OpInvoke
}

func (g *solver) shapeFor(m ir.MethodID, b *ir.Body) *shape {
	if g.cut != nil {
		g.cut.bodies[m] = b
		if g.cut.cuts(m) {
			return newSlice(g.prog, b)
		}
	}
	s := newShape(g.prog, b)
	s.testsOwn = g.testsOwn(b)
	return s
}

// lift lifts a method, unless the library cut has done so.
func (g *solver) lift(m ir.MethodID) (*ir.Body, error) {
	if g.cut != nil {
		return g.cut.body(m)
	}
	return g.prog.Lift(m)
}

// shapeOf lifts a method, once. A method that cannot be lifted has no shape and
// is recorded as broken.
func (g *solver) shapeOf(m ir.MethodID) *shape {
	s, ok := g.shapes[m]
	if !ok {
		body, err := g.lift(m)
		if err != nil {
			g.broken = append(g.broken, err)
		} else {
			s = g.shapeFor(m, body)
		}
		g.shapes[m] = s
	}
	return s
}

// FuncID is the number of a function: a method under a context. 0 is none.
type FuncID uint32

// Func is a method under a context.
type Func struct {
	Method ir.MethodID
	Ctx    CtxID
	base   node
	shape  *shape
}

type funcKey struct {
	m   ir.MethodID
	ctx CtxID
}

// function returns the number of method m under ctx and makes it reachable. It
// returns 0 if the method has no code that we can read.
func (g *solver) function(m ir.MethodID, ctx CtxID) FuncID {
	key := funcKey{m, ctx}
	if f, ok := g.funcOf[key]; ok {
		return f
	}
	if !g.prog.Methods[m].HasCode {
		return 0
	}
	f := FuncID(len(g.funcs))
	g.funcs = append(g.funcs, Func{Method: m, Ctx: ctx})
	g.callees = append(g.callees, nil)
	g.funcOf[key] = f
	g.fresh = append(g.fresh, f)
	s := g.shapeOf(m)
	if s == nil {
		return f
	}
	g.funcs[f].shape = s
	g.funcs[f].base = g.alloc(s.n)
	return f
}

// value is the variable of value v of function f, 0 if it is no reference.
func (g *solver) value(f FuncID, v ir.Value) node { return g.funcs[f].value(v) }

func (fn *Func) value(v ir.Value) node {
	if v == 0 || fn.shape == nil || fn.shape.local[v] < 0 {
		return 0
	}
	return fn.base + node(fn.shape.local[v])
}

// returned is the variable of what function f returns.
func (g *solver) returned(f FuncID) node { return g.funcs[f].returned() }

func (fn *Func) returned() node {
	if fn.shape == nil {
		return 0
	}
	return fn.base + result
}

// param is the variable of parameter i of function f, the receiver being 0 of
// a method that has one.
func (g *solver) param(f FuncID, i int) node {
	s := g.funcs[f].shape
	if s == nil {
		return 0
	}
	// Parameters are the first instructions of the entry block.
	for v := ir.Value(1); int(v) < s.body.Len() && s.body.Op[v] == ir.OpParam; v++ {
		if int(s.body.Aux[v]) == i {
			return g.value(f, v)
		}
	}
	return 0
}
