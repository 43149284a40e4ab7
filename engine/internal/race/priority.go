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
		p.fact(finding.FactAppCode)
	case f.appField(a.key):
		p.fact(finding.FactAppField)
	case (f.appCode(a.f) || f.r.Funcs[a.f].Method == 0) && (f.appCode(b.f) || f.r.Funcs[b.f].Method == 0):
		p.fact(finding.FactPlatformChange)
	default:
		p.fact(finding.FactDependencyCode)
	}
	f.harm(p)
	if f.oneLocation(a, b) {
		p.fact(finding.FactMustAlias)
	} else {
		p.fact(finding.FactMayAlias)
	}
	f.threads(p)
	if p.rule == finding.UseBeforeInit && f.s.Actions[p.action[0]].Kind == hb.KindGUI && f.s.Actions[p.action[1]].Kind == hb.KindGUI {
		p.fact(finding.FactUserOrder)
	}
	if by := f.caught(p); by != "" {
		p.fact(finding.FactCaught, by)
	}
	if f.s.Actions[p.action[0]].Rare || f.s.Actions[p.action[1]].Rare {
		p.fact(finding.FactRare)
	}
	if f.s.Actions[p.action[0]].OwnLoss || f.s.Actions[p.action[1]].OwnLoss {
		p.fact(finding.FactOwnProcess)
	}
	missing := 0
	for _, fact := range p.facts {
		if fact.Limit == finding.Medium {
			missing++
		}
	}
	if missing > 1 { // medium lacks one of what high needs
		p.fact(finding.FactSeveralMissing)
	}
	p.priority = finding.PriorityOf(p.facts)
}

// harm says how the race ends, or that no harmful end is known.
func (f *finder) harm(p *pair) {
	a, b := p.access[0], p.access[1]
	switch {
	case p.rule == finding.UseAfterFree && a.key == pointsto.Content:
		p.fact(finding.FactAnyElement)
	case p.rule == finding.UseAfterFree && f.sometimes(p):
		p.fact(finding.FactMaybeNull)
	case p.rule == finding.UseAfterFree:
		p.fact(finding.FactUseFree)
	case p.rule == finding.UseBeforeInit:
		p.fact(finding.FactUseBeforeInit)
	case f.counts(a) || f.counts(b): // said already
	case p.crash != "":
		p.fact(finding.FactCrash, p.crash)
	case !p.looper && a.updates && b.updates:
		p.crash = "a lost update"
		p.fact(finding.FactLostUpdate)
	case f.tolerated(p):
		p.fact(finding.FactTolerated)
	case f.volatile(a):
		p.fact(finding.FactVolatile)
	case p.rule == finding.StaleRead && f.onlyTested(p):
		p.fact(finding.FactFlag)
	case p.looper && p.rounds:
		p.fact(finding.FactRounds)
	case p.looper && f.external(p.action[0]) && f.external(p.action[1]):
		p.fact(finding.FactInputs)
	default:
		p.fact(finding.FactState)
	}
}

// oneLocation: the accesses touch one location for sure whenever they run for
// one component instance, or in one process.
func (f *finder) oneLocation(a, b *access) bool {
	return f.facts.Guards.OneInAllRuns(a.fact, b.fact)
}

func (f *finder) threads(p *pair) {
	for _, x := range p.action {
		if f.s.Queues[f.s.Actions[x].Queue].Kind == hb.QueueUnknown {
			p.fact(finding.FactUnknownThread)
			return
		}
	}
	if p.looper {
		p.fact(finding.FactOneLooper)
	} else {
		p.fact(finding.FactThreads)
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
		if !f.testsOnly(a) {
			return false
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
