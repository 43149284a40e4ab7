package report

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/finding/findingtest"
	"github.com/eventraces/eventraces/internal/fetch"
)

// The native program inside Microsoft's package; its own wrapper passes
// arguments through a shell, which breaks at ";".
var multitool = fetch.Package{
	Name: "@microsoft/sarif-multitool-linux", Version: "5.7.0",
	SHA256: "27d8e3e96dde578a23b7c45035b8d741fece5731e2700aa068015b8c44d1514e",
}

// TestMultitool asks an independent validator, with GitHub's rules on. It says
// what it found in a file only; its exit code is always 0.
func TestMultitool(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("sarif-multitool is fetched for linux/amd64 only")
	}
	dir, err := multitool.Dir(t.Context())
	fetch.Required(t, dir, err)
	program := filepath.Join(dir, "package", "Sarif.Multitool")
	if err := os.Chmod(program, 0o755); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{} // without a baseline, the profiles are often equal
	for _, s := range findingtest.All {
		for _, o := range outputs {
			log := render(t, o.render, s.Run())
			if !strings.HasSuffix(o.end, ".sarif") || seen[string(log)] {
				continue
			}
			seen[string(log)] = true
			if found := validate(t, program, log); len(found) != 0 {
				t.Errorf("%s%s: %v", s.Name, o.end, found)
			}
		}
	}
	// It does complain about a result without locations.
	spoilt := sarifWithout(t, "locations")
	if found := validate(t, program, spoilt); len(found) == 0 {
		t.Error("the validator takes a result without locations")
	}
}

// sarifWithout renders the shapes and takes one property from the first
// result.
func sarifWithout(t *testing.T, key string) []byte {
	t.Helper()
	var log map[string]any
	if err := json.Unmarshal(render(t, SARIF, findingtest.Shapes()), &log); err != nil {
		t.Fatal(err)
	}
	results := log["runs"].([]any)[0].(map[string]any)["results"].([]any)
	delete(results[0].(map[string]any), key)
	b, err := json.Marshal(log)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// validate gives what the validator calls an error or a warning.
func validate(t *testing.T, program string, log []byte) []string {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.sarif"), filepath.Join(dir, "out.sarif")
	if err := os.WriteFile(in, log, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "validate", in, "--rule-kind", "Sarif;Gh", "--level", "Error;Warning;Note", "-o", out, "--log", "ForceOverwrite")
	cmd.Env = append(os.Environ(), "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Runs []struct {
			Results []struct {
				RuleID, Level string
				Message       struct {
					ID        string
					Text      string
					Arguments []string
				}
			}
		}
	}
	if err := json.Unmarshal(b, &report); err != nil {
		t.Fatal(err)
	}
	if len(report.Runs) != 1 {
		t.Fatalf("the validator wrote %d runs", len(report.Runs))
	}
	var found []string
	for _, r := range report.Runs[0].Results {
		line := r.RuleID + " " + r.Level + " " + r.Message.Text
		for _, a := range r.Message.Arguments {
			line += " | " + a
		}
		t.Log(line)
		if r.Level == "error" || r.Level == "warning" || r.Level == "" {
			found = append(found, line)
		}
	}
	return found
}
