package finding

import (
	"cmp"
	"slices"
)

// Merge makes one run of the runs of several builds of one app, such as its
// variants: what any of them has found, once. Of equal races the one that asks
// most of the reader stays: open before accepted before suppressed, then the
// stronger; it stands for as many pairs as in any. Notes and lines of baselines come together; a line is gone only if it
// is gone from every run that was compared. Counts of what was read are those of
// the largest run, as variants share most of their code. The runs must agree in
// their category; the first gives what is said of tool, app and commit.
func Merge(runs []*Run) *Run {
	out := *runs[0]
	out.Inputs, out.Notes = nil, nil
	races := map[string]*Race{}
	pairs := map[string]int{}
	var order []string
	for _, run := range runs {
		out.Counts = out.Counts.largest(run.Counts)
		out.App.Renamed = out.App.Renamed || run.App.Renamed
		out.App.Sources = out.App.Sources && run.App.Sources
		out.App.Manifest = cmp.Or(out.App.Manifest, run.App.Manifest)
		if run.Revision != out.Revision {
			out.Revision = ""
		}
		out.Inputs = append(out.Inputs, run.Inputs...)
		for _, n := range run.Notes {
			if !slices.Contains(out.Notes, n) {
				out.Notes = append(out.Notes, n)
			}
		}
		run.EachRace(func(r *Race) {
			pairs[r.ID] = max(pairs[r.ID], r.Pairs)
			switch before, ok := races[r.ID]; {
			case !ok:
				races[r.ID] = r
				order = append(order, r.ID)
			case compareAsk(r, before) < 0:
				races[r.ID] = r
			}
		})
	}
	out.Baseline = mergeBaselines(runs)
	all := make([]Race, 0, len(order))
	for _, id := range order {
		all = append(all, *races[id])
		all[len(all)-1].Pairs = pairs[id]
	}
	out.Arrange(all)
	return &out
}

// compareAsk puts first the race that asks more of the reader.
func compareAsk(a, b *Race) int {
	return cmp.Or(cmp.Compare(a.Standing(), b.Standing()), cmp.Compare(b.Priority, a.Priority), compareBool(a.Brief, b.Brief))
}

func (c Counts) largest(d Counts) Counts {
	if d.Methods > c.Methods {
		return d
	}
	return c
}

// mergeBaselines brings the comparisons together; nil if a run has none.
func mergeBaselines(runs []*Run) *Comparison {
	out := &Comparison{Files: []string{}, Missing: []string{}, Gone: []Accepted{}, Pending: []Accepted{}}
	gone := map[Accepted]int{}
	for _, run := range runs {
		b := run.Baseline
		if b == nil {
			return nil
		}
		out.Files = union(out.Files, b.Files)
		out.Missing = union(out.Missing, b.Missing)
		out.Pending = union(out.Pending, b.Pending)
		for _, a := range b.Gone {
			if gone[a]++; gone[a] == len(runs) {
				out.Gone = append(out.Gone, a)
			}
		}
	}
	for _, list := range [][]Accepted{out.Gone, out.Pending} {
		slices.SortFunc(list, func(a, b Accepted) int {
			return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Field, b.Field),
				slices.Compare(a.Callbacks[:], b.Callbacks[:]), compareIDs(a.ID, b.ID))
		})
	}
	return out
}

// union appends what a list lacks.
func union[T comparable](list, more []T) []T {
	for _, x := range more {
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return list
}
