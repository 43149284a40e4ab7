package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/eventraces/eventraces/baseline"
	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/report"
)

type baselineFlags struct {
	inputFlags
	out     string
	accept  []string
	because string
}

func (p *program) baselineCommand() *cobra.Command {
	f := &baselineFlags{}
	c := &cobra.Command{
		Use:   "baseline --out FILE [--accept ID|all]... BUILD_OUTPUT...",
		Short: "Write the file of accepted races",
		Long: "baseline writes the races of an app that the team accepts, one line each, to a file made to be committed.\n" +
			"A file that does not exist yet gets all of them, or those that --accept names. In one that exists, lines of\n" +
			"races that are gone are pruned, renamed ones follow, reasons stay, and only what --accept names is added.",
		Args:                  buildOutputs,
		DisableFlagsInUseLine: true,
		RunE:                  func(c *cobra.Command, args []string) error { return p.baseline(c.Context(), f, args) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.out, "out", "", "the baseline `FILE`, such as "+baseline.DefaultName)
	flags.StringArrayVar(&f.accept, "accept", nil, "accept the race with this `ID`, or all that are open (repeatable)")
	flags.StringVar(&f.because, "because", "", "`REASON` that is written to what --accept adds")
	f.inputFlags.register(flags)
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print nothing")
	return c
}

func (p *program) baseline(ctx context.Context, f *baselineFlags, inputs []string) error {
	switch {
	case f.out == "":
		return errors.New("baseline needs --out FILE, such as --out " + baseline.DefaultName)
	case f.out == "-":
		return errors.New("--out -: a baseline is read before it is written; name a file")
	case f.because != "" && len(f.accept) == 0:
		return errors.New("--because gives the reason of what --accept adds; name what to accept")
	}
	if err := f.validate(); err != nil {
		return err
	}
	if err := writable("--out", f.out, slices.Concat(inputs, f.files())); err != nil {
		return err
	}
	old, err := baseline.Read(f.out)
	if err != nil {
		return fmt.Errorf("--out %w", err)
	}
	result, err := p.analyse(ctx, &f.inputFlags, inputs, "")
	if err != nil {
		return err
	}
	if err := baseline.Compare(result.Run, []*baseline.File{old}, result.Names); err != nil {
		return fmt.Errorf("--out %s: %w", f.out, err)
	}
	next, changes, err := baseline.Update(old, result.Run, f.accept, f.because)
	if err != nil {
		return err
	}
	written, err := p.store(old, next)
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	if f.quiet {
		return nil
	}
	return p.tellChanges(next, changes, written)
}

// tellChanges lists what happened to the lines, then says in one line what the
// file holds now.
func (p *program) tellChanges(f *baseline.File, ch *baseline.Changes, written bool) error {
	var b strings.Builder
	for _, list := range []struct {
		what string
		of   []finding.Accepted
	}{
		{"accepted", ch.Accepted}, {"accepted again, higher", ch.Raised}, {"lowered", ch.Lowered},
		{"renamed", ch.Renamed}, {"given another reason", ch.Reworded}, {"pruned", ch.Pruned},
		{"not seen, but kept, as part of the app was not analysed", ch.Kept},
		{"not accepted", ch.Unknown},
	} {
		for _, a := range list.of {
			fmt.Fprintf(&b, "%s: %s\n", list.what, report.AcceptedLine(a))
		}
	}
	state := "unchanged"
	switch {
	case ch.Created:
		state = "created"
	case written:
		state = "updated"
	}
	fmt.Fprintf(&b, "%s: %s, %d accepted", f.Name, state, len(f.Lines))
	if n := len(ch.Unknown); n > 0 {
		fmt.Fprintf(&b, "; %d not accepted (--accept ID or --accept all)", n)
	}
	b.WriteByte('\n')
	_, err := io.WriteString(p.stdout, b.String())
	return err
}

// store writes the file if its bytes change.
func (p *program) store(old, next *baseline.File) (bool, error) {
	b := next.Bytes()
	if !old.Missing && bytes.Equal(b, old.Source) {
		return false, nil
	}
	return true, p.output(next.Name).Write(func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}
