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
	var list []*finding.Ignore
	var told []*annotated // of the app
	x := newIndex()
	for _, f := range s.annotated() {
		silent := !ofApp(f.guess)
		if !silent {
			told = append(told, f)
		}
		if f.tooLong && !silent {
			run.Notes = append(run.Notes, finding.Notification{Kind: finding.NoteInfo, Where: f.repo,
				Text: fmt.Sprintf("the file has more than %d MB, so suppressions in it do not count", longestFile>>20)})
		}
		for _, ig := range f.ignores {
			ig.Where, ig.Silent = fmt.Sprintf("%s:%d", f.repo, ig.line), silent
			list = append(list, &ig.Ignore)
			x.add(f, ig)
		}
	}
	run.Notes = slices.DeleteFunc(run.Notes, func(n finding.Notification) bool {
		return n.Kind == finding.NoteUnusedIgnore && slices.ContainsFunc(told, func(f *annotated) bool { return f.declares(n.Where) })
	})
	run.Ignore(list, x.covering)
}

// annotated gives the files with suppressions, and those too long to tell, by
// their paths. Of files with one name and package only the one counts that
// positions are resolved to.
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
	info, err := os.Stat(f.path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	var a *annotated
	if info.Size() > longestFile {
		a = &annotated{pkg: declaredPackage(f.path), tooLong: true}
	} else if data, err := os.ReadFile(f.path); err == nil {
		a = ignoresIn(f.path, string(data), filepath.Ext(f.path) == ".kt")
	}
	if a != nil {
		a.repo = f.repo
		a.guess = path.Join(strings.ReplaceAll(a.pkg, ".", "/"), path.Base(f.repo))
	}
	return a
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

// index finds the suppressions that cover a race.
type index struct {
	comments map[lineKey][]*ignore
	lines    map[string][]*ignore // annotations that cover lines, by their file
	fields   map[fieldKey][]*ignore
}

type lineKey struct {
	file string
	line int
}

// fieldKey is a field, or all of a type, by the top-level class around it.
type fieldKey struct{ class, name string }

func newIndex() *index {
	return &index{comments: map[lineKey][]*ignore{}, lines: map[string][]*ignore{}, fields: map[fieldKey][]*ignore{}}
}

func (x *index) add(f *annotated, ig *ignore) {
	ig.class = f.qualified(ig.class)
	switch {
	case ig.from == 0:
	case ig.By == byComment:
		k := lineKey{f.repo, ig.from}
		x.comments[k] = append(x.comments[k], ig)
	default:
		x.lines[f.repo] = append(x.lines[f.repo], ig)
	}
	names := ig.fields
	if ig.isType {
		names = []string{""}
	}
	for _, name := range names {
		k := fieldKey{outermostOf(ig.class), name}
		x.fields[k] = append(x.fields[k], ig)
	}
}

// covering gives the suppressions with an access of the race on a line that they
// cover, or that annotate its field. Comments also stand where the value of an
// access is dereferenced.
func (x *index) covering(r *finding.Race) []*finding.Ignore {
	var out []*finding.Ignore
	add := func(ig *ignore) { out = append(out, &ig.Ignore) }
	comments := func(p *finding.Position) {
		if p.Found {
			for _, ig := range x.comments[lineKey{p.File, p.Line}] {
				add(ig)
			}
		}
	}
	for i := range r.Sides {
		p := &r.Sides[i].Access.Position
		comments(p)
		for j := range r.Sides[i].Further {
			comments(&r.Sides[i].Further[j])
		}
		if !p.Found {
			continue
		}
		for _, ig := range x.lines[p.File] {
			if p.Line >= ig.from && p.Line <= ig.to {
				add(ig)
			}
		}
	}
	class := r.Field.Binary()
	for _, name := range []string{strings.TrimSuffix(r.Field.Name, "$delegate"), ""} {
		for _, ig := range x.fields[fieldKey{outermostOf(class), name}] {
			if class == ig.class && ig.exact || !ig.exact && strings.HasPrefix(class, ig.class+"$") {
				add(ig)
			}
		}
	}
	return out
}

// qualified is the binary name of a class of the file.
func (f *annotated) qualified(class string) string {
	if class == "" {
		class = f.facade
	}
	if f.pkg != "" {
		class = f.pkg + "." + class
	}
	return class
}

// outermostOf is the same for a class and all inside it.
func outermostOf(class string) string {
	class, _, _ = strings.Cut(class, "$")
	return class
}
