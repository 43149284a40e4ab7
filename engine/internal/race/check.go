package race

import (
	"fmt"

	"github.com/eventraces/eventraces/engine/finding"
)

// Check verifies the result: what the filters have removed adds up, no race is of
// a rule that its accesses do not fit, and each priority is that of its facts.
func (r *Result) Check() error {
	sum := 0
	for _, n := range r.Removed {
		sum += n
	}
	if sum != r.Filtered || r.Filtered > r.Candidates {
		return fmt.Errorf("race: filters removed %d, together %d, of %d candidates", sum, r.Filtered, r.Candidates)
	}
	for i := range r.Races {
		if err := check(&r.Races[i]); err != nil {
			return fmt.Errorf("race: %s of %s: %w", r.Races[i].Rule, r.Races[i].Field, err)
		}
	}
	return nil
}

func check(r *finding.Race) error {
	a, b := &r.Sides[0].Access, &r.Sides[1].Access
	switch {
	case r.Field.Class == "" || r.Field.Name == "":
		return fmt.Errorf("no field")
	case !a.Kind.Changes() && !b.Kind.Changes():
		return fmt.Errorf("%s and %s: nothing changes the location", a.Kind, b.Kind)
	case r.Priority != finding.PriorityOf(r.Facts):
		return fmt.Errorf("priority %s, but its facts say %s", r.Priority, finding.PriorityOf(r.Facts))
	}
	free := a.Kind == finding.Free && b.Kind == finding.Use || a.Kind == finding.Use && b.Kind == finding.Free
	if free != (r.Rule == finding.UseAfterFree) {
		return fmt.Errorf("%s and %s", a.Kind, b.Kind)
	}
	for i := range r.Sides {
		if e := &r.Sides[i].Access.Entry; e.Class == "" || e.Name == "" {
			return fmt.Errorf("side %d has no callback", i)
		}
	}
	return nil
}
