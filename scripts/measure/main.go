//go:build unix

// Command measure runs the program on whole apps and writes what it cost as a
// table: median wall time and peak resident memory of several runs on two cores,
// the time of each stage, next to what was found. Times are reported, never
// asserted.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/eventraces/eventraces/engine/report"
	"github.com/eventraces/eventraces/internal/realapps"
)

func main() {
	var o options
	flag.StringVar(&o.program, "program", "bin/eventraces", "program to run")
	flag.StringVar(&o.out, "out", "-", "file for the table")
	flag.IntVar(&o.runs, "runs", 5, "runs per app")
	flag.StringVar(&o.only, "only", "", "names of apps, separated by commas; all if empty")
	flag.StringVar(&o.folder, "apps", "", "measure the APKs of this folder instead of the published apps")
	flag.BoolVar(&o.pairs, "pairs", false, "print the pairs of accesses that are left after each stage instead")
	flag.DurationVar(&o.timeout, "timeout", 2*time.Minute, "end a run after this time")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

type options struct {
	program, out, only, folder string
	runs                       int
	timeout                    time.Duration
	pairs                      bool
}

// app is an APK to measure.
type app struct{ name, path string }

func run(o options) error {
	if o.runs < 1 {
		return fmt.Errorf("-runs %d: want one or more", o.runs)
	}
	apps, err := choose(o)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "measure")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if o.pairs {
		return pairsTable(o, apps, dir)
	}
	var rows []row
	for _, a := range apps {
		r, err := measure(o, a.path, filepath.Join(dir, a.name))
		if err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
		r.name = a.name
		rows = append(rows, r)
		fmt.Fprintf(os.Stderr, "%-28s %6.2f s %6.2f CPU s %5d MiB %s\n", r.name, r.Wall.Seconds(), r.CPU.Seconds(), r.memory>>20, r.problem(o.timeout))
	}
	// Only now: what this process holds when it starts another counts as that
	// one's memory.
	for i := range rows {
		if rows[i].problem(o.timeout) != "" {
			continue
		}
		if err := rows[i].read(filepath.Join(dir, rows[i].name)); err != nil {
			return fmt.Errorf("%s: %w", rows[i].name, err)
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		return cmp.Or(strings.Compare(a.problem(o.timeout), b.problem(o.timeout)), cmp.Compare(a.counts.Methods, b.counts.Methods))
	})
	err = report.Output{Name: o.out, Stdout: os.Stdout}.Write(func(w io.Writer) error { return table(w, rows, o) })
	for _, r := range rows {
		if r.Failure != "" {
			err = errors.Join(err, fmt.Errorf("%s: no verdict: %s", r.name, r.Failure))
		}
	}
	return err
}

// choose finds the apps that are measured.
func choose(o options) ([]app, error) {
	all, err := known(o.folder)
	if err != nil || o.only == "" {
		return all, err
	}
	var chosen []app
	for name := range strings.SplitSeq(o.only, ",") {
		i := slices.IndexFunc(all, func(a app) bool { return a.name == name })
		if i < 0 {
			return nil, fmt.Errorf("no app is named %s", name)
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// known are the APKs of a folder, or the published apps.
func known(folder string) ([]app, error) {
	var apps []app
	if folder == "" {
		for _, a := range realapps.All {
			path, err := a.Path(context.Background())
			if err != nil {
				return nil, fmt.Errorf("%s: %w", a.Name, err)
			}
			apps = append(apps, app{a.Name, path})
		}
		return apps, nil
	}
	paths, err := filepath.Glob(filepath.Join(folder, "*.apk"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("-apps %s: no APK is there", folder)
	}
	for _, path := range paths {
		apps = append(apps, app{strings.TrimSuffix(filepath.Base(path), ".apk"), path})
	}
	return apps, nil
}
