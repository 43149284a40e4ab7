package source

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
)

// longestFile bounds the sources that are searched for suppressions.
const longestFile = 2 << 20

// Suppress marks the races that comments and annotations in the sources
// suppress, and notes those that suppress nothing or are malformed. ofApp says
// whether a class of the app comes from a file, by the path of its package and
// its name: other files may belong to another app. The run must be resolved.
//
// What the engine says of unused annotations that are in the bytecode too is
// dropped where the source says it.
func (s *Tree) Suppress(run *finding.Run, ofApp func(file string) bool) {
	list := s.annotated()
	if len(list) == 0 {
		return
	}
	run.EachRace(func(r *finding.Race) {
		for _, f := range list {
			f.suppress(r)
		}
	})
	for _, f := range list {
		if !ofApp(f.guess) {
			continue
		}
		run.Notes = slices.DeleteFunc(run.Notes, func(n finding.Notification) bool {
			return n.Kind == finding.NoteUnusedIgnore && f.declares(n.Where)
		})
	}
	for _, f := range list {
		if ofApp(f.guess) {
			run.Notes = append(run.Notes, f.notes()...)
		}
	}
	run.Regroup()
}

// annotated gives the files with suppressions, by their paths. Of files with one
// name and package only the one counts that positions are resolved to.
func (s *Tree) annotated() []*annotated {
	var list []*annotated
	for _, files := range s.byName {
		for _, f := range files {
			a := read(f)
			if a == nil {
				continue
			}
			if repo, ok := s.find(a.guess); ok && repo == f.repo {
				list = append(list, a)
			}
		}
	}
	slices.SortFunc(list, func(a, b *annotated) int { return cmp.Compare(a.repo, b.repo) })
	return slices.CompactFunc(list, func(a, b *annotated) bool { return a.repo == b.repo })
}

// read gives nil for a file without suppressions, or that cannot be read.
func read(f sourceFile) *annotated {
	if info, err := os.Stat(f.path); err != nil || !info.Mode().IsRegular() || info.Size() > longestFile {
		return nil
	}
	data, err := os.ReadFile(f.path)
	if err != nil {
		return nil
	}
	a := ignoresIn(f.path, string(data), filepath.Ext(f.path) == ".kt")
	if a != nil {
		a.repo = f.repo
		a.guess = path.Join(strings.ReplaceAll(a.pkg, ".", "/"), path.Base(f.repo))
	}
	return a
}

// suppress marks the race with the first suppression that covers it; all that do
// are in use.
func (f *annotated) suppress(r *finding.Race) {
	for _, ig := range f.ignores {
		if ig.problem != "" || !slices.Contains(ig.rules, r.Rule) || !f.covers(ig, r) {
			continue
		}
		ig.unused = slices.DeleteFunc(ig.unused, func(rule finding.RuleID) bool { return rule == r.Rule })
		if r.Suppressed == nil {
			r.Suppressed = &finding.Suppression{By: ig.by, Because: ig.because, Where: f.place(ig)}
		}
	}
}

func (f *annotated) place(ig *ignore) string { return fmt.Sprintf("%s:%d", f.repo, ig.line) }

// covers: an access of the race stands on a line that the suppression covers, or
// the race is on a field that it annotates. Comments also stand where the value
// of an access is dereferenced.
func (f *annotated) covers(ig *ignore, r *finding.Race) bool {
	for i := range r.Sides {
		s := &r.Sides[i]
		if f.on(ig, &s.Access.Position) {
			return true
		}
		for j := range s.Further {
			if ig.by == "comment" && f.on(ig, &s.Further[j]) {
				return true
			}
		}
	}
	return f.onField(ig, &r.Field)
}

func (f *annotated) on(ig *ignore, p *finding.Position) bool {
	return p.Found && p.File == f.repo && p.Line > 0 && p.Line >= ig.from && p.Line <= ig.to
}

func (f *annotated) onField(ig *ignore, field *finding.Field) bool {
	if !ig.isType && !slices.Contains(ig.fields, strings.TrimSuffix(field.Name, "$delegate")) {
		return false
	}
	class := ig.class
	if class == "" {
		class = f.facade
	}
	if f.pkg != "" {
		class = f.pkg + "." + class
	}
	if ig.exact {
		return field.Binary() == class
	}
	return strings.HasPrefix(field.Binary(), class+"$")
}

// declares: where, as com.example.Main$Inner.field, is in a type of the file.
func (f *annotated) declares(where string) bool {
	if f.pkg != "" {
		rest, ok := strings.CutPrefix(where, f.pkg+".")
		if !ok {
			return false
		}
		where = rest
	}
	if end := strings.IndexAny(where, ".$("); end >= 0 {
		where = where[:end]
	}
	return f.types[where]
}

// notes tells what is not honoured and what is not needed.
func (f *annotated) notes() []finding.Notification {
	var out []finding.Notification
	for _, ig := range f.ignores {
		n := finding.Notification{Kind: finding.NoteUnusedIgnore, Where: f.place(ig)}
		switch {
		case ig.problem != "":
			n.Text = "the suppression does not count: it " + ig.problem
		case len(ig.unused) > 0:
			n.Text = fmt.Sprintf("the suppression of %s covers no race; remove it", names(ig.unused))
		default:
			continue
		}
		out = append(out, n)
	}
	return out
}

func names(rules []finding.RuleID) string {
	var list []string
	for _, r := range rules {
		if !slices.Contains(list, string(r)) {
			list = append(list, string(r))
		}
	}
	return strings.Join(list, ", ")
}
