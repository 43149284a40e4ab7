package hb

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestRuleTable: each rule of the package comment names a function, and the file
// in which that stands.
func TestRuleTable(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^//\t(\S.*?) {2,}(\w+), (\w+\.go) +(\S.*)$`).FindAllStringSubmatch(string(doc), -1)
	if len(rows) < 20 {
		t.Fatalf("%d rules in the table", len(rows))
	}
	if lines := regexp.MustCompile(`(?m)^//\t.*\.go`).FindAllString(string(doc), -1); len(lines) != len(rows) {
		t.Errorf("%d of %d lines of the table name a rule, a function, a file and a source", len(rows), len(lines))
	}
	for _, row := range rows {
		src, err := os.ReadFile(row[3])
		if err != nil {
			t.Errorf("%s: %v", row[1], err)
			continue
		}
		if !regexp.MustCompile(`(?m)^func (\(.*?\) )?` + row[2] + `\(`).Match(src) {
			t.Errorf("%s: no function %s in %s", row[1], row[2], row[3])
		}
		if strings.HasSuffix(row[3], "_test.go") {
			t.Errorf("%s stands in a test", row[1])
		}
	}
}

// TestQueriesAtOnce asks from several goroutines what one alone has answered.
func TestQueriesAtOnce(t *testing.T) {
	w := bigWorld(3, 3)
	g := w.build(t)
	n := len(w.Actions)
	ask := func() (out []byte) {
		for a := 1; a < n; a++ {
			for b := 1; b < n; b++ {
				x, y := At{ActionID(a), 10}, At{ActionID(b), 5}
				for rel := SameCause; rel <= OtherInstance; rel++ {
					o := g.Order(x, y, rel)
					out = append(out, byte(o.Way), byte(o.Reason), byte(g.InOrder(x.Action, y.Action, rel)))
				}
				for _, yes := range []bool{g.Unordered(x, y, OtherInstance), g.Earlier(x.Action, y.Action), g.Descends(x.Action, y.Action)} {
					if yes {
						out = append(out, 1)
					} else {
						out = append(out, 0)
					}
				}
			}
		}
		return out
	}
	want := string(ask())
	got := make(chan string)
	for range 4 {
		go func() { got <- string(ask()) }()
	}
	for range 4 {
		if <-got != want {
			t.Error("the answers differ")
		}
	}
}
