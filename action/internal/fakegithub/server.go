package fakegithub

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Server is the fake; it is an http.Handler. All methods may be called at any
// time, from hooks too.
type Server struct {
	// Violation is told, beside the list that Violations gives, of everything a
	// client must not do. It is set before the first request, and must not call
	// the server.
	Violation func(text string)

	// Answered is told of every request when its answer is sent; the same.
	Answered func(Call)

	mu         sync.Mutex
	base       string // of our own addresses, without a slash at the end
	repos      map[string]*Repo
	tokens     map[string]Token
	rules      []*Rule
	forbidden  map[string]bool // mutations
	calls      []Call
	violations []string
	lastID     int64
	clock      func() time.Time // of the client; nil unless writes are timed
	gap        time.Duration
	lastWrite  time.Time
}

// NewServer gives a GitHub without repositories and tokens that will be reached
// at base, as http://127.0.0.1:8080.
func NewServer(base string) *Server {
	return &Server{
		base:      strings.TrimSuffix(base, "/"),
		repos:     map[string]*Repo{},
		tokens:    map[string]Token{},
		forbidden: map[string]bool{},
		lastID:    1000,
	}
}

// URL is the root of the REST API, GITHUB_API_URL.
func (s *Server) URL() string { return s.base }

// GraphQLURL is GITHUB_GRAPHQL_URL.
func (s *Server) GraphQLURL() string { return s.base + "/graphql" }

// EnterpriseURL is the root of the REST API as an Enterprise Server has it;
// requests below it are checked against the description of that one.
func (s *Server) EnterpriseURL() string { return s.base + enterprise }

// EnterpriseGraphQLURL belongs to EnterpriseURL.
func (s *Server) EnterpriseGraphQLURL() string { return s.base + "/api/graphql" }

const enterprise = "/api/v3"

// Call is one request as it arrived, and the status it was answered with: 0 if
// the connection was dropped.
type Call struct {
	Method     string
	Path       string // decoded, below the root of the API
	Query      url.Values
	Header     http.Header // without the token
	Authorized bool        // there was an Authorization header
	Body       string
	Status     int
}

// Write says whether the request was to change something.
func (c Call) Write() bool {
	if c.Path == "/graphql" {
		return isMutation(c.Body)
	}
	return c.Method != http.MethodGet && c.Method != http.MethodHead
}

// Calls gives all requests so far, in the order in which they arrived.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Call(nil), s.calls...)
}

// Count is how many requests matched method and pattern, which are as in On.
func (s *Server) Count(method, pattern string) int {
	n := 0
	for _, c := range s.Calls() {
		if matches(method, pattern, c) {
			n++
		}
	}
	return n
}

// Violations are all things that a client must not do, so far.
func (s *Server) Violations() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.violations...)
}

// violate is called with the lock held.
func (s *Server) violate(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	s.violations = append(s.violations, text)
	if s.Violation != nil {
		s.Violation(text)
	}
}

// TimeWrites asks for a pause between writes, by the client's clock.
func (s *Server) TimeWrites(clock func() time.Time, pause time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock, s.gap = clock, pause
}

// request is one call on its way through the fake.
type request struct {
	Call
	http       *http.Request
	enterprise bool
	op         *operation        // nil for GraphQL
	params     map[string]string // of the path
	token      Token
	repo       *Repo
}

// response is what a handler answers: body is sent as JSON, or as it is if it is
// []byte.
type response struct {
	status int
	header http.Header
	body   any
	wait   time.Duration
	drop   bool // the connection
}

// maxBody is how much of a request is read, in bytes.
const maxBody = 64 << 20

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return // the client went away
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	q := &request{http: r}
	path := r.URL.Path
	if rest, ok := strings.CutPrefix(path, enterprise+"/"); ok {
		q.enterprise, path = true, "/"+rest
	} else if path == "/api/graphql" {
		q.enterprise, path = true, "/graphql"
	}
	header := r.Header.Clone()
	header.Del("Authorization")
	q.Call = Call{
		Method: r.Method, Path: path, Query: r.URL.Query(), Header: header,
		Authorized: r.Header.Get("Authorization") != "", Body: string(body),
	}

	s.mu.Lock()
	n := len(s.calls)
	s.calls = append(s.calls, q.Call)
	s.timeWrite(q)
	script := s.script(q.Call)
	s.mu.Unlock()

	a := s.play(q, script)
	s.mu.Lock()
	if !a.drop {
		s.calls[n].Status = a.status
	}
	if s.Answered != nil {
		s.Answered(s.calls[n])
	}
	s.mu.Unlock()
	if a.wait > 0 {
		select {
		case <-time.After(a.wait):
		case <-r.Context().Done():
		}
	}
	if a.drop {
		panic(http.ErrAbortHandler) // the server's way to cut the connection
	}
	send(w, a, n)
}

// play does the work, or what the script has instead.
func (s *Server) play(q *request, script []*Rule) response {
	for _, r := range script {
		if r.before != nil {
			r.before()
		}
	}
	var last *Rule // all but the last have hooks only
	if len(script) > 0 {
		last = script[len(script)-1]
	}
	var a response
	if last == nil || last.answer == nil || last.work {
		a = s.safely(q)
	}
	if last != nil && last.answer != nil {
		a = last.answer(s)
	}
	if last != nil {
		a.wait = last.wait
	}
	for _, r := range script {
		if r.after != nil {
			r.after()
		}
	}
	return a
}

// safely works with the lock held, and makes a fault of the fake one that tests
// see.
func (s *Server) safely(q *request) (a response) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() {
		if fault := recover(); fault != nil {
			s.violate("%s %s: a fault of the fake: %v", q.Method, q.Path, fault)
			a = fail(http.StatusInternalServerError, "Server Error")
		}
	}()
	return s.work(q)
}

// timeWrite is called with the lock held.
func (s *Server) timeWrite(q *request) {
	if s.clock == nil || !q.Write() {
		return
	}
	now := s.clock()
	if !s.lastWrite.IsZero() && now.Sub(s.lastWrite) < s.gap {
		s.violate("%s %s: only %v after the write before it, want %v", q.Method, q.Path, now.Sub(s.lastWrite), s.gap)
	}
	s.lastWrite = now
}

// rateLimit is how many requests a token of Actions has per hour.
const rateLimit = 1000

func send(w http.ResponseWriter, a response, n int) {
	h := w.Header()
	h.Set("X-GitHub-Request-Id", fmt.Sprintf("FAKE:%04X", n))
	h.Set("X-RateLimit-Limit", strconv.Itoa(rateLimit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(max(1, rateLimit-1-n)))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(epoch.Add(time.Hour).Unix(), 10))
	h.Set("X-RateLimit-Resource", "core")
	h.Set("X-GitHub-Media-Type", "github.v3; format=json")
	for key, values := range a.header {
		h[http.CanonicalHeaderKey(key)] = values
	}
	raw, ok := a.body.([]byte)
	if !ok && a.body != nil {
		raw = encode(a.body)
		if h.Get("Content-Type") == "" {
			h.Set("Content-Type", "application/json; charset=utf-8")
		}
	}
	w.WriteHeader(a.status)
	w.Write(raw)
}

// encode writes JSON as GitHub does, without the escapes for HTML.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return []byte(`{"message":"the fake cannot encode its answer"}`)
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// fail is an error of the REST API.
func fail(status int, message string, errors ...any) response {
	body := object{
		"message": message, "status": strconv.Itoa(status),
		"documentation_url": "https://docs.github.com/rest",
	}
	if len(errors) > 0 {
		body["errors"] = errors
	}
	return response{status: status, body: body}
}

type object = map[string]any

// work answers a request by the book. It is called with the lock held.
func (s *Server) work(q *request) response {
	if q.http.Header.Get("User-Agent") == "" {
		s.violate("%s %s: no User-Agent header", q.Method, q.Path)
		return response{status: http.StatusForbidden, body: []byte("Request forbidden by administrative rules. Please make sure your request has a User-Agent header.\n")}
	}
	token, known := s.authorize(q.http.Header.Get("Authorization"))
	switch {
	case !q.Authorized:
		s.violate("%s %s: no Authorization header", q.Method, q.Path)
		return fail(http.StatusUnauthorized, "Requires authentication")
	case !known:
		return fail(http.StatusUnauthorized, "Bad credentials")
	}
	q.token = token
	if q.Path == "/graphql" {
		return s.graphQL(q)
	}
	q.op, q.params = find(q.Method, q.Path)
	if q.op == nil {
		s.violate("%s %s: not among the calls that the fake knows", q.Method, q.Path)
		return fail(http.StatusNotFound, "Not Found")
	}
	for _, name := range []string{"Accept", "X-Github-Api-Version"} {
		if q.http.Header.Get(name) == "" {
			s.violate("%s %s: no %s header; the descriptions hold for one version", q.Method, q.Path, name)
		}
	}
	if v := q.http.Header.Get("X-Github-Api-Version"); v != "" && v != apiVersion {
		s.violate("%s %s: X-GitHub-Api-Version is %s, want %s", q.Method, q.Path, v, apiVersion)
	}
	if err := checkRequest(q); err != nil {
		s.violate("%s %s: %v", q.Method, q.Path, err)
	}
	a := s.serve(q)
	if err := checkResponse(q, a); err != nil {
		s.violate("%s %s: the fake's own answer: %v", q.Method, q.Path, err)
	}
	return a
}

// apiVersion is the version of the REST API that the fake speaks.
const apiVersion = "2022-11-28"

func (s *Server) authorize(header string) (Token, bool) {
	scheme, value, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") && !strings.EqualFold(scheme, "token") {
		return Token{}, false
	}
	t, ok := s.tokens[value]
	return t, ok
}

// serve checks repository and permissions, then calls the handler.
func (s *Server) serve(q *request) response {
	if q.op.needs == nil {
		return q.op.handle(s, q) // of no repository
	}
	q.repo = s.repos[strings.ToLower(q.params["owner"]+"/"+q.params["repo"])]
	if q.repo == nil {
		return fail(http.StatusNotFound, "Not Found")
	}
	if !q.may(q.op) {
		a := fail(http.StatusForbidden, "Resource not accessible by integration")
		var needs []string
		for _, p := range q.op.needs {
			needs = append(needs, p+"="+string(q.op.level))
		}
		a.header = http.Header{"X-Accepted-Github-Permissions": {strings.Join(needs, "; ")}}
		return a
	}
	return q.op.handle(s, q)
}

// may says whether the token has one of the permissions. Everybody may read what
// is public, but for alerts.
func (q *request) may(op *operation) bool {
	if op.level == Read && !q.repo.private && op.needs[0] != "security_events" {
		return true
	}
	for _, p := range op.needs {
		if q.token.Permissions.of(p).allows(op.level) {
			return true
		}
	}
	return false
}

// page cuts the part of a list that the request asks for and gives the Link
// header for the rest.
func page[T any](q *request, base string, all []T) ([]T, http.Header) {
	size, number := q.number("per_page", 30), q.number("page", 1)
	size = min(max(size, 1), 100)
	number = max(number, 1)
	last := max(1, (len(all)+size-1)/size)
	link := func(rel string, n int) string {
		query := url.Values{}
		for k, v := range q.Query {
			query[k] = v
		}
		query.Set("page", strconv.Itoa(n))
		return fmt.Sprintf("<%s%s?%s>; rel=%q", base, q.http.URL.EscapedPath(), query.Encode(), rel)
	}
	var links []string
	if number > 1 {
		links = append(links, link("prev", min(number-1, last)))
	}
	if number < last {
		links = append(links, link("next", number+1), link("last", last))
	}
	if number > 1 {
		links = append(links, link("first", 1))
	}
	header := http.Header{}
	if len(links) > 0 {
		header.Set("Link", strings.Join(links, ", "))
	}
	from := min((number-1)*size, len(all))
	return all[from:min(from+size, len(all))], header
}

func (q *request) number(name string, otherwise int) int {
	n, err := strconv.Atoi(q.Query.Get(name))
	if err != nil {
		return otherwise
	}
	return n
}
