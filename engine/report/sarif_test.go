package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/finding/findingtest"
)

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	f, err := os.Open("testdata/schema/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	doc, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(sarifSchema, doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(sarifSchema)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// fits fails the test if SARIF does not fit the schema.
func fits(t *testing.T, schema *jsonschema.Schema, what string, sarif []byte) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(sarif))
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if err := schema.Validate(doc); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

func TestSARIFFitsTheSchema(t *testing.T) {
	schema := compileSchema(t)
	for _, s := range findingtest.All {
		for _, o := range outputs {
			if strings.HasSuffix(o.end, ".sarif") {
				fits(t, schema, s.Name+o.end, render(t, o.render, s.Run()))
			}
		}
	}
	// The schema does refuse something.
	bad := bytes.Replace(render(t, SARIF, findingtest.Shapes()), []byte(`"level": "error"`), []byte(`"level": "fatal"`), 1)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(bad))
	if err != nil {
		t.Fatal(err)
	}
	if schema.Validate(doc) == nil {
		t.Error("the schema takes level fatal")
	}
}

// sarifLog is the part of SARIF that code scanning reads.
type sarifLog struct {
	Version string `json:"version"`
	Schema  string `json:"$schema"`
	Runs    []struct {
		Tool struct {
			Driver struct {
				Name  string
				Rules []struct {
					ID, Name, HelpURI                       string
					ShortDescription, FullDescription, Help struct{ Text string }
					Properties                              struct{ Tags []string }
				}
			}
		}
		AutomationDetails struct{ ID string }
		Invocations       []struct {
			ExecutionSuccessful        bool
			ToolExecutionNotifications []struct {
				Level      string
				Message    struct{ Text string }
				Descriptor struct{ ID string }
			}
		}
		Results             *[]sarifResultJSON
		ThreadFlowLocations []sarifStepJSON
		LogicalLocations    []sarifMethodJSON
		Properties          struct {
			Actions []struct{ Action, Thread string }
		}
	}
}

type sarifStepJSON struct {
	Index    *int
	Location sarifLocationJSON
}

type sarifMethodJSON struct {
	Index              *int
	FullyQualifiedName string
}

type sarifResultJSON struct {
	RuleID              string
	RuleIndex           int
	Level               string
	Message             struct{ Text string }
	Locations           []sarifLocationJSON
	RelatedLocations    []sarifLocationJSON
	PartialFingerprints map[string]string
	BaselineState       string
	Suppressions        []struct{ Kind, Status, Justification string }
	CodeFlows           []struct {
		ThreadFlows []struct {
			Locations []sarifStepJSON
		}
	}
	Properties struct {
		Field, Priority, Order string
		Facts                  []string
		Accesses               []struct {
			Method, Kind, Action, Thread string
			Parameters                   []string
			Line                         int
			Also                         []int
		}
		Pairs int
	}
}

type sarifLocationJSON struct {
	ID               *int
	PhysicalLocation struct {
		ArtifactLocation struct{ URI string }
		Region           struct{ StartLine, EndLine int }
	}
	LogicalLocations []sarifMethodJSON
}

func parseSARIF(t *testing.T, b []byte) *sarifLog {
	t.Helper()
	var log sarifLog
	if err := json.Unmarshal(b, &log); err != nil {
		t.Fatal(err)
	}
	return &log
}

// The rules that code scanning enforces beyond the schema.
func TestSARIFKeepsCodeScanningsRules(t *testing.T) {
	for _, s := range findingtest.All {
		out := render(t, SARIF, s.Run())
		if bytes.Contains(out, []byte(": null")) || bytes.Contains(out, []byte("[\n null")) {
			t.Errorf("%s: a null is written", s.Name)
		}
		log := parseSARIF(t, out)
		if log.Version != "2.1.0" || log.Schema == "" || len(log.Runs) != 1 {
			t.Fatalf("%s: version %q, schema %q, %d runs", s.Name, log.Version, log.Schema, len(log.Runs))
		}
		run := log.Runs[0]
		if run.Results == nil {
			t.Fatalf("%s: results are missing", s.Name)
		}
		if id := run.AutomationDetails.ID; !strings.HasSuffix(id, "/") || strings.Count(id, "/") != 2 {
			t.Errorf("%s: automation id is %q", s.Name, id)
		}
		if len(run.Invocations) != 1 || !run.Invocations[0].ExecutionSuccessful {
			t.Errorf("%s: invocations are %v", s.Name, run.Invocations)
		}
		for _, n := range run.Invocations[0].ToolExecutionNotifications {
			if n.Message.Text == "" || n.Descriptor.ID == "" {
				t.Errorf("%s: notification %v has no text or no descriptor", s.Name, n)
			}
		}
		checkRules(t, log)
		for i := range *run.Results {
			checkResult(t, fmt.Sprintf("%s result %d", s.Name, i), log, &(*run.Results)[i])
		}
	}
}

func checkRules(t *testing.T, log *sarifLog) {
	t.Helper()
	rules := log.Runs[0].Tool.Driver.Rules
	if len(rules) != len(finding.Rules()) {
		t.Fatalf("%d rules are written", len(rules))
	}
	for _, r := range rules {
		for what, text := range map[string]string{"name": r.Name, "short": r.ShortDescription.Text,
			"full": r.FullDescription.Text, "help": r.Help.Text, "helpUri": r.HelpURI} {
			if text == "" {
				t.Errorf("rule %s has no %s text", r.ID, what)
			}
		}
		if len(r.ShortDescription.Text) > 1024 || len(r.FullDescription.Text) > 1024 || len(r.Name) > 255 {
			t.Errorf("rule %s has a text that would be cut", r.ID)
		}
		tags := map[string]bool{}
		for _, tag := range r.Properties.Tags {
			tags[tag] = true
		}
		if len(tags) != len(r.Properties.Tags) || len(tags) > 8 {
			t.Errorf("rule %s has tags %v", r.ID, r.Properties.Tags)
		}
	}
}

var messageLink = regexp.MustCompile(`(^|[^\\])\]\((\d+)\)`)

func checkResult(t *testing.T, where string, log *sarifLog, r *sarifResultJSON) {
	t.Helper()
	rules := log.Runs[0].Tool.Driver.Rules
	if r.RuleIndex < 0 || r.RuleIndex >= len(rules) || rules[r.RuleIndex].ID != r.RuleID {
		t.Errorf("%s: rule index %d of rule %s", where, r.RuleIndex, r.RuleID)
	}
	if want := map[string]string{"high": "error", "medium": "warning", "low": "note"}[r.Properties.Priority]; r.Level != want && r.BaselineState != "absent" {
		t.Errorf("%s: level %s for priority %s", where, r.Level, r.Properties.Priority)
	}
	if len(r.Locations) != 1 {
		t.Fatalf("%s: %d locations", where, len(r.Locations))
	}
	all := append([]sarifLocationJSON{}, r.Locations...)
	all = append(all, r.RelatedLocations...)
	if r.BaselineState == "absent" {
		return // it has no sides any more
	}
	if len(r.CodeFlows) > 1 || len(r.CodeFlows) == 1 && len(r.CodeFlows[0].ThreadFlows) != 2 {
		t.Fatalf("%s: not one code flow of two thread flows", where)
	}
	for _, flow := range r.CodeFlows {
		for _, thread := range flow.ThreadFlows {
			if len(thread.Locations) < 2 {
				t.Errorf("%s: a thread flow has %d locations", where, len(thread.Locations))
			}
			for _, l := range thread.Locations {
				if l.Index != nil {
					l = log.Runs[0].ThreadFlowLocations[*l.Index]
				}
				all = append(all, l.Location)
			}
		}
	}
	for _, l := range all {
		checkLocation(t, where, l)
		for _, m := range l.LogicalLocations {
			if m.Index != nil {
				m = log.Runs[0].LogicalLocations[*m.Index]
			}
			if m.FullyQualifiedName == "" {
				t.Errorf("%s: a method has no name", where)
			}
		}
	}
	ids := map[string]bool{}
	for _, l := range r.RelatedLocations {
		ids[fmt.Sprint(*l.ID)] = true
	}
	if len(ids) != len(r.RelatedLocations) {
		t.Errorf("%s: ids of related locations are not unique", where)
	}
	links := map[string]bool{}
	for _, m := range messageLink.FindAllStringSubmatch(r.Message.Text, -1) {
		links[m[2]] = true
		if !ids[m[2]] {
			t.Errorf("%s: the message links to %s, which is no related location", where, m[2])
		}
	}
	if !links["1"] || !links["2"] {
		t.Errorf("%s: the message does not link both accesses: %s", where, r.Message.Text)
	}
	base := r.PartialFingerprints[finding.IDVersion]
	if len(base) != 16 || !strings.HasPrefix(r.PartialFingerprints["primaryLocationLineHash"], base+":") {
		t.Errorf("%s: fingerprints are %v", where, r.PartialFingerprints)
	}
	if p := r.Properties; p.Field == "" || p.Order == "" || len(p.Accesses) < 2 {
		t.Errorf("%s: properties are %+v", where, p)
	}
}

func checkLocation(t *testing.T, where string, l sarifLocationJSON) {
	t.Helper()
	uri := l.PhysicalLocation.ArtifactLocation.URI
	u, err := url.Parse(uri)
	if err != nil || u.IsAbs() || u.Host != "" || uri == "" || strings.HasPrefix(u.Path, "/") {
		t.Errorf("%s: URI %q is not relative (%v)", where, uri, err)
		return
	}
	if Clean := path.Clean(u.Path); Clean == ".." || strings.HasPrefix(Clean, "../") {
		t.Errorf("%s: URI %q leaves the repository", where, uri)
	}
	if region := l.PhysicalLocation.Region; region.StartLine < 1 || region.EndLine > region.StartLine {
		t.Errorf("%s: region %+v is not one line", where, region)
	}
}

// Of SARIF, too, one more race with the same chains costs little.
func TestSARIFWritesOnce(t *testing.T) {
	other := findingtest.Method(findingtest.MainClass, "onPause")
	var races []finding.Race
	for i := range 300 {
		side := findingtest.Side(finding.Use, findingtest.OnClick, 44, "main looper", findingtest.Created, findingtest.Clicked)
		side.Access.Action = fmt.Sprintf("the click %03d", i%100)
		races = append(races, findingtest.NewRace(finding.UseAfterFree, "adapter", side,
			findingtest.Side(finding.Free, other, 70+i/100, "main looper", findingtest.Destroyed), findingtest.AppCode))
	}
	races[7].Pairs = 5
	out := render(t, SARIF, findingtest.NewRun(nil, races...))
	log := parseSARIF(t, out)
	p := (*log.Runs[0].Results)[0].Properties
	if len(p.Accesses) != 4 || len(p.Accesses[0].Also) != 99 || len(log.Runs[0].Properties.Actions) != 99 {
		t.Errorf("%d accesses, %d actions; the first access is %v", len(p.Accesses), len(log.Runs[0].Properties.Actions), p.Accesses[0])
	}
	seen := map[string]bool{p.Accesses[0].Action: true}
	for _, i := range p.Accesses[0].Also {
		seen[log.Runs[0].Properties.Actions[i].Action] = true
	}
	if len(seen) != 100 {
		t.Errorf("%d actions make the first access, want 100", len(seen))
	}
	if p.Pairs != 304 {
		t.Errorf("the races stand for %d pairs", p.Pairs)
	}
	if more := len(out) / 300; more > 160 {
		t.Errorf("%d bytes for each race", more)
	}
}

func TestPairsAreTold(t *testing.T) {
	r := findingtest.UseAfterFree()
	r.Pairs = 12
	run := findingtest.NewRun(nil, r)
	for _, o := range outputs[:5] {
		want := "one of 12 such pairs"
		if o.end == ".json" {
			want = `"pairs": 12`
		}
		if got := render(t, o.render, run); !bytes.Contains(got, []byte(want)) {
			t.Errorf("%s does not say %q:\n%s", o.end, want, got)
		}
	}
}

func TestSARIFAnchors(t *testing.T) {
	guess := "com/example/news/MainActivity.java"
	cases := []struct {
		name   string
		change func(*finding.Run)
		uri    string
		line   int
	}{
		{"the use, guessed", func(*finding.Run) {}, guess, 44},
		{"no line", func(r *finding.Run) { first(r).Access.Line = 0 }, guess, 1},
		{"the real file", func(r *finding.Run) {
			r.App.Sources = true
			first(r).Access.File, first(r).Access.Found = "app/src/MainActivity.java", true
		}, "app/src/MainActivity.java", 44},
		{"the registering class", func(r *finding.Run) {
			r.App.Sources = true
			found := *first(r).Events[1].Site
			found.File, found.Found = "app/src/MainActivity.java", true
			first(r).Events[1].Site = &found
		}, "app/src/MainActivity.java", 31},
		{"the manifest", func(r *finding.Run) { r.App.Sources, r.App.Manifest = true, "app/src/main/AndroidManifest.xml" },
			"app/src/main/AndroidManifest.xml", 1},
		{"a manifest we did not find", func(r *finding.Run) { r.App.Sources = true }, "AndroidManifest.xml", 1},
	}
	for _, c := range cases {
		run := findingtest.NewRun(nil, findingtest.NewRace(finding.UseAfterFree, "adapter", findingtest.Side(finding.Free, findingtest.OnDestroy, 70, "main looper", findingtest.Destroyed),
			findingtest.Side(finding.Use, findingtest.OnClick, 44, "main looper", findingtest.Created, findingtest.Clicked)))
		c.change(run)
		log := parseSARIF(t, render(t, SARIF, run))
		got := (*log.Runs[0].Results)[0].Locations[0].PhysicalLocation
		if got.ArtifactLocation.URI != c.uri || got.Region.StartLine != c.line {
			t.Errorf("%s: anchored at %s:%d, want %s:%d", c.name, got.ArtifactLocation.URI, got.Region.StartLine, c.uri, c.line)
		}
	}
}

func first(r *finding.Run) *finding.Side { return &r.Findings[0].Races[0].Sides[0] }

func TestSARIFNumbersEqualIDs(t *testing.T) {
	race := func(line int, p finding.Fact) finding.Race {
		return findingtest.NewRace(finding.UseAfterFree, "adapter", findingtest.Side(finding.Use, findingtest.OnClick, line, "main looper", findingtest.Clicked),
			findingtest.Side(finding.Free, findingtest.OnDestroy, 70, "main looper", findingtest.Destroyed), p)
	}
	run := findingtest.NewRun(nil, race(44, findingtest.ThreadFact), race(45, findingtest.AppCode))
	log := parseSARIF(t, render(t, SARIF, run))
	prints := (*log.Runs[0].Results)[0].PartialFingerprints
	// The pair at line 45 is the stronger and so stands for the finding.
	if !strings.HasSuffix(prints["primaryLocationLineHash"], ":2") || strings.Contains(prints[finding.IDVersion], "#") {
		t.Errorf("fingerprints are %v", prints)
	}
}
