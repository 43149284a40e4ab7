package fakegithub

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// State is all that a fake holds, for files. What it is given it gives back, with
// what requests made of it.
type State struct {
	Tokens map[string]Token `json:"tokens"`
	Repos  []RepoState      `json:"repos"`
}

// RepoState is a repository in a file.
type RepoState struct {
	Name          string                       `json:"name"` // owner/name
	Public        bool                         `json:"public,omitempty"`
	NoScanning    string                       `json:"no_scanning,omitempty"` // why there is no code scanning
	DefaultBranch string                       `json:"default_branch"`
	Branches      map[string]string            `json:"branches"`           // to commits
	Files         map[string]map[string]string `json:"files,omitempty"`    // by branch or commit, then path
	Compares      map[string][]File            `json:"compares,omitempty"` // by BASE...HEAD, which are commits
	Processing    Processing                   `json:"processing,omitzero"`
	Pulls         []PullState                  `json:"pulls,omitempty"`
	Analyses      []*Analysis                  `json:"analyses,omitempty"`
}

// PullState is a pull request in a file. Things without ids get some.
type PullState struct {
	PR
	Comments []*Comment `json:"comments,omitempty"`
	Threads  []*Thread  `json:"threads,omitempty"`
	Reviews  []*Review  `json:"reviews,omitempty"`
}

// Load adds what a file holds. An error names the repository and the member that
// is wrong.
func (s *Server) Load(state State) error {
	for _, value := range slices.Sorted(maps.Keys(state.Tokens)) {
		s.Token(value, state.Tokens[value])
	}
	for _, from := range state.Repos {
		owner, name, _ := strings.Cut(from.Name, "/")
		if owner == "" || name == "" || strings.Contains(name, "/") {
			return fmt.Errorf("name of a repository is %q, want owner/name", from.Name)
		}
		if from.DefaultBranch != "" && from.Branches[from.DefaultBranch] == "" {
			return fmt.Errorf("%s: default_branch %q is not among the branches", from.Name, from.DefaultBranch)
		}
		r := s.Repo(from.Name)
		for _, branch := range slices.Sorted(maps.Keys(from.Branches)) {
			r.Branch(branch, from.Branches[branch])
		}
		r.change(func() {
			r.private, r.scanning, r.processing = !from.Public, from.NoScanning, from.Processing
			if from.DefaultBranch != "" {
				r.defaultBranch = from.DefaultBranch
			}
			for _, a := range from.Analyses {
				s.lastID = max(s.lastID, a.ID)
				r.uploads = append(r.uploads, &upload{id: a.Upload, analyses: []*Analysis{a}})
			}
		})
		for _, pull := range from.Pulls {
			if pull.Number <= 0 || pull.Head.SHA == "" {
				return fmt.Errorf("%s: pull request %d needs a number and a head with a sha", from.Name, pull.Number)
			}
			if err := s.loadPull(r.PullRequest(pull.PR), pull); err != nil {
				return fmt.Errorf("%s: pull request %d: %w", from.Name, pull.Number, err)
			}
		}
		for _, ref := range slices.Sorted(maps.Keys(from.Files)) {
			for path, text := range from.Files[ref] {
				r.File(ref, path, text)
			}
		}
		for _, ends := range slices.Sorted(maps.Keys(from.Compares)) {
			base, head, ok := strings.Cut(ends, "...")
			if !ok {
				return fmt.Errorf("%s: comparison of %q, want BASE...HEAD", from.Name, ends)
			}
			r.Compare(base, head, from.Compares[ends]...)
			r.Commit(base)
			r.Commit(head)
		}
	}
	return nil
}

func (s *Server) loadPull(p *PullRequest, from PullState) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	identify := func(kind string, list []*Comment) {
		for _, c := range list {
			if c.ID == 0 {
				c.ID = s.id()
			}
			s.lastID = max(s.lastID, c.ID)
			c.NodeID = fmt.Sprintf("%s_%d", kind, c.ID)
		}
		slices.SortFunc(list, func(a, b *Comment) int { return cmp.Compare(a.ID, b.ID) }) // pages go by ids
	}
	identify("IC", from.Comments)
	for _, t := range from.Threads {
		if len(t.Comments) == 0 {
			return fmt.Errorf("the thread at %s:%d has no comments", t.Path, t.Line)
		}
		identify("PRRC", t.Comments)
		t.NodeID = fmt.Sprintf("PRRT_%d", t.Comments[0].ID)
		if t.Side == "" {
			t.Side = "RIGHT"
		}
		if t.Commit == "" {
			t.Commit = p.Head.SHA
		}
	}
	for _, r := range from.Reviews {
		s.lastID = max(s.lastID, r.ID)
	}
	p.comments, p.threads, p.reviews = from.Comments, from.Threads, from.Reviews
	return nil
}

// State gives all that the fake holds now.
func (s *Server) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := State{Tokens: maps.Clone(s.tokens)}
	for _, key := range slices.Sorted(maps.Keys(s.repos)) {
		r := s.repos[key]
		to := RepoState{
			Name: r.name, Public: !r.private, NoScanning: r.scanning, DefaultBranch: r.defaultBranch,
			Branches: maps.Clone(r.branches), Compares: maps.Clone(r.compares), Processing: r.processing,
			Files: map[string]map[string]string{}, Analyses: r.analyses(),
		}
		for sha, files := range r.commits {
			to.Files[sha] = maps.Clone(files)
		}
		for _, p := range r.pulls {
			pull := PullState{PR: p.PR, Comments: copies(p.comments)}
			for _, t := range p.threads {
				pull.Threads = append(pull.Threads, t.copy())
			}
			for _, review := range p.reviews {
				one := *review
				pull.Reviews = append(pull.Reviews, &one)
			}
			to.Pulls = append(to.Pulls, pull)
		}
		state.Repos = append(state.Repos, to)
	}
	return state
}
