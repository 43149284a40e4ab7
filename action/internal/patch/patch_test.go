package patch

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

const example = `@@ -1,4 +1,5 @@ class A {
 a
-b
+B
+B2
 c
 d
@@ -10,2 +11,3 @@
 j
+new
 k
\ No newline at end of file
`

func TestLinesOfAPatch(t *testing.T) {
	hunks, err := Parse(example)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for line := 1; line <= 15; line++ {
		old, ok := hunks.Old(line)
		kind := string(hunks.At(line))
		if hunks.At(line) == Outside {
			kind = "."
		}
		fmt.Fprintf(&got, "%d%s%d%v ", line, kind, old, ok)
	}
	want := "1 1true 2+3false 3+3false 4 3true 5 4true 6.5true 7.6true 8.7true 9.8true 10.9true 11 10true 12+11false 13 11true 14.12true 15.13true "
	if got.String() != want {
		t.Errorf("got  %s\nwant %s", got.String(), want)
	}
}

func TestDamagedPatches(t *testing.T) {
	for text, want := range map[string]string{
		"a\n":                                "line 1 of the patch stands before the first hunk",
		"@@ -1 +1 @@\n*a\n":                  `line 2 of the patch begins with '*'`,
		"@@ -1 +1 @@\n-a\n":                  "end of the patch: the hunk has 1 old and 0 new lines, its header says 1 and 1",
		"@@ -1 +1 @@\n@@ -3 +3 @@\n":         "line 2 of the patch: the hunk has 0 old and 0 new lines, its header says 1 and 1",
		"@@ -5 +5 @@\n a\n@@ -1 +1 @@\n a\n": "line 3 of the patch: the hunk begins before the last one ends",
	} {
		if _, err := Parse(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// The oracle edits a file at random, writes the patch the plain way, and knows
// where each line came from.
func TestRandomEdits(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for range 500 {
		n := 1 + random.Intn(40)
		type line struct{ from int } // 0: added
		var ops []Kind
		for range n {
			switch random.Intn(8) {
			case 0:
				ops = append(ops, removed)
			case 1:
				ops = append(ops, Added, Context)
			default:
				ops = append(ops, Context)
			}
		}
		var file []line
		was := 0
		for _, op := range ops {
			if op != Added {
				was++
			}
			switch op {
			case Added:
				file = append(file, line{})
			case Context:
				file = append(file, line{was})
			}
		}
		hunks, err := Parse(diff(ops, random.Intn(4)))
		if err != nil {
			t.Fatalf("%v\n%s", err, diff(ops, 3))
		}
		for i, l := range file {
			old, ok := hunks.Old(i + 1)
			if ok != (l.from > 0) || ok && old != l.from {
				t.Fatalf("line %d: %d %v, want %d\n%s", i+1, old, ok, l.from, diff(ops, 3))
			}
			if (hunks.At(i+1) == Added) != (l.from == 0) {
				t.Fatalf("line %d is %q\n%s", i+1, hunks.At(i+1), diff(ops, 3))
			}
		}
	}
}

// diff writes the edits as hunks with some lines of context.
func diff(ops []Kind, around int) string {
	near := make([]bool, len(ops))
	for i, op := range ops {
		if op != Context {
			for k := max(i-around, 0); k <= min(i+around, len(ops)-1); k++ {
				near[k] = true
			}
		}
	}
	var out strings.Builder
	was, is := 1, 1
	for i := 0; i < len(ops); i++ {
		if !near[i] {
			was, is = was+1, is+1
			continue
		}
		var body strings.Builder
		oldFirst, newFirst, oldN, newN := was, is, 0, 0
		for ; i < len(ops) && near[i]; i++ {
			fmt.Fprintf(&body, "%cx\n", ops[i])
			if ops[i] != Added {
				oldN++
			}
			if ops[i] != removed {
				newN++
			}
		}
		i--
		was, is = was+oldN, is+newN
		if oldN == 0 {
			oldFirst--
		}
		if newN == 0 {
			newFirst--
		}
		fmt.Fprintf(&out, "@@ -%d,%d +%d,%d @@\n%s", oldFirst, oldN, newFirst, newN, body.String())
	}
	return out.String()
}

func FuzzParse(f *testing.F) {
	f.Add(example)
	f.Add("@@ -0,0 +1 @@\n+a\n")
	f.Add("@@ -1 +0,0 @@\n-a\n")
	f.Fuzz(func(t *testing.T, text string) {
		hunks, err := Parse(text)
		if err != nil {
			return
		}
		for line := 1; line < 50; line++ {
			if old, ok := hunks.Old(line); ok && hunks.At(line) == Added {
				t.Errorf("line %d is added and was %d", line, old)
			}
		}
	})
}
