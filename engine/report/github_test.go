package report

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/finding/findingtest"
)

// mixedRun has n findings of each priority.
func mixedRun(n int, notes ...finding.Notification) *finding.Run {
	var races []finding.Race
	for i := range n {
		for _, f := range []finding.Fact{findingtest.AppCode, findingtest.ThreadFact, findingtest.Heuristic} {
			races = append(races, findingtest.NewRace(finding.StaleRead, fmt.Sprintf("%s%d", f.Name, i),
				findingtest.Side(finding.Read, findingtest.OnClick, 44, "main looper", findingtest.Clicked),
				findingtest.Side(finding.Write, findingtest.OnDestroy, 70, "main looper", findingtest.Destroyed), f))
		}
	}
	return findingtest.NewRun(notes, races...)
}

// uploaded counts the results of an upload by level, and what its notifications
// say is left out, by their text.
func uploaded(t *testing.T, sarif []byte) (levels, leftOut map[string]int, noFlows int) {
	t.Helper()
	if err := preflight(sarif); err != nil {
		t.Fatal(err)
	}
	run := parseSARIF(t, sarif).Runs[0]
	levels, leftOut = map[string]int{}, map[string]int{}
	for _, r := range *run.Results {
		levels[r.Level]++
		if len(r.CodeFlows) == 0 {
			noFlows++
		}
	}
	for _, n := range run.Invocations[0].ToolExecutionNotifications {
		if n.Descriptor.ID != string(finding.NoteLeftOut) {
			continue
		}
		what, count, many := strings.Cut(strings.TrimSuffix(n.Message.Text, " times)"), " (")
		leftOut[what] = 1
		if many {
			var k int
			if _, err := fmt.Sscan(count, &k); err != nil {
				t.Fatalf("%q: %v", n.Message.Text, err)
			}
			leftOut[what] = k
		}
	}
	return levels, leftOut, noFlows
}

const (
	beyondText = "this upload leaves out findings beyond the first 2000"
	sizeText   = "this upload leaves out findings, for its size"
	flowsText  = "this upload leaves out code flows, for its size"
	placeText  = "this upload leaves out findings without a source file or manifest in the repository"
	notesText  = "this upload leaves out notifications"
)

func TestUploadHasTheStrongestFindings(t *testing.T) {
	for _, c := range []struct{ each, high, medium, low int }{
		{300, 300, 300, 300}, {667, 667, 667, 666}, {3334, 2000, 0, 0},
	} {
		run := mixedRun(c.each)
		levels, leftOut, noFlows := uploaded(t, render(t, upload(UploadAll), run))
		if levels["error"] != c.high || levels["warning"] != c.medium || levels["note"] != c.low || noFlows != 0 {
			t.Errorf("%d each: results are %v, %d without flows", c.each, levels, noFlows)
		}
		if want := max(3*c.each-mostResults, 0); leftOut[beyondText] != want || len(leftOut) > 1 {
			t.Errorf("%d each: left out %v, want %d", c.each, leftOut, want)
		}
	}
}

// Whatever the limit, what an upload lacks is what its notifications count, and
// nothing goes before what is weaker.
func TestUploadFitsItsSize(t *testing.T) {
	const each = 24
	run := mixedRun(each)
	for i := range run.Findings { // some are told in brief from the start
		if i%5 == 0 {
			run.Findings[i].First().Brief = true
			for s := range run.Findings[i].First().Sides {
				run.Findings[i].First().Sides[s].Events, run.Findings[i].First().Sides[s].Calls = nil, nil
			}
		}
	}
	if err := run.Check(); err != nil {
		t.Fatal(err)
	}
	size := func(b []byte) int {
		g := uploadRun{}
		for low, high := 0, 1<<20; ; {
			if g.limit = (low + high) / 2; low == g.limit {
				return high
			} else if g.tooLarge(b) {
				low = g.limit
			} else {
				high = g.limit
			}
		}
	}
	before := map[string]int{"error": each, "warning": each, "note": each}
	last := -1
	whole, err := forGitHub(run, UploadAll).render()
	if err != nil {
		t.Fatal(err)
	}
	for limit := size(whole); ; limit = limit * 7 / 8 {
		g := forGitHub(run, UploadAll)
		g.limit = limit
		b, err := g.fit()
		if err != nil {
			if last != 0 || !strings.Contains(err.Error(), "even without any finding") {
				t.Errorf("limit %d: %v after %d results", limit, err, last)
			}
			break
		}
		if g.tooLarge(b) {
			t.Errorf("limit %d: more bytes", limit)
		}
		levels, leftOut, noFlows := uploaded(t, b)
		total := levels["error"] + levels["warning"] + levels["note"]
		if total+leftOut[sizeText] != 3*each {
			t.Errorf("limit %d: %d results and %d left out are not %d", limit, total, leftOut[sizeText], 3*each)
		}
		brief := 0
		for i := range total {
			if run.Findings[i].First().Brief {
				brief++
			}
		}
		if noFlows != brief+leftOut[flowsText] {
			t.Errorf("limit %d: %d results lack flows, %d do anyway, %d are counted", limit, noFlows, brief, leftOut[flowsText])
		}
		switch {
		case levels["error"] < each && levels["warning"]+levels["note"] > 0, levels["warning"] < each && levels["note"] > 0:
			t.Errorf("limit %d: results are %v", limit, levels)
		case levels["error"] > before["error"] || total > last && last >= 0:
			t.Errorf("limit %d: a smaller limit gives more", limit)
		}
		for i, r := range *parseSARIF(t, b).Runs[0].Results {
			if r.PartialFingerprints[finding.IDVersion] == "" || !strings.HasPrefix(run.Findings[i].First().ID, r.PartialFingerprints[finding.IDVersion]) {
				t.Fatalf("limit %d: result %d is not finding %d", limit, i, i)
			}
		}
		before, last = levels, total
	}
	cut := func() []byte {
		g := forGitHub(run, UploadAll)
		g.limit = size(whole) / 2
		b, err := g.fit()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if !bytes.Equal(cut(), cut()) {
		t.Error("a second upload differs")
	}
}

func TestUploadWithoutAPlace(t *testing.T) {
	run := mixedRun(5)
	run.App.Sources = true
	for i := range run.Findings {
		if i%3 != 0 {
			run.Findings[i].First().Sides[0].Access.Found = true
		}
	}
	levels, leftOut, _ := uploaded(t, render(t, upload(UploadAll), run))
	if levels["error"]+levels["warning"]+levels["note"] != 10 || leftOut[placeText] != 5 {
		t.Errorf("results are %v, left out %v", levels, leftOut)
	}
	run.App.Manifest = "app/AndroidManifest.xml"
	levels, leftOut, _ = uploaded(t, render(t, upload(UploadAll), run))
	if levels["error"]+levels["warning"]+levels["note"] != 15 || len(leftOut) != 0 {
		t.Errorf("with a manifest, results are %v, left out %v", levels, leftOut)
	}
}

func TestUploadHasFewNotes(t *testing.T) {
	var notes []finding.Notification
	for i := range mostNotes + 7 {
		notes = append(notes, finding.Notification{Kind: finding.NoteBrokenClass, Text: "x", Where: fmt.Sprint(i)})
	}
	b := render(t, upload(UploadAll), findingtest.NewRun(notes))
	if _, leftOut, _ := uploaded(t, b); leftOut[notesText] != 7 {
		t.Errorf("left out %v", leftOut)
	}
	if n := len(parseSARIF(t, b).Runs[0].Invocations[0].ToolExecutionNotifications); n != mostNotes+1 {
		t.Errorf("%d notifications", n)
	}
}

func TestUploadShortensChains(t *testing.T) {
	r := findingtest.UseAfterFree()
	for i := range 300 {
		r.Sides[0].Calls = append(r.Sides[0].Calls, finding.Frame{Position: findingtest.At(findingtest.Show, "MainActivity.java", 1000+i)})
		e := findingtest.Executed
		e.What = fmt.Sprintf("event %d", i)
		r.Sides[0].Events = append(r.Sides[0].Events, e)
		r.Sides[0].Further = append(r.Sides[0].Further, findingtest.At(findingtest.Show, "MainActivity.java", 2000+i))
	}
	run := findingtest.NewRun(nil, r)
	saved := render(t, JSON, run)
	b := render(t, upload(UploadAll), run)
	if err := preflight(b); err != nil {
		t.Fatal(err)
	}
	result := (*parseSARIF(t, b).Runs[0].Results)[0]
	flow := result.CodeFlows[0].ThreadFlows[0].Locations
	// The last frame is where the access is, which has a step of its own.
	if len(flow) != mostEvents+mostCalls-1+1 || len(result.RelatedLocations) != 2+mostFurther {
		t.Errorf("%d steps, %d related locations", len(flow), len(result.RelatedLocations))
	}
	if first, last := flow[0].Location, flow[len(flow)-1].Location; first.PhysicalLocation.Region.StartLine != 31 || last.PhysicalLocation.Region.StartLine != 52 {
		t.Errorf("the ends are lines %d and %d", first.PhysicalLocation.Region.StartLine, last.PhysicalLocation.Region.StartLine)
	}
	for _, want := range []string{"the system creates MainActivity", "event 299", "then 293 events not shown", "292 calls between not shown"} {
		if !bytes.Contains(b, []byte(want)) {
			t.Errorf("the upload lacks %q", want)
		}
	}
	if !bytes.Equal(saved, render(t, JSON, run)) {
		t.Error("the run was changed")
	}
}

// Of a run whose findings come in any order of standing, the uploads hold what
// their choice says.
func TestUploadChoice(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		run := mixedRun(10)
		all, open := 0, 0
		run.EachRace(func(r *finding.Race) {
			switch rng.IntN(4) {
			case 0:
				r.Suppressed = &finding.Suppression{By: "comment", Because: "x", Where: "A.java:1"}
			case 1:
				a := finding.AcceptedOf(r)
				r.State, r.Accepted = finding.Unchanged, &a
				all++
			case 2:
				a := finding.AcceptedOf(r)
				r.State, r.Accepted = finding.Worse, &a
				all, open = all+1, open+1
			default:
				r.State = finding.New
				all, open = all+1, open+1
			}
		})
		run.Regroup()
		for choice, want := range map[Upload]int{UploadAll: all, UploadNew: open} {
			b := render(t, upload(choice), run)
			if err := preflight(b); err != nil {
				t.Fatal(err)
			}
			if got := len(*parseSARIF(t, b).Runs[0].Results); got != want {
				t.Errorf("%s: %d results, want %d", choice, got, want)
			}
		}
	}
}
