package pointsto_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
)

// place is a variable of the oracle: a value or (v 0) the result of a method,
// or a field of an object, a static field if that is zero.
type place struct {
	m     ir.MethodID
	v     ir.Value
	obj   site
	field ir.FieldID // -1: the content of an array
}

// site is an allocation.
type site struct {
	m ir.MethodID
	v ir.Value
}

// oracle solves inclusion constraints in the plainest way: every instruction of
// every reached method again and again until nothing changes.
type oracle struct {
	p       *ir.Program
	pts     map[place]map[site]bool
	types   map[site]ir.TypeID
	reached map[ir.MethodID]*ir.Body
	changed bool
}

func (o *oracle) include(dst place, objs map[site]bool) {
	for s := range objs {
		if !o.pts[dst][s] {
			if o.pts[dst] == nil {
				o.pts[dst] = map[site]bool{}
			}
			o.pts[dst][s] = true
			o.changed = true
		}
	}
}

func (o *oracle) reach(m ir.MethodID) {
	if o.reached[m] != nil {
		return
	}
	b, err := o.p.Lift(m)
	if err != nil {
		panic(err)
	}
	o.reached[m] = b
	o.changed = true
}

func (o *oracle) solve() {
	for o.changed = true; o.changed; {
		o.changed = false
		for m, b := range maps.Clone(o.reached) {
			for v := ir.Value(1); int(v) < b.Len(); v++ {
				o.step(m, b, v)
			}
		}
	}
}

func (o *oracle) step(m ir.MethodID, b *ir.Body, v ir.Value) {
	val := func(v ir.Value) place { return place{m: m, v: v} }
	arg := func(i int) map[site]bool { return o.pts[val(b.Arg(v, i))] }
	switch b.Op[v] {
	case ir.OpNew, ir.OpNewArray, ir.OpFilledArray:
		o.types[site{m, v}] = ir.TypeID(b.Aux[v])
		o.include(val(v), map[site]bool{{m, v}: true})
		if b.Op[v] == ir.OpFilledArray {
			for i := range b.ArgsOf(v) {
				o.include(place{obj: site{m, v}, field: -1}, arg(i))
			}
		}
	case ir.OpPhi:
		for i := range b.ArgsOf(v) {
			o.include(val(v), arg(i))
		}
	case ir.OpCheckCast:
		passed := map[site]bool{}
		for s := range arg(0) {
			if o.subtype(o.types[s], ir.TypeID(b.Aux[v])) {
				passed[s] = true
			}
		}
		o.include(val(v), passed)
	case ir.OpGetField, ir.OpArrayGet:
		for s := range arg(0) {
			o.include(val(v), o.pts[place{obj: s, field: field(b, v)}])
		}
	case ir.OpPutField, ir.OpArrayPut:
		for s := range arg(0) {
			o.include(place{obj: s, field: field(b, v)}, arg(b.NArgs(v)-1))
		}
	case ir.OpGetStatic:
		o.include(val(v), o.pts[place{field: field(b, v)}])
	case ir.OpPutStatic:
		o.include(place{field: field(b, v)}, arg(0))
	case ir.OpReturn:
		if b.NArgs(v) == 1 {
			o.include(place{m: m}, arg(0))
		}
	case ir.OpInvoke:
		o.invoke(m, b, v)
	}
}

func field(b *ir.Body, v ir.Value) ir.FieldID {
	if b.Op[v] == ir.OpArrayGet || b.Op[v] == ir.OpArrayPut {
		return -1
	}
	return ir.FieldID(b.Aux[v])
}

func (o *oracle) invoke(m ir.MethodID, b *ir.Body, v ir.Value) {
	ref := ir.MethodID(b.Aux[v])
	switch b.Sub[v] {
	case ir.Virtual, ir.Interface:
		for s := range o.pts[place{m: m, v: b.Arg(v, 0)}] {
			if c := o.p.Types[o.types[s]].Class; c != 0 {
				if t := o.dispatch(c, o.p.Methods[ref].Sel); t != 0 {
					o.call(m, b, v, t, map[site]bool{s: true})
				}
			}
		}
	default:
		if o.p.Methods[ref].HasCode {
			o.call(m, b, v, ref, o.pts[place{m: m, v: b.Arg(v, 0)}])
		}
	}
}

// call binds arguments; first is what parameter 0 receives.
func (o *oracle) call(m ir.MethodID, b *ir.Body, v ir.Value, callee ir.MethodID, first map[site]bool) {
	o.reach(callee)
	body := o.reached[callee]
	for q := ir.Value(1); body.Op[q] == ir.OpParam; q++ {
		if i := int(body.Aux[q]); i == 0 {
			o.include(place{m: callee, v: q}, first)
		} else {
			o.include(place{m: callee, v: q}, o.pts[place{m: m, v: b.Arg(v, i)}])
		}
	}
	o.include(place{m: m, v: v}, o.pts[place{m: callee}])
}

func (o *oracle) subtype(a, b ir.TypeID) bool {
	ta, tb := o.p.Types[a], o.p.Types[b]
	switch {
	case a == b || b == ir.TypeObject:
		return true
	case ta.Kind == ir.Array && tb.Kind == ir.Array:
		return o.subtype(ta.Elem, tb.Elem)
	case ta.Class == 0 || tb.Class == 0:
		return false
	}
	c := o.p.Classes[ta.Class]
	if c.Super != 0 && o.subtype(o.p.Classes[c.Super].Type, b) {
		return true
	}
	return slices.ContainsFunc(c.Interfaces, func(i ir.ClassID) bool { return o.subtype(o.p.Classes[i].Type, b) })
}

// dispatch finds the method with code: in the superclasses, else a default one.
func (o *oracle) dispatch(c ir.ClassID, sel ir.SelectorID) ir.MethodID {
	declared := func(c ir.ClassID) ir.MethodID {
		for _, m := range o.p.Classes[c].Methods {
			if o.p.Methods[m].Sel == sel && o.p.Methods[m].HasCode {
				return m
			}
		}
		return 0
	}
	for k := c; k != 0; k = o.p.Classes[k].Super {
		if m := declared(k); m != 0 {
			return m
		}
	}
	for k := c; k != 0; k = o.p.Classes[k].Super {
		for _, i := range o.p.Classes[k].Interfaces {
			if m := declared(i); m != 0 {
				return m
			}
		}
	}
	return 0
}

// TestOracle compares random programs with the oracle in all variables: what
// every value and result of every reached method may be.
func TestOracle(t *testing.T) {
	merged, objects := 0, 0
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 5))
		c := pointstotest.Dex(t, []string{"app.Main"}, func(d *dextest.Dex) { randomProgram(r, d) })
		pointsto.SortAfter(c, []int{0, 1, 20}[seed%3])
		res := pointstotest.Solve(t, c)
		merged += pointsto.Merged(res)
		o := &oracle{p: c.Prog, pts: map[place]map[site]bool{}, types: map[site]ir.TypeID{}, reached: map[ir.MethodID]*ir.Body{}}
		o.reach(method(t, c.Prog, "app.Main.onCreate(android.os.Bundle)"))
		o.reach(method(t, c.Prog, "app.Main.<init>()"))
		o.solve()
		objects += compareWithOracle(t, seed, res, o)
		if t.Failed() {
			return
		}
	}
	if merged < 100 || objects < 10000 {
		t.Errorf("%d merged variables, %d members of sets: the programs are too plain", merged, objects)
	}
}

func method(t testing.TB, p *ir.Program, name string) ir.MethodID {
	t.Helper()
	for m := 1; m < len(p.Methods); m++ {
		if p.Methods[m].Declared && p.MethodString(ir.MethodID(m)) == name {
			return ir.MethodID(m)
		}
	}
	t.Fatalf("no method %s", name)
	return 0
}

func compareWithOracle(t *testing.T, seed uint64, r *pointsto.Result, o *oracle) (members int) {
	t.Helper()
	seen := map[ir.MethodID]bool{}
	for f := 1; f < len(r.Funcs); f++ {
		id := pointsto.FuncID(f)
		m, b := r.Funcs[f].Method, r.Body(id)
		if m == 0 {
			continue // the platform's own
		}
		if o.reached[m] == nil {
			t.Errorf("seed %d: %s is not reached by the oracle", seed, r.MethodName(id))
			continue
		}
		if seen[m] {
			t.Errorf("seed %d: %s has several contexts", seed, r.MethodName(id))
		}
		seen[m] = true
		for v := ir.Value(0); int(v) < b.Len(); v++ {
			s := r.PointsTo(id, v)
			if v == 0 {
				s = r.Returned(id)
			}
			got := map[site]bool{}
			s.All(func(obj pointsto.Obj) bool {
				if i := r.Object(obj); i.Kind == pointsto.Allocated {
					got[site{r.Funcs[i.Func].Method, i.Site}] = true
				}
				return true
			})
			members += len(got)
			if want := o.pts[place{m: m, v: v}]; !maps.Equal(got, want) {
				t.Errorf("seed %d: %s v%d has %v, want %v", seed, r.MethodName(id), v, got, want)
			}
		}
	}
	if len(seen) != len(o.reached) {
		t.Errorf("seed %d: %d methods are reached, want %d", seed, len(seen), len(o.reached))
	}
	return members
}

const object = "Ljava/lang/Object;"

// randomProgram writes an activity, static methods, and classes N0 to N3, each
// perhaps below another, with fields and virtual methods, below an interface
// with a default method. All variables are of type Object and cast before use.
func randomProgram(r *rand.Rand, d *dextest.Dex) {
	i := d.Class("Lapp/I;", object, dex.AccPublic|dex.AccInterface|dex.AccAbstract)
	i.Method("m0", "("+object+")"+object, dex.AccPublic|dex.AccAbstract)
	i.Method("m2", "("+object+")"+object, dex.AccPublic).Asm(10, randomCode(r))
	for n := range 4 {
		super := object
		if n > 0 && r.IntN(2) == 0 {
			super = fmt.Sprintf("Lapp/N%d;", r.IntN(n))
		}
		c := d.Class(fmt.Sprintf("Lapp/N%d;", n), super, dex.AccPublic, "Lapp/I;")
		c.Method("<init>", "()V", dex.AccPublic).Asm(1, "invoke-direct {p0}, "+super+"-><init>()V\nreturn-void")
		for k := range 3 {
			if super == object && k < 2 || r.IntN(2) == 0 {
				c.Method(fmt.Sprintf("m%d", k), "("+object+")"+object, dex.AccPublic).Asm(10, randomCode(r))
			}
			c.Field(fmt.Sprintf("f%d", k), object, dex.AccPublic)
		}
	}
	s := d.Class("Lapp/S;", object, dex.AccPublic)
	for k := range 4 {
		s.Field(fmt.Sprintf("s%d", k), object, dex.AccPublic|dex.AccStatic)
		s.Method(fmt.Sprintf("call%d", k), "("+object+object+")"+object, dex.AccPublic|dex.AccStatic).Asm(10, randomCode(r))
	}
	activity := "Landroid/app/Activity;"
	c := d.Class("Lapp/Main;", activity, dex.AccPublic)
	c.Method("<init>", "()V", dex.AccPublic).Asm(1, "invoke-direct {p0}, "+activity+"-><init>()V\nreturn-void")
	c.Method("onCreate", "(Landroid/os/Bundle;)V", dex.AccPublic).Asm(4, `
		new-instance v0, Lapp/N1;
		invoke-direct {v0}, Lapp/N1;-><init>()V
		new-instance v1, Lapp/N2;
		invoke-direct {v1}, Lapp/N2;-><init>()V
		invoke-static {v0, v1}, Lapp/S;->call0(`+object+object+`)`+object+`
		return-void`)
}

// randomCode uses registers v0 to v3 for objects, v6 and v7 for a moment; the
// two parameters are v8 and v9.
func randomCode(r *rand.Rand) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("move-object v0, v8\nmove-object v1, v9\nmove-object v2, v8\nmove-object v3, v9")
	n := 4 + r.IntN(14)
	for k := range n {
		line(":l%d", k)
		if r.IntN(4) == 0 {
			line("if-eqz v%d, :l%d", r.IntN(4), r.IntN(n))
		}
		randomStatement(r, line)
	}
	line("return-object v%d", r.IntN(4))
	return b.String()
}

func randomStatement(r *rand.Rand, line func(string, ...any)) {
	a, c, k, f := r.IntN(4), r.IntN(4), r.IntN(4), r.IntN(3)
	array := []string{"[" + object, "[Lapp/N0;", "[Lapp/I;"}[r.IntN(3)]
	cast := func(typ string) { line("move-object v6, v%d\ncheck-cast v6, %s", c, typ) }
	class := fmt.Sprintf("Lapp/N%d;", k)
	switch r.IntN(13) {
	case 10: // interfaces are not verified: a receiver without a cast, perhaps on a cycle
		line("invoke-interface {v%d, v%d}, Lapp/I;->m%d(%s)%s\nmove-result-object v%d", c, a, f/2*2, object, object, r.IntN(4))
	case 11, 12: // a cast that may be on a cycle
		cast(class)
		line("move-object v%d, v6", a)
	case 0:
		line("new-instance v%d, %s\ninvoke-direct {v%d}, %s-><init>()V", a, class, a, class)
	case 1:
		line("move-object v%d, v%d", a, c)
	case 2:
		cast(class)
		line("iput-object v%d, v6, %s->f%d:%s", a, class, f, object)
	case 3:
		cast(class)
		line("iget-object v%d, v6, %s->f%d:%s", a, class, f, object)
	case 4:
		line("sput-object v%d, Lapp/S;->s%d:%s\nsget-object v%d, Lapp/S;->s%d:%s", a, k, object, c, f, object)
	case 5:
		line("invoke-static {v%d, v%d}, Lapp/S;->call%d(%s%s)%s\nmove-result-object v%d", a, c, k, object, object, object, r.IntN(4))
	case 6:
		cast(class)
		line("invoke-virtual {v6, v%d}, %s->m%d(%s)%s\nmove-result-object v%d", a, class, f%2, object, object, r.IntN(4))
	case 7:
		cast("Lapp/I;")
		line("invoke-interface {v6, v%d}, Lapp/I;->m%d(%s)%s\nmove-result-object v%d", a, f/2*2, object, object, r.IntN(4))
	case 8:
		line("const/4 v7, 2\nnew-array v6, v7, %s\nmove-object v%d, v6", array, a)
	case 9:
		cast("[" + object)
		line("const/4 v7, 0\naput-object v%d, v6, v7\naget-object v%d, v6, v7", a, r.IntN(4))
	}
}
