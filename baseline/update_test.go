package baseline

import (
	"fmt"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
)

// update compares a run with a baseline and updates that.
func update(t *testing.T, old *File, r *finding.Run, app names, because string, accept ...string) (*File, *Changes) {
	t.Helper()
	must(t, Compare(r, []*File{old}, app))
	next, ch, err := Update(old, r, accept, because)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Parse(old.Name, next.Bytes())
	if err != nil {
		t.Fatalf("what was written is not read: %v", err)
	}
	if len(back.Notes) != 0 || len(back.Lines) != len(next.Lines) {
		t.Errorf("what was written reads with notes %v", back.Notes)
	}
	return back, ch
}

func counts(ch *Changes) string {
	return fmt.Sprintf("accepted %d, raised %d, lowered %d, renamed %d, pruned %d, kept %d, open %d",
		len(ch.Accepted), len(ch.Raised), len(ch.Lowered), len(ch.Renamed), len(ch.Pruned), len(ch.Kept), len(ch.Unknown))
}

func TestUpdateCreates(t *testing.T) {
	races := []finding.Race{race(player, onClick, onDestroy, finding.High), race(main+".title", onClick, onDestroy, finding.Low)}
	none := &File{Name: "b.txt", Missing: true}
	f, ch := update(t, none, run(races...), names{}, "")
	if !ch.Created || counts(ch) != "accepted 2, raised 0, lowered 0, renamed 0, pruned 0, kept 0, open 0" || len(f.Lines) != 2 {
		t.Errorf("all: %s, %d lines", counts(ch), len(f.Lines))
	}
	r := run(races...)
	f, ch = update(t, none, r, names{}, "known", r.Findings[0].First().ID)
	if counts(ch) != "accepted 1, raised 0, lowered 0, renamed 0, pruned 0, kept 0, open 1" || len(f.Lines) != 1 || f.Lines[0].Reason != "known" {
		t.Errorf("one: %s, lines %+v", counts(ch), f.Lines)
	}
	f, _ = update(t, none, run(), names{}, "")
	if len(f.Lines) != 0 || !strings.HasPrefix(string(f.Bytes()), header) {
		t.Errorf("a run without races gives %q", f.Bytes())
	}
}

// A race that the source suppresses needs no line.
func TestUpdateLeavesTheSuppressed(t *testing.T) {
	r := run(race(player, onClick, onDestroy, finding.High))
	r.EachRace(func(x *finding.Race) {
		x.Suppressed = &finding.Suppression{By: "comment", Because: "it is", Where: "Main.java:1"}
	})
	f, ch := update(t, &File{Name: "b.txt", Missing: true}, r, names{}, "", All)
	if len(f.Lines) != 0 || len(ch.Unknown) != 0 {
		t.Errorf("lines %+v, open %+v", f.Lines, ch.Unknown)
	}
}

func TestUpdateKeepsWhatHandsWrote(t *testing.T) {
	old := accepted(t, run(race(player, onClick, onDestroy, finding.High), race(main+".title", onClick, onDestroy, finding.Medium), race(main+".gone", onClick, onDestroy, finding.Low)))
	for i := range old.Lines {
		old.Lines[i].Reason = "reason of " + old.Lines[i].Field
	}
	old.Comments = []string{"# ours"}
	now := func() *finding.Run {
		return run(race(player, onClick, onDestroy, finding.Medium), race(main+".title", onClick, onDestroy, finding.High),
			race(main+".fresh", onClick, onDestroy, finding.High))
	}
	app := appOf(main, main+".gone")

	f, ch := update(t, old, now(), app, "")
	if got := counts(ch); got != "accepted 0, raised 0, lowered 1, renamed 0, pruned 1, kept 0, open 2" {
		t.Errorf("prune: %s", got)
	}
	text := string(f.Bytes())
	for _, want := range []string{
		"# ours\n", "com.example.Main.player com.example.Main.onClick(android.view.View) com.example.Main.onDestroy() medium ",
		" # reason of com.example.Main.player\n", "com.example.Main.title com.example.Main.onClick(android.view.View) com.example.Main.onDestroy() medium ",
		" # reason of com.example.Main.title\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("prune: no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "Main.gone") || strings.Contains(text, "Main.fresh") {
		t.Errorf("prune: wrong lines in\n%s", text)
	}
	again, ch := update(t, f, now(), app, "")
	if string(again.Bytes()) != text || counts(ch) != "accepted 0, raised 0, lowered 0, renamed 0, pruned 0, kept 0, open 2" {
		t.Errorf("a second update changes the file (%s):\n%s", counts(ch), again.Bytes())
	}

	f, ch = update(t, old, now(), app, "now it must be", All)
	if got := counts(ch); got != "accepted 1, raised 1, lowered 1, renamed 0, pruned 1, kept 0, open 0" {
		t.Errorf("accept all: %s", got)
	}
	if text := string(f.Bytes()); strings.Count(text, "# now it must be\n") != 2 || !strings.Contains(text, "# reason of com.example.Main.player\n") {
		t.Errorf("accept all:\n%s", text)
	}
	if _, _, err := Update(old, now(), []string{"0000000000000000"}, ""); err == nil || !strings.Contains(err.Error(), "--accept 0000000000000000: this run has no race of that id") {
		t.Errorf("unknown id: %v", err)
	}
	if _, _, err := Update(old, now(), []string{"everything"}, ""); err == nil || !strings.Contains(err.Error(), `--accept "everything": want "all" or an id`) {
		t.Errorf("no id: %v", err)
	}
}

// A run that could not see everything prunes nothing.
func TestUpdateOfAPartialRunPrunesNothing(t *testing.T) {
	old := accepted(t, run(race(player, onClick, onDestroy, finding.High)))
	r := run()
	r.Notes = []finding.Notification{{Kind: finding.NoteBrokenClass, Text: "com.example.Main cannot be read"}}
	f, ch := update(t, old, r, appOf(), "")
	if counts(ch) != "accepted 0, raised 0, lowered 0, renamed 0, pruned 0, kept 1, open 0" || string(f.Bytes()) != string(old.Bytes()) {
		t.Errorf("%s\n%s", counts(ch), f.Bytes())
	}
}

// Lines of equal races are numbered anew, and keep their reasons.
func TestUpdateNumbersEqualRaces(t *testing.T) {
	r := func(n int) *finding.Run {
		var races []finding.Race
		for i := range n {
			x := race(player, onClick, onDestroy, finding.High)
			x.Sides[0].Access.Line += i
			races = append(races, x)
		}
		return run(races...)
	}
	old := accepted(t, r(3))
	old.Lines[2].Reason = "third"
	f, ch := update(t, old, r(2), appOf(main, player), "")
	if counts(ch) != "accepted 0, raised 0, lowered 0, renamed 0, pruned 1, kept 0, open 0" || len(f.Lines) != 2 ||
		strings.HasSuffix(f.Lines[0].ID, "#2") || !strings.HasSuffix(f.Lines[1].ID, "#2") {
		t.Errorf("%s, lines %+v", counts(ch), f.Lines)
	}
	f, ch = update(t, old, r(4), appOf(main, player), "", All)
	if counts(ch) != "accepted 1, raised 0, lowered 0, renamed 0, pruned 0, kept 0, open 0" || len(f.Lines) != 4 ||
		!strings.HasSuffix(f.Lines[3].ID, "#4") || !strings.Contains(string(f.Bytes()), "#3 # third\n") {
		t.Errorf("%s, lines %+v", counts(ch), f.Lines)
	}
}

// Naming a race says more than all: it may give an accepted one another reason,
// and one that the source suppresses needs no line.
func TestUpdateOfNamedRaces(t *testing.T) {
	r := run(race(player, onClick, onDestroy, finding.High))
	id := r.Findings[0].First().ID
	old := accepted(t, r)
	f, ch := update(t, old, run(race(player, onClick, onDestroy, finding.High)), names{}, "the button is hidden", id)
	if len(ch.Reworded) != 1 || f.Lines[0].Reason != "the button is hidden" {
		t.Errorf("%+v, lines %+v", ch, f.Lines)
	}
	f, ch = update(t, f, run(race(player, onClick, onDestroy, finding.High)), names{}, "something else", All)
	if len(ch.Reworded) != 0 || f.Lines[0].Reason != "the button is hidden" {
		t.Errorf("all: %+v, lines %+v", ch, f.Lines)
	}
	now := run(race(player, onClick, onDestroy, finding.High))
	now.EachRace(func(x *finding.Race) {
		x.Suppressed = &finding.Suppression{By: "comment", Because: "it is", Where: "Main.java:1"}
	})
	_, _, err := Update(&File{Name: "b.txt", Missing: true}, now, []string{id}, "")
	if err == nil || err.Error() != "--accept "+id+": the source suppresses this race already, at Main.java:1" {
		t.Errorf("suppressed: %v", err)
	}
}

// A race whose search met its limit is lower only as far as that got: its line
// stays as high as it was.
func TestUpdateKeepsThePriorityOfACutSearch(t *testing.T) {
	old := accepted(t, run(race(player, onClick, onDestroy, finding.High)))
	x := race(player, onClick, onDestroy, finding.Medium)
	x.Limited = []string{"the search reached its limit"}
	f, ch := update(t, old, run(x), names{}, "")
	if len(ch.Lowered) != 0 || f.Lines[0].Priority != finding.High {
		t.Errorf("%s, lines %+v", counts(ch), f.Lines)
	}
}
