package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadme runs the first command of the README from the top of the
// repository: it must print the block that follows it, and exit with 1.
// UPDATE_SCRIPTS rewrites the block.
func TestReadme(t *testing.T) {
	t.Chdir("../..")
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	const fence = "```\n"
	blocks := strings.Split(string(readme), fence)
	if len(blocks) < 6 {
		t.Fatalf("README.md has %d fenced blocks", len(blocks)/2)
	}
	args, ok := strings.CutPrefix(strings.TrimSpace(blocks[1]), "go run ./cmd/eventraces ")
	if !ok {
		t.Fatalf("the first command is %q", blocks[1])
	}
	var stdout, stderr bytes.Buffer
	code := Run(t.Context(), nil, nil, &stdout, &stderr, strings.Fields(args))
	if code != exitRaces || stderr.Len() != 0 {
		t.Errorf("exit code %d, stderr %q", code, stderr.String())
	}
	if diff := cmp.Diff(blocks[3], stdout.String()); diff != "" {
		if os.Getenv("UPDATE_SCRIPTS") == "" {
			t.Fatalf("the README shows another output (-README +now); UPDATE_SCRIPTS=1 rewrites it:\n%s", diff)
		}
		blocks[3] = stdout.String()
		if err := os.WriteFile("README.md", []byte(strings.Join(blocks, fence)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if second := strings.TrimSpace(blocks[5]); second != "make test" {
		t.Errorf("the second command is %q", second)
	}
	// The goal is there, whatever it does is not for a test to run.
	if out, err := exec.Command("make", "-n", "test").CombinedOutput(); err != nil {
		t.Errorf("make test: %v\n%s", err, out)
	}
}
