package mapping_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/mapping"
)

const object = "Ljava/lang/Object;"

// build parses a dex file and gives it the names of a mapping.
func build(t *testing.T, text string, dexes ...*dextest.Dex) *ir.Program {
	t.Helper()
	var files []*dex.File
	for i, d := range dexes {
		f, err := d.Parse(fmt.Sprintf("classes%d.dex", i))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	m, err := mapping.Read(strings.NewReader(text), "mapping.txt")
	if err != nil {
		t.Fatal(err)
	}
	sources := m.Apply(files)
	p, errs := ir.Build(files, nil, nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	p.Restore(sources)
	return p
}

// calls are the methods and fields that a method names, with the lines of the source.
func calls(t *testing.T, p *ir.Program, method string) string {
	t.Helper()
	for m := range p.Methods {
		if p.Methods[m].HasCode && p.MethodString(ir.MethodID(m)) == method {
			b, err := p.Lift(ir.MethodID(m))
			if err != nil {
				t.Fatal(err)
			}
			return body(p, b)
		}
	}
	t.Fatalf("there is no %s", method)
	return ""
}

func body(p *ir.Program, b *ir.Body) string {
	var out []string
	for v := ir.Value(1); int(v) < b.Len(); v++ {
		what := ""
		switch b.Op[v] {
		case ir.OpInvoke:
			what = p.MethodString(p.ResolveMethod(ir.MethodID(b.Aux[v])))
		case ir.OpGetField, ir.OpGetStatic:
			what = p.FieldString(p.ResolveField(ir.FieldID(b.Aux[v])))
		case ir.OpNewLambda:
			what = "lambda " + p.SelectorString(p.Lambdas[b.Aux[v]].Sel)
		default:
			continue
		}
		if f := p.Frame(b, v); f != nil {
			what += fmt.Sprintf(" in %s.%s(%s) %s", f.Class, f.Name, strings.Join(f.Params, ","), f.File)
		}
		out = append(out, strings.TrimSpace(fmt.Sprintf("%d %s", b.Line(v), what)))
	}
	return strings.Join(out, "\n")
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got != strings.TrimSpace(want) {
		t.Errorf("%s:\n%s\nwant\n%s", what, got, want)
	}
}

// TestReferencesAreResolved: a member is renamed by the class that declares it,
// whatever class a reference names, also across files.
func TestReferencesAreResolved(t *testing.T) {
	one, two := dextest.New(35), dextest.New(35)
	two.Class("La/b;", object, dex.AccPublic).Field("a", "I", dex.AccPublic).Method("a", "()V", dex.AccPublic).Asm(1, "return-void")
	two.Class("La/c;", "La/b;", dex.AccPublic, "La/i;").Method("a", "(I)V", dex.AccPublic).Asm(2, "return-void")
	two.Class("La/i;", object, dex.AccPublic|dex.AccInterface|dex.AccAbstract).Method("b", "()V", dex.AccPublic|dex.AccAbstract)
	one.Class("La/d;", "La/c;", dex.AccPublic).Method("a", "(La/d;[La/b;)V", dex.AccPublic|dex.AccStatic).Asm(3, `
		iget v0, p0, La/d;->a:I
		invoke-virtual {p0}, La/d;->a()V
		invoke-virtual {p0, v0}, La/d;->a(I)V
		invoke-virtual {p0}, La/d;->b()V
		invoke-virtual {p0}, La/d;->hashCode()I
		return-void`)
	p := build(t, `com.acme.Base -> a.b:
    int count -> a
    void begin() -> a
com.acme.Mid -> a.c:
    void begin(int) -> a
com.acme.Doer -> a.i:
    void act() -> b
com.acme.Main -> a.d:
    void go(com.acme.Main,com.acme.Base[]) -> a
`, one, two)
	same(t, "calls", calls(t, p, "com.acme.Main.go(com.acme.Main,com.acme.Base[])"), `
0 com.acme.Base.count
0 com.acme.Base.begin()
0 com.acme.Mid.begin(int)
0 com.acme.Doer.act()
0 none`)
}

// TestProGuard reads a mapping without lines of its own: those of the build are the
// source's, as are those of ranges that name no others.
func TestProGuard(t *testing.T) {
	d := dextest.New(35)
	c := d.Class("Lb;", object, dex.AccPublic).Source("Main.java")
	c.Method("a", "()V", dex.AccPublic).Asm(1, "invoke-virtual {p0}, Lb;->b()V\n return-void").Line(0, 17)
	c.Method("b", "()V", dex.AccPublic).Asm(1, "invoke-virtual {p0}, Lb;->a()V\n return-void").Line(0, 31)
	c.Method("c", "()V", dex.AccPublic).Asm(1, "invoke-virtual {p0}, Lb;->a()V\n return-void").Line(0, 1016)
	p := build(t, `com.acme.Main -> b:
    void one() -> a
    30:32:void two() -> b
    1016:1020:void com.acme.Other.inlined():23:27 -> c
    1016:1020:void three():50 -> c
`, d)
	same(t, "one", calls(t, p, "com.acme.Main.one()"), "17 com.acme.Main.two()")
	same(t, "two", calls(t, p, "com.acme.Main.two()"), "31 com.acme.Main.one()")
	same(t, "three", calls(t, p, "com.acme.Main.three()"), "23 com.acme.Main.one() in com.acme.Other.inlined()")
	if got := p.Classes[p.Lookup("com.acme.Main")].Source; got != "Main.java" {
		t.Errorf("the source is %q", got)
	}
}

// TestLinesOfR8: ranges, inlined methods, accessors, methods of the compiler, and
// methods without a table of lines, whose code units count.
func TestLinesOfR8(t *testing.T) {
	d := dextest.New(35)
	c := d.Class("La/a;", object, dex.AccPublic)
	const five = `invoke-static {}, La/a;->x()V
		invoke-static {}, La/a;->x()V
		invoke-static {}, La/a;->x()V
		invoke-static {}, La/a;->x()V
		invoke-static {}, La/a;->x()V
		return-void`
	c.Method("x", "()V", dex.AccStatic).Asm(0, "return-void")
	c.Method("run", "()V", dex.AccPublic).Asm(1, five).Line(0, 1).Line(3, 2).Line(6, 3).Line(9, 4).Line(12, 9)
	c.Method("b", "()V", dex.AccPublic).Asm(1, five)
	p := build(t, `com.acme.Main -> a.a:
# {"id":"sourceFile","fileName":"Main.java"}
    1:2:void run():40:41 -> run
    3:3:java.lang.String com.acme.Main.access$000(com.acme.Main):12:12 -> run
    3:3:void com.acme.Other.helper(int,long[]):70 -> run
    3:3:void run():42 -> run
    4:4:void made():0:0 -> run
      # {"id":"com.android.tools.r8.synthesized"}
    0:5:void byUnits():50:50 -> b
    6:8:void com.acme.Other.other():60:60 -> b
    6:8:void byUnits():51 -> b
    12:99:void byUnits():52:52 -> b
    void noted() -> x
com.acme.Other -> R8$$REMOVED$$CLASS$$0:
# {"id":"sourceFile","fileName":"Other.kt"}
`, d)
	same(t, "run", calls(t, p, "com.acme.Main.run()"), `
40 com.acme.Main.noted()
41 com.acme.Main.noted()
70 com.acme.Main.noted() in com.acme.Other.helper(int,long[]) Other.kt
0 com.acme.Main.noted()
0 com.acme.Main.noted()`)
	same(t, "byUnits", calls(t, p, "com.acme.Main.byUnits()"), `
50 com.acme.Main.noted()
50 com.acme.Main.noted()
60 com.acme.Main.noted() in com.acme.Other.other() Other.kt
0 com.acme.Main.noted()
52 com.acme.Main.noted()`)
}

// TestChangedSignatures: what the shrinker has changed is never taken for another
// method or field of the source, but the source's name is known.
func TestChangedSignatures(t *testing.T) {
	d := dextest.New(35)
	c := d.Class("La/a;", object, dex.AccPublic).Field("a", "I", 0).Field("b", "I", 0)
	c.Method("a", "()V", dex.AccPublic).Asm(1, "return-void")
	c.Method("b", "()V", dex.AccPublic).Asm(1, "invoke-virtual {p0}, La/a;->a()V\n return-void")
	c.Method("c", "()V", dex.AccPublic).Asm(2, "iget v0, p0, La/a;->b:I\n iget v0, p0, La/a;->a:I\n return-void")
	c.Method("run", "()V", dex.AccPublic).Asm(1, "return-void")
	c.Method("<init>", "()V", dex.AccPublic|dex.AccConstructor).Asm(1, "return-void")
	p := build(t, `com.acme.Main -> a.a:
    int x -> a
    int com.acme.Merged.x -> b
    void show(int,java.lang.String) -> a
      # {"id":"com.android.tools.r8.residualsignature","signature":"()V"}
    void show() -> b
    void com.acme.Merged.read() -> c
    1:1:void com.acme.Other.lambda$show$0():5:5 -> run
    1:1:void com.acme.Merged.<init>(int):5:5 -> <init>
`, d)
	same(t, "show", calls(t, p, "com.acme.Main.show()"), "0 com.acme.Main.show$a()")
	same(t, "read", calls(t, p, "com.acme.Main.read()"), "0 com.acme.Main.x$b\n0 com.acme.Main.x")
	calls(t, p, "com.acme.Main.run()")
	calls(t, p, "com.acme.Main.<init>()")
	for m := range p.Methods {
		w := p.Written(ir.MethodID(m))
		if changed := p.MethodString(ir.MethodID(m)) == "com.acme.Main.show$a()"; (w != nil) != changed || w != nil && (w.Name != "show" || strings.Join(w.Params, ",") != "int,java.lang.String") {
			t.Errorf("%s is written %+v", p.MethodString(ir.MethodID(m)), w)
		}
	}
}

// TestMergedMethods: methods of one name from two classes, which the shrinker has
// merged, stay two.
func TestMergedMethods(t *testing.T) {
	d := dextest.New(35)
	c := d.Class("La/a;", object, dex.AccPublic)
	c.Method("a", "()V", dex.AccStatic).Asm(0, "return-void")
	c.Method("b", "()V", dex.AccStatic).Asm(0, "return-void")
	c.Method("c", "()V", dex.AccStatic).Asm(0, "invoke-static {}, La/a;->a()V\n invoke-static {}, La/a;->b()V\n return-void")
	p := build(t, `com.acme.Main -> a.a:
    void com.acme.Helper.init() -> a
    void init() -> b
    void go() -> c
com.acme.Helper -> R8$$REMOVED$$CLASS$$0:
`, d)
	same(t, "go", calls(t, p, "com.acme.Main.go()"), "0 com.acme.Main.init$a()\n0 com.acme.Main.init()")
	for m := range p.Methods {
		if w := p.Written(ir.MethodID(m)); w != nil && (w.Class != "com.acme.Helper" || w.Name != "init") {
			t.Errorf("%s is written %+v", p.MethodString(ir.MethodID(m)), w)
		}
	}
}

// TestLambdaCallSites: invoke-custom names the method of the interface.
func TestLambdaCallSites(t *testing.T) {
	d := dextest.New(38)
	d.Class("La/i;", object, dex.AccPublic|dex.AccInterface|dex.AccAbstract).Method("a", "(La/b;)V", dex.AccPublic|dex.AccAbstract)
	c := d.Class("La/b;", object, dex.AccPublic)
	c.Method("b", "(La/b;)V", dex.AccStatic).Asm(1, "return-void")
	d.CallSite("site", dextest.CallSite{
		Bootstrap: dextest.Handle{Kind: dex.HandleInvokeStatic, Class: "Ljava/lang/invoke/LambdaMetafactory;", Name: "metafactory",
			Desc: "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;"},
		Name: "a", Proto: "()La/i;",
		Args: []any{dextest.Proto("(La/b;)V"), dextest.Handle{Kind: dex.HandleInvokeStatic, Class: "La/b;", Name: "b", Desc: "(La/b;)V"}, dextest.Proto("(La/b;)V")},
	})
	c.Method("c", "()V", dex.AccStatic).Asm(1, "invoke-custom {}, site\n move-result-object v0\n return-void")
	p := build(t, `com.acme.Listener -> a.i:
    void onDone(com.acme.Main) -> a
com.acme.Main -> a.b:
    void lambda$go$0(com.acme.Main) -> b
    void go() -> c
`, d)
	same(t, "go", calls(t, p, "com.acme.Main.go()"), "0 lambda onDone(com.acme.Main)")
}

// TestBridges: a bridge into which R8 has inlined the method that it leads to is that
// method; an overload that calls another one is not.
func TestBridges(t *testing.T) {
	d := dextest.New(35)
	c := d.Class("La/a;", object, dex.AccPublic)
	c.Method("run", "(Ljava/lang/Object;)V", dex.AccPublic).Asm(2, "return-void")
	c.Method("log", "(Ljava/lang/Object;)V", dex.AccPublic).Asm(2, "return-void")
	p := build(t, `com.acme.Main -> a.a:
    1:1:void run(java.lang.String):20:20 -> run
    1:1:void run(java.lang.Object):10 -> run
    2:2:void log(java.lang.String):22:22 -> log
    2:2:void log(java.lang.Object):30 -> log
`, d)
	var got []string
	for m := range p.Methods {
		if w := p.Written(ir.MethodID(m)); w != nil {
			got = append(got, w.Name+"("+strings.Join(w.Params, ",")+")")
		}
	}
	same(t, "written", strings.Join(got, " "), "run(java.lang.String)")
}

func TestFits(t *testing.T) {
	const text = "# pg_map_id: abcdef0\ncom.acme.A -> a.a:\ncom.acme.B -> a.b:\n"
	const plain = "com.acme.A -> a.a:\ncom.acme.B -> a.b:\n"
	for _, c := range []struct {
		name, text, mark string
		classes, renamed string
		want             string
	}{
		{"same id", text, `~~R8{"backend":"dex","pg-map-id":"abcdef0"}`, "x.y", "x.y", ""},
		{"long id", text, `~~R8{"backend":"dex","pg-map-id":"abcdef0123456789"}`, "x.y", "", ""},
		{"other id", text, `~~R8{"backend":"dex","pg-map-id":"1234567"}`, "a.a a.b", "a.a a.b",
			"m.txt: it is of another build: its pg_map_id is abcdef0, that of this one 1234567; give the mapping.txt that was written with this build"},
		{"a library's id", text, `~~R8{"backend":"cf","pg-map-id":"1234567"}`, "a.a a.b", "a.a a.b", ""},
		{"no id", text, "", "a.a a.b c.d", "a.a a.b", ""},
		{"ProGuard", plain, `~~R8{"pg-map-id":"1234567"}`, "a.a a.b", "a.a a.b", ""},
		{"too few", plain, "", "a.a c.c c.d", "a.a c.c c.d", "m.txt: it is of another build: it names 1 of the 3 classes that seem to be renamed; "},
		{"none", plain, "", "com.acme.A com.acme.B", "", "m.txt: it is of another build: none of its 2 classes is in this one; "},
	} {
		m, err := mapping.Read(strings.NewReader(c.text), "m.txt")
		if err != nil {
			t.Fatal(err)
		}
		err = m.Fits([]*dex.File{{Strings: []string{c.mark}}}, strings.Fields(c.classes), strings.Fields(c.renamed))
		if got := fmt.Sprint(err); (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: the error is %v, want %s", c.name, err, c.want)
		}
	}
}

// TestD8AfterProGuard: classes that D8 has made of renamed ones are named by these,
// and so are the methods that it has moved out of interfaces.
func TestD8AfterProGuard(t *testing.T) {
	d := dextest.New(35)
	c := d.Class("La/b$-CC;", object, dex.AccPublic)
	c.Method("$default$a", "(La/b;J)V", dex.AccStatic).Asm(3, "invoke-static {}, La/b$-CC;->a()V\n return-void").Line(0, 7)
	c.Method("a", "()V", dex.AccStatic).Asm(0, "return-void")
	d.Class("La/b$$ExternalSyntheticLambda0;", object, dex.AccPublic).Method("run", "()V", dex.AccPublic).Asm(1,
		"invoke-static {}, La/b$-CC;->a()V\n return-void")
	p := build(t, `com.acme.Ticker -> a.b:
    7:9:void tick(long) -> a
    void start() -> a
`, d)
	same(t, "tick", calls(t, p, "com.acme.Ticker$-CC.$default$tick(com.acme.Ticker,long)"), "7 com.acme.Ticker$-CC.start()")
	same(t, "lambda", calls(t, p, "com.acme.Ticker$$ExternalSyntheticLambda0.run()"), "0 com.acme.Ticker$-CC.start()")
}
