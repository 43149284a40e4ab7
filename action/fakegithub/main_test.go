package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/eventraces/eventraces/action/internal/fakegithub"
)

// log is a buffer for two goroutines.
type log struct {
	sync.Mutex
	bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.Lock()
	defer l.Unlock()
	return l.Buffer.Write(p)
}

func (l *log) text() string {
	l.Lock()
	defer l.Unlock()
	return l.Buffer.String()
}

// start gives the root of a served fake, and what ends it.
func start(t *testing.T, stdout, stderr *log) (root string, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, []string{"-addr", "127.0.0.1:0", "-state", filepath.Join("testdata", "state.json")}, stdout, stderr)
	}()
	stop = func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	address := regexp.MustCompile(`GITHUB_API_URL=(\S+)`)
	for range 1000 {
		if m := address.FindStringSubmatch(stderr.text()); m != nil {
			return m[1], stop
		}
		time.Sleep(10 * time.Millisecond)
	}
	stop()
	t.Fatalf("no address: %s", stderr.text())
	return "", nil
}

func TestServes(t *testing.T) {
	var stdout, stderr log
	root, stop := start(t, &stdout, &stderr)
	post := func(body string) int {
		req, err := http.NewRequest("POST", root+"/repos/octo/app/issues/7/comments", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept", "application/vnd.github+json")
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("X-GitHub-Api-Version", "2022-11-28")
		req.Header.Set("Authorization", "Bearer t0ken")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	if got := post(`{"body":"hello"}`); got != 201 {
		t.Errorf("status %d", got)
	}
	post(`{`)
	resp, err := http.Get(root + "/_state")
	if err != nil {
		t.Fatal(err)
	}
	now, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	stop()
	if got := stdout.text(); got != string(now) {
		t.Errorf("at the end the state is\n%s\nbut /_state was\n%s", got, now)
	}
	var state fakegithub.State
	if err := json.Unmarshal(now, &state); err != nil {
		t.Fatal(err)
	}
	comments := state.Repos[0].Pulls[0].Comments
	if len(comments) != 2 || comments[0].Author != "octocat" || comments[1].Body != "hello" || comments[1].Author != "github-actions[bot]" {
		t.Errorf("comments: %s", now)
	}
	for _, line := range []string{"201 POST /repos/octo/app/issues/7/comments (16 bytes)\n", "400 POST /repos/octo/app/issues/7/comments (1 bytes)\n"} {
		if !strings.Contains(stderr.text(), line) {
			t.Errorf("the log lacks %q:\n%s", line, stderr.text())
		}
	}
}

func TestBadArguments(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"extra"}, `"extra"`},
		{[]string{"-addr", "nowhere"}, "-addr: "},
		{[]string{"-addr", "127.0.0.1:0", "-state", "gone.json"}, "-state: open gone.json"},
		{[]string{"-addr", "127.0.0.1:0", "-state", "main.go"}, "-state: main.go: invalid"},
	} {
		err := run(t.Context(), c.args, io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error is %v, want one with %s", c.args, err, c.want)
		}
	}
}
