package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/eventraces/eventraces/engine"
	"github.com/eventraces/eventraces/engine/finding"
)

// programs are what this test binary can be run as.
var programs = map[string]func(){"eventraces": main}

func TestMain(m *testing.M) {
	testscript.Main(m, programs)
}

func TestScripts(t *testing.T) {
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	testdata, err := filepath.Abs("../../engine/testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			env.Setenv("EXAMPLES", examples)
			env.Setenv("TESTDATA", testdata)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exitcode": exitCode, "truncate": truncate, "edit": edit, "bomb": bomb,
		},
	})
}

// exitCode runs eventraces and wants the given exit code: exitcode 2 check x.apk.
// What it printed is there for stdout and stderr afterwards; SARIF files that it
// wrote must fit the schema.
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: exitcode CODE ARGUMENT...")
	}
	err := ts.Exec("eventraces", args[1:]...)
	got := "0"
	var exit interface{ ExitCode() int }
	if errors.As(err, &exit) {
		got = string(rune('0' + exit.ExitCode()))
	} else {
		ts.Check(err)
	}
	if got != args[0] {
		ts.Fatalf("exit code is %s, want %s", got, args[0])
	}
	checkSARIF(ts, args)
}

func race(priority finding.Priority) finding.Race {
	side := func(kind finding.Kind, name string, line int) finding.Side {
		m := finding.Method{Class: "com.example.Main", Name: name, Params: []string{}}
		at := finding.Position{Method: m, File: "com/example/Main.java", Line: line}
		return finding.Side{
			Access: finding.Access{Position: at, Kind: kind, Action: m.QualifiedName(), Thread: "main looper",
				Entry: finding.Callback{Class: m.Class, Name: m.Name, Params: m.Params}},
			Events: []finding.Event{{What: "the system calls " + name, Cause: finding.BySystem, Callback: &m}},
			Calls:  []finding.Frame{{Position: at}},
		}
	}
	r := finding.Race{Rule: finding.UseAfterFree, Field: finding.Field{Class: "com.example.Main", Name: "db"},
		Sides: [2]finding.Side{side(finding.Use, "onClick", 10), side(finding.Free, "onDestroy", 20)},
		Order: "Nothing orders them.", Priority: priority,
		Facts: []finding.Fact{{Name: "test", Text: "as the test wants it", Limit: priority}}}
	r.Describe("")
	return r
}

// found is an analyser that finds the given races.
func found(limited bool, races ...finding.Race) analyser {
	return func(_ context.Context, o engine.Options) (*engine.Result, error) {
		run := &finding.Run{Schema: finding.SchemaVersion, Tool: finding.Tool{Name: finding.ToolName, Version: o.ToolVersion}}
		if limited {
			run.Notes = []finding.Notification{{Kind: finding.NoteBudget, Text: "a budget was reached"}}
		}
		run.Arrange(races)
		return &engine.Result{Run: run}, run.Check()
	}
}

func start(t *testing.T, a analyser, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	p := &program{analyser: a, stdout: &out, stderr: &err}
	code = p.run(t.Context(), args)
	return code, out.String(), err.String()
}

func TestExitCodes(t *testing.T) {
	crash := func(_ context.Context, o engine.Options) (*engine.Result, error) {
		o.Progress("lifting", 1, 2)
		panic("index out of range")
	}
	fails := func(context.Context, engine.Options) (*engine.Result, error) {
		return nil, errors.New("a.apk: not a zip file\nb.apk: not a zip file")
	}
	cases := []struct {
		name     string
		analyser analyser
		args     string
		code     int
	}{
		{"nothing found", found(false), "", 0},
		{"a high race", found(false, race(finding.High)), "", 1},
		{"a medium race", found(false, race(finding.Medium)), "", 0},
		{"a medium race, asked for", found(false, race(finding.Medium)), "--min-priority medium", 1},
		{"a low race, asked for", found(false, race(finding.Low)), "--min-priority=low --fail-on all", 1},
		{"a high race that must not fail", found(false, race(finding.High)), "--fail-on never", 0},
		{"a limit nobody asked for", found(true), "", 0},
		{"a limit", found(true), "--strict", 3},
		{"a limit and a race", found(true, race(finding.High)), "--strict", 1},
		{"a limit and a race that must not fail", found(true, race(finding.High)), "--strict --fail-on never", 3},
		{"strict without a limit", found(false), "--strict", 0},
		{"an unreadable input", fails, "", 2},
		{"our own crash", crash, "", 2},
		{"wrong usage", found(false), "--no-such-flag", 2},
	}
	dir := t.TempDir()
	for _, c := range cases {
		code, _, stderr := start(t, c.analyser, append([]string{"check", "a.apk"}, strings.Fields(c.args)...)...)
		if code != c.code {
			t.Errorf("%s: exit code %d, want %d (%s)", c.name, code, c.code, stderr)
		}
		// The code does not depend on the outputs.
		args := append([]string{"check", "a.apk", "--quiet", "--json", filepath.Join(dir, "x.json"), "--sarif", "-"}, strings.Fields(c.args)...)
		if code, _, _ := start(t, c.analyser, args...); code != c.code {
			t.Errorf("%s: with other outputs the exit code is %d, want %d", c.name, code, c.code)
		}
		if lines := strings.Count(stderr, "\n"); (code == 2) != (lines == 1) {
			t.Errorf("%s: %d lines on stderr: %s", c.name, lines, stderr)
		}
	}
}

func TestCrashNamesTheStage(t *testing.T) {
	crash := func(_ context.Context, o engine.Options) (*engine.Result, error) {
		o.Progress("lifting", 1, 2)
		panic("index out of range")
	}
	dir := t.TempDir()
	_, stdout, stderr := start(t, crash, "check", "a.apk", "--json", filepath.Join(dir, "out.json"))
	if !strings.Contains(stderr, "while lifting: index out of range") || stdout != "" {
		t.Errorf("stdout %q, stderr %q", stdout, stderr)
	}
	if files, _ := os.ReadDir(dir); len(files) != 0 {
		t.Errorf("a crash leaves %v", files)
	}
}

func TestInterruptIsSaid(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stderr bytes.Buffer
	p := &program{stderr: &stderr, analyser: func(ctx context.Context, _ engine.Options) (*engine.Result, error) { return nil, ctx.Err() }}
	if code := p.run(ctx, []string{"check", "a.apk"}); code != exitFailed || stderr.String() != "eventraces: interrupted\n" {
		t.Errorf("code %d, stderr %q", code, stderr.String())
	}
}

func TestOutputsOnStdout(t *testing.T) {
	a := found(false, race(finding.High))
	_, text, _ := start(t, a, "check", "a.apk")
	if !strings.HasPrefix(text, "HIGH  com.example.Main.db  use-after-free") || strings.Contains(text, "\x1b") {
		t.Errorf("text is:\n%s", text)
	}
	_, json, _ := start(t, a, "check", "a.apk", "--json", "-")
	if !strings.HasPrefix(json, "{\n  \"schemaVersion\": 2,") || strings.Contains(json, "HIGH ") {
		t.Errorf("JSON is:\n%.200s", json)
	}
	_, quiet, _ := start(t, a, "check", "a.apk", "--quiet")
	if quiet != "" {
		t.Errorf("--quiet prints:\n%s", quiet)
	}
}

func TestOptionsReachTheEngine(t *testing.T) {
	var got engine.Options
	a := func(_ context.Context, o engine.Options) (*engine.Result, error) {
		got = o
		return found(false)(nil, o)
	}
	model := filepath.Join(t.TempDir(), "m.yaml")
	if err := os.WriteFile(model, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := start(t, a, "check", "a.apk", "b.apk", "--app-package", "com.a", "--app-package", "com.b",
		"--model", model, "--dump", "hb")
	if code != 0 {
		t.Fatal(stderr)
	}
	if strings.Join(got.Inputs, " ") != "a.apk b.apk" || strings.Join(got.AppPackages, " ") != "com.a com.b" ||
		strings.Join(got.Models, " ") != model || got.Dump != engine.DumpHB || got.ToolVersion != version {
		t.Errorf("options are %+v", got)
	}
}

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"sarif", "sarrif", 1}, {"kitten", "sitting", 3}, {"json", "json", 0}} {
		if got := editDistance(c.a, c.b); got != c.want {
			t.Errorf("distance of %q and %q is %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
