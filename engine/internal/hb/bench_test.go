package hb

import (
	"fmt"
	"runtime"
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

// shapes are models of apps that post in extremes; size is what the name counts.
var shapes = []struct {
	name  string
	sizes []int
	make  func(size int) *world
}{
	{"chain of posts", []int{1500, 3000, 6000}, func(n int) *world { return chain(n, 1) }},
	{"each posts the next three times", []int{60, 1500, 3000, 6000}, func(n int) *world { return chain(n, 3) }},
	{"chain of posts with a leaf each", []int{1500, 3000}, func(n int) *world {
		w := chain(n, 1)
		for i := range n {
			w.do(ActionID(i+2), Post, w.message("leaf"), after(int64(i%3)))
		}
		return w
	}},
	{"chain of threads that post", []int{1500, 3000}, func(n int) *world {
		w := newWorld()
		last := w.life("onCreate", cbCreate)
		for range n {
			th := w.thread("T")
			w.do(last, Start, th)
			w.do(th, Post, w.message("done"))
			last = th
		}
		return w
	}},
	{"all post each other", []int{60, 120, 250, 500}, func(n int) *world {
		return posters(n, func(w *world, m []ActionID, i int) {
			for _, x := range m {
				w.do(m[i], Post, x)
			}
		})
	}},
	{"each posts eight later ones", []int{750, 1500, 3000, 6000}, func(n int) *world {
		return posters(n, func(w *world, m []ActionID, i int) {
			for k := i + 1; k <= i+8 && k < len(m); k++ {
				w.do(m[i], Post, m[k])
			}
		})
	}},
	{"threads that start each other", []int{375, 750, 1500}, func(n int) *world {
		w := newWorld()
		create := w.life("onCreate", cbCreate)
		q := w.AddQueue(Queue{Name: "threads", Kind: QueueThread})
		var bodies []ActionID
		for range n {
			bodies = append(bodies, w.on(q, KindThread, "T"))
		}
		w.do(create, Start, bodies[0])
		for _, a := range bodies {
			for _, b := range bodies {
				w.do(a, Start, b)
			}
		}
		return w
	}},
	{"ring of posts", []int{750, 1500, 3000}, func(n int) *world {
		w := chain(n, 1)
		w.do(ActionID(n+1), Post, 2)
		return w
	}},
	{"each posts the next and the last", []int{750, 1500, 3000}, func(n int) *world {
		return posters(n, func(w *world, m []ActionID, i int) {
			w.do(m[i], Post, m[min(i+1, n-1)])
			w.do(m[i], Post, m[max(i-1, 0)], after(10))
		})
	}},
	{"chain of posts in loops", []int{750, 1500, 3000}, func(n int) *world {
		w := chain(n, 1)
		for i := range w.Points {
			w.Points[i].Loop = true
		}
		return w
	}},
	{"posted by one with its own delay each", []int{750, 1500, 3000}, func(n int) *world {
		w := newWorld()
		create := w.life("onCreate", cbCreate)
		for i := range n {
			w.do(create, Post, w.message("m"), after(int64(i*7919%n)))
		}
		return w
	}},
	{"posted at the front", []int{250, 500, 1000}, func(n int) *world {
		w := newWorld()
		create, click := w.life("onCreate", cbCreate), w.click("onClick")
		for range n {
			w.do(create, Post, w.message("m"), front)
			w.do(click, Post, w.message("m"))
		}
		return w
	}},
	{"callbacks that cancel", []int{100, 200, 400}, func(n int) *world {
		w := newWorld()
		create := w.life("onCreate", cbCreate)
		var m []ActionID
		for range n {
			m = append(m, w.message("m"))
			w.do(create, Post, m[len(m)-1], after(100))
		}
		for range n {
			click := w.click("onClick")
			for _, x := range m {
				w.do(click, Cancel, x, every)
			}
		}
		return w
	}},
	{"posted by one", []int{1250, 2500, 5000}, func(n int) *world {
		w := newWorld()
		create := w.life("onCreate", cbCreate)
		for range n {
			w.do(create, Post, w.message("m"))
		}
		return w
	}},
	{"posted by one in no order", []int{1250, 2500, 5000}, func(n int) *world {
		w := newWorld()
		create := w.life("onCreate", cbCreate)
		for range n {
			w.do(create, Post, w.message("m"), func(p *Point) { p.Loop = true })
		}
		w.prog.loops[create] = [][2]Site{{0, 1 << 30}}
		return w
	}},
	{"callbacks that post", []int{500, 1000, 2000}, func(n int) *world {
		w := newWorld()
		create, destroy := w.life("onCreate", cbCreate), w.life("onDestroy", cbDestroy)
		for range n {
			click := w.click("onClick")
			w.do(create, Register, click)
			w.do(destroy, Unregister, click, every)
			w.do(click, Post, w.message("m"))
		}
		return w
	}},
	{"listeners of one component", []int{1250, 2500, 5000}, func(n int) *world {
		w := newWorld()
		create := w.life("onCreate", cbCreate)
		w.life("onDestroy", cbDestroy)
		for range n {
			w.do(create, Register, w.AddAction(Action{Name: "on", Kind: KindSystem, Queue: w.main, Component: w.activity, Callback: -1}))
		}
		return w
	}},
	{"components", []int{2500, 5000, 10000}, func(n int) *world { return bigWorld(max(n/32, 2), 2) }},
	{"one component", []int{2500, 5000, 10000}, func(n int) *world { return bigWorld(1, n/4) }},
	{"tasks that are joined", []int{500, 1000, 2000}, func(n int) *world {
		w := newWorld()
		last := w.life("onCreate", cbCreate)
		for range n {
			th, m := w.thread("T"), w.message("m")
			w.do(last, Start, th)
			w.do(last, Join, th)
			w.do(last, Post, m)
			last = m
		}
		return w
	}},
}

// chain: onCreate posts the first of n messages, each the next, times over.
func chain(n, times int) *world {
	w := newWorld()
	last := w.life("onCreate", cbCreate)
	for range n {
		m := w.message("m")
		for range times {
			w.do(last, Post, m)
		}
		last = m
	}
	return w
}

// posters: onCreate posts the first of n messages; post says what they do.
func posters(n int, post func(w *world, m []ActionID, i int)) *world {
	w := newWorld()
	create := w.life("onCreate", cbCreate)
	var m []ActionID
	for range n {
		m = append(m, w.message("m"))
	}
	w.do(create, Post, m[0])
	for i := range m {
		post(w, m, i)
	}
	return w
}

// BenchmarkShapes shows time and memory against size: ns per run, the orders
// found, and the memory that a build allocates and keeps.
func BenchmarkShapes(b *testing.B) {
	for _, s := range shapes {
		for _, n := range s.sizes {
			b.Run(fmt.Sprintf("%s/%d", s.name, n), func(b *testing.B) {
				w := s.make(n)
				b.ReportAllocs()
				var g *Graph
				for b.Loop() {
					g = Build(&w.Model)
				}
				b.StopTimer()
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				b.ReportMetric(float64(m.HeapAlloc)/1e6, "MB-kept")
				b.ReportMetric(float64(g.Edges()), "edges")
			})
		}
	}
}

// TestShapes compares the closure of each shape, small, with the naive one.
func TestShapes(t *testing.T) {
	for _, s := range shapes {
		w := s.make(40)
		if d := differences(t, s.name, w, w.build(t), newNaive(newTree(&w.Model))); d > 0 {
			t.Errorf("%s: %d differences", s.name, d)
		}
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
