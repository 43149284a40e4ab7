package github

import (
	"context"
	"net/http"
	"strings"

	"github.com/google/go-github/v60/github"
)

// actionsLogin is who writes with the token that a workflow gets.
const actionsLogin = "github-actions[bot]"

// login is who writes with our token. A token of an app may not ask; of those we
// know the one that workflows get.
func (c *Client) login(ctx context.Context) (string, error) {
	if c.me != "" {
		return c.me, nil
	}
	var me github.User
	_, err := c.send(ctx, http.MethodGet, "user", nil, &me)
	switch {
	case Is(err, Forbidden, NotFound):
		c.me = actionsLogin
	case err != nil:
		return "", err
	default:
		c.me = me.GetLogin()
	}
	return c.me, nil
}

// listed reads what stands in a pull request from REST.
func (c *Client) listed(ctx context.Context, number int) (*Conversation, error) {
	me, err := c.login(ctx)
	if err != nil {
		return nil, err
	}
	out := &Conversation{}
	comment := func(id int64, node, body, login string) Comment {
		return Comment{Node: node, ID: id, Body: body, Ours: strings.EqualFold(login, me)}
	}
	comments, err := pages[github.IssueComment](ctx, c, c.path("issues/%d/comments", number))
	if err != nil {
		return nil, err
	}
	for _, x := range comments {
		out.Comments = append(out.Comments, comment(x.GetID(), x.GetNodeID(), x.GetBody(), x.GetUser().GetLogin()))
	}
	lines, err := pages[github.PullRequestComment](ctx, c, c.path("pulls/%d/comments", number))
	if err != nil {
		return nil, err
	}
	at := map[int64]int{} // thread of a first comment
	for _, x := range lines {
		y := comment(x.GetID(), x.GetNodeID(), x.GetBody(), x.GetUser().GetLogin())
		i, reply := at[x.GetInReplyTo()]
		if !reply {
			i = len(out.Threads)
			at[y.ID] = i
			out.Threads = append(out.Threads, Thread{})
		}
		t := &out.Threads[i]
		t.Comments = append(t.Comments, y)
		t.Answered = t.Answered || !y.Ours
	}
	return out, nil
}

// pages reads all of a list, a hundred a time.
func pages[T any](ctx context.Context, c *Client, path string) ([]*T, error) {
	var all []*T
	for page, n := 1, 0; page != 0; n++ {
		if n == mostConversation {
			return nil, &Error{Kind: TooLarge, What: "GET " + path, Text: "too many pages"}
		}
		var some []*T
		resp, err := c.send(ctx, http.MethodGet, path+"?"+pageOf(page), nil, &some)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
		page = resp.NextPage
	}
	return all, nil
}
