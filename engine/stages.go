package engine

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/actions"
	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/hb"
	"github.com/eventraces/eventraces/engine/internal/input"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/mapping"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
	"github.com/eventraces/eventraces/engine/internal/race"
)

// run carries the value of each stage to the next.
type run struct {
	Options
	bundle  *input.Bundle
	models  *platform.Models
	index   *platform.Index
	mapping *mapping.Mapping // nil if there is none
	prog    *ir.Program
	solved  *pointsto.Result
	acts    *actions.Set
	graph   *hb.Graph
	found   *race.Result
	notes   []finding.Notification
	renamed bool // the app's names are not those of its source
	uncut   bool // analyse all code of dependencies: tests compare it with the library cut
}

// read opens the build outputs and loads the platform's knowledge.
func (r *run) read(ctx context.Context) error {
	var wg sync.WaitGroup
	var modelErr, indexErr, mapErr error
	wg.Go(func() { r.models, modelErr = platform.LoadModels(r.Models) })
	wg.Go(func() { r.index, indexErr = platform.LoadIndex() })
	wg.Go(func() { r.mapping, mapErr = readMapping(r.Mapping) })
	b, err := input.Open(ctx, r.Inputs, input.Options{AppPackages: r.AppPackages})
	wg.Wait()
	for _, e := range []error{err, modelErr, indexErr, mapErr} {
		if e != nil {
			return e
		}
	}
	r.bundle = b
	r.models = r.models.ForSDK(b.Manifest.MinSDK, b.Manifest.TargetSDK)
	for _, p := range b.Problems {
		r.note(finding.NoteBrokenInput, p.Reason, strings.TrimPrefix(filepath.Base(p.File)+"!"+p.Entry, "!"))
	}
	return nil
}

func (r *run) note(k finding.NoteKind, text, where string) {
	if n := (finding.Notification{Kind: k, Text: text, Where: where}); !slices.Contains(r.notes, n) {
		r.notes = append(r.notes, n)
	}
}

// lift decodes the dex files and builds the program.
func (r *run) lift(ctx context.Context) error {
	files, err := r.parse(ctx)
	if err != nil {
		return err
	}
	sources, err := r.unshrink(files)
	if err != nil {
		return err
	}
	classes := classNames(files)
	origins := r.bundle.Origins(classes, buildTypes(files))
	for _, n := range origins.Notes {
		r.note(finding.NoteInfo, n, "")
	}
	r.noteShrunk(shrunkBuild(files, classes, r.bundle, origins.Origin))
	r.bundle.Dex = nil
	prog, errs := ir.Build(files, r.index, func(c string) ir.Origin {
		if origins.Origin(c) == input.App {
			return ir.App
		}
		return ir.Dependency
	}, append(r.models.Mentioned(), r.models.Failures()...)...)
	if sources != nil {
		prog.Restore(sources)
	}
	for _, e := range errs {
		r.note(finding.NoteBrokenClass, e.Error(), "")
	}
	if broken := r.firstBroken(); broken != "" && !slices.ContainsFunc(prog.Methods, func(m ir.Method) bool { return m.HasCode }) {
		return fmt.Errorf("no class can be read: %s", broken)
	}
	r.prog = prog
	if r.Dump == DumpIR {
		return r.dumpIR()
	}
	return nil
}

// firstBroken is the text of the first note about a class that cannot be read.
func (r *run) firstBroken() string {
	for _, n := range r.notes {
		if n.Kind == finding.NoteBrokenClass {
			return n.Text
		}
	}
	return ""
}

// parse decodes the dex files, several at once.
func (r *run) parse(ctx context.Context) ([]*dex.File, error) {
	parsed := make([][]*dex.File, len(r.bundle.Dex))
	errs := make([]error, len(r.bundle.Dex))
	damaged := make([]bool, len(r.bundle.Dex))
	sem := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i, d := range r.bundle.Dex {
		sem <- struct{}{}
		wg.Go(func() {
			defer func() { <-sem }()
			defer func() {
				if p := recover(); p != nil {
					errs[i] = fmt.Errorf("%s: internal error: %v", d.Name, p)
				}
			}()
			parsed[i], errs[i] = dex.Parse(d.Name, d.Data)
			damaged[i] = errs[i] == nil && !dex.Intact(d.Data)
		})
	}
	wg.Wait()
	var files []*dex.File
	var first error
	for i := range parsed {
		if errs[i] != nil {
			r.note(finding.NoteBrokenInput, errs[i].Error(), filepath.Base(r.bundle.Dex[i].Name))
			first = cmp.Or(first, errs[i])
		}
		if damaged[i] {
			r.note(finding.NoteBrokenInput, "its checksum is wrong: it has changed since it was built", filepath.Base(r.bundle.Dex[i].Name))
		}
		for _, f := range parsed[i] {
			files = append(files, f)
			for _, b := range f.Broken {
				r.note(finding.NoteBrokenClass, b.Error(), "")
			}
		}
	}
	if len(files) == 0 && first != nil {
		return nil, first
	}
	return files, ctx.Err()
}

func classNames(files []*dex.File) []string {
	var out []string
	for _, f := range files {
		for i := range f.Classes {
			if name, err := f.TypeName(uint32(f.Classes[i].Type)); err == nil {
				out = append(out, dotted(name))
			}
		}
	}
	return out
}

// buildTypes are the build types (debug, release) that the BuildConfig classes tell, by package.
func buildTypes(files []*dex.File) map[string]string {
	out := map[string]string{}
	for _, f := range files {
		for i := range f.Classes {
			c := &f.Classes[i]
			name, err := f.TypeName(uint32(c.Type))
			pkg, ok := strings.CutSuffix(dotted(name), ".BuildConfig")
			if err != nil || !ok {
				continue
			}
			for k := range min(len(c.StaticFields), len(c.StaticValues)) {
				field, err := f.Field(c.StaticFields[k].Field)
				if err != nil || c.StaticValues[k].Kind != dex.ValueString {
					continue
				}
				if name, _ := f.String(field.Name); name == "BUILD_TYPE" {
					out[pkg], _ = f.String(c.StaticValues[k].Index())
				}
			}
		}
	}
	return out
}

func dotted(desc string) string {
	if len(desc) < 2 {
		return desc
	}
	return strings.ReplaceAll(desc[1:len(desc)-1], "/", ".")
}

// solve computes the call graph and the points-to sets.
func (r *run) solve(ctx context.Context) error {
	var err error
	r.solved, err = pointsto.Solve(ctx, &pointsto.Config{
		Prog: r.prog, Models: r.models, Roots: r.components(), Layout: pointsto.ResourcesOf(r.bundle), Cut: !r.uncut,
	})
	if err != nil {
		return err
	}
	for _, e := range r.solved.Broken {
		r.note(finding.NoteBrokenClass, e.Error(), "")
	}
	if r.Dump == DumpCallgraph {
		return r.solved.Print(r.DumpTo)
	}
	return nil
}

// anyProcess is the process of what runs in every process of the app.
const anyProcess = "*"

// components lists the component classes that exist in the program, in the
// manifest's order, and then the instrumentations of a test APK.
func (r *run) components() []pointsto.ComponentRoot {
	var out []pointsto.ComponentRoot
	seen := map[ir.ClassID]bool{}
	add := func(name, process string) {
		c := r.prog.Lookup(name)
		switch {
		case name == "":
		case c == 0 || !r.prog.Classes[c].Defined:
			r.note(finding.NoteBrokenInput, "the manifest names a component whose class is in no dex file: part of the app is missing", name)
		case !seen[c]:
			seen[c] = true
			out = append(out, pointsto.ComponentRoot{Class: c, Process: process})
		}
	}
	add(r.bundle.Manifest.Application, anyProcess) // one in each
	for _, c := range r.bundle.Manifest.Components {
		add(c.Name, c.Process)
	}
	for _, i := range r.bundle.Manifest.Instrumentations {
		if c := r.prog.Lookup(i.Name); c != 0 && r.prog.Classes[c].Defined { // it may be in the app under test
			add(i.Name, "")
		}
	}
	return out
}

// act makes the actions and the model of their order.
func (r *run) act(context.Context) error {
	r.acts = actions.Build(r.solved)
	for _, name := range r.acts.Unknown() {
		r.note(finding.NoteUnknownThread, "the thread that runs it is not known, so its races are at most medium", name)
	}
	if app, reached := r.acts.AppMethods(); app > 0 && reached == 0 {
		r.note(finding.NoteInfo, "no entry leads to the app's code: the manifest names no component that the app itself has written, so nothing could race", "")
	}
	if r.Dump == DumpActions {
		return r.acts.Print(r.DumpTo)
	}
	return nil
}

// order computes happens-before.
func (r *run) order(context.Context) error {
	r.graph = hb.Build(r.acts.Model)
	if r.Dump == DumpHB {
		return r.graph.Print(r.DumpTo)
	}
	return nil
}

// races finds the candidates and keeps those that are races.
func (r *run) races(ctx context.Context) error {
	var progress func(done, total int)
	if r.Progress != nil {
		progress = func(done, total int) { r.Progress("races", done, total) }
	}
	var err error
	r.found, err = race.Find(ctx, r.acts, r.graph, progress)
	if err != nil {
		return err
	}
	r.notes = append(r.notes, r.found.Notes...)
	if r.Dump == DumpCandidates {
		return r.found.Print(r.DumpTo)
	}
	return nil
}

// result arranges what was found.
func (r *run) result() (*Result, error) {
	m := r.bundle.Manifest
	ignores, notes := readIgnores(r.prog)
	r.notes = append(r.notes, notes...)
	out := &finding.Run{
		Schema: finding.SchemaVersion,
		Tool:   finding.Tool{Name: finding.ToolName, Version: r.ToolVersion},
		App:    finding.App{Package: m.Package, MinSDK: m.MinSDK, TargetSDK: m.TargetSDK, Renamed: r.renamed},
		Counts: r.counts(),
		Notes:  r.notes,
	}
	for _, in := range r.Inputs {
		out.Inputs = append(out.Inputs, finding.Input{Name: filepath.Base(in)})
	}
	out.Arrange(r.found.Races)
	applyIgnores(r.prog, ignores, out)
	if err := out.Check(); err != nil {
		return nil, &Failure{"findings", err}
	}
	return &Result{out, newNames(r.prog)}, nil
}

func (r *run) counts() finding.Counts {
	var c finding.Counts
	for i := range r.prog.Classes {
		switch r.prog.Classes[i].Origin {
		case ir.App:
			c.Classes++
			c.AppClasses++
		case ir.Dependency:
			c.Classes++
		}
	}
	for i := range r.prog.Methods {
		if r.prog.Methods[i].HasCode {
			c.Methods++
		}
	}
	for _, f := range r.acts.ByFunc {
		if f != nil {
			c.Reached++
		}
	}
	c.Actions = len(r.acts.Actions) - 1
	c.OrderEdges = r.graph.Edges()
	c.Candidates, c.Filtered = r.found.Candidates, r.found.Filtered
	return c
}

// dumpIR prints every method that has code.
func (r *run) dumpIR() error {
	for m := range r.prog.Methods {
		if !r.prog.Methods[m].HasCode {
			continue
		}
		b, err := r.prog.Lift(ir.MethodID(m))
		if err != nil {
			return err
		}
		if err := r.prog.Print(r.DumpTo, b); err != nil {
			return err
		}
	}
	return nil
}
