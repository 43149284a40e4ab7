package github

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	attempts  = 4
	pause     = time.Second     // before the first repetition; it doubles
	between   = time.Second     // writes; GitHub asks for it
	longWait  = time.Minute     // for one limit to pass
	allWaits  = 3 * time.Minute // of a client together
	timeout   = time.Minute
	largest   = 128 << 20 // bytes of an answer
	secondary = 60 * time.Second
)

// transport signs requests, spaces writes out, waits for limits and repeats what
// may be repeated. It is safe for use by several goroutines; it lets one request
// through at a time, as GitHub asks.
type transport struct {
	next   http.RoundTripper
	hosts  []string // that get the token
	token  string
	log    func(format string, args ...any)
	sleep  func(context.Context, time.Duration) error
	now    func() time.Time
	mu     sync.Mutex
	waited time.Duration
	wrote  time.Time
}

func newTransport(c Config, hosts ...string) *transport {
	t := &transport{next: http.DefaultTransport, hosts: hosts, token: c.Token, log: c.Log, sleep: c.Sleep, now: time.Now}
	if t.sleep == nil {
		t.sleep = sleep
	}
	if t.log == nil {
		t.log = func(string, ...any) {}
	}
	return t
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// refusal is a limit that would take too long to pass.
type refusal struct {
	status int
	why    string
}

func (r *refusal) Error() string { return r.why }

// writes: the request changes something. All of GraphQL is sent by POST; its
// queries are marked.
func writes(req *http.Request) bool {
	return req.Method != http.MethodGet && req.Header.Get(readsOnly) == ""
}

// creates: to send the request twice is not the same as to send it once.
func creates(req *http.Request) bool { return req.Method == http.MethodPost && writes(req) }

// readsOnly marks a query of GraphQL; it is not sent.
const readsOnly = "X-Eventraces-Reads"

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for n := 1; ; n++ {
		resp, err := t.once(req)
		wait, again := t.verdict(resp, err, creates(req), n)
		if !again || req.Context().Err() != nil {
			if err == nil && resp.StatusCode < 300 {
				resp.Header.Del("X-RateLimit-Reset") // go-github would refuse the next request by itself
			}
			return resp, err
		}
		status := 0
		if resp != nil {
			status = resp.StatusCode
			io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20))
			resp.Body.Close()
		}
		if wait > longWait || t.waited+wait > allWaits {
			return nil, &refusal{status, fmt.Sprintf("GitHub's rate limit asks to wait %s, which is too long", wait.Round(time.Second))}
		}
		t.log("%s %s: %s; trying again in %s", req.Method, req.URL.Path, told(resp, err), wait.Round(time.Second))
		t.waited += wait
		if err := t.sleep(req.Context(), wait); err != nil {
			return nil, err
		}
	}
}

func told(resp *http.Response, err error) string {
	if err != nil {
		return oneLine(err.Error())
	}
	return resp.Status
}

// once sends the request, whatever was sent before.
func (t *transport) once(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(req.Context(), timeout)
	defer cancel()
	out := req.Clone(ctx)
	out.Header.Del(readsOnly)
	out.Header.Del("Authorization")
	for _, host := range t.hosts {
		if req.URL.Host == host {
			out.Header.Set("Authorization", "Bearer "+t.token)
		}
	}
	if req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return nil, err
		}
		out.Body = body
	}
	if writes(req) {
		if d := between - t.now().Sub(t.wrote); !t.wrote.IsZero() && d > 0 {
			if err := t.sleep(ctx, d); err != nil {
				return nil, err
			}
		}
		defer func() { t.wrote = t.now() }()
	}
	resp, err := t.next.RoundTrip(out)
	if err != nil {
		return nil, err
	}
	// All of the answer is read here, as the timeout covers it.
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, largest))
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// verdict says whether to send a request again after the n-th time, and when.
func (t *transport) verdict(resp *http.Response, err error, creates bool, n int) (wait time.Duration, again bool) {
	backoff := pause << (n - 1)
	switch {
	case n >= attempts:
		return 0, false
	case err != nil:
		return backoff, !creates
	case resp.StatusCode >= 500:
		return backoff, !creates
	case resp.StatusCode == http.StatusTooManyRequests, resp.StatusCode == http.StatusForbidden && limited(resp):
		return t.limit(resp, n), true // refused, so nothing was written
	}
	return 0, false
}

// limited tells a limit from a token that may not do something.
func limited(resp *http.Response) bool {
	if resp.Header.Get("Retry-After") != "" || resp.Header.Get("X-RateLimit-Remaining") == "0" {
		return true
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body = io.NopCloser(bytes.NewReader(body))
	text := strings.ToLower(string(body))
	return err == nil && (strings.Contains(text, "secondary rate limit") || strings.Contains(text, "abuse detection"))
}

// limit is how long to wait for a limit to pass: as long as it says; else until
// the hour's requests are renewed; else a minute.
func (t *transport) limit(resp *http.Response, n int) time.Duration {
	if s, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && s >= 0 {
		return time.Duration(min(s, math.MaxInt32)) * time.Second
	}
	if resp.Header.Get("X-RateLimit-Remaining") == "0" {
		if at, err := strconv.ParseInt(resp.Header.Get("X-RateLimit-Reset"), 10, 64); err == nil {
			return max(time.Unix(at, 0).Sub(t.now()), 0) + time.Second
		}
	}
	return secondary << (n - 1)
}
