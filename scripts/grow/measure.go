//go:build unix

package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/eventraces/eventraces/engine/growtest"
	"github.com/eventraces/eventraces/engine/report"
	"github.com/eventraces/eventraces/internal/cost"
)

// measuring is how shapes are measured.
type measuring struct {
	program, only string
	timeout       time.Duration
	runs          int
	scale         float64
}

// series is one kind of a shape in growing sizes. After the first size that did
// not end no larger one is tried.
type series struct {
	shape  growtest.Shape
	racing bool
	// skipped is how many of the smallest sizes are left out, as they are the same
	// as the next.
	skipped int
	points  []point
}

// point is the run of one size.
type point struct {
	size int
	cost.Run
}

func (s series) kind() string {
	if s.racing {
		return "racing"
	}
	return "silent"
}

// parts are the sizes that are measured, as parts of the full one: each doubles
// the one before.
var parts = []float64{1. / 16, 1. / 8, 1. / 4, 1. / 2, 1}

// sizes are those of a shape, without repetition.
func (m measuring) sizes(full int) []int {
	var out []int
	for _, part := range parts {
		out = append(out, max(growtest.Smallest, int(part*m.scale*float64(full))))
	}
	return slices.Compact(out)
}

// measure measures all shapes and writes the page and its plot.
func (m measuring) measure(page string, progress io.Writer) error {
	if m.runs < 1 || m.scale <= 0 {
		return fmt.Errorf("-runs %d, -scale %v: want more than none", m.runs, m.scale)
	}
	shapes := growtest.Shapes
	if m.only != "" {
		shapes = nil
		for name := range strings.SplitSeq(m.only, ",") {
			s, ok := growtest.ByName(name)
			if !ok {
				return fmt.Errorf("-only %s: no shape is named so", name)
			}
			shapes = append(shapes, s)
		}
	}
	dir, err := os.MkdirTemp("", "grow")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	base, err := m.point(dir, growtest.Shapes[0], growtest.Smallest, false)
	if err != nil {
		return err
	}
	var all []series
	for _, shape := range shapes {
		for _, racing := range []bool{true, false} {
			sizes := m.sizes(shape.Full)
			s := series{shape: shape, racing: racing, skipped: len(parts) - len(sizes)}
			for _, size := range sizes {
				p, err := m.point(dir, shape, size, racing)
				if err != nil {
					return fmt.Errorf("%s %s at %d: %w", shape.Name, s.kind(), size, err)
				}
				fmt.Fprintf(progress, "%-12s %s %6d %7.2f CPU s %5d MiB\n", shape.Name, s.kind(), size, p.CPU.Seconds(), p.Memory>>20)
				s.points = append(s.points, p)
				if !p.Ended {
					break
				}
			}
			all = append(all, s)
		}
	}
	plot := strings.TrimSuffix(page, filepath.Ext(page)) + ".svg"
	g := growth{all, base.CPU, m}
	if err := (report.Output{Name: plot}).Write(g.plot); err != nil {
		return err
	}
	return report.Output{Name: page}.Write(func(w io.Writer) error { return g.page(w, filepath.Base(plot)) })
}

// point measures one app. Another process writes it: what this one holds in
// memory would count as the program's.
func (m measuring) point(dir string, shape growtest.Shape, size int, racing bool) (point, error) {
	self, err := os.Executable()
	if err != nil {
		return point{}, err
	}
	apk := filepath.Join(dir, "app.apk")
	args := []string{"-shape", shape.Name, "-size", strconv.Itoa(size), "-silent=" + strconv.FormatBool(!racing), "-out", apk}
	if text, err := exec.Command(self, args...).CombinedOutput(); err != nil {
		return point{}, fmt.Errorf("%w: %s", err, text)
	}
	best := point{size: size}
	for i := range m.runs {
		r, err := cost.Measure(m.program, apk, filepath.Join(dir, "run.json"), m.timeout)
		switch {
		case err != nil:
			return point{}, err
		case r.Failure != "":
			return point{}, fmt.Errorf("no verdict: %s", r.Failure)
		case i == 0 || r.CPU < best.CPU:
			best.Run = r
		}
		if !r.Ended {
			break
		}
	}
	return best, nil
}
