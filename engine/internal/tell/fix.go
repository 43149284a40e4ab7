package tell

import (
	"fmt"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/naming"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
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
	for _, w := range ways {
		switch {
		case w == "":
		case text == "":
			text = w
		case len(text)+len(w) < fixLength:
			return text + " Or " + strings.ToLower(w[:1]) + strings.Replace(w[1:], " "+p.Field.Short()+" ", " "+p.Field.Name+" ", 1)
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
	name := t.names.Callback(s.Action).Short()
	does, _, _ := strings.Cut(name, " in ")
	return side{s, name, does, method(t.names.WithinAt(s.Action, s.Func, s.Value), does), t.place(s).Spot()}
}

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

// whole is the side's place, with the method that it stands in if that is not
// the callback.
func (s side) whole() string {
	if s.in == s.does {
		return s.at
	}
	return s.in + ", " + s.at
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
	end := t.endBefore(free, use.Action, frees)
	if t.cutOff(use, free) || t.set.Actions[use.Action].Component != t.set.Actions[free.Action].Component { // another one is to end it
		return []string{t.test(p, use, free), end}
	}
	return []string{end, t.test(p, use, free), t.freeLater(p, use, free)}
}

// cutOff: the field belongs to the task or listener that uses it, which lives on
// when another object frees it.
func (t *Teller) cutOff(use, free side) bool {
	own, other := t.set.Actions[use.Action].Arm, t.set.Actions[free.Action].Arm
	return own != nil && own.Life == nil && own.Receiver != 0 && other != nil && other.Receiver != own.Receiver &&
		use.Own
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
		return fmt.Sprintf("Set %s to null where it is closed (%s), and do nothing in %s if it is null (%s).", field, free.at, use.in, use.at)
	}
	return t.nullTest(p, use)
}

func (t *Teller) nullTest(p *Pair, use side) string {
	if at := t.failsAt(use.Side); at != nil && at.Spot() != use.at {
		return fmt.Sprintf("Test %s for null, which is read in %s (%s), before using it (%s).", p.Field.Short(), use.in, use.at, at.Spot())
	}
	return fmt.Sprintf("Test %s for null in %s before using it (%s).", p.Field.Short(), use.in, use.at)
}

// liveTest names the query that tells whether the resource of an access is
// still open.
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
	if t.set.Actions[use.Action].Component != t.set.Actions[free.Action].Component || p.Field.Content != finding.Itself {
		return ""
	}
	last := t.lastCallback(free.Action, use.Action)
	if last == "" || !p.SetOnce {
		return ""
	}
	return fmt.Sprintf("Set %s to null in %s instead of %s: %s does not come after that.", p.Field.Short(), last, t.names.Callback(free.Action).Name, use.does)
}

// fixFreeThreads: the sides may overlap.
func (t *Teller) fixFreeThreads(p *Pair, use, free side) []string {
	field := p.Field.Short()
	switch p.Field.Content {
	case finding.Array, finding.Container:
		return []string{fmt.Sprintf("Guard %s by one lock (%s and %s), and under it test whether it still holds the element before using that.", field, use.at, free.at)}
	case finding.Resource, finding.Kept:
		how := "set " + p.Field.Name + " to null where it is closed and test it before the use"
		if q := t.liveTest(use.Side); q != "" {
			how = "test " + q + " before the use"
		}
		return []string{
			fmt.Sprintf("Close %s where it is used last, at the end of %s (%s), instead of in %s (%s).", field, use.name, use.whole(), free.name, free.whole()),
			fmt.Sprintf("Guard both by one lock and under it %s.", how),
		}
	}
	return []string{fmt.Sprintf("Load %s once into a local variable in %s (%s) and use only that, if it is not null: a test of the field itself does not help, since %s may set it to null right after the test (%s).",
		field, use.in, use.at, free.name, free.whole())}
}

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
		return []string{fmt.Sprintf("Do what needs %s (%s) where it has been set, in %s after %s%s.", field, use.whole(), set.name, set.whole(), t.back(use.Action, set.Action)), test}
	case asked:
		return []string{fmt.Sprintf("Call %s only once %s has set %s (%s), not already in %s.", call, set.name, field, set.whole(), t.askedIn(0, use.Action)), test}
	case t.remade(use.Action):
		return []string{fmt.Sprintf("Save what %s is made from with the state of the %s, and set %s again where that is restored, before %s.", field, t.set.Actions[use.Action].Arm.Life.Kind, field, t.names.Callback(use.Action).Name), test}
	}
	where := "in a constructor or the first callback of its object"
	if p.Field.Static {
		where = "where its class is initialised"
	}
	return []string{test, fmt.Sprintf("Set %s before %s can run, %s, not only in %s (%s).", field, use.does, where, set.name, set.whole())}
}

// causes: x itself asks for y.
func (t *Teller) causes(x, y hb.ActionID) bool {
	for _, c := range t.set.Actions[y].Causes {
		if t.set.Model.Points[c].Action == x {
			return true
		}
	}
	return false
}

// askedIn is the method whose call asks for y, by the name that it has in the
// texts on action x, if that is not 0.
func (t *Teller) askedIn(x, y hb.ActionID) string {
	m := t.pts.Funcs[t.set.Actions[y].Arm.Func].Method
	if x != 0 {
		does, _, _ := strings.Cut(t.names.Callback(x).Short(), " in ")
		return method(t.names.Within(x, m), does)
	}
	return member(t.names.Written(m))
}

// back adds that what x did must be posted back to its looper.
func (t *Teller) back(x, y hb.ActionID) string {
	if t.graph.SameLooper(x, y, hb.SameInstance) || t.set.Actions[x].Queue != t.set.Main() {
		return ""
	}
	return ", posted to the main looper"
}

// fixOrder: both sides run on one looper.
func (t *Teller) fixOrder(p *Pair) []string {
	a, b := t.sideOf(p, 0), t.sideOf(p, 1)
	if !a.Kind.Changes() || b.Kind.Changes() && !t.posted(b.Action) && t.posted(a.Action) {
		a, b = b, a // a writes; b is what can be ended
	}
	field := p.Field.Short()
	does := "reads"
	if b.Kind.Changes() {
		does = "writes"
	}
	calledA, postedA := t.call(a.Action)
	calledB, postedB := t.call(b.Action)
	postedA, postedB = postedA && t.posted(a.Action), postedB && t.posted(b.Action)
	latest := fmt.Sprintf("Give each request a number, and let %s go on only if its own is the latest (%s).", b.does, b.whole())
	switch {
	case (a.Action == b.Action || a.name == b.name && calledA == calledB) && postedB:
		if end := t.ending(b.Action, t.set.Actions[b.Action].Arm.Func); end != "" && t.together(b.Action) {
			return []string{fmt.Sprintf("Call %s before %s, so that no older run of %s is left when a new one is asked for.", end, calledB, b.name), latest}
		}
		return []string{latest}
	case a.name == b.name && postedA && postedB:
		return []string{fmt.Sprintf("Call %s only once the run that %s asked for has written %s (%s).", calledB, calledA, field, a.whole()),
			fmt.Sprintf("Test in %s whether that is still wanted before it %s %s (%s).", b.does, does, field, b.whole())}
	case postedA && postedB && calledA != calledB && t.together(b.Action):
		return []string{fmt.Sprintf("Call %s from %s, once that has written %s (%s).", calledB, a.name, field, a.whole()),
			fmt.Sprintf("Test in %s whether that is still wanted before it %s %s (%s).", b.does, does, field, b.whole())}
	case postedB:
		end := t.endBefore(a, b.Action, "writes "+field)
		test := fmt.Sprintf("Test in %s whether what %s asked for is still wanted before it %s %s (%s).", b.does, calledB, does, field, b.whole())
		if t.set.Actions[a.Action].Component != t.set.Actions[b.Action].Component {
			end, test = test, end
		}
		return []string{end, test}
	case postedA && !b.Kind.Changes():
		return []string{fmt.Sprintf("Do what %s does with %s (%s) again once %s has written it (%s).", b.name, field, b.whole(), a.name, a.whole())}
	}
	if !b.Kind.Changes() {
		return []string{fmt.Sprintf("Do what depends on %s where %s has written it (%s), not only in %s (%s).", field, a.name, a.whole(), b.name, b.whole())}
	}
	return []string{fmt.Sprintf("Let only one of %s (%s) and %s (%s) write %s, or test in both whether the value there is to be kept.", a.name, a.whole(), b.name, b.whole(), field)}
}

// posted: the app has asked for each run of the action.
func (t *Teller) posted(x hb.ActionID) bool {
	return t.asked(x) && t.set.Actions[x].Arm.Effect.Kind != platform.Register
}

// together: the call that asks for an action stands in the source file of its
// callback, so that one may be changed with the other.
func (t *Teller) together(x hb.ActionID) bool {
	arm := t.set.Actions[x].Arm
	return arm.Method != 0 && t.names.Outermost(arm.Method) == t.names.Outermost(t.pts.Funcs[arm.Func].Method)
}

// fixThreads: the sides may overlap without a common lock.
func (t *Teller) fixThreads(p *Pair) []string {
	a, b := t.sideOf(p, 0), t.sideOf(p, 1)
	if !a.Kind.Changes() || b.Kind.Changes() && t.set.Actions[a.Action].Queue == t.set.Main() {
		a, b = b, a // a writes, off the main looper if one does
	}
	field := p.Field.Short()
	post := ""
	if main := t.set.Main(); t.set.Actions[b.Action].Queue == main && t.set.Actions[a.Action].Queue != main {
		post = fmt.Sprintf("Post the write in %s (%s) to the main looper, where %s runs (%s).", a.name, a.whole(), b.name, b.whole())
	}
	both := fmt.Sprintf("%s and %s", a.at, b.at)
	if a.at == b.at {
		both = a.at
	}
	lock := fmt.Sprintf("Guard %s by one lock (%s).", field, both)
	switch {
	case a.Action == b.Action && !p.Field.Static && !p.has(finding.FactMustAlias):
		return []string{fmt.Sprintf("Let each run of %s work on a %s of its own.", a.does, p.Field.Owner()), lock}
	case p.Field.Content == finding.Container:
		return []string{post, lock[:len(lock)-1] + ", or make it a container that is made for threads."}
	case p.Field.Content != finding.Itself:
		return []string{post, lock}
	case (a.Updates || b.Updates) && t.counts(a.Key):
		return []string{fmt.Sprintf("Use an atomic class for %s, so that each update is one step (%s).", field, both), lock}
	case a.Action == b.Action || b.Kind.Changes():
	case p.Volatile:
		return []string{fmt.Sprintf("Leave it, if a read just before the write does no harm: %s is volatile.", field), lock}
	case b.Writes: // what it reads may be a test before that
	case post != "":
		return []string{post, "Declare " + field + " volatile: one side only reads it."}
	default:
		return []string{fmt.Sprintf("Declare %s volatile, so that %s (%s) sees what %s writes (%s).", field, b.name, b.whole(), a.name, a.whole()), lock}
	}
	return []string{post, lock}
}

// counts: the field of an access holds an integer.
func (t *Teller) counts(k pointsto.FieldKey) bool {
	if k <= 0 {
		return false
	}
	switch t.prog.Types[t.prog.Fields[k].Type].Kind {
	case ir.Byte, ir.Short, ir.Int, ir.Long:
		return true
	}
	return false
}

// remade: the callback answers what an earlier instance may have asked for.
func (t *Teller) remade(x hb.ActionID) bool {
	arm := t.set.Actions[x].Arm
	return arm != nil && arm.Life != nil && arm.LifeCall >= 0 && arm.LifeCall < len(arm.Life.Callbacks) && arm.Life.Callbacks[arm.LifeCall].Pending
}
