//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/eventraces/eventraces/engine"
	"github.com/eventraces/eventraces/engine/growtest"
)

func init() { programs["eventraces-stages"] = tellStages }

// tellStages is the program, and says on stderr when a stage begins.
func tellStages() {
	ctx, stop := interruptible(context.Background())
	p := &program{stdout: os.Stdout, stderr: os.Stderr, analyser: func(ctx context.Context, o engine.Options) (*engine.Result, error) {
		told := ""
		shown := o.Progress
		o.Progress = func(stage string, done, total int) {
			if stage != told {
				told = stage
				fmt.Fprintln(os.Stderr, "stage", stage)
			}
			shown(stage, done, total)
		}
		return engine.Check(ctx, o)
	}}
	code := p.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// TestSignals interrupts the whole program on a large app when each stage begins.
func TestSignals(t *testing.T) {
	shape, ok := growtest.ByName("actions")
	if !ok {
		t.Fatal("no shape actions")
	}
	dir := t.TempDir()
	app := filepath.Join(dir, "app.apk")
	if err := os.WriteFile(app, shape.APK(4000, true), 0o644); err != nil {
		t.Fatal(err)
	}
	program := linked(t, "eventraces-stages")
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		for _, stage := range stageNames {
			out := filepath.Join(dir, fmt.Sprint(int(signal))+stage)
			if err := os.Mkdir(out, 0o755); err != nil {
				t.Fatal(err)
			}
			took := interrupt(t, signal, stage, program, "check", app, "--json", filepath.Join(out, "x.json"), "--sarif", "-")
			t.Logf("%v while %s: %v", signal, stage, took.Round(time.Millisecond))
			if took > hang {
				t.Errorf("%v while %s: the program ends after %v", signal, stage, took)
			}
			if files, _ := os.ReadDir(out); len(files) > 0 {
				t.Errorf("%v while %s leaves %v", signal, stage, files)
			}
		}
	}
}

// interrupt runs the program, sends it a signal when a stage begins, and returns
// how long it took to end.
func interrupt(t *testing.T, signal syscall.Signal, stage, program string, args ...string) time.Duration {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var sent time.Time
	last := ""
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		last = lines.Text()
		if last == "stage "+stage {
			sent = time.Now()
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
		}
	}
	err = cmd.Wait()
	took := time.Since(sent)
	if want := 128 + int(signal); cmd.ProcessState.ExitCode() != want || last != "eventraces: interrupted" || stdout.Len() > 0 {
		t.Errorf("%v while %s: %v, want exit code %d; last line on stderr %q, %d bytes on stdout", signal, stage, err, want, last, stdout.Len())
	}
	return took
}

// linked makes this test binary runnable by a name that TestMain knows.
func linked(t *testing.T, name string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), name)
	if err := os.Symlink(self, link); err != nil {
		t.Fatal(err)
	}
	return link
}
