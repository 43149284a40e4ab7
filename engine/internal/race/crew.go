package race

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// crew is the finders that share the work of one search. A finder is made when there
// is work for it.
type crew struct {
	*stage
	finders []*finder // as many as may run at once; the first is there from the start
	each    int       // the accesses that a finder is worth
}

// accessesEach is how many accesses a finder is worth: with fewer, what it has to find
// out anew costs more than it saves.
const accessesEach = 200

func newCrew(st *stage, each int) *crew {
	first := newFinder(st)
	st.group = first.groups()
	c := &crew{stage: st, finders: make([]*finder, max(1, runtime.GOMAXPROCS(0))), each: each}
	c.finders[0] = first
	return c
}

// find finds the races.
func (c *crew) find(ctx context.Context, progress func(done, total int)) (*Result, error) {
	outcomes, err := c.lookAtAll(ctx, progress)
	if err != nil {
		return nil, err
	}
	best, out := merged(outcomes).parts()
	tellers := &crew{stage: c.stage, finders: make([]*finder, len(c.finders)), each: c.each} // what the finders remember is of no use
	if out.Races, out.Schedules, err = tellers.finish(ctx, best); err != nil {
		return nil, err
	}
	return out, nil
}

// lookAtAll looks at all contested locations, those of many accesses first. The
// outcomes are in the order of the locations.
func (c *crew) lookAtAll(ctx context.Context, progress func(done, total int)) ([]outcome, error) {
	keys := c.contested()
	order, accesses := make([]int, len(keys)), 0
	for i, k := range keys {
		order[i] = i
		accesses += len(c.byKey[k])
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(len(c.byKey[keys[j]]), len(c.byKey[keys[i]])) })
	outcomes := make([]outcome, len(keys))
	report := counting(progress, len(keys))
	err := c.run(ctx, len(keys), 1+accesses/c.each, func(f *finder, n int) {
		i := order[n]
		outcomes[i] = f.lookAt(ctx, c.byKey[keys[i]])
		report()
	})
	return outcomes, err
}

// counting tells progress of each of total pieces of work that is done, one at a time.
func counting(progress func(done, total int), total int) (report func()) {
	if progress == nil {
		return func() {}
	}
	progress(0, total)
	var mu sync.Mutex
	done := 0
	return func() {
		mu.Lock()
		defer mu.Unlock()
		done++
		progress(done, total)
	}
}

// run does n pieces of work with at most so many finders. Each takes the next piece
// when it is free. A panic of one comes back as a panic of run.
func (c *crew) run(ctx context.Context, n, finders int, do func(f *finder, piece int)) error {
	var next atomic.Int64
	var failure atomic.Pointer[any]
	work := func(k int) {
		defer func() {
			if p := recover(); p != nil {
				failure.CompareAndSwap(nil, &p)
				next.Store(int64(n)) // the others stop
			}
		}()
		for ctx.Err() == nil {
			piece := int(next.Add(1)) - 1
			if piece >= n {
				return
			}
			if c.finders[k] == nil {
				c.finders[k] = newFinder(c.stage)
			}
			do(c.finders[k], piece)
		}
	}
	var wg sync.WaitGroup
	for k := 1; k < min(finders, n, len(c.finders)); k++ {
		wg.Go(func() { work(k) })
	}
	work(0)
	wg.Wait()
	if p := failure.Load(); p != nil {
		panic(*p)
	}
	return ctx.Err()
}
