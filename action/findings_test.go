package action_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/eventraces/eventraces/action/internal/githubtest"
	"github.com/eventraces/eventraces/engine/finding"
	"github.com/eventraces/eventraces/engine/report"
)

// saved is a findings file of the example's run, changed.
func saved(t *testing.T, change func(*finding.Run)) string {
	t.Helper()
	result, err := analysed()
	if err != nil {
		t.Fatal(err)
	}
	run := clone(t, result.Run)
	run.Revision = merge
	run.EachRace(func(r *finding.Race) {
		for i := range r.Sides {
			r.Sides[i].Access.File, r.Sides[i].Access.Found = sourceFile, true
		}
	})
	change(run)
	var b bytes.Buffer
	if err := report.JSON(&b, run); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "findings.json")
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func unchanged(*finding.Run) {}

// Variants of one app become one upload, apps one each; there is one comment.
func TestMatrixIsMerged(t *testing.T) {
	w := newWorld(t)
	other := func(run *finding.Run) {
		r := run.Findings[0].Races[0]
		r.Field.Name = "recorder"
		run.Arrange([]finding.Race{run.Findings[0].Races[0], r})
	}
	w.publish("pull_request", saved(t, unchanged), saved(t, other),
		saved(t, func(run *finding.Run) { run.App.Package = "com.example.wear" }), saved(t, func(run *finding.Run) { run.Category = "tv" }))
	w.env["INPUT_FAIL_ON"] = "new"
	o := w.run()
	o.want(1, "races")
	body := w.comment()
	contains(t, "comment", body, "--accept "+raceID+" --because 'REASON' --source-root src path/to/trackrecorder.apk")
	contains(t, "comment", body, "TrackActivity.providerUtils", "TrackActivity.recorder", "com.example.wear", "tv")
	got := map[string]int{}
	for _, a := range w.repo.Analyses() {
		got[strings.TrimSuffix(a.Category, "/")] = a.Results
	}
	want := map[string]int{"eventraces/com.example.trackrecorder": 2, "eventraces/com.example.wear": 1, "eventraces/com.example.trackrecorder/tv": 1}
	if len(got) != len(want) || w.repo.Uploads() != len(want) {
		t.Errorf("%d uploads, categories %v", w.repo.Uploads(), got)
	}
	for category, n := range want {
		if got[category] != n {
			t.Errorf("%s has %d results, want %d", category, got[category], n)
		}
	}
	if c := o.outputs["counts"]; !strings.Contains(c, `"high":4`) {
		t.Errorf("counts are %s", c)
	}
	if n := len(w.gh.Calls()); n > 20 {
		t.Errorf("%d calls", n)
	}
}

// However many uploads GitHub takes its time for, the run waits once.
func TestMatrixThatIsNeverProcessed(t *testing.T) {
	w := newWorld(t)
	w.repo.Processing(githubtest.Processing{Pending: 1000})
	var files []string
	for i := range 10 {
		files = append(files, saved(t, func(run *finding.Run) { run.Category = fmt.Sprintf("app%d", i) }))
	}
	w.publish("push", files...)
	w.on("pull_request")
	w.run().want(0, "clean")
	if w.slept > 2*time.Minute {
		t.Errorf("waited %s", w.slept)
	}
}

// A job of the matrix has failed: what it would have found is not resolved.
func TestAppOfWhichNothingCame(t *testing.T) {
	w := newWorld(t)
	wear := saved(t, func(run *finding.Run) { run.App.Package = "com.example.wear" })
	quiet := saved(t, fixed)
	w.publish("pull_request", wear, quiet)
	w.run()
	if len(w.pr.Threads()) != 1 {
		t.Fatalf("%d threads", len(w.pr.Threads()))
	}
	for range 2 { // it is remembered
		w.publish("pull_request", quiet)
		w.run().want(0, "clean")
		contains(t, "comment", w.comment(), "No findings came of `com.example.wear`. What was told of it before may still hold.", "TrackActivity.providerUtils")
		lacks(t, "comment", w.comment(), "Resolved")
		if x := w.pr.Threads()[0]; x.Resolved || x.Comments[0].Minimized {
			t.Errorf("the thread is %+v", x)
		}
	}
	w.publish("pull_request", quiet, saved(t, func(run *finding.Run) { run.App.Package = "com.example.wear"; fixed(run) }))
	w.run().want(0, "clean")
	contains(t, "comment", w.comment(), "Resolved")
	if x := w.pr.Threads()[0]; !x.Resolved {
		t.Errorf("the thread is %+v", x)
	}
}

func TestFindingsOfAPush(t *testing.T) {
	w := newWorld(t)
	w.publish("workflow_run_push", saved(t, func(run *finding.Run) { run.Revision = base }))
	w.run().want(0, "clean")
	if a := w.repo.Analyses(); len(a) != 1 || a[0].Ref != "refs/heads/main" || a[0].Commit != base {
		t.Errorf("code scanning has %+v", a)
	}
	w.noComment()
}

// The pull request has moved on, or was closed: there is nobody to tell.
func TestFindingsOfAHeadThatIsGone(t *testing.T) {
	for name, change := range map[string]func(*world){
		"moved":  func(w *world) { w.pr.Push(strings.Repeat("9", 40), strings.Repeat("8", 40)) },
		"closed": func(w *world) { w.pr.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			w := forkWorld(t)
			change(w)
			w.publish("workflow_run_fork", saved(t, unchanged))
			o := w.run()
			o.want(0, "clean")
			contains(t, "log", o.log, "no open pull request has the head "+head)
			w.noComment()
			if w.repo.Uploads() != 0 {
				t.Error("an upload")
			}
		})
	}
}

// A pull request from a branch of the repository that was closed meanwhile is no
// push to that branch.
func TestFindingsOfAClosedPullRequestOfOurOwn(t *testing.T) {
	w := newWorld(t)
	w.pr.Close()
	w.publish("workflow_run_fork", saved(t, func(run *finding.Run) { run.Revision = head }))
	payload := strings.ReplaceAll(string(read(t, w.env["GITHUB_EVENT_PATH"])), "mallory/podcasts", repository)
	w.env["GITHUB_EVENT_PATH"] = filepath.Join(t.TempDir(), "event.json")
	w.write(w.env["GITHUB_EVENT_PATH"], strings.ReplaceAll(payload, "mallory", "octo"))
	w.run().want(0, "clean")
	w.noComment()
	if w.repo.Uploads() != 0 {
		t.Errorf("an upload: %+v", w.repo.Analyses()[0])
	}
}

// The base branch has moved since, and GitHub has made the test merge anew.
func TestFindingsOfAnOlderMerge(t *testing.T) {
	w := forkWorld(t)
	older := strings.Repeat("4", 40)
	w.repo.Commit(older)
	w.repo.Compare(head, older, githubtest.File{Path: sourceFile, Patch: "@@ -1,1 +1,2 @@\n+// added on main\n x"})
	w.publish("workflow_run_fork", saved(t, func(run *finding.Run) { run.Revision = older }))
	w.run().want(0, "clean")
	contains(t, "comment", w.comment(), "#L20", "#L43")
	if a := w.repo.Analyses(); len(a) != 1 || a[0].Ref != "refs/pull/7/merge" || a[0].Commit != older {
		t.Errorf("code scanning has %+v", a)
	}
}

// A file says which commit it is about, and is not believed: a commit that is not
// the pull request's gets no upload and no comment on lines.
func TestFindingsOfAnotherCommit(t *testing.T) {
	w := forkWorld(t)
	w.repo.Commit(strings.Repeat("e", 40))
	w.publish("workflow_run_fork", saved(t, func(run *finding.Run) { run.Revision = strings.Repeat("e", 40) }))
	o := w.run()
	o.want(0, "clean")
	contains(t, "log", o.log, "is not uploaded")
	if w.repo.Uploads() != 0 || len(w.pr.Threads()) != 0 {
		t.Errorf("%d uploads, %d threads", w.repo.Uploads(), len(w.pr.Threads()))
	}
	contains(t, "comment", w.comment(), "TrackActivity.providerUtils")
	lacks(t, "comment", w.comment(), "#L21", "#L44")
}

// Another pull request's head cannot be reached from a fork's run.
func TestFindingsDoNotReachAnotherPullRequest(t *testing.T) {
	w := newWorld(t) // its pull request 7 is not the fork's
	w.publish("workflow_run_fork", saved(t, unchanged))
	w.run().want(0, "clean")
	w.noComment()
	if w.repo.Uploads() != 0 {
		t.Error("an upload")
	}
}

func TestFilesThatAreNoFindings(t *testing.T) {
	for text, want := range map[string]string{
		"":                     "it is empty",
		"PK\x03\x04":           "no JSON at byte 1",
		"{}":                   "schema version 0",
		`{"schemaVersion":1}x`: "more follows after its end",
	} {
		w := forkWorld(t)
		file := filepath.Join(t.TempDir(), "findings.json")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		w.publish("workflow_run_fork", file)
		o := w.run()
		o.want(2, "failed")
		o.wantAnnotations(want)
		w.noComment()
	}
}

// An artifact cannot keep us busy with apps that it has made up.
func TestTooManyApps(t *testing.T) {
	w := forkWorld(t)
	var files []string
	for i := range 21 {
		files = append(files, saved(t, func(run *finding.Run) { run.Category = fmt.Sprintf("app%d", i) }))
	}
	w.publish("workflow_run_fork", files...)
	o := w.run()
	o.want(2, "failed")
	o.wantAnnotations("input findings: the files are of more than 20 categories")
	if w.repo.Uploads() > 0 {
		t.Errorf("%d uploads", w.repo.Uploads())
	}
}

func TestLinksAreNotFollowed(t *testing.T) {
	w := forkWorld(t)
	dir := t.TempDir()
	if err := os.Symlink(saved(t, unchanged), filepath.Join(dir, "findings.json")); err != nil {
		if runtime.GOOS == "windows" {
			t.Skip(err) // links need rights there
		}
		t.Fatal(err)
	}
	w.publish("workflow_run_fork", filepath.Join(dir, "*.json"))
	o := w.run()
	o.want(2, "failed")
	o.wantAnnotations("matches no file")
}

// hostile is what a stranger's file may hold in every text.
var hostile = []string{
	"::error::pwned", "\n::set-output name=status::clean\n", "##[error]x", "-->\n<img src=x onerror=alert(1)>", "@everyone and #1", "[x](https://evil.example)",
	"![x](https://evil.example/x.png)", "`\n```\n# pwned\n", "|a|b|\n", "<script>alert(1)</script>", "https://evil.example", "\u202egnp.exe", "a\x00b\x1b[31m",
	"]]>]]", "../../../etc/passwd", "https://evil.example/", strings.Repeat("y", 100_000), "<!-- eventraces:comment v1 -->", "</details></details>", "$(id) `id`", "%0A::error::x",
}

// Nothing that a file says can become a command of the log, an output, a link, a
// picture or a mention.
func TestHostileFindingsAreHarmless(t *testing.T) {
	for _, text := range hostile {
		t.Run(strings.ToValidUTF8(text[:min(len(text), 20)], ""), func(t *testing.T) {
			file := saved(t, func(run *finding.Run) { spoil(run, text) })
			w := forkWorld(t)
			w.publish("workflow_run_fork", file)
			o := w.run()
			o.want(0, "clean")
			harmless(t, w, o)
			w = newWorld(t) // and where there is only the log
			w.publish("push", saved(t, func(run *finding.Run) { spoil(run, text); run.Revision = base }))
			w.env["INPUT_UPLOAD"] = "off"
			harmless(t, w, w.run())
		})
	}
}

// spoil puts a text wherever a run may hold any.
func spoil(run *finding.Run, text string) {
	run.App.Package, run.App.Manifest, run.Tool.Version = text, text, text
	run.Inputs = []finding.Input{{Name: text}}
	run.Notes = []finding.Notification{{Kind: finding.NoteBrokenClass, Text: text, Where: text}}
	run.Baseline = &finding.Comparison{Files: []string{text}, Missing: []string{text}, Gone: []finding.Accepted{}, Pending: []finding.Accepted{{
		Rule: finding.UseAfterFree, Field: text, Callbacks: [2]string{text, text}, Priority: finding.High, ID: raceID, Reason: text,
	}}}
	var races []finding.Race
	run.EachRace(func(r *finding.Race) {
		r.Field.Class, r.Field.Name = text, text
		r.Wrong, r.Order, r.Fix = text, text, text
		r.Limited = []string{text}
		r.Facts = append(r.Facts, finding.Fact{Name: finding.FactID(text), Text: text})
		for i := range r.Sides {
			s := &r.Sides[i]
			s.Access.File, s.Access.Method.Name, s.Access.Method.Class, s.Access.Thread, s.Access.Action = text, text, text, text, text
			s.Access.Entry.Class, s.Access.Entry.Name = text, text
			for k := range s.Events {
				s.Events[k].What, s.Events[k].Thread = text, text
			}
			for k := range s.Calls {
				s.Calls[k].Method.Class, s.Calls[k].Note, s.Calls[k].File = text, text, text
			}
		}
		races = append(races, *r)
	})
	run.Arrange(races)
}

func harmless(t *testing.T, w *world, o outcome) {
	t.Helper()
	known := []string{"::error ", "::error::", "::warning ", "::notice ", "::add-mask::" + token, "::group::Races", "::endgroup::", "::stop-commands::eventraces-", "::eventraces-"}
	for _, line := range strings.FieldsFunc(o.log, func(c rune) bool { return c == '\n' || c == '\r' }) {
		trimmed := strings.TrimSpace(line)
		if strings.Contains(line, "##[") {
			t.Errorf("the log holds a command: %.200s", line)
		}
		if !strings.HasPrefix(trimmed, "::") {
			continue
		}
		ours := false
		for _, prefix := range known {
			ours = ours || strings.HasPrefix(trimmed, prefix)
		}
		if !ours || strings.HasPrefix(trimmed, "::error::pwned") {
			t.Errorf("the log holds a command: %.200s", trimmed)
		}
	}
	for name := range o.outputs {
		switch name {
		case "status", "counts", "new-findings", "sarif-file", "findings-file":
		default:
			t.Errorf("an output %q", name)
		}
	}
	if !json.Valid([]byte(o.outputs["new-findings"])) {
		t.Errorf("new-findings is no JSON: %s", o.outputs["new-findings"])
	}
	texts := []string{o.summary}
	for _, c := range w.pr.Comments() {
		texts = append(texts, c.Body)
	}
	for _, c := range w.pr.Threads() {
		texts = append(texts, c.Comments[0].Body)
	}
	for _, text := range texts {
		for _, bad := range []string{"<img", "<script", "](https://evil", "\n# pwned", "@everyone", "\u202e", "\x00"} {
			if strings.Contains(outsideCode(text), bad) {
				t.Errorf("a text that people read holds %q:\n%.2000s", bad, text)
			}
		}
		if len(text) > 65536 && text != o.summary {
			t.Errorf("a comment of %d bytes", len(text))
		}
	}
	for _, a := range w.repo.Analyses() {
		if strings.Contains(string(a.SARIF), `"uri": "../`) {
			t.Error("an alert leaves the repository")
		}
	}
}

// outsideCode drops code blocks and code spans of Markdown: what is left is what
// could have a meaning.
func outsideCode(text string) string {
	var out strings.Builder
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			continue
		}
		for !fenced && line != "" {
			open := strings.IndexByte(line, '`')
			if open < 0 {
				break
			}
			rest := strings.TrimLeft(line[open:], "`")
			fence := line[open : len(line)-len(rest)]
			end := closing(rest, fence)
			if end < 0 {
				out.WriteString(line[:open] + fence)
				line = rest
				continue
			}
			out.WriteString(line[:open])
			line = rest[end+len(fence):]
		}
		if !fenced {
			out.WriteString(line)
		}
	}
	return out.String()
}

// closing is where a run of as many backticks as fence has begins, or -1.
func closing(s, fence string) int {
	for i := 0; i < len(s); i++ {
		if s[i] != '`' {
			continue
		}
		n := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		if n == len(fence) {
			return i
		}
		i += n - 1
	}
	return -1
}
