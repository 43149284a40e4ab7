// Command factpage writes the page of the facts behind priorities, docs/facts.md,
// from their records. A test fails while they differ.
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: factpage FILE")
		os.Exit(2)
	}
	if err := os.WriteFile(os.Args[1], []byte(page(finding.Facts())), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "factpage:", err)
		os.Exit(1)
	}
}

const head = `<!-- Written by scripts/factpage from engine/finding/fact.go; change it there. -->

# Facts behind the priority

The priority of a race rests on facts, which every output lists. A race is high unless a fact limits it; of several limits the
lowest counts. Names never change their meaning. ` + "`{}`" + ` stands for what the fact is about.

| fact | at most | what it says |
| --- | --- | --- |
`

// page is the whole file.
func page(facts []finding.FactRecord) string {
	var b strings.Builder
	b.WriteString(head)
	for _, f := range facts {
		limit := ""
		if f.Limit != 0 {
			limit = f.Limit.String()
		}
		fmt.Fprintf(&b, "| `%s` | %s | **%s**%s. %s |\n", f.ID, limit, strings.ToUpper(f.Text[:1])+f.Text[1:], of(f), f.Doc)
	}
	return b.String()
}

// of names the rule of a record that is for one alone.
func of(f finding.FactRecord) string {
	if f.Rule == "" {
		return ""
	}
	return fmt.Sprintf(" (of [%s](rules/%s.md))", f.Rule, f.Rule)
}
