package source

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/finding"
)

// MARK stands for what begins a comment of ours, GOOD for a whole one. want has
// one line each: where it stands, the lines that it covers, the rules and the
// reason, or the problem.
var commentTests = []struct {
	name string
	src  string
	want string
}{
	{"alone", "a();\n// GOOD\nb();\nc();", "2: 3 stale-read x"},
	{"behind code", "a(); // GOOD\nb();", "1: 1 stale-read x"},
	{"behind a brace", "if (a) { // GOOD\nb(); }", "1: 1 stale-read x"},
	{"before code", "a();\n/* GOOD */ b();", "2: 2 stale-read x"},
	{"between code", "a(/* GOOD */ b);\nc();", "1: 1 stale-read x"},
	{"block alone", "a();\n/* GOOD */\n\nb();", "2: 4 stale-read x"},
	{"documentation", "/** GOOD */\nb();", "1: 2 stale-read x"},
	{"block of lines", "a(); /* GOOD\n * GOOD\n\n   GOOD\n * // GOOD\n */ b();", "1: 1 stale-read x|2: 6 stale-read x|4: 6 stale-read x"},
	{"documentation of lines", "/**\n * Does this.\n * GOOD\n */\nvoid b() {}", "3: 5 stale-read x"},
	{"behind a string over lines", "a(\"\"\"\n  b\"\"\"); // GOOD\nc();", "2: 2 stale-read x"},
	{"above a blank line", "// GOOD\n\n  \t\nb();", "1: 4 stale-read x"},
	{"above another comment", "// GOOD\n// why\n/* and\nhow */\nb();", "1: 5 stale-read x"},
	{"stacked", "// GOOD\n// MARK use-after-free because y\nb();", "1: 3 stale-read x|2: 3 use-after-free y"},
	{"above and behind", "// GOOD\nb(); // GOOD", "1: 2 stale-read x|2: 2 stale-read x"},
	{"above a statement of lines", "// GOOD\na\n  .b();", "1: 2 stale-read x"},
	{"above annotations", "// GOOD\n@Override\n@A.B(value = \"c\",\n d = 1)\nvoid a() {}", "1: 5 stale-read x"},
	{"above an annotation with code", "// GOOD\n@Nullable A a = b();", "1: 2 stale-read x"},
	{"above the declaration of an annotation", "// GOOD\n@interface A {}", "1: 2 stale-read x"},
	{"above a closing brace", "{ a();\n// GOOD\n}\nb();", "2: 3 stale-read x"},
	{"at the end", "a();\n// GOOD", "2: 0 stale-read x"},
	{"alone in the file", "// GOOD\n", "1: 0 stale-read x"},
	{"on the first line, behind a mark", "\ufeff// GOOD\na();", "1: 2 stale-read x"},
	{"carriage returns", "a();\r\n// GOOD\r\nb();\rc(); // GOOD\r", "2: 3 stale-read x|4: 4 stale-read x"},
	{"without a blank", "//GOOD\na();", "1: 2 stale-read x"},
	{"more slashes", "/// GOOD\na();", "1: 2 stale-read x"},
	{"tabs", "//\tMARK\tstale-read\tbecause\tx  y \na();", "1: 2 stale-read x y"},
	{"rules", "// MARK stale-read, use-after-free,unordered-write because a, b because c\na();", "1: 2 stale-read,use-after-free,unordered-write a, b because c"},
	{"rules with blanks", "// MARK stale-read use-after-free because x\na();", "1: 2 stale-read,use-after-free x"},

	{"in a string", "a(\"// GOOD\");\nb();", ""},
	{"in a string over lines", "a(\"\"\"\n// GOOD\n\"\"\");\nb();", ""},
	{"commented out", "// // GOOD\na();", ""},
	{"behind words", "// see GOOD\na();", ""},
	{"only named", "// see /eventraces:ignore and http://a and GOOD\na();", ""},
	{"behind a word and commented out", "// // // GOOD\na();", ""},

	{"behind a word", "// TODO x // GOOD\na();", "1: it BEHIND"},
	{"behind commented code", "a();\n// a(); // GOOD\na();", "2: it BEHIND"},
	{"behind words of lines", "/* GOOD\n * a, // GOOD */\na();", "1: 3 stale-read x|2: it BEHIND"},
	{"behind another of ours", "// MARK stale-read because x // GOOD\na();", "1: 2 stale-read x // GOOD"},
	{"no reason", "// MARK stale-read\na();", `1: it gives no reason: write // eventraces:ignore RULE because REASON`},
	{"empty reason", "// MARK stale-read because \na();", `1: it gives no reason: write // eventraces:ignore RULE because REASON`},
	{"no rule", "// MARK because x\na();", `1: it names no rule: write // eventraces:ignore RULE because REASON`},
	{"nothing", "// MARK\na();", `1: it names no rule: write // eventraces:ignore RULE because REASON`},
	{"unknown rule", "// MARK stale-reads because x\na();", `1: it names the unknown rule "stale-reads"; the rules are RULES`},
	{"one unknown rule", "// MARK stale-read, all, none because x\na();", `1: it names the unknown rule "all"; the rules are RULES`},
	{"reason without because", "// MARK stale-read x\na();", `1: it names the unknown rule "x"; the rules are RULES`},
	{"another form", "// MARK(stale-read) because x\na();", `1: it is not of the form // eventraces:ignore RULE because REASON`},
	{"another colon", "// MARK: stale-read because x\na();", `1: it is not of the form // eventraces:ignore RULE because REASON`},
	{"a long rule", "// MARK " + strings.Repeat("y", 99) + " because x\na();", `1: it names the unknown rule "` + strings.Repeat("y", 60) + `..."; the rules are RULES`},
}

func TestComments(t *testing.T) {
	for _, test := range commentTests {
		for _, kotlin := range []bool{false, true} {
			src := strings.NewReplacer("GOOD", commentMark+" stale-read because x", "MARK", commentMark).Replace(test.src)
			want := strings.NewReplacer("RULES", finding.RuleNames(), "GOOD", commentMark+" stale-read because x",
				"BEHIND", "stands behind other words of a comment: write it in a comment of its own").Replace(test.want)
			if got := told(ignoresIn("A.kt", src, kotlin)); got != want {
				t.Errorf("%s, Kotlin %v:\n got %s\nwant %s", test.name, kotlin, got, want)
			}
		}
	}
}

func told(a *annotated) string {
	var out []string
	if a != nil {
		for _, ig := range a.ignores {
			s := "it " + ig.Problem
			if ig.Problem == "" {
				s = fmt.Sprintf("%d %s %s", ig.from, join(ig.Rules), ig.Because)
				if ig.to != ig.from {
					s = fmt.Sprintf("to %d, ", ig.to) + s
				}
			}
			out = append(out, fmt.Sprintf("%d: %s", ig.line, s))
		}
	}
	return strings.Join(out, "|")
}

func join(rules []finding.RuleID) string {
	var s []string
	for _, r := range rules {
		s = append(s, string(r))
	}
	return strings.Join(s, ",")
}

func TestArguments(t *testing.T) {
	const (
		noRule   = `names no rule: write @IgnoreEventRace(rule = "RULE", because = "REASON")`
		noReason = `gives no reason: write @IgnoreEventRace(rule = "RULE", because = "REASON")`
		unquoted = `does not give %s as a text in quotes, and constants are not looked up: write @IgnoreEventRace(rule = "RULE", because = "REASON")`
	)
	rule, because := fmt.Sprintf(unquoted, "rule"), fmt.Sprintf(unquoted, "because")
	tests := []struct{ args, java, kotlin string }{ // kotlin: "" if as in Java
		{`(rule = "stale-read", because = "x")`, "stale-read: x", ""},
		{`(because = "x, (y)", rule = "stale-read")`, "stale-read: x, (y)", ""},
		{"(\n rule = \"stale-read\", // why\n because = \"x\" + /* so */\n \" \\\"y\\\"\"\n)", `stale-read: x "y"`, ""},
		{`(rule = " stale-read ", because = " x\n\ty ")`, "stale-read: x y", ""},
		{"(rule = \"stale-read\", because = \"\"\"\n  x\n    y\"\"\")", "stale-read: x y", ""},
		{`("stale-read", "x")`, "stale-read: x", ""},
		{`("stale-read", because = "x",)`, "stale-read: x", ""},
		{`(rule = "stale-read", because = "$5 a")`, "stale-read: $5 a", ""},
		{`(rule = "stale-read", because = "$a ${b}")`, "stale-read: $a ${b}", because},
		{``, noRule, ""},
		{`()`, noRule, ""},
		{`(because = "x")`, noRule, ""},
		{`(rule = "stale-read")`, noReason, ""},
		{`(rule = "stale-read", because = "")`, noReason, ""},
		{`(rule = "", because = "x")`, noRule, ""},
		{`(rule = "stale-reads", because = "x")`, `names the unknown rule "stale-reads"; the rules are ` + finding.RuleNames(), ""},
		{`(rule = "stale-read, use-after-free", because = "x")`, `names the unknown rule "stale-read, use-after-free"; the rules are ` + finding.RuleNames(), ""},
		{`(rule = Rules.STALE, because = "x")`, rule, ""},
		{`(rule = STALE, because = WHY)`, rule, ""},
		{`(rule = "stale-read", because = WHY)`, because, ""},
		{`(rule = "stale-read", because = "x" + WHY)`, because, ""},
		{`(rule = "stale-read", because = f("x", "y"))`, because, ""},
		{`(rule = "stale-read", because = "x" "y")`, because, ""},
		{`(rule = "stale-read", because = )`, because, ""},
		{`(rule = "stale-read", because = "x"`, because, ""}, // not closed
	}
	for _, test := range tests {
		for _, kotlin := range []bool{false, true} {
			want := test.java
			if kotlin && test.kotlin != "" {
				want = test.kotlin
			}
			src := "class A {\n@IgnoreEventRace" + test.args + "\nint a;\n}"
			a := ignoresIn("A.kt", src, kotlin)
			got := a.ignores[0].Problem
			if got == "" {
				got = join(a.ignores[0].Rules) + ": " + a.ignores[0].Because
			}
			if got != want || len(a.ignores) != 1 {
				t.Errorf("%s, Kotlin %v:\n got %s\nwant %s", test.args, kotlin, got, want)
			}
		}
	}
}

func TestNotAnAnnotation(t *testing.T) {
	for _, src := range []string{
		"import io.github.eventraces.annotations.IgnoreEventRace;\nclass A {}",
		"public @interface IgnoreEventRace { String rule(); }",
		"annotation class IgnoreEventRace(val rule: String)",
		"class A { Class<?> b = IgnoreEventRace.class; }",
		"class A { IgnoreEventRace a = b.IgnoreEventRace(c); }",
		"class A { @IgnoreEventRacer int a; @Other.IgnoreEventRaces int b; }",
		"// @IgnoreEventRace(rule = \"stale-read\", because = \"x\")\nint a;",
		"String a = \"@IgnoreEventRace\";",
		"val a = b ?: IgnoreEventRace",
		"@IgnoreEventRaces({}) int a;",
	} {
		for _, kotlin := range []bool{false, true} {
			if a := ignoresIn("A.kt", src, kotlin); a != nil {
				t.Errorf("%s, Kotlin %v: found on line %d", src, kotlin, a.ignores[0].line)
			}
		}
	}
}

func TestPackageName(t *testing.T) {
	for src, want := range map[string]string{
		"package a.b.c;\nclass D {}":                                         "a.b.c",
		"package a.b\nclass D {}":                                            "a.b",
		"package a.b // c\n":                                                 "a.b",
		"/* package x */ package /* y */ a . b;":                             "a.b",
		"/*\n package of things\n */\npackage a;":                            "a",
		"@file:JvmName(\"package x\")\n@file:Suppress(\"a\") package a.`in`": "a.in",
		"package a\nimport b.c":                                              "a",
		"package a.\nb":                                                      "a",
		"import b.c; class A { int package; }":                               "",
		"class A {}\npackage b;":                                             "",
		"":                                                                   "",
		"package":                                                            "",
		"\ufeffpackage a;":                                                   "a",
	} {
		tokens := slices.DeleteFunc(lex(src, true), func(t token) bool { return t.kind == comment })
		if got := packageName(tokens); got != want {
			t.Errorf("%q: package %q, want %q", src, got, want)
		}
	}
}
