package race

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/flow"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// Refutation (SIERRA section 5): the fields that are tested on the way to a use are followed
// through all runs that change them, together with the raced one, and the machine is asked
// for a schedule in which the tests let the run come to the use while the location fails.
// Without one the race cannot happen.
//
// All that is followed belongs to the one instance of a component for which the schedule is
// (flow.Facts.OwnBase), and all that changes it runs on the looper of the use; what may run in
// the middle of another run does so wherever that calls what is not followed. What is stored
// where nobody sees it, as by native code, is not followed. Else the question is not asked, and flag.go says what may
// guard the use.

// refutation is what is known of a race with the tests of its use.
type refutation uint8

const (
	notAsked  refutation = iota // or not decided
	refuted                     // no schedule comes to the use
	witnessed                   // one does
)

// guardOf is how the tests of a use are asked about.
type guardOf struct {
	watched []flow.Watched
	runs    []hb.ActionID // that change what is watched, or make the use
}

const (
	maxChanging = 64 // actions that are followed in one question
	maxWitness  = 8  // runs of a schedule that shows that the tests do not help
)

// refute asks whether a use can fail in spite of the tests before it. It gives the schedule
// in which it does.
func (f *finder) refute(p *pair, s, t visit) (refutation, []hb.ActionID, []flow.Watched) {
	init := p.rule == finding.UseBeforeInit
	if p.kind[0] != finding.Use || p.limited || !p.looper || !plainField(s.access) || !plainField(t.access) {
		return notAsked, nil, nil
	}
	g := f.guardFor(s, t, init)
	if g == nil || len(g.watched) == 1 { // nothing but the location is tested
		return notAsked, nil, nil
	}
	how, schedule := f.decide(g, s, t, init)
	return how, schedule, g.watched
}

// decide asks the machine for a schedule of a use and a free, or a first write. Where the run of
// the use may leave a null itself, the race is the only word that is said of that, and stays.
func (f *finder) decide(g *guardOf, s, t visit, init bool) (refutation, []hb.ActionID) {
	of := flow.Pair{Use: s.fact, UseIn: s.x}
	q := hb.Question{Use: s.x, UseAt: s.site(), Sited: true, Owner: f.ownerComponent(s.access)}
	if init {
		q.Writers = f.writers(s.access, nil, 0)
	} else {
		of.Free, of.FreeIn = t.fact, t.x
		q.Free, q.FreeAt, q.FreeAtEnd, q.NoLive, q.NullOnly = t.x, t.site(), true, true, true
		q.Writers = f.writers(s.access, t.access, t.x)
	}
	how, schedule := f.ask(g, q, of, false)
	if how == refuted && !init {
		if own, _ := f.ask(g, q, of, true); own != refuted {
			return notAsked, nil
		}
	}
	return how, schedule
}

// ask asks one question.
func (f *finder) ask(g *guardOf, q hb.Question, of flow.Pair, own bool) (refutation, []hb.ActionID) {
	c := f.facts.Changes(g.watched, of)
	c.OwnNulls = own
	q.Guard = &hb.Guard{Start: c.Start(), Failing: c.Failing(), Size: c.Size(), Changes: map[hb.ActionID]*hb.Change{}}
	whole := f.follow(c, g, of, q.Guard.Changes)
	v := f.searcher.Search(q)
	found, schedule := v.NullAtUse || v.InitAtUse, v.NullSchedule
	if q.Free == 0 {
		schedule = v.InitSchedule
	}
	// A use that no store that is seen lets run is let run by what is out of sight.
	switch {
	case !found && q.Guard.Leaves()&c.Reaching(of).Uses != 0:
		return refuted, nil
	case !found, v.Coarse, !whole, c.Vague, len(schedule) == 0, len(schedule) > maxWitness:
		return notAsked, nil
	}
	return witnessed, schedule
}

// follow finds what the runs do. Those that may come in the middle of others are followed until
// what they do there changes nothing more. It reports whether none may: else there are orders of
// which nobody knows whether they can happen.
func (f *finder) follow(c *flow.Changes, g *guardOf, of flow.Pair, changes map[hb.ActionID]*hb.Change) (whole bool) {
	whole = f.g.Separate(of.UseIn)
	for again := true; again; {
		again = false
		next := map[hb.ActionID]*hb.Change{}
		for _, x := range g.runs {
			var amidst []*hb.Change
			for _, y := range g.runs {
				if changes[y] != nil && f.mayInterrupt(y, x) {
					amidst, whole = append(amidst, changes[y]), false
				}
			}
			c.Amidst(amidst)
			next[x] = c.Of(x, of, !f.g.Separate(of.UseIn))
			again = again || changes[x] == nil || !slices.Equal(changes[x].After, next[x].After)
		}
		maps.Copy(changes, next)
	}
	return whole
}

// mayInterrupt: y may run in the middle of x. Callbacks of one lifecycle never do so to each
// other.
func (f *finder) mayInterrupt(y, x hb.ActionID) bool {
	a, b := &f.s.Actions[x], &f.s.Actions[y]
	of := func(a *actions.Action) bool {
		return a.Arm != nil && a.Arm.Life != nil && !a.Arm.Life.IsEvent(a.Arm.LifeCall)
	}
	return !f.g.Separate(y) && !f.g.IsBirth(y) && !(of(a) && of(b) && a.Component == b.Component && a.Component != 0)
}

// guardedBy is a race as it is told with what is known of the tests before its use, nil if
// they keep the use from failing.
func (f *finder) guardedBy(p pair, q *pair, m meeting) *pair {
	s, t := m.first()
	switch how, runs, watched := f.refute(q, s, t); how {
	case refuted:
		f.removed(dropGuarded, m)
		f.out.Refuted = append(f.out.Refuted, f.because(watched, q, s, t))
		return nil
	case witnessed:
		p.witnessed = true
		p.schedule = schedule{runs, [2]hb.ActionID{s.x}}
		if p.rule != finding.UseBeforeInit {
			p.schedule.of[1] = t.x
		}
		return f.weighed(p, s, t)
	}
	return q
}

// plainField: the access is an instruction that loads or stores a field of an instance.
func plainField(a *access) bool {
	return a.key > 0 && !a.static && !a.content && a.effect == nil && a.in == a.f && a.v > 0
}

// guardFor finds what is tested before a use and can be followed, and who changes that and the
// location; nil if the location cannot be followed itself.
func (f *finder) guardFor(s, t visit, init bool) *guardOf {
	o := s.objs.One()
	if o == 0 || t.objs.One() != o || !f.followed(o) || !f.ownBase(s.x, s.access) || !init && !f.ownBase(t.x, t.access) {
		return nil
	}
	g := &guardOf{watched: []flow.Watched{{Key: s.key, Object: o, Values: []int64{0}}}}
	changing := map[hb.ActionID]bool{s.x: true, t.x: true}
	for _, w := range f.testedFields(s) {
		if w.Key == s.key && w.Object == o || w.Object != o && !f.oneOwner(w.Object, o) {
			continue
		}
		runs, ok := f.changing(&w, s)
		if !ok || !flow.Fitting(append(slices.Clone(g.watched), w)) {
			continue
		}
		g.watched = append(g.watched, w)
		for _, x := range runs {
			changing[x] = true
		}
	}
	for _, a := range f.byKey[s.key] { // what else is stored into the location
		if a.write && a.objs.Has(o) {
			f.s.ByFunc[a.in].All(func(id int) bool {
				if x := hb.ActionID(id); id != 1 && f.onLooperOf(x, s.x) {
					changing[x] = true
				}
				return true
			})
		}
	}
	for x := range changing {
		g.runs = append(g.runs, x)
	}
	slices.Sort(g.runs)
	if len(g.runs) > maxChanging {
		return nil
	}
	return g
}

// followed: an object that there is once for each instance of a component, and that begins
// with the defaults of its fields.
func (f *finder) followed(o pointsto.Obj) bool {
	w := f.s.OwnerOf(o)
	k := f.r.Object(o).Kind
	return w.Unique && w.Scope == hb.ScopeInstance && (k == pointsto.Component || k == pointsto.Allocated)
}

// oneOwner: two objects live for the same instance.
func (f *finder) oneOwner(a, b pointsto.Obj) bool {
	v, w := f.s.OwnerOf(a), f.s.OwnerOf(b)
	return v.Scope == w.Scope && v.Component == w.Component && v.Component != 0
}

func (f *finder) ownBase(x hb.ActionID, a *access) bool {
	return a.base != 0 && f.facts.OwnBase(x, flow.Place{Func: a.f, At: a.v, Value: a.base})
}

func (f *finder) onLooperOf(x, y hb.ActionID) bool {
	return f.g.OneLooper(x, y, hb.ScopeInstance.Widest())
}

const (
	maxTestPlaces = 32 // on the ways to a use where tests are looked for
	maxNumbers    = 3  // constants of one field that tests tell apart
)

// testedFields lists the fields that are tested on the way to a use, nearest first.
func (f *finder) testedFields(s visit) []flow.Watched {
	var out []flow.Watched
	add := func(t flow.Test) {
		b := f.r.Body(t.Func)
		o := f.r.PointsTo(t.Func, b.Arg(t.Load, 0)).One()
		key := f.r.FieldKeyOf(ir.FieldID(b.Aux[t.Load]))
		if o == 0 || key <= 0 {
			return
		}
		i := slices.IndexFunc(out, func(w flow.Watched) bool { return w.Key == key && w.Object == o })
		if i < 0 {
			i = len(out)
			out = append(out, flow.Watched{Key: key, Object: o, Values: []int64{0}})
		}
		if w := &out[i]; !slices.Contains(w.Values, t.Number) && len(w.Values) < maxNumbers {
			w.Values = append(w.Values, t.Number)
		}
	}
	places := []flow.Place{{Func: s.access.f, At: s.access.v}}
	for _, d := range s.derefs {
		places = append(places, flow.Place{Func: d.Func, At: d.At})
	}
	seen := map[flow.Place]bool{}
	for k := 0; k < len(places) && k < maxTestPlaces; k++ {
		p := places[k]
		if seen[p] {
			continue
		}
		seen[p] = true
		for _, t := range f.facts.TestsBefore(p.Func, p.At) {
			add(t)
		}
		for way := range f.facts.Ways.Calls(s.x, p.Func) {
			if way.Body != nil && way.Site > 0 {
				places = append(places, flow.Place{Func: way.Caller, At: way.Site})
			}
		}
	}
	return out
}

// changing lists the actions that store into a field that is tested. It is not ok if the
// field cannot be followed: some store may be of another instance, on another looper, or out of
// sight.
func (f *finder) changing(w *flow.Watched, s visit) (runs []hb.ActionID, ok bool) {
	if !f.followed(w.Object) || f.outOfSight(w.Key) {
		return nil, false
	}
	for _, at := range f.facts.Fresh.Stores(w.Key) {
		base := f.r.Body(at.Func).Arg(at.At, 0)
		objs := f.r.PointsTo(at.Func, base)
		if f.s.ByFunc[at.Func] == nil || !objs.Has(w.Object) {
			continue
		}
		ok = objs.One() == w.Object
		f.s.ByFunc[at.Func].All(func(id int) bool {
			x := hb.ActionID(id)
			ok = ok && (id == 1 || f.onLooperOf(x, s.x) &&
				f.facts.OwnBase(x, flow.Place{Func: at.Func, At: at.At, Value: base}))
			if ok && id != 1 && !slices.Contains(runs, x) {
				runs = append(runs, x)
			}
			return ok
		})
		if !ok {
			return nil, false
		}
	}
	return runs, true
}

// outOfSight: native methods of its class may store into a field, or code that asks a class
// for it by its name.
func (f *finder) outOfSight(key pointsto.FieldKey) bool {
	field := &f.p.Fields[key]
	c := field.Class
	return f.reflected()[field.Name] || slices.ContainsFunc(f.p.Classes[c].Methods, func(m ir.MethodID) bool { return f.p.Methods[m].Flags&ir.AccNative != 0 })
}

// because says what keeps the use of a refuted race from failing.
func (f *finder) because(watched []flow.Watched, p *pair, s, t visit) string {
	var by []string
	for _, w := range watched[1:] {
		by = append(by, f.r.KeyName(w.Key))
	}
	return fmt.Sprintf("%s %s: %s:%d | %s:%d: refuted by %s", p.rule, p.field, f.r.MethodName(s.access.f), f.line(s.access), f.r.MethodName(t.access.f), f.line(t.access), strings.Join(by, ", "))
}

// findReflected finds the strings that are passed in one call with a class, or to a class: the
// names of fields that code asks for.
func (st *stage) findReflected() map[string]bool {
	out := map[string]bool{}
	for fn := range st.r.Funcs {
		b := st.r.Body(pointsto.FuncID(fn))
		if b == nil {
			continue
		}
		for v := ir.Value(1); int(v) < b.Len(); v++ {
			if b.Op[v] != ir.OpInvoke || !slices.ContainsFunc(b.ArgsOf(v), func(a ir.Value) bool { return b.Type[a] == ir.TypeClass }) {
				continue
			}
			for _, a := range b.ArgsOf(v) {
				if b.Op[a] == ir.OpConstString {
					out[st.p.Strings[b.Aux[a]]] = true
				}
			}
		}
	}
	return out
}
