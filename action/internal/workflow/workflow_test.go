package workflow

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// hostile is what an app or a change may hold.
var hostile = []string{
	"::error::pwned", "\n::add-mask::x", "\r::set-output name=a::b", "##[command]x", "a\x1b[31mb", "%0A::error::x", "a\u2028::error::b",
	"EOF\nstatus=clean", "_GitHubActionsFileCommandDelimeter_\nstatus<<X\nclean\nX", "::stop-commands::x", "::endgroup::",
}

func runner(t *testing.T, env map[string]string) (*Runner, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	return New(func(key string) string { return env[key] }, &log), &log
}

// commands are the lines that the runner would act on, as it reads them: those
// that begin with :: after spaces, unless commands are stopped, and ##[ anywhere.
func commands(log string) []string {
	var out []string
	stopped := ""
	for _, l := range regexp.MustCompile("\r\n|\n|\r").Split(log, -1) {
		trimmed := strings.TrimSpace(l)
		switch {
		case stopped != "":
			if trimmed == "::"+stopped+"::" {
				stopped = ""
			}
		case strings.HasPrefix(trimmed, "::stop-commands::"):
			stopped = strings.TrimPrefix(trimmed, "::stop-commands::")
		case strings.HasPrefix(trimmed, "::"), strings.Contains(l, "##["):
			out = append(out, trimmed)
		}
	}
	return out
}

func TestLogHoldsNoCommandOfData(t *testing.T) {
	for _, text := range hostile {
		r, log := runner(t, nil)
		r.Info("%s", text)
		r.Info("the class %s", text)
		if got := commands(log.String()); len(got) > 0 {
			t.Errorf("%q: the log holds %q", text, got)
		}
		log.Reset()
		if err := r.Text(text, func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		got := commands(log.String())
		if len(got) != 2 || !strings.HasPrefix(got[0], "::group::") || got[1] != "::endgroup::" {
			t.Errorf("%q: the log holds %q", text, got)
		}
	}
}

func TestAnnotationsAreOneCommandEach(t *testing.T) {
	for _, text := range hostile {
		r, log := runner(t, nil)
		r.Annotate(Annotation{Level: Error, File: "a,b:c/" + text, Line: 3, Title: text, Message: text})
		r.Flush()
		got := commands(log.String())
		if len(got) != 1 || !strings.HasPrefix(got[0], "::error ") || strings.Count(log.String(), "\n") != 1 {
			t.Errorf("%q: the log holds %q", text, log.String())
		}
	}
}

func TestAnnotationsAreLimited(t *testing.T) {
	r, log := runner(t, nil)
	for i := range 25 {
		r.Annotate(Annotation{Level: Error, Message: fmt.Sprintf("race %d %s", i, strings.Repeat("x", 9000))})
	}
	r.Annotate(Annotation{Level: Notice, Message: "not enabled"})
	r.Flush()
	lines := commands(log.String())
	if len(lines) != 11 {
		t.Fatalf("%d annotations", len(lines))
	}
	if !strings.HasPrefix(lines[9], "::error::race 9 ") || !strings.HasSuffix(lines[9], "(15 more are not shown here; see the summary of the job)") {
		t.Errorf("the last error is %.40s ... %s", lines[9], lines[9][len(lines[9])-70:])
	}
	for _, l := range lines {
		if len(l) > 4096 {
			t.Errorf("an annotation of %d bytes", len(l))
		}
	}
	if lines[10] != "::notice::not enabled" {
		t.Errorf("the notice is %s", lines[10])
	}
}

// What the runner reads from its files is what was set, whatever the values are.
func TestOutputsCannotBeInjected(t *testing.T) {
	file := filepath.Join(t.TempDir(), "output")
	r, _ := runner(t, map[string]string{"GITHUB_OUTPUT": file})
	for i, text := range hostile {
		if err := r.Output(fmt.Sprintf("o%d", i), text); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := readFileCommands(t, string(data))
	if len(got) != len(hostile) {
		t.Errorf("%d outputs, want %d", len(got), len(hostile))
	}
	for i, text := range hostile {
		if got[fmt.Sprintf("o%d", i)] != text {
			t.Errorf("output %d is %q, want %q", i, got[fmt.Sprintf("o%d", i)], text)
		}
	}
}

// readFileCommands reads name<<delimiter blocks as the runner does.
func readFileCommands(t *testing.T, text string) map[string]string {
	t.Helper()
	out := map[string]string{}
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		if lines[i] == "" {
			continue
		}
		name, delimiter, ok := strings.Cut(lines[i], "<<")
		if !ok {
			t.Fatalf("line %q is no command", lines[i])
		}
		var value []string
		for i++; i < len(lines) && lines[i] != delimiter; i++ {
			value = append(value, lines[i])
		}
		out[name] = strings.Join(value, "\n")
	}
	return out
}

func TestMissingFilesAreNoFailure(t *testing.T) {
	r, log := runner(t, nil)
	if err := r.Output("status", "clean"); err != nil {
		t.Error(err)
	}
	if err := r.Summary("text"); err != nil {
		t.Error(err)
	}
	if want := "eventraces: GITHUB_OUTPUT is not set; status=clean\n"; log.String() != want {
		t.Errorf("the log is %q, want %q", log.String(), want)
	}
}

func TestFilesThatCannotBeWritten(t *testing.T) {
	r, _ := runner(t, map[string]string{"GITHUB_OUTPUT": filepath.Join(t.TempDir(), "no", "file")})
	if err := r.Output("status", "clean"); err == nil || !strings.HasPrefix(err.Error(), "GITHUB_OUTPUT: cannot write: ") {
		t.Errorf("the error is %v", err)
	}
}

func TestSummaryIsLimited(t *testing.T) {
	file := filepath.Join(t.TempDir(), "summary")
	r, _ := runner(t, map[string]string{"GITHUB_STEP_SUMMARY": file})
	if err := r.Summary(strings.Repeat("x", MostSummary+1)); err == nil {
		t.Error("too large a summary was written")
	}
	if err := r.Summary("# ok"); err != nil {
		t.Error(err)
	}
	if data, _ := os.ReadFile(file); string(data) != "# ok\n" {
		t.Errorf("the summary is %q", data)
	}
}

func TestInputs(t *testing.T) {
	r, _ := runner(t, map[string]string{"INPUT_BUILD_OUTPUTS": "  a.apk\n\n# no\r\n b c.apk \n"})
	if got := r.Lines("build-outputs"); fmt.Sprintf("%q", got) != `["a.apk" "b c.apk"]` {
		t.Errorf("the lines are %q", got)
	}
	r, _ = runner(t, map[string]string{"INPUT_BUILD-OUTPUTS": "c.apk"})
	if got := r.Input("build-outputs"); got != "c.apk" {
		t.Errorf("in the runner's own form it is %q", got)
	}
	if got := r.Input("fail-on"); got != "" {
		t.Errorf("an input that is not set is %q", got)
	}
}
