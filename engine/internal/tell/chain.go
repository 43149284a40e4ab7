package tell

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
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

func (t *Teller) callsTo(s *Side) []finding.Frame {
	action := &t.set.Actions[s.Action]
	if t.seen == nil {
		t.seen = make([]bool, len(t.pts.Funcs))
	}
	t.seen[s.Func] = true
	ways := append(t.ways[:0], way{s.Place, -1})
	defer func() {
		for _, w := range ways {
			t.seen[w.Func] = false
		}
		t.ways = ways
	}()
	for i := 0; i < len(ways); i++ {
		f := ways[i].Func
		if slices.Contains(action.Entries, f) {
			return t.frames(s, ways, i)
		}
		for _, c := range t.set.Callers(f) {
			if action.Reach.Has(int(c.Caller)) && !t.seen[c.Caller] {
				t.seen[c.Caller] = true
				ways = append(ways, way{Place{c.Caller, c.Site}, i})
			}
		}
	}
	return []finding.Frame{{Position: t.place(s)}}
}

// way is a place on the way to an access, and the number of the next one, -1 at the access.
type way struct {
	Place
	next int
}

// frames is the way from a place on.
func (t *Teller) frames(s *Side, ways []way, from int) []finding.Frame {
	var out []finding.Frame
	for i := from; i >= 0; i = ways[i].next {
		w := &ways[i]
		if m := t.pts.Funcs[w.Func].Method; m != 0 && (w.next < 0 || !t.names.Forwards(m)) {
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
	runs, last := map[hb.ActionID]int{}, map[hb.ActionID]int{} // of an action so far: its runs, its last step
	for i, x := range p.Schedule {
		runs[x]++
		action := &t.set.Actions[x]
		entry, chain := t.names.Callback(x), t.chain(x)
		step := finding.Step{
			Action: t.names.Action(x), Callback: &entry, Run: runs[x], Thread: t.thread(x), What: t.what(chain[len(chain)-1]),
		}
		for _, c := range action.Causes {
			step.Cause = max(step.Cause, last[t.set.Model.Points[c].Action])
		}
		if action.Component != 0 {
			step.Instance = t.prog.Classes[t.set.Components[action.Component].Class].Name + " 1"
			step.Once = action.Arm != nil && action.Arm.Life != nil && action.Once != actions.Often
		}
		out.Steps = append(out.Steps, step)
		last[x] = i + 1
	}
	return out
}
