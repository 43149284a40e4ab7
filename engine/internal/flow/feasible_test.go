package flow

import "testing"

// TestFeasible: whether runs of onCreate come to the last use of part, which tests what is
// passed to it.
func TestFeasible(t *testing.T) {
	const untilNull = "if-eqz p1, :end\nload v0\nuse v0\n:end\nreturn-void"
	const takeNull = "const/4 v0, 0\ninvoke-virtual {p0, v0}, Lapp/Main;->take(Lapp/Part;)V\n"
	const takeNew = "new Part v0\ninvoke-virtual {p0, v0}, Lapp/Main;->take(Lapp/Part;)V\n"
	take := helper{"take(Lapp/Part;)V", untilNull}
	pass := helper{"pass(Lapp/Part;)V", "invoke-virtual {p0, p1}, Lapp/Main;->take(Lapp/Part;)V\nreturn-void"}
	const passNull = "const/4 v0, 0\ninvoke-virtual {p0, v0}, Lapp/Main;->pass(Lapp/Part;)V\n"
	for _, c := range []struct {
		name, code string
		helpers    []helper
		want       bool
	}{
		{"null, which is tested", takeNull, []helper{take}, false},
		{"an object", takeNew, []helper{take}, true},
		{"both", takeNull + takeNew, []helper{take}, true},
		{"an object, and null is wanted", takeNew, []helper{{"take(Lapp/Part;)V", "if-nez p1, :end\nload v0\nuse v0\n:end\nreturn-void"}}, false},
		{"what is loaded", "load v0\ninvoke-virtual {p0, v0}, Lapp/Main;->take(Lapp/Part;)V\n", []helper{take}, true},
		{"null through another call", passNull, []helper{take, pass}, false},
		{"null through another call, and an object", passNull + takeNew, []helper{take, pass}, true},
		{"the use is in a callee of the test", takeNull, []helper{useHelper, {"take(Lapp/Part;)V", "if-eqz p1, :end\ncall useIt\n:end\nreturn-void"}}, false},
		{"and called from elsewhere", takeNull + "call useIt", []helper{useHelper,
			{"take(Lapp/Part;)V", "if-eqz p1, :end\ncall useIt\n:end\nreturn-void"}}, true},
		{"another value by then", takeNull, []helper{{"take(Lapp/Part;)V", "if-nez p1, :use\nload p1\n:use\nif-eqz p1, :end\nload v0\nuse v0\n:end\nreturn-void"}}, true},
		{"a recursion that passes on what it gets", takeNull, []helper{{"take(Lapp/Part;)V", "if-eqz p1, :end\nload v0\nuse v0\n" +
			"invoke-virtual {p0, p1}, Lapp/Main;->take(Lapp/Part;)V\n:end\nreturn-void"}}, false},
		{"a recursion that passes something", takeNull, []helper{{"take(Lapp/Part;)V", "if-eqz p1, :no\nload v0\nuse v0\nreturn-void\n:no\n" +
			"load v1\ninvoke-virtual {p0, v1}, Lapp/Main;->take(Lapp/Part;)V\nreturn-void"}}, true},
		{"a recursion on the ways to it that nobody enters", takeNull, []helper{{"take(Lapp/Part;)V", "if-eqz p1, :end\nload v0\nuse v0\n" +
			"new Part v1\ninvoke-virtual {p0, v1}, Lapp/Main;->take(Lapp/Part;)V\n:end\nreturn-void"}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := build(t, c.code, c.helpers...)
			use := x.use("app.Main.part")
			if got := x.facts.Feasible.At(x.create, use.Func, use.At); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
			if got := x.facts.Feasible.At(x.create, use.Func, use.At); got != c.want {
				t.Errorf("asked again: %v", got)
			}
		})
	}
}
