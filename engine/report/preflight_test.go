package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/finding/findingtest"
)

// object is decoded JSON; these paths are what corruptions start from.
type object = map[string]any

func theRun(log object) object    { return log["runs"].([]any)[0].(object) }
func theDriver(log object) object { return theRun(log)["tool"].(object)["driver"].(object) }
func theRule(log object) object   { return theDriver(log)["rules"].([]any)[0].(object) }
func theResult(log object, i int) object {
	return theRun(log)["results"].([]any)[i].(object)
}
func theFlow(log object, i int) object {
	return theResult(log, 0)["codeFlows"].([]any)[0].(object)["threadFlows"].([]any)[i].(object)
}
func thePlace(log object) object {
	return theResult(log, 0)["locations"].([]any)[0].(object)["physicalLocation"].(object)
}
func theRegion(log object) object { return thePlace(log)["region"].(object) }
func theFile(log object) object   { return thePlace(log)["artifactLocation"].(object) }
func related(log object, i int) object {
	return theResult(log, 0)["relatedLocations"].([]any)[i].(object)
}
func copies(v any, n int) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = v
	}
	return out
}

var spaces = object{"text": " \n"}

// One corruption of a good file for each thing that preflight refuses, with a
// word of what it then says.
var corruptions = []struct {
	name, want string
	spoil      func(object)
}{
	{"null", "$.runs[0].language is null", func(l object) { theRun(l)["language"] = nil }},
	{"null in a list", "[0] is null", func(l object) { theRun(l)["x"] = []any{nil} }},
	{"no list", ".results is no list", func(l object) { theRun(l)["results"] = object{} }},
	{"no schema", "no $schema", func(l object) { delete(l, "$schema") }},
	{"version", "not version 2.1.0", func(l object) { l["version"] = "2.0.0" }},
	{"no runs", "0 runs", func(l object) { l["runs"] = []any{} }},
	{"two runs", "2 runs", func(l object) { l["runs"] = copies(theRun(l), 2) }},
	{"a run of another type", "no name", func(l object) { l["runs"] = []any{"x"} }},
	{"no driver name", "no name", func(l object) { theDriver(l)["name"] = " " }},
	{"no automation id", "automation id", func(l object) { delete(theRun(l), "automationDetails") }},
	{"no slash", "automation id", func(l object) { theRun(l)["automationDetails"] = object{"id": "eventraces"} }},
	{"only a slash", "automation id", func(l object) { theRun(l)["automationDetails"] = object{"id": "//"} }},
	{"no rules", "0 rules", func(l object) { theDriver(l)["rules"] = []any{} }},
	{"many rules", "25001 rules", func(l object) { theDriver(l)["rules"] = copies(object{}, 25001) }},
	{"no results", "no results array", func(l object) { delete(theRun(l), "results") }},
	{"many results", "5001 results", func(l object) { theRun(l)["results"] = copies(object{}, 5001) }},
	{"many extensions", "100 tool extensions", func(l object) { theRun(l)["tool"].(object)["extensions"] = copies(object{}, 101) }},
	{"not successful", "not successful", func(l object) { theRun(l)["invocations"] = []any{object{"executionSuccessful": false}} }},
	{"success not told", "not successful", func(l object) { theRun(l)["invocations"] = []any{object{}} }},
	{"empty notification", "notification has no message", func(l object) {
		theRun(l)["invocations"].([]any)[0].(object)["toolExecutionNotifications"] = []any{object{"message": spaces}}
	}},

	{"rule id", "id is missing", func(l object) { theRule(l)["id"] = "" }},
	{"rule twice", "stands twice", func(l object) {
		d := theDriver(l)
		d["rules"] = append(d["rules"].([]any), theRule(l))
	}},
	{"short description", "shortDescription.text is missing", func(l object) { theRule(l)["shortDescription"] = spaces }},
	{"full description", "fullDescription.text is missing", func(l object) { delete(theRule(l), "fullDescription") }},
	{"help", "help.text is missing", func(l object) { theRule(l)["help"] = object{"markdown": "x"} }},
	{"long name", "more than 255 characters", func(l object) { theRule(l)["name"] = strings.Repeat("x", 256) }},
	{"long short description", "more than 1024 characters", func(l object) { theRule(l)["shortDescription"] = object{"text": strings.Repeat("x", 1025)} }},
	{"long full description", "more than 1024 characters", func(l object) { theRule(l)["fullDescription"] = object{"text": strings.Repeat("x", 1025)} }},
	{"many tags", "more than 10 tags", func(l object) { tags(l, "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k") }},
	{"equal tags", "stands twice", func(l object) { tags(l, "a", "a") }},
	{"empty tag", "tag is empty", func(l object) { tags(l, "") }},
	{"tag of another type", "tag is empty", func(l object) { tags(l, []any{}) }},
	{"problem severity", "problem.severity is none of", func(l object) { theRule(l)["properties"].(object)["problem.severity"] = "note" }},
	{"precision", "precision is none of", func(l object) { theRule(l)["properties"].(object)["precision"] = 1 }},
	{"security severity as a number", "security-severity 5", func(l object) { severity(l, 5) }},
	{"security severity zero", "security-severity 0.0", func(l object) { severity(l, "0.0") }},
	{"security severity above 10", "security-severity 10.1", func(l object) { severity(l, "10.1") }},
	{"security severity in words", "security-severity high", func(l object) { severity(l, "high") }},
	{"security severity not a number", "security-severity NaN", func(l object) { severity(l, "NaN") }},

	{"rule of no index", "ruleIndex", func(l object) { delete(theResult(l, 0), "ruleIndex") }},
	{"negative index", "ruleIndex", func(l object) { theResult(l, 0)["ruleIndex"] = -1 }},
	{"index beyond", "ruleIndex", func(l object) { theResult(l, 0)["ruleIndex"] = len(finding.Rules()) }},
	{"huge index", "ruleIndex", func(l object) { theResult(l, 0)["ruleIndex"] = 1e300 }},
	{"half an index", "ruleIndex", func(l object) { theResult(l, 0)["ruleIndex"] = 0.5 }},
	{"index of another rule", "ruleIndex", func(l object) { theResult(l, 0)["ruleIndex"] = 2 }},
	{"a result of another type", "ruleIndex", func(l object) { theRun(l)["results"] = []any{"x"} }},
	{"no message", "no message", func(l object) { theResult(l, 0)["message"] = spaces }},
	{"no locations", "at least one location", func(l object) { theResult(l, 0)["locations"] = []any{} }},
	{"suppressed", "suppressions and states", func(l object) { theResult(l, 0)["suppressions"] = []any{} }},
	{"state", "suppressions and states", func(l object) { theResult(l, 0)["baselineState"] = "new" }},
	{"no level", `level is ""`, func(l object) { delete(theResult(l, 0), "level") }},
	{"error below high", "only high ones", func(l object) { theResult(l, 2)["level"] = "error" }},
	{"high without error", "only high ones", func(l object) { theResult(l, 0)["level"] = "warning" }},
	{"no hash", "missing or not its own", func(l object) { delete(theResult(l, 0), "partialFingerprints") }},
	{"equal hashes", "missing or not its own", func(l object) {
		theRun(l)["results"] = append(theRun(l)["results"].([]any), theResult(l, 0))
	}},
	{"a fingerprint that is a number", "fingerprint is no text", func(l object) { theResult(l, 0)["partialFingerprints"].(object)["x"] = 1 }},

	{"many locations", "more than 100", func(l object) { theResult(l, 0)["relatedLocations"] = copies(object{}, 100) }},
	{"equal location ids", "stands twice", func(l object) { related(l, 1)["id"] = 1 }},
	{"negative location id", "no whole number", func(l object) { related(l, 1)["id"] = -1 }},
	{"huge location id", "no whole number", func(l object) { related(l, 1)["id"] = 9.3e18 }},
	{"location id as text", "no whole number", func(l object) { related(l, 1)["id"] = "1" }},
	{"a link to nowhere", "id of no location", func(l object) { theResult(l, 0)["message"] = object{"text": "[x](7)"} }},
	{"a link out", "id of no location", func(l object) { theResult(l, 0)["message"] = object{"text": "[x](https://example.com)"} }},
	{"a code flow without flows", "no thread flows", func(l object) { theResult(l, 0)["codeFlows"] = []any{object{}} }},
	{"equal thread flow ids", "two thread flows", func(l object) { theFlow(l, 1)["id"] = theFlow(l, 0)["id"] }},
	{"an empty thread flow", "no locations", func(l object) { theFlow(l, 0)["locations"] = []any{} }},
	{"many steps", "more than 1000", func(l object) { theFlow(l, 0)["locations"] = copies(object{}, 1000) }},
	{"a step without a place", "physical location", func(l object) { theFlow(l, 0)["locations"] = []any{object{}} }},
	{"no physical location", "physical location", func(l object) { delete(theResult(l, 0)["locations"].([]any)[0].(object), "physicalLocation") }},
	{"no file", "artifact location", func(l object) { delete(thePlace(l), "artifactLocation") }},
	{"related without a file", "artifact location", func(l object) { delete(related(l, 0)["physicalLocation"].(object), "artifactLocation") }},
	{"empty file", "artifact location", func(l object) { theFile(l)["uri"] = " " }},
	{"absolute path", "not relative", func(l object) { theFile(l)["uri"] = "/etc/passwd" }},
	{"file scheme", "not relative", func(l object) { theFile(l)["uri"] = "file:///src/A.java" }},
	{"host", "not relative", func(l object) { theFile(l)["uri"] = "//example.com/A.java" }},
	{"above the root", "not relative", func(l object) { theFile(l)["uri"] = "src/../../A.java" }},
	{"above the root, escaped", "not relative", func(l object) { theFile(l)["uri"] = "%2e%2e/A.java" }},
	{"bad escape", "not relative", func(l object) { theFile(l)["uri"] = "a%zz" }},
	{"no region", "one line", func(l object) { delete(thePlace(l), "region") }},
	{"line 0", "startLine 0", func(l object) { theRegion(l)["startLine"] = 0 }},
	{"line 1.5", "startLine 1.5", func(l object) { theRegion(l)["startLine"] = 1.5 }},
	{"end line 0", "endLine 0", func(l object) { theRegion(l)["endLine"] = 0 }},
	{"two lines", "one line", func(l object) { theRegion(l)["endLine"] = 1e6 }},
	{"lines back to front", "one line", func(l object) { theRegion(l)["endLine"] = 1 }},
	{"column 0", "startColumn 0", func(l object) { theRegion(l)["startColumn"] = 0 }},
	{"end column as text", "endColumn x", func(l object) { theRegion(l)["endColumn"] = "x" }},
}

func tags(log object, tags ...any) { theRule(log)["properties"].(object)["tags"] = tags }

func severity(log object, s any) { theRule(log)["properties"].(object)["security-severity"] = s }

func TestPreflight(t *testing.T) {
	good := render(t, upload(UploadAll), findingtest.Shapes())
	spoilt := func(spoil func(object)) error {
		var log object
		if err := json.Unmarshal(good, &log); err != nil {
			t.Fatal(err)
		}
		spoil(log)
		b, err := json.Marshal(log)
		if err != nil {
			t.Fatal(err)
		}
		return preflight(b)
	}
	for what, spoil := range map[string]func(object){
		"nothing":           func(object) {},
		"security severity": func(l object) { severity(l, "10.0") },
		"10 tags":           func(l object) { tags(l, "a", "b", "c", "d", "e", "f", "g", "h", "i", "j") },
		"1024 characters":   func(l object) { theRule(l)["fullDescription"] = object{"text": strings.Repeat("\u00e9", 1024)} },
		"an end line":       func(l object) { theRegion(l)["endLine"] = theRegion(l)["startLine"] },
		"escaped brackets":  func(l object) { theResult(l, 0)["message"] = object{"text": `\[x\](7) [y](1)`} },
	} {
		if err := spoilt(spoil); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, c := range corruptions {
		if err := spoilt(c.spoil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
	for _, text := range []string{"", "null", "[]", "1", `{"runs":[{"results":`} {
		if preflight([]byte(text)) == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// What the full profile tells of baselines and suppressions must not be uploaded.
func TestPreflightRefusesTheFullProfile(t *testing.T) {
	for _, run := range []*finding.Run{findingtest.Compared(), findingtest.Ignored()} {
		if err := preflight(render(t, SARIF, run)); err == nil || !strings.Contains(err.Error(), "suppressions and states") {
			t.Errorf("error %v", err)
		}
	}
}

// shortened is an upload without what makes it long, so that fuzzing it is fast.
func shortened(t testing.TB, sarif []byte) []byte {
	var log object
	if err := json.Unmarshal(sarif, &log); err != nil {
		t.Fatal(err)
	}
	for _, r := range theDriver(log)["rules"].([]any) {
		for _, text := range []string{"shortDescription", "fullDescription", "help"} {
			r.(object)[text] = object{"text": "x"}
		}
	}
	results := theRun(log)["results"].([]any)
	theRun(log)["results"] = results[:min(len(results), 1)]
	b, err := json.Marshal(log)
	if err != nil || preflight(b) != nil {
		t.Fatal(err, preflight(b))
	}
	return b
}

func FuzzPreflight(f *testing.F) {
	for _, s := range findingtest.All {
		var b bytes.Buffer
		if _, err := GitHubSARIF(&b, s.Run(), UploadAll); err != nil {
			f.Fatal(err)
		}
		f.Add(shortened(f, b.Bytes()))
	}
	// Small ones change faster.
	f.Add([]byte(`{"$schema":"x","version":"2.1.0","runs":[{"tool":{"driver":{"name":"x","rules":[{"id":"a","shortDescription":{"text":"x"},` +
		`"fullDescription":{"text":"x"},"help":{"text":"x"},"properties":{"tags":["x"],"security-severity":"5"}}]}},"automationDetails":{"id":"x/"},` +
		`"results":[{"ruleId":"a","ruleIndex":0,"level":"note","message":{"text":"[x](1)"},"partialFingerprints":{"primaryLocationLineHash":"x"},` +
		`"locations":[{"id":1,"physicalLocation":{"artifactLocation":{"uri":"x"},"region":{"startLine":1}}}],` +
		`"codeFlows":[{"threadFlows":[{"id":"x","locations":[{"location":{}}]}]}]}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := preflight(data); err != nil && err.Error() == "" {
			t.Error("an error without a text")
		}
	})
}
