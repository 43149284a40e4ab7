// Command runtests runs go test on the packages named (./... if none) and says
// what a person wants to know: one line per package, the output of what failed,
// one SKIP line for each test that was skipped, and a count at the end. Where
// REQUIRE=all is set, a skip fails the run.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// event is one line of go test -json.
type event struct {
	Action      string
	Package     string
	ImportPath  string
	Test        string
	Elapsed     float64
	Output      string
	FailedBuild string
}

func main() {
	args := os.Args[1:]
	if len(args) == 0 {
		args = []string{"./..."}
	}
	os.Exit(run(args, os.Getenv("REQUIRE") == "all"))
}

func run(args []string, all bool) int {
	start := time.Now()
	cmd := exec.Command("go", append([]string{"test", "-json", "-timeout", "20m"}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "runtests:", err)
		return 1
	}
	s := summary{w: os.Stdout, output: map[string][]string{}}
	readErr := s.read(out)
	err = cmd.Wait()
	s.total(time.Since(start), all)
	switch {
	case readErr != nil:
		fmt.Fprintln(os.Stderr, "runtests:", readErr)
		return 1
	case err != nil || s.failed > 0:
		return 1
	case s.passed == 0:
		fmt.Fprintln(os.Stderr, "runtests: no test ran")
		return 1
	case all && s.skipped > 0:
		return 1
	}
	return 0
}

type summary struct {
	w                       io.Writer
	output                  map[string][]string // by package and test, until it has ended
	passed, failed, skipped int
	packages                int
}

func (s *summary) read(r io.Reader) error {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) == nil {
				s.take(e)
			} else {
				s.w.Write(line) // go test's own words
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (s *summary) take(e event) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "build-output":
		fmt.Fprint(s.w, e.Output)
	case "output":
		s.output[key] = append(s.output[key], e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			s.packageEnded(e)
		} else {
			s.testEnded(e)
		}
		delete(s.output, key)
	}
}

func (s *summary) testEnded(e event) {
	lines := s.output[e.Package+" "+e.Test]
	switch e.Action {
	case "pass":
		s.passed++
	case "skip":
		s.skipped++
		fmt.Fprintf(s.w, "SKIP %s.%s: %s\n", short(e.Package), e.Test, reason(lines))
	case "fail":
		s.failed++
		for _, l := range lines {
			if !strings.HasPrefix(l, "=== ") {
				fmt.Fprint(s.w, l)
			}
		}
	}
}

func (s *summary) packageEnded(e event) {
	lines := s.output[e.Package+" "]
	switch {
	case e.Action == "fail":
		s.failed++
		for _, l := range lines {
			fmt.Fprint(s.w, l)
		}
		if e.FailedBuild != "" {
			fmt.Fprintf(s.w, "FAIL %s (does not build)\n", short(e.Package))
		}
	case e.Action == "skip" || slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, "[no test files]") }):
		// Nothing to test there.
	default:
		s.packages++
		fmt.Fprintf(s.w, "ok   %-40s %5.1fs\n", short(e.Package), e.Elapsed)
	}
}

// reason is what the test said when it gave up, on one line.
func reason(lines []string) string {
	for _, l := range lines {
		l = strings.TrimSpace(l)
		if l == "" || strings.HasPrefix(l, "=== ") || strings.HasPrefix(l, "--- ") {
			continue
		}
		// file_test.go:12: why
		if place, why, ok := strings.Cut(l, ": "); ok && strings.Contains(place, ".go:") {
			return why
		}
		return l
	}
	return "no reason given"
}

func short(pkg string) string {
	return strings.TrimPrefix(strings.TrimPrefix(pkg, "github.com/eventraces/eventraces"), "/")
}

func (s *summary) total(d time.Duration, all bool) {
	verdict := "passed"
	if s.failed > 0 || all && s.skipped > 0 {
		verdict = "FAILED"
	}
	fmt.Fprintf(s.w, "%s: %d tests in %d packages, %d failed, %d skipped (%.0fs)\n",
		verdict, s.passed+s.failed, s.packages, s.failed, s.skipped, d.Seconds())
}
