package finding

import (
	"slices"
	"testing"
)

func TestIgnore(t *testing.T) {
	one := func(where string, rules ...RuleID) *Ignore {
		return &Ignore{By: "comment", Because: "so", Where: where, Rules: rules}
	}
	first, second := one("A:1", StaleRead), one("A:2", StaleRead, UnorderedWrite, UseAfterFree)
	unused, silent := one("A:3", StaleRead, StaleRead), one("A:4", StaleRead)
	silent.Silent = true
	broken := one("A:0", StaleRead)
	broken.Problem = "gives no reason"
	list := []*Ignore{broken, first, second, unused, silent}
	covering := map[string][]*Ignore{"a": {second, broken, first}, "b": {second, first}, "c": {second}}

	var races []Race
	for _, name := range []string{"a", "b", "c", "d"} {
		races = append(races, Race{Rule: StaleRead, Field: Field{Class: "A", Name: name}})
	}
	races[1].Rule = UnorderedWrite
	races[2].Suppressed = &Suppression{By: "annotation", Because: "x", Where: "A.c"}
	run := &Run{Findings: []Finding{{Races: races}}}
	run.Ignore(list, func(r *Race) []*Ignore { return covering[r.Field.Name] })

	got := map[string]string{}
	run.EachRace(func(r *Race) {
		if r.Suppressed != nil {
			got[r.Field.Name] = r.Suppressed.By + " " + r.Suppressed.Where
		}
	})
	for name, want := range map[string]string{"a": "comment A:1", "b": "comment A:2", "c": "annotation A.c", "d": ""} {
		if got[name] != want {
			t.Errorf("%s: suppressed by %q, want %q", name, got[name], want)
		}
	}
	if len(run.Findings) != 4 || run.Counts.Suppressed != 3 {
		t.Errorf("%d findings, %d suppressed", len(run.Findings), run.Counts.Suppressed)
	}
	want := []Notification{
		{Kind: NoteUnusedIgnore, Text: "the suppression does not count: it gives no reason", Where: "A:0"},
		{Kind: NoteUnusedIgnore, Text: "the suppression of use-after-free covers no race; remove it", Where: "A:2"},
		{Kind: NoteUnusedIgnore, Text: "the suppression of stale-read covers no race; remove it", Where: "A:3"},
	}
	if !slices.Equal(run.Notes, want) {
		t.Errorf("notes %+v", run.Notes)
	}
}

func TestIgnoreCheck(t *testing.T) {
	for want, g := range map[string]Ignore{
		"":                                      {Rules: []RuleID{StaleRead, UseAfterFree}, Because: "so"},
		"names no rule: write " + CommentForm:   {Because: "so"},
		"gives no reason: write " + CommentForm: {Rules: []RuleID{StaleRead}},
		"names the unknown rule \"x\"; the rules are " + RuleNames(): {Rules: []RuleID{StaleRead, "x"}, Because: "so"},
		"stands": {Rules: []RuleID{"x"}, Problem: "stands"},
	} {
		if g.Check(CommentForm); g.Problem != want {
			t.Errorf("%+v: want %q", g, want)
		}
	}
}
