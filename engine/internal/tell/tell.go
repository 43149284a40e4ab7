// Package tell puts a race into words: what fails, why nothing orders the two
// sides, and how to mend it. It is computed from a decided race (a Pair of plain
// values, which the race stage fills in), from the names of the code, from the
// actions with their causes, and from the order, which it only asks. It decides
// nothing: rule, priority and facts are as they come.
//
// A text claims no more than what is known: where a chain of causes is told, it
// is a shortest one of several; where a call is named that would mend the race,
// a model says that it ends what has been asked for.
//
// Cost: for each race that is told in full, a breadth-first search over the
// causes of each side and one over the callers of each access; the ends of an
// action are looked up once.
package tell

import (
	"fmt"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/naming"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Pair is a decided race.
type Pair struct {
	Sides    [2]Side // of a free and a use, or a first write and a use, the use comes first
	Rule     finding.RuleID
	Field    finding.Field
	Priority finding.Priority
	Facts    []finding.Fact
	Crash    string   // the failure that the race ends in, "" if none is known
	Schedule []hb.Run // the runs of a schedule that fails, in order; empty if none is known
	Limited  bool     // the search for such a schedule reached its limit
	Looper   bool     // the sides run on one looper
	Volatile bool     // the field is volatile
	Stands   int      // the pairs of accesses that it stands for; 0 for itself alone
	Locked   bool     // both sides hold one lock
	EndMends bool     // of a free and a use: none fails if the free first ends what the use was asked for by
	SetOnce  bool     // of a free: what it frees is set only by what runs once for the instance
}

// Side is an access of a pair.
type Side struct {
	Place
	Action  hb.ActionID
	In      pointsto.FuncID // Func, or the platform's own function that performs the access
	Kind    finding.Kind
	Key     pointsto.FieldKey
	Objs    pointsto.Set      // the instance may be one of these
	Derefs  []Place           // of a use: where the value that is read is dereferenced, nearest first
	Updates bool              // the access stores what is computed from the same location
	Writes  bool              // the action writes the location, here or elsewhere
	Entry   *finding.Callback // the name that stands for several callbacks, nil for that of Action
	Own     bool              // the location may be of the object that the action is a callback of
}

// Place is an instruction of a function.
type Place struct {
	Func  pointsto.FuncID
	Value ir.Value
}

// Site is where the order sees the access.
func (s *Side) Site() hb.Site { return actions.SiteOf(s.In, s.Value) }

// has reports whether the priority of the pair rests on a fact.
func (p *Pair) has(id finding.FactID) bool { return finding.HasFact(p.Facts, id) }

// Teller tells the races of one app.
type Teller struct {
	set      *actions.Set
	pts      *pointsto.Result
	prog     *ir.Program
	graph    *hb.Graph
	names    *naming.Names
	ended    []*pointsto.EffectSite        // the calls that end something, in program order
	endings  map[hb.ActionID]endings       // memo of endingsOf
	chains   map[hb.ActionID][]link        // memo of chain
	fromRoot []int32                       // see distances
	framed   map[framedKey][]finding.Frame // memo of calls
	threads  map[hb.ActionID]string        // memo of thread
	whys     map[whyKey]string             // memo of why
	seen     []bool                        // by function, all false: scratch of callsTo
	ways     []way                         // likewise
}

// New prepares the telling of an app's races.
func New(s *actions.Set, g *hb.Graph, names *naming.Names) *Teller {
	t := &Teller{
		set: s, pts: s.PT, prog: s.PT.Prog, graph: g, names: names,
		endings: map[hb.ActionID]endings{}, chains: map[hb.ActionID][]link{}, framed: map[framedKey][]finding.Frame{},
		threads: map[hb.ActionID]string{}, whys: map[whyKey]string{},
	}
	for i := range t.pts.Sites {
		e := &t.pts.Sites[i]
		if e.Effect.Kind == platform.Cancel || e.Effect.Kind == platform.Unregister {
			t.ended = append(t.ended, e)
		}
	}
	return t
}

// Race is the pair as outputs tell it; a brief one only says who, where and what.
func (t *Teller) Race(p *Pair, brief bool) finding.Race {
	r := finding.Race{
		Rule: p.Rule, Field: p.Field, Priority: p.Priority, Facts: p.Facts, Order: t.why(p), Brief: brief, Pairs: p.Stands,
	}
	if !brief {
		r.Fix = t.fix(p)
	}
	if p.Limited {
		r.Limited = []string{finding.NewFact(finding.FactSchedule, p.Rule).Text}
	}
	for i := range p.Sides {
		r.Sides[i] = t.side(&p.Sides[i], brief)
	}
	if len(p.Schedule) > 0 && !brief {
		r.Schedule = t.schedule(p)
	}
	if p.Rule == finding.UseBeforeInit && t.remade(p.Sides[0].Action) {
		use := t.sideOf(p, 0)
		r.Wrong = fmt.Sprintf("If the %s is recreated (rotation, process death) before the answer to what it "+
			"asked for comes, %s of the new one finds %s null: a NullPointerException at %s.",
			t.set.Actions[use.Action].Arm.Life.Kind, use.name, p.Field.Short(), use.at)
	}
	r.DescribeFailure(t.failure(p))
	return r
}

func (t *Teller) side(s *Side, brief bool) finding.Side {
	out := finding.Side{
		Access: finding.Access{
			Position: t.place(s), Kind: s.Kind,
			Action: t.names.Action(s.Action), Entry: t.names.Callback(s.Action), Thread: t.thread(s.Action),
		},
	}
	if s.Entry != nil {
		out.Access.Entry = *s.Entry
	}
	if brief {
		out.Events, out.Calls = []finding.Event{}, []finding.Frame{}
		return out
	}
	out.Events, out.Calls = t.events(s.Action), t.calls(s)
	if s.Kind == finding.Use {
		out.Further, _ = t.further(s)
	}
	return out
}
