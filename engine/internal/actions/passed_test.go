package actions

import (
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
)

// TestPassed calls a method that hands a number on to one that calls hit only for 2, and wants
// to know whether onCreate and onStart come there.
func TestPassed(t *testing.T) {
	const call = "invoke-virtual {p0, v0}, Lapp/Main;->hand(I)V\n"
	for _, test := range []struct {
		name, create, start string
		want                string
	}{
		{"another constant", "const/4 v0, 1\n" + call, "", ""},
		{"the constant", "const/4 v0, 2\n" + call, "", "onCreate"},
		{"one of two", "const/4 v0, 2\nif-eqz p1, :a\nconst/4 v0, 3\n:a\n" + call, "", "onCreate"},
		{"neither of two", "const/4 v0, 4\nif-eqz p1, :a\nconst/4 v0, 3\n:a\n" + call, "", ""},
		{"a sum", "const/4 v0, 1\nadd-int/lit8 v0, v0, 1\n" + call, "", "onCreate"},
		{"two runs", "const/4 v0, 1\n" + call, "const/4 v0, 2\n" + call, "onStart"},
		{"both in one", "const/4 v0, 1\n" + call + "const/4 v0, 2\n" + call, "", "onCreate"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := Build(pointstotest.Solve(t, pointstotest.Dex(t, []string{"app.Main"}, func(d *dextest.Dex) {
				main := d.Class("Lapp/Main;", "Landroid/app/Activity;", dex.AccPublic)
				main.Method("<init>", "()V", dex.AccPublic|dex.AccConstructor).Asm(1, "invoke-direct {p0}, Landroid/app/Activity;-><init>()V\nreturn-void")
				main.Method("onCreate", "(Landroid/os/Bundle;)V", dex.AccPublic).Asm(4, test.create+"return-void")
				main.Method("onStart", "()V", dex.AccPublic).Asm(4, test.start+"return-void")
				main.Method("hand", "(I)V", dex.AccPublic).Asm(2, "invoke-virtual {p0, p1}, Lapp/Main;->check(I)V\nreturn-void")
				main.Method("check", "(I)V", dex.AccPublic).Asm(3, "const/4 v0, 2\nif-ne p1, v0, :end\ninvoke-virtual {p0}, Lapp/Main;->hit()V\n:end\nreturn-void")
				main.Method("hit", "()V", dex.AccPublic).Asm(1, "return-void")
			})))
			var got []string
			for id := 2; id < len(s.Actions); id++ {
				for f := range s.PT.Funcs {
					if s.Actions[id].Reach.Has(f) && strings.HasPrefix(s.PT.MethodName(s.Actions[id].Entries[0]), "app.Main.on") && f > 0 && strings.HasPrefix(s.PT.MethodName(pointsto.FuncID(f)), "app.Main.hit(") {
						name, _, _ := strings.Cut(strings.TrimPrefix(s.Name(hb.ActionID(id)), "app.Main."), "(")
						got = append(got, name)
					}
				}
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("hit is called in %q, want %q", got, test.want)
			}
		})
	}
}
