package pointsto

import "github.com/eventraces/eventraces/engine/internal/ir"

// CutAgainstOracle decides every dependency method, once in rising and once in
// falling order, and compares with plain propagation from the reasons: it
// returns the methods on which they disagree, and how many are cut of all.
func CutAgainstOracle(c *Config) (disagree []string, cut, all int) {
	decided := func(falling bool) *libraryCut {
		l := newLibraryCut(&solver{Config: c, prog: c.Prog, names: newNameTable(c.Prog, c.Models)})
		for i := range c.Prog.Methods {
			m := i
			if falling {
				m = len(c.Prog.Methods) - 1 - i
			}
			l.cuts(ir.MethodID(m))
		}
		return l
	}
	up, down := decided(false), decided(true)
	keep := propagate(up)
	for m := range c.Prog.Methods {
		n := cutNode(m)
		if up.nodes[n] == 0 {
			continue
		}
		all++
		if up.nodes[n] == summary {
			cut++
		}
		if up.nodes[n] != down.nodes[n] || (up.nodes[n] == analysed) != keep[n] {
			disagree = append(disagree, c.Prog.MethodString(ir.MethodID(m)))
		}
	}
	return disagree, cut, all
}

// propagate marks every node that reaches a reason, by walking back from them.
func propagate(l *libraryCut) map[cutNode]bool {
	known := map[cutNode]int32{}
	for n, s := range l.nodes {
		known[n] = s
	}
	l.nodes = map[cutNode]int32{} // so that no answer shortens a look
	keep, from := map[cutNode]bool{}, map[cutNode][]cutNode{}
	var work, next []cutNode
	for n := range known {
		next = append(next, n)
	}
	seen := map[cutNode]bool{}
	for len(next) > 0 {
		n := next[len(next)-1]
		next = next[:len(next)-1]
		if seen[n] {
			continue
		}
		seen[n] = true
		reason, to := l.look(n)
		if reason {
			keep[n] = true
			work = append(work, n)
		}
		for _, x := range to {
			from[x] = append(from[x], n)
			next = append(next, x)
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, x := range from[n] {
			if !keep[x] {
				keep[x] = true
				work = append(work, x)
			}
		}
	}
	l.nodes = known
	return keep
}
