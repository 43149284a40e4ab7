package tell

import (
	"slices"
	"strings"
	"unicode"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// further lists where the value that an access reads is dereferenced, apart from
// its own line; own tells whether it is there. What the action does not run is
// left out if anything is left then.
func (t *Teller) further(s *Side) (further []finding.Position, own bool) {
	derefs := slices.DeleteFunc(slices.Clone(s.Derefs), func(d Place) bool {
		return !t.set.ByFunc[d.Func].Has(int(s.Action))
	})
	if len(derefs) == 0 {
		derefs = s.Derefs
	}
	at := t.place(s)
	for _, d := range derefs {
		pos := t.names.Position(d.Func, d.Value)
		switch {
		case pos.Line == at.Line && pos.Method.String() == at.Method.String(), t.names.Forwards(t.pts.Funcs[d.Func].Method):
			own = true
		case len(further) < furtherShown:
			further = append(further, pos)
		}
	}
	return further, own
}

// failure says how and where a pair fails.
func (t *Teller) failure(p *Pair) finding.Failure {
	how := finding.Failure{Crash: p.Crash}
	if p.Sides[0].Kind != finding.Use {
		return how
	}
	use, other := p.Sides[0].Action, p.Sides[1].Action
	if p.Field.Content == finding.Itself {
		how.At = t.failsAt(&p.Sides[0])
	}
	switch toUse, toOther := t.leadsTo(other, use), t.leadsTo(use, other); {
	case toUse && t.graph.Before(other, use, hb.SameCause):
		how.Leads = finding.ToUse
	case toOther && t.graph.Before(use, other, hb.SameCause):
		how.Leads = finding.ToFree
	case toUse || toOther:
		how.Leads = finding.Within
	}
	return how
}

// failsAt is the first dereference of what an access reads, nil if that is on its
// own line.
func (t *Teller) failsAt(s *Side) *finding.Position {
	if further, own := t.further(s); !own && len(further) > 0 {
		return &further[0]
	}
	return nil
}

// furtherShown bounds the dereferences that are listed beside the load.
const furtherShown = 3

func (t *Teller) thread(x hb.ActionID) string {
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

// events is the chain from the user or the system to an action: the shortest
// chain of causes.
func (t *Teller) events(x hb.ActionID) []finding.Event {
	chain := t.chain(x)
	var out []finding.Event
	for i, link := range chain {
		e := finding.Event{What: t.what(link), Cause: causeOf(t.set.Actions[link.action].Kind), Thread: t.thread(link.action)}
		if arm := t.set.Actions[link.action].Arm; arm != nil && arm.Method != 0 {
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

// chain is the shortest chain of causes from a root to an action.
func (t *Teller) chain(x hb.ActionID) []link {
	type way struct {
		at   link
		next *way
	}
	seen := map[hb.ActionID]bool{x: true}
	for work := []*way{{at: link{action: x}}}; len(work) > 0; {
		w := work[0]
		work = work[1:]
		causes := t.set.Actions[w.at.action].Causes
		if len(causes) == 0 {
			var out []link
			for point := hb.PointID(0); w != nil; w = w.next {
				out = append(out, link{w.at.action, point})
				point = w.at.point
			}
			return out
		}
		for _, c := range causes {
			from := t.set.Model.Points[c].Action
			if !seen[from] {
				seen[from] = true
				work = append(work, &way{at: link{from, c}, next: w})
			}
		}
	}
	return []link{{action: x}}
}

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

// calls is the shortest call chain from an action's entry to its access.
func (t *Teller) calls(s *Side) []finding.Frame {
	type way struct {
		Place
		next *way
	}
	action := &t.set.Actions[s.Action]
	seen := map[pointsto.FuncID]bool{s.Func: true}
	for work := []*way{{Place: s.Place}}; len(work) > 0; {
		w := work[0]
		work = work[1:]
		if slices.Contains(action.Entries, w.Func) {
			var out []finding.Frame
			for ; w != nil; w = w.next {
				if m := t.pts.Funcs[w.Func].Method; m != 0 && (w.next == nil || !t.names.Forwards(m)) {
					out = append(out, finding.Frame{Position: t.names.Position(w.Func, w.Value)})
				}
			}
			if len(out) == 0 {
				out = append(out, finding.Frame{Position: t.place(s)})
			}
			return out
		}
		for _, c := range t.set.Callers(w.Func) {
			if action.Reach.Has(int(c.Caller)) && !seen[c.Caller] {
				seen[c.Caller] = true
				work = append(work, &way{Place{c.Caller, c.Site}, w})
			}
		}
	}
	return []finding.Frame{{Position: t.place(s)}}
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
