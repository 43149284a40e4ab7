//go:build unix

package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/eventraces/eventraces/internal/cost"
)

// growth is what all shapes took.
type growth struct {
	series []series
	base   time.Duration // the processor's time for the smallest app
	measuring
}

// page writes the table.
func (g growth) page(w io.Writer, plot string) error {
	var b strings.Builder
	fmt.Fprintf(&b, `<!-- Written by make growth. -->

# How time and memory grow

Synthetic apps of growing size, made by `+"`scripts/grow`"+`, each analysed by one process with GOMAXPROCS=%d
(%s). A run that takes more than %v is ended, and no larger size of that app is tried. In
the racing kind of an app every use that is multiplied may come after a free; in the silent kind the same accesses are
ordered or guarded, and nothing is found.%s

![CPU seconds against size, both logarithmic](%s)

The exponent is the slope of the line through the last sizes (at most three) on logarithmic scales: 1 is linear, 2
quadratic. The %.2f s that the smallest app takes are taken away first; what takes less than twice that is not told
from it (-). The last column names the stage with the most CPU time of the largest size that ended, and its part.

| app | there are so many ... | kind | %s | exponent | most time in |
| --- | --- | --- |%s ---: | --- |
`, cost.Processors, cost.Machine(), g.timeout, g.scaled(), plot, g.base.Seconds(), strings.Join(headings(), " | "), strings.Repeat(" ---: |", len(parts)))
	for _, s := range g.series {
		cells := make([]string, len(parts))
		for i := range cells {
			if k := i - s.skipped; k >= 0 && k < len(s.points) {
				cells[i] = s.points[k].String()
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", s.shape.Name, s.shape.Text, s.kind(), strings.Join(cells, " | "), g.exponentText(s), s.longest())
	}
	b.WriteString("\n" + g.verdict() + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// scaled says so if the sizes are not the full ones.
func (g growth) scaled() string {
	if g.scale == 1 {
		return ""
	}
	return fmt.Sprintf(" All sizes here are %v times those that a run must cope with.", g.scale)
}

// headings are those of the columns of sizes.
func headings() []string {
	out := make([]string, len(parts))
	for i, p := range parts {
		out[i] = "full size"
		if p < 1 {
			out[i] = fmt.Sprintf("1/%.0f", 1/p)
		}
	}
	out[len(out)-1] += ": CPU s, MiB"
	return out
}

func (p point) String() string {
	if !p.Ended {
		return fmt.Sprintf("%d: does not end (> %d MiB)", p.size, p.Memory>>20)
	}
	return fmt.Sprintf("%d: %.2f, %d", p.size, p.CPU.Seconds(), p.Memory>>20)
}

// exponent is the slope of the last sizes that ended, or false if the app's own
// time is too short to have one.
func (g growth) exponent(s series) (float64, bool) {
	var xs, ys []float64
	for _, p := range s.points {
		if own := p.CPU - g.base; p.Ended && own >= g.base {
			xs = append(xs, math.Log(float64(p.size)))
			ys = append(ys, math.Log(own.Seconds()))
		}
	}
	from := max(0, len(xs)-3)
	return slope(xs[from:], ys[from:])
}

func (g growth) exponentText(s series) string {
	e, ok := g.exponent(s)
	if !ok {
		return "-"
	}
	return fmt.Sprintf("%.1f", e)
}

// slope is that of the line of least squares.
func slope(xs, ys []float64) (float64, bool) {
	if len(xs) < 2 {
		return 0, false
	}
	var meanX, meanY float64
	for i := range xs {
		meanX += xs[i] / float64(len(xs))
		meanY += ys[i] / float64(len(ys))
	}
	var rise, run float64
	for i := range xs {
		rise += (xs[i] - meanX) * (ys[i] - meanY)
		run += (xs[i] - meanX) * (xs[i] - meanX)
	}
	return rise / run, run > 0
}

// longest names the stage that took most in the largest size that ended.
func (s series) longest() string {
	for i := len(s.points) - 1; i >= 0; i-- {
		p := s.points[i]
		if !p.Ended {
			continue
		}
		name := ""
		for _, stage := range p.Stages {
			if name == "" || p.Share(stage.Name) > p.Share(name) {
				name = stage.Name
			}
		}
		return fmt.Sprintf("%s, %.0f %%", name, 100*p.Share(name))
	}
	return ""
}

// verdict names what does not end and what is not close to linear.
func (g growth) verdict() string {
	var endless, steep []string
	var slowest, memory float64
	for _, s := range g.series {
		last := s.points[len(s.points)-1]
		memory = max(memory, float64(last.Memory>>20))
		if !last.Ended {
			endless = append(endless, fmt.Sprintf("%s, %s (%d)", s.shape.Name, s.kind(), last.size))
			continue
		}
		slowest = max(slowest, last.CPU.Seconds())
		if e, ok := g.exponent(s); ok && e > linear {
			steep = append(steep, fmt.Sprintf("%s, %s (%.1f)", s.shape.Name, s.kind(), e))
		}
	}
	text := fmt.Sprintf("The largest sizes that end take at most %.2f CPU s; no run took more than %.0f MiB.", slowest, memory)
	if len(endless) > 0 {
		text += fmt.Sprintf(" These do not end in %v: %s.", g.timeout, strings.Join(endless, "; "))
	}
	if len(steep) > 0 {
		text += fmt.Sprintf(" Steeper than %.1f: %s.", linear, strings.Join(steep, "; "))
	}
	return text
}

// linear is up to where an exponent counts as close to linear.
const linear = 1.3
