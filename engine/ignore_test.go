package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
	"github.com/eventraces/eventraces/engine/internal/ir"
)

// TestIgnoredRaces reads the annotations of an app. dx keeps them; in what D8
// has built nothing is left of them, so each race is as any other.
func TestIgnoredRaces(t *testing.T) {
	const apk, again = "testdata/fixtures/ignored/ignored", "it is shown again"
	accepted := map[string]string{ // by rule and field: what accepts the race
		"stale-read OnField.unread":       "OnField.unread: " + again,
		"stale-read OnMethod.unread":      "OnMethod.onResume(): " + again,
		"stale-read OnOverload.unread":    "",
		"stale-read OnLambda.unread":      "OnLambda.onCreate(android.os.Bundle): " + again,
		"stale-read OnAnonymous.unread":   "OnAnonymous.onCreate(android.os.Bundle): " + again,
		"stale-read OnDeep.unread":        "OnDeep.onCreate(android.os.Bundle): " + again,
		"stale-read OnDeep.unsent":        "OnDeep.onCreate(android.os.Bundle): " + again,
		"stale-read OnConstructor.unread": "OnConstructor$Reader.<init>(OnConstructor): " + again,
		"stale-read Box.unread":           "OnType: " + again,
		"stale-read OnNested.unread":      "OnNested$Count: " + again,
		"stale-read Owner.unread":         "Owner: " + again,
		"stale-read Repeated.unread":      "Repeated.unread: " + again,
		"unordered-write Repeated.unread": "Repeated.unread: either will do",
		"stale-read OtherRule.unread":     "",
		"stale-read UnknownRule.unread":   "",
		"stale-read NoReason.unread":      "",

		"stale-read OnAnonymousField.onCreate(android.os.Bundle)$java.lang.Runnable#1.unread": "OnAnonymousField$1.unread: " + again,
		"stale-read OnAnonymousField.onCreate(android.os.Bundle)$Count#1.unsent":              "OnAnonymousField$1Count.unsent: " + again,
	}
	notes := []string{
		`the suppression does not count: it gives no reason: write @IgnoreEventRace(rule = "RULE", because = "REASON"): NoReason.unread`,
		`the suppression of stale-read covers no race; remove it: OnOverload.show(int)`,
		`the suppression of unordered-write covers no race; remove it: OtherRule.unread`,
		`the suppression does not count: it names the unknown rule "stale-reads"; the rules are ` + finding.RuleNames() + `: UnknownRule.unread`,
		`the suppression of stale-read covers no race; remove it: Unused.unread`,
	}
	gotRaces, gotNotes := acceptedIn(t, apk+"-dx.apk")
	if diff := cmp.Diff(accepted, gotRaces); diff != "" {
		t.Errorf("dx (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(notes, gotNotes); diff != "" {
		t.Errorf("dx (-want +got):\n%s", diff)
	}
	for race := range accepted {
		accepted[race] = ""
	}
	gotRaces, gotNotes = acceptedIn(t, apk+".apk")
	if diff := cmp.Diff(accepted, gotRaces); diff != "" {
		t.Errorf("D8 (-want +got):\n%s", diff)
	}
	if len(gotNotes) > 0 {
		t.Errorf("D8: notes %q", gotNotes)
	}
}

func acceptedIn(t *testing.T, apk string) (map[string]string, []string) {
	t.Helper()
	res, err := Check(t.Context(), Options{ToolVersion: "test", Inputs: []string{apk}})
	if err != nil {
		t.Fatal(err)
	}
	short := func(s string) string { return strings.ReplaceAll(s, "com.example.ignored.", "") }
	found := map[string]string{}
	for _, f := range res.Run.Findings {
		by := ""
		if s := f.First().Suppressed; s != nil {
			by = s.Where + ": " + s.Because
			if s.By != "annotation" {
				t.Errorf("%s: by %q", f.Field, s.By)
			}
		}
		found[string(f.Rule)+" "+short(f.Field.String())] = short(by)
		for i := range f.Races {
			if (f.Races[i].Suppressed == nil) != (by == "") {
				t.Errorf("%s: not all races are accepted, or not", f.Field)
			}
		}
	}
	var notes []string
	for _, n := range res.Run.Notes {
		if n.Kind != finding.NoteUnusedIgnore {
			t.Errorf("note %+v", n)
		}
		notes = append(notes, short(n.Text+": "+n.Where))
	}
	return found, notes
}

func ignoring(elements ...dextest.Element) dextest.Annotation {
	return dextest.Annotation{Visibility: dex.VisibilityBuild, Type: "Lio/github/eventraces/annotations/IgnoreEventRace;", Elements: elements}
}

func several(value any) dextest.Annotation {
	return dextest.Annotation{Type: "Lio/github/eventraces/annotations/IgnoreEventRaces;", Elements: []dextest.Element{{Name: "value", Value: value}}}
}

// Bytecode may hold what no compiler writes: each such annotation is named, and
// accepts nothing.
func TestHostileIgnores(t *testing.T) {
	rule := func(v any) dextest.Element { return dextest.Element{Name: "rule", Value: v} }
	because := func(v any) dextest.Element { return dextest.Element{Name: "because", Value: v} }
	good := ignoring(rule("stale-read"), because("so"))
	other := dextest.Annotation{Type: "Lapp/Other;"}
	tests := map[string]struct {
		a    []dextest.Annotation
		want []string // problems, by what they contain
		good int
	}{
		"good":          {[]dextest.Annotation{good}, nil, 1},
		"another":       {[]dextest.Annotation{other, good}, nil, 1},
		"lines":         {[]dextest.Annotation{ignoring(rule(" stale-read\n"), because("a\n\tb"))}, nil, 1},
		"nothing":       {[]dextest.Annotation{ignoring()}, []string{"no rule"}, 0},
		"no rule":       {[]dextest.Annotation{ignoring(because("so"))}, []string{"no rule"}, 0},
		"no reason":     {[]dextest.Annotation{ignoring(rule("stale-read"))}, []string{"no reason"}, 0},
		"number":        {[]dextest.Annotation{ignoring(rule(7), because("so"))}, []string{"no rule"}, 0},
		"list":          {[]dextest.Annotation{ignoring(rule("stale-read"), because([]any{"so"}))}, []string{"no reason"}, 0},
		"null":          {[]dextest.Annotation{ignoring(rule(nil), because("so"))}, []string{"no rule"}, 0},
		"type":          {[]dextest.Annotation{ignoring(rule(dextest.Type("Lapp/Main;")), because("so"))}, []string{"no rule"}, 0},
		"empty rule":    {[]dextest.Annotation{ignoring(rule(""), because("so"))}, []string{"no rule"}, 0},
		"long rule":     {[]dextest.Annotation{ignoring(rule(strings.Repeat("x", 9999)), because("so"))}, []string{`unknown rule "xxx`}, 0},
		"control rule":  {[]dextest.Annotation{ignoring(rule("a\x00\u202eb"), because("so"))}, []string{`unknown rule "a\x00\u202eb"`}, 0},
		"blank reason":  {[]dextest.Annotation{ignoring(rule("stale-read"), because(" \n"))}, []string{"no reason"}, 0},
		"twice":         {[]dextest.Annotation{several([]any{good, good})}, nil, 2},
		"two":           {[]dextest.Annotation{several([]any{good, ignoring(rule("unordered-write"), because("so"))})}, nil, 2},
		"none":          {[]dextest.Annotation{several([]any{})}, nil, 0},
		"no list":       {[]dextest.Annotation{several("good")}, []string{"no list"}, 0},
		"no value":      {[]dextest.Annotation{{Type: several(nil).Type}}, []string{"no list"}, 0},
		"wrong in list": {[]dextest.Annotation{several([]any{other, 7, good, several([]any{good})})}, []string{"something else", "something else", "something else"}, 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for _, on := range []string{"app.Main", "app.Main.f", "app.Main.m(int)"} {
				found, notes := readIgnores(annotated(t, on, test.a...))
				if len(notes) > 0 {
					t.Errorf("%s: notes %+v", on, notes)
				}
				var problems []string
				good := 0
				for _, g := range found {
					if g.Where != on || strings.ContainsAny(g.Because, "\n\t") {
						t.Errorf("%s: %+v", on, g)
					}
					if g.Problem != "" {
						problems = append(problems, g.Problem)
					} else {
						good++
					}
				}
				if good != test.good {
					t.Errorf("%s: %d are good, want %d", on, good, test.good)
				}
				if !slices.EqualFunc(problems, test.want, func(problem, text string) bool {
					return strings.Contains(problem, text) && len(problem) < 300
				}) {
					t.Errorf("%s: problems %q, want %q", on, problems, test.want)
				}
			}
		})
	}
}

// annotated is a program with annotations of a class, a field or a method.
func annotated(t *testing.T, on string, list ...dextest.Annotation) *ir.Program {
	t.Helper()
	d := dextest.New(35)
	c := d.Class("Lapp/Main;", "Ljava/lang/Object;", ir.AccPublic).Field("f", "I", 0)
	m := c.Method("m", "(I)V", ir.AccPublic).Asm(2, "return-void")
	lib := d.Class("Llib/Main;", "Ljava/lang/Object;", ir.AccPublic).Annotate(list...)
	lib.Method("m", "()V", ir.AccPublic).Asm(1, "return-void").Annotate(list...)
	switch on {
	case "app.Main":
		c.Annotate(list...)
	case "app.Main.f":
		c.AnnotateField(list...)
	default:
		m.Annotate(list...)
	}
	f, err := d.Parse("test.dex")
	if err != nil {
		t.Fatal(err)
	}
	p, errs := ir.Build([]*dex.File{f}, nil, func(name string) ir.Origin {
		if strings.HasPrefix(name, "lib.") {
			return ir.Dependency
		}
		return ir.App
	})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return p
}

// Classes that claim to stand in each other end no differently.
func TestNestingInCircles(t *testing.T) {
	d := dextest.New(35)
	for _, name := range []string{"A", "B"} {
		in := map[string]string{"A": "Lapp/B;", "B": "Lapp/A;"}[name]
		d.Class("Lapp/"+name+";", "Ljava/lang/Object;", 0).Annotate(dextest.Annotation{Visibility: dex.VisibilitySystem,
			Type: "Ldalvik/annotation/EnclosingClass;", Elements: []dextest.Element{{Name: "value", Value: dextest.Type(in)}}})
	}
	f, err := d.Parse("test.dex")
	if err != nil {
		t.Fatal(err)
	}
	p, _ := ir.Build([]*dex.File{f}, nil, nil)
	accept := func(class string) *ignore {
		return &ignore{Ignore: finding.Ignore{By: "annotation", Where: class, Rules: []finding.RuleID{finding.StaleRead}, Because: "so"}, on: onType, class: class}
	}
	ignores := []*ignore{accept("app.B"), accept("app.C")}
	run, race := oneRace("app.A")
	applyIgnores(p, ignores, run)
	if s := race.Suppressed; s == nil || s.Where != "app.B" {
		t.Errorf("suppressed %+v", s)
	}
	if len(run.Notes) != 1 || run.Notes[0].Kind != finding.NoteUnusedIgnore || run.Notes[0].Where != "app.C" {
		t.Errorf("notes %+v", run.Notes)
	}
}

// oneRace is a run with one race, of an access in this class.
func oneRace(class string) (*finding.Run, *finding.Race) {
	race := finding.Race{Rule: finding.StaleRead}
	race.Sides[0].Access.Method = finding.Method{Class: class, Name: "run"}
	run := &finding.Run{Findings: []finding.Finding{{Races: []finding.Race{race}}}}
	return run, run.Findings[0].First()
}

// Old compilers name the body of a lambda as the method around a class.
func TestNestedInLambdaBody(t *testing.T) {
	d := dextest.New(35)
	main := d.Class("Lapp/Main;", "Ljava/lang/Object;", 0)
	main.Method("onCreate", "(I)V", ir.AccPublic).Asm(2, "return-void")
	main.Method("lambda$onCreate$0", "(J)V", ir.AccPrivate).Asm(3, "return-void")
	d.Class("Lapp/Main$1;", "Ljava/lang/Object;", 0).Annotate(dextest.Annotation{Visibility: dex.VisibilitySystem,
		Type:     "Ldalvik/annotation/EnclosingMethod;",
		Elements: []dextest.Element{{Name: "value", Value: dextest.Method{Class: "Lapp/Main;", Name: "lambda$onCreate$0", Proto: "(J)V"}}}})
	f, err := d.Parse("test.dex")
	if err != nil {
		t.Fatal(err)
	}
	p, _ := ir.Build([]*dex.File{f}, nil, nil)
	on := func(name string) *ignore {
		return &ignore{Ignore: finding.Ignore{Where: name, Rules: []finding.RuleID{finding.StaleRead}, Because: "so"},
			on: onMethod, class: "app.Main", method: finding.Method{Class: "app.Main", Name: name, Params: []string{"int"}}}
	}
	run, race := oneRace("app.Main$1")
	applyIgnores(p, []*ignore{on("onCreate"), on("onResume")}, run)
	if len(run.Notes) != 1 || race.Suppressed == nil || race.Suppressed.Where != "onCreate" {
		t.Errorf("suppressed %+v, notes %+v", race.Suppressed, run.Notes)
	}
}

// Compilers repeat the annotations of a method on its bridges, where nothing
// races.
func TestIgnoreOnBridge(t *testing.T) {
	good := ignoring(dextest.Element{Name: "rule", Value: "stale-read"}, dextest.Element{Name: "because", Value: "so"})
	d := dextest.New(35)
	main := d.Class("Lapp/Main;", "Ljava/lang/Object;", 0)
	main.Method("take", "(Ljava/lang/Integer;)V", ir.AccPublic).Asm(2, "return-void").Annotate(good)
	main.Method("take", "(Ljava/lang/Object;)V", ir.AccPublic|ir.AccBridge|ir.AccSynthetic).Asm(2, "return-void").Annotate(good)
	f, err := d.Parse("test.dex")
	if err != nil {
		t.Fatal(err)
	}
	p, _ := ir.Build([]*dex.File{f}, nil, nil)
	if found, _ := readIgnores(p); len(found) != 1 || found[0].Where != "app.Main.take(java.lang.Integer)" {
		t.Errorf("found %+v", found)
	}
}
