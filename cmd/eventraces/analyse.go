package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/eventraces/eventraces/engine"
	"github.com/eventraces/eventraces/engine/source"
)

// inputFlags say what is analysed besides the build outputs: the same for every
// command that analyses.
type inputFlags struct {
	sourceRoots []string
	appPackages []string
	models      []string
	mapping     []string // at most one
	quiet       bool
}

func (f *inputFlags) register(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.sourceRoots, "source-root", nil, "`DIR` with the app's sources; outputs then name real files, and comments there can suppress races (repeatable)")
	flags.StringArrayVar(&f.appPackages, "app-package", nil, "`PACKAGE` whose classes are the app's own, besides what the manifest tells (repeatable)")
	flags.StringArrayVar(&f.models, "model", nil, "`FILE` with models of methods, read after our own (repeatable)")
	flags.StringArrayVar(&f.mapping, "mapping", nil, "`FILE` mapping.txt that R8 or ProGuard wrote with a shrunk build; races then have the names and lines of the source")
}

// validate finds what can be known to fail before the analysis takes its time.
func (f *inputFlags) validate() error {
	for _, file := range f.models {
		if info, err := os.Stat(file); err != nil || info.IsDir() {
			return fmt.Errorf("--model %s: no such file", file)
		}
	}
	for i, file := range f.mapping {
		if i > 0 {
			return fmt.Errorf("--mapping %s: a build has one mapping, and %s is given already", file, f.mapping[0])
		}
		if info, err := os.Stat(file); err != nil || info.IsDir() {
			return fmt.Errorf("--mapping %s: no such file", file)
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

// files are all that is read besides the build outputs: no output may overwrite
// them.
func (f *inputFlags) files() []string { return slices.Concat(f.models, f.mapping) }

// packageName accepts what Java and Kotlin accept, loosely.
func packageName(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if part == "" || strings.ContainsAny(part, " \t\n/\\*;:") {
			return false
		}
	}
	return true
}

// analyse runs the engine, then finds the source files and what they suppress.
func (p *program) analyse(ctx context.Context, f *inputFlags, inputs []string, dump engine.Stage) (*engine.Result, error) {
	meter := p.newMeter(f.quiet)
	defer meter.clear()
	p.stage.set("starting")
	result, err := p.abandoning(ctx, engine.Options{
		Inputs:      inputs,
		AppPackages: f.appPackages,
		Models:      f.models,
		Mapping:     strings.Join(f.mapping, ""),
		Dump:        dump,
		DumpTo:      p.stdout,
		Progress: func(stage string, done, total int) {
			p.stage.set(stage)
			meter.show(stage, done, total)
		},
		ToolVersion: version,
	})
	if err != nil || len(f.sourceRoots) == 0 {
		return result, err
	}
	p.stage.set("searching the source roots")
	cwd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	tree, err := source.Open(f.sourceRoots, cwd)
	if err != nil {
		return nil, err
	}
	tree.Resolve(result.Run)
	tree.Suppress(result.Run, result.Names.HasFile)
	return result, nil
}

// abandoning runs the engine, and leaves it running when the context ends.
func (p *program) abandoning(ctx context.Context, o engine.Options) (*engine.Result, error) {
	type outcome struct {
		result *engine.Result
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		var x outcome
		x.err = p.contained(func() (err error) {
			x.result, err = p.analyser(ctx, o)
			return err
		})
		done <- x
	}()
	select {
	case x := <-done:
		return x.result, x.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
