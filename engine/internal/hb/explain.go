package hb

import (
	"fmt"
	"io"
	"strings"
	"sync"
)

// Step is one reason of an explanation: From is before To by Rule, because of
// Point, if any.
type Step struct {
	Rule     string
	From, To ActionID
	Point    PointID
}

// fact is one order with the reason it was found first. Its premises are
// earlier facts, so explanations end.
type fact struct {
	from, to node
	via      node    // transitivity: the middle; other rules: an action of the premise
	p, q     PointID // the points the rule looked at
	kind     kind
	rule     rule
}

// journal is what a closure notes if someone asks why: each order when it is
// found.
type journal struct {
	facts []fact
	index [2]map[[2]node]int32
}

func (j *journal) note(f fact) {
	j.index[f.kind][[2]node{f.from, f.to}] = int32(len(j.facts))
	j.facts = append(j.facts, f)
}

// reason completes f: what cover has found of many gets its own reason.
func (c *closure) reason(x, z node, f fact) fact {
	if f.rule == ruleCauses {
		if own, ok := c.covers(x, z); ok {
			own.kind = f.kind
			f = own
		}
	}
	f.from, f.to = x, z
	return f
}

// explainer finds the fact of a pair. No reason is kept; the orders are found
// once more, and noted, when someone asks first.
type explainer struct {
	once sync.Once
	*journal
}

func (g *Graph) reasons() *journal {
	g.x.once.Do(func() {
		c := newClosure(g.c.tree)
		c.journal = &journal{index: [2]map[[2]node]int32{{}, {}}}
		c.run()
		g.x.journal = c.journal
	})
	return g.x.journal
}

func (g *Graph) fact(k kind, a, b node) (fact, bool) {
	j := g.reasons()
	i, ok := j.index[k][[2]node{a, b}]
	if !ok && k == starts {
		i, ok = j.index[ends][[2]node{a, b}]
	}
	if !ok {
		return fact{}, false
	}
	return j.facts[i], true
}

// maxSteps bounds an explanation; nobody reads a longer one.
const maxSteps = 40

// Explain lists the steps of the order of a before b, nil if there is none.
func (g *Graph) Explain(a, b ActionID, rel Relation) []Step {
	if !g.Before(a, b, rel) {
		return nil
	}
	var steps []Step
	g.explain(ends, g.c.action(a), g.c.action(b), &steps)
	return steps
}

func (g *Graph) explain(k kind, a, b node, steps *[]Step) {
	if a == b || len(*steps) >= maxSteps {
		return
	}
	f, ok := g.fact(k, a, b)
	if !ok {
		return
	}
	if f.rule == ruleTransitive {
		g.explain(f.kind, a, f.via, steps)
		g.explain(starts, f.via, b, steps)
		return
	}
	if f.rule == ruleLooper {
		g.explainStart(a, b, steps)
	}
	if f.rule == ruleQueue || f.rule == ruleFront || f.rule == ruleCancel {
		g.explainPosts(f, steps)
	}
	*steps = append(*steps, Step{Rule: f.rule.String(), From: g.c.id(a), To: g.c.id(b), Point: f.p})
}

// explainStart expands the weaker order that one-at-a-time made whole, unless
// it is itself a single step between the two.
func (g *Graph) explainStart(a, b node, steps *[]Step) {
	i, ok := g.reasons().index[starts][[2]node{a, b}]
	if !ok {
		return
	}
	if f := g.reasons().facts[i]; f.rule == ruleTransitive {
		g.explain(f.kind, a, f.via, steps)
		g.explain(starts, f.via, b, steps)
	} else {
		*steps = append(*steps, Step{Rule: f.rule.String(), From: g.c.id(a), To: g.c.id(b), Point: f.p})
	}
}

// explainPosts says why the posters of a queue order are ordered.
func (g *Graph) explainPosts(f fact, steps *[]Step) {
	if f.p == 0 || f.q == 0 {
		return
	}
	p, q := g.c.action(g.m.Points[f.p].Action), g.c.action(g.m.Points[f.q].Action)
	if f.rule == ruleCancel {
		p, q = q, p
	}
	if p != q && g.c.before(ends, p, q) {
		g.explain(ends, p, q, steps)
	}
}

// Why says in short pieces why a and b are not ordered by rel, "" if they are.
func (g *Graph) Why(a, b ActionID, rel Relation) string {
	x, y := g.c.action(a), g.c.action(b)
	if x == process || y == process || g.Before(a, b, rel) || g.Before(b, a, rel) {
		return ""
	}
	var pieces []string
	w := g.c.common(x, y)
	switch {
	case x == y:
		pieces = append(pieces, "two runs of one action")
	case g.c.before(ends, x, y) || g.c.before(ends, y, x):
		pieces = append(pieces, "ordered only when "+g.c.name(w)+" is the same run, and it can run again")
	case w == x || w == y:
		pieces = append(pieces, g.c.name(w)+" causes the other, but runs on after that")
	case g.c.isAction(w):
		pieces = append(pieces, "both come from "+g.c.name(w)+", which does not order them")
	case w != process:
		pieces = append(pieces, "both belong to one "+g.c.name(w)+", which does not order them")
	default:
		pieces = append(pieces, "no common cause in the process")
	}
	if x != y {
		pieces = append(pieces, g.origin(x)+"; "+g.origin(y))
	}
	if !g.SameLooper(a, b, rel) {
		pieces = append(pieces, "not known to run on one looper")
	}
	return strings.Join(pieces, "; ")
}

func (c *closure) name(n node) string {
	switch {
	case n == process:
		return "the process"
	case !c.isAction(n):
		return c.m.Components[n].Name
	}
	return c.act(n).Name
}

// origin says what causes n.
func (g *Graph) origin(n node) string {
	s := g.c.name(n) + " is caused by "
	for i, ca := range g.c.causes[n] {
		if i == 2 && len(g.c.causes[n]) > 3 {
			return s + fmt.Sprintf(" and %d more", len(g.c.causes[n])-2)
		}
		if i > 0 {
			s += " or "
		}
		if ca.point == 0 {
			s += "the platform"
			continue
		}
		s += g.c.name(ca.from)
		if p := g.m.Points[ca.point]; p.Kind == Post && p.Delay != Now {
			if p.Delay.Known {
				s += fmt.Sprintf(" after %d ms", p.Delay.MS)
			} else {
				s += " after an unknown delay"
			}
		}
	}
	return s
}

// Print writes each action with its causes, what it is surely preceded by, and
// the relation each order holds for, in model order.
func (g *Graph) Print(out io.Writer) error {
	c := g.c
	for n := node(c.comps + 1); int(n) < c.n; n++ {
		times := "many"
		if c.once[n] {
			times = "once"
		}
		_, err := fmt.Fprintf(out, "action %d %s: queue %s, in %s, %s for each %s\n",
			c.id(n), c.name(n), g.queueName(n), c.name(c.home[n]), times, c.name(c.idom[n]))
		if err != nil {
			return err
		}
		if err := g.printOrders(out, n); err != nil {
			return err
		}
	}
	return nil
}

func (g *Graph) queueName(n node) string {
	if q := g.c.queue(n); q.Name != "" {
		return q.Name
	}
	return "unknown"
}

func (g *Graph) printOrders(out io.Writer, n node) error {
	c := g.c
	var lines []string
	c.succ[starts][n].each(func(z node) {
		f, ok := g.fact(ends, n, z)
		word := "before"
		if !ok {
			f, _ = g.fact(starts, n, z)
			word = "starts before"
		}
		rel := SameCause
		for r := SameInstance; r <= OtherInstance; r++ {
			if c.shares(n, z, g.sharedRun(n, z, r)) {
				rel = r
			}
		}
		lines = append(lines, fmt.Sprintf("  %s %d %s [%s, %s]\n", word, c.id(z), c.name(z), f.rule, rel))
	})
	_, err := io.WriteString(out, strings.Join(lines, ""))
	return err
}
