package engine

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/expect"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/input"
	"github.com/eventraces/eventraces/engine/internal/naming"
	"github.com/eventraces/eventraces/internal/goldentest"
)

// construct is something in code that keeps two accesses apart, and that a mutant does without.
type construct string

const (
	nullGuard  construct = "null guard"
	query      construct = "query" // isFinishing and the like
	unregister construct = "unregister"
	cancel     construct = "cancel"
	join       construct = "join"
	lock       construct = "lock"
	postOrder  construct = "post order"
)

// ordered are the apps in which the order of posts matters, and is dropped.
var ordered = []string{"batchloader", "executors", "handlers"}

// unchanged says why a site brings about no verdict.
var unchanged = map[string]string{
	"guardedtimer GameActivity.java:17 null guard": "it picks the start value, and nothing is used behind it that another run changes",
	"newsreader LoaderTask.java:35 null guard":     "it ends a loop over what only the method has",
	"births Attached.java:26 null guard":           "the line before uses the value untested, which is the race there is",
	"births Made.java:68 null guard":               "it guards a first write, and no use",
	"births Typed.java:41 null guard":              "it guards a first write, and no use",
	"bound Far.java:44 unregister":                 "nothing is used behind it",
	"bound Finds.java:19 null guard":               "it tests what the manager finds, and no field",
	"bound Finds.java:30 null guard":               "it picks null for null, as the cast behind it does",
	"bound Near.java:44 unregister":                "nothing is used behind it",
	"bound TwoButtons.java:20 null guard":          "nothing comes before onCreate, so that no order is open",
	"carried Overridden.java:21 null guard":        "it only picks what the listener answers",
	"carried Overridden.java:24 null guard":        "the call before the use frees, so that the race is there with it, see freedByOverride",
	"causes Leaves.java:29 null guard":             "it only picks whether the activity ends at once, and the race is reported with it, see neverStarted",
	"everyday Music.java:36 cancel":                "it takes back an older post only, and onDestroy takes back them all",
	"flags Cycles.java:22 null guard":              "it only picks a title",
	"flags Kept.java:36 query":                     "the flag asked for before it is enough",
	"handshakes Checked.java:25 lock":              "a volatile field is left in which either of two equal objects stands",
	"handshakes Checked.java:26 null guard":        "it guards a first write, and no use",
	"nearly Cancels.java:31 null guard":            "the race is reported with it, see FP_onlyOneTask",
	"nearly Cancels.java:32 cancel":                "the race is reported with it, see FP_onlyOneTask",
	"nearly Dereferences.java:39 lock":             "to lock is the use there",
	"paired Nearly.java:47 null guard":             "the race is reported with it, see freedAlone",
	"paired Nearly.java:50 null guard":             "the race is reported with it, see failedBetween",
	"paired Nearly.java:53 null guard":             "the race is reported with it, see onOnePath",
	"paired Nearly.java:56 null guard":             "the race is reported with it, see givenNull",
	"paired Threaded.java:19 null guard":           "the race is reported with it, see between",
	"receivers Unmatched.java:44 unregister":       "the receiver is called after onStop in any case, which is the race there is",
	"results Retained.java:18 null guard":          "it tells the first instance from those after it, which no use depends on",
	"results Waited.java:24 null guard":            "it only picks a text",
	"services Disconnected.java:45 unregister":     "the service may be gone before it, which is the race there is",
	"statics OnOneLooper.java:10 null guard":       "it guards a first write, and no use",
	"timing Closing.java:32 lock":                  "the race is reported with it, see FP_askedOpen",
	"workers Gestures.java:35 null guard":          "it guards a first write, and no use",
}

// calls are the methods that a mutant does not call, by the beginnings of their names.
var calls = map[construct][]string{
	unregister: {"unregister", "unbindService", "removeUpdates", "removeObserver", "removeListener", "removeTextChangedListener"},
	cancel:     {"removeCallbacks", "removeMessages", "cancel", "quit", "shutdown", "destroyLoader"},
	join:       {"join", "await"},
}

// queries are asked before a use.
var queries = []string{"isFinishing", "isDestroyed", "isAdded", "isDetached", "isCancelled", "isResumed", "isInterrupted"}

// site is a place of a construct in an app.
type site struct {
	construct construct
	file      string // of the source
	line      int
	method    string
	patches   [][]patch // ways to do without it
	post      hb.PointID
}

// patch replaces code units of a dex file.
type patch struct {
	dex   int
	at    int // in bytes
	units []uint16
}

// TestMutants drops one guard, query, unregistration, cancellation, join, lock or order of posts at a time in
// every fixture and example, and compares which verdicts of medium or high that brings about in the
// same source file with testdata/mutants.txt. A site that brings about none is listed with the
// reason. With the constructs put back all is as before.
func TestMutants(t *testing.T) {
	var out bytes.Buffer
	total, shown := map[construct]int{}, map[construct]int{}
	for _, root := range []string{"../examples", "testdata/fixtures"} {
		dirs, _ := expect.Apps(root)
		for _, dir := range dirs {
			mutateApp(t, &out, dir, total, shown)
		}
	}
	for _, c := range slices.Sorted(maps.Keys(total)) {
		fmt.Fprintf(&out, "%s: %d of %d change a verdict\n", c, shown[c], total[c])
		if shown[c] == 0 {
			t.Errorf("no %s is of any effect", c)
		}
	}
	goldentest.Compare(t, "testdata/mutants.txt", out.String())
}

func mutateApp(t *testing.T, out *bytes.Buffer, dir string, total, shown map[construct]int) {
	app := filepath.Base(dir)
	path := filepath.Join(dir, app+".apk")
	base, dexes, r := mutant(t, path, nil)
	sites := sitesOf(t, dexes)
	if slices.Contains(ordered, app) {
		sites = append(sites, postsOf(r)...)
	}
	slices.SortStableFunc(sites, func(a, b site) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.construct, b.construct))
	})
	appears := make([]map[string]bool, len(sites))
	for _, round := range roundsOf(sites) {
		for way := range 2 {
			var some []site
			for _, i := range round {
				if way < max(1, len(sites[i].patches)) {
					some = append(some, sites[i])
				}
			}
			if len(some) == 0 {
				continue
			}
			got, _, _ := mutant(t, path, func(r *run) { apply(r, some, way) })
			for _, i := range round {
				for v, p := range got {
					if p.priority > base[v].priority && slices.Contains(p.files, sites[i].file) {
						if appears[i] == nil {
							appears[i] = map[string]bool{}
						}
						appears[i][v] = true
					}
				}
			}
		}
	}
	for i, s := range sites {
		total[s.construct]++
		name := fmt.Sprintf("%s %s:%d %s", app, s.file, s.line, s.construct)
		switch {
		case appears[i] != nil:
			shown[s.construct]++
			fmt.Fprintf(out, "%s: %s\n", name, strings.Join(slices.Sorted(maps.Keys(appears[i])), ", "))
		case s.construct == postOrder: // most posts are in an order that nothing depends on
		case slices.ContainsFunc(slices.Collect(maps.Values(base)), func(v verdict) bool { return slices.Contains(v.methods, s.file+" "+s.method) }):
			fmt.Fprintf(out, "%s: nothing, as the method races with it\n", name)
		case togetherShown(t, path, base, sites, i):
			fmt.Fprintf(out, "%s: nothing, as another construct of the file is enough\n", name)
		default:
			reason := unchanged[name]
			if reason == "" {
				t.Errorf("%s in %s changes nothing, and nobody says why", name, s.method)
			}
			fmt.Fprintf(out, "%s: nothing, as %s\n", name, reason)
		}
	}
	again, _, _ := mutant(t, path, nil)
	if !maps.EqualFunc(base, again, func(a, b verdict) bool { return a.priority == b.priority }) {
		t.Errorf("%s: the verdicts differ with all put back", app)
	}
}

// togetherShown: without any construct of its file a site brings about a verdict.
func togetherShown(t *testing.T, path string, base map[string]verdict, sites []site, i int) bool {
	var all []site
	for _, s := range sites {
		if s.file == sites[i].file {
			all = append(all, s)
		}
	}
	for way := range 2 {
		got, _, _ := mutant(t, path, func(r *run) { apply(r, all, way) })
		for v, p := range got {
			if p.priority > base[v].priority && slices.Contains(p.files, sites[i].file) {
				return true
			}
		}
	}
	return false
}

// roundsOf groups sites that are dropped at once: one of each source file.
func roundsOf(sites []site) (rounds [][]int) {
	next := map[string]int{}
	for i, s := range sites {
		k := next[s.file]
		next[s.file]++
		if k == len(rounds) {
			rounds = append(rounds, nil)
		}
		rounds[k] = append(rounds[k], i)
	}
	return rounds
}

// verdict is the priority of a race, with the source files of its sides and the methods on their ways.
type verdict struct {
	priority finding.Priority
	files    []string
	methods  []string
}

// mutant analyses an app, edited when it is read and when its actions are known, and gives the races
// that are medium or high, and the dex files.
func mutant(t *testing.T, path string, edit func(r *run)) (map[string]verdict, []input.DexFile, *run) {
	t.Helper()
	r := &run{Options: Options{Inputs: []string{path}, ToolVersion: "test"}}
	edited := func(context.Context) error {
		if edit != nil {
			edit(r)
		}
		return nil
	}
	var dexes []input.DexFile
	keep := func(context.Context) error { dexes = r.bundle.Dex; return nil }
	for _, stage := range []func(context.Context) error{r.read, keep, edited, r.lift, r.solve, r.act, edited, r.order, r.races} {
		if err := stage(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	out := map[string]verdict{}
	for i := range r.found.Races {
		x := &r.found.Races[i]
		a, b := &x.Sides[0].Access, &x.Sides[1].Access
		if x.Priority < finding.Medium {
			continue
		}
		places := []string{a.Spot(), b.Spot()}
		slices.Sort(places)
		key := fmt.Sprintf("%s %s %s", x.Rule, x.Field.Short(), strings.Join(places, " "))
		if v := out[key]; v.priority < x.Priority {
			v = verdict{x.Priority, []string{filepath.Base(a.File), filepath.Base(b.File)}, nil}
			for k := range x.Sides {
				for _, f := range x.Sides[k].Calls {
					v.methods = append(v.methods, filepath.Base(f.File)+" "+f.Method.Name)
				}
			}
			out[key] = v
		}
	}
	return out, dexes, r
}

// apply drops constructs in the way of a number, or in their only way.
func apply(r *run, sites []site, way int) {
	switch {
	case r.prog == nil: // read, not lifted
		for i := range r.bundle.Dex {
			r.bundle.Dex[i].Data = slices.Clone(r.bundle.Dex[i].Data)
		}
		for _, s := range sites {
			if len(s.patches) == 0 {
				continue
			}
			for _, p := range s.patches[min(way, len(s.patches)-1)] {
				for k, u := range p.units {
					binary.LittleEndian.PutUint16(r.bundle.Dex[p.dex].Data[p.at+2*k:], u)
				}
			}
		}
	case r.acts != nil:
		for _, s := range sites {
			if s.post != 0 {
				r.acts.Model.Points[s.post].Delay = hb.Delay{}
			}
		}
	}
}

// postsOf are the posts whose delay, if it is not known, leaves their order open.
func postsOf(r *run) (out []site) {
	names := naming.New(r.acts)
	for i := 1; i < len(r.acts.Model.Points); i++ {
		p := &r.acts.Model.Points[i]
		if p.Kind != hb.Post || !p.Delay.Known || len(p.Targets) == 0 {
			continue
		}
		arm := r.acts.Actions[p.Targets[0]].Arm
		if arm == nil || arm.Method == 0 {
			continue
		}
		at := names.Position(arm.Func, arm.Scope.Site)
		out = append(out, site{construct: postOrder, file: filepath.Base(at.File), line: at.Line, method: at.Method.Name, post: hb.PointID(i)})
	}
	return out
}

// sitesOf finds the constructs in the code of an app.
func sitesOf(t *testing.T, dexes []input.DexFile) (out []site) {
	for i, d := range dexes {
		files, err := dex.Parse(d.Name, d.Data)
		if err != nil || len(files) != 1 {
			t.Fatalf("%s: %d files, %v", d.Name, len(files), err)
		}
		f := files[0]
		for k := range f.Classes {
			c := &f.Classes[k]
			source, _ := f.String(c.SourceFile)
			for _, m := range slices.Concat(c.Direct, c.Virtual) {
				if m.Code == 0 {
					continue
				}
				code, err := f.Code(m.Code)
				if err != nil {
					t.Fatal(err)
				}
				name, _ := f.MethodName(m.Method)
				s := scan{file: f, dex: i, code: code, start: int(m.Code) + codeItemHeader, source: source, method: name}
				out = append(out, s.sites()...)
			}
		}
	}
	return out
}

// codeItemHeader are the bytes before the instructions of a code item.
const codeItemHeader = 16

// scan looks for constructs in one method.
type scan struct {
	file           *dex.File
	dex, start     int
	code           *dex.Code
	source, method string
	out            []site
	locks          []patch
}

func (s *scan) sites() []site {
	var before, last dex.Inst
	for pc := 0; pc < len(s.code.Insns); {
		in, err := dex.Decode(s.code.Insns, pc)
		if err != nil {
			break
		}
		s.look(pc, in, last, before)
		if in.Width == 0 {
			break
		}
		before, last = last, in
		pc += in.Width
	}
	if s.locks != nil {
		s.add(lock, 0, s.locks)
	}
	return s.out
}

func (s *scan) look(pc int, in, last, before dex.Inst) {
	nop := s.patch(pc, make([]uint16, in.Width)...)
	switch {
	case in.Op == dex.OpMonitorEnter || in.Op == dex.OpMonitorExit:
		s.locks = append(s.locks, nop)
	case in.Op == dex.OpIfEqz || in.Op == dex.OpIfNez:
		always := s.patch(pc, uint16(dex.OpGoto16), s.code.Insns[pc+1])
		switch {
		case last.Op == dex.OpMoveResult && s.named(before, queries):
			s.add(query, pc, []patch{nop}, []patch{always})
		case last.Op == dex.OpMoveResultObject || last.Op == dex.OpIgetObject || last.Op == dex.OpSgetObject:
			s.add(nullGuard, pc, []patch{nop}, []patch{always})
		}
	default:
		for c, names := range calls {
			if s.named(in, names) {
				s.call(c, pc, in, nop)
			}
		}
	}
}

// call is a call that a mutant leaves out; its result is false then, or null.
func (s *scan) call(c construct, pc int, in dex.Inst, nop patch) {
	patches := []patch{nop}
	if next, err := dex.Decode(s.code.Insns, pc+in.Width); err == nil && (next.Op == dex.OpMoveResult || next.Op == dex.OpMoveResultObject) {
		if next.A > 15 {
			return
		}
		patches = append(patches, s.patch(pc+in.Width, uint16(dex.OpConst4)|uint16(next.A)<<8))
	}
	s.add(c, pc, patches)
}

// named: the instruction calls a method whose name begins so.
func (s *scan) named(in dex.Inst, names []string) bool {
	if in.Op < dex.OpInvokeVirtual || in.Op > dex.OpInvokeInterfaceRange {
		return false
	}
	id, err := s.file.Method(in.Index)
	if err != nil {
		return false
	}
	name, _ := s.file.String(id.Name)
	return slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(name, n) })
}

func (s *scan) patch(pc int, units ...uint16) patch { return patch{s.dex, s.start + 2*pc, units} }

func (s *scan) add(c construct, pc int, ways ...[]patch) {
	line := int(s.code.LineAt(uint32(pc)))
	_, name, _ := strings.Cut(s.method, "->")
	name, _, _ = strings.Cut(name, "(")
	s.out = append(s.out, site{construct: c, file: s.source, line: line, method: name, patches: ways})
}
