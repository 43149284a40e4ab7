package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The committed pages are what the records say: each rule has its page, each
// page its rule.
func TestPagesAreFresh(t *testing.T) {
	compare(t, filepath.Join("..", "..", "docs", "rules"), t.Errorf)
}

// A page that is missing, stale or of no rule is an error each.
func TestComparisonSeesAll(t *testing.T) {
	dir := t.TempDir()
	if err := write(dir); err != nil {
		t.Fatal(err)
	}
	errors := func() (n int) {
		compare(t, dir, func(string, ...any) { n++ })
		return n
	}
	if errors() != 0 {
		t.Fatal("what was just written is not fresh")
	}
	file := func(name string) string { return filepath.Join(dir, name) }
	for i, damage := range []func() error{
		func() error { return os.Remove(file("stale-read.md")) },
		func() error { return os.WriteFile(file("README.md"), nil, 0o644) },
		func() error { return os.WriteFile(file("no-rule.md"), nil, 0o644) },
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		if n := errors(); n != i+1 {
			t.Errorf("%d errors after change %d", n, i+1)
		}
	}
}

func compare(t *testing.T, dir string, report func(string, ...any)) {
	t.Helper()
	all := pages()
	for name, want := range all {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			report("%v; make docs writes it", err)
		} else if string(got) != want {
			report("%s is stale; make docs rewrites it", name)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if _, ok := all[f.Name()]; !ok {
			report("%s is the page of no rule", f.Name())
		}
	}
}
