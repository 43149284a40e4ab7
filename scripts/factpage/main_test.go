package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
)

// The committed page is what the records say.
func TestPageIsFresh(t *testing.T) {
	got, err := os.ReadFile(filepath.Join("..", "..", "docs", "facts.md"))
	if err != nil {
		t.Fatalf("%v; make docs writes it", err)
	}
	if string(got) != page(finding.Facts()) {
		t.Error("docs/facts.md is stale; make docs rewrites it")
	}
}

// The page changes with each part of a record.
func TestPageShowsAll(t *testing.T) {
	whole := page(finding.Facts())
	for name, change := range map[string]func(*finding.FactRecord){
		"id":    func(f *finding.FactRecord) { f.ID += "-x" },
		"rule":  func(f *finding.FactRecord) { f.Rule = finding.StaleRead },
		"text":  func(f *finding.FactRecord) { f.Text += " x" },
		"limit": func(f *finding.FactRecord) { f.Limit = f.Limit%finding.High + 1 },
		"doc":   func(f *finding.FactRecord) { f.Doc += " x" },
	} {
		facts := slices.Clone(finding.Facts())
		change(&facts[0])
		if page(facts) == whole {
			t.Errorf("the page does not show the %s of a fact", name)
		}
	}
}
