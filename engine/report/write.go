// Package report renders a run as text for people and as JSON and SARIF for
// programs. It reads finding.Run and nothing else: every fact of an output
// stands in the run. Equal runs give equal bytes; there is no clock, no
// absolute path and no map order in them. Names that come from the analysed app
// are data of a stranger and are cleaned before people see them (see Clean).
// Cost: linear in the size of the run, which is held in memory once per output.
package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Output is a place to write to: a file name, or "-" for standard output.
type Output struct {
	Name    string
	Stdout  io.Writer
	Pending *Pending // nil: nobody interrupts
}

// Write calls render and puts what it wrote in place in one step: a reader sees
// the old file or the whole new one, never a part, whatever fails.
func (o Output) Write(render func(io.Writer) error) error {
	if o.Name == "-" {
		return o.writeStdout(render)
	}
	target := o.Name
	if real, err := filepath.EvalSymlinks(target); err == nil {
		target = real
	}
	info, err := os.Stat(target)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("cannot write %s: it is a folder", o.Name)
	case err == nil && !info.Mode().IsRegular():
		return o.writeDevice(render)
	}
	// The temporary file is a neighbour, so that the rename stays inside one
	// file system.
	f, err := o.Pending.create(filepath.Dir(target), "."+filepath.Base(target)+".*")
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", o.Name, Reason(err))
	}
	err = render(f)
	if err == nil {
		err = f.Chmod(mode(info))
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = o.Pending.place(f.Name(), target)
	}
	if err != nil {
		o.Pending.remove(f.Name())
		return fmt.Errorf("cannot write %s: %w", o.Name, Reason(err))
	}
	return nil
}

// writeStdout writes all in one call, so that no part of it is there while the
// rest is still made.
func (o Output) writeStdout(render func(io.Writer) error) error {
	var b bytes.Buffer
	if err := render(&b); err != nil {
		return err
	}
	if err := o.Pending.err(); err != nil {
		return err
	}
	_, err := o.Stdout.Write(b.Bytes())
	return err
}

// writeDevice serves /dev/stdout, named pipes and their like, which cannot be
// replaced.
func (o Output) writeDevice(render func(io.Writer) error) error {
	f, err := os.OpenFile(o.Name, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", o.Name, Reason(err))
	}
	err = render(f)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", o.Name, Reason(err))
	}
	return nil
}

// Reason drops the name of the temporary file, which would differ each time.
func Reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// mode keeps the permissions of a file that is replaced.
func mode(old os.FileInfo) os.FileMode {
	if old != nil {
		return old.Mode().Perm()
	}
	return 0o644
}
