package setup

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/action"
)

// releases serves programs by path and notes what was asked for.
type releases struct {
	files map[string][]byte
	asked []string
}

func (s *releases) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	s.asked = append(s.asked, q.URL.Path)
	if q.Header.Get("Authorization") != "" {
		http.Error(w, "no token is needed", http.StatusBadRequest)
		return
	}
	file, ok := s.files[q.URL.Path]
	if !ok {
		http.NotFound(w, q)
		return
	}
	w.Write(file)
}

func serve(t *testing.T, files map[string][]byte) (*releases, string) {
	s := &releases{files: files}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return s, server.URL
}

const asset = "/acme/mirror/releases/download/v1.2.3/eventraces_1.2.3_linux_amd64"

func releaseOf(p []byte) string {
	return fmt.Sprintf("# comment\nversion 1.2.3\r\nsha256 darwin_arm64 %064d\nsha256 linux_amd64 %x\n", 0, sha256.Sum256(p))
}

func TestReleaseIsDownloadedOnce(t *testing.T) {
	p := program("1.2.3")
	server, url := serve(t, map[string][]byte{asset: p})
	r := newRunner(t, releaseOf(p))
	r.env["GITHUB_SERVER_URL"] = url
	r.values["github.action_repository"] = "acme/mirror"
	log, code := r.run()
	if code != 1 || !strings.HasPrefix(log, "eventraces 1.2.3\n") || strings.Contains(log, "::") {
		t.Fatalf("exit code %d, log %q", code, log)
	}
	if len(server.asked) != 1 || server.asked[0] != asset {
		t.Errorf("asked for %q", server.asked)
	}
	if r.values["steps.publish.outputs.status"] != "races" {
		t.Error("the outputs of publish are lost")
	}
	if got := strings.Join(r.asked, "\n"); strings.Contains(got, "setup-go") || !strings.Contains(got, "cache/save") {
		t.Errorf("actions called: %s", got)
	}

	// Another machine has the cache.
	other := newRunner(t, releaseOf(p))
	other.cached = r.cached
	if log, code := other.run(); code != 1 || !strings.HasPrefix(log, "eventraces 1.2.3\n") {
		t.Errorf("with a cache: exit code %d, log %q", code, log)
	}
	if other.plan("cache-key") != r.plan("cache-key") || len(other.asked) != 1 {
		t.Errorf("with a cache: key %q, then %q; called %q", r.plan("cache-key"), other.plan("cache-key"), other.asked)
	}

	// The same machine has the program.
	r.asked = nil
	if log, code := r.run(); code != 1 || len(r.asked) != 0 || len(server.asked) != 1 {
		t.Errorf("once more: exit code %d, called %q, asked for %q, log %q", code, r.asked, server.asked, log)
	}

	// A program on the machine that is another one is replaced.
	if err := os.WriteFile(r.plan("program"), []byte("#!/bin/sh\necho eventraces 1.2.3; touch ran\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if log, code := r.run(); code != 1 || len(server.asked) != 2 {
		t.Errorf("after a change: exit code %d, asked for %q, log %q", code, server.asked, log)
	}
}

func TestOtherBytesAreNotRun(t *testing.T) {
	p, other := program("1.2.3"), []byte("#!/bin/sh\ntouch \"$RUNNER_TEMP/ran\"\necho eventraces 1.2.3\n")
	_, url := serve(t, map[string][]byte{asset: other})
	r := newRunner(t, releaseOf(p))
	r.env["GITHUB_SERVER_URL"] = url
	r.values["github.action_repository"] = "acme/mirror"
	log, code := r.run()
	want := fmt.Sprintf("::error title=eventraces::%s%s has the SHA-256 %x; action/release.txt wants %x. It is not run\n",
		url, asset, sha256.Sum256(other), sha256.Sum256(p))
	if code != 2 || log != want {
		t.Errorf("exit code %d, log %q\nwant %q", code, log, want)
	}
	if _, err := os.Stat(filepath.Join(r.env["RUNNER_TEMP"], "ran")); err == nil {
		t.Error("it was run")
	}
	if left, _ := os.ReadDir(r.plan("folder")); len(left) != 0 {
		t.Errorf("%s stays behind", left[0].Name())
	}

	// Neither out of a cache.
	r.cached = t.TempDir()
	if err := os.WriteFile(filepath.Join(r.cached, "eventraces"), other, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, code := r.run(); code != 2 {
		t.Errorf("with a wrong cache: exit code %d", code)
	}
	if _, err := os.Stat(filepath.Join(r.env["RUNNER_TEMP"], "ran")); err == nil {
		t.Error("it was run out of the cache")
	}
}

func TestMissingReleaseIsSaid(t *testing.T) {
	server, url := serve(t, nil)
	r := newRunner(t, releaseOf(program("1.2.3")))
	r.env["GITHUB_SERVER_URL"] = url
	log, code := r.run()
	if code != 2 || strings.Count(log, "\n") != 1 || !strings.HasPrefix(log, "::error title=eventraces::eventraces 1.2.3 could not be downloaded: "+url) ||
		!strings.Contains(log, "404") || !strings.Contains(log, "; https://github.com/eventraces/eventraces/releases/download/v1.2.3/eventraces_1.2.3_linux_amd64: ") {
		t.Errorf("exit code %d, log %q", code, log)
	}
	// Without a name of its own, the Action is ours.
	if want := strings.Replace(asset, "acme/mirror", "eventraces/eventraces", 1); len(server.asked) != 1 || server.asked[0] != want {
		t.Errorf("asked for %q", server.asked)
	}
}

// What a workflow says must arrive as it is, and run nothing.
func TestInputsArriveAsWritten(t *testing.T) {
	p := program("1.2.3")
	_, url := serve(t, map[string][]byte{asset: p})
	r := newRunner(t, releaseOf(p))
	r.env["GITHUB_SERVER_URL"] = url
	r.values["github.action_repository"] = "acme/mirror"
	var want strings.Builder
	for _, spec := range action.InputSpecs {
		r.values["inputs."+spec.Name] = spec.Name + " $(touch ran) `touch ran`\n\"; touch ran; '"
	}
	for _, name := range []string{"args", "baseline", "build-outputs", "category", "comment", "fail-on", "findings", "mapping", "source-roots", "token", "upload"} {
		fmt.Fprintf(&want, "INPUT_%s=%s $(touch ran) `touch ran`~\"; touch ran; '\n", strings.ToUpper(strings.ReplaceAll(name, "-", "_")), name)
	}
	log, _ := r.run()
	if _, got, _ := strings.Cut(log, "\n"); got != want.String() {
		t.Errorf("publish got\n%s\nwant\n%s", got, want.String())
	}
}

func TestPlanOfEachPlatform(t *testing.T) {
	sums := "version 2.0.0-rc.1\n"
	for i, platform := range []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64", "windows_amd64", "windows_arm64"} {
		sums += fmt.Sprintf("sha256 %s %064d\n", platform, i)
	}
	for _, c := range []struct{ os, arch, asset, sum string }{
		{"Linux", "X64", "eventraces_2.0.0-rc.1_linux_amd64", "0"},
		{"Linux", "ARM64", "eventraces_2.0.0-rc.1_linux_arm64", "1"},
		{"macOS", "X64", "eventraces_2.0.0-rc.1_darwin_amd64", "2"},
		{"macOS", "ARM64", "eventraces_2.0.0-rc.1_darwin_arm64", "3"},
		{"Windows", "X64", "eventraces_2.0.0-rc.1_windows_amd64.exe", "4"},
		{"Windows", "ARM64", "eventraces_2.0.0-rc.1_windows_arm64.exe", "5"},
	} {
		r := newRunner(t, sums)
		r.env["RUNNER_OS"], r.env["RUNNER_ARCH"] = c.os, c.arch
		tools := r.env["RUNNER_TOOL_CACHE"]
		if c.os == "Windows" {
			for _, name := range []string{"GITHUB_ACTION_PATH", "RUNNER_TEMP", "RUNNER_TOOL_CACHE"} {
				r.env[name] = strings.ReplaceAll(r.env[name], "/", `\`)
			}
		}
		if log, code := r.script(r.steps()[0]); code != 0 {
			t.Fatalf("%s %s: %s", c.os, c.arch, log)
		}
		platform := strings.TrimSuffix(strings.TrimPrefix(c.asset, "eventraces_2.0.0-rc.1_"), ".exe")
		folder := tools + "/eventraces/2.0.0-rc.1/" + strings.Replace(platform, "_", "-", 1)
		ending := filepath.Ext(c.asset)
		if ending != ".exe" {
			ending = ""
		}
		for name, want := range map[string]string{
			"source": "release", "version": "2.0.0-rc.1", "asset": c.asset, "folder": folder, "program": folder + "/eventraces" + ending,
			"sha256": fmt.Sprintf("%064s", c.sum), "go-mod": r.action + "/go.mod",
		} {
			if got := r.plan(name); got != want {
				t.Errorf("%s %s: %s is %q, want %q", c.os, c.arch, name, got, want)
			}
		}
	}
}

func TestPlanRefuses(t *testing.T) {
	for _, c := range []struct{ release, os, arch, want string }{
		{"", "FreeBSD", "X64", "the runner's system is 'FreeBSD'; eventraces runs on Linux, macOS and Windows"},
		{"", "Linux", "ARM", "the runner's processor is 'ARM'; eventraces runs on X64 and ARM64"},
		{"version 1.2.3\n", "Linux", "X64", "action/release.txt names no version and SHA-256 for linux_amd64"},
		{fmt.Sprintf("version 1.2.3\nsha256 linux_amd64 %063d\n", 0), "Linux", "X64", "action/release.txt names no version and SHA-256 for linux_amd64"},
		{fmt.Sprintf("version ../../1\nsha256 linux_amd64 %064d\n", 0), "Linux", "X64", "action/release.txt names no version and SHA-256 for linux_amd64"},
	} {
		r := newRunner(t, c.release)
		r.env["RUNNER_OS"], r.env["RUNNER_ARCH"] = c.os, c.arch
		log, code := r.run()
		if want := "::error title=eventraces::" + c.want + "\n"; code != 2 || log != want {
			t.Errorf("%q on %s %s: exit code %d, log %q, want %q", c.release, c.os, c.arch, code, log, want)
		}
	}
}

// Where the tool cache cannot be written, the temporary folder serves.
func TestPlanWithoutToolCache(t *testing.T) {
	r := newRunner(t, releaseOf(nil))
	writeFile(t, r.env["RUNNER_TOOL_CACHE"], "a file")
	r.script(r.steps()[0])
	if want := r.env["RUNNER_TEMP"] + "/eventraces/1.2.3/linux-amd64"; r.plan("folder") != want {
		t.Errorf("folder %q, want %q", r.plan("folder"), want)
	}
}

// TestBuild builds the checked-out Action, as on any commit that is no release,
// whatever the job has set for its own Go builds.
func TestBuild(t *testing.T) {
	r := newRunner(t, "version none\n")
	copyFiles(t, filepath.Join("..", ".."), r.action, "go.mod", "go.sum", "baseline", "cmd", "engine", "internal")
	r.env["GOOS"], r.env["GOFLAGS"] = "windows", "-mod=vendor"
	r.values["github.action_ref"] = "feature/x_1"
	steps := r.steps()
	publish := len(steps) - 1
	if steps[publish].ID != "publish" {
		t.Fatalf("the last step is %q", steps[publish].ID)
	}
	build := func() string {
		t.Helper()
		var log string
		for _, s := range steps[:publish] {
			switch {
			case !r.holds(s.If):
			case s.Uses != "":
				r.call(s)
			default:
				text, code := r.script(s)
				if code != 0 {
					t.Fatalf("exit code %d: %s", code, text)
				}
				log += text
			}
		}
		return log
	}
	if log := build(); log != "eventraces 0.0.0-dev+feature-x-1\n" {
		t.Errorf("log %q", log)
	}
	if got := strings.Join(r.asked, "\n"); !strings.Contains(got, "actions/setup-go cache=false go-version-file="+r.action+"/go.mod") {
		t.Errorf("called %s", got)
	}
	key := r.plan("cache-key")

	// With a cache there is no need of Go.
	if err := os.RemoveAll(r.plan("folder")); err != nil {
		t.Fatal(err)
	}
	r.asked = nil
	r.env["PATH"] = withoutGo(t)
	build()
	if r.plan("cache-key") != key || len(r.asked) != 1 {
		t.Errorf("with a cache: key %q, then %q; called %q", key, r.plan("cache-key"), r.asked)
	}

	// A change of the sources is another program.
	writeFile(t, filepath.Join(r.action, "cmd", "eventraces", "more_test.go"), "package main\n")
	r.script(steps[0])
	if r.plan("cache-key") != key {
		t.Error("the key of the cache depends on tests")
	}
	writeFile(t, filepath.Join(r.action, "cmd", "eventraces", "more.go"), "package main\n")
	r.script(steps[0])
	if r.plan("cache-key") == key {
		t.Error("the key of the cache does not depend on the sources")
	}
	log, code := r.script(steps[3])
	if code != 2 || log != "::error title=eventraces::Go is needed to build eventraces 0.0.0-dev+feature-x-1; a release needs none\n" {
		t.Errorf("without Go: exit code %d, log %q", code, log)
	}

	// What nothing vouches for is not taken into a job with more rights.
	for _, event := range []string{"workflow_run", "pull_request_target"} {
		r.env["GITHUB_EVENT_NAME"] = event
		r.script(steps[0])
		if r.plan("cache-key") != "" {
			t.Errorf("%s asks the cache for %q", event, r.plan("cache-key"))
		}
	}
}

// withoutGo is a path with the tools that the scripts use, and no Go.
func withoutGo(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"bash", "cat", "cut", "dirname", "find", "mkdir", "sha256sum", "shasum", "sort", "tr", "xargs"} {
		if file, err := exec.LookPath(name); err == nil {
			if err := os.Symlink(file, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// TestDigestCoversTheProgram: the cache of built programs must notice a change in
// whatever package the program is made of.
func TestDigestCoversTheProgram(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if .Main}}{{$.ImportPath}}{{end}}{{end}}", "github.com/eventraces/eventraces/cmd/eventraces").Output()
	if err != nil {
		t.Fatal(err)
	}
	script := readFile(t, "plan.sh")
	_, rest, _ := strings.Cut(script, "files=$(find ")
	folders, _, ok := strings.Cut(rest, " -type f")
	packages := strings.Fields(string(out))
	if !ok || len(packages) < 10 {
		t.Fatalf("folders %q, packages %q", folders, packages)
	}
	for _, p := range packages {
		folder, _, _ := strings.Cut(strings.TrimPrefix(p, "github.com/eventraces/eventraces/"), "/")
		if !strings.Contains(" "+folders+" ", " "+folder+" ") {
			t.Errorf("plan.sh does not look at %s, which holds %s", folder, p)
		}
	}
}
