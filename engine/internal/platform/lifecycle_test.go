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

// An event that a transition delivers stays the event that it is; a callback
// that also moves the object is of the lifecycle.
func TestIsEvent(t *testing.T) {
	m, _ := models(t)
	delivered := 0
	for _, c := range []struct {
		base, name string
		event      bool
	}{
		{"android.app.Activity", "onActivityResult", true},
		{"android.app.Activity", "onNewIntent", true},
		{"android.app.Activity", "onResume", false},
		{"android.app.job.JobService", "onStopJob", false},
	} {
		l := m.byBase(c.base)
		for _, tr := range l.Transitions {
			for _, k := range tr.Calls {
				call := l.Callbacks[k]
				if call.Callback.Name != c.name {
					continue
				}
				delivered++
				if got := call.Cause != ByLifecycle; got != c.event {
					t.Errorf("%s.%s in a transition: an event %t, want %t", c.base, c.name, got, c.event)
				}
				if c.name == "onActivityResult" && !(call.Rare && call.Pending) {
					t.Errorf("%s.%s in a transition is not as rare and pending as the event", c.base, c.name)
				}
			}
		}
		for _, e := range l.Events {
			if l.Callbacks[e.Call].Callback.Name == c.name && c.event && !l.IsEvent(e.Call) {
				t.Errorf("%s.%s is no event", c.base, c.name)
			}
		}
	}
	if delivered < 4 {
		t.Errorf("%d callbacks of transitions", delivered)
	}
}
