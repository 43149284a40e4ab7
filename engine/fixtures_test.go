package engine

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/expect"
)

func TestFixtures(t *testing.T) {
	for _, root := range []string{"../examples", "testdata/fixtures"} {
		dirs, _ := expect.Apps(root)
		for _, dir := range dirs {
			for _, suffix := range []string{".apk", "-dx.apk"} {
				t.Run(filepath.Base(dir)+suffix, func(t *testing.T) {
					set, err := expect.Parse(filepath.Join(dir, "src"))
					if err != nil {
						t.Fatal(err)
					}
					res, err := Check(context.Background(), Options{ToolVersion: "test", Inputs: []string{filepath.Join(dir, filepath.Base(dir)+suffix)}})
					if err != nil {
						t.Fatal(err)
					}
					var got []expect.Finding
					for _, f := range res.Run.Findings {
						for _, r := range f.Races {
							a, b := r.Sides[0].Access, r.Sides[1].Access
							got = append(got, expect.Finding{Rule: string(r.Rule), Priority: r.Priority.String(), FileA: a.File, LineA: a.Line, FileB: b.File, LineB: b.Line})
						}
					}
					for _, d := range set.Compare(got) {
						t.Error(d)
					}
				})
			}
		}
	}
}
