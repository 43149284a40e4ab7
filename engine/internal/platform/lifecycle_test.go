package platform

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// screen is a lifecycle with a way back from hidden and none from gone.
func screen() *Lifecycle {
	const made, shown, hidden, gone = 0, 1, 2, 3
	return &Lifecycle{
		States: []string{"made", "shown", "hidden", "gone"},
		Transitions: []Transition{
			{From: made, To: shown, Calls: []int{0, 1}},
			{From: shown, To: hidden, Calls: []int{2}},
			{From: hidden, To: shown, Calls: []int{1}},
			{From: hidden, To: gone, Calls: []int{3}},
		},
	}
}

// A callback leads to the states after it, round about too.
func TestReachedBy(t *testing.T) {
	for call, want := range map[int][]int{
		0: {1, 2, 3},
		1: {1, 2, 3},
		2: {1, 2, 3},
		3: {3},
		4: nil, // of no transition
	} {
		got := screen().ReachedBy(call)
		slices.Sort(got)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("states after callback %d (-want +got):\n%s", call, d)
		}
	}
}

// A query answers for sure only if no state that follows answers otherwise.
func TestAnswers(t *testing.T) {
	isGone := &Predicate{True: []int{3}, False: []int{0, 1, 2}}
	for _, c := range []struct {
		call         int
		answer, want bool
	}{
		{3, true, true},
		{3, false, false},
		{2, false, false}, // gone may follow
		{2, true, false},
		{4, true, false}, // never called
	} {
		if got := screen().Answers(isGone, c.call, c.answer); got != c.want {
			t.Errorf("answer %t after callback %d: %t, want %t", c.answer, c.call, got, c.want)
		}
	}
}
