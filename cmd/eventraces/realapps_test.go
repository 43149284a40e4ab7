package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/internal/realapps"
)

// TestRealApps runs the program on published apps: there is a verdict, nothing
// was unreadable, no budget was reached, all outputs are valid, and their bytes
// do not depend on the number of cores.
func TestRealApps(t *testing.T) {
	for _, app := range realapps.All {
		if !app.Quick {
			continue
		}
		t.Run(app.Name, func(t *testing.T) {
			apk := app.Fetch(t)
			saved, log := outputs(t, apk, 1)
			checkSaved(t, saved)
			if err := fitsSchema(log); err != nil {
				t.Errorf("SARIF: %v", err)
			}
			for _, cores := range []int{2, 8} {
				if saved1, log1 := outputs(t, apk, cores); !bytes.Equal(saved, saved1) || !bytes.Equal(log, log1) {
					t.Errorf("%d cores give other bytes than one", cores)
				}
			}
		})
	}
}

func checkSaved(t *testing.T, saved []byte) {
	t.Helper()
	var run finding.Run
	if err := json.Unmarshal(saved, &run); err != nil {
		t.Fatal(err)
	}
	if err := run.Check(); err != nil {
		t.Error(err)
	}
	for _, n := range run.Notes {
		if n.Kind.Limits() {
			t.Errorf("%s: %s (%d times): %s", n.Kind, n.Text, n.Count, n.Where)
		}
	}
	if run.Counts.Methods == 0 || run.Counts.Actions == 0 || run.App.Package == "" {
		t.Errorf("nothing was analysed: %+v", run.Counts)
	}
	t.Logf("%+v", run.Counts)
}

// outputs gives the JSON and SARIF of a run on a number of cores.
func outputs(t *testing.T, apk string, cores int) (saved, log []byte) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	dir := t.TempDir()
	names := []string{filepath.Join(dir, "run.json"), filepath.Join(dir, "run.sarif")}
	var stdout, stderr bytes.Buffer
	code := Run(t.Context(), nil, nil, &stdout, &stderr,
		[]string{"check", "--fail-on", "never", "--json", names[0], "--sarif", names[1], apk})
	if code != exitClean || stderr.Len() != 0 {
		t.Fatalf("exit code %d: %s", code, stderr.Bytes())
	}
	var files [2][]byte
	for i, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[i] = b
	}
	return files[0], files[1]
}
