package hb

import (
	"fmt"
	"slices"
)

// walks answers questions about all walks of an automaton from its initial
// state. Callbacks sit at positions: the k-th callback of a transition, or an
// event in a state.
type walks struct {
	a     *Automaton
	reach matrix // states: a walk of zero or more transitions
	live  row    // states reachable from Init
	at    map[int32][]position
}

// position of a callback: transition tr at place k, or an event (tr < 0) in
// state from.
type position struct {
	tr, k    int
	from, to node
}

func newWalks(a *Automaton) *walks {
	n := len(a.States)
	w := &walks{a: a, reach: newMatrix(n), live: newRow(n), at: map[int32][]position{}}
	for i := range w.reach {
		w.reach[i].set(node(i))
	}
	for changed := true; changed; {
		changed = false
		for _, tr := range a.Transitions {
			if a.valid(tr.From) && a.valid(tr.To) && w.reach[tr.From].or(w.reach[tr.To]) {
				changed = true
			}
		}
		for i := range w.reach {
			r := w.reach[i]
			r.each(func(s node) {
				if r.or(w.reach[s]) {
					changed = true
				}
			})
		}
	}
	if a.valid(a.Init) {
		w.live.or(w.reach[a.Init])
	}
	w.place()
	return w
}

func (a *Automaton) valid(s int32) bool { return s >= 0 && int(s) < len(a.States) }

func (w *walks) place() {
	for i, tr := range w.a.Transitions {
		if !w.a.valid(tr.From) || !w.a.valid(tr.To) || !w.live.has(node(tr.From)) {
			continue
		}
		for k, cb := range tr.Callbacks {
			w.at[cb] = append(w.at[cb], position{i, k, node(tr.From), node(tr.To)})
		}
	}
	for _, ev := range w.a.Events {
		for _, s := range ev.States {
			if w.a.valid(s) && w.live.has(node(s)) {
				w.at[ev.Callback] = append(w.at[ev.Callback], position{-1, 0, node(s), node(s)})
			}
		}
	}
}

// then: some walk is at p and strictly later at q.
func (w *walks) then(p, q position) bool {
	if p.tr >= 0 && p.tr == q.tr && p.k < q.k {
		return true
	}
	return w.reach[p.to].has(q.from)
}

func (w *walks) may(x, y int32) bool {
	for _, p := range w.at[x] {
		for _, q := range w.at[y] {
			if w.then(p, q) {
				return true
			}
		}
	}
	return false
}

// precedes: in every walk all of x come before all of y, and some walk has both.
func (w *walks) precedes(x, y int32) bool { return x != y && w.may(x, y) && !w.may(y, x) }

// key is equal for callbacks at the same positions.
func (w *walks) key(x int32) string {
	return fmt.Sprint(w.at[x])
}

// repeats: some walk has x twice.
func (w *walks) repeats(x int32) bool { return len(w.at[x]) == 0 || w.may(x, x) }

// passes: each walk that leaves the passing states has x on its way.
func (w *walks) passes(x int32) bool {
	if len(w.a.Passing) == 0 || len(w.at[x]) == 0 {
		return false
	}
	seen := newRow(len(w.a.States))
	seen.set(node(w.a.Init))
	for changed := true; changed; {
		changed = false
		for _, tr := range w.a.Transitions {
			if w.a.valid(tr.From) && w.a.valid(tr.To) && seen.has(node(tr.From)) && !seen.has(node(tr.To)) && !slices.Contains(tr.Callbacks, x) {
				if slices.Contains(w.a.Passing, tr.From) && !slices.Contains(w.a.Passing, tr.To) {
					return false
				}
				seen.set(node(tr.To))
				changed = true
			}
		}
	}
	return true
}

// after lists the callbacks that no walk reaches without passing x before.
func (w *walks) after(x int32) map[int32]bool {
	free := newRow(len(w.a.States)) // states reachable without x
	if w.a.valid(w.a.Init) {
		free.set(node(w.a.Init))
	}
	without := func(cbs []int32) bool {
		for _, cb := range cbs {
			if cb == x {
				return false
			}
		}
		return true
	}
	for changed := true; changed; {
		changed = false
		for _, tr := range w.a.Transitions {
			if w.a.valid(tr.From) && w.a.valid(tr.To) && free.has(node(tr.From)) &&
				!free.has(node(tr.To)) && without(tr.Callbacks) {
				free.set(node(tr.To))
				changed = true
			}
		}
	}
	after := map[int32]bool{}
	for y, ps := range w.at {
		all := y != x
		for _, p := range ps {
			if free.has(p.from) && (p.tr < 0 || without(w.a.Transitions[p.tr].Callbacks[:p.k])) {
				all = false
			}
		}
		if all {
			after[y] = true
		}
	}
	return after
}
