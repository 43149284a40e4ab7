package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
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
