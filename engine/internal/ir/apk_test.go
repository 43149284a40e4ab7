package ir_test

import (
	"archive/zip"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
)

// apksFromEnv are the files that EVENTRACES_APKS names, for checking the
// package on whole apps while working on it. The real apps of the test suite
// are run end to end elsewhere.
func apksFromEnv() []string { return filepath.SplitList(os.Getenv("EVENTRACES_APKS")) }

func readApk(t testing.TB, path string) []*dex.File {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var files []*dex.File
	for _, f := range z.File {
		if !strings.HasPrefix(f.Name, "classes") || !strings.HasSuffix(f.Name, ".dex") {
			continue
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := dex.Parse(f.Name, data)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, parsed...)
	}
	return files
}

// liftAll lifts every method on all cores and calls f with each body.
func liftAll(t testing.TB, p *ir.Program, f func(*ir.Body)) (methods, instructions int64) {
	var next, bodies, size atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for {
				m := ir.MethodID(next.Add(1))
				if int(m) >= len(p.Methods) {
					return
				}
				if !p.Methods[m].HasCode {
					continue
				}
				b, err := p.Lift(m)
				if err != nil {
					t.Error(err)
					continue
				}
				bodies.Add(1)
				size.Add(int64(b.Len()))
				f(b)
			}
		})
	}
	wg.Wait()
	return bodies.Load(), size.Load()
}

// TestApks lifts and checks every method of the apps named in the environment.
func TestApks(t *testing.T) {
	for _, path := range apksFromEnv() {
		t.Run(filepath.Base(path), func(t *testing.T) {
			start := time.Now()
			files := readApk(t, path)
			index, err := platform.LoadIndex()
			if err != nil {
				t.Fatal(err)
			}
			parsed := time.Now()
			p, errs := ir.Build(files, index, nil)
			built := time.Now()
			for _, err := range errs {
				t.Error(err)
			}
			if err := p.Check(); err != nil {
				t.Error(err)
			}
			methods, size := liftAll(t, p, func(*ir.Body) {})
			lifted := time.Now()
			liftAll(t, p, func(b *ir.Body) {
				if err := b.Check(p); err != nil {
					t.Error(err)
				}
			})
			t.Logf("parse %v, build %v, lift %v (%d bodies, %d instructions), check %v", parsed.Sub(start),
				built.Sub(parsed), lifted.Sub(built), methods, size, time.Since(lifted))
		})
	}
}
