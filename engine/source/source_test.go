package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/finding/findingtest"
)

// tree makes a repository with the given files; a name that ends in "/" is a
// folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(file, 0o755); err != nil {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func open(t *testing.T, dir string, roots ...string) *Tree {
	t.Helper()
	for i := range roots {
		roots[i] = filepath.Join(dir, filepath.FromSlash(roots[i]))
	}
	s, err := Open(roots, "/nowhere")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSourcesFind(t *testing.T) {
	dir := tree(t, map[string]string{
		".git/": "",
		"app/src/main/java/com/example/Main.java":      "package com.example;\n",
		"app/src/main/java/com/other/Main.java":        "package com.other;\n",
		"app/src/main/kotlin/feature/Feature.kt":       "// header\n\npackage com.example.feature // why\n",
		"app/src/main/kotlin/feature/Wrong.kt":         "package com.example.elsewhere\n",
		"app/src/main/java/NoPackage.java":             "class NoPackage {}\n",
		"app/src/debug/java/com/example/Main.java":     "package com.example;\n",
		"app/src/main/java/.hidden/com/example/H.java": "package com.example;\n",
		"app/src/main/AndroidManifest.xml":             "<manifest/>",
	})
	s := open(t, dir, "app/src/main/java", "app/src/main/kotlin", "app/src/debug/java")
	cases := map[string]string{
		"com/example/Main.java":          "app/src/main/java/com/example/Main.java",
		"com/other/Main.java":            "app/src/main/java/com/other/Main.java",
		"com/example/feature/Feature.kt": "app/src/main/kotlin/feature/Feature.kt",
		"com/example/feature/Wrong.kt":   "",
		"NoPackage.java":                 "app/src/main/java/NoPackage.java",
		"com/example/H.java":             "",
		"com/example/Absent.java":        "",
	}
	for guess, want := range cases {
		if got, _ := s.find(guess); got != want {
			t.Errorf("%s is found at %q, want %q", guess, got, want)
		}
	}
	// A root above the source folders works as well, and gives the same paths.
	if got, _ := open(t, dir, ".").find("com/other/Main.java"); got != "app/src/main/java/com/other/Main.java" {
		t.Errorf("from the top: %q", got)
	}
	if s.manifest != "app/src/main/AndroidManifest.xml" {
		t.Errorf("manifest is %q", s.manifest)
	}
}

func TestSourcesAreRelativeToSomethingStable(t *testing.T) {
	dir := tree(t, map[string]string{"src/com/example/Main.java": "package com.example;\n"})
	src := filepath.Join(dir, "src")
	for cwd, want := range map[string]string{dir: "src/com/example/Main.java", "/nowhere": "com/example/Main.java"} {
		s, err := Open([]string{src}, cwd)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := s.find("com/example/Main.java"); got != want {
			t.Errorf("seen from %s: %q, want %q", cwd, got, want)
		}
	}
}

// Paths below a root that is a link are those below its folder.
func TestOpenFollowsLinks(t *testing.T) {
	dir := tree(t, map[string]string{"real/src/com/example/Main.java": "package com.example;\n"})
	for link, to := range map[string]string{"link": filepath.Join(dir, "real"), "src": filepath.Join(dir, "real", "src")} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for root, cwd := range map[string]string{"src": "real", "link": "link", "link/src": "link", "real/src": "link"} {
		s, err := Open([]string{filepath.Join(dir, root)}, filepath.Join(dir, cwd))
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := s.find("com/example/Main.java"); got != "src/com/example/Main.java" {
			t.Errorf("%s seen from %s: %q", root, cwd, got)
		}
	}
}

func TestResolve(t *testing.T) {
	dir := tree(t, map[string]string{
		".git/":                                  "",
		"src/com/example/news/MainActivity.java": "package com.example.news;\n",
	})
	run := findingtest.Shapes()
	ids := idsOf(run)
	open(t, dir, "src").Resolve(run)
	if err := run.Check(); err != nil {
		t.Fatal(err)
	}
	if got := idsOf(run); strings.Join(got, " ") != strings.Join(ids, " ") {
		t.Error("resolving paths changes ids")
	}
	n := 0
	run.EachPosition(func(p *finding.Position) {
		n++
		if wantFound := p.File != ""; p.Found != wantFound {
			t.Errorf("%s: found %v", p.File, p.Found)
		}
		if p.Found && p.File != "src/com/example/news/MainActivity.java" {
			t.Errorf("path is %s", p.File)
		}
	})
	if n < 30 {
		t.Errorf("only %d positions were looked at", n)
	}
}

func TestResolveTellsWhatIsMissing(t *testing.T) {
	dir := tree(t, map[string]string{".git/": "", "src/Other.java": ""})
	run := findingtest.NewRun(nil, findingtest.UseAfterFree())
	open(t, dir, "src").Resolve(run)
	if len(run.Notes) != 1 || run.Notes[0].Kind != finding.NoteNoSources || run.Notes[0].Where != "com/example/news/MainActivity.java" {
		t.Errorf("notes are %+v", run.Notes)
	}
	if run.Limited() {
		t.Error("a missing source makes the run limited")
	}
}

func TestOpenRefuses(t *testing.T) {
	absent := filepath.Join(t.TempDir(), "absent")
	if _, err := Open([]string{absent}, "/"); err == nil || err.Error() != absent+": not a folder" {
		t.Errorf("error is %v", err)
	}
}

func idsOf(run *finding.Run) []string {
	var ids []string
	for i := range run.Findings {
		for j := range run.Findings[i].Races {
			ids = append(ids, run.Findings[i].Races[j].ID)
		}
	}
	return ids
}
