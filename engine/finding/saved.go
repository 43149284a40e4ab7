package finding

import (
	"bytes"
	"encoding/json"
)

// A run is saved with tables: what races share (methods, places, chains, texts,
// facts) is written once, and races name it by the number of its row. Its size is
// so that of what differs, not that of all pairs. Rows stand in the order of
// their first use. Memory holds no tables: a run that is read back has the shape
// of the run that was saved, and its races share the chains.

// savedRun is the JSON form of Run.
type savedRun struct {
	Schema   int            `json:"schemaVersion"`
	Tool     Tool           `json:"tool"`
	App      App            `json:"app"`
	Inputs   []Input        `json:"inputs"`
	Counts   Counts         `json:"counts"`
	Findings []savedFinding `json:"findings"`
	Tables   savedTables    `json:"tables"`
	Notes    []Notification `json:"notifications"`
	Baseline *Comparison    `json:"baseline,omitempty"`
	Category string         `json:"category,omitempty"`
	Revision string         `json:"revision,omitempty"`
}

type savedFinding struct {
	Rule     RuleID      `json:"rule"`
	Field    index       `json:"field"`
	Priority Priority    `json:"priority"`
	Races    []savedRace `json:"races"`
}

// savedRace leaves out the rule and the field where they are the finding's.
type savedRace struct {
	ID         string         `json:"id"`
	Rule       RuleID         `json:"rule,omitempty"`
	Field      index          `json:"field,omitzero"`
	Sides      []index        `json:"sides"`
	Order      index          `json:"order"` // texts
	Wrong      index          `json:"wrong"`
	Fix        index          `json:"fix"`
	Priority   Priority       `json:"priority"`
	Facts      []index        `json:"facts"`
	Pairs      int            `json:"pairs,omitempty"`
	Schedule   *savedSchedule `json:"schedule,omitempty"`
	Brief      bool           `json:"brief,omitempty"`
	State      State          `json:"state,omitempty"`
	Accepted   *savedAccepted `json:"accepted,omitempty"`
	Suppressed index          `json:"suppressed,omitzero"`
	Limited    []index        `json:"limited,omitzero"` // texts
}

type savedSchedule struct {
	Outcome string  `json:"outcome"`
	Steps   []index `json:"steps"`
}

type savedAccepted struct {
	Rule      RuleID   `json:"rule"`
	Field     index    `json:"field"` // texts
	Callbacks [2]index `json:"callbacks"`
	Priority  Priority `json:"priority"`
	ID        string   `json:"id"`
	Reason    string   `json:"reason,omitempty"`
}

// savedTables hold each row once.
type savedTables struct {
	Fields       []Field         `json:"fields"`
	Methods      []Method        `json:"methods"` // entries of actions are named like methods
	Positions    []savedPosition `json:"positions"`
	Actions      []savedAction   `json:"actions"`
	Sides        []savedSide     `json:"sides"`
	Events       []savedEvent    `json:"events"`
	Chains       [][]index       `json:"chains"` // lists of events
	Frames       []savedFrame    `json:"frames"`
	Calls        [][]index       `json:"calls"`   // lists of frames
	Further      [][]index       `json:"further"` // lists of positions
	Steps        []savedStep     `json:"steps"`
	Facts        []Fact          `json:"facts"`
	Phrases      []string        `json:"phrases"`
	Texts        [][]index       `json:"texts"` // lists of phrases, which follow each other with nothing between
	Suppressions []Suppression   `json:"suppressions"`
}

type savedPosition struct {
	Method index  `json:"method"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Found  bool   `json:"resolved,omitempty"`
}

type savedAction struct {
	Name   string `json:"name"`
	Entry  index  `json:"entry,omitzero"` // methods
	Thread string `json:"thread"`
}

type savedSide struct {
	At      index `json:"at"` // positions
	Kind    Kind  `json:"kind"`
	Action  index `json:"action"`
	Chain   index `json:"chain,omitzero"`
	Calls   index `json:"calls,omitzero"`
	Further index `json:"further,omitzero"`
}

type savedEvent struct {
	What     string `json:"what"`
	Cause    Cause  `json:"cause"`
	Callback index  `json:"callback,omitzero"` // methods
	Thread   string `json:"thread,omitempty"`
	Site     index  `json:"site,omitzero"` // positions
}

type savedFrame struct {
	At   index  `json:"at"` // positions
	Note string `json:"note,omitempty"`
}

type savedStep struct {
	Action   index         `json:"action"`
	Run      int           `json:"run"`
	Cause    int           `json:"cause"`
	Instance string        `json:"instance"`
	Once     bool          `json:"once,omitempty"`
	What     string        `json:"what"`
	Until    index         `json:"until,omitzero"` // positions
	Branches []savedBranch `json:"branches,omitzero"`
}

type savedBranch struct {
	At    index  `json:"at"` // positions
	Takes string `json:"takes"`
}

// MarshalJSON writes the run with tables.
func (r *Run) MarshalJSON() ([]byte, error) {
	var s saver
	out := savedRun{
		Schema: r.Schema, Tool: r.Tool, App: r.App, Inputs: r.Inputs, Counts: r.Counts,
		Findings: each(r.Findings, s.finding),
		Notes:    r.Notes, Baseline: r.Baseline, Category: r.Category, Revision: r.Revision,
	}
	out.Tables = s.tables()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // whoever wants < escaped does so to what this returns
	if err := e.Encode(&out); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// UnmarshalJSON reads a run of this version or of version 1, which has no tables.
// Of another version it reads the number only, which Check refuses.
func (r *Run) UnmarshalJSON(b []byte) error {
	var head struct {
		Schema int `json:"schemaVersion"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return err
	}
	switch head.Schema {
	case 1:
		type plain Run
		err := json.Unmarshal(b, (*plain)(r))
		r.Schema = SchemaVersion
		return err
	case SchemaVersion:
		var s savedRun
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
		return s.load(r)
	}
	*r = Run{Schema: head.Schema}
	return nil
}
