package tell

import (
	"fmt"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/naming"
)

// fixLength bounds the text of a fix: a second way is left out of a longer one.
const fixLength = 400

// fix says how to mend a race, from what is known of its two sides. It is "" if
// there is nothing to say beyond what the rule says.
func (t *Teller) fix(p *Pair) string {
	var ways []string
	switch p.Rule {
	case finding.UseAfterFree:
		ways = t.fixFree(p)
	case finding.UseBeforeInit:
		ways = t.fixInit(p)
	case finding.UnorderedWrite, finding.StaleRead:
		ways = t.fixOrder(p)
	case finding.UnsynchronizedAccess:
		ways = t.fixThreads(p)
	}
	text := ""
	for _, way := range ways {
		switch {
		case way == "":
		case text == "":
			text = way
		case len(text)+len(way) < fixLength: // the class of the field has been said
			rest := strings.Replace(way[1:], " "+p.Field.Short()+" ", " "+p.Field.Name+" ", 1)
			return text + " Or " + strings.ToLower(way[:1]) + rest
		}
	}
	return text
}

// side is one side of a pair in words.
type side struct {
	*Side
	name string // Runnable.run in Main.onCreate
	does string // Runnable.run
	in   string // the method that the access stands in: does, or another one's name
	at   string // Main.java:12
}

func (t *Teller) sideOf(p *Pair, i int) side {
	s := &p.Sides[i]
	does := t.short(s.Action)
	in := method(t.names.WithinAt(s.Action, s.Func, s.Value), does)
	return side{s, t.names.Callback(s.Action).Short(), does, in, t.place(s).Spot()}
}

// short is a callback without what is around it: Runnable.run.
func (t *Teller) short(x hb.ActionID) string {
	short, _, _ := strings.Cut(t.names.Callback(x).Short(), " in ")
	return short
}

// whole is the side's place, with the method that it stands in if that is not
// the callback.
func (s side) whole() string {
	if s.in == s.does {
		return s.at
	}
	return s.in + ", " + s.at
}

// there is the side's callback with its place: Runnable.run in Main.onCreate
// (Main.java:12).
func (s side) there() string { return s.name + " (" + s.whole() + ")" }

// method names the method that code stands in; does is the callback without what
// is around it.
func method(in naming.Within, does string) string {
	switch {
	case in.Callback:
		return does
	case in.Lambda:
		return "a lambda in " + member(in.Method)
	}
	return member(in.Method)
}

// member names a method inside a sentence.
func member(m finding.Method) string {
	class := strings.TrimSuffix(m.Short(), "."+m.Name)
	switch m.Name {
	case "<init>":
		return "the constructor of " + class
	case "<clinit>":
		return "the initialiser of " + class
	}
	return m.Short()
}

// call names the call that asks for the runs of a side and its place: "Handler.post
// (Main.java:12)". ok is false if the platform runs it by itself.
func (t *Teller) call(x hb.ActionID) (text string, ok bool) {
	arm := t.set.Actions[x].Arm
	if arm == nil || arm.Life != nil {
		return "", false
	}
	name := t.names.Called(arm.Func, arm.Site)
	if name == "" {
		return "", false
	}
	return fmt.Sprintf("%s (%s)", name, t.names.Position(arm.Func, arm.Site).Spot()), true
}

// fixInit says how to set a field before its use.
func (t *Teller) fixInit(p *Pair) []string {
	use, set := t.sideOf(p, 0), t.sideOf(p, 1)
	field := p.Field.Short()
	test := t.nullTest(p, use)
	call, asked := t.call(use.Action)
	switch {
	case asked && t.causes(set.Action, use.Action):
		in, at := t.askedIn(set.Action, use.Action), set.whole()
		if in == set.in {
			at = set.at
		}
		return []string{fmt.Sprintf("Set %s (%s) before %s calls %s.", field, at, in, call), test}
	case t.leadsTo(use.Action, set.Action):
		return []string{fmt.Sprintf("Do what needs %s (%s) where it has been set, in %s after %s%s.",
			field, use.whole(), set.name, set.whole(), t.back(use.Action, set.Action)), test}
	case asked:
		return []string{fmt.Sprintf("Call %s only once %s has set %s (%s), not already in %s.",
			call, set.name, field, set.whole(), t.askedIn(0, use.Action)), test}
	case t.remade(use.Action):
		return []string{fmt.Sprintf("Save what %s is made from with the state of the %s, and set %s again where that "+
			"is restored, before %s.", field, t.set.Actions[use.Action].Arm.Life.Kind, field, t.names.Callback(use.Action).Name), test}
	}
	where := "in a constructor or the first callback of its object"
	if p.Field.Static {
		where = "where its class is initialised"
	}
	return []string{test, fmt.Sprintf("Set %s before %s can run, %s, not only in %s.", field, use.does, where, set.there())}
}

// causes reports whether x itself asks for y.
func (t *Teller) causes(x, y hb.ActionID) bool {
	for _, c := range t.set.Actions[y].Causes {
		if t.set.Model.Points[c].Action == x {
			return true
		}
	}
	return false
}

// askedIn is the method whose call asks for y. If x is not 0, it has the name that
// texts on action x give it.
func (t *Teller) askedIn(x, y hb.ActionID) string {
	m := t.pts.Funcs[t.set.Actions[y].Arm.Func].Method
	if x != 0 {
		return method(t.names.Within(x, m), t.short(x))
	}
	return member(t.names.Written(m))
}

// back adds that what x did must be posted back to its looper; "" if y runs there.
func (t *Teller) back(x, y hb.ActionID) string {
	if t.graph.SameLooper(x, y, hb.SameInstance) || t.set.Actions[x].Queue != t.set.Main() {
		return ""
	}
	return ", posted to the main looper"
}
