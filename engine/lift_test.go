package engine

import (
	"runtime"
	"sync"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/internal/realapps"
)

// TestEveryMethodLifts lifts every method of every published app of the table,
// several at once, and checks each body.
func TestEveryMethodLifts(t *testing.T) {
	if len(realapps.All) < 15 {
		t.Fatalf("the table has %d apps: too few to mean anything", len(realapps.All))
	}
	for _, app := range realapps.All {
		t.Run(app.Name, func(t *testing.T) {
			r := &run{Options: Options{Inputs: []string{app.Fetch(t)}, ToolVersion: "test"}}
			if err := r.read(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := r.lift(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := r.prog.Check(); err != nil {
				t.Error(err)
			}
			for _, n := range r.notes {
				if n.Kind.Limits() {
					t.Errorf("%s: %s", n.Where, n.Text)
				}
			}
			if n := liftAll(t, r.prog); n == 0 {
				t.Error("no method has code")
			}
		})
	}
}

// liftAll lifts and checks all methods and returns how many there were.
func liftAll(t *testing.T, p *ir.Program) int {
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	counts := make([]int, workers)
	for w := range workers {
		wg.Go(func() {
			for m := w; m < len(p.Methods); m += workers {
				if !p.Methods[m].HasCode {
					continue
				}
				counts[w]++
				b, err := p.Lift(ir.MethodID(m))
				if err != nil {
					t.Error(err)
				} else if err := b.Check(p); err != nil {
					t.Errorf("%s: %v", p.MethodString(ir.MethodID(m)), err)
				}
			}
		})
	}
	wg.Wait()
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}
