// Package actions makes the actions of an app from the solution of pointsto:
// the harness's lifecycle callbacks and every post, start and registration
// (SIERRA sections 3.2 and 4.2). It says on which queue each action
// runs, which functions it reaches, who owns each abstract object, and builds
// the neutral model that package hb orders.
//
// An action is (callback, receiver object, site, message code). A registration
// site whose receiver may be several objects makes an action for each. One whose
// site no action executes, such as a post on a message that nobody sends, is none;
// a handler that has been handed to code out of sight may be sent any message. The
// actions of a callback with very many sites are one, and so are those of callbacks
// that post one another in very many ways: see merge.
//
// Over-approximates: an action is made for every object that a receiver may be;
// its functions are those that the call graph of pointsto reaches from its
// entries, of a message with a known code without the branches that test for
// another one; one site may precede another if some path through the functions
// between them says so.
//
// Under-approximates, since orders are must facts: a site is always executed, or
// always after another, only if every path and every callee says so. A call that
// a platform model makes counts only if the model says that it is sure, one whose
// receiver may be out of sight never. Who owns an object and which queue an
// action runs on is known only if all that reach it agree.
//
// Cost: bit sets of actions per function, propagated along call edges until
// nothing changes. Points are as many as the sites that make an action run times the
// actions that execute each; a site with very many targets has one for all of them.
// Order inside an action is asked for on demand, each first answer
// near to linear in the functions between entry and site, and remembered for two
// functions, or for an action, a site and a function: see ordering.
//
// A Set is complete once built: what it remembers later are answers only, so it may
// be asked by several goroutines at once.
package actions

import (
	"sync"
	"sync/atomic"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Action is a callback, message, runnable, task body or thread body, told apart
// by context.
type Action struct {
	ID        hb.ActionID
	Arm       *pointsto.Arm   // nil for class initialisation
	More      []*pointsto.Arm // of an action merged from those of several sites; Arm is the first
	Entries   []pointsto.FuncID
	Kind      hb.ActionKind
	Queue     hb.QueueID
	Component hb.ComponentID // whose instance it belongs to, through its causes; 0 none or several
	Callback  int32          // in the component's automaton, -1
	Code      Code
	Causes    []hb.PointID // points that make it run; empty for roots
	Reach     Bits         // functions it executes, by FuncID
	Rare      bool
	OwnLoss   bool // tells that a component of the process in which it runs is lost with its process
	Once      Once // how often it runs

	joint bool // of several arms of one site

	held int32 // what its message holds besides its code; see held.go
}

// Code is a message code.
type Code struct {
	Number int64
	Known  bool
}

// Once says how often an action runs at most.
type Once uint8

const (
	Often Once = iota
	OncePerInstance
	OncePerProcess
)

// Component is a class whose instances walk through a lifecycle.
type Component struct {
	ID     hb.ComponentID
	Object pointsto.Obj
	Class  ir.ClassID
	Life   *platform.Lifecycle
}

// Queue is where actions run.
type Queue struct {
	Object  pointsto.Obj // 0 for threads, pools and the unknown queue
	Kind    hb.QueueKind
	Label   string // for people: "main looper", "looper made at com.a.B.m()", ...
	Lasting bool   // lives as long as the process: the main looper
	looped  bool   // of a thread that prepares a looper by hand
}

// Set is all actions of an app.
type Set struct {
	PT         *pointsto.Result
	Actions    []Action // by hb.ActionID; 0 unused
	Components []Component
	Queues     []Queue // by hb.QueueID; 0 unused
	Model      *hb.Model
	ByFunc     []Bits // actions that reach each function
	Points     []PointInfo

	calls     [][]pointsto.Call // by caller, sorted by site
	callers   [][]pointsto.Call // by callee
	up        []atomic.Pointer[Bits]
	orders    []atomic.Pointer[ordering]
	marks     sync.Pool
	comps     map[pointsto.Obj]hb.ComponentID
	hosts     map[hb.ComponentID]hb.ComponentID
	queueOf   map[pointsto.Obj]hb.QueueID
	threads   map[hb.ActionID]hb.QueueID
	owners    map[pointsto.Obj]Owner
	unknownQ  hb.QueueID
	mainQ     hb.QueueID
	binderQ   hb.QueueID               // the pool of binder threads, 0 until something runs there
	lives     map[codeKey][]bool       // blocks of handlers, by code
	codeSlots []pointsto.FieldKey      // in which messages hold their codes
	coded     map[pointsto.FuncID]bool // entries of which a run may execute only a part
	held      []slots                  // what messages hold; 0 unused
	handed    [][]handed               // by function: parameters on which methods are called; see receivers.go
	passed    []*passed                // by function, of those that test what is passed; see passed.go
}

// PointInfo says where a point of the model stands.
type PointInfo struct {
	Func pointsto.FuncID // function whose call it is
	Site ir.Value
	Name string // what it is, for people: "Handler.post"
}

// Build makes the actions of a solution.
func Build(r *pointsto.Result) *Set {
	s := newSet(r)
	s.callGraph()
	s.collect()
	s.merge()
	s.reach()
	s.assignQueues()
	s.inline()
	s.dropUnmade()
	s.assignComponents()
	s.own()
	s.losses()
	s.model()
	return s
}

func newSet(r *pointsto.Result) *Set {
	return &Set{
		PT: r, Actions: make([]Action, 1), Components: make([]Component, 1), Queues: make([]Queue, 1),
		Points: make([]PointInfo, 1), Model: &hb.Model{},
		marks: sync.Pool{New: func() any { return new(marks) }}, comps: map[pointsto.Obj]hb.ComponentID{}, hosts: map[hb.ComponentID]hb.ComponentID{},
		queueOf: map[pointsto.Obj]hb.QueueID{}, threads: map[hb.ActionID]hb.QueueID{}, owners: map[pointsto.Obj]Owner{},
		held: make([]slots, 1), codeSlots: codeSlots(r), lives: map[codeKey][]bool{}, coded: map[pointsto.FuncID]bool{},
	}
}

// canonKey is the identity of an action.
type canonKey struct {
	m    ir.MethodID
	recv pointsto.Obj
	f    pointsto.FuncID
	v    ir.Value
	name string
	life int
	kind platform.EffectKind
	code Code
}

// collect makes one action an identity. Action 1 is class initialisation.
func (s *Set) collect() {
	s.Actions = append(s.Actions, Action{ID: 1, Entries: s.PT.Inits, Kind: hb.KindProcess, Callback: -1, Once: OncePerProcess})
	canonical := map[canonKey]hb.ActionID{}
	for _, a := range s.PT.Arms {
		if len(a.Entries) == 0 {
			continue
		}
		code := s.code(a)
		key := canonKey{a.Method, a.Receiver, a.Func, a.Site, a.Name, a.LifeCall, 0, code}
		if a.Effect != nil {
			key.kind = a.Effect.Kind
		}
		if a.Life != nil {
			key.f = 0
		}
		if id, ok := canonical[key]; ok {
			act := &s.Actions[id]
			act.joint = true
			for _, e := range a.Entries {
				act.Entries = appendNew(act.Entries, e)
			}
			continue
		}
		id := hb.ActionID(len(s.Actions))
		canonical[key] = id
		s.Actions = append(s.Actions, Action{
			ID: id, Arm: a, Entries: append([]pointsto.FuncID(nil), a.Entries...), Kind: kindOf(a), Callback: -1,
			Code: code, Rare: rare(a),
		})
	}
}

func appendNew[T comparable](s []T, x T) []T {
	for _, y := range s {
		if y == x {
			return s
		}
	}
	return append(s, x)
}

// code is the message code that an arm posts.
func (s *Set) code(a *pointsto.Arm) Code {
	if a.Effect == nil || a.Effect.Code.Zero() {
		return Code{}
	}
	n, ok := s.PT.Number(a.Scope, a.Effect.Code)
	return Code{n, ok}
}

func rare(a *pointsto.Arm) bool {
	switch {
	case a.Effect != nil:
		return a.Effect.Rare
	case a.Life != nil && a.LifeCall >= 0 && a.LifeCall < len(a.Life.Callbacks):
		return a.Life.Callbacks[a.LifeCall].Rare
	}
	return false
}

func kindOf(a *pointsto.Arm) hb.ActionKind {
	switch {
	case a.Life != nil:
		return lifeKind(a)
	case a.Effect == nil:
		return hb.KindSystem
	case a.Effect.Kind == platform.Start:
		return hb.KindThread
	}
	switch a.Effect.Cause {
	case platform.ByGUI:
		return hb.KindGUI
	case platform.BySystem, platform.ByLifecycle:
		if a.Effect.Kind == platform.Post {
			return hb.KindMessage // only because it was asked for
		}
		return hb.KindSystem
	case platform.ByTask:
		return hb.KindTask
	case platform.ByMessage:
		return hb.KindMessage
	}
	if a.Effect.Kind == platform.Register {
		return hb.KindSystem
	}
	return hb.KindMessage
}

// lifeKind is the kind of a callback of a lifecycle: a callback of a transition
// is of the lifecycle, an event is what causes it, also where a transition
// delivers it.
func lifeKind(a *pointsto.Arm) hb.ActionKind {
	if a.LifeCall == pointsto.Instantiate {
		return hb.KindLifecycle
	}
	transitions := a.Life.Transitions
	if a.Life.IsEvent(a.LifeCall) {
		transitions = nil
	}
	for _, t := range transitions {
		for _, c := range t.Calls {
			if c == a.LifeCall {
				if t.Boot > 0 {
					return hb.KindProcess
				}
				return hb.KindLifecycle
			}
		}
	}
	cause := platform.BySystem
	if a.LifeCall < len(a.Life.Callbacks) {
		cause = a.Life.Callbacks[a.LifeCall].Cause
	} else if k := a.LifeCall - len(a.Life.Callbacks); k < len(a.Life.Others) {
		cause = a.Life.Others[k].Cause
	}
	if cause == platform.ByGUI {
		return hb.KindGUI
	}
	return hb.KindSystem
}
