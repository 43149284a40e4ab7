package tell

import (
	"fmt"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// fixFree says how to end the use with the free, or to find out that it comes too
// late.
func (t *Teller) fixFree(p *Pair) []string {
	use, free := t.sideOf(p, 0), t.sideOf(p, 1)
	frees := "sets " + p.Field.Short() + " to null"
	switch p.Field.Content {
	case finding.Array, finding.Container:
		frees = "removes from " + p.Field.Short()
	case finding.Resource, finding.Kept:
		frees = "closes " + p.Field.Short()
	}
	if !p.Looper {
		return t.fixFreeThreads(p, use, free)
	}
	if p.has(finding.FactTwoInstances) { // what one instance ends goes on in another
		test, ok := strings.CutSuffix(t.test(p, use, free), ".")
		if !ok {
			return nil
		}
		return []string{fmt.Sprintf("%s: another instance %s (%s).", test, frees, free.whole())}
	}
	end := ""
	if p.EndMends {
		end = t.endBefore(free, use.Action, frees)
	}
	if t.cutOff(use, free) || !t.oneComponent(use, free) { // another one is to end it
		return []string{t.test(p, use, free), end}
	}
	return []string{end, t.test(p, use, free), t.freeLater(p, use, free)}
}

// oneComponent reports whether both sides belong to one component, or to none.
func (t *Teller) oneComponent(a, b side) bool {
	return t.set.Actions[a.Action].Component == t.set.Actions[b.Action].Component
}

// cutOff reports whether the field belongs to the task or listener that uses it,
// which lives on when another object frees it.
func (t *Teller) cutOff(use, free side) bool {
	own, other := t.set.Actions[use.Action].Arm, t.set.Actions[free.Action].Arm
	return use.Own && own.Life == nil && other != nil && other.Receiver != own.Receiver
}

// test says how the use, on the looper of the free, finds out that it comes too
// late.
func (t *Teller) test(p *Pair, use, free side) string {
	field := p.Field.Short()
	switch p.Field.Content {
	case finding.Array, finding.Container:
		return fmt.Sprintf("Test in %s whether %s still holds the element before using that (%s).", use.in, field, use.at)
	case finding.Resource, finding.Kept:
		if t.pts.Funcs[free.Func].Method == 0 {
			if q := t.asks(free.Action); q != "" {
				return fmt.Sprintf("Do nothing in %s if %s (%s).", use.in, q, use.at)
			}
			return ""
		}
		if q := t.liveTest(use.Side); q != "" {
			return fmt.Sprintf("Test %s in %s before using %s (%s).", q, use.in, field, use.at)
		}
		return fmt.Sprintf("Set %s to null where it is closed (%s), and do nothing in %s if it is null (%s).",
			field, free.at, use.in, use.at)
	}
	return t.nullTest(p, use)
}

// nullTest says where to test the field itself for null.
func (t *Teller) nullTest(p *Pair, use side) string {
	if at := t.failsAt(use.Side); at != nil && at.Spot() != use.at {
		return fmt.Sprintf("Test %s for null, which is read in %s (%s), before using it (%s).",
			p.Field.Short(), use.in, use.at, at.Spot())
	}
	return fmt.Sprintf("Test %s for null in %s before using it (%s).", p.Field.Short(), use.in, use.at)
}

// liveTest names the query that tells whether the resource of an access is still
// open: "that Cursor.isClosed() is false". It is "" if no model tells one.
func (t *Teller) liveTest(s *Side) string {
	name, slot := "", t.pts.KeyName(s.Key)
	s.Objs.All(func(o pointsto.Obj) bool {
		if c := t.pts.Object(o).Class; c != 0 {
			if m, not := t.pts.Models.Tests(t.pts.Supers, t.prog.Classes[c].Name, slot); m != nil {
				name = fmt.Sprintf("that %s.%s() is %t", m.Class[strings.LastIndexByte(m.Class, '.')+1:], m.Name, !not)
			}
		}
		return name == ""
	})
	return name
}

// asks names the query of the framework that tells that lifecycle callback x has
// run: "isDestroyed() of the activity".
func (t *Teller) asks(x hb.ActionID) string {
	arm := t.set.Actions[x].Arm
	if arm == nil || arm.Life == nil || arm.LifeCall < 0 {
		return ""
	}
	for i := range arm.Life.Predicates {
		p := &arm.Life.Predicates[i]
		for _, answer := range []bool{true, false} {
			if arm.Life.Answers(p, arm.LifeCall, answer) && len(p.True) == 1 == answer {
				return fmt.Sprintf("%s() of the %s is %t", p.Name, arm.Life.Kind, answer)
			}
		}
	}
	return ""
}

// freeLater says to free in the last callback of the component's life, after
// which the use cannot come, if what is freed is set once for the instance.
func (t *Teller) freeLater(p *Pair, use, free side) string {
	if !t.oneComponent(use, free) || p.Field.Content != finding.Itself || !p.SetOnce {
		return ""
	}
	last := t.lastCallback(free.Action, use.Action)
	if last == "" {
		return ""
	}
	return fmt.Sprintf("Set %s to null in %s instead of %s: %s does not come after that.",
		p.Field.Short(), last, t.names.Callback(free.Action).Name, use.does)
}

// fixFreeThreads is fixFree for sides that may overlap, where a test alone does
// not help.
func (t *Teller) fixFreeThreads(p *Pair, use, free side) []string {
	field := p.Field.Short()
	if p.Locked { // it is the test under it that is missing
		if test, ok := strings.CutSuffix(t.test(p, use, free), "."); ok {
			return []string{test + ", under the lock that both sides hold."}
		}
	}
	switch p.Field.Content {
	case finding.Array, finding.Container:
		return []string{fmt.Sprintf("Guard %s by one lock (%s and %s), and under it test whether it still holds the element "+
			"before using that.", field, use.at, free.at)}
	case finding.Resource, finding.Kept:
		how := "set " + p.Field.Name + " to null where it is closed and test it before the use"
		if q := t.liveTest(use.Side); q != "" {
			how = "test " + q + " before the use"
		}
		return []string{
			fmt.Sprintf("Close %s where it is used last, at the end of %s, instead of in %s.", field, use.there(), free.there()),
			fmt.Sprintf("Guard both by one lock and under it %s.", how),
		}
	}
	return []string{fmt.Sprintf("Load %s once into a local variable in %s (%s) and use only that, if it is not null: "+
		"a test of the field itself does not help, since %s may set it to null right after the test (%s).",
		field, use.in, use.at, free.name, free.whole())}
}
