// Package event says what a run of the Action is about, and what it may do. It
// reads the payload of the event that started the workflow and the variables that
// the runner sets, and looks the event up in one table: who wrote the change, on
// which commit, whether the token can write, and so whether findings are
// uploaded, told in the pull request, or only decide the exit code.
//
// Nothing is asked of GitHub: a token that cannot write is known from the event,
// before a request could fail. What the payload claims of a pull request from a
// fork is data of a stranger, and is only ever used as data. Cost: one small file
// is read.
package event

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/eventraces/eventraces/engine/finding"
)

// Event is what started the workflow.
type Event struct {
	Name   string // of the event: push, pull_request, ...
	Repo   string // owner/name
	Ref    string // full name of the ref that the run is on
	Commit string // that it is on; of a pull request, GitHub's test merge
	Actor  string

	Change *Change // the pull request, if the event is about one that it names
	Group  *Group  // the merge group
	Source *Source // the workflow run whose findings are published

}

// Change is a pull request.
type Change struct {
	Number   int
	Head     string // commit
	HeadRepo string // owner/name; "" if it is gone
	Base     string // branch
	BaseAt   string // commit of the base branch when the event happened
}

// Group is a group of a merge queue.
type Group struct {
	Base   string // branch
	BaseAt string
}

// Source is the workflow run that has just ended.
type Source struct {
	Event  string // that started it
	Head   string // commit
	Branch string
	Repo   string // owner/name of the head
	Owner  string
}

// longest bounds a payload; GitHub's are below 1 MB.
const longest = 25 << 20

// payload is the part of the payloads that we read.
type payload struct {
	Pull *struct {
		Number int    `json:"number"`
		Head   branch `json:"head"`
		Base   branch `json:"base"`
	} `json:"pull_request"`
	Group *struct {
		BaseSHA string `json:"base_sha"`
		BaseRef string `json:"base_ref"`
	} `json:"merge_group"`
	Run *struct {
		Event      string      `json:"event"`
		HeadSHA    string      `json:"head_sha"`
		HeadBranch string      `json:"head_branch"`
		HeadRepo   *repository `json:"head_repository"`
	} `json:"workflow_run"`
}

type repository struct {
	FullName string `json:"full_name"`
	Owner    struct {
		Login string `json:"login"`
	} `json:"owner"`
}

type branch struct {
	Ref  string      `json:"ref"`
	SHA  string      `json:"sha"`
	Repo *repository `json:"repo"`
}

var repoForm = regexp.MustCompile(`^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$`)

// Read reads the event from the environment and the payload that it names.
func Read(getenv func(string) string) (*Event, error) {
	e := &Event{
		Name: getenv("GITHUB_EVENT_NAME"), Repo: getenv("GITHUB_REPOSITORY"),
		Ref: getenv("GITHUB_REF"), Commit: getenv("GITHUB_SHA"), Actor: getenv("GITHUB_ACTOR"),
	}
	switch {
	case e.Name == "":
		return nil, errors.New("GITHUB_EVENT_NAME is not set: publish runs in a workflow of GitHub Actions; elsewhere, use check")
	case !repoForm.MatchString(e.Repo):
		return nil, fmt.Errorf("GITHUB_REPOSITORY is %q, want owner/name", e.Repo)
	case !finding.IsRevision(e.Commit):
		return nil, fmt.Errorf("GITHUB_SHA is %q, want the full name of a commit", e.Commit)
	}
	file := getenv("GITHUB_EVENT_PATH")
	p, err := readPayload(file)
	if err != nil {
		return nil, fmt.Errorf("GITHUB_EVENT_PATH %s: %w", file, err)
	}
	if err := e.fill(p); err != nil {
		return nil, fmt.Errorf("GITHUB_EVENT_PATH %s: %w", file, err)
	}
	return e, nil
}

func readPayload(file string) (*payload, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, errors.New("cannot be read")
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, longest+1))
	if err != nil || len(data) > longest {
		return nil, fmt.Errorf("cannot be read, or is larger than %d MiB", longest>>20)
	}
	var p payload
	if err := json.Unmarshal(data, &p); err != nil {
		return nil, errors.New("is not the JSON of an event")
	}
	return &p, nil
}

func (e *Event) fill(p *payload) error {
	if pull := p.Pull; pull != nil {
		c := &Change{Number: pull.Number, Head: pull.Head.SHA, Base: pull.Base.Ref, BaseAt: pull.Base.SHA}
		if pull.Head.Repo != nil {
			c.HeadRepo = pull.Head.Repo.FullName
		}
		if c.Number <= 0 || !finding.IsRevision(c.Head) || !finding.IsRevision(c.BaseAt) || c.Base == "" {
			return errors.New("the pull request of the event has no number, head or base")
		}
		e.Change = c
	}
	if g := p.Group; g != nil {
		if !finding.IsRevision(g.BaseSHA) {
			return errors.New("the merge group of the event has no base")
		}
		e.Group = &Group{Base: strings.TrimPrefix(g.BaseRef, "refs/heads/"), BaseAt: g.BaseSHA}
	}
	if r := p.Run; r != nil {
		s := &Source{Event: r.Event, Head: r.HeadSHA, Branch: r.HeadBranch}
		if r.HeadRepo != nil {
			s.Repo, s.Owner = r.HeadRepo.FullName, r.HeadRepo.Owner.Login
		}
		if !finding.IsRevision(s.Head) {
			return errors.New("the workflow run of the event has no head commit")
		}
		e.Source = s
	}
	return nil
}

// bots whose runs get a token that can only read, whatever the repository says:
// GitHub treats their pull requests as those of a fork.
var bots = []string{"dependabot[bot]"}

// Fork: the change comes from another repository, or from one that is gone.
func (e *Event) Fork() bool { return e.Change != nil && !strings.EqualFold(e.Change.HeadRepo, e.Repo) }
