package growtest

import "fmt"

// Params are the sizes of a general app. Its activities have Fields fields in
// all; every field is freed by one callback and used by Accesses others, and the
// accesses are spread evenly over Actions callbacks. Each access lies behind
// Depth posts: of a click in the racing kind, else of onCreate, which begins the
// chain that frees last, so that the queue keeps them in order.
type Params struct {
	Components int // activities
	Fields     int // of all activities together
	Accesses   int // uses of each field
	Actions    int // callbacks of the user, of all activities together
	Depth      int // posts from a callback to its accesses; 0: it makes them itself
}

// general: every activity has its share of fields and of callbacks. The first
// callback of an activity frees all its fields; the uses are dealt out to the
// others in turn.
func general(a *app, p Params) {
	for c := range p.Components {
		s := a.main
		if c > 0 {
			s = a.activity(fmt.Sprintf("Screen%d", c))
		}
		fields := share(p.Fields, p.Components, c)
		actions := max(2, share(p.Actions, p.Components, c))
		places := make([]place, fields)
		for i := range places {
			places[i] = s.field(fmt.Sprintf("f%d", i))
		}
		s.fill(places...)
		if p.Depth > 0 {
			s.withHandler()
		}
		uses := make([][]place, actions) // of each callback; the first frees
		for i := range fields * p.Accesses {
			k := 1 + i%(actions-1)
			uses[k] = append(uses[k], places[i/p.Accesses])
		}
		body := func(b *code, i int) {
			for _, use := range uses[i] {
				b.use("v0", use, !a.racing)
			}
			if i == 0 {
				for _, free := range places {
					b.free("v0", free)
				}
			}
		}
		a.clicks(s, actions, func(b *code, i int) {
			switch {
			case p.Depth == 0:
				body(b, i)
			case a.racing:
				a.behind(s, b, p.Depth, func(b *code) { body(b, i) })
			}
		})
		if p.Depth > 0 && !a.racing {
			s.onCreate.line().add("move-object v0, p0")
			for i := range actions {
				a.behind(s, s.onCreate, p.Depth, func(b *code) { body(b, actions-1-i) })
			}
		}
	}
}

// share is what part i of n gets of a total.
func share(total, n, i int) int { return total*(i+1)/n - total*i/n }

// behind writes body behind a chain of posts, each from a runnable of its own.
func (a *app) behind(s *screen, b *code, depth int, body func(b *code)) {
	if depth == 0 {
		body(b)
		return
	}
	desc := a.numbered("Job")
	b.postNew(s, desc)
	k := callback(a.inner(s, desc, runnable), desc, s, "run", "()V")
	a.behind(s, k, depth-1, body)
	k.add("return-void").end()
}
