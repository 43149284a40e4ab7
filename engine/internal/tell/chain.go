package tell

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// events is the chain from the user or the system to an action.
func (t *Teller) events(x hb.ActionID) []finding.Event {
	var out []finding.Event
	for i, link := range t.chain(x) {
		action := &t.set.Actions[link.action]
		e := finding.Event{What: t.what(link), Cause: causeOf(action.Kind), Thread: t.thread(link.action)}
		if action.Arm != nil && action.Arm.Method != 0 {
			m := finding.Method(t.names.Callback(link.action))
			e.Callback = &m
		}
		if i > 0 && link.point != 0 {
			info := t.set.Points[link.point]
			pos := t.names.Position(info.Func, info.Site)
			e.Site = &pos
		}
		out = append(out, e)
	}
	return out
}

// link is an action of a chain with the point of the previous one that makes it
// run.
type link struct {
	action hb.ActionID
	point  hb.PointID
}

// chain is a shortest chain of causes from a root to an action, which ends it.
func (t *Teller) chain(x hb.ActionID) []link {
	chain, ok := t.chains[x]
	if !ok {
		chain = t.findChain(x)
		t.chains[x] = chain
	}
	return chain
}

// findChain follows the first causes that lie nearer to a root.
func (t *Teller) findChain(x hb.ActionID) []link {
	if t.fromRoot == nil {
		t.fromRoot = t.distances()
	}
	if t.fromRoot[x] < 0 {
		return []link{{action: x}} // its causes go round in a circle
	}
	out := make([]link, t.fromRoot[x]+1)
	for i := len(out) - 1; ; i-- {
		out[i].action = x
		if i == 0 {
			return out
		}
		for _, c := range t.set.Actions[x].Causes {
			if from := t.set.Model.Points[c].Action; t.fromRoot[from] == int32(i-1) {
				out[i].point, x = c, from
				break
			}
		}
	}
}

// distances are the fewest causes between each action and a root, which has none;
// -1: no root leads to it.
func (t *Teller) distances() []int32 {
	effects := make([][]hb.ActionID, len(t.set.Actions))
	out := make([]int32, len(t.set.Actions))
	var work []hb.ActionID
	for x := range t.set.Actions {
		out[x] = -1
		causes := t.set.Actions[x].Causes
		if len(causes) == 0 {
			out[x] = 0
			work = append(work, hb.ActionID(x))
		}
		for _, c := range causes {
			from := t.set.Model.Points[c].Action
			effects[from] = append(effects[from], hb.ActionID(x))
		}
	}
	for ; len(work) > 0; work = work[1:] {
		for _, y := range effects[work[0]] {
			if out[y] < 0 {
				out[y] = out[work[0]] + 1
				work = append(work, y)
			}
		}
	}
	return out
}

// causeOf is the sort of cause that makes actions of a kind run.
func causeOf(k hb.ActionKind) finding.Cause {
	switch k {
	case hb.KindGUI:
		return finding.ByUser
	case hb.KindLifecycle, hb.KindProcess:
		return finding.ByLifecycle
	case hb.KindMessage:
		return finding.ByMessage
	case hb.KindTask:
		return finding.ByTask
	case hb.KindThread:
		return finding.ByThread
	}
	return finding.BySystem
}

// calls is a shortest call chain from an action's entry to its access.
func (t *Teller) calls(s *Side) []finding.Frame {
	key := framedKey{s.Action, s.Place}
	out, known := t.framed[key]
	if !known {
		out = t.callsTo(s)
		t.framed[key] = out
	}
	return out
}

// framedKey is a place in runs of an action.
type framedKey struct {
	action hb.ActionID
	Place
}

// callsTo is a shortest way from the entry of an action to an access. Where callers use the value
// it leads through the nearest of them.
func (t *Teller) callsTo(s *Side) []finding.Frame {
	uses := func(f pointsto.FuncID) bool {
		return slices.ContainsFunc(s.Derefs, func(d Place) bool { return d.Func == f })
	}
	if uses(s.Func) {
		return t.frames(s, t.wayFrom(s, s.Place, t.entry(s)))
	}
	through := t.wayFrom(s, s.Place, uses)
	if through == nil {
		return t.frames(s, t.wayFrom(s, s.Place, t.entry(s)))
	}
	return t.frames(s, append(t.wayFrom(s, through[0], t.entry(s)), through[1:]...))
}

// entry tells the entries of a side's action.
func (t *Teller) entry(s *Side) func(pointsto.FuncID) bool {
	return func(f pointsto.FuncID) bool { return slices.Contains(t.set.Actions[s.Action].Entries, f) }
}

// wayFrom is a shortest way of calls from a function as wanted to a place, nil if there is none.
func (t *Teller) wayFrom(s *Side, to Place, wanted func(pointsto.FuncID) bool) []Place {
	action := &t.set.Actions[s.Action]
	if t.seen == nil {
		t.seen = make([]bool, len(t.pts.Funcs))
	}
	t.seen[to.Func] = true
	ways := append(t.ways[:0], way{to, -1})
	defer func() {
		for _, w := range ways {
			t.seen[w.Func] = false
		}
		t.ways = ways
	}()
	for i := 0; i < len(ways); i++ {
		f := ways[i].Func
		if wanted(f) {
			var out []Place
			for k := i; k >= 0; k = ways[k].next {
				out = append(out, ways[k].Place)
			}
			return out
		}
		for _, c := range t.set.Callers(f) {
			if action.Reach.Has(int(c.Caller)) && !t.seen[c.Caller] {
				t.seen[c.Caller] = true
				ways = append(ways, way{Place{c.Caller, c.Site}, i})
			}
		}
	}
	return nil
}

// way is a place on the way to an access, and the number of the next one, -1 at the access.
type way struct {
	Place
	next int
}

// frames tells a way.
func (t *Teller) frames(s *Side, on []Place) []finding.Frame {
	var out []finding.Frame
	for i, w := range on {
		if m := t.pts.Funcs[w.Func].Method; m != 0 && (i == len(on)-1 || !t.names.Forwards(m)) {
			out = append(out, finding.Frame{Position: t.names.Position(w.Func, w.Value)})
		}
	}
	if len(out) == 0 {
		out = append(out, finding.Frame{Position: t.place(s)})
	}
	return out
}

// place is the position of an access; of one that the platform makes by itself
// for a callback, the callback's class.
func (t *Teller) place(s *Side) finding.Position {
	if t.pts.Funcs[s.Func].Method != 0 {
		return t.names.Position(s.Func, s.Value)
	}
	cb := t.names.Callback(s.Action)
	return finding.Position{Method: finding.Method{Class: cb.Class, Name: cb.Name, Params: cb.Params}}
}

// thread names the thread on which an action runs, for people.
func (t *Teller) thread(x hb.ActionID) string {
	name, known := t.threads[x]
	if !known {
		name = t.findThread(x)
		t.threads[x] = name
	}
	return name
}

func (t *Teller) findThread(x hb.ActionID) string {
	label := strings.Fields(t.set.Queues[t.set.Actions[x].Queue].Label)
	for i, word := range label {
		label[i] = withoutPackage(word)
		if i > 0 && label[i] != word && label[i-1] != "at" && strings.Contains(word, "(") {
			label[i] = "made in " + label[i]
		}
	}
	return strings.Join(label, " ")
}

// withoutPackage shortens com.example.Main$Worker.start(int) to
// Main$Worker.start, and what a constructor or initialiser makes to its class.
func withoutPackage(name string) string {
	whole, _, _ := strings.Cut(name, "(")
	for rest := whole; rest != ""; {
		if unicode.IsUpper(rune(rest[0])) {
			member := strings.LastIndex(rest, ".<")
			if member > 0 {
				rest = rest[:member]
			}
			return strings.ReplaceAll(rest, "#", ".")
		}
		var dotted bool
		if _, rest, dotted = strings.Cut(rest, "."); !dotted {
			break
		}
	}
	return name
}

// schedule turns the machine's schedule into steps.
func (t *Teller) schedule(p *Pair) *finding.Schedule {
	out := &finding.Schedule{Outcome: cmp.Or(p.Crash, "a NullPointerException")}
	runs := map[hb.ActionID]int{} // of an action so far
	for i := range p.Schedule {
		run := &p.Schedule[i]
		x := run.Action
		action := &t.set.Actions[x]
		entry, chain := t.names.Callback(x), t.chain(x)
		step := finding.Step{
			Action: t.names.Action(x), Callback: &entry, Cause: run.Cause + 1, Thread: t.thread(x), What: t.what(chain[len(chain)-1]),
		}
		if run.Rest >= 0 {
			step.Run = out.Steps[run.Rest].Run
			step.Cause = out.Steps[run.Rest].Cause
		} else {
			runs[x]++
			step.Run = runs[x]
		}
		if run.Component != 0 {
			step.Instance = fmt.Sprintf("%s %d", t.prog.Classes[t.set.Components[run.Component].Class].Name, run.Instance)
			step.Once = run.Cause < 0 && action.Arm != nil && action.Arm.Life != nil && action.Once != actions.Often
		}
		out.Steps = append(out.Steps, step)
	}
	return out
}
