package actions

import (
	"cmp"
	"os"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/pointsto/pointstotest"
)

// BenchmarkBuild makes the actions of a fixture, or of the app that
// EVENTRACES_APK names.
func BenchmarkBuild(b *testing.B) {
	path := cmp.Or(os.Getenv("EVENTRACES_APK"), pointstotest.App(b, "handlers.apk"))
	r := pointstotest.Solve(b, pointstotest.Open(b, path))
	b.ReportAllocs()
	var s *Set
	for b.Loop() {
		s = Build(r)
	}
	b.ReportMetric(float64(len(s.Actions)-1), "actions")
	b.ReportMetric(float64(len(s.Components)-1), "components")
	b.ReportMetric(float64(len(s.Model.Points)-1), "points")
	b.ReportMetric(float64(len(s.PT.Funcs)-1), "functions")
}
