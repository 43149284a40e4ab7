package race

import (
	"slices"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
)

// Schedule is the runs that show a race, the last of them a run of Last, or what is left of one. First
// comes before it; a use before the first write has only Last.
type Schedule struct {
	Runs        []hb.Run // empty if none is told
	First, Last hb.ActionID
}

// inTime is the actions of a race in the order that fails.
func (p *told) inTime() (first, last hb.ActionID) {
	if p.kind[0] == finding.Use {
		return p.action[1], p.action[0]
	}
	return p.action[0], p.action[1]
}

// playOut finds a schedule that shows a race, with what brings each of its runs about. A race
// that cannot be shown is at most medium: what would be told of it is not known to happen.
func (f *finder) playOut(p *told) {
	if p.priority < finding.High {
		return
	}
	if p.runs = f.replayed(p); p.runs == nil {
		own := *p.pair // which others share
		own.facts = slices.Clone(own.facts)
		p.pair = &own
		p.fact(finding.FactNotShown)
		p.priority = finding.PriorityOf(p.facts)
	}
}

// replayed is a schedule of a race: the one that the search has found, one in which the two sides
// come one after the other, or one in which they belong to two instances. nil if none is known.
func (f *finder) replayed(p *told) []hb.Run {
	first, second := p.inTime()
	ran := p.schedule.with(p.action)
	if len(ran) == 0 && p.kind[0] != finding.Use {
		ran = f.oneThenOther(p)
	}
	if len(ran) > 0 {
		runs, err := f.searcher.Replay(ran)
		if err == nil && sidesOn(runs, first, second, p.rule == finding.UseBeforeInit) && (len(runs) == len(ran) || f.staysFailing(p, runs)) {
			return runs
		}
	}
	if p.rule == finding.UseBeforeInit {
		return nil
	}
	return f.ofTwoChains(p, first, second)
}

// staysFailing: what a replay has put into a schedule writes no live value between the first side
// and the second.
func (f *finder) staysFailing(p *told, runs []hb.Run) bool {
	if p.kind[0] != finding.Use {
		return true
	}
	var free *access
	first, _ := p.inTime()
	from := 0
	if p.rule == finding.UseAfterFree {
		free = p.access[1]
		for i, r := range runs[:len(runs)-1] {
			if r.Action == first {
				from = i + 1
			}
		}
	}
	writers := f.writers(p.access[0], free, first)
	return !slices.ContainsFunc(runs[from:len(runs)-1], func(r hb.Run) bool {
		return slices.ContainsFunc(writers, func(w hb.Writer) bool { return w.Must && w.Action == r.Action })
	})
}

// sidesOn reports whether a schedule ends with a run of second, behind one of first. One that shows a
// use before the first write has only the use, which comes first of the two.
func sidesOn(runs []hb.Run, first, second hb.ActionID, before bool) bool {
	last := len(runs) - 1
	if runs[last].Action != second {
		return false
	}
	return before || slices.ContainsFunc(runs[:last], func(r hb.Run) bool { return r.Action == first })
}

// oneThenOther is a schedule in which the second side comes when the first is done, or in the middle
// of it.
func (f *finder) oneThenOther(p *told) []hb.ActionID {
	return f.searcher.Search(hb.Question{
		Free: p.action[0], Use: p.action[1], FreeAtEnd: true, UseFirst: true, NoLive: true,
		FreeAt: p.access[0].site(), UseAt: p.access[1].site(), Sited: true, Owner: f.ownerComponent(p.access[0]),
	}).NullSchedule
}

// ofTwoChains is a schedule in which one chain leads to the first side and another one to the second,
// which comes as soon after the first as can be: two clicks, or two instances of a component if the
// location is of the process.
func (f *finder) ofTwoChains(p *told, first, second hb.ActionID) []hb.Run {
	one, other := f.wayTo(first), f.wayTo(second)
	if len(one) == 0 || len(other) == 0 {
		return nil
	}
	without := func(drop func(hb.ActionID) bool) []hb.ActionID {
		return slices.DeleteFunc(slices.Clone(other), func(x hb.ActionID) bool { return drop(x) && slices.Contains(one, x) })
	}
	again := without(func(x hb.ActionID) bool { return x != second && f.s.Actions[x].Once != actions.Often })
	if runs := f.interleaved(p, one, again, func([]hb.Run) bool { return true }); runs != nil {
		return runs
	}
	s, t := f.visitOf(p, 0), f.visitOf(p, 1)
	if f.width(meeting{s: &s, t: &t, same: true}).wide != hb.ScopeProcess {
		return nil
	}
	anew := without(func(x hb.ActionID) bool { return f.s.Actions[x].Kind == hb.KindProcess })
	return f.interleaved(p, one, anew, func(runs []hb.Run) bool { return apartOn(runs, first) })
}

// interleaved is a schedule of two chains, the last run of the first one as late in the other as can be.
func (f *finder) interleaved(p *told, one, other []hb.ActionID, good func([]hb.Run) bool) []hb.Run {
	for k := len(other) - 1; k >= 0; k-- {
		ran := slices.Concat(one[:len(one)-1], other[:k], one[len(one)-1:], other[k:])
		if runs, err := f.searcher.Replay(ran); err == nil && f.staysFailing(p, runs) && good(runs) {
			return runs
		}
	}
	return nil
}

// wayTo is a shortest schedule that ends with an action.
func (f *finder) wayTo(x hb.ActionID) []hb.ActionID {
	return slices.Clone(f.searcher.Search(hb.Question{Use: x}).InitSchedule)
}

// apartOn reports whether the last run of a schedule and that of first before it are of two instances.
func apartOn(runs []hb.Run, first hb.ActionID) bool {
	last := runs[len(runs)-1]
	for _, r := range slices.Backward(runs[:len(runs)-1]) {
		if r.Action == first {
			return r.Instance != last.Instance || r.Component != last.Component
		}
	}
	return false
}

// visitOf is a side of a race.
func (f *finder) visitOf(p *told, i int) visit {
	s := visit{access: p.access[i], x: p.action[i]}
	if !s.static {
		s.objs = f.facts.Values.Objects(s.x, s.fact)
	}
	return s
}
