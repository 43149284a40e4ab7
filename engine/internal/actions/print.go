package actions

import (
	"bufio"
	"fmt"
	"io"

	"github.com/eventraces/eventraces/engine/internal/hb"
)

// Print writes the actions, each with its queue, component, causes and size.
func (s *Set) Print(w io.Writer) error {
	out := bufio.NewWriter(w)
	for id := 1; id < len(s.Actions); id++ {
		a := &s.Actions[id]
		fmt.Fprintf(out, "a%d %s on %s", id, s.Name(a.ID), s.Queues[a.Queue].Label)
		if a.Component != 0 {
			fmt.Fprintf(out, " of %s", s.PT.Prog.Classes[s.Components[a.Component].Class].Name)
		}
		if a.Code.Known {
			fmt.Fprintf(out, " what %d", a.Code.Number)
		}
		if a.Arm != nil && a.Arm.Receiver != 0 {
			fmt.Fprintf(out, " on %s", s.PT.ObjectString(a.Arm.Receiver))
		}
		fmt.Fprintf(out, ", %d functions\n", a.Reach.Count())
		for _, c := range a.Causes {
			p := &s.Model.Points[c]
			fmt.Fprintf(out, "  by a%d %s%s\n", p.Action, s.siteName(p.Site), delayText(p))
		}
	}
	return out.Flush()
}

func delayText(p *hb.Point) string {
	switch {
	case p.Kind != hb.Post:
		return ""
	case p.Front:
		return " at the front"
	case !p.Delay.Known:
		return " after an unknown delay"
	case p.Delay.MS > 0:
		return fmt.Sprintf(" after %d ms", p.Delay.MS)
	}
	return ""
}

func (s *Set) siteName(site hb.Site) string {
	f, v := splitSite(site)
	line := 0
	if b := s.PT.Body(f); b != nil && v > 0 {
		line = b.Line(v)
	}
	return fmt.Sprintf("%s:%d", s.PT.MethodName(f), line)
}

// Check verifies the invariants that later stages rely on.
func (s *Set) Check() error {
	for id := 1; id < len(s.Actions); id++ {
		a := &s.Actions[id]
		if a.Queue <= 0 || int(a.Queue) >= len(s.Queues) {
			return fmt.Errorf("action %d (%s) has no queue", id, s.Name(a.ID))
		}
		for _, e := range a.Entries {
			if !a.Reach.Has(int(e)) || !s.ByFunc[e].Has(id) {
				return fmt.Errorf("action %d (%s) does not reach its own entry", id, s.Name(a.ID))
			}
		}
		for _, c := range a.Causes {
			if p := &s.Model.Points[c]; !s.Actions[p.Action].Reach.Has(int(siteFunc(p.Site))) {
				return fmt.Errorf("action %d (%s) has a cause in a function that its poster does not reach", id, s.Name(a.ID))
			}
		}
	}
	return nil
}

func siteFunc(site hb.Site) int {
	f, _ := splitSite(site)
	return int(f)
}
