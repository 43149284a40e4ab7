package flow

// table answers questions that depend on one another, each once, with the least
// solution: a question that is asked again while it is being answered gets what is known
// of it so far, and all on such a cycle are asked again until nothing grows. The
// solution is unique if answers only grow with those that they depend on, so it does
// not matter which question came first.
type table[K comparable, V any] struct {
	compute func(k K) V                // asks the table for what it depends on
	grow    func(old, now V) (V, bool) // joins two answers and reports whether old has grown
	done    map[K]V
	open    map[K]*question[V] // on the stack
	kept    map[K]V            // answers of the round before, of a cycle that is asked again
	stack   []K
	asking  []*question[V] // being computed
	growths int
}

// question is one that has no final answer yet.
type question[V any] struct {
	answer V
	at     int  // place on the stack
	low    int  // of the questions that it depends on, the place of the lowest
	again  bool // was asked while being answered
}

func newTable[K comparable, V any](grow func(old, now V) (V, bool)) *table[K, V] {
	return &table[K, V]{grow: grow, done: map[K]V{}, open: map[K]*question[V]{}, kept: map[K]V{}}
}

// of gives the answer to k.
func (t *table[K, V]) of(k K) V {
	if v, ok := t.done[k]; ok {
		return v
	}
	if q, ok := t.open[k]; ok {
		q.again = true
		t.depends(q.low)
		return q.answer
	}
	q := &question[V]{answer: t.kept[k], at: len(t.stack), low: len(t.stack)}
	t.open[k] = q
	t.stack = append(t.stack, k)
	t.asking = append(t.asking, q)
	for {
		growths := t.growths
		answer, grown := t.grow(q.answer, t.compute(k))
		q.answer = answer
		if grown {
			t.growths++
		}
		if q.low < q.at || !q.again || t.growths == growths {
			break
		}
		t.forget(q.at + 1)
	}
	t.asking = t.asking[:len(t.asking)-1]
	if q.low < q.at {
		t.depends(q.low)
		return q.answer
	}
	t.settle(q.at)
	return q.answer
}

// depends notes that what is being computed depends on a question on the stack.
func (t *table[K, V]) depends(low int) {
	if n := len(t.asking); n > 0 {
		t.asking[n-1].low = min(t.asking[n-1].low, low)
	}
}

// forget takes questions off the stack, to be asked again from what is known.
func (t *table[K, V]) forget(from int) {
	for _, k := range t.stack[from:] {
		t.kept[k] = t.open[k].answer
		delete(t.open, k)
	}
	t.stack = t.stack[:from]
}

// settle makes the answers from a place of the stack on final.
func (t *table[K, V]) settle(from int) {
	for _, k := range t.stack[from:] {
		t.done[k] = t.open[k].answer
		delete(t.open, k)
		delete(t.kept, k)
	}
	t.stack = t.stack[:from]
}
