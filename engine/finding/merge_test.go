package finding_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/finding/findingtest"
)

// ids are those of all races of a run, sorted.
func ids(run *finding.Run) []string {
	out := []string{}
	run.EachRace(func(r *finding.Race) { out = append(out, r.ID) })
	slices.Sort(out)
	return out
}

// One run merged with itself is itself, and any two runs hold the races of both.
func TestMergedRunsHoldTheRacesOfAll(t *testing.T) {
	runs := map[string]*finding.Run{}
	for _, x := range findingtest.All {
		runs[x.Name] = x.Run()
	}
	for name, run := range runs {
		if got := finding.Merge([]*finding.Run{findingtest.Copy(run)}); !cmp.Equal(ids(got), ids(run)) {
			t.Errorf("%s alone: %s", name, cmp.Diff(ids(run), ids(got)))
		}
		for other, second := range runs {
			got := finding.Merge([]*finding.Run{findingtest.Copy(run), findingtest.Copy(second)})
			if err := got.Check(); err != nil {
				t.Errorf("%s and %s: %v", name, other, err)
			}
			want := slices.Compact(slices.Sorted(slices.Values(slices.Concat(ids(run), ids(second)))))
			if !slices.Equal(ids(got), want) {
				t.Errorf("%s and %s: %s", name, other, cmp.Diff(want, ids(got)))
			}
		}
	}
}

// Of equal races the one stays that asks more of the reader.
func TestMergeKeepsWhatAsksMore(t *testing.T) {
	run := func(change func(*finding.Race)) *finding.Run {
		run := findingtest.NewRun(nil, findingtest.UseAfterFree())
		run.EachRace(change)
		run.Regroup()
		return run
	}
	open := run(func(*finding.Race) {})
	quiet := run(func(r *finding.Race) { r.Suppressed = &finding.Suppression{By: "comment", Because: "x", Where: "y"} })
	for _, order := range [][]*finding.Run{{open, quiet}, {quiet, open}} {
		got := finding.Merge(order)
		if got.Counts.Suppressed != 0 || got.Counts.New != open.Counts.New {
			t.Errorf("counts %+v", got.Counts)
		}
	}
	if got := finding.Merge([]*finding.Run{quiet, quiet}); got.Counts.New != 0 || got.Counts.Suppressed != quiet.Counts.Suppressed {
		t.Errorf("counts %+v", got.Counts)
	}
}

// A line of the baseline is gone if no variant has its race.
func TestMergedBaselines(t *testing.T) {
	line := func(id string) finding.Accepted {
		return finding.Accepted{Rule: finding.UseAfterFree, Field: "a.B.c", Priority: finding.High, ID: id}
	}
	run := func(c *finding.Comparison) *finding.Run {
		run := findingtest.Empty()
		run.Baseline = c
		return run
	}
	const one, two, three = "0000000000000001", "0000000000000002", "0000000000000003"
	got := finding.Merge([]*finding.Run{
		run(&finding.Comparison{Files: []string{"a", "b"}, Missing: []string{"b"}, Gone: []finding.Accepted{line(two), line(one)}, Pending: []finding.Accepted{line(three)}}),
		run(&finding.Comparison{Files: []string{"a", "b"}, Missing: []string{}, Gone: []finding.Accepted{line(two), line(three)}, Pending: []finding.Accepted{line(three)}}),
	}).Baseline
	want := &finding.Comparison{Files: []string{"a", "b"}, Missing: []string{"b"}, Gone: []finding.Accepted{line(two)}, Pending: []finding.Accepted{line(three)}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if finding.Merge([]*finding.Run{run(want), run(nil)}).Baseline != nil {
		t.Error("a run that was not compared makes a comparison")
	}
}

// A race stands for as many pairs as in the variant where it stands for most.
func TestMergeKeepsPairs(t *testing.T) {
	few, many := findingtest.NewRun(nil, findingtest.UseAfterFree()), findingtest.NewRun(nil, findingtest.UseAfterFree())
	few.Findings[0].Races[0].Pairs, many.Findings[0].Races[0].Pairs = 2, 9
	for _, runs := range [][]*finding.Run{{few, many}, {many, few}} {
		if got := finding.Merge(runs).Findings[0].Races[0].Pairs; got != 9 {
			t.Errorf("stands for %d pairs, want 9", got)
		}
	}
}
