package pointsto_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
)

// flow is an activity's onCreate, and what it makes of the program below: the
// objects that app.Main.sink receives, and the arms that no lifecycle gives.
// "new A v1" in the code stands for an allocation of class app.A and its
// constructor without parameters, "sink v1" for a call of app.Main.sink.
type flow struct {
	name  string
	code  string
	sinks []string
	arms  []string
}

var flows = []flow{
	{"copy and slots", `
		new java.util.ArrayList v0
		new A v1
		invoke-virtual {v0, v1}, Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z
		invoke-virtual {v0}, Ljava/util/ArrayList;->iterator()Ljava/util/Iterator;
		move-result-object v2
		invoke-interface {v2}, Ljava/util/Iterator;->next()Ljava/lang/Object;
		move-result-object v3
		sink v3`, []string{"app.A"}, nil},
	{"slots are kept apart", `
		new java.util.HashMap v0
		new A v1
		new B v2
		invoke-virtual {v0, v1, v2}, Ljava/util/HashMap;->put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;
		invoke-virtual {v0, v1}, Ljava/util/HashMap;->get(Ljava/lang/Object;)Ljava/lang/Object;
		move-result-object v3
		sink v3`, []string{"app.B"}, nil},
	{"an object of its own", `
		invoke-virtual {p0}, Lapp/Main;->getFragmentManager()Landroid/app/FragmentManager;
		move-result-object v0
		sink v0`, []string{"android.app.FragmentManager"}, nil},
	{"post", `
		new android.os.Handler v0
		new Task v1
		new A v2
		iput-object v2, v1, Lapp/Task;->payload:Ljava/lang/Object;
		invoke-virtual {v0, v1}, Landroid/os/Handler;->post(Ljava/lang/Runnable;)Z`,
		[]string{"app.A"}, []string{"app.Task.run() by Post"}},
	{"a lambda holds what it captures", `
		new android.os.Handler v0
		new B v2
		invoke-custom {v2}, @lambda
		move-result-object v1
		invoke-virtual {v0, v1}, Landroid/os/Handler;->post(Ljava/lang/Runnable;)Z`,
		[]string{"app.B"}, []string{"app.Main.body(java.lang.Object) by Post"}},
	{"a lambda called by the app", `
		new A v2
		invoke-custom {v2}, @lambda
		move-result-object v1
		invoke-interface {v1}, Ljava/lang/Runnable;->run()V`, []string{"app.A"}, nil},
	{"a default method", `
		new A v1
		invoke-interface {v1}, Lapp/Self;->self()Lapp/Self;
		move-result-object v2
		sink v2
		new B v1
		invoke-interface {v1}, Lapp/Self;->self()Lapp/Self;
		move-result-object v2
		sink v2`, []string{"app.A", "app.A"}, nil}, // B's override gives a new A
	{"arrays and casts", `
		const/4 v0, 2
		new-array v1, v0, [Ljava/lang/Object;
		new A v2
		new B v3
		aput-object v2, v1, v0
		aput-object v3, v1, v0
		aget-object v2, v1, v0
		check-cast v2, Lapp/B;
		sink v2
		filled-new-array {v3, v2}, [Lapp/B;
		move-result-object v1
		aget-object v2, v1, v0
		sink v2`, []string{"app.B"}, nil},
	{"static fields run the initialiser", `
		sget-object v0, Lapp/Holder;->one:Ljava/lang/Object;
		sink v0`, []string{"app.B"}, nil},
	{"a platform class calls back at once", `
		new Filter v1
		const/4 v0, 0
		new-instance v2, Ljava/io/File;
		invoke-direct {v2, v0}, Ljava/io/File;-><init>(Ljava/lang/String;)V
		invoke-virtual {v2, v1}, Ljava/io/File;->list(Ljava/io/FilenameFilter;)[Ljava/lang/String;`,
		[]string{"app.Filter", "java.io.File", "some java.io.File"}, nil},
	{"the framework calls back later", `
		new Progress v1
		const/4 v0, 0
		invoke-static {v0, v1, v0}, Landroid/os/RecoverySystem;->verifyPackage(Ljava/io/File;Landroid/os/RecoverySystem$ProgressListener;Ljava/io/File;)V`,
		[]string{"app.Progress"}, []string{"app.Progress.onProgress(int) in general"}},
	{"a dependency calls back somewhere", `
		new Listener v1
		invoke-static {v1}, Llib/Bus;->register(Llib/Listener;)V`,
		[]string{"app.Listener"}, []string{"app.Listener.heard() in general, thread unknown"}},
	{"what is given to app code is no callback", `
		new Listener v1
		invoke-static {v1}, Lapp/Main;->sink(Ljava/lang/Object;)V`, []string{"app.Listener"}, nil},
	{"views", `
		const/16 v0, 7
		invoke-virtual {p0, v0}, Lapp/Main;->setContentView(I)V
		const/16 v0, 9
		invoke-virtual {p0, v0}, Lapp/Main;->findViewById(I)Landroid/view/View;
		move-result-object v1
		sink v1`, []string{"view id/go android.widget.Button"}, []string{"app.Main.go(android.view.View) by Register"}},
	{"a view of an unknown id", `
		invoke-virtual {p0}, Ljava/lang/Object;->hashCode()I
		move-result v0
		invoke-virtual {p0, v0}, Lapp/Main;->findViewById(I)Landroid/view/View;
		move-result-object v1
		sink v1`, []string{"some android.view.View"}, nil},
	{"the binder of a service", `
		new-instance v0, Landroid/content/Intent;
		const-class v1, Lapp/Work;
		invoke-direct {v0, p0, v1}, Landroid/content/Intent;-><init>(Landroid/content/Context;Ljava/lang/Class;)V
		new Connection v1
		const/4 v2, 1
		invoke-virtual {p0, v0, v1, v2}, Lapp/Main;->bindService(Landroid/content/Intent;Landroid/content/ServiceConnection;I)Z`,
		[]string{"app.Stub", "some android.os.IBinder"},
		[]string{
			"app.Connection.onServiceConnected(android.content.ComponentName,android.os.IBinder) by Register",
			"app.Connection.onServiceDisconnected(android.content.ComponentName) by Register",
		}},
	{"a service named by a component", `
		new-instance v0, Landroid/content/ComponentName;
		const-class v1, Lapp/Work;
		invoke-direct {v0, p0, v1}, Landroid/content/ComponentName;-><init>(Landroid/content/Context;Ljava/lang/Class;)V
		new android.content.Intent v1
		invoke-virtual {v1, v0}, Landroid/content/Intent;->setComponent(Landroid/content/ComponentName;)Landroid/content/Intent;
		new-instance v0, Landroid/content/Intent;
		invoke-direct {v0, v1}, Landroid/content/Intent;-><init>(Landroid/content/Intent;)V
		new Connection v1
		const/4 v2, 1
		invoke-virtual {p0, v0, v1, v2}, Lapp/Main;->bindService(Landroid/content/Intent;Landroid/content/ServiceConnection;I)Z`,
		[]string{"app.Stub", "some android.os.IBinder"},
		[]string{
			"app.Connection.onServiceConnected(android.content.ComponentName,android.os.IBinder) by Register",
			"app.Connection.onServiceDisconnected(android.content.ComponentName) by Register",
		}},
	{"the binder of no service", `
		new android.content.Intent v0
		new Connection v1
		const/4 v2, 1
		invoke-virtual {p0, v0, v1, v2}, Lapp/Main;->bindService(Landroid/content/Intent;Landroid/content/ServiceConnection;I)Z`,
		[]string{"some android.os.IBinder"},
		[]string{
			"app.Connection.onServiceConnected(android.content.ComponentName,android.os.IBinder) by Register",
			"app.Connection.onServiceDisconnected(android.content.ComponentName) by Register",
		}},
}

// expand replaces the short forms of flow.code.
func expand(code string) string {
	lines := strings.Split(code, "\n")
	for i, l := range lines {
		switch w := strings.Fields(l); {
		case len(w) == 3 && w[0] == "new":
			class := w[1]
			if !strings.Contains(class, ".") {
				class = "app." + class
			}
			desc := "L" + strings.ReplaceAll(class, ".", "/") + ";"
			lines[i] = fmt.Sprintf("new-instance %s, %s\ninvoke-direct {%s}, %s-><init>()V", w[2], desc, w[2], desc)
		case len(w) == 2 && w[0] == "sink":
			lines[i] = fmt.Sprintf("invoke-static {%s}, Lapp/Main;->sink(Ljava/lang/Object;)V", w[1])
		}
	}
	return strings.Join(lines, "\n") + "\nreturn-void"
}

// plain adds a class with a constructor that only calls its super's.
func plain(d *dextest.Dex, name, super string, interfaces ...string) *dextest.Class {
	c := d.Class("Lapp/"+name+";", super, dex.AccPublic, interfaces...)
	c.Method("<init>", "()V", dex.AccPublic).Asm(1, "invoke-direct {p0}, "+super+"-><init>()V\nreturn-void")
	return c
}

// sinks adds a method that passes one of its registers to the sink.
func sinks(c *dextest.Class, name, proto, register string) {
	c.Method(name, proto, dex.AccPublic).Asm(6, expand("sink "+register))
}

// scenery is the program around the code of a flow.
func scenery(d *dextest.Dex, code string) {
	lambdaSite(d)
	main := plain(d, "Main", "Landroid/app/Activity;")
	main.Method("onCreate", "(Landroid/os/Bundle;)V", dex.AccPublic).Asm(6, expand(code))
	main.Method("sink", "(Ljava/lang/Object;)V", dex.AccPublic|dex.AccStatic).Asm(1, "return-void")
	main.Method("body", "(Ljava/lang/Object;)V", dex.AccPublic|dex.AccStatic).Asm(1, expand("sink p0"))
	main.Method("go", "(Landroid/view/View;)V", dex.AccPublic).Asm(2, "return-void")

	self := d.Class("Lapp/Self;", object, dex.AccPublic|dex.AccInterface|dex.AccAbstract)
	self.Method("self", "()Lapp/Self;", dex.AccPublic).Asm(1, "return-object p0")
	plain(d, "A", object, "Lapp/Self;")
	plain(d, "B", object, "Lapp/Self;").Method("self", "()Lapp/Self;", dex.AccPublic).
		Asm(2, "new-instance v0, Lapp/A;\ninvoke-direct {v0}, Lapp/A;-><init>()V\nreturn-object v0")
	task := plain(d, "Task", object, "Ljava/lang/Runnable;").Field("payload", object, dex.AccPublic)
	task.Method("run", "()V", dex.AccPublic).Asm(2, expand("iget-object v0, p0, Lapp/Task;->payload:Ljava/lang/Object;\nsink v0"))
	holder := plain(d, "Holder", object).Field("one", object, dex.AccPublic|dex.AccStatic)
	holder.Method("<clinit>", "()V", dex.AccStatic).Asm(1, expand("new B v0\nsput-object v0, Lapp/Holder;->one:Ljava/lang/Object;"))

	filter := plain(d, "Filter", object, "Ljava/io/FilenameFilter;")
	filter.Method("accept", "(Ljava/io/File;Ljava/lang/String;)Z", dex.AccPublic).
		Asm(4, strings.TrimSuffix(expand("sink p0\nsink p1"), "return-void")+"const/4 v0, 1\nreturn v0")
	sinks(plain(d, "Progress", object, "Landroid/os/RecoverySystem$ProgressListener;"), "onProgress", "(I)V", "p0")

	bus := d.Class("Llib/Bus;", object, dex.AccPublic)
	bus.Method("register", "(Llib/Listener;)V", dex.AccPublic|dex.AccStatic|dex.AccNative)
	d.Class("Llib/Listener;", object, dex.AccPublic|dex.AccInterface|dex.AccAbstract).Method("heard", "()V", dex.AccPublic|dex.AccAbstract)
	sinks(plain(d, "Listener", object, "Llib/Listener;"), "heard", "()V", "p0")

	plain(d, "Stub", "Landroid/os/Binder;")
	plain(d, "Work", "Landroid/app/Service;").Method("onBind", "(Landroid/content/Intent;)Landroid/os/IBinder;", dex.AccPublic).
		Asm(3, strings.TrimSuffix(expand("new Stub v0"), "return-void")+"return-object v0")
	connection := plain(d, "Connection", object, "Landroid/content/ServiceConnection;")
	sinks(connection, "onServiceConnected", "(Landroid/content/ComponentName;Landroid/os/IBinder;)V", "p2")
	connection.Method("onServiceDisconnected", "(Landroid/content/ComponentName;)V", dex.AccPublic).Asm(2, "return-void")
}

// lambdaSite is Runnable for app.Main.body with its argument captured.
func lambdaSite(d *dextest.Dex) {
	body := dextest.Handle{Kind: dex.HandleInvokeStatic, Class: "Lapp/Main;", Name: "body", Desc: "(Ljava/lang/Object;)V"}
	d.CallSite("lambda", dextest.CallSite{
		Bootstrap: dextest.Handle{
			Kind: dex.HandleInvokeStatic, Class: "Ljava/lang/invoke/LambdaMetafactory;", Name: "metafactory",
			Desc: "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;" +
				"Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;",
		},
		Name: "run", Proto: "(Ljava/lang/Object;)Ljava/lang/Runnable;",
		Args: []any{dextest.Proto("()V"), body, dextest.Proto("()V")},
	})
}

// layout has one button, with a name and an onClick method.
type layout struct{}

func (layout) Inflated(id uint32) []pointsto.Inflated {
	if id != 7 {
		return nil
	}
	return []pointsto.Inflated{{Class: "android.widget.Button", ID: 9, Name: "id/go", OnClick: "go"}}
}

func (layout) View(id uint32) (name, class string) {
	if id != 9 {
		return "", ""
	}
	return "id/go", "android.widget.Button"
}

func TestFlows(t *testing.T) {
	for _, f := range flows {
		t.Run(f.name, func(t *testing.T) {
			c := pointstotest.Dex(t, []string{"app.Main", "app.Work"}, func(d *dextest.Dex) { scenery(d, f.code) })
			c.Layout = layout{}
			r := pointstotest.Solve(t, c)
			if diff := cmp.Diff(f.sinks, received(r, method(t, c.Prog, "app.Main.sink(java.lang.Object)"))); diff != "" {
				t.Errorf("the sink receives (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(f.arms, arms(r)); diff != "" {
				t.Errorf("arms (-want +got):\n%s", diff)
			}
		})
	}
}

// TestHosts drives one fragment from two activities: it lives in both.
func TestHosts(t *testing.T) {
	c := pointstotest.Dex(t, []string{"app.One", "app.Two"}, func(d *dextest.Dex) {
		plain(d, "Part", "Landroid/app/Fragment;").Method("onResume", "()V", dex.AccPublic).Asm(1, "return-void")
		parts := plain(d, "Parts", object)
		parts.Method("part", "()Lapp/Part;", dex.AccPublic|dex.AccStatic).
			Asm(1, strings.TrimSuffix(expand("new Part v0"), "return-void")+"return-object v0")
		for _, name := range []string{"One", "Two"} {
			plain(d, name, "Landroid/app/Activity;").Method("onCreate", "(Landroid/os/Bundle;)V", dex.AccPublic).Asm(5, expand(`
				invoke-virtual {p0}, Lapp/`+name+`;->getFragmentManager()Landroid/app/FragmentManager;
				move-result-object v0
				invoke-virtual {v0}, Landroid/app/FragmentManager;->beginTransaction()Landroid/app/FragmentTransaction;
				move-result-object v0
				invoke-static {}, Lapp/Parts;->part()Lapp/Part;
				move-result-object v1
				const/4 v2, 7
				invoke-virtual {v0, v2, v1}, Landroid/app/FragmentTransaction;->add(ILandroid/app/Fragment;)Landroid/app/FragmentTransaction;`))
		}
	})
	r := pointstotest.Solve(t, c)
	var hosts []string
	for _, a := range r.Arms {
		if a.Name == "onResume" {
			r.Host(a).All(func(o pointsto.Obj) bool { hosts = append(hosts, r.ObjectString(o)); return true })
		}
	}
	slices.Sort(hosts)
	if want := []string{"component app.One", "component app.Two"}; !slices.Equal(hosts, want) {
		t.Errorf("the fragment lives in %v, want %v", hosts, want)
	}
}

// TestBridges: a callback that only bridges to what the developer wrote is that, also
// if only the flag of the compiler's methods is left, as after ProGuard.
func TestBridges(t *testing.T) {
	for flags, want := range map[uint32]string{
		dex.AccSynthetic | dex.AccBridge: "app.Job.doInBackground(java.lang.String[])",
		dex.AccSynthetic:                 "app.Job.doInBackground(java.lang.String[])",
		0:                                "app.Job.doInBackground(java.lang.Object[])",
	} {
		c := pointstotest.Dex(t, []string{"app.Main"}, func(d *dextest.Dex) {
			job := plain(d, "Job", "Landroid/os/AsyncTask;")
			job.Method("doInBackground", "([Ljava/lang/Object;)Ljava/lang/Object;", dex.AccPublic|flags).
				Asm(2, "invoke-virtual {p0, p1}, Lapp/Job;->doInBackground([Ljava/lang/String;)Ljava/lang/Object;\n move-result-object p1\n return-object p1")
			job.Method("doInBackground", "([Ljava/lang/String;)Ljava/lang/Object;", dex.AccPublic).Asm(2, "return-object p1")
			plain(d, "Main", "Landroid/app/Activity;").Method("onCreate", "(Landroid/os/Bundle;)V", dex.AccPublic).Asm(5, expand(`
				new Job v0
				const/4 v1, 0
				invoke-virtual {v0, v1}, Lapp/Job;->execute([Ljava/lang/Object;)Landroid/os/AsyncTask;`))
		})
		got := arms(pointstotest.Solve(t, c))
		if !slices.ContainsFunc(got, func(arm string) bool { return strings.HasPrefix(arm, want) }) {
			t.Errorf("with flags %#x the callbacks are %q, want %s", flags, got, want)
		}
	}
}

// received names the objects that parameter 0 of a method may be, sorted.
func received(r *pointsto.Result, m ir.MethodID) []string {
	var out []string
	for f := 1; f < len(r.Funcs); f++ {
		if r.Funcs[f].Method != m {
			continue
		}
		r.PointsTo(pointsto.FuncID(f), 1).All(func(o pointsto.Obj) bool {
			name, _, _ := strings.Cut(r.ObjectString(o), " @")
			out = append(out, strings.TrimPrefix(name, "new "))
			return true
		})
	}
	slices.Sort(out)
	return out
}

var kindNames = map[platform.EffectKind]string{platform.Post: "Post", platform.Start: "Start", platform.Register: "Register"}

func arms(r *pointsto.Result) []string {
	var out []string
	for _, a := range r.Arms {
		how := " in general"
		switch {
		case a.Life != nil:
			continue
		case a.Effect != nil:
			how = " by " + kindNames[a.Effect.Kind]
		case a.Unknown:
			how += ", thread unknown"
		}
		out = append(out, r.Prog.MethodString(a.Method)+how)
	}
	slices.Sort(out)
	return out
}
