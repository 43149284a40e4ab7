package github

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// answers is a server that gives one answer after another, the last for ever.
type answers struct {
	mu   sync.Mutex
	list []answer
	seen []string // method, and whether there was a token
}

type answer struct {
	status int
	body   string
	header map[string]string
	drop   bool
}

func (a *answers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	next := a.take(fmt.Sprintf("%s %v", r.Method, r.Header.Get("Authorization") == "Bearer t0ken"))
	if next.drop {
		panic(http.ErrAbortHandler)
	}
	for k, v := range next.header {
		w.Header().Set(k, v)
	}
	w.WriteHeader(next.status)
	fmt.Fprint(w, next.body)
}

func (a *answers) take(seen string) answer {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.seen = append(a.seen, seen)
	next := a.list[0]
	if len(a.list) > 1 {
		a.list = a.list[1:]
	}
	return next
}

// asked is what was seen until now.
func (a *answers) asked() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.seen)
}

func client(t *testing.T, list ...answer) (*Client, *answers, *time.Duration) {
	t.Helper()
	a := &answers{list: list}
	server := httptest.NewServer(a)
	t.Cleanup(server.Close)
	slept := new(time.Duration)
	c, err := New(Config{
		API: server.URL, GraphQL: server.URL + "/graphql", Repo: "octo/app", Token: "t0ken", Agent: "test/1",
		Sleep: func(_ context.Context, d time.Duration) error { *slept += d; return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return c, a, slept
}

// What an answer means, and how often a request is sent for it.
func TestAnswers(t *testing.T) {
	ok := answer{status: 200, body: `{"id": 1}`}
	bad := func(status int, message string, header ...string) answer {
		a := answer{status: status, body: fmt.Sprintf(`{"message": %q}`, message), header: map[string]string{}}
		for i := 0; i < len(header); i += 2 {
			a.header[header[i]] = header[i+1]
		}
		return a
	}
	drop := answer{drop: true}
	create := func(c *Client) error { _, err := c.CreateComment(t.Context(), 7, "x"); return err }
	update := func(c *Client) error { return c.UpdateComment(t.Context(), 7, "x") }
	read := func(c *Client) error { _, err := c.Pull(t.Context(), 7); return err }
	talk := func(c *Client) error { _, err := c.discussed(t.Context(), 7); return err }
	for name, c := range map[string]struct {
		do      func(*Client) error
		answers []answer
		kind    Kind // -1: no error
		sent    int
		slept   time.Duration // the second between writes included
	}{
		"read, twice 502":              {read, []answer{bad(502, ""), bad(502, ""), ok}, -1, 3, 3 * time.Second},
		"read, always 502":             {read, []answer{bad(502, "")}, Outage, 4, 7 * time.Second},
		"read, broken":                 {read, []answer{drop, ok}, -1, 2, time.Second},
		"update, 503":                  {update, []answer{bad(503, ""), ok}, -1, 2, 2 * time.Second},
		"create, 502":                  {create, []answer{bad(502, ""), ok}, Unsure, 1, 0},
		"create, broken":               {create, []answer{drop, ok}, Unsure, 1, 0},
		"create, 429":                  {create, []answer{bad(429, "", "Retry-After", "9"), ok}, -1, 2, 10 * time.Second},
		"create, 429 for ever":         {create, []answer{bad(429, "slow down", "Retry-After", "9")}, Limited, 4, 30 * time.Second},
		"create, secondary":            {create, []answer{bad(403, "You have exceeded a secondary rate limit."), ok}, -1, 2, 61 * time.Second},
		"create, a long limit":         {create, []answer{bad(403, "", "Retry-After", "61"), ok}, Limited, 1, 0},
		"create, no right":             {create, []answer{bad(403, "Resource not accessible by integration")}, Forbidden, 1, 0},
		"create, a bad token":          {create, []answer{bad(401, "Bad credentials")}, Forbidden, 1, 0},
		"create, invalid":              {create, []answer{bad(422, "Validation Failed")}, Invalid, 1, 0},
		"read, diff":                   {read, []answer{bad(422, "Sorry, this diff is taking too long to generate.")}, TooLarge, 1, 0},
		"read, not acceptable":         {read, []answer{bad(406, "too_large")}, TooLarge, 1, 0},
		"read, gone":                   {read, []answer{bad(410, "Gone")}, NotFound, 1, 0},
		"read, scanning":               {read, []answer{bad(403, "Code Security must be enabled for this repository to use code scanning.")}, NotEnabled, 1, 0},
		"read, page of a proxy":        {read, []answer{{status: 200, body: "<html>"}}, Outage, 1, 0},
		"query, 502":                   {talk, []answer{bad(502, ""), {status: 200, body: `{"errors":[{"type":"FORBIDDEN","message":"no"}]}`}}, Forbidden, 2, time.Second},
		"query, limit":                 {talk, []answer{{status: 200, body: `{"errors":[{"type":"RATE_LIMITED","message":"no"}]}`}}, Limited, 1, 0},
		"query, two errors of a kind":  {talk, []answer{{status: 200, body: `{"errors":[{"type":"X","message":"no"},{"type":"Y","message":"no"}]}`}}, Other, 1, 0},
		"query, no such pull request":  {talk, []answer{{status: 200, body: `{"data":{"repository":{"pullRequest":null}}}`}}, NotFound, 1, 0},
		"query, an answer of no sense": {talk, []answer{{status: 200, body: `{"data":{"repository":3}}`}}, Other, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			client, server, slept := client(t, c.answers...)
			err := c.do(client)
			switch {
			case c.kind == -1 && err != nil:
				t.Errorf("it fails: %v", err)
			case c.kind != -1 && !Is(err, c.kind):
				t.Errorf("the error is %v, want kind %d", err, c.kind)
			}
			if err != nil && (strings.Contains(err.Error(), "t0ken") || strings.Contains(err.Error(), "\n")) {
				t.Errorf("the error is %v", err)
			}
			if len(server.asked()) != c.sent || slept.Round(time.Second) != c.slept {
				t.Errorf("%d requests and %v of pauses, want %d and %v", len(server.asked()), *slept, c.sent, c.slept)
			}
			for _, seen := range server.asked() {
				if !strings.HasSuffix(seen, "true") {
					t.Errorf("%s: no token", seen)
				}
			}
		})
	}
}

// The last request of the hour is no reason to refuse the next one before GitHub
// does.
func TestLastRequestOfTheHour(t *testing.T) {
	last := map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": fmt.Sprint(time.Now().Add(20 * time.Second).Unix())}
	c, server, slept := client(t, answer{status: 200, body: "{}", header: last}, answer{status: 403, body: "{}", header: last}, answer{status: 200, body: "{}"})
	for range 2 {
		if _, err := c.Pull(t.Context(), 7); err != nil {
			t.Error(err)
		}
	}
	if len(server.asked()) != 3 || *slept < 15*time.Second || *slept > 25*time.Second {
		t.Errorf("%d requests, %v of pauses", len(server.asked()), *slept)
	}
}

// All waits together are bounded, whatever limits say.
func TestWaitsAreBounded(t *testing.T) {
	c, _, slept := client(t, answer{status: 429, header: map[string]string{"Retry-After": "50"}})
	for range 10 {
		c.UpdateComment(t.Context(), 7, "x")
	}
	if *slept > allWaits+20*time.Second { // and the pauses between writes
		t.Errorf("waited %v", *slept)
	}
}

func TestBadAddresses(t *testing.T) {
	for _, c := range []struct{ api, graphQL, repo, want string }{
		{"api.github.com", "https://x/graphql", "a/b", `GITHUB_API_URL is "api.github.com", want a URL`},
		{"https://x", "ftp://x", "a/b", `GITHUB_GRAPHQL_URL is "ftp://x", want a URL`},
		{"https://x", "https://x", "a", `GITHUB_REPOSITORY is "a", want owner/name`},
	} {
		if _, err := New(Config{API: c.api, GraphQL: c.graphQL, Repo: c.repo}); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
