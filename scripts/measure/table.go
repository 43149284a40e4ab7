//go:build unix

package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/eventraces/eventraces/internal/cost"
)

// stages are those of a run, in order; what a run does besides them is the rest.
var stages = []string{"reading", "lifting", "points-to", "actions", "ordering", "races"}

// table writes what all apps took: a row for each, one that sums them up, and
// the time of their stages.
func table(w io.Writer, rows []row, o options) error {
	var b strings.Builder
	if o.folder == "" {
		b.WriteString("<!-- Written by make measure. -->\n\n")
	}
	subject := "Each app of `internal/realapps`"
	if o.folder != "" {
		subject = "Each APK of the folder"
	}
	fmt.Fprintf(&b, `# Time and memory on real apps

%s is analysed %d times by one process with GOMAXPROCS=%d (%s), JSON
written. Time is the median with the slowest run behind it, CPU time that of the median run, races its part of that
CPU time, memory the largest peak resident size of the runs. Methods are those with code.

`, subject, o.runs, cost.Processors, cost.Machine())
	b.WriteString(`| app | dex MB | methods | actions | order edges | candidates | high | medium | low | s (slowest) | CPU s | races | MiB | limit hit |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |
`)
	for _, r := range rows {
		r.write(&b, o.timeout)
	}
	summary(&b, rows)
	b.WriteString("\nCPU milliseconds of each stage, in the median run; the rest is the reading of flags and the writing of the output.\n\n| app |")
	for _, s := range stages {
		fmt.Fprintf(&b, " %s |", s)
	}
	b.WriteString(" rest |\n| --- |" + strings.Repeat(" ---: |", len(stages)+1) + "\n")
	for _, r := range rows {
		r.writeStages(&b, o.timeout)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// write writes the row of an app. One that did not end has lower bounds and no
// counts.
func (r row) write(b *strings.Builder, timeout time.Duration) {
	if p := r.problem(timeout); p != "" {
		over := "> "
		if r.Ended {
			over = ""
		}
		fmt.Fprintf(b, "| %s | %.1f | | | | | | | | %s%.2f | %s%.2f | | %s%d | %s |\n",
			r.name, float64(r.dex)/1e6, over, r.Wall.Seconds(), over, r.CPU.Seconds(), over, r.memory>>20, p)
		return
	}
	limit := "no"
	if r.limited {
		limit = "yes"
	}
	c := r.counts
	fmt.Fprintf(b, "| %s | %.1f | %d | %d | %d | %d | %d | %d | %d | %.2f (%.2f) | %.2f | %.0f %% | %d | %s |\n",
		r.name, float64(r.dex)/1e6, c.Methods, c.Actions, c.OrderEdges, c.Candidates, c.High, c.Medium, c.Low,
		r.Wall.Seconds(), r.slowest.Seconds(), r.CPU.Seconds(), 100*r.Share("races"), r.memory>>20, limit)
}

func (r row) writeStages(b *strings.Builder, timeout time.Duration) {
	if r.problem(timeout) != "" {
		return
	}
	took := map[string]float64{}
	rest := 0.0
	for _, s := range r.Stages {
		if slices.Contains(stages, s.Name) {
			took[s.Name] += s.CPU
		} else {
			rest += s.CPU
		}
	}
	fmt.Fprintf(b, "| %s |", r.name)
	for _, s := range stages {
		fmt.Fprintf(b, " %.0f |", 1000*took[s])
	}
	fmt.Fprintf(b, " %.0f |\n", 1000*rest)
}

// summary writes the median and the largest figures of all apps. Runs that did
// not end count as slower than all others; apps without a verdict count for
// their time and memory only.
func summary(b *strings.Builder, rows []row) {
	var cpu, high, share []float64
	memory, missing, limited := int64(0), 0, 0
	for _, r := range rows {
		memory = max(memory, r.memory)
		switch {
		case !r.Ended:
			cpu = append(cpu, math.Inf(1))
			missing++
			continue
		case r.Failure != "":
			cpu = append(cpu, r.CPU.Seconds())
			missing++
			continue
		}
		cpu = append(cpu, r.CPU.Seconds())
		high = append(high, float64(r.counts.High))
		share = append(share, r.Share("races"))
		if r.limited {
			limited++
		}
	}
	fmt.Fprintf(b, "| **%d apps**: median, largest | | | | | | %s | | | | **%s, %s** | %s, %s | %d | %d |\n", len(rows),
		number("%.1f", median(high)), number("%.2f", median(cpu)), number("%.2f", largest(cpu)),
		number("%.0f %%", 100*median(share)), number("%.0f %%", 100*largest(share)), memory>>20, limited)
	if missing > 0 {
		fmt.Fprintf(b, "\n%d of %d apps gave no verdict.\n", missing, len(rows))
	}
}

// number formats a figure; there is none of what did not end or of nothing.
func number(format string, v float64) string {
	switch {
	case math.IsNaN(v):
		return "none"
	case math.IsInf(v, 1):
		return "does not end"
	}
	return fmt.Sprintf(format, v)
}

func largest(list []float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	return slices.Max(list)
}

// median is the middle of a list, or the mean of its two.
func median(list []float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	list = slices.Sorted(slices.Values(list))
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}
