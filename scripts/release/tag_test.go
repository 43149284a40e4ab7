package main

import (
	"bytes"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The workflow installs the Go that releases are built with, and these sources
// can be built with it.
func TestToolchainIsOne(t *testing.T) {
	workflow := read(t, filepath.Join(root(t), ".github", "workflows", "release.yml"))
	m := regexp.MustCompile(`go-version: (\S+)`).FindAllSubmatch(workflow, -1)
	if len(m) != 1 || "go"+string(m[0][1]) != toolchain {
		t.Errorf("release.yml installs %q; releases are built with %s", m, toolchain)
	}
	mod := regexp.MustCompile(`(?m)^go (\S+)$`).FindSubmatch(read(t, filepath.Join(root(t), "go.mod")))
	if mod == nil || version.Compare(toolchain, "go"+string(mod[1])) < 0 {
		t.Errorf("go.mod wants %q; releases are built with %s", mod, toolchain)
	}
}

// TestTag tags a release in a repository of its own.
func TestTag(t *testing.T) {
	repo := filepath.Join(t.TempDir(), "a clone")
	put := func(name, text string) { write(t, filepath.Join(repo, name), []byte(text)) }
	put("scripts/tagrelease", string(read(t, filepath.Join(root(t), "scripts", "tagrelease"))))
	run := func(name string, args ...string) (string, error) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = repo
		cmd.Env = append(os.Environ(), "HOME="+repo, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
		out, err := cmd.CombinedOutput()
		return strings.TrimSpace(string(out)), err
	}
	git := func(args ...string) string {
		t.Helper()
		out, err := run("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		if err != nil {
			t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, out)
		}
		return out
	}
	put("action/release.txt", "version none\n")
	put(".gitignore", "/dist/\n")
	git("init", "--quiet", "--initial-branch=main")
	git("add", "--all")
	git("commit", "--quiet", "--message", "first")
	main := git("rev-parse", "main")
	put("dist/release.txt", "version 1.2.3\nsha256 x y\n")
	put("other.txt", "not of the release\n")
	git("add", "other.txt")

	if out, err := run("scripts/tagrelease", "1.2.4"); err == nil || out != "tagrelease: dist/release.txt is not of version 1.2.4" {
		t.Errorf("another version: %v: %s", err, out)
	}
	if out, err := run("scripts/tagrelease", "1.2.3"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got := git("rev-parse", "main", "v1.2.3~1"); got != main+"\n"+main {
		t.Errorf("main was %s; main and what the tag is based on are now %s", main, got)
	}
	if got := git("diff", "--name-only", "main", "v1.2.3"); got != "action/release.txt" {
		t.Errorf("the release changes %q", got)
	}
	if got := git("show", "v1.2.3:action/release.txt"); got != "version 1.2.3\nsha256 x y" {
		t.Errorf("the release pins %q", got)
	}
	if out, err := run("scripts/tagrelease", "1.2.3"); err == nil {
		t.Errorf("tagged twice: %s", out)
	}
}

// What our own CI asks of the outputs of the Action can be answered wrongly.
func TestOutputsAreChecked(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a file")
	write(t, file, []byte("{}"))
	good := map[string]string{
		"STATUS": "clean", "COUNTS": `{"new":{"high":1,"medium":0,"low":0},"unchanged":0,"suppressed":0,"gone":0}`,
		"NEW_FINDINGS": `[{"id":"eccaff683dade110","rule":"use-after-free","priority":"high","field":"com.example.trackrecorder.TrackActivity.providerUtils","file":"","line":21,"message":""}]`,
		"SARIF_FILE":   file, "FINDINGS_FILE": file,
	}
	check := func(spoil, value string) (string, error) {
		cmd := exec.CommandContext(t.Context(), filepath.Join(root(t), ".ci", "check-outputs"))
		cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
		for name, v := range good {
			if name == spoil {
				v = value
			}
			cmd.Env = append(cmd.Env, name+"="+v)
		}
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		err := cmd.Run()
		return out.String(), err
	}
	if out, err := check("", ""); err != nil {
		t.Errorf("good outputs: %v: %s", err, out)
	}
	for name, value := range map[string]string{
		"STATUS": "failed", "COUNTS": "{}", "NEW_FINDINGS": "[]", "SARIF_FILE": dir + "/none", "FINDINGS_FILE": "",
	} {
		if out, err := check(name, value); err == nil || !strings.Contains(out, "output "+strings.ReplaceAll(strings.ToLower(name), "_", "-")+" is '"+value+"'") {
			t.Errorf("%s=%s: %v: %s", name, value, err, out)
		}
	}
}
