package race

import (
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
)

// caught names the method that catches the exception which a use ends in, ""
// if it may get out of the action.
func (f *finder) caught(p *pair) string {
	if p.rule != finding.UseAfterFree && p.rule != finding.UseBeforeInit {
		return ""
	}
	crash := "java.lang.NullPointerException"
	if p.crash != "" {
		crash, _, _ = strings.Cut(strings.Fields(p.crash)[0], ":")
	}
	if f.p.Lookup(crash) == 0 {
		return ""
	}
	where := ""
	for _, d := range p.access[0].derefs {
		by := f.facts.Catches.By(p.action[0], d.Func, d.At, crash)
		if by == 0 {
			return ""
		}
		where = f.method(f.r.Funcs[by].Method).Short()
	}
	return where
}
