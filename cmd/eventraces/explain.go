package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/report"
)

func (p *program) explainCommand() *cobra.Command {
	run := ""
	c := &cobra.Command{
		Use:   "explain RULE | ID --run FINDINGS.json",
		Short: "Tell what a rule or a race means, in full",
		Long: "explain prints what a rule finds, why that is wrong and how to fix it; or, of a race of a run that was saved\n" +
			"by --json, everything that is known: both ways to it, a failing schedule, all facts behind its priority.\n\n" +
			"The rules are " + finding.RuleNames() + ".",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("explain needs one rule or one id of a race")
			}
			return nil
		},
		DisableFlagsInUseLine: true,
		RunE:                  func(_ *cobra.Command, args []string) error { return p.explain(args[0], run) },
	}
	c.Flags().StringVar(&run, "run", "", "the `FINDINGS.json` that has the race")
	return c
}

func (p *program) explain(what, saved string) error {
	if rule, ok := finding.RuleByID(finding.RuleID(what)); ok {
		return report.ExplainRule(p.stdout, rule)
	}
	if !finding.IsID(what) {
		return fmt.Errorf("%q is no rule and no id; the rules are %s", what, finding.RuleNames())
	}
	if saved == "" {
		return fmt.Errorf("explain %s needs --run FINDINGS.json, a run saved by check --json", what)
	}
	run, err := readRun("--run", saved)
	if err != nil {
		return err
	}
	race := run.Race(what)
	if race == nil {
		return fmt.Errorf("--run %s: has no race with the id %s", saved, what)
	}
	return report.Explain(p.stdout, run, race, p.colored())
}

// readRun reads a run that check --json has saved.
func readRun(flag, name string) (*finding.Run, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", flag, name, report.Reason(err))
	}
	defer f.Close()
	run, err := report.ReadJSON(f)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", flag, name, err)
	}
	return run, nil
}
