package tell

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// why says why nothing orders the two runs.
func (t *Teller) why(p *Pair) string {
	x, y := p.Sides[0].Action, p.Sides[1].Action
	if x == y {
		return "Two runs of " + t.names.Callback(x).Short() + " can come in any order: neither waits for the other" + t.apart(x, y) + "."
	}
	if t.leadsTo(y, x) {
		x, y = y, x
	}
	a, b := t.names.Callback(x).Short(), t.names.Callback(y).Short()
	switch {
	case p.has(finding.FactTwoInstances) && x == p.Sides[1].Action:
		a += " of another instance"
	case p.has(finding.FactTwoInstances):
		b += " of another instance"
	case a == b:
		b = "the other " + b
	}
	switch {
	case t.leadsTo(x, y) && t.graph.Before(x, y, hb.SameCause):
		return fmt.Sprintf("%s leads to %s, but can run again before or after that.", a, b)
	case t.leadsTo(x, y):
		return fmt.Sprintf("%s leads to %s, but does not wait for it%s.", a, b, t.apart(x, y))
	}
	return fmt.Sprintf("%s runs %s; %s runs %s; neither waits for the other%s.", a, t.when(x), b, t.when(y), t.apart(x, y))
}

// apart adds that the runs may overlap.
func (t *Teller) apart(x, y hb.ActionID) string {
	switch {
	case t.graph.SameLooper(x, y, hb.SameInstance):
		return ""
	case t.unknown(x) || t.unknown(y):
		return ", and they may be on different threads"
	}
	return ", and they are on different threads"
}

func (t *Teller) unknown(x hb.ActionID) bool {
	return t.set.Queues[t.set.Actions[x].Queue].Kind == hb.QueueUnknown
}

// leadsTo: x is in the chain that makes y run.
func (t *Teller) leadsTo(x, y hb.ActionID) bool {
	return slices.ContainsFunc(t.chain(y), func(l link) bool { return l.action == x && l.action != y })
}

// when says when an action runs, to follow "runs".
func (t *Teller) when(x hb.ActionID) string {
	chain := t.chain(x)
	l := chain[len(chain)-1]
	if l.point == 0 && t.remade(x) {
		return "when " + t.what(l) + ", which may have been recreated since it asked for this"
	}
	if l.point == 0 {
		return "when " + t.what(l)
	}
	name := t.pointName(l.point)
	switch t.set.Model.Points[l.point].Kind {
	case hb.Start:
		return "when " + name + " has started it"
	case hb.Register:
		if s := t.input(l); s != "" {
			return "at " + s
		}
		on := t.views(l)
		switch {
		case t.set.Actions[x].Kind != hb.KindGUI:
		case on != "":
			return "when " + on + " calls it"
		default:
			return "when the platform calls what " + name + " has set"
		}
		return "when the system calls what " + name + " has registered"
	}
	return delay(t.set.Model.Points[l.point].Delay) + " after " + name
}

func delay(d hb.Delay) string {
	switch {
	case !d.Known:
		return "an unknown time"
	case d.MS > 0:
		return fmt.Sprintf("%d ms", d.MS)
	}
	return "some time"
}

func (t *Teller) pointName(p hb.PointID) string {
	info := t.set.Points[p]
	if name := t.names.Called(info.Func, info.Site); name != "" {
		return name
	}
	// No call of the app: the platform does it in, or with, another callback.
	return member(finding.Method(t.names.Callback(t.set.Model.Points[p].Action)))
}

// what says in words how a link comes about.
func (t *Teller) what(l link) string {
	if l.point == 0 {
		return t.root(l.action)
	}
	name := t.pointName(l.point)
	a, point := &t.set.Actions[l.action], &t.set.Model.Points[l.point]
	switch point.Kind {
	case hb.Start:
		return "started by " + name
	case hb.Register:
		if s := t.input(l); s != "" {
			if byLayout(a.Arm) {
				name = "the layout of " + name
			}
			return s + ", as set by " + name
		}
		if on := t.views(l); on != "" && a.Kind == hb.KindGUI {
			return on + " calls what is set by " + name
		}
		if a.Kind == hb.KindGUI {
			return "the platform calls what is set by " + name
		}
		if a.Arm.General { // no model says that it registers anything
			return "the system calls what is passed to " + name
		}
		return "the system calls what is registered by " + name
	}
	verb := "posted by "
	if a.Kind == hb.KindTask {
		verb = "submitted by "
	}
	switch {
	case point.Front:
		return verb + name + " to the front of the queue"
	case !point.Delay.Known:
		return verb + name + " with an unknown delay"
	case point.Delay.MS > 0:
		return fmt.Sprintf("%s%s with a delay of %d ms", verb, name, point.Delay.MS)
	}
	return verb + name
}

// root says how an action comes about that the platform runs by itself.
func (t *Teller) root(x hb.ActionID) string {
	a := &t.set.Actions[x]
	if a.Arm == nil {
		return "the class is initialised"
	}
	kind := ""
	if a.Arm.Life != nil {
		kind = " the " + a.Arm.Life.Kind
	}
	switch {
	case a.Arm.Life != nil && a.Arm.LifeCall == pointsto.Instantiate:
		return "the system makes" + kind
	case a.Arm.Life != nil && a.Kind == hb.KindLifecycle && bySystem(a.Arm):
		if w := words(a.Arm.Name); len(w) == 1 {
			return "the system " + does(w[0]) + kind
		}
	case a.Kind == hb.KindGUI && kind != "":
		return "the platform calls " + a.Arm.Name + " of" + kind
	case a.Kind == hb.KindGUI:
		return "the platform calls " + a.Arm.Name
	}
	if kind != "" {
		return "the system calls " + a.Arm.Name + " of" + kind
	}
	return "the system calls " + a.Arm.Name
}

// bySystem: the callback moves its object to another state because the system
// wants so.
func bySystem(a *pointsto.Arm) bool {
	for _, t := range a.Life.Transitions {
		if slices.Contains(t.Calls, a.LifeCall) && t.By == platform.ByLifecycle {
			return true
		}
	}
	return false
}

// words are those after "on" in the name of a callback: onItemClick gives item,
// click. None if the name is of another form.
func words(name string) []string {
	name, ok := strings.CutPrefix(name, "on")
	if !ok || name == "" || !unicode.IsUpper(rune(name[0])) {
		return nil
	}
	var out []string
	for i := 0; i < len(name); {
		j := i + 1
		for j < len(name) && !unicode.IsUpper(rune(name[j])) {
			j++
		}
		out = append(out, strings.ToLower(name[i:j]))
		i = j
	}
	return out
}

// does is the third person of a regular verb.
func does(verb string) string {
	for _, end := range []string{"s", "x", "ch", "sh"} {
		if strings.HasSuffix(verb, end) {
			return verb + "es"
		}
	}
	return verb + "s"
}

// input says what the user does to make a listener run: a click on R.id.load.
// It is "" for callbacks whose name does not tell.
func (t *Teller) input(l link) string {
	const longest = 2 // words of a name that reads as what happens
	a := &t.set.Actions[l.action]
	w := words(t.names.Callback(l.action).Name)
	if a.Arm != nil && byLayout(a.Arm) {
		w = []string{"click"}
	}
	if a.Kind != hb.KindGUI || len(w) == 0 || len(w) > longest {
		return ""
	}
	what := strings.Join(w, " ")
	switch {
	case strings.HasSuffix(what, "ed"), strings.HasSuffix(what, " set"): // item selected
		what = "the event " + what
	case strings.ContainsRune("aeiou", rune(what[0])):
		what = "an " + what
	default:
		what = "a " + what
	}
	if on := t.views(l); on != "" {
		what += " on " + on
	}
	return what
}

// byLayout: a layout names the callback (android:onClick).
func byLayout(a *pointsto.Arm) bool {
	return a.Method != 0 && a.Effect != nil && a.Effect.Kind == platform.Register && a.Effect.Callback.Name == ""
}

// views names the views that a listener is set on, by their ids: what the
// registering call is made on, or what the callback is passed. It is "" if that
// is not known or they are many.
func (t *Teller) views(l link) string {
	info := t.set.Points[l.point]
	if b := t.pts.Body(info.Func); b != nil && info.Site > 0 && int(info.Site) < b.Len() && b.NArgs(info.Site) > 0 {
		if ids := t.viewIDs(info.Func, b.Arg(info.Site, 0)); ids != "" {
			return ids
		}
	}
	for _, e := range t.set.Actions[l.action].Entries {
		b := t.pts.Body(e)
		for v := ir.Value(1); b != nil && int(v) < b.Len() && b.Op[v] == ir.OpParam; v++ {
			if ids := t.viewIDs(e, v); ids != "" {
				return ids
			}
		}
	}
	return ""
}

func (t *Teller) viewIDs(fn pointsto.FuncID, v ir.Value) string {
	const most = 3
	var ids []string
	known := true
	t.pts.PointsTo(fn, v).All(func(o pointsto.Obj) bool {
		view := t.pts.Object(o)
		id, ok := strings.CutPrefix(view.Label, "id/")
		if known = view.Kind == pointsto.View && ok; known {
			if id = "R.id." + id; !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		return known && len(ids) <= most
	})
	if !known || len(ids) > most {
		return ""
	}
	slices.Sort(ids)
	return strings.Join(ids, " or ")
}

// schedule turns the machine's schedule into steps.
func (t *Teller) schedule(p *Pair) *finding.Schedule {
	out := &finding.Schedule{Outcome: p.Crash}
	runs, last := map[hb.ActionID]int{}, map[hb.ActionID]int{}
	for i, x := range p.Schedule {
		runs[x]++
		a := &t.set.Actions[x]
		cb := t.names.Callback(x)
		chain := t.chain(x)
		step := finding.Step{Action: t.names.Action(x), Callback: &cb, Run: runs[x], Thread: t.thread(x), What: t.what(chain[len(chain)-1])}
		for _, c := range a.Causes {
			step.Cause = max(step.Cause, last[t.set.Model.Points[c].Action])
		}
		if a.Component != 0 {
			step.Instance = t.prog.Classes[t.set.Components[a.Component].Class].Name + " 1"
			step.Once = a.Arm != nil && a.Arm.Life != nil && a.Once != actions.Often
		}
		out.Steps = append(out.Steps, step)
		last[x] = i + 1
	}
	if out.Outcome == "" {
		out.Outcome = "a NullPointerException"
	}
	return out
}
