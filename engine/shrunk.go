package engine

import (
	"fmt"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/input"
)

// shrunk is what tells whether R8 or ProGuard has renamed the app's classes.
//
// The judged classes are those that renaming would reach and that are the
// app's as far as one can tell: app code that the manifest does not name, and
// code in the packages that renaming makes (none, a, a.b). Libraries that come
// renamed into an unshrunk build stay in packages of their own.
type shrunk struct {
	r8      bool     // R8 wrote a dex file
	debug   bool     // D8 wrote all of them for debugging: nothing was shrunk
	renamed []string // judged classes with a name like a, B2 or aab
	judged  int
}

// fewest is how many short names it takes where R8 has not left its mark: a
// developer, too, may call a class c.
const fewest = 10

// is: most judged classes are renamed.
func (s *shrunk) is() bool {
	return 2*len(s.renamed) > s.judged && (s.r8 || len(s.renamed) >= fewest)
}

// shrunkBuild looks at the names of all classes and at the marks of compilers.
func shrunkBuild(files []*dex.File, classes []string, b *input.Bundle, origin func(class string) input.Origin) *shrunk {
	s := &shrunk{}
	marks, debug := 0, 0
	for _, f := range files {
		for _, text := range f.Strings {
			r8, d8 := strings.HasPrefix(text, "~~R8{"), strings.HasPrefix(text, "~~D8{")
			if r8 && !strings.Contains(text, `"backend":"cf"`) { // else a library that was shrunk before
				s.r8 = true
			}
			if d8 {
				marks++
				if strings.Contains(text, `"compilation-mode":"debug"`) {
					debug++
				}
			}
		}
	}
	s.debug = !s.r8 && marks > 0 && debug == marks
	kept := map[string]bool{}
	for _, m := range b.Manifests {
		kept[m.Application] = true
		for _, c := range m.Components {
			kept[c.Name] = true
		}
		for _, i := range m.Instrumentations {
			kept[i.Name] = true
		}
	}
	for _, c := range classes {
		if !kept[c] && (origin(c) == input.App || !s.debug && renamedPackage(c)) {
			s.judged++
			if renamedClass(c, kept) {
				s.renamed = append(s.renamed, c)
			}
		}
	}
	return s
}

// renamedClass: the outermost class has a short name, or the class itself if it
// stands in one that the manifest keeps: a, a$1, Main$a.
func renamedClass(name string, kept map[string]bool) bool {
	dot := strings.LastIndexByte(name, '.') + 1
	simple, inner, _ := strings.Cut(name[dot:], "$")
	return short(simple) || kept[name[:dot]+simple] && short(inner)
}

// renamedPackage: the class is in no package or in one of short names only, two
// letters at most: three are com and org.
func renamedPackage(name string) bool {
	parts := strings.Split(name, ".")
	for _, p := range parts[:len(parts)-1] {
		if !short(p) || len(p) > 2 {
			return false
		}
	}
	return true
}

const (
	small    = "abcdefghijklmnopqrstuvwxyz"
	capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// short: up to three letters or digits, of which the first is a small letter, or
// up to two after a capital, which shrinkers use when small ones have run out.
// R is the class of resources.
func short(name string) bool {
	if name == "" || name == "R" || strings.Trim(name, small+capitals+"0123456789") != "" {
		return false
	}
	return len(name) <= 3 && strings.Contains(small, name[:1]) || len(name) <= 2 && strings.Contains(capitals, name[:1])
}

// noteShrunk says that names are not those of the source.
func (r *run) noteShrunk(s *shrunk) {
	if r.renamed = s.is(); !r.renamed {
		return
	}
	who := "a shrinker's"
	if s.r8 {
		who = "R8's"
	}
	r.note(finding.NoteNoMapping, fmt.Sprintf("the build is shrunk and its names are %s: %d of %d classes; ids are not comparable with "+
		"other builds. Give its mapping.txt (--mapping), or analyse the build before shrinking", who, len(s.renamed), s.judged), "")
}
