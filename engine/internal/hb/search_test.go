package hb

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func names(g *Graph, ids []ActionID) string {
	var s []string
	for _, id := range ids {
		s = append(s, g.m.Actions[id].Name)
	}
	return strings.Join(s, " ")
}

func searched(t *testing.T, g *Graph, q Question, null, live string) {
	t.Helper()
	v := g.Search(q)
	if v.Coarse {
		t.Error("only a coarse schedule")
	}
	if v.NullAtUse != (null != "") || names(g, v.NullSchedule) != null {
		t.Errorf("null schedule: got %q, want %q", names(g, v.NullSchedule), null)
	}
	if v.LiveAtUse != (live != "") || names(g, v.LiveSchedule) != live {
		t.Errorf("live schedule: got %q, want %q", names(g, v.LiveSchedule), live)
	}
	if again := g.Search(q); !reflect.DeepEqual(v, again) {
		t.Error("a second search differs")
	}
}

// TestSearchProvider is CAFA's figure 1: a connection that comes after onDestroy.
func TestSearchProvider(t *testing.T) {
	for _, unbind := range []bool{false, true} {
		w := newWorld()
		create, destroy := w.life("onCreate", cbCreate), w.life("onDestroy", cbDestroy)
		conn := w.AddAction(Action{Name: "onServiceConnected", Kind: KindSystem, Queue: w.main, Component: w.activity, Callback: -1})
		w.do(create, Register, conn)
		if unbind {
			w.do(destroy, Unregister, conn)
		}
		g := w.build(t)
		null := "onCreate onDestroy onServiceConnected"
		if unbind {
			null = ""
		}
		searched(t, g, Question{Free: destroy, Use: conn, FreeAtEnd: true, Writers: []Writer{{create, true}}},
			null, "onCreate onServiceConnected")
	}
}

func TestSearchDelayed(t *testing.T) {
	for _, c := range []struct {
		name string
		stop []func(*Point)
		null string
	}{
		{"cancelled", []func(*Point){every}, ""},
		{"one object only", nil, "onCreate onDestroy msg"},
		{"sometimes", []func(*Point){every, maybe}, "onCreate onDestroy msg"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			create, destroy := w.life("onCreate", cbCreate), w.life("onDestroy", cbDestroy)
			click, msg := w.click("onClick"), w.message("msg")
			w.do(create, Post, msg, after(1000))
			w.do(click, Post, msg, after(1000))
			w.do(destroy, Cancel, msg, c.stop...)
			searched(t, w.build(t), Question{Free: destroy, Use: msg, InitLive: true, FreeAtEnd: true}, c.null, "onCreate msg")
		})
	}
}

// TestSearchCancelledTask: what a cancelled task would post when done never
// runs, even if the task was still running.
func TestSearchCancelledTask(t *testing.T) {
	for _, final := range []bool{false, true} {
		w := newWorld()
		serial := w.AddQueue(Queue{Name: "serial", Kind: QueueSerial, Scope: ScopeProcess})
		create, destroy := w.life("onCreate", cbCreate), w.life("onDestroy", cbDestroy)
		bg, post := w.on(serial, KindTask, "doInBackground"), w.message("onPostExecute")
		w.do(create, Post, bg)
		w.do(bg, Post, post, atEnd)
		w.do(destroy, Cancel, post, func(p *Point) { p.Final = final })
		g := w.build(t)
		want, null := "-", "onCreate onDestroy doInBackground onPostExecute"
		if final {
			want, null = "<", ""
		}
		check(t, g, post, destroy, SameInstance, want)
		searched(t, g, Question{Free: destroy, Use: post, InitLive: true, FreeAtEnd: true}, null, "onCreate doInBackground onPostExecute")
	}
}

func TestSearchPauseResume(t *testing.T) {
	w := newWorld()
	resume, pause, click := w.life("onResume", cbResume), w.life("onPause", cbPause), w.click("onClick")
	q := Question{Free: pause, Use: click, FreeAtEnd: true, Writers: []Writer{{resume, true}}}
	searched(t, w.build(t), q, "onResume onPause onClick", "onResume onClick")
	w.Components[w.activity].Automaton.Events[0].States = []int32{3}
	g := w.build(t)
	searched(t, g, q, "", "onResume onClick") // the next resume writes it again
	q.FreeAtEnd, q.Writers = false, nil
	searched(t, g, q, "", "")
	q.FreeAtEnd, q.Writers = true, []Writer{{resume, false}} // may write
	searched(t, g, q, "onResume onPause onResume onClick", "onResume onClick")
}

func TestSearchQueue(t *testing.T) {
	for _, c := range []struct {
		delay  int64
		null   string
		poster string
	}{
		{0, "", "onCreate"},
		{5, "onCreate free use", "onCreate"},
		{0, "onClick use onClick free use", "onClick"}, // the second click writes, then the first one's free runs
	} {
		w := newWorld()
		click, use, free := w.click("onClick"), w.message("use"), w.message("free")
		if c.poster == "onCreate" {
			click = w.life("onCreate", cbCreate)
		}
		w.do(click, Post, use, after(c.delay))
		w.do(click, Post, free)
		q := Question{Free: free, Use: use, InitLive: true, FreeAtEnd: true, Writers: []Writer{{click, true}}}
		searched(t, w.build(t), q, c.null, c.poster+" use")
	}
}

func TestSearchThread(t *testing.T) {
	w := newWorld()
	click, th := w.click("onClick"), w.thread("T")
	use := w.site(click)
	w.do(click, Start, th)
	g := w.build(t)
	q := Question{Free: th, Use: click, InitLive: true, FreeAtEnd: true}
	searched(t, g, q, "onClick T onClick", "onClick")
	q.Sited, q.UseAt = true, use
	searched(t, g, q, "onClick T onClick", "onClick")
	q.UseAt = w.next[click] + 10
	searched(t, g, q, "onClick T onClick", "onClick")
	w.Actions[click].Kind, w.Actions[click].Callback = KindLifecycle, cbCreate
	g = w.build(t)
	searched(t, g, q, "onClick T onClick", "onClick") // the thread may be faster
	q.UseAt = use
	searched(t, g, q, "", "onClick") // created once, used before the start
}

func TestSearchOneAction(t *testing.T) {
	w := newWorld()
	click := w.click("onClick")
	q := Question{Free: click, Use: click, InitLive: true, FreeAtEnd: true, UseFirst: true}
	searched(t, w.build(t), q, "onClick onClick", "onClick")
	create := w.life("onCreate", cbCreate)
	q.Free, q.Use = create, create
	searched(t, w.build(t), q, "", "onCreate")
}

func TestSearchTwoComponents(t *testing.T) {
	w := newWorld()
	svc := w.AddComponent(Component{Name: "Svc", Automaton: &Automaton{
		States:      []string{"new", "running", "gone"},
		Transitions: []Transition{{From: 0, To: 1, Callbacks: []int32{0}}, {From: 1, To: 2, Callbacks: []int32{1}}},
	}, Owned: true})
	app := w.AddAction(Action{Name: "app", Kind: KindProcess, Queue: w.main, Callback: -1})
	click := w.click("onClick")
	up := w.AddAction(Action{Name: "svc.onCreate", Kind: KindLifecycle, Queue: w.main, Component: svc, Callback: 0})
	down := w.AddAction(Action{Name: "svc.onDestroy", Kind: KindLifecycle, Queue: w.main, Component: svc, Callback: 1})
	w.do(click, StartComponent, up)
	searched(t, w.build(t), Question{Free: down, Use: click, FreeAtEnd: true, Writers: []Writer{{app, true}}},
		"app onClick svc.onCreate svc.onDestroy onClick", "app onClick")
}

// TestSearchManyPosts: what is armed in any order needs no state for each set of it.
func TestSearchManyPosts(t *testing.T) {
	w := newWorld()
	free := w.message("free")
	for range 12 {
		click, m := w.click("onClick"), w.message("m")
		w.do(click, Post, m, sometime)
		w.do(m, Post, free, sometime)
	}
	use := w.life("use", cbCreate)
	searched(t, w.build(t), Question{Free: free, Use: use, InitLive: true, FreeAtEnd: true}, "", "use")
}

// TestSearchRepeatedPost: however often OPEN, SEND and CLOSE are posted in this
// order, each SEND comes behind an OPEN that no CLOSE follows.
func TestSearchRepeatedPost(t *testing.T) {
	loop := func(p *Point) { p.Loop = true }
	for _, c := range []struct {
		name string
		edit []func(*Point) // of SEND
		swap bool           // CLOSE is posted before SEND
		one  bool           // SEND and CLOSE are posted in one loop
		null string
	}{
		{name: "by each click"},
		{name: "sometimes", edit: []func(*Point){maybe}},
		{name: "in a loop", edit: []func(*Point){loop}},
		{name: "in a loop of no or more rounds", edit: []func(*Point){loop, maybe}},
		{name: "at an unknown time", edit: []func(*Point){sometime}, null: "onClick open close send"},
		{name: "behind CLOSE", swap: true, null: "onClick open close send"},
		{name: "in a loop with CLOSE", edit: []func(*Point){loop, maybe}, one: true, null: "onClick open close send"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			click := w.click("onClick")
			open, send, shut := w.message("open"), w.message("send"), w.message("close")
			w.do(click, Post, open)
			if c.swap {
				w.do(click, Post, shut)
			}
			w.do(click, Post, send, c.edit...)
			if !c.swap {
				edit := []func(*Point){}
				if c.one {
					edit = c.edit
				}
				w.do(click, Post, shut, edit...)
			}
			if c.one {
				w.prog.loops[click] = [][2]Site{{20, 30}}
			} else if len(c.edit) > 0 {
				w.prog.loops[click] = [][2]Site{{20, 20}}
			}
			v := w.build(t).Search(Question{Free: shut, Use: send, FreeAtEnd: true, Writers: []Writer{{open, true}}})
			if !v.LiveAtUse && !c.swap || v.NullAtUse != (c.null != "") || names(w.build(t), v.NullSchedule) != c.null {
				t.Errorf("null by %q, want %q; live %v", names(w.build(t), v.NullSchedule), c.null, v.LiveAtUse)
			}
		})
	}
}

// TestSearchChoice: one action writes, uses or frees, by its argument.
func TestSearchChoice(t *testing.T) {
	w := newWorld()
	click := w.click("onClick")
	q := Question{Free: click, Use: click, FreeAtEnd: true, UseFirst: true, Writers: []Writer{{click, false}}}
	searched(t, w.build(t), q, "onClick onClick", "onClick onClick")
	q.UseFirst = false // each use follows the free of its own run
	searched(t, w.build(t), q, "", "")
}

// TestSearchLoopOfAnotherThread: the posts of a thread's loop may come on either
// side of what the main looper posts.
func TestSearchLoopOfAnotherThread(t *testing.T) {
	w := newWorld()
	create, th := w.life("onCreate", cbCreate), w.thread("T")
	click := w.click("onClick")
	send, shut := w.message("send"), w.message("close")
	w.do(create, Start, th)
	w.do(th, Post, send, func(p *Point) { p.Loop = true })
	w.do(click, Post, shut)
	searched(t, w.build(t), Question{Free: shut, Use: send, InitLive: true, FreeAtEnd: true},
		"onCreate onClick close T send", "onCreate T send")
}

// TestSearchConcurrently: a graph is searched by several goroutines.
func TestSearchConcurrently(t *testing.T) {
	w := newWorld()
	click, use, free := w.click("onClick"), w.message("use"), w.message("free")
	w.do(click, Post, use)
	w.do(click, Post, free)
	g := w.build(t)
	q := Question{Free: free, Use: use, InitLive: true, FreeAtEnd: true, Writers: []Writer{{click, true}}}
	want := g.Search(q)
	got := make(chan Verdict)
	for range 8 {
		go func() { got <- g.Search(q) }()
	}
	for range 8 {
		if v := <-got; !reflect.DeepEqual(v, want) {
			t.Errorf("got %+v, want %+v", v, want)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	for _, clicks := range []int{2, 8, 32} {
		w := newWorld()
		open, send, shut := w.message("open"), w.message("send"), w.message("close")
		for range clicks {
			click := w.click("onClick")
			for _, m := range []ActionID{open, send, shut} {
				w.do(click, Post, m)
			}
		}
		g := w.build(b)
		b.Run(fmt.Sprint("posters=", clicks), func(b *testing.B) {
			states := 0
			for b.Loop() {
				states = g.Search(Question{Free: shut, Use: send, FreeAtEnd: true, Writers: []Writer{{open, true}}}).States
			}
			b.ReportMetric(float64(states), "states")
		})
	}
}
