package fakegithub

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// world is a fake with one pull request, and a client.
type world struct {
	*Server
	t     testing.TB
	repo  *Repo
	pr    *PullRequest
	token string
	root  string // of the API
}

const patch = "@@ -1,2 +1,3 @@\n one\n+two\n three\n@@ -10 +11,0 @@ class A\n-ten\n\\ No newline at end of file"

func newWorld(t testing.TB) *world {
	host := httptest.NewUnstartedServer(nil)
	s := NewServer("http://" + host.Listener.Addr().String())
	host.Config.Handler = s
	host.Start()
	t.Cleanup(host.Close)
	s.Token("t0ken", Actions(Documented))
	repo := s.Repo("octo/app")
	repo.Branch("main", SHA("base"))
	pr := repo.PullRequest(PR{
		Number: 7, Head: Ref{Ref: "topic", SHA: SHA("head")}, MergeSHA: SHA("merge"),
		Files: []File{{Path: "src/A.java", Patch: patch}, {Path: "logo.png", Status: "added"}},
	})
	return &world{Server: s, t: t, repo: repo, pr: pr, token: "t0ken", root: s.URL()}
}

// quiet fails the test if something was violated.
func (w *world) quiet() {
	w.t.Helper()
	for _, v := range w.Violations() {
		w.t.Errorf("violation: %s", v)
	}
}

type reply struct {
	status int
	header http.Header
	text   string
	json   any
}

func (w *world) do(method, path string, body any, header ...string) reply {
	w.t.Helper()
	var r io.Reader
	if text, ok := body.(string); ok {
		r = strings.NewReader(text)
	} else if body != nil {
		r = bytes.NewReader(encode(body))
	}
	req, err := http.NewRequest(method, w.root+path, r)
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Accept", "application/vnd.github+json")
	req.Header.Set("X-GitHub-Api-Version", apiVersion)
	req.Header.Set("Authorization", "Bearer "+w.token)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	resp, err := client.Do(req)
	if err != nil {
		return reply{text: err.Error()}
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	a := reply{status: resp.StatusCode, header: resp.Header, text: string(text)}
	_ = json.Unmarshal(text, &a.json) // not all is JSON
	return a
}

// get follows keys and indices into JSON; nil where there is nothing.
func (a reply) get(keys ...any) any {
	v := a.json
	for _, key := range keys {
		switch key := key.(type) {
		case string:
			o, _ := v.(object)
			v = o[key]
		case int:
			list, _ := v.([]any)
			if key >= len(list) {
				return nil
			}
			v = list[key]
		}
	}
	return v
}

// want checks status and one member.
func (w *world) want(a reply, status int, value any, keys ...any) {
	w.t.Helper()
	if a.status != status {
		w.t.Errorf("status %d, want %d: %.300s", a.status, status, a.text)
		return
	}
	if got := a.get(keys...); got != value {
		w.t.Errorf("%v is %v, want %v: %.300s", keys, got, value, a.text)
	}
}

func (w *world) query(text string, variables object) reply {
	w.t.Helper()
	return w.do("POST", "/graphql", object{"query": text, "variables": variables})
}

func pack(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

const file = `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"eventraces","version":"1.0","rules":[{"id":"R1"}]}},
	"automationDetails":{"id":"eventraces/app/"},"results":[{"ruleId":"R1","message":{"text":"m"},
	"locations":[{"physicalLocation":{"artifactLocation":{"uri":"src/A.java"}}}]}]}]}`

const repos = "/repos/octo/app"

// All calls, answered well: the description finds nothing wrong with requests
// or answers.
func TestCalls(t *testing.T) {
	for _, root := range []string{"cloud", "server"} {
		t.Run(root, func(t *testing.T) {
			w := newWorld(t)
			if root == "server" {
				w.root = w.EnterpriseURL()
			}
			w.repo.File("main", "dir/baseline.txt", "v1\n")
			w.repo.Compare(SHA("head"), SHA("merge"), File{Path: "src/A.java", Patch: patch})

			a := w.do("GET", repos+"/contents/dir/baseline.txt?ref=main", nil, "Accept", "application/vnd.github.raw+json")
			if a.status != 200 || a.text != "v1\n" {
				t.Errorf("raw file: %d %q", a.status, a.text)
			}
			a = w.do("GET", repos+"/contents/dir/baseline.txt?ref="+SHA("base"), nil)
			w.want(a, 200, base64.StdEncoding.EncodeToString([]byte("v1\n")), "content")
			w.want(w.do("GET", repos+"/contents/dir", nil), 200, "dir/baseline.txt", 0, "path")
			w.want(w.do("GET", repos+"/contents/no.txt", nil), 404, "Not Found", "message")
			w.want(w.do("GET", repos+"/contents/no.txt?ref=gone", nil), 404, "No commit found for the ref gone", "message")

			w.want(w.do("GET", repos+"/pulls/7", nil), 200, SHA("merge"), "merge_commit_sha")
			w.want(w.do("GET", repos+"/pulls/8", nil), 404, "Not Found", "message")
			w.want(w.do("GET", repos+"/pulls?head=octo:topic&state=open", nil), 200, 7.0, 0, "number")
			w.want(w.do("GET", repos+"/pulls?head=octo:other&state=open", nil), 200, nil, 0)
			w.want(w.do("GET", repos+"/pulls/7/files?per_page=100", nil), 200, patch, 0, "patch")
			a = w.do("GET", repos+"/compare/"+SHA("head")+"..."+SHA("merge")+"?per_page=100", nil)
			w.want(a, 200, "src/A.java", "files", 0, "filename")
			w.want(w.do("GET", repos+"/compare/main...topic", nil), 404, "Not Found", "message")
			w.want(w.do("GET", repos+"/compare/main...main", nil), 200, "identical", "status")

			a = w.do("POST", repos+"/issues/7/comments", object{"body": "Hello <&>"})
			w.want(a, 201, "Hello <&>", "body")
			w.want(a, 201, ActionsLogin, "user", "login")
			own := repos + "/issues/comments/" + jsonText(a.get("id"))
			w.want(w.do("PATCH", own, object{"body": "Again"}), 200, "Again", "body")
			if c := w.pr.Comments(); len(c) != 1 || c[0].Body != "Again" || c[0].Edits != 1 {
				t.Errorf("comments: %s", jsonText(c))
			}
			w.want(w.do("DELETE", own, nil), 204, nil)
			w.want(w.do("DELETE", own, nil), 404, "Not Found", "message")

			a = w.do("POST", repos+"/pulls/7/reviews", object{
				"commit_id": SHA("head"), "event": "COMMENT", "body": "All",
				"comments": []any{object{"path": "src/A.java", "line": 2, "side": "RIGHT", "body": "inline"}},
			})
			w.want(a, 200, "COMMENTED", "state")
			if th := w.pr.Threads(); len(th) != 1 || th[0].Line != 2 || th[0].Comments[0].Body != "inline" {
				t.Errorf("threads: %s", jsonText(th))
			}

			w.want(w.do("GET", repos+"/code-scanning/analyses?ref=main", nil), 404, "no analysis found", "message")
			w.repo.Processing(Processing{Pending: 1})
			a = w.do("POST", repos+"/code-scanning/sarifs", object{
				"commit_sha": SHA("merge"), "ref": "refs/pull/7/merge", "sarif": pack(file), "tool_name": "eventraces",
			})
			if a.status != 202 {
				t.Fatalf("upload: %d %s", a.status, a.text)
			}
			status := repos + "/code-scanning/sarifs/" + a.get("id").(string)
			w.want(w.do("GET", status, nil), 200, "pending", "processing_status")
			w.want(w.do("GET", status, nil), 200, "complete", "processing_status")
			a = w.do("GET", repos+"/code-scanning/analyses?ref=refs/pull/7/merge&tool_name=eventraces", nil)
			w.want(a, 200, "eventraces/app/", 0, "category")
			w.want(w.do("GET", repos+"/code-scanning/analyses?ref=main", nil), 200, nil, 0)
			w.want(w.do("GET", repos+"/code-scanning/analyses?tool_name=other", nil), 200, nil, 0)
			if got := w.repo.Analyses(); len(got) != 1 || string(got[0].SARIF) != file || got[0].Results != 1 {
				t.Errorf("analyses: %s", jsonText(got))
			}
			w.quiet()
		})
	}
}

func jsonText(v any) string { return string(encode(v)) }
