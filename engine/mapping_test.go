package engine

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
)

// checkShrunk runs a build below testdata, with its mapping if there is one.
func checkShrunk(t *testing.T, build, mapping string) *Result {
	t.Helper()
	o := Options{ToolVersion: "test", Inputs: []string{filepath.Join("testdata", build)}}
	if mapping != "" {
		o.Mapping = filepath.Join("testdata", mapping)
	}
	res, err := Check(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// placed are the races of a run, each with its field and where both sides stand,
// by their ids.
func placed(run *finding.Run) map[string]string {
	out := map[string]string{}
	run.EachRace(func(r *finding.Race) {
		text := r.Field.String()
		for _, s := range r.Sides {
			text += fmt.Sprintf(" %s:%d %s", s.Access.File, s.Access.Line, s.Access.Method)
		}
		out[r.ID] = text
	})
	return out
}

// mappedBuilds are the builds that have a mapping, and how many races they share
// with the unshrunk build.
var mappedBuilds = []struct {
	name, app string
	same      int
}{
	{"mapped-naming", "naming", 12}, {"mapped-collisions", "collisions", 12}, {"mapped-everyday", "everyday", 22},
	{"mapped-localnames", "localnames", 10}, {"apart-localnames", "localnames", 30},
}

// TestMappingRestoresNames: with its mapping a shrunk build has the races of the
// unshrunk one, with the same ids, fields and lines, but for the differences that
// testdata/shrunk/differences.txt tells, with their causes.
func TestMappingRestoresNames(t *testing.T) {
	for _, build := range mappedBuilds {
		t.Run(build.name, func(t *testing.T) {
			plain := checkShrunk(t, "fixtures/"+build.app+"/"+build.app+".apk", "")
			mapped := checkShrunk(t, "shrunk/"+build.name+".apk", "shrunk/"+build.name+".txt")
			if mapped.Run.App.Renamed || len(mapped.Run.Notes) > 0 {
				t.Errorf("renamed is %t, notes %v", mapped.Run.App.Renamed, mapped.Run.Notes)
			}
			if plain.Run.App != mapped.Run.App {
				t.Errorf("the app is %+v, without shrinking %+v", mapped.Run.App, plain.Run.App)
			}
			ownFiles(t, mapped.Run)
			want, got := placed(plain.Run), placed(mapped.Run)
			var differ []string
			both := 0
			for _, id := range slices.Sorted(maps.Keys(want)) {
				switch place, ok := got[id]; {
				case !ok:
					differ = append(differ, fmt.Sprintf("%s - %s %s", build.name, id, want[id]))
				case place != want[id]:
					t.Errorf("%s is\n%s, without shrinking\n%s", id, place, want[id])
				default:
					both++
				}
			}
			for _, id := range slices.Sorted(maps.Keys(got)) {
				if _, ok := want[id]; !ok {
					differ = append(differ, fmt.Sprintf("%s + %s %s", build.name, id, got[id]))
				}
			}
			if both != build.same {
				t.Errorf("%d races are the same, want %d", both, build.same)
			}
			if known := differences(t, build.name); !slices.Equal(differ, known) {
				t.Errorf("the differences are\n%s\nbut differences.txt has\n%s", strings.Join(differ, "\n"), strings.Join(known, "\n"))
			}
		})
	}
}

// ownFiles: each access stands in the file of the class that it is said to stand in,
// as all classes of the apps do.
func ownFiles(t *testing.T, run *finding.Run) {
	run.EachRace(func(r *finding.Race) {
		for _, s := range r.Sides {
			class, _, _ := strings.Cut(s.Access.Method.Class, "$")
			if want := strings.ReplaceAll(class, ".", "/") + ".java"; s.Access.File != want || s.Access.Line == 0 {
				t.Errorf("%s: %s stands at %s:%d", r.ID, s.Access.Method, s.Access.File, s.Access.Line)
			}
		}
	})
}

// differences are the lines of differences.txt about a build. Each must stand below
// a cause.
func differences(t *testing.T, build string) []string {
	data, err := os.ReadFile(filepath.Join("testdata", "shrunk", "differences.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	cause := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
			cause = ""
		case line[0] == '#':
			cause = line
		case cause == "":
			t.Errorf("differences.txt gives no cause for %s", line)
		case strings.HasPrefix(line, build+" "):
			out = append(out, line)
		}
	}
	slices.SortFunc(out, func(x, y string) int {
		a, b := strings.Fields(x), strings.Fields(y)
		return strings.Compare(strings.Map(minusFirst, a[1])+a[2], strings.Map(minusFirst, b[1])+b[2])
	})
	return out
}

// minusFirst lets - sort before +.
func minusFirst(r rune) rune {
	if r == '-' {
		return '!'
	}
	return r
}
