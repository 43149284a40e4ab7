package platform

import (
	"fmt"
	"os"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/internal/goldentest"
)

const docsPage = "../../../docs/models.md"
const docsMark = "## What is modelled\n"

// TestDocs keeps the list at the end of the docs page, and asks that the page
// names every effect and key of the schema.
func TestDocs(t *testing.T) {
	m, ix := models(t)
	page, err := os.ReadFile(docsPage)
	if err != nil {
		t.Fatal(err)
	}
	head, have, ok := strings.Cut(string(page), docsMark)
	if !ok {
		t.Fatalf("%s lacks %q", docsPage, docsMark)
	}
	words := slices.Concat(strings.Fields(commonKeys), classKeys, traitKeys, packageKeys, lifecycleKeys)
	for name, k := range effectKinds {
		words = append(append(words, name), strings.Fields(k.keys)...)
	}
	sort.Strings(words)
	for _, w := range words {
		if !strings.Contains(head, "`"+w+"`") && !strings.Contains(head, "`"+w+":") {
			t.Errorf("%s does not explain %s", docsPage, w)
		}
	}
	want := "\n" + coverage(t, m, ix)
	if goldentest.Update() {
		if err := os.WriteFile(docsPage, []byte(head+docsMark+want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if have != want {
		t.Errorf("the list in %s is stale: run the test with -update", docsPage)
	}
}

// coverage lists, file by file, the classes and lifecycles described.
func coverage(t *testing.T, m *Models, ix *Index) string {
	t.Helper()
	classes, lives := map[string][]string{}, map[string][]string{}
	methods := map[string]int{}
	total := 0
	for _, n := range m.Names() {
		c := m.Classes[n]
		mark := ""
		if !ix.Has(n) {
			mark = "*"
		}
		classes[c.Pos.File] = append(classes[c.Pos.File], "`"+n+"`"+mark)
		for _, x := range c.Methods {
			methods[x.Pos.File]++
			total++
		}
	}
	for _, l := range m.Lifecycles {
		lives[l.Pos.File] = append(lives[l.Pos.File], "`"+l.Base+"`")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d methods of %d classes, and %d lifecycles. Classes marked * are not in the platform index, so their methods\ncannot be checked against it.\n", total, len(m.Classes), len(m.Lifecycles))
	entries, err := modelFiles.ReadDir("models")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		f := "models/" + e.Name()
		data, err := modelFiles.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		r := &reader{file: f}
		title := r.parseTree(data).get("title").text
		fmt.Fprintf(&b, "\n**%s** (`%s`, %d methods)\n", title, e.Name(), methods[f])
		if len(lives[f]) > 0 {
			fmt.Fprintf(&b, "\nLifecycles: %s.\n", strings.Join(lives[f], ", "))
		}
		fmt.Fprintf(&b, "\nClasses: %s.\n", strings.Join(classes[f], ", "))
	}
	return b.String()
}
