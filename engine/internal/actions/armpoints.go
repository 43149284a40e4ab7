package actions

import (
	"slices"

	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// allArmPoints adds the points that make actions run.
func (s *Set) allArmPoints() {
	many := s.manyTargets()
	for id := 2; id < len(s.Actions); id++ {
		a := &s.Actions[id]
		if a.Arm.Life != nil {
			continue
		}
		for arm := range a.arms {
			m := many[siteOfMany(arm)]
			if m == nil {
				a.Causes = append(a.Causes, s.armPoints(a, arm, []hb.ActionID{a.ID})...)
				continue
			}
			if !m.made {
				m.made, m.points = true, slices.Clip(s.armPoints(a, arm, m.targets))
			}
			if a.Causes == nil {
				a.Causes = m.points // a list that all targets share
			} else {
				a.Causes = append(a.Causes, m.points...)
			}
		}
	}
}

// manySite is an effect of a call that makes many actions run.
type manySite struct {
	in, f  pointsto.FuncID
	site   ir.Value
	effect *platform.Effect
}

// manyPoints is what the points of such an effect have in common.
type manyPoints struct {
	targets []hb.ActionID
	made    bool
	points  []hb.PointID
}

func siteOfMany(arm *pointsto.Arm) manySite {
	return manySite{arm.In, arm.Func, arm.Site, arm.Effect}
}

// manyTargets finds the effects that make more than targetsApart actions run.
func (s *Set) manyTargets() map[manySite]*manyPoints {
	out := map[manySite]*manyPoints{}
	for id := 2; id < len(s.Actions); id++ {
		a := &s.Actions[id]
		if a.Arm.Life != nil || len(a.Entries) == 0 || a.Arm.Effect == nil || a.Arm.Effect.Inline || a.Arm.Effect.Kind == platform.Register {
			continue
		}
		for arm := range a.arms {
			k := siteOfMany(arm)
			if out[k] == nil {
				out[k] = &manyPoints{}
			}
			out[k].targets = append(out[k].targets, a.ID)
		}
	}
	for k, m := range out {
		if len(m.targets) <= targetsApart {
			delete(out, k)
		}
	}
	return out
}

// armPoints adds the points by which one arm makes one of the targets run: one in
// each action that executes its site.
func (s *Set) armPoints(a *Action, arm *pointsto.Arm, targets []hb.ActionID) []hb.PointID {
	by := s.ByFunc[arm.In]
	if by == nil {
		return nil
	}
	p := hb.Point{Site: SiteOf(arm.In, arm.Site), Targets: targets, Kind: hb.Register}
	inline := false
	if e := arm.Effect; e != nil {
		switch e.Kind {
		case platform.Post:
			p.Kind, p.Delay, p.Front, p.Repeat = hb.Post, s.delay(arm), e.Front, e.Repeat
			inline = e.Inline
		case platform.Start:
			p.Kind = hb.Start
		case platform.Register:
			p.Once = true
			if e.Once {
				p.Kind = hb.Post
			}
		}
	}
	p.AtEnd = arm.Func != arm.In && s.PT.Body(arm.In) == nil
	name := s.callName(arm.Scope)
	var out []hb.PointID
	by.All(func(id int) bool {
		if inline && s.atOnce(a, hb.ActionID(id)) || !s.Executes(hb.ActionID(id), arm.In, arm.Site) {
			return true // runs at once there, or not at all
		}
		p.Action = hb.ActionID(id)
		out = append(out, s.addPoint(p, arm.Scope, name))
		return true
	})
	return out
}
