package engine

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/engine/finding"
)

// TestLocalNames compares the names of races in the classes of one package with
// those in the same classes after edits that ids must outlive: local classes and
// lambdas before others, variables that are renamed or captured besides, an
// anonymous class that becomes a lambda. Each is built by two compilers, of which
// one moves the code of interfaces.
func TestLocalNames(t *testing.T) {
	want := []string{
		"Captures.inClasses()$Runnable#1.val$List: Captures.inClasses()$Runnable#1.run(), Captures.inClasses()$Runnable#2.run()",
		"Captures.inLambdas()$Runnable#1.val$List#2: Captures.inLambdas()$Runnable#1.run(), Captures.inLambdas()$Runnable#2.run()",
		"Captures.inLambdas()$Runnable#1.val$List: Captures.inLambdas()$Runnable#1.run(), Captures.inLambdas()$Runnable#2.run()",
		"Captures.inLambdas()$Runnable#1.val$int[]: Captures.inLambdas()$Runnable#1.run(), Captures.inLambdas()$Runnable#2.run()",
		"Defaults.five: Defaults.onDestroy(), Ticker.later(Defaults)$Runnable#1.run()",
		"Defaults.four: Defaults.onDestroy(), Ticker.later(Defaults)$Task#1.run()",
		"Defaults.one: Defaults.onDestroy(), Ticker.run()",
		"Defaults.three: Defaults.onDestroy(), Ticker.tick(long)$Runnable#2.run()",
		"Defaults.two: Defaults.onDestroy(), Ticker.tick(long)$Runnable#1.run()",
		"Locals.five: Locals.onDestroy(), Locals.second()$Runnable#1$Deep.run()",
		"Locals.four: Locals.onDestroy(), Locals.second()$Task#1.start()$Runnable#1.run()",
		"Locals.one: Locals.first()$Task#1.run(), Locals.onDestroy()",
		"Locals.three: Locals.onDestroy(), Locals.second()$Task#1$Step.run()",
		"Locals.two: Locals.first()$Task#2.run(), Locals.onDestroy()",
	}
	for _, apk := range []string{"localnames.apk", "localnames-dx.apk"} {
		res, err := Check(t.Context(), Options{ToolVersion: "test", Inputs: []string{filepath.Join("testdata", "fixtures", "localnames", apk)}})
		if err != nil {
			t.Fatal(err)
		}
		for _, pkg := range []string{"plain", "edited"} {
			prefix := "com.example.localnames." + pkg + "."
			var got []string
			res.Run.EachRace(func(r *finding.Race) {
				if strings.HasPrefix(r.Field.Class, prefix) {
					sides := []string{r.Sides[0].Access.Entry.String(), r.Sides[1].Access.Entry.String()}
					slices.Sort(sides)
					name := r.Field.String() + ": " + strings.Join(sides, ", ")
					got = append(got, strings.NewReplacer(prefix, "", "java.lang.", "", "java.util.", "").Replace(name))
				}
			})
			slices.Sort(got)
			if diff := cmp.Diff(want, slices.Compact(got)); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", apk, pkg, diff)
			}
		}
	}
}

// TestNamesOfLocalClasses asks for names as finding.Unnest tells them.
func TestNamesOfLocalClasses(t *testing.T) {
	res, err := Check(t.Context(), Options{ToolVersion: "test", Inputs: []string{filepath.Join("testdata", "fixtures", "localnames", "localnames.apk")}})
	if err != nil {
		t.Fatal(err)
	}
	n := res.Names
	for _, class := range []string{"Task", "Task$Step", "java.lang.Runnable$Deep", "com.example.localnames.plain.Ticker"} {
		if !n.HasClass(class) || n.HasClass(class+"s") {
			t.Errorf("HasClass(%s) is wrong", class)
		}
	}
	for class, method := range map[string]string{
		"Task": "start()", "java.lang.Runnable$Deep": "run()", "com.example.localnames.plain.Ticker": "later(com.example.localnames.plain.Defaults)",
	} {
		if !n.HasMethod(class, method) || n.HasMethod(class, "no"+method) {
			t.Errorf("HasMethod(%s, %s) is wrong", class, method)
		}
	}
	if !n.HasField("Task", "this$0") || n.HasField("Task", "that") {
		t.Error("HasField(Task) is wrong")
	}
}
