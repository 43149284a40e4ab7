package race

import (
	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// weigh collects the facts behind the priority: high needs all of
// app code, a named path to a crash or lost update, one location for sure,
// known threads, no guard. Each fact that is missing limits the priority.
func (f *finder) weigh(p *pair) {
	a, b := p.access[0], p.access[1]
	switch {
	case f.appCode(a.f) && f.appCode(b.f):
		p.fact("app-code", "both accesses are in app code", 0)
	case f.appField(a.key):
		p.fact("app-field", "the field is declared by an app class", 0)
	case (f.appCode(a.f) || f.r.Funcs[a.f].Method == 0) && (f.appCode(b.f) || f.r.Funcs[b.f].Method == 0):
		p.fact("platform-change", "the system itself makes one of the changes, to a component of the app", 0)
	default:
		p.fact("dependency-code", "one of the accesses is in a dependency", finding.Medium)
	}
	f.harm(p)
	if f.oneLocation(a, b) {
		p.fact("must-alias", "both sides touch the same object", 0)
	} else if p.rule == finding.UseBeforeInit {
		p.fact("may-alias", "the two sides may touch different objects, so one need not wait for the other", finding.Low)
	} else {
		p.fact("may-alias", "the two sides may touch different objects", finding.Medium)
	}
	f.threads(p)
	if p.rule == finding.UseBeforeInit && f.s.Actions[p.action[0]].Kind == hb.KindGUI && f.s.Actions[p.action[1]].Kind == hb.KindGUI {
		p.fact("user-order", "it is the user who decides which of the two comes first", finding.Medium)
	}
	if by := f.caught(p); by != "" {
		p.fact("caught", "the exception is caught in "+by, finding.Low)
	}
	if f.s.Actions[p.action[0]].Rare || f.s.Actions[p.action[1]].Rare {
		p.fact("rare", "one of the callbacks comes rarely", 0)
	}
	missing := 0
	for _, fact := range p.facts {
		if fact.Limit == finding.Medium {
			missing++
		}
	}
	if missing > 1 { // medium lacks one of what high needs
		p.fact("several-missing", "more than one of the conditions for high is not met", finding.Low)
	}
	p.priority = finding.PriorityOf(p.facts)
}

// harm says how the race ends, or that no harmful end is known.
func (f *finder) harm(p *pair) {
	a, b := p.access[0], p.access[1]
	switch {
	case p.rule == finding.UseAfterFree && a.key == pointsto.Content:
		p.fact("any-element", "the element that is used may not be the one that is removed", finding.Medium)
	case p.rule == finding.UseAfterFree && f.sometimes(p):
		p.fact("maybe-null", "the store that frees may also store a value: only some results are null", finding.Medium)
	case p.rule == finding.UseAfterFree:
		p.fact("use-free", "nothing tests the value between the free and the use", 0)
	case p.rule == finding.UseBeforeInit:
		p.fact("use-before-init", "nothing tests the value before the use", 0)
	case p.crash != "":
		p.fact("crash", "ends in "+p.crash, 0)
	case !p.looper && a.updates && b.updates:
		p.crash = "a lost update"
		p.fact("lost-update", "both sides read, change and write back without a common lock", 0)
	case f.tolerated(p):
		p.fact("tolerated", "the reading side bears the null that the other side writes", finding.Low)
	case f.volatile(a):
		p.fact("volatile", "the field is volatile: made for being shared", finding.Low)
	case p.rule == finding.StaleRead && f.onlyTested(p):
		p.fact("flag", "the value read only decides a branch", finding.Low)
	case p.looper && p.rounds:
		p.fact("rounds", "within one round the order is fixed; only a late result of an earlier round can come in between", finding.Low)
	case p.looper && f.external(p.action[0]) && f.external(p.action[1]):
		p.fact("inputs", "both sides are events from outside, which come in the order they come", finding.Low)
	default:
		p.fact("state", "the state that is seen depends on timing; no crash is known", finding.Medium)
	}
}

// oneLocation: the accesses touch one location for sure whenever they run for
// one component instance, or in one process.
func (f *finder) oneLocation(a, b *access) bool {
	return f.facts.Guards.OneObject(a.fact, b.fact)
}

func (f *finder) threads(p *pair) {
	for _, x := range p.action {
		if f.s.Queues[f.s.Actions[x].Queue].Kind == hb.QueueUnknown {
			p.fact("unknown-thread", "it is not known on which thread one of the sides runs", finding.Medium)
			return
		}
	}
	if p.looper {
		p.fact("one-looper", "both sides run on one looper, one after the other, in no fixed order", 0)
	} else {
		p.fact("threads", "the sides run on different threads", 0)
	}
}

func (f *finder) volatile(a *access) bool {
	return a.key > 0 && f.p.Fields[a.key].Flags&ir.AccVolatile != 0
}

// onlyTested: the value that is read goes into tests only.
func (f *finder) onlyTested(p *pair) bool {
	for i, a := range p.access {
		if p.kind[i] != finding.Read {
			continue
		}
		b := f.r.Body(a.f)
		if b == nil || a.effect != nil {
			return false
		}
		for _, u := range f.facts.Codes.Of(b).Uses(a.v) {
			if b.Op[u] != ir.OpIf && b.Op[u] != ir.OpSwitch {
				return false
			}
		}
	}
	return true
}

// tolerated: one side writes nothing but null, and the other reads it without
// using the value untested.
func (f *finder) tolerated(p *pair) bool {
	for i, a := range p.access {
		n := f.stores(p.action[i], a)
		if b := p.access[1-i]; a.write && n.Null && !n.Other && !b.write && !b.use() {
			return true
		}
	}
	return false
}

// sometimes: the store that frees stores a null that a call may return beside
// other results.
func (f *finder) sometimes(p *pair) bool {
	for i, a := range p.access {
		if p.kind[i] == finding.Free && a.stored != 0 {
			n := f.stores(p.action[i], a)
			return n.Null && n.Other
		}
	}
	return false
}

// external: the action is run by the user or the system, not by something that the
// app has posted or started: there is no result that could come too late.
func (f *finder) external(x hb.ActionID) bool {
	switch f.s.Actions[x].Kind {
	case hb.KindGUI, hb.KindLifecycle, hb.KindSystem, hb.KindProcess:
		return true
	}
	return false
}
