package comment

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/finding/findingtest"
	"github.com/eventraces/eventraces/engine/report"
	"github.com/eventraces/eventraces/internal/goldentest"
)

// page is a page of a pull request with runs.
func page(runs ...*finding.Run) *Page {
	p := &Page{
		Min: finding.High, Server: "https://github.com", Repo: "example/news", Head: "0123456789abcdef0123456789abcdef01234567",
		Base: "main", Details: "https://github.com/example/news/actions/runs/77",
	}
	for _, run := range runs {
		p.Apps = append(p.Apps, App{
			Run:    run,
			Alerts: "https://github.com/example/news/security/code-scanning?query=pr%3A5+tool%3Aeventraces",
			Accept: report.Acceptance{Out: "eventraces-baseline.txt",
				Args: []string{"--source-root", ".", "app/build/outputs/apk/debug/app-debug.apk"}},
		})
	}
	return p
}

// worseRun has a race that was accepted as medium and is high now.
func worseRun() *finding.Run {
	run := findingtest.Compared()
	run.EachRace(func(r *finding.Race) {
		if r.Field.Name != "adapter" || r.Priority != finding.High {
			return
		}
		a := finding.AcceptedOf(r)
		a.Priority, a.Reason = finding.Medium, "the button is hidden first, see #12"
		r.State, r.Accepted = finding.Worse, &a
	})
	run.Regroup()
	return run
}

// sourced has its positions in files; one of them has no line.
func sourced() *Page {
	run := findingtest.Sourced()
	run.EachRace(func(r *finding.Race) {
		for i := range r.Sides {
			if at := &r.Sides[i].Access.Position; at.Line == 70 {
				at.Line = 0
			}
		}
	})
	return page(run)
}

func two() *Page {
	other := findingtest.Compared()
	other.Category, other.App.Package = "wear", "com.example.wear"
	return page(findingtest.Accepted(), other, findingtest.PartialEmpty(), findingtest.Sourced())
}

// pendingOnly has nothing that counts, but lines that the change adds.
func pendingOnly() *finding.Run {
	run := findingtest.Accepted()
	run.Baseline.Pending = findingtest.Baselines().Baseline.Pending
	return run
}

func belowHigh() *Page {
	p := page(worseRun())
	p.Min = finding.Low
	return p
}

// Each file in testdata is a page as a reader gets it.
func TestPages(t *testing.T) {
	for _, shape := range findingtest.All {
		p := page(shape.Run())
		golden(t, shape.Name+".sticky", p.Sticky())
		golden(t, shape.Name+".summary", p.Summary())
	}
	pushed := page(findingtest.MissingBaseline())
	pushed.Base = ""
	p := sourced()
	first := &p.Apps[0].Run.Findings[0]
	gone := page(findingtest.PartialEmpty())
	for name, text := range map[string]string{
		"worse.sticky":     page(worseRun()).Sticky(),
		"pending.sticky":   page(pendingOnly()).Sticky(),
		"two.sticky":       two().Sticky(),
		"two.summary":      two().Summary(),
		"low.sticky":       belowHigh().Sticky(),
		"pushed.summary":   pushed.Summary(),
		"merged.sticky":    p.Sticky(),
		"use.inline":       p.Inline(first, 0),
		"free.inline":      p.Inline(first, 1),
		"worse.inline":     belowHigh().Inline(&worseRun().Findings[0], 0),
		"resolved":         page(findingtest.Accepted()).Resolved(p.Sticky()),
		"resolved.partial": gone.Resolved(p.Sticky()),
		"review":           p.Review(1, 0) + "\n" + p.Review(2, 3),
	} {
		golden(t, name, text)
	}
}

// golden compares a page with its file; each is harmless, too.
func golden(t *testing.T, name, page string) {
	t.Helper()
	goldentest.Compare(t, filepath.Join("testdata", name+".md"), page)
	inert(t, name, page)
}

func TestNews(t *testing.T) {
	for name, want := range map[string]bool{"empty": false, "shapes": true, "accepted": false, "partial-empty": false,
		"missing": true, "brief": true} {
		for _, shape := range findingtest.All {
			if shape.Name == name && page(shape.Run()).HasNews() != want {
				t.Errorf("%s: news is not %v", name, want)
			}
		}
	}
	if !page(findingtest.Empty(), pendingOnly()).HasNews() {
		t.Errorf("lines that the change adds to the baseline are no news")
	}
	low := findingtest.NewRun(nil, findingtest.NewRace(finding.StaleRead, "x",
		findingtest.Side(finding.Read, findingtest.OnClick, 1, "main looper", findingtest.Clicked),
		findingtest.Side(finding.Write, findingtest.OnDestroy, 2, "main looper", findingtest.Destroyed), findingtest.Heuristic))
	p := page(low)
	if p.HasNews() {
		t.Errorf("a low race is news where high counts")
	}
	if p.Min = finding.Low; !p.HasNews() {
		t.Errorf("a low race is no news where low counts")
	}
}

func TestNoRaceIsNeverSaidOfAPart(t *testing.T) {
	p := page(findingtest.Empty(), findingtest.PartialEmpty())
	for what, text := range map[string]string{"comment": p.Sticky(), "summary": p.Summary(),
		"resolved": p.Resolved(page(findingtest.Shapes()).Sticky())} {
		if strings.Contains(strings.ToLower(text), "no high event races\n") || strings.Contains(text, "Resolved") ||
			!strings.Contains(text, "in the part that could be analysed") {
			t.Errorf("the %s says\n%s", what, text)
		}
	}
}

func TestMarkers(t *testing.T) {
	keys := []string{"", "app", "app2", "wear", "a b", "-->", "key="}
	for _, key := range keys {
		p := page(findingtest.Shapes())
		p.Key = key
		for _, body := range []string{p.Sticky(), p.Resolved(p.Sticky()), p.Resolved("")} {
			for _, other := range keys {
				if IsSticky(body, other) != (other == key) {
					t.Errorf("the comment of %q is taken for that of %q: %v", key, other, other != key)
				}
			}
			for _, quoted := range []string{"> " + body, " " + body, "x\n" + body, body[1:]} {
				if IsSticky(quoted, key) {
					t.Errorf("%.60q is taken for the comment", quoted)
				}
			}
		}
	}
	run := findingtest.Shapes()
	for i := range run.Findings {
		f := &run.Findings[i]
		if id, ok := InlineID(page(run).Inline(f, 1), ""); !ok || id != f.First().ID {
			t.Errorf("the comment about %s is about %q", f.First().ID, id)
		}
	}
	if id, ok := InlineID(InlineMarker("", "0123456789abcdef#12")+"\nx", ""); !ok || id != "0123456789abcdef#12" {
		t.Errorf("the id is %q", id)
	}
	for _, body := range []string{"", "x", "<!-- eventrace:v1 id=0123 -->", " " + InlineMarker("", "0123456789abcdef"),
		InlineMarker("", "x --> y"), InlineMarker("paid", "0123456789abcdef"), StickyMarker(""),
		"<!-- eventrace:v1 id=0123456789abcdef#1 -->"} {
		if id, ok := InlineID(body, ""); ok {
			t.Errorf("%q is about %q", body, id)
		}
	}
}

// The commit at which it was resolved stays, and so do the names, however often
// the comment is written again.
func TestResolvedStays(t *testing.T) {
	p := page(findingtest.Accepted())
	once := p.Resolved(page(findingtest.Shapes()).Sticky())
	later := page(findingtest.Accepted())
	later.Head = strings.Repeat("f", 40)
	again := later.Resolved(strings.ReplaceAll(once, "\n", "\r\n"))
	for _, want := range []string{"Nothing is left since [`0123456`]", "`MainActivity.adapter`", "`MainActivity.title`"} {
		if !strings.Contains(once, want) || !strings.Contains(again, want) {
			t.Errorf("no %q in\n%s\nor in\n%s", want, once, again)
		}
	}
	if back := page(findingtest.Shapes()).Sticky(); back != page(findingtest.Shapes()).Sticky() || strings.Contains(back, "esolved") {
		t.Errorf("a comment that has news again says\n%s", back)
	}
}

// many is a run with n high findings, told in full.
func many(n int, name string) *finding.Run {
	var races []finding.Race
	for i := range n {
		r := findingtest.UseAfterFree()
		r.Field.Name = fmt.Sprintf("%s%d", name, i)
		for j := range r.Sides {
			r.Sides[j].Access.Found = true
		}
		races = append(races, r)
	}
	return findingtest.NewRun(nil, races...)
}

func TestLimits(t *testing.T) {
	long := strings.Repeat("\U0001F600@`|<b>", 3000)
	apps := make([]*finding.Run, 300)
	for i := range apps {
		apps[i] = many(3, "field")
		apps[i].App.Package = long
	}
	for name, p := range map[string]*Page{
		"many": page(many(500, "field")), "very many": page(many(20_000, "field")), "long": page(many(500, long)), "apps": page(apps...),
		"hostile": page(findingtest.Spoil(long, func(string) bool { return true })), "one": page(many(1, long)),
	} {
		sticky, summary := p.Sticky(), p.Summary()
		if runes, units := utf8.RuneCountInString(sticky), len(utf16.Encode([]rune(sticky))); runes > 65_536 || units > 65_536 {
			t.Errorf("%s: the comment has %d characters, %d in UTF-16", name, runes, units)
		}
		if len(summary) > 900<<10 {
			t.Errorf("%s: the summary has %d bytes", name, len(summary))
		}
		for _, body := range []string{p.Inline(&p.Apps[0].Run.Findings[0], 0), p.Resolved(sticky),
			p.Resolved(strings.Repeat("<!-- eventraces:named "+strings.Repeat("a", 20_000)+" b -->", 3))} {
			if n := len(utf16.Encode([]rune(body))); n > 65_536 {
				t.Errorf("%s: a comment has %d characters: %.100s", name, n, body)
			}
		}
		for _, text := range []string{sticky, summary} {
			if !strings.HasSuffix(text, "</sub>\n") {
				t.Errorf("%s: cut at %q", name, text[len(text)-100:])
			}
			inert(t, name, text)
		}
	}
}

// Two flavours of an app may have the same races; each is accepted by its own
// command.
func TestInlineKnowsTheApp(t *testing.T) {
	p := page(findingtest.Shapes(), findingtest.Shapes())
	p.Apps[1].Accept.Args = []string{"wear.apk"}
	for i := range p.Apps {
		f := &p.Apps[i].Run.Findings[0]
		if got := strings.Contains(p.Inline(f, 0), " wear.apk\n"); got != (i == 1) {
			t.Errorf("app %d: wear.apk: %v", i, got)
		}
	}
	copied := p.Apps[0].Run.Findings[0]
	if !strings.Contains(p.Inline(&copied, 0), "eventraces baseline --out eventraces-baseline.txt ") {
		t.Errorf("a copy of a finding is of no app")
	}
}

func TestWhatIsLeftOutIsSaid(t *testing.T) {
	p := page(many(500, "field"))
	sticky, summary := p.Sticky(), p.Summary()
	shown := strings.Count(sticky, "comes first, ")
	if shown != findingsShown || !strings.Contains(sticky, fmt.Sprintf("**%d more findings not shown here:** [see the run](", 500-shown)) {
		t.Errorf("%d findings in\n%s", shown, sticky)
	}
	if n := strings.Count(sticky, "flowchart"); n == 0 || n > picturesShown {
		t.Errorf("%d flow charts", n)
	}
	if rows := strings.Count(summary, "\n| high |"); rows != 500-findingsShown {
		t.Errorf("%d rows", rows)
	}
	// What is large loses its pictures first, then its details, then the last go.
	p = page(many(20, strings.Repeat("`", 5000)))
	sticky = p.Sticky()
	told, brief := strings.Count(sticky, "**Fix:**"), strings.Count(sticky, "comes first, ")
	if told == 20 || brief == 0 || strings.Contains(sticky, "flowchart") {
		t.Errorf("%d told, %d in brief, pictures: %v", told, brief, strings.Contains(sticky, "flowchart"))
	}
	if left := 20 - brief; left > 0 && !strings.Contains(sticky,
		fmt.Sprintf("**%s not shown here:**", report.Plural(left, "more finding"))) {
		t.Errorf("%d in brief, and nothing is said of the others", brief)
	}
	p = page(many(5000, "field"))
	if summary = p.Summary(); !strings.Contains(summary, "**Cut here:** 4480 more findings not shown") {
		t.Errorf("%s", summary[len(summary)-1000:])
	}
}

func TestLinks(t *testing.T) {
	p := page(findingtest.Empty())
	p.Server = "https://ghe.example.com/"
	at := finding.Position{File: "a b/M\u00fcll$x.kt", Line: 7, Found: true}
	base := "https://ghe.example.com/example/news/blob/0123456789abcdef0123456789abcdef01234567/"
	for _, c := range []struct {
		file  string
		line  int
		found bool
		want  string
	}{
		{"a/B.java", 7, true, "[B.java:7](" + base + "a/B.java#L7)"},
		{"a/B.java", 7, false, "`B.java:7`"},
		{"a/B.java", 0, true, "[B.java](" + base + "a/B.java)"},
		{"", 7, true, "(no source line)"},
		{at.File, 7, true, "[`M\u00fcll$x.kt:7`](" + base + "a%20b/M%C3%BCll%24x.kt#L7)"},
		{"../../B.java", 7, true, "`B.java:7`"},
		{"/B.java", 7, true, "`B.java:7`"},
		{"a//B.java", 7, true, "`B.java:7`"},
		{"a/www.x.java", 7, true, "[`www.x.java:7`](" + base + "a/www.x.java#L7)"},
		{"a/b)](http:/evil", 7, true, "[`evil:7`](" + base + "a/b%29%5D%28http%3A/evil#L7)"},
	} {
		if got := p.place(finding.Position{File: c.file, Line: c.line, Found: c.found}); got != c.want {
			t.Errorf("%s:%d is %s, want %s", c.file, c.line, got, c.want)
		}
	}
	p.Head = "refs/heads/main"
	if got := p.place(finding.Position{File: "a/B.java", Line: 7, Found: true}) + p.commit(); got != "`B.java:7``refs/heads/main`" {
		t.Errorf("without a commit a place is %s", got)
	}
	for target, want := range map[string]string{
		"https://github.com/a/b?q=1": "[x](https://github.com/a/b?q=1)", "": "x", "javascript:alert(1)": "x",
		"https://a/b)": "x", "/a": "x", "https://a b": "x",
	} {
		if got := outside("x", target); got != want {
			t.Errorf("%q is %s, want %s", target, got, want)
		}
	}
}

// Commands to copy are what the job was told, unless nobody could read them.
func TestCommands(t *testing.T) {
	p := page(findingtest.Shapes())
	p.Apps[0].Accept.Args = []string{"```.apk", "\n```\n# x", "</details>"}
	p.Apps[0].Accept.Out = "it's.txt"
	inert(t, "odd arguments", p.Sticky())
	command := p.Apps[0].Accept.Command(p.Apps[0].Run.Findings[0].First().ID)
	if !strings.Contains(p.Sticky(), "````sh\n"+command+"\n````\n") {
		t.Errorf("no %s in\n%s", command, p.Sticky())
	}
	p.Apps[0].Accept.Args = slices.Repeat([]string{"app/build/outputs/apk/debug/app-debug.apk"}, 100)
	if text := p.Sticky(); strings.Contains(text, "app-debug.apk") || !strings.Contains(text, "--because 'REASON' BUILD_OUTPUT\n") {
		t.Errorf("a command of 4000 characters is shown")
	}
}
