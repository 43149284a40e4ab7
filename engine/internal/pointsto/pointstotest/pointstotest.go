// Package pointstotest makes inputs for tests of package pointsto and of the
// stages behind it: from built apps, and from small dex files written in memory.
package pointstotest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
	"github.com/eventraces/eventraces/engine/internal/input"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
	"github.com/eventraces/eventraces/engine/internal/pointsto"
)

// root finds the root of the repository.
func root(t testing.TB) string {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	t.Fatal("no go.mod above the working directory")
	return ""
}

// Apps lists the APKs of all examples and fixtures.
func Apps(t testing.TB) []string {
	t.Helper()
	out := slices.Concat(files(t, "examples/*/*.apk"), files(t, "engine/testdata/fixtures/*/*.apk"))
	if len(out) < 20 {
		t.Fatalf("only %d apps", len(out))
	}
	return out
}

// Shrunk lists the APKs of fixtures as R8 builds them.
func Shrunk(t testing.TB) []string {
	t.Helper()
	out := files(t, "engine/testdata/shrunk/*.apk")
	if len(out) < 5 {
		t.Fatalf("only %d shrunk builds", len(out))
	}
	return out
}

func files(t testing.TB, pattern string) []string {
	t.Helper()
	out, err := filepath.Glob(filepath.Join(root(t), pattern))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// App finds the APK of an example or fixture by its file name.
func App(t testing.TB, name string) string {
	t.Helper()
	for _, path := range Apps(t) {
		if filepath.Base(path) == name {
			return path
		}
	}
	t.Fatalf("no app %s", name)
	return ""
}

var knowledge = sync.OnceValues(func() (*platform.Models, error) { return platform.LoadModels(nil) })

func models(t testing.TB) *platform.Models {
	t.Helper()
	m, err := knowledge()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func index(t testing.TB) *platform.Index {
	t.Helper()
	ix, err := platform.LoadIndex()
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

// Open makes the input of Solve from APKs, joined if there are several.
func Open(t testing.TB, paths ...string) *pointsto.Config {
	t.Helper()
	b, err := input.Open(context.Background(), paths, input.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var files []*dex.File
	var classes []string
	for _, d := range b.Dex {
		parsed, err := dex.Parse(d.Name, d.Data)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range parsed {
			files = append(files, f)
			classes = append(classes, names(f)...)
		}
	}
	origins := b.Origins(classes, nil)
	m := models(t).ForSDK(b.Manifest.MinSDK, b.Manifest.TargetSDK)
	p, errs := ir.Build(files, index(t), func(class string) ir.Origin {
		if origins.Origin(class) == input.App {
			return ir.App
		}
		return ir.Dependency
	}, append(m.Mentioned(), m.Failures()...)...)
	for _, err := range errs {
		t.Log(err)
	}
	components := []string{b.Manifest.Application}
	for _, c := range b.Manifest.Components {
		components = append(components, c.Name)
	}
	return &pointsto.Config{Prog: p, Models: m, Roots: roots(p, components), Layout: pointsto.ResourcesOf(b), Cut: true}
}

func names(f *dex.File) []string {
	var out []string
	for i := range f.Classes {
		if name, err := f.TypeName(uint32(f.Classes[i].Type)); err == nil && len(name) > 2 {
			out = append(out, strings.ReplaceAll(name[1:len(name)-1], "/", "."))
		}
	}
	return out
}

func roots(p *ir.Program, components []string) []pointsto.ComponentRoot {
	var out []pointsto.ComponentRoot
	seen := map[ir.ClassID]bool{}
	for _, name := range components {
		if c := p.Lookup(name); c != 0 && p.Classes[c].Defined && !seen[c] {
			seen[c] = true
			out = append(out, pointsto.ComponentRoot{Class: c})
		}
	}
	return out
}

// Dex makes the input of Solve from what fill puts into a dex file. Classes
// below lib are a dependency's, all others the app's; components are the
// dotted names of those that the manifest would list.
func Dex(t testing.TB, components []string, fill func(d *dextest.Dex)) *pointsto.Config {
	t.Helper()
	d := dextest.New(39)
	fill(d)
	f, err := d.Parse("test.dex")
	if err != nil {
		t.Fatal(err)
	}
	m := models(t)
	p, errs := ir.Build([]*dex.File{f}, index(t), func(class string) ir.Origin {
		if strings.HasPrefix(class, "lib.") {
			return ir.Dependency
		}
		return ir.App
	}, append(m.Mentioned(), m.Failures()...)...)
	for _, err := range errs {
		t.Error(err)
	}
	return &pointsto.Config{Prog: p, Models: m, Roots: roots(p, components)}
}

// Solve solves and checks.
func Solve(t testing.TB, c *pointsto.Config) *pointsto.Result {
	t.Helper()
	checked := *c
	checked.Check = true
	r, err := pointsto.Solve(context.Background(), &checked)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range r.Broken {
		t.Error(err)
	}
	return r
}
