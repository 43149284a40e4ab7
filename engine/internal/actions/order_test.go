package actions

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
)

const object = "Ljava/lang/Object;"

// A path oracle: it writes down every run of an action as the marks that it
// passes, in order. A mark is a call of app.S.mark. A run takes each block of a
// function at most twice and enters a function at most twice at a time.
type paths struct {
	s     *Set
	marks []hb.Site
	stack map[pointsto.FuncID]int
	full  bool // some function has more runs than the oracle writes down
}

// run is the marks of one run, as indexes.
type run string

const mostRuns = 1500

// then gives every run of as followed by one of bs, each once.
func (p *paths) then(as, bs []run) []run {
	seen := map[run]bool{}
	var out []run
	for _, a := range as {
		for _, b := range bs {
			if r := a + b; !seen[r] {
				seen[r] = true
				out = append(out, r)
			}
		}
	}
	if len(out) > mostRuns || p.full {
		p.full = true
		return nil
	}
	return out
}

func join(as, bs []run) []run {
	for _, b := range bs {
		if !slices.Contains(as, b) {
			as = append(as, b)
		}
	}
	return as
}

// function gives the runs of a function.
func (p *paths) function(f pointsto.FuncID) []run {
	b := p.s.PT.Body(f)
	if b == nil {
		return []run{""}
	}
	if p.stack[f] == 2 || p.full {
		return nil
	}
	p.stack[f]++
	defer func() { p.stack[f]-- }()
	inside := make([][]run, len(b.Blocks))
	for k := range inside {
		inside[k] = p.block(f, b, int32(k))
	}
	var out []run
	visits := make([]int, len(b.Blocks))
	var walk func(k int32, before []run)
	walk = func(k int32, before []run) {
		if visits[k] == 2 || p.full {
			return
		}
		visits[k]++
		defer func() { visits[k]-- }()
		now := p.then(before, inside[k])
		if len(now) == 0 {
			return
		}
		if b.Op[b.Blocks[k].End-1] == ir.OpReturn {
			out = join(out, now)
		}
		for _, n := range b.Succs(k) {
			walk(n, now)
		}
	}
	walk(0, []run{""})
	if len(out) > mostRuns {
		p.full = true
	}
	return out
}

// block gives what may happen in a block.
func (p *paths) block(f pointsto.FuncID, b *ir.Body, k int32) []run {
	now := []run{""}
	for v := b.Blocks[k].Start; v < b.Blocks[k].End; v++ {
		if i := slices.Index(p.marks, SiteOf(f, v)); i >= 0 {
			now = p.then(now, []run{run(rune('a' + i))})
		}
		now = p.then(now, p.calls(f, v))
	}
	return now
}

// calls gives what may happen in the callees of an instruction.
func (p *paths) calls(f pointsto.FuncID, v ir.Value) []run {
	var one, made []run // of the app's own callees, of those that a model calls
	some := false
	for _, c := range p.s.PT.Calls[f] {
		switch {
		case c.Site != v || c.Inline:
		case c.Maybe:
			callee := p.function(c.Callee)
			if made == nil {
				made = []run{""}
			}
			again := join([]run{""}, callee)
			if c.Often {
				again = join(again, p.then(callee, callee))
			}
			// Several callees of one call come in any order.
			made = join(p.then(made, again), p.then(again, made))
		default:
			some = true
			one = join(one, p.function(c.Callee))
		}
	}
	switch {
	case made != nil:
		return join(made, one)
	case !some || p.s.PT.Open(f, v):
		return join(one, []run{""})
	}
	return one
}

func (p *paths) action(a *Action) []run {
	out := []run{""}
	for _, e := range a.Entries {
		out = p.then(out, p.function(e))
	}
	return out
}

// markSites lists the calls of app.S.mark in reached code.
func markSites(s *Set) []hb.Site {
	var out []hb.Site
	for f := 1; f < len(s.PT.Funcs); f++ {
		b := s.PT.Body(pointsto.FuncID(f))
		if b == nil || s.ByFunc[f] == nil {
			continue
		}
		for v, op := range b.Op {
			if op == ir.OpInvoke && s.PT.Prog.Selectors[s.PT.Prog.Methods[b.Aux[v]].Sel].Name == "mark" {
				out = append(out, SiteOf(pointsto.FuncID(f), ir.Value(v)))
			}
		}
	}
	return out
}

// randomCode has marks, calls, branches forward and perhaps back. v0 and v1 are
// for a moment.
func randomCode(r *rand.Rand, level int, recursion bool) string {
	var b strings.Builder
	n := 2 + r.IntN(4)
	for k := range n {
		fmt.Fprintf(&b, ":l%d\n", k)
		switch r.IntN(9) {
		case 0, 1:
			to := k + 1 + r.IntN(n-k)
			if r.IntN(4) == 0 {
				to = r.IntN(n)
			}
			fmt.Fprintf(&b, "sget v0, Lapp/S;->flag:I\nif-eqz v0, :l%d\n", to)
		case 2:
			to := level + 1
			if recursion {
				to = r.IntN(level + 2)
			}
			if to < 4 {
				fmt.Fprintf(&b, "invoke-static {}, Lapp/S;->call%d()V\n", to)
			}
		case 3:
			if level < 2 {
				b.WriteString("sget-object v0, Lapp/S;->task:Ljava/lang/Runnable;\ninvoke-interface {v0}, Ljava/lang/Runnable;->run()V\n")
			}
		case 4:
			if level < 2 {
				b.WriteString("sget-object v0, Lapp/S;->list:Ljava/util/ArrayList;\nsget-object v1, Lapp/S;->each:Lapp/Each;\n" +
					"invoke-virtual {v0, v1}, Ljava/util/ArrayList;->forEach(Ljava/util/function/Consumer;)V\n")
			}
		default:
			b.WriteString("invoke-static {}, Lapp/S;->mark()V\n")
		}
	}
	fmt.Fprintf(&b, ":l%d\nreturn-void", n)
	return b.String()
}

// randomProgram has functions call0 to call3, a static Runnable that is one of
// two tasks or, sometimes, one from out of sight, and a Consumer.
func randomProgram(r *rand.Rand, d *dextest.Dex) {
	recursion := r.IntN(3) == 0
	plain := func(name, super string, interfaces ...string) *dextest.Class {
		c := d.Class("Lapp/"+name+";", super, dex.AccPublic, interfaces...)
		c.Method("<init>", "()V", dex.AccPublic).Asm(1, "invoke-direct {p0}, "+super+"-><init>()V\nreturn-void")
		return c
	}
	s := plain("S", object)
	s.Field("flag", "I", dex.AccPublic|dex.AccStatic)
	s.Field("task", "Ljava/lang/Runnable;", dex.AccPublic|dex.AccStatic)
	s.Field("list", "Ljava/util/ArrayList;", dex.AccPublic|dex.AccStatic)
	s.Field("each", "Lapp/Each;", dex.AccPublic|dex.AccStatic)
	s.Method("mark", "()V", dex.AccPublic|dex.AccStatic).Asm(0, "return-void")
	s.Method("strange", "()Ljava/lang/Runnable;", dex.AccPublic|dex.AccStatic|dex.AccNative)
	for k := range 4 {
		s.Method(fmt.Sprintf("call%d", k), "()V", dex.AccPublic|dex.AccStatic).Asm(2, randomCode(r, k, recursion))
	}
	plain("A", object, "Ljava/lang/Runnable;").Method("run", "()V", dex.AccPublic).Asm(3, randomCode(r, 2, recursion))
	plain("B", object, "Ljava/lang/Runnable;").Method("run", "()V", dex.AccPublic).Asm(3, randomCode(r, 2, recursion))
	plain("Each", object, "Ljava/util/function/Consumer;").Method("accept", "("+object+")V", dex.AccPublic).Asm(4, randomCode(r, 2, recursion))

	code := "invoke-static {}, Lapp/S;->call0()V\ninvoke-static {}, Lapp/S;->call1()V\n"
	set := func(class, field, typ string) {
		code += fmt.Sprintf("new-instance v0, %s\ninvoke-direct {v0}, %s-><init>()V\nsput-object v0, Lapp/S;->%s:%s\n", class, class, field, typ)
	}
	set("Ljava/util/ArrayList;", "list", "Ljava/util/ArrayList;")
	set("Lapp/Each;", "each", "Lapp/Each;")
	set("Lapp/A;", "task", "Ljava/lang/Runnable;")
	if r.IntN(2) == 0 {
		set("Lapp/B;", "task", "Ljava/lang/Runnable;")
	}
	if r.IntN(4) == 0 {
		code += "invoke-static {}, Lapp/S;->strange()Ljava/lang/Runnable;\nmove-result-object v0\nsput-object v0, Lapp/S;->task:Ljava/lang/Runnable;\n"
	}
	plain("Main", "Landroid/app/Activity;").Method("onCreate", "(Landroid/os/Bundle;)V", dex.AccPublic).Asm(3, code+"return-void")
}

// withEntries makes the set of one action that runs random functions of S one
// after the other.
func withEntries(r *rand.Rand, pt *pointsto.Result) *Set {
	var all, entries []pointsto.FuncID
	for f := 1; f < len(pt.Funcs); f++ {
		if strings.HasPrefix(pt.MethodName(pointsto.FuncID(f)), "app.S.call") {
			all = append(all, pointsto.FuncID(f))
		}
	}
	for range 1 + r.IntN(3) {
		entries = append(entries, all[r.IntN(len(all))])
	}
	s := newSet(pt)
	s.Actions = append(s.Actions, Action{ID: 1}, Action{ID: 2, Entries: entries})
	s.callGraph()
	s.reach()
	return s
}

// TestOrderOracle compares the order of sites inside a run with all runs of
// random programs. May facts must cover what a run does; must facts must hold
// in every run, and most of those that hold must be proved.
func TestOrderOracle(t *testing.T) {
	var programs, mays, falseMays, dominated, proved, always, provedAlways, after, provedAfter int
	for seed := range uint64(130) {
		r := rand.New(rand.NewPCG(seed, 6))
		pt := pointstotest.Solve(t, pointstotest.Dex(t, []string{"app.Main"}, func(d *dextest.Dex) { randomProgram(r, d) }))
		s := withEntries(r, pt)
		p := &paths{s: s, marks: markSites(s), stack: map[pointsto.FuncID]int{}}
		if len(p.marks) > 20 {
			continue
		}
		compareOrder(t, s, r, len(p.marks), 2, map[string]int{})
		runs := p.action(&s.Actions[2])
		if p.full || len(runs) == 0 {
			continue
		}
		programs++
		for i, x := range p.marks {
			hold := true
			for _, r := range runs {
				hold = hold && strings.ContainsRune(string(r), rune('a'+i))
			}
			got := s.Always(2, x)
			check(t, s, seed, "Always", got, hold, x, x)
			count(hold, got, &always, &provedAlways)
			for j, y := range p.marks {
				a, b := rune('a'+i), rune('a'+j)
				may, dom, aft := false, true, true
				for _, r := range runs {
					first, last := strings.IndexRune(string(r), a), strings.LastIndexByte(string(r), byte(b))
					may = may || first >= 0 && last > first
					if q := strings.IndexRune(string(r), b); q >= 0 && (first < 0 || first >= q) {
						dom = false
					}
					if p := strings.LastIndexByte(string(r), byte(a)); p >= 0 && last <= p {
						aft = false
					}
				}
				gotMay := s.MayPrecede(2, x, y)
				check(t, s, seed, "not MayPrecede", !gotMay, !may, x, y)
				count(gotMay, gotMay && !may, &mays, &falseMays)
				got := s.Dominates(2, x, y)
				check(t, s, seed, "Dominates", got, dom, x, y)
				count(dom, got, &dominated, &proved)
				got = s.AlwaysAfter(2, x, []hb.Site{y})
				check(t, s, seed, "AlwaysAfter", got, aft, x, y)
				count(aft, got, &after, &provedAfter)
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d programs; %d of %d may facts are too many; proved are %d of %d Dominates, %d of %d Always, %d of %d AlwaysAfter",
		programs, falseMays, mays, proved, dominated, provedAlways, always, provedAfter, after)
	if programs < 100 || falseMays*10 > mays || proved*10 < dominated*5 || provedAlways*10 < always*8 || provedAfter*10 < after*5 {
		t.Error("the oracle saw too little, or too little is proved")
	}
}

func count(all, some bool, n, k *int) {
	if all {
		*n++
		if some {
			*k++
		}
	}
}

// check: what is claimed must hold.
func check(t *testing.T, s *Set, seed uint64, what string, claimed, holds bool, x, y hb.Site) {
	t.Helper()
	if claimed && !holds {
		t.Errorf("seed %d: %s claimed of %s and %s, which does not hold", seed, what, s.siteName(x)+fmt.Sprint(int32(x)), s.siteName(y)+fmt.Sprint(int32(y)))
	}
}
