package tell

import (
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
)

// Each sentence of a fix, with a pair that has it.
func TestFix(t *testing.T) {
	teller := open(t)
	free := func(use, free string) *Pair {
		return pair(t, teller, finding.UseAfterFree, use, finding.Use, free, finding.Free)
	}
	first := func(use, set string) *Pair {
		return pair(t, teller, finding.UseBeforeInit, use, finding.Use, set, finding.Write)
	}
	writes := func(a, b string) *Pair {
		return pair(t, teller, finding.UnorderedWrite, a, finding.Write, b, finding.Write)
	}
	reads := func(a, b string) *Pair { return pair(t, teller, finding.StaleRead, a, finding.Read, b, finding.Write) }
	overlap := func(a string, kind finding.Kind, b string) *Pair {
		return with(pair(t, teller, finding.UnsynchronizedAccess, a, kind, b, finding.Write), threads, states(finding.FactMustAlias))
	}
	again := func(p *Pair) { p.Sides[1] = p.Sides[0] }
	for _, c := range []struct {
		name string
		pair *Pair
		want string
	}{
		{"end what is posted", free("Task.run", "Main.onDestroy"),
			"Call Handler.removeCallbacks in Main.onDestroy before it sets Main.text to null (Main.java:40), to " +
				"end what Handler.post (Main.java:10) has begun; keep the Runnable in a field for that. " +
				"Or test text for null in Task.run before using it (Task.java:100)."},
		{"end it here too", free("Late.run", "Main.onDestroy"),
			"Call Handler.removeCallbacks in Main.onDestroy too, before it sets Main.text to null " +
				"(Main.java:40), to end all that Handler.postDelayed (Main.java:20) has begun: today only " +
				"Main.onPause does (Main.java:70). " +
				"Or test text for null in Late.run before using it (Late.java:110)."},
		{"move what ends it", free("Receiver.onReceive", "Main.onDestroy"),
			"Move unregisterReceiver (Main.java:30) from Main.onStop to Main.onDestroy, before it sets " +
				"Main.text to null (Main.java:40), and registerReceiver (Main.java:10) into Main.onCreate. " +
				"Or test text for null in Receiver.onReceive before using it (Receiver.java:140)."},
		{"called, and does not end it", free("Receiver.onReceive", "Main.onStop"),
			"Test Main.text for null in Receiver.onReceive before using it (Receiver.java:140)."},
		{"ends it on some paths", free("Receiver.onReceive", "Main.onPause"),
			"Call unregisterReceiver (Main.java:70) on every path through Main.onPause, not only on some, to " +
				"end what registerReceiver (Main.java:10) has begun. " +
				"Or test text for null in Receiver.onReceive before using it (Receiver.java:140)."},
		{"ends the last only", free("Late.run", "Main.onPause"),
			"Let Handler.removeCallbacks (Main.java:70) end all that Handler.postDelayed (Main.java:20) has " +
				"begun, not only the last, before it sets Main.text to null (Main.java:70). " +
				"Or test text for null in Late.run before using it (Late.java:110)."},
		{"ends another", free("Task.run", "Main.onPause"),
			"Call Handler.removeCallbacks in Main.onPause before it sets Main.text to null (Main.java:70), to " +
				"end what Handler.post (Main.java:10) has begun: Main.java:70 ends another Runnable, so keep " +
				"the Runnable of Main.java:10 in a field. " +
				"Or test text for null in Task.run before using it (Task.java:100)."},
		{"test for null", free("Click.onClick", "Main.onDestroy"),
			"Test Main.text for null in Click.onClick before using it (Click.java:130)."},
		{"free later", with(free("Click.onClick", "Main.onStop"), func(p *Pair) { p.SetOnce = true }),
			"Test Main.text for null in Click.onClick before using it (Click.java:130). " +
				"Or set text to null in onDestroy instead of onStop: Click.onClick does not come after that."},
		{"another instance", with(free("Task.run", "Main.onDestroy"), states(finding.FactTwoInstances)),
			"Test Main.text for null in Task.run before using it (Task.java:100): another instance sets " +
				"Main.text to null (Main.java:40)."},
		{"the user's own object", with(free("Task.run", "Main.onDestroy"), func(p *Pair) { p.Sides[0].Own = true }),
			"Test Main.text for null in Task.run before using it (Task.java:100). " +
				"Or call Handler.removeCallbacks in Main.onDestroy before it sets text to null (Main.java:40), " +
				"to end what Handler.post (Main.java:10) has begun; keep the Runnable in a field for that."},
		{"an element", with(free("Click.onClick", "Main.onDestroy"), content(finding.Container)),
			"Test in Click.onClick whether Main.text still holds the element before using that (Click.java:130)."},
		{"a resource", with(free("Click.onClick", "Main.onDestroy"), content(finding.Resource)),
			"Set Main.text to null where it is closed (Main.java:40), and do nothing in Click.onClick if it is " +
				"null (Click.java:130)."},
		{"free on another thread", with(free("Worker.run", "Main.onDestroy"), threads),
			"Load Main.text once into a local variable in Worker.run (Worker.java:120) and use only that, if it " +
				"is not null: a test of the field itself does not help, since Main.onDestroy may set it to null " +
				"right after the test (Main.java:40)."},
		{"an element on another thread", with(free("Worker.run", "Main.onDestroy"), threads, content(finding.Array)),
			"Guard Main.text by one lock (Worker.java:120 and Main.java:40), and under it test whether it still " +
				"holds the element before using that."},
		{"a resource on another thread", with(free("Worker.run", "Main.onDestroy"), threads, content(finding.Resource)),
			"Close Main.text where it is used last, at the end of Worker.run (Worker.java:120), instead of in " +
				"Main.onDestroy (Main.java:40). " +
				"Or guard both by one lock and under it set text to null where it is closed and test it before the use."},
		{"a place that is not the use", with(free("Click.onClick", "Main.onDestroy"), func(p *Pair) { p.Sides[0].Derefs = []Place{p.Sides[1].Place} }),
			"Test Main.text for null, which is read in Click.onClick (Click.java:130), before using it (Main.java:40)."},

		{"set before it is asked for", first("Late.run", "Task.run"),
			"Call Handler.postDelayed (Main.java:20) only once Task.run has set Main.text (Task.java:100), not " +
				"already in Main.onStart. " +
				"Or test text for null in Late.run before using it (Late.java:110)."},
		{"set by what asks for it", first("Task.run", "Main.onCreate"),
			"Set Main.text (Main.java:10) before Main.onCreate calls Handler.post (Main.java:10). " +
				"Or test text for null in Task.run before using it (Task.java:100)."},
		{"after it has been set", first("Main.onStart", "Late.run"),
			"Do what needs Main.text (Main.java:20) where it has been set, in Late.run after Late.java:110. " +
				"Or test text for null in Main.onStart before using it (Main.java:20)."},
		{"recreated", first("Main.onActivityResult", "Task.run"),
			"Save what Main.text is made from with the state of the activity, and set Main.text again where " +
				"that is restored, before onActivityResult. " +
				"Or test text for null in Main.onActivityResult before using it (Main.java:50)."},
		{"set by the first callback", first("Main.onStart", "Click.onClick"),
			"Test Main.text for null in Main.onStart before using it (Main.java:20). " +
				"Or set text before Main.onStart can run, in a constructor or the first callback of its object, " +
				"not only in Click.onClick (Click.java:130)."},
		{"set with its class", with(first("Main.onStart", "Click.onClick"), func(p *Pair) { p.Field.Static = true }),
			"Test Main.text for null in Main.onStart before using it (Main.java:20). " +
				"Or set text before Main.onStart can run, where its class is initialised, not only in " +
				"Click.onClick (Click.java:130)."},

		{"only the latest", with(writes("Late.run", "Late.run"), again),
			"Give each request a number, and let Late.run go on only if its own is the latest (Late.java:110)."},
		{"two runs that nobody posts", with(writes("Receiver.onReceive", "Receiver.onReceive"), again),
			"Let only one of Receiver.onReceive (Receiver.java:140) and Receiver.onReceive (Receiver.java:140) " +
				"write Main.text, or test in both whether the value there is to be kept."},
		{"no older run", with(writes("Main$Refresh.run", "Main$Refresh.run"), again),
			"Call Handler.removeCallbacks before Handler.post (Main.java:65), so that no older run of " +
				"Main$Refresh.run is left when a new one is asked for. " +
				"Or give each request a number, and let Main$Refresh.run go on only if its own is the latest " +
				"(Main.java:160)."},
		{"one after the other", writes("Main$Refresh.run", "Main$Load.run"),
			"Call Handler.post (Main.java:60) from Main$Refresh.run, once that has written Main.text (Main.java:160). " +
				"Or test in Main$Load.run whether that is still wanted before it writes text (Main.java:150)."},
		{"end what is posted, then test", writes("Task.run", "Late.run"),
			"Call Handler.removeCallbacks in Task.run too, before it writes Main.text (Task.java:100), to end " +
				"all that Handler.postDelayed (Main.java:20) has begun: today only Main.onPause does (Main.java:70). " +
				"Or test in Late.run whether what Handler.postDelayed (Main.java:20) asked for is still wanted " +
				"before it writes text (Late.java:110)."},
		{"end the other", writes("Main.onDestroy", "Task.run"),
			"Call Handler.removeCallbacks in Main.onDestroy before it writes Main.text (Main.java:40), to end " +
				"what Handler.post (Main.java:10) has begun; keep the Runnable in a field for that. " +
				"Or test in Task.run whether what Handler.post (Main.java:10) asked for is still wanted before " +
				"it writes text (Task.java:100)."},
		{"read again", reads("Click.onClick", "Task.run"),
			"Do what Click.onClick does with Main.text (Click.java:130) again once Task.run has written it " +
				"(Task.java:100)."},
		{"where it is written", reads("Main.onActivityResult", "Click.onClick"),
			"Do what depends on Main.text where Click.onClick has written it (Click.java:130), not only in " +
				"Main.onActivityResult (Main.java:50)."},
		{"only one of them", writes("Main.onDestroy", "Click.onClick"),
			"Let only one of Main.onDestroy (Main.java:40) and Click.onClick (Click.java:130) write Main.text, " +
				"or test in both whether the value there is to be kept."},

		{"post the write", overlap("Click.onClick", finding.Write, "Worker.run"),
			"Post the write in Worker.run (Worker.java:120) to the main looper, where Click.onClick runs " +
				"(Click.java:130). " +
				"Or guard text by one lock (Worker.java:120 and Click.java:130)."},
		{"volatile and posted", overlap("Click.onClick", finding.Read, "Worker.run"),
			"Post the write in Worker.run (Worker.java:120) to the main looper, where Click.onClick runs " +
				"(Click.java:130). " +
				"Or declare text volatile: one side only reads it."},
		{"volatile", overlap("Worker.run", finding.Read, "Task.run"),
			"Declare Main.text volatile, so that Worker.run (Worker.java:120) sees what Task.run writes (Task.java:100). " +
				"Or guard text by one lock (Task.java:100 and Worker.java:120)."},
		{"volatile already", with(overlap("Worker.run", finding.Read, "Task.run"), func(p *Pair) { p.Volatile = true }),
			"Leave it, if a read just before the write does no harm: Main.text is volatile. " +
				"Or guard text by one lock (Task.java:100 and Worker.java:120)."},
		{"reads and writes", with(overlap("Worker.run", finding.Read, "Task.run"), func(p *Pair) { p.Sides[0].Writes = true }),
			"Guard Main.text by one lock (Task.java:100 and Worker.java:120)."},
		{"a container", with(overlap("Worker.run", finding.Write, "Task.run"), content(finding.Container)),
			"Post the write in Worker.run (Worker.java:120) to the main looper, where Task.run runs (Task.java:100). " +
				"Or guard text by one lock (Worker.java:120 and Task.java:100), or make it a container that is " +
				"made for threads."},
		{"an array", with(overlap("Worker.run", finding.Write, "Task.run"), content(finding.Array)),
			"Post the write in Worker.run (Worker.java:120) to the main looper, where Task.run runs (Task.java:100). " +
				"Or guard text by one lock (Worker.java:120 and Task.java:100)."},
		{"an object of its own", with(overlap("Worker.run", finding.Write, "Worker.run"), func(p *Pair) { p.Facts = nil }),
			"Let each run of Worker.run work on a Main of its own. " +
				"Or guard text by one lock (Worker.java:120)."},
		{"a count", with(overlap("Worker.run", finding.Write, "Task.run"), func(p *Pair) {
			for i := range p.Sides {
				p.Sides[i].Key, p.Sides[i].Updates = teller.key("count"), true
			}
		}),
			"Use an atomic class for Main.text, so that each update is one step (Worker.java:120 and Task.java:100). " +
				"Or guard text by one lock (Worker.java:120 and Task.java:100)."},
	} {
		if got := teller.fix(c.pair); got != c.want {
			t.Errorf("%s: the fix is\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// Where the use belongs to another component, that one is to test.
func TestFixOfAnotherComponent(t *testing.T) {
	teller := open(t)
	p := pair(t, teller, finding.UseAfterFree, "Task.run", finding.Use, "Main.onDestroy", finding.Free)
	teller.set.Actions[p.Sides[0].Action].Component = 0
	want := "Test Main.text for null in Task.run before using it (Task.java:100). Or call Handler.removeCallbacks in Main.onDestroy " +
		"before it sets text to null (Main.java:40), to end what Handler.post (Main.java:10) has begun; keep " +
		"the Runnable in a field for that."
	if got := teller.fix(p); got != want {
		t.Errorf("the fix is\n%s\nwant\n%s", got, want)
	}
}

// TestFixThatMends: an end that does not mend the race is not offered, nor a lock where one is held.
func TestFixThatMends(t *testing.T) {
	teller := open(t)
	of := func(changes ...func(p *Pair)) *Pair {
		return with(pair(t, teller, finding.UseAfterFree, "Task.run", finding.Use, "Main.onDestroy", finding.Free), changes...)
	}
	locked := func(p *Pair) { p.Locked = true }
	for want, p := range map[string]*Pair{
		"Test Main.text for null in Task.run before using it (Task.java:100).":                                      of(func(p *Pair) { p.EndMends = false }),
		"Test Main.text for null in Task.run before using it (Task.java:100), under the lock that both sides hold.": of(threads, locked),
		"Test in Task.run whether Main.text still holds the element before using that (Task.java:100), under the lock that both sides hold.": of(
			threads, locked, content(finding.Container)),
	} {
		if got := teller.fix(p); got != want {
			t.Errorf("the fix is\n%s\nwant\n%s", got, want)
		}
	}
}
