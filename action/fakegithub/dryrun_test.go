package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The dry run that docs/action.md tells of shows what it says.
func TestDryRun(t *testing.T) {
	for _, program := range []string{"bash", "git", "go"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("no %s", program)
		}
	}
	folder := filepath.Join(t.TempDir(), "dry run")
	out, err := exec.CommandContext(t.Context(), "bash", "../../examples/dryrun/run.sh", folder).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if want := "The step ended with exit code 1."; !strings.Contains(string(out), want) {
		t.Errorf("it says %s, want %s", out, want)
	}
	for name, parts := range map[string][]string{
		"seen.md": {
			"### 1 new high event race", "TrackActivity.providerUtils", "TrackActivity.java#L21", "TrackActivity.java#L44", "```mermaid",
			"## On app/src/main/java/com/example/trackrecorder/TrackActivity.java:44 by github-actions[bot]",
			"eventraces/com.example.trackrecorder/ for refs/pull/7/merge", "results 1",
		},
		"summary.md":  {"TrackActivity.providerUtils"},
		"log.txt":     {"HIGH  com.example.trackrecorder.TrackActivity.providerUtils", "::error title=eventraces::1 new high event race"},
		"outputs.txt": {"races", `"new":{"high":1,"medium":0,"low":0}`},
		"github.txt":  {"201 POST /repos/octo/tracks/issues/7/comments", "200 POST /repos/octo/tracks/pulls/7/reviews"},
	} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, part := range parts {
			if !strings.Contains(string(text), part) {
				t.Errorf("%s lacks %q:\n%s", name, part, text)
			}
		}
		if strings.Contains(string(text), "MISTAKE") {
			t.Errorf("%s tells of mistakes:\n%s", name, text)
		}
	}
}
