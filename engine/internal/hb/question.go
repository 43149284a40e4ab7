package hb

// Question asks for the schedules of a use-free pair, or, without Free, of a use
// that may come before the first write.
type Question struct {
	Free, Use ActionID
	Writers   []Writer // actions that write a live value, other than by this free
	InitLive  bool     // the location is live before the first action
	// FreeAtEnd: the null that Free writes is still there when Free ends.
	FreeAtEnd bool
	// FreeMust: every run of Free frees.
	FreeMust bool
	// UseFirst: some run of an action that is both Free and Use uses without
	// having freed before, so that it can read its predecessor's null.
	UseFirst bool
	// FreeAt and UseAt are the sites of the two accesses, if Sited. Without
	// them an access may lie before or after any post of its own action.
	FreeAt, UseAt Site
	Sited         bool
	// Owner is the component whose instance has the location, 0 if none has or it is not
	// known. Attempts let it be there, where the sides do not themselves see to that.
	Owner ComponentID
	// NoLive: a live value is not asked for; NullOnly: only if the use can read a null.
	NoLive, NullOnly bool
	// Guard, if not nil, says what runs do to the location and to those that keep the use
	// from it: Writers and what Free does then count only for who may come when.
	Guard *Guard
}

// Writer writes a live value. Must: every run of it leaves the location live.
type Writer struct {
	Action ActionID
	Must   bool
}

// Verdict of a search. Schedules are short, in order of execution, and end with the
// use.
type Verdict struct {
	NullAtUse, LiveAtUse       bool // asked for with Free
	NullSchedule, LiveSchedule []ActionID
	InitAtUse                  bool // asked for without Free: the use finds the default null, nothing has written yet
	InitSchedule               []ActionID
	// Coarse: a schedule was found with the order of some queues left out, or is
	// longer than any that is looked for; there were more states than are looked at.
	// LiveCoarse: the same for a live value.
	Coarse, LiveCoarse bool
	// Unusual: no attempt has reached it, along the nearest ways and without rare
	// transitions, but a search.
	Unusual bool
	States  int // looked at
}

// goal is what one search looks for.
type goal uint8

const (
	goalNull goal = iota // the use reads the null of the free
	goalLive             // the use reads a live value
	goalInit             // the use reads the default
)

// value of the location.
type value uint8

const (
	valueDefault value = iota // null, but not by the free
	valueLive
	valueFreed
)

// reads is the value that the use reads when the goal is reached.
func (l goal) reads() value { return [...]value{valueFreed, valueLive, valueDefault}[l] }
