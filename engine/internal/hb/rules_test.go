package hb

import "testing"

func TestLifecycle(t *testing.T) {
	w := newWorld()
	create, start, resume := w.life("onCreate", cbCreate), w.life("onStart", cbStart), w.life("onResume", cbResume)
	pause, stop, destroy := w.life("onPause", cbPause), w.life("onStop", cbStop), w.life("onDestroy", cbDestroy)
	click, click2 := w.click("onClick1"), w.click("onClick2")
	g := w.build(t)
	for _, x := range []ActionID{start, resume, pause, stop, destroy, click, click2} {
		check(t, g, create, x, SameCause, "<")
		check(t, g, create, x, SameInstance, "<")
		check(t, g, create, x, OtherInstance, "-")
	}
	for _, x := range []ActionID{start, resume, pause, stop, click} {
		check(t, g, x, destroy, SameInstance, "<")
	}
	check(t, g, resume, pause, SameInstance, "-") // resumes again
	check(t, g, start, click, SameInstance, "-")  // starts again
	check(t, g, click, click2, SameInstance, "-")
	// SIERRA figures 5 and 6: the first of each is told from later ones.
	for _, x := range [][2]ActionID{{resume, pause}, {start, stop}, {start, click}, {resume, click}, {create, destroy}} {
		if !g.FirstBefore(x[0], x[1]) || g.FirstBefore(x[1], x[0]) {
			t.Errorf("the first %s is not before every %s", g.m.Actions[x[0]].Name, g.m.Actions[x[1]].Name)
		}
	}
	if g.FirstBefore(resume, destroy) || g.FirstBefore(click, destroy) {
		t.Error("an activity may be destroyed without being resumed or clicked")
	}
	if !g.InCauseOrder(click, click2) || !g.InCauseOrder(click, click) {
		t.Error("clicks are not in the order of their causes")
	}
}

func TestAsyncTask(t *testing.T) {
	w := newWorld()
	serial := w.AddQueue(Queue{Name: "serial", Kind: QueueSerial, Scope: ScopeProcess})
	click, click2 := w.click("onClick"), w.click("onLongClick")
	pre := w.message("onPreExecute")
	bg := w.on(serial, KindTask, "doInBackground")
	progress, post := w.message("onProgressUpdate"), w.message("onPostExecute")
	w.do(click, Post, pre)
	w.do(click2, Post, pre)
	w.do(pre, Post, bg, atEnd)
	before := w.site(bg)
	pub := w.do(bg, Post, progress)
	after := w.site(bg)
	w.do(bg, Post, post, atEnd)
	g := w.build(t)
	check(t, g, pre, bg, SameCause, "<")
	check(t, g, bg, post, SameCause, "<")
	check(t, g, pre, post, SameCause, "<")
	check(t, g, progress, post, SameCause, "<")
	check(t, g, bg, progress, SameCause, "-")
	check(t, g, bg, post, SameInstance, "-")
	if !g.PointBefore(At{bg, before}, At{progress, 1}, SameCause) {
		t.Error("what precedes publishProgress is not before its run")
	}
	if !g.PointBefore(At{bg, w.Points[pub].Site}, At{progress, 1}, SameCause) {
		t.Error("the publishing site itself is not before its run")
	}
	if g.PointBefore(At{bg, after}, At{progress, 1}, SameCause) {
		t.Error("what follows publishProgress is before its run")
	}
	if !g.InCauseOrder(bg, bg) || !g.InCauseOrder(post, post) {
		t.Error("serial tasks are not in the order of their clicks")
	}
	if steps := g.Explain(pre, post, SameCause); len(steps) == 0 {
		t.Error("pre before post is not explained")
	}
}

func TestThreadAndJoin(t *testing.T) {
	w := newWorld()
	click := w.click("onClick")
	early := w.site(click)
	th := w.thread("T")
	ui, ui2 := w.message("ui"), w.message("ui2")
	w.do(click, Start, th)
	late := w.site(click)
	w.do(click, Join, th)
	joined := w.site(click)
	w.do(click, Post, ui2)
	w.do(th, Post, ui)
	g := w.build(t)
	tat, dat := At{th, 5}, At{click, early}
	if !g.PointBefore(dat, tat, SameCause) || g.PointBefore(At{click, late}, tat, SameCause) {
		t.Error("fork orders the wrong sites")
	}
	if !g.PointBefore(tat, At{click, joined}, SameCause) || g.PointBefore(tat, At{click, late}, SameCause) {
		t.Error("join orders the wrong sites")
	}
	check(t, g, click, th, SameCause, "-")
	check(t, g, click, ui, SameCause, "<")
	check(t, g, ui, ui2, SameCause, "<")
	check(t, g, th, ui2, SameCause, "<")
	check(t, g, th, ui, SameCause, "<") // the click waits for it, and ui for the click
	if !g.Overlap(click, th, SameCause) || g.Overlap(click, ui, SameCause) {
		t.Error("overlap")
	}
}

// TestQueueFigure4 is CAFA's figure 4, b to f; C posts on the looper, T is a thread.
func TestQueueFigure4(t *testing.T) {
	for _, c := range []struct {
		name   string
		thread bool
		a, b   []func(*Point)
		want   string
	}{
		{"b equal delays", true, []func(*Point){after(1)}, []func(*Point){after(1)}, "<"},
		{"smaller first", true, nil, []func(*Point){after(1)}, "<"},
		{"c larger first", true, []func(*Point){after(5)}, nil, "-"},
		{"d front in one action of the looper", false, nil, []func(*Point){front}, ">"},
		{"e front from a thread", true, nil, []func(*Point){front}, "-"},
		{"front first", true, []func(*Point){front}, []func(*Point){after(3)}, "<"},
		{"front first, then unknown", true, []func(*Point){front}, []func(*Point){sometime}, "<"},
		{"two fronts in one action", false, []func(*Point){front}, []func(*Point){front}, ">"},
		{"two fronts from a thread", true, []func(*Point){front}, []func(*Point){front}, "-"},
		{"unknown first", true, []func(*Point){sometime}, nil, "-"},
		{"unknown second", true, nil, []func(*Point){sometime}, "-"},
		{"unknown, then front", false, []func(*Point){sometime}, []func(*Point){front}, ">"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			from := w.click("C")
			if c.thread {
				th := w.thread("T")
				w.do(from, Start, th)
				from = th
			}
			a, b := w.message("A"), w.message("B")
			w.do(from, Post, a, c.a...)
			w.do(from, Post, b, c.b...)
			g := w.build(t)
			check(t, g, a, b, SameCause, c.want)
			check(t, g, a, b, SameInstance, "-")
		})
	}
}

func TestInterActionTransitivity(t *testing.T) { // SIERRA figure 7
	for _, kind := range []QueueKind{QueueLooper, QueueSerial, QueueParallel, QueueUnknown, QueueThread} {
		w := newWorld()
		q := w.AddQueue(Queue{Name: "q", Kind: kind, Scope: ScopeProcess})
		create, destroy := w.life("onCreate", cbCreate), w.life("onDestroy", cbDestroy)
		a3, a4 := w.on(q, KindTask, "A3"), w.on(q, KindTask, "A4")
		w.do(create, Post, a3)
		w.do(destroy, Post, a4)
		g := w.build(t)
		want := "-"
		if kind == QueueLooper || kind == QueueSerial {
			want = "<"
		}
		check(t, g, a3, a4, SameInstance, want)
		check(t, g, create, a4, SameInstance, "<")
	}
}

func TestScopes(t *testing.T) {
	for _, c := range []struct {
		scope      Scope
		sc, si, oi string
	}{
		{ScopeProcess, "<", "<", "-"},
		{ScopeInstance, "<", "<", "-"},
		{ScopeUnknown, "-", "-", "-"},
		{ScopeRun, "-", "-", "-"},
	} {
		w := newWorld()
		q := w.AddQueue(Queue{Name: "q", Kind: QueueLooper, Scope: c.scope, Component: w.activity})
		create := w.life("onCreate", cbCreate)
		a, b := w.on(q, KindMessage, "a"), w.on(q, KindMessage, "b")
		w.do(create, Post, a)
		w.do(create, Post, b)
		g := w.build(t)
		check(t, g, a, b, SameCause, c.sc)
		check(t, g, a, b, SameInstance, c.si)
		check(t, g, a, b, OtherInstance, c.oi)
	}
	w := newWorld()
	click := w.click("onClick")
	q := w.AddQueue(Queue{Name: "q", Kind: QueueLooper, Scope: ScopeRun, Owner: click})
	a, b := w.on(q, KindMessage, "a"), w.on(q, KindMessage, "b")
	w.do(click, Post, a)
	w.do(click, Post, b)
	g := w.build(t)
	check(t, g, a, b, SameCause, "<")
	check(t, g, a, b, SameInstance, "-")
	if g.InCauseOrder(a, a) {
		t.Error("fresh loopers keep the order of clicks")
	}
}

func TestSeveralCauses(t *testing.T) {
	w := newWorld()
	create, resume, click := w.life("onCreate", cbCreate), w.life("onResume", cbResume), w.click("onClick")
	a, b, tick := w.message("a"), w.message("b"), w.message("tick")
	w.do(create, Post, a)
	w.do(resume, Post, b)
	w.do(click, Post, b)
	w.do(click, Post, tick)
	w.do(tick, Post, tick, after(1000))
	w.do(tick, Post, b)
	g := w.build(t)
	check(t, g, click, b, SameCause, "-") // onResume posts it too
	check(t, g, create, b, SameCause, "<")
	check(t, g, a, b, SameInstance, "<")
	check(t, g, create, tick, SameInstance, "<") // re-posting keeps it
	check(t, g, a, tick, SameInstance, "<")
	check(t, g, click, tick, SameCause, "<")
	if g.InCauseOrder(tick, tick) {
		t.Error("two ticking chains are in the order of their causes")
	}
}

func TestCycleWithTwoEntries(t *testing.T) {
	w := newWorld()
	create, resume, click := w.life("onCreate", cbCreate), w.life("onResume", cbResume), w.click("onClick")
	first, b, c := w.message("first"), w.message("b"), w.message("c")
	w.do(create, Post, first)
	w.do(resume, Post, b)
	w.do(click, Post, c)
	w.do(b, Post, c)
	w.do(c, Post, b)
	g := w.build(t)
	for _, x := range []ActionID{b, c} {
		check(t, g, create, x, SameInstance, "<")
		check(t, g, first, x, SameInstance, "<")
		check(t, g, click, x, SameCause, "-")
	}
	check(t, g, b, c, SameCause, "-")
}

func TestDominanceInLoops(t *testing.T) {
	w := newWorld()
	click := w.click("onClick")
	a, b, c := w.message("a"), w.message("b"), w.message("c")
	loop := func(p *Point) { p.Loop = true }
	w.do(click, Post, a, loop)
	w.do(click, Post, b, loop)
	w.do(click, Post, c)
	w.prog.loops[click] = [][2]Site{{10, 20}}
	g := w.build(t)
	check(t, g, a, b, SameCause, "-")
	check(t, g, a, c, SameCause, "<")
	check(t, g, b, c, SameCause, "<")
}

func TestBranches(t *testing.T) {
	w := newWorld()
	click := w.click("onClick")
	a, b := w.message("a"), w.message("b")
	w.do(click, Post, a, maybe)
	w.prog.optional[At{click, 10}] = true
	w.do(click, Post, b)
	g := w.build(t)
	check(t, g, a, b, SameCause, "<") // if both run
	w = newWorld()
	click = w.click("onClick")
	a, b = w.message("a"), w.message("b")
	p := w.do(click, Post, a)
	w.Points[p].Targets = []ActionID{a, b} // one of them, not known which
	check(t, w.build(t), a, b, SameCause, "-")
}

func TestProcessStart(t *testing.T) {
	w := newWorld()
	app := w.AddAction(Action{Name: "Application.onCreate", Kind: KindProcess, Queue: w.main, Callback: -1})
	binder := w.AddQueue(Queue{Name: "binder", Kind: QueueParallel, Scope: ScopeProcess})
	create, click := w.life("onCreate", cbCreate), w.click("onClick")
	query := w.on(binder, KindSystem, "query")
	early, m := w.message("early"), w.message("m")
	w.do(app, Post, early)
	w.do(click, Post, m)
	g := w.build(t)
	for _, x := range []ActionID{create, click, m, early} {
		check(t, g, app, x, OtherInstance, "<")
	}
	check(t, g, app, query, SameInstance, "-")
	check(t, g, early, m, OtherInstance, "<") // posted first
	check(t, g, early, create, SameCause, "-")
}

func TestCancel(t *testing.T) {
	type opt = []func(*Point)
	for _, c := range []struct {
		name  string
		where int32 // callback that posts
		post  opt
		stop  opt
		want  string
	}{
		{"posted once", cbCreate, opt{after(500)}, nil, "<"},
		{"on some paths only", cbCreate, opt{after(500)}, opt{maybe}, "-"},
		{"one object of many", cbClick, opt{after(500)}, nil, "-"},
		{"every object", cbClick, opt{after(500)}, opt{every}, "<"},
		{"posted after the cancel", cbDestroy, opt{after(500)}, opt{every}, "-"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			poster := w.life("poster", c.where)
			if c.where == cbClick {
				w.Actions[poster].Kind = KindGUI
			}
			destroy := w.life("onDestroy", cbDestroy)
			a := w.message("a")
			w.do(poster, Post, a, c.post...)
			w.do(destroy, Cancel, a, c.stop...)
			check(t, w.build(t), a, destroy, SameInstance, c.want)
		})
	}
	w := newWorld()
	create, destroy := w.life("onCreate", cbCreate), w.life("onDestroy", cbDestroy)
	tick := w.message("tick")
	w.do(create, Post, tick)
	w.do(tick, Post, tick, after(1000))
	w.do(destroy, Cancel, tick, every)
	check(t, w.build(t), tick, destroy, SameInstance, "<")
}

func TestUnregister(t *testing.T) {
	for _, c := range []struct {
		queue string
		want  string
	}{{"main", "<"}, {"binder", "-"}} {
		w := newWorld()
		q := w.main
		if c.queue != "main" {
			q = w.AddQueue(Queue{Name: c.queue, Kind: QueueParallel, Scope: ScopeProcess})
		}
		create, destroy := w.life("onCreate", cbCreate), w.life("onDestroy", cbDestroy)
		recv := w.AddAction(Action{Name: "onReceive", Kind: KindSystem, Queue: q, Component: w.activity, Callback: -1})
		w.do(create, Register, recv)
		w.do(destroy, Unregister, recv)
		g := w.build(t)
		check(t, g, recv, destroy, SameInstance, c.want)
		if c.queue == "main" {
			check(t, g, create, recv, SameInstance, "<")
		} else if !g.PointBefore(At{create, 5}, At{recv, 1}, SameInstance) {
			t.Error("what precedes the registration is not before the run")
		}
	}
}

func TestResumePosts(t *testing.T) {
	w := newWorld()
	resume, pause := w.life("onResume", cbResume), w.life("onPause", cbPause)
	now, later := w.message("now"), w.message("later")
	w.do(resume, Post, now)
	w.do(resume, Post, later, after(10))
	g := w.build(t)
	check(t, g, resume, now, SameCause, "<")
	check(t, g, now, pause, SameInstance, "-")
	if !g.InCauseOrder(resume, now) || g.InCauseOrder(resume, later) || g.InCauseOrder(pause, now) {
		t.Error("a post without delay runs before the next callback of the same name, no other")
	}
	if !g.InCauseOrder(now, now) || !g.InCauseOrder(later, later) || g.InCauseOrder(now, later) {
		t.Error("posts with one delay keep the order of their causes, others do not")
	}
}

func TestCauseOrderAcross(t *testing.T) {
	w := newWorld()
	create, destroy, click := w.life("onCreate", cbCreate), w.life("onDestroy", cbDestroy), w.click("onClick")
	a, b, m := w.message("a"), w.message("b"), w.message("m")
	w.do(create, Post, a)
	w.do(destroy, Post, b, after(5))
	w.do(click, Post, m)
	g := w.build(t)
	if !g.InCauseOrder(a, b) || g.InCauseOrderAcross(a, b) {
		t.Error("in one instance all of a come before b; a second instance may overtake the delay")
	}
	if !g.InCauseOrderAcross(m, m) || !g.InCauseOrderAcross(a, m) {
		t.Error("the main looper keeps the order of posts of two instances")
	}
}

func TestOwnedComponent(t *testing.T) {
	w := newWorld()
	click := w.click("onClick")
	early, detail := w.message("early"), w.AddComponent(Component{Name: "Detail", Automaton: activityAutomaton(), Owned: true})
	create := w.AddAction(Action{Name: "Detail.onCreate", Kind: KindLifecycle, Queue: w.main, Component: detail, Callback: cbCreate})
	w.do(click, Post, early)
	w.do(click, StartComponent, create)
	g := w.build(t)
	check(t, g, click, create, SameCause, "<")
	check(t, g, click, create, SameInstance, "-")
	w.Components[detail].Owned = false
	check(t, w.build(t), click, create, SameCause, "-")
}

func TestDanglingAndBroken(t *testing.T) {
	w := newWorld()
	a, b := w.message("a"), w.message("b")
	w.do(a, Post, b)
	w.do(b, Post, a)
	g := w.build(t)
	check(t, g, a, b, SameCause, "<") // only a posts b; who starts a is not known
	check(t, g, a, b, SameInstance, "-")
	w.do(a, Post, 99)
	if w.Model.Check() == nil {
		t.Error("a point without target passes")
	}
	Build(&w.Model).Before(99, -1, SameCause)
	Build(&Model{}).Edges()
}
