package tell

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

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
		if t.set.Actions[x].Kind != hb.KindGUI {
			return "when the system calls what " + name + " has registered"
		}
		if on := t.views(l); on != "" {
			return "when " + on + " calls it"
		}
		return "when the platform calls what " + name + " has set"
	}
	return delay(t.set.Model.Points[l.point].Delay) + " after " + name
}

// delay is the time after which something runs, to go before "after".
func delay(d hb.Delay) string {
	switch {
	case !d.Known:
		return "an unknown time"
	case d.MS > 0:
		return fmt.Sprintf("%d ms", d.MS)
	}
	return "some time"
}

// pointName is what does it at a point: the call of the app or, where the platform
// does it in, or with, another callback, that callback.
func (t *Teller) pointName(p hb.PointID) string {
	info := t.set.Points[p]
	if name := t.names.Called(info.Func, info.Site); name != "" {
		return name
	}
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
		return t.registered(l, name)
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

// registered says who calls what a callback is registered with, by its name.
func (t *Teller) registered(l link, name string) string {
	a := &t.set.Actions[l.action]
	switch on := t.views(l); {
	case a.Kind == hb.KindGUI && on != "":
		return on + " calls what is set by " + name
	case a.Kind == hb.KindGUI:
		return "the platform calls what is set by " + name
	case a.Arm.General: // no model says that it registers anything
		return "the system calls what is passed to " + name
	}
	return "the system calls what is registered by " + name
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

// remade reports whether a callback answers what an earlier instance of its
// component may have asked for.
func (t *Teller) remade(x hb.ActionID) bool {
	arm := t.set.Actions[x].Arm
	return arm != nil && arm.Life != nil && arm.LifeCall >= 0 && arm.LifeCall < len(arm.Life.Callbacks) &&
		arm.Life.Callbacks[arm.LifeCall].Pending
}

// bySystem reports whether a callback moves its object to another state because
// the system wants so.
func bySystem(a *pointsto.Arm) bool {
	for _, t := range a.Life.Transitions {
		if slices.Contains(t.Calls, a.LifeCall) && t.By == platform.ByLifecycle {
			return true
		}
	}
	return false
}

// words are those after "on" in the name of a callback: onItemClick gives item,
// click. A name of another form gives none.
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

// byLayout reports whether a layout names the callback (android:onClick).
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
	for _, entry := range t.set.Actions[l.action].Entries {
		b := t.pts.Body(entry)
		for v := ir.Value(1); b != nil && int(v) < b.Len() && b.Op[v] == ir.OpParam; v++ {
			if ids := t.viewIDs(entry, v); ids != "" {
				return ids
			}
		}
	}
	return ""
}

// viewIDs names the views that a value may be. It is "" if one has no id, or if
// they are many.
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
