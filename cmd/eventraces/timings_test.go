package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine"
)

// TestTimings: the time of each stage goes into a file of its own, and no other
// output knows of it.
func TestTimings(t *testing.T) {
	dir := t.TempDir()
	timings := filepath.Join(dir, "timings.json")
	const app = "../../examples/trackrecorder/trackrecorder.apk"
	check := func(args ...string) (stdout string) {
		var out, errs bytes.Buffer
		if code := Run(t.Context(), nil, nil, &out, &errs, append([]string{"check", "--fail-on", "never", app}, args...)); code != exitClean {
			t.Fatalf("exit code %d: %s", code, &errs)
		}
		return out.String()
	}
	if check("--json", "-") != check("--json", "-", "--timings", timings) {
		t.Error("--timings changes the findings")
	}
	b, err := os.ReadFile(timings)
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Stages []stageTime }
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range file.Stages {
		names = append(names, s.Stage)
		if s.Wall < 0 || s.CPU < 0 || s.Wall > 600 {
			t.Errorf("%s took %v s, %v s of the processor", s.Stage, s.Wall, s.CPU)
		}
	}
	want := []string{"reading the command line", "starting", "reading", "lifting", "points-to", "actions", "ordering", "races", "writing the outputs"}
	if !slices.Equal(names, want) {
		t.Errorf("stages are %q, want %q", names, want)
	}
	var errs bytes.Buffer
	if code := Run(t.Context(), nil, nil, &errs, &errs, []string{"check", app, "--timings", app}); code != exitFailed {
		t.Errorf("--timings over an input gives exit code %d", code)
	}
}

// TestProgressInsideRaces: the longest stage tells how far it is.
func TestProgressInsideRaces(t *testing.T) {
	var told [][2]int
	_, err := engine.Check(t.Context(), engine.Options{Inputs: []string{"../../examples/trackrecorder/trackrecorder.apk"}, ToolVersion: version,
		Progress: func(stage string, done, total int) {
			if stage == "races" && total > 0 {
				told = append(told, [2]int{done, total})
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	if len(told) == 0 {
		t.Fatal("nothing is told inside races")
	}
	for i, p := range told {
		if p[0] < 0 || p[0] > p[1] || p[1] != told[0][1] || i > 0 && p[0] < told[i-1][0] {
			t.Errorf("told %v", told)
			break
		}
	}
}

// TestMeter: the line of progress goes away for good.
func TestMeter(t *testing.T) {
	var b bytes.Buffer
	m := &meter{w: &b}
	m.show("races", 3, 7)
	if !strings.HasSuffix(b.String(), "races 3/7") {
		t.Errorf("the meter shows %q", b.String())
	}
	m.clear()
	m.next = m.next.Add(-redraw)
	shown := b.String()
	m.show("races", 4, 7)
	if b.String() != shown || !strings.HasSuffix(shown, "\r\x1b[K") {
		t.Errorf("after its end the meter shows %q", b.String())
	}
}
