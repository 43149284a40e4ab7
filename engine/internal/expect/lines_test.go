package expect

import (
	"archive/zip"
	"io"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/dex"
)

// TestMarkedLinesHoldCode finds marks that no answer of the engine could ever meet: on lines without an instruction.
func TestMarkedLinesHoldCode(t *testing.T) {
	for _, dir := range apps(t) {
		set, err := Parse(filepath.Join(dir, "src"))
		if err != nil {
			t.Fatal(err)
		}
		for _, suffix := range []string{".apk", "-dx.apk"} {
			apk := filepath.Join(dir, filepath.Base(dir)+suffix)
			have := codeLines(t, apk)
			for _, r := range set.Races {
				if !have[r.A] || !have[r.B] {
					t.Errorf("%s: no code on a line of race %s (%s, %s)", apk, r.Label, r.A, r.B)
				}
			}
			for _, s := range set.Silent {
				if !have[s.Pos] {
					t.Errorf("%s: no code on line %s", apk, s.Pos)
				}
			}
		}
	}
}

// codeLines are the lines of all line tables in classes.dex of an APK.
func codeLines(t *testing.T, apk string) map[Pos]bool {
	t.Helper()
	archive, err := zip.OpenReader(apk)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	entry, err := archive.Open("classes.dex")
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(entry)
	if err != nil {
		t.Fatal(err)
	}
	files, err := dex.Parse("classes.dex", data)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[Pos]bool{}
	for _, f := range files {
		for _, c := range f.Classes {
			addLines(t, f, c, lines)
		}
	}
	return lines
}

func addLines(t *testing.T, f *dex.File, c dex.ClassDef, lines map[Pos]bool) {
	if c.SourceFile == dex.NoIndex {
		return
	}
	descriptor := f.Strings[f.Types[c.Type]]
	file := path.Join(path.Dir(strings.TrimPrefix(descriptor, "L")), f.Strings[c.SourceFile])
	for _, methods := range [][]dex.EncodedMethod{c.Direct, c.Virtual} {
		for _, m := range methods {
			if m.Code == 0 {
				continue
			}
			code, err := f.Code(m.Code)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range code.Lines {
				lines[Pos{file, int(l.Line)}] = true
			}
		}
	}
}
