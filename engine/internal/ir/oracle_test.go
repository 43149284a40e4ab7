package ir_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
)

// builds are the ways in which the sources under testdata are compiled.
var builds = []string{"d8.dex", "d8-release.dex", "dx.dex"}

func readDex(t testing.TB, path string) []*dex.File {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files, err := dex.Parse(filepath.Base(path), data)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func buildFile(t testing.TB, path string) *ir.Program {
	t.Helper()
	files := readDex(t, path)
	index, err := platform.LoadIndex()
	if err != nil {
		t.Fatal(err)
	}
	p, errs := ir.Build(files, index, nil)
	for _, err := range errs {
		t.Error(err)
	}
	if err := p.Check(); err != nil {
		t.Error(err)
	}
	return p
}

// TestOracle compares what methods give on the IR with what they gave on a JVM.
func TestOracle(t *testing.T) {
	recorded, err := os.ReadFile("testdata/oracle/expected.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(recorded)), "\n")
	if len(lines) < 50 {
		t.Fatalf("only %d results are recorded", len(lines))
	}
	for _, build := range builds {
		t.Run(build, func(t *testing.T) {
			p := buildFile(t, filepath.Join("testdata/oracle", build))
			m := newMachine(p)
			for _, line := range lines {
				name, want, _ := strings.Cut(line, " ")
				if got := runTest(t, m, name); got != want {
					t.Errorf("%s = %s, a JVM says %s", name, got, want)
				}
			}
			for on, n := range m.locks {
				if n != 0 {
					t.Errorf("%d locks of %v are not given back", n, on)
				}
			}
			for _, b := range m.bodies {
				if err := b.Check(p); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func runTest(t *testing.T, m *machine, name string) string {
	t.Helper()
	for _, id := range m.p.Classes[m.p.Lookup("oracle.Plain")].Methods {
		sel := &m.p.Selectors[m.p.Methods[id].Sel]
		if sel.Name != name {
			continue
		}
		m.steps = 0
		got, err := m.call(id, nil)
		if thrown := (*exception)(nil); errors.As(err, &thrown) {
			return "throws " + m.p.Classes[thrown.obj.class].Name
		}
		if err != nil {
			return "error: " + err.Error()
		}
		switch v := got.(type) {
		case float32:
			return fmt.Sprintf("float %x", math.Float32bits(v))
		case float64:
			return fmt.Sprintf("double %x", math.Float64bits(v))
		case int32:
			if sel.Return == ir.TypeChar {
				return fmt.Sprintf("char %d", v)
			}
		}
		return m.show(sel.Return, got)
	}
	return "no such method"
}

// TestSourcesAreThoseCompiled fails when sources under testdata were changed
// without running rebuild.sh.
func TestSourcesAreThoseCompiled(t *testing.T) {
	sums, err := filepath.Glob("testdata/*/sources.sha256")
	if err != nil || len(sums) != 2 {
		t.Fatalf("%d lists of sources, error %v", len(sums), err)
	}
	for _, sum := range sums {
		list, err := os.ReadFile(sum)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(strings.TrimSpace(string(list)), "\n") {
			want, name, _ := strings.Cut(line, "  ")
			source, err := os.ReadFile(filepath.Join(filepath.Dir(sum), name))
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprintf("%x", sha256.Sum256(source)); got != want {
				t.Errorf("%s was changed: run testdata/rebuild.sh", filepath.Join(filepath.Dir(sum), name))
			}
		}
	}
}
