package race

import (
	"slices"
	"sync"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/flow"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/naming"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// stage is what all finders read. It is complete before they start, so that they may
// read it at once.
type stage struct {
	s         *actions.Set
	r         *pointsto.Result
	p         *ir.Program
	g         *hb.Graph
	all       []*access                         // in program order
	byKey     map[pointsto.FieldKey][]*access   // the same by location
	share     *sharing                          // between which runs objects are shared
	accesses  *flow.Accesses                    // all, as the facts see them
	locks     *flow.Locks                       // held at them
	inits     func() map[pointsto.FieldKey]bool // see initialised; found when asked for first
	reflected func() map[string]bool            // names of fields; see findReflected
	group     []int32                           // by action; see groups
	constants []int32                           // by action; see constantsStored
	ends      map[pointsto.FuncID][]ir.Value    // by function; see endSites
	starts    []*pointsto.EffectSite            // see startSites
	points    [][]hb.Site                       // by action; see waypoints
	crashes   []string                          // that models name, and ""
	names     *naming.Names                     // which each finder forks
	plainly   bool                              // see find
}

func newStage(s *actions.Set, g *hb.Graph, plainly bool) *stage {
	st := &stage{
		s: s, r: s.PT, p: s.PT.Prog, g: g, all: collect(s), byKey: map[pointsto.FieldKey][]*access{},
		share: newSharing(s, g), locks: flow.NewLocks(s), names: naming.New(s), plainly: plainly,
	}
	facts := make([]*flow.Access, len(st.all))
	for i, a := range st.all {
		facts[i] = a.fact
		st.byKey[a.key] = append(st.byKey[a.key], a)
	}
	st.accesses = flow.NewAccesses(facts)
	st.inits = sync.OnceValue(st.findInits)
	st.ends, st.starts = endSites(s.PT), startSites(s.PT)
	st.reflected = sync.OnceValue(st.findReflected)
	st.points = waypoints(s)
	st.crashes = []string{""}
	for i := range st.r.Sites {
		if crash := st.r.Sites[i].Effect.Crash; crash != "" && !slices.Contains(st.crashes, crash) {
			st.crashes = append(st.crashes, crash)
		}
	}
	return st
}

// waypoints lists by action the sites at which others are asked for, ended or
// waited for, and at which it opens a gate or waits at one.
func waypoints(s *actions.Set) [][]hb.Site {
	out := make([][]hb.Site, len(s.Actions))
	for i := 1; i < len(s.Model.Points); i++ {
		p := &s.Model.Points[i]
		out[p.Action] = append(out[p.Action], p.Site)
	}
	return out
}

// contested lists the locations that something changes, in a fixed order.
func (st *stage) contested() []pointsto.FieldKey {
	var keys []pointsto.FieldKey
	for k, list := range st.byKey {
		if slices.ContainsFunc(list, func(a *access) bool { return a.write }) {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}
