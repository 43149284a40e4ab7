//go:build unix

package main

import (
	"archive/zip"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/internal/cost"
)

// row is what the runs of one app took, and what they found. The run is the
// median one, or the first that did not end or gave no verdict.
type row struct {
	cost.Run
	name    string
	dex     int64 // bytes of all dex files, unpacked
	slowest time.Duration
	memory  int64 // peak resident bytes, the largest of the runs
	counts  finding.Counts
	limited bool
}

// measure runs an app several times. What one run could not do is not tried
// again.
func measure(o options, apk, saved string) (row, error) {
	var r row
	var err error
	if r.dex, err = dexBytes(apk); err != nil {
		return r, err
	}
	var all []cost.Run
	for range o.runs {
		c, err := cost.Measure(o.program, apk, saved, o.timeout)
		if err != nil {
			return r, err
		}
		r.memory = max(r.memory, c.Memory)
		r.slowest = max(r.slowest, c.Wall)
		if !c.Ended || c.Failure != "" {
			r.Run = c
			return r, nil
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b cost.Run) int { return cmp.Compare(a.Wall, b.Wall) })
	r.Run = all[len(all)/2]
	return r, nil
}

// problem says why there is no verdict, or "".
func (r row) problem(timeout time.Duration) string {
	switch {
	case !r.Ended:
		return fmt.Sprintf("does not end in %v", timeout)
	case r.Failure != "":
		return "no verdict"
	}
	return ""
}

func (r *row) read(saved string) error {
	run, err := load(saved)
	if err != nil {
		return err
	}
	r.counts, r.limited = run.Counts, run.Limited()
	return nil
}

// load reads a saved run.
func load(saved string) (*finding.Run, error) {
	b, err := os.ReadFile(saved)
	if err != nil {
		return nil, err
	}
	var run finding.Run
	if err := json.Unmarshal(b, &run); err != nil {
		return nil, err
	}
	return &run, run.Check()
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
