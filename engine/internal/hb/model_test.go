package hb

import "testing"

// program is an Intra of straight-line actions: sites run in increasing order.
// loops lists for an action the ranges that repeat as a whole; optional the
// sites that a run may skip.
type program struct {
	loops    map[ActionID][][2]Site
	optional map[At]bool
}

func newProgram() *program {
	return &program{loops: map[ActionID][][2]Site{}, optional: map[At]bool{}}
}

func (p *program) inLoop(a ActionID, x Site) ([2]Site, bool) {
	for _, l := range p.loops[a] {
		if l[0] <= x && x <= l[1] {
			return l, true
		}
	}
	return [2]Site{}, false
}

func (p *program) MayPrecede(a ActionID, x, y Site) bool {
	l, ok := p.inLoop(a, x)
	return x < y || ok && l[0] <= y && y <= l[1]
}

func (p *program) Dominates(a ActionID, x, y Site) bool {
	return x < y && !p.optional[At{a, x}]
}

// world is a model under construction with an activity and a main looper.
type world struct {
	Model
	prog     *program
	main     QueueID
	activity ComponentID
	next     map[ActionID]Site
}

// Callbacks of the test activity.
const (
	cbCreate int32 = iota
	cbStart
	cbResume
	cbPause
	cbStop
	cbDestroy
	cbClick
	cbResult
)

// activityAutomaton is Android's: stopped activities restart, paused resume.
func activityAutomaton() *Automaton {
	return &Automaton{
		States: []string{"new", "created", "started", "resumed", "paused", "stopped", "destroyed"},
		Transitions: []Transition{
			{From: 0, To: 1, Callbacks: []int32{cbCreate}},
			{From: 1, To: 2, Callbacks: []int32{cbStart}},
			{From: 1, To: 6, Callbacks: []int32{cbDestroy}},
			{From: 2, To: 3, Callbacks: []int32{cbResume}},
			{From: 3, To: 4, Callbacks: []int32{cbPause}},
			{From: 4, To: 3, Callbacks: []int32{cbResume}},
			{From: 4, To: 5, Callbacks: []int32{cbStop}},
			{From: 5, To: 2, Callbacks: []int32{cbStart}},
			{From: 5, To: 6, Callbacks: []int32{cbDestroy}},
		},
		Events: []Event{
			{Callback: cbClick, States: []int32{3, 4}},
			{Callback: cbResult, States: []int32{2, 4}},
		},
	}
}

func newWorld() *world {
	w := &world{prog: newProgram(), next: map[ActionID]Site{}}
	w.Intra = w.prog
	w.main = w.AddQueue(Queue{Name: "main", Kind: QueueLooper, Scope: ScopeProcess, Lasting: true})
	w.activity = w.AddComponent(Component{Name: "Main", Automaton: activityAutomaton()})
	return w
}

func (w *world) life(name string, cb int32) ActionID {
	return w.AddAction(Action{Name: name, Kind: KindLifecycle, Queue: w.main, Component: w.activity, Callback: cb})
}

func (w *world) click(name string) ActionID {
	return w.AddAction(Action{Name: name, Kind: KindGUI, Queue: w.main, Component: w.activity, Callback: cbClick})
}

func (w *world) message(name string) ActionID {
	return w.AddAction(Action{Name: name, Kind: KindMessage, Queue: w.main, Callback: -1})
}

func (w *world) on(q QueueID, k ActionKind, name string) ActionID {
	return w.AddAction(Action{Name: name, Kind: k, Queue: q, Callback: -1})
}

func (w *world) thread(name string) ActionID {
	q := w.AddQueue(Queue{Name: name, Kind: QueueThread})
	return w.on(q, KindThread, name)
}

// do appends an operation to an action, at its next site.
func (w *world) do(a ActionID, k PointKind, target ActionID, edit ...func(*Point)) PointID {
	p := Point{Action: a, Site: w.site(a), Kind: k, Targets: []ActionID{target}, Must: true}
	if k == Post {
		p.Delay = Now
	}
	for _, e := range edit {
		e(&p)
	}
	return w.AddPoint(p)
}

func (w *world) site(a ActionID) Site {
	w.next[a] += 10
	return w.next[a]
}

func after(ms int64) func(*Point) { return func(p *Point) { p.Delay = Delay{true, ms} } }
func sometime(p *Point)           { p.Delay = Delay{} }
func front(p *Point)              { p.Front = true }
func atEnd(p *Point)              { p.AtEnd = true }
func maybe(p *Point)              { p.Must = false }
func every(p *Point)              { p.Every = true }

func (w *world) build(t testing.TB) *Graph {
	t.Helper()
	g := Build(&w.Model)
	if err := g.Check(); err != nil {
		t.Fatal(err)
	}
	return g
}

// check compares Before for one relation; want is "<", ">" or "-" (none).
func check(t *testing.T, g *Graph, a, b ActionID, rel Relation, want string) {
	t.Helper()
	got := "-"
	if g.Before(a, b, rel) {
		got = "<"
	}
	if g.Before(b, a, rel) {
		got += ">"
		if got == "->" {
			got = ">"
		}
	}
	if got != want {
		t.Errorf("%s, %s [%v]: got %s, want %s", g.m.Actions[a].Name, g.m.Actions[b].Name, rel, got, want)
	}
}
