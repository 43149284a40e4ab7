package race

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// fixLength bounds the text of a fix: a second way is left out of a longer one.
const fixLength = 400

// fix says how to mend a race, from what is known of its two sides. It is "" if
// there is nothing to say beyond what the rule says.
func (f *finder) fix(p *pair) string {
	var ways []string
	switch p.rule {
	case finding.UseAfterFree:
		ways = f.fixFree(p)
	case finding.UseBeforeInit:
		ways = f.fixInit(p)
	case finding.UnorderedWrite, finding.StaleRead:
		ways = f.fixOrder(p)
	case finding.UnsynchronizedAccess:
		ways = f.fixThreads(p)
	}
	text := ""
	for _, w := range ways {
		switch {
		case w == "":
		case text == "":
			text = w
		case len(text)+len(w) < fixLength:
			return text + " Or " + strings.ToLower(w[:1]) + strings.Replace(w[1:], " "+p.field.Short()+" ", " "+p.field.Name+" ", 1)
		}
	}
	return text
}

// side is one side of a pair in words.
type side struct {
	x    hb.ActionID
	a    *access
	name string // Runnable.run in Main.onCreate
	does string // Runnable.run
	in   string // the method that the access stands in: does, or another one's name
	at   string // Main.java:12
}

func (f *finder) sideOf(p *pair, i int) side {
	x, a := p.action[i], p.access[i]
	name := f.callback(x).Short()
	does, _, _ := strings.Cut(name, " in ")
	in := does
	if m := f.r.Funcs[a.f].Method; m != 0 {
		in = f.inMethod(x, m)
		if fr := f.inlined(a.f, a.v); fr != nil {
			_, lambda := ir.LambdaHome(fr.Name)
			own := lambda || fr.Name == f.naming().name(m) // of a class that may be merged of several
			switch arm := f.s.Actions[x].Arm; {
			case !own:
				in = member(f.writtenAt(a.f, a.v))
			case arm != nil && arm.Method == m:
				in = does
			}
		}
	}
	return side{x, a, name, does, in, f.place(x, a).Spot()}
}

// inMethod names the method that code of action x stands in: the callback
// without what is around it, if it is that.
func (f *finder) inMethod(x hb.ActionID, m ir.MethodID) string {
	cb := f.callback(x)
	does, _, _ := strings.Cut(cb.Short(), " in ")
	n := f.naming()
	if n.isBody(m) {
		n.home(m) // finds what relays to it
		if arm := f.s.Actions[x].Arm; arm != nil && (arm.Method == m || f.relaysTo(arm.Method, m)) {
			return does
		}
		return "a lambda in " + member(f.written(m))
	}
	own := finding.Callback(f.method(m))
	if own.Class = n.classOf(m); own.Short() == cb.Short() {
		return does
	}
	return member(finding.Method(own))
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

// relaysTo: a compiler made method m to call the body of a lambda.
func (f *finder) relaysTo(m, body ir.MethodID) bool {
	if m == 0 || !f.forwards(m) {
		return false
	}
	return slices.ContainsFunc(f.naming().bodies[body], func(w unnamed) bool { return w.class == f.p.Methods[m].Class })
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
func (f *finder) call(x hb.ActionID) (text string, ok bool) {
	arm := f.s.Actions[x].Arm
	if arm == nil || arm.Life != nil {
		return "", false
	}
	name := f.called(arm.Func, arm.Site)
	if name == "" {
		return "", false
	}
	return fmt.Sprintf("%s (%s)", name, f.position(arm.Func, arm.Site).Spot()), true
}

func (f *finder) fixFree(p *pair) []string {
	use, free := f.sideOf(p, 0), f.sideOf(p, 1)
	frees := "sets " + p.field.Short() + " to null"
	switch p.field.Content {
	case finding.Array, finding.Container:
		frees = "removes from " + p.field.Short()
	case finding.Resource, finding.Kept:
		frees = "closes " + p.field.Short()
	}
	if !p.looper {
		return f.fixFreeThreads(p, use, free)
	}
	if p.has("two-instances") { // what one instance ends goes on in another
		test, ok := strings.CutSuffix(f.test(p, use, free), ".")
		if !ok {
			return nil
		}
		return []string{fmt.Sprintf("%s: another instance %s (%s).", test, frees, free.whole())}
	}
	end := f.endBefore(free, use.x, frees)
	if f.cutOff(use, free) || f.s.Actions[use.x].Component != f.s.Actions[free.x].Component { // another one is to end it
		return []string{f.test(p, use, free), end}
	}
	return []string{end, f.test(p, use, free), f.freeLater(p, use, free)}
}

// cutOff: the field belongs to the task or listener that uses it, which lives on
// when another object frees it.
func (f *finder) cutOff(use, free side) bool {
	own, other := f.s.Actions[use.x].Arm, f.s.Actions[free.x].Arm
	return own != nil && own.Life == nil && own.Receiver != 0 && other != nil && other.Receiver != own.Receiver &&
		f.facts.Values.Objects(use.x, use.a.fact).Has(own.Receiver)
}

// test says how the use, on the looper of the free, finds out that it comes too
// late.
func (f *finder) test(p *pair, use, free side) string {
	field := p.field.Short()
	switch p.field.Content {
	case finding.Array, finding.Container:
		return fmt.Sprintf("Test in %s whether %s still holds the element before using that (%s).", use.in, field, use.at)
	case finding.Resource, finding.Kept:
		if f.r.Funcs[free.a.f].Method == 0 {
			if q := f.asks(free.x); q != "" {
				return fmt.Sprintf("Do nothing in %s if %s (%s).", use.in, q, use.at)
			}
			return ""
		}
		if q := f.liveTest(use.a); q != "" {
			return fmt.Sprintf("Test %s in %s before using %s (%s).", q, use.in, field, use.at)
		}
		return fmt.Sprintf("Set %s to null where it is closed (%s), and do nothing in %s if it is null (%s).", field, free.at, use.in, use.at)
	}
	return f.nullTest(p, use)
}

func (f *finder) nullTest(p *pair, use side) string {
	if at := f.failsAt(use.x, use.a); at != nil && at.Spot() != use.at {
		return fmt.Sprintf("Test %s for null, which is read in %s (%s), before using it (%s).", p.field.Short(), use.in, use.at, at.Spot())
	}
	return fmt.Sprintf("Test %s for null in %s before using it (%s).", p.field.Short(), use.in, use.at)
}

// liveTest names the query that tells whether the resource of an access is
// still open.
func (f *finder) liveTest(a *access) string {
	name, slot := "", f.r.KeyName(a.key)
	a.objs.All(func(o pointsto.Obj) bool {
		if c := f.r.Object(o).Class; c != 0 {
			if m, not := f.r.Models.Tests(f.r.Supers, f.p.Classes[c].Name, slot); m != nil {
				name = fmt.Sprintf("that %s.%s() is %t", m.Class[strings.LastIndexByte(m.Class, '.')+1:], m.Name, !not)
			}
		}
		return name == ""
	})
	return name
}

// asks names the query of the framework that tells that lifecycle callback x has
// run: "isDestroyed() of the activity".
func (f *finder) asks(x hb.ActionID) string {
	arm := f.s.Actions[x].Arm
	if arm == nil || arm.Life == nil || arm.LifeCall < 0 {
		return ""
	}
	for i := range arm.Life.Predicates {
		p := &arm.Life.Predicates[i]
		for _, answer := range []bool{true, false} {
			if answers(arm.Life, p, arm.LifeCall, answer) && len(p.True) == 1 == answer {
				return fmt.Sprintf("%s() of the %s is %t", p.Name, arm.Life.Kind, answer)
			}
		}
	}
	return ""
}

// freeLater says to free in the last callback of the component's life, after
// which the use cannot come, if what is freed is set once for the instance.
func (f *finder) freeLater(p *pair, use, free side) string {
	if f.s.Actions[use.x].Component != f.s.Actions[free.x].Component || p.field.Content != finding.Itself {
		return ""
	}
	last := f.lastCallback(free.x, use.x)
	if last == "" {
		return ""
	}
	for _, w := range f.byKey[free.a.key] {
		often := false
		f.s.ByFunc[w.in].All(func(id int) bool {
			often = w.write && w.live && f.overlap(w, free.a) && f.s.Actions[id].Once == actions.Often && !f.instantiates(hb.ActionID(id))
			return !often
		})
		if often {
			return ""
		}
	}
	return fmt.Sprintf("Set %s to null in %s instead of %s: %s does not come after that.", p.field.Short(), last, f.callback(free.x).Name, use.does)
}

// fixFreeThreads: the sides may overlap.
func (f *finder) fixFreeThreads(p *pair, use, free side) []string {
	field := p.field.Short()
	switch p.field.Content {
	case finding.Array, finding.Container:
		return []string{fmt.Sprintf("Guard %s by one lock (%s and %s), and under it test whether it still holds the element before using that.", field, use.at, free.at)}
	case finding.Resource, finding.Kept:
		how := "set " + p.field.Name + " to null where it is closed and test it before the use"
		if q := f.liveTest(use.a); q != "" {
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

func (f *finder) fixInit(p *pair) []string {
	use, set := f.sideOf(p, 0), f.sideOf(p, 1)
	field := p.field.Short()
	test := f.nullTest(p, use)
	call, asked := f.call(use.x)
	switch {
	case asked && f.causes(set.x, use.x):
		in, at := f.askedIn(set.x, use.x), set.whole()
		if in == set.in {
			at = set.at
		}
		return []string{fmt.Sprintf("Set %s (%s) before %s calls %s.", field, at, in, call), test}
	case f.leadsTo(use.x, set.x):
		return []string{fmt.Sprintf("Do what needs %s (%s) where it has been set, in %s after %s%s.", field, use.whole(), set.name, set.whole(), f.back(use.x, set.x)), test}
	case asked:
		return []string{fmt.Sprintf("Call %s only once %s has set %s (%s), not already in %s.", call, set.name, field, set.whole(), f.askedIn(0, use.x)), test}
	case f.remade(use.x):
		return []string{fmt.Sprintf("Save what %s is made from with the state of the %s, and set %s again where that is restored, before %s.", field, f.s.Actions[use.x].Arm.Life.Kind, field, f.callback(use.x).Name), test}
	}
	where := "in a constructor or the first callback of its object"
	if p.field.Static {
		where = "where its class is initialised"
	}
	return []string{test, fmt.Sprintf("Set %s before %s can run, %s, not only in %s (%s).", field, use.does, where, set.name, set.whole())}
}

// causes: x itself asks for y.
func (f *finder) causes(x, y hb.ActionID) bool {
	for _, c := range f.s.Actions[y].Causes {
		if f.s.Model.Points[c].Action == x {
			return true
		}
	}
	return false
}

// askedIn is the method whose call asks for y, by the name that it has in the
// texts on action x, if that is not 0.
func (f *finder) askedIn(x, y hb.ActionID) string {
	m := f.r.Funcs[f.s.Actions[y].Arm.Func].Method
	if x != 0 {
		return f.inMethod(x, m)
	}
	return member(f.written(m))
}

// back adds that what x did must be posted back to its looper.
func (f *finder) back(x, y hb.ActionID) string {
	if f.g.SameLooper(x, y, hb.SameInstance) || f.s.Actions[x].Queue != f.s.Main() {
		return ""
	}
	return ", posted to the main looper"
}

// fixOrder: both sides run on one looper.
func (f *finder) fixOrder(p *pair) []string {
	a, b := f.sideOf(p, 0), f.sideOf(p, 1)
	if !a.a.write || b.a.write && !f.posted(b.x) && f.posted(a.x) {
		a, b = b, a // a writes; b is what can be ended
	}
	field := p.field.Short()
	does := "reads"
	if b.a.write {
		does = "writes"
	}
	calledA, postedA := f.call(a.x)
	calledB, postedB := f.call(b.x)
	postedA, postedB = postedA && f.posted(a.x), postedB && f.posted(b.x)
	latest := fmt.Sprintf("Give each request a number, and let %s go on only if its own is the latest (%s).", b.does, b.whole())
	switch {
	case (a.x == b.x || a.name == b.name && calledA == calledB) && postedB:
		if end := f.ending(b.x, f.s.Actions[b.x].Arm.Func); end != "" && f.together(b.x) {
			return []string{fmt.Sprintf("Call %s before %s, so that no older run of %s is left when a new one is asked for.", end, calledB, b.name), latest}
		}
		return []string{latest}
	case a.name == b.name && postedA && postedB:
		return []string{fmt.Sprintf("Call %s only once the run that %s asked for has written %s (%s).", calledB, calledA, field, a.whole()),
			fmt.Sprintf("Test in %s whether that is still wanted before it %s %s (%s).", b.does, does, field, b.whole())}
	case postedA && postedB && calledA != calledB && f.together(b.x):
		return []string{fmt.Sprintf("Call %s from %s, once that has written %s (%s).", calledB, a.name, field, a.whole()),
			fmt.Sprintf("Test in %s whether that is still wanted before it %s %s (%s).", b.does, does, field, b.whole())}
	case postedB:
		end := f.endBefore(a, b.x, "writes "+field)
		test := fmt.Sprintf("Test in %s whether what %s asked for is still wanted before it %s %s (%s).", b.does, calledB, does, field, b.whole())
		if f.s.Actions[a.x].Component != f.s.Actions[b.x].Component {
			end, test = test, end
		}
		return []string{end, test}
	case postedA && !b.a.write:
		return []string{fmt.Sprintf("Do what %s does with %s (%s) again once %s has written it (%s).", b.name, field, b.whole(), a.name, a.whole())}
	}
	if !b.a.write {
		return []string{fmt.Sprintf("Do what depends on %s where %s has written it (%s), not only in %s (%s).", field, a.name, a.whole(), b.name, b.whole())}
	}
	return []string{fmt.Sprintf("Let only one of %s (%s) and %s (%s) write %s, or test in both whether the value there is to be kept.", a.name, a.whole(), b.name, b.whole(), field)}
}

// posted: the app has asked for each run of the action.
func (f *finder) posted(x hb.ActionID) bool {
	return f.asked(x) && f.s.Actions[x].Arm.Effect.Kind != platform.Register
}

// together: the call that asks for an action stands in the source file of its
// callback, so that one may be changed with the other.
func (f *finder) together(x hb.ActionID) bool {
	arm := f.s.Actions[x].Arm
	class := func(m ir.MethodID) string { return outermost(f.p.Classes[f.p.Methods[m].Class].Name) }
	return arm.Method != 0 && class(arm.Method) == class(f.r.Funcs[arm.Func].Method)
}

// fixThreads: the sides may overlap without a common lock.
func (f *finder) fixThreads(p *pair) []string {
	a, b := f.sideOf(p, 0), f.sideOf(p, 1)
	if !a.a.write || b.a.write && f.s.Actions[a.x].Queue == f.s.Main() {
		a, b = b, a // a writes, off the main looper if one does
	}
	field := p.field.Short()
	post := ""
	if main := f.s.Main(); f.s.Actions[b.x].Queue == main && f.s.Actions[a.x].Queue != main {
		post = fmt.Sprintf("Post the write in %s (%s) to the main looper, where %s runs (%s).", a.name, a.whole(), b.name, b.whole())
	}
	both := fmt.Sprintf("%s and %s", a.at, b.at)
	if a.at == b.at {
		both = a.at
	}
	lock := fmt.Sprintf("Guard %s by one lock (%s).", field, both)
	switch {
	case a.x == b.x && !p.field.Static && !f.oneLocation(a.a, b.a):
		return []string{fmt.Sprintf("Let each run of %s work on a %s of its own.", a.does, p.field.Owner()), lock}
	case p.field.Content == finding.Container:
		return []string{post, lock[:len(lock)-1] + ", or make it a container that is made for threads."}
	case p.field.Content != finding.Itself:
		return []string{post, lock}
	case (a.a.updates || b.a.updates) && f.counts(a.a):
		return []string{fmt.Sprintf("Use an atomic class for %s, so that each update is one step (%s).", field, both), lock}
	case a.x == b.x || b.a.write:
	case f.volatile(a.a):
		return []string{fmt.Sprintf("Leave it, if a read just before the write does no harm: %s is volatile.", field), lock}
	case f.writes(b.x, b.a): // what it reads may be a test before that
	case post != "":
		return []string{post, "Declare " + field + " volatile: one side only reads it."}
	default:
		return []string{fmt.Sprintf("Declare %s volatile, so that %s (%s) sees what %s writes (%s).", field, b.name, b.whole(), a.name, a.whole()), lock}
	}
	return []string{post, lock}
}

// writes: action x also writes the location of an access.
func (f *finder) writes(x hb.ActionID, a *access) bool {
	return a.write || slices.ContainsFunc(f.byKey[a.key], func(w *access) bool {
		return w.write && f.s.ByFunc[w.in].Has(int(x)) && f.overlap(w, a)
	})
}

// counts: the field of an access holds an integer.
func (f *finder) counts(a *access) bool {
	if a.key <= 0 {
		return false
	}
	switch f.p.Types[f.p.Fields[a.key].Type].Kind {
	case ir.Byte, ir.Short, ir.Int, ir.Long:
		return true
	}
	return false
}

// remade: the callback answers what an earlier instance may have asked for.
func (f *finder) remade(x hb.ActionID) bool {
	arm := f.s.Actions[x].Arm
	return arm != nil && arm.Life != nil && arm.LifeCall >= 0 && arm.LifeCall < len(arm.Life.Callbacks) && arm.Life.Callbacks[arm.LifeCall].Pending
}
