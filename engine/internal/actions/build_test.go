package actions

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
)

// scene is the code of an activity's onCreate, and what becomes of it: the
// posted, started and registered actions with their queues, and the points
// that end what they name. "new A v1" allocates app.A.
type scene struct {
	name string
	code string
	acts []string
	ends []string
}

const (
	handlerPost = "invoke-virtual {%s, %s}, Landroid/os/Handler;->post(Ljava/lang/Runnable;)Z\n"
	mainLooper  = "invoke-static {}, Landroid/os/Looper;->getMainLooper()Landroid/os/Looper;\nmove-result-object v0\n"
	onLooper    = "new-instance v1, Landroid/os/Handler;\ninvoke-direct {v1, v0}, Landroid/os/Handler;-><init>(Landroid/os/Looper;)V\n"
	worker      = "new-instance v0, Landroid/os/HandlerThread;\nconst/4 v1, 0\n" +
		"invoke-direct {v0, v1}, Landroid/os/HandlerThread;-><init>(Ljava/lang/String;)V\n" +
		"invoke-virtual {v0}, Landroid/os/HandlerThread;->start()V\n" +
		"invoke-virtual {v0}, Landroid/os/HandlerThread;->getLooper()Landroid/os/Looper;\nmove-result-object v0\n"
	execute = "move-result-object v0\nnew Task v1\n" +
		"invoke-interface {v0, v1}, Ljava/util/concurrent/Executor;->execute(Ljava/lang/Runnable;)V\n"
	pool   = "invoke-static {v0}, Ljava/util/concurrent/Executors;->newFixedThreadPool(I)Ljava/util/concurrent/ExecutorService;\n"
	start  = "invoke-virtual {v0}, Ljava/lang/Thread;->start()V\n"
	onUI   = "invoke-virtual {%s, %s}, Lapp/Main;->runOnUiThread(Ljava/lang/Runnable;)V\n"
	listen = "invoke-virtual {v0, %s}, Landroid/view/View;->setOnClickListener(Landroid/view/View$OnClickListener;)V\n"
	view   = "new-instance v0, Landroid/view/View;\ninvoke-direct {v0, p0}, Landroid/view/View;-><init>(Landroid/content/Context;)V\n"
	send   = "new Messages v0\nconst/4 v1, %d\ninvoke-virtual {v0, v1}, Lapp/Messages;->sendEmptyMessage(I)Z\n"
)

func post(handler, task string) string { return fmt.Sprintf(handlerPost, handler, task) }

var scenes = []scene{
	{"main looper", mainLooper + onLooper + "new Task v2\n" + post("v1", "v2"),
		[]string{"Task.run on main looper"}, nil},
	{"looper of a thread", worker + onLooper + "new Task v2\n" + post("v1", "v2"),
		[]string{"Task.run on looper made at app.Main.onCreate(android.os.Bundle)"}, nil},
	{"looper that runs the code", "new android.os.Handler v1\nnew Task v2\n" + post("v1", "v2"),
		[]string{"Task.run on main looper"}, nil},
	{"looper of the thread that makes the handler", "new Worker v0\n" + start,
		[]string{"Task.run on background thread", "Worker.run on background thread"}, nil},
	{"one of two loopers", mainLooper + "sput-object v0, Lapp/Main;->looper:Landroid/os/Looper;\n" + worker +
		"sput-object v0, Lapp/Main;->looper:Landroid/os/Looper;\nsget-object v0, Lapp/Main;->looper:Landroid/os/Looper;\n" +
		onLooper + "new Task v2\n" + post("v1", "v2"),
		[]string{"Task.run on unknown thread"}, nil},
	{"single thread executor",
		"invoke-static {}, Ljava/util/concurrent/Executors;->newSingleThreadExecutor()Ljava/util/concurrent/ExecutorService;\n" + execute,
		[]string{"Task.run on serial executor app.Main.onCreate(android.os.Bundle)"}, nil},
	{"pool of one", "const/4 v0, 1\n" + pool + execute,
		[]string{"Task.run on serial executor app.Main.onCreate(android.os.Bundle)"}, nil},
	{"pool of two", "const/4 v0, 2\n" + pool + execute,
		[]string{"Task.run on thread pool app.Main.onCreate(android.os.Bundle)"}, nil},
	{"pool of some", "invoke-virtual {p0}, Ljava/lang/Object;->hashCode()I\nmove-result v0\n" + pool + execute,
		[]string{"Task.run on thread pool app.Main.onCreate(android.os.Bundle)"}, nil},
	{"an executor from out of sight", "invoke-static {}, Lapp/Main;->strange()Ljava/util/concurrent/Executor;\n" + execute,
		[]string{"Task.run on unknown thread"}, nil},
	{"a message for each code", fmt.Sprintf(send, 1) + fmt.Sprintf(send, 3),
		[]string{"Messages.handleMessage on main looper what 1", "Messages.handleMessage on main looper what 3"}, nil},
	{"a code that is copied", "new Messages v0\nconst/4 v1, 1\n" +
		"invoke-virtual {v0, v1}, Lapp/Messages;->obtainMessage(I)Landroid/os/Message;\nmove-result-object v2\n" +
		"new android.os.Message v3\ninvoke-virtual {v3, v2}, Landroid/os/Message;->copyFrom(Landroid/os/Message;)V\n" +
		"sget v1, Lapp/Main;->flag:I\nif-eqz v1, :sent\nconst/4 v1, 3\niput v1, v3, Landroid/os/Message;->what:I\n:sent\n" +
		"invoke-virtual {v0, v3}, Lapp/Messages;->sendMessage(Landroid/os/Message;)Z\n",
		[]string{"Messages.handleMessage on main looper"}, nil},
	{"on the main looper at once", "new Task v0\n" + fmt.Sprintf(onUI, "p0", "v0"),
		[]string{"Task.run on main looper never by itself"}, nil},
	{"to the main looper from a thread", "new Outside v0\niput-object p0, v0, Lapp/Outside;->main:Lapp/Main;\n" + start,
		[]string{"Outside.run on background thread", "Task.run on main looper"}, nil},
	{"at once within what runs at once", "new Nested v0\niput-object p0, v0, Lapp/Nested;->main:Lapp/Main;\n" +
		fmt.Sprintf(onUI, "p0", "v0"),
		[]string{"Nested.run on main looper never by itself", "Task.run on main looper never by itself"}, nil},
	{"cancel of a post", mainLooper + onLooper + "new Task v2\n" + post("v1", "v2") +
		"invoke-virtual {v1, v2}, Landroid/os/Handler;->removeCallbacks(Ljava/lang/Runnable;)V\n",
		[]string{"Task.run on main looper"}, []string{"cancel every Task.run"}},
	{"cancel of another task", mainLooper + onLooper + "new Task v2\nnew Task v3\n" + post("v1", "v2") +
		"invoke-virtual {v1, v3}, Landroid/os/Handler;->removeCallbacks(Ljava/lang/Runnable;)V\n",
		[]string{"Task.run on main looper"}, nil},
	{"cancel of a code", fmt.Sprintf(send, 1) + "const/4 v1, 2\ninvoke-virtual {v0, v1}, Lapp/Messages;->sendEmptyMessage(I)Z\n" +
		"invoke-virtual {v0, v1}, Lapp/Messages;->removeMessages(I)V\n",
		[]string{"Messages.handleMessage on main looper what 1", "Messages.handleMessage on main looper what 2"},
		[]string{"cancel every Messages.handleMessage what 2"}},
	{"unregistration", "new Receiver v0\nconst/4 v1, 0\n" +
		"invoke-virtual {p0, v0, v1}, Lapp/Main;->registerReceiver" +
		"(Landroid/content/BroadcastReceiver;Landroid/content/IntentFilter;)Landroid/content/Intent;\n" +
		"invoke-virtual {p0, v0}, Lapp/Main;->unregisterReceiver(Landroid/content/BroadcastReceiver;)V\n",
		[]string{"Receiver.onReceive on main looper"}, []string{"unregister every Receiver.onReceive"}},
	{"null in the place of a listener", view + "new Click v1\n" + fmt.Sprintf(listen, "v1") + "const/4 v1, 0\n" + fmt.Sprintf(listen, "v1"),
		[]string{"Click.onClick on main looper"}, []string{"unregister every Click.onClick"}},
	{"null in another place", view + "new Click v1\n" + fmt.Sprintf(listen, "v1") + "const/4 v1, 0\n" +
		"invoke-virtual {v0, v1}, Landroid/view/View;->setOnTouchListener(Landroid/view/View$OnTouchListener;)V\n",
		[]string{"Click.onClick on main looper"}, nil},
}

// expand replaces "new A v1" and ends the method.
func expand(code string) string {
	lines := strings.Split(code, "\n")
	for i, l := range lines {
		if w := strings.Fields(l); len(w) == 3 && w[0] == "new" {
			class := "Lapp/" + w[1] + ";"
			if strings.Contains(w[1], ".") {
				class = "L" + strings.ReplaceAll(w[1], ".", "/") + ";"
			}
			lines[i] = fmt.Sprintf("new-instance %s, %s\ninvoke-direct {%s}, %s-><init>()V", w[2], class, w[2], class)
		}
	}
	return strings.Join(lines, "\n") + "\nreturn-void"
}

func plain(d *dextest.Dex, name, super string, interfaces ...string) *dextest.Class {
	c := d.Class("Lapp/"+name+";", super, dex.AccPublic, interfaces...)
	c.Method("<init>", "()V", dex.AccPublic).Asm(1, "invoke-direct {p0}, "+super+"-><init>()V\nreturn-void")
	return c
}

// scenery is the program around the code of a scene.
func scenery(d *dextest.Dex, code string) {
	const runnable, thread = "Ljava/lang/Runnable;", "Ljava/lang/Thread;"
	main := plain(d, "Main", "Landroid/app/Activity;").
		Field("looper", "Landroid/os/Looper;", dex.AccPublic|dex.AccStatic).Field("flag", "I", dex.AccPublic|dex.AccStatic)
	main.Method("onCreate", "(Landroid/os/Bundle;)V", dex.AccPublic).Asm(6, expand(code))
	main.Method("strange", "()Ljava/util/concurrent/Executor;", dex.AccPublic|dex.AccStatic|dex.AccNative)
	mark := plain(d, "Mark", object)
	for _, m := range []string{"one", "three", "other"} {
		mark.Method(m, "()V", dex.AccPublic|dex.AccStatic).Asm(1, expand("new Thing v0"))
	}
	plain(d, "Thing", object)
	plain(d, "Task", object, runnable).Method("run", "()V", dex.AccPublic).Asm(1, "return-void")
	plain(d, "Click", object, "Landroid/view/View$OnClickListener;").
		Method("onClick", "(Landroid/view/View;)V", dex.AccPublic).Asm(3, expand("new Thing v0"))
	plain(d, "Receiver", "Landroid/content/BroadcastReceiver;").
		Method("onReceive", "(Landroid/content/Context;Landroid/content/Intent;)V", dex.AccPublic).Asm(3, "return-void")
	plain(d, "Worker", thread).Method("run", "()V", dex.AccPublic).
		Asm(3, expand("invoke-static {}, Landroid/os/Looper;->prepare()V\nnew android.os.Handler v0\nnew Task v1\n"+post("v0", "v1")))
	for _, name := range []string{"Outside", "Nested"} {
		super := map[string]string{"Outside": thread, "Nested": object}[name]
		c := plain(d, name, super, runnable).Field("main", "Lapp/Main;", dex.AccPublic)
		c.Method("run", "()V", dex.AccPublic).
			Asm(3, expand(fmt.Sprintf("iget-object v1, p0, Lapp/%s;->main:Lapp/Main;\nnew Task v0\n"+onUI, name, "v1", "v0")))
	}
	later := plain(d, "Later", object, "Landroid/view/View$OnClickListener;")
	later.Field("main", "Lapp/Main;", dex.AccPublic).Field("task", runnable, dex.AccPublic)
	later.Method("onClick", "(Landroid/view/View;)V", dex.AccPublic).Asm(4, expand("iget-object v0, p0, Lapp/Later;->main:Lapp/Main;\n"+
		"iget-object v1, p0, Lapp/Later;->task:Ljava/lang/Runnable;\n"+fmt.Sprintf(onUI, "v0", "v1")))
	plain(d, "Messages", "Landroid/os/Handler;").Method("handleMessage", "(Landroid/os/Message;)V", dex.AccPublic).Asm(4, `
		iget v0, p1, Landroid/os/Message;->what:I
		packed-switch v0, :codes
		const/4 v1, 3
		if-ne v0, v1, :other
		invoke-static {}, Lapp/Mark;->three()V
		return-void
		:other
		invoke-static {}, Lapp/Mark;->other()V
		return-void
		:one
		invoke-static {}, Lapp/Mark;->one()V
		return-void
		:codes
		.packed-switch 1 :one`)
}

func build(t *testing.T, code string) *Set {
	t.Helper()
	s := Build(pointstotest.Solve(t, pointstotest.Dex(t, []string{"app.Main"}, func(d *dextest.Dex) { scenery(d, code) })))
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	return s
}

// short names an action by class and method, and its code.
func short(s *Set, id hb.ActionID) string {
	a := &s.Actions[id]
	m := &s.PT.Prog.Methods[a.Arm.Method]
	name := strings.TrimPrefix(s.PT.Prog.Classes[m.Class].Name, "app.") + "." + s.PT.Prog.Selectors[m.Sel].Name
	if a.Code.Known {
		name += fmt.Sprintf(" what %d", a.Code.Number)
	}
	return name
}

func TestScenes(t *testing.T) {
	for _, sc := range scenes {
		t.Run(sc.name, func(t *testing.T) {
			s := build(t, sc.code)
			var acts, ends []string
			for id := 2; id < len(s.Actions); id++ {
				a := &s.Actions[id]
				if a.Arm.Life != nil || a.Arm.Method == 0 || strings.HasPrefix(s.Name(a.ID), "android.") {
					continue
				}
				name, code, coded := strings.Cut(short(s, a.ID), " what ")
				line := name + " on " + s.Queues[a.Queue].Label
				if coded {
					line += " what " + code
				}
				if len(a.Entries) == 0 {
					line += " never by itself"
				}
				acts = append(acts, line)
			}
			for i := range s.Model.Points {
				p := &s.Model.Points[i]
				if p.Kind != hb.Cancel && p.Kind != hb.Unregister {
					continue
				}
				for _, target := range p.Targets {
					every := ""
					if p.Every {
						every = "every "
					}
					what := map[hb.PointKind]string{hb.Cancel: "cancel ", hb.Unregister: "unregister "}[p.Kind]
					ends = append(ends, what+every+short(s, target))
				}
			}
			slices.Sort(acts)
			if diff := cmp.Diff(sc.acts, acts); diff != "" {
				t.Errorf("actions (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(sc.ends, ends); diff != "" {
				t.Errorf("what ends them (-want +got):\n%s", diff)
			}
		})
	}
}

// TestInlineReach: a click runs at once what runs at once from there, also if
// the inner call was met before the outer one.
func TestInlineReach(t *testing.T) {
	s := build(t, "new Nested v2\niput-object p0, v2, Lapp/Nested;->main:Lapp/Main;\n"+fmt.Sprintf(onUI, "p0", "v2")+
		view+"new Later v1\niput-object p0, v1, Lapp/Later;->main:Lapp/Main;\niput-object v2, v1, Lapp/Later;->task:Ljava/lang/Runnable;\n"+
		fmt.Sprintf(listen, "v1"))
	for f := 1; f < len(s.PT.Funcs); f++ {
		if s.PT.MethodName(pointsto.FuncID(f)) != "app.Task.run()" {
			continue
		}
		var by []string
		s.ByFunc[f].All(func(id int) bool { by = append(by, short(s, hb.ActionID(id))); return true })
		if want := []string{"Main.onCreate", "Later.onClick"}; !slices.Equal(by, want) {
			t.Errorf("the inner task is run by %v, want %v", by, want)
		}
		return
	}
	t.Error("the inner task is not reached")
}

// TestCodes asks which marks the handler of a message with a code executes.
func TestCodes(t *testing.T) {
	for code, want := range map[int]string{1: "one", 3: "three", 7: "other"} {
		s := build(t, fmt.Sprintf(send, code))
		var got []string
		for f := 1; f < len(s.PT.Funcs); f++ {
			name := s.PT.MethodName(pointsto.FuncID(f))
			if mark, ok := strings.CutPrefix(name, "app.Mark."); ok && mark != "<init>()" && s.ByFunc[f] != nil && s.ByFunc[f].Count() > 0 {
				got = append(got, strings.TrimSuffix(mark, "()"))
			}
		}
		if !slices.Equal(got, []string{want}) {
			t.Errorf("a message with code %d executes %v, want %s", code, got, want)
		}
	}
}

// TestOwners asks what the one Thing that the code allocates lives for.
func TestOwners(t *testing.T) {
	thing := "new Thing v0\n"
	each := "new java.util.ArrayList v0\nnew Each v1\n" +
		"invoke-virtual {v0, v1}, Ljava/util/ArrayList;->forEach(Ljava/util/function/Consumer;)V\n"
	for name, c := range map[string]struct {
		code   string
		scope  hb.Scope
		unique bool
	}{
		"once":             {thing, hb.ScopeInstance, true},
		"on one way":       {"sget v1, Lapp/Main;->flag:I\nif-eqz v1, :out\n" + thing + ":out\n", hb.ScopeInstance, true},
		"in a loop":        {":again\n" + thing + "sget v1, Lapp/Main;->flag:I\nif-eqz v1, :again\n", hb.ScopeInstance, false},
		"in a callee":      {"invoke-static {}, Lapp/Mark;->one()V\n", hb.ScopeInstance, true},
		"in two calls":     {"invoke-static {}, Lapp/Mark;->one()V\ninvoke-static {}, Lapp/Mark;->one()V\n", hb.ScopeInstance, false},
		"for each element": {each, hb.ScopeInstance, false},
		"in a click":       {view + "new Click v1\n" + fmt.Sprintf(listen, "v1"), hb.ScopeRun, true},
		"in initialisers":  {"sget v1, Lapp/Init;->flag:I\n", hb.ScopeProcess, true},
		"in two actions":   {"invoke-static {}, Lapp/Mark;->one()V\n" + fmt.Sprintf(send, 1), hb.ScopeUnknown, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := Build(pointstotest.Solve(t, pointstotest.Dex(t, []string{"app.Main"}, func(d *dextest.Dex) {
				scenery(d, c.code)
				plain(d, "Each", object, "Ljava/util/function/Consumer;").
					Method("accept", "("+object+")V", dex.AccPublic).Asm(3, expand(thing))
				plain(d, "Init", object).Field("flag", "I", dex.AccPublic|dex.AccStatic).
					Method("<clinit>", "()V", dex.AccStatic).Asm(1, expand(thing))
			})))
			things := allocated(s, "app.Thing")
			if len(things) != 1 {
				t.Fatalf("%d objects", len(things))
			}
			if w := s.OwnerOf(things[0]); w.Scope != c.scope || w.Unique != c.unique {
				t.Errorf("%+v, want scope %d, unique %v", w, c.scope, c.unique)
			}
		})
	}
}

// allocated lists the objects of a class that reached code allocates.
func allocated(s *Set, class string) []pointsto.Obj {
	var out []pointsto.Obj
	for f := 1; f < len(s.PT.Funcs); f++ {
		b := s.PT.Body(pointsto.FuncID(f))
		if b == nil || s.ByFunc[f].Count() == 0 {
			continue
		}
		for v, op := range b.Op {
			if op == ir.OpNew && s.PT.Prog.Lookup(class) == s.PT.Prog.Types[b.Aux[v]].Class {
				out = append(out, s.PT.PointsTo(pointsto.FuncID(f), ir.Value(v)).Slice()...)
			}
		}
	}
	return out
}
