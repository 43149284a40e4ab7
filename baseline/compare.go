package baseline

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/eventraces/eventraces/engine/finding"
)

// Names tells which names the analysed app has; a name that is gone may be one
// that was renamed.
type Names interface {
	HasClass(name string) bool              // com.example.Main$Loader
	HasMethod(class, signature string) bool // onCreate(android.os.Bundle)
	HasField(class, name string) bool
	Inherits(class, signature string) bool // the class has it from a class or interface that is not the app's
}

// Compare gives each race of the run its state. With several baselines a race is
// accepted only if each of them accepts it, so that a change cannot hide its race
// by editing its own copy; the first is the one that is kept, and what is gone is
// told of it. What it has and the others lack is pending. The findings of the run are grouped anew. The names of a shrunk
// build are not those that ids are made of: it cannot be compared.
func Compare(run *finding.Run, files []*File, names Names) error {
	if run.App.Renamed {
		return errors.New("the build is shrunk, and its names are not the app's own: its ids cannot stand in a baseline, or be compared with one; give its mapping.txt (--mapping), or analyse the build before shrinking")
	}
	c := &finding.Comparison{Files: []string{}, Missing: []string{}, Gone: []finding.Accepted{}, Pending: []finding.Accepted{}}
	run.Baseline = c
	var races []*finding.Race
	run.EachRace(func(r *finding.Race) { races = append(races, r) })
	var matches []*match
	for _, f := range files {
		c.Files = append(c.Files, f.base())
		if f.Missing {
			c.Missing = append(c.Missing, f.base())
		}
		for _, n := range f.Notes {
			run.Notes = append(run.Notes, finding.Notification{Kind: finding.NoteBaseline, Text: n.Text, Where: place(f, n.Line)})
		}
		m := newMatch(races, f.Lines)
		if !run.Partial() && !m.byName(races, names) {
			run.Notes = append(run.Notes, finding.Notification{
				Kind: finding.NoteBaseline, Where: f.base(), Text: "too many races differ in their names; of these, renamed ones may count as new",
			})
		}
		matches = append(matches, m)
	}
	for i, r := range races {
		r.State, r.Accepted = stateOf(r, i, matches)
	}
	for n, line := range files[0].Lines {
		switch race := matches[0].race[n]; {
		case race < 0 && !inAll(line, files[1:]):
			c.Pending = append(c.Pending, line.Accepted) // of a race that is to come
		case race < 0:
			c.Gone = append(c.Gone, line.Accepted)
		case races[race].Accepted == nil, races[race].Accepted.Priority < line.Priority:
			c.Pending = append(c.Pending, line.Accepted)
		}
	}
	run.Notes = append(run.Notes, renamedNotes(races)...)
	slices.SortFunc(c.Gone, compareAccepted)
	slices.SortFunc(c.Pending, compareAccepted)
	run.Regroup()
	return nil
}

// inAll: each of the files accepts what the line does.
func inAll(line Line, files []*File) bool {
	for _, f := range files {
		if !slices.ContainsFunc(f.Lines, func(l Line) bool { return l.ID == line.ID && l.Priority >= line.Priority }) {
			return false
		}
	}
	return true
}

// renamedNotes tells which races were taken for accepted ones with other names,
// so that a person can see whether that is right.
func renamedNotes(races []*finding.Race) []finding.Notification {
	var notes []finding.Notification
	for _, r := range races {
		if r.Accepted == nil {
			continue
		}
		was, _ := finding.SplitID(r.Accepted.ID)
		if is, _ := finding.SplitID(r.ID); is != was {
			notes = append(notes, finding.Notification{
				Kind: finding.NoteRenamed, Where: r.ID,
				Text: fmt.Sprintf("the race on %s is taken for the accepted one on %s (%s), as its names have changed", r.Field, r.Accepted.Field, r.Accepted.ID),
			})
		}
	}
	return notes
}

// stateOf is the state of the i-th race: accepted by all files, at the lowest of
// their priorities.
func stateOf(r *finding.Race, i int, matches []*match) (finding.State, *finding.Accepted) {
	var accepted *finding.Accepted
	for _, m := range matches {
		line := m.line[i]
		if line < 0 {
			return finding.New, nil
		}
		a := m.lines[line].Accepted
		switch {
		case accepted == nil:
			accepted = &a
		case a.Priority < accepted.Priority:
			accepted.Priority = a.Priority
		}
	}
	if r.Priority > accepted.Priority {
		return finding.Worse, accepted
	}
	return finding.Unchanged, accepted
}

func compareAccepted(a, b finding.Accepted) int {
	return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(format(a), format(b)))
}

// match says which line stands for which race, one to one.
type match struct {
	lines []Line
	line  []int // by race: index of its line, or -1
	race  []int // by line: index of its race, or -1
}

func newMatch(races []*finding.Race, lines []Line) *match {
	m := &match{lines: lines, line: make([]int, len(races)), race: make([]int, len(lines))}
	for i := range m.line {
		m.line[i] = -1
	}
	for i := range m.race {
		m.race[i] = -1
	}
	m.byID(races)
	return m
}

func (m *match) set(race, line int) { m.line[race], m.race[line] = line, race }

// byID matches equal ids. Of equal races with different priorities, each takes
// the lowest line that accepts it, so that as many as possible are unchanged;
// what is then left on both sides is worse.
func (m *match) byID(races []*finding.Race) {
	lines := map[string][]int{}
	for i := range m.lines {
		base, _ := finding.SplitID(m.lines[i].ID)
		lines[base] = append(lines[base], i)
	}
	equal := map[string][]int{}
	var bases []string
	for i, r := range races {
		base, _ := finding.SplitID(r.ID)
		if lines[base] == nil {
			continue
		}
		if equal[base] == nil {
			bases = append(bases, base)
		}
		equal[base] = append(equal[base], i)
	}
	for _, base := range bases {
		m.equal(races, equal[base], lines[base])
	}
}

func (m *match) equal(races []*finding.Race, equal, lines []int) {
	slices.SortStableFunc(equal, func(a, b int) int {
		_, n := finding.SplitID(races[a].ID)
		_, k := finding.SplitID(races[b].ID)
		// What the source suppresses needs no line, so it comes last.
		return cmp.Or(cmp.Compare(races[a].Standing(), races[b].Standing()), cmp.Compare(races[b].Priority, races[a].Priority), cmp.Compare(n, k))
	})
	slices.SortStableFunc(lines, func(a, b int) int {
		return cmp.Or(cmp.Compare(m.lines[a].Priority, m.lines[b].Priority), cmp.Compare(m.lines[a].ID, m.lines[b].ID))
	})
	for _, race := range equal {
		for _, line := range lines {
			if m.race[line] < 0 && m.lines[line].Priority >= races[race].Priority {
				m.set(race, line)
				break
			}
		}
	}
	for _, race := range equal {
		for _, line := range slices.Backward(lines) {
			if m.line[race] < 0 && m.race[line] < 0 {
				m.set(race, line)
			}
		}
	}
}
