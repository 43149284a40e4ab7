package hb

// Question asks the lifecycle machine for the schedules of a use-free pair.
type Question struct {
	Free, Use ActionID
	Writers   []Writer // other actions that write the location
	InitLive  bool     // the location is live before the first action
	// FreeAtEnd: the null that Free writes is still there when Free ends.
	FreeAtEnd bool
	// UseFirst: within a run of an action that is both Free and Use, the use
	// comes before the free, so the run can read its predecessor's null.
	UseFirst bool
}

// Writer writes a live value. Must: every run of it leaves the location live.
type Writer struct {
	Action ActionID
	Must   bool
}

// Verdict of a search. Schedules are shortest, in order of execution, and end
// with the use.
type Verdict struct {
	NullAtUse, LiveAtUse       bool
	NullSchedule, LiveSchedule []ActionID
	Limited                    bool // the state budget ended: what was not reached is unknown
}

// Search looks for schedules of one component instance (or of two components)
// in which Use reads the null of Free, and in which it reads a live value.
func (g *Graph) Search(q Question) Verdict { return Verdict{Limited: true} }
