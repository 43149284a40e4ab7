// Package findingtest has runs written by hand, one for each shape that an output
// must cope with, and the parts to make others.
package findingtest

import (
	"encoding/json"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
)

// The runs that the goldens are made from: hand-written, one per shape that an
// output must cope with.

// Method is a method by its source-level types.
func Method(class, name string, params ...string) finding.Method {
	return finding.Method{Class: class, Name: name, Params: append([]string{}, params...)}
}

// At is a place in a method.
func At(m finding.Method, source string, line int) finding.Position {
	return finding.Position{Method: m, File: finding.SourcePath(m.Class, source), Line: line}
}

// Entry is the callback of a method.
func Entry(m finding.Method) finding.Callback {
	return finding.Callback{Class: m.Class, Name: m.Name, Params: m.Params}
}

// The app that the runs are of.
var (
	MainClass = "com.example.news.MainActivity"
	OnCreate  = Method(MainClass, "onCreate", "android.os.Bundle")
	OnClick   = Method(MainClass, "onClick", "android.view.View")
	OnDestroy = Method(MainClass, "onDestroy")
	Show      = Method(MainClass, "show", "int", "java.lang.String[]")
	DoIn      = Method(MainClass+"$Loader", "doInBackground", "java.lang.Object[]")
	Clicked   = finding.Event{What: "the user clicks R.id.load", Cause: finding.ByUser, Callback: &OnClick,
		Thread: "main looper", Site: Site(OnCreate, 31)}
	Created = finding.Event{What: "the system creates MainActivity", Cause: finding.ByLifecycle, Callback: &OnCreate,
		Thread: "main looper"}
	Destroyed = finding.Event{What: "the system destroys MainActivity", Cause: finding.ByLifecycle, Callback: &OnDestroy,
		Thread: "main looper"}
	Executed = finding.Event{What: "AsyncTask.execute", Cause: finding.ByTask, Callback: &DoIn,
		Thread: "background thread", Site: Site(OnClick, 40)}
	AppCode     = finding.Fact{Name: "app-code", Text: "both accesses are in the app's own code"}
	MustAlias   = finding.Fact{Name: "same-instance", Text: "both sides reach the same MainActivity"}
	ThreadFact  = finding.Fact{Name: "unknown-thread", Text: "the thread of one side is not known", Limit: finding.Medium}
	Heuristic   = finding.Fact{Name: "rare", Text: "the system seldom calls onTrimMemory", Limit: finding.Low}
	UnorderedBy = "The user may click before or after the activity is destroyed: no post, registration or lock orders the two."
)

// Site is a line of MainActivity.
func Site(m finding.Method, line int) *finding.Position {
	p := At(m, "MainActivity.java", line)
	return &p
}

// Side is an access in MainActivity that its method makes as an action.
func Side(kind finding.Kind, m finding.Method, line int, thread string, events ...finding.Event) finding.Side {
	p := At(m, "MainActivity.java", line)
	return finding.Side{
		Access: finding.Access{Position: p, Kind: kind, Action: m.QualifiedName(), Entry: Entry(m), Thread: thread},
		Events: events,
		Calls:  []finding.Frame{{Position: p}},
	}
}

// NewRace is a race on a field of MainActivity; NewRun describes it.
func NewRace(rule finding.RuleID, field string, a, b finding.Side, facts ...finding.Fact) finding.Race {
	r := finding.Race{
		Rule: rule, Field: finding.Field{Class: MainClass, Name: field}, Sides: [2]finding.Side{a, b},
		Order: UnorderedBy, Facts: facts, Priority: finding.PriorityOf(facts),
	}
	return r
}

// NewRun arranges the races into a run.
func NewRun(notes []finding.Notification, races ...finding.Race) *finding.Run {
	for i := range races {
		races[i].Describe("")
	}
	run := &finding.Run{
		Schema: finding.SchemaVersion,
		Tool:   finding.Tool{Name: finding.ToolName, Version: "1.2.3"},
		App:    finding.App{Package: "com.example.news", MinSDK: 21, TargetSDK: 34},
		Inputs: []finding.Input{{Name: "news.apk"}},
		Counts: finding.Counts{Classes: 30, AppClasses: 9, Methods: 120, Reached: 45, Actions: 14, OrderEdges: 33,
			Candidates: 6, Filtered: 2},
		Notes: notes,
	}
	run.Arrange(races)
	return Copy(run)
}

// Copy shares nothing with run, so that a test may change it.
func Copy(run *finding.Run) *finding.Run {
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

// Empty is a run that found nothing.
func Empty() *finding.Run { return NewRun(nil) }

// UseAfterFree is a race with all that a race can have.
func UseAfterFree() finding.Race {
	use := Side(finding.Use, Show, 52, "main looper", Created, Clicked)
	use.Access.Entry = Entry(OnClick)
	use.Access.Action = OnClick.QualifiedName()
	use.Calls = []finding.Frame{{Position: At(OnClick, "MainActivity.java", 41), Note: "run at once by List.forEach"},
		{Position: At(Show, "MainActivity.java", 52)}}
	use.Further = []finding.Position{At(Method(MainClass, "length", "java.lang.String"), "MainActivity.java", 60)}
	r := NewRace(finding.UseAfterFree, "adapter", use, Side(finding.Free, OnDestroy, 70, "main looper", Destroyed), AppCode, MustAlias)
	first, then := Entry(OnDestroy), Entry(OnClick)
	r.Schedule = &finding.Schedule{Outcome: "NullPointerException", Steps: []finding.Step{
		{Action: MainClass + ".onDestroy", Callback: &first, Run: 1, Instance: "MainActivity 1", Thread: "main looper",
			What: "the user presses Back"},
		{Action: MainClass + ".onClick", Callback: &then, Run: 1, Instance: "MainActivity 1", Thread: "main looper",
			What:     "a queued click arrives",
			Branches: []finding.Branch{{At: At(OnClick, "MainActivity.java", 40), Takes: "true"}}},
	}}
	return r
}

// Shapes has every rule, priority and kind of place at least once.
func Shapes() *finding.Run {
	second := NewRace(finding.UseAfterFree, "adapter", Side(finding.Use, OnClick, 44, "main looper", Created, Clicked),
		Side(finding.Free, OnDestroy, 70, "main looper", Destroyed), AppCode, ThreadFact)
	container := NewRace(finding.UnsynchronizedAccess, "items", Side(finding.Write, DoIn, 80, "background thread", Clicked, Executed),
		Side(finding.Read, OnClick, 45, "main looper", Clicked), AppCode, ThreadFact)
	container.Field.Content = finding.Container
	noPlace := NewRace(finding.StaleRead, "count", Side(finding.Read, OnClick, 0, "main looper", Created, Clicked),
		Side(finding.Write, Method("com.dep.Holder", "set"), 0, "unknown thread", Destroyed), Heuristic)
	noPlace.Sides[1].Access.File, noPlace.Sides[1].Calls[0].File = "", ""
	noPlace.Limited = []string{"the container budget of com.dep.Holder was reached"}
	return NewRun([]finding.Notification{
		{Kind: finding.NoteBrokenClass, Text: "class could not be read",
			Where: "classes2.dex: com.example.Broken: code offset 0xffffff is outside the file"},
		{Kind: finding.NoteUnknownThread, Text: "action runs on a thread that is not known", Count: 3, Where: "com.dep.Holder.set"},
	},
		UseAfterFree(), second, container, noPlace,
		NewRace(finding.UseBeforeInit, "title", Side(finding.Use, OnClick, 46, "main looper", Clicked),
			Side(finding.Write, DoIn, 81, "background thread", Executed), AppCode),
		NewRace(finding.UnorderedWrite, "state", Side(finding.Write, OnClick, 47, "main looper", Clicked),
			Side(finding.Write, OnDestroy, 71, "main looper", Destroyed), ThreadFact),
	)
}

// Hostile has names that try to reach the reader's terminal, browser or log.
func Hostile() *finding.Run {
	evil := "a\x1b[31m\u202egpj\r\n::error::x <script>alert(1)</script> [here](http://x) `|` \\u0000\x00" + strings.Repeat("y", 2000)
	m := Method("com.example."+evil, evil, evil)
	p := finding.Position{Method: m, File: finding.SourcePath(m.Class, "../../../etc/"+"C:pass wd%00[x].java"), Line: 5}
	event := finding.Event{What: evil, Cause: finding.ByUser, Callback: &m, Thread: evil, Site: &p}
	evilSide := func(kind finding.Kind) finding.Side {
		return finding.Side{
			Access: finding.Access{Position: p, Kind: kind, Action: evil, Entry: Entry(m), Thread: evil},
			Events: []finding.Event{event}, Calls: []finding.Frame{{Position: p, Note: evil}},
		}
	}
	r := finding.Race{Rule: finding.UseAfterFree, Field: finding.Field{Class: m.Class, Name: evil},
		Sides: [2]finding.Side{evilSide(finding.Use), evilSide(finding.Free)}, Order: evil, Wrong: evil, Fix: evil,
		Facts: []finding.Fact{{Name: "x", Text: evil}}, Priority: finding.High}
	run := NewRun([]finding.Notification{{Kind: finding.NoteInfo, Text: evil, Where: evil, Count: 2}}, r)
	run.App.Package = evil
	return run
}

// All are the runs that each output is tested with, by name.
var All = []struct {
	Name string
	Run  func() *finding.Run
}{
	{"empty", Empty},
	{"shapes", Shapes},
	{"hostile", Hostile},
	{"compared", Compared},
	{"accepted", Accepted},
	{"missing", MissingBaseline},
	{"baselines", Baselines},
	{"ignored", Ignored},
	{"brief", Brief},
	{"partial", Partial},
	{"partial-empty", PartialEmpty},
	{"sourced", Sourced},
}
