package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/eventraces/eventraces/engine"
	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/report"
)

// checkFlags are the flags of check, as given.
type checkFlags struct {
	sarif, json string
	sourceRoots []string
	appPackages []string
	models      []string
	minPriority priorityFlag
	failOn      choice
	strict      bool
	quiet       bool
	dump        choice
}

func (p *program) checkCommand() *cobra.Command {
	f := &checkFlags{
		minPriority: priorityFlag{finding.High},
		failOn:      choice{"new", []string{"new", "all", "never"}},
	}
	for _, stage := range engine.DumpStages() {
		f.dump.choices = append(f.dump.choices, string(stage))
	}
	c := &cobra.Command{
		Use:   "check BUILD_OUTPUT...",
		Short: "Find the races of an app",
		Long: "check analyses the build outputs of one app (an APK) and tells its races: as text on standard output,\n" +
			"and as SARIF or JSON where asked.\n\n" +
			"Exit codes: 0 nothing new at or above --min-priority, 1 something new, 2 no verdict, 3 a limit was hit (--strict).",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("check needs a build output, such as app-debug.apk")
			}
			return nil
		},
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			for _, name := range []string{"sarif", "json"} {
				if fl := c.Flags().Lookup(name); fl.Changed && fl.Value.String() == "" {
					return fmt.Errorf("--%s is empty: name a file or leave it out", name)
				}
			}
			return p.check(c.Context(), f, args)
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.sarif, "sarif", "", "write SARIF 2.1.0 with all findings to `FILE`; - is standard output")
	flags.StringVar(&f.json, "json", "", "write the run as JSON to `FILE`; - is standard output")
	flags.StringArrayVar(&f.sourceRoots, "source-root", nil, "`DIR` with the app's sources; outputs then name real files (repeatable)")
	flags.StringArrayVar(&f.appPackages, "app-package", nil, "`PACKAGE` whose classes are the app's own, besides what the manifest tells (repeatable)")
	flags.StringArrayVar(&f.models, "model", nil, "`FILE` with models of methods, read after our own (repeatable)")
	flags.Var(&f.minPriority, "min-priority", "lowest priority that text shows and that fails")
	flags.Var(&f.failOn, "fail-on", "which races give exit code 1")
	flags.BoolVar(&f.strict, "strict", false, "exit with 3 if a limit was hit or a part of the input was unreadable")
	flags.Var(&f.dump, "dump", "print a stage as text instead of the races")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print no races and no progress; files and exit code stay")
	return c
}

func (p *program) check(ctx context.Context, f *checkFlags, inputs []string) error {
	if err := f.validate(inputs); err != nil {
		return err
	}
	run, err := p.analyse(ctx, f, inputs)
	if err != nil {
		return err
	}
	p.stage.set("writing the outputs")
	if err := p.write(f, run); err != nil {
		return err
	}
	p.code = verdict(f, run)
	return nil
}

// validate finds what can be known to fail before the analysis takes its time.
func (f *checkFlags) validate(inputs []string) error {
	stdout := ""
	for _, o := range []struct{ flag, file string }{{"--sarif", f.sarif}, {"--json", f.json}, {"--dump", f.dumpFile()}} {
		switch {
		case o.file == "":
		case o.file == "-" && stdout != "":
			return fmt.Errorf("%s: standard output is taken by %s; give one of them a file", o.flag, stdout)
		case o.file == "-":
			stdout = o.flag
		default:
			if info, err := os.Stat(filepath.Dir(o.file)); err != nil || !info.IsDir() {
				return fmt.Errorf("%s %s: no such folder: %s", o.flag, o.file, filepath.Dir(o.file))
			}
		}
	}
	if f.sarif != "" && f.sarif != "-" && filepath.Clean(f.sarif) == filepath.Clean(f.json) {
		return fmt.Errorf("--sarif and --json name the same file %s", f.sarif)
	}
	for _, in := range slices.Concat(inputs, f.models) {
		for _, o := range []struct{ flag, file string }{{"--sarif", f.sarif}, {"--json", f.json}} {
			if sameFile(in, o.file) {
				return fmt.Errorf("%s %s would overwrite an input; name another file", o.flag, o.file)
			}
		}
	}
	for _, file := range f.models {
		if info, err := os.Stat(file); err != nil || info.IsDir() {
			return fmt.Errorf("--model %s: no such file", file)
		}
	}
	for _, pkg := range f.appPackages {
		if !packageName(pkg) {
			return fmt.Errorf("--app-package %q: want a package such as com.example.app", pkg)
		}
	}
	for _, dir := range f.sourceRoots {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return fmt.Errorf("--source-root %s: not a folder", dir)
		}
	}
	return nil
}

// sameFile: both names are of one file that exists.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// packageName accepts what Java and Kotlin accept, loosely.
func packageName(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if part == "" || strings.ContainsAny(part, " \t\n/\\*;:") {
			return false
		}
	}
	return true
}

func (f *checkFlags) dumpFile() string {
	if f.dump.value == "" {
		return ""
	}
	return "-"
}

func (p *program) analyse(ctx context.Context, f *checkFlags, inputs []string) (*finding.Run, error) {
	meter := p.newMeter(f.quiet)
	defer meter.clear()
	p.stage.set("starting")
	result, err := p.analyser(ctx, engine.Options{
		Inputs:      inputs,
		AppPackages: f.appPackages,
		Models:      f.models,
		Dump:        engine.Stage(f.dump.value),
		DumpTo:      p.stdout,
		Progress: func(stage string, done, total int) {
			p.stage.set(stage)
			meter.show(stage, done, total)
		},
		ToolVersion: version,
	})
	if err != nil {
		return nil, err
	}
	if len(f.sourceRoots) > 0 {
		p.stage.set("searching the source roots")
		cwd, err := os.Getwd()
		if err != nil {
			return nil, err
		}
		sources, err := report.OpenSources(f.sourceRoots, cwd)
		if err != nil {
			return nil, err
		}
		sources.Resolve(result.Run)
	}
	return result.Run, nil
}

// write makes the files first: what is on the terminal last is what people read.
func (p *program) write(f *checkFlags, run *finding.Run) error {
	for _, o := range []struct {
		flag, file string
		render     func(io.Writer, *finding.Run) error
	}{
		{"--sarif", f.sarif, report.SARIF},
		{"--json", f.json, report.JSON},
	} {
		if o.file == "" {
			continue
		}
		out := report.Output{Name: o.file, Stdout: p.stdout}
		if err := out.Write(func(w io.Writer) error { return o.render(w, run) }); err != nil {
			return fmt.Errorf("%s: %w", o.flag, err)
		}
	}
	if f.quiet || f.sarif == "-" || f.json == "-" || f.dump.value != "" {
		return nil
	}
	return report.Text(p.stdout, run, report.TextOptions{MinPriority: f.minPriority.p, Color: p.colored()})
}

// verdict is the exit code. There is no baseline yet, so every race is new.
func verdict(f *checkFlags, run *finding.Run) int {
	if f.failOn.value != "never" {
		for i := range run.Findings {
			if run.Findings[i].Priority >= f.minPriority.p {
				return exitRaces
			}
		}
	}
	if f.strict && run.Limited() {
		return exitLimited
	}
	return exitClean
}
