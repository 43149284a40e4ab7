package naming

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
)

// callbacks are the names of what has no name in a class of the fixture app, by
// the string that tells what it is, or the method that it refers to.
func callbacks(n *nesting, class string) map[string]string {
	out := map[string]string{}
	n.scan(class)
	pkg := class[:strings.LastIndexByte(class, '.')+1]
	for _, x := range n.made[class] {
		name := n.nested(homeOf{x.what, n.standsAt(x.what, x.madeAt).home})
		name = strings.NewReplacer(pkg, "", "android.view.View$", "", "java.lang.", "", "java.util.concurrent.", "").Replace(name)
		w := n.identity(x.what)
		methods := []ir.MethodID{w.impl}
		if w.impl == 0 {
			methods = n.prog.Classes[w.class].Methods
		}
		is := ""
		for _, m := range methods {
			if is == "" {
				is = n.tag(m)
			}
		}
		if is == "" {
			is = n.prog.MethodString(w.impl)
		}
		names := append(strings.Fields(out[is]), name)
		slices.Sort(names)
		out[is] = strings.Join(slices.Compact(names), " ")
	}
	return out
}

// tag is the string that a method passes to Tag.is.
func (n *nesting) tag(m ir.MethodID) string {
	if !n.prog.Methods[m].HasCode {
		return ""
	}
	b, err := n.prog.Lift(m)
	if err != nil {
		return ""
	}
	for v := ir.Value(1); int(v) < b.Len(); v++ {
		if b.Op[v] == ir.OpInvoke && n.name(ir.MethodID(b.Aux[v])) == "is" {
			return n.prog.Strings[b.Aux[b.Arg(v, 0)]]
		}
	}
	return ""
}

var plainNames = map[string]string{
	"static lambda":                 "Screen.SHARED()$Runnable#1",
	"static class":                  "Screen.OTHER()$Runnable#1",
	"field class":                   "Screen.refresh()$Runnable#1",
	"second field class":            "Screen.reload()$Runnable#1",
	"lambda in a field class":       "Screen.reload()$Runnable#1.run()$Runnable#1",
	"field lambda":                  "Screen.lambda()$Runnable#1",
	"lambda in a field lambda":      "Screen.lambda()$Runnable#2",
	"second field lambda":           "Screen.second()$Runnable#1",
	"in the method second()":        "Screen.second()$Runnable#2", // a field has the method's name
	"wrapped class":                 "Screen.wrapper()$Runnable#1",
	"wrapped lambda":                "Screen.deeper()$Runnable#1",
	"first in list":                 "Screen.several()$Runnable#1",
	"second in list":                "Screen.several()$Runnable#2",
	"android.app.Activity.finish()": "Screen.reference()$Runnable#1 Screen.sameReference()$Runnable#1",
	"made in a constructor":         "Screen.inBody()$Runnable#1",
	"made in the other constructor": "Screen.inBody()$Runnable#2",
	"only posted":                   "Screen.<init>()$Runnable#1",
	"only posted, the other":        "Screen.<init>()$Runnable#2",
	"inner":                         "Screen$Inner.refresh()$Runnable#1",
	"twin":                          "Screen$Twin.refresh()$Runnable#1",
	"first click":                   "Screen.onCreate(android.os.Bundle)$OnClickListener#1",
	"second click":                  "Screen.onCreate(android.os.Bundle)$OnClickListener#2",
	"in used()":                     "Screen.used()$Callable#1",
	"in used(int)":                  "Screen.used(int)$Callable#1",
}

var addedNames = map[string]string{
	"added field":                  "Screen.early()$Callable#1",
	"added class":                  "Screen.unrelated()$Object#1",
	"added lambda of another type": "Screen.onCreate(android.os.Bundle)$Callable#1",
	"added class of another type":  "Screen.onCreate(android.os.Bundle)$OnLongClickListener#1",
}

// TestNamesSurviveEdits compares the names in a class with those after its
// members were put in another order, all of it on one line, or other lambdas and
// classes before them; each built by two compilers.
func TestNamesSurviveEdits(t *testing.T) {
	for _, apk := range []string{"naming.apk", "naming-dx.apk"} {
		c := pointstotest.Open(t, pointstotest.App(t, apk))
		n := newNesting(c.Prog, c.Models)
		for _, edit := range []string{"plain", "moved", "oneline", "added"} {
			want := maps.Clone(plainNames)
			if edit == "added" {
				maps.Copy(want, addedNames)
			}
			got := callbacks(n, "com.example.naming."+edit+".Screen")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", apk, edit, diff)
			}
		}
	}
}

// TestMadeForFields makes objects in the forms that the fixture app's compilers
// do not write: Kotlin's one object of a lambda, the lambda classes of old
// versions of D8 and their factories, elements of an array, one of two objects.
func TestMadeForFields(t *testing.T) {
	const runnable = "Ljava/lang/Runnable;"
	c := pointstotest.Dex(t, []string{"app.Main"}, func(d *dextest.Dex) {
		for _, desc := range []string{"Lapp/Main$lazily$1;", "Lapp/-$$Lambda$Main$aB3;", "Lapp/Main$$Lambda$2;", "Lapp/Main$4;", "Lapp/Main$5;", "Lapp/Main$6;"} {
			k := d.Class(desc, "Ljava/lang/Object;", 0, runnable).Field("INSTANCE", desc, ir.AccStatic)
			k.Method("<init>", "()V", ir.AccConstructor).Asm(1, "invoke-direct {p0}, Ljava/lang/Object;-><init>()V\nreturn-void")
			k.Method("run", "()V", ir.AccPublic).Asm(1, "return-void")
			k.Method("$r8$factory$make", "()"+runnable, ir.AccStatic).Asm(1, "new-instance v0, "+desc+"\ninvoke-direct {v0}, "+desc+"-><init>()V\nreturn-object v0")
		}
		main := d.Class("Lapp/Main;", "Landroid/app/Activity;", ir.AccPublic)
		for _, f := range []string{"lazily", "old", "factory", "either"} {
			main.Field(f, runnable, 0)
		}
		main.Field("all", "["+runnable, 0)
		main.Method("<init>", "()V", ir.AccConstructor).Asm(4, `
			invoke-direct {p0}, Landroid/app/Activity;-><init>()V
			sget-object v0, Lapp/Main$lazily$1;->INSTANCE:Lapp/Main$lazily$1;
			invoke-static {v0}, Lapp/Main;->lazy(Ljava/lang/Runnable;)Ljava/lang/Runnable;
			move-result-object v0
			iput-object v0, p0, Lapp/Main;->lazily:Ljava/lang/Runnable;
			sget-object v0, Lapp/-$$Lambda$Main$aB3;->INSTANCE:Lapp/-$$Lambda$Main$aB3;
			iput-object v0, p0, Lapp/Main;->old:Ljava/lang/Runnable;
			invoke-static {}, Lapp/Main$$Lambda$2;->$r8$factory$make()Ljava/lang/Runnable;
			move-result-object v0
			iput-object v0, p0, Lapp/Main;->factory:Ljava/lang/Runnable;
			const/4 v1, 0x1
			new-array v1, v1, [Ljava/lang/Runnable;
			const/4 v2, 0x0
			new-instance v0, Lapp/Main$4;
			invoke-direct {v0}, Lapp/Main$4;-><init>()V
			aput-object v0, v1, v2
			iput-object v1, p0, Lapp/Main;->all:[Ljava/lang/Runnable;
			if-eqz v2, :other
			new-instance v0, Lapp/Main$5;
			invoke-direct {v0}, Lapp/Main$5;-><init>()V
			goto :store
			:other
			new-instance v0, Lapp/Main$6;
			invoke-direct {v0}, Lapp/Main$6;-><init>()V
			:store
			iput-object v0, p0, Lapp/Main;->either:Ljava/lang/Runnable;
			return-void`)
		main.Method("lazy", "("+runnable+")"+runnable, ir.AccStatic).Asm(1, "return-object p0")
	})
	n := newNesting(c.Prog, c.Models)
	for class, want := range map[string]string{
		"app.Main$lazily$1":      "app.Main.lazily()$java.lang.Runnable#1",
		"app.-$$Lambda$Main$aB3": "app.Main.old()$java.lang.Runnable#1",
		"app.Main$$Lambda$2":     "app.Main.factory()$java.lang.Runnable#1",
		"app.Main$4":             "app.Main.all()$java.lang.Runnable#1",
		"app.Main$5":             "app.Main.either()$java.lang.Runnable#1",
		"app.Main$6":             "app.Main.either()$java.lang.Runnable#2",
	} {
		if got := n.class(n.prog.Lookup(class)); got != want {
			t.Errorf("%s is named %s, want %s", class, got, want)
		}
	}
}

// TestNamesInCircles names classes that hostile code declares in what they make.
func TestNamesInCircles(t *testing.T) {
	const runnable = "Ljava/lang/Runnable;"
	makes := map[string]string{
		"Lapp/Main$1;": "", "Lapp/Main$1$Deep;": "Lapp/Main$1;", // a member makes the class around it
		"Lapp/Main$2;": "Lapp/Main$3Task$X;", "Lapp/Main$3Task;": "", "Lapp/Main$2$Y;": "Lapp/Main$3Task;", "Lapp/Main$3Task$X;": "Lapp/Main$2;",
		"Lapp/Main$4$-CC;": "", "Lapp/Main$5$Gone$Deep;": "", "Lapp/Main$;": "",
	}
	c := pointstotest.Dex(t, []string{"app.Main"}, func(d *dextest.Dex) {
		for desc, made := range makes {
			k := d.Class(desc, "Ljava/lang/Object;", 0, runnable)
			k.Method("<init>", "()V", ir.AccConstructor).Asm(1, "invoke-direct {p0}, Ljava/lang/Object;-><init>()V\nreturn-void")
			code := "return-void"
			if made != "" {
				code = "new-instance v0, " + made + "\ninvoke-direct {v0}, " + made + "-><init>()V\nreturn-void"
			}
			k.Method("run", "()V", ir.AccPublic).Asm(2, code)
		}
		d.Class("Lapp/Main;", "Landroid/app/Activity;", ir.AccPublic).Method("<init>", "()V", ir.AccConstructor).
			Asm(1, "invoke-direct {p0}, Landroid/app/Activity;-><init>()V\nreturn-void")
	})
	n := newNesting(c.Prog, c.Models)
	for desc := range makes {
		class := strings.ReplaceAll(strings.Trim(desc, "L;"), "/", ".")
		if got := n.class(n.prog.Lookup(class)); got == "" {
			t.Errorf("%s has no name", class)
		}
	}
}

func TestNatural(t *testing.T) {
	sorted := []string{"A.on()$Runnable#2.val$Box", "A.on()$Runnable#2.val$Box#2", "A.on()$Runnable#2.val$Box#10", "A.on()$Runnable#10.val$Box", "A.on()$Runnable#11.val$Box"}
	if got := slices.SortedFunc(slices.Values([]string{sorted[3], sorted[1], sorted[4], sorted[2], sorted[0]}), natural); !slices.Equal(got, sorted) {
		t.Errorf("order is %q", got)
	}
}
