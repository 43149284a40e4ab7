package source_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/engine"
	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/source"
)

// D8 drops the annotations that dx keeps; read from the source they suppress the
// same races.
func TestSourceSaysWhatBytecodeSays(t *testing.T) {
	const app = "../testdata/fixtures/ignored/"
	fromBytecode, _ := outcome(t, app+"ignored-dx.apk", "")
	fromSource, notes := outcome(t, app+"ignored.apk", app+"src")
	fromBoth, notesOfBoth := outcome(t, app+"ignored-dx.apk", app+"src")
	if len(fromBytecode) != 14 {
		t.Errorf("%d suppressed: %q", len(fromBytecode), fromBytecode)
	}
	if diff := cmp.Diff(fromBytecode, fromSource); diff != "" {
		t.Errorf("of D8 (-bytecode +source):\n%s", diff)
	}
	if diff := cmp.Diff(fromBytecode, fromBoth); diff != "" {
		t.Errorf("of dx (-bytecode +both):\n%s", diff)
	}
	want := []string{
		"NoReason.java:10 malformed",
		"OnOverload.java:29 unused",
		"OtherRule.java:10 unused",
		"UnknownRule.java:10 malformed",
		"Unused.java:9 unused",
	}
	if diff := cmp.Diff(want, notes); diff != "" {
		t.Errorf("notes of D8 (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, notesOfBoth); diff != "" {
		t.Errorf("notes of dx, each once (-want +got):\n%s", diff)
	}
	if plain, _ := outcome(t, app+"ignored.apk", ""); len(plain) > 0 {
		t.Errorf("without sources D8's build has %q suppressed", plain)
	}
}

func outcome(t *testing.T, apk, root string) (suppressed, notes []string) {
	t.Helper()
	res, err := engine.Check(t.Context(), engine.Options{ToolVersion: "test", Inputs: []string{apk}})
	if err != nil {
		t.Fatal(err)
	}
	if root != "" {
		tree, err := source.Open([]string{root}, "/")
		if err != nil {
			t.Fatal(err)
		}
		tree.Resolve(res.Run)
		tree.Suppress(res.Run, res.Names.HasFile)
	}
	res.Run.EachRace(func(r *finding.Race) {
		if r.Suppressed != nil {
			suppressed = append(suppressed, string(r.Rule)+" "+r.Field.String()+" "+r.ID+": "+r.Suppressed.By+" "+r.Suppressed.Because)
		}
	})
	slices.Sort(suppressed)
	for _, n := range res.Run.Notes {
		if n.Kind != finding.NoteUnusedIgnore {
			continue
		}
		what := "unused"
		if strings.Contains(n.Text, "does not count") {
			what = "malformed"
		}
		notes = append(notes, n.Where[strings.LastIndexByte(n.Where, '/')+1:]+" "+what)
	}
	return suppressed, notes
}
