package comment

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/finding/findingtest"
	"github.com/eventraces/eventraces/engine/report"
	"github.com/eventraces/eventraces/internal/goldentest"
)

// page is a page of a pull request with runs.
func page(runs ...*finding.Run) *Page {
	p := &Page{
		Min: finding.High, Server: "https://github.com", Repo: "example/news", Head: "0123456789abcdef0123456789abcdef01234567",
		Base: "main", Baseline: "eventraces-baseline.txt", Details: "https://github.com/example/news/actions/runs/77",
	}
	for _, run := range runs {
		p.Apps = append(p.Apps, App{
			Run:    run,
			Alerts: "https://github.com/example/news/security/code-scanning?query=pr%3A5+tool%3Aeventraces",
			Accept: report.Acceptance{Out: "eventraces-baseline.txt", Args: []string{"--source-root", ".", "app/build/outputs/apk/debug/app-debug.apk"}},
		})
	}
	return p
}

func TestScratch(t *testing.T) {
	file := os.Getenv("RUN")
	if file == "" {
		t.Skip()
	}
	b, _ := os.ReadFile(file)
	var run finding.Run
	if err := json.Unmarshal(b, &run); err != nil {
		t.Fatal(err)
	}
	p := page(&run)
	os.WriteFile(os.Getenv("OUT")+".sticky.md", []byte(p.Sticky()), 0o644)
	os.WriteFile(os.Getenv("OUT")+".summary.md", []byte(p.Summary()), 0o644)
	os.WriteFile(os.Getenv("OUT")+".inline.md", []byte(p.Inline(&run.Findings[0], 0)), 0o644)
	os.WriteFile(os.Getenv("OUT")+".resolved.md", []byte(p.Resolved(p.Sticky())), 0o644)
}

// Each file in testdata is a page as a reader gets it.
func TestPages(t *testing.T) {
	for _, shape := range findingtest.All {
		p := page(shape.Run())
		goldentest.Compare(t, filepath.Join("testdata", shape.Name+".sticky.md"), p.Sticky())
		goldentest.Compare(t, filepath.Join("testdata", shape.Name+".summary.md"), p.Summary())
	}
}
