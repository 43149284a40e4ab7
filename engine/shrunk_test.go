package engine

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/expect"
	"github.com/eventraces/eventraces/engine/internal/input"
	"github.com/eventraces/eventraces/internal/realapps"
)

// TestShrunkBuildIsSaid runs builds of one app by R8, with new names and without.
func TestShrunkBuildIsSaid(t *testing.T) {
	for name, renamed := range map[string]bool{"renamed": true, "repackaged": true, "kept": false} {
		res, err := Check(t.Context(), Options{ToolVersion: "test", Inputs: []string{filepath.Join("testdata", "shrunk", name+".apk")}})
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, n := range res.Run.Notes {
			if n.Kind == finding.NoteNoMapping {
				said = append(said, n.Text)
			}
		}
		if res.Run.App.Renamed != renamed || (len(said) == 1) != renamed {
			t.Errorf("%s.apk: renamed is %t, want %t; notes %q", name, res.Run.App.Renamed, renamed, said)
		}
		for _, text := range said {
			if want := "the build is shrunk and its names are R8's: 9 of 9 classes; "; !strings.HasPrefix(text, want) {
				t.Errorf("%s.apk: the note is %q, want %q...", name, text, want)
			}
		}
	}
}

// TestShrunkBuildsAreBuilt compares the hashes that examples/build.sh wrote.
func TestShrunkBuildsAreBuilt(t *testing.T) {
	want := ""
	for _, app := range []string{"collisions", "everyday", "localnames", "naming"} {
		sources, err := expect.SourcesHash(filepath.Join("testdata", "fixtures", app))
		if err != nil {
			t.Fatal(err)
		}
		want += app + " " + sources + "\n"
	}
	names := []string{"renamed.apk", "repackaged.apk", "kept.apk", "merged.apk"}
	for _, build := range mappedBuilds {
		names = append(names, build.name+".apk", build.name+".txt")
	}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join("testdata", "shrunk", name))
		if err != nil {
			t.Fatal(err)
		}
		want += fmt.Sprintf("%s %x\n", name, sha256.Sum256(data))
	}
	if got, err := os.ReadFile(filepath.Join("testdata", "shrunk", "shrunk.built")); err != nil || string(got) != want {
		t.Errorf("shrunk.built is\n%s%v, want\n%srun examples/build.sh --shrunk", got, err, want)
	}
}

// TestUnshrunkAppsAreKnown: no published debug build counts as renamed, whatever
// libraries it holds.
func TestUnshrunkAppsAreKnown(t *testing.T) {
	for _, app := range realapps.All {
		t.Run(app.Name, func(t *testing.T) {
			r := &run{Options: Options{Inputs: []string{app.Fetch(t)}}}
			for _, stage := range []func(context.Context) error{r.read, r.lift} {
				if err := stage(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if r.renamed {
				t.Errorf("counts as renamed: %v", r.notes)
			}
		})
	}
}

// TestShrunk gives the rule cases that no compiler at hand builds.
func TestShrunk(t *testing.T) {
	many := func(format string, n int) []string {
		var out []string
		for i := range n {
			out = append(out, fmt.Sprintf(format, 'a'+i))
		}
		return out
	}
	const r8, d8, debug = `~~R8{"backend":"dex","compilation-mode":"release"}`, `~~D8{"compilation-mode":"release"}`, `~~D8{"compilation-mode":"debug"}`
	app := many("com.acme.%cScreen", 12)
	for _, c := range []struct {
		name    string
		marks   []string
		classes [][]string
		want    bool
	}{
		{"ProGuard", nil, [][]string{many("com.acme.%c", 12)}, true},
		{"ProGuard, then D8", []string{d8}, [][]string{many("%c.a", 12)}, true},
		{"too few to tell", nil, [][]string{many("com.acme.%c", 3)}, false},
		{"few by R8", []string{r8}, [][]string{many("com.acme.%c", 3)}, true},
		{"old R8", []string{`~~R8{"compilation-mode":"release"}`}, [][]string{many("%c", 3)}, true},
		{"capitals by R8", []string{r8}, [][]string{{"a", "b", "A", "B", "bC", "Cd"}}, true},
		{"a library's names", nil, [][]string{app, many("org.lib.%c", 26)}, false},
		{"a library's names in no package", []string{debug}, [][]string{app, many("%c", 26)}, false},
		{"a library that R8 shrunk", []string{`~~R8{"backend":"cf","compilation-mode":"release"}`}, [][]string{many("com.acme.%c", 3)}, false},
		{"inner classes of a component", []string{r8}, [][]string{{"com.acme.Main$a", "com.acme.Main$b"}}, true},
		{"R8 without renaming", []string{r8}, [][]string{app, many("org.lib.%c", 26)}, false},
		{"methods called get", []string{r8}, [][]string{{"com.acme.Main$get$1", "com.acme.Main$run$1"}}, false},
		{"resources", nil, [][]string{{"com.acme.R", "com.acme.R$id", "com.acme.R$layout", "com.acme.Main"}}, false},
	} {
		var classes []string
		for _, list := range c.classes {
			classes = append(classes, list...)
		}
		b := &input.Bundle{Manifests: []*input.Manifest{{Components: []input.Component{{Name: "com.acme.Main"}}}}}
		s := shrunkBuild([]*dex.File{{Strings: c.marks}}, classes, b, func(class string) input.Origin {
			if strings.HasPrefix(class, "com.acme.") {
				return input.App
			}
			return input.Dependency
		})
		if s.is() != c.want {
			t.Errorf("%s: %+v, want %t", c.name, *s, c.want)
		}
	}
}

// TestMergedLambdasAreApart: lambdas that R8 has merged into one class run their
// own code only, and have the ids that D8's build gives them.
func TestMergedLambdasAreApart(t *testing.T) {
	ids := func(file string, ours func(*finding.Race) bool) []string {
		res, err := Check(t.Context(), Options{ToolVersion: "test", Inputs: []string{filepath.Join("testdata", file)}})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		res.Run.EachRace(func(r *finding.Race) {
			if ours(r) {
				out = append(out, r.Priority.String()+" "+r.ID+" "+r.Sides[0].Access.Entry.String())
			}
		})
		slices.Sort(out)
		return out
	}
	all := func(*finding.Race) bool { return true }
	// R8 inlines the methods of Overloads and merges the classes in Outer.
	same := func(r *finding.Race) bool {
		return !strings.Contains(r.Field.Class, "Outer") && !strings.Contains(r.Field.Class, "Overloads")
	}
	for _, c := range []struct {
		r8, d8 string
		of     func(*finding.Race) bool
		races  int
	}{
		{"shrunk/kept.apk", "fixtures/naming/naming.apk", all, 12},
		{"shrunk/merged.apk", "fixtures/collisions/collisions.apk", same, 9},
	} {
		got, want := ids(c.r8, c.of), ids(c.d8, c.of)
		if len(want) != c.races || !slices.Equal(got, want) {
			t.Errorf("%s has\n%s\n%s has\n%s", c.r8, strings.Join(got, "\n"), c.d8, strings.Join(want, "\n"))
		}
	}
}
