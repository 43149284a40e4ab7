package actions

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
)

// TestConcurrent asks a set, and the result that it is made of, from several
// goroutines at once: all get the answers that one alone gets. Under the race detector
// it shows that reading is safe; each kind of question has a set of its own, so that
// the locks of one do not hide that another has none.
func TestConcurrent(t *testing.T) {
	for _, name := range []string{"handlers.apk", "bytecode-dx.apk"} {
		path := pointstotest.App(t, name)
		alone := buildApp(t, path)
		pt := pointstotest.Solve(t, pointstotest.Open(t, path))
		for what, ask := range questions {
			want, s := answers(alone, ask), Build(pt)
			got := make([]uint64, 3)
			var wg sync.WaitGroup
			for i := range got {
				wg.Go(func() { got[i] = answers(s, ask) })
			}
			wg.Wait()
			for _, g := range got {
				if g != want {
					t.Errorf("%s: at once %s has other answers than alone", name, what)
				}
			}
		}
	}
}

// answers is a hash of what a set says to questions.
func answers(s *Set, ask func(s *Set, say func(...any))) uint64 {
	h := fnv.New64a()
	ask(s, func(what ...any) { fmt.Fprintln(h, what...) })
	return h.Sum64()
}

var questions = map[string]func(s *Set, say func(...any)){
	"MayPrecede": func(s *Set, say func(...any)) {
		pairs(s, func(a hb.ActionID, x, y hb.Site) { say(s.MayPrecede(a, x, y)) })
	},
	"Dominates": func(s *Set, say func(...any)) {
		pairs(s, func(a hb.ActionID, x, y hb.Site) { say(s.Dominates(a, x, y)) })
	},
	"Always": func(s *Set, say func(...any)) { pairs(s, func(a hb.ActionID, x, _ hb.Site) { say(s.Always(a, x)) }) },
	"AlwaysAfter": func(s *Set, say func(...any)) {
		pairs(s, func(a hb.ActionID, x, y hb.Site) { say(s.AlwaysAfter(a, x, []hb.Site{y})) })
	},
	"the set": func(s *Set, say func(...any)) {
		say(s.Main(), s.Unknown())
		for id := 1; id < len(s.Actions); id++ {
			say(s.Name(hb.ActionID(id)))
		}
		pairs(s, func(act hb.ActionID, x, _ hb.Site) {
			f, v := splitSite(x)
			say(s.Executes(act, f, v), len(s.Callers(f)), s.Upward(f).Count())
		})
		s.PT.EachObject(func(o pointsto.Obj) { say(s.OwnerOf(o), s.ComponentOf(o)) })
	},
	"the result": func(s *Set, say func(...any)) {
		pt := s.PT
		for _, a := range pt.Arms {
			if a.Effect != nil {
				places(pt, a.Scope, a.Effect, say)
			}
		}
		for i := range pt.Sites {
			e := &pt.Sites[i]
			places(pt, e.Scope, e.Effect, say)
			pt.Eval(e.Scope, platform.Place{Base: platform.This}).All(func(o pointsto.Obj) bool { say(pt.Applies(e, o)); return true })
		}
		pt.EachObject(func(o pointsto.Obj) {
			say(pt.QueueKind(o), pt.Lifecycle(pt.Object(o).Class) != nil, pt.ObjectString(o))
		})
		for f := range pt.Funcs {
			if b := pt.Body(pointsto.FuncID(f)); b != nil {
				body(pt, pointsto.FuncID(f), b, say)
			}
		}
	},
}

// pairs yields pairs of sites of each action.
func pairs(s *Set, yield func(act hb.ActionID, x, y hb.Site)) {
	r := rand.New(rand.NewPCG(4, 2))
	for id := 1; id < len(s.Actions); id++ {
		sites := sitesOf(s, r, hb.ActionID(id), 5)
		for _, x := range sites {
			for _, y := range sites {
				yield(hb.ActionID(id), x, y)
			}
		}
	}
}

// body asks about the instructions of a function.
func body(pt *pointsto.Result, f pointsto.FuncID, b *ir.Body, say func(...any)) {
	for v := ir.Value(1); int(v) < b.Len(); v++ {
		say(pt.PointsTo(f, v).Len(), pt.Open(f, v), pt.Live(f, v), b.Flow().InLoop(v))
		switch b.Op[v] {
		case ir.OpInvoke:
			say(len(pt.ModelsOf(ir.MethodID(b.Aux[v]))))
		case ir.OpGetField, ir.OpPutField, ir.OpGetStatic, ir.OpPutStatic:
			say(pt.KeyName(pt.FieldKeyOf(ir.FieldID(b.Aux[v]))))
		}
	}
}

// places evaluates the places of an effect.
func places(pt *pointsto.Result, s pointsto.Scope, e *platform.Effect, say func(...any)) {
	for _, p := range append([]platform.Place{e.From, e.To, e.Place, e.Via, e.Handle, e.In, e.Owner, e.Token}, e.On...) {
		if !p.Zero() {
			say(pt.Eval(s, p).Len())
		}
	}
	for _, p := range []platform.Place{e.Code, e.Token} {
		n, known := pt.Number(s, p)
		say(n, known)
	}
	if e.Kind == platform.StartComponent {
		pt.Classes(s, e.Place, func(c ir.ClassID) { say(c) })
	}
}
