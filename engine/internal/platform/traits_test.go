package platform

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestTraits asks each trait of a class or package that has it, and of one beside
// it that has not.
func TestTraits(t *testing.T) {
	m, ix := models(t)
	for _, c := range []struct {
		what      string
		got, want bool
	}{
		{"an Integer is stateless", m.Stateless("java.lang.Integer"), true},
		{"an AtomicInteger is stateless", m.Stateless("java.util.concurrent.atomic.AtomicInteger"), false},
		{"Handler is complete", m.Complete("android.os.Handler"), true},
		{"Messenger is complete", m.Complete("android.os.Messenger"), false},
		{"a handler sends by sendEmptyMessage", m.Sends("android.os.Handler", "sendEmptyMessage"), true},
		{"a handler sends by post", m.Sends("android.os.Handler", "post"), false},
		{"a callback of handlers sends by sendMessage", m.Sends("android.os.Handler$Callback", "sendMessage"), false},
		{"a timer keeps no order", m.NoFIFO(ix.Supers, "java.util.Timer"), true},
		{"a single executor keeps no order", m.NoFIFO(ix.Supers, "java.util.concurrent.ScheduledThreadPoolExecutor"), false},
		{"java.util.concurrent.Callable calls at once", m.CallsAtOnce("java.util.concurrent.Callable"), true},
		{"javax.net.SocketFactory calls at once", m.CallsAtOnce("javax.net.SocketFactory"), false},
		{"a Comparator is called at once", m.CalledAtOnce("java.util.Comparator"), true},
		{"a Runnable is called at once", m.CalledAtOnce("java.lang.Runnable"), false},
		{"a Thread has plain constructors", m.PlainConstructors("java.lang.Thread"), true},
		{"a View has plain constructors", m.PlainConstructors("android.view.View"), false},
	} {
		if c.got != c.want {
			t.Errorf("%s: %t", c.what, c.got)
		}
	}
	if m.MainLooper != "android.os.Looper" {
		t.Errorf("the main looper is a %s", m.MainLooper)
	}
	if want := []string{"android.os.Parcelable", "java.io.Serializable"}; !slices.Equal(m.Serialized, want) {
		t.Errorf("read back are %q, want %q", m.Serialized, want)
	}
	if got := m.Unit("java.util.concurrent.TimeUnit", "MINUTES"); got != 60e9 {
		t.Errorf("a minute has %d ns", got)
	}
	if got := m.Unit("java.time.temporal.ChronoUnit", "MINUTES"); got != 0 {
		t.Errorf("a constant that no file names has %d ns", got)
	}
}

// TestBlocked: a latch starts closed above zero, a semaphore up to zero; of a class
// that merely extends one nothing is known.
func TestBlocked(t *testing.T) {
	m, _ := models(t)
	for class, want := range map[string][3]bool{ // of -1, 0 and 1
		"java.util.concurrent.CountDownLatch": {false, false, true},
		"java.util.concurrent.Semaphore":      {true, true, false},
	} {
		b := m.Blocked(class)
		if b == nil {
			t.Fatalf("%s never starts closed", class)
		}
		if got := [3]bool{b.Holds(-1), b.Holds(0), b.Holds(1)}; got != want || b.Arg != 0 {
			t.Errorf("%s starts closed: %v of arg%d, want %v", class, got, b.Arg, want)
		}
	}
	if m.Blocked("java.util.concurrent.CyclicBarrier") != nil {
		t.Error("a barrier starts closed")
	}
}

// TestMadeBy: a view is made with a context first, an activity without arguments.
func TestMadeBy(t *testing.T) {
	m, ix := models(t)
	none, context := []string{}, []string{"android.content.Context", "android.util.AttributeSet"}
	view, activity := m.Lifecycle(ix.Supers, "android.widget.TextView"), m.Lifecycle(ix.Supers, "android.app.ListActivity")
	if view.MadeBy(none) || !view.MadeBy(context) || view.MadeBy([]string{"int"}) {
		t.Error("views")
	}
	if !activity.MadeBy(none) || activity.MadeBy(context) {
		t.Error("activities")
	}
}

// TestInstances: the one application lives as long as the process; another service
// may come.
func TestInstances(t *testing.T) {
	m, ix := models(t)
	for class, want := range map[string]Instances{
		"android.app.Application": One, "android.content.ContentProvider": One, "android.app.Instrumentation": One,
		"android.app.Service": OneAtATime, "android.app.job.JobService": OneAtATime, "android.app.Activity": Many,
	} {
		if l := m.Lifecycle(ix.Supers, class); l.Instances != want || l.Single() != (want != Many) {
			t.Errorf("%s: %d, single %t", class, l.Instances, l.Single())
		}
	}
}

// TestMessageSlots: what the models call the code of a message, and what leads to
// its handler.
func TestMessageSlots(t *testing.T) {
	m, _ := models(t)
	codes, targets := m.MessageSlots()
	if !slices.Equal(codes, []string{"what"}) || !slices.Equal(targets, []string{"target"}) {
		t.Errorf("codes %q, targets %q", codes, targets)
	}
}

// TestKeys: containers are asked by a key where nothing stands in for what has been
// removed, and by a place elsewhere.
func TestKeys(t *testing.T) {
	m, ix := models(t)
	for _, c := range []struct {
		class, method string
		params        []string
		keyed         bool
	}{
		{"java.util.HashMap", "get", []string{"java.lang.Object"}, true},
		{"android.util.SparseArray", "get", []string{"int"}, true},
		{"android.util.LongSparseArray", "get", []string{"long"}, true},
		{"android.util.LruCache", "get", []string{"java.lang.Object"}, true},
		{"android.os.Bundle", "getParcelable", []string{"java.lang.String", "java.lang.Class"}, true},
		{"java.util.HashMap", "getOrDefault", []string{"java.lang.Object", "java.lang.Object"}, false},
		{"android.util.SparseArray", "get", []string{"int", "java.lang.Object"}, false},
		{"android.util.SparseArray", "valueAt", []string{"int"}, false},
		{"java.util.ArrayList", "get", []string{"int"}, false},
		{"java.util.ArrayList", "toArray", []string{"java.lang.Object[]"}, false},
	} {
		read := 0
		for _, x := range m.For(ix.Supers, c.class, c.method, c.params) {
			for i := range x.Effects {
				if e := &x.Effects[i]; e.Kind == Load || e.Kind == Read {
					read++
					if e.Key.Zero() == c.keyed {
						t.Errorf("%s.%s(%q): keyed is not %t", c.class, c.method, c.params, c.keyed)
					}
				}
			}
		}
		if read == 0 {
			t.Errorf("%s.%s(%q) reads nothing", c.class, c.method, c.params)
		}
	}
}

// TestTraitsOfUsers: a user's file may say of its own classes and packages what ours
// say of the platform's, and replace what ours say of a package.
func TestTraitsOfUsers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.yaml")
	text := `title: Mine
packages:
  com.example: {calls: at once}
  java: {}
classes:
  com.example.Money: {stateless: true}
  com.example.Ticks: {units: {TICK: 16_000_000}}
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	m, err := LoadModels([]string{file})
	if err != nil {
		t.Fatal(err)
	}
	m = m.ForSDK(21, 30)
	if !m.CallsAtOnce("com.example.deep.Bus") || m.CallsAtOnce("com.examples.Bus") || m.CallsAtOnce("java.net.URL") {
		t.Error("packages")
	}
	if !m.Stateless("com.example.Money") || m.Unit("com.example.Ticks", "TICK") != 16e6 || m.MainLooper == "" || len(m.Senders) == 0 {
		t.Error("traits")
	}
	if slices.Contains(m.Mentioned(), "com.example.Money") {
		t.Error("a class that has traits only is mentioned: its objects would matter to the library cut")
	}
}
