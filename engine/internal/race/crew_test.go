package race

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
)

// built makes what Find asks for, of an app.
func built(t *testing.T, path string) (*actions.Set, *hb.Graph) {
	t.Helper()
	s := actions.Build(pointstotest.Solve(t, pointstotest.Open(t, path)))
	return s, hb.Build(s.Model)
}

// atOnce has a crew of so many finders, however small the app is, find its races.
func atOnce(t *testing.T, s *actions.Set, g *hb.Graph, finders int) (*Result, *crew) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(finders))
	c := newCrew(newStage(s, g, false), 1)
	out, err := c.find(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return out, c
}

// TestConcurrentFinders finds the same with one finder, with two and with eight. Under
// the race detector it shows that what they share is only read.
func TestConcurrentFinders(t *testing.T) {
	busy := 0
	for _, path := range pointstotest.Apps(t) {
		if strings.HasSuffix(path, "-dx.apk") {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			s, g := built(t, path)
			alone, _ := atOnce(t, s, g, 1)
			for _, finders := range []int{2, 8} {
				got, c := atOnce(t, s, g, finders)
				if d := cmp.Diff(alone, got); d != "" {
					t.Errorf("%d finders (+) differ from one (-):\n%s", finders, d)
				}
				if c.finders[len(c.finders)-1] != nil {
					busy++
				}
			}
			sameLooks(t, s, g)
		})
	}
	if busy == 0 {
		t.Error("no app kept all finders busy")
	}
}

// sameLooks has three finders look at all locations at once, each in an order of its
// own: what becomes of a location does not depend on those before it.
func sameLooks(t *testing.T, s *actions.Set, g *hb.Graph) {
	t.Helper()
	const finders = 3
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(finders))
	c := newCrew(newStage(s, g, false), 1)
	keys := c.contested()
	got := make([][]outcome, finders)
	var all sync.WaitGroup
	all.Add(finders)
	err := c.run(t.Context(), finders, finders, func(f *finder, piece int) {
		all.Done()
		all.Wait() // no finder is two of them
		got[piece] = make([]outcome, len(keys))
		for n := range keys {
			i := (n + piece*len(keys)/2) % len(keys)
			if piece == 1 {
				i = len(keys) - 1 - n
			}
			got[piece][i] = f.lookAt(t.Context(), c.byKey[keys[i]])
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range keys {
		for piece := 1; piece < finders; piece++ {
			if !reflect.DeepEqual(got[0][i], got[piece][i]) {
				t.Errorf("finder %d finds something else of %s", piece, c.r.KeyName(k))
			}
		}
	}
}

// TestConcurrentProgress hears each location once, in order.
func TestConcurrentProgress(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	s, g := built(t, pointstotest.App(t, "guards.apk"))
	want, all := 0, 0
	_, err := newCrew(newStage(s, g, false), 1).find(t.Context(), func(done, total int) {
		if done != want {
			t.Errorf("%d after %d", done, want-1)
		}
		want, all = done+1, total
	})
	if err != nil || all < 10 || want != all+1 {
		t.Errorf("heard of %d of %d locations: %v", want-1, all, err)
	}
}

// TestConcurrentPanic panics where the search does, though another goroutine met it.
func TestConcurrentPanic(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	s, g := built(t, pointstotest.App(t, "guards.apk"))
	c := newCrew(newStage(s, g, false), 1)
	defer func() {
		if p := recover(); p != "broken" {
			t.Errorf("recovered %v", p)
		}
	}()
	var once sync.Once
	met := make(chan struct{})
	_ = c.run(t.Context(), 100, 8, func(f *finder, _ int) {
		if f == c.finders[0] { // which is the one of this goroutine
			<-met
			return
		}
		once.Do(func() { close(met) })
		panic("broken")
	})
	t.Error("no panic")
}

// TestConcurrentEnd ends a search when its context does.
func TestConcurrentEnd(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	s, g := built(t, pointstotest.App(t, "guards.apk"))
	ctx, cancel := context.WithCancel(t.Context())
	looked := 0
	out, err := newCrew(newStage(s, g, false), 1).find(ctx, func(int, int) {
		if looked++; looked == 3 {
			cancel()
		}
	})
	if out != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", out, err)
	}
	if looked > 3+8 {
		t.Errorf("looked at %d locations", looked)
	}
}

// TestInterrupted ends the look at a location of many pairs when its context does.
func TestInterrupted(t *testing.T) {
	s, g := built(t, pointstotest.App(t, "guards.apk"))
	c := newCrew(newStage(s, g, true), 1) // each visit is a class
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	stopped := 0
	for _, k := range c.contested() {
		list := slices.Repeat(c.byKey[k], 32) // more than stepsBetween pairs
		all, none := c.finders[0].lookAt(t.Context(), list), c.finders[0].lookAt(ctx, list)
		if none.out.Candidates < all.out.Candidates && len(none.best) == 0 {
			stopped++
		}
	}
	if stopped == 0 {
		t.Error("no location was left")
	}
}
