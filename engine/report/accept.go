package report

import (
	"fmt"
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
	t.printf("%s%s\n", t.paint(dim, "  Accept:     "), t.acceptance.Command(r.ID))
	if words, line := InSource(r); line {
		t.printf("              or, on the line above %s%s:\n              %s\n", spotOf(r.Sides[0].Access.Position), t.needsSources(), words)
	} else {
		t.printf("              or, on %s:\n              %s\n", name(r.Sides[0].Access.Method.Short()), words)
	}
}

// Command is what to type to accept the race with this id.
func (a Acceptance) Command(id string) string {
	out, args := "BASELINE", []string{"BUILD_OUTPUT"}
	if len(a.Args) > 0 {
		out, args = argument(a.Out), nil
		for _, arg := range a.Args {
			args = append(args, argument(arg))
		}
	}
	return fmt.Sprintf("eventraces baseline --out %s --accept %s --because 'REASON' %s", out, id, strings.Join(args, " "))
}

// InSource is what to write into the source to accept a race: a comment for the
// line above its first access, or, if that has no line, an annotation for the
// method.
func InSource(r *finding.Race) (words string, line bool) {
	if p := r.Sides[0].Access.Position; p.File != "" && p.Line > 0 {
		return fmt.Sprintf("// eventraces:ignore %s because REASON", r.Rule), true
	}
	return fmt.Sprintf("@IgnoreEventRace(rule = %q, because = \"REASON\")", string(r.Rule)), false
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
	if Clean(word) != word || len(word) > longest {
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
