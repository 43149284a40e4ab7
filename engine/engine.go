// Package engine finds event-based races in the build outputs of an Android
// app. Check is the whole run; it reads like a table of contents of the stages
// below internal/.
package engine

import (
	"context"
	"fmt"
	"io"

	"github.com/eventraces/eventraces/engine/finding"
)

// Options say what to analyse and what to tell on the way.
type Options struct {
	Inputs      []string // build outputs, at least one
	AppPackages []string // packages that are the app's own, besides what the manifest tells
	Models      []string // model files of the user, read after ours
	Mapping     string   // mapping.txt of a shrunk build; "" for none
	Dump        Stage    // stage to print; "" for none
	DumpTo      io.Writer
	Progress    Progress // nil: nobody listens
	ToolVersion string   // goes into Run.Tool
}

// Stage names a stage whose value can be printed as text.
type Stage string

const (
	DumpIR         Stage = "ir"
	DumpCallgraph  Stage = "callgraph"
	DumpActions    Stage = "actions"
	DumpHB         Stage = "hb"
	DumpCandidates Stage = "candidates"
)

// DumpStages are all stages that can be printed, in the order they run.
func DumpStages() []Stage {
	return []Stage{DumpIR, DumpCallgraph, DumpActions, DumpHB, DumpCandidates}
}

// Progress hears how far a stage is: done of total units, total 0 if not known.
// It may be called from several goroutines at once and must be quick.
type Progress func(stage string, done, total int)

// Result is what a run gives.
type Result struct {
	Run   *finding.Run // arranged and checked
	Names *Names
}

// Check analyses the inputs. An error means no verdict: an input or a model
// could not be read at all. It names the file and the reason in one line.
func Check(ctx context.Context, o Options) (*Result, error) {
	r := &run{Options: o}
	for _, s := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"reading", r.read},
		{"lifting", r.lift},
		{"points-to", r.solve},
		{"actions", r.act},
		{"ordering", r.order},
		{"races", r.races},
	} {
		if o.Progress != nil {
			o.Progress(s.name, 0, 0)
		}
		if err := guarded(ctx, s.name, s.do); err != nil {
			return nil, err
		}
	}
	return r.result()
}

// guarded runs a stage; a panic comes back as a Failure that names it.
func guarded(ctx context.Context, name string, do func(context.Context) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &Failure{name, fmt.Errorf("internal error: %v", p)}
		}
	}()
	if err := ctx.Err(); err != nil {
		return err
	}
	return do(ctx)
}

// Failure is an error with the stage it came from; a panic inside a stage comes
// back as one.
type Failure struct {
	Stage string
	Err   error
}

func (f *Failure) Error() string { return f.Stage + ": " + f.Err.Error() }

func (f *Failure) Unwrap() error { return f.Err }
