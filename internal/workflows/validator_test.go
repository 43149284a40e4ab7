package workflows

import (
	"bytes"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/internal/fetch"
)

// The core of action-validator, which knows the schemas of actions and workflows.
// Its command line adds nothing but a package for colours.
var validator = fetch.Package{
	Name: "@action-validator/core", Version: "0.6.0",
	SHA256: "a48f55be8d76a1d0e66dd9bbdfdd583c09e2bd5110539f1b4cd9512d442843bd",
}

// It prints one line for each error.
const program = `
const validator = require(process.argv[1]);
const text = require('fs').readFileSync(0, 'utf8');
const result = process.argv[2] === 'action' ? validator.validateAction(text) : validator.validateWorkflow(text);
for (const e of result.errors) console.log(JSON.stringify(e));
`

func validate(t *testing.T, dir, kind string, text []byte) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", "-e", program, filepath.Join(dir, "package"), kind)
	cmd.Stdin = bytes.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("node: %v: %s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

func TestValidator(t *testing.T) {
	node, err := exec.LookPath("node")
	fetch.Required(t, node, err)
	dir, err := validator.Dir(t.Context())
	fetch.Required(t, dir, err)
	check := func(kind string, f file) {
		t.Helper()
		if got := validate(t, dir, kind, f.text); got[0] != "" {
			t.Errorf("%s: %s", f.name, strings.Join(got, "\n"))
		}
	}
	check("action", action(t))
	for _, f := range workflows(t) {
		// Its schemas are older than this permission; actionlint knows it.
		f.text = bytes.Replace(f.text, []byte("      attestations: write\n"), nil, 1)
		check("workflow", f)
	}

	for _, c := range []struct {
		kind     string
		f        file
		old, new string
	}{
		{"action", action(t), "using: composite", "using: composit"},
		{"action", action(t), "description: Finds", "describes: Finds"},
		{"action", action(t), "icon: shuffle", "icon: races"},
		{"workflow", file{text: []byte(sound)}, "runs-on: ubuntu-24.04", "runs-at: ubuntu-24.04"},
		{"workflow", file{text: []byte(sound)}, "on: push", "on: pushed"},
		{"workflow", file{text: []byte(sound)}, "permissions: {}", "permissions: {contents: all}"},
	} {
		text := bytes.Replace(c.f.text, []byte(c.old), []byte(c.new), 1)
		if bytes.Equal(text, c.f.text) {
			t.Fatalf("%q is not there", c.old)
		}
		if got := validate(t, dir, c.kind, text); got[0] == "" {
			t.Errorf("%s instead of %s is taken", c.new, c.old)
		}
	}
}
