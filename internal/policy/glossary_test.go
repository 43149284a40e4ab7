package policy

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestGlossary asks that each word of the glossary stands there once, and in the file
// or folder that it names as its owner.
func TestGlossary(t *testing.T) {
	page, err := os.ReadFile("../../docs/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	defined, _, _ := strings.Cut(string(page), "## Words that mislead")
	rows := regexp.MustCompile("(?m)^\\| ([^|]+) \\| [^|]+ \\| `([^`]+)` \\|$").FindAllStringSubmatch(defined, -1)
	if len(rows) < 50 {
		t.Fatalf("only %d words", len(rows))
	}
	seen := map[string]bool{}
	for _, row := range rows {
		for _, word := range strings.Split(row[1], ", ") {
			if seen[word] {
				t.Errorf("%s has two meanings", word)
			}
			seen[word] = true
		}
		text := textOf(t, row[2])
		if word := longest(row[1]); !strings.Contains(text, word) {
			t.Errorf("%s does not speak of %s, which the glossary says it owns", row[2], word)
		}
	}
}

// longest is the longest word of a term, in lower case.
func longest(term string) string {
	word := ""
	for _, w := range strings.FieldsFunc(term, func(r rune) bool { return r == ' ' || r == ',' }) {
		if len(w) > len(word) {
			word = w
		}
	}
	return strings.ToLower(word)
}

// textOf is the text of a file, or of the Go files of a folder, in lower case.
func textOf(t *testing.T, owner string) string {
	t.Helper()
	file := filepath.Join("..", "..", filepath.FromSlash(owner))
	files := []string{file}
	if !strings.Contains(filepath.Base(file), ".") {
		files, _ = filepath.Glob(filepath.Join(file, "*.go"))
	}
	var b strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Errorf("the glossary names an owner that is not there: %v", err)
			continue
		}
		b.Write(text)
	}
	return strings.ToLower(b.String())
}
