package race

import (
	"context"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/flow"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/naming"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
	"github.com/eventraces/eventraces/engine/internal/tell"
)

// finder looks at locations, one after the other. It belongs to one goroutine, with
// all that it remembers; an answer never depends on what was asked before.
type finder struct {
	*stage
	*look
	facts        *flow.Facts
	names        *naming.Names
	searcher     *hb.Searcher
	teller       *tell.Teller
	entries      [levels][]*entry // by action
	orders       orders           // see between
	outside      *flow.AtCalls    // they test some field
	earliers     orders           // see earlier
	ways         map[funcKey]*way // see waysTo
	wayNumbers   interner
	wayFlags     [][]pointsto.FieldKey // by their numbers
	entryNumbers interner
	bytes        []byte    // scratch
	values       []any     // scratch
	asking       candidate // scratch
	rows         map[rowsKey]*rowsOf
}

func newFinder(st *stage) *finder {
	names := st.names.Fork()
	f := &finder{
		stage: st, look: newLook(), facts: flow.New(st.s, st.accesses, st.locks), names: names,
		searcher: st.g.Searcher(), teller: tell.New(st.s, st.g, names),
		orders: make(orders, len(st.s.Actions)), earliers: make(orders, len(st.s.Actions)), rows: map[rowsKey]*rowsOf{},
		ways: map[funcKey]*way{}, wayNumbers: interner{}, entryNumbers: interner{},
	}
	f.outside = f.facts.Ways.AtCalls(f.flagAt)
	return f
}

// look is what a finder remembers while it looks at one location. Interned numbers
// mean nothing elsewhere: they are compared, and decide no order.
type look struct {
	outcome
	interned interner
	searched map[searchKey]hb.Verdict
	placed   map[int]placed // by access: what names its location
	fields   map[fieldKey]namedField
	numbers  map[finding.Field]int32 // of fields
	plains   map[plainKey]*pair
	weights  map[visitKey]int32
	weighing map[weight]int32
	catchers map[caughtKey]string
	twinned  map[int32][]int32 // by units; see twins
	descents map[descentKey]int32
	commons  map[commonKey]*common
	asked    map[hb.ActionID]int32 // see askedFor
	testing  map[visitKey]bool     // see tests
	written  map[visitKey]bool     // see writtenEarlier
	sorts    []sort                // by their numbers
	shown    []shown               // races of two classes
	met      int                   // of them
	ctx      context.Context
	steps    int  // see interrupted
	done     bool // the context is
}

// interrupted reports whether the context is done, which is asked now and then.
func (f *look) interrupted() bool {
	if f.steps++; f.steps%stepsBetween == 0 && f.ctx.Err() != nil {
		f.done = true
	}
	return f.done
}

// stepsBetween is how many meetings there are between two looks at the context: milliseconds,
// mostly.
const stepsBetween = 256

// outcome is what becomes of a location: the races that are kept, and counts and
// notes.
type outcome struct {
	best map[pairKey]*told
	out  Result // its races are told when all are known
}

// parts is the outcome taken apart: nothing holds the races any more.
func (o outcome) parts() (map[pairKey]*told, *Result) { return o.best, &o.out }

func newOutcome() outcome {
	return outcome{best: map[pairKey]*told{}, out: Result{Removed: map[string]int{}}}
}

func newLook() *look {
	return &look{
		outcome: newOutcome(), interned: interner{}, searched: map[searchKey]hb.Verdict{}, placed: map[int]placed{},
		fields: map[fieldKey]namedField{}, numbers: map[finding.Field]int32{}, weights: map[visitKey]int32{}, weighing: map[weight]int32{}, plains: map[plainKey]*pair{}, catchers: map[caughtKey]string{},
		twinned: map[int32][]int32{}, descents: map[descentKey]int32{}, commons: map[commonKey]*common{}, testing: map[visitKey]bool{}, written: map[visitKey]bool{},
	}
}

// lookAt says what becomes of a location; nothing that counts if the context is done
// before.
func (f *finder) lookAt(ctx context.Context, list []*access) outcome {
	shown := f.shown[:0]
	f.look = newLook()
	f.ctx, f.shown = ctx, shown
	f.location(list)
	f.facts.Forget()
	return f.outcome
}

// merged joins outcomes. Locations may share a name, as two slots of what one field
// holds do: of races that are shown as one the strongest is kept, whatever location it
// is of. The outcomes are used up.
func merged(outcomes []outcome) outcome {
	all := newOutcome()
	for i := range outcomes {
		o := &outcomes[i]
		all.out.Pairs += o.out.Pairs
		all.out.Candidates += o.out.Candidates
		all.out.Filtered += o.out.Filtered
		for name, n := range o.out.Removed {
			all.out.Removed[name] += n
		}
		all.out.Refuted = append(all.out.Refuted, o.out.Refuted...)
		all.out.Notes = append(all.out.Notes, o.out.Notes...)
		for key, p := range o.best {
			if old := all.best[key]; old == nil || p.stronger(old) {
				all.best[key] = p
			}
		}
		o.best = nil // there may be many
	}
	return all
}
