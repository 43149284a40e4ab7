// Package github asks GitHub what the Action must know and tells it what the
// Action has found: files, pull requests, comments, reviews, uploads to code
// scanning. It is the only user of go-github and works around what that lacks:
// the token stays with its host whatever a redirect says, limits are waited for
// within bounds, what a failed upload says is read, and comments are hidden
// through GraphQL.
//
// Requests that only read are tried again when GitHub or the network fails. A
// write is tried again only if GitHub has refused it; one whose fate is not known
// gives an Unsure error, and the caller looks before it writes again. Writes go
// one at a time, a second apart. All waits of a client together are bounded.
package github

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/go-github/v60/github"
)

// Config says where GitHub is and who asks.
type Config struct {
	API     string // https://api.github.com, or that of a GitHub Enterprise Server
	GraphQL string
	Repo    string // owner/name
	Token   string
	Agent   string // name and version of the program
	Log     func(format string, args ...any)
	Sleep   func(context.Context, time.Duration) error // nil: really
}

// Client asks for one repository.
type Client struct {
	rest        *github.Client
	transport   *transport
	graphQL     string
	owner, repo string
	me          string // who writes with the token; "" until it was asked for
	restOnly    bool   // GraphQL was of no help
}

// New is a client; it asks nothing yet.
func New(c Config) (*Client, error) {
	api, err := baseURL("GITHUB_API_URL", c.API)
	if err != nil {
		return nil, err
	}
	graphQL, err := baseURL("GITHUB_GRAPHQL_URL", c.GraphQL)
	if err != nil {
		return nil, err
	}
	owner, repo, ok := strings.Cut(c.Repo, "/")
	if !ok {
		return nil, fmt.Errorf("GITHUB_REPOSITORY is %q, want owner/name", c.Repo)
	}
	t := newTransport(c, api.Host, graphQL.Host)
	rest := github.NewClient(&http.Client{Transport: t, CheckRedirect: sameHost})
	api.Path = strings.TrimSuffix(api.Path, "/") + "/"
	rest.BaseURL, rest.UserAgent = api, c.Agent
	return &Client{rest: rest, transport: t, graphQL: graphQL.String(), owner: owner, repo: repo}, nil
}

func baseURL(variable, text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, fmt.Errorf("%s is %q, want a URL", variable, text)
	}
	return u, nil
}

// sameHost refuses redirects that leave the host: the token must not go along.
func sameHost(to *http.Request, via []*http.Request) error {
	from := via[len(via)-1]
	switch {
	case to.URL.Host != from.URL.Host || to.URL.Scheme != from.URL.Scheme:
		return fmt.Errorf("GitHub redirects to another host (%s), which is refused", to.URL.Host)
	case to.Method != via[0].Method:
		return errors.New("GitHub redirects a write in a way that would lose it; has the repository been renamed?")
	case len(via) > 5:
		return errors.New("GitHub redirects in circles")
	}
	return nil
}

// path is the path of the repository with what follows.
func (c *Client) path(format string, args ...any) string {
	return fmt.Sprintf("repos/%s/%s/", c.owner, c.repo) + fmt.Sprintf(format, args...)
}

// send does one request; in and out are JSON, either may be nil.
func (c *Client) send(ctx context.Context, method, path string, in, out any) (*github.Response, error) {
	req, err := c.rest.NewRequest(method, path, in)
	if err != nil {
		return nil, err
	}
	return c.do(ctx, req, out)
}

func (c *Client) do(ctx context.Context, req *http.Request, out any) (*github.Response, error) {
	resp, err := c.rest.Do(ctx, req, out)
	var accepted *github.AcceptedError
	if errors.As(err, &accepted) { // 202 is what an upload should give
		if out == nil {
			return resp, nil
		}
		return resp, json.Unmarshal(accepted.Raw, out)
	}
	return resp, reason(req, resp, err)
}
