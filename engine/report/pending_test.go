package report_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/eventraces/eventraces/engine/report"
)

// TestDropTakesAwayWhatIsWritten: an interrupted program leaves the old file and
// nothing beside it, though what writes goes on.
func TestDropTakesAwayWhatIsWritten(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "x.json")
	if err := os.WriteFile(target, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	var stdout bytes.Buffer
	var pending report.Pending
	half := func(w io.Writer) error {
		if _, err := w.Write([]byte("half")); err != nil {
			return err
		}
		pending.Drop()
		if files, _ := os.ReadDir(dir); len(files) != 1 {
			t.Errorf("files are %v", files)
		}
		w.Write([]byte(" of it")) // the file is closed, which is as good as any other failure
		return nil
	}
	for _, name := range []string{target, "-"} {
		if err := (report.Output{Name: name, Stdout: &stdout, Pending: &pending}).Write(half); err == nil {
			t.Errorf("%s is written after all", name)
		}
	}
	whole := func(w io.Writer) error { _, err := w.Write([]byte("whole")); return err }
	if err := (report.Output{Name: target, Pending: &pending}).Write(whole); err == nil {
		t.Error("another output is put in place after that")
	}
	if b, err := os.ReadFile(target); err != nil || string(b) != "old" || stdout.Len() > 0 {
		t.Errorf("the file holds %q (%v), standard output %q", b, err, &stdout)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("files are %v", files)
	}
}

// TestPendingLeavesOthersAlone: what was put in place, or failed, is not pending.
func TestPendingLeavesOthersAlone(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "x.json")
	var pending report.Pending
	out := report.Output{Name: target, Pending: &pending}
	if err := out.Write(func(w io.Writer) error { _, err := w.Write([]byte("whole")); return err }); err != nil {
		t.Fatal(err)
	}
	if err := out.Write(func(io.Writer) error { return errors.New("no") }); err == nil {
		t.Error("a failure is not told")
	}
	pending.Drop()
	if b, err := os.ReadFile(target); err != nil || string(b) != "whole" {
		t.Errorf("the file holds %q (%v)", b, err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("files are %v", files)
	}
}
