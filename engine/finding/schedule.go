package finding

import "strings"

// Schedule is an ordered list of events that shows a failure. Refutation makes
// it, reports draw it, verification replays it, a recorded trace can be cut to
// it.
type Schedule struct {
	Outcome string `json:"outcome"` // what is seen at its end
	Steps   []Step `json:"steps"`
}

// Step is one stretch of one run of an action: from where the run stands to
// Until, or to its end.
type Step struct {
	Action   string    `json:"action"`             // stable name, as in Access.Action
	Callback *Callback `json:"callback,omitempty"` // the action's entry
	Run      int       `json:"run"`                // 1 = the action's first run in this schedule
	Cause    int       `json:"cause"`              // 1-based step that posted or registered it; 0 = user or system
	Instance string    `json:"instance"`           // component instance, e.g. "MainActivity 1"; "" = the process
	Once     bool      `json:"once,omitempty"`     // the platform calls it once for each instance
	Thread   string    `json:"thread"`             // as in Access.Thread
	What     string    `json:"what"`               // for people: "the user presses Back"
	Until    *Position `json:"until,omitempty"`    // nil = the run ends
	Branches []Branch  `json:"branches,omitempty"`
}

// Branch is a choice that the step must make to get to its end.
type Branch struct {
	At    Position `json:"at"`
	Takes string   `json:"takes"` // "true", "false", a case label, or the class of an exception
}

// Short tells the steps in one line: onResume, onDestroy, then run. It is "" if that would be a
// single name. The making of an object is left out; callbacks come with their class if there
// are several of a name or of a component, and of a second instance it is said.
func (s *Schedule) Short() string {
	var names []string
	steps := map[string]*Step{} // by name
	told := map[string]bool{}   // instances
	for i := range s.Steps {
		step := &s.Steps[i]
		c := step.Callback
		if c != nil && strings.HasPrefix(c.Name, "<") {
			continue
		}
		name := step.Action
		if c != nil {
			name = s.stepName(c)
		}
		switch before := steps[name]; {
		case step.Once && !step.first():
			if told[step.Instance] {
				name += " of the new instance"
			} else {
				name += " of a new instance"
			}
		case before == nil:
			steps[name] = step
		case before.Action == step.Action:
			name += " again"
		default:
			name = "another " + name
		}
		told[step.Instance] = true
		names = append(names, name)
	}
	if len(names) < 2 {
		return ""
	}
	names[len(names)-1] = "then " + names[len(names)-1]
	return strings.Join(names, ", ")
}

// first: the step is of the first instance of its component, or of none.
func (s *Step) first() bool {
	_, number, found := strings.Cut(s.Instance, " ")
	return !found || number == "1"
}

func (s *Schedule) stepName(c *Callback) string {
	instance := ""
	for i := range s.Steps {
		step := &s.Steps[i]
		if d := step.Callback; d != nil && d.Name == c.Name && d.String() != c.String() {
			return c.Short()
		}
		if instance == "" {
			instance = step.Instance
		}
		if step.Instance != "" && step.Instance != instance {
			return c.Short()
		}
	}
	return c.Name
}
