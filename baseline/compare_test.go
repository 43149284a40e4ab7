package baseline

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/finding/findingtest"
)

// names is an app by what it declares: classes, and "Class.method(params)" or
// "Class.field".
type names map[string]bool

func (n names) HasClass(name string) bool              { return n[name] }
func (n names) HasMethod(class, signature string) bool { return n[class+"."+signature] }
func (n names) HasField(class, name string) bool       { return n[class+"."+name] }
func (n names) Inherits(class, signature string) bool  { return n["platform "+signature] }

func appOf(declared ...string) names {
	n := names{}
	for _, d := range declared {
		n[d] = true
	}
	return n
}

// callback reads com.example.Main.onClick(android.view.View).
func callback(s string) finding.Callback {
	head, params, _ := strings.Cut(strings.TrimSuffix(s, ")"), "(")
	if i := strings.LastIndex(s, ")$"); i > 0 { // of a lambda
		open := strings.LastIndex(s, "(")
		head, params = s[:open], strings.TrimSuffix(s[open+1:], ")")
	}
	dot := strings.LastIndexByte(head, '.')
	c := finding.Callback{Class: head[:dot], Name: head[dot+1:], Params: []string{}}
	if params != "" {
		c.Params = strings.Split(params, ",")
	}
	return c
}

// race is a use-after-free unless a priority below high makes it a write.
func race(field, a, b string, p finding.Priority) finding.Race {
	one := findingtest.Side(finding.Use, findingtest.OnClick, 40, "main looper", findingtest.Clicked)
	two := findingtest.Side(finding.Free, findingtest.OnDestroy, 70, "main looper", findingtest.Destroyed)
	one.Access.Entry, two.Access.Entry = callback(a), callback(b)
	facts := []finding.Fact{findingtest.AppCode}
	if p < finding.High {
		facts = append(facts, finding.Fact{Name: "limit", Text: "some fact", Limit: p})
	}
	r := findingtest.NewRace(finding.UseAfterFree, "x", one, two, facts...)
	dot := strings.LastIndexByte(field, '.')
	r.Field = finding.Field{Class: field[:dot], Name: field[dot+1:]}
	return r
}

const (
	main      = "com.example.Main"
	player    = main + ".player"
	onClick   = main + ".onClick(android.view.View)"
	onDestroy = main + ".onDestroy()"
)

func run(races ...finding.Race) *finding.Run { return findingtest.NewRun(nil, races...) }

// accepted is a baseline with all races of a run.
func accepted(t *testing.T, r *finding.Run) *File {
	t.Helper()
	f := &File{Name: "b.txt", Missing: true}
	must(t, Compare(r, []*File{f}, names{}))
	next, _, err := Update(f, r, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	back, err := Parse("b.txt", next.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return back
}

// states lists field, id number, priority and state of each race, and what is
// gone or pending.
func states(r *finding.Run) string {
	var out []string
	r.EachRace(func(x *finding.Race) {
		_, n := finding.SplitID(x.ID)
		line := fmt.Sprintf("%s %d %s %s", x.Field, n, x.Priority, x.State)
		if x.Accepted != nil && x.Accepted.Priority != x.Priority {
			line += " was " + x.Accepted.Priority.String()
		}
		out = append(out, line)
	})
	for _, a := range r.Baseline.Gone {
		out = append(out, "gone "+a.Field)
	}
	for _, a := range r.Baseline.Pending {
		out = append(out, "pending "+a.Field)
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

func check(t *testing.T, what string, r *finding.Run, want ...string) {
	t.Helper()
	if err := r.Check(); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	slices.Sort(want)
	if got := states(r); got != strings.Join(want, "\n") {
		t.Errorf("%s:\n%s\nwant:\n%s", what, got, strings.Join(want, "\n"))
	}
}

func TestCompare(t *testing.T) {
	high, medium := finding.High, finding.Medium
	old := accepted(t, run(race(player, onClick, onDestroy, high), race(main+".title", onClick, onDestroy, medium),
		race(main+".gone", onClick, onDestroy, medium)))
	now := run(race(player, onClick, onDestroy, medium), race(main+".title", onClick, onDestroy, high),
		race(main+".fresh", onClick, onDestroy, high))
	must(t, Compare(now, []*File{old}, appOf(main, main+".gone", main+".fresh")))
	check(t, "all states", now,
		"com.example.Main.fresh 1 high new", "com.example.Main.player 1 medium unchanged was high",
		"com.example.Main.title 1 high worse was medium", "gone com.example.Main.gone")
	if c := now.Counts; c.New != 2 || c.Unchanged != 1 {
		t.Errorf("counts are %+v", c)
	}
}

// A new race never hides in a finding with accepted ones.
func TestFindingsHoldOneState(t *testing.T) {
	old := accepted(t, run(race(player, onClick, onDestroy, finding.High)))
	now := run(race(player, onClick, onDestroy, finding.High), race(player, main+".onResume()", onDestroy, finding.Medium))
	must(t, Compare(now, []*File{old}, appOf(main)))
	if len(now.Findings) != 2 {
		t.Fatalf("%d findings", len(now.Findings))
	}
	for _, f := range now.Findings {
		for i := range f.Races {
			if f.Races[i].State != f.Races[0].State {
				t.Errorf("finding on %s has races of the states %s and %s", f.Field, f.Races[0].State, f.Races[i].State)
			}
		}
	}
}

// Equal races count: what is beyond the accepted ones is new, and which one
// is decided by priority first.
func TestCompareCountsEqualRaces(t *testing.T) {
	high, medium, low := finding.High, finding.Medium, finding.Low
	r := func(priorities ...finding.Priority) *finding.Run {
		var races []finding.Race
		for i, p := range priorities {
			x := race(player, onClick, onDestroy, p)
			x.Sides[0].Access.Line += i
			races = append(races, x)
		}
		return run(races...)
	}
	for _, c := range []struct {
		name     string
		accepted []finding.Priority
		now      []finding.Priority
		want     string // new, worse, unchanged, gone
	}{
		{"same", []finding.Priority{high, high}, []finding.Priority{high, high}, "0 0 2 0"},
		{"one more", []finding.Priority{high}, []finding.Priority{high, high}, "1 0 1 0"},
		{"one fewer", []finding.Priority{high, high}, []finding.Priority{high}, "0 0 1 1"},
		{"a higher one more", []finding.Priority{medium}, []finding.Priority{high, medium}, "1 0 1 0"},
		{"a higher one more, first", []finding.Priority{medium}, []finding.Priority{medium, high}, "1 0 1 0"},
		{"raised", []finding.Priority{medium}, []finding.Priority{high}, "0 1 0 0"},
		{"one of two raised", []finding.Priority{medium, medium}, []finding.Priority{medium, high}, "0 1 1 0"},
		{"lowered", []finding.Priority{high}, []finding.Priority{low}, "0 0 1 0"},
		{"exchanged", []finding.Priority{high, low}, []finding.Priority{low, high}, "0 0 2 0"},
		{"lines that accept more are kept for more", []finding.Priority{high, medium}, []finding.Priority{medium, high}, "0 0 2 0"},
		{"raised and one fewer", []finding.Priority{low, low}, []finding.Priority{high}, "0 1 0 1"},
	} {
		old, now := accepted(t, r(c.accepted...)), r(c.now...)
		must(t, Compare(now, []*File{old}, names{}))
		n := map[finding.State]int{}
		now.EachRace(func(x *finding.Race) { n[x.State]++ })
		if got := fmt.Sprint(n[finding.New], n[finding.Worse], n[finding.Unchanged], len(now.Baseline.Gone)); got != c.want {
			t.Errorf("%s: new, worse, unchanged, gone are %s, want %s", c.name, got, c.want)
		}
	}
}

// Of several baselines each must accept a race, at its priority.
func TestSeveralBaselines(t *testing.T) {
	both := race(player, onClick, onDestroy, finding.High)
	added := race(main+".added", onClick, onDestroy, finding.High)
	raised := race(main+".raised", onClick, onDestroy, finding.High)
	lower := race(main+".raised", onClick, onDestroy, finding.Medium)
	removed := race(main+".removed", onClick, onDestroy, finding.High)
	ours, base := accepted(t, run(both, added, raised)), accepted(t, run(both, lower, removed))
	now := run(both, added, raised, removed)
	must(t, Compare(now, []*File{ours, base}, names{}))
	check(t, "ours and base", now,
		player+" 1 high unchanged", main+".added 1 high new", main+".raised 1 high worse was medium", main+".removed 1 high new",
		"pending "+main+".added", "pending "+main+".raised")
	now = run(both, added)
	must(t, Compare(now, []*File{ours, {Name: "base.txt", Missing: true}}, names{}))
	check(t, "base has none", now, player+" 1 high new", main+".added 1 high new", "pending "+main+".raised", "pending "+player,
		"pending "+main+".added")
	if !slices.Equal(now.Baseline.Missing, []string{"base.txt"}) {
		t.Errorf("missing are %v", now.Baseline.Missing)
	}
}

func TestRenames(t *testing.T) {
	lambda := func(class, method string, n int) string {
		return fmt.Sprintf("%s.%s$java.lang.Runnable#%d.run()", class, method, n)
	}
	h := finding.High
	for _, c := range []struct {
		name     string
		old, now []finding.Race
		app      names
		want     []string
	}{
		{"class", []finding.Race{race(player, onClick, onDestroy, h)},
			[]finding.Race{race("com.example.Home.player", "com.example.Home.onClick(android.view.View)", "com.example.Home.onDestroy()",
				h)},
			appOf("com.example.Home"), []string{"com.example.Home.player 1 high unchanged"}},
		{"class, but the old one is still there", []finding.Race{race(player, onClick, onDestroy, h)},
			[]finding.Race{race("com.example.Home.player", "com.example.Home.onClick(android.view.View)", "com.example.Home.onDestroy()",
				h)},
			appOf(main, "com.example.Home"), []string{"com.example.Home.player 1 high new", "gone " + player}},
		{"class of a parameter", []finding.Race{race(player, main+".on(com.example.Event,int[])", onDestroy, h)},
			[]finding.Race{race(player, main+".on(com.example.News,int[])", onDestroy, h)},
			appOf(main, "com.example.News"), []string{player + " 1 high unchanged"}},
		{"package", []finding.Race{race(player, onClick, onDestroy, h), race("com.example.Other.x", onClick, "com.example.Other.run()", h)},
			[]finding.Race{race("com.moved.Main.player", "com.moved.Main.onClick(android.view.View)", "com.moved.Main.onDestroy()", h),
				race("com.moved.Other.x", "com.moved.Main.onClick(android.view.View)", "com.moved.Other.run()", h)},
			appOf("com.moved.Main", "com.moved.Other"), []string{"com.moved.Main.player 1 high unchanged",
				"com.moved.Other.x 1 high unchanged"}},
		{"method", []finding.Race{race(player, lambda(main, "load(int)", 1), onDestroy, h)},
			[]finding.Race{race(player, lambda(main, "fetch(int)", 1), onDestroy, h)},
			appOf(main, main+".fetch(int)"), []string{player + " 1 high unchanged"}},
		{"method, but the old one is still there", []finding.Race{race(player, lambda(main, "load(int)", 1), onDestroy, h)},
			[]finding.Race{race(player, lambda(main, "fetch(int)", 1), onDestroy, h)},
			appOf(main, main+".fetch(int)", main+".load(int)"), []string{player + " 1 high new", "gone " + player}},
		{"parameters of a method", []finding.Race{race(player, lambda(main, "load(int)", 1), onDestroy, h)},
			[]finding.Race{race(player, lambda(main, "load(int,boolean)", 1), onDestroy, h)},
			appOf(main, main+".load(int,boolean)"), []string{player + " 1 high unchanged"}},
		{"field", []finding.Race{race(player, onClick, onDestroy, h)}, []finding.Race{race(main+".mPlayer", onClick, onDestroy, h)},
			appOf(main, main+".mPlayer"), []string{main + ".mPlayer 1 high unchanged"}},
		{"field, but the old one is still there", []finding.Race{race(player, onClick, onDestroy, h)},
			[]finding.Race{race(main+".mPlayer", onClick, onDestroy, h)},
			appOf(main, main+".mPlayer", player), []string{main + ".mPlayer 1 high new", "gone " + player}},
		{"number of a lambda", []finding.Race{race(player, lambda(main, "load()", 1), onDestroy, h)},
			[]finding.Race{race(player, lambda(main, "load()", 2), onDestroy, h)},
			appOf(main, main+".load()"), []string{player + " 1 high unchanged"}},
		{"class and number", []finding.Race{race(player, lambda(main, "load()", 1), onDestroy, h)},
			[]finding.Race{race("com.example.Home.player", lambda("com.example.Home", "load()", 2), "com.example.Home.onDestroy()", h)},
			appOf("com.example.Home", "com.example.Home.load()"), []string{"com.example.Home.player 1 high unchanged"}},
		{"a lambda in a lambda", []finding.Race{race(player,
			lambda(lambda(main, "load()", 1), "",
				1)[:0]+main+".load()$java.lang.Runnable#1.run()$java.lang.Runnable#1.run()", onDestroy, h)},
			[]finding.Race{race(player, main+".fetch()$java.lang.Runnable#2.run()$java.lang.Runnable#1.run()", onDestroy, h)},
			appOf(main, main+".fetch()"), []string{player + " 1 high unchanged"}},
		{"two alike, renamed as they look",
			[]finding.Race{race("com.example.A.x", "com.example.A.run()", onDestroy, h),
				race("com.example.B.x", "com.example.B.run()", onDestroy, h)},
			[]finding.Race{race("com.example.ATask.x", "com.example.ATask.run()", onDestroy, h),
				race("com.example.BTask.x", "com.example.BTask.run()", onDestroy, h)},
			appOf(main, "com.example.ATask", "com.example.BTask"), []string{"com.example.ATask.x 1 high unchanged",
				"com.example.BTask.x 1 high unchanged"}},
		{"two fields alike at once", []finding.Race{race(main+".a", onClick, onDestroy, h), race(main+".b", onClick, onDestroy, h)},
			[]finding.Race{race(main+".first", onClick, onDestroy, h), race(main+".second", onClick, onDestroy, h)},
			appOf(main, main+".first", main+".second"), []string{main + ".first 1 high unchanged", main + ".second 1 high unchanged"}},
		{"two fields alike, one of them graver now",
			[]finding.Race{race(main+".a", onClick, onDestroy, h), race(main+".b", onClick, onDestroy, finding.Medium)},
			[]finding.Race{race(main+".first", onClick, onDestroy, h), race(main+".second", onClick, onDestroy, h)},
			appOf(main, main+".first", main+".second"), []string{main + ".first 1 high new", main + ".second 1 high new",
				"gone " + main + ".a", "gone " + main + ".b"}},
		{"one old, two new that it could be", []finding.Race{race("com.example.A.x", "com.example.A.run()", onDestroy, h)},
			[]finding.Race{race("com.example.P.x", "com.example.P.run()", onDestroy, h),
				race("com.example.Q.x", "com.example.Q.run()", onDestroy, h)},
			appOf(main, "com.example.P", "com.example.Q"), []string{"com.example.P.x 1 high new", "com.example.Q.x 1 high new",
				"gone com.example.A.x"}},
		{"two old, one new", []finding.Race{race("com.example.P.x", "com.example.P.run()", onDestroy, h),
			race("com.example.Q.x", "com.example.Q.run()", onDestroy, h)},
			[]finding.Race{race("com.example.A.x", "com.example.A.run()", onDestroy, h)},
			appOf(main, "com.example.A"), []string{"com.example.A.x 1 high new", "gone com.example.P.x", "gone com.example.Q.x"}},
		{"renamed and worse", []finding.Race{race(player, onClick, onDestroy, finding.Medium)},
			[]finding.Race{race("com.example.Home.player", "com.example.Home.onClick(android.view.View)", "com.example.Home.onDestroy()",
				h)},
			appOf("com.example.Home"), []string{"com.example.Home.player 1 high worse was medium"}},
		{"a name that the baseline has already",
			[]finding.Race{race(player, onClick, onDestroy, h), race(main+".other", onClick, onDestroy, finding.Medium)},
			[]finding.Race{race(main+".other", onClick, onDestroy, h)},
			appOf(main, main+".other"), []string{main + ".other 1 high worse was medium", "gone " + player}},
		{"what the platform calls", []finding.Race{race(player, onClick, onDestroy, h)},
			[]finding.Race{race(player, onClick, main+".onPause()", h)},
			appOf(main, main+".onPause()", "platform onPause()", "platform onDestroy()"), []string{player + " 1 high new",
				"gone " + player}},
		{"the other way round", []finding.Race{race(player, lambda(main, "load()", 1), lambda(main, "save()", 1), h)},
			[]finding.Race{race(player, lambda(main, "save()", 1), lambda(main, "load()", 1), h)},
			appOf(main, main+".load()", main+".save()"), []string{player + " 1 high new", "gone " + player}},
		{"other callback", []finding.Race{race(player, onClick, onDestroy, h)},
			[]finding.Race{race(player, main+".onResume()", onDestroy, h)},
			appOf(main, onClick, main+".onResume()"), []string{player + " 1 high new", "gone " + player}},
	} {
		old, now := accepted(t, run(c.old...)), run(c.now...)
		must(t, Compare(now, []*File{old}, c.app))
		check(t, c.name, now, c.want...)
		if strings.Contains(c.want[0], "unchanged") {
			next, ch, err := Update(old, now, nil, "")
			if err != nil || len(ch.Renamed)+len(ch.Lowered) == 0 || len(next.Lines) != len(old.Lines) {
				t.Errorf("%s: update gives %+v, %v", c.name, ch, err)
				continue
			}
			again := run(c.now...)
			must(t, Compare(again, []*File{next}, names{}))
			again.EachRace(func(x *finding.Race) {
				if x.State != finding.Unchanged {
					t.Errorf("%s: after the update a race is %s", c.name, x.State)
				}
			})
		}
	}
}

// The rule counts: the same names under another rule are another race.
func TestOtherRule(t *testing.T) {
	old := accepted(t, run(race(player, onClick, onDestroy, finding.High)))
	x := race(player, onClick, onDestroy, finding.High)
	x.Rule, x.Sides[1].Access.Kind = finding.UseBeforeInit, finding.Write
	now := run(x)
	must(t, Compare(now, []*File{old}, appOf(main)))
	check(t, "other rule", now, player+" 1 high new", "gone "+player)
}

// What a saved file could hold must not make comparing slow.
func TestManyThatAreAlike(t *testing.T) {
	var a, b []finding.Race
	for i := range 3000 {
		a = append(a, race(fmt.Sprintf("com.example.A%d.bits", i), onClick, fmt.Sprintf("com.example.A%d.run()", i), finding.Low))
		b = append(b, race(fmt.Sprintf("com.example.B%d.bits", i), onClick, fmt.Sprintf("com.example.B%d.run()", i), finding.Low))
	}
	old, now := accepted(t, run(a...)), run(b...)
	must(t, Compare(now, []*File{old}, names{}))
	if now.Counts.New != 3000 || len(now.Baseline.Gone) != 3000 {
		t.Errorf("%d new, %d gone", now.Counts.New, len(now.Baseline.Gone))
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// What the source suppresses takes no line from an equal race.
func TestSuppressedRacesTakeNoLine(t *testing.T) {
	two := func() *finding.Run {
		a, b := race(player, onClick, onDestroy, finding.High), race(player, onClick, onDestroy, finding.High)
		b.Sides[0].Access.Line++
		return run(a, b)
	}
	old := accepted(t, run(race(player, onClick, onDestroy, finding.High)))
	for suppressed := range 2 {
		now := two()
		n := 0
		now.EachRace(func(x *finding.Race) {
			if n++; n-1 == suppressed {
				x.Suppressed = &finding.Suppression{By: "comment", Because: "it is", Where: "Main.java:1"}
			}
		})
		must(t, Compare(now, []*File{old}, names{}))
		if c := now.Counts; c.New != 0 || c.Unchanged != 1 || c.Suppressed != 1 {
			t.Errorf("with race %d suppressed: %+v", suppressed, c)
		}
	}
}

// A class that could not be read is not one that was renamed.
func TestPartialRunsFollowNoNames(t *testing.T) {
	old := accepted(t, run(race(player, onClick, onDestroy, finding.High)))
	now := run(race("com.example.Home.player", "com.example.Home.onClick(android.view.View)", "com.example.Home.onDestroy()", finding.High))
	now.Notes = []finding.Notification{{Kind: finding.NoteBrokenClass, Text: "com.example.Main cannot be read"}}
	must(t, Compare(now, []*File{old}, appOf("com.example.Home")))
	check(t, "partial", now, "com.example.Home.player 1 high new", "gone "+player)
}

func TestCompareRefusesShrunkBuilds(t *testing.T) {
	r := run(race(player, onClick, onDestroy, finding.High))
	r.App.Renamed = true
	if err := Compare(r, []*File{{Name: "b.txt", Missing: true}}, names{}); err == nil || r.Baseline != nil {
		t.Error("the names of a shrunk build are compared")
	}
}
