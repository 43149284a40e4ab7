package race

import (
	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/platform"
)

// caught names the method that catches the exception which a use ends in, ""
// if it may get out of the action.
func (f *finder) caught(p *pair) string {
	if p.rule != finding.UseAfterFree && p.rule != finding.UseBeforeInit {
		return ""
	}
	crash := platform.NullFailure
	if p.crash != "" {
		if crash = platform.Thrown(p.crash); crash == "" {
			return ""
		}
	}
	where := ""
	for _, d := range p.access[0].derefs {
		by := f.facts.Catches.By(p.action[0], d.Func, d.At, crash)
		if by == 0 {
			return ""
		}
		where = f.names.Method(f.r.Funcs[by].Method).Short()
	}
	return where
}
