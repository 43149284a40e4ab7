package naming

import (
	"slices"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
)

const (
	object   = "Ljava/lang/Object;"
	runnable = "Ljava/lang/Runnable;"
	list     = "Ljava/util/ArrayList;"
	newList  = "new-instance v0, " + list + "\ninvoke-direct {v0}, " + list + "-><init>()V\n"
)

// names makes the names of a program whose only component is app.Main.
func names(t *testing.T, fill func(d *dextest.Dex)) *Names {
	t.Helper()
	return New(actions.Build(pointstotest.Solve(t, pointstotest.Dex(t, []string{"app.Main"}, fill))))
}

// activity is app.Main with the code of some methods without parameters.
func activity(d *dextest.Dex, methods map[string]string) *dextest.Class {
	main := d.Class("Lapp/Main;", "Landroid/app/Activity;", ir.AccPublic).Source("Main.java")
	main.Method("<init>", "()V", ir.AccConstructor).Asm(1, "invoke-direct {p0}, Landroid/app/Activity;-><init>()V\nreturn-void")
	for name, code := range methods {
		main.Method(name, "()V", ir.AccPublic).Asm(6, code+"return-void")
	}
	return main
}

// task is a class whose objects run nothing, made with some parameters.
func task(d *dextest.Dex, desc, params, construct string) *dextest.Class {
	c := d.Class(desc, object, ir.AccPublic, runnable)
	c.Method("<init>", "("+params+")V", ir.AccConstructor).Asm(4, "invoke-direct {p0}, "+object+"-><init>()V\n"+construct+"return-void")
	c.Method("run", "()V", ir.AccPublic).Asm(1, "return-void")
	return c
}

func newTask(desc string) string {
	return "new-instance v0, " + desc + "\ninvoke-direct {v0}, " + desc + "-><init>()V\n"
}

const post = "invoke-virtual {p0, v0}, Lapp/Main;->runOnUiThread(" + runnable + ")V\n"

func enclosed(method string) dextest.Annotation {
	return dextest.Annotation{Visibility: dex.VisibilitySystem, Type: "Ldalvik/annotation/EnclosingMethod;",
		Elements: []dextest.Element{{Name: "value", Value: dextest.Method{Class: "Lapp/Main;", Name: method, Proto: "()V"}}}}
}

// A local class stands where it is declared, wherever it is made; its members are
// known by it.
func TestLocalClasses(t *testing.T) {
	n := names(t, func(d *dextest.Dex) {
		activity(d, map[string]string{
			"onStart": newTask("Lapp/Main$1Task;") + newTask("Lapp/Main$2Task;"),
			"onStop":  newTask("Lapp/Main$3Lost;") + newTask("Lapp/Main$1Task$Step;"),
			"other":   newTask("Lapp/Main$4Task;"),
		})
		task(d, "Lapp/Main$1Task;", "", "").Annotate(enclosed("onStart"))
		task(d, "Lapp/Main$1Task$Step;", "", "")
		task(d, "Lapp/Main$2Task;", "", "").Annotate(enclosed("onStart"))
		task(d, "Lapp/Main$3Lost;", "", "")
		task(d, "Lapp/Main$4Task;", "", "").Annotate(enclosed("onStart"))
		task(d, "Lapp/Main$Member;", "", "")
	})
	for class, want := range map[string]string{
		"app.Main$1Task":      "app.Main.onStart()$Task#1",
		"app.Main$1Task$Step": "app.Main.onStart()$Task#1$Step",
		"app.Main$2Task":      "app.Main.onStart()$Task#2",
		"app.Main$3Lost":      "app.Main.onStop()$Lost#1",
		"app.Main$4Task":      "app.Main.onStart()$Task#3",
		"app.Main$Member":     "app.Main$Member",
	} {
		if got := n.nest.class(n.prog.Lookup(class)); got != want {
			t.Errorf("%s is named %s, want %s", class, got, want)
		}
	}
}

// callbackNames are the names of what the app posts.
func callbackNames(n *Names) []string {
	var out []string
	for id := 2; id < len(n.set.Actions); id++ {
		if arm := n.set.Actions[id].Arm; arm.Life == nil && arm.Method != 0 {
			out = append(out, n.Callback(hb.ActionID(id)).String())
		}
	}
	slices.Sort(out)
	return out
}

// R8 makes one class of several: objects with one number are of one of these.
func TestMergedClasses(t *testing.T) {
	const desc = "Lapp/Main$1;"
	made := func(number string) string {
		return "new-instance v0, " + desc + "\nconst/4 v1, " + number + "\ninvoke-direct {v0, v1}, " + desc + "-><init>(I)V\n" + post
	}
	fill := func(field string) func(d *dextest.Dex) {
		return func(d *dextest.Dex) {
			activity(d, map[string]string{"onStart": made("0x0"), "onStop": made("0x1"), "onPause": made("0x2") + made("0x3")})
			task(d, desc, "I", "iput p1, p0, "+desc+"->"+field+":I\n").Field(field, "I", ir.AccFinal|ir.AccSynthetic)
		}
	}
	want := []string{
		"app.Main.onPause()$java.lang.Runnable#1.run()", "app.Main.onPause()$java.lang.Runnable#2.run()",
		"app.Main.onStart()$java.lang.Runnable#1.run()", "app.Main.onStop()$java.lang.Runnable#1.run()",
	}
	if got := callbackNames(names(t, fill(mergedField))); !slices.Equal(got, want) {
		t.Errorf("callbacks of a merged class are %q, want %q", got, want)
	}
	want[1] = want[0] // one class, made twice in a method
	if got := callbackNames(names(t, fill("number"))); !slices.Equal(got, want) {
		t.Errorf("callbacks of one class are %q, want %q", got, want)
	}
}

// A captured variable is known by its type, and by its number in the order of the
// constructor's parameters, whatever the compiler calls the field.
func TestCapturedVariables(t *testing.T) {
	const anonymous, lambda = "Lapp/Main$1;", "Lapp/Main$$ExternalSyntheticLambda0;"
	n := names(t, func(d *dextest.Dex) {
		activity(d, map[string]string{"onStart": newList +
			"new-instance v1, " + anonymous + "\ninvoke-direct {v1, p0, v0, v0}, " + anonymous + "-><init>(Lapp/Main;" + list + list + ")V\n" +
			"new-instance v1, " + lambda + "\ninvoke-direct {v1, p0, v0}, " + lambda + "-><init>(Lapp/Main;" + list + ")V\n"})
		task(d, anonymous, "Lapp/Main;"+list+list, strings.ReplaceAll("iput-object p1, p0, C->this$0:Lapp/Main;\n"+
			"iput-object p2, p0, C->val$second:"+list+"\niput-object p3, p0, C->val$first:"+list+"\n", "C", anonymous)).
			Field("this$0", "Lapp/Main;", ir.AccFinal|ir.AccSynthetic).
			Field("val$first", list, ir.AccFinal|ir.AccSynthetic).
			Field("val$second", list, ir.AccFinal|ir.AccSynthetic).
			Field("own", list, 0).Field("$plain", list, 0)
		task(d, lambda, "Lapp/Main;"+list, strings.ReplaceAll(
			"iput-object p1, p0, C->f$0:Lapp/Main;\niput-object p2, p0, C->f$1:"+list+"\n", "C", lambda)).
			Field("f$0", "Lapp/Main;", ir.AccFinal).Field("f$1", list, ir.AccFinal)
	})
	got := map[string]string{}
	for f := 1; f < len(n.prog.Fields); f++ {
		if field := &n.prog.Fields[f]; strings.HasPrefix(n.prog.Classes[field.Class].Name, "app.") {
			got[n.prog.Classes[field.Class].Name+"#"+field.Name] = n.nest.fieldName(ir.FieldID(f))
		}
	}
	for field, want := range map[string]string{
		"app.Main$1#this$0": "this$0", "app.Main$1#own": "own", "app.Main$1#$plain": "$plain",
		"app.Main$1#val$second": "val$ArrayList", "app.Main$1#val$first": "val$ArrayList#2",
		"app.Main$$ExternalSyntheticLambda0#f$0": "this$0", "app.Main$$ExternalSyntheticLambda0#f$1": "val$ArrayList",
	} {
		if got[field] != want {
			t.Errorf("%s is named %q, want %q", field, got[field], want)
		}
	}
}

// find is the function of a method of app.Main, and the first of its instructions
// with an operation, 0 if there is none.
func find(t *testing.T, n *Names, method string, op ir.Op) (pointsto.FuncID, ir.Value) {
	t.Helper()
	for f := 1; f < len(n.pts.Funcs); f++ {
		if fn := pointsto.FuncID(f); n.pts.MethodName(fn) == "app.Main."+method+"()" {
			return fn, ir.Value(max(0, slices.Index(n.pts.Body(fn).Op, op)))
		}
	}
	t.Fatalf("no function of %s", method)
	return 0, 0
}

// The content of a list is known by the field that holds the list: the one it was
// loaded from, else the first by name, else one that captures it.
func TestFieldThatHoldsContent(t *testing.T) {
	const anonymous = "Lapp/Main$1;"
	n := names(t, func(d *dextest.Dex) {
		main := activity(d, map[string]string{
			"onStart":  newList + "iput-object v0, p0, Lapp/Main;->second:" + list + "\niput-object v0, p0, Lapp/Main;->first:" + list + "\n",
			"onStop":   "iget-object v0, p0, Lapp/Main;->second:" + list + "\ninvoke-virtual {v0}, " + list + "->clear()V\n",
			"onPause":  newList,
			"onResume": newList + "new-instance v1, " + anonymous + "\ninvoke-direct {v1, v0}, " + anonymous + "-><init>(" + list + ")V\n",
		})
		main.Field("second", list, 0).Field("first", list, 0).Field("count", "I", ir.AccStatic)
		task(d, anonymous, list, "iput-object p1, p0, "+anonymous+"->val$list:"+list+"\n").
			Field("val$list", list, ir.AccFinal|ir.AccSynthetic)
	})
	at := func(method string, op ir.Op) Location {
		f, v := find(t, n, method, op)
		return Location{Key: pointsto.Content, Objs: n.pts.PointsTo(f, v), Func: f, Base: v}
	}
	made, loaded := at("onStart", ir.OpNew), at("onStop", ir.OpGetField)
	field := func(name string) finding.Field {
		return finding.Field{Class: "app.Main", Name: name, Content: finding.Container}
	}
	captured := finding.Field{Class: "app.Main.onResume()$java.lang.Runnable#1", Name: "val$ArrayList", Content: finding.Container, Declared: "app.Main$1"}
	count := slices.IndexFunc(n.prog.Fields, func(f ir.Field) bool { return f.Name == "count" })
	for name, c := range map[string]struct {
		a, b Location
		want finding.Field
	}{
		"the first by name":         {made, made, field("first")},
		"the one it is loaded from": {made, loaded, field("second")},
		"held by no field":          {at("onPause", ir.OpNew), at("onPause", ir.OpNew), finding.Field{Content: finding.Container}},
		"captured":                  {at("onResume", ir.OpNew), at("onResume", ir.OpNew), captured},
		"of nothing in common":      {made, at("onPause", ir.OpNew), finding.Field{}},
		"a field itself":            {Location{Key: pointsto.FieldKey(count)}, Location{Key: pointsto.FieldKey(count)}, finding.Field{Class: "app.Main", Name: "count", Static: true}},
	} {
		got := n.Field(c.a, c.b)
		if c.want.Class == "" {
			got.Content = c.want.Content // of no field
		}
		if got != c.want {
			t.Errorf("%s: the field is %+v, want %+v", name, got, c.want)
		}
	}
}

// Code stands in the callback, in a lambda, or in another method.
func TestWithin(t *testing.T) {
	const lambda = "Lapp/Main$$ExternalSyntheticLambda0;"
	n := names(t, func(d *dextest.Dex) {
		main := activity(d, map[string]string{
			"onStart": newTask(lambda) + post + "invoke-virtual {p0}, Lapp/Main;->help()V\n",
			"help":    "",
		})
		main.Method("lambda$onStart$0", "()V", ir.AccStatic|ir.AccSynthetic).Asm(1, "return-void")
		c := d.Class(lambda, object, ir.AccSynthetic, runnable)
		c.Method("<init>", "()V", ir.AccConstructor).Asm(1, "invoke-direct {p0}, "+object+"-><init>()V\nreturn-void")
		c.Method("run", "()V", ir.AccPublic).Asm(1, "invoke-static {}, Lapp/Main;->lambda$onStart$0()V\nreturn-void")
	})
	method := func(name string) ir.MethodID {
		f, _ := find(t, n, name, ir.OpReturn)
		return n.pts.Funcs[f].Method
	}
	action := func(name string) hb.ActionID {
		for id := 2; id < len(n.set.Actions); id++ {
			if arm := n.set.Actions[id].Arm; arm.Method != 0 && n.nest.name(arm.Method) == name {
				return hb.ActionID(id)
			}
		}
		t.Fatalf("no action %s", name)
		return 0
	}
	start, posted, body := action("onStart"), action("run"), method("lambda$onStart$0")
	onStart, help := finding.Method{Class: "app.Main", Name: "onStart", Params: []string{}}, finding.Method{Class: "app.Main", Name: "help", Params: []string{}}
	for name, c := range map[string]struct{ got, want Within }{
		"a callback":                      {n.Within(start, method("onStart")), Within{Callback: true}},
		"what a callback calls":           {n.Within(start, method("help")), Within{Method: help}},
		"the lambda that is the callback": {n.Within(posted, body), Within{Callback: true}},
		"a lambda":                        {n.Within(start, body), Within{Lambda: true, Method: onStart}},
	} {
		if c.got.Callback != c.want.Callback || c.got.Lambda != c.want.Lambda || c.got.Method.String() != c.want.Method.String() {
			t.Errorf("%s stands in %+v, want %+v", name, c.got, c.want)
		}
	}
	if got := n.Written(body).String(); got != "app.Main.onStart()" {
		t.Errorf("the lambda is written in %s", got)
	}
	if !n.Forwards(n.set.Actions[posted].Arm.Method) || n.Forwards(body) || n.Forwards(method("help")) {
		t.Error("only the method of the lambda's class forwards")
	}
	f, _ := find(t, n, "onStart", ir.OpReturn)
	var calls, called []string
	for v, op := range n.pts.Body(f).Op {
		if op == ir.OpInvoke {
			calls, called = append(calls, n.Call(f, ir.Value(v))), append(called, n.Called(f, ir.Value(v)))
		}
	}
	if want := []string{"new Main$$ExternalSyntheticLambda0", "Activity.runOnUiThread", "Main.help"}; !slices.Equal(calls, want) {
		t.Errorf("calls are %q, want %q", calls, want)
	}
	if want := []string{"new Main$$ExternalSyntheticLambda0", "runOnUiThread", "Main.help"}; !slices.Equal(called, want) {
		t.Errorf("calls as people write them are %q, want %q", called, want)
	}
	if want := "app.Main.onStart()$java.lang.Runnable#1.run() by Activity.runOnUiThread in app.Main.onStart()"; n.Action(posted) != want {
		t.Errorf("the action is %s, want %s", n.Action(posted), want)
	}
}
