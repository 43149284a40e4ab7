// Command rulepages writes the pages of the rules, docs/rules/RULE.md, from the
// rule records. A test fails while they differ.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/eventraces/eventraces/engine/finding"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: rulepages DIR")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "rulepages:", err)
		os.Exit(1)
	}
}

func write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, r := range finding.Rules() {
		if err := os.WriteFile(filepath.Join(dir, string(r.ID)+".md"), []byte(page(r)), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func page(r finding.Rule) string {
	return fmt.Sprintf(`<!-- Written by scripts/rulepages from engine/finding/rule.go; change it there. -->

# %s: %s

%s

## What happens

%s

## How to fix it

%s

## Failing

`+"```java\n%s```"+`

## Fixed

`+"```java\n%s```\n", r.ID, r.Title, r.Short, r.Full, r.Fix, r.Failing, r.Fixed)
}
