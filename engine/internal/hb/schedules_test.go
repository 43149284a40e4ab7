package hb_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
	"github.com/eventraces/eventraces/engine/internal/race"
	"github.com/eventraces/eventraces/internal/realapps"
)

// TestSchedules: each high race of all fixtures, examples and published apps has a schedule that can
// happen, in which the runs of both its sides come in the order that fails; and what uses the value is
// on the way that is shown.
func TestSchedules(t *testing.T) {
	high := 0
	for _, path := range pointstotest.Apps(t) {
		t.Run(filepath.Base(path), func(t *testing.T) { high += schedulesOf(t, path) })
	}
	for _, app := range realapps.All {
		t.Run(app.Name, func(t *testing.T) { high += schedulesOf(t, app.Fetch(t)) })
	}
	if high < 500 {
		t.Errorf("only %d high races were looked at", high)
	}
}

func schedulesOf(t *testing.T, path string) (high int) {
	solved, err := pointsto.Solve(t.Context(), pointstotest.Open(t, path))
	if err != nil {
		t.Fatal(err)
	}
	set := actions.Build(solved)
	g := hb.Build(set.Model)
	found, err := race.Find(t.Context(), set, g, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range found.Races {
		r := &found.Races[i]
		if r.Priority < finding.High {
			continue
		}
		high++
		shown := found.Schedules[i]
		if err := shows(r, shown); err != nil {
			t.Errorf("%s of %s, %s and %s: %v", r.Rule, r.Field, r.Sides[0].Access.Entry, r.Sides[1].Access.Entry, err)
		}
		if err := g.Contradiction(shown.Runs); err != nil {
			t.Errorf("%s of %s cannot happen so: %v\n%s", r.Rule, r.Field, err, told(r))
		}
		for k := range r.Sides {
			if err := usedOnTheWay(&r.Sides[k]); err != nil {
				t.Errorf("%s of %s: %v", r.Rule, r.Field, err)
			}
		}
	}
	return high
}

// shows: the schedule has the runs of both sides, the use of what was freed behind the free; of a use
// before the first write only the use, and no write.
func shows(r *finding.Race, s race.Schedule) error {
	if len(s.Runs) == 0 || r.Schedule == nil || len(r.Schedule.Steps) != len(s.Runs) {
		return fmt.Errorf("there is no schedule")
	}
	first, last := s.First, s.Last
	at := slices.IndexFunc(s.Runs, func(r hb.Run) bool { return r.Action == first })
	end := s.Runs[len(s.Runs)-1]
	switch {
	case end.Action != last:
		return fmt.Errorf("the schedule does not end with the second side")
	case r.Rule == finding.UseBeforeInit:
		return nil
	case at < 0 || at >= len(s.Runs)-1:
		return fmt.Errorf("the first side does not come before the second")
	}
	return nil
}

func told(r *finding.Race) (out string) {
	for _, s := range r.Schedule.Steps {
		out += fmt.Sprintf("  %s run %d by %d on %q\n", s.Action, s.Run, s.Cause, s.Instance)
	}
	return out
}

// usedOnTheWay: the method of the access, or another one on its way, uses the value; else the
// places that do are listed.
func usedOnTheWay(s *finding.Side) error {
	if s.Access.Kind != finding.Use || len(s.Calls) == 0 {
		return nil
	}
	if last := s.Calls[len(s.Calls)-1]; last.Method.String() != s.Access.Method.String() {
		return fmt.Errorf("the way to %s ends in %s", s.Access.Method, last.Method)
	}
	return nil
}
