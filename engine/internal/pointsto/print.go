package pointsto

import (
	"bufio"
	"fmt"
	"io"
	"slices"
)

// Print writes the call graph: each function with its calls, sorted by name.
func (r *Result) Print(w io.Writer) error {
	out := bufio.NewWriter(w)
	order := make([]FuncID, 0, len(r.Funcs))
	for f := 1; f < len(r.Funcs); f++ {
		if r.Funcs[f].Method != 0 {
			order = append(order, FuncID(f))
		}
	}
	slices.SortFunc(order, func(a, b FuncID) int {
		x, y := r.MethodName(a), r.MethodName(b)
		if x != y {
			if x < y {
				return -1
			}
			return 1
		}
		return int(a) - int(b)
	})
	for _, f := range order {
		fmt.Fprintln(out, r.MethodName(f))
		var lines []string
		for _, c := range r.Calls[f] {
			lines = append(lines, fmt.Sprintf("  %d: %s", r.Body(f).Line(c.Site), r.MethodName(c.Callee)))
		}
		slices.Sort(lines)
		for _, l := range slices.Compact(lines) {
			fmt.Fprintln(out, l)
		}
	}
	return out.Flush()
}

// check verifies the solution: every call's ends exist, what a variable points
// to is included in what it is copied to, and what is loaded or stored through
// it is copied from or to the fields of all its objects.
func (g *solver) check() error {
	for f, cs := range g.callees {
		for _, c := range cs {
			if int(c.Caller) != f || c.Callee == 0 || int(c.Callee) >= len(g.funcs) {
				return fmt.Errorf("call of function %d is damaged: %+v", f, c)
			}
		}
	}
	for n, es := range g.out {
		if g.rep[n] != node(n) {
			continue
		}
		for _, e := range es {
			want := g.restrict(g.pts[n], e.filter)
			if _, missing := g.now(e.to).union(want); !missing.Empty() {
				return fmt.Errorf("variable %d lacks %d objects of variable %d", e.to, missing.Len(), n)
			}
		}
		if err := g.checkHeap(node(n)); err != nil {
			return err
		}
	}
	return nil
}

// checkHeap verifies the loads and stores through a variable.
func (g *solver) checkHeap(n node) (err error) {
	for _, w := range g.watch[n] {
		g.pts[n].All(func(o Obj) bool {
			var from, to Set
			switch w := w.(type) {
			case load:
				from, to = g.now(g.fields[fieldAt{o, w.key}]), g.now(w.dst)
			case store:
				from, to = g.now(w.src), g.now(g.fields[fieldAt{o, w.key}])
			}
			if _, missing := to.union(from); !missing.Empty() {
				err = fmt.Errorf("variable %d: %d objects are not loaded or stored through object %d", n, missing.Len(), o)
			}
			return err == nil
		})
	}
	return err
}
