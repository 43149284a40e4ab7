// Command rulepages writes the pages of the rules, docs/rules/RULE.md, and their
// index from the rule records. A test fails while they differ.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

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
	for name, text := range pages() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// pages are all files of the folder.
func pages() map[string]string {
	all := map[string]string{"README.md": index()}
	for _, r := range finding.Rules() {
		all[string(r.ID)+".md"] = page(r)
	}
	return all
}

const written = "<!-- Written by scripts/rulepages from engine/finding/rule.go; change it there. -->\n\n"

func page(r finding.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s# %s: %s\n", written, r.ID, r.Title)
	for _, part := range r.Page() {
		if part.Heading != "" {
			fmt.Fprintf(&b, "\n## %s\n", part.Heading)
		}
		if part.Text != "" {
			fmt.Fprintf(&b, "\n%s\n", part.Text)
		}
		if part.Code != "" {
			fmt.Fprintf(&b, "\n```%s\n%s```\n", part.Lang, part.Code)
		}
	}
	return b.String()
}

func index() string {
	var b strings.Builder
	b.WriteString(written + "# Rules\n\nA pair of accesses falls under the first rule that fits it. Ids never change their meaning.\n\n" +
		"| rule | name | what it finds |\n| --- | --- | --- |\n")
	for _, r := range finding.Rules() {
		fmt.Fprintf(&b, "| [%s](%s.md) | %s | %s |\n", r.ID, r.ID, r.Title, r.Short)
	}
	return b.String()
}
