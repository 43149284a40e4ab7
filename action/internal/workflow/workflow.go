// Package workflow talks to the runner of a GitHub workflow: inputs, the log,
// annotations, outputs, variables and the job summary. Whatever comes from the
// analysed app or the change is data of a stranger, and none of it can become a
// command: lines of the log cannot begin with one, whole texts are printed while
// commands are stopped, and values of files have a delimiter of their own that
// nobody could know.
//
// It is the only user of go-githubactions, and works around what that lacks: a
// random delimiter, limits of the summary and of annotations, and files that are
// not there. Limits are those of GitHub's runner: 10 annotations of a type and
// step, 4,096 characters each, 1 MiB of summary.
package workflow

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sethvargo/go-githubactions"
)

// Runner is the runner that the program was started by.
type Runner struct {
	actions *githubactions.Action
	getenv  func(string) string
	w       io.Writer
	queued  []Annotation
}

// New is the runner behind these variables, whose log is w.
func New(getenv func(string) string, w io.Writer) *Runner {
	r := &Runner{getenv: getenv, w: w}
	r.actions = githubactions.New(githubactions.WithGetenv(getenv), githubactions.WithWriter(r.w))
	return r
}

// Input is the text of an input without the space around it. action.yml hands
// inputs on as variables whose names a shell can hold: dashes are underscores. The
// runner's own form, with dashes, is known too.
func (r *Runner) Input(name string) string {
	return cmp.Or(r.actions.GetInput(strings.ReplaceAll(name, "-", "_")), r.actions.GetInput(name))
}

// Info prints one line.
func (r *Runner) Info(format string, args ...any) {
	fmt.Fprintf(r.w, "eventraces: %s\n", line(fmt.Sprintf(format, args...)))
}

// line makes a text one line that holds no command: the runner takes ## and [ for
// one anywhere, and :: at the start, which the caller's prefix takes.
func line(s string) string {
	s = strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return ' '
		}
		return c
	}, s)
	return broken(s)
}

// broken breaks what the runner takes for a command anywhere in a line.
func broken(s string) string { return strings.ReplaceAll(s, "##[", "## [") }

// Text prints a text of many lines, folded under a title. Commands are stopped
// while it lasts.
func (r *Runner) Text(title string, print func(io.Writer) error) error {
	token, err := secret()
	if err != nil {
		return err
	}
	r.actions.Group(line(title))
	r.actions.IssueCommand(&githubactions.Command{Name: "stop-commands", Message: token})
	err = print(r.w)
	fmt.Fprintf(r.w, "\n::%s::\n", token)
	r.actions.EndGroup()
	return err
}

// Mask hides a secret in whatever is logged later.
func (r *Runner) Mask(secret string) {
	if strings.TrimSpace(secret) != "" {
		r.actions.AddMask(secret)
	}
}

// Level is what an annotation is.
type Level string

const (
	Error   Level = "error"
	Warning Level = "warning"
	Notice  Level = "notice"
)

// Annotation is a message that GitHub shows beside a line, or on the page of the
// run if it names none.
type Annotation struct {
	Level   Level
	File    string // from the repository's root; "" for none
	Line    int
	Title   string
	Message string
}

const (
	mostAnnotations = 10   // of a level
	longestMessage  = 4000 // characters; the runner cuts at 4,096
	longestTitle    = 250
)

// Annotate keeps an annotation for Flush.
func (r *Runner) Annotate(a Annotation) { r.queued = append(r.queued, a) }

// Flush writes the annotations: the first ten of each level in the order in which
// they were given, of which the last says how many more there are.
func (r *Runner) Flush() {
	for _, level := range []Level{Error, Warning, Notice} {
		var all []Annotation
		for _, a := range r.queued {
			if a.Level == level {
				all = append(all, a)
			}
		}
		shown := min(len(all), mostAnnotations)
		for i, a := range all[:shown] {
			message := cut(a.Message, longestMessage-100)
			if more := len(all) - shown; i == shown-1 && more > 0 {
				message += fmt.Sprintf("\n(%d more are not shown here; see the summary of the job)", more)
			}
			r.annotate(a, message)
		}
	}
	r.queued = nil
}

func (r *Runner) annotate(a Annotation, message string) {
	properties := githubactions.CommandProperties{}
	if a.File != "" {
		properties["file"] = broken(a.File)
		if a.Line > 0 {
			properties["line"] = strconv.Itoa(a.Line)
		}
	}
	if a.Title != "" {
		properties["title"] = line(cut(a.Title, longestTitle))
	}
	r.actions.IssueCommand(&githubactions.Command{Name: string(a.Level), Message: broken(visible(message)), Properties: properties})
}

// visible drops what cannot be seen, and keeps the ends of lines.
func visible(s string) string {
	return strings.Map(func(c rune) rune {
		if c != '\n' && !unicode.IsPrint(c) {
			return ' '
		}
		return c
	}, s)
}

func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-3]) + "..."
}

// Output sets an output of the step.
func (r *Runner) Output(name, value string) error { return r.set("GITHUB_OUTPUT", name, value) }

// Variable sets a variable of the later steps of the job.
func (r *Runner) Variable(name, value string) error { return r.set("GITHUB_ENV", name, value) }

// set appends a value to one of the runner's files. Without the file, as in a run
// by hand, it prints it.
func (r *Runner) set(variable, name, value string) error {
	file := r.getenv(variable)
	if file == "" {
		r.Info("%s is not set; %s=%s", variable, name, cut(value, 200))
		return nil
	}
	delimiter, err := secret()
	if err != nil {
		return err
	}
	if strings.Contains(value, delimiter) {
		return errors.New("a value holds a delimiter that was just drawn")
	}
	return appendTo(variable, file, fmt.Sprintf("%s<<%s\n%s\n%s\n", name, delimiter, value, delimiter))
}

// secret is a text that no data can hold, since it was drawn after the data.
func secret() (string, error) {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", fmt.Errorf("no random number: %w", err)
	}
	return "eventraces-" + hex.EncodeToString(b[:]), nil
}

// MostSummary is how many bytes of summary a step should have: the runner drops
// all of it above 1 MiB.
const MostSummary = 900 << 10

// Summary appends Markdown to the summary of the job; without the runner's file it
// does nothing.
func (r *Runner) Summary(markdown string) error {
	file := r.getenv("GITHUB_STEP_SUMMARY")
	if file == "" {
		return nil
	}
	if len(markdown) > MostSummary {
		return fmt.Errorf("the summary has %d bytes, more than %d", len(markdown), MostSummary)
	}
	return appendTo("GITHUB_STEP_SUMMARY", file, markdown+"\n")
}

func appendTo(variable, file, text string) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return fmt.Errorf("%s: cannot write: %w", variable, err)
	}
	return nil
}

// Lines are the lines of an input that has one value each; empty ones and
// comments (from # at the start) are left out.
func (r *Runner) Lines(name string) []string {
	var out []string
	for text := range strings.Lines(r.Input(name)) {
		if text = strings.TrimSpace(text); text != "" && !strings.HasPrefix(text, "#") {
			out = append(out, text)
		}
	}
	return slices.Clip(out)
}
