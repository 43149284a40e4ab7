package actions

import (
	"testing"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// messages is a set with two callbacks, connected (2) and event (3), of which
// the first posts init (4) and the second posts use (5) to one looper.
func messages(initDelay, useDelay hb.Delay) *Set {
	const looper = pointsto.Obj(1)
	s := &Set{
		Model:  &hb.Model{},
		Queues: []Queue{{}, {Object: looper, Kind: hb.QueueLooper}},
		owners: map[pointsto.Obj]Owner{looper: {Scope: hb.ScopeProcess, Unique: true}},
	}
	for id := range hb.ActionID(6) {
		s.Actions = append(s.Actions, Action{ID: id, Queue: 1})
	}
	post := func(from, to hb.ActionID, d hb.Delay) {
		p := s.Model.AddPoint(hb.Point{Action: from, Kind: hb.Post, Targets: []hb.ActionID{to}, Delay: d})
		s.Actions[to].Causes = append(s.Actions[to].Causes, p)
	}
	post(2, 4, initDelay)
	post(3, 5, useDelay)
	return s
}

func TestPostedFirst(t *testing.T) {
	first := func(x, y hb.ActionID) bool { return x == 2 && y == 3 }
	for _, c := range []struct {
		name      string
		init, use hb.Delay
		change    func(s *Set)
		want      bool
	}{
		{"at once", hb.Now, hb.Now, nil, true},
		{"use later", hb.Now, hb.Delay{Known: true, MS: 5}, nil, true},
		{"init later", hb.Delay{Known: true, MS: 5}, hb.Now, nil, false},
		{"init at an unknown time", hb.Delay{}, hb.Now, nil, false},
		{"use at an unknown time", hb.Now, hb.Delay{}, nil, false},
		{"two queues", hb.Now, hb.Now, func(s *Set) {
			s.Queues = append(s.Queues, s.Queues[1])
			s.Actions[5].Queue = 2
		}, false},
		{"several loopers", hb.Now, hb.Now, func(s *Set) { s.owners[1] = Owner{Scope: hb.ScopeProcess} }, false},
		{"init cancelled", hb.Now, hb.Now, func(s *Set) {
			s.Model.AddPoint(hb.Point{Action: 3, Kind: hb.Cancel, Targets: []hb.ActionID{4}})
		}, false},
		{"use ahead of the queue", hb.Now, hb.Now, func(s *Set) { s.Model.Points[2].Front = true }, false},
		{"use posted by another", hb.Now, hb.Now, func(s *Set) {
			s.Actions[5].Causes = append(s.Actions[5].Causes, s.Model.AddPoint(hb.Point{Action: 1, Kind: hb.Post, Targets: []hb.ActionID{5}, Delay: hb.Now}))
		}, false},
		{"use posts itself again", hb.Now, hb.Now, func(s *Set) {
			s.Actions[5].Causes = append(s.Actions[5].Causes, s.Model.AddPoint(hb.Point{Action: 5, Kind: hb.Post, Targets: []hb.ActionID{5}, Delay: hb.Now}))
		}, true},
	} {
		s := messages(c.init, c.use)
		if c.change != nil {
			c.change(s)
		}
		s.causation()
		if got := s.EarlierRun(4, 5, first); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if s.EarlierRun(5, 4, first) {
			t.Errorf("%s: use before init", c.name)
		}
	}
}

// TestEarlierCause: what precedes everything that makes an action run precedes
// the action.
func TestEarlierCause(t *testing.T) {
	s := messages(hb.Delay{}, hb.Delay{})
	s.causation()
	first := func(x, y hb.ActionID) bool { return x == 2 && y == 3 }
	if !s.EarlierRun(2, 5, first) {
		t.Error("connected precedes what event posts")
	}
	if s.EarlierRun(3, 4, first) {
		t.Error("event precedes what connected posts")
	}
}
