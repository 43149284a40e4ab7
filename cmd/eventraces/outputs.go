package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/report"
)

// outputFlags are the files that a run is written to, beside text.
type outputFlags struct {
	sarif, sarifGitHub, json string
	upload                   choice
	flags                    *pflag.FlagSet
	leftOut                  []finding.Notification // what the upload lacks, once it is written
}

func (f *outputFlags) register(flags *pflag.FlagSet) {
	f.flags = flags
	f.upload = choice{string(report.UploadAll), []string{string(report.UploadAll), string(report.UploadNew)}}
	flags.StringVar(&f.sarif, "sarif", "", "write SARIF 2.1.0 with all findings to `FILE`; - is standard output")
	flags.StringVar(&f.sarifGitHub, "sarif-github", "", "write the SARIF that GitHub code scanning accepts to `FILE`; - is standard output")
	flags.Var(&f.upload, "upload", "which findings --sarif-github holds; decide once, as a change closes or reopens alerts")
	flags.StringVar(&f.json, "json", "", "write the run as JSON to `FILE`; - is standard output")
}

// output is one file to write.
type output struct {
	flag, file string
	render     func(io.Writer, *finding.Run) error
}

func (f *outputFlags) all() []output {
	upload := report.Upload(f.upload.value)
	return []output{
		{"--sarif", f.sarif, report.SARIF},
		{"--sarif-github", f.sarifGitHub, func(w io.Writer, run *finding.Run) (err error) {
			f.leftOut, err = report.GitHubSARIF(w, run, upload)
			return err
		}},
		{"--json", f.json, report.JSON},
	}
}

// validate finds what cannot be written before the analysis takes its time.
// inputs are files that no output may overwrite; taken is the flag that has
// standard output already, or "".
func (f *outputFlags) validate(inputs []string, taken string) error {
	outputs := f.all()
	for i, o := range outputs {
		if o.file == "" {
			if f.flags.Changed(o.flag[2:]) {
				return fmt.Errorf("%s is empty: name a file or leave it out", o.flag)
			}
			continue
		}
		if o.file == "-" {
			if taken != "" {
				return fmt.Errorf("%s: standard output is taken by %s; give one of them a file", o.flag, taken)
			}
			taken = o.flag
			continue
		}
		if err := writable(o.flag, o.file, inputs); err != nil {
			return err
		}
		for _, other := range outputs[:i] {
			if other.file != "-" && other.file != "" && samePlace(other.file, o.file) {
				return fmt.Errorf("%s and %s name the same file %s", other.flag, o.flag, o.file)
			}
		}
	}
	return nil
}

// writable: the folder of an output exists, and no input would be overwritten.
func writable(flag, file string, inputs []string) error {
	if info, err := os.Stat(filepath.Dir(file)); err != nil || !info.IsDir() {
		return fmt.Errorf("%s %s: no such folder: %s", flag, file, filepath.Dir(file))
	}
	if slices.ContainsFunc(inputs, func(in string) bool { return sameFile(in, file) }) {
		return fmt.Errorf("%s %s would overwrite an input; name another file", flag, file)
	}
	return nil
}

// samePlace: both names are of one file, whether it exists or not.
func samePlace(a, b string) bool {
	return sameFile(a, b) || filepath.Base(a) == filepath.Base(b) && sameFile(filepath.Dir(a), filepath.Dir(b))
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

// toStdout: an output for programs has standard output.
func (f *outputFlags) toStdout() bool {
	return slices.ContainsFunc(f.all(), func(o output) bool { return o.file == "-" })
}

// write makes the files; the text comes after them, as what is on the terminal
// last is what people read.
func (p *program) write(f *outputFlags, run *finding.Run) error {
	p.stage.set("writing the outputs")
	for _, o := range f.all() {
		if o.file == "" {
			continue
		}
		if err := p.output(o.file).Write(func(w io.Writer) error { return o.render(w, run) }); err != nil {
			return fmt.Errorf("%s: %w", o.flag, err)
		}
	}
	return nil
}

// output is a place to write to, which an interrupted run leaves as it was.
func (p *program) output(file string) report.Output {
	return report.Output{Name: file, Stdout: p.stdout, Pending: &p.pending}
}

// text prints a run for people.
func (p *program) text(run *finding.Run, o report.TextOptions) error {
	return p.output("-").Write(func(w io.Writer) error { return report.Text(w, run, o) })
}
