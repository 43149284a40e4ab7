package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/eventraces/eventraces/engine/finding"
)

// choice is a flag with a fixed set of values; an error lists them.
type choice struct {
	value   string
	choices []string
}

func (c *choice) String() string { return c.value }

func (c *choice) Type() string { return strings.Join(c.choices, "|") }

func (c *choice) Set(s string) error {
	if !slices.Contains(c.choices, s) {
		return fmt.Errorf("want one of %s", strings.Join(c.choices, ", "))
	}
	c.value = s
	return nil
}

// priorityFlag is a priority by its name.
type priorityFlag struct{ p finding.Priority }

func (f *priorityFlag) String() string { return f.p.String() }

func (f *priorityFlag) Type() string { return "high|medium|low" }

func (f *priorityFlag) Set(s string) error {
	p, err := finding.ParsePriority(s)
	if err != nil {
		return fmt.Errorf("want one of high, medium, low")
	}
	f.p = p
	return nil
}

// flagError adds to an unknown flag what would be right.
func flagError(c *cobra.Command, err error) error {
	flag, unknown := strings.CutPrefix(err.Error(), "unknown flag: ")
	if !unknown {
		return err
	}
	best, distance := "", 3
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if d := editDistance(flag, "--"+f.Name); d < distance {
			best, distance = "--"+f.Name, d
		}
	})
	if best != "" {
		return fmt.Errorf("unknown flag %s; did you mean %s?", flag, best)
	}
	return fmt.Errorf("unknown flag %s; %s --help lists the flags", flag, c.CommandPath())
}

// editDistance counts the insertions, deletions and replacements between two
// short strings.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
