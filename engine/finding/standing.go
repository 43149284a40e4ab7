package finding

// State is how a race compares with the stored baseline.
type State string

const (
	New       State = "new"       // no line of the baseline stands for it
	Worse     State = "worse"     // above the priority at which it was accepted; counts as new
	Unchanged State = "unchanged" // accepted
)

// Accepted is one accepted race as a baseline stores it.
type Accepted struct {
	Rule      RuleID    `json:"rule"`
	Field     string    `json:"field"`
	Callbacks [2]string `json:"callbacks"` // entries of both sides, sorted
	Priority  Priority  `json:"priority"`  // at which it was accepted
	ID        string    `json:"id"`        // differs from the race's if its names have changed since
	Reason    string    `json:"reason,omitempty"`
}

// AcceptedOf is what a baseline stores of a race.
func AcceptedOf(r *Race) Accepted {
	a, b := r.Sides[0].Access.Entry.String(), r.Sides[1].Access.Entry.String()
	return Accepted{
		Rule: r.Rule, Field: r.Field.String(), Callbacks: [2]string{min(a, b), max(a, b)}, Priority: r.Priority, ID: r.ID,
	}
}

// Comparison is what comparing with baselines gave beside the states of races.
type Comparison struct {
	Files   []string   `json:"files"`   // base names, in the order given; the first is the one to keep
	Missing []string   `json:"missing"` // of these, what does not exist: it accepts nothing
	Gone    []Accepted `json:"gone"`    // lines of the first that no race answers to
	Pending []Accepted `json:"pending"` // lines that only some of the files have: they do not count
}

// Suppression is a statement in the source that a race is accepted.
type Suppression struct {
	By      string `json:"by"` // "comment" or "annotation"
	Because string `json:"because"`
	Where   string `json:"where"` // file:line, or class.member
}

// Standing is what a reader has to do with a race.
type Standing int

const (
	Open       Standing = iota // new, or worse than accepted
	Known                      // accepted by the baseline
	Suppressed                 // by the source
)

// Standing of the race.
func (r *Race) Standing() Standing {
	switch {
	case r.Suppressed != nil:
		return Suppressed
	case r.State == Unchanged:
		return Known
	default:
		return Open
	}
}

// group is what must be equal of races that are shown as one: a reader must not
// take a worse race for a new one either.
func (r *Race) group() groupKey {
	key := groupKey{rule: r.Rule, field: r.Field.String(), standing: r.Standing()}
	if key.standing == Open {
		key.worse = r.State == Worse
	}
	return key
}

type groupKey struct {
	rule     RuleID
	field    string
	standing Standing
	worse    bool
}

// Standing of all races of the finding.
func (f *Finding) Standing() Standing { return f.First().Standing() }

// EachRace visits the races in the order of the findings. What visit changes
// stays; Regroup puts it in order.
func (r *Run) EachRace(visit func(*Race)) {
	for i := range r.Findings {
		for j := range r.Findings[i].Races {
			visit(&r.Findings[i].Races[j])
		}
	}
}

// Race is the race of the run with this id, or nil.
func (r *Run) Race(id string) *Race {
	var found *Race
	r.EachRace(func(x *Race) {
		if x.ID == id {
			found = x
		}
	})
	return found
}

// Regroup makes the findings anew after states or suppressions of races have
// changed. Ids stay.
func (r *Run) Regroup() {
	var races []Race
	r.EachRace(func(x *Race) { races = append(races, *x) })
	r.Findings = group(races)
	r.count(len(races))
	r.SortNotes()
}
