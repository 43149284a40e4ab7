package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/eventraces/eventraces/engine/finding"
)

// preflight checks the bytes of an upload against what code scanning refuses, so
// that it fails here, with the reason, and not in a queue at GitHub. It knows
// nothing of how the bytes were made. Sources: GitHub's documentation, "SARIF
// support for code scanning" and "Results exceed limits"; what users of code
// scanning have met.
func preflight(b []byte) error {
	var log map[string]any
	if err := json.Unmarshal(b, &log); err != nil {
		return err
	}
	if err := wellFormed("$", log); err != nil {
		return err
	}
	runs := listAt(log, "runs")
	switch {
	case blank(stringAt(log, "$schema")) || stringAt(log, "version") != "2.1.0":
		return errors.New("no $schema, or not version 2.1.0")
	case len(runs) != 1:
		return fmt.Errorf("%d runs; a file must have exactly one", len(runs))
	}
	c := &flight{hashes: map[string]bool{}}
	return c.run(runs[0])
}

// lists are the members that must be lists where they stand.
var lists = []string{"runs", "rules", "extensions", "invocations", "results", "locations", "relatedLocations",
	"codeFlows", "threadFlows", "tags", "toolExecutionNotifications"}

// wellFormed: code scanning's schema knows no null, and lists are lists.
func wellFormed(at string, v any) error {
	switch v := v.(type) {
	case nil:
		return fmt.Errorf("%s is null", at)
	case []any:
		for i, x := range v {
			if err := wellFormed(at+"["+strconv.Itoa(i)+"]", x); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if _, ok := v[k].([]any); !ok && v[k] != nil && slices.Contains(lists, k) {
				return fmt.Errorf("%s.%s is no list", at, k)
			}
			if err := wellFormed(at+"."+k, v[k]); err != nil {
				return err
			}
		}
	}
	return nil
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

func stringAt(v any, path ...string) string {
	s, _ := valueAt(v, path...).(string)
	return s
}

func listAt(v any, path ...string) []any {
	l, _ := valueAt(v, path...).([]any)
	return l
}

func valueAt(v any, path ...string) any {
	for _, k := range path {
		m, _ := v.(map[string]any)
		v = m[k]
	}
	return v
}

// whole gives a number that is whole and lies in [low, 2^63), or false.
func whole(v any, low float64) (int, bool) {
	n, ok := v.(float64)
	if !ok || n != math.Trunc(n) || n < low || n >= 1<<63 {
		return 0, false
	}
	return int(n), true
}

type flight struct {
	rules  []any
	hashes map[string]bool
}

func (c *flight) run(run any) error {
	c.rules = listAt(run, "tool", "driver", "rules")
	results := listAt(run, "results")
	switch id := stringAt(run, "automationDetails", "id"); {
	case blank(stringAt(run, "tool", "driver", "name")):
		return errors.New("the driver has no name")
	case !strings.HasSuffix(id, "/") || blank(strings.TrimRight(id, "/")):
		return fmt.Errorf("automation id %q does not end in a slash, so its category would be empty", id)
	case len(c.rules) == 0 || len(c.rules) > 25000:
		return fmt.Errorf("%d rules", len(c.rules))
	case results == nil:
		return errors.New("no results array")
	case len(results) > 5000:
		return fmt.Errorf("%d results; above 5000 GitHub drops some", len(results))
	case len(listAt(run, "tool", "extensions")) > 100:
		return errors.New("more than 100 tool extensions")
	}
	for _, inv := range listAt(run, "invocations") {
		if valueAt(inv, "executionSuccessful") != true {
			return errors.New("an invocation is not successful")
		}
		for _, n := range listAt(inv, "toolExecutionNotifications") {
			if blank(stringAt(n, "message", "text")) {
				return errors.New("a notification has no message")
			}
		}
	}
	ids := map[string]bool{}
	for _, r := range c.rules {
		id := stringAt(r, "id")
		if err := checkRule(r); err != nil {
			return fmt.Errorf("rule %q: %w", id, err)
		}
		if ids[id] {
			return fmt.Errorf("rule %q stands twice", id)
		}
		ids[id] = true
	}
	for i, r := range results {
		if err := c.result(r); err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
	}
	return nil
}

func checkRule(r any) error {
	for _, path := range [][]string{{"id"}, {"shortDescription", "text"}, {"fullDescription", "text"}, {"help", "text"}} {
		if blank(stringAt(r, path...)) {
			return fmt.Errorf("%s is missing or empty", strings.Join(path, "."))
		}
	}
	tags := map[string]bool{}
	for _, t := range listAt(r, "properties", "tags") {
		text, _ := t.(string)
		if tags[text] || blank(text) {
			return errors.New("a tag is empty or stands twice")
		}
		tags[text] = true
	}
	switch {
	case utf8.RuneCountInString(stringAt(r, "name")) > 255:
		return errors.New("its name has more than 255 characters")
	case utf8.RuneCountInString(stringAt(r, "shortDescription", "text")) > 1024,
		utf8.RuneCountInString(stringAt(r, "fullDescription", "text")) > 1024:
		return errors.New("a description has more than 1024 characters")
	case len(tags) > 10:
		return errors.New("more than 10 tags")
	}
	return graded(r)
}

// graded checks the words by which code scanning ranks the alerts of a rule.
func graded(r any) error {
	for _, p := range []struct {
		name  string
		words []string
	}{
		{"problem.severity", []string{"error", "warning", "recommendation"}},
		{"precision", []string{"very-high", "high", "medium", "low"}},
	} {
		if v := valueAt(r, "properties", p.name); v != nil && !slices.Contains(p.words, stringAt(r, "properties", p.name)) {
			return fmt.Errorf("%s is none of %s", p.name, strings.Join(p.words, ", "))
		}
	}
	if v := valueAt(r, "properties", "security-severity"); v != nil {
		text, _ := v.(string)
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || !(n > 0 && n <= 10) {
			return fmt.Errorf("security-severity %v is no text with a number above 0 and up to 10", v)
		}
	}
	return nil
}

func (c *flight) result(r any) error {
	id, level := stringAt(r, "ruleId"), stringAt(r, "level")
	index, ok := whole(valueAt(r, "ruleIndex"), 0)
	if !ok || index >= len(c.rules) || stringAt(c.rules[index], "id") != id {
		return fmt.Errorf("ruleIndex is not that of rule %q", id)
	}
	switch priority := stringAt(r, "properties", "priority"); {
	case blank(stringAt(r, "message", "text")):
		return errors.New("no message")
	case len(listAt(r, "locations")) == 0:
		return errors.New("expected at least one location")
	case valueAt(r, "suppressions") != nil || valueAt(r, "baselineState") != nil:
		return errors.New("code scanning ignores suppressions and states; what they are about must be left out")
	case !slices.Contains([]string{"error", "warning", "note"}, level):
		return fmt.Errorf("level is %q", level)
	case (level == "error") != (priority == finding.High.String()):
		return fmt.Errorf("level %s for priority %s: only high ones may fail a pull request", level, priority)
	}
	prints, _ := valueAt(r, "partialFingerprints").(map[string]any)
	for _, p := range prints {
		if text, _ := p.(string); blank(text) {
			return errors.New("a fingerprint is no text, or empty")
		}
	}
	hash := stringAt(prints, "primaryLocationLineHash")
	if hash == "" || c.hashes[id+" "+hash] {
		return fmt.Errorf("primaryLocationLineHash %q is missing or not its own", hash)
	}
	c.hashes[id+" "+hash] = true
	return checkLocations(r)
}

func checkLocations(r any) error {
	locations := slices.Concat(listAt(r, "locations"), listAt(r, "relatedLocations"))
	if len(locations) > 100 {
		return fmt.Errorf("%d locations, more than 100", len(locations))
	}
	if err := checkLinks(r, locations); err != nil {
		return err
	}
	steps := 0
	for _, flow := range listAt(r, "codeFlows") {
		ids := map[string]bool{}
		if len(listAt(flow, "threadFlows")) == 0 {
			return errors.New("a code flow has no thread flows")
		}
		for _, t := range listAt(flow, "threadFlows") {
			if id := stringAt(t, "id"); id != "" {
				if ids[id] {
					return fmt.Errorf("two thread flows have the id %q", id)
				}
				ids[id] = true
			}
			if len(listAt(t, "locations")) == 0 {
				return errors.New("a thread flow has no locations")
			}
			for _, l := range listAt(t, "locations") {
				steps++
				locations = append(locations, valueAt(l, "location"))
			}
		}
	}
	if steps > 1000 {
		return fmt.Errorf("%d thread flow locations, more than 1000", steps)
	}
	for _, l := range locations {
		if err := physical(l); err != nil {
			return err
		}
	}
	return nil
}

var link = regexp.MustCompile(`(?:^|[^\\])\]\(([^)]*)\)`)

// checkLinks: ids of locations are their own, and the message links to nothing
// else.
func checkLinks(r any, locations []any) error {
	ids := map[string]bool{}
	for _, l := range locations {
		v := valueAt(l, "id")
		if v == nil {
			continue
		}
		id, ok := whole(v, 0)
		if !ok || ids[strconv.Itoa(id)] {
			return fmt.Errorf("location id %v is no whole number from 0, or stands twice", v)
		}
		ids[strconv.Itoa(id)] = true
	}
	for _, m := range link.FindAllStringSubmatch(stringAt(r, "message", "text"), -1) {
		if !ids[m[1]] {
			return fmt.Errorf("the message links to %q, which is the id of no location", m[1])
		}
	}
	return nil
}

// physical checks one place: all or nothing, one without a file makes GitHub
// refuse the whole upload.
func physical(l any) error {
	uri := stringAt(l, "physicalLocation", "artifactLocation", "uri")
	u, err := url.Parse(uri)
	switch {
	case valueAt(l, "physicalLocation") == nil:
		return errors.New("expected a physical location")
	case blank(uri):
		return errors.New("expected artifact location")
	case err != nil || u.IsAbs() || u.Host != "" || strings.HasPrefix(u.Path, "/") || strings.Contains("/"+u.Path+"/", "/../"):
		return fmt.Errorf("uri %q is not relative to the repository", uri)
	}
	region := valueAt(l, "physicalLocation", "region")
	for _, edge := range []string{"startLine", "endLine", "startColumn", "endColumn"} {
		if v := valueAt(region, edge); v != nil {
			if _, ok := whole(v, 1); !ok {
				return fmt.Errorf("%s %v is no whole number from 1", edge, v)
			}
		}
	}
	start, ok := whole(valueAt(region, "startLine"), 1)
	if end, more := whole(valueAt(region, "endLine"), 1); !ok || more && end != start {
		return errors.New("a region must be one line: a pull request shows an alert only if all its lines are changed")
	}
	return nil
}
