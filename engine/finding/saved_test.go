package finding_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/finding/findingtest"
)

func saved(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// versionOne is a run as version 1 has saved it: without tables.
func versionOne(t *testing.T, run *finding.Run) []byte {
	type plain finding.Run
	old := plain(*run)
	old.Schema = 1
	return saved(t, &old)
}

func TestSavedRunsReadBackTheSame(t *testing.T) {
	for _, s := range findingtest.All {
		for version, b := range map[string][]byte{"1": versionOne(t, s.Run()), "2": saved(t, s.Run())} {
			var back finding.Run
			if err := json.Unmarshal(b, &back); err != nil {
				t.Errorf("%s: version %s: %v", s.Name, version, err)
			} else if d := cmp.Diff(s.Run(), &back); d != "" {
				t.Errorf("%s: version %s reads back with other content:\n%s", s.Name, version, d)
			}
		}
	}
}

// What the hand-written runs do not have: lists that are empty, not missing; races
// that differ from their finding; the first row of every table named twice.
func TestSavedRunsKeepOddities(t *testing.T) {
	run := findingtest.Everything()
	r := &run.Findings[0].Races[0]
	r.Pairs, r.Rule, r.Field.Content = 7, finding.StaleRead, finding.Kept
	r.Limited, r.Facts = []string{}, nil
	r.Order, r.Wrong, r.Fix = "", "a) b; c)", ";)("
	r.Sides[0].Events, r.Sides[1].Calls = []finding.Event{}, nil
	r.Sides[0].Further = []finding.Position{}
	r.Sides[0].Access.Entry = finding.Callback{}
	r.Sides[1].Access.Method.Params = nil
	r.Schedule = &finding.Schedule{Steps: []finding.Step{{}, {Branches: []finding.Branch{}}, {Until: &finding.Position{}}}}
	var back finding.Run
	if err := json.Unmarshal(saved(t, run), &back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(run, &back); d != "" {
		t.Error(d)
	}
}

// Twice the races with equal chains cost their own line each, no more.
func TestSavedRunsWriteOnce(t *testing.T) {
	size := func(races int) int {
		var all []finding.Race
		for range races {
			all = append(all, findingtest.UseAfterFree())
		}
		return len(saved(t, findingtest.NewRun(nil, all...)))
	}
	if more := (size(201) - size(1)) / 200; more > 200 {
		t.Errorf("one more race with the same chains and texts takes %d bytes", more)
	}
}

func TestSavedRunsRefuseIndexes(t *testing.T) {
	good := string(saved(t, findingtest.Everything()))
	for old, c := range map[string]struct{ new, want string }{
		`"sides":[0,1]`:            {`"sides":[0,99]`, `the table "sides" has no row 99: it has 1`},
		`"order":0`:                {`"order":-1`, `"-1" is no number of a row`},
		`"wrong":1`:                {`"wrong":1.5`, `"1.5" is no number of a row`},
		`"order":0,`:               {``, `an index into the table "texts" is missing`},
		`"fix":2`:                  {`"fix":9999999999999`, `is no number of a row`},
		`"facts":[`:                {`"facts":[77,`, `the table "facts" has no row 77`},
		`"field":0`:                {`"field":55`, `the table "fields" has no row 55`},
		`"steps":[0`:               {`"steps":[66`, `the table "steps" has no row 66`},
		`"sides":[0,1],`:           {`"sides":[0],`, `a race has 1 sides`},
		`"positions":[{"method":0`: {`"positions":[{"method":88`, `the table "methods" has no row 88`},
		`"chains":[[0`:             {`"chains":[[33`, `the table "events" has no row 33`},
		`"calls":[[0`:              {`"calls":[[null`, `an index into the table "frames" is missing`},
		`"further":[[`:             {`"further":[[44,`, `the table "positions" has no row 44`},
		`"frames":[{"at":`:         {`"frames":[{"at":9`, `the table "positions" has no row`},
		`"texts":[[0`:              {`"texts":[[9999`, `the table "phrases" has no row 9999`},
		`"chain":0`:                {`"chain":22`, `the table "chains" has no row 22`},
		`"action":0`:               {`"action":true`, `"true" is no number of a row`},
		`"suppressed":0`:           {`"suppressed":5`, `the table "suppressions" has no row 5: it has 1`},
	} {
		if !strings.Contains(good, old) {
			t.Fatalf("%s is not in %s", old, good)
		}
		var run finding.Run
		err := json.Unmarshal([]byte(strings.Replace(good, old, c.new, 1)), &run)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("with %s for %s: error %v, want one line with %q", c.new, old, err, c.want)
		}
	}
}
