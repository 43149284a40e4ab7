package tell

import (
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/naming"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
)

func TestWithoutPackage(t *testing.T) {
	for name, want := range map[string]string{
		"com.example.Main.start(int)":          "Main.start",
		"com.example.Main$Pool.<init>()":       "Main$Pool",
		"android.os.AsyncTask#SERIAL_EXECUTOR": "AsyncTask.SERIAL_EXECUTOR",
		"looper":                               "looper",
		"a.b.c.run()":                          "a.b.c.run()", // shrunk: no telling where the package ends
		"com.example.Main$Worker.queue":        "Main$Worker.queue",
		"":                                     "",
	} {
		if got := withoutPackage(name); got != want {
			t.Errorf("withoutPackage(%s) = %s, want %s", name, got, want)
		}
	}
}

// TestCallsThroughUse: of two ways to an access the one is told on which the value is used.
func TestCallsThroughUse(t *testing.T) {
	s := actions.Build(pointstotest.Solve(t, pointstotest.Dex(t, []string{"app.Main"}, func(d *dextest.Dex) {
		main := class(d, "Main", "Landroid/app/Activity;").Field("text", text, 0)
		call := func(name string) string { return "invoke-virtual {p0}, Lapp/Main;->" + name + "()" }
		method := func(name, proto, code string) { main.Method(name, proto, dex.AccPublic).Asm(4, code) }
		method("text", "()"+text, "iget-object v0, p0, Lapp/Main;->text:"+text+"\nreturn-object v0")
		method("peek", "()V", call("text")+text+"\nreturn-void")
		method("go", "()V", call("text")+text+"\nmove-result-object v0\ninvoke-virtual {v0}, Ljava/lang/String;->length()I\nreturn-void")
		method("onResume", "()V", call("peek")+"V\n"+call("go")+"V\nreturn-void")
	})))
	teller := New(s, hb.Build(s.Model), naming.New(s))
	side := Side{Action: teller.action("Main.onResume"), Kind: finding.Use}
	at := func(method string, op ir.Op) Place {
		for id := range teller.pts.Funcs {
			b := teller.pts.Body(pointsto.FuncID(id))
			if b == nil || !strings.Contains(teller.pts.MethodName(pointsto.FuncID(id)), method+"(") {
				continue
			}
			for v := range b.Op {
				if b.Op[v] == op {
					return Place{pointsto.FuncID(id), ir.Value(v)}
				}
			}
		}
		t.Fatalf("no %s", method)
		return Place{}
	}
	side.Place = at("app.Main.text", ir.OpGetField)
	side.In = side.Func
	for _, c := range []struct {
		uses []Place
		want string
	}{
		{nil, "onResume peek text"},
		{[]Place{at("app.Main.go", ir.OpInvoke)}, "onResume go text"},
		{[]Place{side.Place}, "onResume peek text"},
	} {
		side.Derefs = c.uses
		teller.framed = map[framedKey][]finding.Frame{}
		var names []string
		for _, frame := range teller.calls(&side) {
			names = append(names, frame.Method.Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("the way is %s, want %s", got, c.want)
		}
	}
}
