package source

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/engine/finding"
	ft "github.com/eventraces/eventraces/engine/finding/findingtest"
)

const (
	mainFile = "src/com/example/news/MainActivity.java"
	onField  = `@IgnoreEventRace(rule = "stale-read", because = "x") `
	stale    = "// eventraces:ignore stale-read because "
)

// lined writes a file of the package with the given lines; the others are empty.
func lined(at map[int]string) string {
	lines := make([]string, 100)
	lines[0] = "package com.example.news;"
	for n, s := range at {
		lines[n-1] = s
	}
	return strings.Join(lines, "\n")
}

// staleRead is a race between a read and a write of MainActivity in these lines.
func staleRead(field string, read, write int) finding.Race {
	return ft.NewRace(finding.StaleRead, field, ft.Side(finding.Read, ft.OnClick, read, "main looper", ft.Clicked),
		ft.Side(finding.Write, ft.OnDestroy, write, "main looper", ft.Destroyed), ft.AppCode)
}

// suppressed tells of each race what suppresses it, then the notes.
func suppressed(t *testing.T, files map[string]string, notes []finding.Notification, races ...finding.Race) string {
	t.Helper()
	files[".git/"], files["src/"] = "", ""
	run := ft.NewRun(notes, races...)
	s := open(t, tree(t, files), "src")
	s.Resolve(run)
	s.Suppress(run, func(file string) bool { return !strings.HasPrefix(file, "org/") })
	if err := run.Check(); err != nil {
		t.Error(err)
	}
	var out, told []string
	run.EachRace(func(r *finding.Race) {
		line := fmt.Sprintf("%s %d", r.Field.Name, r.Sides[0].Access.Line)
		if x := r.Suppressed; x != nil {
			line += fmt.Sprintf(": %s %s %s", x.By, strings.TrimPrefix(x.Where, "src/com/example/news/"), x.Because)
		}
		out = append(out, line)
	})
	for _, n := range run.Notes {
		if n.Kind == finding.NoteUnusedIgnore {
			told = append(told, strings.TrimPrefix(n.Where, "src/com/example/news/")+" "+n.Text)
		}
	}
	slices.Sort(out)
	return strings.Join(append(out, told...), "\n")
}

func TestSuppress(t *testing.T) {
	const unused = " the suppression of stale-read covers no race; remove it"
	both := ft.UseAfterFree() // with a further line, 60
	elsewhere := staleRead("a", 10, 20)
	elsewhere.Field.Class = "com.example.news.Model"
	inner := staleRead("a", 10, 20)
	inner.Field.Class = "com.example.news.MainActivity.o()$java.lang.Object#1"
	inner.Field.Declared = "com.example.news.MainActivity$1"
	kotlin := staleRead("a", 10, 20)
	kotlin.Field = finding.Field{Class: "com.example.news.ModelKt", Name: "a"}
	lazy := staleRead("a$delegate", 10, 20)
	noFile := staleRead("a", 10, 20)
	for i := range noFile.Sides {
		noFile.Sides[i].Access.File, noFile.Sides[i].Calls[0].File = "", ""
	}
	class := map[int]string{2: "class MainActivity {", 100: "}"}
	with := func(n int, s string) map[string]string {
		at := map[int]string{n: s}
		for k, v := range class {
			at[k] = v
		}
		return map[string]string{mainFile: lined(at)}
	}
	tests := []struct {
		name  string
		files map[string]string
		races []finding.Race
		want  string
	}{
		{"nothing", map[string]string{}, []finding.Race{staleRead("a", 10, 20)}, "a 10"},
		{"the first side", with(10, "a(); "+stale+"x"), []finding.Race{staleRead("a", 10, 20)}, "a 10: comment MainActivity.java:10 x"},
		{"the second side", with(19, stale+"x\na();"), []finding.Race{staleRead("a", 10, 20)}, "a 10: comment MainActivity.java:19 x"},
		{"another line", with(11, "a(); "+stale+"x"), []finding.Race{staleRead("a", 10, 20)}, "a 10\nMainActivity.java:11" + unused},
		{"no line", with(1, "package com.example.news; "+stale+"x"), []finding.Race{staleRead("a", 0, 0)},
			"a 0\nMainActivity.java:1" + unused},
		{"another rule", with(10, "a(); // eventraces:ignore unordered-write because x"), []finding.Race{staleRead("a", 10, 20)},
			"a 10\nMainActivity.java:10 the suppression of unordered-write covers no race; remove it"},
		{"one of two rules", with(10, "a(); // eventraces:ignore unordered-write, stale-read because x"),
			[]finding.Race{staleRead("a", 10, 20)},
			"a 10: comment MainActivity.java:10 x\nMainActivity.java:10 the suppression of unordered-write covers no race; remove it"},
		{"two rules unused", with(11, "a(); // eventraces:ignore unordered-write, stale-read, stale-read because x"), nil,
			"MainActivity.java:11 the suppression of unordered-write, stale-read covers no race; remove it"},
		{"a malformed one", with(10, "a(); // eventraces:ignore stale-read"), []finding.Race{staleRead("a", 10, 20)},
			"a 10\nMainActivity.java:10 the suppression does not count: it gives no reason: " +
				"write // eventraces:ignore RULE because REASON"},
		{"several races of one", with(10, "a(); "+stale+"x"),
			[]finding.Race{staleRead("a", 10, 20), staleRead("b", 30, 10), staleRead("c", 30, 40)},
			"a 10: comment MainActivity.java:10 x\nb 30: comment MainActivity.java:10 x\nc 30"},
		{"several of one race", map[string]string{mainFile: lined(map[int]string{2: "class MainActivity {", 3: onField + "int a;",
			10: "a(); " + stale + "y", 20: "a(); " + stale + "z"})},
			[]finding.Race{staleRead("a", 10, 20)}, "a 10: annotation MainActivity.java:3 x"},
		{"a further line", with(60, "a(); // eventraces:ignore use-after-free because x"), []finding.Race{both},
			"adapter 52: comment MainActivity.java:60 x"},
		{"a further line in an annotated method",
			with(60, `@IgnoreEventRace(rule = "use-after-free", because = "x") int length() { return 1; }`), []finding.Race{both},
			"adapter 52\nMainActivity.java:60 the suppression of use-after-free covers no race; remove it"},
		{"a method", with(9, onField+"\nvoid b() {}"), []finding.Race{staleRead("a", 10, 20)}, "a 10: annotation MainActivity.java:9 x"},
		{"a field", with(3, onField+"int a, b;"), []finding.Race{staleRead("a", 10, 20), staleRead("c", 10, 20)},
			"a 10: annotation MainActivity.java:3 x\nc 10"},
		{"lines of a field", with(9, onField+"Runnable b = () -> {\n a(); };"), []finding.Race{staleRead("a", 10, 20)},
			"a 10\nMainActivity.java:9" + unused},
		{"the field of another class", with(3, onField+"int a;"), []finding.Race{elsewhere}, "a 10\nMainActivity.java:3" + unused},
		{"a field that others touch", map[string]string{"src/com/example/news/Model.java": lined(map[int]string{2: "class Model {",
			3: onField + "int a;", 4: "}"})},
			[]finding.Race{elsewhere}, "a 10: annotation Model.java:3 x"},
		{"the class of a field that others touch",
			map[string]string{"src/com/example/news/Model.java": lined(map[int]string{2: onField + "class Model {", 3: "int a;", 4: "}"})},
			[]finding.Race{elsewhere}, "a 10: annotation Model.java:2 x"},
		{"a class around that of the field",
			map[string]string{"src/com/example/news/Model.java": lined(map[int]string{2: onField + "class Mod {",
				3: "class el { int a; }", 4: "}"})},
			[]finding.Race{elsewhere}, "a 10\nModel.java:2" + unused},
		{"a second class of a file", map[string]string{mainFile: lined(map[int]string{2: "class MainActivity {", 30: "}",
			31: "class Model { " + onField + "int a; }"})},
			[]finding.Race{elsewhere, staleRead("a", 10, 20)}, "a 10\na 10: annotation MainActivity.java:31 x"},
		{"a field of an anonymous class", with(3, "Object o = new Object() { "+onField+"int a; };"),
			[]finding.Race{inner, staleRead("a", 10, 20)}, "a 10\na 10: annotation MainActivity.java:3 x"},
		{"a field without files", with(3, onField+"int a;"), []finding.Race{noFile}, "a 10: annotation MainActivity.java:3 x"},
		{"lines without files", with(10, "a(); "+stale+"x"), []finding.Race{noFile}, "a 10\nMainActivity.java:10" + unused},
		{"Kotlin's top level, outside its folder",
			map[string]string{"src/feature/model.kt": "package com.example.news\n" + onField + "var a = 1"}, []finding.Race{kotlin},
			"a 10: annotation src/feature/model.kt:2 x"},
		{"a named top level", map[string]string{"src/feature/Other.kt": "@file:JvmName(\"ModelKt\")\npackage com.example.news\n" +
			onField + "var a = 1"}, []finding.Race{kotlin},
			"a 10: annotation src/feature/Other.kt:3 x"},
		{"a lazy property", map[string]string{"src/MainActivity.kt": "package com.example.news\nclass MainActivity {\n" + onField +
			"val a by lazy { 1 }\n}"}, []finding.Race{lazy},
			"a$delegate 10: annotation src/MainActivity.kt:3 x"},
		{"another package", map[string]string{
			"src/com/example/other/MainActivity.java": strings.Replace(lined(map[int]string{10: "a(); " + stale + "x"}), "news", "other", 1)},
			[]finding.Race{staleRead("a", 10, 20)}, "a 10\nsrc/com/example/other/MainActivity.java:10" + unused},
		{"another app", map[string]string{"src/org/Other.java": "package org;\n" + stale + "x\nclass Other { " + onField +
			"int a; }\n// eventraces:ignore"}, []finding.Race{staleRead("a", 10, 20)}, "a 10"},
		{"a second module", map[string]string{mainFile: lined(nil),
			"src/z/src/com/example/news/MainActivity.java": lined(map[int]string{10: "a(); " + stale + "x",
				11: onField + "class MainActivity {}"})},
			[]finding.Race{staleRead("a", 10, 20)}, "a 10"},
		{"a package that ends alike", map[string]string{
			"src/aa/com/example/news/MainActivity.java": strings.Replace(lined(map[int]string{10: "a(); " + stale + "x"}), "com.", "aa.com.", 1),
			"src/b/MainActivity.java":                   lined(map[int]string{20: "a(); " + stale + "y"})},
			[]finding.Race{staleRead("a", 10,
				20)}, "a 10: comment src/b/MainActivity.java:20 y\nsrc/aa/com/example/news/MainActivity.java:10" + unused},
		{"notes in order", map[string]string{mainFile: lined(map[int]string{40: stale + "x", 9: stale + "x", 10: "// eventraces:ignore"}),
			"src/com/example/news/A.java": lined(map[int]string{5: stale + "x"})}, nil,
			"A.java:5" + unused + "\nMainActivity.java:10 the suppression does not count: it names no rule: " +
				"write // eventraces:ignore RULE because REASON\nMainActivity.java:40" + unused + "\nMainActivity.java:9" + unused},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, suppressed(t, test.files, nil, test.races...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// What both the bytecode and the source say is told once, by the source.
func TestSuppressKeepsWhatTheEngineSays(t *testing.T) {
	note := func(where string) finding.Notification {
		return finding.Notification{Kind: finding.NoteUnusedIgnore, Text: "by the engine", Where: where}
	}
	var notes []finding.Notification
	for _, where := range []string{"MainActivity.a", "MainActivity", "MainActivity$A.b", "Side.f(int)", "Model.a", "MainActivity2.a",
		"sub.MainActivity.a"} {
		notes = append(notes, note("com.example.news."+where))
	}
	notes = append(notes, note("MainActivity.a"), note("org.Other.a"))
	used := staleRead("b", 10, 20)
	used.Suppressed = &finding.Suppression{By: "annotation", Because: "x", Where: "com.example.news.MainActivity.b"}
	files := map[string]string{
		mainFile: lined(map[int]string{2: "class MainActivity { " + onField, 3: "int a;",
			4: onField + "int b; }", 5: "class Side { }"}),
		"src/com/example/news/Model.java": lined(map[int]string{2: "class Model { int a; }"}),
		"src/org/Other.java":              "package org; class Other { " + onField + "int a; }",
	}
	want := "b 10: annotation com.example.news.MainActivity.b x\nMainActivity.a by the engine\n" +
		"com.example.news.MainActivity2.a by the engine\ncom.example.news.Model.a by the engine\n" +
		"com.example.news.sub.MainActivity.a by the engine\n" +
		"org.Other.a by the engine\nMainActivity.java:2 the suppression of stale-read covers no race; remove it"
	if diff := cmp.Diff(want, suppressed(t, files, notes, used)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A file that is too long to be searched is named.
func TestSuppressTellsWhatIsTooLong(t *testing.T) {
	run := ft.NewRun(nil, staleRead("a", 10, 20))
	long := "package com.example.news;\n" + strings.Repeat("\n", longestFile)
	s := open(t, tree(t, map[string]string{".git/": "", mainFile: long, "src/org/Other.java": "package org;" + long[25:]}), "src")
	s.Resolve(run)
	s.Suppress(run, func(file string) bool { return !strings.HasPrefix(file, "org/") })
	want := []finding.Notification{{Kind: finding.NoteInfo, Text: "the file has more than 2 MB, so suppressions in it do not count",
		Where: mainFile}}
	if diff := cmp.Diff(want, run.Notes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
