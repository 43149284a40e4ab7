package actions

import (
	"strings"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// model builds the neutral model: queues, components, actions, then points.
func (s *Set) model() {
	m := s.Model
	m.Intra = s
	s.handMade()
	main := s.mainQueue()
	for id, q := range s.Queues[1:] {
		m.AddQueue(s.hbQueue(q, hb.QueueID(id+1) == main))
	}
	b := newModelling()
	for _, c := range s.Components[1:] {
		m.AddComponent(s.hbComponent(b, c))
	}
	for id := 1; id < len(s.Actions); id++ {
		m.AddAction(s.hbAction(b, &s.Actions[id]))
	}
	s.protocols()
	s.allArmPoints()
	for i := range s.PT.Sites {
		s.sitePoints(&s.PT.Sites[i])
	}
	s.replacements()
	s.creationPoints()
	s.gatePoints()
}

// replacements adds the points of calls that set a listener to null: they end
// what was registered in the same slot of the same object.
func (s *Set) replacements() {
	for i := range s.PT.Nulls {
		e := &s.PT.Nulls[i]
		if e.Effect.In.Zero() {
			continue
		}
		p := hb.Point{Kind: hb.Unregister, Targets: s.unregistered(e), All: true, Every: s.oneEach(e.Scope, holderOf(e.Effect.In))}
		s.sitePoint(e, p)
	}
}

func (s *Set) hbQueue(q Queue, main bool) hb.Queue {
	h := hb.Queue{Name: q.Label, Kind: q.Kind, Main: main, Lasting: q.Lasting}
	switch {
	case q.Kind == hb.QueueThread:
		h.Scope = hb.ScopeRun
	case q.Object == 0:
	default:
		if w := s.OwnerOf(q.Object); w.Unique {
			h.Scope, h.Component, h.Owner = w.Scope, w.Component, w.Action
		}
	}
	if q.Object != 0 {
		if c := s.PT.Object(q.Object).Class; c != 0 {
			h.NoFIFO = s.PT.Models.NoFIFO(s.PT.Supers, s.PT.Prog.Classes[c].Name)
		}
	}
	return h
}

func (s *Set) hbComponent(b *modelling, c Component) hb.Component {
	return hb.Component{
		Name: s.PT.Prog.Classes[c.Class].Name, Automaton: b.automaton(c.Life),
		Single:  lasting(c.Life),
		Owned:   s.PT.Object(c.Object).Kind != pointsto.Component,
		Process: s.processOf(b, c), Host: s.hosts[c.ID], Needs: s.needs(c),
	}
}

// addPoint adds a point to the model.
func (s *Set) addPoint(p hb.Point, sc pointsto.Scope, name string) hb.PointID {
	p.Loop = s.MayPrecede(p.Action, p.Site, p.Site)
	p.Must = s.always(p.Action, p.Site)
	id := s.Model.AddPoint(p)
	for len(s.Points) <= int(id) {
		s.Points = append(s.Points, PointInfo{})
	}
	s.Points[id] = PointInfo{Func: sc.Func, Site: sc.Site, Name: name}
	return id
}

// always: every run of the action executes the site.
func (s *Set) always(act hb.ActionID, site hb.Site) bool {
	f, v := splitSite(site)
	a := &s.Actions[act]
	for _, e := range a.Entries {
		if s.coded[e] && s.PT.Body(e) != nil {
			b, k := s.PT.Body(e), knownOf(a)
			if s.mustLive(e, f, v, func(block int32) []int32 {
				return pointsto.LiveSuccs(b, block, func(v ir.Value) (int64, bool) { return s.value(b, v, k) })
			}) {
				return true
			}
		} else if s.must(e, f, v) {
			return true
		}
	}
	return false
}

// callName names the method that a scope's call names: "Handler.post".
func (s *Set) callName(sc pointsto.Scope) string {
	b := s.PT.Body(sc.Func)
	if b == nil || sc.Site <= 0 || b.Op[sc.Site] != ir.OpInvoke {
		return ""
	}
	m := &s.PT.Prog.Methods[b.Aux[sc.Site]]
	d := s.PT.Prog.ResolveMethod(ir.MethodID(b.Aux[sc.Site]))
	if d != 0 {
		m = &s.PT.Prog.Methods[d]
	}
	class := s.PT.Prog.Classes[m.Class].Name
	return class[strings.LastIndexByte(class, '.')+1:] + "." + s.PT.Prog.Selectors[m.Sel].Name
}

// sitePoints adds the points of an effect that ends, awaits or starts others.
func (s *Set) sitePoints(e *pointsto.EffectSite) {
	var p hb.Point
	switch e.Effect.Kind {
	case platform.Cancel:
		p = hb.Point{Kind: hb.Cancel, All: true, Every: s.every(e)}
		var ends []hb.ActionID // what the cancelled task would have posted when done
		for _, id := range s.cancelled(e) {
			if arm := s.Actions[id].Arm; arm.In != arm.Func {
				ends = append(ends, id)
			} else {
				p.Targets = append(p.Targets, id)
			}
		}
		if len(ends) > 0 {
			s.sitePoint(e, hb.Point{Kind: hb.Cancel, Targets: ends, All: true, Every: true, Final: true})
		}
	case platform.Unregister:
		p = hb.Point{Kind: hb.Unregister, Targets: s.unregistered(e), All: true, Every: s.every(e)}
	case platform.Join:
		p = hb.Point{Kind: hb.Join, Targets: s.joined(e), All: true}
	case platform.StartComponent:
		p = hb.Point{Kind: hb.StartComponent, Targets: s.started(e)}
	default:
		return
	}
	s.sitePoint(e, p)
}

// sitePoint adds a point that has targets.
func (s *Set) sitePoint(e *pointsto.EffectSite, p hb.Point) {
	if len(p.Targets) > 0 {
		s.executed(e, p)
	}
}

// executed adds a point in each action that executes an effect.
func (s *Set) executed(e *pointsto.EffectSite, p hb.Point) {
	if s.ByFunc[e.In] == nil {
		return
	}
	p.Site = SiteOf(e.In, e.Site)
	s.ByFunc[e.In].All(func(id int) bool {
		if !s.Executes(hb.ActionID(id), e.In, e.Site) {
			return true
		}
		p.Action = hb.ActionID(id)
		s.addPoint(p, e.Scope, s.callName(e.Scope))
		return true
	})
}

// every reports whether an effect that ends posts or registrations hits all
// that one component instance, or the process, has made of the targets: the
// objects it names them by are one for each.
func (s *Set) every(e *pointsto.EffectSite) bool {
	named := false
	for _, p := range []platform.Place{e.Effect.Via, e.Effect.Handle} {
		if p.Zero() {
			continue
		}
		named = true
		if !s.oneEach(e.Scope, p) {
			return false
		}
	}
	return named
}

// oneEach: a place is one object for each component instance, or the process's.
func (s *Set) oneEach(sc pointsto.Scope, p platform.Place) bool {
	o := s.PT.Eval(sc, p).One()
	if o == 0 {
		return false
	}
	w := s.OwnerOf(o)
	return w.Unique && (w.Scope == hb.ScopeInstance || w.Scope == hb.ScopeProcess)
}

// same reports whether two places are one object for sure.
func (s *Set) same(a pointsto.Scope, p platform.Place, b pointsto.Scope, q platform.Place) bool {
	x := s.PT.Eval(a, p).One()
	return x != 0 && x == s.PT.Eval(b, q).One() && s.OwnerOf(x).Unique
}

// cancelled lists the actions whose pending posts a cancel removes for sure.
func (s *Set) cancelled(e *pointsto.EffectSite) []hb.ActionID {
	c := e.Effect
	var out []hb.ActionID
	for id := 2; id < len(s.Actions); id++ {
		a := &s.Actions[id]
		arm := a.Arm
		if arm.Effect == nil || arm.Effect.Kind != platform.Post && arm.Effect.Kind != platform.Start {
			continue
		}
		if !c.Via.Zero() && !s.same(e.Scope, c.Via, arm.Scope, arm.Effect.Via) ||
			!c.Handle.Zero() && !s.same(e.Scope, c.Handle, arm.Scope, arm.Effect.Handle) {
			continue
		}
		if !c.Code.Zero() {
			n, ok := s.PT.Number(e.Scope, c.Code)
			if !ok || !a.Code.Known || a.Code.Number != n {
				continue
			}
		}
		if !c.Token.Zero() && !s.nullToken(e) && !s.same(e.Scope, c.Token, arm.Scope, arm.Effect.Token) {
			continue
		}
		if !s.cancelsQueue(e, a) {
			continue
		}
		out = append(out, a.ID)
	}
	return out
}

// nullToken: a null token means every token.
func (s *Set) nullToken(e *pointsto.EffectSite) bool {
	n, ok := s.PT.Number(e.Scope, e.Effect.Token)
	return ok && n == 0
}

func (s *Set) cancelsQueue(e *pointsto.EffectSite, a *Action) bool {
	for _, on := range e.Effect.On {
		if q := s.named(a, e.Scope, on); q != a.Queue || q == s.unknownQ || q <= 0 {
			return false
		}
	}
	return true
}

// unregistered lists the actions whose registration ends for sure.
func (s *Set) unregistered(e *pointsto.EffectSite) []hb.ActionID {
	c := e.Effect
	var out []hb.ActionID
	for id := 2; id < len(s.Actions); id++ {
		a := &s.Actions[id]
		arm := a.Arm
		if arm.Effect == nil || arm.Effect.Kind != platform.Register {
			continue
		}
		matched := false
		if c.Kind == platform.Register { // null takes the place of what the slot held
			if slot(c.In) != slot(arm.Effect.In) {
				continue
			}
		} else if !c.Handle.Zero() {
			if !s.same(e.Scope, c.Handle, arm.Scope, arm.Effect.Handle) {
				continue
			}
			matched = true
		}
		if c.Kind != platform.Register && !c.Via.Zero() && !matched && !s.same(e.Scope, c.Via, arm.Scope, arm.Effect.Via) {
			continue
		}
		if !c.In.Zero() && !s.same(e.Scope, holderOf(c.In), arm.Scope, holderOf(arm.Effect.In)) {
			continue
		}
		out = append(out, a.ID)
	}
	return out
}

// holderOf is the place of the object whose slot a place is.
func holderOf(p platform.Place) platform.Place {
	if len(p.Slots) > 0 {
		p.Slots = p.Slots[:len(p.Slots)-1]
	}
	return p
}

// joined lists the actions whose runs a join awaits: the only one with that
// handle, or all that run on that queue.
func (s *Set) joined(e *pointsto.EffectSite) []hb.ActionID {
	var out []hb.ActionID
	for id := 2; id < len(s.Actions); id++ {
		arm := s.Actions[id].Arm
		if arm.Effect == nil {
			continue
		}
		if s.runsOn(arm, e) {
			out = append(out, s.Actions[id].ID)
			continue
		}
		if !arm.Effect.Handle.Zero() && s.PT.Eval(e.Scope, e.Effect.Place).Intersects(s.PT.Eval(arm.Scope, arm.Effect.Handle)) {
			if !s.same(e.Scope, e.Effect.Place, arm.Scope, arm.Effect.Handle) {
				return nil
			}
			out = append(out, s.Actions[id].ID)
		}
	}
	return out
}

// runsOn: what an arm posts runs on the one queue that a join waits for.
func (s *Set) runsOn(arm *pointsto.Arm, e *pointsto.EffectSite) bool {
	if arm.Effect.Kind != platform.Post {
		return false
	}
	for _, on := range arm.Effect.On {
		if !s.PT.Eval(arm.Scope, on).Empty() {
			return s.same(e.Scope, e.Effect.Place, arm.Scope, on)
		}
	}
	return false
}

// started lists the first actions of the components that an intent may name.
func (s *Set) started(e *pointsto.EffectSite) []hb.ActionID {
	var out []hb.ActionID
	s.PT.Classes(e.Scope, e.Effect.Place, func(c ir.ClassID) {
		for _, k := range s.Components[1:] {
			if k.Class == c && s.PT.Object(k.Object).Kind == pointsto.Component {
				out = append(out, s.instances(k.ID)...)
			}
		}
	})
	return out
}

// instances lists the actions that begin the life of a component's instance.
func (s *Set) instances(c hb.ComponentID) []hb.ActionID {
	var out []hb.ActionID
	for id := 2; id < len(s.Actions); id++ {
		a := &s.Actions[id]
		if a.Component == c && a.Arm.Life != nil && a.Callback >= 0 && a.Kind == hb.KindLifecycle {
			out = append(out, a.ID)
		}
	}
	return out
}

// creationPoints lets what precedes the allocation of a driven object precede
// its callbacks.
func (s *Set) creationPoints() {
	for _, k := range s.Components[1:] {
		o := s.PT.Object(k.Object)
		if o.Kind != pointsto.Allocated && o.Kind != pointsto.Made || o.Func == 0 || s.ByFunc[o.Func] == nil {
			continue
		}
		targets := s.instances(k.ID)
		if len(targets) == 0 {
			continue
		}
		sc := pointsto.Scope{Func: o.Func, Site: o.Site, In: o.Func}
		s.ByFunc[o.Func].All(func(id int) bool {
			s.addPoint(hb.Point{Action: hb.ActionID(id), Site: SiteOf(o.Func, o.Site), Kind: hb.StartComponent, Targets: targets}, sc, "new")
			return true
		})
	}
}

// Name is the stable name of an action: its callback and how it comes to run.
func (s *Set) Name(id hb.ActionID) string {
	a := &s.Actions[id]
	if a.Arm == nil {
		return "class initialisation"
	}
	name := a.Arm.Name
	if a.Arm.Method != 0 {
		name = s.PT.Prog.MethodString(a.Arm.Method)
	}
	if a.Arm.Life == nil {
		if by := s.callName(a.Arm.Scope); by != "" {
			name += " by " + by + " in " + s.PT.MethodName(a.Arm.Func)
		}
	}
	return name
}

// Always: every run of the action executes the site.
func (s *Set) Always(act hb.ActionID, site hb.Site) bool { return s.always(act, site) }

// slot is the last slot of a place.
func slot(p platform.Place) string {
	if len(p.Slots) == 0 {
		return ""
	}
	return p.Slots[len(p.Slots)-1]
}
