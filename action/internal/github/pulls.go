package github

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/go-github/v60/github"
)

// File is the content of a file at a ref; it is not ok if there is no such file
// or ref.
func (c *Client) File(ctx context.Context, path, ref string) (content []byte, ok bool, err error) {
	segments := strings.Split(path, "/")
	for i := range segments {
		segments[i] = url.PathEscape(segments[i])
	}
	req, err := c.rest.NewRequest(http.MethodGet, c.path("contents/%s?ref=%s", strings.Join(segments, "/"), url.QueryEscape(ref)), nil)
	if err != nil {
		return nil, false, err
	}
	req.Header.Set("Accept", "application/vnd.github.raw+json")
	var b strings.Builder
	_, err = c.do(ctx, req, &b)
	if Is(err, NotFound) {
		return nil, false, nil
	}
	return []byte(b.String()), err == nil, err
}

// Pull is a pull request as it is now.
type Pull struct {
	Number   int
	Open     bool
	Head     string // commit
	HeadRepo string // owner/name; "" if it is gone
	Base     string // branch
	Merge    string // GitHub's test merge with the base; "" if there is none
}

func pullOf(p *github.PullRequest) Pull {
	return Pull{
		Number: p.GetNumber(), Open: p.GetState() == "open", Head: p.GetHead().GetSHA(),
		HeadRepo: p.GetHead().GetRepo().GetFullName(), Base: p.GetBase().GetRef(), Merge: p.GetMergeCommitSHA(),
	}
}

// Pull is the pull request with this number.
func (c *Client) Pull(ctx context.Context, number int) (Pull, error) {
	var p github.PullRequest
	_, err := c.send(ctx, http.MethodGet, c.path("pulls/%d", number), nil, &p)
	return pullOf(&p), err
}

// PullsFrom are the open pull requests whose head is a branch of an owner.
func (c *Client) PullsFrom(ctx context.Context, owner, branch string) ([]Pull, error) {
	query := url.Values{"head": {owner + ":" + branch}, "state": {"open"}, "per_page": {"100"}}
	var list []*github.PullRequest
	_, err := c.send(ctx, http.MethodGet, c.path("pulls?%s", query.Encode()), nil, &list)
	var out []Pull
	for _, p := range list {
		out = append(out, pullOf(p))
	}
	return out, err
}

// ChangedFile is a file that differs, with the hunks of its diff.
type ChangedFile struct {
	Path  string
	Patch string // "" if the file is binary or the diff too large
	New   bool   // the older side has no such file
	Lines int    // that differ
}

// mostPages of changed files are read, a hundred each: GitHub lists at most 3,000,
// and nobody reads comments on that many.
const mostPages = 10

// Files are the files that a pull request changes. All is false if there are more
// than are listed.
func (c *Client) Files(ctx context.Context, number int) (files []ChangedFile, all bool, err error) {
	for page := 1; page <= mostPages; page++ {
		var list []*github.CommitFile
		resp, err := c.send(ctx, http.MethodGet, c.path("pulls/%d/files?%s", number, pageOf(page)), nil, &list)
		if err != nil {
			return nil, false, err
		}
		files = append(files, changed(list)...)
		if resp.NextPage == 0 {
			return files, true, nil
		}
	}
	return files, false, nil
}

// compared is how many files GitHub lists of a comparison.
const compared = 300

// Comparison is how a commit differs from another.
type Comparison struct {
	Descends bool // from the other
	Files    []ChangedFile
	All      bool // no more files differ than are listed
}

// Compare says how a commit differs from an earlier one.
func (c *Client) Compare(ctx context.Context, from, to string) (Comparison, error) {
	var got github.CommitsComparison
	_, err := c.send(ctx, http.MethodGet, c.path("compare/%s...%s?per_page=1", from, to), nil, &got)
	return Comparison{got.GetMergeBaseCommit().GetSHA() == from, changed(got.Files), len(got.Files) < compared}, err
}

// pageOf asks for a page of the largest size.
func pageOf(page int) string { return fmt.Sprintf("per_page=100&page=%d", page) }

func changed(list []*github.CommitFile) []ChangedFile {
	var out []ChangedFile
	for _, f := range list {
		out = append(out, ChangedFile{
			Path: f.GetFilename(), Patch: f.GetPatch(), Lines: f.GetChanges(),
			New: f.GetStatus() == "added" || f.GetStatus() == "renamed" || f.GetStatus() == "copied",
		})
	}
	return out
}

// InlineComment is a comment on a line of the new side of a pull request's diff.
type InlineComment struct {
	Path string
	Line int
	Body string
}

// Review writes comments on lines, all or none.
func (c *Client) Review(ctx context.Context, number int, commit, body string, comments []InlineComment) error {
	review := &github.PullRequestReviewRequest{CommitID: &commit, Body: &body, Event: github.String("COMMENT")}
	for _, x := range comments {
		review.Comments = append(review.Comments, &github.DraftReviewComment{
			Path: github.String(x.Path), Line: github.Int(x.Line), Side: github.String("RIGHT"), Body: github.String(x.Body),
		})
	}
	_, err := c.send(ctx, http.MethodPost, c.path("pulls/%d/reviews", number), review, nil)
	return err
}

// CreateComment writes a comment on a pull request.
func (c *Client) CreateComment(ctx context.Context, number int, body string) (id int64, err error) {
	var made github.IssueComment
	_, err = c.send(ctx, http.MethodPost, c.path("issues/%d/comments", number), &github.IssueComment{Body: &body}, &made)
	return made.GetID(), err
}

// UpdateComment replaces the text of a comment. To do so twice is to do it once,
// so a failure is no doubt.
func (c *Client) UpdateComment(ctx context.Context, id int64, body string) error {
	_, err := c.send(ctx, http.MethodPatch, c.path("issues/comments/%d", id), &github.IssueComment{Body: &body}, nil)
	return err
}

// DeleteComment takes a comment away; one that is gone already is no error.
func (c *Client) DeleteComment(ctx context.Context, id int64) error {
	_, err := c.send(ctx, http.MethodDelete, c.path("issues/comments/%d", id), nil, nil)
	if Is(err, NotFound) {
		return nil
	}
	return err
}
