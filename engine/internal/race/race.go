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
// Find reads collect, pair, order, filter, search, weigh. An access as one action
// makes it is a visit. Visits that no question asked so far tells apart are a class;
// each question names the attributes that it reads, and a class is split by them
// before the question is asked, once for each pair of classes. Actions that the
// graph finds alike share their classes. All pairs of visits, each a class of its own,
// give the same (TestClassesAgainstPlain).
//
// Cost: for each location, pairs of classes that share an object. Reading the
// attributes is linear in the visits. Races of two classes of one location are bounded
// by meetingsPerLocation, which is said where it is reached.
package race

import (
	"context"
	"slices"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/flow"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/naming"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Result is what Find found.
type Result struct {
	Races      []finding.Race
	Candidates int            // unordered pairs, by location and callbacks
	Filtered   int            // of these, removed by a sound filter
	Removed    map[string]int // the same by the name of the filter
	Notes      []finding.Notification
}

// finder holds the state of one search.
type finder struct {
	s         *actions.Set
	r         *pointsto.Result
	p         *ir.Program
	g         *hb.Graph
	all       []*access
	byKey     map[pointsto.FieldKey][]*access
	share     *sharing
	facts     *flow.Facts
	inits     map[pointsto.FieldKey]bool
	names     *naming.Names
	best      map[pairKey]*pair
	searched  map[searchKey]hb.Verdict
	entries   [levels][]*entry // by action
	points    map[hb.ActionID][]hb.Site
	interned  interner
	group     []int32 // by action; see groups
	constants []int32 // by action; see constantsStored
	orders    map[[2]hb.ActionID]uint32
	twinned   map[int32][]int32 // by units; see twins
	descents  map[descentKey]int32
	asked     map[hb.ActionID]int32 // of the location; see askedFor
	testing   map[visitKey]bool     // of the location; see tests
	outside   map[funcKey]bool      // see flagsOutside
	bytes     []byte
	crashes   []string // that models name, and ""
	searcher  *hb.Searcher
	shown     []shown   // of the location: races of two classes
	plainly   bool      // see find
	placed    []*placed // by access: what names its location
	fields    map[fieldKey]finding.Field
	plains    map[plainKey]*pair
	catchers  map[caughtKey]string
	met       int // of the location: races of two classes
	out       *Result
}

// Find finds the races. progress, if not nil, hears how many locations of all have
// been looked at.
func Find(ctx context.Context, s *actions.Set, g *hb.Graph, progress func(done, total int)) (*Result, error) {
	return find(ctx, s, g, progress, false)
}

// find is Find; plainly makes a class of each visit, which is the slow and plain
// way to the same result.
func find(ctx context.Context, s *actions.Set, g *hb.Graph, progress func(done, total int), plainly bool) (*Result, error) {
	f := &finder{
		s: s, r: s.PT, p: s.PT.Prog, g: g, all: collect(s), byKey: map[pointsto.FieldKey][]*access{},
		share: newSharing(s, g),
		best:  map[pairKey]*pair{}, searched: map[searchKey]hb.Verdict{}, searcher: g.Searcher(),
		points: map[hb.ActionID][]hb.Site{}, interned: interner{},
		names: naming.New(s), out: &Result{Removed: map[string]int{}},
	}
	facts := make([]*flow.Access, len(f.all))
	for i, a := range f.all {
		facts[i] = a.fact
		f.byKey[a.key] = append(f.byKey[a.key], a)
	}
	f.facts = flow.New(s, flow.NewAccesses(facts), flow.NewLocks(s))
	f.placed, f.fields = make([]*placed, len(f.all)), map[fieldKey]finding.Field{}
	f.plains, f.catchers = map[plainKey]*pair{}, map[caughtKey]string{}
	f.outside = map[funcKey]bool{}
	f.orders, f.twinned, f.descents = map[[2]hb.ActionID]uint32{}, map[int32][]int32{}, map[descentKey]int32{}
	f.group, f.plainly = f.groups(), plainly
	keys := make([]pointsto.FieldKey, 0, len(f.byKey))
	for k := range f.byKey {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for i, k := range keys {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if progress != nil {
			progress(i, len(keys))
		}
		f.location(f.byKey[k])
	}
	f.finish()
	return f.out, nil
}

// ours: the race is the user's: an access or the field is app code.
func (f *finder) ours(a, b *access) bool {
	return f.appCode(a.f) || f.appCode(b.f) || f.appField(a.key)
}

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
