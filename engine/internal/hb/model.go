package hb

// ActionID, PointID, QueueID, ComponentID, SourceID and GateID index the slices
// of a Model. Zero is none.
type (
	ActionID    int32
	PointID     int32
	QueueID     int32
	ComponentID int32
	SourceID    int32
	GateID      int32
)

// ProcessID numbers the processes of an app. Zero is any process.
type ProcessID int32

// Site is a position inside an action. Only Intra knows what it means.
type Site int64

// QueueKind says how the runs of one queue relate.
type QueueKind uint8

const (
	QueueUnknown  QueueKind = iota // orders nothing, may overlap anything
	QueueLooper                    // one thread, first in, first out within equal delays
	QueueSerial                    // an executor that runs one task at a time, in order
	QueueParallel                  // a pool: runs overlap
	QueueThread                    // each run is a fresh thread
)

// Scope says how many objects one Queue stands for. Two runs use the same
// object only if they share what the scope names.
type Scope uint8

const (
	ScopeUnknown  Scope = iota // may be several objects at any time
	ScopeProcess               // one object in the process
	ScopeInstance              // one object for each instance of Queue.Component
	ScopeRun                   // one object for each run of Queue.Owner
)

// Queue is a looper, an executor, or the fresh threads of one kind of action.
type Queue struct {
	Name      string
	Kind      QueueKind
	Scope     Scope
	Component ComponentID // the owner for ScopeInstance; 0 orders nothing
	Owner     ActionID    // the creating action for ScopeRun; 0 orders nothing
	// NoFIFO: one run at a time, by due time, but in no promised order among
	// equals (java.util.Timer, whose heap breaks ties as it likes).
	NoFIFO bool
	// Lasting: what is posted runs unless it is cancelled; the queue never
	// quits while the process lives (the main looper).
	Lasting bool
	// Main: the platform delivers the events of the user and of lifecycles on
	// this looper, in the order in which they happen.
	Main bool
}

// Source is one object whose callbacks the platform delivers one after the
// other on one looper: an object with a lifecycle, or a listener that one call
// has registered.
type Source struct {
	Name      string
	Automaton *Automaton // of its lifecycle; nil for a registration
}

// Gate is what runs wait at until another run opens it: a latch, a semaphore.
// Scope, Component and Owner say how many objects it stands for, as for a Queue.
type Gate struct {
	Name      string
	Scope     Scope
	Component ComponentID
	Owner     ActionID
	// Closed: a wait returns only after a signal.
	Closed bool
}

// ActionKind says where the runs of an action come from.
type ActionKind uint8

const (
	KindMessage   ActionKind = iota // posted to a looper
	KindTask                        // given to an executor
	KindThread                      // body of a thread
	KindLifecycle                   // transition callback of a component automaton
	KindGUI                         // user input
	KindSystem                      // any other callback that the platform delivers
	KindProcess                     // runs once before the components: Application.onCreate, a provider's onCreate
)

// Action is a static action. Component is the component whose instance its
// platform callback belongs to, for roots and registered callbacks; for posted
// actions it is ignored, since their causes tell. Callback is the index in the
// component's automaton, -1 if it is not in it.
type Action struct {
	Name      string
	Kind      ActionKind
	Queue     QueueID
	Component ComponentID
	Callback  int32
	// Repeats: a root outside an automaton may run many times per instance.
	// Callbacks of an automaton are counted from the automaton.
	Repeats bool
	// Birth: the action is the construction of an object that the platform
	// makes, so it comes before all else of that object.
	Birth bool
	// Separate: it never runs in the middle of another run of its looper, but for
	// one of the same Method, which may hand it on, as an activity does to its fragments.
	Separate bool
	Method   int32 // number of the method's name, of a component's callback; else 0
	// Source is the object whose callback the action is, and SourceCall the index
	// in the automaton of the source, if that has one.
	Source     SourceID
	SourceCall int32
	// Preceded lists the actions that by the protocol of their common source
	// have run before the first run of this one (surfaceCreated before
	// surfaceChanged).
	Preceded []ActionID
}

// PointKind is what an operation does to other actions.
type PointKind uint8

const (
	Post           PointKind = iota + 1 // make the target run once, later, on its queue
	Start                               // start the target's fresh thread
	Register                            // from now on the platform may run the target any number of times
	Unregister                          // the reverse
	Cancel                              // drop what is pending of the target
	Join                                // wait for the end of the target's run of the same cause
	StartComponent                      // make an instance of the targets' component
	Await                               // wait until a gate opens
	Signal                              // open a gate
)

// Delay of a post in milliseconds. Unknown delays order nothing.
type Delay struct {
	Known bool
	MS    int64
}

// Now is the delay of a plain post.
var Now = Delay{Known: true}

// Point is an operation at a site of an action.
type Point struct {
	Action ActionID // executes it
	Site   Site
	Kind   PointKind
	// Targets: for Post, Start and Register one of them runs (which one is not
	// known), for the other kinds see All.
	Targets []ActionID
	// All: Unregister, Cancel and Join mean every target; else, with several
	// targets, one of them, not known which, and nothing follows.
	All bool
	// Every: Unregister and Cancel hit all that is armed or pending of the
	// targets in the component instance, because their object exists once in
	// it; else only what one earlier Post or Register execution armed.
	Every bool
	// Final: a Cancel after which the targets never run again, even if posted
	// later: what a cancelled task would have posted when done.
	Final bool
	Delay Delay // Post
	Front bool  // Post: at the front of the queue
	// Repeat: one execution causes many runs (scheduleAtFixedRate).
	Repeat bool
	// Loop: may execute more than once in one run.
	Loop bool
	// Must: executes in every run of the action, on every path.
	Must bool
	// Once: arming twice keeps one registration; for Register.
	Once bool
	// AtEnd: nothing of the action's run executes after it (the result that an
	// AsyncTask posts when doInBackground has returned).
	AtEnd bool
	// Gates, for Await and Signal: one of them, not known which. An Await of
	// several orders nothing.
	Gates []GateID
}

// Component is an Activity, Service, Fragment, ...; its instances each walk
// through its automaton.
type Component struct {
	Name      string
	Automaton *Automaton // nil: its callbacks come in any order
	// Single: at most one instance in the whole life of the process
	// (Application, provider). Not a Service: it may be created again.
	Single bool
	// Owned: every instance is made by a StartComponent or Register point of
	// the model. Else the system may also make one by itself.
	Owned bool
	// Process is where the instances live, unless they live in a host.
	Process ProcessID
	// Host is the component in whose instances those of this one live: the
	// activity of a fragment. 0 is none, or not known.
	Host ComponentID
	// Needs lists, by state of the automaton, the states of the host's automaton
	// of which the host is in one while an instance is in that state; nil is any.
	Needs [][]int32
}

// Automaton drives the callbacks of one component instance. Callbacks are
// numbers chosen by the builder; several actions may carry the same one.
type Automaton struct {
	States      []string
	Init        int32
	Transitions []Transition
	Events      []Event
	Passing     []int32 // states that are usually left in the run of the looper in which they are entered; not used for order
}

// Transition runs its callbacks in order, without interruption by events of
// the same instance.
type Transition struct {
	From, To  int32
	Callbacks []int32
	User      bool // by user or app, else by the system; not used for order
	Rare      bool // few instances take it; not used for order
}

// Event is a callback that may run, any number of times, in the given states.
type Event struct {
	Callback int32
	States   []int32
}

// Intra answers questions about the order of sites within one run. It must be
// safe for concurrent use.
type Intra interface {
	// MayPrecede: some run of act executes p and later q; for p == q, p may
	// execute twice in one run.
	MayPrecede(act ActionID, p, q Site) bool
	// Dominates: whenever q executes, p has executed earlier in that run.
	Dominates(act ActionID, p, q Site) bool
}

// Model is the input of Build. Element 0 of each slice is unused.
type Model struct {
	Queues     []Queue
	Actions    []Action
	Points     []Point
	Components []Component
	Sources    []Source
	Gates      []Gate
	Intra      Intra // nil: sites of one action are in no known order
}

// AddQueue and the methods below append to the model and return the id.
func (m *Model) AddQueue(q Queue) QueueID {
	if len(m.Queues) == 0 {
		m.Queues = append(m.Queues, Queue{})
	}
	m.Queues = append(m.Queues, q)
	return QueueID(len(m.Queues) - 1)
}

// AddAction appends an action; see AddQueue.
func (m *Model) AddAction(a Action) ActionID {
	if len(m.Actions) == 0 {
		m.Actions = append(m.Actions, Action{})
	}
	m.Actions = append(m.Actions, a)
	return ActionID(len(m.Actions) - 1)
}

// AddPoint appends a point; see AddQueue.
func (m *Model) AddPoint(p Point) PointID {
	if len(m.Points) == 0 {
		m.Points = append(m.Points, Point{})
	}
	m.Points = append(m.Points, p)
	return PointID(len(m.Points) - 1)
}

// AddComponent appends a component; see AddQueue.
func (m *Model) AddComponent(c Component) ComponentID {
	if len(m.Components) == 0 {
		m.Components = append(m.Components, Component{})
	}
	m.Components = append(m.Components, c)
	return ComponentID(len(m.Components) - 1)
}

// AddSource appends a source; see AddQueue.
func (m *Model) AddSource(s Source) SourceID {
	if len(m.Sources) == 0 {
		m.Sources = append(m.Sources, Source{})
	}
	m.Sources = append(m.Sources, s)
	return SourceID(len(m.Sources) - 1)
}

// AddGate appends a gate; see AddQueue.
func (m *Model) AddGate(g Gate) GateID {
	if len(m.Gates) == 0 {
		m.Gates = append(m.Gates, Gate{})
	}
	m.Gates = append(m.Gates, g)
	return GateID(len(m.Gates) - 1)
}
