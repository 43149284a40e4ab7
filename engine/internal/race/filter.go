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

// testedTogether: earlier in the run of the use a field of the same object was not null that has
// a value only while the location has one.
var testedTogether = filter{
	name: "tested by what is written together",
	when: onLooper,
	of:   [2][]attribute{{byTogether}, nil},
	drop: func(f *finder, q *candidate) bool { return f.companions(q.a).sure },
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
		name: "finished", // no use comes once the run of the free has asked for the end of the component
		when: func(f *finder, q *candidate) bool { return q.looper && f.notOnceFinished(q.a.x, q.b.x) },
		of:   [2][]attribute{{byOnSelf}, {byEnding}},
		drop: func(f *finder, q *candidate) bool { return f.onSelf(q.a.x, q.a.access) && f.endsOwner(q.b) },
	},
	{
		name: "renewed", // the callback that comes first behind the free sets the location again
		when: func(f *finder, q *candidate) bool {
			return q.looper && len(f.s.Renewing(q.b.x)) > 0 && f.sameSource(q.a.x, q.b.x)
		},
		of:   [2][]attribute{{byOwn}, {byOwn}},
		drop: func(f *finder, q *candidate) bool { return f.renewed(q.a, q.b) },
	},
	{
		name: "tested or allocated", // earlier in the run of the use
		when: onLooper,
		of:   [2][]attribute{{byTest}, nil},
		drop: func(f *finder, q *candidate) bool { return f.tested(q.a, 0).holds() },
	},
	testedTogether,
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
	testedTogether,
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
	{
		name: "lock of the object", // whichever object it is
		when: func(_ *finder, q *candidate) bool { return !q.looper },
		of:   [2][]attribute{{byOwnLocks}, {byOwnLocks}},
		drop: func(f *finder, q *candidate) bool {
			held := f.facts.OwnLocks.Of(q.b.x, q.b.fact)
			return slices.ContainsFunc(f.facts.OwnLocks.Of(q.a.x, q.a.fact), func(w flow.LockWay) bool { return slices.Contains(held, w) })
		},
	},
}

// What removes a candidate beside the tables.
const (
	dropOwn        = "made by the run"      // one side touches what its run has made, before the other can get at it
	dropNoSchedule = "no failing schedule"  // the search finds none
	dropGuarded    = "tests before the use" // see refute.go
	dropNoField    = "no field of the app"  // nothing that the app declares holds the location
)

// rowsOf is the filters of a table that apply to a candidate, and what they read.
type rowsOf struct {
	rows []*filter
	of   [2][]attribute
}

// rowsKey names the filters that apply: those of a table at the bits that are set.
type rowsKey struct {
	table *filter
	bits  uint32
}

// applying is the filters of a table that apply to the first candidate of a meeting.
func (f *finder) applying(table []filter, q *candidate) *rowsOf {
	key := rowsKey{table: &table[0]}
	for i := range table {
		if table[i].when(f, q) {
			key.bits |= 1 << i
		}
	}
	known := f.rows[key]
	if known == nil {
		known = &rowsOf{}
		for i := range table {
			if row := &table[i]; key.bits>>i&1 == 1 {
				known.rows = append(known.rows, row)
				known.of[0], known.of[1] = append(known.of[0], row.of[0]...), append(known.of[1], row.of[1]...)
			}
		}
		f.rows[key] = known
	}
	return known
}

// filtered visits the parts of a meeting that no filter of the table removes.
func (f *finder) filtered(m meeting, table []filter, looper bool, visit func(meeting)) {
	q := &f.asking
	q.a, q.b = m.first()
	q.looper = looper
	apply := f.applying(table, q)
	f.each(m, apply.of[0], apply.of[1], func(m meeting) {
		q.a, q.b = m.first()
		q.looper = looper
		for _, row := range apply.rows {
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
