package hb

import "testing"

// relayed is two callbacks, connected and event, in an instance in which event
// comes only after connected; the first posts init, the second posts use.
func relayed(initDelay, useDelay Delay) (w *world, connected, event, init, use ActionID) {
	w = newWorld()
	connected, event = w.life("connected", cbCreate), w.click("event")
	init, use = w.message("init"), w.message("use")
	w.do(connected, Post, init, func(p *Point) { p.Delay = initDelay })
	w.do(event, Post, use, func(p *Point) { p.Delay = useDelay })
	return w, connected, event, init, use
}

func TestPostedFirst(t *testing.T) {
	ms := func(n int64) Delay { return Delay{Known: true, MS: n} }
	for _, c := range []struct {
		name      string
		init, use Delay
		change    func(w *world)
		want      bool
	}{
		{"at once", Now, Now, nil, true},
		{"use later", Now, ms(5), nil, true},
		{"init later", ms(5), Now, nil, false},
		{"init at an unknown time", Delay{}, Now, nil, false},
		{"use at an unknown time", Now, Delay{}, nil, false},
		{"two queues", Now, Now, func(w *world) {
			w.Actions[4].Queue = w.AddQueue(Queue{Name: "q", Kind: QueueLooper, Scope: ScopeProcess})
		}, false},
		{"several loopers", Now, Now, func(w *world) {
			q := w.AddQueue(Queue{Name: "q", Kind: QueueLooper})
			w.Actions[3].Queue, w.Actions[4].Queue = q, q
		}, false},
		{"the looper of the instance, which neither is of", Now, Now, func(w *world) {
			q := w.AddQueue(Queue{Name: "q", Kind: QueueLooper, Scope: ScopeInstance, Component: w.activity})
			w.Actions[3].Queue, w.Actions[4].Queue = q, q
		}, false},
		{"init cancelled", Now, Now, func(w *world) { w.do(2, Cancel, 3) }, false},
		{"use ahead of the queue", Now, Now, func(w *world) { w.Points[2].Front = true }, false},
		{"use posted by another", Now, Now, func(w *world) { w.do(w.message("other"), Post, 4) }, false},
		{"use posts itself again", Now, Now, func(w *world) { w.do(4, Post, 4) }, true},
		{"the second event comes without the first", Now, Now, func(w *world) { w.Actions[1].Callback = cbPause }, false},
	} {
		w, _, _, init, use := relayed(c.init, c.use)
		// A run of init may still be pending when use runs, so that only the rule
		// for the first posts orders them.
		w.do(use, Post, init, maybe)
		if c.change != nil {
			c.change(w)
		}
		g := Build(&w.Model)
		if g.Before(init, use, SameInstance) {
			t.Errorf("%s: all of init comes before use", c.name)
		}
		if got := g.Earlier(init, use); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if g.Earlier(use, init) {
			t.Errorf("%s: use before init", c.name)
		}
	}
}

// TestEarlierCause: what precedes everything that makes an action run precedes
// the action.
func TestEarlierCause(t *testing.T) {
	w, connected, event, init, use := relayed(Delay{}, Delay{})
	w.do(init, Post, use, sometime)
	g := w.build(t)
	if !g.Earlier(connected, use) {
		t.Error("connected precedes all that posts use")
	}
	if g.Earlier(event, use) {
		t.Error("init posts use without event")
	}
	if g.Earlier(event, init) {
		t.Error("event precedes what connected posts")
	}
}

func TestProtocol(t *testing.T) {
	w := newWorld()
	src := w.AddSource(Source{Name: "callback"})
	on := func(name string) ActionID {
		return w.AddAction(Action{Name: name, Kind: KindSystem, Queue: w.main, Component: w.activity, Callback: -1, Source: src})
	}
	created, changed, other := on("surfaceCreated"), on("surfaceChanged"), on("other")
	w.Actions[changed].Preceded = []ActionID{created}
	create := w.life("onCreate", cbCreate)
	for _, a := range []ActionID{created, changed, other} {
		w.do(create, Register, a)
	}
	g := w.build(t)
	if !g.Earlier(created, changed) || g.Earlier(changed, created) || g.Earlier(created, other) {
		t.Error("surfaceCreated has run before surfaceChanged, and before nothing else")
	}
	if g.Before(created, changed, SameInstance) {
		t.Error("the surface may be created again")
	}
}

func TestEarlierInLife(t *testing.T) {
	w := newWorld()
	w.Queues[w.main].Main = true
	view := &Automaton{
		States: []string{"made", "attached", "detached"},
		Transitions: []Transition{
			{From: 0, To: 1, Callbacks: []int32{0, 1}},
			{From: 1, To: 2, Callbacks: []int32{2}},
			{From: 2, To: 1, Callbacks: []int32{1}},
		},
		Events: []Event{{Callback: 3, States: []int32{1}}},
	}
	src, twin := w.AddSource(Source{Automaton: view}), w.AddSource(Source{Automaton: view})
	on := func(name string, s SourceID, call int32) ActionID {
		return w.AddAction(Action{Name: name, Kind: KindGUI, Queue: w.main, Callback: -1, Source: s, SourceCall: call})
	}
	inflated, attached, detached, draw := on("onFinishInflate", src, 0), on("onAttached", src, 1), on("onDetached", src, 2), on("onDraw", src, 3)
	drawTwin := on("twin.onDraw", twin, 3)
	life := w.AddSource(Source{Automaton: w.Components[w.activity].Automaton})
	resume, pause, click := w.life("onResume", cbResume), w.life("onPause", cbPause), w.click("onClick")
	w.Actions[resume].Source, w.Actions[resume].SourceCall = life, cbResume
	w.Actions[pause].Source, w.Actions[pause].SourceCall = life, cbPause
	destroy := w.life("onDestroy", cbDestroy)
	w.Actions[destroy].Source, w.Actions[destroy].SourceCall = life, cbDestroy
	g := w.build(t)
	for _, c := range []struct {
		a, b ActionID
		want bool
	}{
		{inflated, attached, true}, {inflated, draw, true}, {attached, draw, true}, {attached, detached, true},
		{detached, attached, false}, // the first time it is attached
		{draw, detached, false},     // it may never be drawn
		{attached, inflated, false}, {inflated, drawTwin, false},
		{pause, resume, true}, // some walk has it: the second resume
		{resume, click, true}, {destroy, click, false}, {click, pause, false},
	} {
		if got := g.Earlier(c.a, c.b); got != c.want {
			t.Errorf("%s earlier than %s: %v", w.Actions[c.a].Name, w.Actions[c.b].Name, got)
		}
	}
	w.Actions[attached].Queue = w.AddQueue(Queue{Name: "q", Kind: QueueLooper, Scope: ScopeProcess})
	if w.build(t).Earlier(attached, draw) {
		t.Error("on two loopers")
	}
}
