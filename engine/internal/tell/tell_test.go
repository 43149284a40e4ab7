package tell

import (
	"fmt"
	"slices"
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

const (
	object   = "Ljava/lang/Object;"
	runnable = "Ljava/lang/Runnable;"
	handler  = "Landroid/os/Handler;"
	text     = "Ljava/lang/String;"
	postIt   = "iget-object v0, p0, Lapp/Main;->handler:" + handler + "\ninvoke-virtual {v0, v1}, " + handler + "->post(" + runnable + ")Z\n"
)

// scene is the app of the tests: an activity that posts tasks to its handler, some
// of classes of its own, starts a worker, and listens to clicks and broadcasts. All
// of them use and set its field text. Each method has one line.
func scene(d *dextest.Dex) {
	main := class(d, "Main", "Landroid/app/Activity;").Field("text", text, 0).Field("count", "I", 0).
		Field("handler", handler, 0).Field("late", "Lapp/Late;", 0).Field("receiver", "Lapp/Receiver;", 0).Field("refresh", "Lapp/Main$Refresh;", 0)
	method := func(c *dextest.Class, line uint32, name, proto, code string) {
		c.Method(name, proto, dex.AccPublic).Asm(8, expand(code)).Line(0, line)
	}
	method(main, 10, "onCreate", "(Landroid/os/Bundle;)V", `
		new android.os.Handler v0
		iput-object v0, p0, Lapp/Main;->handler:Landroid/os/Handler;
		new Task v1
		iput-object p0, v1, Lapp/Task;->main:Lapp/Main;
		invoke-virtual {v0, v1}, Landroid/os/Handler;->post(Ljava/lang/Runnable;)Z
		new Worker v1
		iput-object p0, v1, Lapp/Worker;->main:Lapp/Main;
		invoke-virtual {v1}, Lapp/Worker;->start()V
		new android.view.View v0
		new Click v1
		iput-object p0, v1, Lapp/Click;->main:Lapp/Main;
		invoke-virtual {v0, v1}, Landroid/view/View;->setOnClickListener(Landroid/view/View$OnClickListener;)V
		new Receiver v0
		iput-object p0, v0, Lapp/Receiver;->main:Lapp/Main;
		iput-object v0, p0, Lapp/Main;->receiver:Lapp/Receiver;
		const/4 v1, 0
		invoke-virtual {p0, v0, v1}, Lapp/Main;->registerReceiver(Landroid/content/BroadcastReceiver;Landroid/content/IntentFilter;)Landroid/content/Intent;
		const-string v1, "x"
		iput-object v1, p0, Lapp/Main;->text:Ljava/lang/String;`)
	method(main, 20, "onStart", "()V", `
		new Late v1
		iput-object p0, v1, Lapp/Late;->main:Lapp/Main;
		iput-object v1, p0, Lapp/Main;->late:Lapp/Late;
		iget-object v0, p0, Lapp/Main;->handler:Landroid/os/Handler;
		const-wide/16 v2, 500
		invoke-virtual {v0, v1, v2, v3}, Landroid/os/Handler;->postDelayed(Ljava/lang/Runnable;J)Z
		iget-object v0, p0, Lapp/Main;->text:Ljava/lang/String;`)
	method(main, 30, "onStop", "()V", "const/4 v0, 0\niput-object v0, p0, Lapp/Main;->text:"+text+"\n"+`
		iget-object v0, p0, Lapp/Main;->receiver:Lapp/Receiver;
		invoke-virtual {p0, v0}, Lapp/Main;->unregisterReceiver(Landroid/content/BroadcastReceiver;)V`)
	method(main, 40, "onDestroy", "()V", "const/4 v0, 0\niput-object v0, p0, Lapp/Main;->text:"+text+"\n")
	method(main, 50, "onActivityResult", "(IILandroid/content/Intent;)V", "iget-object v0, p0, Lapp/Main;->text:"+text+"\n")
	method(main, 60, "onResume", "()V", "new Main$Load v1\niput-object p0, v1, Lapp/Main$Load;->main:Lapp/Main;\n"+postIt+
		"const-string v1, \"x\"\niput-object v1, p0, Lapp/Main;->text:"+text+"\n")
	method(main, 65, "onPostResume", "()V", "new Main$Refresh v1\niput-object p0, v1, Lapp/Main$Refresh;->main:Lapp/Main;\n"+
		"iput-object v1, p0, Lapp/Main;->refresh:Lapp/Main$Refresh;\n"+postIt)
	method(main, 70, "onPause", "()V", "const/4 v0, 0\niput-object v0, p0, Lapp/Main;->text:"+text+"\n"+`
		iget v0, p0, Lapp/Main;->count:I
		if-eqz v0, :out
		iget-object v0, p0, Lapp/Main;->receiver:Lapp/Receiver;
		invoke-virtual {p0, v0}, Lapp/Main;->unregisterReceiver(Landroid/content/BroadcastReceiver;)V
		iget-object v0, p0, Lapp/Main;->handler:Landroid/os/Handler;
		iget-object v1, p0, Lapp/Main;->late:Lapp/Late;
		invoke-virtual {v0, v1}, Landroid/os/Handler;->removeCallbacks(Ljava/lang/Runnable;)V
		:out`)
	line := uint32(100)
	for _, name := range []string{"Task", "Late", "Worker", "Click", "Receiver", "Main$Load", "Main$Refresh"} {
		super := map[string]string{"Worker": "Ljava/lang/Thread;", "Receiver": "Landroid/content/BroadcastReceiver;"}[name]
		if super == "" {
			super = object
		}
		c := class(d, name, super, runnable, "Landroid/view/View$OnClickListener;").Field("main", "Lapp/Main;", 0)
		callback := map[string]string{"Click": "onClick (Landroid/view/View;)V", "Receiver": "onReceive (Landroid/content/Context;Landroid/content/Intent;)V"}[name]
		if callback == "" {
			callback = "run ()V"
		}
		entry, proto, _ := strings.Cut(callback, " ")
		method(c, line, entry, proto, strings.ReplaceAll(`
			iget-object v0, p0, Lapp/NAME;->main:Lapp/Main;
			iget-object v1, v0, Lapp/Main;->text:Ljava/lang/String;
			invoke-virtual {v1}, Ljava/lang/String;->length()I
			const-string v1, "x"
			iput-object v1, v0, Lapp/Main;->text:Ljava/lang/String;`, "NAME", name))
		line += 10
	}
}

// class is a class of the app with a constructor, in a file of its name.
func class(d *dextest.Dex, name, super string, interfaces ...string) *dextest.Class {
	c := d.Class("Lapp/"+name+";", super, dex.AccPublic, interfaces...).Source(strings.Split(name, "$")[0] + ".java")
	c.Method("<init>", "()V", dex.AccPublic).Asm(1, "invoke-direct {p0}, "+super+"-><init>()V\nreturn-void")
	return c
}

// expand replaces "new A v1" and ends the method.
func expand(code string) string {
	lines := strings.Split(code, "\n")
	for i, line := range lines {
		if w := strings.Fields(line); len(w) == 3 && w[0] == "new" {
			desc := "Lapp/" + w[1] + ";"
			if strings.Contains(w[1], ".") {
				desc = "L" + strings.ReplaceAll(w[1], ".", "/") + ";"
			}
			lines[i] = fmt.Sprintf("new-instance %s, %s\ninvoke-direct {%s}, %s-><init>()V", w[2], desc, w[2], desc)
			if w[1] == "android.view.View" {
				lines[i] = strings.Replace(lines[i], "}, "+desc+"-><init>()V", ", p0}, "+desc+"-><init>(Landroid/content/Context;)V", 1)
			}
		}
	}
	return strings.Join(lines, "\n") + "\nreturn-void"
}

func open(t *testing.T) *Teller {
	t.Helper()
	s := actions.Build(pointstotest.Solve(t, pointstotest.Dex(t, []string{"app.Main"}, scene)))
	return New(s, hb.Build(s.Model), naming.New(s))
}

// action is the one with this callback, such as Task.run; 0 if there is none.
func (t *Teller) action(callback string) hb.ActionID {
	for id := 2; id < len(t.set.Actions); id++ {
		if t.names.Callback(hb.ActionID(id)).Short() == callback {
			return hb.ActionID(id)
		}
	}
	return 0
}

// access is one of Main.text by a callback, in its own code.
func access(t *testing.T, teller *Teller, callback string, kind finding.Kind) Side {
	t.Helper()
	s := Side{Action: teller.action(callback), Kind: kind, Key: teller.key("text")}
	if s.Action == 0 {
		t.Fatalf("no action %s", callback)
	}
	s.Func = teller.set.Actions[s.Action].Entries[0]
	s.In = s.Func
	op := ir.OpGetField
	if kind.Changes() {
		op = ir.OpPutField
	}
	b := teller.pts.Body(s.Func)
	for v := ir.Value(1); int(v) < b.Len(); v++ {
		if b.Op[v] == op && teller.pts.FieldKeyOf(ir.FieldID(b.Aux[v])) == s.Key {
			s.Value = v
			s.Objs = teller.pts.PointsTo(s.Func, b.Arg(v, 0))
		}
	}
	if s.Value == 0 {
		t.Fatalf("%s does not access the field", callback)
	}
	return s
}

// key is the field of app.Main of this name.
func (t *Teller) key(name string) pointsto.FieldKey {
	i := slices.IndexFunc(t.prog.Fields, func(f ir.Field) bool { return f.Name == name })
	return t.pts.FieldKeyOf(ir.FieldID(i))
}

var field = finding.Field{Class: "app.Main", Name: "text"}

func pair(t *testing.T, teller *Teller, rule finding.RuleID, a string, kindA finding.Kind, b string, kindB finding.Kind) *Pair {
	t.Helper()
	p := &Pair{Rule: rule, Field: field, Priority: finding.High, Looper: true, EndMends: true}
	p.Sides = [2]Side{access(t, teller, a, kindA), access(t, teller, b, kindB)}
	return p
}

// with is a pair after some changes.
func with(p *Pair, changes ...func(p *Pair)) *Pair {
	for _, change := range changes {
		change(p)
	}
	return p
}

func threads(p *Pair) { p.Looper = false }

func states(ids ...finding.FactID) func(p *Pair) {
	return func(p *Pair) {
		for _, id := range ids {
			p.Facts = append(p.Facts, finding.NewFact(id, p.Rule))
		}
	}
}

func content(c finding.Content) func(p *Pair) { return func(p *Pair) { p.Field.Content = c } }
