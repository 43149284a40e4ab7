package platform

// EffectKind is what an effect does. docs/models.md describes each.
type EffectKind uint8

const (
	NoEffect       EffectKind = iota
	Copy                      // value flow From -> To
	Load                      // Copy, and a read of the location From
	Store                     // Copy, and a write of the location To
	Test                      // To is true if the slot From is live (open, non-null)
	Read                      // read of the location Place
	Write                     // write of the location Place
	Free                      // free of the location Place: removal, close, release, recycle, dismiss
	Use                       // use of the location Place: crashes after a free
	Deref                     // the value at Place must not be null
	Call                      // the callback runs at once, inside this call
	Post                      // the callback runs later, once, on the queue On
	Start                     // the callback runs on a new thread
	Register                  // the callback may run, again and again, on On until unregistered
	Unregister                // ends registrations
	Cancel                    // removes posts
	Join                      // returns after the run whose handle is Place, or all that is posted on it, has ended
	Await                     // returns after the signals of Place
	Signal                    // wakes who awaits Place
	Acquire                   // takes the lock Place
	Release                   // gives the lock Place back
	Queue                     // makes the object at Place an executor or looper
	StartComponent            // starts the component named by the intent or class constant at Place; To is the binder its onBind gives
	Finish                    // asks the system to end the component or driven object at Place
	Reached                   // the object at Place has come through state What of its automaton
	Drive                     // from now on the framework drives the lifecycle of the object at Place
	Inflate                   // makes the objects of the resource whose id is From; To holds them
	Find                      // To is the inflated object whose id is From
	Create                    // To is a new object of the class whose constant or name is at From
	Suspend                   // ends the stretch: the rest of the action is posted to On
)

// QueueKind tells how an executor or looper runs what it is given.
type QueueKind uint8

const (
	NoQueue  QueueKind = iota
	Looper             // one thread, delays, front of the queue
	Serial             // one run at a time, first in first out
	Parallel           // several at once
	Thread             // a fresh thread each
	Direct             // at once, on the caller's thread
)

// Cause tells what makes a callback run.
type Cause uint8

const (
	NoCause     Cause = iota
	ByGUI             // user input, layout, drawing
	BySystem          // sensors, broadcasts, connections
	ByLifecycle       // the component's automaton
	ByMessage         // a message or runnable of a looper
	ByTask            // a thread or executor task
)

// Threads tells when a crash named on an effect can happen.
type Threads uint8

const (
	AnyThreads   Threads = iota // the order alone is enough
	OtherThreads                // only if the two accesses run on different threads
)

// Delay of a post in milliseconds. Arg >= 0: the argument that holds it, in
// the unit held by argument Unit (milliseconds if Unit < 0).
type Delay struct {
	Known bool // MS holds; else see Arg; an Arg < 0 then means unknown
	MS    int64
	Arg   int
	Unit  int
}

// Callback is a method that is run: on the object at Target, the methods
// called Name that match Params.
type Callback struct {
	Target Place
	Name   string
	All    bool     // Name is "*": every method of the target that overrides or implements one of Type
	Type   string   // with All: the listener type as declared where the object is passed; "" if unknown: then any platform or dependency method
	Params []string // nil: not told apart by type
	Args   []Place  // one per parameter; nil (AnyArgs): any overload, see AnyArgs
	// AnyArgs is true for "(...)" and "*": every overload; a parameter whose
	// declared type is the modelled class or a supertype of it other than
	// Object receives this, other parameters are unknown.
	AnyArgs bool
	Result  []Place // where the returned value flows
}

// Range is a closed range of API levels; 0 is open.
type Range struct{ Lo, Hi int }

// SDK tells for which apps something holds: for the app's target level, and
// for devices the app can run on.
type SDK struct{ Target, Device Range }

// Applies reports whether something limited to s concerns an app with these
// minimum and target levels (0 unknown: everything applies).
func (s SDK) Applies(min, target int) bool {
	if target > 0 && (s.Target.Lo > target || s.Target.Hi > 0 && s.Target.Hi < target) {
		return false
	}
	return min <= 0 || s.Device.Hi == 0 || s.Device.Hi >= min
}

// Pos is where a model stands in its file.
type Pos struct {
	File string
	Line int
}

// Relaunch is what a Finish effect asks for if another instance follows: the object itself does not count as finished.
const Relaunch = "relaunch"

// Effect is one thing that a modelled call does. Which fields a kind uses is
// fixed by effectFields; all others are zero.
type Effect struct {
	Kind     EffectKind
	From, To Place
	Place    Place
	Key      Place // of an access of a container's content: the argument by which the element is asked for

	Callback Callback // Call, Post, Start, Register; none if Do is given
	Name     string   // of the platform's own action, with Do
	Do       []Effect // instead of a callback: what the platform's own action does
	Then     []Effect // done on the callback's thread when it has returned; Result is its value

	On     []Place // the queue: the first of these that is not null. Start: the looper that current is inside; none if empty
	Via    Place   // the object through which it was posted or registered
	Handle Place   // the object that stands for the post or registration
	Code   Place   // message code
	Token  Place
	In     Place // the slot the registration lives in: a later one replaces it, null removes it
	Kept   Place // Finish: what is finished is kept for later if this is anything
	Lost   Place // names a component: the callback tells that its process has ended
	Owner  Place // a lifecycle owner: runs only while it is at least Active, ends when it is destroyed
	Active string
	Delay  Delay
	Front  bool // ahead of what is queued
	Repeat bool // a post that runs again and again; a registration does unless Once
	Once   bool
	Inline bool // run at once if the caller already runs on that queue
	Sure   bool // Call: whenever the modelled call returns, the callback has run, once
	Cause  Cause
	Rare   bool

	When    string // "", "true", "false": only if the call returned this
	Not     bool   // Test: To is true if the slot is not live
	Shared  bool   // Acquire: shared with other shared holders
	Word    bool   // Read: of one number, such as a size, which is never seen half changed
	Sized   bool   // of a container's content: the crash needs a change of the number of elements
	Keeps   bool   // of a container's content: a change that keeps the number of elements
	Crash   string // the exception that a wrong order or overlap leads to
	Threads Threads
	Queue   QueueKind
	Workers Place    // Queue: number of threads; 1 is serial
	What    string   // StartComponent, Inflate, Find: the sort of thing
	Brings  []string // StartComponent: callbacks that the component gets for it, before it hands over anything
	Host    Place    // Drive: the component or object it lives in; Inflate: who handles onClick

	SDK SDK
	Pos Pos
}
