package fakegithub

import (
	"strings"
	"testing"

	"github.com/eventraces/eventraces/internal/fetch"
)

// described skips the test where the descriptions cannot be fetched; what was
// fetched must be readable.
func described(t *testing.T) {
	t.Helper()
	for name, sum := range openAPISums {
		path, err := openAPI.File(t.Context(), "package/generated/"+name+".json", sum)
		fetch.Required(t, path, err)
	}
	path, err := graphQL.File(t.Context(), "package/schema.graphql", graphQLSum)
	fetch.Required(t, path, err)
	if err := Contract(); err != nil {
		t.Fatal(err)
	}
	if _, err := server(); err != nil {
		t.Fatal(err)
	}
}

// The only test that needs the descriptions.
func TestContract(t *testing.T) {
	described(t)
	t.Run("REST", testREST)
	t.Run("GraphQL", testGraphQL)
	t.Run("answers", testAnswersAreChecked)
}

// Requests that GitHub's descriptions do not allow are found, each for what is
// wrong with it.
func testREST(t *testing.T) {
	comment := object{"path": "src/A.java", "line": 2, "side": "RIGHT", "body": "inline"}
	with := func(o object, key string, value any) object {
		c := object{}
		for k, v := range o {
			c[k] = v
		}
		c[key] = value
		if value == nil {
			delete(c, key)
		}
		return c
	}
	upload := object{"commit_sha": SHA("merge"), "ref": "refs/pull/7/merge", "sarif": pack(file)}
	for _, c := range []struct {
		name, method, path string
		body               any
		violation          string // "": none
	}{
		{"upload", "POST", "/code-scanning/sarifs", upload, ""},
		{"no commit", "POST", "/code-scanning/sarifs", with(upload, "commit_sha", nil), "commit_sha"},
		{"short commit", "POST", "/code-scanning/sarifs", with(upload, "commit_sha", "abc"), "commit_sha"},
		{"no ref", "POST", "/code-scanning/sarifs", with(upload, "ref", nil), "ref"},
		{"branch for ref", "POST", "/code-scanning/sarifs", with(upload, "ref", "main"), "ref"},
		{"not declared", "POST", "/code-scanning/sarifs", with(upload, "category", "app"), "category"},
		{"bad time", "POST", "/code-scanning/sarifs", with(upload, "started_at", "today"), "started_at"},
		{"review", "POST", "/pulls/7/reviews", object{"event": "COMMENT", "comments": []any{comment}}, ""},
		{"line as string", "POST", "/pulls/7/reviews", object{"event": "COMMENT", "comments": []any{with(comment, "line", "2")}}, "line"},
		{"no path", "POST", "/pulls/7/reviews", object{"event": "COMMENT", "comments": []any{with(comment, "path", nil)}}, "path"},
		{"misspelt member", "POST", "/pulls/7/reviews", object{"event": "COMMENT", "comments": []any{with(comment, "lines", 2)}}, "body.comments[0].lines"},
		{"unknown event", "POST", "/pulls/7/reviews", object{"event": "NOTE", "body": "b"}, "event"},
		{"comment", "POST", "/issues/7/comments", object{"body": "b"}, ""},
		{"comment is a number", "POST", "/issues/7/comments", object{"body": 3}, "body"},
		{"no body", "POST", "/issues/7/comments", object{}, "body"},
		{"number is a name", "GET", "/pulls/seven", nil, "pull_number"},
		{"state", "GET", "/pulls?state=all", nil, ""},
		{"unknown state", "GET", "/pulls?state=opened", nil, "state"},
		{"page is a word", "GET", "/pulls/7/files?page=two", nil, "page"},
		{"unknown parameter", "GET", "/pulls/7/files?size=100", nil, `"size"`},
		{"unknown call", "GET", "/pulls/7/commits", nil, "not among the calls"},
		{"body of a GET", "GET", "/pulls/7", object{"a": 1}, "there is a body"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			for _, root := range []string{w.URL(), w.EnterpriseURL()} {
				w.root = root
				before := len(w.Violations())
				w.do(c.method, repos+c.path, c.body)
				got := strings.Join(w.Violations()[before:], "\n")
				if c.violation == "" && got != "" || !strings.Contains(got, c.violation) || got == "" && c.violation != "" {
					t.Errorf("violations are %q, want %q", got, c.violation)
				}
			}
		})
	}
}

func testGraphQL(t *testing.T) {
	const inPull = `query($n: Int!) { repository(owner: "octo", name: "app") { pullRequest(number: $n) { %s } } }`
	for _, c := range []struct {
		name, query string
		variables   object
		violation   string // "": none
	}{
		{"good", strings.Replace(inPull, "%s", "number headRefOid", 1), object{"n": 7}, ""},
		{"unknown field", strings.Replace(inPull, "%s", "headSha", 1), object{"n": 7}, `"headSha"`},
		{"fake's gap", strings.Replace(inPull, "%s", "title", 1), object{"n": 7}, "PullRequest.title"},
		{"fake's gap in arguments", strings.Replace(inPull, "%s", "comments(last: 1) { totalCount }", 1), object{"n": 7}, "argument last of PullRequest.comments"},
		{"number as text", strings.Replace(inPull, "%s", "number", 1), object{"n": "7"}, "Int"},
		{"no variable", strings.Replace(inPull, "%s", "number", 1), nil, "must be defined"},
		{"selection of a scalar", strings.Replace(inPull, "%s", "number { x }", 1), object{"n": 7}, "number"},
		{"no selection", strings.Replace(inPull, "%s", "comments(first: 1)", 1), object{"n": 7}, "comments"},
		{"unknown enum value", `mutation { minimizeComment(input: {subjectId: "IC_1", classifier: OLD}) { clientMutationId } }`, nil, "OLD"},
		{"no classifier", `mutation { minimizeComment(input: {subjectId: "IC_1"}) { clientMutationId } }`, nil, "classifier"},
		{"two of a name", `{ a: viewer { login } a: repository(owner: "o", name: "n") { id } }`, nil, `"a"`},
		{"bad syntax", `query {`, nil, "Expected"},
		{"nothing", ``, nil, "A query attribute"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			a := w.query(c.query, c.variables)
			got := strings.Join(w.Violations(), "\n")
			if c.violation == "" && got != "" || !strings.Contains(got, c.violation) || got == "" && c.violation != "" {
				t.Errorf("violations are %q, want %q", got, c.violation)
			}
			if bad := a.get("errors") != nil; bad != (c.violation != "") {
				t.Errorf("answer: %s", a.text)
			}
		})
	}
}

// The fake's own answers are checked too.
func testAnswersAreChecked(t *testing.T) {
	w := newWorld(t)
	w.pr.State = "merged"
	w.do("GET", repos+"/pulls/7", nil)
	if got := strings.Join(w.Violations(), "\n"); !strings.Contains(got, "the fake's own answer: /state") {
		t.Errorf("violations are %q", got)
	}
}
