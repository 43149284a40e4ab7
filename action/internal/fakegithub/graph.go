package fakegithub

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// resolver gives one field of an object: a scalar, nil, a node or a list of them.
type resolver struct {
	args string // names of the arguments that it reads
	get  func(x *execution, of any, args map[string]any) (any, error)
}

// graph has the fields by the names of type and field.
var graph map[string]resolver

// interfaces are those of the types we have, for fragments.
var interfaces = map[string]string{
	"IssueComment":             "Node Comment Minimizable Deletable Updatable",
	"PullRequestReviewComment": "Node Comment Minimizable Deletable Updatable",
	"PullRequestReviewThread":  "Node",
	"PullRequest":              "Node",
	"Repository":               "Node",
	"User":                     "Node Actor",
	"Bot":                      "Node Actor",
}

// is says whether a fragment on a type is for objects of kind.
func is(kind, condition string) bool {
	return condition == "" || condition == kind || strings.Contains(" "+interfaces[kind]+" ", " "+condition+" ")
}

// field makes a resolver without arguments for objects that are T.
func field[T any](get func(x *execution, of T) any) resolver {
	return resolver{"", func(x *execution, of any, _ map[string]any) (any, error) { return get(x, of.(T)), nil }}
}

// said is a comment in its pull request.
type said struct {
	*Comment
	pull *PullRequest
}

// lines is a thread in its pull request.
type lines struct {
	*Thread
	pull *PullRequest
}

// connection is one page of a list.
type connection struct {
	total    int
	page     []node
	cursors  []string
	previous bool
	next     bool
}

func init() {
	graph = map[string]resolver{
		"Query.repository": {"owner name", (*execution).repository},
		"Query.node":       {"id", (*execution).node},
		"Query.viewer":     field(func(x *execution, s *Server) any { return actor(x.q.token.Login) }),

		"Repository.id":            field(func(x *execution, r *Repo) any { return fmt.Sprintf("R_%d", r.id) }),
		"Repository.name":          field(func(x *execution, r *Repo) any { return strings.TrimPrefix(r.name, r.owner()+"/") }),
		"Repository.nameWithOwner": field(func(x *execution, r *Repo) any { return r.name }),
		"Repository.pullRequest":   {"number", (*execution).pullRequest},

		"PullRequest.id":            field(func(x *execution, p *PullRequest) any { return p.nodeID() }),
		"PullRequest.number":        field(func(x *execution, p *PullRequest) any { return p.Number }),
		"PullRequest.state":         field(func(x *execution, p *PullRequest) any { return strings.ToUpper(p.State) }),
		"PullRequest.headRefOid":    field(func(x *execution, p *PullRequest) any { return p.Head.SHA }),
		"PullRequest.baseRefOid":    field(func(x *execution, p *PullRequest) any { return p.Base.SHA }),
		"PullRequest.headRefName":   field(func(x *execution, p *PullRequest) any { return p.Head.Ref }),
		"PullRequest.baseRefName":   field(func(x *execution, p *PullRequest) any { return p.Base.Ref }),
		"PullRequest.comments":      {"first after", comments},
		"PullRequest.reviewThreads": {"first after", threads},

		"PullRequestReviewThread.id":                 field(func(x *execution, t lines) any { return t.NodeID }),
		"PullRequestReviewThread.isResolved":         field(func(x *execution, t lines) any { return t.Resolved }),
		"PullRequestReviewThread.isOutdated":         field(func(x *execution, t lines) any { return t.Outdated }),
		"PullRequestReviewThread.path":               field(func(x *execution, t lines) any { return t.Path }),
		"PullRequestReviewThread.line":               field(func(x *execution, t lines) any { return t.current() }),
		"PullRequestReviewThread.originalLine":       field(func(x *execution, t lines) any { return t.Line }),
		"PullRequestReviewThread.diffSide":           field(func(x *execution, t lines) any { return t.Side }),
		"PullRequestReviewThread.viewerCanResolve":   field(func(x *execution, t lines) any { return x.writes(t.pull) && !t.Resolved }),
		"PullRequestReviewThread.viewerCanUnresolve": field(func(x *execution, t lines) any { return x.writes(t.pull) && t.Resolved }),
		"PullRequestReviewThread.comments":           {"first after", replies},

		"PageInfo.hasNextPage":     field(func(x *execution, c connection) any { return c.next }),
		"PageInfo.hasPreviousPage": field(func(x *execution, c connection) any { return c.previous }),
		"PageInfo.startCursor":     field(func(x *execution, c connection) any { return c.cursor(0) }),
		"PageInfo.endCursor":       field(func(x *execution, c connection) any { return c.cursor(len(c.cursors) - 1) }),

		"Mutation.minimizeComment":       {"input", minimize(true)},
		"Mutation.unminimizeComment":     {"input", minimize(false)},
		"Mutation.resolveReviewThread":   {"input", resolve(true)},
		"Mutation.unresolveReviewThread": {"input", resolve(false)},
	}
	for _, kind := range []string{"User", "Bot"} {
		graph[kind+".login"] = field(func(x *execution, login string) any { return strings.TrimSuffix(login, "[bot]") })
	}
	for _, kind := range []string{"IssueComment", "PullRequestReviewComment"} {
		graph[kind+".id"] = field(func(x *execution, c said) any { return c.NodeID })
		graph[kind+".databaseId"] = field(func(x *execution, c said) any { return c.ID })
		graph[kind+".fullDatabaseId"] = field(func(x *execution, c said) any { return strconv.FormatInt(c.ID, 10) })
		graph[kind+".body"] = field(func(x *execution, c said) any { return c.Body })
		graph[kind+".author"] = field(func(x *execution, c said) any { return actor(c.Author) })
		graph[kind+".createdAt"] = field(func(x *execution, c said) any { return instant(c.ID) })
		graph[kind+".viewerDidAuthor"] = field(func(x *execution, c said) any { return c.Author == x.q.token.Login })
		graph[kind+".viewerCanMinimize"] = field(func(x *execution, c said) any { return x.writes(c.pull) })
		graph[kind+".isMinimized"] = field(func(x *execution, c said) any { return c.Minimized })
		graph[kind+".minimizedReason"] = field(func(x *execution, c said) any { return c.reason() })
	}
	for _, kind := range []string{"IssueComment", "PullRequestReviewThread", "PullRequestReviewComment"} {
		name := kind + "Connection"
		graph[name+".nodes"] = field(func(x *execution, c connection) any { return c.page })
		graph[name+".totalCount"] = field(func(x *execution, c connection) any { return c.total })
		graph[name+".pageInfo"] = field(func(x *execution, c connection) any { return node{"PageInfo", c} })
	}
	for name, member := range map[string]string{
		"MinimizeComment": "minimizedComment", "UnminimizeComment": "unminimizedComment",
		"ResolveReviewThread": "thread", "UnresolveReviewThread": "thread",
	} {
		graph[name+"Payload."+member] = field(func(x *execution, d done) any { return d.what })
		graph[name+"Payload.clientMutationId"] = field(func(x *execution, d done) any { return d.mutation })
	}
}

// actor is who GraphQL says wrote something: apps lose the [bot] of their login.
func actor(login string) node {
	if strings.HasSuffix(login, "[bot]") {
		return node{"Bot", login}
	}
	return node{"User", login}
}

func (t lines) current() any {
	if t.Outdated {
		return nil
	}
	return t.Line
}

// reason is the classifier as GitHub gives it back, as "off-topic".
func (c said) reason() any {
	if !c.Minimized {
		return nil
	}
	return strings.ReplaceAll(strings.ToLower(c.MinimizeReason), "_", "-")
}

var forbidden = graphError{"FORBIDDEN", "Resource not accessible by integration"}

// writes says whether the token may write to pull requests.
func (x *execution) writes(p *PullRequest) bool {
	return x.allowed(p, Write, "pull_requests", "issues")
}

func (x *execution) allowed(p *PullRequest, level Access, needs ...string) bool {
	q := *x.q
	q.repo = p.repo
	return q.may(&operation{level: level, needs: needs})
}

func (x *execution) repository(_ any, args map[string]any) (any, error) {
	name := fmt.Sprintf("%v/%v", args["owner"], args["name"])
	r := x.s.repos[strings.ToLower(name)]
	if r == nil {
		return nil, graphError{"NOT_FOUND", fmt.Sprintf("Could not resolve to a Repository with the name '%s'.", name)}
	}
	return node{"Repository", r}, nil
}

func (x *execution) pullRequest(of any, args map[string]any) (any, error) {
	number, ok := integer(args["number"])
	p := of.(*Repo).pull(number)
	if !ok || p == nil {
		return nil, graphError{"NOT_FOUND", fmt.Sprintf("Could not resolve to a PullRequest with the number of %v.", args["number"])}
	}
	if !x.allowed(p, Read, "pull_requests") {
		return nil, forbidden
	}
	return node{"PullRequest", p}, nil
}

// integer reads a number of a document or of its variables.
func integer(v any) (int, bool) {
	switch v := v.(type) {
	case int:
		return v, true
	case int64:
		return int(v), true
	case float64:
		return int(v), v == float64(int(v))
	case json.Number:
		n, err := v.Int64()
		return int(n), err == nil
	}
	return 0, false
}

func comments(x *execution, of any, args map[string]any) (any, error) {
	p := of.(*PullRequest)
	return connect("comments", "IssueComment", spoken(p, "IssueComment", p.comments), args)
}

func replies(x *execution, of any, args map[string]any) (any, error) {
	t := of.(lines)
	return connect("comments", "PullRequestReviewComment", spoken(t.pull, "PullRequestReviewComment", t.Comments), args)
}

func spoken(p *PullRequest, kind string, list []*Comment) []node {
	var nodes []node
	for _, c := range list {
		nodes = append(nodes, node{kind, said{c, p}})
	}
	return nodes
}

func threads(x *execution, of any, args map[string]any) (any, error) {
	p := of.(*PullRequest)
	var nodes []node
	for _, t := range p.threads {
		nodes = append(nodes, node{"PullRequestReviewThread", lines{t, p}})
	}
	return connect("reviewThreads", "PullRequestReviewThread", nodes, args)
}

// maxPage is how many things a connection gives at once.
const maxPage = 100

// connect cuts a page out of a list. Cursors name the thing before the page, so
// that things that come and go do not shift it.
func connect(name, kind string, all []node, args map[string]any) (any, error) {
	first, ok := integer(args["first"])
	if !ok {
		return nil, graphError{"MISSING_PAGINATION_BOUNDARIES", fmt.Sprintf("You must provide a `first` or `last` value to properly paginate the `%s` connection.", name)}
	}
	if first < 1 || first > maxPage {
		return nil, graphError{"EXCESSIVE_PAGINATION", fmt.Sprintf("Requesting %d records on the `%s` connection exceeds the `first` limit of %d records.", first, name, maxPage)}
	}
	c := connection{total: len(all)}
	from := int64(0)
	if after, ok := args["after"].(string); ok {
		raw, err := base64.StdEncoding.DecodeString(after)
		n, err2 := strconv.ParseInt(strings.TrimPrefix(string(raw), cursorPrefix), 10, 64)
		if err != nil || err2 != nil {
			return nil, graphError{"INVALID_CURSOR_ARGUMENTS", fmt.Sprintf("`%s` does not appear to be a valid cursor.", after)}
		}
		from = n
	}
	for _, n := range all {
		id := n.number()
		if id <= from {
			c.previous = true
			continue
		}
		if len(c.page) == first {
			c.next = true
			break
		}
		c.page = append(c.page, n)
		c.cursors = append(c.cursors, base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%s%d", cursorPrefix, id)))
	}
	return node{kind + "Connection", c}, nil
}

const cursorPrefix = "cursor:v2:"

// number orders comments and threads.
func (n node) number() int64 {
	switch v := n.value.(type) {
	case said:
		return v.ID
	case lines:
		return v.Comments[0].ID
	}
	return 0
}

func (c connection) cursor(i int) any {
	if i < 0 || i >= len(c.cursors) {
		return nil
	}
	return c.cursors[i]
}

// node finds a comment or thread by its node id.
func (x *execution) node(_ any, args map[string]any) (any, error) {
	for _, r := range x.s.repos {
		for _, p := range r.pulls {
			all := spoken(p, "IssueComment", p.comments)
			for _, t := range p.threads {
				if t.NodeID == args["id"] {
					return x.seen(node{"PullRequestReviewThread", lines{t, p}}, p)
				}
				all = append(all, spoken(p, "PullRequestReviewComment", t.Comments)...)
			}
			for _, n := range all {
				if n.value.(said).NodeID == args["id"] {
					return x.seen(n, p)
				}
			}
		}
	}
	return nil, graphError{"NOT_FOUND", fmt.Sprintf("Could not resolve to a node with the global id of '%v'.", args["id"])}
}

func (x *execution) seen(n node, p *PullRequest) (any, error) {
	if !x.allowed(p, Read, "pull_requests") {
		return nil, forbidden
	}
	return n, nil
}

// done is what a mutation answers.
type done struct {
	mutation any // clientMutationId
	what     node
}

// target finds what a mutation is about and whether it may be.
func (x *execution) target(mutation string, input map[string]any, id string) (node, error) {
	found, err := x.node(nil, map[string]any{"id": input[id]})
	if err != nil {
		return node{}, err
	}
	n := found.(node)
	var p *PullRequest
	author := ""
	switch v := n.value.(type) {
	case said:
		p, author = v.pull, v.Author
	case lines:
		p, author = v.pull, v.Comments[0].Author
	}
	if x.s.forbidden[mutation] || !x.writes(p) {
		return node{}, forbidden
	}
	if author != x.q.token.Login {
		x.s.violate("%s /graphql: %s of what %s wrote, not %s", http.MethodPost, mutation, author, x.q.token.Login)
	}
	return n, nil
}

func minimize(yes bool) func(*execution, any, map[string]any) (any, error) {
	mutation, payload := "unminimizeComment", "UnminimizeCommentPayload"
	if yes {
		mutation, payload = "minimizeComment", "MinimizeCommentPayload"
	}
	return func(x *execution, _ any, args map[string]any) (any, error) {
		input, _ := args["input"].(map[string]any)
		n, err := x.target(mutation, input, "subjectId")
		if err != nil {
			return nil, err
		}
		c, ok := n.value.(said)
		if !ok {
			return nil, graphError{"UNPROCESSABLE", "a thread cannot be minimized"}
		}
		c.Minimized, c.MinimizeReason = yes, ""
		if yes {
			c.MinimizeReason, _ = input["classifier"].(string)
		}
		return node{payload, done{input["clientMutationId"], n}}, nil
	}
}

func resolve(yes bool) func(*execution, any, map[string]any) (any, error) {
	mutation, payload := "unresolveReviewThread", "UnresolveReviewThreadPayload"
	if yes {
		mutation, payload = "resolveReviewThread", "ResolveReviewThreadPayload"
	}
	return func(x *execution, _ any, args map[string]any) (any, error) {
		input, _ := args["input"].(map[string]any)
		n, err := x.target(mutation, input, "threadId")
		if err != nil {
			return nil, err
		}
		t, ok := n.value.(lines)
		if !ok {
			return nil, graphError{"UNPROCESSABLE", "a comment cannot be resolved"}
		}
		t.Resolved = yes
		return node{payload, done{input["clientMutationId"], n}}, nil
	}
}
