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

// Short tells the steps in one line: onResume, onDestroy, then run. A name that
// two callbacks share comes with the class.
func (s *Schedule) Short() string {
	names := make([]string, 0, len(s.Steps))
	for i := range s.Steps {
		names = append(names, s.stepName(i))
	}
	if n := len(names); n > 1 {
		names[n-1] = "then " + names[n-1]
	}
	return strings.Join(names, ", ")
}

func (s *Schedule) stepName(i int) string {
	c := s.Steps[i].Callback
	if c == nil {
		return s.Steps[i].Action
	}
	for j := range s.Steps {
		if d := s.Steps[j].Callback; d != nil && d.Name == c.Name && d.String() != c.String() {
			return c.Short()
		}
	}
	return c.Name
}
