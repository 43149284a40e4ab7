package expect

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// parseText parses one file A.java with the given lines.
func parseText(t *testing.T, lines ...string) (*Set, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "p"), 0o755); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(lines, "\n") + "\n"
	if err := os.WriteFile(filepath.Join(dir, "p", "A.java"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return Parse(dir)
}

func mustParse(t *testing.T, lines ...string) *Set {
	t.Helper()
	set, err := parseText(t, lines...)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func at(line int) Pos { return Pos{"p/A.java", line} }

func TestParse(t *testing.T) {
	got := mustParse(t,
		"x = null; // race: use-after-free high freed; stale-read medium|low seen",
		"x.run(); // race: use-after-free high freed",
		"y = x; // race: stale-read medium|low seen",
		"n++; // race: unsynchronized-access high lost itself",
		`String s = "http://silent"; // silent because nobody else sees s`,
		"if (x != null) x.run(); // safe",
		"z = 1; // race: unordered-write low FP_z because nothing follows flags yet",
		"z = 2; // race: unordered-write low FP_z because nothing follows flags yet",
		"// unlisted: medium because only high counts here",
		"// a silent comment, and a race: neither is a mark",
	)
	want := &Set{
		Races: []Race{
			{"FP_z", "unordered-write", []string{"low"}, FalsePositive, "nothing follows flags yet", at(7), at(8)},
			{"freed", "use-after-free", []string{"high"}, Right, "", at(1), at(2)},
			{"lost", "unsynchronized-access", []string{"high"}, Right, "", at(4), at(4)},
			{"seen", "stale-read", []string{"medium", "low"}, Right, "", at(1), at(3)},
		},
		Silent:   []Silence{{at(5), "nobody else sees s", false}, {at(6), "", true}},
		Unlisted: map[string]string{"p/A.java": "medium"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if got, want := got.Tally(), (Tally{4, 2, 1}); got != want {
		t.Errorf("tally is %v, want %v", got, want)
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"x = 1; // race: use-after-free high one", "p/A.java:1: label one stands on 1 lines, not two"},
		{"x = 1; // races: use-after-free high one", "no mark"},
		{"x = 1; // race use-after-free high one", "no mark"},
		{"x = 1; //silently", ""},
		{"x = 1; //silent here", "no mark"},
		{"x = 1; // silent because", "a reason must follow"},
		{"x = 1; // race: use-after-fre high one", `unknown rule "use-after-fre"`},
		{"x = 1; // race: use-after-free highest one", `unknown priority "highest"`},
		{"x = 1; // race: use-after-free high medium one", "race has 4 words"},
		{"x = 1; // race: use-after-free high 1st itself", `bad label "1st"`},
		{"x = 1; // race: stale-read low FN_x itself", "FN_x needs a reason"},
		{"x = 1; // unlisted: high because no", "only medium findings can be unlisted"},
		{"x = 1; // unlisted: medium", "unlisted needs a reason"},
		{"a; // race: stale-read low l\nb; // race: stale-read high l", "label l has another rule or priority at p/A.java:1"},
		{"a; // race: stale-read low l itself\nb; // race: stale-read low l", "races with itself but stands on 2 lines"},
	} {
		_, err := parseText(t, c.line)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%q: %v", c.line, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%q: error is %v, want %q", c.line, err, c.want)
		}
	}
}

func TestCompare(t *testing.T) {
	set := mustParse(t,
		"x = null; // race: use-after-free high freed",
		"x.run(); // race: use-after-free high freed",
		"n++; // race: unsynchronized-access high lost itself",
		"y.run(); // silent because y is final",
		"if (x != null) x.run(); // safe",
		"z = 1; // race: unordered-write low FP_z because of flags",
		"z = 2; // race: unordered-write low FP_z because of flags",
		"w = 1; // race: stale-read medium FN_w because of reflection",
		"w(); // race: stale-read medium FN_w because of reflection",
		"plain = 1;",
		"plain = 2;",
	)
	f := func(rule, priority string, a, b int) Finding {
		return Finding{rule, priority, "p/A.java", a, "p/A.java", b}
	}
	right := []Finding{
		f("use-after-free", "high", 2, 1),
		f("unsynchronized-access", "medium", 3, 3), // the read/write pair of the line: the strongest counts
		f("unsynchronized-access", "high", 3, 3),
		f("unordered-write", "low", 6, 7),
		f("stale-read", "low", 5, 10),
		f("unordered-write", "low", 10, 11),
		f("stale-read", "low", 8, 9), // of FN_w, but not its priority
	}
	for _, c := range []struct {
		name  string
		drop  int // index in right, -1 for none
		add   []Finding
		diffs []string
	}{
		{"agree", -1, nil, nil},
		{"missing", 0, nil, []string{"p/A.java:1: race freed with p/A.java:2: use-after-free high is missing"}},
		{"other rule", 0, []Finding{f("stale-read", "low", 1, 2)}, []string{
			"p/A.java:1: race freed with p/A.java:2: use-after-free high is missing; found there instead: stale-read low"}},
		{"lower", 2, nil, []string{"p/A.java:3: race lost with p/A.java:3: unsynchronized-access is medium, want high"}},
		{"false positive gone", 3, nil, []string{
			"p/A.java:6: race FP_z with p/A.java:7: is gone, as it should be: mark its lines silent or safe instead"}},
		{"false negative found", -1, []Finding{f("stale-read", "medium", 9, 8)}, []string{
			"p/A.java:8: race FN_w with p/A.java:9: is found now: take FN_ out of its label"}},
		{"silent", -1, []Finding{f("stale-read", "low", 10, 4)}, []string{
			"p/A.java:4: unexpected stale-read low with p/A.java:10; p/A.java:4 is silent because y is final"}},
		{"safe, but a null", -1, []Finding{f("use-after-free", "low", 1, 5)}, []string{
			"p/A.java:1: unexpected use-after-free low with p/A.java:5; p/A.java:5 is safe"}},
		{"safe, but medium", -1, []Finding{f("stale-read", "medium", 5, 11)}, []string{
			"p/A.java:5: unexpected stale-read medium with p/A.java:11; p/A.java:5 is safe"}},
		{"unexpected", -1, []Finding{f("stale-read", "medium", 11, 10)}, []string{
			"p/A.java:10: unexpected stale-read medium with p/A.java:11"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var found []Finding
			for i, r := range right {
				if i != c.drop {
					found = append(found, r)
				}
			}
			if d := cmp.Diff(c.diffs, set.Compare(append(found, c.add...))); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestCompareUnlisted(t *testing.T) {
	set := mustParse(t, "// unlisted: medium because only high counts", "x = 1;", "x = 2;")
	f := Finding{"unordered-write", "medium", "p/A.java", 2, "p/A.java", 3}
	if d := set.Compare([]Finding{f}); d != nil {
		t.Errorf("medium: %v", d)
	}
	f.Priority = "high"
	if d := set.Compare([]Finding{f}); len(d) != 1 {
		t.Errorf("high: %v, want one difference", d)
	}
	f.Priority, f.FileB = "medium", "p/B.java"
	if d := set.Compare([]Finding{f}); len(d) != 1 {
		t.Errorf("medium with a line of another file: %v, want one difference", d)
	}
}
