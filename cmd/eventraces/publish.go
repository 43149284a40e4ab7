package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/eventraces/eventraces/action"
	"github.com/eventraces/eventraces/engine"
)

func (p *program) publishCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "publish",
		Short: "Run as the GitHub Action",
		Long: "publish is what the GitHub Action runs: it checks the build outputs that the inputs name, or takes findings of earlier\n" +
			"jobs, and tells what is new in code scanning, in the pull request, in the summary of the job and in the outputs.\n" +
			"Everything it needs is in the environment of a workflow; see docs/action.md.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			p.code = action.Run(c.Context(), action.Options{
				Getenv: p.getenv, Stdout: p.stdout, Version: version, Prepare: p.prepare, Sleep: p.sleep,
			})
			if p.code == exitFailed { // told already; the code says whether by a signal
				p.code = codeOf(c.Context(), c.Context().Err())
			}
			return nil
		},
	}
}

// ofAction are the flags of check that inputs of the Action stand for.
var ofAction = map[string]string{
	"baseline": "baseline", "source-root": "source-roots", "mapping": "mapping", "fail-on": "fail-on", "upload": "upload",
	"sarif": "", "sarif-github": "", "json": "", "dump": "", "quiet": "", "timings": "",
}

// prepare reads flags of check from the input args.
func (p *program) prepare(args []string, b action.Build) (*action.Check, error) {
	var words []string
	for _, line := range args { // --flag value and --flag=value are both one line
		flag, value, ok := strings.Cut(line, " ")
		words = append(words, flag)
		if ok {
			words = append(words, strings.TrimSpace(value))
		}
	}
	c, f := p.newCheck()
	flags := c.Flags()
	switch err := flags.Parse(words); {
	case errors.Is(err, pflag.ErrHelp):
		return nil, errors.New("input args: --help is not for the Action; see docs/action.md")
	case err != nil:
		return nil, fmt.Errorf("input args: %w", flagError(c, err))
	}
	for name, input := range ofAction {
		switch {
		case flags.Lookup(name) == nil || !flags.Changed(name):
		case input != "":
			return nil, fmt.Errorf("input args: --%s is set by the input %s; use that", name, input)
		default:
			return nil, fmt.Errorf("input args: --%s is not for the Action, which writes its own files", name)
		}
	}
	if rest := flags.Args(); len(rest) > 0 {
		return nil, fmt.Errorf("input args: %q is no flag; build outputs go into the input build-outputs", rest[0])
	}
	f.sourceRoots, f.quiet = b.SourceRoots, true
	f.baselines = []string{b.Baseline}
	if b.Mapping != "" {
		f.mapping = []string{b.Mapping}
	}
	if len(b.Outputs) > 0 {
		if err := f.inputFlags.validate(); err != nil {
			return nil, err
		}
	}
	return &action.Check{
		Min: f.minPriority.p, Strict: f.strict, Accept: f.acceptance(b.Outputs),
		Analyse: func(ctx context.Context) (*engine.Result, error) { return p.analyse(ctx, &f.inputFlags, b.Outputs, "") },
	}, nil
}
