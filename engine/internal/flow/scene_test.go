package flow

import (
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
)

// scene is an app of one activity whose onCreate and helper methods are given, with the
// fields part, other and next of the classes Part, Part and Main, a final field lock, a
// static field shared and a static method test()I of which nothing is known. "use v0"
// calls Part.use, "load v0" loads part, "store v0" stores into it; helpers are methods
// without parameters: "call name".
type scene struct {
	t      *testing.T
	s      *actions.Set
	facts  *Facts
	all    []*Access
	create hb.ActionID
}

func expand(code string) string {
	var out strings.Builder
	for _, line := range strings.Split(code, "\n") {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "use":
			line = "invoke-virtual {" + rest + "}, Lapp/Part;->use()V"
		case "load":
			line = "iget-object " + rest + ", p0, Lapp/Main;->part:Lapp/Part;"
		case "store":
			line = "iput-object " + rest + ", p0, Lapp/Main;->part:Lapp/Part;"
		case "lock":
			line = "iget-object " + rest + ", p0, Lapp/Main;->lock:Ljava/lang/Object;"
		case "call":
			line = "invoke-virtual {p0}, Lapp/Main;->" + rest + "()V"
		case "test":
			line = "invoke-static {}, Lapp/Main;->test()I\nmove-result " + rest
		case "new":
			class, register, _ := strings.Cut(rest, " ")
			line = "new-instance " + register + ", Lapp/" + class + ";\ninvoke-direct {" + register + "}, Lapp/" + class + ";-><init>()V"
		}
		out.WriteString(line + "\n")
	}
	return out.String()
}

// helper is a method of the activity: "name()V", and its code; "synchronized name()V" has
// the flag.
type helper struct{ name, code string }

func build(t *testing.T, create string, helpers ...helper) *scene {
	t.Helper()
	s := actions.Build(pointstotest.Solve(t, pointstotest.Dex(t, []string{"app.Main"}, func(d *dextest.Dex) {
		const part, object = "Lapp/Part;", "Ljava/lang/Object;"
		main := d.Class("Lapp/Main;", "Landroid/app/Activity;", dex.AccPublic)
		main.Field("part", part, dex.AccPublic).Field("other", part, dex.AccPublic).Field("next", "Lapp/Main;", dex.AccPublic)
		main.Field("lock", object, dex.AccPublic|dex.AccFinal).Field("shared", object, dex.AccPublic|dex.AccStatic)
		main.Method("<init>", "()V", dex.AccPublic|dex.AccConstructor).Asm(3, expand(`
			invoke-direct {p0}, Landroid/app/Activity;-><init>()V
			new-instance v0, Ljava/lang/Object;
			invoke-direct {v0}, Ljava/lang/Object;-><init>()V
			iput-object v0, p0, Lapp/Main;->lock:Ljava/lang/Object;
			new Part v0
			store v0
			return-void`))
		main.Method("onCreate", "(Landroid/os/Bundle;)V", dex.AccPublic).Asm(8, expand(create+"\nreturn-void"))
		main.Method("test", "()I", dex.AccPublic|dex.AccStatic|dex.AccNative)
		for _, h := range helpers {
			flags := uint32(dex.AccPublic)
			name, synchronized := strings.CutPrefix(h.name, "synchronized ")
			if synchronized {
				flags |= ir.AccSynchronized
			}
			at := strings.IndexByte(name, '(')
			main.Method(name[:at], name[at:], flags).Asm(8, expand(h.code))
		}
		p := d.Class(part, "Ljava/lang/Thread;", dex.AccPublic)
		p.Field("n", "I", dex.AccPublic)
		p.Method("<init>", "()V", dex.AccPublic|dex.AccConstructor).Asm(1, "invoke-direct {p0}, Ljava/lang/Thread;-><init>()V\nreturn-void")
		p.Method("use", "()V", dex.AccPublic).Asm(1, "return-void")
		p.Method("keep", "()V", dex.AccPublic).Asm(1, "sput-object p0, Lapp/Main;->shared:Ljava/lang/Object;\nreturn-void")
		p.Method("run", "()V", dex.AccPublic).Asm(2, "iget v0, p0, Lapp/Part;->n:I\nreturn-void")
	})))
	x := &scene{t: t, s: s}
	nulls, derefs := NewNulls(s), NewDerefs(s)
	for f := pointsto.FuncID(1); int(f) < len(s.PT.Funcs); f++ {
		b := s.PT.Body(f)
		if b == nil || s.ByFunc[f] == nil || s.PT.Prog.Methods[s.PT.Funcs[f].Method].Flags&ir.AccConstructor != 0 {
			continue
		}
		for v := ir.Value(1); int(v) < b.Len(); v++ {
			if b.Op[v] != ir.OpGetField && b.Op[v] != ir.OpPutField {
				continue
			}
			a := &Access{N: len(x.all), Func: f, In: f, At: v, Key: s.PT.FieldKeyOf(ir.FieldID(b.Aux[v])),
				Base: b.Arg(v, 0), Objs: s.PT.PointsTo(f, b.Arg(v, 0))}
			if b.Op[v] == ir.OpPutField {
				n := nulls.Of(0, f, b.Arg(v, 1))
				a.Write, a.Null, a.Live = true, n.Null, n.Other
			} else {
				a.Derefs = derefs.Of(f, v)
			}
			x.all = append(x.all, a)
		}
	}
	x.facts = New(s, NewAccesses(x.all), NewLocks(s))
	for id := 2; id < len(s.Actions); id++ {
		if strings.HasSuffix(s.Name(hb.ActionID(id)), "app.Main.onCreate(android.os.Bundle)") {
			x.create = hb.ActionID(id)
		}
	}
	if x.create == 0 {
		t.Fatal("no action")
	}
	return x
}

// use is the last load of a field whose value is dereferenced.
func (x *scene) use(field string) *Access {
	x.t.Helper()
	for i := len(x.all) - 1; i >= 0; i-- {
		if a := x.all[i]; x.s.PT.KeyName(a.Key) == field && len(a.Derefs) > 0 {
			return a
		}
	}
	x.t.Fatalf("no use of %s", field)
	return nil
}

// function is the function of a method of the activity.
func (x *scene) function(name string) pointsto.FuncID {
	x.t.Helper()
	for f := pointsto.FuncID(1); int(f) < len(x.s.PT.Funcs); f++ {
		if strings.HasPrefix(x.s.PT.MethodName(f), "app.Main."+name+"(") {
			return f
		}
	}
	x.t.Fatalf("no function %s", name)
	return 0
}

// values lists the instructions of a function with an operation.
func (x *scene) values(f pointsto.FuncID, op ir.Op) []ir.Value {
	var out []ir.Value
	for v, o := range x.s.PT.Body(f).Op {
		if o == op {
			out = append(out, ir.Value(v))
		}
	}
	return out
}
