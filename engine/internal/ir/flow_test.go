package ir_test

import (
	"fmt"
	"math/rand"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
	"github.com/eventraces/eventraces/engine/internal/ir"
)

// randomCode is a method of random jumps, some of them backward, irreducible
// loops included, with calls inside try ranges.
func randomCode(r *rand.Rand) string {
	var b strings.Builder
	n := 2 + r.Intn(14)
	b.WriteString("const/4 v0, 1\nconst/4 v1, 2\nconst/4 v2, 0\nmove v3, v0\nconst/4 v4, 0\n")
	for k := range n {
		fmt.Fprintf(&b, ":b%d\n", k)
		for range r.Intn(3) {
			switch r.Intn(5) {
			case 0:
				fmt.Fprintf(&b, "add-int v%d, v%d, v%d\n", r.Intn(4), r.Intn(4), r.Intn(4))
			case 1:
				fmt.Fprintf(&b, "move v%d, v%d\n", r.Intn(4), r.Intn(4))
			case 2:
				fmt.Fprintf(&b, "invoke-static {v%d}, Ltest/A;->f(I)I\nmove-result v%d\n", r.Intn(4), r.Intn(4))
			case 3:
				b.WriteString("new-instance v4, Ltest/A;\n")
			case 4:
				b.WriteString("const/4 v4, 0\n")
			}
		}
		switch target := r.Intn(n); r.Intn(7) {
		case 0, 1, 2:
			fmt.Fprintf(&b, "if-lt v%d, v%d, :b%d\n", r.Intn(4), r.Intn(4), target)
		case 3:
			fmt.Fprintf(&b, "goto/16 :b%d\n", target)
		case 4:
			fmt.Fprintf(&b, "if-eqz v4, :b%d\n", target)
		case 5:
			fmt.Fprintf(&b, "packed-switch v%d, :table%d\n", r.Intn(4), k)
		}
	}
	b.WriteString(":end\ninvoke-static {v4}, Ltest/A;->g(Ljava/lang/Object;)V\nreturn v3\n")
	for k := range n {
		if strings.Contains(b.String(), fmt.Sprintf(":table%d\n", k)) {
			fmt.Fprintf(&b, ":table%d\n.packed-switch 0 :b%d :b%d\n", k, r.Intn(n), r.Intn(n))
		}
	}
	for range r.Intn(3) {
		from := r.Intn(n)
		to := from + 1 + r.Intn(n-from)
		end := fmt.Sprintf(":b%d", to)
		if to == n {
			end = ":end"
		}
		typ := []string{".catchall", ".catch Ljava/lang/Error;"}[r.Intn(2)]
		fmt.Fprintf(&b, "%s :b%d %s :b%d\n", typ, from, end, r.Intn(n))
	}
	return b.String()
}

func randomProgram(t testing.TB, seed int64) (*ir.Program, string) {
	d := dextest.New(35)
	code := randomCode(rand.New(rand.NewSource(seed)))
	d.Class("Ltest/A;", objectDesc, 0).Method("m", "()I", ir.AccStatic).Asm(5, code)
	f, err := d.Parse("random.dex")
	if err != nil {
		t.Fatal(err)
	}
	p, _ := ir.Build([]*dex.File{f}, nil, nil)
	return p, code
}

// steps is the plain graph of a body: node v is that v has been executed
// without an exception, node -k-1 that block k has been entered.
func steps(b *ir.Body) map[int][]int {
	next := map[int][]int{}
	for k := range b.Blocks {
		block := &b.Blocks[k]
		at, before := -k-1, 0
		for v := block.Start; v < block.End; v++ {
			next[at] = append(next[at], int(v))
			at, before = int(v), at
		}
		for i, s := range b.Succs(int32(k)) {
			from := at
			if int32(i) >= block.Normal {
				from = before
			}
			next[from] = append(next[from], -int(s)-1)
		}
	}
	return next
}

// reachable are the nodes reached from some others without passing avoid.
func reachable(next map[int][]int, avoid int, from ...int) map[int]bool {
	seen := map[int]bool{}
	for work := from; len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if n != avoid && !seen[n] {
			seen[n] = true
			work = append(work, next[n]...)
		}
	}
	return seen
}

// checkFlow compares the flow of a body with what plain searches say.
func checkFlow(t *testing.T, b *ir.Body) {
	t.Helper()
	next, f := steps(b), b.Flow()
	for a := ir.Value(1); int(a) < b.Len(); a++ {
		without := reachable(next, int(a), -1)
		k := b.BlockOf(a)
		after := append([]int(nil), next[int(a)]...)
		if a == b.Blocks[k].End-1 {
			for _, h := range b.Handlers(k) {
				after = append(after, -int(h)-1)
			}
		}
		follows := reachable(next, 0, after...)
		for v := ir.Value(1); int(v) < b.Len(); v++ {
			if got, want := f.Dominates(a, v), a != v && !without[int(v)]; got != want {
				t.Fatalf("v%d dominates v%d: %v, want %v", a, v, got, want)
			}
			if got, want := f.Reaches(a, v), follows[int(v)]; got != want {
				t.Fatalf("v%d reaches v%d: %v, want %v", a, v, got, want)
			}
		}
		if f.InLoop(a) != follows[int(a)] {
			t.Fatalf("v%d is in a loop: %v", a, f.InLoop(a))
		}
	}
	for k := int32(1); int(k) < len(b.Blocks); k++ {
		if d := f.Idom(k); d >= k || !f.BlockDominates(d, k) || f.BlockDominates(k, d) {
			t.Fatalf("b%d is the immediate dominator of b%d", d, k)
		}
	}
}

func TestFlowAgainstSearch(t *testing.T) {
	lifted := 0
	for seed := range int64(400) {
		p, code := randomProgram(t, seed)
		b, err := p.Lift(p.Classes[p.Lookup("test.A")].Methods[0])
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, code)
		}
		if err := b.Check(p); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, code)
		}
		lifted++
		checkFlow(t, b)
		checkPhis(t, b)
		if t.Failed() {
			t.Fatalf("seed %d\n%s", seed, code)
		}
	}
	p := buildFile(t, "testdata/oracle/d8.dex")
	liftAll(t, p, func(b *ir.Body) {
		if b.Len() < 200 {
			checkFlow(t, b)
			checkPhis(t, b)
		}
	})
}

// checkPhis checks that each phi joins two values besides itself, and that
// something uses it.
func checkPhis(t *testing.T, b *ir.Body) {
	t.Helper()
	used := map[ir.Value]bool{}
	for v := ir.Value(1); int(v) < b.Len(); v++ {
		for _, a := range b.ArgsOf(v) {
			used[a] = used[a] || a != v
		}
	}
	for v := ir.Value(1); int(v) < b.Len(); v++ {
		if b.Op[v] != ir.OpPhi {
			continue
		}
		others := map[ir.Value]bool{}
		for _, a := range b.ArgsOf(v) {
			if a != v {
				others[a] = true
			}
		}
		if len(others) < 2 || !used[v] {
			t.Errorf("v%d is a phi of %d values, used: %v", v, len(others), used[v])
		}
	}
}

// TestLiftIsDeterministic lifts every method many times at once.
func TestLiftIsDeterministic(t *testing.T) {
	p := buildFile(t, "testdata/oracle/dx.dex")
	var mu sync.Mutex
	first := map[ir.MethodID]*ir.Body{}
	for range 4 {
		liftAll(t, p, func(b *ir.Body) {
			mu.Lock()
			defer mu.Unlock()
			if f := first[b.Method]; f == nil {
				first[b.Method] = b
			} else if !reflect.DeepEqual(f, b) {
				t.Errorf("%s was lifted to other bytes", p.MethodString(b.Method))
			}
		})
	}
	if len(first) < 90 {
		t.Errorf("only %d methods", len(first))
	}
	for _, b := range first {
		for name, slack := range map[string]int{
			"Op": cap(b.Op) - len(b.Op), "Args": cap(b.Args) - len(b.Args), "Aux": cap(b.Aux) - len(b.Aux),
		} {
			if slack > len(b.Op)/4+8 {
				t.Errorf("%s: %s has room for %d more", p.MethodString(b.Method), name, slack)
			}
		}
	}
}

func TestLinesAndUnits(t *testing.T) {
	p, errs := program(t, nil, func(d *dextest.Dex) {
		c := d.Class("Lt/A;", objectDesc, 0)
		c.Method("lines", "(I)I", ir.AccStatic).Asm(1, ".line 10\nadd-int/lit8 p0, p0, 1\n.line 12\nmul-int/2addr p0, p0\n.line 11\nneg-int p0, p0\nreturn p0")
		c.Method("units", "(I)I", ir.AccStatic).Asm(1, "add-int/lit8 p0, p0, 1\nmul-int/2addr p0, p0\nneg-int p0, p0\nreturn p0")
	})
	noErrors(t, errs)
	want := map[string]string{
		"lines": "param:10@0 const:10@0 binary:10@0 binary:12@2 unary:11@3 return:11@3 ",
		"units": "param:0@0 const:0@0 binary:0@0 binary:0@2 unary:0@3 return:0@4 ",
	}
	for _, m := range p.Classes[p.Lookup("t.A")].Methods {
		b, err := p.Lift(m)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for v := ir.Value(1); int(v) < b.Len(); v++ {
			got += fmt.Sprintf("%s:%d@%d ", b.Op[v], b.Line(v), b.PC(v))
		}
		if name := p.Selectors[p.Methods[m].Sel].Name; got != want[name] {
			t.Errorf("%s: %s, want %s", name, got, want[name])
		}
	}
}
