package tell

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/naming"
)

// Each sentence that says why nothing orders two runs.
func TestWhy(t *testing.T) {
	teller := open(t)
	uses := func(a, b string) *Pair { return pair(t, teller, finding.UseAfterFree, a, finding.Use, b, finding.Free) }
	writes := func(a, b string) *Pair {
		return pair(t, teller, finding.UnorderedWrite, a, finding.Write, b, finding.Write)
	}
	for _, c := range []struct {
		name string
		pair *Pair
		want string
	}{
		{"one action", writes("Late.run", "Late.run"),
			"Two runs of Late.run can come in any order: neither waits for the other."},
		{"one leads to the other", uses("Task.run", "Main.onCreate"),
			"Main.onCreate leads to Task.run, but can run again before or after that."},
		{"one leads to the other, told from there", writes("Main.onResume", "Main$Load.run"),
			"Main.onResume leads to Main$Load.run, but can run again before or after that."},
		{"one leads to a thread", writes("Main.onCreate", "Worker.run"),
			"Main.onCreate leads to Worker.run, but does not wait for it, and they are on different threads."},
		{"a thread", uses("Worker.run", "Main.onDestroy"),
			"Worker.run runs when Thread.start has started it; Main.onDestroy runs when the system destroys the " +
				"activity; neither waits for the other, and they are on different threads."},
		{"two instances", with(uses("Task.run", "Main.onDestroy"), states(finding.FactTwoInstances)),
			"Task.run runs some time after Handler.post; Main.onDestroy of another instance runs when the " +
				"system destroys the activity; neither waits for the other."},
		{"inputs", writes("Click.onClick", "Receiver.onReceive"),
			"Click.onClick runs at a click; Receiver.onReceive runs when the system calls what registerReceiver " +
				"has registered; neither waits for the other."},
		{"a delay", writes("Late.run", "Click.onClick"),
			"Late.run runs 500 ms after Handler.postDelayed; Click.onClick runs at a click; neither waits for the other."},
		{"recreated", uses("Main.onActivityResult", "Main.onPause"),
			"Main.onActivityResult runs when the system calls onActivityResult of the activity, which may have " +
				"been recreated since it asked for this; Main.onPause runs when the system pauses the activity; " +
				"neither waits for the other."},
	} {
		if got := teller.why(c.pair); got != c.want {
			t.Errorf("%s: the reason is\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// Two callbacks of one name are told apart.
func TestWhyOfOneName(t *testing.T) {
	teller := open(t)
	p := pair(t, teller, finding.UnorderedWrite, "Late.run", finding.Write, "Worker.run", finding.Write)
	twin := &teller.set.Actions[p.Sides[1].Action]
	twin.Arm, twin.Queue = teller.set.Actions[p.Sides[0].Action].Arm, teller.set.Actions[p.Sides[0].Action].Queue
	want := "Late.run runs 500 ms after Handler.postDelayed; the other Late.run runs when Thread.start has started it; " +
		"neither waits for the other, and they are on different threads."
	if got := New(teller.set, teller.graph, naming.New(teller.set)).why(p); got != want {
		t.Errorf("the reason is\n%s\nwant\n%s", got, want)
	}
}

// Each sort of event that a chain tells.
func TestEvents(t *testing.T) {
	teller := open(t)
	for _, c := range []struct{ callback, want string }{
		{"Main.onDestroy",
			"the system destroys the activity (lifecycle, main looper)"},
		{"Main.onActivityResult",
			"the system calls onActivityResult of the activity (system, main looper)"},
		{"Task.run",
			"the system creates the activity (lifecycle, main looper); posted by Handler.post (message, main " +
				"looper) at Main.java:10"},
		{"Late.run",
			"the system starts the activity (lifecycle, main looper); posted by Handler.postDelayed with a " +
				"delay of 500 ms (message, main looper) at Main.java:20"},
		{"Worker.run",
			"the system creates the activity (lifecycle, main looper); started by Thread.start (thread, " +
				"background thread) at Main.java:10"},
		{"Click.onClick",
			"the system creates the activity (lifecycle, main looper); a click, as set by " +
				"View.setOnClickListener (user, main looper) at Main.java:10"},
		{"Receiver.onReceive",
			"the system creates the activity (lifecycle, main looper); the system calls what is registered by " +
				"registerReceiver (system, main looper) at Main.java:10"},
	} {
		s := access(t, teller, c.callback, kindOf(c.callback))
		var lines []string
		for _, e := range teller.events(s.Action) {
			at := ""
			if e.Site != nil {
				at = " at " + e.Site.Spot()
			}
			lines = append(lines, fmt.Sprintf("%s (%s, %s)%s", e.What, e.Cause, e.Thread, at))
		}
		if got := strings.Join(lines, "; "); got != c.want {
			t.Errorf("%s: the events are\n%s\nwant\n%s", c.callback, got, c.want)
		}
	}
}

func kindOf(callback string) finding.Kind {
	if callback == "Main.onActivityResult" {
		return finding.Use
	}
	return finding.Write
}

// A race in full and in brief.
func TestRace(t *testing.T) {
	teller := open(t)
	p := with(pair(t, teller, finding.UseAfterFree, "Task.run", finding.Use, "Main.onDestroy", finding.Free), states(finding.FactUseFree))
	main := teller.set.Actions[teller.action("Main.onCreate")].Component
	p.Schedule = []hb.Run{
		{Action: teller.action("Main.onCreate"), Cause: -1, Component: hb.ComponentID(main), Instance: 1, Rest: -1},
		{Action: p.Sides[1].Action, Cause: -1, Component: hb.ComponentID(main), Instance: 2, Rest: -1},
		{Action: p.Sides[0].Action, Cause: 0, Component: hb.ComponentID(main), Instance: 1, Rest: -1},
		{Action: p.Sides[0].Action, Cause: -1, Component: hb.ComponentID(main), Instance: 1, Rest: 2},
	}
	p.Limited = true
	r := teller.Race(p, false)
	if r.Rule != p.Rule || r.Field != p.Field || r.Priority != p.Priority || len(r.Facts) != 1 || r.Brief {
		t.Errorf("the race is %+v", r)
	}
	if want := []string{"the search for a failing schedule reached its limit"}; !cmp.Equal(r.Limited, want) {
		t.Errorf("limits are %q, want %q", r.Limited, want)
	}
	for i, want := range []string{"use Task.java:100 by app.Task.run() in main looper, 2 events, 1 calls, 0 further",
		"free Main.java:40 by app.Main.onDestroy() in main looper, 1 events, 1 calls, 0 further"} {
		s := &r.Sides[i]
		got := fmt.Sprintf("%s %s by %s in %s, %d events, %d calls, %d further", s.Access.Kind, s.Access.Spot(), s.Access.Entry, s.Access.Thread,
			len(s.Events), len(s.Calls), len(s.Further))
		if got != want {
			t.Errorf("side %d is %s, want %s", i, got, want)
		}
	}
	var steps []string
	for _, s := range r.Schedule.Steps {
		steps = append(steps, fmt.Sprintf("%s run %d caused by %d, %s, %q once %t", s.Callback.Short(), s.Run, s.Cause, s.What, s.Instance, s.Once))
	}
	wantSteps := []string{
		`Main.onCreate run 1 caused by 0, the system creates the activity, "app.Main 1" once true`,
		`Main.onDestroy run 1 caused by 0, the system destroys the activity, "app.Main 2" once true`,
		`Task.run run 1 caused by 1, posted by Handler.post, "app.Main 1" once false`,
		`Task.run run 1 caused by 1, posted by Handler.post, "app.Main 1" once false`,
	}
	if diff := cmp.Diff(wantSteps, steps); diff != "" || r.Schedule.Outcome != "a NullPointerException" {
		t.Errorf("the schedule ends in %s (-want +got):\n%s", r.Schedule.Outcome, diff)
	}
	brief := teller.Race(p, true)
	if !brief.Brief || brief.Schedule != nil || len(brief.Sides[0].Events)+len(brief.Sides[0].Calls) > 0 || brief.Order != r.Order {
		t.Errorf("the brief race is %+v", brief)
	}
}

// What goes wrong tells where, and which side leads to which.
func TestWrong(t *testing.T) {
	teller := open(t)
	free := func(use, free string) *Pair {
		return pair(t, teller, finding.UseAfterFree, use, finding.Use, free, finding.Free)
	}
	elsewhere := func(p *Pair) { p.Sides[0].Derefs = []Place{{p.Sides[1].Func, p.Sides[1].Value}} }
	for _, c := range []struct {
		name string
		pair *Pair
		want string
	}{
		{"in any order", free("Task.run", "Main.onDestroy"),
			"If Main.onDestroy comes first, Task.run finds Main.text null: a NullPointerException at Task.java:100."},
		{"the free leads to the use", free("Task.run", "Main.onCreate"),
			"Task.run, to which Main.onCreate leads, finds Main.text null: a NullPointerException at Task.java:100."},
		{"the use leads to the free", free("Main.onStart", "Late.run"),
			"If Late.run comes before a later run of Main.onStart, that finds Main.text null: a " +
				"NullPointerException at Main.java:20."},
		{"the free leads to the use on a thread", free("Worker.run", "Main.onCreate"),
			"If Main.java:10 runs before Worker.run gets to Worker.java:120, that finds Main.text null: a " +
				"NullPointerException at Worker.java:120."},
		{"the value is used elsewhere", with(free("Task.run", "Main.onDestroy"), elsewhere),
			"If Main.onDestroy comes first, Task.run finds Main.text null: a NullPointerException at " +
				"Main.java:40, where the value read at Task.java:100 is used."},
		{"recreated", pair(t, teller, finding.UseBeforeInit, "Main.onActivityResult", finding.Use, "Task.run", finding.Write),
			"If the activity is recreated (rotation, process death) before the answer to what it asked for " +
				"comes, Main.onActivityResult of the new one finds Main.text null: a NullPointerException at Main.java:50."},
		{"a crash", with(free("Task.run", "Main.onDestroy"), func(p *Pair) { p.Crash = "a failure" }),
			"If Main.onDestroy comes first, Task.run finds Main.text null: a failure at Task.java:100."},
	} {
		if got := teller.Race(c.pair, true).Wrong; got != c.want {
			t.Errorf("%s: what goes wrong is\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}
