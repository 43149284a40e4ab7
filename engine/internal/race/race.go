// Package race pairs the accesses of actions that nothing orders, applies the
// sound filters, decides rule and priority, and writes the findings (SIERRA
// section 4.4, CAFA section 4).
//
// A candidate is a pair of accesses of one location, at least one a change, by
// two runs. It is a race if two schedules differ in what is seen: for a free and
// a use, one in which the use reads what the free left and one in which it reads
// a live value; for other pairs, one run of each side in either order.
//
// Over-approximates: locations are abstract objects and fields, array and
// container elements are not told apart, paths inside a function are all
// feasible. Under-approximates: a constructor's accesses to its own object and
// a static initialiser's to its own class never race; a null that comes out of
// the heap is the free that put it there, not the copy.
//
// Find reads collect, pair, order, filter, search, weigh, refute (SIERRA section 5): of what
// would be medium or high, the tests before a use are followed through the runs that change what
// they ask. An access as one action
// makes it is a visit. Visits that no question asked so far tells apart are a class;
// each question names the attributes that it reads, and a class is split by them
// before the question is asked, once for each pair of classes. Actions that the
// graph finds alike share their classes. All pairs of visits, each a class of its own,
// give the same (TestClassesAgainstPlain).
//
// Locations are looked at in parallel. What is known before is a stage, which all
// finders read and none changes; a finder belongs to one goroutine, with what it
// remembers, and takes the next location when it is free; what becomes of a location is
// an outcome. Outcomes are joined in the order of the locations, and no answer depends on
// what was asked before, so the result is the same however many finders there are
// (TestConcurrentFinders). The content of all containers is one location. A finder looks
// at the context while it is at a location, too, and leaves it if that is done.
//
// Cost: for each location, pairs of classes that share an object, of which one writes and one is the
// app's. Reading the attributes is linear in the visits, and what is found out about the accesses of
// a location is forgotten with it. Races of two classes of one location are bounded
// by meetingsPerLocation, which is said where it is reached.
package race

import (
	"context"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Result is what Find found.
type Result struct {
	Races      []finding.Race
	Schedules  []Schedule     // of the races, in their order
	Pairs      int            // of accesses that share a location, one of them a change, ordered or not
	Candidates int            // unordered pairs, by location and callbacks
	Filtered   int            // of these, removed by a sound filter
	Removed    map[string]int // the same by the name of the filter
	Refuted    []string       // the races that tests before the use exclude, and by what
	Notes      []finding.Notification
}

// Find finds the races. progress, if not nil, hears how many locations of all have
// been looked at, from one goroutine at a time.
func Find(ctx context.Context, s *actions.Set, g *hb.Graph, progress func(done, total int)) (*Result, error) {
	return find(ctx, s, g, progress, false)
}

// find is Find; plainly makes a class of each visit, which is the slow and plain
// way to the same result.
func find(ctx context.Context, s *actions.Set, g *hb.Graph, progress func(done, total int), plainly bool) (*Result, error) {
	return newCrew(newStage(s, g, plainly), accessesEach).find(ctx, progress)
}

// ours: a race of the access is the user's: the access or the field is app code.
func (f *finder) ours(a *access) bool { return f.appCode(a.f) || f.appField(a.key) }

func (f *finder) appCode(fn pointsto.FuncID) bool {
	m := f.r.Funcs[fn].Method
	return m != 0 && f.p.Classes[f.p.Methods[m].Class].Origin == ir.App
}

func (f *finder) appField(k pointsto.FieldKey) bool {
	return k > 0 && f.p.Classes[f.p.Fields[k].Class].Origin == ir.App
}

// overlap: the accesses may touch one location.
func (f *finder) overlap(a, b *access) bool {
	if a.static || b.static {
		return a.static && b.static
	}
	return a.objs.Intersects(b.objs)
}
