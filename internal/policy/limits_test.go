package policy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// bounding are the packages whose limits docs/limits.md names.
var bounding = []string{"actions", "flow", "hb", "naming", "pointsto", "race", "tell"}

// unbounding are their other numbers, by file.
var unbounding = map[string]string{
	"pointsto/set.go blockShift":       "the bits of a word",
	"pointsto/unseen.go accNative":     "a flag of the dex format",
	"pointsto/object.go accInterface":  "a flag of the dex format",
	"pointsto/object.go accFinal":      "a flag of the dex format",
	"pointsto/contexts.go accAbstract": "a flag of the dex format",
	"pointsto/graph.go many":           "when a table takes the place of a list",
	"pointsto/graph.go usual":          "how often cycles are looked for",
	"flow/lock.go sharedLock":          "a bit",
	"flow/lock.go classLock":           "a bit",
	"race/crew.go accessesEach":        "how locations are dealt out to goroutines",
	"race/finish.go toldTogether":      "how many races are written at once",
	"race/twins.go known":              "a bit",
	"race/twins.go pageOfActions":      "how a table grows",
	"race/decide.go fewPairs":          "when an index takes the place of a loop",
	"race/finder.go stepsBetween":      "how often the context is looked at",
	"hb/ahead.go far":                  "more than there can be",
	"hb/item.go marks":                 "bits of a number",
	"hb/replay.go alone":               "more than there can be",
	"flow/change.go enumBase":          "beyond the numbers of a program",
}

// TestLimits compares the page of limits with the constants in the code.
func TestLimits(t *testing.T) {
	page, err := os.ReadFile("../../docs/limits.md")
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\| `engine/internal/([^`]+)` \\| (\\d+) \\|").FindAllStringSubmatch(string(page), -1) {
		said[m[2]+" "+m[1]] = m[3]
	}
	if rows := strings.Count(string(page), "\n| `"); rows != len(said) {
		t.Errorf("%d rows, of which %d name a limit, its file and its value", rows, len(said))
	}
	for name, value := range numbers(t) {
		switch {
		case unbounding[name] != "":
		case said[name] != value:
			t.Errorf("%s is %s; docs/limits.md says %q", name, value, said[name])
		}
		delete(said, name)
	}
	for name := range said {
		t.Errorf("docs/limits.md names %s, which is no constant", name)
	}
}

// numbers are the constants of the packages that are a number above 1, by file and name.
func numbers(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, dir := range bounding {
		files, err := filepath.Glob("../../engine/internal/" + dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				d, ok := n.(*ast.GenDecl)
				if !ok || d.Tok != token.CONST {
					return true
				}
				for _, s := range d.Specs {
					v := s.(*ast.ValueSpec)
					for i, e := range v.Values {
						if n, ok := number(e); ok && n > 1 {
							out[dir+"/"+filepath.Base(path)+" "+v.Names[i].Name] = strconv.FormatInt(n, 10)
						}
					}
				}
				return true
			})
		}
	}
	return out
}

// number is the value of a literal, or of one shifted by another.
func number(e ast.Expr) (int64, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		n, err := strconv.ParseInt(e.Value, 0, 64)
		return n, err == nil && e.Kind == token.INT
	case *ast.BinaryExpr:
		x, ok := number(e.X)
		y, ok2 := number(e.Y)
		return x << y, ok && ok2 && e.Op == token.SHL
	}
	return 0, false
}
