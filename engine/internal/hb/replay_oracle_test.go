package hb

import (
	"fmt"
	"slices"
)

// Contradiction looks for a reason why the runs of a schedule cannot be, independently of
// Replay: each has its cause before it, each component its creation, and no order that the graph
// gives for two runs is violated. Which runs an order speaks of is found as in TestOracle, by
// removing nodes from the cause graph.
func (g *Graph) Contradiction(runs []Run) error {
	p := newPlain(g.c.tree)
	var sims []*simRun // nil for the rest of a run
	insts := map[[2]int]*simInst{}
	for i, r := range runs {
		if r.Rest >= 0 {
			if r.Rest >= i || sims[r.Rest] == nil || sims[r.Rest].act != r.Action {
				return fmt.Errorf("run %d is the rest of no run", i)
			}
			sims[r.Rest].end = 2*i + 2
			sims = append(sims, nil)
			continue
		}
		s := &simRun{act: r.Action, point: r.Point, start: 2*i + 1, end: 2*i + 2}
		switch {
		case r.Cause >= i || r.Cause >= 0 && sims[r.Cause] == nil:
			return fmt.Errorf("run %d: its cause is not before it", i)
		case r.Cause >= 0:
			pt := &g.m.Points[r.Point]
			if !slices.Contains(pt.Targets, r.Action) || pt.Action != runs[r.Cause].Action || (pt.Kind != Post && pt.Kind != Start && pt.Kind != Register) {
				return fmt.Errorf("run %d: its cause does not cause it", i)
			}
			s.parent = sims[r.Cause]
		default:
			if !slices.ContainsFunc(g.c.causes[g.c.action(r.Action)], func(c cause) bool { return c.point == 0 }) {
				return fmt.Errorf("run %d: the platform does not call it", i)
			}
			var err error
			if s.inst, err = g.instanceOf(r, i, insts, runs, sims); err != nil {
				return err
			}
		}
		sims = append(sims, s)
	}
	return g.disorder(p, sims)
}

// instanceOf is the instance that a run of the platform is on.
func (g *Graph) instanceOf(r Run, i int, insts map[[2]int]*simInst, runs []Run, sims []*simRun) (*simInst, error) {
	if r.Component == 0 {
		return nil, nil
	}
	key := [2]int{int(r.Component), r.Instance}
	if insts[key] != nil {
		return insts[key], nil
	}
	for k := 1; k < r.Instance; k++ {
		if insts[[2]int{key[0], k}] == nil {
			return nil, fmt.Errorf("run %d is of instance %d, and there is no instance %d", i, r.Instance, k)
		}
	}
	inst := &simInst{comp: r.Component}
	insts[key] = inst
	comp := g.c.component(r.Component)
	for n := node(g.c.comps + 1); int(n) < g.c.n; n++ { // nothing of the component always comes before its first run
		a := g.c.act(n)
		if a.Component == r.Component && a.Birth && g.c.id(n) != r.Action && !g.m.Actions[r.Action].Birth {
			return nil, fmt.Errorf("run %d, %s: its instance is not made", i, g.m.Actions[r.Action].Name)
		}
	}
	if slices.ContainsFunc(g.c.causes[comp], func(c cause) bool { return c.point == 0 }) {
		return inst, nil
	}
	for j := range sims {
		if sims[j] != nil && slices.ContainsFunc(g.c.causes[comp], func(c cause) bool { return g.c.id(c.from) == runs[j].Action }) {
			inst.parent = sims[j]
			return inst, nil
		}
	}
	return nil, fmt.Errorf("run %d, %s: nothing before it creates its component", i, g.m.Actions[r.Action].Name)
}

// disorder is an order of two runs that is violated.
func (g *Graph) disorder(p *plain, sims []*simRun) error {
	none := &sim{m: g.m}
	for _, a := range sims {
		for _, b := range sims {
			if a == nil || b == nil || a == b {
				continue
			}
			for rel := SameCause; rel <= OtherInstance; rel++ {
				if !p.related(a, b, rel) {
					continue
				}
				if err := claimPair(g, none, a, b, rel); err != nil {
					return err
				}
				if err := claimRuns(g, p, a, b, rel, map[Reason]int{}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
