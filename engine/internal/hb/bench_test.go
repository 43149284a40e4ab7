package hb

import (
	"fmt"
	"testing"
)

// bigWorld has components with clicks that post messages, start tasks which
// post back, and re-post.
func bigWorld(components, clicks int) *world {
	w := newWorld()
	w.Components = w.Components[:1]
	serial := w.AddQueue(Queue{Name: "serial", Kind: QueueSerial, Scope: ScopeProcess})
	w.AddAction(Action{Name: "app", Kind: KindProcess, Queue: w.main, Callback: -1})
	for c := range components {
		w.activity = w.AddComponent(Component{Name: fmt.Sprint("A", c), Automaton: activityAutomaton()})
		var roots []ActionID
		for _, cb := range []int32{cbCreate, cbStart, cbResume, cbPause, cbStop, cbDestroy} {
			roots = append(roots, w.life("life", cb))
		}
		for range clicks {
			roots = append(roots, w.click("click"))
		}
		for _, r := range roots {
			m, bg, post := w.message("m"), w.on(serial, KindTask, "bg"), w.message("post")
			w.do(r, Post, m)
			w.do(r, Post, bg)
			w.do(bg, Post, post, atEnd)
			w.do(m, Post, m, after(100))
			w.do(post, Post, m)
		}
	}
	return w
}

func BenchmarkBuild(b *testing.B) {
	for _, c := range []struct{ components, clicks int }{{100, 2}, {25, 25}, {1, 750}} {
		w := bigWorld(c.components, c.clicks)
		b.Run(fmt.Sprintf("components=%d/actions=%d", c.components, len(w.Actions)-1), func(b *testing.B) {
			edges := 0
			for b.Loop() {
				edges = Build(&w.Model).Edges()
			}
			b.ReportMetric(float64(edges), "edges")
		})
	}
}

// BenchmarkOrder measures the tables for the rules outside the closure, and
// queries of pairs that no rule orders, which try them all.
func BenchmarkOrder(b *testing.B) {
	w := bigWorld(25, 25)
	g := Build(&w.Model)
	b.Run("tables", func(b *testing.B) {
		for b.Loop() {
			newOrders(g.c.tree)
		}
	})
	n := len(w.Actions)
	b.Run("query", func(b *testing.B) {
		i := 0
		for b.Loop() {
			i = (i + 7919) % (n * n)
			g.Order(At{ActionID(1 + i%(n-1)), 10}, At{ActionID(1 + i/n%(n-1)), 10}, SameInstance)
		}
	})
	b.Run("earlier", func(b *testing.B) {
		i := 0
		for b.Loop() {
			i = (i + 7919) % (n * n)
			g.Earlier(ActionID(1+i%(n-1)), ActionID(1+i/n%(n-1)))
		}
	})
	b.Run("inOrder", func(b *testing.B) {
		i := 0
		for b.Loop() {
			i = (i + 7919) % (n * n)
			g.InOrder(ActionID(1+i%(n-1)), ActionID(1+i/n%(n-1)), SameInstance)
		}
	})
}
