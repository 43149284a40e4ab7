package flow

import "testing"

// guardCase is the code around a use of part: tested says whether every way to it has found
// the field not null, made whether it has been written; with a lock, inside of one section
// of app.Main's lock.
type guardCase struct {
	name    string
	code    string
	helpers []helper
	locked  bool
	tested  bool
	made    bool
}

const enter, exit = "\nlock v3\nmonitor-enter v3\n", "\nmonitor-exit v3\n"

var (
	useHelper  = helper{"useIt()V", "load v0\nuse v0\nreturn-void"}
	free       = "const/4 v5, 0\nstore v5\n"
	freeHelper = helper{"free()V", free + "return-void"}
)

var guardCases = []guardCase{
	{name: "a test of an earlier load", code: "load v0\nif-eqz v0, :end\nload v1\nuse v1\n:end", tested: true},
	{name: "a test of another field", code: "iget-object v0, p0, Lapp/Main;->other:Lapp/Part;\nif-eqz v0, :end\nload v1\nuse v1\n:end"},
	{name: "a test of another object", code: "iget-object v2, p0, Lapp/Main;->next:Lapp/Main;\n" +
		"iget-object v0, v2, Lapp/Main;->part:Lapp/Part;\n" +
		"if-eqz v0, :end\nload v1\nuse v1\n:end"},
	{name: "a free after the test", code: "load v0\nif-eqz v0, :end\n" + free + "load v1\nuse v1\n:end"},
	{name: "a call that frees after the test", code: "load v0\nif-eqz v0, :end\ncall free\nload v1\nuse v1\n:end",
		helpers: []helper{freeHelper}},
	{name: "a call that frees before a use, which is no test of what is loaded later", code: "load v0\ncall free\n" +
		"use v0\nload v1\nuse v1", helpers: []helper{freeHelper}},
	{name: "an earlier use", code: "load v0\nuse v0\nload v1\nuse v1", tested: true},
	{name: "on one branch only", code: "test v2\nif-eqz v2, :use\nload v0\nif-eqz v0, :end\n:use\nload v1\nuse v1\n:end"},
	{name: "around a loop that frees at its end", code: ":loop\nload v0\nif-eqz v0, :end\nload v1\nuse v1\n" +
		free + "goto :loop\n:end", tested: true},
	{name: "around a loop that frees after the load", code: ":loop\nload v0\n" + free + "if-eqz v0, :end\nload v1\nuse v1\ngoto :loop\n:end"},
	{name: "a write before", code: "new Part v0\nstore v0\nload v1\nuse v1", tested: true, made: true},
	{name: "a write on one branch", code: "test v2\nif-eqz v2, :use\nnew Part v0\nstore v0\n:use\nload v1\nuse v1"},
	{name: "in the caller", code: "load v0\nif-eqz v0, :end\ncall useIt\n:end", helpers: []helper{useHelper}, tested: true},
	{name: "in one of two callers", code: "load v0\nif-eqz v0, :end\ncall useIt\n:end\ncall useIt", helpers: []helper{useHelper}},
	{name: "six callers up", code: "load v0\nif-eqz v0, :end\ncall a\n:end", helpers: []helper{
		{"a()V", "call b\nreturn-void"}, {"b()V", "call c\nreturn-void"}, {"c()V", "call d\nreturn-void"},
		{"d()V", "call e\nreturn-void"}, {"e()V", "call useIt\nreturn-void"}, useHelper,
	}, tested: true},
	{name: "in the caller of a recursion", code: "load v0\nif-eqz v0, :end\ncall again\n:end", helpers: []helper{
		{"again()V", "load v0\nuse v0\ntest v1\nif-eqz v1, :end\ncall again\n:end\nreturn-void"},
	}, tested: true},
	{name: "in the caller of a recursion that frees", code: "load v0\nif-eqz v0, :end\ncall again\n:end", helpers: []helper{
		{"again()V", "load v0\nuse v0\n" + free + "call again\nreturn-void"},
	}},
	{name: "by a method of the object", code: "invoke-virtual {p0}, Lapp/Main;->ready()Z\nmove-result v0\n" +
		"if-eqz v0, :end\nload v1\nuse v1\n:end", helpers: []helper{
		{"ready()Z", "load v0\nif-eqz v0, :no\nconst/4 v1, 1\nreturn v1\n:no\nconst/4 v1, 0\nreturn v1"},
	}, tested: true},
	{name: "by a method of the object that says yes anyway", code: "invoke-virtual {p0}, Lapp/Main;->ready()Z\n" +
		"move-result v0\nif-eqz v0, :end\nload v1\nuse v1\n:end", helpers: []helper{
		{"ready()Z", "load v0\nif-eqz v0, :no\nconst/4 v1, 1\nreturn v1\n:no\ninvoke-static {}, Lapp/Main;->test()I\nmove-result v1\nreturn v1"},
	}},
	{name: "by a method that asks itself", code: "invoke-virtual {p0}, Lapp/Main;->ready()Z\nmove-result v0\n" +
		"if-eqz v0, :end\nload v1\nuse v1\n:end", helpers: []helper{
		{"ready()Z", "invoke-virtual {p0}, Lapp/Main;->ready()Z\nmove-result v0\nif-eqz v0, :no\nload v0\n" +
			"if-eqz v0, :no\nconst/4 v1, 1\nreturn v1\n:no\nconst/4 v1, 0\nreturn v1"},
	}, tested: true},

	{name: "in the section of the use", code: enter + "load v0\nif-eqz v0, :end\nload v1\nuse v1\n:end" + exit, locked: true, tested: true},
	{name: "before the section", code: "load v0\nif-eqz v0, :end" + enter + "load v1\nuse v1" + exit + ":end", locked: true},
	{name: "in another section", code: enter + "load v0" + exit + "if-eqz v0, :end" + enter + "load v1\nuse v1" + exit + ":end", locked: true},
	{name: "tested in another section", code: enter + "load v0\nif-eqz v0, :out" + exit + enter + "load v1\n" +
		"use v1\n:out" + exit, locked: true},
	{name: "in a section inside of the section", code: enter + "load v0\nif-eqz v0, :end" + enter + "load v1\n" +
		"use v1" + exit + ":end" + exit, locked: true, tested: true},
	{name: "around a loop", code: ":loop" + enter + "load v0\nif-eqz v0, :end\nload v1\nuse v1\n:end" + exit +
		"goto :loop", locked: true, tested: true},
	{name: "a wait between", code: enter + "load v0\nif-eqz v0, :end\n" +
		"invoke-virtual {v3}, Ljava/lang/Object;->wait()V\nload v1\nuse v1\n:end" + exit, locked: true},
	{name: "a wait between, in a callee", code: enter + "load v0\nif-eqz v0, :end\ncall pause\nload v1\nuse v1\n" +
		":end" + exit, helpers: []helper{
		{"pause()V", "lock v0\ninvoke-virtual {v0}, Ljava/lang/Object;->wait()V\nreturn-void"},
	}, locked: true},
	{name: "in the caller, who holds the lock", code: enter + "load v0\nif-eqz v0, :end\ncall useIt\n:end" + exit,
		helpers: []helper{useHelper}, locked: true, tested: true},
	{name: "in the caller, before a callee that takes the lock", code: "load v0\nif-eqz v0, :end\ncall useIt\n:end", helpers: []helper{
		{"useIt()V", enter + "load v0\nuse v0" + exit + "return-void"},
	}, locked: true},
	{name: "before a synchronized method", code: "load v0\nif-eqz v0, :end\ncall useIt\n:end", helpers: []helper{
		{"synchronized useIt()V", "load v0\nuse v0\nreturn-void"},
	}, locked: true},
	{name: "between synchronized methods", code: "call outer", helpers: []helper{
		{"synchronized outer()V", "load v0\nif-eqz v0, :end\ncall useIt\n:end\n" +
			"return-void"}, {"synchronized useIt()V", "load v0\nuse v0\nreturn-void"},
	}, locked: true, tested: true},
	{name: "a write in the section of the use", code: enter + "call make\nload v1\nuse v1" + exit, helpers: []helper{
		{"make()V", "new Part v0\nstore v0\nreturn-void"},
	}, locked: true, made: true},
	{name: "a write in a section before", code: enter + "call make" + exit + enter + "load v1\nuse v1" + exit, helpers: []helper{
		{"make()V", "new Part v0\nstore v0\nreturn-void"},
	}, locked: true},
}

func TestGuards(t *testing.T) {
	for _, c := range guardCases {
		t.Run(c.name, func(t *testing.T) {
			x := build(t, c.code, c.helpers...)
			use := x.use("app.Main.part")
			var lock Lock
			if held := x.facts.Locks.at(use.Func, use.At).locks; c.locked && len(held) == 1 {
				lock = held[0]
			} else if c.locked {
				t.Fatalf("locks %v", held)
			}
			if got := x.facts.Guards.Tested(x.create, use, lock); got != c.tested {
				t.Errorf("tested %v, want %v", got, c.tested)
			}
			if got := x.facts.Guards.Allocated(x.create, use, lock); got != c.made {
				t.Errorf("made %v, want %v", got, c.made)
			}
		})
	}
}

func TestAfterwards(t *testing.T) {
	for _, c := range []struct {
		name, code           string
		written, overwritten bool
	}{
		{"written again", free + "new Part v0\nstore v0\nload v1\nuse v1", true, true},
		{"written again on one branch", free + "test v2\nif-eqz v2, :end\nnew Part v0\nstore v0\n:end\nload v1\nuse v1", false, true},
		{"of another object", free + "iget-object v2, p0, Lapp/Main;->next:Lapp/Main;\nnew Part v0\n" +
			"iput-object v0, v2, Lapp/Main;->part:Lapp/Part;\nload v1\nuse v1", false, true},
		{"read first", "load v1\nuse v1\n" + free + "new Part v0\nstore v0", true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := build(t, c.code)
			var null *Access
			for _, a := range x.all {
				if a.Null {
					null = a
				}
			}
			if got := x.facts.Guards.Reallocated(x.create, null); got != c.written {
				t.Errorf("written again %v, want %v", got, c.written)
			}
			if got := x.facts.Guards.Overwritten(x.create, x.use("app.Main.part")); got != c.overwritten {
				t.Errorf("overwritten %v, want %v", got, c.overwritten)
			}
		})
	}
}

// TestOneObject: the store and the load of Part.n are of one object.
func TestOneObject(t *testing.T) {
	const put, get = "\nconst/4 v1, 1\niput v1, v0, Lapp/Part;->n:I\n", "\niget v1, v2, Lapp/Part;->n:I\n"
	for _, c := range []struct {
		name, code string
		want       bool
	}{
		{"made once in a run", "new Part v0\niput-object v0, p0, Lapp/Main;->other:Lapp/Part;" + put +
			"iget-object v2, p0, Lapp/Main;->other:Lapp/Part;" + get, true},
		{"made in a loop", ":loop\nnew Part v0\niput-object v0, p0, Lapp/Main;->other:Lapp/Part;" + put +
			"iget-object v2, p0, Lapp/Main;->other:Lapp/Part;" + get + "goto :loop", false},
		{"in a loop, by one value", ":loop\nnew Part v0" + put + "move-object v2, v0" + get + "goto :loop", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := build(t, c.code)
			var n []*Access
			for _, a := range x.all {
				if x.s.PT.KeyName(a.Key) == "app.Part.n" && a.Func == x.function("onCreate") {
					n = append(n, a)
				}
			}
			if got := x.facts.Guards.OneObject(n[0], n[1]); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
