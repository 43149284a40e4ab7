package engine

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/internal/expect"
	"github.com/eventraces/eventraces/internal/goldentest"
)

// TestFixes keeps the text of each finding's fix for a person to read beside
// the sources. Every race says more than its rule does.
func TestFixes(t *testing.T) {
	const longest = 450
	var out strings.Builder
	for _, root := range []string{"../examples", "testdata/fixtures"} {
		dirs, err := expect.Apps(root)
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range dirs {
			app := filepath.Base(dir)
			res, err := Check(t.Context(), Options{ToolVersion: "test", Inputs: []string{filepath.Join(dir, app+".apk")}})
			if err != nil {
				t.Fatal(err)
			}
			for i := range res.Run.Findings {
				f := &res.Run.Findings[i]
				fmt.Fprintf(&out, "%s %s %s: %s\n", app, f.Rule, f.Field.Short(), f.First().Fix)
				rule, _ := finding.RuleByID(f.Rule)
				for _, r := range f.Races {
					if !r.Brief && r.Fix == rule.Fix || len(r.Fix) > longest || !strings.HasSuffix(r.Fix, ".") {
						t.Errorf("%s %s: fix %q", app, r.Field, r.Fix)
					}
				}
			}
		}
	}
	goldentest.Compare(t, filepath.Join("testdata", "fixes.txt"), out.String())
}
