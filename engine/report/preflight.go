package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

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
	if err := noNulls("$", log); err != nil {
		return err
	}
	runs := listAt(log, "runs")
	switch {
	case stringAt(log, "$schema") == "" || stringAt(log, "version") != "2.1.0":
		return errors.New("no $schema, or not version 2.1.0")
	case len(runs) != 1:
		return fmt.Errorf("%d runs; a file must have exactly one", len(runs))
	}
	c := &flight{hashes: map[string]bool{}}
	return c.run(runs[0])
}

// noNulls: code scanning's schema knows no null.
func noNulls(at string, v any) error {
	switch v := v.(type) {
	case nil:
		return fmt.Errorf("%s is null", at)
	case []any:
		for i, x := range v {
			if err := noNulls(fmt.Sprintf("%s[%d]", at, i), x); err != nil {
				return err
			}
		}
	case map[string]any:
		for k, x := range v {
			if err := noNulls(at+"."+k, x); err != nil {
				return err
			}
		}
	}
	return nil
}

func stringAt(v any, path ...string) string {
	s, _ := valueAt(v, path).(string)
	return s
}

func listAt(v any, path ...string) []any {
	l, _ := valueAt(v, path).([]any)
	return l
}

func numberAt(v any, path ...string) float64 {
	n, _ := valueAt(v, path).(float64)
	return n
}

func valueAt(v any, path []string) any {
	for _, k := range path {
		m, _ := v.(map[string]any)
		v = m[k]
	}
	return v
}

type flight struct {
	rules  []any
	hashes map[string]bool
}

func (c *flight) run(run any) error {
	c.rules = listAt(run, "tool", "driver", "rules")
	results, ok := valueAt(run, []string{"results"}).([]any)
	switch id := stringAt(run, "automationDetails", "id"); {
	case stringAt(run, "tool", "driver", "name") == "":
		return errors.New("the driver has no name")
	case !strings.HasSuffix(id, "/") || len(id) < 2:
		return fmt.Errorf("automation id %q does not end in a slash, so its category would be empty", id)
	case len(c.rules) == 0 || len(c.rules) > 25000:
		return fmt.Errorf("%d rules", len(c.rules))
	case !ok:
		return errors.New("no results array")
	case len(results) > 5000:
		return fmt.Errorf("%d results; above 5000 GitHub drops some", len(results))
	case len(listAt(run, "tool", "extensions")) > 100:
		return errors.New("more than 100 tool extensions")
	}
	for _, inv := range listAt(run, "invocations") {
		if valueAt(inv, []string{"executionSuccessful"}) != true {
			return errors.New("an invocation is not successful")
		}
	}
	for _, r := range c.rules {
		if err := c.rule(r); err != nil {
			return fmt.Errorf("rule %q: %w", stringAt(r, "id"), err)
		}
	}
	for i, r := range results {
		if err := c.result(r); err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
	}
	return nil
}

func (c *flight) rule(r any) error {
	for _, path := range [][]string{{"id"}, {"shortDescription", "text"}, {"fullDescription", "text"}, {"help", "text"}} {
		if stringAt(r, path...) == "" {
			return fmt.Errorf("%s is missing or empty", strings.Join(path, "."))
		}
	}
	tags := map[any]bool{}
	for _, t := range listAt(r, "properties", "tags") {
		tags[t] = true
	}
	switch {
	case len(stringAt(r, "name")) > 255:
		return errors.New("its name has more than 255 characters")
	case len(stringAt(r, "shortDescription", "text")) > 1024 || len(stringAt(r, "fullDescription", "text")) > 1024:
		return errors.New("a description has more than 1024 characters")
	case len(tags) != len(listAt(r, "properties", "tags")) || len(tags) > 10:
		return errors.New("more than 10 tags, or equal ones")
	}
	return nil
}

func (c *flight) result(r any) error {
	id := stringAt(r, "ruleId")
	index, ok := valueAt(r, []string{"ruleIndex"}).(float64)
	if !ok || index < 0 || int(index) >= len(c.rules) || stringAt(c.rules[int(index)], "id") != id {
		return fmt.Errorf("ruleIndex is not that of rule %q", id)
	}
	switch {
	case stringAt(r, "message", "text") == "":
		return errors.New("no message")
	case len(listAt(r, "locations")) == 0:
		return errors.New("expected at least one location")
	case valueAt(r, []string{"suppressions"}) != nil || valueAt(r, []string{"baselineState"}) != nil:
		return errors.New("code scanning ignores suppressions and states; what they are about must be left out")
	case (stringAt(r, "level") == "error") != (stringAt(r, "properties", "priority") == finding.High.String()):
		return fmt.Errorf("level %s for priority %s: only high ones may fail a pull request", stringAt(r, "level"), stringAt(r, "properties", "priority"))
	}
	hash := stringAt(r, "partialFingerprints", "primaryLocationLineHash")
	if hash == "" || c.hashes[id+" "+hash] {
		return fmt.Errorf("primaryLocationLineHash %q is missing or not its own", hash)
	}
	c.hashes[id+" "+hash] = true
	return c.locations(r)
}

func (c *flight) locations(r any) error {
	locations := append(listAt(r, "locations"), listAt(r, "relatedLocations")...)
	if len(locations) > 100 {
		return fmt.Errorf("%d locations, more than 100", len(locations))
	}
	steps := 0
	for _, flow := range listAt(r, "codeFlows") {
		for _, t := range listAt(flow, "threadFlows") {
			for _, l := range listAt(t, "locations") {
				steps++
				locations = append(locations, valueAt(l, []string{"location"}))
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

// physical checks the place of a location: all or nothing, one without a file
// makes GitHub refuse the whole upload.
func physical(l any) error {
	uri := stringAt(l, "physicalLocation", "artifactLocation", "uri")
	u, err := url.Parse(uri)
	switch {
	case uri == "":
		return errors.New("expected artifact location")
	case err != nil || u.IsAbs() || u.Host != "" || strings.HasPrefix(u.Path, "/") || strings.Contains("/"+u.Path+"/", "/../"):
		return fmt.Errorf("uri %q is not relative to the repository", uri)
	}
	for _, edge := range []string{"startLine", "endLine", "startColumn", "endColumn"} {
		if v := valueAt(l, []string{"physicalLocation", "region", edge}); v != nil && numberAt(l, "physicalLocation", "region", edge) < 1 {
			return fmt.Errorf("%s is below 1", edge)
		}
	}
	start := numberAt(l, "physicalLocation", "region", "startLine")
	if end := numberAt(l, "physicalLocation", "region", "endLine"); start < 1 || end > start {
		return errors.New("a region must be one line: a pull request shows an alert only if all its lines are changed")
	}
	return nil
}
