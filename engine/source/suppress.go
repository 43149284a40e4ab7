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
const longestFile = 8 << 20

// Suppress marks the races that comments and annotations in the sources
// suppress, and notes those that suppress nothing or are malformed. ofApp says
// whether a class of the app comes from a file, by the path of its package and
// its name: other files may belong to another app. The run must be resolved.
func (s *Tree) Suppress(run *finding.Run, ofApp func(file string) bool) {
	files := map[string]*annotated{}
	var list []*annotated
	for _, name := range s.names() {
		for _, f := range s.byName[name] {
			if files[f.repo] != nil {
				continue
			}
			if a := read(f); a != nil {
				files[f.repo] = a
				list = append(list, a)
			}
		}
	}
	if len(list) == 0 {
		return
	}
	run.EachRace(func(r *finding.Race) {
		for _, f := range list {
			f.suppress(r)
		}
	})
	slices.SortFunc(list, func(a, b *annotated) int { return cmp.Compare(a.repo, b.repo) })
	for _, f := range list {
		if ofApp(f.guess) {
			run.Notes = append(run.Notes, f.notes()...)
		}
	}
	run.Regroup()
}

func (s *Tree) names() []string {
	out := make([]string, 0, len(s.byName))
	for n := range s.byName {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

// annotated is a file with suppressions in it.
type annotated struct {
	repo    string // its path in the repository
	guess   string // the path of its package and its name
	pkg     string
	ignores []*ignore
}

// read gives nil for a file without suppressions, or that cannot be read.
func read(f sourceFile) *annotated {
	if info, err := os.Stat(f.path); err != nil || info.Size() > longestFile {
		return nil
	}
	data, err := os.ReadFile(f.path)
	if err != nil {
		return nil
	}
	src := strings.ReplaceAll(string(data), "\r\n", "\n")
	ignores := ignoresIn(src, filepath.Ext(f.path) == ".kt")
	if len(ignores) == 0 {
		return nil
	}
	pkg := declaredPackage(f.path)
	return &annotated{
		repo: f.repo, pkg: pkg, ignores: ignores,
		guess: path.Join(strings.ReplaceAll(pkg, ".", "/"), path.Base(f.repo)),
	}
}

// suppress marks the race with the first suppression that covers it; all that do
// are in use.
func (f *annotated) suppress(r *finding.Race) {
	for _, ig := range f.ignores {
		if ig.problem != "" || !slices.Contains(ig.rules, r.Rule) || !f.covers(ig, r) {
			continue
		}
		ig.used = true
		if r.Suppressed == nil {
			r.Suppressed = &finding.Suppression{By: ig.by, Because: ig.because, Where: f.place(ig)}
		}
	}
}

func (f *annotated) place(ig *ignore) string { return fmt.Sprintf("%s:%d", f.repo, ig.line) }

// covers: an access of the race stands on a line that the suppression covers, or
// the race is on the field that it annotates.
func (f *annotated) covers(ig *ignore, r *finding.Race) bool {
	here := false
	for i := range r.Sides {
		s := &r.Sides[i]
		for _, p := range append([]finding.Position{s.Access.Position}, s.Further...) {
			if !p.Found || p.File != f.repo {
				continue
			}
			here = true
			if p.Line >= ig.from && p.Line <= ig.to {
				return true
			}
		}
	}
	if ig.field == "" || ig.field != r.Field.Name {
		return false
	}
	outer, _, _ := strings.Cut(r.Field.Class, "$")
	pkg, class := "", outer
	if dot := strings.LastIndexByte(outer, '.'); dot >= 0 {
		pkg, class = outer[:dot], outer[dot+1:]
	}
	name := path.Base(f.repo)
	return pkg == f.pkg && (here || class == strings.TrimSuffix(name, path.Ext(name)))
}

// notes tells what is not honoured and what is not needed.
func (f *annotated) notes() []finding.Notification {
	var out []finding.Notification
	for _, ig := range f.ignores {
		n := finding.Notification{Kind: finding.NoteUnusedIgnore, Where: f.place(ig)}
		switch {
		case ig.problem != "":
			n.Text = "the suppression does not count: it " + ig.problem
		case !ig.used:
			n.Text = fmt.Sprintf("the suppression of %s covers no race; remove it", ig.rules[0])
		default:
			continue
		}
		out = append(out, n)
	}
	return out
}
