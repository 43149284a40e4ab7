package flow

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/engine/internal/hb"
)

// changes follows part, which is raced for, and other through onCreate, which uses part.
// A valuation is written with a letter for each: p and o if they hold something, - if part
// fails and other is null.
func (x *scene) changes(free bool) *hb.Change {
	x.t.Helper()
	use := x.use("app.Main.part")
	watched := []Watched{{Key: use.Key, Object: use.Objs.One(), Values: []int64{0}}}
	pair := Pair{Use: use, UseIn: x.create}
	for _, a := range x.all {
		switch {
		case x.s.PT.KeyName(a.Key) == "app.Main.other" && len(watched) == 1:
			watched = append(watched, Watched{Key: a.Key, Object: a.Objs.One(), Values: []int64{0}})
		case free && a.Key == use.Key && a.Null && pair.Free == nil:
			pair.Free, pair.FreeIn = a, x.create
		}
	}
	if len(watched) == 1 {
		x.t.Fatal("nothing loads or stores other")
	}
	c := x.facts.Changes(watched, pair)
	c.OwnNulls = true
	return c.Of(x.create, pair, false)
}

var valuationNames = []string{"--", "p-", "-o", "po"}

func valuations(v hb.Valuations) string {
	var out []string
	for i, name := range valuationNames {
		if v>>i&1 != 0 {
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}

func changeText(c *hb.Change) string {
	var out strings.Builder
	for v, after := range c.After {
		fmt.Fprintf(&out, "%s: %s\n", valuationNames[v], valuations(after))
	}
	fmt.Fprintf(&out, "uses: %s\n", valuations(c.Uses))
	return out.String()
}

// TestChanges: what onCreate leaves by what there is before it, and from what it uses a part
// that fails.
func TestChanges(t *testing.T) {
	const other = "iget-object v2, p0, Lapp/Main;->other:Lapp/Part;\n"
	const clear = "const/4 v2, 0\niput-object v2, p0, Lapp/Main;->other:Lapp/Part;\n"
	const fill = "new Part v2\niput-object v2, p0, Lapp/Main;->other:Lapp/Part;\n"
	const use = "load v0\nuse v0\n"
	const isSet = "iget-object v0, p0, Lapp/Main;->other:Lapp/Part;\nif-eqz v0, :no\nconst/4 v0, 1\nreturn v0\n:no\nconst/4 v0, 0\nreturn v0"
	for _, c := range []struct {
		name, code string
		helpers    []helper
		uses       string
		after      string // from -- p- -o po
	}{
		{"no test", other + use, nil, "-- -o", "|p-||po"},
		{"a test", other + "if-eqz v2, :end\n" + use + ":end", nil, "-o", "--|p-||po"},
		{"the other way", other + "if-nez v2, :end\n" + use + ":end", nil, "--", "|p-|-o|po"},
		{"a test of something else", other + "test v1\nif-eqz v1, :end\n" + use + ":end", nil, "-- -o", "--|p-|-o|po"},
		{"cleared behind the load", other + clear + other + "if-eqz v2, :end\n" + use + ":end", nil, "", "--|p-|--|p-"},
		{"tested as it was before", other + "move-object v3, v2\n" + clear + "if-eqz v3, :end\n" + use + ":end", nil, "-- -o", "--|p-|--|p-"},
		{"filled in the run", fill + other + "if-eqz v2, :end\n" + use + ":end", nil, "-- -o", "|po||po"},
		{"cleared on one branch", "test v1\nif-eqz v1, :no\n" + clear + ":no\n" + use, nil, "-- -o", "|p-||p- po"},
		{"the part is tested", other + "load v1\nif-eqz v1, :end\n" + use + ":end", nil, "", "--|p-|-o|po"},
		{"the part is made", other + "if-nez v2, :use\nnew Part v1\nstore v1\n:use\n" + use, nil, "-o", "p-|p-||po"},
		{"an answer", other + "invoke-virtual {p0}, Lapp/Main;->isSet()Z\nmove-result v1\nif-eqz v1, :end\n" + use + ":end",
			[]helper{{"isSet()Z", isSet}}, "-o", "--|p-||po"},
		{"the other answer", other + "invoke-virtual {p0}, Lapp/Main;->isSet()Z\nmove-result v1\nif-nez v1, :end\n" + use + ":end",
			[]helper{{"isSet()Z", isSet}}, "--", "|p-|-o|po"},
		{"an answer from before", other + "invoke-virtual {p0}, Lapp/Main;->isSet()Z\nmove-result v1\n" + fill + "if-eqz v1, :end\n" + use + ":end",
			[]helper{{"isSet()Z", isSet}}, "-- -o", "-o|po|-o|po"},
		{"a callee", other + "if-eqz v2, :end\ncall useIt\n:end", []helper{useHelper}, "-o", "--|p-||po"},
		{"a callee that clears", other + "call clear\n" + other + "if-eqz v2, :end\n" + use + ":end",
			[]helper{{"clear()V", clear + "return-void"}}, "", "--|p-|--|p-"},
		{"a callee that clears and fails", ":from\ncall clear\n:to\n" + use + "return-void\n:handler\nmove-exception v1\n" + other + "if-eqz v2, :end\n" + use +
			":end\n.catchall :from :to :handler", []helper{{"clear()V", clear + "test v1\nreturn-void"}}, "-o", "--|p-|--|p- po"},
		{"around a loop", ":loop\n" + other + "if-eqz v2, :end\n" + use + clear + "goto :loop\n:end", nil, "-o", "--|p-||p-"},
		{"a recursion may do anything", other + "call again", []helper{{"again()V", other + "if-eqz v2, :end\n" + use + "call again\n:end\nreturn-void"}}, "-o po",
			"--|p-||-- p- -o po"},
		{"thrown away", other + "if-nez v2, :use\nnew Part v3\nthrow v3\n:use\n" + use, nil, "-o", "|||po"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := build(t, c.code, c.helpers...).changes(false)
			if uses := valuations(got.Uses); uses != c.uses {
				t.Errorf("uses %q, want %q", uses, c.uses)
			}
			var after []string
			for _, v := range got.After {
				after = append(after, valuations(v))
			}
			if diff := cmp.Diff(strings.Split(c.after, "|"), after); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// instructions is a random program over part and other.
type instruction struct {
	what string
	a, b []instruction
}

// program writes random programs, which use part once.
type program struct {
	rng     *rand.Rand
	used    bool
	labels  int
	helpers []helper
}

func (p *program) random(depth int, inLoop bool) []instruction {
	var out []instruction
	for range 1 + p.rng.IntN(3) {
		kinds := []string{"clear", "fill", "free", "live", "use", "other", "unknown", "call", "loop"}
		k := kinds[p.rng.IntN(len(kinds))]
		switch {
		case k == "use" && (p.used || inLoop):
			continue
		case k == "use":
			p.used = true
		case len(k) > 4 && k != "clear" && depth == 0, k == "loop" && depth == 0, k == "call" && depth == 0:
			continue
		}
		in := instruction{what: k}
		switch k {
		case "other", "unknown":
			in.a, in.b = p.random(depth-1, inLoop), p.random(depth-1, inLoop)
		case "call":
			in.a = p.random(depth-1, inLoop)
		case "loop":
			in.a = p.random(depth-1, true)
		}
		out = append(out, in)
	}
	return out
}

func (p *program) label() string {
	p.labels++
	return fmt.Sprintf(":l%d", p.labels)
}

// code is the program as instructions of a method.
func (p *program) code(all []instruction) string {
	var out strings.Builder
	for _, in := range all {
		switch in.what {
		case "clear":
			out.WriteString("const/4 v2, 0\niput-object v2, p0, Lapp/Main;->other:Lapp/Part;\n")
		case "fill":
			out.WriteString("new Part v2\niput-object v2, p0, Lapp/Main;->other:Lapp/Part;\n")
		case "free":
			out.WriteString("const/4 v1, 0\nstore v1\n")
		case "live":
			out.WriteString("new Part v1\nstore v1\n")
		case "use":
			out.WriteString("load v0\nuse v0\n")
		case "other", "unknown":
			no, end := p.label(), p.label()
			test := "iget-object v2, p0, Lapp/Main;->other:Lapp/Part;\nif-eqz v2, "
			if in.what == "unknown" {
				test = "test v2\nif-eqz v2, "
			}
			fmt.Fprintf(&out, "%s%s\n%sgoto %s\n%s\n%s%s\n", test, no, p.code(in.a), end, no, p.code(in.b), end)
		case "call":
			name := fmt.Sprintf("helper%d", len(p.helpers))
			k := len(p.helpers)
			p.helpers = append(p.helpers, helper{})
			p.helpers[k] = helper{name + "()V", p.code(in.a) + "return-void"}
			out.WriteString("call " + name + "\n")
		case "loop":
			top := p.label()
			fmt.Fprintf(&out, "%s\n%stest v2\nif-nez v2, %s\n", top, p.code(in.a), top)
		}
	}
	return out.String()
}

// run interprets a program from some valuations: what it leaves, and whether the use fails.
func run(all []instruction, v hb.Valuations) (after hb.Valuations, fails bool) {
	const part, other = 0b1010, 0b1100
	for _, in := range all {
		switch in.what {
		case "clear":
			v = v&^other | v&other>>2
		case "fill":
			v = v&other | v&^other<<2
		case "free":
			v = v&^part | v&part>>1
		case "live":
			v = v&part | v&^part<<1
		case "use":
			fails = fails || v&^part != 0
			v &= part // else the run is over
		case "other", "unknown":
			a, b := v, v
			if in.what == "other" {
				a, b = v&other, v&^other
			}
			a, f := run(in.a, a)
			b, g := run(in.b, b)
			v, fails = a|b, fails || f || g
		case "call":
			w, f := run(in.a, v)
			v, fails = w, fails || f
		case "loop":
			var out hb.Valuations
			for now := v; ; {
				w, f := run(in.a, now)
				fails = fails || f
				if w&^out == 0 {
					break
				}
				out |= w
				now = out
			}
			v = out
		}
	}
	return v, fails
}

// TestChangesAgainstRuns compares the summaries of random programs, branches, calls and loops
// included, with what running them from each valuation leaves.
func TestChangesAgainstRuns(t *testing.T) {
	some := map[string]bool{}
	for seed := range uint64(150) {
		p := &program{rng: rand.New(rand.NewPCG(seed, 5))}
		all := append([]instruction{{what: "other"}}, p.random(3, false)...)
		if !p.used {
			all = append(all, instruction{what: "use"})
		}
		all = append(all, instruction{what: "free"})
		code := p.code(all)
		x := build(t, code, p.helpers...)
		got := x.changes(true)
		want := &hb.Change{After: make([]hb.Valuations, 4)}
		for v := range want.After {
			after, fails := run(all, 1<<v)
			want.After[v] = after
			if fails {
				want.Uses |= 1 << v
			}
		}
		if diff := cmp.Diff(changeText(want), changeText(got)); diff != "" {
			t.Fatalf("seed %d:\n%s\n%v\n%s", seed, code, p.helpers, diff)
		}
		some[valuations(got.Uses)] = true
	}
	if len(some) < 4 {
		t.Errorf("the programs show too little: %v", some)
	}
}

// TestOwnBase: whether the object of the last load of part belongs to the run's instance.
func TestOwnBase(t *testing.T) {
	const load = "\niget-object v1, v0, Lapp/Main;->part:Lapp/Part;\nuse v1"
	const next = "iget-object v0, p0, Lapp/Main;->next:Lapp/Main;"
	for _, c := range []struct {
		name, code string
		helpers    []helper
		want       bool
	}{
		{"this", "load v1\nuse v1", nil, true},
		{"this of a callee", "call useIt", []helper{useHelper}, true},
		{"new", "new Main v0" + load, nil, true},
		{"a field that holds what is made for it", "new Main v0\niput-object v0, p0, Lapp/Main;->next:Lapp/Main;\n" + next + load, nil, true},
		{"out of a static field", "sget-object v0, Lapp/Main;->shared:Ljava/lang/Object;\ncheck-cast v0, Lapp/Main;" + load, nil, false},
		{"a field that may hold another instance", "sget-object v0, Lapp/Main;->shared:Ljava/lang/Object;\ncheck-cast v0, Lapp/Main;\n" +
			"iput-object v0, p0, Lapp/Main;->next:Lapp/Main;\n" + next + load, nil, false},
		{"a result", "invoke-virtual {p0}, Lapp/Main;->self()Lapp/Main;\nmove-result-object v0" + load,
			[]helper{{"self()Lapp/Main;", "return-object p0"}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := build(t, "sput-object p0, Lapp/Main;->shared:Ljava/lang/Object;\n"+c.code, c.helpers...)
			use := x.use("app.Main.part")
			if got := x.facts.OwnBase(x.create, Place{Func: use.Func, At: use.At, Value: use.Base}); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
