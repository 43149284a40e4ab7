package pointsto_test

import (
	"cmp"
	"context"
	"os"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/pointsto"
	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
)

// BenchmarkSolve solves a fixture, or the app that EVENTRACES_APK names.
func BenchmarkSolve(b *testing.B) {
	path := cmp.Or(os.Getenv("EVENTRACES_APK"), pointstotest.App(b, "handlers.apk"))
	c := pointstotest.Open(b, path)
	b.ReportAllocs()
	var r *pointsto.Result
	for b.Loop() {
		var err error
		if r, err = pointsto.Solve(context.Background(), c); err != nil {
			b.Fatal(err)
		}
	}
	variables, edges := pointsto.Size(r)
	b.ReportMetric(float64(r.Objects), "objects")
	b.ReportMetric(float64(variables), "variables")
	b.ReportMetric(float64(edges), "edges")
	b.ReportMetric(float64(len(r.Funcs)-1), "functions")
	b.ReportMetric(float64(len(r.Arms)), "arms")
	b.ReportMetric(float64(pointsto.Merged(r)), "merged")
}
