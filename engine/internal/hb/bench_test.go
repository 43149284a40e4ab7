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
