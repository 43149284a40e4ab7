package flow

import (
	"testing"

	"github.com/eventraces/eventraces/engine/internal/ir"
)

// TestMustAlias compares the receivers of the first and the last call of use.
func TestMustAlias(t *testing.T) {
	const next, final = "Lapp/Main;->next:Lapp/Main;", "Lapp/Main;->lock:Ljava/lang/Object;"
	for _, c := range []struct {
		name, code string
		same, path bool
	}{
		{"one value", "load v0\nuse v0\nuse v0", true, true},
		{"two loads of a field that may change", "load v0\nuse v0\nload v1\nuse v1", false, true},
		{"two loads of a final field", "iget-object v0, p0, " + final + "\ncheck-cast v0, Lapp/Part;\nuse v0\n" +
			"iget-object v1, p0, " + final + "\ncheck-cast v1, Lapp/Part;\nuse v1", true, true},
		{"a final field of one object that was loaded once", "iget-object v2, p0, " + next + "\n" +
			"iget-object v0, v2, " + final + "\ncheck-cast v0, Lapp/Part;\nuse v0\n" +
			"iget-object v1, v2, " + final + "\ncheck-cast v1, Lapp/Part;\nuse v1", true, true},
		{"a final field of what was loaded twice", "iget-object v2, p0, " + next + "\niget-object v0, v2, " + final +
			"\ncheck-cast v0, Lapp/Part;\nuse v0\n" +
			"iget-object v2, p0, " + next + "\niget-object v1, v2, " + final + "\ncheck-cast v1, Lapp/Part;\nuse v1", false, true},
		{"two fields", "load v0\nuse v0\niget-object v1, p0, Lapp/Main;->other:Lapp/Part;\nuse v1", false, false},
		{"two new objects", "new Part v0\nuse v0\nnew Part v1\nuse v1", false, false},
		{"through a cast", "sget-object v0, Lapp/Main;->shared:Ljava/lang/Object;\ncheck-cast v0, Lapp/Part;\nuse v0\n" +
			"check-cast v0, Lapp/Part;\nuse v0", true, true},
		{"four fields", "iget-object v0, p0, " + next + "\niget-object v0, v0, " + next + "\niget-object v0, v0, " +
			next + "\niget-object v0, v0, Lapp/Main;->part:Lapp/Part;\nuse v0\n" +
			"iget-object v0, p0, " + next + "\niget-object v0, v0, " + next + "\niget-object v0, v0, " + next + "\n" +
			"iget-object v0, v0, Lapp/Main;->part:Lapp/Part;\nuse v0", false, true},
		{"five fields are too many", "iget-object v0, p0, " + next + "\niget-object v0, v0, " + next + "\n" +
			"iget-object v0, v0, " + next + "\niget-object v0, v0, " + next + "\niget-object v0, v0, Lapp/Main;->part:Lapp/Part;\nuse v0\n" +
			"iget-object v0, p0, " + next + "\niget-object v0, v0, " + next + "\niget-object v0, v0, " + next + "\n" +
			"iget-object v0, v0, " + next + "\niget-object v0, v0, Lapp/Main;->part:Lapp/Part;\nuse v0", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := build(t, c.code)
			f := x.function("onCreate")
			b := x.s.PT.Body(f)
			code := x.facts.Codes.Of(b)
			var uses []ir.Value
			for _, v := range x.values(f, ir.OpInvoke) {
				if m := x.s.PT.Prog.Methods[b.Aux[v]]; x.s.PT.Prog.Selectors[m.Sel].Name == "use" {
					uses = append(uses, b.Arg(v, 0))
				}
			}
			first, last := uses[0], uses[len(uses)-1]
			if got := code.MustAlias(x.s.PT.Prog, first, last); got != c.same {
				t.Errorf("one object %v, want %v", got, c.same)
			}
			if got := code.BaseOf(x.s.PT.Prog, first).Path() == code.BaseOf(x.s.PT.Prog, last).Path(); got != c.path {
				t.Errorf("one path %v, want %v", got, c.path)
			}
		})
	}
}
