package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/eventraces/eventraces/engine"
	"github.com/eventraces/eventraces/engine/report"
)

const (
	exitClean   = 0
	exitRaces   = 1
	exitFailed  = 2
	exitLimited = 3
)

// program is one call of the tool: what it was given, and where it got to.
type program struct {
	analyser       analyser
	env            []string
	stdout, stderr io.Writer
	stage          stages
	sleep          func(context.Context, time.Duration) error // of publish; nil: really
	pending        report.Pending                             // files to remove when the run is interrupted
	code           int
}

// analyser is engine.Check; tests put their own in its place.
type analyser func(context.Context, engine.Options) (*engine.Result, error)

// Run is the whole program; nothing in it reads the process's own arguments,
// environment or streams. Standard input is not read yet.
func Run(ctx context.Context, env []string, _ io.Reader, stdout, stderr io.Writer, args []string) int {
	p := &program{analyser: engine.Check, env: env, stdout: stdout, stderr: stderr}
	return p.run(ctx, args)
}

func (p *program) run(ctx context.Context, args []string) int {
	p.stage.set("reading the command line")
	err := untilInterrupted(ctx, func() error {
		return p.contained(func() error {
			root := p.rootCommand()
			root.SetArgs(args)
			return root.ExecuteContext(ctx)
		})
	})
	if err == nil {
		return p.code
	}
	code := codeOf(ctx, err)
	if code != exitFailed {
		p.pending.Drop()
	}
	p.complain(err)
	return code
}

// contained runs what may panic; a panic comes back as an error.
func (p *program) contained(do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &crash{p.stage.get(), r, debug.Stack()}
		}
	}()
	return do()
}

// crash is a panic. It is told in one line; the stack is for whoever asks for it.
type crash struct {
	stage string
	value any
	stack []byte
}

func (c *crash) Error() string {
	return fmt.Sprintf("internal error while %s: %v; please report it (EVENTRACES_STACK=1 shows the stack)", c.stage, c.value)
}

// complain prints an error as the one line that it must be; of several, the
// first.
func (p *program) complain(err error) {
	text := err.Error()
	if errors.Is(err, context.Canceled) {
		text = "interrupted"
	}
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	more := ""
	if n := len(lines) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	fmt.Fprintf(p.stderr, "eventraces: %s%s\n", lines[0], more)
	var c *crash
	if errors.As(err, &c) && p.getenv("EVENTRACES_STACK") != "" {
		p.stderr.Write(c.stack)
	}
}

// getenv is the last value of a variable, as the shell would give it.
func (p *program) getenv(key string) string {
	for _, e := range slices.Backward(p.env) {
		if k, v, _ := strings.Cut(e, "="); k == key {
			return v
		}
	}
	return ""
}

func (p *program) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "eventraces",
		Short:         "Finds event-based races in Android apps",
		Long:          "eventraces finds callbacks of an Android app that run in an order nobody intended, in its build outputs.",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          unknownCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(p.checkCommand(), p.baselineCommand(), p.explainCommand(), p.convertCommand(), p.publishCommand(), &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(p.stdout, "eventraces %s\n", version)
			return err
		},
	})
	return root
}

func unknownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return fmt.Errorf("unknown command %q; the commands are %s", args[0], strings.Join(names, ", "))
}
