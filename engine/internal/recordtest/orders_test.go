package recordtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/platform"
)

// TestOrders: no order that package hb draws from the automata, from the states of hosts and from posts is
// contradicted by what was recorded.
func TestOrders(t *testing.T) {
	all := recordings(t)
	f := newFrame(t, all)
	found := map[string]string{}
	claims := 0
	for _, name := range sorted(all) {
		s := f.scenario(all[name])
		if err := s.m.Check(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		g := hb.Build(&s.m)
		for a := range s.runs {
			for b := range s.runs {
				if a == b || !s.claimed(g, a, b) {
					continue
				}
				claims++
				if s.contradicted(a, b) {
					found[s.label[a]+" before "+s.label[b]] = name
				}
			}
		}
	}
	compare(t, found, differences(t, "order"))
	if claims < 5000 {
		t.Errorf("only %d orders are claimed", claims)
	}
	t.Logf("%d orders", claims)
}

// scenario is a recording as a model of package hb: each object with a lifecycle is a component of its own, each
// post an action.
type scenario struct {
	f      *frame
	rec    *Recording
	m      hb.Model
	main   hb.QueueID
	queues map[string]hb.QueueID
	runs   [][]*Run // by action
	label  []string // by action
	of     map[*Run]hb.ActionID
	driver hb.ActionID
}

func (f *frame) scenario(rec *Recording) *scenario {
	s := &scenario{f: f, rec: rec, queues: map[string]hb.QueueID{}, of: map[*Run]hb.ActionID{}, runs: make([][]*Run, 1), label: make([]string, 1)}
	s.main = s.m.AddQueue(hb.Queue{Name: "main", Kind: hb.QueueLooper, Scope: hb.ScopeProcess, Lasting: true, Main: true})
	s.queues["main"] = s.main
	s.m.Intra = byLine{}
	s.driver = s.action("the scenario", hb.Action{Kind: hb.KindSystem, Queue: s.m.AddQueue(hb.Queue{Name: "scenario"}), Callback: -1})
	s.objects()
	s.posts()
	return s
}

func (s *scenario) action(label string, a hb.Action) hb.ActionID {
	a.Name = label
	s.label = append(s.label, label)
	s.runs = append(s.runs, nil)
	return s.m.AddAction(a)
}

// objects makes a component of each object with a lifecycle, and an action of each of its callbacks that ran.
func (s *scenario) objects() {
	order, runs := byInstance(s.rec)
	components := map[Instance]hb.ComponentID{}
	for _, i := range order {
		life := s.f.life(s.rec, i)
		if life == nil {
			continue
		}
		c := hb.Component{Name: i.String(), Automaton: automaton(life)}
		if host, ok := s.host(life, runs[i][0], order, runs); ok {
			c.Host, c.Needs = components[host], needs(life, s.f.life(s.rec, host))
		}
		components[i] = s.m.AddComponent(c)
		steps, misfits := Walk(life, runs[i], s.f.logs(s.rec, i))
		acts := map[int]hb.ActionID{}
		for _, step := range steps {
			if step.Call < 0 || slices.ContainsFunc(misfits, func(m Misfit) bool { return m.Run == step.Run }) {
				continue // told by TestWalks
			}
			id, ok := acts[step.Call]
			if !ok {
				id = s.action(life.Base+"."+step.Run.String(), hb.Action{
					Kind: kindOf(life, step.Call), Queue: s.queue(step.Thread), Component: components[i], Callback: int32(step.Call),
				})
				acts[step.Call] = id
			}
			s.runs[id] = append(s.runs[id], step.Run)
			s.of[step.Run] = id
		}
	}
}

// host is the activity that an object lives in: the last one that had begun when it did.
func (s *scenario) host(life *platform.Lifecycle, first *Run, order []Instance, runs map[Instance][]*Run) (Instance, bool) {
	if len(life.Within) == 0 {
		return Instance{}, false
	}
	found, ok := Instance{}, false
	for _, i := range order {
		if l := s.f.life(s.rec, i); l != nil && l.Base == life.Within[0].Host && runs[i][0].Begin < first.Begin {
			found, ok = i, true
		}
	}
	return found, ok
}

// needs lists, by state, the states of the host that it needs.
func needs(life, host *platform.Lifecycle) [][]int32 {
	out := make([][]int32, len(life.States))
	for _, w := range life.Within {
		if w.Host != host.Base {
			continue
		}
		for _, name := range w.Hosts {
			out[w.State] = append(out[w.State], int32(host.State(name)))
		}
	}
	return out
}

// automaton is that of a lifecycle; callbacks have the numbers that Walk gives.
func automaton(life *platform.Lifecycle) *hb.Automaton {
	a := &hb.Automaton{States: life.States}
	numbers := func(in []int) []int32 {
		out := make([]int32, len(in))
		for i, n := range in {
			out[i] = int32(n)
		}
		return out
	}
	for _, t := range life.Transitions {
		a.Transitions = append(a.Transitions, hb.Transition{From: int32(t.From), To: int32(t.To), Callbacks: numbers(t.Calls)})
	}
	for _, e := range life.Events {
		a.Events = append(a.Events, hb.Event{Callback: int32(e.Call), States: numbers(e.In)})
	}
	for k, o := range life.Others {
		a.Events = append(a.Events, hb.Event{Callback: int32(len(life.Callbacks) + k), States: numbers(o.In)})
	}
	return a
}

func kindOf(life *platform.Lifecycle, call int) hb.ActionKind {
	for _, t := range life.Transitions {
		if slices.Contains(t.Calls, call) {
			return hb.KindLifecycle
		}
	}
	if call < len(life.Callbacks) && life.Callbacks[call].Cause == platform.ByGUI {
		return hb.KindGUI
	}
	return hb.KindSystem
}

func (s *scenario) queue(name string) hb.QueueID {
	if s.queues[name] == 0 {
		s.queues[name] = s.m.AddQueue(hb.Queue{Name: name, Kind: hb.QueueLooper, Scope: hb.ScopeProcess})
	}
	return s.queues[name]
}

// posts makes an action of each post that waited in a queue, and a point where it was posted.
func (s *scenario) posts() {
	named := map[string][]*Run{}
	for _, r := range s.rec.Runs {
		if r.Class == "" {
			named[r.Name] = append(named[r.Name], r)
		}
	}
	ids := map[string]hb.ActionID{}
	for _, p := range s.rec.Posts {
		if p.How == "inline" || ids[p.Name] != 0 {
			continue
		}
		id := s.action("post "+p.Name, hb.Action{Kind: hb.KindMessage, Queue: s.queue(p.Looper), Callback: -1})
		ids[p.Name] = id
		for _, r := range named[p.Name] {
			s.runs[id] = append(s.runs[id], r)
			s.of[r] = id
		}
	}
	for _, p := range s.rec.Posts {
		by := s.driver
		if p.By != nil {
			by = s.of[p.By]
		}
		if p.How == "inline" || by == 0 {
			continue
		}
		s.m.AddPoint(hb.Point{
			Action: by, Site: hb.Site(p.Line), Kind: hb.Post, Targets: []hb.ActionID{ids[p.Name]}, Must: true,
			Delay: hb.Delay{Known: p.How != "idle", MS: p.Delay}, Front: p.How == "front",
		})
	}
}

// byLine: what is recorded earlier in a run comes earlier.
type byLine struct{}

func (byLine) MayPrecede(_ hb.ActionID, p, q hb.Site) bool { return p < q }
func (byLine) Dominates(_ hb.ActionID, p, q hb.Site) bool  { return p < q }

// claimed reports whether the graph has a before b, for any two runs of the scenario.
func (s *scenario) claimed(g *hb.Graph, a, b int) bool {
	if len(s.runs[a]) == 0 || len(s.runs[b]) == 0 {
		return false
	}
	x, y := hb.At{Action: hb.ActionID(a)}, hb.At{Action: hb.ActionID(b)}
	rel := hb.SameInstance
	if s.m.Actions[a].Component == 0 || s.m.Actions[b].Component == 0 {
		rel = hb.SameCause
	}
	o := g.Order(x, y, rel)
	return o.Way == hb.Before && (o.Reason == hb.ByRuns || o.Reason == hb.ByHost)
}

func (s *scenario) contradicted(a, b int) bool {
	for _, p := range s.runs[a] {
		for _, q := range s.runs[b] {
			if q.Begin < p.End {
				return true
			}
		}
	}
	return false
}

// TestProtocols: of the callbacks of one object, those that the models put first have run before the others.
func TestProtocols(t *testing.T) {
	all := recordings(t)
	f := newFrame(t, all)
	found := map[string]string{}
	seen := 0
	for _, name := range sorted(all) {
		rec := all[name]
		order, runs := byInstance(rec)
		for _, i := range order {
			for k, r := range runs[i] {
				for _, before := range f.models[rec.Target].After(f.supers(rec), i.Class, r.Name) {
					if !f.logsName(rec, i, before) {
						continue
					}
					seen++
					ended := func(p *Run) bool { return p.Name == before && p.End < r.Begin }
					if !slices.ContainsFunc(runs[i][:k], ended) {
						found[fmt.Sprintf("%s: %s before %s", strings.Join(rec.Types[i.Class], " "), before, r.Name)] = name
					}
				}
			}
		}
	}
	compare(t, found, differences(t, "protocol"))
	if seen < 30 {
		t.Errorf("only %d callbacks have a protocol", seen)
	}
}

func (f *frame) logsName(rec *Recording, i Instance, name string) bool {
	for text := range f.logged[strings.Join(rec.Types[i.Class], " ")] {
		if strings.HasPrefix(text, name+"(") {
			return true
		}
	}
	return false
}
