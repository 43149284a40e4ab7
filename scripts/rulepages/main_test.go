package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
)

// The committed pages are what the records say, and there is none besides.
func TestPagesAreFresh(t *testing.T) {
	dir := filepath.Join("..", "..", "docs", "rules")
	for _, r := range finding.Rules() {
		got, err := os.ReadFile(filepath.Join(dir, string(r.ID)+".md"))
		if err != nil {
			t.Errorf("%v; make docs writes it", err)
		} else if string(got) != page(r) {
			t.Errorf("docs/rules/%s.md is stale; make docs rewrites it", r.ID)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(finding.Rules()) {
		t.Errorf("%d pages for %d rules", len(files), len(finding.Rules()))
	}
}
