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
	there, change := a.threads(open)
	err := a.client.Settle(ctx, change)
	if err := a.excuse(ctx, "Comments on lines were not folded away or back", err); err != nil {
		return err
	}
	var fresh []*finding.Finding
	of := map[*finding.Finding]*app{}
	for _, x := range a.apps {
		for _, f := range a.news(x) {
			if !there[f.First().ID] {
				fresh = append(fresh, f)
				of[f] = x
			}
		}
	}
	if len(fresh) == 0 || !a.pull.open {
		return nil
	}
	number := a.pull.Number
	files, _, err := a.client.Files(ctx, number)
	if github.Is(err, github.TooLarge) {
		a.Info("no comments on lines: %v", err)
		return nil
	}
	if err != nil {
		return err
	}
	var lines []github.InlineComment
	diff, more := hunks(files), 0
	for _, f := range fresh {
		side, line := a.lineOf(diff, of[f], f)
		switch {
		case side < 0:
		case line == 0, len(there)+len(lines) >= mostInline:
			more++
		default:
			lines = append(lines, github.InlineComment{Path: f.First().Sides[side].Access.File, Line: line, Body: a.shown.Inline(f, side)})
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return a.write(ctx, number, a.shown.Review(len(lines), more), lines)
}

// news are the findings that count and that nobody has accepted.
func (a *run) news(x *app) []*finding.Finding {
	var out []*finding.Finding
	for i := range x.Findings {
		if f := &x.Findings[i]; f.Priority >= a.check.Min && f.Standing() == finding.Open {
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
			there[id] = true
			if t.Comments[0].Folded { // else a person has hidden it
				change.Reopen = append(change.Reopen, t)
			}
		case !hidden && !t.Answered && !a.shown.Partial():
			change.Close = append(change.Close, t)
		}
	}
	return there, change
}

// lineOf chooses the side of a finding that a comment stands on: the first whose
// line is in the diff. The line is 0 if there is none; the side is -1 if code
// scanning shows the finding there.
func (a *run) lineOf(diff map[string]patch.Hunks, x *app, f *finding.Finding) (side, line int) {
	for side := range f.First().Sides {
		p := f.First().Sides[side].Access.Position
		if !p.Found {
			continue
		}
		line, ok := p.Line, true
		if a.shown.Place != nil {
			line, ok = a.shown.Place(p)
		}
		if !ok {
			continue
		}
		switch kind := diff[p.File].At(line); {
		case kind == patch.Added && side == 0 && x.shown:
			return -1, 0
		case kind != patch.Outside:
			return side, line
		}
	}
	return 0, 0
}

// write sends the review; where a failure leaves its fate open, it looks before it
// sends it again.
func (a *run) write(ctx context.Context, number int, body string, lines []github.InlineComment) error {
	for again := false; ; again = true {
		err := a.client.Review(ctx, number, a.pull.Head, body, lines)
		if github.Is(err, github.Invalid) {
			a.Info("GitHub takes no comments on these lines, they are in the comment of the pull request: %v", err)
			return nil
		}
		if err == nil || again || !github.Is(err, github.Unsure) {
			return err
		}
		talk, e := a.client.Conversation(ctx, number)
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
