package hb

import (
	"slices"
	"testing"
)

// Each rule has a program that it must order, and beside it one that differs in
// what the rule asks for, which it must not.

// ordered checks the answer of Order and its reason; NoReason is unordered.
func ordered(t *testing.T, name string, g *Graph, a, b At, rel Relation, want Reason) {
	t.Helper()
	way := Before
	if want == NoReason {
		way = Unordered
	}
	if got := g.Order(a, b, rel); got != (Ordering{way, want}) {
		t.Errorf("%s: %s and %s [%v] are %v by %v, want %v by %v", name, g.m.Actions[a.Action].Name, g.m.Actions[b.Action].Name, rel,
			got.Way, got.Reason, way, want)
	}
	if steps := g.Reasons(a, b, rel); (len(steps) > 0) != (want != NoReason) {
		t.Errorf("%s: the reasons are %v", name, steps)
	}
}

// latched is an activity whose onCreate starts a thread, which opens a gate, and
// whose click waits at it. It returns the sites around the signal and the wait.
func latched(edit func(w *world, signal, wait *Point)) (g *Graph, early, late, ahead, behind At) {
	w := newWorld()
	create, click := w.life("onCreate", cbCreate), w.click("onClick")
	th := w.thread("load")
	w.do(create, Start, th)
	gate := w.AddGate(Gate{Name: "latch", Scope: ScopeInstance, Component: w.activity, Closed: true})
	early = At{th, w.site(th)}
	signal := w.AddPoint(Point{Kind: Signal, Action: th, Site: w.site(th), Gates: []GateID{gate}})
	late = At{th, w.site(th)}
	ahead = At{click, w.site(click)}
	wait := w.AddPoint(Point{Kind: Await, Action: click, Site: w.site(click), Gates: []GateID{gate}})
	behind = At{click, w.site(click)}
	if edit != nil {
		edit(w, &w.Points[signal], &w.Points[wait])
	}
	return Build(&w.Model), early, late, ahead, behind
}

func TestAwait(t *testing.T) {
	g, early, late, ahead, behind := latched(nil)
	for _, rel := range []Relation{SameCause, SameInstance} {
		ordered(t, "signalled after it", g, early, behind, rel, ByAwait)
		ordered(t, "not yet awaited", g, early, ahead, rel, NoReason)
		ordered(t, "after the signal", g, late, behind, rel, NoReason)
	}
	ordered(t, "the latch of another instance", g, early, behind, OtherInstance, NoReason)
	for _, c := range []struct {
		name string
		edit func(w *world, signal, wait *Point)
	}{
		{"open from the start", func(w *world, _, _ *Point) { w.Gates[1].Closed = false }},
		{"several objects", func(w *world, _, _ *Point) { w.Gates[1].Scope = ScopeUnknown }},
		{"one gate, a thread for each instance", func(w *world, _, _ *Point) { w.Gates[1].Scope = ScopeProcess }},
		{"one of two gates", func(w *world, _, wait *Point) {
			wait.Gates = append(wait.Gates, w.AddGate(Gate{Scope: ScopeProcess, Closed: true}))
		}},
		{"another signals too", func(w *world, s, _ *Point) {
			p := *s
			p.Action = w.click("onLongClick")
			w.AddPoint(p)
		}},
		{"the thread is started by each click", func(w *world, _, _ *Point) { w.Actions[1].Kind, w.Actions[1].Callback = KindGUI, cbClick }},
		{"on some paths only", func(w *world, _, wait *Point) { w.prog.optional[At{wait.Action, wait.Site}] = true }},
		{"signalled in a loop", func(w *world, s, _ *Point) { w.prog.loops[s.Action] = [][2]Site{{s.Site - 10, s.Site}} }},
	} {
		g, early, _, _, behind := latched(c.edit)
		ordered(t, c.name, g, early, behind, SameInstance, NoReason)
	}
}

// hosted is a fragment with a click, in an activity.
func hosted(edit func(w *world)) (w *world, click, view, pause, destroy, result ActionID) {
	w = newWorld()
	w.Queues[w.main].Main = true
	pause, destroy = w.life("onPause", cbPause), w.life("onDestroy", cbDestroy)
	result = w.AddAction(Action{Name: "onActivityResult", Kind: KindGUI, Queue: w.main, Component: w.activity, Callback: cbResult})
	c := w.AddComponent(Component{Name: "Fragment", Host: w.activity, Automaton: &Automaton{
		States: []string{"new", "resumed", "gone"},
		Transitions: []Transition{
			{From: 0, To: 1, Callbacks: []int32{0}},
			{From: 1, To: 2, Callbacks: []int32{1}},
		},
		Events: []Event{{Callback: 2, States: []int32{1}}},
	}, Needs: [][]int32{nil, {3, 4}, nil}})
	view = w.AddAction(Action{Name: "onDestroyView", Kind: KindLifecycle, Queue: w.main, Component: c, Callback: 1})
	click = w.AddAction(Action{Name: "onItemClick", Kind: KindGUI, Queue: w.main, Component: c, Callback: 2})
	if edit != nil {
		edit(w)
	}
	return w, click, view, pause, destroy, result
}

func TestHosted(t *testing.T) {
	w, click, view, pause, destroy, result := hosted(nil)
	g := w.build(t)
	ordered(t, "over", g, At{click, 1}, At{destroy, 1}, SameInstance, ByHost)
	ordered(t, "over", g, At{click, 1}, At{destroy, 1}, SameCause, ByHost)
	ordered(t, "two instances", g, At{click, 1}, At{destroy, 1}, OtherInstance, NoReason)
	ordered(t, "resumes again", g, At{click, 1}, At{pause, 1}, SameInstance, NoReason)
	ordered(t, "an event of the host ends nothing", g, At{click, 1}, At{result, 1}, SameInstance, NoReason)
	ordered(t, "needs nothing of its host", g, At{view, 1}, At{destroy, 1}, SameInstance, NoReason)
	for _, c := range []struct {
		name string
		edit func(w *world)
	}{
		{"its host is not known", func(w *world) { w.Components[2].Host = 0 }},
		{"another host", func(w *world) {
			w.Components[2].Host = w.AddComponent(Component{Name: "Other", Automaton: activityAutomaton()})
		}},
		{"any state of the host will do", func(w *world) { w.Components[2].Needs = nil }},
		{"off the main looper", func(w *world) {
			w.Actions[len(w.Actions)-1].Queue = w.AddQueue(Queue{Name: "binder", Kind: QueueParallel, Scope: ScopeProcess})
		}},
	} {
		w, click, _, _, destroy, _ := hosted(c.edit)
		ordered(t, c.name, w.build(t), At{click, 1}, At{destroy, 1}, SameInstance, NoReason)
	}
}

func TestOneProcess(t *testing.T) {
	w := newWorld()
	w.Components[w.activity].Process = 1
	remote := w.AddComponent(Component{Name: "Remote", Process: 2})
	part := w.AddComponent(Component{Name: "Part", Process: 1, Host: remote})
	anywhere := w.AddComponent(Component{Name: "Everywhere"})
	click, message := w.click("onClick"), w.message("m")
	in := func(c ComponentID) ActionID {
		return w.AddAction(Action{Name: "callback", Kind: KindSystem, Queue: w.main, Component: c, Callback: -1})
	}
	far, guest, all := in(remote), in(part), in(anywhere)
	g := w.build(t)
	for _, c := range []struct {
		a, b ActionID
		want bool
	}{{click, click, true}, {click, far, false}, {far, guest, true}, {click, guest, false}, {click, message, true}, {far, message, true}, {far, all, true}} {
		if g.OneProcess(c.a, c.b) != c.want || g.OneProcess(c.b, c.a) != c.want {
			t.Errorf("%s and %s: want %v", w.Actions[c.a].Name, w.Actions[c.b].Name, c.want)
		}
	}
}

// inOrder checks the reason why runs of different causes are in the order of
// their causes, and that Unordered says the same of their sites.
func inOrder(t *testing.T, name string, g *Graph, a, b ActionID, rel Relation, want Reason) {
	t.Helper()
	if got, back := g.InOrder(a, b, rel), g.InOrder(b, a, rel); got != want || back != want {
		t.Errorf("%s: %s and %s [%v] are in order by %v and %v, want %v", name, g.m.Actions[a].Name, g.m.Actions[b].Name, rel, got, back, want)
	}
	if want != NoReason && rel == SameInstance && a == b && g.Unordered(At{a, 5}, At{b, 5}, rel) {
		t.Errorf("%s: %s is in order, but unordered with itself", name, g.m.Actions[a].Name)
	}
	if want == NoReason && !g.Unordered(At{a, 5}, At{b, 5}, rel) {
		t.Errorf("%s: %s and %s are ordered", name, g.m.Actions[a].Name, g.m.Actions[b].Name)
	}
}

func TestEventsInOrder(t *testing.T) {
	w := newWorld()
	w.Queues[w.main].Main = true
	looper := w.AddQueue(Queue{Name: "looper", Kind: QueueLooper, Scope: ScopeProcess})
	resume, click := w.life("onResume", cbResume), w.click("onClick")
	receive := w.AddAction(Action{Name: "onReceive", Kind: KindSystem, Queue: looper, Callback: -1})
	elsewhere := w.AddAction(Action{Name: "draw", Kind: KindGUI, Queue: looper, Callback: -1})
	late := w.message("late")
	w.do(click, Post, late, after(5))
	g := w.build(t)
	for rel := SameCause; rel <= OtherInstance; rel++ {
		inOrder(t, "two events", g, resume, click, rel, ByEvents)
		inOrder(t, "a delayed message", g, resume, late, rel, NoReason)
		inOrder(t, "another looper", g, click, elsewhere, rel, NoReason)
		inOrder(t, "no event", g, click, receive, rel, NoReason)
	}
}

func TestOneSource(t *testing.T) {
	for _, c := range []struct {
		name string
		kind QueueKind
		one  bool // registration
		same bool // queue
		want Reason
	}{
		{"one registration on one looper", QueueLooper, true, true, BySource},
		{"one registration on one serial executor", QueueSerial, true, true, BySource},
		{"two registrations", QueueLooper, false, true, NoReason},
		{"a pool", QueueParallel, true, true, NoReason},
		{"two loopers", QueueLooper, true, false, NoReason},
	} {
		w := newWorld()
		q := w.AddQueue(Queue{Name: "q", Kind: c.kind}) // which looper is not known
		p, a := q, w.AddSource(Source{Name: "listener"})
		b := a
		if !c.one {
			b = w.AddSource(Source{Name: "listener"})
		}
		if !c.same {
			p = w.AddQueue(Queue{Name: "p", Kind: c.kind})
		}
		x := w.AddAction(Action{Name: "onLocationChanged", Kind: KindSystem, Queue: q, Callback: -1, Source: a})
		y := w.AddAction(Action{Name: "onProviderDisabled", Kind: KindSystem, Queue: p, Callback: -1, Source: b})
		inOrder(t, c.name, w.build(t), x, y, SameInstance, c.want)
	}
}

func TestSeries(t *testing.T) {
	type program func(w *world, create, click, tick ActionID)
	post := func(edit ...func(*Point)) func(w *world, from, to ActionID) {
		return func(w *world, from, to ActionID) { w.do(from, Post, to, edit...) }
	}
	repeat := func(p *Point) { p.Repeat = true }
	loop := func(p *Point) { p.Loop = true }
	own := post(after(100))
	for _, c := range []struct {
		name  string
		queue QueueKind
		build program
		want  Reason
	}{
		{"periodic", QueueParallel, func(w *world, create, _, tick ActionID) { post(repeat)(w, create, tick) }, BySeries},
		{"periodic, scheduled by each click", QueueParallel, func(w *world, _, click, tick ActionID) { post(repeat)(w, click, tick) }, NoReason},
		{"periodic, scheduled in a loop", QueueParallel, func(w *world, create, _, tick ActionID) { post(repeat, loop)(w, create, tick) }, NoReason},
		{"periodic, and posted", QueueParallel, func(w *world, create, click, tick ActionID) {
			post(repeat)(w, create, tick)
			post()(w, click, tick)
		}, NoReason},
		{"a chain on a looper", QueueLooper, func(w *world, create, _, tick ActionID) { post()(w, create, tick); own(w, tick, tick) }, BySeries},
		{"a chain begun by each click", QueueLooper, func(w *world, _, click, tick ActionID) { post()(w, click, tick); own(w, tick, tick) }, NoReason},
		{"two chains", QueueLooper, func(w *world, create, click, tick ActionID) {
			post()(w, create, tick)
			post()(w, click, tick)
			own(w, tick, tick)
		}, NoReason},
		{"a run posts two more", QueueLooper, func(w *world, create, _, tick ActionID) {
			post()(w, create, tick)
			own(w, tick, tick)
			own(w, tick, tick)
		}, NoReason},
		{"a chain in a pool", QueueParallel, func(w *world, create, _, tick ActionID) { post()(w, create, tick); own(w, tick, tick) }, NoReason},
		{"a chain in a pool, posted as the last step", QueueParallel, func(w *world, create, _, tick ActionID) {
			post()(w, create, tick)
			post(after(100), atEnd)(w, tick, tick)
		}, BySeries},
	} {
		w := newWorld()
		create, click := w.life("onCreate", cbCreate), w.click("onClick")
		tick := w.on(w.AddQueue(Queue{Name: "q", Kind: c.queue, Scope: ScopeProcess}), KindTask, "tick")
		c.build(w, create, click, tick)
		g := w.build(t)
		inOrder(t, c.name, g, tick, tick, SameInstance, c.want)
		inOrder(t, c.name+", of two instances", g, tick, tick, OtherInstance, NoReason)
		w.Components[w.activity].Single = true
		inOrder(t, c.name+", of the only instance", w.build(t), tick, tick, OtherInstance, c.want)
	}
}

func TestBirth(t *testing.T) {
	w := newWorld()
	w.Components[w.activity].Automaton.Transitions[0].Callbacks = []int32{99, cbCreate}
	birth := w.AddAction(Action{Name: "<init>", Kind: KindLifecycle, Queue: w.main, Component: w.activity, Callback: 99, Birth: true})
	create, start, click := w.life("onCreate", cbCreate), w.life("onStart", cbStart), w.click("onClick")
	other := w.AddComponent(Component{Name: "Service"})
	bind := w.AddAction(Action{Name: "onBind", Kind: KindSystem, Queue: w.main, Component: other, Callback: -1})
	w.Queues[w.main].Main = true
	nested := w.click("onTextChanged")
	background := w.thread("T")
	for _, a := range []ActionID{birth, create, start, click, bind, background} {
		w.Actions[a].Separate = true
	}
	g := w.build(t)
	if !g.IsBirth(birth) || g.IsBirth(create) {
		t.Error("the constructor is the birth")
	}
	if !g.FirstOfInstance(create) || g.FirstOfInstance(start) || g.FirstOfInstance(click) || g.FirstOfInstance(bind) {
		t.Error("onCreate is the first callback, but for the constructor")
	}
	for _, c := range []struct {
		a, b ActionID
		want bool
	}{{birth, bind, true}, {create, bind, true}, {create, click, true}, {create, nested, false}, {create, background, false}, {create, create, false}, {start, click, false}} {
		if got := g.AfterBirth(c.a, c.b); got != c.want {
			t.Errorf("%s works on the instance only after %s: %v", w.Actions[c.b].Name, w.Actions[c.a].Name, got)
		}
	}
}

func TestDescent(t *testing.T) {
	w := newWorld()
	create, click := w.life("onCreate", cbCreate), w.click("onClick")
	th, a, b, c := w.thread("T"), w.message("a"), w.message("b"), w.message("c")
	w.do(create, Start, th)
	w.do(th, Post, a)
	w.do(a, Post, b)
	w.do(b, Post, b, after(10)) // a cycle
	w.do(click, Post, c, func(p *Point) { p.Repeat = true })
	g := w.build(t)
	below := map[ActionID][]ActionID{create: {create, th, a, b}, th: {th, a, b}, a: {a, b}, b: {b}, click: {click, c}, c: {c}}
	for x, ys := range below {
		for y := create; y <= c; y++ {
			if got := g.Descends(x, y); got != slices.Contains(ys, y) {
				t.Errorf("%s leads to %s: %v", w.Actions[x].Name, w.Actions[y].Name, got)
			}
		}
	}
	stems := func(x, from ActionID) bool { return g.StemsFrom(x, func(y ActionID) bool { return y == from }) }
	if !stems(a, th) || !stems(a, create) || !stems(a, a) {
		t.Error("each run of a stems from one of T, and that from one of onCreate")
	}
	if stems(b, th) || stems(c, click) || stems(th, click) {
		t.Error("what is posted twice, or again and again, stems from no single run")
	}
	if g.EveryCause(create, func(At) bool { return true }) {
		t.Error("nothing posts onCreate")
	}
	from := func(x ActionID) func(At) bool { return func(p At) bool { return p.Action == x } }
	if !g.EveryCause(a, from(th)) || g.EveryCause(b, from(a)) {
		t.Error("T alone posts a; a and b post b")
	}
}

// TestDescentCycles compares the rows with a plain search on cliques and chains.
func TestDescentCycles(t *testing.T) {
	leads := [][]node{{1}, {2, 3}, {0}, {4, 5}, {3}, {6}, {7}, {5}, nil}
	below := closeOver(leads)
	for x := range leads {
		seen := newRow(len(leads))
		for work := []node{node(x)}; len(work) > 0; {
			y := work[len(work)-1]
			work = work[:len(work)-1]
			if !seen.has(y) {
				seen.set(y)
				work = append(work, leads[y]...)
			}
		}
		if !slices.Equal(seen, below[x]) {
			t.Errorf("%d leads to %b, want %b", x, below[x], seen)
		}
	}
}
