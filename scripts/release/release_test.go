package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/internal/fetch"
)

const released = "9.8.7-rc.1"

// ours builds these sources with the Go that runs the tests.
func ours(platforms ...platform) release {
	return release{root: filepath.Join("..", ".."), version: released, toolchain: "local", platforms: platforms, log: io.Discard}
}

func TestRelease(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dist")
	if err := ours(platforms...).write(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	t.Run("formats", func(t *testing.T) { formats(t, dir) })
	t.Run("licences", func(t *testing.T) { licencesOf(t, dir) })
	t.Run("checksums", func(t *testing.T) { checksums(t, dir) })
	t.Run("same bytes elsewhere", func(t *testing.T) { sameBytesElsewhere(t, dir) })
	t.Run("the Action gets it", func(t *testing.T) { actionGetsIt(t, dir) })
	if err := ours(platforms...).write(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "want a folder that is empty") {
		t.Errorf("written over another one: %v", err)
	}
}

// licencesOf: the texts are there of all that any program is made of, and of
// nothing that only tests use.
func licencesOf(t *testing.T, dir string) {
	data, err := os.ReadFile(filepath.Join(dir, "licences.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"==== eventraces: LICENSE ====", "==== Go: LICENSE ====", "==== github.com/google/go-github/v60 v60.0.0: LICENSE ====", "==== golang.org/x/sys ",
		"==== github.com/inconshreveable/mousetrap ", // on Windows only
	} {
		if !strings.Contains(string(data), part) {
			t.Errorf("licences.txt lacks %q", part)
		}
	}
	if strings.Contains(string(data), "kin-openapi") {
		t.Error("licences.txt has what only tests use")
	}
}

// formats: each program is one for its platform, and needs nothing on Linux.
func formats(t *testing.T, dir string) {
	for _, p := range platforms {
		file := filepath.Join(dir, ours().asset(p))
		switch p.os {
		case "linux":
			f, err := elf.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			if want := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}[p.arch]; f.Machine != want {
				t.Errorf("%s is for %v", file, f.Machine)
			}
			for _, prog := range f.Progs {
				if prog.Type == elf.PT_INTERP || prog.Type == elf.PT_DYNAMIC {
					t.Errorf("%s is not static: it has %v", file, prog.Type)
				}
			}
			f.Close()
		case "darwin":
			f, err := macho.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			if want := map[string]macho.Cpu{"amd64": macho.CpuAmd64, "arm64": macho.CpuArm64}[p.arch]; f.Cpu != want || f.Type != macho.TypeExec {
				t.Errorf("%s is a %v for %v", file, f.Type, f.Cpu)
			}
			f.Close()
		case "windows":
			f, err := pe.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]uint16{"amd64": pe.IMAGE_FILE_MACHINE_AMD64, "arm64": pe.IMAGE_FILE_MACHINE_ARM64}[p.arch]
			if f.Machine != want || f.Characteristics&pe.IMAGE_FILE_EXECUTABLE_IMAGE == 0 {
				t.Errorf("%s is for machine %#x", file, f.Machine)
			}
			f.Close()
		}
		program := read(t, file)
		if bytes.Contains(program, []byte(root(t))) {
			t.Errorf("%s names the folder it was built in", file)
		}
	}
}

func checksums(t *testing.T, dir string) {
	sums, pins := "", "# Written by scripts/release: the program that this release of the Action runs.\nversion "+released+"\n"
	for _, p := range []string{"darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64", "windows_amd64", "windows_arm64"} {
		name := "eventraces_9.8.7-rc.1_" + p
		if strings.HasPrefix(p, "windows") {
			name += ".exe"
		}
		sum := sha256.Sum256(read(t, filepath.Join(dir, name)))
		sums += fmt.Sprintf("%x  %s\n", sum, name)
		pins += fmt.Sprintf("sha256 %s %x\n", p, sum)
	}
	if got := string(read(t, filepath.Join(dir, "checksums.txt"))); got != sums {
		t.Errorf("checksums.txt is\n%swant\n%s", got, sums)
	}
	if got := string(read(t, filepath.Join(dir, "release.txt"))); got != pins {
		t.Errorf("release.txt is\n%swant\n%s", got, pins)
	}
}

// sameBytesElsewhere builds for this platform from another checkout, with a
// release.txt, an empty build cache, and settings that must not count.
func sameBytesElsewhere(t *testing.T, dir string) {
	elsewhere := filepath.Join(t.TempDir(), "another checkout")
	for _, name := range []string{"action", "baseline", "cmd", "engine", "internal"} {
		if err := os.CopyFS(filepath.Join(elsewhere, name), os.DirFS(filepath.Join(root(t), name))); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(elsewhere, "go.mod"), read(t, filepath.Join(root(t), "go.mod")))
	write(t, filepath.Join(elsewhere, "go.sum"), read(t, filepath.Join(root(t), "go.sum")))
	write(t, filepath.Join(elsewhere, "LICENSE"), read(t, filepath.Join(root(t), "LICENSE")))
	write(t, filepath.Join(elsewhere, "action", "release.txt"), read(t, filepath.Join(dir, "release.txt")))
	t.Setenv("GOCACHE", t.TempDir())
	t.Setenv("GOAMD64", "v3")
	t.Setenv("GOFLAGS", "-tags=other")
	t.Setenv("CGO_ENABLED", "1")
	here := platform{runtime.GOOS, runtime.GOARCH}
	r := ours(here)
	r.root = elsewhere
	fresh := t.TempDir()
	if err := r.write(t.Context(), fresh); err != nil {
		t.Fatal(err)
	}
	program := r.asset(here)
	a, b := read(t, filepath.Join(dir, program)), read(t, filepath.Join(fresh, program))
	if !bytes.Equal(a, b) {
		t.Errorf("%s: %d bytes with SHA-256 %x; from another checkout %d with %x", program, len(a), sha256.Sum256(a), len(b), sha256.Sum256(b))
	}

	// And the command that compares sees what is other. The cache is warm now.
	if err := r.check(t.Context(), fresh); err != nil {
		t.Errorf("a folder as written is refused: %v", err)
	}
	b[len(b)/2] ^= 1
	write(t, filepath.Join(fresh, program), b)
	if err := r.check(t.Context(), fresh); err == nil || !strings.Contains(err.Error(), program+" is not what a fresh build gives") {
		t.Errorf("a changed bit: %v", err)
	}
	if err := os.Remove(filepath.Join(fresh, "checksums.txt")); err != nil {
		t.Fatal(err)
	}
	if err := r.check(t.Context(), fresh); err == nil || !strings.Contains(err.Error(), "a fresh build gives checksums.txt") {
		t.Errorf("a missing file: %v", err)
	}
}

// actionGetsIt lets the scripts of the Action find, download, verify and run the
// program of this platform.
func actionGetsIt(t *testing.T, dir string) {
	if runtime.GOOS == "windows" {
		t.Skip("tests of shell scripts run on Linux and macOS")
	}
	curl, err := exec.LookPath("curl")
	fetch.Required(t, curl, err)
	action := filepath.Join(t.TempDir(), "the action")
	if err := os.CopyFS(filepath.Join(action, "action"), os.DirFS(filepath.Join(root(t), "action"))); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(action, "action", "release.txt"), read(t, filepath.Join(dir, "release.txt")))
	server := httptest.NewServer(http.StripPrefix("/eventraces/eventraces/releases/download/v"+released, http.FileServer(http.Dir(dir))))
	t.Cleanup(server.Close)
	temp := t.TempDir()
	outputs := filepath.Join(temp, "outputs")
	env := append(os.Environ(), "GITHUB_ACTION_PATH="+action, "RUNNER_TEMP="+temp, "RUNNER_TOOL_CACHE="+temp, "GITHUB_OUTPUT="+outputs,
		"GITHUB_SERVER_URL="+server.URL, "no_proxy=127.0.0.1", "ACTION_REPOSITORY=",
		"RUNNER_OS="+map[string]string{"linux": "Linux", "darwin": "macOS"}[runtime.GOOS],
		"RUNNER_ARCH="+map[string]string{"amd64": "X64", "arm64": "ARM64"}[runtime.GOARCH])
	script := func(name string) string {
		cmd := exec.CommandContext(t.Context(), "bash", filepath.Join(action, "action", "setup", name))
		cmd.Env = env
		log, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", name, err, log)
		}
		return string(log)
	}
	script("plan.sh")
	program := ""
	lines := bufio.NewScanner(bytes.NewReader(read(t, outputs)))
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), "=")
		env = append(env, "PLAN_"+strings.ToUpper(name)+"="+value)
		if name == "program" {
			program = value
		}
	}
	if log := script("install.sh"); log != "eventraces "+released+"\n" {
		t.Errorf("install.sh says %q", log)
	}
	if !bytes.Equal(read(t, program), read(t, filepath.Join(dir, ours().asset(platform{runtime.GOOS, runtime.GOARCH})))) {
		t.Error("another program was installed")
	}
}

func TestVersionsAreChecked(t *testing.T) {
	for _, v := range []string{"0.1.0", "1.2.3", "10.20.30-rc.1", "1.0.0-alpha-2.x7"} {
		if err := validVersion(v); err != nil {
			t.Error(err)
		}
	}
	for _, v := range []string{"", "v1.2.3", "1.2", "1.2.3.4", "01.2.3", "1.2.3-", "1.2.3-01", "1.2.3+meta", "1.2.3 ", "1.2.3-a..b", "latest"} {
		want := fmt.Sprintf("-version %q is none; want one such as 1.2.3 or 1.2.3-rc.1", v)
		if err := run(t.Context(), io.Discard, []string{"-version", v, "-out", t.TempDir()}); err == nil || err.Error() != want {
			t.Errorf("%q: %v", v, err)
		}
	}
	if err := run(t.Context(), io.Discard, []string{"-version", "1.2.3", "dist"}); err == nil {
		t.Error("an argument is ignored")
	}
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func write(t *testing.T, file string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o755); err != nil {
		t.Fatal(err)
	}
}
