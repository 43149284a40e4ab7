//go:build unix

// Command grow writes apps of growing size, or measures how the program's time
// and memory grow with them: a table, with a plot beside it.
//
//	grow -shape chain -size 6000 -out app.apk
//	grow -shape general -components 10 -fields 50 -accesses 20 -actions 100 -depth 3 -silent -out app.apk
//	grow -measure -program bin/eventraces -out docs/growth.md
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/eventraces/eventraces/engine/growtest"
)

func main() {
	if err := run(os.Args[1:], os.Stderr); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "grow:", err)
		}
		os.Exit(1)
	}
}

// options are the flags, as given.
type options struct {
	shape, out string
	size       int
	silent     bool
	general    growtest.Params
	measuring
}

func run(args []string, stderr io.Writer) error {
	var o options
	flags := flag.NewFlagSet("grow", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.shape, "shape", "", "shape of the app: general, "+strings.Join(names(), ", "))
	flags.IntVar(&o.size, "size", 0, "size of the app; 0: the size that a run must cope with")
	flags.BoolVar(&o.silent, "silent", false, "the kind of the app in which nothing races")
	flags.StringVar(&o.out, "out", "", "APK to write; with -measure the page, whose plot stands beside it")
	g := &o.general
	flags.IntVar(&g.Components, "components", 1, "activities of a general app")
	flags.IntVar(&g.Fields, "fields", 1, "fields of a general app")
	flags.IntVar(&g.Accesses, "accesses", 1, "uses of each field of a general app")
	flags.IntVar(&g.Actions, "actions", 2, "callbacks of the user of a general app")
	flags.IntVar(&g.Depth, "depth", 0, "posts between the callbacks of a general app and their accesses")
	measure := flags.Bool("measure", false, "measure shapes instead of writing an app")
	flags.StringVar(&o.program, "program", "bin/eventraces", "program to measure")
	flags.StringVar(&o.only, "only", "", "shapes to measure, separated by commas; all if empty")
	flags.DurationVar(&o.timeout, "timeout", 20*time.Second, "end a run after this time")
	flags.IntVar(&o.runs, "runs", 1, "runs of each app, of which the fastest counts")
	flags.Float64Var(&o.scale, "scale", 1, "measure sizes that are this part of the full ones")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("%q is no flag", flags.Arg(0))
	case o.out == "":
		return errors.New("-out is missing: name the file to write")
	case *measure:
		return o.measure(o.out, stderr)
	}
	apk, err := o.apk()
	if err != nil {
		return err
	}
	return os.WriteFile(o.out, apk, 0o644)
}

// apk is the app that the flags describe.
func (o options) apk() ([]byte, error) {
	if o.shape == "general" {
		if g := o.general; g.Components < 1 || g.Fields < 1 || g.Accesses < 1 || g.Actions < 2 || g.Depth < 0 {
			return nil, fmt.Errorf("%+v: want at least one of each, two actions, and no negative depth", g)
		}
		return growtest.General(o.general, !o.silent), nil
	}
	s, ok := growtest.ByName(o.shape)
	if !ok {
		return nil, fmt.Errorf("-shape %q: want general or one of %s", o.shape, strings.Join(names(), ", "))
	}
	switch {
	case o.size == 0:
		o.size = s.Full
	case o.size < growtest.Smallest:
		return nil, fmt.Errorf("-size %d: want %d or more", o.size, growtest.Smallest)
	}
	return s.APK(o.size, !o.silent), nil
}

// names are those of all shapes.
func names() []string {
	var out []string
	for _, s := range growtest.Shapes {
		out = append(out, s.Name)
	}
	return out
}
