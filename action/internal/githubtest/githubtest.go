// Package githubtest gives tests a GitHub of their own, package fakegithub behind
// a local server. The test fails if a client does what it must not: a request that
// is against GitHub's descriptions, an unknown field, a change to somebody else's
// comment; and if something was scripted that never came to happen.
//
//	gh := githubtest.New(t)                       // gh.URL(), gh.GraphQLURL(); below EnterpriseURL() as on a GHES
//	gh.Token("t0ken", githubtest.Actions(githubtest.Documented)) // or Permissions{Contents: Read, ...}, ReadOnly
//	repo := gh.Repo("octo/app")                   // private; repo.Public(), repo.DisableScanning(NoCodeSecurity)
//	repo.Branch("main", githubtest.SHA("base"))   // first: the default branch; repo.Commit(sha)
//	repo.File("main", "eventraces-baseline.txt", text) // or by commit
//	repo.Compare(headSHA, mergeSHA, File{...})    // else 404; a commit with itself is known
//	repo.Processing(Processing{Pending: 2, Errors: []string{"..."}}) // of later uploads
//	pr := repo.PullRequest(githubtest.PR{Number: 7, Head: Ref{Ref: "topic", SHA: ...}, MergeSHA: ...,
//		Files: []File{{Path: "A.java", Patch: "@@ -1,2 +1,3 @@\n a\n+b\n c"}}})
//
// What others do, at any time: pr.AddComment, AddThread, Reply, Resolve,
// DeleteComment, Push (by force), Close.
//
// What a reader would see: pr.Comments(), pr.Threads(), pr.Reviews(),
// repo.Analyses() (with the SARIF), repo.Uploads(); gh.Calls(), gh.Count(method,
// pattern).
//
// Misbehaviour, for the next matching request unless Times(n), Always() or
// Skip(n) follow; two rules for one path are two answers in turn:
//
//	gh.On("POST", "/repos/octo/app/issues/7/comments").FailAfterWork() // 502, and yet created
//	gh.On("POST", "/graphql").Containing("minimizeComment").Answer(200, `{...}`, "Header", "value")
//	gh.On("GET", "/repos/*/*/pulls/7").Fail(404, "Not Found")
//	... Drop(), DropAfterWork(), Delay(d), SecondaryLimit(seconds or -1), TooMany(seconds),
//	    PrimaryLimit(reset), Redirect(301, url), Before(func), After(func)
//	gh.Forbid("resolveReviewThread")              // this mutation, for every token
//	gh.TimeWrites(clock.Now, time.Second)         // writes that follow sooner fail the test
package githubtest

import (
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/eventraces/eventraces/action/internal/fakegithub"
)

// The names of fakegithub that tests need, so that they need not import it.
type (
	Server      = fakegithub.Server
	Repo        = fakegithub.Repo
	PullRequest = fakegithub.PullRequest
	PR          = fakegithub.PR
	Ref         = fakegithub.Ref
	File        = fakegithub.File
	Comment     = fakegithub.Comment
	Thread      = fakegithub.Thread
	Review      = fakegithub.Review
	Analysis    = fakegithub.Analysis
	Processing  = fakegithub.Processing
	Token       = fakegithub.Token
	Permissions = fakegithub.Permissions
	Call        = fakegithub.Call
)

// See fakegithub.
const (
	None               = fakegithub.None
	Read               = fakegithub.Read
	Write              = fakegithub.Write
	ActionsLogin       = fakegithub.ActionsLogin
	NoAdvancedSecurity = fakegithub.NoAdvancedSecurity
	NoCodeSecurity     = fakegithub.NoCodeSecurity
)

// See fakegithub.
var (
	Documented = fakegithub.Documented
	ReadOnly   = fakegithub.ReadOnly
)

// Actions is a GITHUB_TOKEN with these permissions.
func Actions(p Permissions) Token { return fakegithub.Actions(p) }

// SHA is a commit id made from a name.
func SHA(name string) string { return fakegithub.SHA(name) }

var unchecked sync.Once

// New starts a GitHub that lives as long as the test.
func New(t testing.TB) *Server {
	t.Helper()
	if err := fakegithub.Contract(); err != nil {
		unchecked.Do(func() { t.Logf("requests are not checked against GitHub's descriptions: %v", err) })
	}
	host := httptest.NewUnstartedServer(nil)
	gh := fakegithub.NewServer("http://" + host.Listener.Addr().String())
	gh.Violation = func(text string) { t.Errorf("GitHub: %s", text) }
	host.Config.Handler = gh
	host.Start()
	t.Cleanup(func() {
		host.Close() // waits for requests
		for _, rule := range gh.Unused() {
			t.Errorf("GitHub: scripted, but it did not happen: %s", rule)
		}
	})
	return gh
}
