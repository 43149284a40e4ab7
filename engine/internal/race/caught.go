package race

import (
	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/hb"
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
	key := caughtKey{p.access[0].n, p.action[0], crash}
	where, known := f.catchers[key]
	if !known {
		where = f.catcher(p.access[0], p.action[0], crash)
		f.catchers[key] = where
	}
	return where
}

// caughtKey is an exception that a use ends in.
type caughtKey struct {
	use   int // the number of its access
	x     hb.ActionID
	crash string
}

// catcher names the method that catches the exception of a use by an action.
func (f *finder) catcher(use *access, x hb.ActionID, crash string) string {
	where := ""
	for _, d := range use.derefs {
		by := f.facts.Catches.By(x, d.Func, d.At, crash)
		if by == 0 {
			return ""
		}
		where = f.names.Method(f.r.Funcs[by].Method).Short()
	}
	return where
}
