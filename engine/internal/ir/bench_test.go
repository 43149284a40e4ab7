package ir_test

import (
	"testing"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/ir"
	"github.com/eventraces/eventraces/engine/internal/platform"
)

// benchFiles are the dex files to measure on: the first app that
// EVENTRACES_APKS names, or the small committed one.
func benchFiles(b *testing.B) []*dex.File {
	if apks := apksFromEnv(); len(apks) > 0 {
		return readApk(b, apks[0])
	}
	return readDex(b, "testdata/oracle/d8.dex")
}

func BenchmarkBuild(b *testing.B) {
	files := benchFiles(b)
	index, err := platform.LoadIndex()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		p, _ := ir.Build(files, index, nil)
		b.ReportMetric(float64(len(p.Methods)), "methods")
	}
}

// BenchmarkLift lifts every method once per turn, on all cores.
func BenchmarkLift(b *testing.B) {
	p, _ := ir.Build(benchFiles(b), nil, nil)
	b.ReportAllocs()
	for b.Loop() {
		methods, size := liftAll(b, p, func(*ir.Body) {})
		b.ReportMetric(float64(methods), "bodies")
		b.ReportMetric(float64(size), "instructions")
	}
}
