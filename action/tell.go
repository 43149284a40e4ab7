package action

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/eventraces/eventraces/action/internal/comment"
	"github.com/eventraces/eventraces/action/internal/github"
	"github.com/eventraces/eventraces/action/internal/workflow"
	"github.com/eventraces/eventraces/engine/report"
)

// newPage is what comment, review and summary are made from.
func (a *run) newPage(ctx context.Context) (*comment.Page, error) {
	p := &comment.Page{
		Key: a.in.category, Min: a.check.Min, Server: a.server(), Repo: a.event.Repo,
		Details: fmt.Sprintf("%s/%s/actions/runs/%s", a.server(), a.event.Repo, url.PathEscape(a.Getenv("GITHUB_RUN_ID"))),
	}
	c, err := a.change(ctx)
	if err != nil {
		return nil, err
	}
	if c != nil {
		p.Base, p.Head = c.Base, c.Head
		if a.event.Source != nil && !strings.EqualFold(c.HeadRepo, a.event.Repo) {
			p.Fork = c.HeadRepo
		}
	}
	for _, x := range a.apps {
		p.Head = cmp.Or(p.Head, x.commit.SHA)
		app := comment.App{Run: x.Run, Accept: a.acceptance(x)}
		if x.upload != "" {
			app.Alerts = a.alerts(c, x.commit.Ref)
		}
		p.Apps = append(p.Apps, app)
	}
	if source := a.event.Source; source != nil {
		p.Head = cmp.Or(p.Head, source.Head)
	}
	p.Head = cmp.Or(p.Head, a.event.Commit)
	if slices.ContainsFunc(a.apps, func(x *app) bool { return len(x.Findings) > 0 }) {
		place := a.places(ctx)
		for i, x := range a.apps {
			x.told = moved(x.Run, place)
			p.Apps[i].Run = x.told
		}
	}
	return p, nil
}

// acceptance is what to type to accept a race of an app. Where the app was not
// analysed here, its build outputs and its baseline are known by their names only;
// of the latter the input may say where it is.
func (a *run) acceptance(x *app) report.Acceptance {
	accept := a.check.Accept
	if !a.in.publishes() {
		return accept
	}
	if x.Baseline != nil && x.Baseline.Files[0] != path.Base(a.in.baseline) {
		accept.Out = x.Baseline.Files[0]
	}
	accept.Args = slices.Clone(accept.Args)
	for _, input := range x.Inputs {
		accept.Args = append(accept.Args, "path/to/"+input.Name)
	}
	return accept
}

func (a *run) server() string { return cmp.Or(a.Getenv("GITHUB_SERVER_URL"), "https://github.com") }

// alerts is the page of code scanning with what was uploaded for a ref.
func (a *run) alerts(c *change, ref string) string {
	query := "is:open tool:eventraces"
	if branch, ok := strings.CutPrefix(ref, "refs/heads/"); ok {
		query += " branch:" + branch
	} else if c != nil {
		query += fmt.Sprintf(" pr:%d", c.Number)
	}
	return fmt.Sprintf("%s/%s/security/code-scanning?%s", a.server(), a.event.Repo, url.Values{"query": {query}}.Encode())
}

// tell writes the summary of the job and the comment of the pull request.
func (a *run) tell(ctx context.Context) error {
	page, err := a.newPage(ctx)
	if err != nil {
		return err
	}
	a.page = page
	if err := a.Summary(page.Summary()); err != nil {
		a.Info("%v", err)
	}
	if !a.plan.Comment || !a.in.comment {
		return nil
	}
	c, err := a.change(ctx)
	switch source := a.event.Source; {
	case err != nil:
		return err
	case c == nil && source != nil && source.Event == "pull_request" && !a.pullUnsure:
		a.Info("no open pull request has the head %s of %s: there is nobody to tell", source.Head, source.Repo)
		return nil
	case c == nil:
		return nil
	}
	err = a.comment(ctx, c, page)
	return a.excuse(ctx, "The comment was not written", err)
}

// excuse tells of something that could not be delivered, which is no reason to
// fail: the verdict stands without it.
func (a *run) excuse(ctx context.Context, what string, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	text := what + ": " + err.Error()
	if github.Is(err, github.Forbidden) {
		text += hint(err, "pull-requests: write")
	}
	a.once(workflow.Annotation{Level: workflow.Warning, Title: "eventraces: pull request", Message: text})
	return nil
}

// comment keeps the one comment of the pull request: there is none until there is
// something to say, and it says so when that is over.
func (a *run) comment(ctx context.Context, c *change, page *comment.Page) error {
	if a.event.Source == nil { // else it was found by its head just now
		if ok, err := a.current(ctx, c); err != nil || !ok {
			return err
		}
	}
	talk, err := a.client.Conversation(ctx, c.Number)
	if err != nil {
		return err
	}
	mine := a.sticky(talk)
	if len(mine) > 0 {
		page.Unheard = page.Silent(mine[0].Body)
		for _, x := range mine[1:] { // left by a run that was stopped, or saw no other
			if err := a.client.DeleteComment(ctx, x.ID); err != nil {
				return err
			}
		}
	}
	stands := true
	switch news := page.HasNews(); {
	case len(mine) == 0 && (!news || !c.open):
		a.talk = talk
		return nil
	case len(mine) == 0:
		stands, err = a.create(ctx, c, page.Sticky())
	case news:
		err = a.update(ctx, mine[0], page.Sticky())
		if github.Is(err, github.NotFound) && c.open { // someone has just deleted it
			stands, err = a.create(ctx, c, page.Sticky())
		}
	default:
		err = a.update(ctx, mine[0], page.Resolved(mine[0].Body))
	}
	if err == nil && stands {
		a.commented, a.talk = true, talk
	}
	return err
}

// sticky are the comments that this one might be: written by us, with our marker,
// not hidden by anyone. There should be one; the oldest counts.
func (a *run) sticky(talk *github.Conversation) []github.Comment {
	var mine []github.Comment
	for _, x := range talk.Comments {
		if x.Ours && !x.Hidden && comment.IsSticky(x.Body, a.in.category) {
			mine = append(mine, x)
		}
	}
	slices.SortFunc(mine, func(a, b github.Comment) int { return cmp.Compare(a.ID, b.ID) })
	return mine
}

func (a *run) update(ctx context.Context, old github.Comment, body string) error {
	if old.Body == body {
		return nil
	}
	return a.client.UpdateComment(ctx, old.ID, body)
}

// create writes the comment and says whether it stands. Whether a failure has left
// one, and whether another run has written one at the same time, is looked up: the
// oldest stays, with the text of the newest head.
func (a *run) create(ctx context.Context, c *change, body string) (bool, error) {
	for again := false; ; again = true {
		id, err := a.client.CreateComment(ctx, c.Number, body)
		if err != nil && (again || !github.Is(err, github.Unsure)) {
			return false, err
		}
		talk, e := a.client.Conversation(ctx, c.Number)
		if e != nil {
			return false, e
		}
		mine := a.sticky(talk)
		switch {
		case len(mine) == 0 && err != nil:
			continue
		case len(mine) == 0: // it is not listed yet
			return true, nil
		case err == nil && mine[0].ID != id:
			if err := a.client.DeleteComment(ctx, id); err != nil {
				return false, err
			}
			if ok, err := a.current(ctx, c); err != nil || !ok {
				return false, err
			}
		}
		return true, a.update(ctx, mine[0], body)
	}
}
