package race

import (
	"slices"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
)

// program is an app of one activity, Main, and another one, Other, with code for their
// callbacks; v0 is the activity in which it stands. Words of their own are in words.
type program map[string]string

// words are what lines of a program stand for. Main has the fields item, an Item, count,
// an int, other, an int, array, map, lock and lock2, the private lead and mate, and static is the last Main.
var words = map[string]string{
	"use":  "iget-object v1, v0, Lapp/Main;->item:Lapp/Item;\ninvoke-virtual {v1}, Lapp/Item;->go()V",
	"free": "const/4 v1, 0\niput-object v1, v0, Lapp/Main;->item:Lapp/Item;",
	"live": "new-instance v1, Lapp/Item;\ninvoke-direct {v1}, Lapp/Item;-><init>()V\n" +
		"iput-object v1, v0, Lapp/Main;->item:Lapp/Item;",
	"test":      "iget-object v1, v0, Lapp/Main;->item:Lapp/Item;\nif-eqz v1, :end",
	"test a":    "iget-object v1, v0, Lapp/Main;->item:Lapp/Item;\nif-eqz v1, :a",
	"set null":  "const/4 v1, 0\ninvoke-virtual {v0, v1}, Lapp/Main;->set(Lapp/Item;)V",
	"set live":  "new-instance v1, Lapp/Item;\ninvoke-direct {v1}, Lapp/Item;-><init>()V\ninvoke-virtual {v0, v1}, Lapp/Main;->set(Lapp/Item;)V",
	"once":      "iget v1, v0, Lapp/Main;->flag:I\nif-nez v1, :end\nconst/4 v1, 1\niput v1, v0, Lapp/Main;->flag:I",
	"set flag":  "const/4 v1, 1\niput v1, v0, Lapp/Main;->flag:I",
	"clear":     "const/4 v1, 0\niput v1, v0, Lapp/Main;->flag:I",
	"test flag": "iget v1, v0, Lapp/Main;->flag:I\nif-eqz v1, :end",
	"get2": "iget-object v1, v0, Lapp/Main;->map2:Ljava/util/HashMap;\nconst-string v2, \"k\"\n" +
		"invoke-virtual {v1, v2}, Ljava/util/HashMap;->get(Ljava/lang/Object;)Ljava/lang/Object;\nmove-result-object v1\n" +
		"check-cast v1, Lapp/Item;\ninvoke-virtual {v1}, Lapp/Item;->go()V",
	"update":         "iget v1, v0, Lapp/Main;->count:I\nadd-int/lit8 v1, v1, 1\niput v1, v0, Lapp/Main;->count:I",
	"read and store": "iget v1, v0, Lapp/Main;->other:I\niput v1, v0, Lapp/Main;->count:I",
	"alias":          "iget-object v1, v0, Lapp/Main;->map:Ljava/util/HashMap;\niput-object v1, v0, Lapp/Main;->map2:Ljava/util/HashMap;",
	"box":            "iget-object v1, v0, Lapp/Main;->box:Llib/Box;",
	"box use":        "iget-object v1, v1, Llib/Box;->held:Ljava/lang/Object;\ninvoke-virtual {v1}, Ljava/lang/Object;->hashCode()I",
	"box call":       "invoke-virtual {v1}, Llib/Box;->use()V",
	"box live": "new-instance v2, Lapp/Item;\ninvoke-direct {v2}, Lapp/Item;-><init>()V\n" +
		"iput-object v2, v1, Llib/Box;->held:Ljava/lang/Object;",
	"box free":   "const/4 v2, 0\niput-object v2, v1, Llib/Box;->held:Ljava/lang/Object;",
	"test count": "iget v1, v0, Lapp/Main;->count:I\nif-eqz v1, :end",
	"get": "iget-object v1, v0, Lapp/Main;->map:Ljava/util/HashMap;\nconst-string v2, \"k\"\n" +
		"invoke-virtual {v1, v2}, Ljava/util/HashMap;->get(Ljava/lang/Object;)Ljava/lang/Object;\nmove-result-object v1\n" +
		"check-cast v1, Lapp/Item;\ninvoke-virtual {v1}, Lapp/Item;->go()V",
	"remove": "iget-object v1, v0, Lapp/Main;->map:Ljava/util/HashMap;\nconst-string v2, \"k\"\n" +
		"invoke-virtual {v1, v2}, Ljava/util/HashMap;->remove(Ljava/lang/Object;)Ljava/lang/Object;",
	"new map": "new-instance v1, Ljava/util/HashMap;\ninvoke-direct {v1}, Ljava/util/HashMap;-><init>()V\n" +
		"iput-object v1, v0, Lapp/Main;->map:Ljava/util/HashMap;",
	"both": "new-instance v1, Lapp/Item;\ninvoke-direct {v1}, Lapp/Item;-><init>()V\n" +
		"iput-object v1, v0, Lapp/Main;->lead:Lapp/Item;\niput-object v1, v0, Lapp/Main;->mate:Lapp/Item;",
	"neither":    "const/4 v1, 0\niput-object v1, v0, Lapp/Main;->lead:Lapp/Item;\niput-object v1, v0, Lapp/Main;->mate:Lapp/Item;",
	"lead":       "iget-object v1, v0, Lapp/Main;->lead:Lapp/Item;\nif-eqz v1, :end",
	"mate":       "iget-object v1, v0, Lapp/Main;->mate:Lapp/Item;\ninvoke-virtual {v1}, Lapp/Item;->go()V",
	"no mate":    "const/4 v1, 0\niput-object v1, v0, Lapp/Main;->mate:Lapp/Item;",
	"one":        "const/4 v1, 1\niput v1, v0, Lapp/Main;->count:I",
	"two":        "const/4 v1, 2\niput v1, v0, Lapp/Main;->count:I",
	"read":       "iget v1, v0, Lapp/Main;->count:I\niput v1, v0, Lapp/Main;->other:I",
	"lock":       "iget-object v2, v0, Lapp/Main;->lock:Ljava/lang/Object;\nmonitor-enter v2",
	"new box":    "new-instance v1, Llib/Box;\ninvoke-direct {v1}, Llib/Box;-><init>()V\niput-object v1, v0, Lapp/Main;->box:Llib/Box;",
	"lock box":   "move-object v4, v1\nmonitor-enter v4",
	"unlock box": "monitor-exit v4",
	"lock2":      "iget-object v2, v0, Lapp/Main;->lock2:Ljava/lang/Object;\nmonitor-enter v2",
	"unlock":     "monitor-exit v2",
	"post": "iget-object v1, v0, Lapp/Main;->handler:Landroid/os/Handler;\niget-object v2, v0, Lapp/Main;->job:Lapp/Job;\n" +
		"invoke-virtual {v1, v2}, Landroid/os/Handler;->post(Ljava/lang/Runnable;)Z",
	"start": "iget-object v2, v0, Lapp/Main;->job:Lapp/Job;\nnew-instance v1, Ljava/lang/Thread;\n" +
		"invoke-direct {v1, v2}, Ljava/lang/Thread;-><init>(Ljava/lang/Runnable;)V\n" +
		"invoke-virtual {v1}, Ljava/lang/Thread;->start()V",
	"finish":    "invoke-virtual {v0}, Lapp/Main;->finish()V",
	"destroyed": "invoke-virtual {v0}, Lapp/Main;->isDestroyed()Z\nmove-result v1",
	"show":      "sput-object v0, Lapp/Main;->last:Lapp/Main;",
	"use last": "sget-object v0, Lapp/Main;->last:Lapp/Main;\niget-object v1, v0, Lapp/Main;->item:Lapp/Item;\n" +
		"invoke-virtual {v1}, Lapp/Item;->go()V",
	"new array":  "const/4 v1, 1\nnew-array v1, v1, [Ljava/lang/Object;",
	"keep array": "iput-object v1, v0, Lapp/Main;->array:[Ljava/lang/Object;",
	"execute": "new-instance v2, Lapp/Task;\ninvoke-direct {v2}, Lapp/Task;-><init>()V\n" +
		"invoke-virtual {v2, v1}, Lapp/Task;->execute([Ljava/lang/Object;)Landroid/os/AsyncTask;",
	"put": "const/4 v2, 0\nnew-instance v3, Lapp/Item;\ninvoke-direct {v3}, Lapp/Item;-><init>()V\naput-object v3, v1, v2",
}

// expand writes the lines of a callback out.
func expand(lines string) string {
	var out strings.Builder
	for _, l := range strings.Split(lines, "; ") {
		if w, ok := words[l]; ok {
			l = w
		}
		out.WriteString(l + "\n")
	}
	if code := out.String(); strings.Contains(code, ":end") && !strings.Contains(code, "\n:end") {
		out.WriteString(":end\n")
	}
	return out.String() + "return-void"
}

// result is what the race stage says of a program; classes and all pairs say the same.
func (p program) result(t *testing.T) *Result {
	t.Helper()
	s, g := stages(t, pointstotest.Dex(t, []string{"app.Main", "app.Other"}, p.fill))
	fast := results(t, s, g, false)
	if d := differ(t, lines(t, results(t, s, g, true)), lines(t, fast)); d != "" {
		t.Errorf("classes (+) differ from all pairs (-):\n%s", d)
	}
	return fast
}

func (p program) fill(d *dextest.Dex) {
	const object, activity = "Ljava/lang/Object;", "Landroid/app/Activity;"
	class := func(name, super string, more string, interfaces ...string) *dextest.Class {
		c := d.Class("Lapp/"+name+";", super, dex.AccPublic, interfaces...)
		c.Method("<init>", "()V", dex.AccPublic).Asm(3, "invoke-direct {p0}, "+super+"-><init>()V\n"+more+"return-void")
		return c
	}
	class("Item", object, "").Method("go", "()V", dex.AccPublic).Asm(1, "return-void")
	box := d.Class("Llib/Box;", object, dex.AccPublic)
	box.Field("held", object, 0)
	box.Method("<init>", "()V", dex.AccPublic).Asm(1, "invoke-direct {p0}, "+object+"-><init>()V\nreturn-void")
	box.Method("use", "()V", dex.AccPublic).
		Asm(2, "iget-object v0, p0, Llib/Box;->held:"+object+"\ninvoke-virtual {v0}, "+object+"->hashCode()I\nreturn-void")
	makes := func(field, class string) string {
		return "new-instance v0, " + class + "\ninvoke-direct {v0}, " + class + "-><init>()V\n" +
			"iput-object v0, p0, Lapp/Main;->" + field + ":" + class + "\n"
	}
	main := class("Main", activity, makes("lock", object)+makes("lock2", object)+makes("box", "Llib/Box;")+
		makes("map", "Ljava/util/HashMap;")+makes("handler", "Landroid/os/Handler;"))
	for _, f := range [][2]string{
		{"item", "Lapp/Item;"}, {"count", "I"}, {"other", "I"}, {"flag", "I"}, {"box", "Llib/Box;"},
		{"map2", "Ljava/util/HashMap;"}, {"map", "Ljava/util/HashMap;"}, {"array", "[" + object},
		{"handler", "Landroid/os/Handler;"}, {"job", "Lapp/Job;"},
	} {
		main.Field(f[0], f[1], 0)
	}
	main.Field("lead", "Lapp/Item;", dex.AccPrivate).Field("mate", "Lapp/Item;", dex.AccPrivate)
	main.Field("lock", object, dex.AccFinal).Field("lock2", object, dex.AccFinal).Field("last", "Lapp/Main;", dex.AccStatic)
	main.Method("set", "(Lapp/Item;)V", dex.AccPublic).Asm(2, "iput-object p1, p0, Lapp/Main;->item:Lapp/Item;\nreturn-void")
	class("Task", "Landroid/os/AsyncTask;", "").Method("doInBackground", "(["+object+")"+object, dex.AccPublic).
		Asm(4, "const/4 v0, 0\naget-object v0, p1, v0\nreturn-object v0")
	holder := func(name, iface string) *dextest.Class {
		c := d.Class("Lapp/"+name+";", object, dex.AccPublic, iface)
		c.Field("outer", "Lapp/Main;", dex.AccFinal)
		c.Method("<init>", "(Lapp/Main;)V", dex.AccPublic).
			Asm(2, "invoke-direct {p0}, "+object+"-><init>()V\niput-object p1, p0, Lapp/"+name+";->outer:Lapp/Main;\nreturn-void")
		return c
	}
	inner := func(name, method, proto, iface, code string) {
		holder(name, iface).Method(method, proto, dex.AccPublic).Asm(7, "iget-object v0, p0, Lapp/"+name+";->outer:Lapp/Main;\n"+expand(code))
	}
	inner("Job", "run", "()V", "Ljava/lang/Runnable;", p["job"])
	create := "move-object v0, p0\nnew-instance v1, Lapp/Job;\ninvoke-direct {v1, v0}, Lapp/Job;-><init>(Lapp/Main;)V\n" +
		"iput-object v1, v0, Lapp/Main;->job:Lapp/Job;\n"
	for i, name := range []string{"first", "second", "third"} {
		if p[name] == "" {
			continue
		}
		listener := "Landroid/view/View$OnClickListener;"
		inner(name, "onClick", "(Landroid/view/View;)V", listener, p[name])
		create += "const v1, " + []string{"101", "102", "103"}[i] + "\n" +
			"invoke-virtual {v0, v1}, Lapp/Main;->findViewById(I)Landroid/view/View;\nmove-result-object v1\n" +
			"new-instance v2, Lapp/" + name + ";\ninvoke-direct {v2, v0}, Lapp/" + name + ";-><init>(Lapp/Main;)V\n" +
			"invoke-virtual {v1, v2}, Landroid/view/View;->setOnClickListener(" + listener + ")V\n"
	}
	if p["surfaceDestroyed"] != "" {
		callback := "Landroid/view/SurfaceHolder$Callback;"
		c := holder("Surface", callback)
		for _, m := range [][2]string{{"surfaceCreated", ""}, {"surfaceChanged", "III"}, {"surfaceDestroyed", ""}} {
			c.Method(m[0], "(Landroid/view/SurfaceHolder;"+m[1]+")V", dex.AccPublic).
				Asm(8, "iget-object v0, p0, Lapp/Surface;->outer:Lapp/Main;\n"+expand(p[m[0]]))
		}
		create += "new-instance v1, Landroid/view/SurfaceView;\ninvoke-direct {v1, v0}, Landroid/view/SurfaceView;-><init>(Landroid/content/Context;)V\n" +
			"invoke-virtual {v1}, Landroid/view/SurfaceView;->getHolder()Landroid/view/SurfaceHolder;\nmove-result-object v1\n" +
			"new-instance v2, Lapp/Surface;\ninvoke-direct {v2, v0}, Lapp/Surface;-><init>(Lapp/Main;)V\n" +
			"invoke-interface {v1, v2}, Landroid/view/SurfaceHolder;->addCallback(" + callback + ")V\n"
	}
	main.Method("onCreate", "(Landroid/os/Bundle;)V", dex.AccPublic).Asm(7, create+expand(p["create"]))
	for _, name := range []string{"onStart", "onResume", "onStop", "onDestroy"} {
		if p[name] != "" {
			main.Method(name, "()V", dex.AccPublic).Asm(7, "move-object v0, p0\n"+expand(p[name]))
		}
	}
	class("Other", activity, "").Method("onResume", "()V", dex.AccPublic).Asm(7, "move-object v0, p0\n"+expand(p["Other"]))
}

// filterPairs has for each filter a program from which it removes a candidate, and one
// beside it, by one difference, from which it removes none and which has a race.
var filterPairs = map[string]struct{ hit, miss program }{
	"new holder": {
		program{"first": "new map; get", "second": "remove"},
		program{"first": "get; new map", "second": "remove"},
	},
	"holder replaced": {
		program{"first": "get", "second": "remove; new map"},
		program{"first": "get", "second": "new map; remove"},
	},
	"framework query": {
		program{"first": "post", "job": "destroyed; if-nez v1, :end; use", "onDestroy": "free", "create": "live"},
		program{"first": "post", "job": "destroyed; if-eqz v1, :end; use", "onDestroy": "free", "create": "live"},
	},
	"finished": {
		program{"first": "free; finish", "onResume": "use", "create": "live"},
		program{"first": "free; finish", "onStop": "use", "create": "live"},
	},
	"renewed": {
		program{"surfaceCreated": "live", "surfaceChanged": "use", "surfaceDestroyed": "free"},
		program{"surfaceCreated": "test count; live", "surfaceChanged": "use", "surfaceDestroyed": "free"},
	},
	"tested or allocated": {
		program{"first": "test; use", "second": "free", "create": "live"},
		program{"first": "test count; use", "second": "free", "create": "live"},
	},
	"tested by what is written together": {
		program{"first": "lead; mate", "second": "neither", "create": "both"},
		program{"first": "lead; mate", "second": "no mate", "create": "both"},
	},
	"not null at the end": {
		program{"first": "use", "second": "free; live", "create": "live"},
		program{"first": "use", "second": "live; free", "create": "live"},
	},
	"tested or allocated in the critical section": {
		program{"first": "start", "job": "lock; test; use; :end; unlock", "second": "lock; free; unlock", "create": "live"},
		program{"first": "start", "job": "test; lock; use; unlock; :end", "second": "lock; free; unlock", "create": "live"},
	},
	"same constant": {
		program{"first": "post", "job": "one", "second": "one"},
		program{"first": "post", "job": "one", "second": "two"},
	},
	"overwritten": {
		program{"first": "post", "job": "one; read", "second": "two"},
		program{"first": "post", "job": "read; one", "second": "two"},
	},
	"common lock": {
		program{"first": "start", "job": "lock; one; unlock", "second": "lock; two; unlock"},
		program{"first": "start", "job": "lock2; one; unlock", "second": "lock; two; unlock"},
	},
	"lock of the object": {
		program{"first": "new box; start", "job": "box; lock box; box live; unlock box", "second": "box; lock box; box live; unlock box"},
		program{"first": "new box; start", "job": "box; lock box; box; box live; unlock box", "second": "box; lock box; box; box live; unlock box"},
	},
	dropOwn: {
		program{"create": "live; show", "second": "start", "job": "use last"},
		program{"create": "show; live", "second": "start", "job": "use last"},
	},
	dropNoSchedule: {
		program{"first": "use", "onStart": "live", "onStop": "free"},
		program{"first": "use", "second": "live", "onStop": "free"},
	},
	dropNoField: {
		program{"first": "new array; execute; put"},
		program{"first": "new array; keep array; execute; put"},
	},
}

// TestFilters wants such a pair of every row of the tables, and of what removes
// candidates beside them.
func TestFilters(t *testing.T) {
	names := []string{dropOwn, dropNoSchedule, dropNoField}
	for _, f := range slices.Concat(useFilters, plainFilters) {
		names = append(names, f.name)
	}
	if len(names) != len(filterPairs) {
		t.Errorf("%d filters, %d pairs of programs", len(names), len(filterPairs))
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			pair, ok := filterPairs[name]
			if !ok {
				t.Fatal("no programs")
			}
			if hit := pair.hit.result(t); hit.Removed[name] == 0 {
				t.Errorf("it removes nothing: %v", summary(hit))
			}
			if miss := pair.miss.result(t); miss.Removed[name] > 0 || len(miss.Races) == 0 {
				t.Errorf("beside it: %v", summary(miss))
			}
		})
	}
}

// TestBornFirst: what the birth of a component changes comes before what other runs do to it.
func TestBornFirst(t *testing.T) {
	if hit := (program{"create": "live; show", "Other": "use last"}).result(t); hit.Candidates > 1 {
		t.Errorf("onCreate is no birth: %v", summary(hit)) // the candidate is the static
	}
	if miss := (program{"onResume": "live", "create": "show", "Other": "use last"}).result(t); miss.Candidates < 2 {
		t.Errorf("onResume is a birth: %v", summary(miss))
	}
}

// summary is what a dump of candidates says.
func summary(r *Result) string {
	var out strings.Builder
	_ = r.Print(&out)
	return out.String()
}

// nearlyAlike has programs whose accesses are alike but for one thing that a question reads.
var nearlyAlike = map[string]program{
	"what an action stores by a method of all": {"first": "set null", "second": "set live", "third": "use", "create": "live"},
	"a test in the section and one ahead of it": {"first": "start", "job": "lock; test a; use; :a; unlock; test; lock; use; unlock; :end",
		"second": "lock; free; unlock"},
	"a flag that lets one of them run once":     {"first": "two; start", "job": "once; one; :end; one"},
	"a value that is tested only, and one kept": {"first": "post", "job": "test count; read; :end", "second": "one"},
	"an update and a store":                     {"first": "start", "job": "update; read and store", "second": "update"},
	"one map in two fields":                     {"first": "start", "job": "get; get2", "second": "remove", "create": "alias"},
	"in the app and in a dependency":            {"first": "box; box use; box; box call", "second": "box; box free", "create": "box; box live"},
	"a flag that one of the frees clears":       {"first": "free; clear", "second": "free", "third": "test flag; use", "create": "live; set flag"},
}

// TestApart compares classes with all pairs where they must be told apart.
func TestApart(t *testing.T) {
	for name, p := range nearlyAlike {
		t.Run(name, func(t *testing.T) {
			if r := p.result(t); len(r.Races) == 0 {
				t.Errorf("no race: %s", summary(r))
			}
		})
	}
}
