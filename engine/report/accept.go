package report

import (
	"strings"
	"unicode"

	"github.com/eventraces/eventraces/engine/finding"
)

// Acceptance is what a call of eventraces baseline needs that accepts a race of
// the run: placeholders stand for it if there are no arguments.
type Acceptance struct {
	Out  string   // the baseline
	Args []string // flags and build outputs
}

// accept says how to accept a race: what to type, or what to write into the
// source. Both are to be copied, so they are not wrapped.
func (t *textWriter) accept(r *finding.Race) {
	out, args := "BASELINE", []string{"BUILD_OUTPUT"}
	if len(t.acceptance.Args) > 0 {
		out, args = argument(t.acceptance.Out), nil
		for _, a := range t.acceptance.Args {
			args = append(args, argument(a))
		}
	}
	t.printf("%seventraces baseline --out %s --accept %s --because 'REASON' %s\n", t.paint(dim, "  Accept:     "), out, r.ID, strings.Join(args, " "))
	if p := r.Sides[0].Access.Position; p.File != "" && p.Line > 0 {
		t.printf("              or, on the line above %s%s:\n              // eventraces:ignore %s because REASON\n", spotOf(p), t.needsSources(), r.Rule)
	} else {
		t.printf("              or, on %s:\n              @IgnoreEventRace(rule = %q, because = \"REASON\")\n", name(p.Method.Short()), string(r.Rule))
	}
}

// needsSources reminds of the flag without which comments are not read.
func (t *textWriter) needsSources() string {
	if t.run.App.Sources {
		return ""
	}
	return ", read with --source-root"
}

// argument is a word of a command line as a shell takes it, or a placeholder if
// it could not be seen for what it is.
func argument(word string) string {
	if clean(word) != word || len(word) > longest {
		return "..."
	}
	for _, r := range word {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-+=@%,/:", r) {
			return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	if word == "" {
		return "''"
	}
	return word
}
