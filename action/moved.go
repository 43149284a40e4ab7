package action

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
)

// mover rewrites lines of what was built to those of the head of the pull request,
// in positions and in sentences, so that a text has one numbering only.
type mover struct {
	place func(finding.Position) (int, bool)
	files map[string]string // path by base name; "" if several files have it
}

// moved is the run as people read it: findings with the lines of the head; the
// line is left out where the head has none. The run itself stays as it is.
func moved(run *finding.Run, place func(finding.Position) (int, bool)) *finding.Run {
	if place == nil {
		return run
	}
	m := mover{place, map[string]string{}}
	run.EachPosition(func(p *finding.Position) { m.learn(*p) })
	out := *run
	out.Findings = make([]finding.Finding, len(run.Findings))
	for i, f := range run.Findings {
		races := make([]finding.Race, len(f.Races))
		for k := range f.Races {
			races[k] = m.race(f.Races[k])
		}
		f.Races = races
		out.Findings[i] = f
	}
	return &out
}

func (m *mover) learn(p finding.Position) {
	if !p.Found {
		return
	}
	name := p.File[strings.LastIndexByte(p.File, '/')+1:]
	if before, ok := m.files[name]; ok && before != p.File {
		m.files[name] = ""
		return
	}
	m.files[name] = p.File
}

// race is a copy with other lines.
func (m *mover) race(r finding.Race) finding.Race {
	r = copyRace(r)
	r.EachPosition(func(p *finding.Position) {
		if !p.Found || p.Line == 0 {
			return
		}
		line, ok := m.place(*p)
		if !ok || line < 1 {
			line = 0
		}
		p.Line = line
	})
	for _, text := range []*string{&r.Order, &r.Wrong, &r.Fix} {
		*text = m.text(*text)
	}
	for i := range r.Facts {
		r.Facts[i].Text = m.text(r.Facts[i].Text)
	}
	return r
}

// copyRace copies all that race changes.
func copyRace(r finding.Race) finding.Race {
	r.Facts = append([]finding.Fact{}, r.Facts...)
	for i := range r.Sides {
		s := &r.Sides[i]
		s.Events = append([]finding.Event{}, s.Events...)
		for k := range s.Events {
			s.Events[k].Site = copyOf(s.Events[k].Site)
		}
		s.Calls = append([]finding.Frame{}, s.Calls...)
		s.Further = append([]finding.Position{}, s.Further...)
	}
	if r.Schedule = copyOf(r.Schedule); r.Schedule != nil {
		r.Schedule.Steps = append([]finding.Step{}, r.Schedule.Steps...)
		for i := range r.Schedule.Steps {
			step := &r.Schedule.Steps[i]
			step.Until = copyOf(step.Until)
			step.Branches = append([]finding.Branch{}, step.Branches...)
		}
	}
	return r
}

func copyOf[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

// spot is a place as sentences have it: TrackActivity.java:21.
var spot = regexp.MustCompile(`([\p{L}\p{N}_$-]+\.[A-Za-z]+):([0-9]{1,9})\b`)

func (m *mover) text(s string) string {
	return spot.ReplaceAllStringFunc(s, func(found string) string {
		parts := spot.FindStringSubmatch(found)
		file, known := m.files[parts[1]]
		n, err := strconv.Atoi(parts[2])
		if !known || err != nil {
			return found // no file of the repository
		}
		line, ok := 0, false
		if file != "" {
			line, ok = m.place(finding.Position{File: file, Line: n, Found: true})
		}
		if !ok || line < 1 {
			return parts[1]
		}
		return fmt.Sprintf("%s:%d", parts[1], line)
	})
}
