package actions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/growtest"
	"github.com/eventraces/eventraces/engine/internal/hb"
)

// named lists the actions of a callback.
func named(s *Set, name string) []*Action {
	var out []*Action
	for id := 2; id < len(s.Actions); id++ {
		if a := &s.Actions[id]; a.Arm.Life == nil && a.Arm.Method != 0 && short(s, a.ID) == name {
			out = append(out, a)
		}
	}
	return out
}

// TestMergeSites: the actions of one callback are one beyond a number of sites, if
// all else that tells them apart is the same.
func TestMergeSites(t *testing.T) {
	handler := mainLooper + onLooper + "new Task v2\n"
	own := strings.ReplaceAll(onLooper, "v1", "v3")
	times := func(n int, line string) string { return strings.Repeat(line, n) }
	again := post("v1", "v2")
	click := setListener("v1")
	for _, c := range []struct {
		name     string
		code     string
		callback string
		actions  int
		causes   int // of the first action
		ends     int // points that end it
	}{
		{"at the limit", handler + times(sitesApart, again), "Task.run", sitesApart, 1, 0},
		{"beyond it", handler + times(sitesApart+1, again), "Task.run", 1, sitesApart + 1, 0},
		{"two objects", handler + "new Task v3\n" + times(sitesApart/2+1, again+post("v1", "v3")), "Task.run", 2 * (sitesApart/2 + 1), 1, 0},
		{"two handlers", handler + own + times(sitesApart/2+1, again+post("v3", "v2")), "Task.run", 2 * (sitesApart/2 + 1), 1, 0},
		{"two handlers, one of them too often", handler + own + times(2, post("v3", "v2")) + times(sitesApart+1, again), "Task.run", 3, 1, 0},
		{"a cancel of all", handler + times(sitesApart+1, again) +
			"invoke-virtual {v1, v2}, Landroid/os/Handler;->removeCallbacks(Ljava/lang/Runnable;)V\n", "Task.run", 1, sitesApart + 1, 1},
		{"delays", handler + "const-wide/16 v4, 9\n" + times(sitesApart, again) +
			"invoke-virtual {v1, v2, v4, v5}, Landroid/os/Handler;->postDelayed(Ljava/lang/Runnable;J)Z\n", "Task.run", sitesApart + 1, 1, 0},
		{"listeners", view + "new Click v1\n" + times(sitesApart+1, click), "Click.onClick", 1, sitesApart + 1, 0},
		{"what runs at once", "new Task v0\n" + times(sitesApart+1, strings.ReplaceAll(onUI, "%s, %s", "p0, v0")), "Task.run", sitesApart + 1, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := build(t, c.code)
			if err := s.Check(); err != nil {
				t.Error(err)
			}
			as := named(s, c.callback)
			if len(as) != c.actions {
				t.Fatalf("%d actions, want %d", len(as), c.actions)
			}
			if len(as[0].Causes) != c.causes {
				t.Errorf("%d causes, want %d", len(as[0].Causes), c.causes)
			}
			ends := 0
			for i := range s.Model.Points {
				if p := &s.Model.Points[i]; p.Kind == hb.Cancel && p.Targets[0] == as[0].ID {
					ends++
				}
			}
			if ends != c.ends {
				t.Errorf("%d points end it, want %d", ends, c.ends)
			}
			if merged := len(as[0].More) > 0; merged && s.Model.Actions[as[0].ID].Source != 0 {
				t.Error("several registrations are one source")
			}
		})
	}
}

// setListener is a call that makes a listener the click listener of a view.
func setListener(listener string) string { return strings.ReplaceAll(listen, "%s", listener) }

// grown builds the actions of an app of a shape and a size.
func grown(t *testing.T, name string, size int) *Set {
	t.Helper()
	shape, ok := growtest.ByName(name)
	if !ok {
		t.Fatal(name)
	}
	path := filepath.Join(t.TempDir(), name+".apk")
	if err := os.WriteFile(path, shape.APK(size, true), 0o600); err != nil {
		t.Fatal(err)
	}
	return buildApp(t, path)
}

// TestMergeCrowds: callbacks that post one another in very many ways have one action
// each.
func TestMergeCrowds(t *testing.T) {
	const per = 8 // that post each, but for the first
	for size, apart := range map[int]bool{100: true, actionsApart/per + 10: false} {
		s := grown(t, "later", size)
		copies, merged := 0, 0
		for id := 2; id < len(s.Actions); id++ {
			if a := &s.Actions[id]; a.Arm.Life == nil && a.Kind == hb.KindMessage {
				copies++
				if len(a.More) > 0 {
					merged++
				}
			}
		}
		if apart && (merged > 0 || copies < 7*size) || !apart && copies != size {
			t.Errorf("%d runnables: %d actions, %d of them merged", size, copies, merged)
		}
	}
}

// TestManyTargets: a site that makes many actions run is one point in each action
// that executes it.
func TestManyTargets(t *testing.T) {
	for _, size := range []int{targetsApart, targetsApart + 6} {
		s := grown(t, "clique", size)
		posts := 0
		for i := range s.Model.Points {
			if s.Model.Points[i].Kind == hb.Post {
				posts++
			}
		}
		if few, many := size+1, size*size; size > targetsApart && posts > few || size <= targetsApart && posts < many {
			t.Errorf("%d runnables that post one another: %d points", size, posts)
		}
		for id := 2; id < len(s.Actions); id++ {
			if a := &s.Actions[id]; a.Kind == hb.KindMessage && len(a.Causes) < size {
				t.Errorf("%s has %d causes", s.Name(a.ID), len(a.Causes))
			}
		}
		if hb.Build(s.Model).Edges() == 0 {
			t.Error("nothing is ordered")
		}
	}
}
