package pointsto

import (
	"context"
	"runtime"
	"sync"

	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
)

// Config is what Solve works on.
type Config struct {
	Prog   *ir.Program
	Models *platform.Models // as they hold for the app's SDK levels
	Roots  []ComponentRoot  // components of the manifest, sorted by class
	Layout Resources        // what layout and menu resources hold; may be nil
	Cut    bool             // apply the library cut
	Check  bool             // verify the solution: tests do

	sortAfter int // edges added before cycles are merged again; 0 for the usual number
}

// ComponentRoot is a component that the system may start.
type ComponentRoot struct {
	Class   ir.ClassID
	Process string // "" the app's own, "*" every process, else a further one by name
}

// Resources tells what inflating a resource makes. Ids are resource ids.
type Resources interface {
	// Inflated lists the objects that the resource holds.
	Inflated(resource uint32) []Inflated
	// View gives the class of the view with this id, "" if unknown or if
	// several layouts disagree.
	View(id uint32) (name, class string)
}

// Inflated is one object made from a resource.
type Inflated struct {
	Class   string // dotted
	ID      uint32 // 0 if it has none
	Name    string // of the id, for people: "id/load"
	OnClick string // method of the host, "" if none
}

// solver holds the state of a solution in the making.
type solver struct {
	*graph
	*Config
	prog    *ir.Program
	funcs   []Func
	funcOf  map[funcKey]FuncID
	fresh   []FuncID // reached, constraints not yet generated
	shapes  map[ir.MethodID]*shape
	broken  []error
	callees [][]Call // by caller
	callKey map[Call]struct{}

	modelCalls map[Call][]EffectSite // the effects by which models make a call

	shared  map[sharedKey]*sharedCall
	open    map[at]bool // calls whose receiver may have a method that is no callee
	fields  map[fieldAt]node
	statics map[FieldKey]node
	slots   slotTable
	arms    []*Arm
	armKey  map[armKey]*Arm
	sites   []EffectSite
	names   *nameTable
	cut     *libraryCut
	inits   map[ir.ClassID]bool
	initFn  []FuncID
	driven  map[Obj]node // the hosts of objects with a lifecycle that runs
	values  []ValueStore
	classes []classFlow
	nulls   []EffectSite // registrations of null
	its     map[at]node
	bound   []EffectSite // starts of components, whose binder may flow back
	boundTo map[boundKey]bool
	made    map[modelCall]bool
	held    []*dispatch // modelled calls that the app may have overridden
	kinds   map[Obj]platform.QueueKind
	partial []FuncID          // functions that test numbers of their receivers
	ran     map[FuncID][]bool // by such a function: the blocks that have constraints
	numbers map[heldKey]heldNumber
	named   map[ir.ClassID]bool // classes whose objects may be made out of sight
	unseen  unseen

	contexts  map[Obj]CtxID
	bases     map[ir.ClassID]bool // whether components inherit what a class declares
	closures  map[ir.ClassID]bool // whether objects of a class have captured something
	nestedOf  map[ir.ClassID]int  // objects made under a context that might earn one
	nestedAll int
	makers    map[ir.ClassID]*makerGroup
	makes     map[ir.ClassID]int  // places in a class's methods that make one of its group
	crowded   map[ir.ClassID]bool // classes whose objects earn no context
	again     bool                // classes are crowded that were not when the solver started
}

// Solve runs the analysis to its fixed point. If classes turn out to be crowded, it
// runs again without contexts for them.
func Solve(ctx context.Context, c *Config) (*Result, error) {
	crowded := map[ir.ClassID]bool{}
	for {
		g := newSolver(c, crowded)
		if err := g.solve(ctx); err != nil {
			return nil, err
		}
		if c.Check {
			if err := g.check(); err != nil {
				return nil, err
			}
		}
		if !g.again {
			return g.finish(), nil
		}
	}
}

func newSolver(c *Config, crowded map[ir.ClassID]bool) *solver {
	objs := newObjects(c.Prog)
	g := &solver{
		graph: newGraph(objs), Config: c, prog: c.Prog,
		funcs: make([]Func, 1), funcOf: map[funcKey]FuncID{}, shapes: map[ir.MethodID]*shape{},
		callees: make([][]Call, 1), callKey: map[Call]struct{}{}, modelCalls: map[Call][]EffectSite{}, open: map[at]bool{}, shared: map[sharedKey]*sharedCall{},
		fields: map[fieldAt]node{}, statics: map[FieldKey]node{},
		armKey: map[armKey]*Arm{}, inits: map[ir.ClassID]bool{}, driven: map[Obj]node{},
		kinds: map[Obj]platform.QueueKind{}, its: map[at]node{}, boundTo: map[boundKey]bool{}, made: map[modelCall]bool{},
		ran: map[FuncID][]bool{}, numbers: map[heldKey]heldNumber{}, named: map[ir.ClassID]bool{},
		contexts: map[Obj]CtxID{}, bases: map[ir.ClassID]bool{}, closures: map[ir.ClassID]bool{}, nestedOf: map[ir.ClassID]int{}, crowded: crowded,
	}
	g.names = newNameTable(c.Prog, c.Models)
	g.slots.init()
	if c.Cut {
		g.cut = newLibraryCut(g)
	}
	return g
}

// solve finds the fixed point.
func (g *solver) solve(ctx context.Context) error {
	g.harness()
	for len(g.dirty) > 0 || len(g.fresh) > 0 || g.bindServices() || g.releaseHeld() || g.reachUnreceived() || g.reachUnseen() {
		if err := ctx.Err(); err != nil {
			return err
		}
		g.generate()
		g.round()
	}
	g.cut = nil // and the bodies that it has read in vain
	return nil
}

// generate makes the constraints of the functions reached since the last time.
// Bodies are lifted by several workers; constraints are added in order.
func (g *solver) generate() {
	for len(g.fresh) > 0 {
		batch := g.fresh
		g.fresh = nil
		for _, f := range batch {
			if g.funcs[f].shape != nil {
				g.constraints(f)
			}
		}
		g.prefetch()
	}
}

// prefetch lifts, in parallel, the methods that the fresh functions call
// directly: they are what is likely to be reached next.
func (g *solver) prefetch() {
	var want []ir.MethodID
	seen := map[ir.MethodID]bool{}
	for _, f := range g.fresh {
		s := g.funcs[f].shape
		if s == nil {
			continue
		}
		for v, op := range s.body.Op {
			if op != ir.OpInvoke {
				continue
			}
			m := g.prog.ResolveMethod(ir.MethodID(s.body.Aux[v]))
			if _, known := g.shapes[m]; m == 0 || known || seen[m] || !g.prog.Methods[m].HasCode {
				continue
			}
			seen[m] = true
			want = append(want, m)
		}
	}
	if len(want) < 32 {
		return
	}
	got := make([]*ir.Body, len(want))
	workers := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(want); i += workers {
				if body, err := g.prog.Lift(want[i]); err == nil {
					got[i] = body
				}
			}
		})
	}
	wg.Wait()
	for i, m := range want {
		if got[i] != nil { // an error is met again, and recorded, when the method is reached
			g.shapes[m] = g.shapeFor(m, got[i])
		}
	}
}

// Call is an edge of the call graph.
type Call struct {
	Caller FuncID
	Site   ir.Value
	Callee FuncID
	Inline bool // run at once only if the caller runs on the target's queue
	Maybe  bool // made by a modelled or unknown method: it need not happen
	Often  bool // made so, and possibly several times
	// Self is 0 for what the site itself calls, with its arguments in their order. Of a callback that
	// a modelled or unknown method runs it is the argument of the site that is its receiver, from 1 on, or -1.
	Self int8
}

// call records an edge and reports whether it is new.
func (g *solver) call(c Call) bool {
	if c.Callee == 0 {
		return false
	}
	if _, ok := g.callKey[c]; ok {
		return false
	}
	g.callKey[c] = struct{}{}
	g.callees[c.Caller] = append(g.callees[c.Caller], c)
	return true
}
