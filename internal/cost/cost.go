//go:build unix

// Package cost runs the program on an app and tells what the run cost: time, time
// of the processor, memory, and the time of each stage. Times are reported, never
// asserted.
package cost

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Processors is how many of them a measured run may use.
const Processors = 2

// Run is what one run took. Of a run that was ended for its time it is what it
// had taken by then.
type Run struct {
	Wall, CPU time.Duration
	Memory    int64 // peak resident bytes
	Stages    []Stage
	Ended     bool   // by itself, within the time that it was given
	Failure   string // why it gave no verdict; ""
}

// Stage is what a stage took, in seconds.
type Stage struct {
	Name string  `json:"stage"`
	Wall float64 `json:"wall"`
	CPU  float64 `json:"cpu"`
}

// Share is the part of the processor's time that a stage has of all.
func (r Run) Share(stage string) float64 {
	var part, whole float64
	for _, s := range r.Stages {
		whole += s.CPU
		if s.Name == stage {
			part += s.CPU
		}
	}
	if whole == 0 {
		return 0
	}
	return part / whole
}

// Measure checks an APK and saves the run as JSON. After the timeout it kills
// the program.
//
// What this process holds in memory when it starts the other counts as that
// one's peak: callers must hold little.
func Measure(program, apk, saved string, timeout time.Duration) (Run, error) {
	timings := saved + ".timings"
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "check", "--quiet", "--fail-on", "never", "--json", saved, "--timings", timings, apk)
	cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", Processors))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	err := cmd.Run()
	r := Run{Wall: time.Since(start), Ended: ctx.Err() == nil}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return r, err
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return r, fmt.Errorf("no resource usage on %s", runtime.GOOS)
	}
	r.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	r.Memory = int64(usage.Maxrss)
	if runtime.GOOS != "darwin" {
		r.Memory *= 1024 // everyone else counts in KiB
	}
	if !r.Ended {
		return r, nil
	}
	if err != nil {
		r.Failure, _, _ = strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		if r.Failure == "" {
			r.Failure = err.Error()
		}
		return r, nil
	}
	return r, r.read(timings)
}

func (r *Run) read(timings string) error {
	b, err := os.ReadFile(timings)
	if err != nil {
		return err
	}
	file := struct{ Stages []Stage }{}
	if err := json.Unmarshal(b, &file); err != nil {
		return err
	}
	r.Stages = file.Stages
	return nil
}

// Machine names what a measurement ran on: processor, system, version of Go.
func Machine() string {
	return fmt.Sprintf("%s, %s/%s, %s", processor(), runtime.GOOS, runtime.GOARCH, runtime.Version())
}

// processor names the machine's processor, as far as the system tells.
func processor() string {
	b, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		for line := range strings.Lines(string(b)) {
			if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
				return strings.TrimSpace(value)
			}
		}
	}
	return "unnamed processor"
}
