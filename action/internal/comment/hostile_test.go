package comment

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/finding/findingtest"
)

// More of what a stranger could write, for Markdown, GitHub and Mermaid.
var markdown = map[string]string{
	"ticks":       "a`b``c```d````",
	"only ticks":  "```",
	"fence":       "```\n</details>\n# x",
	"pipes":       `a|b\|c\\|d`,
	"image":       `<img src=x onerror=alert(1)> ![x](http://evil/y.png)`,
	"everyone":    "@everyone @org/team (@user), \"@user\" a@b.example",
	"issues":      "#123 GH-123 owner/repo#4 (#5) owner/repo@deadbeefdeadbeef",
	"autolinks":   "http://evil.example www.evil.example <http://evil.example> https://evil.example/a. ftp://x.y mailto:a@b.c",
	"comment":     "--> <!-- eventraces:comment v1 --> <!--",
	"references":  "[a]: http://evil.example [a] [^1] [x](http://evil.example)](http://evil.example)",
	"emphasis":    "*a* _b_ **c** __d__ ~~e~~ ==f==",
	"math":        "$x$ $$y$$ $`z`$",
	"emoji":       ":smile: :+1: \U0001F468\u200d\U0001F469",
	"headings":    "# a\n## b\n===\n---",
	"lists":       "- a\n1. b\n* c\n+ d\n- [ ] e",
	"list":        "1. b",
	"item":        "- b",
	"quote":       "> [!CAUTION]\n> x",
	"table":       "| a | b |\n| --- | --- |",
	"details":     "</summary></details><details open><summary>x",
	"code":        "</code><b>x",
	"entities":    "&lt;b&gt; &#64;user &commat;user",
	"right":       "\u05d0\u05d1\u05d2 \u202eabc",
	"mermaid":     "\"]; click a0 \"http://evil.example\"; end %%{init: {}}%%",
	"keyword":     "end",
	"keywords":    "end subgraph style click loop note participant classDef linkStyle",
	"wrap":        "wrap: nowrap: x; y # z",
	"icon":        "fa:fa-ban `**x**` $$x$$",
	"placeholder": "\ufb02\u00b0\u00b042\u00b6\u00df &amp; #42;",
	"style":       "style: x#35;y;",
	"suggestion":  "```suggestion\nx\n```",
	"no text":     "",
}

// hostilePages are all pages with each text in every place.
func hostilePages(visit func(what, text string)) {
	texts := map[string]string{"very long": strings.Repeat("A", 100_000), "very long words": strings.Repeat("A@b.c ", 20_000)}
	for _, m := range []map[string]string{findingtest.HostileTexts, markdown} {
		for what, text := range m {
			texts[what] = text
		}
	}
	for what, text := range texts {
		run := findingtest.Spoil(text, func(field string) bool {
			return strings.TrimSpace(text) != "" || !slices.Contains(findingtest.NotBlank, field)
		})
		run.EachRace(func(r *finding.Race) {
			for i := range r.Sides {
				r.Sides[i].Access.Found = true
			}
		})
		for _, p := range []*Page{page(run), page(run, run)} {
			p.Base = text
			f := &run.Findings[0]
			visit(what+" in the comment", p.Sticky())
			visit(what+" in the summary", p.Summary())
			visit(what+" on a line", p.Inline(f, 0))
			visit(what+" when resolved", p.Resolved(p.Sticky()))
			visit(what+" as the old comment", p.Resolved(text))
		}
	}
}

func TestHostileTextsMeanNothing(t *testing.T) {
	n := 0
	hostilePages(func(what, text string) {
		n++
		inert(t, what, text)
	})
	if n < 500 {
		t.Errorf("only %d pages", n)
	}
}

// The page of a benign run must pass, too, and the test itself must fail for
// what it is to find.
func TestInertIsStrict(t *testing.T) {
	for _, bad := range []string{
		"@user", "#12", "[x](http://evil.example)", "![x](https://github.com/example/news/x.png)", "http://evil.example", "www.evil.example", "a@b.example", "<b>x</b>",
		"<details open>", "<details>\n<summary>@user</summary>\n</details>", "*x*", ":smile:", "$x$", "a\u202eb", "&lt;", "<!-- x --> -->", "::error::x", "```x\ny\n```",
		"<sub>", "[x][y]\n\n[y]: http://evil.example",
	} {
		var failed failures
		inert(&failed, "", bad+"\n")
		if failed == 0 {
			t.Errorf("%q passes", bad)
		}
	}
}

type failures int

func (f *failures) Errorf(string, ...any) { *f++ }

var (
	ownLink    = regexp.MustCompile(`^https://github\.com/(example/news/(commit/[0-9a-f]{40}|actions/runs/77|security/code-scanning\?query=pr%3A5\+tool%3Aeventraces|blob/[0-9a-f]{40}/([A-Za-z0-9_.~%-]+/)*[A-Za-z0-9_.~%-]+(#L[0-9]+)?)|eventraces/eventraces/blob/main/docs/rules/[a-z-]+\.md)$`)
	ownHTML    = regexp.MustCompile(`^(<!-- eventraces?:[A-Za-z0-9 _.~%=#:]* -->|</?details>|<summary>([A-Za-z0-9 .,:?;()-]|&#[0-9]+;|<code>([A-Za-z0-9 .-]|&#[0-9]+;)*</code>)*</summary>|</?sub>|\s)*$`)
	ownText    = regexp.MustCompile(`^[A-Za-z0-9 .,;:!?()"'/-]*$`)
	looksAlive = regexp.MustCompile(`://|www\.|GH-|::|:[A-Za-z0-9+-]+:`)
	ownFences  = []string{"mermaid", "java", "sh"}
)

// inert: of what stands outside of code, nothing but ours has a meaning.
func inert(t interface{ Errorf(string, ...any) }, what, page string) {
	for _, r := range page {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Errorf("%s: holds %q", what, r)
		}
	}
	for line := range strings.Lines(page) {
		if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
			t.Errorf("%s: a line is a command of a job: %.200s", what, line)
		}
	}
	source := []byte(page)
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	html := ""
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			if !ownLink.Match(n.Destination) || n.Title != nil {
				t.Errorf("%s: link to %.300s", what, n.Destination)
			}
		case *ast.AutoLink, *ast.Image:
			t.Errorf("%s: %s", what, n.Kind())
		case *ast.RawHTML:
			html += string(n.Segments.Value(source))
		case *ast.HTMLBlock:
			html += string(n.Lines().Value(source))
		case *ast.FencedCodeBlock:
			if !slices.Contains(ownFences, string(n.Language(source))) {
				t.Errorf("%s: code of language %q", what, n.Language(source))
			}
			return ast.WalkSkipChildren, nil
		case *ast.CodeSpan:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			if s := string(n.Value(source)); !ownText.MatchString(s) && s != "[" && s != "]" || looksAlive.MatchString(s) {
				t.Errorf("%s: text %.300q", what, s)
			}
		case *ast.Emphasis:
			if n.Level != 2 {
				t.Errorf("%s: emphasis", what)
			}
		case *ast.Heading, *ast.Paragraph, *ast.TextBlock, *ast.List, *ast.ListItem, *ast.Blockquote, *ast.Document:
		default:
			if !strings.HasPrefix(n.Kind().String(), "Table") {
				t.Errorf("%s: %s", what, n.Kind())
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Errorf("%s: %v", what, err)
	}
	if !ownHTML.MatchString(html) {
		t.Errorf("%s: HTML %s", what, html)
	}
	for _, element := range []string{"details", "summary", "sub"} {
		if open, closed := strings.Count(html, "<"+element+">"), strings.Count(html, "</"+element+">"); open != closed {
			t.Errorf("%s: %d <%s>, %d </%[3]s>", what, open, element, closed)
		}
	}
}

// blocks is the outline of a page: what stands inside what, without texts.
func blocks(page string) string {
	source := []byte(page)
	var b strings.Builder
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	depth := 0
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch {
		case n.Type() == ast.TypeInline:
			return ast.WalkSkipChildren, nil
		case entering:
			fmt.Fprintf(&b, "%s%s\n", strings.Repeat(" ", depth), n.Kind())
			depth++
		default:
			depth--
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// Whatever a name is, the page has the outline that it has with a plain one.
func TestNamesDoNotChangeTheOutline(t *testing.T) {
	names := func(field string) bool {
		switch field {
		case "Method.Name", "Field.Name", "Access.Thread", "Event.What", "Race.Wrong", "Race.Order", "Race.Fix", "Fact.Text", "Accepted.Reason", "Notification.Text", "Notification.Where":
			return true
		}
		return false
	}
	want := page(findingtest.Spoil("plain", names))
	for what, text := range markdown {
		if strings.TrimSpace(text) == "" {
			continue
		}
		got := page(findingtest.Spoil(text, names))
		for _, pages := range [][2]string{{want.Sticky(), got.Sticky()}, {want.Summary(), got.Summary()}} {
			if a, b := blocks(pages[0]), blocks(pages[1]); a != b {
				t.Errorf("%s: the outline is\n%s\nwant\n%s", what, b, a)
			}
		}
	}
}
