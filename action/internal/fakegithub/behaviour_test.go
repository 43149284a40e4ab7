package fakegithub

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestPermissions(t *testing.T) {
	w := newWorld(t)
	w.Token("fork", Actions(ReadOnly))
	w.Token("nothing", Actions(Permissions{}))
	const refused = "Resource not accessible by integration"
	comment := object{"body": "b"}
	for _, c := range []struct {
		token, method, path string
		body                any
		status              int
		message             any
	}{
		{"t0ken", "GET", repos + "/pulls/7", nil, 200, nil},
		{"wrong", "GET", repos + "/pulls/7", nil, 401, "Bad credentials"},
		{"nothing", "GET", repos + "/pulls/7", nil, 403, refused},
		{"fork", "POST", repos + "/issues/7/comments", comment, 403, refused},
		{"fork", "POST", repos + "/code-scanning/sarifs", object{"commit_sha": SHA("head"), "ref": "refs/heads/main", "sarif": pack(file)}, 403, refused},
		{"fork", "GET", repos + "/code-scanning/sarifs/x", nil, 404, "Not Found"},
		{"t0ken", "GET", "/repos/octo/other/pulls/7", nil, 404, "Not Found"},
		{"t0ken", "POST", repos + "/issues/8/comments", comment, 404, "Not Found"},
	} {
		w.token = c.token
		a := w.do(c.method, c.path, c.body)
		w.want(a, c.status, c.message, "message")
		if c.status == 403 && a.header.Get("X-Accepted-GitHub-Permissions") == "" {
			t.Errorf("%s %s: no word of the permission that is missing", c.method, c.path)
		}
	}
	w.repo.Public()
	w.token = "nothing"
	w.want(w.do("GET", repos+"/pulls/7", nil), 200, 7.0, "number")
	w.want(w.do("GET", repos+"/code-scanning/analyses", nil), 403, refused, "message")
	w.token = "t0ken"
	for _, message := range []string{NoAdvancedSecurity, NoCodeSecurity} {
		w.repo.DisableScanning(message)
		w.want(w.do("POST", repos+"/code-scanning/sarifs", object{"commit_sha": SHA("head"), "ref": "refs/heads/main", "sarif": "x"}), 403, message, "message")
		w.want(w.do("GET", repos+"/code-scanning/analyses", nil), 403, message, "message")
	}
	if len(w.pr.Comments()) > 0 || w.repo.Uploads() > 0 {
		t.Error("something was done that was refused")
	}
	w.quiet()
}

// A review is made as a whole or not at all.
func TestReviewIsRefused(t *testing.T) {
	w := newWorld(t)
	at := func(path string, line int, side string) object {
		return object{"path": path, "line": line, "side": side, "body": "b"}
	}
	good := at("src/A.java", 2, "RIGHT")
	for _, c := range []struct {
		name    string
		commit  string
		comment object
		problem string // "": none
	}{
		{"added", "head", good, ""},
		{"context", "head", at("src/A.java", 1, "RIGHT"), ""},
		{"last of the hunk", "head", at("src/A.java", 3, "RIGHT"), ""},
		{"deleted", "head", at("src/A.java", 10, "LEFT"), ""},
		{"after the hunk", "head", at("src/A.java", 4, "RIGHT"), "Line could not be resolved"},
		{"deleted is not in the new text", "head", at("src/A.java", 11, "RIGHT"), "Line could not be resolved"},
		{"added is not in the old text", "head", at("src/A.java", 3, "LEFT"), "Line could not be resolved"},
		{"no line", "head", object{"path": "src/A.java", "body": "b"}, "Line could not be resolved"},
		{"binary", "head", at("logo.png", 1, "RIGHT"), "Line could not be resolved"},
		{"other file", "head", at("src/B.java", 1, "RIGHT"), "Path could not be resolved"},
		{"old commit", "old", good, "commit_id is not the head of the pull request"},
		{"empty", "head", object{"path": "src/A.java", "line": 2, "body": ""}, "Body can't be blank"},
		{"too long", "head", object{"path": "src/A.java", "line": 2, "body": strings.Repeat("\u00e4", maxText+1)}, tooLong},
		{"just fits", "head", object{"path": "src/A.java", "line": 2, "body": strings.Repeat("\u00e4", maxText)}, ""},
		{"start after end", "head", object{"path": "src/A.java", "line": 2, "start_line": 3, "body": "b"}, "Start line must precede the end line."},
	} {
		before, reviews := len(w.pr.Threads()), len(w.pr.Reviews())
		a := w.do("POST", repos+"/pulls/7/reviews", object{"commit_id": SHA(c.commit), "event": "COMMENT", "comments": []any{good, c.comment}})
		if c.problem == "" {
			w.want(a, 200, "COMMENTED", "state")
			continue
		}
		w.want(a, 422, c.problem, "errors", 0)
		w.want(a, 422, "Unprocessable Entity", "message")
		if len(w.pr.Threads()) != before || len(w.pr.Reviews()) != reviews {
			t.Errorf("%s: something was made", c.name)
		}
	}
	w.want(w.do("POST", repos+"/issues/7/comments", object{"body": strings.Repeat("x", maxText+1)}), 422, tooLong, "errors", 0, "message")
	w.want(w.do("POST", repos+"/issues/7/comments", object{"body": " "}), 422, "Validation Failed", "message")
	w.quiet()

	w.pr.Push(SHA("head2"), "", File{Path: "src/A.java", Patch: "@@ -1 +1 @@\n-a\n+b"})
	w.want(w.do("GET", repos+"/pulls/7", nil), 200, nil, "merge_commit_sha")
	for _, th := range w.pr.Threads() {
		if want := th.Line != 1; th.Outdated != want {
			t.Errorf("thread at %s %d: outdated %v, want %v", th.Side, th.Line, th.Outdated, want)
		}
	}
	w.do("POST", repos+"/pulls/7/reviews", object{"body": "nobody sees it"})
	if got := fmt.Sprint(w.Violations()); !strings.Contains(got, "pending") {
		t.Errorf("violations are %s", got)
	}
}

func TestUploadIsRefused(t *testing.T) {
	w := newWorld(t)
	upload := func(ref, commit, sarif string) reply {
		return w.do("POST", repos+"/code-scanning/sarifs", object{"ref": ref, "commit_sha": SHA(commit), "sarif": sarif})
	}
	const good = "refs/pull/7/merge"
	for _, c := range []struct {
		ref, commit, sarif string
		status             int
		message            string
	}{
		{"refs/heads/gone", "head", pack(file), 404, "ref 'refs/heads/gone' not found in this repository"},
		{"refs/pull/8/merge", "head", pack(file), 404, "ref 'refs/pull/8/merge' not found in this repository"},
		{good, "unknown", pack(file), 404, "commit not found"},
		{good, "merge", "no base64!", 400, "Invalid SARIF. The file is not valid base64."},
		{good, "merge", "aGVsbG8=", 400, "Invalid SARIF. The file is not valid gzip."},
		{good, "merge", pack(file)[:40], 400, "Invalid SARIF. The file is not valid gzip."},
		{good, "merge", pack(`{"runs":[]}`), 422, "Invalid SARIF. 1 item required; only 0 were supplied."},
		{good, "merge", strings.Repeat("AAAA", maxSARIF/3+1), 413, "SARIF upload is too large: the limit is 10 MB of gzip."},
	} {
		w.want(upload(c.ref, c.commit, c.sarif), c.status, c.message, "message")
	}
	if a := upload(good, "merge", pack("{")); a.status != 400 || !strings.Contains(a.text, "Invalid SARIF. JSON syntax error") {
		t.Errorf("no JSON: %d %s", a.status, a.text)
	}
	for text, problem := range map[string]string{
		strings.Replace(file, `"locations"`, `"places"`, 1):          "locationFromSarifResult: expected at least one location",
		strings.Replace(file, `"uri"`, `"url"`, 1):                   "locationFromSarifResult: expected artifact location",
		strings.Replace(file, `"text":"m"`, `"text":""`, 1):          "expected a message",
		strings.Replace(file, "2.1.0", "2.0.0", 1):                   `unsupported SARIF version "2.0.0"`,
		strings.Replace(file, `"runs":[`, `"runs":[`+run(file), 1):   "multiple SARIF runs with the same category",
		strings.Replace(file, `"name":"eventraces"`, `"name":""`, 1): "expected a tool name",
	} {
		a := upload(good, "merge", pack(text))
		id, _ := a.get("id").(string)
		a = w.do("GET", repos+"/code-scanning/sarifs/"+id, nil)
		w.want(a, 200, "failed", "processing_status")
		w.want(a, 200, problem, "errors", 0)
	}
	w.repo.Processing(Processing{Pending: 1, Errors: []string{"unsuccessful execution"}})
	a := upload(good, "merge", pack(file))
	id, _ := a.get("id").(string)
	w.want(w.do("GET", repos+"/code-scanning/sarifs/"+id, nil), 200, "pending", "processing_status")
	w.want(w.do("GET", repos+"/code-scanning/sarifs/"+id, nil), 200, "unsuccessful execution", "errors", 0)
	if n := len(w.repo.Analyses()); n > 0 {
		t.Errorf("%d analyses of files that were not taken", n)
	}
	w.quiet()
}

// run is the run in file, with a comma.
func run(file string) string {
	text := file[strings.Index(file, `"runs":[`)+len(`"runs":[`):]
	return text[:strings.LastIndex(text, "]")] + ","
}

func TestPages(t *testing.T) {
	w := newWorld(t)
	var files []File
	for i := range 65 {
		files = append(files, File{Path: fmt.Sprintf("f%02d", i)})
	}
	w.pr.Push(SHA("big"), SHA("merge"), files...)
	path := repos + "/pulls/7/files"
	var names []string
	pages := 0
	for path != "" {
		a := w.do("GET", path, nil)
		for _, f := range a.json.([]any) {
			names = append(names, f.(object)["filename"].(string))
		}
		pages++
		path = ""
		for _, link := range strings.Split(a.header.Get("Link"), ", ") {
			if to, ok := strings.CutSuffix(link, `>; rel="next"`); ok {
				path = strings.TrimPrefix(to, "<"+w.URL())
			}
		}
	}
	if pages != 3 || len(names) != 65 || !slices.IsSorted(names) {
		t.Errorf("%d pages, %d names: %v", pages, len(names), names)
	}
	if a := w.do("GET", repos+"/pulls/7/files?per_page=1000", nil); len(a.json.([]any)) != 65 || a.header.Get("Link") != "" {
		t.Errorf("one page: %d, Link %q", len(a.json.([]any)), a.header.Get("Link"))
	}
	w.quiet()
}

const conversation = `query($after: String, $threads: String) {
  viewer { login }
  repository(owner: "octo", name: "app") { pullRequest(number: 7) {
    comments(first: 2, after: $after) { ...page totalCount nodes { ...said } }
    reviewThreads(first: 100, after: $threads) { nodes { id isResolved isOutdated comments(first: 50) { totalCount nodes { ...said } } } }
  } }
}
fragment page on IssueCommentConnection { pageInfo { hasNextPage endCursor } }
fragment said on Comment { __typename id body viewerDidAuthor author { login } ... on Minimizable { isMinimized } ... on IssueComment { databaseId } }`

func TestConversation(t *testing.T) {
	w := newWorld(t)
	w.pr.AddComment("octocat", "first")
	w.pr.AddComment(ActionsLogin, "ours")
	last := w.pr.AddComment("someone-else[bot]", "third")
	th := w.pr.AddThread(ActionsLogin, "src/A.java", 2, "inline")
	w.pr.Reply(th.NodeID, "octocat", "why?")

	a := w.query(conversation, nil)
	pull := []any{"data", "repository", "pullRequest"}
	in := func(keys ...any) []any { return append(slices.Clone(pull), keys...) }
	w.want(a, 200, nil, "errors")
	w.want(a, 200, 3.0, in("comments", "totalCount")...)
	w.want(a, 200, false, in("comments", "nodes", 0, "viewerDidAuthor")...)
	w.want(a, 200, true, in("comments", "nodes", 1, "viewerDidAuthor")...)
	w.want(a, 200, "github-actions", in("comments", "nodes", 1, "author", "login")...)
	w.want(a, 200, "IssueComment", in("comments", "nodes", 1, "__typename")...)
	w.want(a, 200, true, in("comments", "pageInfo", "hasNextPage")...)
	w.want(a, 200, 2.0, in("reviewThreads", "nodes", 0, "comments", "totalCount")...)
	w.want(a, 200, "why?", in("reviewThreads", "nodes", 0, "comments", "nodes", 1, "body")...)
	w.want(a, 200, nil, in("reviewThreads", "nodes", 0, "comments", "nodes", 1, "databaseId")...)

	a = w.query(conversation, object{"after": a.get(in("comments", "pageInfo", "endCursor")...)})
	w.want(a, 200, float64(last.ID), in("comments", "nodes", 0, "databaseId")...)
	w.want(a, 200, false, in("comments", "pageInfo", "hasNextPage")...)
	w.want(w.query(conversation, object{"after": "junk"}), 200, "INVALID_CURSOR_ARGUMENTS", "errors", 0, "type")

	a = w.query(`query($no: Boolean = false) { viewer { login @include(if: $no) } me: viewer { login @skip(if: true) __typename } }`, nil)
	w.want(a, 200, nil, "data", "viewer", "login")
	w.want(a, 200, nil, "data", "me", "login")
	w.want(a, 200, "Bot", "data", "me", "__typename")

	const unbounded = `{ repository(owner: "octo", name: "app") { pullRequest(number: 7) { comments%s { totalCount } } } }`
	w.want(w.query(fmt.Sprintf(unbounded, ""), nil), 200, "MISSING_PAGINATION_BOUNDARIES", "errors", 0, "type")
	w.want(w.query(fmt.Sprintf(unbounded, "(first: 101)"), nil), 200, "EXCESSIVE_PAGINATION", "errors", 0, "type")
	w.want(w.query(`{ repository(owner: "octo", name: "app") { pullRequest(number: 9) { id } } }`, nil), 200, "NOT_FOUND", "errors", 0, "type")
	w.want(w.query(`{ repository(owner: "octo", name: "gone") { id } }`, nil), 200, "NOT_FOUND", "errors", 0, "type")
	w.Token("contents", Actions(Permissions{Contents: Read}))
	w.token = "contents"
	w.want(w.query(conversation, nil), 200, "FORBIDDEN", "errors", 0, "type")
	w.quiet()
}

func TestMutations(t *testing.T) {
	w := newWorld(t)
	one, two := w.pr.AddComment(ActionsLogin, "one"), w.pr.AddComment(ActionsLogin, "two")
	th := w.pr.AddThread(ActionsLogin, "src/A.java", 2, "inline")
	const several = `mutation($a: ID!, $in: MinimizeCommentInput!, $t: ID!) {
		a: minimizeComment(input: {subjectId: $a, classifier: OUTDATED}) { minimizedComment { isMinimized minimizedReason } }
		b: minimizeComment(input: $in) { minimizedComment { isMinimized } }
		c: resolveReviewThread(input: {threadId: $t, clientMutationId: "m"}) { clientMutationId thread { isResolved } }
	}`
	vars := object{"a": one.NodeID, "in": object{"subjectId": two.NodeID, "classifier": "RESOLVED"}, "t": th.NodeID}
	a := w.query(several, vars)
	w.want(a, 200, "outdated", "data", "a", "minimizedComment", "minimizedReason")
	w.want(a, 200, true, "data", "b", "minimizedComment", "isMinimized")
	w.want(a, 200, true, "data", "c", "thread", "isResolved")
	w.want(a, 200, "m", "data", "c", "clientMutationId")
	if got := w.pr.Comments(); !got[0].Minimized || got[0].MinimizeReason != "OUTDATED" || !got[1].Minimized || !w.pr.Threads()[0].Resolved {
		t.Errorf("comments %s, threads %s", jsonText(got), jsonText(w.pr.Threads()))
	}
	a = w.query(`mutation($a: ID!, $t: ID!) {
		unminimizeComment(input: {subjectId: $a}) { unminimizedComment { isMinimized } }
		unresolveReviewThread(input: {threadId: $t}) { thread { id } }
	}`, object{"a": one.NodeID, "t": th.NodeID})
	w.want(a, 200, false, "data", "unminimizeComment", "unminimizedComment", "isMinimized")
	if got := w.pr.Comments()[0]; got.Minimized || w.pr.Threads()[0].Resolved {
		t.Errorf("still minimized or resolved: %s", jsonText(got))
	}

	// One that fails leaves the others be.
	w.Forbid("resolveReviewThread")
	vars["a"] = "IC_1"
	a = w.query(several, vars)
	w.want(a, 200, "NOT_FOUND", "errors", 0, "type")
	w.want(a, 200, "a", "errors", 0, "path", 0)
	w.want(a, 200, "FORBIDDEN", "errors", 1, "type")
	w.want(a, 200, nil, "data", "c")
	w.want(a, 200, true, "data", "b", "minimizedComment", "isMinimized")
	w.quiet()

	w.Token("fork", Actions(ReadOnly))
	w.token = "fork"
	w.want(w.query(several, vars), 200, "FORBIDDEN", "errors", 1, "type")
}

// Nobody of ours may touch what others wrote, whatever GitHub lets them.
func TestOthersCommentsAreLeftAlone(t *testing.T) {
	w := newWorld(t)
	c := w.pr.AddComment("octocat", "mine")
	th := w.pr.AddThread("octocat", "src/A.java", 2, "mine")
	path := fmt.Sprintf("%s/issues/comments/%d", repos, c.ID)
	for i, do := range []func(){
		func() { w.do("PATCH", path, object{"body": "b"}) },
		func() {
			w.query(`mutation($id: ID!) { minimizeComment(input: {subjectId: $id, classifier: SPAM}) { clientMutationId } }`, object{"id": c.NodeID})
		},
		func() {
			w.query(`mutation($id: ID!) { resolveReviewThread(input: {threadId: $id}) { clientMutationId } }`, object{"id": th.NodeID})
		},
		func() { w.do("DELETE", path, nil) },
	} {
		do()
		got := w.Violations()
		if len(got) != i+1 || !strings.Contains(got[i], "octocat") {
			t.Errorf("%d: violations are %q", i, got)
		}
	}
}

func TestHeaders(t *testing.T) {
	for _, c := range []struct{ name, value, violation string }{
		{"User-Agent", "", "no User-Agent header"},
		{"Accept", "", "no Accept header"},
		{"X-GitHub-Api-Version", "", "no X-Github-Api-Version header"},
		{"X-GitHub-Api-Version", "2020-01-01", "X-GitHub-Api-Version is 2020-01-01"},
		{"Authorization", "", "no Authorization header"},
	} {
		w := newWorld(t)
		w.do("GET", repos+"/pulls/7", nil, c.name, c.value)
		if got := fmt.Sprint(w.Violations()); !strings.Contains(got, c.violation) {
			t.Errorf("%s %q: violations are %s", c.name, c.value, got)
		}
	}
}

func TestRules(t *testing.T) {
	w := newWorld(t)
	comments := repos + "/issues/7/comments"
	post := func() reply { return w.do("POST", comments, object{"body": "b"}) }
	there := func(n int) {
		t.Helper()
		if got := len(w.pr.Comments()); got != n {
			t.Errorf("%d comments, want %d", got, n)
		}
	}
	w.On("POST", comments).FailAfterWork()
	w.On("POST", comments).SecondaryLimit(3)
	w.On("POST", comments).SecondaryLimit(-1)
	w.On("POST", comments).TooMany(4)
	w.On("POST", comments).PrimaryLimit(time.Unix(1234, 0))
	w.On("POST", comments).Drop()
	w.On("POST", comments).DropAfterWork()
	w.On("POST", comments).Answer(500, `{"message":"x"}`, "X-Test", "1").Skip(1)
	w.want(post(), 502, nil, "message")
	there(1)
	a := post()
	if a.status != 403 || a.header.Get("Retry-After") != "3" || !strings.Contains(a.text, "secondary rate limit") {
		t.Errorf("secondary limit: %d %v %s", a.status, a.header, a.text)
	}
	if a = post(); a.status != 403 || a.header.Get("Retry-After") != "" {
		t.Errorf("secondary limit without time: %d %v", a.status, a.header)
	}
	if a = post(); a.status != 429 || a.header.Get("Retry-After") != "4" {
		t.Errorf("too many: %d %v", a.status, a.header)
	}
	if a = post(); a.status != 403 || a.header.Get("X-RateLimit-Remaining") != "0" || a.header.Get("X-RateLimit-Reset") != "1234" {
		t.Errorf("primary limit: %d %v", a.status, a.header)
	}
	there(1)
	if a = post(); a.status != 0 {
		t.Errorf("drop: %d", a.status)
	}
	there(1)
	if a = post(); a.status != 0 {
		t.Errorf("drop after work: %d", a.status)
	}
	there(2)
	if unused := w.Unused(); len(unused) != 1 || unused[0] != "POST "+comments+": 0 of 2 requests came" {
		t.Errorf("unused: %q", unused)
	}
	w.want(post(), 201, "b", "body") // skipped
	a = post()
	w.want(a, 500, "x", "message")
	if a.header.Get("X-Test") != "1" {
		t.Errorf("header: %v", a.header)
	}
	w.want(post(), 201, "b", "body")
	there(4)
	if unused := w.Unused(); len(unused) > 0 {
		t.Errorf("unused: %q", unused)
	}

	var statuses []int
	for _, c := range w.Calls() {
		statuses = append(statuses, c.Status)
	}
	if want := []int{502, 403, 403, 429, 403, 0, 0, 201, 500, 201}; !slices.Equal(statuses, want) {
		t.Errorf("statuses are %v, want %v", statuses, want)
	}
	c := w.Calls()[0]
	if c.Method != "POST" || c.Path != comments || c.Body != `{"body":"b"}` || !c.Authorized || c.Header.Get("Authorization") != "" || !c.Write() {
		t.Errorf("call: %+v", c)
	}
	if n := w.Count("POST", "/repos/*/*/issues/**"); n != 10 {
		t.Errorf("%d calls", n)
	}
	w.quiet()
}

// What others do between two calls of ours.
func TestHooks(t *testing.T) {
	w := newWorld(t)
	comments := repos + "/issues/7/comments"
	w.On("POST", comments).Before(func() { w.pr.AddComment(ActionsLogin, "the other run's") }).
		After(func() { w.pr.Push(SHA("forced"), "") })
	w.On("POST", comments).FailAfterWork()
	w.want(w.do("POST", comments, object{"body": "ours"}), 502, nil)
	got := w.pr.Comments()
	if len(got) != 2 || got[0].Body != "the other run's" || got[1].Body != "ours" {
		t.Errorf("comments: %s", jsonText(got))
	}
	w.want(w.do("GET", repos+"/pulls/7", nil), 200, SHA("forced"), "head", "sha")

	w.On("GET", repos+"/pulls/7").Delay(30 * time.Millisecond)
	began := time.Now()
	w.want(w.do("GET", repos+"/pulls/7", nil), 200, 7.0, "number")
	if d := time.Since(began); d < 30*time.Millisecond {
		t.Errorf("the answer took %v", d)
	}

	elsewhere := httptest.NewServer(http.NotFoundHandler())
	defer elsewhere.Close()
	w.On("GET", repos+"/pulls/7").Redirect(301, elsewhere.URL+"/x")
	a := w.do("GET", repos+"/pulls/7", nil)
	if a.status != 301 || a.header.Get("Location") != elsewhere.URL+"/x" {
		t.Errorf("redirect: %d %v", a.status, a.header)
	}

	w.On("POST", "/graphql").Containing("minimizeComment").Fail(502, "Bad Gateway").Always()
	w.want(w.query(`{ viewer { login } }`, nil), 200, "github-actions", "data", "viewer", "login")
	w.want(w.query(`mutation { minimizeComment(input: {subjectId: "a", classifier: SPAM}) { clientMutationId } }`, nil), 502, "Bad Gateway", "message")
	w.quiet()
}

func TestWritesAreTimed(t *testing.T) {
	w := newWorld(t)
	now := time.Unix(0, 0)
	w.TimeWrites(func() time.Time { return now }, time.Second)
	post := func() { w.do("POST", repos+"/issues/7/comments", object{"body": "b"}) }
	post()
	w.do("GET", repos+"/pulls/7", nil)
	w.query(`{ viewer { login } }`, nil)
	now = now.Add(time.Second)
	post()
	w.quiet()
	now = now.Add(999 * time.Millisecond)
	w.query(`mutation { minimizeComment(input: {subjectId: "a", classifier: SPAM}) { clientMutationId } }`, nil)
	if got := w.Violations(); len(got) != 1 || !strings.Contains(got[0], "only 999ms after") {
		t.Errorf("violations are %q", got)
	}
}

func TestStateIsKept(t *testing.T) {
	w := newWorld(t)
	w.repo.File("main", "b.txt", "x")
	w.do("POST", repos+"/issues/7/comments", object{"body": "b"})
	w.do("POST", repos+"/pulls/7/reviews", object{"event": "COMMENT", "comments": []any{object{"path": "src/A.java", "line": 2, "body": "i"}}})
	w.do("POST", repos+"/code-scanning/sarifs", object{"commit_sha": SHA("merge"), "ref": "refs/pull/7/merge", "sarif": pack(file)})
	want := jsonText(w.State())
	other := NewServer(w.URL())
	if err := other.Load(w.State()); err != nil {
		t.Fatal(err)
	}
	if got := jsonText(other.State()); got != want {
		t.Errorf("state is\n%s\nwant\n%s", got, want)
	}
	for _, part := range []string{`"body":"b"`, `"body":"i"`, `"category":"eventraces/app/"`, `"b.txt":"x"`} {
		if !strings.Contains(want, part) {
			t.Errorf("the state lacks %s: %s", part, want)
		}
	}
	w.quiet()
	for _, c := range []struct {
		state State
		want  string
	}{
		{State{Repos: []RepoState{{Name: "app"}}}, `"app"`},
		{State{Repos: []RepoState{{Name: "o/a", DefaultBranch: "main"}}}, "default_branch"},
		{State{Repos: []RepoState{{Name: "o/a", Pulls: []PullState{{PR: PR{Number: 7}}}}}}, "pull request 7"},
		{State{Repos: []RepoState{{Name: "o/a", Compares: map[string][]File{"a..b": nil}}}}, "BASE...HEAD"},
		{State{Repos: []RepoState{{Name: "o/a", Pulls: []PullState{{PR: PR{Number: 7, Head: Ref{SHA: "a"}}, Threads: []*Thread{{Path: "f"}}}}}}}, "thread at f:0"},
	} {
		if err := NewServer("").Load(c.state); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error is %v, want one with %s", err, c.want)
		}
	}
}

// Ids grow, whatever was loaded.
func TestLoadedIDs(t *testing.T) {
	const high = 5000
	for _, pull := range []PullState{
		{Comments: []*Comment{{ID: high}, {ID: 7}}},
		{Threads: []*Thread{{Comments: []*Comment{{ID: high}}}}},
		{Reviews: []*Review{{ID: high}}},
	} {
		pull.PR = PR{Number: 7, Head: Ref{SHA: SHA("head")}}
		s := NewServer("")
		if err := s.Load(State{Repos: []RepoState{{Name: "o/a", Pulls: []PullState{pull}}}}); err != nil {
			t.Fatal(err)
		}
		p := s.repos["o/a"].pulls[0]
		p.AddComment("octocat", "new")
		var ids []int64
		for _, c := range p.Comments() {
			ids = append(ids, c.ID)
		}
		if !slices.IsSorted(ids) || ids[len(ids)-1] <= high {
			t.Errorf("ids are %v, want the last above %d", ids, high)
		}
	}
	s := NewServer("")
	if err := s.Load(State{Repos: []RepoState{{Name: "o/a", Analyses: []*Analysis{{ID: high}}}}}); err != nil {
		t.Fatal(err)
	}
	if c := s.Repo("o/a").PullRequest(PR{Number: 1}).AddComment("octocat", "new"); c.ID <= high {
		t.Errorf("id is %d", c.ID)
	}
}
