package race

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/flow"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// finish writes the kept pairs as races, in an order that does not depend on
// how compilers order classes and methods.
func (f *finder) finish() {
	pairs := make([]*named, 0, len(f.best))
	for k, p := range f.best {
		n := &named{pair: p, key: k}
		for i, a := range p.access {
			n.in[i] = f.r.MethodName(a.f)
		}
		pairs = append(pairs, n)
	}
	slices.SortFunc(pairs, compareNamed)
	told := map[tellKey]int{}
	for _, n := range pairs {
		key := tellKey{n.rule, n.field, n.priority}
		told[key]++
		f.out.Races = append(f.out.Races, f.race(n.pair, n.priority < finding.High && told[key] > toldInFull[n.priority]))
	}
}

// named is a kept pair with what it is sorted by.
type named struct {
	*pair
	key pairKey
	in  [2]string
}

func compareNamed(a, b *named) int {
	x, y := a.access, b.access
	return cmp.Or(
		slices.Compare(a.key.entry[:], b.key.entry[:]), slices.Compare(a.key.kind[:], b.key.kind[:]),
		slices.Compare(a.in[:], b.in[:]),
		cmp.Compare(x[0].v, y[0].v), cmp.Compare(x[1].v, y[1].v),
		cmp.Compare(x[0].n, y[0].n), cmp.Compare(x[1].n, y[1].n),
		cmp.Compare(a.action[0], b.action[0]), cmp.Compare(a.action[1], b.action[1]), cmp.Compare(a.rule, b.rule))
}

// toldInFull bounds the races of one rule, field and priority below high that
// are told with all chains; the rest are brief. Where hundreds of callbacks meet
// on one field, nobody reads more, and each costs kilobytes.
var toldInFull = [...]int{finding.Low: 2, finding.Medium: 24}

type tellKey struct {
	rule     finding.RuleID
	field    finding.Field
	priority finding.Priority
}

// race is the pair as outputs tell it; a brief one only says who, where and
// what.
func (f *finder) race(p *pair, brief bool) finding.Race {
	r := finding.Race{Rule: p.rule, Field: p.field, Priority: p.priority, Facts: p.facts, Order: f.why(p), Brief: brief}
	if !brief {
		r.Fix = f.fix(p)
	}
	if p.limited {
		r.Limited = []string{"the search for a failing schedule reached its limit"}
	}
	for i := range p.access {
		r.Sides[i] = f.side(p, i, brief)
	}
	if len(p.schedule) > 0 && !brief {
		r.Schedule = f.scheduleOf(p)
	}
	if p.rule == finding.UseBeforeInit && f.remade(p.action[0]) {
		use := f.sideOf(p, 0)
		r.Wrong = fmt.Sprintf("If the %s is recreated (rotation, process death) before the answer to what it asked for comes, %s of the new one finds %s null: a NullPointerException at %s.",
			f.s.Actions[use.x].Arm.Life.Kind, use.name, p.field.Short(), use.at)
	}
	r.DescribeFailure(f.failure(p))
	return r
}

func (f *finder) side(p *pair, i int, brief bool) finding.Side {
	a, x := p.access[i], p.action[i]
	s := finding.Side{
		Access: finding.Access{
			Position: f.place(x, a), Kind: p.kind[i], Action: f.actionName(x), Entry: f.callback(x), Thread: f.thread(x),
		},
	}
	if brief {
		s.Events, s.Calls = []finding.Event{}, []finding.Frame{}
		return s
	}
	s.Events, s.Calls = f.events(x), f.calls(x, a)
	if p.kind[i] == finding.Use {
		s.Further, _ = f.further(x, a)
	}
	return s
}

// further lists where the value that an access reads is dereferenced, apart from
// its own line; own tells whether it is there. What the action does not run is
// left out if anything is left then.
func (f *finder) further(x hb.ActionID, a *access) (further []finding.Position, own bool) {
	derefs := slices.DeleteFunc(slices.Clone(a.derefs), func(d flow.Deref) bool { return !f.s.ByFunc[d.Func].Has(int(x)) })
	if len(derefs) == 0 {
		derefs = a.derefs
	}
	at := f.place(x, a)
	for _, d := range derefs {
		pos := f.position(d.Func, d.At)
		switch {
		case pos.Line == at.Line && pos.Method.String() == at.Method.String(), f.forwards(f.r.Funcs[d.Func].Method):
			own = true
		case len(further) < furtherShown:
			further = append(further, pos)
		}
	}
	return further, own
}

// failure says how and where a pair fails.
func (f *finder) failure(p *pair) finding.Failure {
	how := finding.Failure{Crash: p.crash}
	if p.kind[0] != finding.Use {
		return how
	}
	use, other := p.action[0], p.action[1]
	if p.field.Content == finding.Itself {
		how.At = f.failsAt(use, p.access[0])
	}
	switch toUse, toOther := f.leadsTo(other, use), f.leadsTo(use, other); {
	case toUse && f.g.Before(other, use, hb.SameCause):
		how.Leads = finding.ToUse
	case toOther && f.g.Before(use, other, hb.SameCause):
		how.Leads = finding.ToFree
	case toUse || toOther:
		how.Leads = finding.Within
	}
	return how
}

// failsAt is the first dereference of what an access reads, nil if that is on its
// own line.
func (f *finder) failsAt(x hb.ActionID, a *access) *finding.Position {
	if further, own := f.further(x, a); !own && len(further) > 0 {
		return &further[0]
	}
	return nil
}

// furtherShown bounds the dereferences that are listed beside the load.
const furtherShown = 3

// position is the place of an instruction in the source.
func (f *finder) position(fn pointsto.FuncID, v ir.Value) finding.Position {
	m := f.r.Funcs[fn].Method
	if m == 0 {
		return finding.Position{}
	}
	p := finding.Position{Method: f.writtenAt(fn, v), File: f.file(m)}
	if fr := f.inlined(fn, v); fr != nil {
		p.File = finding.SourcePath(fr.Class, fr.File)
	}
	if b := f.r.Body(fn); b != nil && v > 0 && int(v) < b.Len() {
		p.Line = b.Line(v)
	}
	return p
}

func (f *finder) method(m ir.MethodID) finding.Method { return f.naming().written(m) }

// file is package path + SourceFile, "" if the class names none.
func (f *finder) file(m ir.MethodID) string {
	c := &f.p.Classes[f.p.Methods[m].Class]
	return finding.SourcePath(c.Name, c.Source)
}

func (f *finder) thread(x hb.ActionID) string {
	label := strings.Fields(f.s.Queues[f.s.Actions[x].Queue].Label)
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
func (f *finder) events(x hb.ActionID) []finding.Event {
	chain := f.chain(x)
	var out []finding.Event
	for i, link := range chain {
		e := finding.Event{What: f.what(link), Cause: causeOf(f.s.Actions[link.action].Kind), Thread: f.thread(link.action)}
		if arm := f.s.Actions[link.action].Arm; arm != nil && arm.Method != 0 {
			m := finding.Method(f.callback(link.action))
			e.Callback = &m
		}
		if i > 0 && link.point != 0 {
			info := f.s.Points[link.point]
			pos := f.position(info.Func, info.Site)
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
func (f *finder) chain(x hb.ActionID) []link {
	type way struct {
		at   link
		next *way
	}
	seen := map[hb.ActionID]bool{x: true}
	for work := []*way{{at: link{action: x}}}; len(work) > 0; {
		w := work[0]
		work = work[1:]
		causes := f.s.Actions[w.at.action].Causes
		if len(causes) == 0 {
			var out []link
			for point := hb.PointID(0); w != nil; w = w.next {
				out = append(out, link{w.at.action, point})
				point = w.at.point
			}
			return out
		}
		for _, c := range causes {
			from := f.s.Model.Points[c].Action
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

// calls is the shortest call chain from an action's entry to an access.
func (f *finder) calls(x hb.ActionID, a *access) []finding.Frame {
	type way struct {
		f    pointsto.FuncID
		site ir.Value
		next *way
	}
	act := &f.s.Actions[x]
	entry := map[pointsto.FuncID]bool{}
	for _, e := range act.Entries {
		entry[e] = true
	}
	seen := map[pointsto.FuncID]bool{a.f: true}
	for work := []*way{{f: a.f, site: a.v}}; len(work) > 0; {
		w := work[0]
		work = work[1:]
		if entry[w.f] {
			var out []finding.Frame
			for ; w != nil; w = w.next {
				if m := f.r.Funcs[w.f].Method; m != 0 && (w.next == nil || !f.forwards(m)) {
					out = append(out, finding.Frame{Position: f.position(w.f, w.site)})
				}
			}
			if len(out) == 0 {
				out = append(out, finding.Frame{Position: f.place(x, a)})
			}
			return out
		}
		for _, c := range f.s.Callers(w.f) {
			if act.Reach.Has(int(c.Caller)) && !seen[c.Caller] {
				seen[c.Caller] = true
				work = append(work, &way{c.Caller, c.Site, w})
			}
		}
	}
	return []finding.Frame{{Position: f.place(x, a)}}
}

// forwards: the compiler made the method, and all it does is to call what the
// developer wrote.
func (f *finder) forwards(m ir.MethodID) bool {
	d := &f.p.Methods[m]
	if lambdaClass(f.p.Classes[d.Class].Name) {
		return true
	}
	name := f.p.Selectors[d.Sel].Name
	return d.Flags&ir.AccSynthetic != 0 && (!f.naming().isBody(m) || strings.HasPrefix(name, "$"))
}

// place is the position of an access; of one that the platform makes by itself
// for a callback, the callback's class.
func (f *finder) place(x hb.ActionID, a *access) finding.Position {
	if f.r.Funcs[a.f].Method != 0 {
		return f.position(a.f, a.v)
	}
	cb := f.callback(x)
	return finding.Position{Method: finding.Method{Class: cb.Class, Name: cb.Name, Params: cb.Params}}
}
