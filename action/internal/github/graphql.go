package github

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// Conversation is what stands in a pull request: comments below it, and threads
// on its lines. Both are in the order in which they were begun.
type Conversation struct {
	Comments []Comment
	Threads  []Thread
}

// Comment is one comment.
type Comment struct {
	Node   string // id in GraphQL
	ID     int64  // id in REST
	Body   string
	Ours   bool // written with this token
	Hidden bool
	Folded bool // hidden as resolved, which is how Settle does it
}

// Thread is a line's comments, of which the first began it.
type Thread struct {
	Node     string // id in GraphQL; "" if it is not known
	Resolved bool
	Comments []Comment
	Answered bool // someone else has written in it, as far as it was read
}

const conversation = `query($owner: String!, $name: String!, $number: Int!, $comments: Boolean!, $threads: Boolean!, $afterComment: String, $afterThread: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      comments(first: 100, after: $afterComment) @include(if: $comments) {
        nodes { id fullDatabaseId body viewerDidAuthor isMinimized }
        pageInfo { hasNextPage endCursor }
      }
      reviewThreads(first: 100, after: $afterThread) @include(if: $threads) {
        nodes {
          id
          isResolved
          comments(first: 20) { nodes { id body viewerDidAuthor isMinimized minimizedReason } pageInfo { hasNextPage endCursor } }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`

type commentNode struct {
	ID          string      `json:"id"`
	Database    json.Number `json:"fullDatabaseId"`
	Body        string      `json:"body"`
	Ours        bool        `json:"viewerDidAuthor"`
	IsMinimized bool        `json:"isMinimized"`
	Reason      string      `json:"minimizedReason"`
}

func (n commentNode) comment() Comment {
	id, _ := n.Database.Int64() // a thread's has none
	return Comment{Node: n.ID, ID: id, Body: n.Body, Ours: n.Ours, Hidden: n.IsMinimized, Folded: n.IsMinimized && strings.EqualFold(n.Reason, "resolved")}
}

type pageInfo struct {
	More bool   `json:"hasNextPage"`
	End  string `json:"endCursor"`
}

type conversationPage struct {
	Repository struct {
		Pull *struct {
			Comments struct {
				Nodes []commentNode `json:"nodes"`
				Page  pageInfo      `json:"pageInfo"`
			} `json:"comments"`
			Threads struct {
				Nodes []struct {
					ID       string `json:"id"`
					Resolved bool   `json:"isResolved"`
					Comments struct {
						Nodes []commentNode `json:"nodes"`
						Page  pageInfo      `json:"pageInfo"`
					} `json:"comments"`
				} `json:"nodes"`
				Page pageInfo `json:"pageInfo"`
			} `json:"reviewThreads"`
		} `json:"pullRequest"`
	} `json:"repository"`
}

// mostConversation bounds the pages that are read, a hundred comments and threads
// each.
const mostConversation = 20

// Conversation reads what stands in a pull request, all pages of it. Where GraphQL
// is no help, it asks REST, which does not tell what is hidden or resolved.
func (c *Client) Conversation(ctx context.Context, number int) (*Conversation, error) {
	if c.restOnly {
		return c.listed(ctx, number)
	}
	out, err := c.discussed(ctx, number)
	if err == nil || ctx.Err() != nil || Is(err, TooLarge) {
		return out, err
	}
	listed, e := c.listed(ctx, number)
	if c.restOnly = e == nil; c.restOnly {
		return listed, nil
	}
	return nil, err
}

// discussed reads what stands in a pull request from GraphQL.
func (c *Client) discussed(ctx context.Context, number int) (*Conversation, error) {
	out := &Conversation{}
	vars := map[string]any{"owner": c.owner, "name": c.repo, "number": number, "comments": true, "threads": true}
	for range mostConversation {
		var page conversationPage
		if err := c.query(ctx, conversation, vars, true, &page); err != nil {
			return nil, err
		}
		pull := page.Repository.Pull
		if pull == nil {
			return nil, &Error{Kind: NotFound, What: "GraphQL pullRequest", Text: fmt.Sprintf("there is no pull request %d", number)}
		}
		for _, n := range pull.Comments.Nodes {
			out.Comments = append(out.Comments, n.comment())
		}
		for _, n := range pull.Threads.Nodes {
			t := Thread{Node: n.ID, Resolved: n.Resolved, Answered: n.Comments.Page.More}
			for _, x := range n.Comments.Nodes {
				t.Comments = append(t.Comments, x.comment())
				t.Answered = t.Answered || !x.Ours
			}
			out.Threads = append(out.Threads, t)
		}
		vars["comments"], vars["afterComment"] = pull.Comments.Page.More, pull.Comments.Page.End
		vars["threads"], vars["afterThread"] = pull.Threads.Page.More, pull.Threads.Page.End
		if !pull.Comments.Page.More && !pull.Threads.Page.More {
			return out, nil
		}
	}
	return nil, &Error{Kind: TooLarge, What: "GraphQL pullRequest", Text: fmt.Sprintf("more than %d comments", 100*mostConversation)}
}

// Change is what to do with threads that we began: their first comments are
// hidden and the threads resolved, or the other way round.
type Change struct {
	Close, Reopen []Thread
}

// Settle makes the changes in one request. To resolve a thread a token may need
// more rights than to hide its comment; that is no error.
func (c *Client) Settle(ctx context.Context, change Change) error {
	var params, body []string
	vars := map[string]any{}
	add := func(mutation, argument, node, more, result string) {
		n := fmt.Sprintf("n%d", len(vars))
		vars[n] = node
		params = append(params, "$"+n+": ID!")
		body = append(body, fmt.Sprintf("  %s: %s(input: {%s: $%s%s}) { %s }", strings.Replace(n, "n", "m", 1), mutation, argument, n, more, result))
	}
	for _, t := range change.Close {
		add("minimizeComment", "subjectId", t.Comments[0].Node, ", classifier: RESOLVED", "minimizedComment { isMinimized }")
		if t.Node != "" {
			add("resolveReviewThread", "threadId", t.Node, "", "thread { isResolved }")
		}
	}
	for _, t := range change.Reopen {
		add("unminimizeComment", "subjectId", t.Comments[0].Node, "", "unminimizedComment { isMinimized }")
		add("unresolveReviewThread", "threadId", t.Node, "", "thread { isResolved }")
	}
	if len(body) == 0 {
		return nil
	}
	text := "mutation(" + strings.Join(params, ", ") + ") {\n" + strings.Join(body, "\n") + "\n}"
	err := c.query(ctx, text, vars, false, nil)
	if Is(err, Forbidden) {
		return nil
	}
	return err
}

// query sends one document of GraphQL.
func (c *Client) query(ctx context.Context, document string, vars map[string]any, reads bool, out any) error {
	req, err := c.rest.NewRequest(http.MethodPost, c.graphQL, map[string]any{"query": document, "variables": vars})
	if err != nil {
		return err
	}
	if reads {
		req.Header.Set(readsOnly, "1")
	}
	var got struct {
		Data   json.RawMessage `json:"data"`
		Errors []struct {
			Type    string `json:"type"`
			Message string `json:"message"`
		} `json:"errors"`
	}
	if _, err := c.do(ctx, req, &got); err != nil {
		return err
	}
	if len(got.Errors) > 0 {
		e := &Error{What: "GraphQL", Status: http.StatusOK, Text: oneLine(got.Errors[0].Message)}
		switch got.Errors[0].Type {
		case "FORBIDDEN", "INSUFFICIENT_SCOPES":
			e.Kind = Forbidden
		case "NOT_FOUND":
			e.Kind = NotFound
		case "RATE_LIMITED":
			e.Kind = Limited
		}
		for _, more := range got.Errors[1:] {
			if e.Kind == Forbidden && more.Type != got.Errors[0].Type {
				e.Kind = Other
			}
		}
		return e
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(got.Data, out); err != nil {
		return &Error{What: "GraphQL", Status: http.StatusOK, Text: "an answer that is not what was asked for"}
	}
	return nil
}
