package action_test

import (
	"os"
	"testing"
	"time"

	"github.com/eventraces/eventraces/action/internal/githubtest"
)

func TestUploadThatFailsLater(t *testing.T) {
	w := newWorld(t)
	w.edit = fixed
	w.repo.Processing(githubtest.Processing{Pending: 2, Errors: []string{"could not parse rule 3", "::error::x"}})
	o := w.run()
	o.want(2, "failed")
	o.wantAnnotations("error eventraces%3A code scanning: Code scanning could not process the findings: could not parse rule 3; ::error::x")
}

func TestUploadThatFailsLaterLeavesTheLinesToUs(t *testing.T) {
	w := newWorld(t)
	w.pr.Push(head, merge, githubtest.File{Path: sourceFile, Patch: "@@ -20,2 +20,3 @@\n         public void onServiceConnected(ComponentName name, IBinder service) {\n+            providerUtils.showTrack\n         }"})
	w.repo.Processing(githubtest.Processing{Errors: []string{"no"}})
	w.run().want(1, "races")
	if threads := w.pr.Threads(); len(threads) != 1 || threads[0].Line != useLine {
		t.Errorf("threads %+v", threads)
	}
}

// Code scanning shows the alert on the line that the change adds: no comment of
// ours stands there too.
func TestAlertOnTheLineIsNotRepeated(t *testing.T) {
	w := newWorld(t)
	w.pr.Push(head, merge, githubtest.File{Path: sourceFile, Patch: "@@ -20,2 +20,3 @@\n         public void onServiceConnected(ComponentName name, IBinder service) {\n+            providerUtils.showTrack\n         }"})
	w.run().want(1, "races")
	if threads := w.pr.Threads(); len(threads) != 0 {
		t.Errorf("threads %+v", threads)
	}
	w.comment()
	w.env["INPUT_UPLOAD"] = "off"
	w.run().want(1, "races")
	if threads := w.pr.Threads(); len(threads) != 1 || threads[0].Line != useLine {
		t.Errorf("without an upload there are threads %+v", threads)
	}
}

// Without sources there is nothing for alerts to stand in, and that is said.
func TestNoSources(t *testing.T) {
	w := newWorld(t)
	w.write("README.md", "no sources")
	if err := os.Mkdir("other", 0o755); err != nil {
		t.Fatal(err)
	}
	w.env["INPUT_SOURCE_ROOTS"] = "other"
	o := w.run()
	o.want(1, "races")
	o.wantAnnotations(newRace, "Code scanning shows none of the findings: neither their source files nor the manifest were found")
	if a := w.repo.Analyses(); len(a) != 1 || a[0].Results != 0 {
		t.Errorf("code scanning has %+v", a)
	}
	lacks(t, "comment", w.comment(), "octo/podcasts/blob/")
}

func TestUploadNeverProcessed(t *testing.T) {
	w := newWorld(t)
	w.repo.Processing(githubtest.Processing{Pending: 1000})
	o := w.run()
	o.want(1, "races")
	o.wantAnnotations(newRace)
	contains(t, "log", o.log, "code scanning is still processing the findings")
	if w.slept > 90*time.Second {
		t.Errorf("waited %s", w.slept)
	}
}

func TestScanningThatIsNotEnabled(t *testing.T) {
	for _, message := range []string{githubtest.NoAdvancedSecurity, githubtest.NoCodeSecurity} {
		w := newWorld(t)
		w.repo.DisableScanning(message)
		o := w.run()
		o.want(1, "races")
		o.wantAnnotations(newRace, "notice eventraces%3A code scanning: Code scanning is not enabled for this repository")
		contains(t, "comment", w.comment(), "TrackActivity.providerUtils")
		if len(w.pr.Threads()) != 1 {
			t.Errorf("%d threads", len(w.pr.Threads()))
		}
		w.edit = fixed
		w.run().want(0, "clean")
	}
}

func TestTokensThatLackARight(t *testing.T) {
	w := newWorld(t)
	w.gh.Token(token, githubtest.Actions(githubtest.Permissions{Contents: "read", PullRequests: "write"}))
	o := w.run()
	o.want(1, "races")
	o.wantAnnotations(newRace, "warning eventraces%3A code scanning: The findings were not uploaded: GitHub: POST /repos/octo/podcasts/code-scanning/sarifs: 403 Resource not accessible by integration. Does the job have the permission security-events: write?")
	contains(t, "comment", w.comment(), "TrackActivity.providerUtils")

	w = newWorld(t)
	w.gh.Token(token, githubtest.Actions(githubtest.Permissions{Contents: "read", PullRequests: "read", SecurityEvents: "write"}))
	o = w.run()
	o.want(1, "races")
	o.wantAnnotations("error eventraces: 1 new high event race: see the alerts of code scanning, or the summary of the job, which has all.",
		"warning eventraces%3A pull request: The comment was not written: GitHub: POST /repos/octo/podcasts/issues/7/comments: 403 Resource not accessible by integration. Does the job have the permission pull-requests: write?")
	w.noComment()
}

func TestUploadToARefThatIsGone(t *testing.T) {
	w := newWorld(t)
	w.gh.On("POST", uploads).Fail(404, "ref 'refs/pull/7/merge' not found in this repository")
	o := w.run()
	o.want(1, "races")
	o.wantAnnotations(newRace, "warning eventraces%3A code scanning: The findings were not uploaded: GitHub: POST "+uploads+": 404 ref 'refs/pull/7/merge' not found in this repository. The branch or pull request may be gone.")
}

func TestUploadThatIsRefused(t *testing.T) {
	w := newWorld(t)
	w.edit = fixed
	w.gh.On("POST", uploads).Fail(400, "Invalid SARIF. 1 item required; only 0 were supplied.")
	o := w.run()
	o.want(2, "failed")
	o.wantAnnotations("error eventraces%3A code scanning: Code scanning refuses the findings: GitHub: POST " + uploads + ": 400 Invalid SARIF.")
}

// A 502 leaves open whether the upload was taken: it is looked up, not sent twice.
func TestUploadWithA502(t *testing.T) {
	w := newWorld(t)
	w.gh.On("POST", uploads).FailAfterWork()
	w.run().want(1, "races")
	if n := w.repo.Uploads(); n != 1 {
		t.Errorf("%d uploads", n)
	}
	w = newWorld(t)
	w.gh.On("POST", uploads).Fail(502, "Server Error")
	w.run().want(1, "races")
	if n := w.repo.Uploads(); n != 1 {
		t.Errorf("%d uploads after one that was lost", n)
	}
}
