package finding

import (
	"fmt"
	"slices"
)

// Check verifies what every reader of a run relies on: known rules and kinds,
// complete races, ids that match their races, priorities that their facts
// explain, sorted findings.
func (r *Run) Check() error {
	if r.Schema != SchemaVersion {
		return fmt.Errorf("run has schema version %d, want %d", r.Schema, SchemaVersion)
	}
	if r.Tool.Name == "" || r.Tool.Version == "" {
		return fmt.Errorf("run names no tool or no tool version")
	}
	for i := range r.Notes {
		if r.Notes[i].Text == "" || r.Notes[i].Kind == "" {
			return fmt.Errorf("notification %d has no text or no kind", i)
		}
	}
	ids := map[string]bool{}
	for i := range r.Findings {
		if err := r.Findings[i].check(ids); err != nil {
			return fmt.Errorf("finding %d: %w", i, err)
		}
		if i > 0 && r.Findings[i-1].Priority < r.Findings[i].Priority {
			return fmt.Errorf("finding %d: stronger than the one before it", i)
		}
	}
	return nil
}

func (f *Finding) check(ids map[string]bool) error {
	if len(f.Races) == 0 {
		return fmt.Errorf("no races")
	}
	if f.Priority != f.Races[0].Priority {
		return fmt.Errorf("priority %v differs from its first race's %v", f.Priority, f.Races[0].Priority)
	}
	for i := range f.Races {
		race := &f.Races[i]
		if race.Rule != f.Rule || race.Field.String() != f.Field.String() {
			return fmt.Errorf("race %s is of rule %s on %s", race.ID, race.Rule, race.Field)
		}
		if race.group() != f.Races[0].group() {
			return fmt.Errorf("race %s has another standing than the first", race.ID)
		}
		if race.Priority > f.Priority {
			return fmt.Errorf("race %s is stronger than the first", race.ID)
		}
		if ids[race.ID] {
			return fmt.Errorf("race id %s appears twice", race.ID)
		}
		ids[race.ID] = true
		if err := race.Check(); err != nil {
			return fmt.Errorf("race %s: %w", race.ID, err)
		}
	}
	return nil
}

// Check verifies one race; its id must be set.
func (r *Race) Check() error {
	if _, ok := RuleByID(r.Rule); !ok {
		return fmt.Errorf("unknown rule %q", r.Rule)
	}
	if base, _ := SplitID(r.ID); base != baseID(r) {
		return fmt.Errorf("id is not the hash of rule, field and sides (%s)", baseID(r))
	}
	if r.Field.Class == "" || r.Field.Name == "" {
		return fmt.Errorf("field has no class or no name")
	}
	for _, text := range []struct{ name, text string }{{"order", r.Order}, {"wrong", r.Wrong}, {"fix", r.Fix}} {
		if text.text == "" {
			return fmt.Errorf("text %q is empty", text.name)
		}
	}
	if p := PriorityOf(r.Facts); r.Priority != p {
		return fmt.Errorf("priority is %v, its facts give %v", r.Priority, p)
	}
	if compareSides(&r.Sides[0], &r.Sides[1]) > 0 {
		return fmt.Errorf("sides are not in order")
	}
	for i := range r.Sides {
		if err := r.Sides[i].check(r.Brief); err != nil {
			return fmt.Errorf("side %d: %w", i, err)
		}
	}
	if s := r.Suppressed; s != nil && (s.By == "" || s.Because == "" || s.Where == "") {
		return fmt.Errorf("suppression lacks its kind, its reason or its place")
	}
	if !r.Sides[0].Access.Kind.Changes() && !r.Sides[1].Access.Kind.Changes() {
		return fmt.Errorf("neither side changes the location")
	}
	return nil
}

func (s *Side) check(brief bool) error {
	a := &s.Access
	switch {
	case !slices.Contains([]Kind{Read, Write, Free, Use}, a.Kind):
		return fmt.Errorf("unknown access kind %q", a.Kind)
	case a.Method.Class == "" || a.Method.Name == "":
		return fmt.Errorf("access has no method")
	case a.Entry.Class == "" || a.Entry.Name == "":
		return fmt.Errorf("access has no entry callback")
	case a.Action == "" || a.Thread == "":
		return fmt.Errorf("access has no action or no thread")
	case a.Line < 0:
		return fmt.Errorf("negative line")
	case brief && len(s.Events)+len(s.Calls) > 0:
		return fmt.Errorf("told in brief, but has chains")
	case len(s.Events) == 0 && !brief:
		return fmt.Errorf("no event chain")
	case len(s.Calls) == 0 && !brief:
		return fmt.Errorf("no call chain")
	}
	for i, e := range s.Events {
		if e.What == "" || e.Cause == "" {
			return fmt.Errorf("event %d has no text or no cause", i)
		}
	}
	return nil
}
