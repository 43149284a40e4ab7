package report

import (
	"encoding/json"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
)

// The runs that the goldens are made from: hand-written, one per shape that an
// output must cope with.

func method(class, name string, params ...string) finding.Method {
	return finding.Method{Class: class, Name: name, Params: append([]string{}, params...)}
}

func at(m finding.Method, source string, line int) finding.Position {
	return finding.Position{Method: m, File: finding.SourcePath(m.Class, source), Line: line}
}

func entry(m finding.Method) finding.Callback {
	return finding.Callback{Class: m.Class, Name: m.Name, Params: m.Params}
}

var (
	mainClass   = "com.example.news.MainActivity"
	onCreate    = method(mainClass, "onCreate", "android.os.Bundle")
	onClick     = method(mainClass, "onClick", "android.view.View")
	onDestroy   = method(mainClass, "onDestroy")
	show        = method(mainClass, "show", "int", "java.lang.String[]")
	doIn        = method(mainClass+"$Loader", "doInBackground", "java.lang.Object[]")
	clicked     = finding.Event{What: "the user clicks R.id.load", Cause: finding.ByUser, Callback: &onClick, Thread: "main looper", Site: site(onCreate, 31)}
	created     = finding.Event{What: "the system creates MainActivity", Cause: finding.ByLifecycle, Callback: &onCreate, Thread: "main looper"}
	destroyed   = finding.Event{What: "the system destroys MainActivity", Cause: finding.ByLifecycle, Callback: &onDestroy, Thread: "main looper"}
	executed    = finding.Event{What: "AsyncTask.execute", Cause: finding.ByTask, Callback: &doIn, Thread: "background thread", Site: site(onClick, 40)}
	appCode     = finding.Fact{Name: "app-code", Text: "both accesses are in the app's own code"}
	mustAlias   = finding.Fact{Name: "same-instance", Text: "both sides reach the same MainActivity"}
	threadFact  = finding.Fact{Name: "unknown-thread", Text: "the thread of one side is not known", Limit: finding.Medium}
	heuristic   = finding.Fact{Name: "rare", Text: "the system seldom calls onTrimMemory", Limit: finding.Low}
	unorderedBy = "The user may click before or after the activity is destroyed: no post, registration or lock orders the two."
)

func site(m finding.Method, line int) *finding.Position {
	p := at(m, "MainActivity.java", line)
	return &p
}

func side(kind finding.Kind, m finding.Method, line int, thread string, events ...finding.Event) finding.Side {
	p := at(m, "MainActivity.java", line)
	return finding.Side{
		Access: finding.Access{Position: p, Kind: kind, Action: m.QualifiedName(), Entry: entry(m), Thread: thread},
		Events: events,
		Calls:  []finding.Frame{{Position: p}},
	}
}

func newRace(rule finding.RuleID, field string, a, b finding.Side, facts ...finding.Fact) finding.Race {
	r := finding.Race{
		Rule: rule, Field: finding.Field{Class: mainClass, Name: field}, Sides: [2]finding.Side{a, b},
		Order: unorderedBy, Facts: facts, Priority: finding.PriorityOf(facts),
	}
	return r
}

func newRun(notes []finding.Notification, races ...finding.Race) *finding.Run {
	for i := range races {
		races[i].Describe("")
	}
	run := &finding.Run{
		Schema: finding.SchemaVersion,
		Tool:   finding.Tool{Name: finding.ToolName, Version: "1.2.3"},
		App:    finding.App{Package: "com.example.news", MinSDK: 21, TargetSDK: 34},
		Inputs: []finding.Input{{Name: "news.apk"}},
		Counts: finding.Counts{Classes: 30, AppClasses: 9, Methods: 120, Reached: 45, Actions: 14, OrderEdges: 33, Candidates: 6, Filtered: 2},
		Notes:  notes,
	}
	run.Arrange(races)
	return copied(run)
}

// copied shares nothing with run, so that a test may change it.
func copied(run *finding.Run) *finding.Run {
	b, err := json.Marshal(run)
	if err != nil {
		panic(err)
	}
	var c finding.Run
	if err := json.Unmarshal(b, &c); err != nil {
		panic(err)
	}
	return &c
}

func emptyRun() *finding.Run { return newRun(nil) }

func useAfterFree() finding.Race {
	use := side(finding.Use, show, 52, "main looper", created, clicked)
	use.Access.Entry = entry(onClick)
	use.Access.Action = onClick.QualifiedName()
	use.Calls = []finding.Frame{{Position: at(onClick, "MainActivity.java", 41), Note: "run at once by List.forEach"}, {Position: at(show, "MainActivity.java", 52)}}
	use.Further = []finding.Position{at(method(mainClass, "length", "java.lang.String"), "MainActivity.java", 60)}
	r := newRace(finding.UseAfterFree, "adapter", use, side(finding.Free, onDestroy, 70, "main looper", destroyed), appCode, mustAlias)
	first, then := entry(onDestroy), entry(onClick)
	r.Schedule = &finding.Schedule{Outcome: "NullPointerException", Steps: []finding.Step{
		{Action: mainClass + ".onDestroy", Callback: &first, Run: 1, Instance: "MainActivity 1", Thread: "main looper", What: "the user presses Back"},
		{Action: mainClass + ".onClick", Callback: &then, Run: 1, Instance: "MainActivity 1", Thread: "main looper", What: "a queued click arrives",
			Branches: []finding.Branch{{At: at(onClick, "MainActivity.java", 40), Takes: "true"}}},
	}}
	return r
}

// shapesRun has every rule, priority and kind of place at least once.
func shapesRun() *finding.Run {
	second := newRace(finding.UseAfterFree, "adapter", side(finding.Use, onClick, 44, "main looper", created, clicked),
		side(finding.Free, onDestroy, 70, "main looper", destroyed), appCode, threadFact)
	container := newRace(finding.UnsynchronizedAccess, "items", side(finding.Write, doIn, 80, "background thread", clicked, executed),
		side(finding.Read, onClick, 45, "main looper", clicked), appCode, threadFact)
	container.Field.Content = finding.Container
	noPlace := newRace(finding.StaleRead, "count", side(finding.Read, onClick, 0, "main looper", created, clicked),
		side(finding.Write, method("com.dep.Holder", "set"), 0, "unknown thread", destroyed), heuristic)
	noPlace.Sides[1].Access.File, noPlace.Sides[1].Calls[0].File = "", ""
	noPlace.Limited = []string{"the container budget of com.dep.Holder was reached"}
	return newRun([]finding.Notification{
		{Kind: finding.NoteBrokenClass, Text: "class could not be read", Where: "classes2.dex: com.example.Broken: code offset 0xffffff is outside the file"},
		{Kind: finding.NoteUnknownThread, Text: "action runs on a thread that is not known", Count: 3, Where: "com.dep.Holder.set"},
	},
		useAfterFree(), second, container, noPlace,
		newRace(finding.UseBeforeInit, "title", side(finding.Use, onClick, 46, "main looper", clicked), side(finding.Write, doIn, 81, "background thread", executed), appCode),
		newRace(finding.UnorderedWrite, "state", side(finding.Write, onClick, 47, "main looper", clicked), side(finding.Write, onDestroy, 71, "main looper", destroyed), threadFact),
	)
}

// hostileRun has names that try to reach the reader's terminal, browser or log.
func hostileRun() *finding.Run {
	evil := "a\x1b[31m\u202egpj\r\n::error::x <script>alert(1)</script> [here](http://x) `|` \\u0000\x00" + strings.Repeat("y", 2000)
	m := method("com.example."+evil, evil, evil)
	p := finding.Position{Method: m, File: finding.SourcePath(m.Class, "../../../etc/"+"C:pass wd%00[x].java"), Line: 5}
	event := finding.Event{What: evil, Cause: finding.ByUser, Callback: &m, Thread: evil, Site: &p}
	evilSide := func(kind finding.Kind) finding.Side {
		return finding.Side{
			Access: finding.Access{Position: p, Kind: kind, Action: evil, Entry: entry(m), Thread: evil},
			Events: []finding.Event{event}, Calls: []finding.Frame{{Position: p, Note: evil}},
		}
	}
	r := finding.Race{Rule: finding.UseAfterFree, Field: finding.Field{Class: m.Class, Name: evil},
		Sides: [2]finding.Side{evilSide(finding.Use), evilSide(finding.Free)}, Order: evil, Wrong: evil, Fix: evil,
		Facts: []finding.Fact{{Name: "x", Text: evil}}, Priority: finding.High}
	run := newRun([]finding.Notification{{Kind: finding.NoteInfo, Text: evil, Where: evil, Count: 2}}, r)
	run.App.Package = evil
	return run
}

var shapes = []struct {
	name string
	run  func() *finding.Run
}{
	{"empty", emptyRun},
	{"shapes", shapesRun},
	{"hostile", hostileRun},
}
