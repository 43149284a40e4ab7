package flow

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

// TestProves compares what the two sides of a test prove of the values that it is made from,
// by the operation that gives them.
func TestProves(t *testing.T) {
	for _, c := range []struct {
		name, code string
		yes, no    []string
	}{
		{"not null", "load v0\nif-nez v0, :yes\nreturn-void\n:yes", []string{"getfield != 0"}, []string{"getfield = 0"}},
		{"a constant null on the left", "load v0\nconst/4 v1, 0\nif-eq v1, v0, :yes\nreturn-void\n:yes",
			[]string{"getfield = 0"}, []string{"getfield != 0"}},
		{"a number", "test v0\nconst/4 v1, 5\nif-eq v0, v1, :yes\nreturn-void\n:yes", []string{"invoke = 5"}, []string{"invoke != 5"}},
		{"an instance", "load v0\ninstance-of v1, v0, Lapp/Part;\nif-nez v1, :yes\nreturn-void\n:yes",
			[]string{"instanceof != 0", "getfield != 0"}, []string{"instanceof = 0"}},
		{"a cast", "sget-object v0, Lapp/Main;->shared:Ljava/lang/Object;\ncheck-cast v0, Lapp/Part;\n" +
			"if-nez v0, :yes\nreturn-void\n:yes", []string{"cast != 0", "getstatic != 0"}, []string{"cast = 0", "getstatic = 0"}},
		{"both sides lead to one place", "load v0\nif-nez v0, :yes\n:yes", nil, nil},
		{"less", "test v0\nif-ltz v0, :yes\nreturn-void\n:yes", nil, nil},
		{"two unknown values", "test v0\ntest v1\nif-eq v0, v1, :yes\nreturn-void\n:yes", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := build(t, c.code)
			b := x.s.PT.Body(x.function("onCreate"))
			text := func(k, side int) []string {
				var out []string
				for _, p := range Proves(b, int32(k), b.Succs(int32(k))[side]) {
					is := map[bool]string{true: "=", false: "!="}[p.Is]
					out = append(out, fmt.Sprintf("%s %s %d", b.Op[p.Value], is, p.Number))
				}
				return out
			}
			for k := range b.Blocks {
				if b.Op[b.Blocks[k].End-1] != ir.OpIf {
					continue
				}
				if diff := cmp.Diff(c.yes, text(k, 0)); diff != "" {
					t.Errorf("taken: %s", diff)
				}
				if diff := cmp.Diff(c.no, text(k, 1)); diff != "" {
					t.Errorf("not taken: %s", diff)
				}
			}
		})
	}
}

// TestTested: the use of v0 stands behind a test of it, or beside.
func TestTested(t *testing.T) {
	for _, c := range []struct {
		name, code string
		tested     bool
	}{
		{"behind", "load v0\nif-eqz v0, :end\nuse v0\n:end", true},
		{"after both sides have met", "load v0\nif-eqz v0, :end\n:end\nuse v0", false},
		{"on the other side", "load v0\nif-nez v0, :end\nuse v0\n:end", false},
		{"behind a test that another way avoids", "load v0\ntest v1\nif-eqz v1, :use\nif-eqz v0, :end\n:use\nuse v0\n:end", false},
		{"through a cast", "sget-object v0, Lapp/Main;->shared:Ljava/lang/Object;\nif-eqz v0, :end\n" +
			"check-cast v0, Lapp/Part;\nuse v0\n:end", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := build(t, c.code)
			f := x.function("onCreate")
			b := x.s.PT.Body(f)
			for _, u := range x.values(f, ir.OpInvoke) {
				if b.Sub[u] != ir.Static {
					if got := x.facts.Codes.Of(b).Tested(b.Arg(u, 0), u); got != c.tested {
						t.Errorf("%v, want %v", got, c.tested)
					}
				}
			}
		})
	}
}
