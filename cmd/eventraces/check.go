package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/eventraces/eventraces/baseline"
	"github.com/eventraces/eventraces/engine"
	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/report"
)

// checkFlags are the flags of check, as given.
type checkFlags struct {
	inputFlags
	outputFlags
	baselines   []string
	minPriority priorityFlag
	failOn      choice
	strict      bool
	dump        choice
	timings     string // file for the time of each stage
}

func (p *program) checkCommand() *cobra.Command {
	c, _ := p.newCheck()
	return c
}

// newCheck is the command with the flags that it fills.
func (p *program) newCheck() (*cobra.Command, *checkFlags) {
	f := &checkFlags{
		minPriority: priorityFlag{finding.High},
		failOn:      choice{string(finding.FailOnNew), finding.FailOns()},
	}
	for _, stage := range engine.DumpStages() {
		f.dump.choices = append(f.dump.choices, string(stage))
	}
	c := &cobra.Command{
		Use:   "check BUILD_OUTPUT...",
		Short: "Find the races of an app",
		Long: "check analyses the build outputs of one app (an APK) and tells its races: as text on standard output,\n" +
			"and as SARIF or JSON where asked. With a baseline it tells what is new or worse than accepted.\n\n" +
			"Exit codes: 0 nothing new at or above --min-priority, 1 something new, 2 no verdict, 3 a limit was hit (--strict),\n" +
			"130 or 143 interrupted.",
		Args:                  buildOutputs,
		DisableFlagsInUseLine: true,
		RunE:                  func(c *cobra.Command, args []string) error { return p.check(c.Context(), f, args) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&f.baselines, "baseline", nil, "`FILE` with the accepted races; of several, a race must be in each, and the first is the one that you keep (repeatable)")
	f.outputFlags.register(flags)
	f.inputFlags.register(flags)
	flags.Var(&f.minPriority, "min-priority", "lowest priority that text shows and that fails")
	flags.Var(&f.failOn, "fail-on", "which races give exit code 1")
	flags.BoolVar(&f.strict, "strict", false, "exit with 3 if a limit was hit or a part of the input was unreadable")
	flags.Var(&f.dump, "dump", "print a stage as text instead of the races")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print no races and no progress; files and exit code stay")
	flags.StringVar(&f.timings, "timings", "", "write what each stage took to `FILE`, as JSON")
	_ = flags.MarkHidden("timings") // for scripts/measure; it fails only if there is no such flag
	return c, f
}

func buildOutputs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return errors.New(c.Name() + " needs a build output, such as app-debug.apk")
	}
	return nil
}

func (p *program) check(ctx context.Context, f *checkFlags, inputs []string) error {
	taken := ""
	if f.dump.value != "" {
		taken = "--dump"
	}
	if err := f.inputFlags.validate(); err != nil {
		return err
	}
	if err := f.outputFlags.validate(slices.Concat(inputs, f.files(), f.baselines), taken); err != nil {
		return err
	}
	if f.timings != "" {
		if err := writable("--timings", f.timings, slices.Concat(inputs, f.files(), f.baselines)); err != nil {
			return err
		}
	}
	baselines, err := readBaselines(f.baselines)
	if err != nil {
		return err
	}
	result, err := p.analyse(ctx, &f.inputFlags, inputs, engine.Stage(f.dump.value))
	if err != nil {
		return err
	}
	if len(baselines) > 0 {
		p.stage.set("comparing with the baseline")
		if err := baseline.Compare(result.Run, baselines, result.Names); err != nil {
			return fmt.Errorf("--baseline %s: %w", f.baselines[0], err)
		}
	}
	if err := p.write(&f.outputFlags, result.Run); err != nil {
		return err
	}
	if f.timings != "" {
		if err := p.stage.write(p.output(f.timings)); err != nil {
			return fmt.Errorf("--timings: %w", err)
		}
	}
	p.code = verdict(f, result.Run)
	if f.quiet || f.toStdout() || f.dump.value != "" {
		return nil
	}
	return p.text(result.Run, report.TextOptions{
		MinPriority: f.minPriority.p, Known: f.failOn.value == string(finding.FailOnAll), Color: p.colored(), Acceptance: f.acceptance(inputs), LeftOut: f.leftOut,
	})
}

// acceptance is what a call of baseline needs to see the same races.
func (f *checkFlags) acceptance(inputs []string) report.Acceptance {
	a := report.Acceptance{Out: baseline.DefaultName}
	if len(f.baselines) > 0 {
		a.Out = f.baselines[0]
	}
	for _, list := range []struct {
		flag   string
		values []string
	}{{"--source-root", f.sourceRoots}, {"--app-package", f.appPackages}, {"--model", f.models}, {"--mapping", f.mapping}} {
		for _, v := range list.values {
			a.Args = append(a.Args, list.flag, v)
		}
	}
	a.Args = append(a.Args, inputs...)
	return a
}

func readBaselines(names []string) ([]*baseline.File, error) {
	var out []*baseline.File
	for _, name := range names {
		if name == "" {
			return nil, errors.New("--baseline is empty: name a file or leave it out")
		}
		f, err := baseline.Read(name)
		if err != nil {
			return nil, fmt.Errorf("--baseline %w", err)
		}
		out = append(out, f)
	}
	return out, nil
}

// verdict is the exit code.
func verdict(f *checkFlags, run *finding.Run) int {
	switch {
	case run.Fails(finding.FailOn(f.failOn.value), f.minPriority.p):
		return exitRaces
	case f.strict && run.Limited():
		return exitLimited
	}
	return exitClean
}
