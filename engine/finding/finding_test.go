package finding

import (
	"bytes"
	"encoding/json"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

func method(class, name string, params ...string) Method {
	return Method{Class: class, Name: name, Params: params}
}

func side(kind Kind, class, name string, line int) Side {
	m := method(class, name)
	pos := Position{Method: m, File: "com/example/Main.java", Line: line}
	return Side{
		Access: Access{Position: pos, Kind: kind, Action: class + "." + name, Thread: "main looper",
			Entry: Callback{Class: class, Name: name}},
		Events: []Event{{What: "the system calls " + name, Cause: BySystem, Callback: &m}},
		Calls:  []Frame{{Position: pos}},
	}
}

func race(rule RuleID, field string, a, b Side, facts ...Fact) Race {
	r := Race{Rule: rule, Field: Field{Class: "com.example.Main", Name: field}, Sides: [2]Side{a, b},
		Order: "nothing orders them", Facts: facts, Priority: PriorityOf(facts)}
	r.Describe("")
	return r
}

func newRun(races ...Race) *Run {
	r := &Run{Schema: SchemaVersion, Tool: Tool{Name: ToolName, Version: "0.0.1"}}
	r.Arrange(races)
	return r
}

var medium = Fact{Name: "unknown-thread", Text: "a thread is not known", Limit: Medium}

func TestIDIgnoresWhatMoves(t *testing.T) {
	base := race(UseAfterFree, "db", side(Use, "com.example.Main", "onClick", 10), side(Free, "com.example.Main", "onDestroy", 20))
	id := newRun(base).Findings[0].Races[0].ID
	same := map[string]func(*Race){
		"line":          func(r *Race) { r.Sides[0].Access.Line = 99 },
		"file":          func(r *Race) { r.Sides[0].Access.File = "moved/Main.java" },
		"thread":        func(r *Race) { r.Sides[0].Access.Thread = "looper X" },
		"priority":      func(r *Race) { r.Priority, r.Facts = Medium, []Fact{medium} },
		"swapped sides": func(r *Race) { r.Sides[0], r.Sides[1] = r.Sides[1], r.Sides[0] },
		"access method": func(r *Race) { r.Sides[0].Access.Method.Name = "extracted" },
		"chain":         func(r *Race) { r.Sides[0].Calls = append(r.Sides[0].Calls, r.Sides[0].Calls[0]) },
		"content":       func(r *Race) { r.Field.Content = Container },
	}
	for what, change := range same {
		r := base
		change(&r)
		if got := newRun(r).Findings[0].Races[0].ID; got != id {
			t.Errorf("a changed %s changes the id from %s to %s", what, id, got)
		}
	}
	other := map[string]func(*Race){
		"rule":            func(r *Race) { r.Rule = StaleRead },
		"field":           func(r *Race) { r.Field.Name = "other" },
		"declaring class": func(r *Race) { r.Field.Class = "com.example.Other" },
		"kind":            func(r *Race) { r.Sides[0].Access.Kind = Read },
		"entry class":     func(r *Race) { r.Sides[0].Access.Entry.Class = "com.example.Other" },
		"entry name":      func(r *Race) { r.Sides[0].Access.Entry.Name = "onLongClick" },
		"entry overload":  func(r *Race) { r.Sides[0].Access.Entry.Params = []string{"int"} },
	}
	seen := map[string]string{id: "nothing"}
	for what, change := range other {
		r := base
		change(&r)
		got := newRun(r).Findings[0].Races[0].ID
		if before, dup := seen[got]; dup {
			t.Errorf("a changed %s gives the same id as a changed %s", what, before)
		}
		seen[got] = what
	}
}

// The recipe of ids is frozen: a change here breaks every stored baseline.
func TestIDRecipe(t *testing.T) {
	r := race(UseAfterFree, "db", side(Use, "com.example.Main", "onClick", 10), side(Free, "com.example.Main", "onDestroy", 20))
	if got, want := newRun(r).Findings[0].Races[0].ID, "0b1263ff73517357"; got != want {
		t.Errorf("id is %s, want %s", got, want)
	}
}

func TestNamePartsDoNotRunTogether(t *testing.T) {
	a := race(StaleRead, "f", side(Read, "a.B", "c", 1), side(Write, "a.B", "w", 2))
	b := race(StaleRead, "f", side(Read, "a.Bc", "", 1), side(Write, "a.B", "w", 2))
	if baseID(&a) == baseID(&b) {
		t.Error("class and method names run together in the id")
	}
}

func TestEqualIDsAreNumbered(t *testing.T) {
	races := []Race{
		race(UseAfterFree, "db", side(Use, "com.example.Main", "onClick", 12), side(Free, "com.example.Main", "onDestroy", 20), medium),
		race(UseAfterFree, "db", side(Use, "com.example.Main", "onClick", 10), side(Free, "com.example.Main", "onDestroy", 20)),
		race(UseAfterFree, "db", side(Use, "com.example.Main", "onClick", 11), side(Free, "com.example.Main", "onDestroy", 20)),
	}
	f := newRun(races...).Findings
	if len(f) != 1 || len(f[0].Races) != 3 {
		t.Fatalf("got %d findings, want 1 of 3 races", len(f))
	}
	base, _ := SplitID(f[0].Races[0].ID)
	var ids []string
	for _, r := range f[0].Races {
		ids = append(ids, r.ID)
	}
	// The weakest comes last although its line is between the others.
	if want := []string{base, base + "#2", base + "#3"}; !slices.Equal(ids, want) {
		t.Errorf("ids %v, want %v", ids, want)
	}
	if f[0].First().Sides[0].Access.Line != 10 || f[0].Races[2].Priority != Medium {
		t.Error("races are not sorted by strength, then place")
	}
}

func TestArrangeDoesNotDependOnInputOrder(t *testing.T) {
	races := []Race{
		race(StaleRead, "x", side(Read, "com.example.Main", "onResume", 1), side(Write, "com.example.Main$1", "run", 2), medium),
		race(UseAfterFree, "x", side(Use, "com.example.Main", "onResume", 1), side(Free, "com.example.Main$1", "run", 2)),
		race(UseAfterFree, "x", side(Use, "com.example.Main", "onResume", 3), side(Free, "com.example.Main$1", "run", 2)),
		race(UnorderedWrite, "a", side(Write, "com.example.Main", "onResume", 1), side(Write, "com.example.Main$1", "run", 2)),
		race(UnsynchronizedAccess, "a", side(Write, "com.example.Main", "onResume", 1), side(Read, "com.example.Main$1", "run", 2), medium),
	}
	want := marshal(t, newRun(races...))
	rng := rand.New(rand.NewSource(1))
	for range 50 {
		rng.Shuffle(len(races), func(i, j int) { races[i], races[j] = races[j], races[i] })
		for i := range races {
			if rng.Intn(2) == 0 {
				races[i].Sides[0], races[i].Sides[1] = races[i].Sides[1], races[i].Sides[0]
			}
		}
		r := newRun(races...)
		if err := r.Check(); err != nil {
			t.Fatal(err)
		}
		if got := marshal(t, r); !bytes.Equal(got, want) {
			t.Fatalf("another order of races gives another run:\n%s\nwant:\n%s", got, want)
		}
	}
}

func TestRunSurvivesJSON(t *testing.T) {
	r := newRun(race(UseAfterFree, "x", side(Use, "com.example.Main", "onResume", 1), side(Free, "com.example.Main$1", "run", 2), medium))
	first := marshal(t, r)
	var back Run
	if err := json.Unmarshal(first, &back); err != nil {
		t.Fatal(err)
	}
	if err := back.Check(); err != nil {
		t.Fatal(err)
	}
	if second := marshal(t, &back); !bytes.Equal(first, second) {
		t.Errorf("a second write differs:\n%s\n%s", first, second)
	}
}

func TestOrient(t *testing.T) {
	cases := []struct {
		name  string
		a, b  Side
		first string
	}{
		{"the use", side(Free, "a.A", "a", 1), side(Use, "a.Z", "z", 1), "z"},
		{"the read", side(Write, "a.A", "a", 1), side(Read, "a.Z", "z", 1), "z"},
		{"the method that sorts first", side(Write, "a.Z", "z", 1), side(Write, "a.A", "a", 9), "a"},
	}
	for _, c := range cases {
		r := Race{Sides: [2]Side{c.a, c.b}}
		r.Orient()
		if got := r.Sides[0].Access.Method.Name; got != c.first {
			t.Errorf("%s: the anchor is %s, want %s", c.name, got, c.first)
		}
	}
}

// compareSides must be a strict weak order, whatever the sides hold.
func TestCompareSidesIsAnOrder(t *testing.T) {
	var sides []Side
	for _, k := range []Kind{Read, Write, Free, Use} {
		for _, name := range []string{"a", "b"} {
			for line := range 2 {
				sides = append(sides, side(k, "a.A", name, line))
			}
		}
	}
	for i := range sides {
		for j := range sides {
			ij, ji := compareSides(&sides[i], &sides[j]), compareSides(&sides[j], &sides[i])
			if ij != -ji || (i == j) != (ij == 0) {
				t.Fatalf("compare(%d,%d) = %d, the other way %d", i, j, ij, ji)
			}
			for k := range sides {
				if ij < 0 && compareSides(&sides[j], &sides[k]) < 0 && compareSides(&sides[i], &sides[k]) >= 0 {
					t.Fatalf("%d < %d < %d, but not %d < %d", i, j, k, i, k)
				}
			}
		}
	}
}

func TestClassify(t *testing.T) {
	kinds := []Kind{Read, Write, Free, Use}
	n := 0
	for _, a := range kinds {
		for _, b := range kinds {
			for _, unwritten := range []bool{false, true} {
				for _, looper := range []bool{false, true} {
					n++
					got := Classify(a, b, unwritten, looper)
					if back := Classify(b, a, unwritten, looper); got != back {
						t.Errorf("%s/%s is %s, the other way %s", a, b, got, back)
					}
					want := UnsynchronizedAccess
					switch freeUse := a == Free && b == Use || a == Use && b == Free; {
					case freeUse:
						want = UseAfterFree
					case unwritten:
						want = UseBeforeInit
					case looper && (a == Write || a == Free) && (b == Write || b == Free):
						want = UnorderedWrite
					case looper:
						want = StaleRead
					}
					if got != want {
						t.Errorf("%s/%s unwritten=%v looper=%v is %s, want %s", a, b, unwritten, looper, got, want)
					}
				}
			}
		}
	}
	if n != 64 {
		t.Fatalf("tried %d combinations", n)
	}
}

func TestRuleRecordsAreComplete(t *testing.T) {
	want := []RuleID{UseAfterFree, UseBeforeInit, UnorderedWrite, StaleRead, UnsynchronizedAccess}
	got := Rules()
	if len(got) != len(want) {
		t.Fatalf("%d rules, want %d", len(got), len(want))
	}
	for i, r := range got {
		if r.ID != want[i] {
			t.Errorf("rule %d is %s, want %s", i, r.ID, want[i])
		}
		if pascal := strings.ReplaceAll(string(r.ID), "-", ""); !strings.EqualFold(r.Name, pascal) {
			t.Errorf("%s is named %s", r.ID, r.Name)
		}
		for what, text := range map[string]string{"title": r.Title, "short": r.Short, "full": r.Full, "fix": r.Fix} {
			if text == "" || len(text) > 1024 {
				t.Errorf("%s: %s text has %d bytes, want 1 to 1024", r.ID, what, len(text))
			}
		}
		if !strings.Contains(r.Failing, "class Failing ") || !strings.Contains(r.Fixed, "class Fixed ") {
			t.Errorf("%s: example lacks class Failing or class Fixed", r.ID)
		}
	}
}

func TestCheckRefuses(t *testing.T) {
	good := func() *Run {
		return newRun(race(UseAfterFree, "x", side(Use, "com.example.Main", "onResume", 1), side(Free, "com.example.Main$1", "run", 2)))
	}
	if err := good().Check(); err != nil {
		t.Fatal(err)
	}
	cases := map[string]func(*Run){
		"schema version":    func(r *Run) { r.Schema = 0 },
		"no tool":           func(r *Run) { r.Tool.Version = "" },
		"unknown rule":      func(r *Run) { r.Findings[0].Rule = "x"; r.Findings[0].Races[0].Rule = "x" },
		"id is not":         func(r *Run) { r.Findings[0].Races[0].ID = "0123456789abcdef" },
		"its facts give":    func(r *Run) { r.Findings[0].Races[0].Facts = []Fact{medium} },
		"text \"order\"":    func(r *Run) { r.Findings[0].Races[0].Order = "" },
		"no races":          func(r *Run) { r.Findings[0].Races = nil },
		"no event chain":    func(r *Run) { r.Findings[0].Races[0].Sides[1].Events = nil },
		"no call chain":     func(r *Run) { r.Findings[0].Races[0].Sides[0].Calls = nil },
		"not in order":      func(r *Run) { s := &r.Findings[0].Races[0].Sides; s[0], s[1] = s[1], s[0] },
		"access in line -1": func(r *Run) { r.Findings[0].Races[0].Sides[0].Access.Line = -1 },
		"appears twice":     func(r *Run) { r.Findings = append(r.Findings, r.Findings[0]) },
		"no text":           func(r *Run) { r.Notes = []Notification{{Kind: NoteBudget}} },
		"caused by step":    func(r *Run) { schedule(r, Step{Action: "a", Run: 1}, Step{Action: "b", Run: 1, Cause: 2}) },
		"step -1":           func(r *Run) { schedule(r, Step{Action: "a", Run: 1, Cause: -1}) },
		"has no action":     func(r *Run) { schedule(r, Step{Run: 1}) },
		"is run 0":          func(r *Run) { schedule(r, Step{Action: "a"}) },
		"ends in line -3":   func(r *Run) { schedule(r, Step{Action: "a", Run: 1, Until: &Position{Line: -3}}) },
		"branches in":       func(r *Run) { schedule(r, Step{Action: "a", Run: 1, Branches: []Branch{{At: Position{Line: -3}}}}) },
		"asked for in":      func(r *Run) { r.Findings[0].Races[0].Sides[1].Events[0].Site = &Position{Line: -3} },
		"call 0 is in":      func(r *Run) { r.Findings[0].Races[0].Sides[0].Calls[0].Line = 1 << 32 },
		"further place":     func(r *Run) { r.Findings[0].Races[0].Sides[0].Further = []Position{{Line: -1}} },
		"unknown state":     func(r *Run) { r.Findings[0].Races[0].State = "x" },
		"by no line":        func(r *Run) { r.Findings[0].Races[0].State = Worse },
		"but not worse":     func(r *Run) { r.Findings[0].Races[0].Accepted = &Accepted{} },
		"unknown rule \"\"": func(r *Run) {
			r.Findings[0].Races[0].State, r.Findings[0].Races[0].Accepted = Unchanged, &Accepted{}
		},
		"suppression lacks": func(r *Run) { r.Findings[0].Races[0].Suppressed = &Suppression{By: "comment", Where: "x"} },
		"another standing": func(r *Run) {
			f := &r.Findings[0]
			f.Races = append(f.Races, f.Races[0])
			f.Races[1].Suppressed = &Suppression{By: "comment", Because: "x", Where: "x"}
		},
		"names no file":          func(r *Run) { r.Baseline = &Comparison{} },
		"not the form":           func(r *Run) { baseline(r, Accepted{Rule: UseAfterFree, ID: "x", Priority: Low}) },
		"unknown rule \"y\"":     func(r *Run) { baseline(r, Accepted{Rule: "y"}) },
		"has no priority":        func(r *Run) { baseline(r, Accepted{Rule: UseAfterFree, ID: "0123456789abcdef"}) },
		"not those of the findi": func(r *Run) { r.Counts.New = -1 },
		"priority medium":        func(r *Run) { r.Findings[0].Priority = Medium },
	}
	for want, spoil := range cases {
		r := good()
		spoil(r)
		if err := r.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func schedule(r *Run, steps ...Step) { r.Findings[0].Races[0].Schedule = &Schedule{Steps: steps} }

func baseline(r *Run, pending Accepted) {
	r.Baseline = &Comparison{Files: []string{"x"}, Pending: []Accepted{pending}}
}

// Names that are no UTF-8 are the same, and have the same ids, after they were
// written as JSON.
func TestRunWithoutUTF8SurvivesJSON(t *testing.T) {
	for _, bad := range []string{"\xed\xa0\x80", "a\xff", "\xc3", "\xef\xbf\xbd\xf0\x9f"} {
		shared := []string{bad}
		s := side(Use, "com.example."+bad, bad, 1)
		s.Access.Entry.Params = shared
		r := newRun(race(UseAfterFree, bad, s, side(Free, "com.example.Main", "\xef\xbf\xbc", 2), medium),
			race(UseAfterFree, "x", s, side(Free, "com.example.\xef\xbf\xbe", "run", 2)))
		if err := r.Check(); err != nil {
			t.Errorf("%q: %v", bad, err)
		}
		first := marshal(t, r)
		var back Run
		if err := json.Unmarshal(first, &back); err != nil {
			t.Fatal(err)
		}
		if err := back.Check(); err != nil {
			t.Errorf("%q, read back: %v", bad, err)
		}
		if second := marshal(t, &back); !bytes.Equal(first, second) {
			t.Errorf("%q: a second write differs:\n%s\n%s", bad, first, second)
		}
		if shared[0] != bad {
			t.Error("what the run shares with others was changed")
		}
	}
}

func TestLimited(t *testing.T) {
	r := newRun()
	r.Notes = []Notification{{Kind: NoteUnknownThread, Text: "x"}}
	if r.Limited() {
		t.Error("an unknown thread alone makes a run limited")
	}
	r.Notes = append(r.Notes, Notification{Kind: NoteBudget, Text: "x"})
	if !r.Limited() {
		t.Error("a budget does not make a run limited")
	}
}

func TestPriorityText(t *testing.T) {
	for _, name := range []string{"high", "medium", "low"} {
		p, err := ParsePriority(name)
		if err != nil || p.String() != name {
			t.Errorf("%s reads as %v, %v", name, p, err)
		}
	}
	if _, err := ParsePriority("urgent"); err == nil {
		t.Error("urgent is a priority")
	}
	if _, err := json.Marshal(Finding{}); err == nil {
		t.Error("a finding without a priority can be written")
	}
}

func TestDescribe(t *testing.T) {
	nested := Nested(method("com.example.Main", "onCreate", "android.os.Bundle"), "java.lang.Runnable", 1)
	r := race(UseAfterFree, "db", side(Free, "com.example.Main", "onDestroy", 20), side(Use, nested, "run", 10))
	want := "If Main.onDestroy comes first, Runnable.run in Main.onCreate finds Main.db null: " +
		"a NullPointerException at Main.java:10."
	if r.Wrong != want {
		t.Errorf("wrong text:\n%s\nwant:\n%s", r.Wrong, want)
	}
	for _, c := range []struct {
		how  Failure
		fact FactID
		want string
	}{
		{Failure{At: &Position{File: "com/example/Part.java", Line: 7}}, "", "If Main.onDestroy comes first, Runnable.run in Main.onCreate finds Main.db null: " +
			"a NullPointerException at Part.java:7, where the value read at Main.java:10 is used."},
		{Failure{Leads: Within}, "", "If Main.java:20 runs before Runnable.run in Main.onCreate gets to Main.java:10, that finds Main.db null: a NullPointerException at Main.java:10."},
		{Failure{Leads: ToUse}, "", "Runnable.run in Main.onCreate, to which Main.onDestroy leads, finds Main.db null: a NullPointerException at Main.java:10."},
		{Failure{Crash: "java.util.NoSuchElementException, or a lost element"}, "two-instances", "If Main.onDestroy of another instance comes first, Runnable.run in Main.onCreate finds Main.db null: " +
			"NoSuchElementException, or a lost element at Main.java:10."},
	} {
		r := r
		r.Wrong, r.Facts = "", []Fact{{Name: c.fact}}
		if r.DescribeFailure(c.how); r.Wrong != c.want {
			t.Errorf("wrong text:\n%s\nwant:\n%s", r.Wrong, c.want)
		}
	}
	again := race(UseAfterFree, "db", side(Free, "com.example.Main", "onClick", 20), side(Use, "com.example.Main", "onClick", 10))
	want = "An earlier run of Main.onClick may leave Main.db null for a later one: a NullPointerException at Main.java:10."
	if again.Wrong != want {
		t.Errorf("wrong text:\n%s\nwant:\n%s", again.Wrong, want)
	}
	if !strings.Contains(r.Fix, "unregister") {
		t.Errorf("fix is %q", r.Fix)
	}
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestSourcePath(t *testing.T) {
	cases := []struct{ class, source, want string }{
		{"com.example.Main$1", "Main.java", "com/example/Main.java"},
		{"Main", "Main.kt", "Main.kt"},
		{"com.example.Main", "", ""},
		{"com.example.Main", "../../etc/passwd.java", "com/example/passwd.java"},
		{"com.example.Main", `C:\src\Main.java`, "com/example/Main.java"},
		{"com.example.Main", "..", ""},
		{"com.example.Main$$Lambda0", "D8$$SyntheticClass", ""},
		{"com.example.a", "SourceFile", ""},
	}
	for _, c := range cases {
		if got := SourcePath(c.class, c.source); got != c.want {
			t.Errorf("%s in %s is at %q, want %q", c.class, c.source, got, c.want)
		}
	}
}

// Unnest is the inverse of Nested, however deep.
func TestUnnest(t *testing.T) {
	m := Method{Class: "com.example.Main$Inner", Name: "on", Params: []string{"int[]", "java.lang.String"}}
	class := m.Class
	for depth := 1; depth < 5; depth++ {
		m.Class = class
		class = Nested(m, "java.lang.Runnable", depth)
		enclosing, implements, n, ok := Unnest(class)
		if !ok || enclosing != m.String() || implements != "java.lang.Runnable" || n != depth {
			t.Errorf("%s is taken apart as %q %q %d %v", class, enclosing, implements, n, ok)
		}
	}
	if _, implements, n, ok := Unnest(class + "$Deep$Deeper"); !ok || implements != "java.lang.Runnable$Deep$Deeper" || n != 4 {
		t.Errorf("a member of %s is taken apart as %q %d %v", class, implements, n, ok)
	}
	for _, plain := range []string{"", "com.example.Main", "com.example.Main$1", "a)$b", ")$"} {
		if _, _, _, ok := Unnest(plain); ok {
			t.Errorf("%q is taken apart", plain)
		}
	}
}

// What has the form of an id is one that JoinID makes.
func TestIDsJoinAndSplit(t *testing.T) {
	for id, want := range map[string]bool{
		"0123456789abcdef": true, "0123456789abcdef#2": true, "0123456789abcdef#10": true, "0123456789abcdef#123456789": true,
		"0123456789abcdef#1": false, "0123456789abcdef#0": false, "0123456789abcdef#02": false, "0123456789abcdef#": false,
		"0123456789abcde": false, "0123456789ABCDEF": false, "": false, "0123456789abcdef#2x": false, "0123456789abcdef\n": false,
	} {
		if got := IsID(id); got != want {
			t.Errorf("%q is an id: %v", id, got)
		}
		if base, n := SplitID(id); want && JoinID(base, n) != id {
			t.Errorf("%q is split into %q and %d", id, base, n)
		}
	}
}

func TestFieldsForPeople(t *testing.T) {
	for want, f := range map[string]Field{
		"Main$Loader.cache":              {Class: "com.example.Main$Loader", Name: "cache"},
		"Runnable.count in Main.onStart": {Class: "com.example.Main.onStart()$java.lang.Runnable#1", Name: "count"},
		"Runnable.count in Main":         {Class: "com.example.Main.<init>()$java.lang.Runnable#2", Name: "count"},
	} {
		if got := f.Short(); got != want {
			t.Errorf("%s is called %q, want %q", f, got, want)
		}
	}
}

func TestParseRule(t *testing.T) {
	for _, r := range Rules() {
		if id, err := ParseRule(string(r.ID)); id != r.ID || err != nil {
			t.Errorf("%s gives %q, %v", r.ID, id, err)
		}
	}
	for s, want := range map[string]string{
		"":                       `unknown rule ""; the rules are use-after-free, use-before-init, unordered-write, stale-read, unsynchronized-access`,
		"a\x00\u202eb":           `unknown rule "a\x00\u202eb"; the rules are use`,
		strings.Repeat("x", 999): `unknown rule "` + strings.Repeat("x", 60) + `..."; the rules are use`,
	} {
		if _, err := ParseRule(s); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", s, err)
		}
	}
}

func TestCategoryAndRevisionHaveAForm(t *testing.T) {
	for text, ok := range map[string]bool{"free": true, "a-b_c.1": true, "": false, "a/b": false, ".a": false, "a b": false, "\u00e9": false, strings.Repeat("a", 61): false} {
		if IsCategory(text) != ok {
			t.Errorf("IsCategory(%q) is %v", text, !ok)
		}
	}
	sum := strings.Repeat("0a", 20)
	for text, ok := range map[string]bool{sum: true, sum[1:]: false, strings.ToUpper(sum): false, sum + "\n": false, "main": false} {
		if IsRevision(text) != ok {
			t.Errorf("IsRevision(%q) is %v", text, !ok)
		}
	}
}
