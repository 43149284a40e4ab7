package hb

// Relation says which pairs of runs an order speaks of.
type Relation uint8

const (
	// SameCause: the runs share the run of their nearest common dominator in
	// the cause graph: the run this post started, the tasks of one click. If
	// one action dominates the other, its run is the cause of the other's. If
	// nothing nearer than the component instance (or the process) is common to
	// all their chains, these are any two runs of that instance (process).
	SameCause Relation = iota
	// SameInstance: any two runs within one component instance: different
	// clicks, a pause and a later resume. If the actions belong to different
	// components, or to none, any two runs of the process.
	SameInstance
	// OtherInstance: any two runs of the process, so in particular those of two
	// instances.
	OtherInstance
)

// At is a site of an action.
type At struct {
	Action ActionID
	Site   Site
}

// Step is one reason of an explanation: From is before To by Rule, because of
// Point, if any.
type Step struct {
	Rule     string
	From, To ActionID
	Point    PointID
}

// Graph answers order queries. It is read-only and safe for concurrent use.
type Graph struct {
	m *Model
}

// Build computes the graph of m, which must not change afterwards.
func Build(m *Model) *Graph { return &Graph{m: m} }

// Before: in every execution every run of a has ended before any run of b
// starts, for runs related by rel.
func (g *Graph) Before(a, b ActionID, rel Relation) bool { return false }

// PointBefore: every execution of site a precedes every execution of site b,
// for runs related by rel. For a.Action == b.Action the relation SameCause
// means one run.
func (g *Graph) PointBefore(a, b At, rel Relation) bool { return false }

// InCauseOrder: two runs of a and b in one component instance that are not of
// the same cause are always in the order of their causes.
func (g *Graph) InCauseOrder(a, b ActionID) bool { return false }

// Overlap: related runs of a and b may execute at the same time.
func (g *Graph) Overlap(a, b ActionID, rel Relation) bool { return true }

// SameLooper: related runs of a and b run on one looper or serial executor, so
// one of them runs whole before the other.
func (g *Graph) SameLooper(a, b ActionID, rel Relation) bool { return false }

// Explain lists the steps of the order of a before b, nil if there is none.
func (g *Graph) Explain(a, b ActionID, rel Relation) []Step { return nil }

// Why says in short pieces why a and b are not ordered.
func (g *Graph) Why(a, b ActionID, rel Relation) string { return "" }

// Edges counts the orders found between actions of one cause.
func (g *Graph) Edges() int { return 0 }

// Check verifies the graph's invariants.
func (g *Graph) Check() error { return nil }
