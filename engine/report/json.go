package report

import (
	"encoding/json"
	"io"

	"github.com/eventraces/eventraces/engine/finding"
)

// JSON writes the run itself: the form that other tools, and later commands of
// ours, read back.
func JSON(w io.Writer, run *finding.Run) error {
	return encode(w, run)
}

// encode writes v indented, with <, > and & as they are: these outputs are not
// put into HTML, and <init> should stay readable.
func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
