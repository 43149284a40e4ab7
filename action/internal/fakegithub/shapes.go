package fakegithub

import (
	"crypto/sha1"
	"fmt"
	"strings"
)

// The shapes of GitHub's answers, with every member that they must have. The
// addresses of things follow their names, which is GitHub's habit but for what
// clients fill in.

// addresses adds NAME_url members below root.
func addresses(o object, root, names string) object {
	for _, name := range strings.Fields(names) {
		o[name+"_url"] = root + "/" + name
	}
	return o
}

func (s *Server) user(login string) object {
	kind, page := "User", login
	if name, ok := strings.CutSuffix(login, "[bot]"); ok {
		kind, page = "Bot", "apps/"+name
	}
	url := s.base + "/users/" + strings.NewReplacer("[", "%5B", "]", "%5D").Replace(login)
	return addresses(object{
		"login": login, "id": hash(login), "node_id": "U_" + login, "avatar_url": s.base + "/avatars/u",
		"gravatar_id": "", "url": url, "html_url": s.base + "/" + page, "type": kind, "site_admin": false,
	}, url, "followers following gists starred subscriptions organizations repos events received_events")
}

// hash is a small number for a name.
func hash(name string) int {
	sum := sha1.Sum([]byte(name))
	return int(sum[0])<<16 | int(sum[1])<<8 | int(sum[2])
}

// repository is that of a repository which the fake need not hold, as a fork.
func (s *Server) repository(name string) object {
	owner, short, _ := strings.Cut(name, "/")
	url, html := s.base+"/repos/"+name, s.base+"/"+name
	r := s.repos[strings.ToLower(name)]
	branch := "main"
	if r != nil {
		branch = r.defaultBranch
	}
	o := object{
		"id": hash(name), "node_id": "R_" + short, "name": short, "full_name": name, "owner": s.user(owner),
		"private": r == nil || r.private, "fork": r == nil, "description": nil, "url": url, "html_url": html,
		"clone_url": html + ".git", "git_url": html + ".git", "ssh_url": "git@example.com:" + name + ".git", "svn_url": html,
		"mirror_url": nil, "homepage": nil, "language": nil, "license": nil, "default_branch": branch,
		"forks": 0, "forks_count": 0, "open_issues": 0, "open_issues_count": 0, "stargazers_count": 0,
		"watchers": 0, "watchers_count": 0, "size": 1, "archived": false, "disabled": false,
		"has_downloads": true, "has_issues": true, "has_projects": true, "has_wiki": true, "has_pages": false,
		"pushed_at": instant(0), "created_at": instant(0), "updated_at": instant(0),
	}
	return addresses(o, url, "archive assignees blobs branches collaborators comments commits compare contents"+
		" contributors deployments downloads events forks git_commits git_refs git_tags hooks issue_comment"+
		" issue_events issues keys labels languages merges milestones notifications pulls releases stargazers"+
		" statuses subscribers subscription tags teams trees")
}

func (s *Server) ref(r Ref) object {
	owner, _, _ := strings.Cut(r.Repo, "/")
	return object{
		"label": owner + ":" + r.Ref, "ref": r.Ref, "sha": r.SHA,
		"user": s.user(owner), "repo": s.repository(r.Repo),
	}
}

// simplePull is a pull request in a list.
func (s *Server) simplePull(p *PullRequest) object {
	url := fmt.Sprintf("%s/repos/%s/pulls/%d", s.base, p.repo.name, p.Number)
	html := fmt.Sprintf("%s/%s/pull/%d", s.base, p.repo.name, p.Number)
	issue := fmt.Sprintf("%s/repos/%s/issues/%d", s.base, p.repo.name, p.Number)
	statuses := fmt.Sprintf("%s/repos/%s/statuses/%s", s.base, p.repo.name, p.Head.SHA)
	link := func(to string) object { return object{"href": to} }
	var merge, closed any
	if p.MergeSHA != "" {
		merge = p.MergeSHA
	}
	if p.State == "closed" {
		closed = instant(p.id)
	}
	return object{
		"url": url, "id": p.id, "node_id": p.nodeID(), "html_url": html, "diff_url": html + ".diff", "patch_url": html + ".patch",
		"issue_url": issue, "commits_url": url + "/commits", "review_comments_url": url + "/comments",
		"review_comment_url": url + "/comments{/number}", "comments_url": issue + "/comments", "statuses_url": statuses,
		"number": p.Number, "state": p.State, "locked": false, "title": fmt.Sprintf("Pull request %d", p.Number),
		"user": s.user(p.Author), "body": nil, "labels": []any{}, "milestone": nil, "draft": false,
		"created_at": instant(p.id), "updated_at": instant(p.id), "closed_at": closed, "merged_at": nil,
		"merge_commit_sha": merge, "assignee": nil, "assignees": []any{}, "requested_reviewers": []any{}, "requested_teams": []any{},
		"head": s.ref(p.Head), "base": s.ref(p.Base), "author_association": "CONTRIBUTOR", "auto_merge": nil,
		"_links": object{
			"self": link(url), "html": link(html), "issue": link(issue), "comments": link(issue + "/comments"),
			"commits": link(url + "/commits"), "statuses": link(statuses), "review_comments": link(url + "/comments"),
			"review_comment": link(url + "/comments{/number}"),
		},
	}
}

func (p *PullRequest) nodeID() string { return fmt.Sprintf("PR_%d", p.id) }

// fullPull is a pull request by itself.
func (s *Server) fullPull(p *PullRequest) object {
	o := s.simplePull(p)
	added, deleted := 0, 0
	for _, f := range p.Files {
		a, d := changes(f.Patch)
		added, deleted = added+a, deleted+d
	}
	inline := 0
	for _, t := range p.threads {
		inline += len(t.Comments)
	}
	o["merged"], o["merged_by"], o["maintainer_can_modify"] = false, nil, false
	o["mergeable"], o["mergeable_state"] = p.MergeSHA != "", "unknown"
	o["comments"], o["review_comments"], o["commits"] = len(p.comments), inline, 1
	o["additions"], o["deletions"], o["changed_files"] = added, deleted, len(p.Files)
	return o
}

func (s *Server) files(r *Repo, sha string, files []File) []object {
	list := []object{}
	for _, f := range files {
		added, deleted := changes(f.Patch)
		o := object{
			"sha": fmt.Sprintf("%x", sha1.Sum([]byte(f.Path+f.Patch))), "filename": f.Path, "status": f.Status,
			"additions": added, "deletions": deleted, "changes": added + deleted,
			"blob_url":     fmt.Sprintf("%s/%s/blob/%s/%s", s.base, r.name, sha, escape(f.Path)),
			"raw_url":      fmt.Sprintf("%s/%s/raw/%s/%s", s.base, r.name, sha, escape(f.Path)),
			"contents_url": fmt.Sprintf("%s/repos/%s/contents/%s?ref=%s", s.base, r.name, escape(f.Path), sha),
		}
		if f.Status == "" {
			o["status"] = "modified"
		}
		if f.Previous != "" {
			o["previous_filename"] = f.Previous
		}
		if f.Patch != "" {
			o["patch"] = f.Patch
		}
		list = append(list, o)
	}
	return list
}

func (s *Server) commitShape(r *Repo, sha string) object {
	url := fmt.Sprintf("%s/repos/%s/commits/%s", s.base, r.name, sha)
	who := object{"name": "The Octocat", "email": "octocat@example.com", "date": instant(0)}
	return object{
		"url": url, "sha": sha, "node_id": "C_" + sha, "html_url": s.base + "/" + r.name + "/commit/" + sha, "comments_url": url + "/comments",
		"commit": object{
			"url": url, "author": who, "committer": who, "message": "A commit", "comment_count": 0,
			"tree": object{"sha": sha, "url": s.base + "/repos/" + r.name + "/git/trees/" + sha},
		},
		"author": s.user("octocat"), "committer": s.user("octocat"), "parents": []any{},
	}
}

func (s *Server) commentShape(p *PullRequest, c *Comment) object {
	url := fmt.Sprintf("%s/repos/%s/issues", s.base, p.repo.name)
	return object{
		"id": c.ID, "node_id": c.NodeID, "url": fmt.Sprintf("%s/comments/%d", url, c.ID),
		"html_url":  fmt.Sprintf("%s/%s/pull/%d#issuecomment-%d", s.base, p.repo.name, p.Number, c.ID),
		"issue_url": fmt.Sprintf("%s/%d", url, p.Number), "user": s.user(c.Author), "body": c.Body,
		"created_at": instant(c.ID), "updated_at": instant(c.ID + int64(c.Edits)),
		"author_association": "CONTRIBUTOR", "performed_via_github_app": nil,
	}
}

// lineCommentShape is the i-th comment of a thread.
func (s *Server) lineCommentShape(p *PullRequest, t *Thread, c *Comment, i int) object {
	html := fmt.Sprintf("%s/%s/pull/%d#discussion_r%d", s.base, p.repo.name, p.Number, c.ID)
	pull := fmt.Sprintf("%s/repos/%s/pulls/%d", s.base, p.repo.name, p.Number)
	url := fmt.Sprintf("%s/repos/%s/pulls/comments/%d", s.base, p.repo.name, c.ID)
	o := object{
		"id": c.ID, "node_id": c.NodeID, "url": url, "html_url": html, "pull_request_url": pull, "user": s.user(c.Author), "body": c.Body,
		"pull_request_review_id": nil, "diff_hunk": "@@", "path": t.Path, "commit_id": t.Commit, "original_commit_id": t.Commit,
		"side": t.Side, "created_at": instant(c.ID), "updated_at": instant(c.ID), "author_association": "CONTRIBUTOR",
		"_links": object{"self": object{"href": url}, "html": object{"href": html}, "pull_request": object{"href": pull}},
	}
	if !t.Outdated {
		o["line"] = t.Line
	}
	if i > 0 {
		o["in_reply_to_id"] = t.Comments[0].ID
	}
	return o
}

func (s *Server) reviewShape(p *PullRequest, r *Review) object {
	html := fmt.Sprintf("%s/%s/pull/%d#pullrequestreview-%d", s.base, p.repo.name, p.Number, r.ID)
	pull := fmt.Sprintf("%s/repos/%s/pulls/%d", s.base, p.repo.name, p.Number)
	return object{
		"id": r.ID, "node_id": fmt.Sprintf("PRR_%d", r.ID), "user": s.user(r.Author), "body": r.Body, "state": r.State,
		"html_url": html, "pull_request_url": pull, "commit_id": r.Commit, "author_association": "CONTRIBUTOR", "submitted_at": instant(r.ID),
		"_links": object{"html": object{"href": html}, "pull_request": object{"href": pull}},
	}
}
