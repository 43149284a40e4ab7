package actions

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// A function that a run calls with constants alone does not execute the branches that test for
// others: setUserVisibleHint(false), onResult(1002). What calls pass is followed forward from
// the entries, of which nothing is known, for all actions at once: each constant of a parameter
// is a set of the actions that may pass it. What is no constant may be anything.
//
// Over-approximates: a parameter that is tested twice may have one value at the first test
// and another one at the second. All calls of the app's code are seen, or reach the
// function as the call graph says.

// passed is what is passed to a function that tests its parameters.
type passed struct {
	params []given // those that are tested
	live   []Bits  // by block: the actions that may execute it
}

// given is what actions pass for one parameter.
type given struct {
	index   int32
	numbers []number // in the order in which they were found
	any     Bits     // something else, perhaps
}

// number is a constant and the actions that may pass it. Of references, 0 is null and 1 is
// any object.
type number struct {
	n  int64
	by Bits
}

// maxNumbers bounds the constants of one parameter: with more, it may be anything.
const maxNumbers = 64

// findPassed finds the parameters that some function tests, or hands on to one that does, and
// for which some call passes constants.
func (s *Set) findPassed() {
	s.passed = make([]*passed, len(s.PT.Funcs))
	asked := s.askedParams()
	var found []param
	told := map[param]bool{}
	tell := func(p param) {
		if !told[p] {
			told[p] = true
			found = append(found, p)
		}
	}
	handed := map[param][]param{} // to parameters of other functions that are asked for
	for _, p := range asked {
		for _, c := range s.callers[p.f] {
			caller, arg := s.argument(c, int(p.index))
			if caller == nil {
				continue
			}
			arg = uncast(caller, arg)
			if _, ok := numbersOf(caller, s.PT.Prog, arg, 0); ok {
				tell(p)
			} else if caller.Op[arg] == ir.OpParam {
				from := param{c.Caller, caller.Aux[arg]}
				handed[from] = append(handed[from], p)
			}
		}
	}
	for i := 0; i < len(found); i++ {
		for _, to := range handed[found[i]] {
			tell(to)
		}
	}
	for _, p := range asked {
		if !told[p] {
			continue
		}
		to := s.passed[p.f]
		if to == nil {
			to = &passed{live: make([]Bits, len(s.PT.Body(p.f).Blocks))}
			s.passed[p.f] = to
		}
		to.params = append(to.params, given{index: p.index, any: newBits(len(s.Actions))})
	}
}

// param is a parameter of a function.
type param struct {
	f     pointsto.FuncID
	index int32
}

// askedParams lists the parameters that some function tests, and those that are handed on as
// such.
func (s *Set) askedParams() []param {
	var out []param
	known := map[param]bool{}
	ask := func(p param) {
		if !known[p] {
			known[p] = true
			out = append(out, p)
		}
	}
	for f := pointsto.FuncID(1); int(f) < len(s.PT.Funcs); f++ {
		if b := s.PT.Body(f); b != nil {
			for _, i := range testedParams(b) {
				ask(param{f, i})
			}
		}
	}
	for i := 0; i < len(out); i++ {
		p := out[i]
		for _, c := range s.callers[p.f] {
			if b, arg := s.argument(c, int(p.index)); b != nil {
				if arg = uncast(b, arg); b.Op[arg] == ir.OpParam {
					ask(param{c.Caller, b.Aux[arg]})
				}
			}
		}
	}
	return out
}

// testedParams lists the parameters that a body compares with a number, in order.
func testedParams(b *ir.Body) []int32 {
	var out []int32
	for k := range b.Blocks {
		if v, ok := tests(b, int32(k)); ok && !slices.Contains(out, b.Aux[v]) {
			out = append(out, b.Aux[v])
		}
	}
	slices.Sort(out)
	return out
}

// tests is the parameter that a block compares with numbers at its end.
func tests(b *ir.Body, block int32) (v ir.Value, ok bool) {
	v, ok = tested(b, block)
	return v, ok && b.Op[v] == ir.OpParam
}

// tested is the value that a block compares with numbers at its end.
func tested(b *ir.Body, block int32) (v ir.Value, ok bool) {
	end := b.Blocks[block].End - 1
	switch b.Op[end] {
	case ir.OpSwitch:
		v = uncast(b, b.Arg(end, 0))
	case ir.OpIf:
		if b.Sub[end] != ir.EQ && b.Sub[end] != ir.NE {
			return 0, false
		}
		v = uncast(b, b.Arg(end, 0))
		if b.NArgs(end) == 2 {
			if _, number := pointsto.Constant(b, b.Arg(end, 1)); !number {
				return 0, false
			}
		}
	default:
		return 0, false
	}
	return v, true
}

func uncast(b *ir.Body, v ir.Value) ir.Value {
	for b.Op[v] == ir.OpCheckCast {
		v = b.Arg(v, 0)
	}
	return v
}

// argument is what a call passes for parameter i of the callee, and the body in which it stands;
// nil if that cannot be told. A call of the method itself passes its arguments in order, one for
// each parameter; what a model calls gets what the model says.
func (s *Set) argument(c pointsto.Call, i int) (*ir.Body, ir.Value) {
	b, callee := s.PT.Body(c.Caller), s.PT.Body(c.Callee)
	if b == nil || c.Site <= 0 || b.Op[c.Site] != ir.OpInvoke || c.Inline {
		return nil, 0
	}
	m := &s.PT.Prog.Methods[s.PT.Funcs[c.Callee].Method]
	if s.PT.Prog.Methods[b.Aux[c.Site]].Sel == m.Sel {
		if b.NArgs(c.Site) != params(callee) {
			return nil, 0
		}
		return b, b.Arg(c.Site, i)
	}
	var found ir.Value
	for _, e := range s.PT.ModelCalls(c) {
		cb := &e.Effect.Callback
		if i == 0 || cb.AnyArgs || len(cb.Args)+1 != params(callee) || e.Func != c.Caller {
			return nil, 0
		}
		p := cb.Args[i-1]
		if p.Base != platform.Arg || len(p.Slots) > 0 {
			return nil, 0
		}
		v := s.PT.Arg(e.Scope, p.Index)
		if found != 0 && found != v {
			return nil, 0
		}
		found = v
	}
	if found == 0 {
		return nil, 0
	}
	return b, found
}

// params counts the parameters of a body.
func params(b *ir.Body) int {
	n := 0
	for v := ir.Value(1); int(v) < b.Len() && b.Op[v] == ir.OpParam; v++ {
		n++
	}
	return n
}

// numbersOf lists the constants that a value may be; not ok if it may be something else.
func numbersOf(b *ir.Body, p *ir.Program, v ir.Value, depth int) ([]int64, bool) {
	const maxDepth = 4 // of values that are chosen from values that are chosen
	v = uncast(b, v)
	if n, ok := pointsto.Constant(b, v); ok {
		return []int64{n}, true
	}
	switch b.Op[v] {
	case ir.OpNew, ir.OpNewArray, ir.OpFilledArray, ir.OpNewLambda, ir.OpConstString, ir.OpConstClass:
		return []int64{1}, true
	case ir.OpParam:
		if b.Aux[v] == 0 && p.Methods[b.Method].Flags&ir.AccStatic == 0 {
			return []int64{1}, true
		}
	case ir.OpPhi:
		if depth == maxDepth {
			return nil, false
		}
		var out []int64
		for _, a := range b.ArgsOf(v) {
			ns, ok := numbersOf(b, p, a, depth+1)
			if !ok {
				return nil, false
			}
			for _, n := range ns {
				out = appendNew(out, n)
			}
		}
		return out, true
	}
	return nil, false
}

// pass notes what a call by actions passes, and reports whether any of it is new.
func (s *Set) pass(c pointsto.Call, as Bits) bool {
	to := s.passed[c.Callee]
	if to == nil {
		return false
	}
	grown := false
	for i := range to.params {
		g := &to.params[i]
		b, arg := s.argument(c, int(g.index))
		if b == nil {
			grown = g.any.or(as) || grown
			continue
		}
		arg = uncast(b, arg)
		if ns, ok := numbersOf(b, s.PT.Prog, arg, 0); ok {
			for _, n := range ns {
				grown = g.add(n, as) || grown
			}
			continue
		}
		from := s.given(c.Caller, b, arg)
		if from == nil {
			grown = g.any.or(as) || grown
			continue
		}
		grown = g.any.or(from.any.and(as)) || grown
		for _, n := range from.numbers {
			grown = g.add(n.n, n.by.and(as)) || grown
		}
	}
	return grown
}

// given is what is passed for a value that is a tested parameter of f, nil if it is none.
func (s *Set) given(f pointsto.FuncID, b *ir.Body, v ir.Value) *given {
	p := s.passed[f]
	if p == nil || b.Op[v] != ir.OpParam {
		return nil
	}
	for i := range p.params {
		if p.params[i].index == b.Aux[v] {
			return &p.params[i]
		}
	}
	return nil
}

// add notes actions that pass a constant, and reports whether any is new.
func (g *given) add(n int64, as Bits) bool {
	if as.Count() == 0 {
		return false
	}
	for i := range g.numbers {
		if g.numbers[i].n == n {
			return g.numbers[i].by.or(as)
		}
	}
	if len(g.numbers) == maxNumbers {
		return g.any.or(as)
	}
	g.numbers = append(g.numbers, number{n, slices.Clone(as)})
	return true
}

// enter notes actions that execute a function with parameters of which nothing is known, and
// reports whether any is new.
func (s *Set) enter(f pointsto.FuncID, as Bits) bool {
	grown := false
	if p := s.passed[f]; p != nil {
		for i := range p.params {
			grown = p.params[i].any.or(as) || grown
		}
	}
	return grown
}

// narrow finds the actions that may execute each block of a function that tests its
// parameters.
func (s *Set) narrow(f pointsto.FuncID) {
	p := s.passed[f]
	if p == nil || s.ByFunc[f] == nil {
		return
	}
	b := s.PT.Body(f)
	for k := range p.live {
		p.live[k] = newBits(len(s.Actions))
	}
	p.live[0].or(s.ByFunc[f])
	for work := []int32{0}; len(work) > 0; {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		for i, to := range b.Succs(k) {
			if p.live[to].or(s.along(p, f, b, k, i)) {
				work = append(work, to)
			}
		}
	}
}

// along lists the actions that may leave a block by its i-th successor.
func (s *Set) along(p *passed, f pointsto.FuncID, b *ir.Body, k int32, i int) Bits {
	all := p.live[k]
	v, ok := tests(b, k)
	if !ok || i >= int(b.Blocks[k].Normal) {
		return all
	}
	g := s.given(f, b, v)
	if g == nil {
		return all
	}
	out := g.any.and(all)
	for _, n := range g.numbers {
		if leaves(b, k, i, n.n) {
			out.or(n.by.and(all))
		}
	}
	return out
}

// leaves reports whether a block that tests a number leaves by its i-th successor if it is n.
func leaves(b *ir.Body, k int32, i int, n int64) bool {
	end := b.Blocks[k].End - 1
	if b.Op[end] == ir.OpSwitch {
		cases := b.Cases(end)
		if at := slices.Index(cases, n); at >= 0 {
			return i == at
		}
		return i == len(cases)
	}
	to := int64(0)
	if b.NArgs(end) == 2 {
		to, _ = pointsto.Constant(b, b.Arg(end, 1))
	}
	equal := (n == to) == (b.Sub[end] == ir.EQ)
	return equal == (i == 0)
}

// mayPass reports whether runs of an action may execute v of f with what they pass to it.
func (s *Set) mayPass(act hb.ActionID, f pointsto.FuncID, b *ir.Body, v ir.Value) bool {
	p := s.passed[f]
	return p == nil || p.live[b.BlockOf(v)] == nil || p.live[b.BlockOf(v)].Has(int(act))
}
