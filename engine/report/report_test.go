package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/finding/findingtest"
	"github.com/eventraces/eventraces/internal/goldentest"
)

func render(t *testing.T, f func(io.Writer, *finding.Run) error, run *finding.Run) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f(&b, run); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func text(min finding.Priority, color bool) func(io.Writer, *finding.Run) error {
	return func(w io.Writer, run *finding.Run) error {
		return Text(w, run, TextOptions{MinPriority: min, Color: color})
	}
}

func known(w io.Writer, run *finding.Run) error {
	return Text(w, run, TextOptions{MinPriority: finding.Low, Known: true, Color: true})
}

func upload(u Upload) func(io.Writer, *finding.Run) error {
	return func(w io.Writer, run *finding.Run) error {
		_, err := GitHubSARIF(w, run, u)
		return err
	}
}

// explained is what explain prints of all races.
func explained(w io.Writer, run *finding.Run) error {
	run.EachRace(func(r *finding.Race) { Explain(w, run, r, false) })
	return nil
}

// outputs are all renderers, by the ends of their golden files.
var outputs = []struct {
	end    string
	render func(io.Writer, *finding.Run) error
}{
	{".txt", text(finding.Low, false)},
	{".known.txt", known},
	{".explain.txt", explained},
	{".json", JSON},
	{".sarif", SARIF},
	{".all.sarif", upload(UploadAll)},
	{".new.sarif", upload(UploadNew)},
}

// The shapes whose outputs are kept whole; of the others, the text, and of SARIF
// what tells results apart.
var keptWhole = []string{"empty", "shapes", "hostile", "compared"}

func TestGoldens(t *testing.T) {
	for _, s := range findingtest.All {
		run := s.Run()
		if err := run.Check(); err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		var digests strings.Builder
		for _, o := range outputs {
			got, keep := render(t, o.render, run), slices.Contains(keptWhole, s.Name)
			if strings.HasSuffix(o.end, ".sarif") {
				keep = keep && o.end == ".sarif"
				fmt.Fprintf(&digests, "%s:\n%s\n", o.end, digest(t, got))
			}
			if keep || o.end == ".txt" || o.end == ".known.txt" {
				goldentest.Compare(t, "testdata/"+s.Name+o.end, string(got))
			}
		}
		goldentest.Compare(t, "testdata/"+s.Name+".digest", digests.String())
	}
}

// digest is what tells the results and notifications of SARIF apart.
func digest(t *testing.T, sarif []byte) string {
	t.Helper()
	var b strings.Builder
	run := parseSARIF(t, sarif).Runs[0]
	for _, r := range *run.Results {
		at := r.Locations[0].PhysicalLocation
		fmt.Fprintf(&b, "%-7s %s %s %s:%d", r.Level, r.RuleID, r.PartialFingerprints["primaryLocationLineHash"], at.ArtifactLocation.URI, at.Region.StartLine)
		for _, flow := range r.CodeFlows {
			fmt.Fprintf(&b, " flow %d+%d", len(flow.ThreadFlows[0].Locations), len(flow.ThreadFlows[1].Locations))
		}
		if r.BaselineState != "" {
			b.WriteString(" " + r.BaselineState)
		}
		for _, s := range r.Suppressions {
			fmt.Fprintf(&b, " suppressed %s %s %q", s.Kind, s.Status, s.Justification)
		}
		fmt.Fprintf(&b, "\n        %.300s\n", r.Message.Text)
	}
	for _, n := range run.Invocations[0].ToolExecutionNotifications {
		fmt.Fprintf(&b, "%-7s %s: %.300s\n", n.Level, n.Descriptor.ID, n.Message.Text)
	}
	return b.String()
}

func TestTextHidesWhatIsBelow(t *testing.T) {
	got := string(render(t, text(finding.High, false), findingtest.Shapes()))
	if n := strings.Count(got, "\nHIGH "); n+strings.Count(got[:5], "HIGH ") != 2 {
		t.Errorf("%d high findings shown, want 2:\n%s", n, got)
	}
	if strings.Contains(got, "MEDIUM ") || strings.Contains(got, "LOW ") {
		t.Errorf("findings below high are shown:\n%s", got)
	}
	if !strings.Contains(got, "3 below high not shown, see --min-priority") {
		t.Errorf("what is hidden is not counted:\n%s", got)
	}
}

func TestColorChangesNothingElse(t *testing.T) {
	plain := render(t, text(finding.Low, false), findingtest.Shapes())
	if bytes.ContainsRune(plain, 0x1b) {
		t.Error("text without colour has escapes")
	}
	colored := string(render(t, text(finding.Low, true), findingtest.Shapes()))
	for _, code := range []string{bold, red, yellow, cyan, dim, reset} {
		if !strings.Contains(colored, code) {
			t.Errorf("colour %q is never used", code)
		}
		colored = strings.ReplaceAll(colored, code, "")
	}
	if colored != string(plain) {
		t.Error("text differs by more than colours")
	}
}

func TestNoRacesIsNotSaidOfAPartialRun(t *testing.T) {
	run := findingtest.NewRun([]finding.Notification{{Kind: finding.NoteBrokenClass, Text: "class could not be read"}})
	got := string(render(t, text(finding.High, false), run))
	if strings.Contains(got, "No races") || !strings.Contains(got, "No race found in the part that could be analysed") {
		t.Errorf("a partial run reads:\n%s", got)
	}
}

func TestBytesAreStable(t *testing.T) {
	for _, s := range findingtest.All {
		for _, o := range outputs {
			want := render(t, o.render, s.Run())
			for range 5 {
				if got := render(t, o.render, s.Run()); !bytes.Equal(got, want) {
					t.Fatal(cmp.Diff(string(want), string(got)))
				}
			}
		}
	}
}

func TestWriteReplacesInOneStep(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "out.json")
	if err := os.WriteFile(file, []byte(strings.Repeat("old", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	out := Output{Name: file}
	err := out.Write(func(w io.Writer) error {
		fmt.Fprint(w, "half")
		return errors.New("disk on fire")
	})
	if err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), "disk on fire") {
		t.Errorf("error is %v", err)
	}
	wantFile(t, dir, file, strings.Repeat("old", 1000))
	if err := out.Write(func(w io.Writer) error { _, err := fmt.Fprint(w, "new"); return err }); err != nil {
		t.Fatal(err)
	}
	wantFile(t, dir, file, "new")
	if info, _ := os.Stat(file); info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode became %v", info.Mode())
	}
	missing := Output{Name: filepath.Join(dir, "no", "such", "out.json")}
	if err := missing.Write(func(io.Writer) error { return nil }); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("writing to a missing folder: %v", err)
	}
	folder := Output{Name: dir}
	if err := folder.Write(func(io.Writer) error { return nil }); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("writing to a folder: %v", err)
	}
}

func wantFile(t *testing.T, dir, file, want string) {
	t.Helper()
	got, err := os.ReadFile(file)
	if err != nil || string(got) != want {
		t.Errorf("file holds %.20q (%v), want %.20q", got, err, want)
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 1 {
		t.Errorf("temporary files are left: %v", entries)
	}
}

func TestWriteFollowsLinksAndKeepsThem(t *testing.T) {
	dir := t.TempDir()
	link, target := filepath.Join(dir, "link"), filepath.Join(dir, "target")
	if err := os.WriteFile(target, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if err := (Output{Name: link}).Write(func(w io.Writer) error { _, err := fmt.Fprint(w, "x"); return err }); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(target); string(got) != "x" {
		t.Errorf("the link's target holds %q", got)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced by a file")
	}
}

// Sizes far beyond what an app has still render; BenchmarkTenThousandFindings says how fast.
func TestManyFindings(t *testing.T) {
	run := manyRun(1000)
	if err := run.Check(); err != nil {
		t.Fatal(err)
	}
	if got := len(*parseSARIF(t, render(t, SARIF, run)).Runs[0].Results); got != 1000 {
		t.Errorf("%d results", got)
	}
	if got := bytes.Count(render(t, text(finding.Low, false), run), []byte("HIGH ")); got != 1000 {
		t.Errorf("%d blocks", got)
	}
}

func manyRun(n int) *finding.Run {
	races := make([]finding.Race, n)
	for i := range races {
		races[i] = findingtest.UseAfterFree()
		races[i].Field.Name = fmt.Sprintf("field%d", i)
	}
	return findingtest.NewRun(nil, races...)
}

// The largest run that outputs must cope with, in all that a job writes.
func BenchmarkTenThousandFindings(b *testing.B) {
	run := manyRun(10_000)
	total, size := time.Duration(0), written(0)
	for _, o := range []struct {
		name   string
		render func(io.Writer, *finding.Run) error
	}{{"text", text(finding.Low, false)}, {"JSON", JSON}, {"SARIF", SARIF}, {"github", upload(UploadAll)}} {
		b.Run(o.name, func(b *testing.B) {
			var n written
			for b.Loop() {
				n = 0
				if err := o.render(&n, run); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)/1e6, "MB")
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s")
			total, size = total+b.Elapsed()/time.Duration(b.N), size+n
		})
	}
	b.Logf("all outputs: %.2f s, %.1f MB", total.Seconds(), float64(size)/1e6)
}

// written counts what is written to it.
type written int

func (n *written) Write(p []byte) (int, error) {
	*n += written(len(p))
	return len(p), nil
}
