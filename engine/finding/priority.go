package finding

import "fmt"

// Priority says how loudly a race is told. High means: worth interrupting a
// reviewer.
type Priority int

const (
	Low Priority = iota + 1
	Medium
	High
)

var priorityNames = [...]string{Low: "low", Medium: "medium", High: "high"}

func (p Priority) String() string {
	if p < Low || p > High {
		return fmt.Sprintf("Priority(%d)", int(p))
	}
	return priorityNames[p]
}

// ParsePriority reads the name of a priority.
func ParsePriority(s string) (Priority, error) {
	for p := Low; p <= High; p++ {
		if priorityNames[p] == s {
			return p, nil
		}
	}
	return 0, fmt.Errorf("priority %q is not one of high, medium, low", s)
}

// MarshalText writes the name.
func (p Priority) MarshalText() ([]byte, error) {
	if p < Low || p > High {
		return nil, fmt.Errorf("priority %d is not one of high, medium, low", int(p))
	}
	return []byte(priorityNames[p]), nil
}

// UnmarshalText reads the name.
func (p *Priority) UnmarshalText(b []byte) error {
	q, err := ParsePriority(string(b))
	if err != nil {
		return err
	}
	*p = q
	return nil
}

// PriorityOf is the priority that the facts leave: the least of their limits,
// high if none limits.
func PriorityOf(facts []Fact) Priority {
	p := High
	for _, f := range facts {
		if f.Limit != 0 && f.Limit < p {
			p = f.Limit
		}
	}
	return p
}
