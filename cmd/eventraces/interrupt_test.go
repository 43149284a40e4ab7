package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/eventraces/eventraces/engine"
)

// hang is far above what an interrupted run takes: reaching it is a hang.
const hang = 5 * time.Second

// stageNames are those that the engine reports, in order.
var stageNames = []string{"reading", "lifting", "points-to", "actions", "ordering", "races"}

// TestInterruptEndsEveryStage: a stage that never looks at its context does not
// keep the run.
func TestInterruptEndsEveryStage(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		for _, stage := range stageNames {
			dir := t.TempDir()
			ctx, cancel := context.WithCancelCause(t.Context())
			release := make(chan struct{})
			var stdout, stderr bytes.Buffer
			p := &program{stdout: &stdout, stderr: &stderr}
			p.analyser = func(_ context.Context, o engine.Options) (*engine.Result, error) {
				o.Progress(stage, 0, 0)
				p.halfWritten(t, filepath.Join(dir, "y.json"), release)
				cancel(interruptions[signal])
				<-release
				o.Progress("later", 0, 0)
				return nil, nil
			}
			start := time.Now()
			code := p.run(ctx, []string{"check", "a.apk", "--json", filepath.Join(dir, "x.json"), "--sarif", filepath.Join(dir, "x.sarif")})
			took := time.Since(start)
			close(release)
			if want := interruptions[signal].code; code != want || stdout.Len() > 0 || stderr.String() != "eventraces: interrupted\n" {
				t.Errorf("%v while %s: code %d, want %d; stdout %q, stderr %q", signal, stage, code, want, &stdout, &stderr)
			}
			if files, _ := os.ReadDir(dir); len(files) > 0 {
				t.Errorf("%v while %s leaves %v", signal, stage, files)
			}
			if took > hang {
				t.Errorf("%v while %s: the run ends after %v", signal, stage, took)
			}
		}
	}
}

// halfWritten begins to write an output, which goes on when it is released.
func (p *program) halfWritten(t *testing.T, file string, release chan struct{}) {
	begun := make(chan struct{})
	go func() {
		err := p.output(file).Write(func(w io.Writer) error {
			_, err := io.WriteString(w, "half")
			close(begun)
			<-release
			return err
		})
		if err == nil {
			t.Errorf("%s is written after all", file)
		}
	}()
	<-begun
}

// TestInterruptCodes: 130 and 143, as shells have them; and what fails by itself
// keeps its code.
func TestInterruptCodes(t *testing.T) {
	if interruptions[os.Interrupt].code != 130 || interruptions[syscall.SIGTERM].code != 143 {
		t.Errorf("codes are %v", interruptions)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(interruptions[os.Interrupt])
	for _, c := range []struct {
		err  error
		want int
	}{{context.Canceled, 130}, {context.Cause(ctx), 130}, {os.ErrNotExist, exitFailed}, {nil, exitFailed}} {
		if got := codeOf(ctx, c.err); got != c.want {
			t.Errorf("code of %v is %d, want %d", c.err, got, c.want)
		}
	}
}

// TestInterruptAbandonsWhatDoesNotEnd: a command that neither analyses nor looks
// at its context is left.
func TestInterruptAbandonsWhatDoesNotEnd(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(interruptions[syscall.SIGTERM])
	release := make(chan struct{})
	defer close(release)
	start := time.Now()
	err := untilInterrupted(ctx, func() error { <-release; return nil })
	if codeOf(ctx, err) != 143 || time.Since(start) > hang {
		t.Errorf("error %v after %v", err, time.Since(start))
	}
	if err := untilInterrupted(ctx, func() error { return nil }); err != nil {
		t.Errorf("a command that ends in time gives %v", err)
	}
}
