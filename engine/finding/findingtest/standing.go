package findingtest

import (
	"fmt"

	"github.com/eventraces/eventraces/engine/finding"
)

// The shapes that a baseline, the source, and the limits of a run give.

// compare gives a run the comparison that a baseline would.
func compare(run *finding.Run, c finding.Comparison) *finding.Run {
	for _, list := range []*[]string{&c.Files, &c.Missing} {
		*list = append([]string{}, *list...)
	}
	for _, list := range []*[]finding.Accepted{&c.Gone, &c.Pending} {
		*list = append([]finding.Accepted{}, *list...)
	}
	run.Baseline = &c
	run.EachRace(func(r *finding.Race) {
		if r.State == "" {
			r.State = finding.New
		}
	})
	run.Regroup()
	return Copy(run)
}

// accept makes the races of a field accepted at a priority.
func accept(run *finding.Run, field string, at finding.Priority, reason string) {
	run.EachRace(func(r *finding.Race) {
		if r.Field.Name != field {
			return
		}
		a := finding.AcceptedOf(r)
		a.Priority, a.Reason = at, reason
		r.Accepted, r.State = &a, finding.Unchanged
		if r.Priority > at {
			r.State = finding.Worse
		}
	})
}

// line is a line of a baseline for a race that is not in the run.
func line(field string, p finding.Priority, n int, reason string) finding.Accepted {
	return finding.Accepted{
		Rule: finding.StaleRead, Field: MainClass + "." + field, Callbacks: [2]string{OnClick.String(), OnDestroy.String()},
		Priority: p, ID: finding.JoinID("0123456789abcdef", n), Reason: reason,
	}
}

// Compared has every state: new, unchanged, worse, accepted under an old name,
// gone; and one field with races of several states.
func Compared() *finding.Run {
	run := Shapes()
	run.Notes = nil
	accept(run, "title", finding.High, "shown again on resume, see issue 12")
	accept(run, "state", finding.Low, "")
	accept(run, "items", finding.Medium, "the list is a copy")
	run.EachRace(func(r *finding.Race) {
		if r.Field.Name == "items" {
			r.Accepted.ID, r.Accepted.Field = "00112233445566aa", MainClass+".entries"
		}
		if r.Field.Name == "adapter" && r.Priority == finding.Medium {
			a := finding.AcceptedOf(r)
			r.Accepted, r.State = &a, finding.Unchanged
		}
	})
	return compare(run, finding.Comparison{
		Files: []string{"eventraces-baseline.txt"},
		Gone:  []finding.Accepted{line("view", finding.High, 1, "mended soon"), line("view", finding.Low, 2, "")},
	})
}

// Accepted has nothing that is new.
func Accepted() *finding.Run {
	run := Shapes()
	for _, field := range []string{"adapter", "title", "state", "items", "count"} {
		accept(run, field, finding.High, "")
	}
	run.Notes = nil
	return compare(run, finding.Comparison{Files: []string{"eventraces-baseline.txt"}})
}

// MissingBaseline was compared with a file that does not exist.
func MissingBaseline() *finding.Run {
	return compare(NewRun(nil, UseAfterFree()), finding.Comparison{Files: []string{"new baseline.txt"}, Missing: []string{"new baseline.txt"}})
}

// Baselines was compared with two, of which one lacks lines of the other.
func Baselines() *finding.Run {
	run := Shapes()
	run.Notes = []finding.Notification{{Kind: finding.NoteBaseline, Text: "repeats the race 0123456789abcdef of line 3 and counts once", Where: "mine.txt:4"}}
	accept(run, "title", finding.Medium, "one; the other")
	c := finding.Comparison{Files: []string{"mine.txt", "theirs.txt"}, Missing: []string{"theirs.txt"}}
	for i := range 14 {
		c.Pending = append(c.Pending, line(fmt.Sprintf("pending%02d", i), finding.Medium, i+1, ""))
	}
	c.Gone = []finding.Accepted{line("view", finding.High, 99, "")}
	return compare(run, c)
}

// Ignored has races that the source accepts, one that a baseline accepts as well,
// and a suppression that meets nothing.
func Ignored() *finding.Run {
	run := Shapes()
	run.Notes = []finding.Notification{{Kind: finding.NoteUnusedIgnore, Text: "suppresses no race", Where: "MainActivity.java:99"}}
	accept(run, "title", finding.High, "")
	run.EachRace(func(r *finding.Race) {
		switch r.Field.Name {
		case "state", "title":
			r.Suppressed = &finding.Suppression{By: "comment", Because: "onDestroy is the last word", Where: "MainActivity.java:46"}
		case "items":
			r.Suppressed = &finding.Suppression{By: "annotation", Because: "a copy is shown", Where: MainClass + ".items"}
		}
	})
	return compare(run, finding.Comparison{Files: []string{"eventraces-baseline.txt"}})
}

// Brief has a field with more races than are told in full, and one with a race
// told in brief only.
func Brief() *finding.Run {
	var races []finding.Race
	for i := range 14 {
		r := NewRace(finding.StaleRead, "shared", Side(finding.Read, OnClick, 100+i, "main looper", Clicked),
			Side(finding.Write, OnDestroy, 200+i, "main looper", Destroyed), AppCode)
		if i >= 5 {
			tellInBrief(&r)
		}
		races = append(races, r)
	}
	only := NewRace(finding.UnorderedWrite, "only", Side(finding.Write, OnClick, 47, "main looper", Clicked),
		Side(finding.Write, OnDestroy, 71, "main looper", Destroyed), ThreadFact)
	tellInBrief(&only)
	return NewRun(nil, append(races, only)...)
}

func tellInBrief(r *finding.Race) {
	r.Brief = true
	for i := range r.Sides {
		r.Sides[i].Events, r.Sides[i].Calls = nil, nil
	}
}

// Partial was cut by a budget and could not read many classes; its names are of
// a shrunk build.
func Partial() *finding.Run {
	notes := []finding.Notification{
		{Kind: finding.NoteBudget, Text: "the work of the points-to analysis was cut at 1000 steps", Count: 7, Where: "com.example.news.Main.run"},
		{Kind: finding.NoteBrokenInput, Text: "split could not be read", Where: "config.arm64.apk: no classes.dex"},
		{Kind: finding.NoteNoMapping, Text: "the build is shrunk and no mapping was given: names, and so ids, are of this build only"},
		{Kind: finding.NoteInfo, Text: "one of a kind"},
	}
	for i := range 12 {
		notes = append(notes, finding.Notification{Kind: finding.NoteBrokenClass, Text: "class could not be read", Where: fmt.Sprintf("classes.dex: a.b%02d", i)})
	}
	r := UseAfterFree()
	r.Limited = []string{"the work of the points-to analysis was cut", "split config.arm64.apk could not be read"}
	run := NewRun(notes, r)
	run.App.Renamed = true
	return compare(run, finding.Comparison{Files: []string{"b.txt"}, Gone: []finding.Accepted{line("view", finding.High, 1, "")}})
}

// PartialEmpty found nothing in what it could look at.
func PartialEmpty() *finding.Run {
	return NewRun([]finding.Notification{{Kind: finding.NoteBudget, Text: "the time for the refutation of pairs was over", Count: 3}})
}

// Sourced has positions in files of a repository, one of which is not found.
func Sourced() *finding.Run {
	run := Shapes()
	run.App.Sources, run.App.Manifest = true, "app/src/main/AndroidManifest.xml"
	run.EachRace(func(r *finding.Race) {
		for i := range r.Sides {
			a := &r.Sides[i].Access
			if a.Method.Class == MainClass && r.Field.Name != "state" {
				a.File, a.Found = "app/src/main/java/"+a.File, true
			}
		}
	})
	return run
}
