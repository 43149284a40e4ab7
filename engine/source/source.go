// Package source finds the source files that positions of a run name, below the
// source roots that the user gives, and the suppressions in them: comments and
// annotations by which a team accepts a race. It reads Java and Kotlin by their
// tokens only, without types or a grammar. So these are approximate:
//
//   - An annotation is known by its simple name, so not by another name of an
//     import; its texts must be in quotes in place.
//   - A Kotlin declaration without braces ends where a line ends and the next one
//     does not begin or follow with what continues an expression.
//   - An annotation of a method, constructor or type covers the lines from it to
//     the end of the declaration. On a primary constructor these do not include
//     initialisers in the body of the class.
//   - A field of a local or anonymous class is known by its name and the named
//     class around it; one in the companion of an interface is not known.
//   - Unicode escapes in Java count in strings only.
//   - Of files with one package and name, as of two build variants, only the one
//     counts that positions are resolved to.
//
// Cost: one walk over the roots. To find the file of a position, the heads of
// those with its name are read, up to their package; to find suppressions, every
// .java and .kt file below the roots is read once, whole.
package source

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
)

// Tree finds the real source files of positions below the source roots. It
// knows a file by its name and the package it declares, so that Kotlin files
// outside the folder of their package are found as well.
type Tree struct {
	byName   map[string][]sourceFile // in the order of the roots, then of paths
	manifest string
}

type sourceFile struct {
	path string // on this machine
	repo string // relative to the repository root, with slashes
	dir  string // relative to its source root, with slashes
}

// maxSourceFiles bounds the walk when a root is set far too high.
const maxSourceFiles = 1 << 20

// Open walks the source roots, which may be symbolic links to folders. Paths
// become relative to the repository that holds the root, else to cwd if that
// holds it, else to the root itself.
func Open(roots []string, cwd string) (*Tree, error) {
	s := &Tree{byName: map[string][]sourceFile{}}
	if real, err := filepath.EvalSymlinks(cwd); err == nil {
		cwd = real
	}
	n := 0
	for _, root := range roots {
		abs, err := filepath.Abs(root)
		if err != nil {
			return nil, err
		}
		if real, err := filepath.EvalSymlinks(abs); err == nil {
			abs = real
		}
		info, err := os.Stat(abs)
		if err != nil || !info.IsDir() {
			return nil, fmt.Errorf("%s: not a folder", root)
		}
		base := repository(abs, cwd)
		err = filepath.WalkDir(abs, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() {
				if p != abs && strings.HasPrefix(d.Name(), ".") {
					return filepath.SkipDir
				}
				return nil
			}
			if n++; n > maxSourceFiles {
				return fmt.Errorf("more than %d files", maxSourceFiles)
			}
			s.add(abs, base, p)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", root, err)
		}
		s.findManifest(abs, base)
	}
	return s, nil
}

func (s *Tree) add(root, base, file string) {
	switch filepath.Ext(file) {
	case ".java", ".kt":
	default:
		return
	}
	repo, err := filepath.Rel(base, file)
	if err != nil {
		return
	}
	dir, err := filepath.Rel(root, filepath.Dir(file))
	if err != nil {
		return
	}
	name := filepath.Base(file)
	s.byName[name] = append(s.byName[name], sourceFile{file, filepath.ToSlash(repo), filepath.ToSlash(dir)})
}

// findManifest looks where Gradle and Ant projects keep it: in the source root,
// or beside it.
func (s *Tree) findManifest(root, base string) {
	for _, dir := range []string{root, filepath.Dir(root)} {
		file := filepath.Join(dir, "AndroidManifest.xml")
		if _, err := os.Stat(file); err != nil || s.manifest != "" {
			continue
		}
		if rel, err := filepath.Rel(base, file); err == nil && filepath.IsLocal(rel) {
			s.manifest = filepath.ToSlash(rel)
		}
	}
}

func repository(root, cwd string) string {
	for dir := root; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if rel, err := filepath.Rel(cwd, root); err == nil && filepath.IsLocal(rel) {
		return cwd
	}
	return root
}

// find gives the repository path of a guessed path (see finding.SourcePath). Of
// several files with its name and package, one in the folder of the package
// comes first, then the first.
func (s *Tree) find(guess string) (string, bool) {
	dir, file := path.Dir(guess), path.Base(guess)
	pkg := strings.ReplaceAll(dir, "/", ".")
	if dir == "." {
		pkg = ""
	}
	found, best := "", 0
	for _, c := range s.byName[file] {
		rank := 1
		if c.dir == dir {
			rank = 3
		} else if strings.HasSuffix(c.dir, "/"+dir) {
			rank = 2 // below a root such as the repository itself
		}
		if rank > best && declaredPackage(c.path) == pkg {
			found, best = c.repo, rank
		}
	}
	return found, best > 0
}

// longestHead bounds what is read to find a package.
const longestHead = 64 << 10

// declaredPackage reads the package of a Java or Kotlin file.
func declaredPackage(file string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, longestHead))
	if err != nil {
		return ""
	}
	tokens := lex(string(head), filepath.Ext(file) == ".kt")
	return packageName(slices.DeleteFunc(tokens, func(t token) bool { return t.kind == comment }))
}

// Resolve replaces the guessed path of every position of the run by the real
// file, and notes what was not found. Positions without a file keep their guess
// for people; outputs for programs anchor such races elsewhere.
func (s *Tree) Resolve(run *finding.Run) {
	run.App.Sources = true
	if s.manifest != "" {
		run.App.Manifest = s.manifest
	}
	known := map[string]string{}
	missing := map[string]bool{}
	run.EachPosition(func(p *finding.Position) {
		if p.File == "" || p.Found {
			return
		}
		real, ok := known[p.File]
		if !ok && !missing[p.File] {
			if real, ok = s.find(p.File); ok {
				known[p.File] = real
			} else {
				missing[p.File] = true
			}
		}
		if ok {
			p.File, p.Found = real, true
		}
	})
	if len(missing) == 0 {
		return
	}
	files := make([]string, 0, len(missing))
	for f := range missing {
		files = append(files, f)
	}
	sort.Strings(files)
	run.Notes = append(run.Notes, finding.Notification{
		Kind: finding.NoteNoSources, Count: len(files), Where: files[0],
		Text: "source files not found below the source roots; races there are shown at the place that registers the callback, or at the manifest",
	})
	run.SortNotes()
}
