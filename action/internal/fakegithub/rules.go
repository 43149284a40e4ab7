package fakegithub

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Rule is what is to happen at requests that match. It holds for the next such
// request only, unless Times, Always or Skip say otherwise. Rules are tried in the
// order in which they were made, and one that has happened often enough is
// passed over, so two rules for one path are two answers in turn. Rules with
// nothing but hooks let those behind them happen too.
type Rule struct {
	s               *Server
	method, pattern string
	containing      string
	skip, times     int // times < 0: always
	used            int
	before, after   func()
	wait            time.Duration
	work            bool // is done before answer is given
	answer          func(*Server) response
}

// On makes a rule. In the pattern a path segment * stands for any one, and a last
// segment ** for all that follow; "POST /graphql" are all queries and mutations.
func (s *Server) On(method, pattern string) *Rule {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &Rule{s: s, method: method, pattern: pattern, times: 1}
	s.rules = append(s.rules, r)
	return r
}

// change lets a rule be made up while requests come in.
func (r *Rule) change(f func()) *Rule {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	f()
	return r
}

// Containing restricts a rule to requests with text in the body, as a mutation's
// name.
func (r *Rule) Containing(text string) *Rule { return r.change(func() { r.containing = text }) }

// Times lets the rule hold for n requests.
func (r *Rule) Times(n int) *Rule { return r.change(func() { r.times = n }) }

// Always lets the rule hold for ever.
func (r *Rule) Always() *Rule { return r.Times(-1) }

// Skip lets the first n matching requests pass.
func (r *Rule) Skip(n int) *Rule { return r.change(func() { r.skip = n }) }

// Before calls f before the request is looked at, for what other actors do.
func (r *Rule) Before(f func()) *Rule { return r.change(func() { r.before = f }) }

// After calls f when the work is done and before the client hears of it.
func (r *Rule) After(f func()) *Rule { return r.change(func() { r.after = f }) }

// Delay holds the answer back.
func (r *Rule) Delay(d time.Duration) *Rule { return r.change(func() { r.wait = d }) }

func (r *Rule) instead(work bool, answer func(*Server) response) *Rule {
	return r.change(func() { r.work, r.answer = work, answer })
}

// Answer gives this answer and does nothing. A body is written as JSON, but a
// string or []byte as it is; header has names and values in turn.
func (r *Rule) Answer(status int, body any, header ...string) *Rule {
	a := response{status: status, body: body, header: http.Header{}}
	if text, ok := body.(string); ok {
		a.body = []byte(text)
		a.header.Set("Content-Type", "application/json; charset=utf-8")
	}
	for i := 0; i+1 < len(header); i += 2 {
		a.header.Set(header[i], header[i+1])
	}
	return r.instead(false, func(*Server) response { return a })
}

// Fail answers with an error in GitHub's form.
func (r *Rule) Fail(status int, message string, errors ...any) *Rule {
	a := fail(status, message, errors...)
	return r.instead(false, func(*Server) response { return a })
}

// FailAfterWork does the work and then answers 502, as a proxy whose patience
// ends.
func (r *Rule) FailAfterWork() *Rule {
	return r.instead(true, func(*Server) response { return badGateway() })
}

func badGateway() response {
	return response{
		status: http.StatusBadGateway, header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
		body: []byte("<html><head><title>502 Bad Gateway</title></head><body>Unicorn!</body></html>\n"),
	}
}

// Drop cuts the connection before anything was done. A client in Go tries
// requests other than POST and PATCH a second time by itself if the connection
// was not new.
func (r *Rule) Drop() *Rule {
	return r.instead(false, func(*Server) response { return response{drop: true} })
}

// DropAfterWork cuts the connection when the work is done.
func (r *Rule) DropAfterWork() *Rule {
	return r.instead(true, func(*Server) response { return response{drop: true} })
}

// SecondaryLimit answers 403 as for too many requests at once; with no
// Retry-After if seconds is negative.
func (r *Rule) SecondaryLimit(seconds int) *Rule {
	a := fail(http.StatusForbidden, "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.")
	a.body.(object)["documentation_url"] = "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits"
	a.header = http.Header{}
	if seconds >= 0 {
		a.header.Set("Retry-After", strconv.Itoa(seconds))
	}
	return r.instead(false, func(*Server) response { return a })
}

// TooMany answers 429 with Retry-After.
func (r *Rule) TooMany(seconds int) *Rule {
	a := fail(http.StatusTooManyRequests, "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.")
	a.header = http.Header{"Retry-After": {strconv.Itoa(seconds)}}
	return r.instead(false, func(*Server) response { return a })
}

// PrimaryLimit answers 403 as for a token with no requests left until reset.
func (r *Rule) PrimaryLimit(reset time.Time) *Rule {
	a := fail(http.StatusForbidden, "API rate limit exceeded for installation.")
	a.body.(object)["documentation_url"] = "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api"
	a.header = http.Header{
		"X-Ratelimit-Remaining": {"0"},
		"X-Ratelimit-Reset":     {strconv.FormatInt(reset.Unix(), 10)},
	}
	return r.instead(false, func(*Server) response { return a })
}

// Redirect answers with a new place, which may be on another host.
func (r *Rule) Redirect(status int, to string) *Rule {
	return r.instead(false, func(*Server) response {
		return response{status: status, header: http.Header{"Location": {to}}, body: object{
			"message": "Moved Permanently", "url": to, "documentation_url": "https://docs.github.com/rest",
		}}
	})
}

// Unused are the rules that were to happen and did not; those of Always may.
func (s *Server) Unused() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []string
	for _, r := range s.rules {
		if r.times > 0 && r.used < r.skip+r.times {
			list = append(list, fmt.Sprintf("%s %s: %d of %d requests came", r.method, r.pattern, r.used, r.skip+r.times))
		}
	}
	return list
}

// script picks the rules for a call, and counts it for them. At most the last of
// them does more than call hooks. It is called with the lock held.
func (s *Server) script(c Call) []*Rule {
	var picked []*Rule
	for _, r := range s.rules {
		if !matches(r.method, r.pattern, c) || !strings.Contains(c.Body, r.containing) {
			continue
		}
		if r.times >= 0 && r.used >= r.skip+r.times {
			continue
		}
		r.used++
		if r.used <= r.skip {
			continue
		}
		now := *r // a rule may be changed while it is followed
		picked = append(picked, &now)
		if r.answer != nil || r.wait > 0 {
			break
		}
	}
	return picked
}

func matches(method, pattern string, c Call) bool {
	if method != c.Method {
		return false
	}
	want, got := strings.Split(pattern, "/"), strings.Split(c.Path, "/")
	for i, w := range want {
		if w == "**" && i == len(want)-1 {
			return len(got) > i
		}
		if i >= len(got) || w != "*" && w != got[i] {
			return false
		}
	}
	return len(want) == len(got)
}
