//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/report"
	"github.com/eventraces/eventraces/internal/cost"
)

// funnel is how many pairs of accesses are left of an app after each stage, as in table 3 of the
// SIERRA paper.
type funnel struct {
	name                        string
	actions, edges              int
	pairs, candidates, filtered int
	removed                     map[string]int // by the filter's name
	races                       map[finding.Priority]int
	problem                     string
}

// ordered is the part of all pairs of actions that have an order, in percent.
func (f *funnel) ordered() float64 {
	if f.actions < 2 {
		return 0
	}
	return 100 * float64(f.edges) / (float64(f.actions) * float64(f.actions-1) / 2)
}

// funnels measures the apps.
func funnels(o options, apps []app, dir string) ([]funnel, error) {
	var out []funnel
	for _, a := range apps {
		f := funnel{name: a.name}
		saved := filepath.Join(dir, a.name)
		run, err := cost.Measure(o.program, a.path, saved, o.timeout)
		switch {
		case err != nil:
			return nil, err
		case !run.Ended:
			f.problem = fmt.Sprintf("does not end in %v", o.timeout)
		case run.Failure != "":
			f.problem = "no verdict"
		default:
			if err := f.read(o.program, a.path, saved); err != nil {
				return nil, fmt.Errorf("%s: %w", a.name, err)
			}
		}
		out = append(out, f)
	}
	return out, nil
}

// read fills in what the run saved, and what the program prints of its candidates.
func (f *funnel) read(program, apk, saved string) error {
	run, err := load(saved)
	if err != nil {
		return err
	}
	f.actions, f.edges, f.races = run.Counts.Actions, run.Counts.OrderEdges, map[finding.Priority]int{}
	for i := range run.Findings {
		for k := range run.Findings[i].Races {
			f.races[run.Findings[i].Races[k].Priority]++
		}
	}
	dump, err := exec.Command(program, "check", "--quiet", "--fail-on", "never", "--dump", "candidates", apk).Output()
	if err != nil {
		return err
	}
	return f.parse(dump)
}

// parse reads the head of a dump of candidates: the counts, and a line for each filter.
func (f *funnel) parse(dump []byte) error {
	lines := bufio.NewScanner(bytes.NewReader(dump))
	lines.Buffer(nil, len(dump)+1)
	if !lines.Scan() {
		return fmt.Errorf("the dump of candidates is empty")
	}
	if _, err := fmt.Sscanf(lines.Text(), "%d pairs, %d candidates, %d filtered", &f.pairs, &f.candidates, &f.filtered); err != nil {
		return fmt.Errorf("dump of candidates: %q: %w", lines.Text(), err)
	}
	f.removed = map[string]int{}
	for lines.Scan() {
		count, by, ok := strings.Cut(strings.TrimPrefix(lines.Text(), "  "), " by ")
		if !ok || !strings.HasPrefix(lines.Text(), "  ") {
			break
		}
		n, err := strconv.Atoi(count)
		if err != nil && strings.Contains(count, ": ") {
			break // a race that is refuted, and why
		}
		if err != nil {
			return err
		}
		f.removed[by] = n
	}
	return nil
}

// writeFunnels writes the table, its median, and what each filter removes of all.
func writeFunnels(w io.Writer, all []funnel) error {
	var b strings.Builder
	b.WriteString("| app | actions | HB edges | ordered % | pairs | unordered | after filters | races | high | medium | low |\n" +
		"| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	columns := make([][]float64, 10)
	total, candidates := map[string]int{}, 0
	for i := range all {
		f := &all[i]
		if f.problem != "" {
			fmt.Fprintf(&b, "| %s | %s | | | | | | | | | |\n", f.name, f.problem)
			continue
		}
		high, medium, low := f.races[finding.High], f.races[finding.Medium], f.races[finding.Low]
		for k, v := range []float64{float64(f.actions), float64(f.edges), f.ordered(), float64(f.pairs), float64(f.candidates),
			float64(f.candidates - f.filtered), float64(high + medium + low), float64(high), float64(medium), float64(low)} {
			columns[k] = append(columns[k], v)
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %.1f | %d | %d | %d | %d | %d | %d | %d |\n", f.name, f.actions, f.edges, f.ordered(), f.pairs,
			f.candidates, f.candidates-f.filtered, high+medium+low, high, medium, low)
		candidates += f.candidates
		for by, n := range f.removed {
			total[by] += n
		}
	}
	b.WriteString("| *median* |")
	for k, c := range columns {
		if k == 2 {
			fmt.Fprintf(&b, " %s |", number("%.1f", median(c)))
		} else {
			fmt.Fprintf(&b, " %s |", number("%.0f", median(c)))
		}
	}
	fmt.Fprintf(&b, "\n\n| filter | candidates that it removes, of %d |\n| --- | ---: |\n", candidates)
	for _, by := range slices.SortedFunc(maps.Keys(total), func(x, y string) int {
		if total[x] != total[y] {
			return total[y] - total[x]
		}
		return strings.Compare(x, y)
	}) {
		fmt.Fprintf(&b, "| %s | %d |\n", by, total[by])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// pairsTable measures the apps and writes the table of their pairs.
func pairsTable(o options, apps []app, dir string) error {
	all, err := funnels(o, apps, dir)
	if err != nil {
		return err
	}
	return report.Output{Name: o.out, Stdout: os.Stdout}.Write(func(w io.Writer) error { return writeFunnels(w, all) })
}
