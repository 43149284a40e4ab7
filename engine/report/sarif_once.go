package report

import (
	"encoding/json"
	"slices"

	"github.com/owenrumney/go-sarif/v2/sarif"

	"github.com/eventraces/eventraces/engine/finding"
)

// tables are what results share and SARIF writes once, in tables of the run: the
// steps of thread flows, as threadFlowLocations; the methods, as logicalLocations;
// and the actions of accesses, as a property of ours.
type tables struct {
	inline  bool // code scanning knows neither of SARIF's tables: everything stands where it is used
	steps   []*sarif.ThreadFlowLocation
	at      map[string]int // steps by their JSON
	methods []*sarif.LogicalLocation
	method  map[string]int // methods by name
	actions []any
	action  map[[2]string]int // actions by name and thread
}

// step is what a flow holds for a step: its index, or the step itself.
func (t *tables) step(s *sarif.ThreadFlowLocation) *sarif.ThreadFlowLocation {
	if t.inline {
		return s
	}
	t.place(s.Location)
	text, err := json.Marshal(s)
	if err != nil {
		return s // and the report will not be written
	}
	i, ok := t.at[string(text)]
	if !ok {
		if t.at == nil {
			t.at = map[string]int{}
		}
		i = len(t.steps)
		t.at[string(text)] = i
		t.steps = append(t.steps, s)
	}
	return sarif.NewThreadFlowLocation().WithIndex(i)
}

// place makes a location name its method by index.
func (t *tables) place(l *sarif.Location) *sarif.Location {
	if t.inline || len(l.LogicalLocations) == 0 {
		return l
	}
	named := l.LogicalLocations[0]
	i, ok := t.method[*named.FullyQualifiedName]
	if !ok {
		if t.method == nil {
			t.method = map[string]int{}
		}
		i = len(t.methods)
		t.method[*named.FullyQualifiedName] = i
		t.methods = append(t.methods, named)
	}
	l.LogicalLocations = []*sarif.LogicalLocation{sarif.NewLogicalLocation().WithIndex(i)}
	return l
}

// accessJSON is an access of a finding. Also has the other actions, by their rows
// in the table, that do the same there.
type accessJSON struct {
	Method string   `json:"method"`
	Params []string `json:"parameters"`
	Line   int      `json:"line"`
	Kind   string   `json:"kind"`
	Action string   `json:"action"`
	Thread string   `json:"thread"`
	Also   []int    `json:"also,omitempty"`
}

// accesses are those of all races of a finding, each once: the pair of the first
// race, then the others. One that differs from an earlier one in its action alone
// is told there.
func (t *tables) accesses(f *finding.Finding) []*accessJSON {
	type place struct {
		method string
		line   int
		kind   finding.Kind
	}
	var out []*accessJSON
	at := map[place]*accessJSON{}
	seen := map[place]map[[2]string]bool{}
	for i := range f.Races {
		for j := range f.Races[i].Sides {
			a := &f.Races[i].Sides[j].Access
			p, by := place{a.Method.String(), a.Line, a.Kind}, [2]string{a.Action, a.Thread}
			if seen[p] == nil {
				seen[p] = map[[2]string]bool{}
			}
			if seen[p][by] {
				continue
			}
			seen[p][by] = true
			if first := at[p]; first != nil && i > 0 {
				first.Also = append(first.Also, t.actionRow(by))
				continue
			}
			x := &accessJSON{
				Method: Clean(a.Method.QualifiedName()), Params: cleanAll(a.Method.Params), Line: a.Line,
				Kind: string(a.Kind), Action: Clean(a.Action), Thread: Clean(a.Thread),
			}
			out = append(out, x)
			if at[p] == nil {
				at[p] = x
			}
		}
	}
	for _, x := range out {
		slices.Sort(x.Also)
	}
	return out
}

func (t *tables) actionRow(by [2]string) int {
	i, ok := t.action[by]
	if !ok {
		if t.action == nil {
			t.action = map[[2]string]int{}
		}
		i = len(t.actions)
		t.action[by] = i
		t.actions = append(t.actions, map[string]string{"action": Clean(by[0]), "thread": Clean(by[1])})
	}
	return i
}

// addTo adds the tables to the run.
func (t *tables) addTo(out *sarif.Run) {
	out.ThreadFlowLocations, out.LogicalLocations = t.steps, t.methods
	if len(t.actions) > 0 {
		out.Properties = sarif.Properties{"actions": t.actions}
	}
}
