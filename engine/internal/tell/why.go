package tell

import (
	"fmt"
	"slices"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/hb"
)

// why says why nothing orders the two runs.
func (t *Teller) why(p *Pair) string {
	key := whyKey{p.Sides[0].Action, p.Sides[1].Action, p.has(finding.FactTwoInstances)}
	text, known := t.whys[key]
	if !known {
		text = t.findWhy(p)
		t.whys[key] = text
	}
	return text
}

// whyKey is what the text depends on.
type whyKey struct {
	x, y         hb.ActionID
	twoInstances bool
}

func (t *Teller) findWhy(p *Pair) string {
	x, y := p.Sides[0].Action, p.Sides[1].Action
	if x == y {
		return fmt.Sprintf("Two runs of %s can come in any order: neither waits for the other%s.",
			t.names.Callback(x).Short(), t.apart(x, y))
	}
	if t.leadsTo(y, x) {
		x, y = y, x
	}
	first, second := t.names.Callback(x).Short(), t.names.Callback(y).Short()
	switch {
	case p.has(finding.FactTwoInstances) && x == p.Sides[1].Action:
		first += " of another instance"
	case p.has(finding.FactTwoInstances):
		second += " of another instance"
	case first == second:
		second = "the other " + second
	}
	switch {
	case t.leadsTo(x, y) && t.graph.Before(x, y, hb.SameCause):
		return fmt.Sprintf("%s leads to %s, but can run again before or after that.", first, second)
	case t.leadsTo(x, y):
		return fmt.Sprintf("%s leads to %s, but does not wait for it%s.", first, second, t.apart(x, y))
	}
	return fmt.Sprintf("%s runs %s; %s runs %s; neither waits for the other%s.",
		first, t.when(x), second, t.when(y), t.apart(x, y))
}

// apart adds that the runs may overlap; "" if they do not.
func (t *Teller) apart(x, y hb.ActionID) string {
	switch {
	case t.graph.SameLooper(x, y, hb.SameInstance):
		return ""
	case t.unknownThread(x) || t.unknownThread(y):
		return ", and they may be on different threads"
	}
	return ", and they are on different threads"
}

// unknownThread reports whether no queue is known for an action.
func (t *Teller) unknownThread(x hb.ActionID) bool {
	return t.set.Queues[t.set.Actions[x].Queue].Kind == hb.QueueUnknown
}

// leadsTo reports whether x is in the chain of causes that is told for y.
func (t *Teller) leadsTo(x, y hb.ActionID) bool {
	return x != y && slices.ContainsFunc(t.chain(y), func(l link) bool { return l.action == x })
}
