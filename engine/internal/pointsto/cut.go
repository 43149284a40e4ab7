package pointsto

import "github.com/eventraces/eventraces/engine/internal/ir"

// libraryCut decides which dependency methods are summaries: their arguments
// may end in their result, and nothing else (DESIGN 4.3).
type libraryCut struct {
	keep []bool // by MethodID
}

// cuts reports whether a method is a summary. A nil cut cuts nothing.
func (c *libraryCut) cuts(m ir.MethodID) bool {
	return c != nil && !c.keep[m]
}

func newLibraryCut(g *solver) *libraryCut { return nil }
