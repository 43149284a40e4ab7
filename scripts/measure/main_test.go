//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/internal/cost"
)

func ended(name string, cpu, races float64, high int, memory int64) row {
	return row{
		name: name, memory: memory << 20, counts: finding.Counts{Methods: 10, High: high},
		Run: cost.Run{Ended: true, CPU: time.Duration(cpu * float64(time.Second)), Stages: []cost.Stage{
			{Name: "reading the command line"}, {Name: "reading", CPU: cpu - races}, {Name: "races", CPU: races},
		}},
	}
}

// lines are those of the table that begin with a cell.
func lines(t *testing.T, rows []row, o options) map[string][]string {
	t.Helper()
	var b strings.Builder
	if err := table(&b, rows, o); err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	columns := 0
	for line := range strings.Lines(b.String()) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if !strings.HasPrefix(line, "|") {
			columns = 0
			continue
		}
		if columns == 0 {
			columns = len(cells)
		}
		if len(cells) != columns {
			t.Errorf("%d cells in a table of %d: %s", len(cells), columns, line)
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if _, second := out[cells[0]]; !second { // the table of the stages comes second
			out[cells[0]] = cells
		} else {
			out["stages of "+cells[0]] = cells
		}
	}
	return out
}

func TestTable(t *testing.T) {
	o := options{runs: 5, timeout: 2 * time.Minute, folder: "somewhere"}
	slow := row{name: "slow", memory: 900 << 20, Run: cost.Run{Wall: o.timeout, CPU: 150 * time.Second}}
	broken := row{name: "broken", Run: cost.Run{Ended: true, Failure: "broken.apk: not a zip file"}}
	rows := []row{ended("a", 1, 0.25, 3, 100), ended("b", 3, 1.5, 0, 300), ended("c", 2, 1, 8, 200), slow, broken}
	got := lines(t, rows, o)
	for _, c := range []struct {
		line   string
		column int
		want   string
	}{
		{"a", 10, "1.00"}, {"a", 11, "25 %"}, {"a", 12, "100"}, {"a", 13, "no"},
		{"stages of a", 1, "750"}, {"stages of a", 6, "250"}, {"stages of a", 7, "0"},
		{"slow", 9, "> 120.00"}, {"slow", 10, "> 150.00"}, {"slow", 12, "> 900"}, {"slow", 13, "does not end in 2m0s"},
		{"broken", 13, "no verdict"},
		{"**5 apps**: median, largest", 6, "3.0"},
		{"**5 apps**: median, largest", 10, "**2.00, does not end**"},
		{"**5 apps**: median, largest", 11, "50 %, 50 %"},
		{"**5 apps**: median, largest", 12, "900"},
	} {
		if cells := got[c.line]; len(cells) <= c.column || cells[c.column] != c.want {
			t.Errorf("%s, column %d: %q, want %q", c.line, c.column, cells, c.want)
		}
	}
	if _, ok := got["stages of slow"]; ok {
		t.Error("an app that did not end has times of stages")
	}
}

func TestAppsOfAFolder(t *testing.T) {
	dir := t.TempDir()
	if _, err := choose(options{folder: dir}); err == nil {
		t.Error("a folder without APKs is accepted")
	}
	for _, name := range []string{"b.apk", "a.apk", "README"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	apps, err := choose(options{folder: dir})
	if err != nil || len(apps) != 2 || apps[0].name != "a" || apps[1].path != filepath.Join(dir, "b.apk") {
		t.Errorf("apps are %v, error %v", apps, err)
	}
	if apps, err := choose(options{folder: dir, only: "b"}); err != nil || len(apps) != 1 || apps[0].name != "b" {
		t.Errorf("apps are %v, error %v", apps, err)
	}
	if _, err := choose(options{folder: dir, only: "c"}); err == nil {
		t.Error("an app that is not there is chosen")
	}
}

// A run that takes longer than it may is ended, and what fails is told.
func TestRunsThatGiveNoVerdict(t *testing.T) {
	dir := t.TempDir()
	program := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return file
	}
	r, err := cost.Measure(program("forever", "exec sleep 60"), "x.apk", filepath.Join(dir, "x"), 200*time.Millisecond)
	if err != nil || r.Ended || r.Wall > 30*time.Second {
		t.Errorf("a run without end gives %+v, error %v", r, err)
	}
	r, err = cost.Measure(program("fails", "echo 'eventraces: no such file' >&2; exit 2"), "x.apk", filepath.Join(dir, "x"), time.Minute)
	if err != nil || !r.Ended || r.Failure != "eventraces: no such file" {
		t.Errorf("a run that fails gives %+v, error %v", r, err)
	}
}
