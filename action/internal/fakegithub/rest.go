package fakegithub

import (
	"crypto/sha1"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// operation is one call of the REST API, by its name in the description.
type operation struct {
	method, path string
	level        Access
	needs        []string // permissions, of which one is enough
	handle       func(*Server, *request) response
}

var operations = []operation{
	{"GET", "/user", Read, nil, (*Server).getUser},
	{"GET", "/repos/{owner}/{repo}/issues/{issue_number}/comments", Read, []string{"issues", "pull_requests"}, (*Server).listComments},
	{"GET", "/repos/{owner}/{repo}/pulls/{pull_number}/comments", Read, []string{"pull_requests"}, (*Server).listLineComments},
	{"GET", "/repos/{owner}/{repo}/contents/{path}", Read, []string{"contents"}, (*Server).getContents},
	{"GET", "/repos/{owner}/{repo}/compare/{basehead}", Read, []string{"contents"}, (*Server).compare},
	{"GET", "/repos/{owner}/{repo}/pulls", Read, []string{"pull_requests"}, (*Server).listPulls},
	{"GET", "/repos/{owner}/{repo}/pulls/{pull_number}", Read, []string{"pull_requests"}, (*Server).getPull},
	{"GET", "/repos/{owner}/{repo}/pulls/{pull_number}/files", Read, []string{"pull_requests"}, (*Server).listFiles},
	{"POST", "/repos/{owner}/{repo}/pulls/{pull_number}/reviews", Write, []string{"pull_requests"}, (*Server).createReview},
	{"POST", "/repos/{owner}/{repo}/issues/{issue_number}/comments", Write, []string{"issues", "pull_requests"}, (*Server).createComment},
	{"PATCH", "/repos/{owner}/{repo}/issues/comments/{comment_id}", Write, []string{"issues", "pull_requests"}, (*Server).editComment},
	{"DELETE", "/repos/{owner}/{repo}/issues/comments/{comment_id}", Write, []string{"issues", "pull_requests"}, (*Server).deleteComment},
	{"POST", "/repos/{owner}/{repo}/code-scanning/sarifs", Write, []string{"security_events"}, (*Server).uploadSARIF},
	{"GET", "/repos/{owner}/{repo}/code-scanning/sarifs/{sarif_id}", Read, []string{"security_events"}, (*Server).getSARIF},
	{"GET", "/repos/{owner}/{repo}/code-scanning/analyses", Read, []string{"security_events"}, (*Server).listAnalyses},
}

// find gives the operation for a decoded path, and what the path's parameters
// are. Only the path of a file has slashes in it.
func find(method, path string) (*operation, map[string]string) {
	got := strings.Split(path, "/")
	for i := range operations {
		op := &operations[i]
		want := strings.Split(op.path, "/")
		if op.method != method || len(got) < len(want) || len(got) > len(want) && !strings.HasSuffix(op.path, "{path}") {
			continue
		}
		params := map[string]string{}
		ok := true
		for j, w := range want {
			if !strings.HasPrefix(w, "{") {
				ok = ok && w == got[j]
				continue
			}
			value := got[j]
			if j == len(want)-1 {
				value = strings.Join(got[j:], "/")
			}
			ok = ok && value != ""
			params[strings.Trim(w, "{}")] = value
		}
		if ok {
			return op, params
		}
	}
	return nil, nil
}

// getUser is the person behind a token; an app is none.
func (s *Server) getUser(q *request) response {
	if strings.HasSuffix(q.token.Login, "[bot]") {
		return fail(http.StatusForbidden, "Resource not accessible by integration")
	}
	o := s.user(q.token.Login)
	for _, key := range []string{"public_repos", "public_gists", "followers", "following"} {
		o[key] = 0
	}
	for _, key := range []string{"name", "company", "blog", "location", "email", "hireable", "bio"} {
		o[key] = nil
	}
	o["user_view_type"], o["blog"], o["created_at"], o["updated_at"] = "public", "", instant(0), instant(0)
	return response{status: http.StatusOK, body: o}
}

func (s *Server) listComments(q *request) response {
	p, none := q.pullOf("issue_number")
	if p == nil {
		return none
	}
	some, header := page(q, s.base, p.comments)
	list := []object{}
	for _, c := range some {
		list = append(list, s.commentShape(p, c))
	}
	return response{status: http.StatusOK, header: header, body: list}
}

func (s *Server) listLineComments(q *request) response {
	p, none := q.pullOf("pull_number")
	if p == nil {
		return none
	}
	all := []object{}
	for _, t := range p.threads {
		for i, c := range t.Comments {
			all = append(all, s.lineCommentShape(p, t, c, i))
		}
	}
	some, header := page(q, s.base, all)
	return response{status: http.StatusOK, header: header, body: some}
}

// escape writes a path for an address.
func escape(path string) string { return (&url.URL{Path: path}).EscapedPath() }

func (s *Server) getContents(q *request) response {
	ref, path := q.Query.Get("ref"), q.params["path"]
	sha := q.repo.resolve(ref)
	if sha == "" {
		return fail(http.StatusNotFound, "No commit found for the ref "+ref)
	}
	files := q.repo.commits[sha]
	text, ok := files[path]
	if !ok {
		return s.folder(q, sha, strings.TrimSuffix(path, "/"))
	}
	if accept := q.http.Header.Get("Accept"); strings.Contains(accept, ".raw") {
		return response{
			status: http.StatusOK, body: []byte(text),
			header: http.Header{"Content-Type": {"application/vnd.github.raw+json; charset=utf-8"}},
		}
	}
	o := s.entry(q.repo, sha, path, "file", text)
	o["encoding"], o["content"] = "base64", base64.StdEncoding.EncodeToString([]byte(text))
	if len(text) > 1<<20 {
		o["encoding"], o["content"] = "none", ""
	}
	return response{status: http.StatusOK, body: o}
}

// folder lists what is directly in a folder; there is none without files.
func (s *Server) folder(q *request, sha, folder string) response {
	kinds := map[string]string{}
	for file := range q.repo.commits[sha] {
		if rest, ok := strings.CutPrefix(file, folder+"/"); ok {
			name, _, deeper := strings.Cut(rest, "/")
			kinds[name] = "file"
			if deeper {
				kinds[name] = "dir"
			}
		}
	}
	if len(kinds) == 0 {
		return fail(http.StatusNotFound, "Not Found")
	}
	var names []string
	for name := range kinds {
		names = append(names, name)
	}
	slices.Sort(names)
	var list []object
	for _, name := range names {
		path := folder + "/" + name
		list = append(list, s.entry(q.repo, sha, path, kinds[name], q.repo.commits[sha][path]))
	}
	return response{status: http.StatusOK, body: list}
}

func (s *Server) entry(r *Repo, sha, path, kind, text string) object {
	self := fmt.Sprintf("%s/repos/%s/contents/%s?ref=%s", s.base, r.name, escape(path), sha)
	blob := fmt.Sprintf("%x", sha1.Sum([]byte(fmt.Sprintf("blob %d\x00%s", len(text), text))))
	git := s.base + "/repos/" + r.name + "/git/blobs/" + blob
	html := fmt.Sprintf("%s/%s/blob/%s/%s", s.base, r.name, sha, escape(path))
	return object{
		"type": kind, "size": len(text), "name": path[strings.LastIndex(path, "/")+1:], "path": path, "sha": blob,
		"url": self, "git_url": git, "html_url": html, "download_url": html,
		"_links": object{"self": self, "git": git, "html": html},
	}
}

// maxCompared is how many files a comparison names, all on its first page.
const maxCompared = 300

func (s *Server) compare(q *request) response {
	base, head, ok := strings.Cut(q.params["basehead"], "...")
	if !ok {
		return fail(http.StatusNotFound, "Not Found")
	}
	from, to := q.repo.resolve(base), q.repo.resolve(head)
	files, known := q.repo.compares[from+"..."+to]
	if from == "" || to == "" || !known && from != to {
		return fail(http.StatusNotFound, "Not Found")
	}
	url := fmt.Sprintf("%s/%s/compare/%s...%s", s.base, q.repo.name, from, to)
	status, commits := "identical", []object{}
	if from != to {
		status, commits = "ahead", append(commits, s.commitShape(q.repo, to))
	}
	some, header := page(q, s.base, commits)
	o := object{
		"url": fmt.Sprintf("%s/repos/%s/compare/%s...%s", s.base, q.repo.name, from, to), "html_url": url, "permalink_url": url,
		"diff_url": url + ".diff", "patch_url": url + ".patch", "base_commit": s.commitShape(q.repo, from),
		"merge_base_commit": s.commitShape(q.repo, from), "status": status, "ahead_by": len(commits), "behind_by": 0,
		"total_commits": len(commits), "commits": some, "files": []object{},
	}
	if q.number("page", 1) == 1 {
		o["files"] = s.files(q.repo, to, files[:min(len(files), maxCompared)])
	}
	return response{status: http.StatusOK, header: header, body: o}
}

func (s *Server) listPulls(q *request) response {
	state := q.Query.Get("state")
	if state == "" {
		state = "open"
	}
	owner, branch, narrowed := strings.Cut(q.Query.Get("head"), ":")
	list := []object{}
	for _, p := range slices.Backward(q.repo.pulls) {
		headOwner, _, _ := strings.Cut(p.Head.Repo, "/")
		switch {
		case state != "all" && p.State != state:
		case narrowed && (!strings.EqualFold(headOwner, owner) || p.Head.Ref != branch): // without ":" GitHub takes no notice
		case q.Query.Get("base") != "" && p.Base.Ref != q.Query.Get("base"):
		default:
			list = append(list, s.simplePull(p))
		}
	}
	some, header := page(q, s.base, list)
	return response{status: http.StatusOK, header: header, body: some}
}

// pullOf gives the pull request that a path names, or the answer that there is
// none.
func (q *request) pullOf(name string) (*PullRequest, response) {
	n, err := strconv.Atoi(q.params[name])
	if err == nil {
		if p := q.repo.pull(n); p != nil {
			return p, response{}
		}
	}
	return nil, fail(http.StatusNotFound, "Not Found")
}

func (s *Server) getPull(q *request) response {
	p, none := q.pullOf("pull_number")
	if p == nil {
		return none
	}
	return response{status: http.StatusOK, body: s.fullPull(p)}
}

// maxFiles is how many files of a pull request can be listed.
const maxFiles = 3000

func (s *Server) listFiles(q *request) response {
	p, none := q.pullOf("pull_number")
	if p == nil {
		return none
	}
	some, header := page(q, s.base, p.Files[:min(len(p.Files), maxFiles)])
	return response{status: http.StatusOK, header: header, body: s.files(p.repo, p.Head.SHA, some)}
}

// maxText is how long a comment may be, in characters.
const maxText = 65536

const tooLong = "Body is too long (maximum is 65536 characters)"

// readBody gives the members of a request's body.
func readBody[T any](q *request) (T, *response) {
	var body T
	if err := json.Unmarshal([]byte(q.Body), &body); err != nil {
		a := fail(http.StatusBadRequest, "Problems parsing JSON")
		return body, &a
	}
	return body, nil
}

type commentBody struct {
	Body string `json:"body"`
}

// commentText reads the body of a comment, or says why GitHub will not have it.
func commentText(q *request) (string, *response) {
	c, bad := readBody[commentBody](q)
	if bad != nil {
		return "", bad
	}
	problem := object{"resource": "IssueComment", "field": "data"}
	switch {
	case strings.TrimSpace(c.Body) == "":
		problem["code"], problem["message"] = "unprocessable", "Body cannot be blank"
	case utf8.RuneCountInString(c.Body) > maxText:
		problem["code"], problem["message"] = "unprocessable", tooLong
	default:
		return c.Body, nil
	}
	a := fail(http.StatusUnprocessableEntity, "Validation Failed", problem)
	return "", &a
}

func (s *Server) createComment(q *request) response {
	p, none := q.pullOf("issue_number")
	if p == nil {
		return none
	}
	text, bad := commentText(q)
	if bad != nil {
		return *bad
	}
	c := s.newComment("IC", q.token.Login, text)
	p.comments = append(p.comments, c)
	o := s.commentShape(p, c)
	return response{status: http.StatusCreated, header: http.Header{"Location": {o["url"].(string)}}, body: o}
}

// commentOf finds the comment that a path names. That a client of ours touches
// somebody else's is wrong, even where GitHub lets it.
func (s *Server) commentOf(q *request) (*PullRequest, int) {
	id, _ := strconv.ParseInt(q.params["comment_id"], 10, 64)
	for _, p := range q.repo.pulls {
		for i, c := range p.comments {
			if c.ID != id {
				continue
			}
			if c.Author != q.token.Login {
				s.violate("%s %s: the comment is one of %s, not of %s", q.Method, q.Path, c.Author, q.token.Login)
			}
			return p, i
		}
	}
	return nil, 0
}

func (s *Server) editComment(q *request) response {
	p, i := s.commentOf(q)
	if p == nil {
		return fail(http.StatusNotFound, "Not Found")
	}
	text, bad := commentText(q)
	if bad != nil {
		return *bad
	}
	c := p.comments[i]
	c.Body = text
	c.Edits++
	return response{status: http.StatusOK, body: s.commentShape(p, c)}
}

func (s *Server) deleteComment(q *request) response {
	p, i := s.commentOf(q)
	if p == nil {
		return fail(http.StatusNotFound, "Not Found")
	}
	p.comments = slices.Delete(p.comments, i, i+1)
	return response{status: http.StatusNoContent}
}

type reviewBody struct {
	Commit   string `json:"commit_id"`
	Body     string `json:"body"`
	Event    string `json:"event"`
	Comments []struct {
		Path      string `json:"path"`
		Line      int    `json:"line"`
		Side      string `json:"side"`
		StartLine int    `json:"start_line"`
		StartSide string `json:"start_side"`
		Body      string `json:"body"`
	} `json:"comments"`
}

// createReview makes all comments of a review or none.
func (s *Server) createReview(q *request) response {
	p, none := q.pullOf("pull_number")
	if p == nil {
		return none
	}
	b, bad := readBody[reviewBody](q)
	if bad != nil {
		return *bad
	}
	var problems []any
	if b.Commit == "" {
		b.Commit = p.Head.SHA
	}
	if b.Commit != p.Head.SHA {
		problems = append(problems, "commit_id is not the head of the pull request")
	}
	if strings.TrimSpace(b.Body) == "" && len(b.Comments) == 0 {
		problems = append(problems, "Body can't be blank")
	}
	if utf8.RuneCountInString(b.Body) > maxText {
		problems = append(problems, tooLong)
	}
	for i := range b.Comments {
		c := &b.Comments[i]
		if c.Side == "" {
			c.Side = "RIGHT"
		}
		if c.StartSide == "" {
			c.StartSide = c.Side
		}
		if reason := p.refuse(c.Path, c.Line, c.Side); reason != "" {
			problems = append(problems, reason)
		}
		if c.StartLine != 0 && (c.StartLine >= c.Line || p.refuse(c.Path, c.StartLine, c.StartSide) != "") {
			problems = append(problems, "Start line must precede the end line.")
		}
		switch {
		case strings.TrimSpace(c.Body) == "":
			problems = append(problems, "Body can't be blank")
		case utf8.RuneCountInString(c.Body) > maxText:
			problems = append(problems, tooLong)
		}
	}
	if len(problems) > 0 {
		return fail(http.StatusUnprocessableEntity, "Unprocessable Entity", problems...)
	}
	states := map[string]string{"COMMENT": "COMMENTED", "APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED"}
	if b.Event == "" {
		s.violate("%s %s: a review without event is pending, nobody sees it", q.Method, q.Path)
	}
	r := &Review{ID: s.id(), Author: q.token.Login, State: states[b.Event], Body: b.Body, Commit: b.Commit}
	for _, c := range b.Comments {
		r.Threads = append(r.Threads, p.addThread(q.token.Login, c.Path, c.Line, c.Side, c.Body).copy())
	}
	p.reviews = append(p.reviews, r)
	return response{status: http.StatusOK, body: s.reviewShape(p, r)}
}
