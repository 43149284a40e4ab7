package fakegithub

import (
	"crypto/sha1"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Access is what a token may do with one kind of thing.
type Access string

const (
	None  Access = ""
	Read  Access = "read"
	Write Access = "write"
)

func (a Access) allows(level Access) bool { return a == Write || a == Read && level == Read }

// Permissions are those a workflow asks for, as far as we need them.
type Permissions struct {
	Contents       Access `json:"contents,omitempty"`
	PullRequests   Access `json:"pull-requests,omitempty"`
	Issues         Access `json:"issues,omitempty"`
	SecurityEvents Access `json:"security-events,omitempty"`
}

func (p Permissions) of(name string) Access {
	switch name {
	case "contents":
		return p.Contents
	case "pull_requests":
		return p.PullRequests
	case "issues":
		return p.Issues
	case "security_events":
		return p.SecurityEvents
	}
	return None
}

// Token says for whom a token speaks.
type Token struct {
	Login       string      `json:"login"` // that of an app ends in [bot]
	Permissions Permissions `json:"permissions"`
}

// ActionsLogin is who GITHUB_TOKEN speaks for.
const ActionsLogin = "github-actions[bot]"

// Actions is a GITHUB_TOKEN.
func Actions(p Permissions) Token { return Token{ActionsLogin, p} }

// Documented are the permissions that our documentation asks for.
var Documented = Permissions{Contents: Read, PullRequests: Write, SecurityEvents: Write}

// ReadOnly are those that a pull request from a fork gets.
var ReadOnly = Permissions{Contents: Read, PullRequests: Read, Issues: Read, SecurityEvents: Read}

// Token makes a token known, or changes it.
func (s *Server) Token(value string, t Token) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tokens[value] = t
}

// Forbid makes mutations of this name, as resolveReviewThread, forbidden for
// every token.
func (s *Server) Forbid(mutation string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forbidden[mutation] = true
}

// id gives numbers that grow; it is called with the lock held.
func (s *Server) id() int64 {
	s.lastID++
	return s.lastID
}

// epoch is when everything begins; later things have later times, by their ids.
var epoch = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

func instant(id int64) string {
	return epoch.Add(time.Duration(id) * time.Second).Format(time.RFC3339)
}

// Repo is a repository. It is private, and code scanning is enabled.
type Repo struct {
	s             *Server
	name          string // owner/name
	id            int64
	private       bool
	scanning      string // why there is no code scanning; "" if there is
	defaultBranch string
	branches      map[string]string            // to commits
	commits       map[string]map[string]string // files by path
	pulls         []*PullRequest
	compares      map[string][]File
	processing    Processing
	uploads       []*upload
}

// Repo gives the repository of this name, as octo/app; it is new at first.
func (s *Server) Repo(name string) *Repo {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := strings.ToLower(name)
	if s.repos[key] == nil {
		s.repos[key] = &Repo{
			s: s, name: name, id: s.id(), private: true, defaultBranch: "main",
			branches: map[string]string{}, commits: map[string]map[string]string{}, compares: map[string][]File{},
		}
	}
	return s.repos[key]
}

func (r *Repo) owner() string {
	owner, _, _ := strings.Cut(r.name, "/")
	return owner
}

// Public lets everybody read the repository.
func (r *Repo) Public() { r.change(func() { r.private = false }) }

func (r *Repo) change(f func()) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	f()
}

// What GitHub says where alerts are not to be had.
const (
	NoAdvancedSecurity = "Advanced Security must be enabled for this repository to use code scanning."
	NoCodeSecurity     = "Code Security must be enabled for this repository to use code scanning."
)

// DisableScanning refuses all calls of code scanning with message.
func (r *Repo) DisableScanning(message string) { r.change(func() { r.scanning = message }) }

// SHA is a commit id made from a name, for tests that need some.
func SHA(name string) string { return fmt.Sprintf("%x", sha1.Sum([]byte("commit "+name))) }

// Branch makes or moves a branch. The first one is the default branch.
func (r *Repo) Branch(name, sha string) {
	r.change(func() {
		if len(r.branches) == 0 {
			r.defaultBranch = name
		}
		r.branches[name] = sha
		r.commit(sha)
	})
}

// Commit makes a commit known that no branch need have.
func (r *Repo) Commit(sha string) { r.change(func() { r.commit(sha) }) }

func (r *Repo) commit(sha string) map[string]string {
	if sha == "" {
		return nil
	}
	if r.commits[sha] == nil {
		r.commits[sha] = map[string]string{}
	}
	return r.commits[sha]
}

// File puts a file into the commit of a branch, or into one named by its id. A
// branch that moves later has only the files that it is given again.
func (r *Repo) File(ref, path, text string) {
	r.change(func() {
		if sha := r.resolve(ref); sha != "" {
			ref = sha
		}
		r.commit(ref)[path] = text
	})
}

// resolve gives the commit that a name stands for, "" if there is none.
func (r *Repo) resolve(ref string) string {
	if ref == "" {
		ref = r.defaultBranch
	}
	if _, ok := r.commits[ref]; ok {
		return ref
	}
	var number int
	var side string
	if n, _ := fmt.Sscanf(ref, "refs/pull/%d/%s", &number, &side); n == 2 {
		p := r.pull(number)
		switch {
		case p == nil:
			return ""
		case side == "head":
			return p.Head.SHA
		case side == "merge":
			return p.MergeSHA
		}
		return ""
	}
	return r.branches[strings.TrimPrefix(ref, "refs/heads/")]
}

// File is one changed file of a pull request or comparison.
type File struct {
	Path     string `json:"path"`
	Previous string `json:"previous,omitempty"` // path, of a renamed file
	Status   string `json:"status,omitempty"`   // modified, if not said
	Patch    string `json:"patch,omitempty"`    // hunks from the first @@ on; "" for binary files and large ones
}

// Compare says what changed from one commit to another. Between commits of which
// nothing was said there is no comparison, but of one with itself.
func (r *Repo) Compare(base, head string, files ...File) {
	r.change(func() { r.compares[base+"..."+head] = files })
}

// Ref is one end of a pull request.
type Ref struct {
	Repo string `json:"repo,omitempty"` // owner/name; the pull request's own if not said
	Ref  string `json:"ref"`            // branch
	SHA  string `json:"sha"`
}

// PR describes a pull request.
type PR struct {
	Number   int    `json:"number"`
	State    string `json:"state,omitempty"` // open if not said
	Author   string `json:"author,omitempty"`
	Head     Ref    `json:"head"`
	Base     Ref    `json:"base"`                // main if not said
	MergeSHA string `json:"merge_sha,omitempty"` // "" while it has conflicts
	Files    []File `json:"files,omitempty"`
}

// PullRequest is one in its repository.
type PullRequest struct {
	PR
	repo     *Repo
	id       int64
	comments []*Comment
	threads  []*Thread
	reviews  []*Review
}

// PullRequest opens a pull request, and makes its commits known.
func (r *Repo) PullRequest(pr PR) *PullRequest {
	p := &PullRequest{PR: pr, repo: r}
	r.change(func() {
		p.id = r.s.id()
		if p.State == "" {
			p.State = "open"
		}
		if p.Author == "" {
			p.Author = "octocat"
		}
		if p.Head.Repo == "" {
			p.Head.Repo = r.name
		}
		p.Base.Repo = r.name
		if p.Base.Ref == "" {
			p.Base.Ref = r.defaultBranch
		}
		if p.Base.SHA == "" {
			p.Base.SHA = r.branches[p.Base.Ref]
		}
		if p.Head.Repo == r.name && p.Head.Ref != "" {
			r.branches[p.Head.Ref] = p.Head.SHA
		}
		for _, sha := range []string{p.Head.SHA, p.Base.SHA, p.MergeSHA} {
			r.commit(sha)
		}
		r.pulls = append(r.pulls, p)
	})
	return p
}

func (r *Repo) pull(number int) *PullRequest {
	for _, p := range r.pulls {
		if p.Number == number {
			return p
		}
	}
	return nil
}

// Push moves the head, as a push by force does. Threads whose line is no longer
// in the patch are outdated.
func (p *PullRequest) Push(sha, mergeSHA string, files ...File) {
	p.repo.change(func() {
		p.Head.SHA, p.MergeSHA, p.Files = sha, mergeSHA, files
		p.repo.commit(sha)
		p.repo.commit(mergeSHA)
		if p.Head.Repo == p.repo.name && p.Head.Ref != "" {
			p.repo.branches[p.Head.Ref] = sha
		}
		for _, t := range p.threads {
			t.Outdated = p.refuse(t.Path, t.Line, t.Side) != ""
		}
	})
}

// Close closes it.
func (p *PullRequest) Close() { p.repo.change(func() { p.State = "closed" }) }

// Comment is one of the conversation, or of a thread.
type Comment struct {
	ID             int64  `json:"id"`
	NodeID         string `json:"node_id"`
	Author         string `json:"author"`
	Body           string `json:"body"`
	Minimized      bool   `json:"minimized,omitempty"`
	MinimizeReason string `json:"minimize_reason,omitempty"` // as the classifier was given
	Edits          int    `json:"edits,omitempty"`
}

// Thread is a line of a pull request that is discussed.
type Thread struct {
	NodeID   string     `json:"node_id"`
	Path     string     `json:"path"`
	Line     int        `json:"line"`
	Side     string     `json:"side"` // RIGHT: the new text
	Commit   string     `json:"commit"`
	Resolved bool       `json:"resolved,omitempty"`
	Outdated bool       `json:"outdated,omitempty"`
	Comments []*Comment `json:"comments"`
}

// Review is what one call said.
type Review struct {
	ID      int64     `json:"id"`
	Author  string    `json:"author"`
	State   string    `json:"state"`
	Body    string    `json:"body,omitempty"`
	Commit  string    `json:"commit"`
	Threads []*Thread `json:"threads,omitempty"` // as they were when the review was made
}

func (t *Thread) copy() *Thread {
	c := *t
	c.Comments = copies(t.Comments)
	return &c
}

func copies(list []*Comment) []*Comment {
	var all []*Comment
	for _, c := range list {
		one := *c
		all = append(all, &one)
	}
	return all
}

// newComment is called with the lock held.
func (s *Server) newComment(kind, login, body string) *Comment {
	id := s.id()
	return &Comment{ID: id, NodeID: fmt.Sprintf("%s_%d", kind, id), Author: login, Body: body}
}

// AddComment is a comment of another actor.
func (p *PullRequest) AddComment(login, body string) Comment {
	var c *Comment
	p.repo.change(func() {
		c = p.repo.s.newComment("IC", login, body)
		p.comments = append(p.comments, c)
	})
	return *c
}

// AddThread is a thread of another actor, at a line of the new text.
func (p *PullRequest) AddThread(login, path string, line int, body string) Thread {
	var t Thread
	p.repo.change(func() { t = *p.addThread(login, path, line, "RIGHT", body).copy() })
	return t
}

func (p *PullRequest) addThread(login, path string, line int, side, body string) *Thread {
	c := p.repo.s.newComment("PRRC", login, body)
	t := &Thread{
		NodeID: fmt.Sprintf("PRRT_%d", c.ID), Path: path, Line: line, Side: side, Commit: p.Head.SHA,
		Comments: []*Comment{c},
	}
	p.threads = append(p.threads, t)
	return t
}

// Reply is an answer of another actor in a thread.
func (p *PullRequest) Reply(thread, login, body string) {
	p.repo.change(func() {
		for _, t := range p.threads {
			if t.NodeID == thread {
				t.Comments = append(t.Comments, p.repo.s.newComment("PRRC", login, body))
			}
		}
	})
}

// Resolve resolves a thread, as another actor.
func (p *PullRequest) Resolve(thread string) {
	p.repo.change(func() {
		for _, t := range p.threads {
			t.Resolved = t.Resolved || t.NodeID == thread
		}
	})
}

// DeleteComment deletes a comment of the conversation, as another actor.
func (p *PullRequest) DeleteComment(id int64) {
	p.repo.change(func() {
		p.comments = slices.DeleteFunc(p.comments, func(c *Comment) bool { return c.ID == id })
	})
}

// Minimize hides a comment as outdated, as a person with rights may.
func (p *PullRequest) Minimize(id int64) {
	p.repo.change(func() {
		all := slices.Clone(p.comments)
		for _, t := range p.threads {
			all = append(all, t.Comments...)
		}
		for _, c := range all {
			if c.ID == id {
				c.Minimized, c.MinimizeReason = true, "OUTDATED"
			}
		}
	})
}

// Comments are those of the conversation, in their order.
func (p *PullRequest) Comments() []*Comment {
	p.repo.s.mu.Lock()
	defer p.repo.s.mu.Unlock()
	return copies(p.comments)
}

// Threads are the discussed lines, in the order in which they came.
func (p *PullRequest) Threads() []*Thread {
	p.repo.s.mu.Lock()
	defer p.repo.s.mu.Unlock()
	var all []*Thread
	for _, t := range p.threads {
		all = append(all, t.copy())
	}
	return all
}

// Reviews are all reviews, in their order.
func (p *PullRequest) Reviews() []*Review {
	p.repo.s.mu.Lock()
	defer p.repo.s.mu.Unlock()
	var all []*Review
	for _, r := range p.reviews {
		one := *r
		all = append(all, &one)
	}
	return all
}
