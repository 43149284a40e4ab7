package ir_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
	"github.com/eventraces/eventraces/engine/internal/ir"
)

const objectDesc = "Ljava/lang/Object;"

// fakePlatform knows some classes and counts who is asked for.
type fakePlatform struct {
	classes map[string]*ir.ClassDecl
	asked   []string
}

func (f *fakePlatform) Class(name string) (*ir.ClassDecl, bool) {
	f.asked = append(f.asked, name)
	d, ok := f.classes[name]
	return d, ok
}

func newPlatform(decls ...*ir.ClassDecl) *fakePlatform {
	f := &fakePlatform{classes: map[string]*ir.ClassDecl{}}
	decls = append(decls, &ir.ClassDecl{
		Name: "java.lang.Object", Flags: ir.AccPublic,
		Methods: []ir.MethodDecl{{Name: "<init>", Desc: "()V", Flags: ir.AccPublic}, {Name: "hashCode", Desc: "()I", Flags: ir.AccPublic}},
	}, &ir.ClassDecl{Name: "java.lang.Cloneable", Super: "java.lang.Object", Flags: ir.AccInterface},
		&ir.ClassDecl{Name: "java.io.Serializable", Super: "java.lang.Object", Flags: ir.AccInterface})
	for _, d := range decls {
		f.classes[d.Name] = d
	}
	return f
}

// program builds from what fill puts into a dex file.
func program(t testing.TB, platform ir.PlatformSource, fill func(d *dextest.Dex)) (*ir.Program, []error) {
	t.Helper()
	d := dextest.New(39)
	fill(d)
	f, err := d.Parse("test.dex")
	if err != nil {
		t.Fatal(err)
	}
	p, errs := ir.Build([]*dex.File{f}, platform, func(name string) ir.Origin {
		if strings.HasPrefix(name, "lib.") {
			return ir.Dependency
		}
		return ir.App
	})
	if err := p.Check(); err != nil {
		t.Error(err)
	}
	return p, errs
}

// calls is code that names methods, so that the file refers to them.
func calls(c *dextest.Class, refs ...string) {
	var code strings.Builder
	for _, r := range refs {
		code.WriteString("invoke-virtual {p0}, " + r + "\n")
	}
	c.Method("calls", "()V", ir.AccPublic).Asm(1, code.String()+"return-void")
}

func noErrors(t *testing.T, errs []error) {
	t.Helper()
	for _, err := range errs {
		t.Error(err)
	}
}

// methodNamed finds a method, declared or referred to, by its printed name.
func methodNamed(t *testing.T, p *ir.Program, name string) ir.MethodID {
	t.Helper()
	for m := range p.Methods {
		if p.MethodString(ir.MethodID(m)) == name {
			return ir.MethodID(m)
		}
	}
	t.Fatalf("no method %s", name)
	return 0
}

func TestPlatformIsPulledLazily(t *testing.T) {
	view := &ir.ClassDecl{
		Name: "android.view.View", Super: "android.view.Base", Interfaces: []string{"android.view.Drawn"}, Flags: ir.AccPublic,
		Fields: []ir.FieldDecl{{Name: "tag", Desc: objectDesc, Flags: ir.AccProtected}, {Name: "unnamed", Desc: "I"}},
		Methods: []ir.MethodDecl{
			{Name: "draw", Desc: "(I)V", Flags: ir.AccPublic},
			{Name: "draw", Desc: "(Landroid/graphics/Unseen;)V", Flags: ir.AccPublic},
			{Name: "measure", Desc: "()I", Flags: ir.AccPublic},
		},
	}
	platform := newPlatform(view,
		&ir.ClassDecl{Name: "android.view.Base", Super: "java.lang.Object", Methods: []ir.MethodDecl{{Name: "measure", Desc: "()I"}}},
		&ir.ClassDecl{Name: "android.view.Drawn", Super: "java.lang.Object", Flags: ir.AccInterface | ir.AccAbstract},
		&ir.ClassDecl{Name: "android.view.Unseen", Super: "java.lang.Object"})
	p, errs := program(t, platform, func(d *dextest.Dex) {
		c := d.Class("Lapp/A;", "Landroid/view/View;", ir.AccPublic)
		c.Method("draw", "(I)V", ir.AccPublic).Asm(3, "iget-object v0, p0, Lapp/A;->tag:"+objectDesc+"\nreturn-void")
		c.Method("gone", "()V", ir.AccPublic).Asm(1, "invoke-static {}, Lgone/B;->f()V\nreturn-void")
	})
	noErrors(t, errs)
	a, v := p.Lookup("app.A"), p.Lookup("android.view.View")
	if got := p.Classes[v]; got.Origin != ir.Platform || !got.Defined || p.Classes[got.Super].Name != "android.view.Base" {
		t.Errorf("View is %+v", got)
	}
	for name, want := range map[string]ir.Origin{"app.A": ir.App, "gone.B": ir.Missing, "android.view.Drawn": ir.Platform} {
		if got := p.Classes[p.Lookup(name)].Origin; got != want {
			t.Errorf("origin of %s is %s, want %s", name, got, want)
		}
	}
	if p.Lookup("android.view.Unseen") != 0 || slices.Contains(platform.asked, "android.graphics.Unseen") {
		t.Error("a class that nothing names was pulled")
	}
	if n := len(p.Classes[v].Methods); n != 1 {
		t.Errorf("View has %d methods, want only the one whose selector the app names", n)
	}
	if !p.SubclassOf(a, p.Lookup("android.view.Drawn")) || p.SubclassOf(v, a) || !p.SubclassOf(p.Lookup("gone.B"), ir.ClassObject) {
		t.Error("hierarchy is wrong")
	}
	var ref ir.FieldID
	for f := range p.Fields {
		if p.FieldString(ir.FieldID(f)) == "app.A.tag" {
			ref = ir.FieldID(f)
		}
	}
	if got := p.FieldString(p.ResolveField(ref)); got != "android.view.View.tag" {
		t.Errorf("app.A.tag resolves to %s", got)
	}
	if got := p.ResolveMethod(methodNamed(t, p, "gone.B.f()")); got != 0 {
		t.Errorf("a method of a missing class resolves to %s", p.MethodString(got))
	}
}

func TestFirstDefinitionWins(t *testing.T) {
	file := func(name, value string) *dex.File {
		d := dextest.New(35)
		d.Class("Lapp/A;", objectDesc, ir.AccPublic).Source(name).Field("f", "Ljava/lang/String;", ir.AccStatic, dextest.Str(value)).
			Method("only"+value, "()V", ir.AccStatic).Asm(1, "return-void")
		f, err := d.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	p, errs := ir.Build([]*dex.File{file("one", "X"), file("two", "Y")}, nil, nil)
	noErrors(t, errs)
	a := &p.Classes[p.Lookup("app.A")]
	if a.Source != "one" || len(a.Methods) != 1 || p.MethodString(a.Methods[0]) != "app.A.onlyX()" {
		t.Errorf("app.A is %+v", a)
	}
	if c := p.Fields[a.Fields[0]].Const; c.Kind != ir.ConstText || p.Strings[c.Bits] != "X" {
		t.Errorf("app.A.f starts as %+v", c)
	}
	if m := methodNamed(t, p, "app.A.onlyY()"); p.Methods[m].Declared || p.Methods[m].HasCode {
		t.Error("the second definition has left a method")
	}
}

// diamond is: I { default f; default g; abstract h }, J extends I { default f },
// A { f; private p }, B extends A implements I { g }, C extends B implements J,
// D implements J, I; E extends D { abstract f }.
func diamond(d *dextest.Dex) {
	const abstract = ir.AccPublic | ir.AccInterface | ir.AccAbstract
	body := func(c *dextest.Class, names ...string) {
		for _, n := range names {
			c.Method(n, "()V", ir.AccPublic).Asm(1, "return-void")
		}
	}
	i := d.Class("Lt/I;", objectDesc, abstract)
	body(i, "f", "g")
	i.Method("h", "()V", ir.AccPublic|ir.AccAbstract)
	body(d.Class("Lt/J;", objectDesc, abstract, "Lt/I;"), "f")
	a := d.Class("Lt/A;", objectDesc, ir.AccPublic)
	body(a, "f")
	a.Method("p", "()V", ir.AccPrivate).Asm(1, "return-void")
	body(d.Class("Lt/B;", "Lt/A;", ir.AccPublic, "Lt/I;"), "g")
	c := d.Class("Lt/C;", "Lt/B;", ir.AccPublic, "Lt/J;")
	calls(c, "Lt/C;->f()V", "Lt/C;->g()V", "Lt/C;->h()V", "Lt/D;->f()V", "Lt/C;->p()V", "Lt/C;->none()V", "[Lt/C;->f()V")
	body(d.Class("Lt/D;", objectDesc, ir.AccPublic, "Lt/J;", "Lt/I;"))
	d.Class("Lt/E;", "Lt/D;", ir.AccPublic|ir.AccAbstract).Method("f", "()V", ir.AccPublic|ir.AccAbstract)
}

func TestDispatchAndResolve(t *testing.T) {
	p, errs := program(t, newPlatform(), diamond)
	noErrors(t, errs)
	for _, c := range []struct{ class, method, want string }{
		{"t.C", "f", "t.A.f()"}, // a class wins over a default
		{"t.C", "g", "t.B.g()"},
		{"t.C", "h", "t.I.h()"}, // nothing implements it
		{"t.D", "f", "t.J.f()"}, // the more specific default
		{"t.D", "g", "t.I.g()"},
		{"t.E", "f", "t.J.f()"},
		{"t.B", "p", "none"}, // private methods are not inherited
		{"t.A", "p", "t.A.p()"},
		{"t.C", "none", "none"},
	} {
		sel := p.Selector(c.method, nil, "void")
		if sel == 0 {
			t.Fatalf("no selector %s", c.method)
		}
		if got := p.MethodString(p.Dispatch(p.Lookup(c.class), sel)); got != c.want {
			t.Errorf("dispatch of %s on %s is %s, want %s", c.method, c.class, got, c.want)
		}
	}
	for ref, want := range map[string]string{
		"t.C.f()": "t.A.f()", "t.C.g()": "t.B.g()", "t.C.h()": "t.I.h()", "t.D.f()": "t.J.f()",
		"t.C.p()": "t.A.p()", "t.C.none()": "none", "t.C[].f()": "none",
	} {
		for range 2 { // the second answer is remembered
			if got := p.MethodString(p.ResolveMethod(methodNamed(t, p, ref))); got != want {
				t.Errorf("%s resolves to %s, want %s", ref, got, want)
			}
		}
	}
}

func TestSubclasses(t *testing.T) {
	p, errs := program(t, newPlatform(), diamond)
	noErrors(t, errs)
	for class, want := range map[string]string{
		"t.A": "t.A t.B t.C", "t.I": "t.B t.C t.D t.E t.I t.J", "t.J": "t.C t.D t.E t.J", "t.E": "t.E",
	} {
		var got []string
		for _, c := range p.Subclasses(p.Lookup(class)) {
			got = append(got, p.Classes[c].Name)
		}
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("subclasses of %s are %v, want %s", class, got, want)
		}
	}
	if a := p.Lookup("t.A"); len(p.Subclasses(0)) != 0 || p.SubclassOf(0, ir.ClassObject) || p.SubclassOf(a, 0) || p.SubclassOf(0, 0) {
		t.Error("no class is below or above some class")
	}
	// The fast answer is that of a plain walk.
	for a := range p.Classes {
		for b := range p.Classes {
			if got, want := p.SubclassOf(ir.ClassID(a), ir.ClassID(b)), walk(p, ir.ClassID(a), ir.ClassID(b)); got != want {
				t.Errorf("%s is subclass of %s: %v, want %v", p.Classes[a].Name, p.Classes[b].Name, got, want)
			}
		}
	}
}

func walk(p *ir.Program, a, b ir.ClassID) bool {
	if a == 0 || b == 0 {
		return false
	}
	found := a == b || walk(p, p.Classes[a].Super, b)
	for _, i := range p.Classes[a].Interfaces {
		found = found || walk(p, i, b)
	}
	return found
}

func TestTypes(t *testing.T) {
	p, errs := program(t, newPlatform(&ir.ClassDecl{Name: "java.lang.String", Super: "java.lang.Object"}), func(d *dextest.Dex) {
		diamond(d)
		d.Class("Lt/X;", objectDesc, 0).Field("x", "[[Lt/B;", 0).Field("y", "[[Lt/A;", 0).Field("z", "[[I", 0).Field("w", "[J", 0).Field("v", "[[Lt/C;", 0)
	})
	noErrors(t, errs)
	named := func(name string) ir.TypeID {
		id := p.TypeNamed(name)
		if id == 0 || p.TypeString(id) != name {
			t.Fatalf("type %s is %d, %s", name, id, p.TypeString(id))
		}
		return id
	}
	for _, c := range []struct {
		sub, super string
		want       bool
		join       string
	}{
		{"t.B[][]", "t.A[][]", true, "t.A[][]"},
		{"t.A[][]", "t.B[][]", false, "t.A[][]"},
		{"int[][]", "java.lang.Object[]", true, "java.lang.Object[]"},
		{"long[]", "java.lang.Object[]", false, "java.lang.Object"},
		{"long[]", "java.lang.Object", true, "java.lang.Object"},
		{"t.C", "t.J", true, "t.J"},
		{"t.C", "t.D", false, "java.lang.Object"},
		{"int", "long", false, "unknown"},
		{"byte", "boolean", false, "int"},
		{"t.A", "int", false, "unknown"},
	} {
		a, b := named(c.sub), named(c.super)
		if got := p.Assignable(a, b); got != c.want {
			t.Errorf("%s assignable to %s: %v", c.sub, c.super, got)
		}
		if got, back := p.Join(a, b), p.Join(b, a); p.TypeString(got) != c.join || back != got {
			t.Errorf("join of %s and %s is %s and %s, want %s", c.sub, c.super, p.TypeString(got), p.TypeString(back), c.join)
		}
	}
	if !p.Assignable(ir.TypeNull, named("t.A")) || p.Assignable(ir.TypeNull, ir.TypeInt) || p.Assignable(named("t.A"), ir.TypeNull) {
		t.Error("null is assignable to references, and only it to null")
	}
	if arr := p.Lookup("long[]"); p.Classes[arr].Super != ir.ClassObject || !p.SubclassOf(arr, p.Lookup("java.lang.Cloneable")) {
		t.Error("the class of long[] has no supertypes")
	}
}

func TestBrokenHierarchy(t *testing.T) {
	p, errs := program(t, nil, func(d *dextest.Dex) {
		d.Class("Lt/A;", "Lt/B;", 0)
		d.Class("Lt/B;", "Lt/A;", 0, "Lt/I;")
		d.Class("Lt/I;", objectDesc, ir.AccInterface, "Lt/J;")
		d.Class("Lt/J;", objectDesc, ir.AccInterface, "Lt/I;")
		d.Class("Lt/Arr;", "[I", 0)
		d.Class("Ljava/lang/Object;", "Lt/A;", 0)
	})
	var got []string
	for _, err := range errs {
		got = append(got, err.Error())
	}
	slices.Sort(got)
	if len(got) != 2 || !strings.Contains(got[0], "is its own supertype") || !strings.Contains(got[1], "is its own supertype") {
		t.Errorf("errors are %q", got)
	}
	for c := ir.ClassID(1); int(c) < len(p.Classes); c++ {
		if !p.SubclassOf(c, ir.ClassObject) {
			t.Errorf("%s is not below Object", p.Classes[c].Name)
		}
	}
	if !p.SubclassOf(p.Lookup("t.B"), p.Lookup("t.I")) {
		t.Error("B is no longer an I")
	}
}

func TestNestingAndNames(t *testing.T) {
	p := buildFile(t, "testdata/oracle/dx.dex")
	outer, method := p.Nesting(p.Lookup("oracle.Plain$Node"))
	if p.Classes[outer].Name != "oracle.Plain" || method != 0 {
		t.Errorf("Node is in %s, %s", p.Classes[outer].Name, p.MethodString(method))
	}
	outer, method = p.Nesting(p.Lookup("oracle.Plain$1"))
	if p.Classes[outer].Name != "oracle.Plain" || p.MethodString(method) != "oracle.Plain.tAnonymous()" {
		t.Errorf("the anonymous class is in %s, %s", p.Classes[outer].Name, p.MethodString(method))
	}
	if outer, _ := p.Nesting(p.Lookup("java.lang.Object")); outer != 0 {
		t.Error("Object is nested")
	}
	sel := p.Selector("many", []string{"int", "int", "int", "int", "int", "int", "long", "long"}, "long")
	if sel == 0 || p.SelectorString(sel) != "many(int,int,int,int,int,int,long,long)" || !slices.Contains(p.SelectorsNamed("many"), sel) {
		t.Errorf("selector is %s", p.SelectorString(sel))
	}
	if p.Selector("many", nil, "void") != 0 || p.Lookup("no.such.Class") != 0 || len(p.SelectorsNamed("noSuchName")) != 0 {
		t.Error("what is not there is found")
	}
	if m := p.DeclaredMethod(p.Lookup("oracle.Plain"), sel); m == 0 || !p.Static(m) {
		t.Error("many is not found as a static method")
	}
	if f := p.DeclaredField(p.Lookup("oracle.Plain$Node"), "next"); p.FieldString(f) != "oracle.Plain$Node.next" {
		t.Errorf("next is %s", p.FieldString(f))
	}
	if len(p.Lambdas) < 5 {
		t.Errorf("%d lambdas", len(p.Lambdas))
	}
}

// TestBuildIsDeterministic compares the text and the ids of two builds.
func TestBuildIsDeterministic(t *testing.T) {
	a, b := buildFile(t, "testdata/oracle/d8.dex"), buildFile(t, "testdata/oracle/d8.dex")
	if !reflect.DeepEqual(a.Types, b.Types) || !reflect.DeepEqual(a.Classes, b.Classes) || !reflect.DeepEqual(a.Fields, b.Fields) ||
		!reflect.DeepEqual(a.Methods, b.Methods) || !reflect.DeepEqual(a.Selectors, b.Selectors) || !reflect.DeepEqual(a.Strings, b.Strings) {
		t.Error("two builds of one file differ")
	}
	for c := range a.Classes {
		if !slices.Equal(a.Subclasses(ir.ClassID(c)), b.Subclasses(ir.ClassID(c))) {
			t.Errorf("subclasses of %s differ", a.Classes[c].Name)
		}
	}
}
