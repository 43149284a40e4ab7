package tell

import (
	"slices"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/hb"
)

// failure says how and where a pair fails.
func (t *Teller) failure(p *Pair) finding.Failure {
	how := finding.Failure{Crash: p.Crash}
	if p.Sides[0].Kind != finding.Use {
		return how
	}
	use, other := p.Sides[0].Action, p.Sides[1].Action
	if p.Field.Content == finding.Itself {
		how.At = t.failsAt(&p.Sides[0])
	}
	switch toUse, toOther := t.leadsTo(other, use), t.leadsTo(use, other); {
	case toUse && t.graph.Before(other, use, hb.SameCause):
		how.Leads = finding.ToUse
	case toOther && t.graph.Before(use, other, hb.SameCause):
		how.Leads = finding.ToFree
	case toUse || toOther:
		how.Leads = finding.Within
	}
	return how
}

// failsAt is the first dereference of what an access reads, nil if that is on its
// own line.
func (t *Teller) failsAt(s *Side) *finding.Position {
	if further, own := t.further(s); !own && len(further) > 0 {
		return &further[0]
	}
	return nil
}

// further lists where the value that an access reads is dereferenced, apart from
// its own line; own tells whether it is there. What the action does not run is
// left out if anything is left then.
func (t *Teller) further(s *Side) (further []finding.Position, own bool) {
	derefs := slices.DeleteFunc(slices.Clone(s.Derefs), func(d Place) bool {
		return !t.set.ByFunc[d.Func].Has(int(s.Action))
	})
	if len(derefs) == 0 {
		derefs = s.Derefs
	}
	at := t.place(s)
	for _, d := range derefs {
		pos := t.names.Position(d.Func, d.Value)
		here := pos.Line == at.Line && pos.Method.String() == at.Method.String()
		switch {
		case here || t.names.Forwards(t.pts.Funcs[d.Func].Method):
			own = true
		case len(further) < furtherShown:
			further = append(further, pos)
		}
	}
	return further, own
}

// furtherShown bounds the dereferences that are listed beside the load.
const furtherShown = 3
