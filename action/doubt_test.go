package action_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/action/internal/comment"
	"github.com/eventraces/eventraces/action/internal/githubtest"
	"github.com/eventraces/eventraces/engine/finding"
)

func (w *world) payload(replace ...string) {
	w.t.Helper()
	text := string(read(w.t, w.env["GITHUB_EVENT_PATH"]))
	after := strings.NewReplacer(replace...).Replace(text)
	if after == text {
		w.t.Fatalf("the payload has none of %q", replace)
	}
	w.env["GITHUB_EVENT_PATH"] = filepath.Join(w.t.TempDir(), "event.json")
	w.write(w.env["GITHUB_EVENT_PATH"], after)
}

func TestPullRequestThatCannotBeFound(t *testing.T) {
	for name, fail := range map[string]func(*world){
		"outage": func(w *world) {
			w.gh.On("GET", "/repos/octo/podcasts/pulls").Fail(503, "Service Unavailable").Always()
		},
		"no right": func(w *world) {
			w.gh.On("GET", "/repos/octo/podcasts/pulls").Fail(403, "Resource not accessible by integration")
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := forkWorld(t)
			fail(w)
			w.publish("workflow_run_fork", saved(t, unchanged))
			w.env["INPUT_FAIL_ON"] = "new"
			o := w.run()
			o.want(1, "races")
			contains(t, "summary", o.summary, "TrackActivity.providerUtils")
			contains(t, "annotations", strings.Join(o.annotations(), "\n"), "The pull request of the findings is not known", "TrackActivity.providerUtils")
			lacks(t, "log", o.log, "no open pull request has the head")
			w.noComment()
		})
	}
	w := forkWorld(t) // found, but not what the build has to do with it
	older := strings.Repeat("4", 40)
	w.gh.On("GET", "/repos/octo/podcasts/compare/*").Fail(503, "Service Unavailable").Always()
	w.publish("workflow_run_fork", saved(t, func(run *finding.Run) { run.Revision = older }))
	w.env["INPUT_FAIL_ON"] = "new"
	w.run().want(1, "races")
	contains(t, "comment", w.comment(), "TrackActivity.providerUtils")
	lacks(t, "comment", w.comment(), "#L21")
}

func partly(run *finding.Run) {
	run.Notes = []finding.Notification{{Kind: finding.NoteBrokenClass, Text: "a class could not be read", Where: "com.example.Broken"}}
	run.Arrange(nil)
}

func TestPartialRunResolvesNothing(t *testing.T) {
	w := newWorld(t)
	w.run()
	w.edit = partly
	w.run().want(0, "clean")
	contains(t, "comment", w.comment(), "in the part that could be analysed")
	if x := w.pr.Threads()[0]; x.Resolved || x.Comments[0].Minimized {
		t.Errorf("the thread is %+v", x)
	}
}

func TestDuplicateThatWasLeft(t *testing.T) {
	for name, edit := range map[string]func(*finding.Run){"races": nil, "none": fixed} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.pr.AddComment(githubtest.ActionsLogin, comment.StickyMarker("")+"\nfirst")
			w.pr.AddComment(githubtest.ActionsLogin, comment.StickyMarker("")+"\nsecond")
			w.pr.AddComment("mallory", comment.StickyMarker("")+"\nnot ours")
			w.pr.AddComment(githubtest.ActionsLogin, comment.StickyMarker("paid")+"\nof another app")
			w.edit = edit
			w.run()
			var left []string
			for _, c := range w.pr.Comments() {
				left = append(left, c.Body)
			}
			if len(left) != 3 || !strings.Contains(strings.Join(left[1:], ""), "not ours") || !strings.Contains(strings.Join(left[1:], ""), "of another app") {
				t.Errorf("left are %d:\n%s", len(left), strings.Join(left, "\n---\n"))
			}
			lacks(t, "first comment", left[0], "-->\nfirst")
		})
	}
}

func TestOlderRunComesSecond(t *testing.T) {
	w := newWorld(t)
	w.gh.On("POST", comments).Before(func() {
		w.pr.Push(strings.Repeat("9", 40), strings.Repeat("8", 40), changed)
		w.pr.AddComment(githubtest.ActionsLogin, comment.StickyMarker("")+"\nof the newer run")
	})
	o := w.run()
	o.want(1, "races")
	contains(t, "comment", w.comment(), "of the newer run")
	lacks(t, "log", strings.Join(o.annotations(), "\n"), "see the comment in the pull request")
}

func TestProcessingThatIsNotKnown(t *testing.T) {
	w := newWorld(t)
	w.env["INPUT_COMMENT"] = "off"
	w.gh.On("GET", "/repos/octo/podcasts/code-scanning/sarifs/*").Fail(503, "Service Unavailable").Always()
	o := w.run()
	o.want(1, "races")
	o.wantAnnotations("error file="+sourceFile+",line=21,use-after-free", "It is not known whether the upload was processed")
}

func TestUploadThatIsLostAfterAnother(t *testing.T) {
	w := newWorld(t)
	w.edit = fixed
	w.run().want(0, "clean")
	w.edit = nil
	w.gh.On("POST", uploads).Fail(502, "Server Error")
	w.run().want(1, "races")
	a := w.repo.Analyses()
	if last := a[len(a)-1]; last.Results != 1 {
		t.Errorf("the last of %d analyses has %d results", len(a), last.Results)
	}
}

func TestMergeGroupBehindAnother(t *testing.T) {
	w := newWorld(t)
	w.on("merge_group")
	before := strings.Repeat("6", 40)
	w.payload(`"base_sha": "`+base+`"`, `"base_sha": "`+before+`"`)
	w.repo.Commit(before)
	w.repo.File(before, "eventraces-baseline.txt", acceptedLine(t))
	w.write("eventraces-baseline.txt", acceptedLine(t))
	w.run().want(0, "clean")
}

func TestMergedPullRequest(t *testing.T) {
	w := newWorld(t)
	squashed := strings.Repeat("5", 40)
	w.repo.Branch("main", squashed)
	w.pr.Close()
	w.env["GITHUB_REF"], w.env["GITHUB_SHA"] = "refs/heads/main", squashed
	o := w.run()
	contains(t, "log", o.log, "is not uploaded")
	if w.repo.Uploads() != 0 {
		t.Errorf("an upload: %+v", w.repo.Analyses()[0])
	}
	lacks(t, "summary", o.summary, "#L21")
}

func TestFindingsOfTheQueue(t *testing.T) {
	w := newWorld(t)
	w.publish("workflow_run_push", saved(t, func(run *finding.Run) { run.Revision = base }))
	w.payload(`"head_branch": "main"`, `"head_branch": "gh-readonly-queue/main/pr-7-`+base+`"`)
	o := w.run()
	o.want(0, "clean")
	o.wantAnnotations("warning file=" + sourceFile)
	if w.repo.Uploads() != 0 {
		t.Error("a ref of the merge queue was uploaded")
	}
}

func TestFindingsOfAnUnknownCommit(t *testing.T) {
	w := forkWorld(t)
	w.publish("workflow_run_fork", saved(t, func(run *finding.Run) { run.Revision = "" }))
	w.run().want(0, "clean")
	contains(t, "comment", w.comment(), "/blob/"+head+"/"+sourceFile)
	lacks(t, "comment", w.comment(), "#L21", "#L44")
	if len(w.pr.Threads()) != 0 {
		t.Error("a comment on a line that may be another")
	}
	w = newWorld(t)
	w.publish("workflow_run_push", saved(t, func(run *finding.Run) { run.Revision = "" }))
	w.payload(base, head)
	o := w.run()
	contains(t, "summary", o.summary, "/blob/"+head+"/"+sourceFile)
	lacks(t, "summary", o.summary, "#L21", "#L44")
}

func TestFindingsOfOneOfTwoPullRequests(t *testing.T) {
	for _, number := range []int{6, 8} {
		w := forkWorld(t)
		w.repo.Branch("release", strings.Repeat("c", 40))
		other := pullOf("mallory/podcasts")
		other.Number, other.MergeSHA, other.Base = number, strings.Repeat("5", 40), githubtest.Ref{Ref: "release", SHA: strings.Repeat("c", 40)}
		second := w.repo.PullRequest(other)
		w.publish("workflow_run_fork", saved(t, unchanged))
		w.run().want(0, "clean")
		contains(t, "comment", w.comment(), "TrackActivity.providerUtils")
		if n := len(second.Comments()); n != 0 {
			t.Errorf("pull request %d has %d comments", number, n)
		}
	}
}

func TestInputsThatNameNothing(t *testing.T) {
	w := newWorld(t)
	w.env["INPUT_BUILD_OUTPUTS"] = "# app.apk"
	o := w.run()
	o.want(2, "failed")
	o.wantAnnotations("input build-outputs: is empty")
	w.on("push")
	w.env["INPUT_BUILD_OUTPUTS"], w.env["INPUT_FINDINGS"] = "", "# findings.json"
	o = w.run()
	o.want(2, "failed")
	o.wantAnnotations("input build-outputs: is empty")
}

func TestReviewOfAPullRequestHidesNothing(t *testing.T) {
	w := newWorld(t)
	w.env["GITHUB_EVENT_NAME"] = "pull_request_review"
	w.write("eventraces-baseline.txt", acceptedLine(t))
	o := w.run()
	o.want(1, "races")
	w.noComment()
	if w.repo.Uploads() != 0 {
		t.Error("an upload")
	}
}

func TestLockedConversation(t *testing.T) {
	w := newWorld(t)
	w.gh.On("POST", comments).Fail(403, "Unable to create comment because issue is locked.")
	o := w.run()
	o.want(1, "races")
	text := strings.Join(o.annotations(), "\n")
	contains(t, "annotations", text, "issue is locked")
	lacks(t, "annotations", text, "permission")
}

func TestStrictSaysWhy(t *testing.T) {
	w := newWorld(t)
	w.edit, w.env["INPUT_ARGS"] = partly, "--strict"
	o := w.run()
	o.want(3, "limited")
	o.wantAnnotations("error eventraces: Part of the app was not fully analysed")
}

func TestCommentThatIsDeletedMeanwhile(t *testing.T) {
	w := newWorld(t)
	w.run()
	id := w.pr.Comments()[0].ID
	w.edit = copies(2)
	w.gh.On("PATCH", "/repos/octo/podcasts/issues/comments/*").Before(func() { w.pr.DeleteComment(id) })
	w.run().want(1, "races")
	contains(t, "comment", w.comment(), "2 new high event races")
}

func TestThreadsThatCannotBeFolded(t *testing.T) {
	w := newWorld(t)
	w.run()
	w.gh.On("POST", "/graphql").Containing("minimizeComment").Fail(502, "Server Error").Always()
	w.edit = func(run *finding.Run) {
		r := run.Findings[0].Races[0]
		r.Field.Name = "recorder"
		run.Arrange([]finding.Race{r})
	}
	o := w.run()
	o.want(1, "races")
	o.wantAnnotations(newRace, "Comments on lines were not folded away or back: GitHub: POST /graphql: 502")
	if n := len(w.pr.Threads()); n != 2 {
		t.Errorf("%d threads", n)
	}
}

func TestBaseThatWasChanged(t *testing.T) {
	w := newWorld(t)
	w.payload(`"ref": "main"`, `"ref": "release"`)
	w.repo.Branch("release", strings.Repeat("c", 40))
	o := w.run()
	o.want(1, "races")
	o.wantAnnotations(newRace, "The pull request goes to main now; this run has compared it with release.")
}

func TestRenamedRepository(t *testing.T) {
	w := newWorld(t)
	w.gh.On("GET", "/repos/octo/podcasts/pulls/7").Redirect(301, w.gh.URL()+"/repos/octo/podcasts/pulls/7")
	w.gh.On("POST", comments).Redirect(307, w.gh.URL()+comments)
	o := w.run()
	o.want(1, "races")
	o.wantAnnotations(newRace)
	contains(t, "comment", w.comment(), "TrackActivity.providerUtils")

	w = newWorld(t)
	w.gh.On("POST", comments).Redirect(301, w.gh.URL()+comments)
	o = w.run()
	o.want(1, "races")
	contains(t, "annotations", strings.Join(o.annotations(), "\n"), "GitHub redirects a write in a way that would lose it; has the repository been renamed?")
	w.noComment()

	w = newWorld(t)
	w.gh.On("GET", "/repos/octo/podcasts/pulls/7").Redirect(301, w.gh.URL()+"/repos/octo/podcasts/pulls/7").Always()
	o = w.run()
	o.want(1, "races")
	contains(t, "annotations", strings.Join(o.annotations(), "\n"), "GitHub redirects in circles")
}

func TestLineForALaterRaceIsListed(t *testing.T) {
	w := newWorld(t)
	w.edit = fixed
	w.write("eventraces-baseline.txt", acceptedLine(t))
	o := w.run()
	o.want(0, "clean")
	contains(t, "comment", w.comment(), "This change adds 1 line to the baseline; it counts once it is on <code>main</code>", "TrackActivity.providerUtils", "for now")
	w.repo.File("main", "eventraces-baseline.txt", acceptedLine(t))
	o = w.run()
	contains(t, "comment", w.comment(), "Resolved", "1 gone from the app but still in the baseline")
}

func TestLineThatIsRaisedIsListed(t *testing.T) {
	w := newWorld(t)
	w.write("eventraces-baseline.txt", acceptedLine(t))
	w.repo.File("main", "eventraces-baseline.txt", strings.Replace(acceptedLine(t), " high ", " medium ", 1))
	w.run().want(1, "races")
	contains(t, "comment", w.comment(), "worse than accepted", "This change adds 1 line to the baseline")
}

// A run that publishes waits for code scanning too, and the head may move while it
// does.
func TestHeadThatMovesWhileFindingsArePublished(t *testing.T) {
	w := forkWorld(t)
	w.gh.On("GET", uploads+"/*").Before(func() { w.pr.Push(strings.Repeat("9", 40), strings.Repeat("8", 40), changed) })
	w.publish("workflow_run_fork", saved(t, unchanged))
	o := w.run()
	o.want(0, "clean")
	contains(t, "log", o.log, "its own run will tell of it")
	if n := len(w.pr.Threads()); n != 0 {
		t.Errorf("%d threads", n)
	}
}

// GitHub has other words for a line that is not in the diff.
func TestLineThatIsNoPartOfTheDiff(t *testing.T) {
	w := newWorld(t)
	w.gh.On("POST", reviews).Fail(422, "Unprocessable Entity", "Pull request review thread line must be part of the diff")
	o := w.run()
	o.want(1, "races")
	o.wantAnnotations(newRace)
	contains(t, "log", o.log, "GitHub takes no comments on these lines")
}

// The findings of a push that are of another commit would be missing among the
// alerts of the branch.
func TestFindingsOfAPushOfAnotherCommit(t *testing.T) {
	w := newWorld(t)
	w.publish("workflow_run_push", saved(t, func(run *finding.Run) { run.Revision = strings.Repeat("e", 40) }))
	o := w.run()
	o.want(0, "clean")
	contains(t, "annotations", strings.Join(o.annotations(), "\n"), "is not uploaded: what was built ("+strings.Repeat("e", 40)+")")
	if w.repo.Uploads() != 0 {
		t.Error("an upload")
	}
}

// Where other jobs have analysed, a baseline has the name that it had there.
func TestNameOfThePublishedBaseline(t *testing.T) {
	compared := func(run *finding.Run) {
		run.Baseline = &finding.Comparison{
			Files: []string{"races-tv.txt", "races-tv.txt of main"}, Missing: []string{"races-tv.txt of main"}, Gone: []finding.Accepted{}, Pending: []finding.Accepted{},
		}
	}
	for input, want := range map[string]string{"": "races-tv.txt", "config/other.txt": "races-tv.txt", "config/races-tv.txt": "config/races-tv.txt"} {
		w := newWorld(t)
		w.publish("pull_request", saved(t, compared))
		w.env["INPUT_BASELINE"] = input
		w.run().want(0, "clean")
		contains(t, "comment", w.comment(), "There is no baseline on `main` yet. Every race counts as new until `"+want+"` is on `main`", "eventraces baseline --out "+want+" --accept")
	}
}

// A page without news has lines too, in its tables.
func TestLinesOfAcceptedRaces(t *testing.T) {
	w := newWorld(t)
	w.repo.File("main", "eventraces-baseline.txt", acceptedLine(t))
	w.write("eventraces-baseline.txt", acceptedLine(t))
	w.repo.Compare(head, merge, githubtest.File{Path: sourceFile, Patch: "@@ -1,1 +1,3 @@\n+// added\n+// on main\n x"})
	o := w.run()
	o.want(0, "clean")
	contains(t, "summary", o.summary, "/blob/"+head+"/"+sourceFile+"#L19", "/blob/"+head+"/"+sourceFile+"#L42")
	w.noComment()
}

// The name of a repository says nothing of why GitHub refuses.
func TestRepositoryThatIsCalledLocked(t *testing.T) {
	w := newWorld(t)
	w.gh.On("POST", "/repos/octo/locked-doors/code-scanning/sarifs").Fail(403, "Resource not accessible by integration")
	w.gh.Repo("octo/locked-doors").Public()
	w.on("push")
	w.env["GITHUB_REPOSITORY"] = "octo/locked-doors"
	o := w.run()
	contains(t, "annotations", strings.Join(o.annotations(), "\n"), "Does the job have the permission security-events: write?")
}
