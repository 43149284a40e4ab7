package hb

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// covering names for each rule of the package comment the test that has a program which
// the rule orders, and others beside it which it does not.
var covering = map[string]string{
	"invocation":          "TestNearMisses",
	"last step":           "TestNearMisses",
	"one at a time":       "TestNearMisses",
	"lifecycle":           "TestNearMisses",
	"process start":       "TestNearMisses",
	"first in, first out": "TestNearMisses",
	"at the front":        "TestNearMisses",
	"cancel, unregister":  "TestNearMisses",
	"join":                "TestNearMisses",
	"all causes":          "TestNearMisses",
	"transitivity":        "TestNearMisses",
	"inside a run":        "TestDominanceInLoops",
	"ahead of a post":     "TestThreadAndJoin",
	"behind a join":       "TestThreadAndJoin",
	"await":               "TestAwait",
	"host":                "TestHosted",
	"events":              "TestEventsInOrder",
	"one source":          "TestOneSource",
	"series":              "TestSeries",
	"steady chains":       "TestNearCauseOrder",
	"next callback":       "TestResumePosts",
	"first run":           "TestLifecycle",
	"protocol":            "TestProtocol",
	"first posts":         "TestPostedFirst",
	"lifecycle walk":      "TestEarlierInLife",
	"birth":               "TestBirth",
	"process":             "TestOneProcess",
	"descent":             "TestDescent",
}

// TestRulesCovered wants a test of every rule. That those of the closure are all in the
// table of TestNearMisses, that test says itself.
func TestRulesCovered(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]bool{}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(t `).FindAllSubmatch(src, -1) {
			tests[string(m[1])] = true
		}
	}
	rows := regexp.MustCompile(`(?m)^//\t(\S.*?) {2,}\w+, \w+\.go +\S`).FindAllStringSubmatch(string(doc), -1)
	for _, row := range rows {
		if name := covering[row[1]]; !tests[name] {
			t.Errorf("%s: no test %q", row[1], name)
		}
	}
	if len(rows) != len(covering) {
		t.Errorf("%d rules, %d of them covered", len(rows), len(covering))
	}
}
