package action

import (
	"context"

	"github.com/eventraces/eventraces/action/internal/comment"
	"github.com/eventraces/eventraces/action/internal/github"
	"github.com/eventraces/eventraces/action/internal/patch"
	"github.com/eventraces/eventraces/engine/finding"
)

// mostInline bounds the comments on lines that are open at one time: more than a
// few are not read, and GitHub refuses many.
const mostInline = 10

// review writes comments on the lines of the diff, in one review, all or none: for
// races that code scanning does not show there. Comments of races that are gone
// are folded away, unless someone has answered.
func (a *run) review(ctx context.Context) error {
	if a.talk == nil {
		return nil
	}
	err := a.comments(ctx)
	return a.excuse(ctx, "Comments on lines were not written", err)
}

func (a *run) comments(ctx context.Context) error {
	open := map[string]bool{}
	for _, x := range a.apps {
		for _, f := range a.news(x) {
			for i := range f.Races {
				open[f.Races[i].ID] = true
			}
		}
	}
	there, err := a.settle(ctx, open)
	if err != nil || !a.pull.open || !a.fresh(there) {
		return err
	}
	diff, err := a.diff(ctx)
	if lines, _ := a.onLines(diff, there); err != nil || len(lines) == 0 {
		return err
	}
	// Code scanning may have taken its time: the head and the threads are looked up
	// again, just before a comment is written.
	if ok, err := a.look(ctx); err != nil || !ok {
		return err
	}
	if there, err = a.settle(ctx, open); err != nil {
		return err
	}
	lines, more := a.onLines(diff, there)
	if len(lines) == 0 {
		return nil
	}
	if err := a.write(ctx, a.page.Review(len(lines), more), lines); err != nil {
		return err
	}
	// Another run may have written the same at the same time; the first stays.
	if ok, err := a.look(ctx); err != nil || !ok {
		return err
	}
	_, err = a.settle(ctx, open)
	return err
}

// look reads the conversation again; it is not ok if the pull request has moved on.
func (a *run) look(ctx context.Context) (bool, error) {
	ok, err := a.current(ctx, a.pull)
	if err != nil || !ok {
		return false, err
	}
	a.talk, err = a.client.Conversation(ctx, a.pull.Number)
	return err == nil, err
}

// settle folds comments away or back, and says of which races comments stand on
// lines. That it may not is no reason to leave out new ones.
func (a *run) settle(ctx context.Context, open map[string]bool) (there map[string]bool, err error) {
	there, change := a.threads(open)
	err = a.client.Settle(ctx, change)
	return there, a.excuse(ctx, "Comments on lines were not folded away or back", err)
}

// fresh says whether there is a finding that no comment on a line is about.
func (a *run) fresh(there map[string]bool) bool {
	for _, x := range a.apps {
		for _, f := range a.news(x) {
			if !there[f.First().ID] {
				return true
			}
		}
	}
	return false
}

// diff is what the pull request changes, by file; nil if GitHub finds it too large.
func (a *run) diff(ctx context.Context) (map[string]patch.Hunks, error) {
	files, _, err := a.client.Files(ctx, a.pull.Number)
	if github.Is(err, github.TooLarge) {
		a.Info("no comments on lines: %v", err)
		return nil, nil
	}
	return hunks(files), err
}

// onLines are comments for findings whose places are in the diff and that no
// comment is about, the strongest first, as many as there is room for; more is how
// many findings get none.
func (a *run) onLines(diff map[string]patch.Hunks, there map[string]bool) (lines []github.InlineComment, more int) {
	room := mostInline - len(there)
	for _, x := range a.apps {
		for _, f := range a.news(x) {
			if there[f.First().ID] {
				continue
			}
			side, line := lineOf(diff, x, f)
			switch {
			case side < 0:
			case line == 0, len(lines) >= room:
				more++
			default:
				lines = append(lines, github.InlineComment{Path: f.First().Sides[side].Access.File, Line: line, Body: a.page.Inline(f, side)})
			}
		}
	}
	return lines, more
}

// news are the findings of an app that count and that nobody has accepted.
func (a *run) news(x *app) []*finding.Finding {
	var out []*finding.Finding
	for i := range x.told.Findings {
		if f := &x.told.Findings[i]; f.Priority >= a.check.Min && f.Standing() == finding.Open {
			out = append(out, f)
		}
	}
	return out
}

// threads says of which races comments stand on lines, and what to do with those
// that are over, or that are back. None is over while part of the apps was not
// looked at.
func (a *run) threads(open map[string]bool) (there map[string]bool, change github.Change) {
	there = map[string]bool{}
	for _, t := range a.talk.Threads {
		if len(t.Comments) == 0 || !t.Comments[0].Ours {
			continue
		}
		id, ok := comment.InlineID(t.Comments[0].Body, a.in.category)
		hidden := t.Comments[0].Hidden
		switch {
		case !ok:
		case open[id]:
			again := there[id]
			there[id] = true
			switch {
			case again && !hidden && !t.Answered: // a run at the same time has said it too
				change.Close = append(change.Close, t)
			case !again && t.Comments[0].Folded: // else a person has hidden it
				change.Reopen = append(change.Reopen, t)
			}
		case !hidden && !t.Answered && !a.page.Partial():
			change.Close = append(change.Close, t)
		}
	}
	return there, change
}

// lineOf chooses the side of a finding that a comment stands on: the first whose
// line is in the diff. The line is 0 if there is none; the side is -1 if code
// scanning shows the finding there.
func lineOf(diff map[string]patch.Hunks, x *app, f *finding.Finding) (side, line int) {
	for side := range f.First().Sides {
		p := f.First().Sides[side].Access.Position
		if !p.Found || p.Line == 0 {
			continue
		}
		switch kind := diff[p.File].At(p.Line); {
		case kind == patch.Added && side == 0 && x.shown:
			return -1, 0
		case kind != patch.Outside:
			return side, p.Line
		}
	}
	return 0, 0
}

// write sends the review; where a failure leaves its fate open, it looks before it
// sends it again.
func (a *run) write(ctx context.Context, body string, lines []github.InlineComment) error {
	for again := false; ; again = true {
		err := a.client.Review(ctx, a.pull.Number, a.pull.Head, body, lines)
		if github.Is(err, github.Invalid, github.TooLarge) { // GitHub speaks of the diff in several ways
			a.Info("GitHub takes no comments on these lines, they are in the comment of the pull request: %v", err)
			return nil
		}
		if err == nil || again || !github.Is(err, github.Unsure) {
			return err
		}
		talk, e := a.client.Conversation(ctx, a.pull.Number)
		if e != nil {
			return e
		}
		for _, t := range talk.Threads {
			for _, x := range t.Comments {
				if x.Ours && x.Body == lines[0].Body {
					return nil
				}
			}
		}
	}
}
