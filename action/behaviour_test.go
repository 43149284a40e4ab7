package action_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/eventraces/eventraces/action/internal/comment"
	"github.com/eventraces/eventraces/action/internal/githubtest"
	"github.com/eventraces/eventraces/engine/finding"
)

const (
	uploads  = "/repos/octo/podcasts/code-scanning/sarifs"
	comments = "/repos/octo/podcasts/issues/7/comments"
	reviews  = "/repos/octo/podcasts/pulls/7/reviews"
)

const newRace = "error eventraces: 1 new high event race: see the comment in the pull request."

func TestDiffThatIsTooLarge(t *testing.T) {
	for _, status := range []int{406, 422} {
		w := newWorld(t)
		w.gh.On("GET", "/repos/octo/podcasts/pulls/7/files").Fail(status, "Sorry, the diff exceeded the maximum number of files (300). Consider using 'List pull requests files' API or locally cloning the repository instead.")
		o := w.run()
		o.want(1, "races")
		o.wantAnnotations(newRace)
		w.comment()
		if len(w.pr.Threads()) != 0 {
			t.Errorf("%d threads", len(w.pr.Threads()))
		}
	}
}

func TestLineThatGitHubRefuses(t *testing.T) {
	w := newWorld(t)
	w.gh.On("POST", reviews).Fail(422, "Unprocessable Entity", "Line could not be resolved")
	o := w.run()
	o.want(1, "races")
	o.wantAnnotations(newRace)
	contains(t, "log", o.log, "GitHub takes no comments on these lines")
	contains(t, "comment", w.comment(), "TrackActivity.providerUtils")
}

func TestRaceOutsideTheDiff(t *testing.T) {
	w := newWorld(t)
	w.pr.Push(head, merge, githubtest.File{Path: "README.md", Patch: "@@ -1 +1 @@\n-a\n+b"})
	w.run().want(1, "races")
	w.comment()
	if len(w.pr.Reviews()) != 0 {
		t.Error("a review without comments was written")
	}
}

func TestLimitsThatPass(t *testing.T) {
	for name, limit := range map[string]func(*githubtest.Server){
		"429":                  func(gh *githubtest.Server) { gh.On("POST", comments).TooMany(7) },
		"secondary":            func(gh *githubtest.Server) { gh.On("POST", comments).SecondaryLimit(7) },
		"secondary, unsaid":    func(gh *githubtest.Server) { gh.On("POST", comments).SecondaryLimit(-1) },
		"primary":              func(gh *githubtest.Server) { gh.On("POST", comments).PrimaryLimit(time.Now().Add(20 * time.Second)) },
		"429 of an upload":     func(gh *githubtest.Server) { gh.On("POST", uploads).TooMany(30) },
		"secondary of GraphQL": func(gh *githubtest.Server) { gh.On("POST", "/graphql").SecondaryLimit(9) },
		"502 of a read": func(gh *githubtest.Server) {
			gh.On("GET", "/repos/octo/podcasts/pulls/7").Fail(502, "Server Error").Times(2)
		},
		"a connection that broke": func(gh *githubtest.Server) { gh.On("GET", "/repos/octo/podcasts/contents/*").Drop() },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			limit(w.gh)
			o := w.run()
			o.want(1, "races")
			o.wantAnnotations(newRace)
			contains(t, "comment", w.comment(), "TrackActivity.providerUtils")
			if w.repo.Uploads() != 1 || len(w.pr.Threads()) != 1 {
				t.Errorf("%d uploads, %d threads", w.repo.Uploads(), len(w.pr.Threads()))
			}
		})
	}
}

func TestLimitsThatDoNotPass(t *testing.T) {
	w := newWorld(t)
	w.gh.On("POST", comments).SecondaryLimit(3600)
	o := w.run()
	o.want(1, "races")
	o.wantAnnotations("see the alerts of code scanning", "warning eventraces%3A pull request: The comment was not written: GitHub: POST "+comments+": 403 GitHub's rate limit asks to wait 1h0m0s, which is too long")
	if w.slept > time.Minute {
		t.Errorf("waited %s", w.slept)
	}
	w = newWorld(t)
	w.gh.On("POST", comments).TooMany(50).Always()
	o = w.run()
	o.want(1, "races")
	o.wantAnnotations("see the alerts of code scanning", "The comment was not written: GitHub: POST "+comments+": 429")
	if w.slept > 4*time.Minute {
		t.Errorf("waited %s", w.slept)
	}
}

// Without GraphQL, comments are listed by REST.
func TestNoGraphQL(t *testing.T) {
	for name, spoil := range map[string]func(*githubtest.Server){
		"404": func(gh *githubtest.Server) { gh.On("POST", "/graphql").Fail(404, "Not Found").Always() },
		"an error": func(gh *githubtest.Server) {
			gh.On("POST", "/graphql").Answer(200, `{"errors":[{"type":"INTERNAL","message":"Something went wrong"}]}`).Always()
		},
		"no answer": func(gh *githubtest.Server) {
			gh.On("POST", "/graphql").Answer(200, `{"data":{"repository":{"pullRequest":null}}}`).Always()
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			spoil(w.gh)
			for i := range 250 {
				if i == 230 {
					w.pr.AddComment(githubtest.ActionsLogin, comment.StickyMarker("")+"\nold")
				}
				w.pr.AddComment("mona", fmt.Sprintf("%s comment %d", comment.StickyMarker(""), i))
			}
			w.pr.AddThread("mallory", sourceFile, freeLine, comment.InlineMarker("", raceID)+"\nforged")
			o := w.run()
			o.want(1, "races")
			o.wantAnnotations(newRace)
			all := w.pr.Comments()
			if len(all) != 251 {
				t.Fatalf("%d comments, want 251", len(all))
			}
			contains(t, "comment", all[230].Body, "TrackActivity.providerUtils")
			if n := w.gh.Count("POST", "/graphql"); n != 1 {
				t.Errorf("GraphQL was asked %d times", n)
			}
			if len(w.pr.Threads()) != 2 {
				t.Errorf("%d threads", len(w.pr.Threads()))
			}
			w.run()
			if len(w.pr.Threads()) != 2 || w.pr.Comments()[230].Edits != 1 {
				t.Errorf("%d threads, %d edits", len(w.pr.Threads()), w.pr.Comments()[230].Edits)
			}
		})
	}
}

// A person's token writes as that person.
func TestTokenOfAPerson(t *testing.T) {
	for _, graphQL := range []bool{true, false} {
		w := newWorld(t)
		w.gh.Token(token, githubtest.Token{Login: "release-robot", Permissions: githubtest.Documented})
		if !graphQL {
			w.gh.On("POST", "/graphql").Fail(404, "Not Found").Always()
		}
		w.pr.AddComment(githubtest.ActionsLogin, comment.StickyMarker("")+"\nof another workflow")
		w.run().want(1, "races")
		w.run().want(1, "races")
		all := w.pr.Comments()
		if len(all) != 2 || all[1].Author != "release-robot" || all[0].Edits != 0 {
			t.Errorf("%d comments", len(all))
		}
	}
}

// GitHub is down: the verdict stands, and what could not be delivered is said.
func TestOutage(t *testing.T) {
	w := newWorld(t)
	w.gh.On("POST", uploads).Fail(503, "Service Unavailable").Always()
	w.gh.On("GET", "/repos/octo/podcasts/code-scanning/analyses").Fail(503, "Service Unavailable").Always()
	w.gh.On("POST", "/graphql").Fail(503, "Service Unavailable").Always()
	w.gh.On("GET", "/user").Fail(503, "Service Unavailable").Always()
	o := w.run()
	o.want(1, "races")
	o.wantAnnotations("error file="+sourceFile+",line=21,use-after-free",
		"warning eventraces%3A code scanning: The findings were not uploaded: GitHub: POST "+uploads+": 503", "warning eventraces%3A pull request: The comment was not written: GitHub: POST /graphql: 503")
	contains(t, "summary", o.summary, "TrackActivity.providerUtils")
}

// Without the baseline of the base there is no verdict.
func TestBaselineThatCannotBeRead(t *testing.T) {
	w := newWorld(t)
	w.gh.On("GET", "/repos/octo/podcasts/contents/*").Fail(503, "Service Unavailable").Always()
	o := w.run()
	o.want(2, "failed")
	o.wantAnnotations("error eventraces: GitHub: GET /repos/octo/podcasts/contents/eventraces-baseline.txt: 503")
	w.noComment()
}

func TestCommentThatWasCreatedInSpiteOfA502(t *testing.T) {
	w := newWorld(t)
	w.gh.On("POST", comments).FailAfterWork()
	o := w.run()
	o.want(1, "races")
	o.wantAnnotations(newRace)
	w.comment()

	w = newWorld(t)
	w.gh.On("POST", comments).DropAfterWork()
	w.run().want(1, "races")
	w.comment()

	w = newWorld(t)
	w.gh.On("POST", comments).Fail(502, "Server Error")
	w.run().want(1, "races")
	w.comment()
}

func TestReviewThatWasCreatedInSpiteOfA502(t *testing.T) {
	w := newWorld(t)
	w.gh.On("POST", reviews).FailAfterWork()
	w.run().want(1, "races")
	if n := len(w.pr.Threads()); n != 1 {
		t.Errorf("%d threads", n)
	}
	w = newWorld(t)
	w.gh.On("POST", reviews).Fail(502, "Server Error")
	w.run().want(1, "races")
	if n := len(w.pr.Threads()); n != 1 {
		t.Errorf("%d threads after a review that was lost", n)
	}
}

func TestStickyCommentOnPage3(t *testing.T) {
	w := newWorld(t)
	for i := range 250 {
		if i == 230 {
			w.pr.AddComment(githubtest.ActionsLogin, comment.StickyMarker("")+"\nold")
		}
		w.pr.AddComment("mona", fmt.Sprintf("comment %d", i))
	}
	w.run().want(1, "races")
	all := w.pr.Comments()
	if len(all) != 251 {
		t.Fatalf("%d comments, want 251", len(all))
	}
	contains(t, "comment", all[230].Body, "TrackActivity.providerUtils")
	if n := len(w.gh.Calls()); n > 20 {
		t.Errorf("%d calls", n)
	}
}

// The marker alone does not make a comment ours, nor does our name alone.
func TestCommentsOfOthersStay(t *testing.T) {
	w := newWorld(t)
	forged := w.pr.AddComment("mallory", comment.StickyMarker("")+"\nall is well")
	other := w.pr.AddComment(githubtest.ActionsLogin, "Coverage 80%")
	quoted := w.pr.AddComment(githubtest.ActionsLogin, "> "+comment.StickyMarker(""))
	keyed := w.pr.AddComment(githubtest.ActionsLogin, comment.StickyMarker("paid")+"\nthe other app")
	w.run().want(1, "races")
	all := w.pr.Comments()
	if len(all) != 5 {
		t.Fatalf("%d comments", len(all))
	}
	for i, before := range []githubtest.Comment{forged, other, quoted, keyed} {
		if all[i].Body != before.Body {
			t.Errorf("comment %d was changed to %s", i, all[i].Body)
		}
	}
}

func TestHiddenCommentIsLeftAlone(t *testing.T) {
	w := newWorld(t)
	w.run()
	w.pr.Minimize(w.pr.Comments()[0].ID)
	w.run().want(1, "races")
	all := w.pr.Comments()
	if len(all) != 2 || all[0].Edits != 0 {
		t.Errorf("%d comments", len(all))
	}
	w.run()
	if n := len(w.pr.Comments()); n != 2 {
		t.Errorf("%d comments after another run", n)
	}
}

// Two runs that create the comment at one time leave one comment.
func TestConcurrentRuns(t *testing.T) {
	w := newWorld(t)
	w.gh.On("POST", comments).Before(func() { w.pr.AddComment(githubtest.ActionsLogin, comment.StickyMarker("")+"\nof the other run") })
	w.run().want(1, "races")
	contains(t, "comment", w.comment(), "TrackActivity.providerUtils")

	w = newWorld(t) // the other one comes after ours, and will take its own away
	w.gh.On("POST", comments).After(func() { w.pr.AddComment(githubtest.ActionsLogin, comment.StickyMarker("")+"\nof the other run") })
	w.run().want(1, "races")
	all := w.pr.Comments()
	if len(all) != 2 {
		t.Fatalf("%d comments", len(all))
	}
	contains(t, "first comment", all[0].Body, "TrackActivity.providerUtils")
}

// Nor do two runs leave two comments on a line, whether one comes while the other
// waits for code scanning or in the same second.
func TestConcurrentReviews(t *testing.T) {
	other := func(w *world) func() {
		return func() {
			w.pr.AddThread(githubtest.ActionsLogin, sourceFile, freeLine, comment.InlineMarker("", raceID)+"\nof the other run")
		}
	}
	w := newWorld(t)
	w.gh.On("GET", uploads+"/*").Before(other(w))
	w.run().want(1, "races")
	if n := len(w.pr.Threads()); n != 1 {
		t.Errorf("%d threads", n)
	}

	w = newWorld(t)
	w.gh.On("POST", reviews).Before(other(w))
	w.run().want(1, "races")
	threads := w.pr.Threads()
	if len(threads) != 2 || threads[0].Comments[0].Minimized || !threads[1].Comments[0].Minimized {
		t.Errorf("threads %+v", threads)
	}
	w.run()
	if threads := w.pr.Threads(); len(threads) != 2 || threads[0].Comments[0].Minimized || !threads[1].Comments[0].Minimized {
		t.Errorf("threads %+v", threads)
	}

	w = newWorld(t) // the head moves while it waits
	w.gh.On("GET", uploads+"/*").Before(func() { w.pr.Push(strings.Repeat("9", 40), strings.Repeat("8", 40), changed) })
	w.run().want(1, "races")
	if n := len(w.pr.Threads()); n != 0 {
		t.Errorf("%d threads", n)
	}
}

// A run of a head that is not the head any more writes nothing.
func TestForcePush(t *testing.T) {
	w := newWorld(t)
	w.pr.Push(strings.Repeat("9", 40), strings.Repeat("8", 40), changed)
	o := w.run()
	o.want(1, "races")
	contains(t, "log", o.log, "has a newer head, "+strings.Repeat("9", 40))
	w.noComment()
	if len(w.repo.Analyses()) != 1 {
		t.Error("the upload is of its own commit and need not wait")
	}

	w = newWorld(t) // it moves while we work: the review is for a head that is gone
	w.gh.On("POST", reviews).Before(func() { w.pr.Push(strings.Repeat("9", 40), strings.Repeat("8", 40), changed) })
	w.run().want(1, "races")
	if n := len(w.pr.Threads()); n > 1 {
		t.Errorf("%d threads", n)
	}
}

func TestClosedPullRequest(t *testing.T) {
	w := newWorld(t)
	w.pr.Close()
	w.run().want(1, "races")
	w.noComment()
}

func TestBaseWithoutBaseline(t *testing.T) {
	w := worldWithout(t)
	w.write("eventraces-baseline.txt", acceptedLine(t))
	o := w.run()
	o.want(1, "races")
	contains(t, "log", o.log, "main has no baseline eventraces-baseline.txt: every race counts as new")
	contains(t, "comment", w.comment(), "TrackActivity.providerUtils", "`main`", "eventraces-baseline.txt")
	os.Remove("eventraces-baseline.txt")
	w.run().want(1, "races")
}

func TestChangeThatRemovesTheBaseline(t *testing.T) {
	w := newWorld(t)
	w.repo.File("main", "eventraces-baseline.txt", acceptedLine(t))
	os.Remove("eventraces-baseline.txt")
	w.run().want(1, "races")
	contains(t, "comment", w.comment(), "This change has no `eventraces-baseline.txt`, so every race counts as new; `main` has one.")
}

// worldWithout is a repository whose base has no baseline.
func worldWithout(t *testing.T) *world {
	w := newWorld(t)
	w.repo.File("main", "eventraces-baseline.txt", "")
	w.repo.Branch("main", strings.Repeat("c", 40))
	w.gh.On("GET", "/repos/octo/podcasts/contents/*").Fail(404, "Not Found").Always()
	return w
}

func TestDeletedBase(t *testing.T) {
	w := newWorld(t)
	w.repo.File(base, "eventraces-baseline.txt", acceptedLine(t))
	w.write("eventraces-baseline.txt", acceptedLine(t))
	w.gh.On("GET", "/repos/octo/podcasts/contents/*").Fail(404, "No commit found for the ref refs/heads/main")
	o := w.run()
	o.want(0, "clean")
	w.noComment()
}

// A change cannot accept its own race: the base branch must.
func TestChangeThatAcceptsItsRace(t *testing.T) {
	w := newWorld(t)
	w.write("eventraces-baseline.txt", acceptedLine(t))
	w.run().want(1, "races")
	contains(t, "comment", w.comment(), "TrackActivity.providerUtils", "for now")
}

// Lines that a change adds are listed, even if nothing fails.
func TestChangeThatAddsToTheBaseline(t *testing.T) {
	w := newWorld(t)
	w.edit = func(run *finding.Run) {
		r := run.Findings[0].Races[0]
		r.Facts = append(r.Facts, finding.Fact{Name: "rare", Text: "seldom", Limit: finding.Medium})
		r.Priority = finding.Medium
		run.Arrange([]finding.Race{r})
	}
	w.write("eventraces-baseline.txt", strings.Replace(acceptedLine(t), " high ", " medium ", 1))
	w.run().want(0, "clean")
	contains(t, "comment", w.comment(), "for now", "com.example.trackrecorder.TrackActivity.providerUtils")
}

func TestCommentGetsResolved(t *testing.T) {
	w := newWorld(t)
	w.run().want(1, "races")
	w.edit = fixed
	w.run().want(0, "clean")
	body := w.comment()
	contains(t, "comment", body, comment.StickyMarker(""), "TrackActivity.providerUtils")
	contains(t, "comment", strings.ToLower(body), "resolved")
	lacks(t, "comment", body, "```mermaid")
	threads := w.pr.Threads()
	if len(threads) != 1 || !threads[0].Comments[0].Minimized || !threads[0].Resolved {
		t.Errorf("threads %+v", threads)
	}
	edits := w.pr.Comments()[0].Edits
	w.run().want(0, "clean")
	if w.pr.Comments()[0].Edits != edits {
		t.Error("the same text was written again")
	}
	w.edit = nil // and back again
	w.run().want(1, "races")
	contains(t, "comment", w.comment(), "```mermaid")
	threads = w.pr.Threads()
	if len(threads) != 1 || threads[0].Comments[0].Minimized || threads[0].Resolved {
		t.Errorf("threads %+v", threads)
	}
}

func TestThreadsWithRepliesStay(t *testing.T) {
	w := newWorld(t)
	w.run()
	w.pr.Reply(w.pr.Threads()[0].NodeID, "mona", "is that so?")
	w.edit = fixed
	w.run().want(0, "clean")
	if x := w.pr.Threads()[0]; x.Resolved || x.Comments[0].Minimized {
		t.Errorf("the thread is %+v", x)
	}
}

// What a person has hidden stays hidden, and is not said again.
func TestThreadsThatAPersonHasHidden(t *testing.T) {
	w := newWorld(t)
	w.run()
	w.pr.Minimize(w.pr.Threads()[0].Comments[0].ID)
	w.run().want(1, "races")
	if threads := w.pr.Threads(); len(threads) != 1 || !threads[0].Comments[0].Minimized {
		t.Errorf("threads %+v", threads)
	}
}

func TestThreadsOfOthersStay(t *testing.T) {
	w := newWorld(t)
	w.pr.AddThread("mallory", sourceFile, freeLine, "<!-- eventrace:v1 id="+raceID+" -->\nnothing to see")
	w.edit = fixed
	w.run().want(0, "clean")
	if x := w.pr.Threads()[0]; x.Resolved || x.Comments[0].Minimized {
		t.Errorf("the thread is %+v", x)
	}
	w.edit = nil
	w.run()
	if n := len(w.pr.Threads()); n != 2 {
		t.Errorf("%d threads: a forged marker hides the race", n)
	}
}

// Comments on lines of another app of the repository are not ours to fold.
func TestThreadsOfAnotherCategoryStay(t *testing.T) {
	w := newWorld(t)
	w.pr.AddThread(githubtest.ActionsLogin, sourceFile, freeLine, comment.InlineMarker("paid", raceID)+"\nin the paid app")
	w.edit = fixed
	w.run().want(0, "clean")
	if x := w.pr.Threads()[0]; x.Resolved || x.Comments[0].Minimized {
		t.Errorf("the thread is %+v", x)
	}
}

// A token that may hide comments but not resolve threads does what it may.
func TestThreadsThatCannotBeResolved(t *testing.T) {
	w := newWorld(t)
	w.run()
	w.gh.Forbid("resolveReviewThread")
	w.edit = fixed
	o := w.run()
	o.want(0, "clean")
	o.wantAnnotations()
	if x := w.pr.Threads()[0]; !x.Comments[0].Minimized {
		t.Errorf("the thread is %+v", x)
	}
}

func TestSecondRunRepeatsNothing(t *testing.T) {
	w := newWorld(t)
	w.run()
	before := w.comment()
	w.run().want(1, "races")
	if w.comment() != before || w.pr.Comments()[0].Edits != 0 || len(w.pr.Threads()) != 1 || len(w.pr.Reviews()) != 1 {
		t.Errorf("%d edits, %d threads, %d reviews", w.pr.Comments()[0].Edits, len(w.pr.Threads()), len(w.pr.Reviews()))
	}
}

func TestManyRaces(t *testing.T) {
	w := newWorld(t)
	w.edit = copies(500)
	o := w.run()
	o.want(1, "races")
	body := w.comment()
	if n := len(utf16.Encode([]rune(body))); n > 65536 || len(body) < 10_000 {
		t.Errorf("the comment has %d characters", n)
	}
	contains(t, "comment", body, "500 new")
	if n := len(w.pr.Threads()); n != 10 {
		t.Errorf("%d comments on lines, want 10", n)
	}
	if len(w.pr.Reviews()) != 1 {
		t.Errorf("%d reviews", len(w.pr.Reviews()))
	}
	if len(o.summary) > 900<<10 {
		t.Errorf("the summary has %d bytes", len(o.summary))
	}
	w.run()
	if n := len(w.pr.Threads()); n != 10 {
		t.Errorf("%d comments on lines after another run", n)
	}
	w.on("push")
	w.env["INPUT_UPLOAD"] = "off"
	o = w.run()
	if n := len(o.annotations()); n != 10 {
		t.Errorf("%d annotations", n)
	}
	contains(t, "annotation", o.annotations()[9], "(490 more are not shown here; see the summary of the job)")
	if n := len(o.outputs["new-findings"]); n > 200<<10 {
		t.Errorf("new-findings has %d bytes", n)
	}
}

// The built commit is the test merge, whose lines the base branch has moved.
func TestLinesAreThoseOfTheHead(t *testing.T) {
	w := newWorld(t)
	w.repo.Compare(head, merge, githubtest.File{Path: sourceFile, Patch: "@@ -1,1 +1,3 @@\n+// added\n+// on main\n x"})
	w.pr.Push(head, merge, githubtest.File{Path: sourceFile, Patch: "@@ -40,3 +40,4 @@\n     @Override\n     protected void onDestroy() {\n+        providerUtils = null;\n         super.onDestroy();"})
	w.run().want(1, "races")
	contains(t, "comment", w.comment(), "/blob/"+head+"/"+sourceFile+"#L19", "/blob/"+head+"/"+sourceFile+"#L42",
		"`TrackActivity.java:19`", "`TrackActivity.java:42`", "`TrackActivity.java:37`", "java#58;#8288;42")
	for _, text := range []string{w.comment(), w.pr.Threads()[0].Comments[0].Body} { // one numbering only
		lacks(t, "comment", text, ".java:21", ".java:44", ".java:39", "java#58;#8288;21", "java#58;#8288;44")
	}
	if threads := w.pr.Threads(); len(threads) != 1 || threads[0].Line != 42 {
		t.Errorf("threads %+v", threads)
	}
	w = newWorld(t) // the line is of the base branch
	w.repo.Compare(head, merge, githubtest.File{Path: sourceFile, Patch: "@@ -20,0 +21,1 @@\n+            providerUtils.showTrack"})
	w.run().want(1, "races")
	lacks(t, "comment", w.comment(), sourceFile+"#L21")
}

func TestHeadThatWasCheckedOut(t *testing.T) {
	w := newWorld(t)
	w.env["GITHUB_SHA"] = head
	w.run().want(1, "races")
	if a := w.repo.Analyses(); len(a) != 1 || a[0].Ref != "refs/pull/7/head" || a[0].Commit != head {
		t.Errorf("code scanning has %+v", a)
	}
}

func TestRedirectToAnotherHost(t *testing.T) {
	for _, status := range []int{301, 307} {
		stranger := githubtest.New(t)
		w := newWorld(t)
		w.gh.On("GET", "/repos/octo/podcasts/contents/*").Redirect(status, stranger.URL()+"/repos/octo/podcasts/contents/x")
		o := w.run()
		o.want(2, "failed")
		o.wantAnnotations("which is refused")
		if n := len(stranger.Calls()); n > 0 {
			t.Errorf("%d calls to another host", n)
		}
	}
}

func TestWritesKeepTheirDistance(t *testing.T) {
	w := newWorld(t)
	start := time.Now()
	w.gh.TimeWrites(func() time.Time { return start.Add(time.Since(start) + w.slept) }, time.Second)
	w.run().want(1, "races")
}

func TestTwoUploadsOfOneCategory(t *testing.T) {
	w := newWorld(t)
	w.on("push")
	o := w.run()
	w.env["EVENTRACES_UPLOADED"] = o.env["EVENTRACES_UPLOADED"]
	o = w.run()
	o.want(1, "races")
	const refused = "error eventraces%3A code scanning: input category: another step of this job has uploaded the category eventraces/com.example.trackrecorder/"
	o.wantAnnotations(refused, "error file="+sourceFile)
	w.edit = fixed
	o = w.run()
	o.want(2, "failed")
	o.wantAnnotations(refused)
	w.edit = nil
	w.env["INPUT_CATEGORY"] = "paid"
	w.run().want(1, "races")
	if n := len(w.repo.Analyses()); n != 2 {
		t.Errorf("%d analyses", n)
	}
}

func TestEnterpriseServer(t *testing.T) {
	w := newWorld(t)
	w.env["GITHUB_API_URL"], w.env["GITHUB_GRAPHQL_URL"], w.env["GITHUB_SERVER_URL"] = w.gh.EnterpriseURL(), w.gh.EnterpriseGraphQLURL(), "https://git.example.org"
	w.run().want(1, "races")
	contains(t, "comment", w.comment(), "https://git.example.org/octo/podcasts/blob/"+head+"/")
	lacks(t, "comment", w.comment(), "https://github.com/octo")
}

func TestOnlyWhatIsAskedFor(t *testing.T) {
	w := newWorld(t)
	w.env["INPUT_COMMENT"], w.env["INPUT_UPLOAD"] = "off", "off"
	o := w.run()
	o.want(1, "races")
	o.wantAnnotations("error file=" + sourceFile + ",line=21")
	w.noComment()
	if w.repo.Uploads() != 0 {
		t.Error("an upload")
	}
	w.env["INPUT_FAIL_ON"] = "never"
	o = w.run()
	o.want(0, "clean")
	o.wantAnnotations("warning file=" + sourceFile + ",line=21")
}

// A step that has checked out another commit than the event's is not believed to
// have built the pull request.
func TestAnotherCommitWasCheckedOut(t *testing.T) {
	w := newWorld(t)
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "src"},
		{"-c", "user.name=mona", "-c", "user.email=mona@example.org", "commit", "-q", "-m", "old"},
	} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	o := w.run()
	o.want(1, "races")
	contains(t, "log", o.log, "is not uploaded: what was built (")
	if w.repo.Uploads() != 0 || len(w.pr.Threads()) != 0 {
		t.Errorf("%d uploads, %d threads", w.repo.Uploads(), len(w.pr.Threads()))
	}
	lacks(t, "comment", w.comment(), "#L21")
}

// Names of branches are a stranger's too.
func TestHostileBranchNames(t *testing.T) {
	const evil = "a/##[error]x`<img>@everyone"
	w := newWorld(t)
	payload := strings.Replace(string(read(t, w.env["GITHUB_EVENT_PATH"])), `"ref": "main"`, `"ref": "`+evil+`"`, 1)
	w.env["GITHUB_EVENT_PATH"] = filepath.Join(t.TempDir(), "event.json")
	w.write(w.env["GITHUB_EVENT_PATH"], payload)
	w.gh.On("GET", "/repos/octo/podcasts/contents/*").Fail(404, "Not Found").Times(2)
	o := w.run()
	o.want(1, "races")
	harmless(t, w, o)
	contains(t, "comment", w.comment(), "TrackActivity.providerUtils")
}
