package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/report"
)

// convertFlags are the flags of convert: the outputs of check without its
// analysis.
type convertFlags struct {
	outputFlags
	minPriority priorityFlag
	quiet       bool
}

func (p *program) convertCommand() *cobra.Command {
	f := &convertFlags{minPriority: priorityFlag{finding.High}}
	c := &cobra.Command{
		Use:   "convert FINDINGS.json",
		Short: "Render a saved run again",
		Long:  "convert reads a run that was saved by check --json and writes it as text, SARIF or JSON; SARIF and JSON have\nthe bytes that check would have written.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("convert needs one file that check --json has written")
			}
			return nil
		},
		DisableFlagsInUseLine: true,
		RunE:                  func(_ *cobra.Command, args []string) error { return p.convert(f, args[0]) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	f.register(flags)
	flags.Var(&f.minPriority, "min-priority", "lowest priority that text shows")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print no races; files are written")
	return c
}

func (p *program) convert(f *convertFlags, saved string) error {
	if err := f.validate([]string{saved}, ""); err != nil {
		return err
	}
	run, err := readRun("convert", saved)
	if err != nil {
		return err
	}
	if err := p.write(&f.outputFlags, run); err != nil {
		return err
	}
	if f.quiet || f.toStdout() {
		return nil
	}
	return p.text(run, report.TextOptions{MinPriority: f.minPriority.p, Color: p.colored(), LeftOut: f.leftOut})
}
