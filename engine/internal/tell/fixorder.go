package tell

import (
	"fmt"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// fixOrder says how to order two sides of one looper.
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
	callOfA, _ := t.call(a.Action)
	callOfB, _ := t.call(b.Action)
	postedA, postedB := callOfA != "" && t.posted(a.Action), callOfB != "" && t.posted(b.Action)
	wanted := fmt.Sprintf("Test in %s whether that is still wanted before it %s %s (%s).", b.does, does, field, b.whole())
	switch {
	case (a.Action == b.Action || a.name == b.name && callOfA == callOfB) && postedB:
		return t.onlyLatest(b, callOfB)
	case a.name == b.name && postedA && postedB:
		return []string{fmt.Sprintf("Call %s only once the run that %s asked for has written %s (%s).",
			callOfB, callOfA, field, a.whole()), wanted}
	case postedA && postedB && callOfA != callOfB && t.together(b.Action):
		return []string{fmt.Sprintf("Call %s from %s, once that has written %s (%s).",
			callOfB, a.name, field, a.whole()), wanted}
	case postedB:
		end := t.endBefore(a, b.Action, "writes "+field)
		test := fmt.Sprintf("Test in %s whether what %s asked for is still wanted before it %s %s (%s).",
			b.does, callOfB, does, field, b.whole())
		if !t.oneComponent(a, b) {
			end, test = test, end
		}
		return []string{end, test}
	case postedA && !b.Kind.Changes():
		return []string{fmt.Sprintf("Do what %s does with %s (%s) again once %s has written it (%s).",
			b.name, field, b.whole(), a.name, a.whole())}
	case !b.Kind.Changes():
		return []string{fmt.Sprintf("Do what depends on %s where %s has written it (%s), not only in %s.",
			field, a.name, a.whole(), b.there())}
	}
	return []string{fmt.Sprintf("Let only one of %s and %s write %s, or test in both whether the value there "+
		"is to be kept.", a.there(), b.there(), field)}
}

// onlyLatest says how to let only the latest of several runs that one call asks
// for do its work.
func (t *Teller) onlyLatest(s side, call string) []string {
	latest := fmt.Sprintf("Give each request a number, and let %s go on only if its own is the latest (%s).",
		s.does, s.whole())
	end := t.ending(s.Action, t.set.Actions[s.Action].Arm.Func)
	if end == "" || !t.together(s.Action) {
		return []string{latest}
	}
	return []string{fmt.Sprintf("Call %s before %s, so that no older run of %s is left when a new one is asked for.",
		end, call, s.name), latest}
}

// posted reports whether the app has asked for each run of the action.
func (t *Teller) posted(x hb.ActionID) bool {
	return t.asked(x) && t.set.Actions[x].Arm.Effect.Kind != platform.Register
}

// together reports whether the call that asks for an action stands in the source
// file of its callback, so that one may be changed with the other.
func (t *Teller) together(x hb.ActionID) bool {
	arm := t.set.Actions[x].Arm
	return arm.Method != 0 && t.names.Outermost(arm.Method) == t.names.Outermost(t.pts.Funcs[arm.Func].Method)
}

// fixThreads says how to keep sides apart that may overlap without a common lock.
func (t *Teller) fixThreads(p *Pair) []string {
	a, b := t.sideOf(p, 0), t.sideOf(p, 1)
	if !a.Kind.Changes() || b.Kind.Changes() && t.set.Actions[a.Action].Queue == t.set.Main() {
		a, b = b, a // a writes, off the main looper if one does
	}
	field := p.Field.Short()
	post := ""
	if main := t.set.Main(); t.set.Actions[b.Action].Queue == main && t.set.Actions[a.Action].Queue != main {
		post = fmt.Sprintf("Post the write in %s to the main looper, where %s runs (%s).", a.there(), b.name, b.whole())
	}
	both := a.at
	if a.at != b.at {
		both += " and " + b.at
	}
	lock := fmt.Sprintf("Guard %s by one lock (%s).", field, both)
	switch {
	case a.Action == b.Action && !p.Field.Static && !p.has(finding.FactMustAlias):
		return []string{fmt.Sprintf("Let each run of %s work on a %s of its own.", a.does, p.Field.Owner()), lock}
	case p.Field.Content == finding.Container:
		return []string{post, strings.TrimSuffix(lock, ".") + ", or make it a container that is made for threads."}
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
		return []string{fmt.Sprintf("Declare %s volatile, so that %s sees what %s writes (%s).",
			field, b.there(), a.name, a.whole()), lock}
	}
	return []string{post, lock}
}

// counts reports whether a field holds an integer.
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
