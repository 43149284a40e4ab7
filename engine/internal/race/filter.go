package race

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/flow"
)

// filter is one sound reason to remove a candidate. A filter decides by the
// attributes that it reads and by the two actions, nothing else: classes are
// split by what the filters of a table read before any of them is asked, so that one
// answer holds for all sides of two classes.
type filter struct {
	name string                             // as --dump candidates counts what it removes
	when func(f *finder, q *candidate) bool // it applies
	of   [2][]attribute                     // what it reads of either side
	drop func(f *finder, q *candidate) bool // the candidate is none
}

// candidate is what a filter is asked about: side a is the use or the first change, b
// the free, the write or the read.
type candidate struct {
	a, b   visit
	looper bool // the sides run on one looper
}

func onLooper(_ *finder, q *candidate) bool { return q.looper }

func apart(_ *finder, q *candidate) bool { return !q.looper }

// frameworkQuery: the answer to a query such as isAdded, after the change, keeps the use from
// running.
var frameworkQuery = filter{
	name: "framework query",
	when: func(f *finder, q *candidate) bool {
		arm := f.s.Actions[q.b.x].Arm
		return q.looper && arm != nil && arm.Life != nil
	},
	of:   [2][]attribute{{byQuery}, nil},
	drop: func(f *finder, q *candidate) bool { return f.saidOtherwise(q.a.access, q.b.x, q.a.f, q.a.v) },
}

// useFilters remove candidates of a use (a) and of a free or a first write (b); see
// CAFA section 4.3. Cheap ones come first.
var useFilters = []filter{
	{
		name: "new holder", // the run has just made what holds the content: nobody has freed it
		when: func(_ *finder, q *candidate) bool { return q.looper && q.a.content },
		of:   [2][]attribute{{byHolder}, nil},
		drop: func(f *finder, q *candidate) bool { return f.holder(q.a).allocated },
	},
	{
		name: "holder replaced", // the field no longer holds what was freed
		when: func(_ *finder, q *candidate) bool { return q.looper && q.a.content && q.b.content },
		of:   [2][]attribute{{byHolder}, {byHolder}},
		drop: func(f *finder, q *candidate) bool {
			use, free := f.holder(q.a), f.holder(q.b)
			return use.key != 0 && free.key == use.key && free.replaced
		},
	},
	frameworkQuery,
	{
		name: "tested or allocated", // earlier in the run of the use
		when: onLooper,
		of:   [2][]attribute{{byTest}, nil},
		drop: func(f *finder, q *candidate) bool { return f.tested(q.a, 0).holds() },
	},
	{
		name: "not null at the end", // the run of the change writes the location again
		when: onLooper,
		of:   [2][]attribute{nil, {byReplacing}},
		drop: func(f *finder, q *candidate) bool { return f.replacing(q.b) },
	},
	{
		name: "tested or allocated in the critical section",
		when: apart,
		of:   [2][]attribute{{byLocks, bySection}, {byLocks}},
		drop: func(f *finder, q *candidate) bool {
			return slices.ContainsFunc(f.facts.Locks.Common(q.a.fact, q.b.fact), func(lock flow.Lock) bool { return f.tested(q.a, lock).holds() })
		},
	},
}

// initFilters remove candidates of a use (a) of a default null and of a first write (b). What
// a run has found not null stays so, whoever writes it first and on whatever thread: a null that
// somebody stores is another candidate.
var initFilters = []filter{
	{
		name: "tested or allocated",
		when: func(*finder, *candidate) bool { return true },
		of:   [2][]attribute{{byTest}, nil},
		drop: func(f *finder, q *candidate) bool { return f.tested(q.a, 0).holds() },
	},
	frameworkQuery,
}

// plainFilters remove candidates of two changes, or of a change (a) and a read (b).
var plainFilters = []filter{
	{
		name: "same constant", // two stores that leave the same in any order
		when: func(_ *finder, q *candidate) bool { return q.a.write && q.b.write },
		of:   [2][]attribute{{byConstant}, {byConstant}},
		drop: func(f *finder, q *candidate) bool { return f.sameConstant(q.a.access, q.b.access) },
	},
	{
		name: "overwritten", // the run of the read has written the location before
		when: func(_ *finder, q *candidate) bool { return q.looper && !q.b.write },
		of:   [2][]attribute{nil, {byOverwrite}},
		drop: func(f *finder, q *candidate) bool { return f.facts.Guards.Overwritten(q.b.x, q.b.fact) },
	},
	{
		name: "common lock",
		when: func(*finder, *candidate) bool { return true },
		of:   [2][]attribute{{byLocks}, {byLocks}},
		drop: func(f *finder, q *candidate) bool { return len(f.facts.Locks.Common(q.a.fact, q.b.fact)) > 0 },
	},
}

// What removes a candidate beside the tables.
const (
	dropOwn        = "made by the run"     // one side touches what its run has made, before the other can get at it
	dropNoSchedule = "no failing schedule" // the search finds none
	dropNoField    = "no field of the app" // nothing that the app declares holds the location
)

// filtered visits the parts of a meeting that no filter of the table removes.
func (f *finder) filtered(m meeting, table []filter, looper bool, visit func(meeting)) {
	a, b := m.first()
	first := &candidate{a, b, looper}
	var ofA, ofB []attribute
	var rows []*filter
	for i := range table {
		if row := &table[i]; row.when(f, first) {
			rows = append(rows, row)
			ofA, ofB = append(ofA, row.of[0]...), append(ofB, row.of[1]...)
		}
	}
	f.each(m, ofA, ofB, func(m meeting) {
		a, b := m.first()
		q := &candidate{a, b, looper}
		for _, row := range rows {
			if row.drop(f, q) {
				f.removed(row.name, m)
				return
			}
		}
		visit(m)
	})
}

// removed counts what a filter removes.
func (f *finder) removed(by string, m meeting) {
	n := m.pairs()
	f.out.Filtered += n
	f.out.Removed[by] += n
}
