package finding

// FailOn says which findings fail a check.
type FailOn string

const (
	FailOnNew   FailOn = "new"   // what nobody has accepted
	FailOnAll   FailOn = "all"   // accepted ones too
	FailOnNever FailOn = "never" // none
)

// FailOns are all of them, as flags and inputs name them.
func FailOns() []string { return []string{string(FailOnNew), string(FailOnAll), string(FailOnNever)} }

// Fails says whether the run has a finding of a priority, or above it, that fails
// a check.
func (r *Run) Fails(on FailOn, min Priority) bool {
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Priority >= min && on.fails(f.Standing()) {
			return true
		}
	}
	return false
}

func (on FailOn) fails(s Standing) bool {
	switch on {
	case FailOnAll:
		return s != Suppressed
	case FailOnNew:
		return s == Open
	default:
		return false
	}
}
