package hb

import (
	"slices"
	"testing"
)

// near is a rule with a program that it must order, and others, each beside it by
// one difference, that it must not. A program returns what comes first, what
// comes after it, and the relation that is asked for.
type near struct {
	rule   rule
	name   string
	build  func(w *world, edit string) (a, b ActionID, rel Relation)
	misses []string // edits
}

// nears has the rules of the closure. Those of order.go stand in order_test.go.
var nears = []near{
	{ruleTransitive, "over a run that is sure", func(w *world, edit string) (a, b ActionID, rel Relation) {
		a, b = w.life("onCreate", cbCreate), w.message("b")
		click := w.click("onClick")
		w.do(click, Post, b)
		if edit == "posted by something else too" {
			w.do(w.message("other"), Post, b)
		}
		return a, b, SameInstance
	}, []string{"posted by something else too"}},
	{ruleInvocation, "a thread's results come after what starts it", func(w *world, edit string) (a, b ActionID, rel Relation) {
		click, th, done := w.click("onClick"), w.thread("T"), w.message("done")
		if edit == "runs on another thread than the result" {
			w.Actions[click].Queue = w.AddQueue(Queue{Name: "binder", Kind: QueueParallel, Scope: ScopeProcess})
		}
		w.do(click, Start, th)
		w.do(th, Post, done)
		return click, done, SameCause
	}, []string{"runs on another thread than the result"}},
	{ruleAtEnd, "the last step", func(w *world, edit string) (a, b ActionID, rel Relation) {
		th, done := w.thread("T"), w.message("done")
		w.do(w.click("onClick"), Start, th)
		p := w.do(th, Post, done, atEnd)
		if edit == "more follows" {
			w.Points[p].AtEnd = false
		}
		return th, done, SameCause
	}, []string{"more follows"}},
	{ruleLooper, "a message after its poster", func(w *world, edit string) (a, b ActionID, rel Relation) {
		a, b = w.click("onClick"), w.message("m")
		w.do(a, Post, b)
		switch edit {
		case "on a pool":
			w.Queues[w.main].Kind = QueueParallel
		case "on loopers that are not known":
			w.Queues[w.main].Scope = ScopeUnknown
		}
		return a, b, SameCause
	}, []string{"on a pool", "on loopers that are not known"}},
	{ruleAutomaton, "create before destroy", func(w *world, edit string) (a, b ActionID, rel Relation) {
		a, b = w.life("first", cbCreate), w.life("last", cbDestroy)
		if edit == "comes again" {
			w.Actions[a].Callback, w.Actions[b].Callback = cbResume, cbPause
		}
		rel = SameInstance
		if edit == "of another instance" {
			rel = OtherInstance
		}
		return a, b, rel
	}, []string{"comes again", "of another instance"}},
	{ruleProcess, "the application first", func(w *world, edit string) (a, b ActionID, rel Relation) {
		a = w.AddAction(Action{Name: "Application.onCreate", Kind: KindProcess, Queue: w.main, Callback: -1, Repeats: edit == "runs again"})
		b = w.life("onCreate", cbCreate)
		if edit == "off its looper" {
			w.Actions[b].Queue = w.AddQueue(Queue{Name: "binder", Kind: QueueParallel, Scope: ScopeProcess})
		}
		return a, b, OtherInstance
	}, []string{"runs again", "off its looper"}},
	{ruleQueue, "first posted", func(w *world, edit string) (a, b ActionID, rel Relation) {
		th := w.thread("T")
		w.do(w.click("onClick"), Start, th)
		a, b = w.message("a"), w.message("b")
		p, q := w.do(th, Post, a), w.do(th, Post, b)
		switch edit {
		case "a longer delay":
			w.Points[p].Delay = Delay{true, 1}
		case "a delay that is not known":
			w.Points[q].Delay = Delay{}
		case "several runs of one post":
			w.Points[p].Repeat = true
		case "a queue without order among equals":
			w.Queues[w.main].NoFIFO = true
		case "two loopers":
			w.Actions[b].Queue = w.AddQueue(Queue{Name: "q", Kind: QueueLooper, Scope: ScopeProcess})
		}
		return a, b, SameCause
	}, []string{"a longer delay", "a delay that is not known", "several runs of one post", "a queue without order among equals", "two loopers"}},
	{ruleFront, "posted at the front by a run of the looper", func(w *world, edit string) (a, b ActionID, rel Relation) {
		from := w.click("onClick")
		a, b = w.message("a"), w.message("b")
		if edit == "by a thread" {
			th := w.thread("T")
			w.do(from, Start, th)
			from = th
		}
		w.do(from, Post, b)
		p := w.do(from, Post, a, front)
		if edit == "not at the front" {
			w.Points[p].Front = false
		}
		return a, b, SameCause
	}, []string{"by a thread", "not at the front"}},
	{ruleJoin, "joined, then posted", func(w *world, edit string) (a, b ActionID, rel Relation) {
		click, th, m := w.click("onClick"), w.thread("T"), w.message("m")
		start := w.do(click, Start, th)
		join := w.do(click, Join, th)
		w.do(click, Post, m)
		switch edit {
		case "joined on some paths":
			w.prog.optional[At{click, w.Points[join].Site}], w.Points[join].Must = true, false
		case "joined before it starts":
			w.Points[start].Site, w.Points[join].Site = w.Points[join].Site, w.Points[start].Site
		case "one of two":
			w.Points[join].Targets = append(w.Points[join].Targets, m)
		case "started elsewhere too":
			w.do(w.click("onLongClick"), Start, th)
		case "started in a loop":
			w.Points[start].Loop = true
			w.prog.loops[click] = [][2]Site{{w.Points[start].Site, w.Points[start].Site}}
		}
		return th, m, SameCause
	}, []string{"joined on some paths", "joined before it starts", "one of two", "started elsewhere too", "started in a loop"}},
	{ruleCauses, "each of two causes comes later", func(w *world, edit string) (a, b ActionID, rel Relation) {
		create, click := w.life("onCreate", cbCreate), w.click("onClick")
		a, b = w.message("a"), w.message("b")
		w.do(create, Post, a)
		w.do(click, Post, b)
		w.do(w.life("onDestroy", cbDestroy), Post, b)
		if edit == "and a third does not" {
			th := w.thread("T")
			w.do(create, Start, th)
			w.do(th, Post, b)
			w.Points[1].Delay = Delay{true, 5}
		}
		return a, b, SameInstance
	}, []string{"and a third does not"}},
	{ruleCancel, "cancelled", func(w *world, edit string) (a, b ActionID, rel Relation) {
		create, destroy := w.life("onCreate", cbCreate), w.life("onDestroy", cbDestroy)
		a = w.message("a")
		w.do(create, Post, a, after(500))
		c := w.do(destroy, Cancel, a)
		switch edit {
		case "on some paths":
			w.Points[c].Must = false
		case "one of two":
			w.Points[c].Targets = append(w.Points[c].Targets, w.message("b"))
		case "off its looper":
			w.Actions[a].Queue = w.AddQueue(Queue{Name: "q", Kind: QueueLooper, Scope: ScopeProcess})
		}
		return a, destroy, SameInstance
	}, []string{"on some paths", "one of two", "off its looper"}},
	{ruleJoined, "what a run has joined ends before what follows the run", func(w *world, edit string) (a, b ActionID, rel Relation) {
		click, th, m := w.click("onClick"), w.thread("T"), w.message("m")
		w.do(click, Post, m)
		w.do(click, Start, th)
		join := w.do(click, Join, th)
		if edit == "joined on some paths" {
			w.prog.optional[At{click, w.Points[join].Site}], w.Points[join].Must = true, false
		}
		return th, m, SameCause
	}, []string{"joined on some paths"}},
}

func TestNearMisses(t *testing.T) {
	for r := ruleTransitive; int(r) < len(ruleNames); r++ {
		if !slices.ContainsFunc(nears, func(n near) bool { return n.rule == r && len(n.misses) > 0 }) {
			t.Errorf("rule %q has no program beside the one that it orders", r)
		}
	}
	for _, n := range nears {
		w := newWorld()
		a, b, rel := n.build(w, "")
		g := w.build(t)
		if !g.Before(a, b, rel) {
			t.Errorf("%s: %s: not ordered", n.rule, n.name)
			continue
		}
		rules := []string{}
		for _, s := range g.Explain(a, b, rel) {
			rules = append(rules, s.Rule)
		}
		if f, _ := g.fact(ends, g.c.action(a), g.c.action(b)); f.rule != n.rule && !slices.Contains(rules, n.rule.String()) {
			t.Errorf("%s: %s: ordered by %q: %q", n.rule, n.name, f.rule, rules)
		}
		for _, edit := range n.misses {
			w := newWorld()
			if a, b, rel := n.build(w, edit); w.build(t).Before(a, b, rel) {
				t.Errorf("%s: %s: ordered", n.rule, edit)
			}
		}
	}
}

// TestNearCauseOrder: what keeps two posts in the order of their causes, and what
// does not.
func TestNearCauseOrder(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(w *world, p, q *Point)
		want bool
	}{
		{"equal delays", nil, true},
		{"another delay", func(_ *world, _, q *Point) { q.Delay.MS++ }, false},
		{"an unknown delay", func(_ *world, p, q *Point) { p.Delay, q.Delay = Delay{}, Delay{} }, false},
		{"at the front", func(_ *world, _, q *Point) { q.Front = true }, false},
		{"again and again", func(_ *world, p, _ *Point) { p.Repeat = true }, false},
		{"a pool", func(w *world, _, _ *Point) { w.Queues[w.main].Kind = QueueParallel }, false},
		{"no order among equals", func(w *world, _, _ *Point) { w.Queues[w.main].NoFIFO = true }, false},
	} {
		w := newWorld()
		click, other := w.click("onClick"), w.click("onLongClick")
		a, b := w.message("a"), w.message("b")
		p, q := w.do(click, Post, a, after(5)), w.do(other, Post, b, after(5))
		if c.edit != nil {
			c.edit(w, &w.Points[p], &w.Points[q])
		}
		g := w.build(t)
		if got := g.InCauseOrder(a, b); got != c.want {
			t.Errorf("%s: %v in one instance", c.name, got)
		}
		if got := g.InCauseOrderAcross(a, b); got != c.want {
			t.Errorf("%s: %v in the process", c.name, got)
		}
	}
}

// TestNearJoinThrough: what ended before the start of what a run has joined ended
// before what follows the join.
func TestNearJoinThrough(t *testing.T) {
	for _, edit := range []string{"", "the first may end later", "joined on some paths", "what is joined may never run"} {
		w := newWorld()
		serial := w.AddQueue(Queue{Name: "serial", Kind: QueueSerial, Scope: ScopeProcess})
		click := w.click("onClick")
		first, last := w.on(serial, KindTask, "first"), w.on(serial, KindTask, "last")
		w.do(click, Post, first)
		w.do(click, Post, last)
		if edit == "the first may end later" {
			w.Queues[serial].Kind = QueueParallel
		}
		w.Queues[serial].Lasting = edit != "what is joined may never run"
		join := w.do(click, Join, last)
		if edit == "joined on some paths" {
			w.prog.optional[At{click, w.Points[join].Site}], w.Points[join].Must = true, false
		}
		behind := At{click, w.site(click)}
		want := ByJoin
		if edit != "" {
			want = NoReason
		}
		ordered(t, edit, w.build(t), At{first, 5}, behind, SameCause, want)
	}
}
