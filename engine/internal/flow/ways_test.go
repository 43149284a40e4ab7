package flow

import (
	"testing"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

// TestEveryWayIn asks whether every way to the helper target passes the first instruction that
// loads part, in the function itself or before a call.
func TestEveryWayIn(t *testing.T) {
	target := helper{"target()V", "return-void"}
	for _, c := range []struct {
		name    string
		code    string
		helpers []helper
		want    bool
	}{
		{"from the entry", "load v0\ncall target", nil, true},
		{"from the entry, before", "call target\nload v0", nil, false},
		{"both ways", "load v0\ncall target\ncall between", []helper{{"between()V", "call target\nreturn-void"}}, true},
		{"one of two ways", "call between\nload v0\ncall target", []helper{{"between()V", "call target\nreturn-void"}}, false},
		{"through recursion", "load v0\ncall between", []helper{{"between()V", "test v1\nif-eqz v1, :end\n" +
			"call between\n:end\ncall target\nreturn-void"}}, true},
		{"only recursion says so", "call between", []helper{{"between()V", "call target\nload v0\ncall between\nreturn-void"}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := build(t, c.code, append(c.helpers, target)...)
			asked := map[Place]int{}
			got := x.facts.Ways.EveryWayIn(x.create, Place{Func: x.function("target"), At: 1}, func(p Place) Answer {
				asked[p]++
				for _, v := range x.values(p.Func, ir.OpGetField) {
					if x.s.PT.Body(p.Func).Flow().Dominates(v, p.At) {
						return Yes
					}
				}
				return Callers
			})
			if got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
			for p, n := range asked {
				if n > 1 {
					t.Errorf("%v was asked %d times", p, n)
				}
			}
		})
	}
}

// TestNoWayIn: what nobody says yes to does not hold, in an entry or behind it.
func TestNoWayIn(t *testing.T) {
	x := build(t, "call target", helper{"target()V", "return-void"})
	for _, name := range []string{"onCreate", "target"} {
		if x.facts.Ways.EveryWayIn(x.create, Place{Func: x.function(name), At: 1}, func(Place) Answer { return Callers }) {
			t.Errorf("holds in %s", name)
		}
	}
}

// TestArgument follows an argument to the callers: it must be a new object on every way.
func TestArgument(t *testing.T) {
	for _, c := range []struct {
		name, code string
		want       bool
	}{
		{"new", "new Part v0\ninvoke-virtual {p0, v0}, Lapp/Main;->take(Lapp/Part;)V", true},
		{"loaded", "load v0\ninvoke-virtual {p0, v0}, Lapp/Main;->take(Lapp/Part;)V", false},
		{"new or loaded", "new Part v0\ninvoke-virtual {p0, v0}, Lapp/Main;->take(Lapp/Part;)V\nload v0\n" +
			"invoke-virtual {p0, v0}, Lapp/Main;->take(Lapp/Part;)V", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := build(t, c.code, helper{"take(Lapp/Part;)V", "use p1\nreturn-void"})
			f := x.function("take")
			got := x.facts.Ways.EveryWayIn(x.create, Place{Func: f, At: x.values(f, ir.OpInvoke)[0], Value: 2}, func(p Place) Answer {
				switch x.s.PT.Body(p.Func).Op[p.Value] {
				case ir.OpNew:
					return Yes
				case ir.OpParam:
					return Callers
				}
				return No
			})
			if got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
