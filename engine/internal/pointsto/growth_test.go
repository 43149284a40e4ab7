package pointsto_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
)

const javaObject = "Ljava/lang/Object;"

// made declares a public class with a constructor.
func made(d *dextest.Dex, name, super string, interfaces ...string) *dextest.Class {
	c := d.Class("Lapp/"+name+";", super, dex.AccPublic, interfaces...)
	c.Method("<init>", "()V", dex.AccPublic).Asm(1, "invoke-direct {p0}, "+super+"-><init>()V\nreturn-void")
	return c
}

// makes is code that makes an object in v0.
func makes(class string) string {
	return fmt.Sprintf("new-instance v0, Lapp/%s;\ninvoke-direct {v0}, Lapp/%s;-><init>()V\n", class, class)
}

// threads declares a ring of threads, each of which starts a new one of each of the
// next ones, and gives code that starts the first.
func threads(d *dextest.Dex, prefix string, n, next int) string {
	start := func(i int) string {
		name := fmt.Sprintf("%s%d", prefix, i%n)
		return makes(name) + fmt.Sprintf("invoke-virtual {v0}, Lapp/%s;->start()V\n", name)
	}
	for i := range n {
		code := ""
		for k := range next {
			code += start(i + k + 1)
		}
		made(d, fmt.Sprintf("%s%d", prefix, i), "Ljava/lang/Thread;").Method("run", "()V", dex.AccPublic).Asm(2, code+"return-void")
	}
	return start(0)
}

// activity solves an app with one activity, whose onCreate has the code that fill
// gives.
func activity(t *testing.T, fill func(d *dextest.Dex) string) *pointsto.Result {
	t.Helper()
	return pointstotest.Solve(t, pointstotest.Dex(t, []string{"app.Main"}, func(d *dextest.Dex) {
		code := fill(d)
		made(d, "Main", "Landroid/app/Activity;").Method("onCreate", "(Landroid/os/Bundle;)V", dex.AccPublic).Asm(4, code+"return-void")
	}))
}

// runs counts the functions that are run methods of classes with a prefix.
func runs(r *pointsto.Result, prefix string) int {
	n := 0
	for f := range r.Funcs {
		if name := r.MethodName(pointsto.FuncID(f)); strings.HasPrefix(name, "app."+prefix) && strings.HasSuffix(name, ".run()") {
			n++
		}
	}
	return n
}

// TestCrowded: classes of which each makes several others have no contexts if there
// are many of them, and do if there are few, whatever else the app has.
func TestCrowded(t *testing.T) {
	few := activity(t, func(d *dextest.Dex) string { return threads(d, "Few", 4, 2) })
	if n := runs(few, "Few"); n <= 8 {
		t.Errorf("%d runs of few classes: they have no contexts", n)
	}
	many := activity(t, func(d *dextest.Dex) string { return threads(d, "Many", 60, 3) })
	if n := runs(many, "Many"); n != 60 {
		t.Errorf("%d runs of 60 classes", n)
	}
	if most := 60*3 + 10; many.Objects > most {
		t.Errorf("%d objects, want %d at most", many.Objects, most)
	}
	both := activity(t, func(d *dextest.Dex) string { return threads(d, "Many", 60, 3) + threads(d, "Few", 4, 2) })
	if runs(both, "Few") != runs(few, "Few") || runs(both, "Many") != 60 {
		t.Errorf("together %d and %d runs, alone %d and 60", runs(both, "Few"), runs(both, "Many"), runs(few, "Few"))
	}
}

// callers declares classes of one interface, each of which calls the method of
// whichever is in a static field on its argument, and gives code that puts one of each
// there.
func callers(d *dextest.Dex, n int) string {
	const call = "(Lapp/I;)Lapp/I;"
	d.Class("Lapp/I;", javaObject, dex.AccPublic|dex.AccInterface|dex.AccAbstract).Method("call", call, dex.AccPublic|dex.AccAbstract)
	made(d, "S", javaObject).Field("any", "Lapp/I;", dex.AccPublic|dex.AccStatic)
	code := ""
	for i := range n {
		name := fmt.Sprintf("C%d", i)
		made(d, name, javaObject, "Lapp/I;").Method("call", call, dex.AccPublic).Asm(3,
			"sget-object v0, Lapp/S;->any:Lapp/I;\ninvoke-interface {v0, p1}, Lapp/I;->call"+call+"\nmove-result-object v0\nreturn-object p0")
		code += makes(name) + "sput-object v0, Lapp/S;->any:Lapp/I;\n"
	}
	return code + "sget-object v0, Lapp/S;->any:Lapp/I;\ninvoke-interface {v0, v0}, Lapp/I;->call" + call + "\n"
}

// TestManyCallees: calls that each have very many callees share them, and what the
// callees are passed and return is that of all.
func TestManyCallees(t *testing.T) {
	for _, c := range []struct {
		classes, most int // calls
	}{
		{100, 100*101 + 200},
		{600, 4 * 600},
	} {
		r := activity(t, func(d *dextest.Dex) string { return callers(d, c.classes) })
		calls, reached := 0, 0
		for f := range r.Funcs {
			calls += len(r.Calls[f])
			if b := r.Body(pointsto.FuncID(f)); b != nil && strings.HasSuffix(r.MethodName(pointsto.FuncID(f)), ".call(app.I)") {
				reached++
				if n := r.PointsTo(pointsto.FuncID(f), 2).Len(); n != c.classes {
					t.Errorf("%d classes: the argument of %s may be %d objects", c.classes, r.MethodName(pointsto.FuncID(f)), n)
				}
			}
		}
		if reached != c.classes || calls > c.most {
			t.Errorf("%d classes: %d are called, by %d calls, want %d at most", c.classes, reached, calls, c.most)
		}
		if c.classes < 256 && calls < c.classes*c.classes {
			t.Errorf("%d classes: %d calls, so that they share their callees", c.classes, calls)
		}
	}
}
