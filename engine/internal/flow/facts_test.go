package flow

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

func TestNulls(t *testing.T) {
	pick := helper{"pick(Lapp/Part;)Lapp/Part;", "if-eqz p1, :no\nreturn-object p1\n:no\nconst/4 v0, 0\nreturn-object v0"}
	const call = "invoke-virtual {p0, v0}, Lapp/Main;->pick(Lapp/Part;)Lapp/Part;\nmove-result-object v1\n" +
		"iput-object v1, p0, Lapp/Main;->other:Lapp/Part;"
	for _, c := range []struct {
		name, code string
		helpers    []helper
		want       Nullness
	}{
		{"a null", "const/4 v1, 0\niput-object v1, p0, Lapp/Main;->other:Lapp/Part;", nil, Nullness{Null: true}},
		{"a new object", "new Part v1\niput-object v1, p0, Lapp/Main;->other:Lapp/Part;", nil, Nullness{Other: true}},
		{"either", "const/4 v1, 0\ntest v2\nif-eqz v2, :put\nnew Part v1\n:put\n" +
			"iput-object v1, p0, Lapp/Main;->other:Lapp/Part;", nil, Nullness{true, true}},
		{"as null as the argument, which is not", "new Part v0\n" + call, []helper{pick}, Nullness{Other: true}},
		{"as null as the argument, which is", "const/4 v0, 0\n" + call, []helper{pick}, Nullness{true, false}},
		{"what the heap holds is not followed", "load v1\niput-object v1, p0, Lapp/Main;->other:Lapp/Part;", nil, Nullness{Other: true}},
		{"a parameter", "const/4 v0, 0\ninvoke-virtual {p0, v0}, Lapp/Main;->put(Lapp/Part;)V", []helper{
			{"put(Lapp/Part;)V", "iput-object p1, p0, Lapp/Main;->other:Lapp/Part;\nreturn-void"}}, Nullness{Null: true}},
		{"a parameter that is passed on to itself", "const/4 v0, 0\ninvoke-virtual {p0, v0}, Lapp/Main;->put(Lapp/Part;)V", []helper{
			{"put(Lapp/Part;)V", "test v0\nif-eqz v0, :put\ninvoke-virtual {p0, p1}, Lapp/Main;->put(Lapp/Part;)V\n:put\n" +
				"iput-object p1, p0, Lapp/Main;->other:Lapp/Part;\nreturn-void"}}, Nullness{Null: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := build(t, c.code, c.helpers...)
			for _, a := range x.all {
				if a.Write && x.s.PT.KeyName(a.Key) == "app.Main.other" {
					if got := x.facts.Nulls.Of(x.create, a.Func, x.s.PT.Body(a.Func).Arg(a.At, 1)); got != c.want {
						t.Errorf("%+v, want %+v", got, c.want)
					}
				}
			}
		})
	}
}

// TestDerefs names the functions with untested dereferences of what onCreate, or get, loads from part.
func TestDerefs(t *testing.T) {
	for _, c := range []struct {
		name, code string
		helpers    []helper
		want       []string
	}{
		{"a call", "load v0\nuse v0", nil, []string{"onCreate"}},
		{"a tested call", "load v0\nif-eqz v0, :end\nuse v0\n:end", nil, nil},
		{"where it is passed to", "load v0\ninvoke-virtual {p0, v0}, Lapp/Main;->take(Lapp/Part;)V",
			[]helper{{"take(Lapp/Part;)V", "use p1\nreturn-void"}}, []string{"take"}},
		{"where it is passed to and tested", "load v0\ninvoke-virtual {p0, v0}, Lapp/Main;->take(Lapp/Part;)V",
			[]helper{{"take(Lapp/Part;)V", "if-eqz p1, :end\nuse p1\n:end\nreturn-void"}}, nil},
		{"where it is returned to, once", "invoke-virtual {p0}, Lapp/Main;->get()Lapp/Part;\nmove-result-object v0\nuse v0", []helper{
			{"get()Lapp/Part;", "load v0\ntest v1\nif-eqz v1, :again\nreturn-object v0\n:again\nreturn-object v0"}}, []string{"onCreate"}},
		{"out of a recursion", "invoke-virtual {p0}, Lapp/Main;->get()Lapp/Part;\nmove-result-object v0\nuse v0", []helper{
			{"get()Lapp/Part;", "test v1\nif-eqz v1, :again\nload v0\nreturn-object v0\n:again\n" +
				"invoke-virtual {p0}, Lapp/Main;->get()Lapp/Part;\nmove-result-object v0\nreturn-object v0"}}, []string{"onCreate"}},
		{"merged with another value", "load v0\ntest v1\nif-eqz v1, :use\nnew Part v0\n:use\nuse v0", nil, []string{"onCreate"}},
		{"merged where it is not null", "load v0\nif-nez v0, :use\nnew Part v0\n:use\nuse v0", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := build(t, c.code, c.helpers...)
			var got []string
			for _, a := range x.all {
				for _, d := range a.Derefs {
					if x.s.PT.KeyName(a.Key) == "app.Main.part" {
						m := x.s.PT.Prog.Methods[x.s.PT.Funcs[d.Func].Method]
						got = append(got, x.s.PT.Prog.Selectors[m.Sel].Name)
					}
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestFresh: the last store into a part that onCreate makes is private, or not.
func TestFresh(t *testing.T) {
	const put = "const/4 v1, 1\niput v1, v0, Lapp/Part;->n:I"
	for _, c := range []struct {
		name, code string
		helpers    []helper
		want       bool
	}{
		{"new", "new Part v0\n" + put, nil, true},
		{"loaded", "load v0\n" + put, nil, false},
		{"stored before", "new Part v0\nstore v0\n" + put, nil, false},
		{"stored after", "new Part v0\n" + put + "\nstore v0", nil, true},
		{"started before", "new Part v0\ninvoke-virtual {v0}, Lapp/Part;->start()V\n" + put, nil, false},
		{"started after", "new Part v0\n" + put + "\ninvoke-virtual {v0}, Lapp/Part;->start()V", nil, true},
		{"a call that starts nothing", "new Part v0\ninvoke-virtual {v0}, Lapp/Part;->getId()J\n" + put, nil, true},
		{"kept by a method of its own", "new Part v0\ninvoke-virtual {v0}, Lapp/Part;->keep()V\n" + put, nil, false},
		{"used by a method of its own", "new Part v0\nuse v0\n" + put, nil, true},
		{"passed to what does not keep it", "new Part v0\ninvoke-virtual {p0, v0}, Lapp/Main;->take(Lapp/Part;)V\n" +
			put, []helper{{"take(Lapp/Part;)V", "use p1\nreturn-void"}}, true},
		{"passed to what passes it on and on", "new Part v0\ninvoke-virtual {p0, v0}, Lapp/Main;->a(Lapp/Part;)V\n" + put, []helper{
			{"a(Lapp/Part;)V", "invoke-virtual {p0, p1}, Lapp/Main;->b(Lapp/Part;)V\nreturn-void"}, {"b(Lapp/Part;)V",
				"invoke-virtual {p0, p1}, Lapp/Main;->c(Lapp/Part;)V\nreturn-void"},
			{"c(Lapp/Part;)V", "invoke-virtual {p0, p1}, Lapp/Main;->d(Lapp/Part;)V\nreturn-void"}, {"d(Lapp/Part;)V",
				"invoke-virtual {p0, p1}, Lapp/Main;->a(Lapp/Part;)V\nreturn-void"}}, true},
		{"passed to what keeps it at last", "new Part v0\ninvoke-virtual {p0, v0}, Lapp/Main;->a(Lapp/Part;)V\n" + put, []helper{
			{"a(Lapp/Part;)V", "invoke-virtual {p0, p1}, Lapp/Main;->b(Lapp/Part;)V\nreturn-void"}, {"b(Lapp/Part;)V",
				"invoke-virtual {p0, p1}, Lapp/Main;->a(Lapp/Part;)V\nstore p1\nreturn-void"}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := build(t, c.code, c.helpers...)
			var store *Access
			for _, a := range x.all {
				if a.Write && x.s.PT.KeyName(a.Key) == "app.Part.n" && a.Func == x.function("onCreate") {
					store = a
				}
			}
			if got := x.facts.Fresh.Private(x.create, store); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

// TestLocks counts the locks held at the last use.
func TestLocks(t *testing.T) {
	for _, c := range []struct {
		name, code string
		helpers    []helper
		want       int
	}{
		{"inside", enter + "load v0\nuse v0" + exit, nil, 1},
		{"behind", enter + exit + "load v0\nuse v0", nil, 0},
		{"on one branch", "lock v3\ntest v1\nif-eqz v1, :no\nmonitor-enter v3\n:no\nload v0\nuse v0", nil, 0},
		{"by all callers", enter + "call useIt" + exit, []helper{useHelper}, 1},
		{"by one of two callers", enter + "call useIt" + exit + "call useIt", []helper{useHelper}, 0},
		{"by the caller of a recursion", enter + "call again" + exit, []helper{{"again()V", "load v0\nuse v0\ncall again\nreturn-void"}}, 1},
		{"in a recursion that nobody enters with it", "call again", []helper{{"again()V", "load v0\nuse v0" + enter +
			"call again" + exit + "return-void"}}, 0},
		{"by the method", "call useIt", []helper{{"synchronized useIt()V", "load v0\nuse v0\nreturn-void"}}, 1},
		{"an object that is another one each time", "new Part v2\nmonitor-enter v2\nload v0\nuse v0\nmonitor-exit v2", nil, 1},
		{"an object of which nothing is known", "sget-object v2, Lapp/Main;->shared:Ljava/lang/Object;\n" +
			"monitor-enter v2\nload v0\nuse v0\nmonitor-exit v2", nil, 0},
		{"in a handler", ":from" + enter + "test v1" + exit + ":to\nreturn-void\n:handler\nmove-exception v2\n" +
			"load v0\nuse v0\n.catchall :from :to :handler", nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := build(t, c.code, c.helpers...)
			use := x.use("app.Main.part")
			if got := x.facts.Locks.at(use.Func, use.At).locks; len(got) != c.want {
				t.Errorf("%v, want %d", got, c.want)
			}
			if got := x.facts.Locks.Common(use, use); len(got) != c.want {
				t.Errorf("in common with itself %v, want %d", got, c.want)
			}
		})
	}
}

// TestCatches names the function that catches what the last use throws.
func TestCatches(t *testing.T) {
	const null = "java.lang.NullPointerException"
	caught := func(class string) string {
		return ":from\ncall useIt\n:to\nreturn-void\n:handler\nmove-exception v2\ntest v1\n.catch L" + class + "; :from :to :handler"
	}
	for _, c := range []struct {
		name, code string
		helpers    []helper
		want       string
	}{
		{"the class itself", caught("java/lang/NullPointerException"), []helper{useHelper}, "onCreate"},
		{"a class above", caught("java/lang/RuntimeException"), []helper{useHelper}, "onCreate"},
		{"a class beside", caught("java/lang/IllegalStateException"), []helper{useHelper}, ""},
		{"not at all", "call useIt", []helper{useHelper}, ""},
		{"on one of two ways", "call useIt\n" + caught("java/lang/RuntimeException"), []helper{useHelper}, ""},
		{"thrown on", ":from\ncall useIt\n:to\nreturn-void\n:handler\nmove-exception v2\nthrow v2\n" +
			".catchall :from :to :handler", []helper{useHelper}, ""},
		{"six calls up", ":from\ncall a\n:to\nreturn-void\n:handler\nmove-exception v2\ntest v1\n.catchall :from :to :handler", []helper{
			{"a()V", "call b\nreturn-void"}, {"b()V", "call c\nreturn-void"}, {"c()V", "call d\nreturn-void"}, {"d()V",
				"call e\nreturn-void"}, {"e()V", "call useIt\nreturn-void"}, useHelper}, "onCreate"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := build(t, c.code, c.helpers...)
			use := x.use("app.Main.part")
			got := ""
			if f := x.facts.Catches.By(x.create, use.Derefs[0].Func, use.Derefs[0].At, null); f != 0 {
				got = x.s.PT.Prog.Selectors[x.s.PT.Prog.Methods[x.s.PT.Funcs[f].Method].Sel].Name
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestValues: what take's argument may be in the runs of onCreate, which passes one of two
// objects that the program passes.
func TestValues(t *testing.T) {
	take := helper{"take(Lapp/Part;)V", "use p1\nreturn-void"}
	const pass = "\ninvoke-virtual {p0, v0}, Lapp/Main;->take(Lapp/Part;)V\n"
	pause := helper{"onPause()V", "new Part v0" + pass + "return-void"}
	for _, c := range []struct {
		name, code string
		helpers    []helper
		all, want  int
	}{
		{"one of two callers", "new Part v0" + pass, []helper{take, pause}, 2, 1},
		{"both are of the action", "new Part v0" + pass + "new Part v0" + pass, []helper{take}, 2, 2},
		{"through a recursion", "new Part v0" + pass, []helper{
			{"take(Lapp/Part;)V", "use p1\ntest v0\nif-eqz v0, :end\n" +
				"invoke-virtual {p0, p1}, Lapp/Main;->take(Lapp/Part;)V\n:end\nreturn-void"}, pause}, 2, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := build(t, c.code, c.helpers...)
			f := x.function("take")
			if got := x.s.PT.PointsTo(f, 2).Len(); got != c.all {
				t.Fatalf("%d objects in all, want %d", got, c.all)
			}
			if got := x.facts.Values.Of(x.create, f, 2).Len(); got != c.want {
				t.Errorf("%d objects, want %d", got, c.want)
			}
		})
	}
}

// TestRequired: the flags that a use is executed under.
func TestRequired(t *testing.T) {
	x := build(t, "iget-object v0, p0, Lapp/Main;->other:Lapp/Part;\nif-nez v0, :end\nload v1\nuse v1\n:end\nload v2\nuse v2")
	f := x.function("onCreate")
	b := x.s.PT.Body(f)
	var got []int
	for _, v := range x.values(f, ir.OpInvoke) {
		n := 0
		for _, c := range x.facts.Required(b, v) {
			if load := x.facts.LoadAt(f, c.Value); load != nil && x.s.PT.KeyName(load.Key) == "app.Main.other" && c.Zero() {
				n++
			}
		}
		got = append(got, n)
	}
	if diff := cmp.Diff([]int{1, 0}, got); diff != "" {
		t.Error(diff)
	}
	if x.facts.LoadAt(f, ir.Value(1)) != nil || x.facts.LoadAt(pointsto.FuncID(0), 1) != nil {
		t.Error("a parameter is no load")
	}
}

// TestPartings: what onCreate has waited for, and taken out of a list, before its last use.
func TestPartings(t *testing.T) {
	const list = "new-instance v4, Ljava/util/ArrayList;\ninvoke-direct {v4}, Ljava/util/ArrayList;-><init>()V\n"
	const join = "invoke-virtual {v2}, Lapp/Part;->join()V\n"
	const remove = "invoke-virtual {v4, v2}, Ljava/util/ArrayList;->remove(Ljava/lang/Object;)Z\n"
	for _, c := range []struct {
		name, code      string
		joined, removed int
	}{
		{"before", list + "new Part v2\n" + join + remove + "load v0\nuse v0", 1, 1},
		{"after", list + "new Part v2\nload v0\nuse v0\n" + join + remove, 0, 0},
		{"on one branch", list + "new Part v2\ntest v1\nif-eqz v1, :no\n" + join + remove + ":no\nload v0\nuse v0", 1, 0},
		{"around a loop", list + "new Part v2\n:loop\n" + join + remove + "load v0\nuse v0\ngoto :loop", 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := build(t, c.code)
			at := x.use("app.Main.part").Site()
			if got := x.facts.Partings.Joined(x.create, at).Len(); got != c.joined {
				t.Errorf("%d joined, want %d", got, c.joined)
			}
			out := x.facts.Partings.TakenOut(x.create, at)
			if out.Len() != c.removed {
				t.Errorf("%d removed, want %d", out.Len(), c.removed)
			}
			if o := out.One(); o != 0 && x.facts.Partings.WorksOn(x.create, x.function("onCreate"), o) {
				t.Error("onCreate is no method of what it removes")
			}
		})
	}
}
