package comment

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/eventraces/eventraces/engine/finding/findingtest"
	"github.com/eventraces/eventraces/engine/report"
)

func TestEscapes(t *testing.T) {
	for in, want := range map[string]string{
		"Main.onClick": "`Main.onClick`", "": "`?`", "a`b": "``a`b``", "`": "`` ` ``", "a|b": "`a\\u007cb`", "<init>": "`<init>`", "a\nb": "`a\\u000ab`",
		strings.Repeat("a", 100) + strings.Repeat("b", 100): "`" + strings.Repeat("a", 79) + "..." + strings.Repeat("b", 78) + "`",
	} {
		if got := code(in); got != want {
			t.Errorf("the name %q is written as %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"If Main.onDestroy comes first, Main.x is null: a NullPointerException at Main.java:21.": "If `Main.onDestroy` comes first, `Main.x` is null: a `NullPointerException` at `Main.java:21`.",
		`Exception ("Unable to add window, is it?")`:                                             `Exception ("Unable to add window, is it?")`,
		"@user, #12: *x* (www.a.b)":                                                              "`@user`, `#12`: `*x*` (`www.a.b`)",
		"use-after-free don't JIRA-ABC GH-12 deadbeef 1234567 x_y":                               "use-after-free don't `JIRA-ABC` `GH-12` `deadbeef` `1234567` `x_y`",
		"do nothing (f(1)) if isDestroyed() (or b().).":                                          "do nothing (`f(1)`) if `isDestroyed()` (or `b()`.).",
		"1. a": "`1`. a", "12 of 13 times": "12 of 13 times", "- a": "`-` a", "": "`?`", "  ": "`?`", "...": "`...`", ":smile: ::": "`:smile`: `:\\u003a`",
	} {
		if got := prose(in); got != want {
			t.Errorf("the sentence %q is written as %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"Main.x": "Main#46;#8288;x", `a "b"`: "a #34;#8288;b#34;#8288;", "1. a": "#8288;#8288;1#46;#8288; a", "$$x": "#8288;#8288;#36;#8288;#36;#8288;x", "x`*~": "x#39;#8288;#8727;#8288;#8764;#8288;", " ": "#8288;#8288;#63;#8288;",
	} {
		if got := label(in); got != want {
			t.Errorf("the label %q is %q, want %q", in, got, want)
		}
	}
	if got, want := tag(`a<b> &"c"`), "a&#60;b&#62; &#38;&#34;c&#34;"; got != want {
		t.Errorf("a text in HTML is %q, want %q", got, want)
	}
}

var (
	labelForm   = regexp.MustCompile(`^([A-Za-z0-9 ]|#[0-9]+;)+$`)
	segmentForm = regexp.MustCompile(`^([A-Za-z0-9_.~-]|%[0-9A-F]{2})*$`)
)

// Whatever a text is, it means nothing in any place of a page, and a name can be
// read in full.
func FuzzEscapes(f *testing.F) {
	for _, texts := range []map[string]string{findingtest.HostileTexts, markdown} {
		for _, s := range texts {
			f.Add(s)
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		name, sentence := code(s), prose(s)
		page := name + "\n\n" + sentence + "\n\n- " + sentence + "\n- " + name + "\n\n**" + sentence + "** x " + name + name + "\n\n" +
			"| a | b |\n| --- | --- |\n| " + name + " | " + sentence + " |\n\n[" + name + "](https://github.com/example/news/actions/runs/77)\n" +
			fold("<code>"+tag(s)+"</code>", "\n"+sentence)
		inert(t, "page", page)
		if got := labelForm.MatchString(label(s)); !got || utf8.RuneCountInString(label(s)) > 20*longestLabel {
			t.Errorf("label %q", label(s))
		}
		if !segmentForm.MatchString(segment(s)) || strings.Contains(hidden(s), "-") {
			t.Errorf("segment %q", segment(s))
		}
		want := report.Clean(s)
		if utf8.RuneCountInString(want) > longestName || strings.Contains(want, "|") || strings.TrimSpace(want) == "" {
			return
		}
		source := []byte(page)
		doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
		span, ok := doc.FirstChild().FirstChild().(*ast.CodeSpan)
		if !ok {
			t.Fatalf("%q is no code", name)
		}
		got := ""
		for n := span.FirstChild(); n != nil; n = n.NextSibling() {
			got += string(n.(*ast.Text).Value(source))
		}
		if strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%q is read as %q", want, got)
		}
	})
}
