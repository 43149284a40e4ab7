package finding

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A record says everything, once, and in the form that outputs need.
func TestFactsAreComplete(t *testing.T) {
	form := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	type key struct {
		id   FactID
		rule RuleID
	}
	seen := map[key]bool{}
	for _, f := range Facts() {
		if k := (key{f.ID, f.Rule}); seen[k] {
			t.Errorf("%s %s has two records", f.ID, f.Rule)
		} else {
			seen[k] = true
		}
		switch {
		case !form.MatchString(string(f.ID)):
			t.Errorf("%q is no id", f.ID)
		case f.Text == "" || strings.HasSuffix(f.Text, ".") || strings.Count(f.Text, "{}") > 1:
			t.Errorf("the text of %s is %q", f.ID, f.Text)
		case !strings.HasSuffix(f.Doc, "."):
			t.Errorf("the documentation of %s is %q", f.ID, f.Doc)
		case f.Limit == High:
			t.Errorf("%s limits to high, which is no limit", f.ID)
		case f.Rule != "" && !seen[key{f.ID, ""}]:
			t.Errorf("%s of %s has no record for other rules before it", f.ID, f.Rule)
		}
	}
	if len(seen) < 30 {
		t.Errorf("only %d records", len(seen))
	}
}

func TestNewFact(t *testing.T) {
	for _, c := range []struct {
		got, want Fact
	}{
		{NewFact(FactAppCode, StaleRead), Fact{Name: "app-code", Text: "both accesses are in app code"}},
		{NewFact(FactCrash, StaleRead, "a failure"), Fact{Name: "crash", Text: "ends in a failure"}},
		{NewFact(FactMayAlias, UseAfterFree), Fact{Name: "may-alias", Text: "the two sides may touch different objects", Limit: Medium}},
		{NewFact(FactMayAlias, UseBeforeInit), Fact{Name: "may-alias", Limit: Low,
			Text: "the two sides may touch different objects, so one need not wait for the other"}},
	} {
		if c.got != c.want {
			t.Errorf("fact is %+v, want %+v", c.got, c.want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a fact without a record was stated")
		}
	}()
	NewFact("no-fact", StaleRead)
}

func TestHasFact(t *testing.T) {
	facts := []Fact{NewFact(FactThreads, StaleRead)}
	if !HasFact(facts, FactThreads) || HasFact(facts, FactRare) || HasFact(nil, FactThreads) {
		t.Error("facts are not found by their ids")
	}
	if !slices.Equal(facts, []Fact{{Name: "threads", Text: "the sides run on different threads"}}) {
		t.Errorf("facts are %+v", facts)
	}
}
