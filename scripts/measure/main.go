//go:build unix

// Command measure runs the program on whole apps and writes what it cost as a
// table: median wall time and peak resident memory of several runs on two cores,
// next to what was found. Times are reported, never asserted.
package main

import (
	"archive/zip"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/report"
	"github.com/eventraces/eventraces/internal/realapps"
)

func main() {
	program := flag.String("program", "bin/eventraces", "program to run")
	out := flag.String("out", "-", "file for the table")
	runs := flag.Int("runs", 5, "runs per app")
	only := flag.String("only", "", "names of apps, separated by commas; all if empty")
	flag.Parse()
	if err := run(*program, *out, *runs, *only); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

func run(program, out string, runs int, only string) error {
	apps, err := choose(only)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "measure")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var rows []row
	for _, app := range apps {
		path, err := app.Path(context.Background())
		if err != nil {
			return err
		}
		r, err := measure(program, path, filepath.Join(dir, app.Name), runs)
		if err != nil {
			return fmt.Errorf("%s: %w", app.Name, err)
		}
		r.name = app.Name
		rows = append(rows, r)
		fmt.Fprintf(os.Stderr, "%-28s %6.2f s %6.2f CPU s %5d MiB\n", r.name, r.wall.Seconds(), r.cpu.Seconds(), r.memory>>20)
	}
	// Only now: what this process holds when it starts another counts as that
	// one's memory.
	for i := range rows {
		if err := rows[i].read(filepath.Join(dir, rows[i].name)); err != nil {
			return fmt.Errorf("%s: %w", rows[i].name, err)
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.counts.Methods, b.counts.Methods) })
	return report.Output{Name: out, Stdout: os.Stdout}.Write(func(w io.Writer) error { return table(w, rows, runs) })
}

func choose(only string) ([]realapps.App, error) {
	if only == "" {
		return realapps.All, nil
	}
	var apps []realapps.App
	for name := range strings.SplitSeq(only, ",") {
		app, ok := realapps.ByName(name)
		if !ok {
			return nil, fmt.Errorf("no app is named %s", name)
		}
		apps = append(apps, app)
	}
	return apps, nil
}

type row struct {
	name    string
	dex     int64 // bytes of all dex files, unpacked
	wall    time.Duration
	slowest time.Duration
	cpu     time.Duration // of the median run, user and system
	memory  int64         // peak resident bytes, the largest of the runs
	counts  finding.Counts
	limited bool
}

func measure(program, apk, saved string, runs int) (row, error) {
	var r row
	var err error
	if r.dex, err = dexBytes(apk); err != nil {
		return r, err
	}
	var all []usage
	for range runs {
		u, err := once(program, apk, saved)
		if err != nil {
			return r, err
		}
		all = append(all, u)
		r.memory = max(r.memory, u.memory)
	}
	slices.SortFunc(all, func(a, b usage) int { return cmp.Compare(a.wall, b.wall) })
	median := all[len(all)/2]
	r.wall, r.cpu, r.slowest = median.wall, median.cpu, all[len(all)-1].wall
	return r, nil
}

// usage is what one run took.
type usage struct {
	wall, cpu time.Duration
	memory    int64
}

func once(program, apk, saved string) (usage, error) {
	cmd := exec.Command(program, "check", "--quiet", "--fail-on", "never", "--json", saved, apk)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=2")
	cmd.Stderr = os.Stderr
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if err != nil {
		return usage{}, err
	}
	ru, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return usage{}, fmt.Errorf("no resource usage on %s", runtime.GOOS)
	}
	memory := int64(ru.Maxrss)
	if runtime.GOOS != "darwin" {
		memory *= 1024 // everyone else counts in KiB
	}
	return usage{wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), memory}, nil
}

func (r *row) read(saved string) error {
	b, err := os.ReadFile(saved)
	if err != nil {
		return err
	}
	var run finding.Run
	if err := json.Unmarshal(b, &run); err != nil {
		return err
	}
	if err := run.Check(); err != nil {
		return err
	}
	r.counts, r.limited = run.Counts, run.Limited()
	return nil
}

func dexBytes(apk string) (int64, error) {
	z, err := zip.OpenReader(apk)
	if err != nil {
		return 0, err
	}
	defer z.Close()
	var n int64
	for _, f := range z.File {
		if strings.HasPrefix(f.Name, "classes") && strings.HasSuffix(f.Name, ".dex") {
			n += int64(f.UncompressedSize64)
		}
	}
	return n, nil
}

func table(w io.Writer, rows []row, runs int) error {
	var b strings.Builder
	fmt.Fprintf(&b, `<!-- Written by make measure. -->

# Time and memory on real apps

Each app of `+"`internal/realapps`"+` is analysed %d times by one process with GOMAXPROCS=2 (%s, %s/%s, %s), JSON
written. Time is the median with the slowest run behind it, CPU time that of the median run, memory the largest peak
resident size of the runs. Methods are those with code.

| app | dex MB | methods | actions | order edges | candidates | high | medium | low | s (slowest) | CPU s | MiB | limit hit |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |
`, runs, processor(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	for _, r := range rows {
		limit := "no"
		if r.limited {
			limit = "yes"
		}
		c := r.counts
		fmt.Fprintf(&b, "| %s | %.1f | %d | %d | %d | %d | %d | %d | %d | %.2f (%.2f) | %.2f | %d | %s |\n",
			r.name, float64(r.dex)/1e6, c.Methods, c.Actions, c.OrderEdges, c.Candidates, c.High, c.Medium, c.Low,
			r.wall.Seconds(), r.slowest.Seconds(), r.cpu.Seconds(), r.memory>>20, limit)
	}
	_, err := io.WriteString(w, b.String())
	return err
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
