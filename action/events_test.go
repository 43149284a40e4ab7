package action_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// What the reader sees for each row of the table of events.

func TestPullRequestOfItsOwnRepository(t *testing.T) {
	w := newWorld(t)
	o := w.run()
	o.want(1, "races")
	o.wantAnnotations("error eventraces: 1 new high event race: see the comment in the pull request.")
	contains(t, "comment", w.comment(), "TrackActivity.providerUtils", "use-after-free",
		"https://github.com/octo/podcasts/blob/"+head+"/"+sourceFile+"#L21", "https://github.com/octo/podcasts/blob/"+head+"/"+sourceFile+"#L44",
		"```mermaid", raceID, "eventraces:ignore use-after-free because")
	contains(t, "summary", o.summary, "TrackActivity.providerUtils")
	analyses := w.repo.Analyses()
	if len(analyses) != 1 || analyses[0].Ref != "refs/pull/7/merge" || analyses[0].Commit != merge || analyses[0].Results != 1 ||
		strings.TrimSuffix(analyses[0].Category, "/") != "eventraces/com.example.trackrecorder" {
		t.Errorf("code scanning has %+v", *analyses[0])
	}
	threads := w.pr.Threads()
	if len(threads) != 1 || threads[0].Path != sourceFile || threads[0].Line != freeLine || threads[0].Commit != head {
		t.Fatalf("threads %+v", threads)
	}
	contains(t, "inline comment", threads[0].Comments[0].Body, "<!-- eventrace:v1 id="+raceID, "TrackActivity.java:21")
	if n := len(w.gh.Calls()); n > 20 {
		t.Errorf("%d calls, more than 20", n)
	}
	t.Logf("%d calls, %s of pauses", len(w.gh.Calls()), w.slept)
	if w.slept > 10*time.Second { // of the 20 that the Action may add
		t.Errorf("%s of pauses", w.slept)
	}
	if got := o.outputs["counts"]; got != `{"new":{"high":1,"medium":0,"low":0},"unchanged":0,"suppressed":0,"gone":0}` {
		t.Errorf("counts are %s", got)
	}
	contains(t, "output new-findings", o.outputs["new-findings"], `[{"id":"`+raceID+`","rule":"use-after-free","priority":"high","field":"com.example.trackrecorder.TrackActivity.providerUtils","file":"`+sourceFile+`","line":21,"message":"`)
	contains(t, "findings-file", string(read(t, o.outputs["findings-file"])), raceID, `"revision": "`+merge)
	contains(t, "sarif-file", string(read(t, o.outputs["sarif-file"])), raceID)
}

func TestNothingNewIsSilent(t *testing.T) {
	w := newWorld(t)
	w.edit = fixed
	o := w.run()
	o.want(0, "clean")
	o.wantAnnotations()
	w.noComment()
	if a := w.repo.Analyses(); len(a) != 1 || a[0].Results != 0 {
		t.Errorf("code scanning has %+v: an empty analysis closes alerts", a)
	}
}

// A token that can only read is known before anything is asked.
func TestChangesWithATokenThatReads(t *testing.T) {
	for event, why := range map[string]string{
		"pull_request_fork": "from a fork", "pull_request_fork_gone": "from a fork", "pull_request_dependabot": "Dependabot",
	} {
		t.Run(event, func(t *testing.T) {
			w := newWorld(t)
			w.readOnly()
			w.on(event)
			o := w.run()
			o.want(1, "races")
			contains(t, "log", o.log, why, "publish it from a workflow_run workflow")
			o.wantAnnotations("error file=" + sourceFile + ",line=21,use-after-free")
			contains(t, "summary", o.summary, "TrackActivity.providerUtils")
			contains(t, "findings-file", string(read(t, o.outputs["findings-file"])), raceID)
			w.noComment()
			if n := w.repo.Uploads(); n != 0 {
				t.Errorf("%d uploads", n)
			}
			for _, c := range w.gh.Calls() {
				if c.Method != "GET" || c.Status >= 400 {
					t.Errorf("%s %s gave %d", c.Method, c.Path, c.Status)
				}
			}
		})
	}
}

func TestPullRequestTargetIsRefused(t *testing.T) {
	w := newWorld(t)
	w.on("pull_request_target")
	o := w.run()
	o.want(2, "failed")
	o.wantAnnotations("error eventraces: pull_request_target gives the code of a pull request a token that can write")
	w.noComment()
	if n := len(w.gh.Calls()); n > 0 {
		t.Errorf("%d calls", n)
	}
}

func TestBranches(t *testing.T) {
	for _, event := range []string{"push", "schedule", "workflow_dispatch"} {
		t.Run(event, func(t *testing.T) {
			w := newWorld(t)
			w.on(event)
			o := w.run()
			o.want(1, "races")
			o.wantAnnotations("error eventraces: 1 new high event race: see the alerts of code scanning, or the summary of the job, which has all.")
			w.noComment()
			a := w.repo.Analyses()
			if len(a) != 1 || a[0].Ref != "refs/heads/main" || a[0].Commit != base || a[0].Results != 1 {
				t.Errorf("code scanning has %+v", a)
			}
			contains(t, "summary", o.summary, "TrackActivity.providerUtils", "/blob/"+base+"/")
		})
	}
}

// On a branch its own baseline counts, and accepted races are uploaded too, so
// that their alerts stay open.
func TestPushWithAcceptedRace(t *testing.T) {
	w := newWorld(t)
	w.on("push")
	w.write("eventraces-baseline.txt", acceptedLine(t))
	o := w.run()
	o.want(0, "clean")
	if a := w.repo.Analyses(); len(a) != 1 || a[0].Results != 1 {
		t.Errorf("code scanning has %+v", a)
	}
	w.env["INPUT_FAIL_ON"] = "all"
	o = w.run()
	o.want(1, "races")
	o.wantAnnotations("error eventraces: The accepted event races fail this step")
	w.env["INPUT_FAIL_ON"], w.env["INPUT_UPLOAD"] = "new", "new-only"
	w.run().want(0, "clean")
	if a := w.repo.Analyses(); a[len(a)-1].Results != 0 {
		t.Errorf("an upload of what is new has %d results", a[len(a)-1].Results)
	}
}

func TestMergeGroupOnlyDecides(t *testing.T) {
	w := newWorld(t)
	w.on("merge_group")
	o := w.run()
	o.want(1, "races")
	o.wantAnnotations("error file=" + sourceFile)
	w.noComment()
	if w.repo.Uploads() != 0 {
		t.Error("a ref of the merge queue was uploaded")
	}
	w.repo.File("main", "eventraces-baseline.txt", acceptedLine(t))
	w.write("eventraces-baseline.txt", acceptedLine(t))
	o = w.run()
	o.want(0, "clean")
	o.wantAnnotations()
}

func TestOtherEventsOnlyDecide(t *testing.T) {
	w := newWorld(t)
	w.on("release")
	o := w.run()
	o.want(1, "races")
	contains(t, "log", o.log, "For this event nothing is uploaded and no comment is written.")
	w.noComment()
	if w.repo.Uploads() != 0 {
		t.Error("a tag was uploaded")
	}
}

// acceptedLine is a baseline that accepts the example's race.
func acceptedLine(t *testing.T) string {
	t.Helper()
	result, err := analysed()
	if err != nil {
		t.Fatal(err)
	}
	r := result.Run.Findings[0].First()
	a, b := r.Sides[0].Access.Entry.String(), r.Sides[1].Access.Entry.String()
	return accepted + fmt.Sprintf("%s %s %s %s %s %s # for now\n", r.Rule, r.Field, min(a, b), max(a, b), r.Priority, r.ID)
}

func TestFindingsOfAForkArePublished(t *testing.T) {
	w := newWorld(t)
	w.readOnly()
	w.on("pull_request_fork")
	checked := w.run()
	w = forkWorld(t)
	w.publish("workflow_run_fork", checked.outputs["findings-file"])
	o := w.run()
	o.want(0, "clean") // fail-on: never
	o.wantAnnotations()
	contains(t, "comment", w.comment(), "TrackActivity.providerUtils", "/blob/"+head+"/"+sourceFile+"#L44", "told, by a run of the fork `mallory/podcasts`")
	a := w.repo.Analyses()
	if len(a) != 1 || a[0].Ref != "refs/pull/7/merge" || a[0].Commit != merge || a[0].Results != 1 {
		t.Errorf("code scanning has %+v", a)
	}
	if len(w.pr.Threads()) != 1 {
		t.Errorf("%d threads", len(w.pr.Threads()))
	}
	contains(t, "output new-findings", o.outputs["new-findings"], raceID)
}

// publish makes the run one that publishes files of earlier jobs.
func (w *world) publish(event string, files ...string) {
	w.on(event)
	w.env["INPUT_BUILD_OUTPUTS"], w.env["INPUT_FINDINGS"], w.env["INPUT_FAIL_ON"] = "", strings.Join(files, "\n"), "never"
}
