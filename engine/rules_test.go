package engine

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
)

// ruleExamples says which priority the failing example of each rule has.
var ruleExamples = map[finding.RuleID]finding.Priority{
	finding.UseAfterFree:         finding.High,
	finding.UseBeforeInit:        finding.High,
	finding.UnorderedWrite:       finding.Medium, // no crash is known
	finding.StaleRead:            finding.Medium,
	finding.UnsynchronizedAccess: finding.High, // the container throws
}

// TestRuleExamples checks what the pages of the rules show: Failing has a race
// of the rule on each line that a comment explains, and no other that matters;
// Fixed has none.
func TestRuleExamples(t *testing.T) {
	ids := slices.Sorted(maps.Keys(ruleExamples))
	var folders, known []finding.RuleID
	entries, err := os.ReadDir("finding/rules")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		folders = append(folders, finding.RuleID(e.Name()))
	}
	if !slices.Equal(folders, ids) {
		t.Fatalf("examples of %q, expected are those of %q", folders, ids)
	}
	for _, r := range finding.Rules() {
		known = append(known, r.ID)
	}
	slices.Sort(known)
	if !slices.Equal(known, ids) {
		t.Fatalf("the rules are %q, expected are %q", known, ids)
	}
	for _, apk := range []string{"rules.apk", "rules-dx.apk"} {
		found := racesByFile(t, filepath.Join("testdata/rules", apk))
		for _, r := range finding.Rules() {
			t.Run(apk+"/"+string(r.ID), func(t *testing.T) {
				folder := "com/example/rules/" + strings.ReplaceAll(string(r.ID), "-", "") + "/"
				checkFailing(t, r, found[folder+"Failing.java"])
				for _, race := range found[folder+"Fixed.java"] {
					if race.Rule == r.ID || race.Priority >= finding.Medium {
						t.Errorf("Fixed has a race: %s", summary(race))
					}
				}
				delete(found, folder+"Failing.java")
				delete(found, folder+"Fixed.java")
			})
		}
		for file := range found {
			t.Errorf("%s: races in %s", apk, file)
		}
	}
}

func checkFailing(t *testing.T, r finding.Rule, found []*finding.Race) {
	want := ruleExamples[r.ID]
	lines := map[int]bool{}
	strongest := finding.Priority(0)
	for _, race := range found {
		switch {
		case race.Rule == r.ID:
			strongest = max(strongest, race.Priority)
			lines[race.Sides[0].Access.Line] = true
			lines[race.Sides[1].Access.Line] = true
		case race.Priority >= finding.Medium:
			t.Errorf("Failing has a race of another rule: %s", summary(race))
		}
	}
	if strongest != want {
		t.Errorf("Failing has a race of priority %v at most, want %v", strongest, want)
	}
	explained := 0
	for i, line := range strings.Split(r.Failing, "\n") {
		if codeWithComment.MatchString(line) {
			explained++
			if !lines[i+1] {
				t.Errorf("no race at Failing.java:%d: %s", i+1, strings.TrimSpace(line))
			}
		}
	}
	if explained == 0 {
		t.Error("no comment in Failing.java says what happens")
	}
}

var codeWithComment = regexp.MustCompile(`[;{}] // `)

// racesByFile are the races of an app by the file of their field's accesses.
func racesByFile(t *testing.T, apk string) map[string][]*finding.Race {
	t.Helper()
	res, err := Check(t.Context(), Options{ToolVersion: "test", Inputs: []string{apk}})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]*finding.Race{}
	for i := range res.Run.Findings {
		for j := range res.Run.Findings[i].Races {
			r := &res.Run.Findings[i].Races[j]
			a, b := r.Sides[0].Access.File, r.Sides[1].Access.File
			found[a] = append(found[a], r)
			if b != a {
				found[b] = append(found[b], r)
			}
		}
	}
	return found
}

func summary(r *finding.Race) string {
	a, b := r.Sides[0].Access, r.Sides[1].Access
	return r.Priority.String() + " " + string(r.Rule) + " on " + r.Field.String() + ", " + a.Place() + " and " + b.Place()
}
