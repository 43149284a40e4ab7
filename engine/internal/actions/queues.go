package actions

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// assignQueues says on which queue each action runs. Handlers made without a
// looper use that of the thread that makes them, so the answer for one action
// may depend on others; rounds settle it.
func (s *Set) assignQueues() {
	s.unknownQ = s.queue(Queue{Kind: hb.QueueUnknown, Label: "unknown thread"})
	s.Actions[1].Queue = s.mainQueue()
	const rounds = 8 // a chain of loopers made on loopers; longer ones stay unknown
	for range rounds {
		changed := false
		for id := 2; id < len(s.Actions); id++ {
			a := &s.Actions[id]
			if q := s.queueFor(a); q != a.Queue {
				a.Queue, changed = q, true
			}
		}
		if !changed {
			break
		}
	}
	for id := range s.Actions {
		if s.Actions[id].Queue == 0 {
			s.Actions[id].Queue = s.unknownQ
		}
	}
	s.nameThreads()
}

// nameThreads calls a looper that nothing is posted to what it is: the thread
// of its only action.
func (s *Set) nameThreads() {
	posted := make([]bool, len(s.Queues))
	started := make([]bool, len(s.Queues))
	for id := 2; id < len(s.Actions); id++ {
		a := &s.Actions[id]
		if a.Kind == hb.KindThread {
			started[a.Queue] = true
		} else {
			posted[a.Queue] = true
		}
	}
	for q := range s.Queues {
		if s.Queues[q].Kind == hb.QueueLooper && started[q] && !posted[q] {
			s.Queues[q].Label = "background thread"
		}
	}
}

func (s *Set) queue(q Queue) hb.QueueID {
	s.Queues = append(s.Queues, q)
	return hb.QueueID(len(s.Queues) - 1)
}

// mainQueue is the queue of the main looper.
func (s *Set) mainQueue() hb.QueueID {
	if s.mainQ == 0 {
		o := s.PT.Eval(pointsto.Scope{}, platform.Place{Base: platform.Main}).One()
		s.mainQ = s.objectQueue(o, Queue{Kind: hb.QueueLooper, Label: "main looper", Lasting: true})
	}
	return s.mainQ
}

// Main is the queue of the main looper.
func (s *Set) Main() hb.QueueID { return s.mainQ }

// objectQueue is the queue that an object stands for: the first that it was said to
// be.
func (s *Set) objectQueue(o pointsto.Obj, as Queue) hb.QueueID {
	q, ok := s.queueOf[o]
	if !ok {
		as.Object = o
		q = s.queue(as)
		s.queueOf[o] = q
	}
	return q
}

// queueFor is the queue of an action, 0 if it is not settled yet.
func (s *Set) queueFor(a *Action) hb.QueueID {
	arm := a.Arm
	switch {
	case arm.Life != nil:
		if arm.LifeCall >= 0 && arm.LifeCall < len(arm.Life.Callbacks) {
			on := arm.Life.Callbacks[arm.LifeCall].On
			if on.Base == platform.This && len(on.Slots) == 1 { // of the object that is called back
				return s.queueOfObjects(s.PT.Held(arm.Receiver, s.PT.Slot(on.Slots[0])))
			}
			if !on.Zero() {
				return s.named(a, arm.Scope, on)
			}
		}
		return s.mainQueue()
	case arm.Effect == nil:
		if arm.Unknown {
			return s.unknownQ
		}
		return s.mainQueue()
	}
	if arm.Effect.Kind == platform.Start {
		for _, on := range arm.Effect.On {
			if objs := s.PT.Eval(arm.Scope, on); !objs.Empty() {
				return s.queueOfObjects(objs)
			}
		}
		return s.threadOf(a)
	}
	for _, on := range arm.Effect.On {
		if q := s.named(a, arm.Scope, on); q != -1 {
			return q
		}
	}
	return s.unknownQ
}

// named is the queue at a place, -1 if nothing is there.
func (s *Set) named(a *Action, sc pointsto.Scope, on platform.Place) hb.QueueID {
	switch on.Base {
	case platform.Unknown:
		return s.unknownQ
	case platform.Binder:
		return s.binders()
	}
	objs := s.PT.Eval(sc, on)
	if objs.Empty() {
		return -1
	}
	return s.queueOfObjects(objs)
}

// binders is the pool of binder threads.
func (s *Set) binders() hb.QueueID {
	if s.binderQ == 0 {
		s.binderQ = s.queue(Queue{Kind: hb.QueueParallel, Label: "binder thread"})
	}
	return s.binderQ
}

// threadOf is the queue of an action each run of which is a fresh thread.
func (s *Set) threadOf(a *Action) hb.QueueID {
	q, ok := s.threads[a.ID]
	if !ok {
		q = s.queue(Queue{Kind: hb.QueueThread, Label: "background thread"})
		s.threads[a.ID] = q
	}
	return q
}

// queueOfObjects is the one queue that all objects stand for; the unknown one
// if they differ; 0 if it is not settled yet.
func (s *Set) queueOfObjects(objs pointsto.Set) hb.QueueID {
	var q hb.QueueID
	open := false
	objs.All(func(o pointsto.Obj) bool {
		got := s.queueOfObject(o)
		switch {
		case got == 0:
			open = true
		case q == 0:
			q = got
		case q != got:
			q = s.unknownQ
		}
		return true
	})
	if q == 0 && !open {
		return s.unknownQ
	}
	return q
}

func (s *Set) queueOfObject(o pointsto.Obj) hb.QueueID {
	info := s.PT.Object(o)
	if info.Kind == pointsto.CurrentLooper {
		return s.currentLooper(info.Func)
	}
	switch s.PT.QueueKind(o) {
	case platform.Looper:
		return s.objectQueue(o, Queue{Kind: hb.QueueLooper, Label: "looper made at " + s.place(info)})
	case platform.Serial:
		return s.objectQueue(o, Queue{Kind: hb.QueueSerial, Label: "serial executor " + s.place(info)})
	case platform.Parallel:
		return s.objectQueue(o, Queue{Kind: hb.QueueParallel, Label: "thread pool " + s.place(info)})
	case platform.Thread:
		return s.objectQueue(o, Queue{Kind: hb.QueueParallel, Label: "fresh threads of " + s.place(info)})
	}
	return s.unknownQ
}

// currentLooper is the looper of the actions that reach f, if they agree.
func (s *Set) currentLooper(f pointsto.FuncID) hb.QueueID {
	var q hb.QueueID
	if s.ByFunc[f] == nil {
		return 0
	}
	s.ByFunc[f].All(func(id int) bool {
		got := s.Actions[id].Queue
		switch {
		case got == 0 || s.Queues[got].Kind != hb.QueueLooper && s.Queues[got].Kind != hb.QueueThread:
		case q == 0:
			q = got
		case q != got:
			q = s.unknownQ
		}
		return true
	})
	if q > 0 && s.Queues[q].Kind == hb.QueueThread {
		s.Queues[q].looped = true
	}
	return q
}

// handMade turns threads that have prepared a looper, and that are one for each
// instance of a component, into loopers.
func (s *Set) handMade() {
	for id, q := range s.threads {
		o := s.Actions[id].Arm.Receiver
		if w := s.OwnerOf(o); s.Queues[q].looped && w.Unique && w.Scope != hb.ScopeRun {
			s.Queues[q].Kind, s.Queues[q].Object = hb.QueueLooper, o
		}
	}
}

// place says where an object comes from, without line numbers.
func (s *Set) place(o *pointsto.Object) string {
	switch {
	case o.Kind == pointsto.Static:
		return o.Label
	case o.Func != 0:
		return s.PT.MethodName(o.Func)
	case o.Class != 0:
		return s.PT.Prog.Classes[o.Class].Name
	}
	return "the platform"
}

// delay is the delay of a post.
func (s *Set) delay(arm *pointsto.Arm) hb.Delay {
	d := arm.Effect.Delay
	if d.Known || d.Arg < 0 {
		return hb.Delay{Known: d.Known, MS: d.MS}
	}
	n, ok := s.PT.Number(arm.Scope, platform.Place{Base: platform.Arg, Index: d.Arg})
	if !ok {
		return hb.Delay{}
	}
	if d.Unit >= 0 && n != 0 {
		unit := s.unit(arm.Scope, d.Unit)
		if unit == 0 {
			return hb.Delay{}
		}
		n = n * unit / 1_000_000
	}
	return hb.Delay{Known: true, MS: max(n, 0)}
}

// unit is the length in nanoseconds of the time unit that an argument names, 0 if
// unknown.
func (s *Set) unit(sc pointsto.Scope, arg int) int64 {
	v := s.PT.Arg(sc, arg)
	b := s.PT.Body(sc.Func)
	if v == 0 || b == nil || b.Op[v] != ir.OpGetStatic {
		return 0
	}
	p := s.PT.Prog
	f := &p.Fields[b.Aux[v]]
	return s.PT.Models.Unit(p.Classes[f.Class].Name, f.Name)
}

// Unknown lists the names of the app's actions whose thread is not known, each
// once, in order.
func (s *Set) Unknown() []string {
	var out []string
	for id := 2; id < len(s.Actions); id++ {
		a := &s.Actions[id]
		if a.Queue == s.unknownQ && a.Arm.Method != 0 && a.Reach.Count() > 0 &&
			s.PT.Prog.Classes[s.PT.Prog.Methods[a.Arm.Method].Class].Origin == ir.App {
			out = append(out, s.PT.Prog.MethodString(a.Arm.Method))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
