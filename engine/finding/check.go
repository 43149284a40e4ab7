package finding

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Check verifies what every reader of a run relies on: known rules and kinds,
// complete races, ids that match their races, priorities that their facts
// explain, sorted findings.
func (r *Run) Check() error {
	if r.Schema != SchemaVersion {
		return fmt.Errorf("run has schema version %d, want %d", r.Schema, SchemaVersion)
	}
	if strings.TrimSpace(r.Tool.Name) == "" || strings.TrimSpace(r.Tool.Version) == "" {
		return fmt.Errorf("run names no tool or no tool version")
	}
	if r.Category != "" && !IsCategory(r.Category) {
		return fmt.Errorf("category of the run: want letters, digits, dots, dashes and underscores, at most 60")
	}
	if r.Revision != "" && !IsRevision(r.Revision) {
		return fmt.Errorf("revision of the run is not a commit's full name")
	}
	for i := range r.Notes {
		if strings.TrimSpace(r.Notes[i].Text) == "" || r.Notes[i].Kind == "" {
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
	counted := *r
	if counted.count(len(ids)); counted.Counts != r.Counts {
		return fmt.Errorf("counts of races or findings are not those of the findings")
	}
	return r.Baseline.check()
}

var (
	categoryForm = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]{0,59}$`)
	revisionForm = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)
)

// IsCategory says whether s can tell one app of a repository from the others.
func IsCategory(s string) bool { return categoryForm.MatchString(s) }

// IsRevision says whether s is the full name of a commit.
func IsRevision(s string) bool { return revisionForm.MatchString(s) }

func (c *Comparison) check() error {
	if c == nil {
		return nil
	}
	if len(c.Files) == 0 {
		return fmt.Errorf("comparison with a baseline names no file")
	}
	for _, a := range slices.Concat(c.Gone, c.Pending) {
		if err := a.check(); err != nil {
			return fmt.Errorf("line of the baseline: %w", err)
		}
	}
	return nil
}

func (a *Accepted) check() error {
	_, err := ParseRule(string(a.Rule))
	switch {
	case err != nil:
		return err
	case !IsID(a.ID):
		return fmt.Errorf("id %q has not the form of one", a.ID)
	case a.Priority < Low || a.Priority > High:
		return fmt.Errorf("accepted race %s has no priority", a.ID)
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
	if _, err := ParseRule(string(r.Rule)); err != nil {
		return err
	}
	if base, _ := SplitID(r.ID); base != baseID(r) || !IsID(r.ID) {
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
	if r.Pairs < 0 {
		return fmt.Errorf("stands for %d pairs", r.Pairs)
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
	if err := r.checkStanding(); err != nil {
		return err
	}
	if err := r.Schedule.check(); err != nil {
		return err
	}
	if !r.Sides[0].Access.Kind.Changes() && !r.Sides[1].Access.Kind.Changes() {
		return fmt.Errorf("neither side changes the location")
	}
	return nil
}

func (r *Race) checkStanding() error {
	if s := r.Suppressed; s != nil && (s.By == "" || s.Because == "" || s.Where == "") {
		return fmt.Errorf("suppression lacks its kind, its reason or its place")
	}
	switch r.State {
	case "", New:
		if r.Accepted != nil {
			return fmt.Errorf("accepted, but not worse or unchanged")
		}
		return nil
	case Worse, Unchanged:
		if r.Accepted == nil {
			return fmt.Errorf("%s, but accepted by no line of a baseline", r.State)
		}
		return r.Accepted.check()
	default:
		return fmt.Errorf("unknown state %q", r.State)
	}
}

func (s *Schedule) check() error {
	if s == nil {
		return nil
	}
	for i := range s.Steps {
		step := &s.Steps[i]
		switch {
		case step.Action == "":
			return fmt.Errorf("step %d has no action", i+1)
		case step.Cause < 0 || step.Cause > i:
			return fmt.Errorf("step %d is caused by step %d, which is not before it", i+1, step.Cause)
		case step.Run < 1:
			return fmt.Errorf("step %d is run %d of its action", i+1, step.Run)
		case step.Until != nil && !step.Until.possible():
			return fmt.Errorf("step %d ends in line %d", i+1, step.Until.Line)
		}
		for _, b := range step.Branches {
			if !b.At.possible() {
				return fmt.Errorf("step %d branches in line %d", i+1, b.At.Line)
			}
		}
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
	case !a.possible():
		return fmt.Errorf("access in line %d", a.Line)
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
		if e.Site != nil && !e.Site.possible() {
			return fmt.Errorf("event %d is asked for in line %d", i, e.Site.Line)
		}
	}
	for i := range s.Calls {
		if !s.Calls[i].possible() {
			return fmt.Errorf("call %d is in line %d", i, s.Calls[i].Line)
		}
	}
	for i := range s.Further {
		if !s.Further[i].possible() {
			return fmt.Errorf("further place in line %d", s.Further[i].Line)
		}
	}
	return nil
}

// possible: bytecode has no line beyond 32 bits.
func (p *Position) possible() bool { return p.Line >= 0 && int64(p.Line) < 1<<32 }
